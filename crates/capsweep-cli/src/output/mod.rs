//! What the command prints: a readable answer, or one JSON object, on stdout; errors on stderr.

mod json;
mod text;

use crate::target::At;
use anyhow::{Context, Error, Result};
use json::Json;
use std::io::{self, ErrorKind, Write};
use text::Text;

#[derive(Debug, Clone, Copy)]
pub(crate) enum Format {
    Text,
    Json,
}

/// What the exit code says.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Outcome {
    Found,
    Clear,
}

/// Prints the answer, or in text `clear` where there is none.
pub(crate) fn print<T>(answer: Option<&At<T>>, clear: &str, format: Format) -> Result<Outcome>
where
    At<T>: Text + Json,
{
    let line = match (answer, format) {
        (Some(answer), Format::Text) => answer.text(),
        (Some(answer), Format::Json) => answer.json()?,
        (None, Format::Text) => clear.to_owned(),
        (None, Format::Json) => json::clear()?,
    };
    write_line(&line)?;
    Ok(if answer.is_some() { Outcome::Found } else { Outcome::Clear })
}

/// A reader that has closed the pipe has seen enough; that is no error.
fn write_line(line: &str) -> Result<()> {
    let mut stdout = io::stdout().lock();
    match writeln!(stdout, "{line}").and_then(|()| stdout.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        written => written.context("cannot write the answer"),
    }
}

pub(crate) fn print_error(error: &Error) {
    // With stderr closed nobody is left to tell; the exit code still says it.
    let _ = writeln!(io::stderr(), "error: {error:#}");
}
