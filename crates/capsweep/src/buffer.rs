//! A slice that is owned, or borrowed from shared bytes: a file in memory, or a memory map.

use bytemuck::Pod;
use core::fmt;
use core::ops::{Deref, DerefMut, Range};
use std::sync::Arc;

/// Bytes with a shared owner.
pub(crate) type Bytes = Arc<dyn AsRef<[u8]> + Send + Sync>;

/// Dereferences to a slice. Take the slice once before a loop: shared bytes are resolved each
/// time.
#[derive(Clone)]
pub(crate) struct Buffer<T> {
    /// Empty if the values are shared.
    owned: Vec<T>,
    shared: Option<(Bytes, Range<usize>)>,
}

impl<T: Pod> Buffer<T> {
    /// The values in a range of bytes. `None` if it is out of bounds, misaligned, or not a whole
    /// number of values.
    pub(crate) fn shared(bytes: &Bytes, range: Range<usize>) -> Option<Self> {
        let slice = (**bytes).as_ref().get(range.clone())?;
        bytemuck::try_cast_slice::<u8, T>(slice).ok()?;
        // An empty range is not worth resolving: a mesh without masks reads them at every leaf.
        let shared = (!slice.is_empty()).then(|| (Arc::clone(bytes), range));
        Some(Self { owned: Vec::new(), shared })
    }

    /// The values for writing; copies them first if they are shared.
    pub(crate) fn to_mut(&mut self) -> &mut Vec<T> {
        if self.shared.is_some() {
            *self = self.to_vec().into();
        }
        &mut self.owned
    }

    #[inline(never)]
    fn resolve(bytes: &Bytes, range: Range<usize>) -> &[T] {
        // `shared` checked the cast. An owner that returns other bytes now gives an empty slice.
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
            Some((bytes, range)) => Self::resolve(bytes, range.clone()),
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
