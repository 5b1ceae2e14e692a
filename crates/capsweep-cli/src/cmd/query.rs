//! Every query command: one query from flags, or many from query lines.

use crate::args::{LiquidArgs, WorldArgs};
use crate::output::{self, Format, Outcome, Text};
use crate::query::{ClearAnswer, LiquidQuery, Query, QueryWorld};
use crate::{load, parse, query_lines};
use anyhow::{Context, Result, bail};
use std::path::Path;

/// Runs the query that `parse_flags` returns, or the query lines if `--queries` is given.
pub(crate) fn query<Q: Query>(
    args: &WorldArgs,
    format: Format,
    parse_flags: impl FnOnce() -> Result<Q>,
) -> Result<Outcome> {
    run(args.queries.as_deref(), format, || load_world(args), parse_flags)
}

/// Runs `capsweep liquid`, which queries levels only.
pub(crate) fn liquid(args: &LiquidArgs, format: Format) -> Result<Outcome> {
    let world = || load::level(&args.scene, &args.file_args).map(QueryWorld::Level);
    run::<LiquidQuery>(args.queries.as_deref(), format, world, || parse::liquid(args))
}

fn run<Q: Query>(
    lines: Option<&Path>,
    format: Format,
    load_world: impl FnOnce() -> Result<QueryWorld>,
    parse_flags: impl FnOnce() -> Result<Q>,
) -> Result<Outcome> {
    if let Some(lines) = lines {
        return query_lines::answer::<Q>(lines, &load_world()?);
    }
    // Bad flags are errors before a large scene loads.
    let query = parse_flags()?;
    let world = load_world()?;
    let world = world.as_ref().with_context(|| {
        "nothing to query: give a SCENE, or one or more of \
         --triangle, --box, --sphere, --other-capsule, --half-space"
    })?;
    if let Some(answer) = query.run(world) {
        output::print(format, &answer, || answer.text(world.unit()))?;
        Ok(Outcome::Found)
    } else {
        output::print(format, &ClearAnswer::VALUE, || Q::CLEAR.to_owned())?;
        Ok(Outcome::Clear)
    }
}

fn load_world(args: &WorldArgs) -> Result<QueryWorld> {
    let targets = parse::targets(&args.targets)?;
    match &args.scene {
        Some(_) if !targets.is_empty() => {
            bail!("a SCENE and targets exclude each other: run one command for each")
        }
        Some(path) => Ok(QueryWorld::Level(load::level(path, &args.file_args)?)),
        None if targets.is_empty() => Ok(QueryWorld::None),
        None => Ok(QueryWorld::Targets(targets)),
    }
}
