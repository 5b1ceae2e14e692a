//! A call in flight: its id, its deadline, and whether its caller still waits.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};
use tonic::Status;

/// A call in flight. Work on the pool checks it between chunks.
#[derive(Debug)]
pub struct Call {
    /// The id in logs and in the answer's `x-request-id`.
    pub id: String,
    /// The deadline. After it the caller no longer waits.
    pub deadline: Instant,
    abandoned: AtomicBool,
    /// Number of its queries.
    queries: AtomicU64,
}

impl Call {
    /// A call that ends at `deadline`.
    pub fn new(id: String, deadline: Instant) -> Arc<Self> {
        let (abandoned, queries) = (AtomicBool::new(false), AtomicU64::new(0));
        Arc::new(Self { id, deadline, abandoned, queries })
    }

    /// Checks whether to continue.
    ///
    /// # Errors
    /// `DEADLINE_EXCEEDED` after the deadline, `CANCELLED` if the caller has gone.
    pub fn check(&self) -> Result<(), Status> {
        if self.abandoned.load(Ordering::Relaxed) {
            Err(Status::cancelled("the caller is gone"))
        } else if Instant::now() >= self.deadline {
            Err(Status::deadline_exceeded("the deadline passed; send smaller batches"))
        } else {
            Ok(())
        }
    }

    /// Counts queries for the metrics.
    pub fn count(&self, queries: usize) {
        self.queries.fetch_add(queries as u64, Ordering::Relaxed);
    }

    /// Queries so far.
    pub fn queries(&self) -> u64 {
        self.queries.load(Ordering::Relaxed)
    }

    /// The call of a request. The layer in front of the service stored it there.
    pub fn of<T>(request: &tonic::Request<T>) -> Arc<Self> {
        request
            .extensions()
            .get::<Arc<Self>>()
            .cloned()
            .unwrap_or_else(|| Self::new(String::new(), Instant::now() + Duration::from_secs(30)))
    }
}

/// Marks a call as abandoned when it is dropped: the caller has gone, or has its answer.
#[derive(Debug)]
pub struct AbandonOnDrop(pub Arc<Call>);

impl Drop for AbandonOnDrop {
    fn drop(&mut self) {
        self.0.abandoned.store(true, Ordering::Relaxed);
    }
}

/// The timeout of a `grpc-timeout` header: up to eight digits and a unit.
pub fn parse_timeout(header: &str) -> Option<Duration> {
    let (digits, unit) = header.split_at_checked(header.len().checked_sub(1)?)?;
    if digits.is_empty() || digits.len() > 8 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let amount: u64 = digits.parse().ok()?;
    match unit {
        "H" => Some(Duration::from_secs(amount * 3600)),
        "M" => Some(Duration::from_secs(amount * 60)),
        "S" => Some(Duration::from_secs(amount)),
        "m" => Some(Duration::from_millis(amount)),
        "u" => Some(Duration::from_micros(amount)),
        "n" => Some(Duration::from_nanos(amount)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{AbandonOnDrop, Call, parse_timeout};
    use std::time::{Duration, Instant};
    use tonic::Code;

    #[test]
    fn timeouts_have_digits_and_a_unit() {
        assert_eq!(parse_timeout("20m"), Some(Duration::from_millis(20)));
        assert_eq!(parse_timeout("3S"), Some(Duration::from_secs(3)));
        assert_eq!(parse_timeout("1H"), Some(Duration::from_secs(3600)));
        for bad in ["", "m", "20", "-1S", "123456789S", "2ä", "ä", "1.5S"] {
            assert_eq!(parse_timeout(bad), None, "{bad}");
        }
    }

    #[test]
    fn a_call_ends_at_its_deadline_or_when_the_caller_leaves() {
        let late = Call::new(String::new(), Instant::now());
        assert_eq!(late.check().unwrap_err().code(), Code::DeadlineExceeded);
        let call = Call::new(String::new(), Instant::now() + Duration::from_secs(60));
        assert!(call.check().is_ok());
        drop(AbandonOnDrop(call.clone()));
        assert_eq!(call.check().unwrap_err().code(), Code::Cancelled);
    }
}
