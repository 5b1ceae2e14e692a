//! A codec for messages with large columns. It encodes into a buffer of the exact size and decodes
//! from contiguous memory. prost's own codec grows its buffer step by step.

use core::marker::PhantomData;
use prost::Message;
use prost::bytes::{Buf as _, BufMut as _};
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

/// Decodes `U`.
#[derive(Debug, Clone)]
pub struct ColumnDecoder<U>(PhantomData<U>);

impl<T, U> tonic::codec::Codec for Codec<T, U>
where
    T: Message + Send + 'static,
    U: Message + Default + Send + 'static,
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

impl<T: Message> Encoder for ColumnEncoder<T> {
    type Item = T;
    type Error = Status;

    fn encode(&mut self, item: T, buffer: &mut EncodeBuf<'_>) -> Result<(), Status> {
        // Numbers are written faster into a vector than into the shared buffer.
        let bytes = item.encode_to_vec();
        buffer.reserve(bytes.len());
        buffer.put_slice(&bytes);
        Ok(())
    }

    fn buffer_settings(&self) -> BufferSettings {
        BufferSettings::default()
    }
}

impl<U: Message + Default> Decoder for ColumnDecoder<U> {
    type Item = U;
    type Error = Status;

    fn decode(&mut self, buffer: &mut DecodeBuf<'_>) -> Result<Option<U>, Status> {
        let length = buffer.remaining();
        let decoded = if buffer.chunk().len() == length {
            let decoded = U::decode(buffer.chunk());
            buffer.advance(length);
            decoded
        } else {
            U::decode(buffer)
        };
        // The message of prost's own codec.
        decoded.map(Some).map_err(|error| Status::internal(error.to_string()))
    }

    fn buffer_settings(&self) -> BufferSettings {
        BufferSettings::default()
    }
}
