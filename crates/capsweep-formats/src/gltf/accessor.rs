//! Accessors: lists of numbers in buffers.
//!
//! Every offset, stride and count is checked before memory is allocated or read.

use super::buffers::Buffers;
use crate::error::{Fault, malformed, within};
use glam::Vec3;
use gltf::json::accessor::{
    Accessor, ComponentType, GenericComponentType, IndexComponentType, Type,
};
use gltf::json::buffer::View;
use gltf::json::validation::Checked;
use gltf::json::{Index, Root};

/// A file's accessors.
#[derive(Clone, Copy)]
pub(super) struct Accessors<'a> {
    pub(super) root: &'a Root,
    pub(super) buffers: &'a Buffers<'a>,
}

impl<'a> Accessors<'a> {
    /// The number of elements that an accessor declares.
    pub(super) fn count(self, index: Index<Accessor>) -> Result<u64, Fault> {
        Ok(self.get(index)?.count.0)
    }

    /// Reads positions of three numbers each, floating or quantised.
    pub(super) fn positions(self, index: Index<Accessor>) -> Result<Vec<Vec3>, Fault> {
        let read = || {
            let accessor = self.get(index)?;
            let part = component(accessor, Type::Vec3)?;
            let number = if accessor.normalized { normalized } else { number };
            self.elements(accessor, 3 * part.size(), |bytes| {
                let [x, y, z] = [0, 1, 2].map(|i| &bytes[i * part.size()..][..part.size()]);
                Vec3::new(number(part, x), number(part, y), number(part, z))
            })
        };
        read().map_err(|fault| at(fault, index))
    }

    /// Reads vertex indices of one, two or four bytes each.
    pub(super) fn indices(self, index: Index<Accessor>) -> Result<Vec<u32>, Fault> {
        let read = || {
            let accessor = self.get(index)?;
            match component(accessor, Type::Scalar)? {
                part @ (ComponentType::U8 | ComponentType::U16 | ComponentType::U32) => {
                    self.elements(accessor, part.size(), unsigned)
                }
                part => Err(malformed(format!("indices of type {part:?}"))),
            }
        };
        read().map_err(|fault| at(fault, index))
    }

    fn get(self, index: Index<Accessor>) -> Result<&'a Accessor, Fault> {
        self.root.get(index).ok_or_else(|| at(malformed("there is no such accessor"), index))
    }

    /// Decodes all elements of `size` bytes each and applies sparse replacements.
    fn elements<T: Copy>(
        self,
        accessor: &Accessor,
        size: usize,
        decode: impl Fn(&[u8]) -> T,
    ) -> Result<Vec<T>, Fault> {
        let count = accessor.count.0;
        let offset = accessor.byte_offset.unwrap_or_default().0;
        let mut elements: Vec<T> = if let Some(view) = accessor.buffer_view {
            self.view(view)?.elements(offset, count, size)?.map(&decode).collect()
        } else {
            // An accessor without data is all zeros and takes no bytes in the file. The file's
            // own size bounds their number, so that a small file cannot ask for gigabytes.
            within("elements without data", count, self.buffers.bytes)?;
            vec![decode(&[0; 12][..size]); count as usize]
        };
        let Some(sparse) = &accessor.sparse else { return Ok(elements) };
        let Checked::Valid(IndexComponentType(part)) = sparse.indices.component_type else {
            return Err(malformed("has sparse indices of an unknown type"));
        };
        let indices = self.view(sparse.indices.buffer_view)?.elements(
            sparse.indices.byte_offset.0,
            sparse.count.0,
            part.size(),
        )?;
        let values = self.view(sparse.values.buffer_view)?.elements(
            sparse.values.byte_offset.0,
            sparse.count.0,
            size,
        )?;
        for (index, value) in indices.map(unsigned).zip(values) {
            let element = elements.get_mut(index as usize);
            *element.ok_or_else(|| malformed(format!("replaces element {index} of {count}")))? =
                decode(value);
        }
        Ok(elements)
    }

    fn view(self, index: Index<View>) -> Result<ViewBytes<'a>, Fault> {
        let location = || format!("bufferViews[{}]", index.value());
        let view = self.root.get(index);
        let view = view.ok_or_else(|| malformed("there is no such buffer view").at(location))?;
        let buffer = self.buffers.get(view.buffer.value());
        let buffer =
            buffer.ok_or_else(|| malformed("names a buffer that is not there").at(location))?;
        let (offset, length) = (view.byte_offset.unwrap_or_default().0, view.byte_length.0);
        let bytes = slice(buffer, offset, length).ok_or_else(|| {
            let has = buffer.len();
            malformed(format!("{length} bytes from {offset} in a buffer of {has}")).at(location)
        })?;
        Ok(ViewBytes { bytes, stride: view.byte_stride.map(|stride| stride.0) })
    }
}

