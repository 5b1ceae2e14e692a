//! Traces: the moves of a walk as lines of JSON.
//!
//! The first line is a [`Head`]: the scene and the number of moves. Every other line is a
//! [`TraceMove`] of the library. The carrier in its input holds the pose of the moving body.

mod fingerprint;

pub(crate) use fingerprint::fingerprint;

use crate::json_error::with_column;
use anyhow::{Context, Result, anyhow, bail};
use capsweep::controller::TraceMove;
use capsweep::scene::Scene;
use capsweep_formats::whole_file;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};

/// The only format version that this command writes and reads.
const VERSION: u32 = 3;

/// Longest line in bytes: twice a move with a thousand contacts.
const MAX_LINE: u64 = 1 << 20;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Head {
    capsweep_trace: u32,
    /// Name of the scene.
    pub(crate) scene: String,
    pub(crate) fingerprint: String,
    /// Number of moves that follow. It reveals a file that was cut off between two lines.
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
    moves: impl Iterator<Item = &'a TraceMove>,
) -> Result<()> {
    let lines = |file: &mut dyn Write| -> io::Result<()> {
        line(file, head)?;
        for one in moves {
            line(file, one)?;
        }
        Ok(())
    };
    whole_file::write(path, lines).with_context(|| format!("cannot write {}", path.display()))
}

fn line(file: &mut dyn Write, value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *file, value)?;
    file.write_all(b"\n")
}

/// Reads a trace line by line.
pub(crate) struct Reader {
    file: BufReader<File>,
    path: PathBuf,
    /// Number of the last line read, from 1.
    line: usize,
}

impl Reader {
    /// Opens a trace and reads its head.
    pub(crate) fn open(path: &Path) -> Result<(Self, Head)> {
        let file = File::open(path).with_context(|| path.display().to_string())?;
        let mut reader = Self { file: BufReader::new(file), path: path.to_owned(), line: 0 };
        let head: Option<Head> = reader.next().map_err(|error| {
            error.context(
                "a trace begins with a line that names its scene; \
                 `capsweep walk --trace` writes one",
            )
        })?;
        let head = head.ok_or_else(|| reader.error("the file is empty"))?;
        if head.capsweep_trace != VERSION {
            let version = head.capsweep_trace;
            let what = format!(
                "this is a trace of version {version}; only version {VERSION} can be read"
            );
            return Err(reader.error(&what));
        }
        Ok((reader, head))
    }

    /// The next move; `None` at the end.
    pub(crate) fn next_move(&mut self) -> Result<Option<TraceMove>> {
        self.next()
    }

    /// An error at the current line.
    pub(crate) fn error(&self, what: &str) -> anyhow::Error {
        anyhow!("{}: line {}: {what}", self.path.display(), self.line)
    }

    fn next<T: DeserializeOwned>(&mut self) -> Result<Option<T>> {
        self.line += 1;
        let mut text = Vec::new();
        let mut bounded = (&mut self.file).take(MAX_LINE);
        let read = bounded.read_until(b'\n', &mut text);
        let read = read.map_err(|error| self.error(&error.to_string()))?;
        if read == 0 {
            return Ok(None);
        }
        if read as u64 == MAX_LINE && !text.ends_with(b"\n") {
            bail!(self.error(&format!("longer than {MAX_LINE} bytes")));
        }
        match serde_json::from_slice(&text) {
            Ok(value) => Ok(Some(value)),
            Err(error) => Err(self.error(&with_column(&error).to_string())),
        }
    }
}

/// Puts the moving body at its pose during a recorded move.
pub(crate) fn restore(scene: &mut Scene, recorded: &TraceMove) -> Result<()> {
    let Some(carrier) = &recorded.input.carrier else { return Ok(()) };
    let current = scene.body(carrier.body)?.instance().map(|(_, pose)| *pose);
    if current != Some(carrier.next) {
        scene.move_mesh(carrier.body, carrier.next)?;
    }
    Ok(())
}
