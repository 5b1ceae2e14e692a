//! Names of models: how they become names of files, and why none leads out of its folder.

use super::cursor::Cursor;
use super::error::ParseError;
use super::limits::NAME_BYTES;
use std::fmt;

/// A name that is safe to use as the name of a file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ModelName {
    text: String,
    had_nul: bool,
}

/// Why a name is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum NameError {
    /// It has no letters.
    Empty,
    /// It is longer than 255 bytes.
    TooLong,
    /// It is not UTF-8.
    NotText,
    /// It has a slash, a backslash, a colon, two dots in a row or a dot at its start, and could
    /// lead out of the folder.
    Path,
    /// It has a control character.
    Control,
}

impl ModelName {
    /// Checks a name as files store it.
    ///
    /// Extractors shorten `.mdx` to `.m2` and keep the length, so about half of all names end
    /// with a NUL byte. The name ends there.
    ///
    /// # Errors
    /// If the name is empty, is too long, is no text or could lead out of its folder.
    pub fn new(bytes: &[u8]) -> Result<Self, NameError> {
        let end = bytes.iter().position(|&byte| byte == 0);
        let bytes = bytes.get(..end.unwrap_or(bytes.len())).unwrap_or_default();
        if bytes.len() as u64 > NAME_BYTES {
            return Err(NameError::TooLong);
        }
        let text = std::str::from_utf8(bytes).map_err(|_| NameError::NotText)?;
        if text.is_empty() {
            return Err(NameError::Empty);
        }
        if text.starts_with('.') || text.contains("..") || text.contains(['/', '\\', ':']) {
            return Err(NameError::Path);
        }
        if text.contains(char::is_control) {
            return Err(NameError::Control);
        }
        Ok(Self { text: text.to_owned(), had_nul: end.is_some() })
    }

    /// The name, without a NUL byte and what follows it.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether a NUL byte ended the name before its length did.
    pub fn had_nul(&self) -> bool {
        self.had_nul
    }

    /// The names of files that may hold the model, the likelier one first.
    ///
    /// Servers append `.vmo` after the NUL byte, where it has no effect: such a model's file has
    /// no extension of its own.
    pub fn file_names(&self) -> [String; 2] {
        let (plain, compiled) = (self.text.clone(), format!("{}.vmo", self.text));
        if self.had_nul { [plain, compiled] } else { [compiled, plain] }
    }
}

impl fmt::Display for ModelName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl fmt::Display for NameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Empty => "the name is empty",
            Self::TooLong => "the name is longer than 255 bytes",
            Self::NotText => "the name is not UTF-8",
            Self::Path => "the name could lead out of the folder",
            Self::Control => "the name has a control character",
        })
    }
}

impl std::error::Error for NameError {}

/// Reads the length (u32) and the bytes of a name, without checking them.
pub(super) fn read<'a>(cursor: &mut Cursor<'a>) -> Result<&'a [u8], ParseError> {
    let length = cursor.count("length of the name", NAME_BYTES)?;
    cursor.items("name", length, 1)
}
