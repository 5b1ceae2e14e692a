//! Many questions, a JSON object a line (docs/query-lines.md): answered by all cores, in order, in bounded memory.

use crate::json_error::in_column;
use crate::output::{self, Outcome, Reader, escape};
use crate::progress;
use crate::query::{Around, Question, Surroundings};
use anyhow::{Context, Error, Result, anyhow, bail};
use rayon::prelude::*;
use serde::Serialize;
use std::fs::File;
use std::io::{self, IsTerminal, Read};
use std::path::Path;
use tracing::info;

/// Bytes that are read at a time, a few hundred lines. A pipe gives what it has, so that whoever asks line by line is answered line by line.
const CHUNK: usize = 1 << 18;

/// A line with more bytes than this is an error: room for some hundred thousand triangles.
const LONGEST: usize = 1 << 24;

/// Lines that a thread answers at a time.
const SHARE: usize = 32;

/// Answers every line of `path`, or of stdin if that is `-`.
pub(crate) fn answer<Q: Question>(path: &Path, around: &Surroundings) -> Result<Outcome> {
    let from = if path == Path::new("-") { "stdin".into() } else { path.display().to_string() };
    let unreadable = || format!("cannot read {from}");
    let (mut input, length): (Box<dyn Read>, u64) = if path == Path::new("-") {
        (Box::new(io::stdin().lock()), 0)
    } else {
        let file = File::open(path).with_context(unreadable)?;
        let length = file.metadata().with_context(unreadable)?.len();
        (Box::new(file), length)
    };
    // Answers on the same terminal are progress enough.
    let bar = if length == 0 || io::stdout().is_terminal() {
        indicatif::ProgressBar::hidden()
    } else {
        progress::bar(length, format!("answering {from}"))
    };
    let mut lines = Lines::default();
    let mut refused = 0;
    loop {
        let read = lines.fill(&mut input).with_context(unreadable)?;
        let answers = lines.take(|number, line| Answer::to::<Q>(number, line, around));
        refused += answers.iter().filter(|answer| answer.is_error).count();
        let text: Vec<u8> = answers.into_iter().flat_map(|answer| answer.text).collect();
        if !text.is_empty() && output::write(&text)? == Reader::Gone {
            break;
        }
        bar.inc(read as u64);
        if read == 0 {
            break;
        }
    }
    bar.finish_and_clear();
    info!(lines = lines.taken, refused, "answered");
    Ok(if refused == 0 { Outcome::Done } else { Outcome::SomeRefused })
}

/// What is read and not yet answered.
#[derive(Default)]
struct Lines {
    bytes: Vec<u8>,
    /// Where in `bytes` the last whole line ends.
    whole: usize,
    /// Lines that were answered.
    taken: u64,
    /// The end of a line that was too long is still to come.
    skips: bool,
    ended: bool,
}

impl Lines {
    /// Reads on; how many bytes, 0 at the end.
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
        self.ended = read == 0;
        self.whole = match self.bytes[start..].iter().rposition(|byte| *byte == b'\n') {
            _ if self.ended => self.bytes.len(),
            Some(last) => start + last + 1,
            None => 0,
        };
        Ok(read)
    }

    /// What `answer` makes of every whole line and its number, in their order; the rest of a line stays.
    fn take<T: Send>(&mut self, answer: impl Fn(u64, Result<&[u8]>) -> T + Sync) -> Vec<T> {
        let mut bytes = &self.bytes[..self.whole];
        if self.skips {
            let end = bytes.iter().position(|byte| *byte == b'\n');
            bytes = end.map_or(&[], |end| &bytes[end + 1..]);
            self.skips = end.is_none();
        }
        let lines: Vec<&[u8]> = match bytes.strip_suffix(b"\n") {
            None if bytes.is_empty() => Vec::new(),
            stripped => stripped.unwrap_or(bytes).split(|byte| *byte == b'\n').collect(),
        };
        let first = self.taken + 1;
        let numbered = |(index, line): (usize, &&[u8])| {
            let stripped = line.strip_suffix(b"\r").unwrap_or(line);
            let is_short = line.len() <= LONGEST;
            answer(first + index as u64, is_short.then_some(stripped).ok_or_else(too_long))
        };
        let mut answers: Vec<T> =
            lines.par_iter().enumerate().with_min_len(SHARE).map(numbered).collect();
        self.taken += lines.len() as u64;
        self.bytes.drain(..self.whole);
        if self.skips {
            self.bytes.clear();
        } else if self.bytes.len() > LONGEST {
            self.taken += 1;
            answers.push(answer(self.taken, Err(too_long())));
            self.bytes.clear();
            self.skips = true;
        }
        answers
    }
}

fn too_long() -> Error {
    anyhow!("longer than {LONGEST} bytes")
}

/// An answer with its line break.
struct Answer {
    text: Vec<u8>,
    is_error: bool,
}

#[derive(Serialize)]
struct Clear {
    hit: bool,
}

#[derive(Serialize)]
struct Refusal {
    error: String,
}

impl Answer {
    fn to<Q: Question>(number: u64, line: Result<&[u8]>, around: &Surroundings) -> Self {
        let answered = line.and_then(|line| answer_line::<Q>(line, around));
        let is_error = answered.is_err();
        let text = answered.unwrap_or_else(|error| {
            let error = format!("line {number}: {error:#}");
            // A text and its name: nothing in it can fail to be written.
            serde_json::to_string(&Refusal { error }).unwrap_or_default()
        });
        let mut text = escape::json(text).into_bytes();
        text.push(b'\n');
        Self { text, is_error }
    }
}

fn answer_line<Q: Question>(line: &[u8], around: &Surroundings) -> Result<String> {
    match line.trim_ascii_start().first() {
        Some(b'{') => {}
        Some(_) => bail!("a question is a JSON object, such as {{\"capsule\": …}}"),
        None => bail!("there is no question on it"),
    }
    let line: Q::Line = serde_json::from_slice(line).map_err(|error| in_column(&error))?;
    let (question, triangles) = Q::read(line)?;
    let around = match &triangles {
        Some(triangles) => Around::Triangles(triangles),
        None => {
            around.all().context("there is no scene: give a SCENE, or \"triangles\" on the line")?
        }
    };
    Ok(match question.ask(around) {
        Some(answer) => serde_json::to_string(&answer)?,
        None => serde_json::to_string(&Clear { hit: false })?,
    })
}
