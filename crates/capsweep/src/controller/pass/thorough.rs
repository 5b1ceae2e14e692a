//! A move that asks for more than it needs: the slow twin of one that does not.

#[cfg(not(test))]
pub(crate) const fn is_asked_for() -> bool {
    false
}

#[cfg(test)]
pub(crate) use asked::{is_asked_for, run};

#[cfg(test)]
mod asked {
    use std::cell::Cell;

    thread_local! {
        static ASKED_FOR: Cell<bool> = const { Cell::new(false) };
    }

    pub(crate) fn is_asked_for() -> bool {
        ASKED_FOR.get()
    }

    /// Moves in `work`, on this thread, spare nothing.
    pub(crate) fn run<T>(work: impl FnOnce() -> T) -> T {
        ASKED_FOR.set(true);
        let answer = work();
        ASKED_FOR.set(false);
        answer
    }
}
