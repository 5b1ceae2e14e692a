//! Output of the command: text or one JSON object on stdout, errors and notes on stderr.

pub(crate) mod escape;
mod text;

pub(crate) use text::{
    Rows, Text, along_normal, bytes, count, length, list, number, position, rounded,
};

use anyhow::{Context, Error, Result};
use serde::Serialize;
use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;

#[derive(Debug, Clone, Copy)]
pub(crate) enum Format {
    Text,
    Json,
}

/// The result of a command, which decides its exit code. An error exits with 2.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// A query found something.
    Found,
    /// A query found nothing.
    Clear,
    /// A command that is no query succeeded, or every query line has an answer.
    Done,
    /// Some query lines are errors; their answers say which.
    SomeErrors,
    /// A replayed move differs from the recorded one.
    Differs,
    /// A scene file is damaged.
    Damaged,
    /// A claim is impossible.
    Impossible,
    /// A signal ended the command early.
    Interrupted,
}

impl Outcome {
    pub(crate) fn exit_code(self) -> ExitCode {
        match self {
            Self::Found | Self::Done => ExitCode::SUCCESS,
            Self::Clear | Self::Differs | Self::Damaged | Self::Impossible => ExitCode::from(1),
            Self::SomeErrors => ExitCode::from(2),
            // The code that shells give for SIGINT.
            Self::Interrupted => ExitCode::from(130),
        }
    }
}

/// Prints a result in the format that the user chose.
pub(crate) fn print(
    format: Format,
    json: &impl Serialize,
    text: impl FnOnce() -> String,
) -> Result<()> {
    match format {
        Format::Text => print_text(&text()),
        Format::Json => print_json(json),
    }
}

/// Prints text and a line break.
///
/// Callers escape names themselves, because names may contain line breaks. This escapes the rest.
fn print_text(text: &str) -> Result<()> {
    write(&[escape::lines(text).as_bytes(), b"\n"].concat()).map(|_| ())
}

/// Prints one JSON object on one line.
fn print_json(object: &impl Serialize) -> Result<()> {
    let text = escape::json(serde_json::to_string(object)?);
    write(&[text.as_bytes(), b"\n"].concat()).map(|_| ())
}

/// Whether the other end of stdout still reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pipe {
    Open,
    /// The reader has closed the pipe, as `head` does. That is no error.
    Closed,
}

/// Writes to stdout and flushes it.
pub(crate) fn write(bytes: &[u8]) -> Result<Pipe> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(bytes).and_then(|()| stdout.flush()) {
        Ok(()) => Ok(Pipe::Open),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(Pipe::Closed),
        Err(error) => Err(error).context("cannot write the answer"),
    }
}

pub(crate) fn print_error(error: &Error) {
    print_stderr(&format!("error: {}", escape::name(&format!("{error:#}"))));
}

/// Prints a note that the command deviates from its flags.
pub(crate) fn print_note(note: &str) {
    print_stderr(&format!("note: {}", escape::name(note)));
}

/// Prints a warning: the command continues, and its result lacks something.
pub(crate) fn print_warning(warning: &str) {
    print_stderr(&format!("warning: {}", escape::name(warning)));
}

/// Prints a summary of what was printed on stdout.
pub(crate) fn print_summary(summary: &str) {
    print_stderr(&escape::name(summary));
}

/// Prints an error about the command line, which has several lines.
pub(crate) fn print_usage(text: &str) {
    print_stderr(escape::lines(text).trim_end());
}

fn print_stderr(text: &str) {
    // If stderr is closed, the exit code still reports the error.
    let _ = writeln!(io::stderr(), "{text}");
}
