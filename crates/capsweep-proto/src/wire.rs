//! Columns on the wire.
//!
//! prost writes and reads a column value by value, grows it step by step, and measures a nested
//! message once for each level around it. Here a column is one copy where its bytes allow that,
//! and everything is measured once. The bytes are those of prost.

use prost::bytes::{Buf as _, BufMut};
use prost::encoding::{
    DecodeContext, WireType, decode_key, decode_varint, encode_key, encode_varint,
    encoded_len_varint, key_len,
};
use prost::{DecodeError, Message};

/// Measured lengths in the order in which they are written: those of nested messages, and of
/// columns whose values differ in length.
#[derive(Debug, Default)]
pub struct Lengths {
    all: Vec<usize>,
    written: usize,
}

impl Lengths {
    fn next(&mut self) -> usize {
        self.written += 1;
        self.all[self.written - 1]
    }
}

/// A message whose columns are written and read as a whole. The build derives it from the
/// protocol. Messages without columns leave everything to prost.
pub trait Wire: Message + Default {
    /// The length in bytes. It notes the lengths that [`Wire::write`] takes.
    fn measure(&self, _lengths: &mut Lengths) -> usize {
        self.encoded_len()
    }

    /// Writes the message after it was measured.
    fn write(&self, _lengths: &mut Lengths, out: &mut impl BufMut) {
        self.encode_raw(out);
    }

    /// Reads a column, or a nested message with columns. False if prost should read the field,
    /// because it is something else or damaged.
    ///
    /// # Errors
    /// If a nested message is damaged.
    fn column(&mut self, _number: u32, _content: &[u8]) -> Result<bool, DecodeError> {
        Ok(false)
    }
}

/// Reads the fields of a message.
///
/// # Errors
/// If the message is damaged.
pub(crate) fn read<M: Wire>(message: &mut M, mut bytes: &[u8]) -> Result<(), DecodeError> {
    while !bytes.is_empty() {
        let (number, wire) = decode_key(&mut bytes)?;
        if wire == WireType::LengthDelimited
            && let Some((content, rest)) = content(bytes)
            && message.column(number, content)?
        {
            bytes = rest;
        } else {
            message.merge_field(number, wire, &mut bytes, DecodeContext::default())?;
        }
    }
    Ok(())
}

/// The content of a field with a length, and what follows it; `None` if the bytes end before it.
fn content(mut bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let length = decode_varint(&mut bytes).ok()?;
    bytes.split_at_checked(usize::try_from(length).ok()?)
}

/// A value with a fixed length on the wire.
pub(crate) trait Fixed: bytemuck::NoUninit {
    fn put(self, out: &mut impl BufMut);
}

macro_rules! fixed {
    ($($type:ty, $read:ident);+) => {$(
        impl Fixed for $type {
            #[inline]
            fn put(self, out: &mut impl BufMut) {
                out.put_slice(&self.to_le_bytes());
            }
        }

        pub(crate) fn $read(values: &mut Vec<$type>, content: &[u8]) -> bool {
            let (all, rest) = content.as_chunks();
            let is_whole = rest.is_empty();
            if is_whole {
                values.extend(all.iter().map(|bytes| <$type>::from_le_bytes(*bytes)));
            }
            is_whole
        }
    )+};
}

fixed!(f32, read_floats; f64, read_doubles);

/// The bytes of a column with its key and its length; nothing for an empty column.
pub(crate) fn fixed_len<T>(number: u32, values: &[T]) -> usize {
    with_key(number, size_of_val(values))
}

fn with_key(number: u32, length: usize) -> usize {
    if length == 0 { 0 } else { key_len(number) + encoded_len_varint(length as u64) + length }
}

pub(crate) fn put_fixed<T: Fixed>(number: u32, values: &[T], out: &mut impl BufMut) {
    if values.is_empty() {
        return;
    }
    put_key(number, size_of_val(values), out);
    if cfg!(target_endian = "little") {
        out.put_slice(bytemuck::cast_slice(values));
    } else {
        for value in values {
            value.put(out);
        }
    }
}

/// The key of a field and the length of its content.
pub(crate) fn put_key(number: u32, length: usize, out: &mut impl BufMut) {
    encode_key(number, WireType::LengthDelimited, out);
    encode_varint(length as u64, out);
}

/// A value whose length on the wire depends on it.
pub(crate) trait Varying: Copy {
    /// The number that is written.
    fn number(self) -> u64;
    fn of(number: u64) -> Self;
    /// The bytes of all values.
    fn measure(values: &[Self]) -> usize;
}

