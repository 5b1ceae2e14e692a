//! The flags for the axes and units of a scene's file.

use anyhow::{Result, bail};
use capsweep_formats::{LoadOptions, UpAxis};
use clap::{Args, ValueEnum};

#[derive(Debug, Args)]
#[command(next_help_heading = "Conventions of the SCENE file")]
pub(crate) struct FileArgs {
    /// Up axis of the file; loading turns it to z [default: y, as in OBJ and glTF]
    #[arg(long, value_enum)]
    up: Option<UpArg>,

    /// Length unit of the file: m, cm, mm, km, in, ft, yd, or a number of metres [default: m]
    #[arg(long, value_name = "UNIT", value_parser = metres)]
    unit: Option<f64>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum UpArg {
    /// Y up, Z towards the viewer
    Y,
    /// Z up
    Z,
}

impl FileArgs {
    pub(crate) fn options(&self) -> LoadOptions {
        let up = self.up.map(|up| match up {
            UpArg::Y => UpAxis::Y,
            UpArg::Z => UpAxis::Z,
        });
        LoadOptions { up, unit: self.unit, ..LoadOptions::default() }
    }
}

/// Parses a unit: its length in metres.
fn metres(text: &str) -> Result<f64> {
    Ok(match text {
        "m" => 1.0,
        "cm" => 0.01,
        "mm" => 0.001,
        "km" => 1000.0,
        "in" => 0.0254,
        "ft" => 0.3048,
        "yd" => 0.9144,
        number => match number.parse() {
            Ok(metres) => metres,
            Err(_) => bail!("neither a unit (m, cm, mm, km, in, ft, yd) nor a number of metres"),
        },
    })
}
