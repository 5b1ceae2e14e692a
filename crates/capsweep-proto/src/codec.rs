//! A codec for messages with large columns. It measures a message once, encodes it into a buffer
//! of its size, and decodes from contiguous memory: see [`Wire`].
//!
//! An empty entry of a list takes two bytes on the wire and a whole struct in memory. So the
//! decoder adds up the memory of a message first, and refuses those that grow too much.

use crate::shape::Shaped;
use crate::wire::{Lengths, Wire, read};
use core::marker::PhantomData;
use prost::bytes::Buf as _;
use tonic::Status;
use tonic::codec::{BufferSettings, DecodeBuf, Decoder, EncodeBuf, Encoder};

/// Encodes `T` and decodes `U`.
#[derive(Debug, Clone)]
pub struct Codec<T, U>(PhantomData<(T, U)>);

impl<T, U> Default for Codec<T, U> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

/// Encodes `T`.
#[derive(Debug, Clone)]
pub struct ColumnEncoder<T>(PhantomData<T>);

/// Memory that a message may take for each of its bytes. Full messages take up to 5.
const MOST_GROWTH: usize = 8;

/// Memory that any message may take, for small ones with empty entries.
const MOST_SMALL: usize = 1 << 20;

/// Decodes `U`.
#[derive(Debug, Clone)]
pub struct ColumnDecoder<U>(PhantomData<U>);

impl<T, U> tonic::codec::Codec for Codec<T, U>
where
    T: Wire + Send + 'static,
    U: Wire + Shaped + Send + 'static,
{
    type Encode = T;
    type Decode = U;
    type Encoder = ColumnEncoder<T>;
    type Decoder = ColumnDecoder<U>;

    fn encoder(&mut self) -> Self::Encoder {
        ColumnEncoder(PhantomData)
    }

    fn decoder(&mut self) -> Self::Decoder {
        ColumnDecoder(PhantomData)
    }
}

impl<T: Wire> Encoder for ColumnEncoder<T> {
    type Item = T;
    type Error = Status;

    fn encode(&mut self, item: T, buffer: &mut EncodeBuf<'_>) -> Result<(), Status> {
        let mut lengths = Lengths::default();
        buffer.reserve(item.measure(&mut lengths));
        item.write(&mut lengths, buffer);
        Ok(())
    }

    fn buffer_settings(&self) -> BufferSettings {
        BufferSettings::default()
    }
}

impl<U: Wire + Shaped> Decoder for ColumnDecoder<U> {
    type Item = U;
    type Error = Status;

    fn decode(&mut self, buffer: &mut DecodeBuf<'_>) -> Result<Option<U>, Status> {
        let length = buffer.remaining();
        let decoded = if buffer.chunk().len() == length {
            let decoded = decode(buffer.chunk());
            buffer.advance(length);
            decoded
        } else {
            decode(&buffer.copy_to_bytes(length))
        };
        decoded.map(Some)
    }

    fn buffer_settings(&self) -> BufferSettings {
        BufferSettings::default()
    }
}

/// The bytes of a message.
pub fn encode<T: Wire>(message: &T) -> Vec<u8> {
    let mut lengths = Lengths::default();
    let mut bytes = Vec::with_capacity(message.measure(&mut lengths));
    message.write(&mut lengths, &mut bytes);
    bytes
}

/// Decodes a message whose memory is in proportion to its bytes.
///
/// # Errors
/// `RESOURCE_EXHAUSTED` if it would take too much memory, `INVALID_ARGUMENT` if it is damaged.
pub fn decode<U: Wire + Shaped>(bytes: &[u8]) -> Result<U, Status> {
    // Not INTERNAL, as in prost's own codec: clients repeat calls after that.
    let bad = |error: &dyn core::fmt::Display| {
        Status::invalid_argument(format!("the message does not decode: {error}"))
    };
    let memory = U::SHAPE.memory(bytes).map_err(|error| bad(&error))?;
    if memory > MOST_SMALL + MOST_GROWTH * bytes.len() {
        let text = format!("a message of {} bytes would take {memory} in memory", bytes.len());
        return Err(Status::resource_exhausted(text));
    }
    let mut message = U::default();
    read(&mut message, bytes).map_err(|error| bad(&error))?;
    Ok(message)
}

#[cfg(test)]
mod tests {
    use super::decode;
    use crate::v1;
    use prost::Message as _;
    use tonic::Code;

    /// A message in a field of another one.
    fn nested(field: u8, bytes: &[u8]) -> Vec<u8> {
        let mut all = vec![field << 3 | 2];
        prost::encoding::encode_varint(bytes.len() as u64, &mut all);
        all.extend_from_slice(bytes);
        all
    }

    #[test]
    fn lists_of_empty_messages_are_refused_before_they_take_memory() {
        let carriers = nested(4, &[]).repeat(1_000_000);
        let status = decode::<v1::SurroundingsColumns>(&carriers).unwrap_err();
        assert_eq!(status.code(), Code::ResourceExhausted, "{status}");
        let deep = nested(8, &carriers);
        let status = decode::<v1::MoveBatchRequest>(&deep).unwrap_err();
        assert_eq!(status.code(), Code::ResourceExhausted, "{status}");
        let deeper = nested(1, &deep);
        let status = decode::<v1::MoveStreamRequest>(&deeper).unwrap_err();
        assert_eq!(status.code(), Code::ResourceExhausted, "{status}");
        // A group hides nothing.
        let hidden = [&[0x83, 0x08, 0x84, 0x08][..], &carriers].concat();
        let status = decode::<v1::SurroundingsColumns>(&hidden).unwrap_err();
        assert_eq!(status.code(), Code::InvalidArgument, "{status}");
        // A few empty ones are a message like any other.
        let few = nested(4, &[]).repeat(100);
        assert_eq!(decode::<v1::SurroundingsColumns>(&few).unwrap().carriers.len(), 100);
    }

    #[test]
    fn full_lists_and_columns_decode() {
        let pose = v1::Pose {
            position: Some(v1::Vector { x: Some(1.0), y: Some(2.0), z: Some(3.0) }),
            ..v1::Pose::default()
        };
        let carrier = v1::Carrier {
            body: Some(v1::BodyId { index: 7, generation: 1 }),
            previous: Some(pose),
            next: Some(pose),
            ride: 0,
        };
        let surroundings =
            v1::SurroundingsColumns { carriers: vec![carrier; 40_000], ..Default::default() };
        let decoded: v1::SurroundingsColumns = decode(&surroundings.encode_to_vec()).unwrap();
        assert_eq!(decoded, surroundings);
    }
}
