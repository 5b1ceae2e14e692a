//! Buffers: the bytes that accessors refer to.

use super::document::Document;
use crate::Limits;
use crate::error::{Fault, malformed, within};
use crate::source::Source;
use std::borrow::Cow;

/// All buffers of a file, in memory.
pub(super) struct Buffers<'a> {
    all: Vec<Cow<'a, [u8]>>,
    /// Bytes of the file and of all buffers outside it.
    pub(super) bytes: u64,
}

impl<'a> Buffers<'a> {
    pub(super) fn read(
        document: &'a Document<'_>,
        source: &Source,
        limits: &Limits,
    ) -> Result<Self, Fault> {
        let mut buffers = Self { all: Vec::new(), bytes: source.bytes().len() as u64 };
        for (index, buffer) in document.root.buffers.iter().enumerate() {
            let location = || format!("buffers[{index}]");
            let left = limits.bytes.saturating_sub(buffers.bytes);
            let bytes = match (&buffer.uri, &document.chunk) {
                (Some(uri), _) => {
                    Cow::Owned(fetch(uri, source, left).map_err(|f| f.at(location))?)
                }
                (None, Some(chunk)) if index == 0 => Cow::Borrowed(chunk.as_ref()),
                (None, _) => {
                    return Err(malformed("has neither bytes nor an address").at(location));
                }
            };
            let (has, says) = (bytes.len() as u64, buffer.byte_length.0);
            if has < says {
                return Err(malformed(format!("says {says} bytes, but has {has}")).at(location));
            }
            if buffer.uri.is_some() {
                buffers.bytes += has;
                within("bytes", buffers.bytes, limits.bytes)
                    .map_err(|fault| fault.at(location))?;
            }
            buffers.all.push(bytes);
        }
        Ok(buffers)
    }

    pub(super) fn get(&self, index: usize) -> Option<&[u8]> {
        self.all.get(index).map(AsRef::as_ref)
    }
}

/// Reads at most `limit` bytes from a URI: from its own data, or from a file beside this one.
fn fetch(uri: &str, source: &Source, limit: u64) -> Result<Vec<u8>, Fault> {
    if let Some(data) = uri.strip_prefix("data:") {
        let Some((kind, text)) = data.split_once(',') else {
            return Err(malformed("a data address without data"));
        };
        if !kind.ends_with(";base64") {
            return Err(malformed("a data address that is not base64"));
        }
        return base64(text).ok_or_else(|| malformed("its data address is not base64"));
    }
    let path = percent_decoded(uri).ok_or_else(|| malformed(format!("{uri:?} is no address")))?;
    source.read_sibling(&path, limit)
}

/// Decodes base64: three bytes for every four letters. `None` if the text is not base64.
fn base64(text: &str) -> Option<Vec<u8>> {
    let text = text.trim_end_matches('=').as_bytes();
    let mut bytes = Vec::with_capacity(text.len() * 3 / 4);
    for letters in text.chunks(4) {
        let mut bits = 0_u32;
        for &letter in letters {
            let value = match letter {
                b'A'..=b'Z' => letter - b'A',
                b'a'..=b'z' => letter - b'a' + 26,
                b'0'..=b'9' => letter - b'0' + 52,
                b'+' => 62,
                b'/' => 63,
                _ => return None,
            };
            bits = bits << 6 | u32::from(value);
        }
        let [_, first, second, third] = (bits << (6 * (4 - letters.len()))).to_be_bytes();
        match letters.len() {
            4 => bytes.extend([first, second, third]),
            3 => bytes.extend([first, second]),
            2 => bytes.push(first),
            _ => return None,
        }
    }
    Some(bytes)
}

/// Decodes `%20` and the like. `None` if an escape is incomplete or the result is not UTF-8.
fn percent_decoded(uri: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(uri.len());
    let mut rest = uri.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        if byte == b'%' {
            let (digits, after) = rest.split_at_checked(2)?;
            rest = after;
            bytes.push(u8::from_str_radix(str::from_utf8(digits).ok()?, 16).ok()?);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_of_every_length_is_decoded_and_nonsense_is_not() {
        let known = [("", ""), ("Zg==", "f"), ("Zm8=", "fo"), ("Zm9v", "foo"), ("Zm9vYg", "foob")];
        for (text, bytes) in known {
            assert_eq!(base64(text).as_deref(), Some(bytes.as_bytes()), "{text}");
        }
        assert_eq!(base64("+/+/").as_deref(), Some(&[0xFB, 0xFF, 0xBF][..]));
        for nonsense in ["Z", "Zm9vY", "Zm 9", "Zm=v", "é"] {
            assert_eq!(base64(nonsense), None, "{nonsense}");
        }
    }

    #[test]
    fn percent_signs_stand_for_characters() {
        assert_eq!(percent_decoded("a%20b%C3%A9.bin").as_deref(), Some("a bé.bin"));
        for nonsense in ["%", "%2", "%zz", "%FF"] {
            assert_eq!(percent_decoded(nonsense), None, "{nonsense}");
        }
    }
}
