//! The reports on the legs as a text table.

use super::report::{Flags, LegReport};
use crate::output::{escape, rounded};
use capsweep::persist::MapUnit;

/// A heading and one row per leg; no row ends in spaces.
pub(crate) fn table(reports: &[LegReport], unit: MapUnit) -> String {
    let heading = ["leg", "", "asked", "got", "feet then at", "on", "flags", "contacts"];
    let mut rows = vec![heading.map(str::to_owned)];
    rows.extend(reports.iter().map(|report| row(report, unit.symbol())));
    let widths: [usize; 8] = std::array::from_fn(|column| {
        rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0)
    });
    let lines = rows.iter().map(|row| {
        let cells = row.iter().zip(widths).enumerate().map(|(column, (cell, width))| {
            // Columns of numbers are right-aligned.
            if matches!(column, 0 | 2 | 3) {
                format!("{cell:>width$}")
            } else {
                format!("{cell:width$}")
            }
        });
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn row(report: &LegReport, unit: &str) -> [String; 8] {
    let place = report.to.to_array().map(|x| rounded(x, 2)).join(", ");
    let ground = report.ground.as_ref().map_or_else(
        || "the air".to_owned(),
        |ground| format!("{} {}°", escape::name(&ground.name), rounded(ground.slope_degrees, 0)),
    );
    [
        report.leg.to_string(),
        escape::name(&report.asked_for.name).into_owned(),
        format!("{} {unit}", rounded(report.asked, 2)),
        format!("{} {unit}", rounded(report.achieved, 2)),
        place,
        ground,
        flags(&report.flags, unit),
        contacts(report),
    ]
}

/// The flags as text. Times and lengths that round to 0 are left out.
pub(crate) fn flags(flags: &Flags, unit: &str) -> String {
    let mut words = Vec::new();
    if flags.jumped {
        words.push("jump".to_owned());
    }
    let times = [
        ("sides", flags.sides),
        ("above", flags.above),
        ("blocked", flags.blocked),
        ("air", flags.airborne),
        ("steep", flags.steep),
    ];
    for (word, seconds) in times.into_iter().filter(|(_, seconds)| *seconds >= 0.05) {
        words.push(format!("{word} {} s", rounded(seconds, 1)));
    }
    for (word, count) in [("step", flags.steps), ("snap", flags.snaps)] {
        if count > 0 {
            words.push(format!("{word} ×{count}"));
        }
    }
    for (word, length) in [("carried", flags.carried), ("pushed out", flags.recovered)] {
        if length >= 0.005 {
            words.push(format!("{word} {} {unit}", rounded(length, 2)));
        }
    }
    if flags.no_room {
        words.push("no room to stand".to_owned());
    }
    words.join(", ")
}

/// The names of the touched bodies, each once, with the number of their surfaces.
fn contacts(report: &LegReport) -> String {
    let mut counted: Vec<(&str, usize)> = Vec::new();
    for contact in &report.contacts {
        match counted.iter_mut().find(|(name, _)| *name == contact.name) {
            Some((_, count)) => *count += 1,
            None => counted.push((&contact.name, 1)),
        }
    }
    let words = counted.into_iter().map(|(name, count)| (escape::name(name), count));
    let words = words.map(|(name, count)| match count {
        1 => name.into_owned(),
        count => format!("{name} ×{count}"),
    });
    words.collect::<Vec<_>>().join(", ")
}
