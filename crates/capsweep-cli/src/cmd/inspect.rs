//! Runs `capsweep inspect`: prints the content and the defects of a level.

use crate::args::InspectArgs;
use crate::inspect::{DefectTriangle, Finding, Inspection, Mesh};
use crate::map_report::MapReport;
use crate::output::{self, Format, Outcome, Rows, bytes, count, escape, list};
use crate::{load, progress};
use anyhow::Result;
use capsweep_formats::map_file::Map;

pub(crate) fn inspect(args: &InspectArgs, format: Format) -> Result<Outcome> {
    let level = load::level(&args.scene, &args.file_args)?;
    if let Some(map) = &level.map {
        return inspect_map(args, map, format);
    }
    let bar = progress::spinner("inspecting");
    let inspection = Inspection::new(&level);
    bar.finish_and_clear();
    output::print(format, &inspection, || {
        let file = args.scene.display().to_string();
        let heading = format!("{}: {}", escape::name(&file), summary(&inspection));
        let mut parts = vec![totals(&inspection).under(&heading)];
        parts.extend(inspection.meshes.iter().enumerate().map(|(i, mesh)| mesh_text(i, mesh)));
        parts.join("\n")
    })?;
    Ok(Outcome::Done)
}

/// Prints the content of a map, without loading its surfaces.
fn inspect_map(args: &InspectArgs, map: &Map, format: Format) -> Result<Outcome> {
    let file = args.scene.display().to_string();
    let bytes = args.scene.metadata().map_or(0, |metadata| metadata.len());
    let report = MapReport::new(file, bytes, map.file().unit(), map.notes());
    output::print(format, &report, || {
        let (heading, mut rows) = report.rows();
        for line in report.missing_lines() {
            rows = rows.row("missing", line);
        }
        rows.under(&heading)
    })?;
    Ok(Outcome::Done)
}

fn summary(inspection: &Inspection) -> String {
    let instances = count(inspection.instances, "instance", "instances");
    let meshes = count(inspection.meshes.len(), "mesh", "meshes");
    let shapes = match inspection.shapes {
        0 => String::new(),
        shapes => format!(", {}", count(shapes, "shape", "shapes")),
    };
    format!("{instances} of {meshes}{shapes}")
}

fn totals(inspection: &Inspection) -> Rows {
    let Inspection { triangles, placed_triangles, memory, .. } = inspection;
    let rows = Rows::default()
        .row("triangles", format!("{triangles}, {placed_triangles} in all instances"));
    let rows = match &inspection.bounds {
        Some(bounds) => {
            rows.row("bounds", format!("{} to {} m", list(bounds.min), list(bounds.max)))
        }
        None => rows,
    };
    rows.row("memory", bytes(*memory as u64))
}

fn mesh_text(index: usize, mesh: &Mesh) -> String {
    let Mesh { triangles, memory, tree, .. } = mesh;
    let name = mesh.name.as_ref().map(|name| format!(" {name:?}")).unwrap_or_default();
    let sides = match (mesh.double_sided, mesh.double_sided_triangles) {
        (true, _) => "double-sided".to_owned(),
        (false, 0) => "one-sided".to_owned(),
        (false, some) => format!("{some} of them double-sided"),
    };
    let each = *memory as f64 / (*triangles).max(1) as f64;
    let rows = Rows::default()
        .row("memory", format!("{}, {each:.0} bytes a triangle", bytes(*memory as u64)))
        .row(
            "tree",
            format!(
                "{}, {} ({:.0} % full), {}",
                count(tree.nodes, "node", "nodes"),
                count(tree.leaves, "leaf", "leaves"),
                100.0 * tree.fill,
                count(tree.levels, "level", "levels"),
            ),
        )
        .row(
            "per random ray",
            format!(
                "{:.1} nodes, {:.1} leaves on average",
                tree.nodes_on_a_line, tree.leaves_on_a_line
            ),
        );
    let rows = mesh
        .findings
        .iter()
        .fold(rows, |rows, finding| rows.row(finding.what, finding_text(finding)));
    let rows =
        if mesh.findings.is_empty() { rows.row("findings", "none".to_owned()) } else { rows };
    let triangles = count(*triangles, "triangle", "triangles");
    let instances = count(mesh.instances, "instance", "instances");
    rows.under(&format!("mesh {index}{name}: {triangles}, {sides}, {instances}"))
}

/// Triangles listed per finding; --json lists all.
const SHOWN: usize = 3;

fn finding_text(finding: &Finding) -> String {
    let place =
        |defect: &DefectTriangle| format!("triangle {} at {} m", defect.triangle, list(defect.at));
    let shown: Vec<_> = finding.triangles.iter().take(SHOWN).map(place).collect();
    let more = match finding.triangles.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!("; {more} more with --json"),
    };
    let triangles = match finding.triangles.len() {
        triangles if triangles == finding.count => String::new(),
        triangles => format!(", at {}", count(triangles, "triangle", "triangles")),
    };
    format!("{}{triangles}: {}{more}", finding.count, shown.join("; "))
}
