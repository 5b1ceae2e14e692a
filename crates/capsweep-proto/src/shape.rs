//! The memory of a message before it is decoded.

use crate::v1;
use core::fmt;
use prost::bytes::Buf as _;
use prost::encoding::{WireType, decode_key, decode_varint};

/// The fields of a message that can take more memory than their bytes on the wire.
#[derive(Debug)]
pub struct Shape(&'static [Field]);

/// The memory of a field.
#[derive(Debug)]
struct Field {
    number: u32,
    /// Memory of an entry.
    entry: usize,
    /// Memory of each byte of a packed column or text.
    byte: usize,
    /// The fields of a nested message.
    of: Option<&'static Shape>,
}

/// A message with a [`Shape`].
pub trait Shaped {
    /// Its fields.
    const SHAPE: &'static Shape;
}

include!(concat!(env!("OUT_DIR"), "/shapes.rs"));

/// The bytes are no message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoMessage;

impl fmt::Display for NoMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("it is damaged, or has groups")
    }
}

impl Shape {
    /// The memory that lists and nested messages of a message take.
    ///
    /// # Errors
    /// If the bytes are no message.
    pub fn memory(&self, mut bytes: &[u8]) -> Result<usize, NoMessage> {
        let mut memory = 0;
        while !bytes.is_empty() {
            let (number, wire) = decode_key(&mut bytes).map_err(|_| NoMessage)?;
            let field = self.0.iter().find(|field| field.number == number);
            let length = match wire {
                WireType::Varint => {
                    decode_varint(&mut bytes).map_err(|_| NoMessage)?;
                    0
                }
                WireType::ThirtyTwoBit => 4,
                WireType::SixtyFourBit => 8,
                WireType::LengthDelimited => {
                    let length = decode_varint(&mut bytes).map_err(|_| NoMessage)?;
                    usize::try_from(length).map_err(|_| NoMessage)?
                }
                WireType::StartGroup | WireType::EndGroup => return Err(NoMessage),
            };
            let content = bytes.get(..length).ok_or(NoMessage)?;
            bytes.advance(length);
            let Some(field) = field else { continue };
            memory += field.entry + field.byte * length;
            if let (Some(of), WireType::LengthDelimited) = (field.of, wire) {
                memory += of.memory(content)?;
            }
        }
        Ok(memory)
    }
}
