//! Progress on stderr: on a terminal, and nowhere else.

use indicatif::ProgressBar;
use std::io::{IsTerminal, stderr};
use std::time::Duration;

/// For work whose length is not known.
pub(crate) fn spinner(what: impl Into<String>) -> ProgressBar {
    let bar =
        if stderr().is_terminal() { ProgressBar::new_spinner() } else { ProgressBar::hidden() };
    bar.set_message(what.into());
    if !bar.is_hidden() {
        bar.enable_steady_tick(Duration::from_millis(100));
    }
    bar
}
