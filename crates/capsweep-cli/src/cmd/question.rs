//! One question from flags, or many from lines: the same for every kind.

use crate::args::AroundArgs;
use crate::lines;
use crate::load;
use crate::output::{self, Format, Outcome, Text};
use crate::plan;
use crate::query::{Question, Surroundings};
use anyhow::{Context, Result, bail};
use serde_json::json;

/// Asks what `question` makes of the flags, or what the lines say.
pub(crate) fn question<Q: Question>(
    around: &AroundArgs,
    format: Format,
    question: impl FnOnce() -> Result<Q>,
) -> Result<Outcome> {
    if let Some(lines) = &around.queries {
        return lines::answer::<Q>(lines, &surroundings(around)?);
    }
    let question = question()?;
    let surroundings = surroundings(around)?;
    let all = surroundings.all().with_context(|| {
        "nothing to ask: give a SCENE, or one or more of --triangle, --box, --sphere, --other-capsule, --half-space"
    })?;
    let answer = question.ask(all);
    match (&answer, format) {
        (Some(answer), Format::Text) => output::say(&answer.text())?,
        (Some(answer), Format::Json) => output::say_json(answer)?,
        (None, Format::Text) => output::say(Q::CLEAR)?,
        (None, Format::Json) => output::say_json(&json!({ "hit": false }))?,
    }
    Ok(if answer.is_some() { Outcome::Found } else { Outcome::Clear })
}

fn surroundings(args: &AroundArgs) -> Result<Surroundings> {
    let targets = plan::targets(&args.targets)?;
    match &args.scene {
        Some(_) if !targets.is_empty() => {
            bail!("a SCENE and targets exclude each other: ask them one after the other")
        }
        Some(path) => Ok(Surroundings::Level(load::level(path, &args.how)?)),
        None if targets.is_empty() => Ok(Surroundings::Lines),
        None => Ok(Surroundings::Targets(targets)),
    }
}