/// The bytes of a buffer view.
struct ViewBytes<'a> {
    bytes: &'a [u8],
    stride: Option<usize>,
}

impl<'a> ViewBytes<'a> {
    /// `count` elements of `size` bytes from `offset`.
    fn elements(
        &self,
        offset: u64,
        count: u64,
        size: usize,
    ) -> Result<impl Iterator<Item = &'a [u8]> + use<'a>, Fault> {
        let stride = self.stride.unwrap_or(size);
        if stride < size {
            return Err(malformed(format!("elements of {size} bytes lie {stride} apart")));
        }
        // The last element needs its own size only, not the whole stride.
        let length = match count {
            0 => Some(0),
            _ => (count - 1).checked_mul(stride as u64).and_then(|l| l.checked_add(size as u64)),
        };
        let bytes =
            length.and_then(|length| slice(self.bytes, offset, length)).ok_or_else(|| {
                let has = self.bytes.len();
                malformed(format!(
                    "{count} elements of {size} bytes from {offset}, \
                     {stride} apart, in {has} bytes"
                ))
            })?;
        Ok(bytes.chunks(stride).map(move |element| &element[..size]))
    }
}

/// The type of each number in an accessor; an error unless its elements are of type `wanted`.
fn component(accessor: &Accessor, wanted: Type) -> Result<ComponentType, Fault> {
    match (accessor.type_, accessor.component_type) {
        (Checked::Valid(found), Checked::Valid(GenericComponentType(part))) if found == wanted => {
            Ok(part)
        }
        (Checked::Valid(found), Checked::Valid(_)) => {
            Err(malformed(format!("has elements of type {found:?}, not {wanted:?}")))
        }
        _ => Err(malformed("has elements of an unknown type")),
    }
}

fn slice(bytes: &[u8], offset: u64, length: u64) -> Option<&[u8]> {
    let end = usize::try_from(offset.checked_add(length)?).ok()?;
    bytes.get(usize::try_from(offset).ok()?..end)
}

fn at(fault: Fault, index: Index<Accessor>) -> Fault {
    fault.at(|| format!("accessors[{}]", index.value()))
}

/// Decodes a little-endian number of one to four bytes.
fn unsigned(bytes: &[u8]) -> u32 {
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | u32::from(byte))
}

fn number(part: ComponentType, bytes: &[u8]) -> f32 {
    let bits = unsigned(bytes);
    match part {
        ComponentType::I8 => f32::from((bits as u8).cast_signed()),
        ComponentType::I16 => f32::from((bits as u16).cast_signed()),
        ComponentType::U8 | ComponentType::U16 | ComponentType::U32 => bits as f32,
        ComponentType::F32 => f32::from_bits(bits),
    }
}

/// Decodes a normalised number: a fraction of its type's maximum, from −1 or 0 to 1.
fn normalized(part: ComponentType, bytes: &[u8]) -> f32 {
    let largest = match part {
        ComponentType::I8 => f32::from(i8::MAX),
        ComponentType::U8 => f32::from(u8::MAX),
        ComponentType::I16 => f32::from(i16::MAX),
        ComponentType::U16 => f32::from(u16::MAX),
        ComponentType::U32 => u32::MAX as f32,
        ComponentType::F32 => return number(part, bytes),
    };
    // The minimum of a signed type is −maximum − 1, and the format clamps it to −1.
    (number(part, bytes) / largest).max(-1.0)
}
