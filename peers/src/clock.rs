//! Processor time of this thread. On a busy machine, wall-clock time includes other programs.

use std::time::Duration;

/// Processor time of this thread; wall-clock time on systems without it.
#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "the C library's clock of a thread has no safe wrapper")]
fn now() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the clock exists on every Linux, and `time` is valid for the write.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut time) };
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Processor time of this thread; wall-clock time on systems without it.
#[cfg(not(target_os = "linux"))]
fn now() -> Duration {
    use std::sync::LazyLock;
    use std::time::Instant;
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed()
}

/// Measures the processor time of this thread.
pub(crate) struct Stopwatch(Duration);

impl Stopwatch {
    /// Starts.
    pub(crate) fn start() -> Self {
        Self(now())
    }

    /// Processor time since the start.
    pub(crate) fn elapsed(&self) -> Duration {
        now().saturating_sub(self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn sleep_is_no_work_and_sums_are() {
        let watch = Stopwatch::start();
        std::thread::sleep(Duration::from_millis(50));
        assert!(watch.elapsed() < Duration::from_millis(25));
        let before = watch.elapsed();
        let mut sum = 0_u64;
        for i in 0..10_000_000_u64 {
            sum = std::hint::black_box(sum ^ i);
        }
        assert!(watch.elapsed() > before, "{sum}");
    }
}
