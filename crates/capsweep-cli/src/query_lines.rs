//! Query lines: one JSON object per line (docs/query-lines.md), answered in order by all cores, in
//! bounded memory.

use crate::json_error::with_column;
use crate::output::{self, Outcome, Pipe, escape};
use crate::progress;
use crate::query::{ClearAnswer, Query, QueryWorld, WorldRef};
use anyhow::{Context, Error, Result, anyhow, bail};
use rayon::prelude::*;
use serde::Serialize;
use std::fs::File;
use std::io::{self, IsTerminal, Read};
use std::path::Path;
use tracing::info;

/// Bytes per read, a few hundred lines. A pipe returns what it has, so a program that writes one
/// line at a time gets one answer at a time.
const CHUNK: usize = 1 << 18;

/// Longest line in bytes: room for some hundred thousand triangles.
const MAX_LINE: usize = 1 << 24;

/// Lines that one thread answers at a time.
const LINES_PER_TASK: usize = 32;

/// Answers every line of `path`, or of stdin if `path` is `-`.
pub(crate) fn answer<Q: Query>(path: &Path, world: &QueryWorld) -> Result<Outcome> {
    let source = if path == Path::new("-") { "stdin".into() } else { path.display().to_string() };
    let unreadable = || format!("cannot read {source}");
    let (mut input, length): (Box<dyn Read>, u64) = if path == Path::new("-") {
        (Box::new(io::stdin().lock()), 0)
    } else {
        let file = File::open(path).with_context(unreadable)?;
        let length = file.metadata().with_context(unreadable)?.len();
        (Box::new(file), length)
    };
    // If the answers go to the terminal, they already show the progress.
    let bar = if length == 0 || io::stdout().is_terminal() {
        indicatif::ProgressBar::hidden()
    } else {
        progress::bar(length, format!("answering {source}"))
    };
    let mut reader = LineReader::default();
    let mut errors = 0;
    loop {
        let read = reader.fill(&mut input).with_context(unreadable)?;
        let answers = reader.map_lines(|number, line| LineAnswer::new::<Q>(number, line, world));
        errors += answers.iter().filter(|answer| answer.is_error).count();
        let text: Vec<u8> = answers.into_iter().flat_map(|answer| answer.text).collect();
        if !text.is_empty() && output::write(&text)? == Pipe::Closed {
            break;
        }
        bar.inc(read as u64);
        if read == 0 {
            break;
        }
    }
    bar.finish_and_clear();
    info!(lines = reader.taken, errors, "answered");
    Ok(if errors == 0 { Outcome::Done } else { Outcome::SomeErrors })
}

/// A buffer of bytes that were read and not yet answered.
#[derive(Default)]
struct LineReader {
    bytes: Vec<u8>,
    /// End of the last complete line in `bytes`.
    complete: usize,
    /// Number of lines taken so far.
    taken: u64,
    /// Whether the rest of a line that is too long is still to come and to be skipped.
    is_skipping: bool,
    at_end: bool,
}

impl LineReader {
    /// Reads one chunk. Returns the number of bytes, 0 at the end of the input.
    fn fill(&mut self, input: &mut dyn Read) -> io::Result<usize> {
        let start = self.bytes.len();
        self.bytes.resize(start + CHUNK, 0);
        let read = loop {
            match input.read(&mut self.bytes[start..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                other => break other?,
            }
        };
        self.bytes.truncate(start + read);
        self.at_end = read == 0;
        self.complete = match self.bytes[start..].iter().rposition(|byte| *byte == b'\n') {
            _ if self.at_end => self.bytes.len(),
            Some(last) => start + last + 1,
            None => 0,
        };
        Ok(read)
    }

    /// Calls `answer` with the number and the bytes of every complete line, in parallel. Returns
    /// the answers in the order of the lines; an incomplete line stays in the buffer.
    fn map_lines<T: Send>(&mut self, answer: impl Fn(u64, Result<&[u8]>) -> T + Sync) -> Vec<T> {
        let mut bytes = &self.bytes[..self.complete];
        if self.is_skipping {
            let end = bytes.iter().position(|byte| *byte == b'\n');
            bytes = end.map_or(&[], |end| &bytes[end + 1..]);
            self.is_skipping = end.is_none();
        }
        let lines: Vec<&[u8]> = match bytes.strip_suffix(b"\n") {
            None if bytes.is_empty() => Vec::new(),
            stripped => stripped.unwrap_or(bytes).split(|byte| *byte == b'\n').collect(),
        };
        let first = self.taken + 1;
        let numbered = |(index, line): (usize, &&[u8])| {
            let stripped = line.strip_suffix(b"\r").unwrap_or(line);
            let fits = line.len() <= MAX_LINE;
            answer(first + index as u64, fits.then_some(stripped).ok_or_else(too_long))
        };
        let mut answers: Vec<T> =
            lines.par_iter().enumerate().with_min_len(LINES_PER_TASK).map(numbered).collect();
        self.taken += lines.len() as u64;
        self.bytes.drain(..self.complete);
        if self.is_skipping {
            self.bytes.clear();
        } else if self.bytes.len() > MAX_LINE {
            self.taken += 1;
            answers.push(answer(self.taken, Err(too_long())));
            self.bytes.clear();
            self.is_skipping = true;
        }
        answers
    }
}

fn too_long() -> Error {
    anyhow!("longer than {MAX_LINE} bytes")
}

/// The answer to one line, with its line break.
struct LineAnswer {
    text: Vec<u8>,
    is_error: bool,
}

#[derive(Serialize)]
struct LineError {
    error: String,
}

impl LineAnswer {
    fn new<Q: Query>(number: u64, line: Result<&[u8]>, world: &QueryWorld) -> Self {
        let answer = line.and_then(|line| answer_line::<Q>(line, world));
        let is_error = answer.is_err();
        let text = answer.unwrap_or_else(|error| {
            let error = format!("line {number}: {error:#}");
            // An object of one string always serializes.
            serde_json::to_string(&LineError { error }).unwrap_or_default()
        });
        let mut text = escape::json(text).into_bytes();
        text.push(b'\n');
        Self { text, is_error }
    }
}

/// The error of a line without triangles if the command line has no world either.
const NO_WORLD: &str = "there is no scene: give a SCENE, or \"triangles\" on the line";

fn answer_line<Q: Query>(line: &[u8], world: &QueryWorld) -> Result<String> {
    match line.trim_ascii_start().first() {
        Some(b'{') => {}
        Some(_) => bail!("a query is a JSON object, such as {{\"capsule\": …}}"),
        None => bail!("the line is blank"),
    }
    let line: Q::Line = serde_json::from_slice(line).map_err(|error| with_column(&error))?;
    let (query, triangles) = Q::from_line(line)?;
    let world = match &triangles {
        Some(triangles) => WorldRef::LineTriangles(triangles),
        None => world.as_ref().context(NO_WORLD)?,
    };
    Ok(match query.run(world) {
        Some(answer) => serde_json::to_string(&answer)?,
        None => serde_json::to_string(&ClearAnswer::VALUE)?,
    })
}
