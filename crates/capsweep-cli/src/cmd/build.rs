use crate::args::BuildArgs;
use crate::output::{self, Format, Outcome};
use crate::{load, progress};
use anyhow::{Context, Result};
use capsweep_formats::scene_file;
use serde::Serialize;

#[derive(Serialize)]
struct Built {
    file: String,
    bytes: u64,
}

pub(crate) fn build(args: &BuildArgs, format: Format) -> Result<Outcome> {
    let level = load::level(&args.scene, &args.how)?;
    let file = args.output.display();
    let bar = progress::spinner(format!("writing {file}"));
    let written = scene_file::write(&args.output, &level.scene, &level.names);
    bar.finish_and_clear();
    let bytes = written.with_context(|| format!("cannot write {file}"))?;
    match format {
        Format::Text => output::say(&format!("{file}: {bytes} bytes"))?,
        Format::Json => output::say_json(&Built { file: file.to_string(), bytes })?,
    }
    Ok(Outcome::Done)
}
