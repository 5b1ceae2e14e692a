//! Progress on stderr: on a terminal, and nowhere else.

use crate::output::escape;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::{IsTerminal, stderr};
use std::time::Duration;

/// For work whose length is not known.
pub(crate) fn spinner(what: impl Into<String>) -> ProgressBar {
    let bar =
        if stderr().is_terminal() { ProgressBar::new_spinner() } else { ProgressBar::hidden() };
    bar.set_message(escape::name(&what.into()).into_owned());
    if !bar.is_hidden() {
        bar.enable_steady_tick(Duration::from_millis(100));
    }
    bar
}

/// For work of `length` steps.
pub(crate) fn bar(length: u64, what: impl Into<String>) -> ProgressBar {
    let bar = if stderr().is_terminal() { ProgressBar::new(length) } else { ProgressBar::hidden() };
    // The template is a constant; were it bad, the bar would look as it does by default.
    if let Ok(style) = ProgressStyle::with_template("{msg} {wide_bar} {percent} % ({eta})") {
        bar.set_style(style);
    }
    bar.set_message(escape::name(&what.into()).into_owned());
    bar
}
