//! The chart of sweep times: a panel per mesh, a group per kind of sweep, a bar per engine.

use super::input::{Speed, display_name, distinct};
use std::fmt::Write as _;

/// The sweeps, with their lengths.
const SWEEPS: [(&str, &str); 4] =
    [("step", "0.13 m"), ("dash", "5 m"), ("drop", "2 m down"), ("long", "50 m")];

/// Engines from left to right, with colours that differ in greyscale and for colour-blind readers.
const ENGINES: [(&str, &str); 3] =
    [("capsweep", "#0b6e4f"), ("physx", "#e0a526"), ("parry", "#b7bec6")];

/// Pixels.
const PANEL: (f64, f64) = (420.0, 210.0);
const COLUMNS: usize = 2;
const HEAD: f64 = 70.0;
const PLOT: (f64, f64) = (360.0, 130.0);

/// Largest bar relative to the longest of capsweep and `PhysX` (no unit).
const HEADROOM: f64 = 1.35;

/// The chart.
pub(super) fn svg(measured: &Speed) -> String {
    let meshes = distinct(measured.cells.iter().map(|cell| cell.mesh.as_str()));
    let width = PANEL.0 * COLUMNS as f64;
    let height = HEAD + PANEL.1 * meshes.len().div_ceil(COLUMNS) as f64 + 30.0;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"sans-serif\" font-size=\"12\" fill=\"#222\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n"
    );
    text(
        &mut svg,
        (24.0, 28.0),
        "font-size=\"17\" font-weight=\"bold\"",
        "Microseconds a capsule sweep: shorter is faster. A gap in a bar: it is cut",
    );
    for (index, (engine, colour)) in ENGINES.into_iter().enumerate() {
        let x = 24.0 + 110.0 * index as f64;
        _ = writeln!(
            svg,
            "<rect x=\"{x}\" y=\"42\" width=\"14\" height=\"14\" fill=\"{colour}\"/>"
        );
        text(&mut svg, (x + 20.0, 54.0), "", display_name(engine));
    }
    for (index, mesh) in meshes.iter().enumerate() {
        let corner =
            (PANEL.0 * (index % COLUMNS) as f64 + 24.0, HEAD + PANEL.1 * (index / COLUMNS) as f64);
        panel(&mut svg, measured, mesh, corner);
    }
    let line = measured.machine.line();
    text(&mut svg, (24.0, height - 12.0), "font-size=\"9\" fill=\"#666\"", &line);
    svg + "</svg>\n"
}

fn panel(svg: &mut String, measured: &Speed, mesh: &str, (left, top): (f64, f64)) {
    let us = |query: &str, engine: &str| {
        let found = |cell: &&super::input::SpeedCell| {
            cell.mesh == mesh && cell.query == query && cell.engine == engine
        };
        measured.cells.iter().find(found).map(|cell| cell.ns / 1e3)
    };
    let triangles = measured.builds.iter().find(|build| build.mesh == mesh);
    let size = triangles.map_or(0, |build| build.triangles);
    text(svg, (left, top + 20.0), "font-weight=\"bold\"", &format!("{mesh}, {size} triangles"));
    // Parry's bars are several times as long. They are cut, so that the others stay readable.
    let near = ENGINES.iter().filter(|(engine, _)| *engine != "parry");
    let largest = near
        .flat_map(|(engine, _)| SWEEPS.iter().filter_map(|(query, _)| us(query, engine)))
        .fold(0.0, f64::max)
        * HEADROOM;
    let floor = top + 34.0 + PLOT.1;
    let group = PLOT.0 / SWEEPS.len() as f64;
    let bar = group / (ENGINES.len() as f64 + 0.6);
    for (index, (query, length)) in SWEEPS.into_iter().enumerate() {
        let start = left + group * index as f64;
        for (place, (engine, colour)) in ENGINES.into_iter().enumerate() {
            let Some(time) = us(query, engine) else { continue };
            let (x, share) = (start + bar * place as f64, time / largest);
            let height = (PLOT.1 - 14.0) * share.min(1.0);
            let y = floor - height;
            let width = bar - 2.0;
            _ = writeln!(
                svg,
                "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" \
                 height=\"{height:.1}\" fill=\"{colour}\"/>"
            );
            if share > 1.0 {
                let (low, high, end) = (y + 14.0, y + 8.0, x + width);
                let points = format!(
                    "{x:.1},{low:.1} {end:.1},{high:.1} {end:.1},{:.1} {x:.1},{:.1}",
                    high + 4.0,
                    low + 4.0
                );
                _ = writeln!(svg, "<polygon points=\"{points}\" fill=\"#fff\"/>");
            }
            let middle = (x + 0.5 * width, y - 3.0);
            let digits = if time < 10.0 { 2 } else { 1 };
            text(
                svg,
                middle,
                "font-size=\"8\" text-anchor=\"middle\"",
                &format!("{time:.digits$}"),
            );
        }
        text(svg, (start, floor + 15.0), "", query);
        text(svg, (start + 34.0, floor + 15.0), "font-size=\"9\" fill=\"#666\"", length);
    }
    let right = left + PLOT.0;
    _ = writeln!(
        svg,
        "<line x1=\"{left}\" y1=\"{floor}\" x2=\"{right}\" y2=\"{floor}\" stroke=\"#222\"/>"
    );
}

fn text(svg: &mut String, (x, y): (f64, f64), style: &str, words: &str) {
    let words = words.replace('&', "&amp;").replace('<', "&lt;");
    _ = writeln!(svg, "<text x=\"{x:.1}\" y=\"{y:.1}\" {style}>{words}</text>");
}
