//! Traces: every move of a walk, as lines of JSON.
//!
//! The first line is a [`Head`]: which scene the moves belong to, and how many they are. Every other line is a [`TraceMove`] of the library. What moves in the
//! scene is in them too: the carrier that was given for the move says which body is where.

mod fingerprint;

pub(crate) use fingerprint::fingerprint;

use crate::json_error::in_column;
use anyhow::{Context, Result, anyhow, bail};
use capsweep::controller::TraceMove;
use capsweep::scene::Scene;
use capsweep_formats::whole_file;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};

/// The version of the format that is written and read.
const VERSION: u32 = 2;

/// Bytes of the longest line that is read: a move with a thousand contacts takes half of it.
const LONGEST_LINE: u64 = 1 << 20;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Head {
    capsweep_trace: u32,
    /// What the scene is called.
    pub(crate) scene: String,
    pub(crate) fingerprint: String,
    /// How many follow: a file that was cut off between two lines looks whole otherwise.
    pub(crate) moves: usize,
}

impl Head {
    pub(crate) fn new(scene: &str, fingerprint: &str, moves: usize) -> Self {
        let (scene, fingerprint) = (scene.to_owned(), fingerprint.to_owned());
        Self { capsweep_trace: VERSION, scene, fingerprint, moves }
    }
}

/// Writes a trace.
pub(crate) fn write<'a>(
    path: &Path,
    head: &Head,
    steps: impl Iterator<Item = &'a TraceMove>,
) -> Result<()> {
    let lines = |file: &mut dyn Write| -> io::Result<()> {
        line(file, head)?;
        for step in steps {
            line(file, step)?;
        }
        Ok(())
    };
    whole_file::write(path, lines).with_context(|| format!("cannot write {}", path.display()))
}

fn line(file: &mut dyn Write, value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *file, value)?;
    file.write_all(b"\n")
}

/// A trace that is read line by line.
pub(crate) struct Reader {
    file: BufReader<File>,
    path: PathBuf,
    /// The line that was read last, from 1.
    pub(crate) line: usize,
}

impl Reader {
    /// Opens a trace and reads its head.
    pub(crate) fn open(path: &Path) -> Result<(Self, Head)> {
        let file = File::open(path).with_context(|| path.display().to_string())?;
        let mut reader = Self { file: BufReader::new(file), path: path.to_owned(), line: 0 };
        let head: Option<Head> = reader.next().map_err(|error| {
            error.context("a trace begins with a line that names its scene; `capsweep walk --trace` writes one")
        })?;
        let head = head.ok_or_else(|| reader.error("the file is empty"))?;
        if head.capsweep_trace != VERSION {
            let version = head.capsweep_trace;
            let what =
                format!("this is a trace of version {version}; only version {VERSION} can be read");
            return Err(reader.error(&what));
        }
        Ok((reader, head))
    }

    /// The next move; `None` at the end.
    pub(crate) fn next_step(&mut self) -> Result<Option<TraceMove>> {
        self.next()
    }

    /// What is wrong, with where.
    pub(crate) fn error(&self, what: &str) -> anyhow::Error {
        anyhow!("{}: line {}: {what}", self.path.display(), self.line)
    }

    fn next<T: DeserializeOwned>(&mut self) -> Result<Option<T>> {
        self.line += 1;
        let mut text = Vec::new();
        let mut bounded = (&mut self.file).take(LONGEST_LINE);
        let read = bounded.read_until(b'\n', &mut text);
        let read = read.map_err(|error| self.error(&error.to_string()))?;
        if read == 0 {
            return Ok(None);
        }
        if read as u64 == LONGEST_LINE && !text.ends_with(b"\n") {
            bail!(self.error(&format!("longer than {LONGEST_LINE} bytes")));
        }
        match serde_json::from_slice(&text) {
            Ok(value) => Ok(Some(value)),
            Err(error) => Err(self.error(&in_column(&error).to_string())),
        }
    }
}

/// Puts what moves where it was when a move was made.
pub(crate) fn restore(scene: &mut Scene, step: &TraceMove) -> Result<()> {
    let Some(carrier) = &step.input.carrier else { return Ok(()) };
    let at = scene.body(carrier.body)?.instance().map(|(_, pose)| *pose);
    if at != Some(carrier.next) {
        scene.move_mesh(carrier.body, carrier.next)?;
    }
    Ok(())
}
