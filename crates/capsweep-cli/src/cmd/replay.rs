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

/// Moves whose differences are told; the others are counted.
const TOLD: usize = 10;

#[derive(Serialize)]
struct Replayed {
    same: bool,
    scene: String,
    moves: usize,
    differing: usize,
    /// Of the first moves that differ.
    differences: Vec<Differing>,
}

#[derive(Serialize)]
struct Differing {
    /// From 1; the trace has it one line further down.
    r#move: usize,
    parts: Vec<Part>,
}

#[derive(Serialize)]
struct Part {
    name: String,
    recorded: String,
    replayed: String,
}

pub(crate) fn replay(args: &ReplayArgs, format: Format) -> Result<Outcome> {
    let (mut trace, head) = Reader::open(&args.trace)?;
    let mut scene = scene_of(args, &head)?;
    let mut replayed =
        Replayed { same: true, scene: head.scene, moves: 0, differing: 0, differences: Vec::new() };
    while let Some(step) = trace.next_step()? {
        replayed.moves += 1;
        let again = again(&mut scene, &step).map_err(|error| trace.error(&format!("{error:#}")))?;
        if !again.is_empty() {
            replayed.same = false;
            replayed.differing += 1;
            if replayed.differences.len() < TOLD {
                let parts = again.into_iter().map(Part::from).collect();
                replayed.differences.push(Differing { r#move: replayed.moves, parts });
            }
        }
    }
    if replayed.moves != head.moves {
        let (found, told) = (replayed.moves, head.moves);
        let what = format!(
            "the trace ends after {found} moves and its first line tells of {told}: was it cut off?"
        );
        return Err(trace.error(&what));
    }
    match format {
        Format::Text => output::say(&replayed.text())?,
        Format::Json => output::say_json(&replayed)?,
    }
    Ok(if replayed.same { Outcome::Done } else { Outcome::Differs })
}

/// The scene that the trace belongs to, or an error that says which it is.
fn scene_of(args: &ReplayArgs, head: &Head) -> Result<Scene> {
    let (name, scene) = match &args.scene {
        Some(path) => (path.display().to_string(), load::level(path, &args.how)?.scene),
        None if head.scene == course::NAME => (course::NAME.to_owned(), Course::new()?.level.scene),
        None => {
            bail!("{} is a walk through {}: give that SCENE too", args.trace.display(), head.scene)
        }
    };
    let found = fingerprint(&scene);
    if found != head.fingerprint {
        bail!(
            "{} belongs to another scene than {name}: it was recorded in {} with fingerprint {}, this one has {found} \
             (was it read with other --up or --unit flags, or has it changed?)",
            args.trace.display(),
            head.scene,
            head.fingerprint,
        );
    }
    Ok(scene)
}

/// Makes a move again, with everything else where it was then.
fn again(scene: &mut Scene, step: &TraceMove) -> Result<Vec<Difference>> {
    restore(scene, step)?;
    Ok(step.replay(scene)?)
}

impl From<Difference> for Part {
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
        for Differing { r#move, parts } in &self.differences {
            let _ = write!(text, "\n  move {move}, line {}", r#move + 1);
            for Part { name, recorded, replayed } in parts {
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
