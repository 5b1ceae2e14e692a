//! An allocator that keeps the memory of recent answers for the next ones.
//!
//! An answer of 100 000 rows has 14 MB. The C library gives such memory back to the system at
//! once, and the next answer pays for every page again: a twelfth of a tick of 10 000 characters.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::Mutex;

/// Smaller blocks are the C library's alone, which keeps them itself.
const SMALLEST: usize = 64 << 10;

/// Most bytes that are kept: an answer of some 400 000 rows.
const MOST_BYTES: usize = 64 << 20;

/// Most blocks that are kept: a block for each column of two answers.
const MOST_BLOCKS: usize = 64;

/// Alignment of large blocks: a cache line.
const ALIGNMENT: usize = 64;

#[global_allocator]
static ALLOCATOR: Recycling = Recycling { kept: Mutex::new(Kept::NONE) };

struct Recycling {
    kept: Mutex<Kept>,
}

/// A free block. Addresses are numbers here, because pointers cannot go between threads.
#[derive(Clone, Copy)]
struct Block {
    address: usize,
    size: usize,
}

/// Free blocks, the oldest first.
struct Kept {
    blocks: [Block; MOST_BLOCKS],
    count: usize,
    bytes: usize,
}

impl Kept {
    const NONE: Self =
        Self { blocks: [Block { address: 0, size: 0 }; MOST_BLOCKS], count: 0, bytes: 0 };

    fn remove(&mut self, index: usize) -> Block {
        let block = self.blocks[index];
        self.blocks.copy_within(index + 1..self.count, index);
        self.count -= 1;
        self.bytes -= block.size;
        block
    }

    /// The latest block of this size.
    fn take(&mut self, size: usize) -> Option<Block> {
        let index = self.blocks[..self.count].iter().rposition(|block| block.size == size)?;
        Some(self.remove(index))
    }

    /// The oldest block, if there is no room for another.
    fn make_room(&mut self, size: usize) -> Option<Block> {
        let full = self.count == MOST_BLOCKS || self.bytes + size > MOST_BYTES;
        (full && self.count > 0).then(|| self.remove(0))
    }

    fn put(&mut self, block: Block) {
        self.blocks[self.count] = block;
        self.count += 1;
        self.bytes += block.size;
    }
}

/// The layout that the system gets for a large block; `None` for other blocks. It follows from
/// the caller's layout alone, so it is the same when the block is freed.
///
/// Sizes are rounded up by at most an eighth, so that answers of similar sizes share blocks.
fn large(layout: Layout) -> Option<Layout> {
    if layout.size() < SMALLEST || layout.size() > MOST_BYTES || layout.align() > ALIGNMENT {
        return None;
    }
    let step = (layout.size().next_power_of_two() / 16).max(1);
    Layout::from_size_align(layout.size().next_multiple_of(step), ALIGNMENT).ok()
}

// SAFETY: Every block comes from `System`, with the layout of `large` or else the caller's, and
// goes back to it with the same. A kept block is free: it was given to `dealloc`, and it leaves
// `kept` before it is handed out or freed, under a lock.
#[expect(unsafe_code, reason = "an allocator")]
unsafe impl GlobalAlloc for Recycling {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let Some(block) = large(layout) else {
            // SAFETY: The caller's promises are `System`'s.
            return unsafe { System.alloc(layout) };
        };
        // Never wait: after a fork, the thread that holds the lock may not exist.
        let kept = self.kept.try_lock().ok().and_then(|mut kept| kept.take(block.size()));
        match kept {
            Some(block) => std::ptr::with_exposed_provenance_mut(block.address),
            // SAFETY: The size is not zero.
            None => unsafe { System.alloc(block) },
        }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: As in `alloc`. New pages are zero already.
        unsafe { System.alloc_zeroed(large(layout).unwrap_or(layout)) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        let Some(block) = large(layout) else {
            // SAFETY: It was allocated with this layout.
            return unsafe { System.dealloc(pointer, layout) };
        };
        let Ok(mut kept) = self.kept.try_lock() else {
            // SAFETY: It was allocated with this layout.
            return unsafe { System.dealloc(pointer, block) };
        };
        while let Some(oldest) = kept.make_room(block.size()) {
            let free = std::ptr::with_exposed_provenance_mut(oldest.address);
            if let Ok(layout) = Layout::from_size_align(oldest.size, ALIGNMENT) {
                // SAFETY: It was allocated with this layout, and is no longer kept.
                unsafe { System.dealloc(free, layout) };
            }
        }
        kept.put(Block { address: pointer.expose_provenance(), size: block.size() });
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        let Ok(wanted) = Layout::from_size_align(size, layout.align()) else {
            return std::ptr::null_mut();
        };
        match (large(layout), large(wanted)) {
            (Some(old), Some(new)) if old == new => pointer,
            // SAFETY: It was allocated with this layout, and the new size is not zero.
            (Some(old), Some(new)) => unsafe { System.realloc(pointer, old, new.size()) },
            // SAFETY: As above.
            (None, None) => unsafe { System.realloc(pointer, layout, size) },
            _ => {
                // SAFETY: The caller's promises: a size that is not zero, and a block of `layout`.
                // The blocks differ, and both have the smaller size.
                unsafe {
                    let moved = self.alloc(wanted);
                    if !moved.is_null() {
                        moved.copy_from_nonoverlapping(pointer, layout.size().min(size));
                        self.dealloc(pointer, layout);
                    }
                    moved
                }
            }
        }
    }
}
