//! Runs `capsweep replay`: repeats the moves of a trace and compares their bits.

use crate::args::ReplayArgs;
use crate::course::{self, Course};
use crate::load;
use crate::output::{self, Format, Outcome, escape};
use crate::trace::{Head, Reader, fingerprint, restore};
use anyhow::{Result, bail};
use capsweep::controller::{Difference, TraceMove};
use capsweep::scene::Scene;
use serde::Serialize;
use std::fmt::Write;

/// Moves whose differences are listed; further ones are only counted.
const LISTED: usize = 10;

#[derive(Serialize)]
struct Replayed {
    same: bool,
    scene: String,
    moves: usize,
    differing: usize,
    /// The differences of the first moves that differ.
    differences: Vec<MoveDifferences>,
}

#[derive(Serialize)]
struct MoveDifferences {
    /// Number of the move, from 1; it is one line further down in the trace.
    r#move: usize,
    parts: Vec<PartDifference>,
}

#[derive(Serialize)]
struct PartDifference {
    name: String,
    recorded: String,
    replayed: String,
}

pub(crate) fn replay(args: &ReplayArgs, format: Format) -> Result<Outcome> {
    let (mut trace, head) = Reader::open(&args.trace)?;
    let mut scene = load_scene(args, &head)?;
    let mut replayed = Replayed {
        same: true,
        scene: head.scene,
        moves: 0,
        differing: 0,
        differences: Vec::new(),
    };
    while let Some(recorded) = trace.next_move()? {
        replayed.moves += 1;
        let differences = replay_move(&mut scene, &recorded)
            .map_err(|error| trace.error(&format!("{error:#}")))?;
        if !differences.is_empty() {
            replayed.same = false;
            replayed.differing += 1;
            if replayed.differences.len() < LISTED {
                let parts = differences.into_iter().map(PartDifference::from).collect();
                replayed.differences.push(MoveDifferences { r#move: replayed.moves, parts });
            }
        }
    }
    if replayed.moves != head.moves {
        let (found, declared) = (replayed.moves, head.moves);
        let what = format!(
            "the trace ends after {found} moves, but its first line declares {declared}: \
             was it cut off?"
        );
        return Err(trace.error(&what));
    }
    output::print(format, &replayed, || replayed.text())?;
    Ok(if replayed.same { Outcome::Done } else { Outcome::Differs })
}

/// The scene of the trace. A scene with another fingerprint is an error.
fn load_scene(args: &ReplayArgs, head: &Head) -> Result<Scene> {
    let (name, level) = match &args.scene {
        Some(path) => (path.display().to_string(), load::level(path, &args.file_args)?),
        None if head.scene == course::NAME => (course::NAME.to_owned(), Course::new()?.level),
        None => {
            bail!("{} is a walk through {}: give that SCENE too", args.trace.display(), head.scene)
        }
    };
    let found = fingerprint(&level);
    if found != head.fingerprint {
        bail!(
            "{} belongs to another scene than {name}: it was recorded in {} with fingerprint {}, \
             this one has {found} (were --up and --unit the same, and is the file unchanged?)",
            args.trace.display(),
            head.scene,
            head.fingerprint,
        );
    }
    Ok(level.scene)
}

/// Repeats a move with the moving body at its recorded pose. Returns what differs.
fn replay_move(scene: &mut Scene, recorded: &TraceMove) -> Result<Vec<Difference>> {
    restore(scene, recorded)?;
    Ok(recorded.replay(scene)?)
}

impl From<Difference> for PartDifference {
    fn from(difference: Difference) -> Self {
        let [recorded, replayed] =
            [difference.recorded(), difference.replayed()].map(|value| format!("{value:?}"));
        Self { name: difference.part().into_owned(), recorded, replayed }
    }
}

impl Replayed {
    fn text(&self) -> String {
        let Self { scene, moves, differing, .. } = self;
        let scene = escape::name(scene);
        if self.same {
            return format!("{moves} moves through {scene}: the same bits");
        }
        let mut text = format!("{differing} of {moves} moves through {scene} differ");
        for MoveDifferences { r#move, parts } in &self.differences {
            let _ = write!(text, "\n  move {move}, line {}", r#move + 1);
            for PartDifference { name, recorded, replayed } in parts {
                let [name, recorded, replayed] =
                    [name, recorded, replayed].map(|t| escape::name(t));
                let _ = write!(
                    text,
                    "\n    {name}\n      recorded {recorded}\n      replayed {replayed}"
                );
            }
        }
        if *differing > self.differences.len() {
            let _ = write!(text, "\n  and {} more", differing - self.differences.len());
        }
        text
    }
}
