//! The real server as a child process.

use capsweep_client::{Client, Options};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

/// A running server. It is killed at the end.
pub(crate) struct Server {
    child: Child,
    pub(crate) address: SocketAddr,
    pub(crate) admin: SocketAddr,
}

/// The program beside this one.
fn program() -> PathBuf {
    let me = std::env::current_exe().unwrap();
    let path = me.parent().unwrap().parent().unwrap().join("capsweep-server");
    assert!(path.exists(), "build it first: cargo build --release -p capsweep-server");
    path
}

impl Server {
    /// Starts a server, on one core if `core` says which.
    pub(crate) fn start(core: Option<u32>, arguments: &[&str]) -> Self {
        let mut command = match core {
            None => Command::new(program()),
            Some(core) => {
                let mut command = Command::new("taskset");
                command.args(["-c", &core.to_string()]).arg(program());
                command
            }
        };
        command.args(["--listen", "127.0.0.1:0", "--admin", "127.0.0.1:0"]).args(arguments);
        let mut child = command.stdin(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let (mut address, mut admin) = (None, None);
        for line in lines.by_ref().map_while(Result::ok) {
            let field = |name: &str| {
                let rest = line.split_once(&format!("{name}="))?.1;
                rest.split(' ').next()?.parse().ok()
            };
            address = address.or_else(|| field("listen"));
            admin = admin.or_else(|| field("admin"));
            if line.ends_with("ready") {
                break;
            }
        }
        std::thread::spawn(move || lines.for_each(drop));
        let (address, admin) = (address.expect("no address"), admin.expect("no address"));
        Self { child, address, admin }
    }

    pub(crate) fn client(&self) -> Client {
        let options = Options::default();
        Client::connect(&format!("http://{}", self.address), options).unwrap()
    }

    /// A metric without labels.
    pub(crate) fn metric(&self, name: &str) -> f64 {
        let mut stream = TcpStream::connect(self.admin).unwrap();
        write!(stream, "GET /metrics HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n").unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        let line = text.lines().find(|line| line.starts_with(name)).unwrap();
        line.rsplit_once(' ').unwrap().1.parse().unwrap()
    }

    /// Resident megabytes.
    pub(crate) fn memory(&self) -> f64 {
        self.metric("capsweep_resident_memory_bytes") / 1e6
    }

    /// Seconds on all cores.
    pub(crate) fn cpu(&self) -> f64 {
        self.metric("capsweep_cpu_seconds")
    }

    pub(crate) fn hang_up(&self) {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args(["-HUP", &pid]).status().unwrap().success());
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
