//! The end of a server: health first, then calls.

use tokio::sync::watch;

/// How far the end has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Phase {
    Loading,
    Serving,
    /// Health and `/ready` say no; calls are still answered, until balancers have noticed.
    Leaving,
    /// No new calls; streams end.
    Ending,
}

/// Whether the server is ready, or about to end. Clones share it.
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

    /// Whether the server takes calls and will go on to.
    pub fn is_ready(&self) -> bool {
        *self.0.borrow() == Phase::Serving
    }

    /// Whether it was ready at any time.
    pub fn was_ready(&self) -> bool {
        *self.0.borrow() >= Phase::Serving
    }

    /// Waits for the end.
    pub async fn ended(&self) {
        // An error means that no sender is left, and this is one.
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
