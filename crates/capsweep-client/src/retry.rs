//! Retries after a broken transport.
//!
//! Every unary call is pure, so it can be repeated as a whole. gRPC's own retries stop once a
//! response head has arrived, and lose calls whose replica dies after that. This client retries
//! until the call is answered, its deadline passes, or the budget is used up.

use std::hash::{BuildHasher as _, RandomState};
use std::sync::Mutex;
use std::sync::PoisonError;
use std::time::{Duration, Instant};
use tonic::{Code, Status};

/// How calls are retried.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RetryPolicy {
    /// Upper bound of the pause before the second attempt. It doubles with each attempt.
    pub first_pause: Duration,
    /// Upper bound of the pause before any attempt.
    pub longest_pause: Duration,
    /// Size of the retry budget, in retries. Each retry takes one; `refill` returns a part with
    /// each answered call.
    pub budget: f64,
    /// Amount that each answered call returns to the budget. With 0.1, a failing server gets at
    /// most a tenth more calls in the long run.
    pub refill: f64,
}

impl Default for RetryPolicy {
    fn default() -> Self {
        Self {
            first_pause: Duration::from_millis(20),
            longest_pause: Duration::from_secs(1),
            budget: 50.0,
            refill: 0.1,
        }
    }
}

/// The retry budget that all clones of a client share.
#[derive(Debug)]
pub(crate) struct Budget {
    policy: RetryPolicy,
    left: Mutex<f64>,
    random: RandomState,
}

impl Budget {
    pub(crate) fn new(policy: RetryPolicy) -> Self {
        Self { policy, left: Mutex::new(policy.budget), random: RandomState::new() }
    }

    /// Takes one retry from the budget; false if none is left.
    fn take(&self) -> bool {
        let mut left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        let is_left = *left >= 1.0;
        if is_left {
            *left -= 1.0;
        }
        is_left
    }

    pub(crate) fn refill(&self) {
        let mut left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        *left = (*left + self.policy.refill).min(self.policy.budget);
    }

    /// A random part of the longest pause before an attempt, so that clients that failed together
    /// do not retry together.
    fn pause(&self, attempt: u32) -> Duration {
        let longest = self.policy.first_pause.saturating_mul(1 << attempt.min(16));
        let longest = longest.min(self.policy.longest_pause);
        let random = self.random.hash_one((Instant::now(), attempt));
        longest.mul_f64((random >> 11) as f64 / (1_u64 << 53) as f64)
    }

    /// The pause before the next attempt; `None` if there is no further attempt.
    pub(crate) fn next_pause(
        &self,
        status: &Status,
        attempt: u32,
        deadline: Instant,
    ) -> Option<Duration> {
        let pause = self.pause(attempt);
        let is_in_time = Instant::now() + pause < deadline;
        (is_broken(status) && is_in_time && self.take()).then_some(pause)
    }
}

/// Whether the transport broke, rather than the server refused.
///
/// The server's own errors carry its request id. They are answers, and a retry would get the same
/// one.
pub(crate) fn is_broken(status: &Status) -> bool {
    match status.code() {
        Code::Unavailable => true,
        Code::Unknown | Code::Internal => status.metadata().get("x-request-id").is_none(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{Budget, RetryPolicy};
    use std::time::{Duration, Instant};
    use tonic::{Code, Status};

    fn soon() -> Instant {
        Instant::now() + Duration::from_secs(60)
    }

    #[test]
    fn only_broken_transports_are_tried_again() {
        let budget = Budget::new(RetryPolicy::default());
        let pause = |status: &Status| budget.next_pause(status, 0, soon());
        for code in [Code::Unavailable, Code::Unknown, Code::Internal] {
            assert!(pause(&Status::new(code, "")).is_some(), "{code:?}");
        }
        for code in [Code::ResourceExhausted, Code::InvalidArgument, Code::DeadlineExceeded] {
            assert!(pause(&Status::new(code, "")).is_none(), "{code:?}");
        }
        let mut answered = Status::internal("a panic");
        answered.metadata_mut().insert("x-request-id", "1".parse().unwrap());
        assert!(pause(&answered).is_none());
    }

    #[test]
    fn the_budget_ends_and_comes_back() {
        let policy = RetryPolicy { budget: 2.0, refill: 0.5, ..RetryPolicy::default() };
        let budget = Budget::new(policy);
        let pause = || budget.next_pause(&Status::unavailable(""), 0, soon());
        assert!(pause().is_some() && pause().is_some() && pause().is_none());
        budget.refill();
        assert!(pause().is_none());
        budget.refill();
        assert!(pause().is_some() && pause().is_none());
    }

    #[test]
    fn pauses_grow_differ_and_end_before_the_deadline() {
        let budget = Budget::new(RetryPolicy::default());
        let pauses: Vec<Duration> = (0..100).map(|_| budget.pause(3)).collect();
        assert!(pauses.iter().all(|pause| *pause < Duration::from_millis(160)));
        assert!(pauses.iter().any(|pause| *pause > Duration::from_millis(40)));
        assert!(budget.pause(40) < Duration::from_secs(1));
        let late = Instant::now();
        assert!(budget.next_pause(&Status::unavailable(""), 0, late).is_none());
    }
}
