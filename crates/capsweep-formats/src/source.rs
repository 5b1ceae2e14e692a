//! Reads whole files within a limit on their size.

use crate::Limits;
use crate::error::{Fault, LoadError, Reason, malformed, within};
use std::fs::File;
use std::io::Read;
use std::path::{Component, Path, PathBuf};

/// The bytes of a file and its path.
#[derive(Debug, Clone)]
pub struct Source {
    bytes: Vec<u8>,
    path: PathBuf,
    /// Whether files that this one refers to may be read.
    on_disk: bool,
}

impl Source {
    /// Reads the file at `path`.
    ///
    /// # Errors
    /// If the file cannot be read, is not a regular file, or is larger than `limits` allow.
    pub fn open(path: impl AsRef<Path>, limits: &Limits) -> Result<Self, LoadError> {
        let path = path.as_ref();
        let bytes = read(path, limits.bytes).map_err(|fault| fault.in_file(path))?;
        Ok(Self { bytes, path: path.to_owned(), on_disk: true })
    }

    /// Takes bytes from memory. Errors call them `name`. Files that they refer to are not read.
    pub fn from_bytes(bytes: Vec<u8>, name: impl Into<PathBuf>) -> Self {
        Self { bytes, path: name.into(), on_disk: false }
    }

    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The path, or the name given to [`Source::from_bytes`].
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The file's name without folder and extension.
    pub(crate) fn stem(&self) -> String {
        self.path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// Reads at most `limit` bytes of the file `relative`, in this file's folder or below it.
    pub(crate) fn read_sibling(&self, relative: &str, limit: u64) -> Result<Vec<u8>, Fault> {
        if !self.on_disk {
            return Err(
                Reason::Unsupported(format!("refers to another file, {relative:?}")).into()
            );
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
        // A symbolic link may lead out of the folder too.
        let folder = folder.canonicalize().map_err(named)?;
        let path = folder.join(inner).canonicalize().map_err(named)?;
        if !path.starts_with(&folder) {
            return Err(outside());
        }
        read(&path, limit)
    }
}

/// Opens a regular file of at most `limit` bytes and returns it with its length.
///
/// The type is checked before opening, because opening a pipe waits for a writer.
pub(crate) fn open_regular(path: &Path, limit: u64) -> Result<(File, usize), Fault> {
    let io = |error| Fault::from(Reason::Io(error));
    let metadata = std::fs::metadata(path).map_err(io)?;
    if !metadata.is_file() {
        return Err(malformed("not a regular file"));
    }
    within("bytes", metadata.len(), limit)?;
    Ok((File::open(path).map_err(io)?, usize::try_from(metadata.len()).unwrap_or(0)))
}

/// Reads a whole regular file.
pub(crate) fn read(path: &Path, limit: u64) -> Result<Vec<u8>, Fault> {
    let (file, length) = open_regular(path, limit)?;
    let mut bytes = Vec::with_capacity(length);
    read_rest(file, limit, &mut bytes)?;
    Ok(bytes)
}

/// Appends the rest of `file`, at most `limit` bytes.
fn read_rest(file: File, limit: u64, bytes: &mut Vec<u8>) -> Result<(), Fault> {
    // One byte more than allowed, to notice a file that has grown since it was measured.
    let read = file.take(limit.saturating_add(1)).read_to_end(bytes);
    let count = read.map_err(|error| Fault::from(Reason::Io(error)))?;
    within("bytes", count as u64, limit)
}

/// Alignment of [`AlignedBytes`] in memory: that of sections in a scene file, in bytes.
const ALIGNMENT: usize = 64;

/// Bytes that begin at a multiple of [`ALIGNMENT`].
///
/// The library copies the bytes of a scene file unless they are aligned, and a `Vec<u8>` of some
/// megabytes never is: allocators put their header in front of it. The padding saves that copy.
pub(crate) struct AlignedBytes {
    /// Padding, then the bytes.
    padded: Vec<u8>,
    start: usize,
}

impl AsRef<[u8]> for AlignedBytes {
    fn as_ref(&self) -> &[u8] {
        self.padded.get(self.start..).unwrap_or_default()
    }
}

/// Reads a whole regular file to aligned memory.
pub(crate) fn read_aligned(path: &Path, limit: u64) -> Result<AlignedBytes, Fault> {
    let (file, length) = open_regular(path, limit)?;
    let mut padded: Vec<u8> = Vec::with_capacity(length.saturating_add(ALIGNMENT));
    // A file that grows may move the bytes off the alignment: the library then copies them.
    let start = padded.as_ptr().align_offset(ALIGNMENT).min(ALIGNMENT);
    padded.resize(start, 0);
    read_rest(file, limit, &mut padded)?;
    Ok(AlignedBytes { padded, start })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_read_whole_and_aligned() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/source.rs");
        let wanted = std::fs::read(&path).unwrap();
        let bytes = read_aligned(&path, 1 << 20).unwrap();
        assert_eq!(bytes.as_ref(), wanted);
        assert!(bytes.as_ref().as_ptr().addr().is_multiple_of(ALIGNMENT));
        assert_eq!(read(&path, wanted.len() as u64).unwrap(), wanted);
        assert!(read_aligned(&path, wanted.len() as u64 - 1).is_err());
    }
}
