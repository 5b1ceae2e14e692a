//! A move that asks for more than it needs: the slow twin of one that does not.

#[cfg(not(test))]
pub(super) const fn is_asked_for() -> bool {
    false
}

#[cfg(test)]
pub(super) use asked::{is_asked_for, run};

#[cfg(test)]
mod asked {
    use std::cell::Cell;

    thread_local! {
        static ASKED_FOR: Cell<bool> = const { Cell::new(false) };
    }

    pub(in crate::controller) fn is_asked_for() -> bool {
        ASKED_FOR.get()
    }

    /// Moves in `work`, on this thread, spare nothing.
    pub(in crate::controller) fn run<T>(work: impl FnOnce() -> T) -> T {
        ASKED_FOR.set(true);
        let answer = work();
        ASKED_FOR.set(false);
        answer
    }
}
