//! Query lines: one JSON object per line (docs/query-lines.md), answered in order by all cores, in
//! bounded memory.

use crate::json_error::with_column;
use crate::lines::{Input, LineReader};
use crate::output::{self, Outcome, Pipe, escape};
use crate::query::{ClearAnswer, Query, QueryWorld, WorldRef};
use anyhow::{Context, Result, bail};
use serde::Serialize;
use std::path::Path;
use tracing::info;

/// Answers every line of `path`, or of stdin if `path` is `-`.
pub(crate) fn answer<Q: Query>(path: &Path, world: &QueryWorld) -> Result<Outcome> {
    let Input { source, mut bytes, bar } = Input::open(path, "answering")?;
    let unreadable = || format!("cannot read {source}");
    let mut reader = LineReader::default();
    let mut errors = 0;
    loop {
        let read = reader.fill(&mut *bytes).with_context(unreadable)?;
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
