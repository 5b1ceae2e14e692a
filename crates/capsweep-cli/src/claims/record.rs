//! Writes a walk as a log of claims, for `capsweep walk --claims`.

use crate::walk::character::Tick;
use crate::walk::leg::Leg;
use anyhow::{Context, Result};
use capsweep::controller::Controller;
use capsweep::scene::{Pose, Scene};
use capsweep_formats::whole_file;
use glam::{DQuat, DVec3};
use serde::Serialize;
use std::io::{self, Write};
use std::path::Path;

/// Seconds between two claims.
const INTERVAL: f64 = 0.1;

/// Writes the claims of a client that sends its position ten times a second.
pub(crate) fn write(
    path: &Path,
    (scene, controller): (&Scene, &Controller),
    legs: &[Leg],
    ticks: &[Tick],
) -> Result<()> {
    let lines = lines((scene, controller), legs, ticks)?;
    let write = |file: &mut dyn Write| -> io::Result<()> {
        for line in &lines {
            serde_json::to_writer(&mut *file, line)?;
            file.write_all(b"\n")?;
        }
        Ok(())
    };
    whole_file::write(path, write).with_context(|| format!("cannot write {}", path.display()))
}

/// The lines that a walk consists of.
#[derive(Serialize)]
#[serde(untagged)]
enum Line {
    Start { event: &'static str, feet: DVec3, velocity: DVec3, speeds: Speeds, height: f32 },
    Height { event: &'static str, height: f32 },
    Body { event: &'static str, body: u64, position: DVec3, rotation: DQuat },
    Claim { feet: DVec3, dt: f64 },
}

#[derive(Serialize)]
struct Speeds {
    ground: f64,
}

fn lines(
    (scene, controller): (&Scene, &Controller),
    legs: &[Leg],
    ticks: &[Tick],
) -> Result<Vec<Line>> {
    let Some(first) = ticks.first() else { return Ok(Vec::new()) };
    let state = &first.record.state;
    let mut height = state.total_height();
    let mut lines = vec![Line::Start {
        event: "start",
        feet: controller.feet(state),
        velocity: DVec3::ZERO,
        speeds: Speeds { ground: legs.iter().map(|leg| leg.speed).fold(0.0, f64::max) },
        height,
    }];
    let mut pose: Option<Pose> = None;
    let mut dt = 0.0;
    for (index, tick) in ticks.iter().enumerate() {
        let record = &tick.record;
        if record.state.total_height() != height {
            height = record.state.total_height();
            lines.push(Line::Height { event: "height", height });
        }
        dt += record.input.dt;
        // A claim comes before each change of height.
        let next = ticks.get(index + 1);
        let resizes = next.is_some_and(|next| next.record.state.total_height() != height);
        if dt < INTERVAL - 1e-9 && next.is_some() && !resizes {
            continue;
        }
        if let Some(carrier) = &record.input.carrier {
            let body = scene.body(carrier.body)?;
            let before = pose.or_else(|| body.instance().map(|(_, pose)| *pose));
            if before != Some(carrier.next) {
                pose = Some(carrier.next);
                lines.push(Line::Body {
                    event: "body",
                    body: body.key(),
                    position: carrier.next.position(),
                    rotation: carrier.next.rotation(),
                });
            }
        }
        lines.push(Line::Claim { feet: controller.feet(&record.outcome.state), dt });
        dt = 0.0;
    }
    Ok(lines)
}
