//! What the command prints: a readable answer, or one JSON object, on stdout; errors on stderr.

pub(crate) mod escape;
mod text;

pub(crate) use text::{Rows, Text, along_normal, bytes, list, metres, number, position};

use anyhow::{Context, Error, Result};
use serde::Serialize;
use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;

#[derive(Debug, Clone, Copy)]
pub(crate) enum Format {
    Text,
    Json,
}

/// What the exit code says. Errors are 2.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// A query found something.
    Found,
    /// A query found nothing.
    Clear,
    /// A command that finds nothing did its work, or every line was answered.
    Done,
    /// Some lines were errors, and said so.
    SomeRefused,
    /// What was done again came out otherwise.
    Differs,
    /// A file is not what it should be.
    Damaged,
}

impl Outcome {
    pub(crate) fn exit_code(self) -> ExitCode {
        match self {
            Self::Found | Self::Done => ExitCode::SUCCESS,
            Self::Clear | Self::Differs | Self::Damaged => ExitCode::from(1),
            Self::SomeRefused => ExitCode::from(2),
        }
    }
}

/// Prints text and a line break.
///
/// Names in it are escaped already, as they may hold line breaks. This is for those that are not.
pub(crate) fn say(text: &str) -> Result<()> {
    write(&[escape::lines(text).as_bytes(), b"\n"].concat()).map(|_| ())
}

/// Prints one JSON object on one line.
pub(crate) fn say_json(object: &impl Serialize) -> Result<()> {
    let text = escape::json(serde_json::to_string(object)?);
    write(&[text.as_bytes(), b"\n"].concat()).map(|_| ())
}

/// Whether there is still somebody to write for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reader {
    Reads,
    /// A reader that has closed the pipe has seen enough; that is no error.
    Gone,
}

/// Writes to stdout, at once.
pub(crate) fn write(bytes: &[u8]) -> Result<Reader> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(bytes).and_then(|()| stdout.flush()) {
        Ok(()) => Ok(Reader::Reads),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(Reader::Gone),
        Err(error) => Err(error).context("cannot write the answer"),
    }
}

pub(crate) fn print_error(error: &Error) {
    tell(&format!("error: {}", escape::name(&format!("{error:#}"))));
}

/// Tells of something that was done otherwise than asked.
pub(crate) fn print_note(note: &str) {
    tell(&format!("note: {}", escape::name(note)));
}

/// Prints an error of several lines about the command line.
pub(crate) fn print_usage(text: &str) {
    tell(escape::lines(text).trim_end());
}

fn tell(text: &str) {
    // With stderr closed nobody is left to tell; the exit code still says it.
    let _ = writeln!(io::stderr(), "{text}");
}
