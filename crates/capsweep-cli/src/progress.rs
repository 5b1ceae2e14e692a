//! Progress on stderr, only if stderr is a terminal.

use crate::output::escape;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::{IsTerminal, stderr};
use std::time::Duration;

/// A spinner for work of unknown length.
pub(crate) fn spinner(what: impl Into<String>) -> ProgressBar {
    let bar =
        if stderr().is_terminal() { ProgressBar::new_spinner() } else { ProgressBar::hidden() };
    bar.set_message(escape::name(&what.into()).into_owned());
    if !bar.is_hidden() {
        bar.enable_steady_tick(Duration::from_millis(100));
    }
    bar
}

/// A bar for work in parts, whose lengths are known one after another.
pub(crate) fn parts() -> ProgressBar {
    let bar = bar(0, "");
    if let Ok(style) =
        ProgressStyle::with_template("{msg:10} {wide_bar} {human_pos} of {human_len}, {eta} left")
    {
        bar.set_style(style);
    }
    bar
}

/// A bar for work of known length.
pub(crate) fn bar(length: u64, what: impl Into<String>) -> ProgressBar {
    let bar =
        if stderr().is_terminal() { ProgressBar::new(length) } else { ProgressBar::hidden() };
    // The template is a valid constant; an invalid one would leave the default style.
    if let Ok(style) = ProgressStyle::with_template("{msg} {wide_bar} {percent} % ({eta})") {
        bar.set_style(style);
    }
    bar.set_message(escape::name(&what.into()).into_owned());
    bar
}
