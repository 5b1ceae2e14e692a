//! Little-endian numbers, one after the other.

use glam::Vec3;

/// Bytes of a file under construction.
#[derive(Debug, Clone, Default)]
pub(super) struct Bytes(pub(super) Vec<u8>);

impl Bytes {
    /// A file that begins with a magic string.
    pub(super) fn starting(magic: &[u8]) -> Self {
        Self(magic.to_vec())
    }

    pub(super) fn raw(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    pub(super) fn u8(&mut self, value: u8) {
        self.0.push(value);
    }

    pub(super) fn u16(&mut self, value: u16) {
        self.raw(&value.to_le_bytes());
    }

    pub(super) fn u32(&mut self, value: u32) {
        self.raw(&value.to_le_bytes());
    }

    /// A count or a length.
    pub(super) fn count(&mut self, value: usize) {
        self.u32(value as u32);
    }

    pub(super) fn f32(&mut self, value: f32) {
        self.raw(&value.to_le_bytes());
    }

    pub(super) fn vec3(&mut self, value: Vec3) {
        for coordinate in value.to_array() {
            self.f32(coordinate);
        }
    }

    /// A length and that many bytes.
    pub(super) fn name(&mut self, name: &[u8]) {
        self.count(name.len());
        self.raw(name);
    }
}
