//! Logs of claimed moves, for `capsweep validate`; `docs/claim-lines.md` describes their lines.
//!
//! [`line`] parses, [`chain`] judges the claims of one character, and [`log`] those of all. The
//! [`report`] writes the answers. [`ways`] keeps what pictures need. [`record`] writes a walk as a
//! log.

mod bodies;
pub(crate) mod chain;
pub(crate) mod key;
mod line;
pub(crate) mod log;
pub(crate) mod record;
pub(crate) mod report;
pub(crate) mod ways;

use crate::lines::{Input, LineReader};
use crate::output::{self, Pipe};
use anyhow::{Context, Result};
use line::Line;
use log::{Answer, Log};
use report::{Reporter, Summary};
use std::path::Path;
use ways::Ways;

/// Judges every line of `path`, or of stdin if `path` is `-`, and prints the answers.
pub(crate) fn judge(
    path: &Path,
    log: &mut Log,
    reporter: &Reporter,
    mut ways: Option<&mut Ways>,
) -> Result<Summary> {
    let Input { source, mut bytes, bar } = Input::open(path, "judging")?;
    let mut reader = LineReader::default();
    let mut summary = Summary::default();
    loop {
        let read = reader.fill(&mut *bytes).with_context(|| format!("cannot read {source}"))?;
        let lines = reader.map_lines(|number, line| (number, line.and_then(Line::parse)));
        let answers: Vec<Answer> = log.answer(lines);
        let mut text = String::new();
        for answer in &answers {
            summary.add(answer);
            text += &reporter.line(log.level(), answer)?;
            if let Some(ways) = &mut ways {
                ways.add(answer);
            }
        }
        if !text.is_empty() && output::write(text.as_bytes())? == Pipe::Closed {
            break;
        }
        bar.inc(read as u64);
        if read == 0 {
            break;
        }
    }
    bar.finish_and_clear();
    Ok(summary)
}

/// Judges a log in a unit test.
#[cfg(test)]
pub(crate) fn judge_text(log: &mut Log, text: &str) -> (Summary, Ways) {
    let parse = |line: &str| Line::parse(line.as_bytes());
    let lines = text.lines().zip(1..).map(|(line, number)| (number, parse(line))).collect();
    let (mut summary, mut ways) = (Summary::default(), Ways::default());
    for answer in log.answer(lines) {
        summary.add(&answer);
        ways.add(&answer);
    }
    ways.finish();
    (summary, ways)
}
