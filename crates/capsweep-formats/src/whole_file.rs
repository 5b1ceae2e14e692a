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
    match Target::of(path)? {
        Target::Direct => {
            let file = OpenOptions::new().write(true).truncate(true).open(path)?;
            fill(file, content).map(|(_, value)| value)
        }
        Target::File { path, permissions } => replace(&path, permissions, content),
    }
}

/// Where the bytes of a path go.
enum Target {
    /// A pipe, a device, or a stream of this process: there is nothing to rename onto.
    Direct,
    /// A regular file, or none yet. `path` is no link.
    File { path: PathBuf, permissions: Option<Permissions> },
}

impl Target {
    fn of(path: &Path) -> io::Result<Self> {
        match fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => {
                Err(io::Error::new(ErrorKind::IsADirectory, "it is a folder"))
            }
            Ok(metadata) if !metadata.is_file() => Ok(Self::Direct),
            Ok(metadata) => match followed(path)? {
                None => Ok(Self::Direct),
                Some(path) => {
                    // Renaming needs no permission for the old file; replacing it should.
                    OpenOptions::new().write(true).open(&path)?;
                    Ok(Self::File { path, permissions: Some(metadata.permissions()) })
                }
            },
            Err(error) if error.kind() == ErrorKind::NotFound => {
                if let Ok(named) = fs::read_link(path) {
                    let named = named.to_string_lossy();
                    let what = format!(
                        "it is a link to {named:?}, which does not exist: \
                         remove the link, or create that file"
                    );
                    return Err(io::Error::new(ErrorKind::NotFound, what));
                }
                Ok(Self::File { path: path.to_owned(), permissions: None })
            }
            Err(error) => Err(error),
        }
    }
}

/// The file at the end of all links; `None` if they lead through `/proc`.
///
/// There, links such as `/proc/self/fd/1` stand for open files. `/dev/stdout` leads to it.
fn followed(path: &Path) -> io::Result<Option<PathBuf>> {
    let mut at = path.to_owned();
    // The system has resolved the path already, so the chain ends. It could change meanwhile.
    for _ in 0..64 {
        let folder = folder_of(&at).canonicalize()?;
        if cfg!(unix) && folder.starts_with("/proc") {
            return Ok(None);
        }
        match fs::read_link(&at) {
            Ok(named) => at = folder.join(named),
            Err(_) => return at.canonicalize().map(Some),
        }
    }
    Err(io::Error::other("too many links lead to each other"))
}

/// The folder that a file lies in.
fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

/// Writes a temporary file beside `path`, then gives it that name.
fn replace<T>(
    path: &Path,
    permissions: Option<Permissions>,
    content: impl FnOnce(&mut dyn Write) -> io::Result<T>,
) -> io::Result<T> {
    let (temporary, file) = Temporary::beside(path)?;
    if let Some(permissions) = permissions {
        // Before there is anything to read in it.
        file.set_permissions(permissions)?;
    }
    let (file, value) = fill(file, content)?;
    // On disk before it takes the name: a crash leaves one of the two files whole.
    file.sync_all()?;
    drop(file);
    fs::rename(&temporary.path, path)?;
    temporary.keep();
    if cfg!(unix) {
        // Makes the new name durable. A file system that cannot do this has renamed all the same.
        let _ = File::open(folder_of(path)).and_then(|folder| folder.sync_all());
    }
    Ok(value)
}

fn fill<T>(
    file: File,
    content: impl FnOnce(&mut dyn Write) -> io::Result<T>,
) -> io::Result<(File, T)> {
    let mut buffered = BufWriter::with_capacity(1 << 16, file);
    let value = content(&mut buffered)?;
    let file = buffered.into_inner().map_err(io::IntoInnerError::into_error)?;
    Ok((file, value))
}

/// A file of this writer alone, removed unless it is kept.
struct Temporary {
    path: PathBuf,
    kept: bool,
}

impl Temporary {
    fn beside(path: &Path) -> io::Result<(Self, File)> {
        let name = path.file_name().ok_or_else(|| {
            io::Error::new(ErrorKind::InvalidInput, "the path does not end in a file's name")
        })?;
        // Short enough for any file system, whatever the name is.
        let name: String = name.to_string_lossy().chars().take(32).collect();
        loop {
            let path = folder_of(path).join(format!(".{name}.{}.tmp", unique()));
            match OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(file) => return Ok((Self { path, kept: false }, file)),
                // Of another writer, or left by an interrupted process.
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                // The file itself may be writable, so the error names the folder.
                Err(error) if error.kind() == ErrorKind::PermissionDenied => {
                    let folder = folder_of(&path).display();
                    let what = format!("no file can be made in the folder {folder}: {error}");
                    return Err(io::Error::new(error.kind(), what));
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
            // The error that led here says more than a failure to clean up.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Process id, a counter and a random number: also unique among machines that share a folder.
fn unique() -> String {
    static COUNTER: AtomicU64 = AtomicU64::new(0);
    let count = COUNTER.fetch_add(1, Ordering::Relaxed);
    let random = RandomState::new().build_hasher().finish();
    format!("{}-{count}-{random:016x}", std::process::id())
}
