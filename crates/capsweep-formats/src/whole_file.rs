//! Output files that are replaced as a whole: written beside the old file, then renamed onto it.
//!
//! [`write`](fn@write) leaves either the old file or the complete new one. That holds after a
//! crash, with a full disk, and when several writers write one path. Every writer has a temporary
//! file of its own, and the last rename wins.
//!
//! - The temporary file lies in the target's folder and is called `.NAME.….tmp`. An interrupted
//!   process leaves it behind. Later writes ignore it, so it may be deleted at any time.
//! - A symbolic link is followed: the file that it names is replaced and the link stays.
//!   A link that names no file is an error.
//! - An existing file keeps its permissions. A file that may not be written is not replaced.
//! - Other hard links of the old file keep the old content.
//! - Pipes, devices and `/dev/stdout` cannot be replaced. They are written to directly.

use std::collections::hash_map::RandomState;
use std::fs::{self, File, OpenOptions, Permissions};
use std::hash::{BuildHasher, Hasher};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Writes the file at `path` with the bytes that `content` writes, or leaves it as it was.
///
/// # Errors
/// If `content` fails, or no file can be written in the folder, or `path` is a folder, a link that
/// names no file, or a file that may not be written. The old file is then unchanged.
pub fn write<T>(
    path: &Path,
    content: impl FnOnce(&mut dyn Write) -> io::Result<T>,
) -> io::Result<T> {
    match Target::resolve(path)? {
        Target::Direct => {
            let file = OpenOptions::new().write(true).truncate(true).open(path)?;
            write_buffered(file, |file| content(file)).map(|(_, value)| value)
        }
        Target::File { path, permissions } => replace(&path, permissions, |file| content(file)),
    }
}

/// As [`write`](fn@write), for content that goes back in the file: its header is written last.
///
/// # Errors
/// As [`write`](fn@write), and if `path` is a pipe or a device.
pub fn write_seekable<T>(
    path: &Path,
    content: impl FnOnce(&mut BufWriter<File>) -> io::Result<T>,
) -> io::Result<T> {
    match Target::resolve(path)? {
        Target::Direct => {
            let message = "it is a pipe or a device: name a file";
            Err(io::Error::new(ErrorKind::NotSeekable, message))
        }
        Target::File { path, permissions } => replace(&path, permissions, content),
    }
}

/// The destination of the bytes written to a path.
enum Target {
    /// A pipe, a device, or a stream of this process: it cannot be replaced by a rename.
    Direct,
    /// A regular file that exists or can be created. `path` is not a link.
    File { path: PathBuf, permissions: Option<Permissions> },
}

impl Target {
    /// Follows links and checks that the file may be written.
    fn resolve(path: &Path) -> io::Result<Self> {
        match fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => {
                Err(io::Error::new(ErrorKind::IsADirectory, "it is a folder"))
            }
            Ok(metadata) if !metadata.is_file() => Ok(Self::Direct),
            Ok(metadata) => match resolve_links(path)? {
                None => Ok(Self::Direct),
                Some(path) => {
                    // A rename needs no permission for the old file. Replacing it should, so this
                    // asks for it.
                    OpenOptions::new().write(true).open(&path)?;
                    Ok(Self::File { path, permissions: Some(metadata.permissions()) })
                }
            },
            Err(error) if error.kind() == ErrorKind::NotFound => {
                if let Ok(named) = fs::read_link(path) {
                    let named = named.to_string_lossy();
                    let message = format!(
                        "it is a link to {named:?}, which does not exist: \
                         remove the link, or create that file"
                    );
                    return Err(io::Error::new(ErrorKind::NotFound, message));
                }
                Ok(Self::File { path: path.to_owned(), permissions: None })
            }
            Err(error) => Err(error),
        }
    }
}

/// The file at the end of all links; `None` if they lead through `/proc`.
///
/// Links in `/proc`, such as `/proc/self/fd/1`, stand for open files. `/dev/stdout` leads there.
fn resolve_links(path: &Path) -> io::Result<Option<PathBuf>> {
    let mut current = path.to_owned();
    // The caller has resolved the path before, so the chain ends. The bound stops a chain that
    // changes meanwhile.
    for _ in 0..64 {
        let folder = folder_of(&current).canonicalize()?;
        if cfg!(unix) && folder.starts_with("/proc") {
            return Ok(None);
        }
        match fs::read_link(&current) {
            Ok(named) => current = folder.join(named),
            Err(_) => return current.canonicalize().map(Some),
        }
    }
    Err(io::Error::other("too many links lead to each other"))
}

/// The folder of a file.
fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

/// Writes a temporary file beside `path` and renames it to `path`.
fn replace<T>(
    path: &Path,
    permissions: Option<Permissions>,
    content: impl FnOnce(&mut BufWriter<File>) -> io::Result<T>,
) -> io::Result<T> {
    let (temporary, file) = Temporary::beside(path)?;
    if let Some(permissions) = permissions {
        // Before it has content that others could read.
        file.set_permissions(permissions)?;
    }
    let (file, value) = write_buffered(file, content)?;
    // The content is on disk before the rename, so a crash leaves one of the two files whole.
    file.sync_all()?;
    drop(file);
    fs::rename(&temporary.path, path)?;
    temporary.keep();
    if cfg!(unix) {
        // Makes the rename durable. Some file systems cannot do this; the rename is done anyway.
        let _ = File::open(folder_of(path)).and_then(|folder| folder.sync_all());
    }
    Ok(value)
}

/// Writes through a buffer and returns the file.
fn write_buffered<T>(
    file: File,
    content: impl FnOnce(&mut BufWriter<File>) -> io::Result<T>,
) -> io::Result<(File, T)> {
    let mut buffered = BufWriter::with_capacity(1 << 16, file);
    let value = content(&mut buffered)?;
    let file = buffered.into_inner().map_err(io::IntoInnerError::into_error)?;
    Ok((file, value))
}

/// A temporary file that no other writer uses. Dropping it removes it, unless it was kept.
struct Temporary {
    path: PathBuf,
    kept: bool,
}

impl Temporary {
    fn beside(path: &Path) -> io::Result<(Self, File)> {
        let name = path.file_name().ok_or_else(|| {
            io::Error::new(ErrorKind::InvalidInput, "the path does not end in a file's name")
        })?;
        // Keeps the name short enough for any file system.
        let name: String = name.to_string_lossy().chars().take(32).collect();
        loop {
            let path = folder_of(path).join(format!(".{name}.{}.tmp", unique()));
            match OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(file) => return Ok((Self { path, kept: false }, file)),
                // Another writer's, or left by an interrupted process: try another name.
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                // The file itself may be writable, so the error names the folder.
                Err(error) if error.kind() == ErrorKind::PermissionDenied => {
                    let folder = folder_of(&path).display();
                    let message = format!("no file can be made in the folder {folder}: {error}");
                    return Err(io::Error::new(error.kind(), message));
                }
                Err(error) => return Err(error),
            }
        }
    }

    fn keep(mut self) {
        self.kept = true;
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if !self.kept {
            // The caller already reports the error that led here, so this one is dropped.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Process id, counter and random number: also unique among machines that share a folder.
fn unique() -> String {
    static COUNTER: AtomicU64 = AtomicU64::new(0);
    let count = COUNTER.fetch_add(1, Ordering::Relaxed);
    let random = RandomState::new().build_hasher().finish();
    format!("{}-{count}-{random:016x}", std::process::id())
}