macro_rules! varying {
    ($($type:ty: $number:expr, $of:expr, $measure:expr;)+) => {$(
        impl Varying for $type {
            #[inline]
            fn number(self) -> u64 {
                $number(self)
            }

            #[inline]
            fn of(number: u64) -> Self {
                $of(number)
            }

            #[inline]
            fn measure(values: &[Self]) -> usize {
                $measure(values)
            }
        }
    )+};
}

varying! {
    u32: u64::from, |number| number as u32, measure_small;
    // A negative number takes ten bytes.
    i32: |value| i64::from(value).cast_unsigned(), |number| number as i32, measure_each;
    u64: |value| value, |number| number, measure_each;
    bool: u64::from, |number| number != 0, <[bool]>::len;
}

fn measure_each<T: Varying>(values: &[T]) -> usize {
    values.iter().map(|value| encoded_len_varint(value.number())).sum()
}

/// Without branches and in small lanes, which the compiler turns into vectors.
fn measure_small(values: &[u32]) -> usize {
    let more = |value: u32| {
        let from = |bits: u32| u32::from(value >> bits != 0);
        from(7) + from(14) + from(21) + from(28)
    };
    values.len() + values.iter().map(|value| more(*value)).sum::<u32>() as usize
}

pub(crate) fn varying_len<T: Varying>(number: u32, values: &[T], lengths: &mut Lengths) -> usize {
    let length = T::measure(values);
    lengths.all.push(length);
    with_key(number, length)
}

/// Values that are written at once.
const BLOCK: usize = 64;

pub(crate) fn put_varying<T: Varying>(
    number: u32,
    values: &[T],
    lengths: &mut Lengths,
    out: &mut impl BufMut,
) {
    let length = lengths.next();
    if values.is_empty() {
        return;
    }
    put_key(number, length, out);
    if length == values.len() {
        // Each value is one byte.
        for block in values.chunks(BLOCK) {
            let mut bytes = [0; BLOCK];
            for (byte, value) in bytes.iter_mut().zip(block) {
                *byte = value.number() as u8;
            }
            out.put_slice(&bytes[..block.len()]);
        }
        return;
    }
    for block in values.chunks(BLOCK) {
        let (mut bytes, mut end) = ([0; 10 * BLOCK], 0);
        for value in block {
            let mut number = value.number();
            while number >= 0x80 {
                bytes[end] = number as u8 | 0x80;
                number >>= 7;
                end += 1;
            }
            bytes[end] = number as u8;
            end += 1;
        }
        out.put_slice(&bytes[..end]);
    }
}

pub(crate) fn read_varying<T: Varying>(values: &mut Vec<T>, content: &[u8]) -> bool {
    let count = content.iter().map(|byte| usize::from(*byte < 0x80)).sum();
    if count == content.len() {
        values.extend(content.iter().map(|byte| T::of(u64::from(*byte))));
        return true;
    }
    let before = values.len();
    values.reserve(count);
    let mut rest = content;
    while rest.has_remaining() {
        let Ok(number) = decode_varint(&mut rest) else {
            values.truncate(before);
            return false;
        };
        values.push(T::of(number));
    }
    true
}

/// The length of a nested message with its key. Its own length comes before those inside it.
pub(crate) fn nested_len(number: u32, of: Option<&impl Wire>, lengths: &mut Lengths) -> usize {
    let Some(of) = of else { return 0 };
    let place = lengths.all.len();
    lengths.all.push(0);
    let length = of.measure(lengths);
    lengths.all[place] = length;
    key_len(number) + encoded_len_varint(length as u64) + length
}

pub(crate) fn put_nested(
    number: u32,
    of: Option<&impl Wire>,
    lengths: &mut Lengths,
    out: &mut impl BufMut,
) {
    let Some(of) = of else { return };
    put_key(number, lengths.next(), out);
    of.write(lengths, out);
}

/// A value, unless it is the default, which is not written. −0 equals 0, as in prost.
fn given<T: Default + PartialEq>(value: &T) -> Option<&T> {
    (*value != T::default()).then_some(value)
}

mod generated {
    #![allow(clippy::all, clippy::pedantic, reason = "generated code")]
    #![allow(unused_variables, reason = "few messages have fields of every kind")]

    use super::{
        Lengths, Wire, fixed_len, given, nested_len, put_fixed, put_nested, put_varying, read,
        read_doubles, read_floats, read_varying, varying_len,
    };
    use crate::v1;
    use prost::DecodeError;
    use prost::bytes::BufMut;
    use prost::encoding::*;

    include!(concat!(env!("OUT_DIR"), "/wire.rs"));
}
