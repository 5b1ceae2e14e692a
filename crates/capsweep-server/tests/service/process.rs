//! A real server as a child process.

use capsweep_client::{Client, Options};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// A folder of a test. It is removed when the test ends.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("capsweep-server-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A server process. It is killed when the test ends.
pub(crate) struct Server {
    child: Child,
    pub(crate) address: SocketAddr,
    pub(crate) admin: SocketAddr,
    log: Receiver<String>,
}

/// Longest wait for a server: a test machine may be busy.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

impl Server {
    /// Starts a server on any ports.
    pub(crate) fn start(arguments: &[&str]) -> Self {
        Self::start_at("127.0.0.1:0", "127.0.0.1:0", arguments)
    }

    pub(crate) fn start_at(listen: &str, admin: &str, arguments: &[&str]) -> Self {
        let mut child = command(listen, admin, arguments).spawn().unwrap();
        let (lines, log) = channel();
        let stderr = child.stderr.take().unwrap();
        std::thread::spawn(move || {
            for line in BufReader::new(stderr).lines().map_while(Result::ok) {
                let _ = lines.send(line);
            }
        });
        let unknown = SocketAddr::from(([0, 0, 0, 0], 0));
        let mut server = Self { child, address: unknown, admin: unknown, log };
        let line = server.wait_for_line("\"listening\"");
        let line: serde_json::Value = serde_json::from_str(&line).unwrap();
        let address = |name: &str| line["fields"][name].as_str().unwrap().parse().unwrap();
        (server.address, server.admin) = (address("listen"), address("admin"));
        server.wait_for_line("\"ready\"");
        server
    }

    /// The next line of the log with this text.
    pub(crate) fn wait_for_line(&self, text: &str) -> String {
        let mut seen = Vec::new();
        let end = Instant::now() + PATIENCE;
        while let Ok(line) = self.log.recv_timeout(end.saturating_duration_since(Instant::now())) {
            if line.contains(text) {
                return line;
            }
            seen.push(line);
        }
        panic!("no line with {text} in:\n{}", seen.join("\n"));
    }

    pub(crate) fn client(&self) -> Client {
        self.client_with(Options::default())
    }

    pub(crate) fn client_with(&self, options: Options) -> Client {
        Client::connect(&format!("http://{}", self.address), options).unwrap()
    }

    pub(crate) fn signal(&self, name: &str) {
        let pid = self.child.id().to_string();
        let status = Command::new("kill").args([&format!("-{name}"), &pid]).status().unwrap();
        assert!(status.success());
    }

    pub(crate) fn wait(&mut self) -> ExitStatus {
        let end = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            assert!(Instant::now() < end, "the server does not end");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// The status and the text of a page of administration.
    pub(crate) fn page(&self, path: &str) -> (u16, String) {
        page(self.admin, path)
    }

    /// The sum of a metric over the lines that hold `labels`.
    pub(crate) fn metric(&self, name: &str, labels: &str) -> f64 {
        let (status, text) = self.page("/metrics");
        assert_eq!(status, 200);
        let lines = text.lines().filter(|line| line.starts_with(name) && line.contains(labels));
        lines.map(|line| line.rsplit_once(' ').unwrap().1.parse::<f64>().unwrap()).sum()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub(crate) fn command(listen: &str, admin: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_capsweep-server"));
    command.args(["--listen", listen, "--admin", admin, "--log-format", "json"]);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    command
}

/// Runs a server that does not start: its exit code and its log.
pub(crate) fn refused(arguments: &[&str]) -> (i32, String) {
    let output = command("127.0.0.1:0", "127.0.0.1:0", arguments).output().unwrap();
    (output.status.code().unwrap(), String::from_utf8(output.stderr).unwrap())
}

/// A page over HTTP/1.
pub(crate) fn page(address: SocketAddr, path: &str) -> (u16, String) {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nHost: admin\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    (status, body.to_owned())
}

/// Whether a tool is installed. In continuous integration all must be.
pub(crate) fn has_tool(tool: &str, arguments: &[&str]) -> bool {
    let found = Command::new(tool)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success());
    if !found {
        let message = format!("{tool} {} does not run here", arguments.join(" "));
        assert!(std::env::var_os("CI").is_none(), "{message}: .ci/run installs it");
        eprintln!("skipped: {message}");
    }
    found
}

/// The root of the repository.
pub(crate) fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}
