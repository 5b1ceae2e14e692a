//! Heap memory of the process. Rust and C++ share one heap, so it covers every engine.

/// Bytes in use on the heap, large blocks included; `None` if the C library does not report them.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[expect(unsafe_code, reason = "the C library's own count has no safe wrapper")]
#[expect(clippy::unnecessary_wraps, reason = "other systems have no answer")]
pub(crate) fn in_use() -> Option<usize> {
    // SAFETY: takes no arguments and returns numbers. This program has one thread, which holds no
    // lock.
    let info = unsafe { libc::mallinfo2() };
    Some(info.uordblks + info.hblkhd)
}

/// Bytes in use on the heap, large blocks included; `None` if the C library does not report them.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub(crate) fn in_use() -> Option<usize> {
    None
}
