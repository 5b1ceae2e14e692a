use crate::args::BuildArgs;
use crate::output::{self, Format, Outcome, escape};
use crate::{load, outputs, progress};
use anyhow::{Context, Result};
use capsweep_formats::scene_file;
use serde::Serialize;

#[derive(Serialize)]
struct Built {
    file: String,
    bytes: u64,
}

pub(crate) fn build(args: &BuildArgs, format: Format) -> Result<Outcome> {
    outputs::check(&[&args.scene], &[&args.output])?;
    let level = load::level(&args.scene, &args.how)?;
    let file = args.output.display();
    let bar = progress::spinner(format!("writing {file}"));
    let written = scene_file::write(&args.output, &level.scene, &level.names);
    bar.finish_and_clear();
    let bytes = written.with_context(|| format!("cannot write {file}"))?;
    match format {
        Format::Text => {
            let file = file.to_string();
            output::say(&format!("{}: {bytes} bytes", escape::name(&file)))?;
        }
        Format::Json => output::say_json(&Built { file: file.to_string(), bytes })?,
    }
    Ok(Outcome::Done)
}
