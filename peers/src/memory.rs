//! How much memory the process has allocated, whoever allocated it: Rust and C++ share one heap.

/// Bytes in use on the heap, large blocks included; `None` where the C library does not tell.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[expect(unsafe_code, reason = "the C library's own count has no safe wrapper")]
#[expect(clippy::unnecessary_wraps, reason = "other systems have no answer")]
pub(crate) fn in_use() -> Option<usize> {
    // SAFETY: takes no arguments and returns numbers; the one thread of this program holds no lock.
    let info = unsafe { libc::mallinfo2() };
    Some(info.uordblks + info.hblkhd)
}

/// Bytes in use on the heap, large blocks included; `None` where the C library does not tell.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub(crate) fn in_use() -> Option<usize> {
    None
}
