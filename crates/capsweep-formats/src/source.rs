//! The bytes of files, as many as are allowed.

use crate::Limits;
use crate::error::{Fault, LoadError, Reason, malformed, within};
use std::fs::File;
use std::io::Read;
use std::path::{Component, Path, PathBuf};

/// A file's bytes and where it lies.
#[derive(Debug, Clone)]
pub struct Source {
    bytes: Vec<u8>,
    path: PathBuf,
    /// Whether the files that this one refers to may be read.
    on_disk: bool,
}

impl Source {
    /// Reads the file at `path`.
    ///
    /// # Errors
    /// If it cannot be read, is no file, or is larger than `limits` allow.
    pub fn open(path: &Path, limits: &Limits) -> Result<Self, LoadError> {
        let bytes = read(path, limits.bytes).map_err(|fault| fault.in_file(path))?;
        Ok(Self { bytes, path: path.to_owned(), on_disk: true })
    }

    /// Bytes from elsewhere, called `name` in errors. Other files that they refer to are not read.
    pub fn from_bytes(bytes: Vec<u8>, name: impl Into<PathBuf>) -> Self {
        Self { bytes, path: name.into(), on_disk: false }
    }

    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The path, or what [`Source::from_bytes`] was told to call it.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The file's name without folder and extension.
    pub(crate) fn stem(&self) -> String {
        self.path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// Reads at most `limit` bytes of the file that `relative` names, in this file's folder or below it.
    pub(crate) fn beside(&self, relative: &str, limit: u64) -> Result<Vec<u8>, Fault> {
        if !self.on_disk {
            return Err(Reason::Unsupported(format!("refers to another file, {relative:?}")).into());
        }
        let outside = || malformed(format!("{relative:?} is not in the file's own folder"));
        let inner = Path::new(relative);
        if !inner.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
        {
            return Err(outside());
        }
        let folder = match self.path.parent() {
            Some(folder) if folder != Path::new("") => folder,
            _ => Path::new("."),
        };
        let named = |error: std::io::Error| {
            Fault::from(Reason::Io(std::io::Error::new(
                error.kind(),
                format!("{relative:?}: {error}"),
            )))
        };
        // A link may lead out of the folder too.
        let folder = folder.canonicalize().map_err(named)?;
        let path = folder.join(inner).canonicalize().map_err(named)?;
        if !path.starts_with(&folder) {
            return Err(outside());
        }
        read(&path, limit)
    }
}

/// The whole of a regular file: one that has an end, unlike a pipe.
pub(crate) fn read(path: &Path, limit: u64) -> Result<Vec<u8>, Fault> {
    let io = |error| Fault::from(Reason::Io(error));
    let metadata = std::fs::metadata(path).map_err(io)?;
    if !metadata.is_file() {
        return Err(malformed("not a regular file"));
    }
    within("bytes", metadata.len(), limit)?;
    let mut bytes = Vec::with_capacity(usize::try_from(metadata.len()).unwrap_or(0));
    // One byte more than allowed, in case the file grows meanwhile.
    let mut file = File::open(path).map_err(io)?.take(limit.saturating_add(1));
    file.read_to_end(&mut bytes).map_err(io)?;
    within("bytes", bytes.len() as u64, limit)?;
    Ok(bytes)
}
