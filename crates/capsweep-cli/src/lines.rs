//! Input of many lines, from a file or from stdin: read in chunks and handled by all cores, in
//! bounded memory.

use crate::progress;
use anyhow::{Context, Error, Result, anyhow};
use indicatif::ProgressBar;
use rayon::prelude::*;
use std::fs::File;
use std::io::{self, IsTerminal, Read};
use std::path::Path;

/// Bytes per read, a few hundred lines. A pipe returns what it has, so a program that writes one
/// line at a time gets one answer at a time.
const CHUNK: usize = 1 << 18;

/// Longest line in bytes: room for some hundred thousand triangles.
const MAX_LINE: usize = 1 << 24;

/// Lines that one thread answers at a time.
const LINES_PER_TASK: usize = 32;

/// The file that a command reads line by line.
pub(crate) struct Input {
    /// Its name for messages.
    pub(crate) source: String,
    pub(crate) bytes: Box<dyn Read>,
    /// Hidden if the length is not known, or if the answers on the terminal show the progress.
    pub(crate) bar: ProgressBar,
}

impl Input {
    /// Opens a file, or stdin if `path` is `-`. `work` names the work for the progress bar.
    pub(crate) fn open(path: &Path, work: &str) -> Result<Self> {
        if path == Path::new("-") {
            let bytes = Box::new(io::stdin().lock());
            return Ok(Self { source: "stdin".to_owned(), bytes, bar: ProgressBar::hidden() });
        }
        let source = path.display().to_string();
        let unreadable = || format!("cannot read {source}");
        let file = File::open(path).with_context(unreadable)?;
        let length = file.metadata().with_context(unreadable)?.len();
        let bar = if length == 0 || io::stdout().is_terminal() {
            ProgressBar::hidden()
        } else {
            progress::bar(length, format!("{work} {source}"))
        };
        Ok(Self { source, bytes: Box::new(file), bar })
    }
}

/// A buffer of bytes that were read and not yet answered.
#[derive(Default)]
pub(crate) struct LineReader {
    bytes: Vec<u8>,
    /// End of the last complete line in `bytes`.
    complete: usize,
    /// Number of lines taken so far.
    pub(crate) taken: u64,
    /// Whether the rest of a line that is too long is still to come and to be skipped.
    is_skipping: bool,
    at_end: bool,
}

impl LineReader {
    /// Reads one chunk. Returns the number of bytes, 0 at the end of the input.
    pub(crate) fn fill(&mut self, input: &mut dyn Read) -> io::Result<usize> {
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
    pub(crate) fn map_lines<T: Send>(
        &mut self,
        answer: impl Fn(u64, Result<&[u8]>) -> T + Sync,
    ) -> Vec<T> {
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
