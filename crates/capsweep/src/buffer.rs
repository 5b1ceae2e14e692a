//! A slice that is the library's own, or a part of bytes that somebody else keeps: a file in memory, a memory map.

use bytemuck::Pod;
use core::fmt;
use core::ops::{Deref, DerefMut, Range};
use std::sync::Arc;

/// Bytes that are kept elsewhere.
pub(crate) type Bytes = Arc<dyn AsRef<[u8]> + Send + Sync>;

/// Reading is a slice: fetch it once before a loop, as shared bytes are looked up each time.
#[derive(Clone)]
pub(crate) struct Buffer<T> {
    /// Empty where the values are shared.
    owned: Vec<T>,
    shared: Option<(Bytes, Range<usize>)>,
}

impl<T: Pod> Buffer<T> {
    /// The `T`s in a range of bytes; `None` if it is out of bounds, not aligned, or ends within one.
    pub(crate) fn shared(bytes: &Bytes, range: Range<usize>) -> Option<Self> {
        let slice = (**bytes).as_ref().get(range.clone())?;
        bytemuck::try_cast_slice::<u8, T>(slice).ok()?;
        // Nothing is not worth looking up: a mesh without masks asks for them at every leaf.
        let shared = (!slice.is_empty()).then(|| (Arc::clone(bytes), range));
        Some(Self { owned: Vec::new(), shared })
    }

    /// To be changed: a copy first, if others keep it.
    pub(crate) fn to_mut(&mut self) -> &mut Vec<T> {
        if self.shared.is_some() {
            *self = self.to_vec().into();
        }
        &mut self.owned
    }

    #[inline(never)]
    fn look_up(bytes: &Bytes, range: Range<usize>) -> &[T] {
        // It could be cast when it was made. An owner that shows other bytes by now may leave nothing.
        let slice = (**bytes).as_ref().get(range).unwrap_or_default();
        bytemuck::try_cast_slice(slice).unwrap_or_default()
    }
}

impl<T: Pod> Deref for Buffer<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        match &self.shared {
            None => &self.owned,
            Some((bytes, range)) => Self::look_up(bytes, range.clone()),
        }
    }
}

impl<T: Pod> DerefMut for Buffer<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        self.to_mut()
    }
}

impl<T> From<Vec<T>> for Buffer<T> {
    fn from(owned: Vec<T>) -> Self {
        Self { owned, shared: None }
    }
}

impl<T> Default for Buffer<T> {
    fn default() -> Self {
        Vec::new().into()
    }
}

impl<T: Pod + fmt::Debug> fmt::Debug for Buffer<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}
