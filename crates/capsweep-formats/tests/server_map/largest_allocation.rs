//! An allocator that notes the largest request, for tests that counts in files allocate nothing.

#![allow(unsafe_code, reason = "an allocator that measures cannot be written without")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    static LARGEST: Cell<usize> = const { Cell::new(0) };
}

struct Measuring;

// SAFETY: every call goes to the system's allocator.
unsafe impl GlobalAlloc for Measuring {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        LARGEST.with(|largest| largest.set(largest.get().max(layout.size())));
        // SAFETY: the caller keeps the promises of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the promises of `dealloc`, and `alloc` is the system's.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Measuring = Measuring;

/// The size in bytes of the largest allocation of this thread in `action`.
///
/// Growing a `Vec` allocates anew here, so its largest size counts too.
pub(crate) fn largest_allocation(action: impl FnOnce()) -> usize {
    LARGEST.with(|largest| largest.set(0));
    action();
    LARGEST.with(Cell::get)
}
