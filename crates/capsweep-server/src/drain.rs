//! Shutdown of a server: health first, then calls.

use tokio::sync::watch;

/// Stage of the shutdown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Phase {
    Loading,
    Serving,
    /// Health and `/ready` report not ready. Calls are still answered until balancers notice.
    Leaving,
    /// No new calls; streams end.
    Ending,
}

/// Whether the server is ready or shuts down. Clones share the state.
#[derive(Debug, Clone)]
pub struct Drain(watch::Sender<Phase>);

impl Default for Drain {
    fn default() -> Self {
        Self(watch::Sender::new(Phase::Loading))
    }
}

impl Drain {
    fn advance(&self, to: Phase) {
        self.0.send_if_modified(|phase| {
            let is_later = *phase < to;
            if is_later {
                *phase = to;
            }
            is_later
        });
    }

    /// The worlds are loaded.
    pub fn serve(&self) {
        self.advance(Phase::Serving);
    }

    /// The server is no longer ready.
    pub fn leave(&self) {
        self.advance(Phase::Leaving);
    }

    /// The server takes no new calls, and streams end.
    pub fn end(&self) {
        self.advance(Phase::Ending);
    }

    /// Whether the server takes calls and no shutdown has begun.
    pub fn is_ready(&self) -> bool {
        *self.0.borrow() == Phase::Serving
    }

    /// Whether it was ready at any time.
    pub fn was_ready(&self) -> bool {
        *self.0.borrow() >= Phase::Serving
    }

    /// Waits until the server takes no new calls.
    pub async fn ended(&self) {
        // An error would mean that no sender is left, but `self` holds one.
        let _ = self.0.subscribe().wait_for(|phase| *phase == Phase::Ending).await;
    }
}

#[cfg(test)]
mod tests {
    use super::Drain;

    #[tokio::test]
    async fn a_server_is_ready_between_loading_and_leaving() {
        let drain = Drain::default();
        assert!(!drain.is_ready());
        drain.serve();
        assert!(drain.clone().is_ready());
        drain.leave();
        assert!(!drain.is_ready());
        drain.serve();
        assert!(!drain.is_ready(), "it does not come back");
        drain.end();
        drain.ended().await;
    }
}
