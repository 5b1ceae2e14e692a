//! Wavefront OBJ: reads `v`, `f`, `o`, `g` and `usemtl`, and skips all other lines.
//!
//! - All faces become one [`Model`], so that triangles of different groups are neighbours where
//!   they meet. It has one [`Placement`] with the file's name.
//! - A polygon becomes a fan around its first corner. If the fan would leave the polygon, because
//!   it is not convex, ears are cut instead. Convex polygons may have any number of corners,
//!   others at most 1024.
//! - A triangle's tag is named after its group or object and its material: `walls/brick`, or just
//!   the one that is set. Material files are not read.
//! - Indices count from 1, or back from the newest vertex. A backslash at the end continues a
//!   line.
//! - The text is UTF-8, with or without a byte-order mark. Invalid bytes in names are replaced.
//!
//! `tobj` parses the output of `lines.rs`, one normalised line after the other. So every error
//! about the content names its line.

mod lines;
mod polygon;

use crate::axes::Axes;
use crate::error::{Fault, LoadError, Reason, malformed};
use crate::source::Source;
use crate::{LoadOptions, Model, Placement, World};
use capsweep::scene::Pose;
use glam::{DQuat, DVec3, Vec3};
use lines::Lines;

/// Reads a world from an OBJ file's bytes.
///
/// # Errors
/// If a number or an index is invalid, a face has fewer than three corners, the file exceeds
/// [`Limits`](crate::Limits), or there are no faces.
pub fn parse(source: &Source, options: &LoadOptions) -> Result<World, LoadError> {
    read(source, options).map_err(|fault| fault.in_file(source.path()))
}

fn read(source: &Source, options: &LoadOptions) -> Result<World, Fault> {
    let axes = Axes::from_options(options)?;
    if let [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] = source.bytes() {
        let message = "this is UTF-16 text: save it as UTF-8";
        return Err(
            Fault::from(Reason::Unsupported(message.to_owned())).at(|| "line 1".to_owned())
        );
    }
    let mut lines = Lines::new(source.bytes(), axes, &options.limits);
    let settings = tobj::LoadOptions { triangulate: false, ..tobj::LoadOptions::default() };
    // `Lines` drops references to material files, so tobj never calls this.
    let no_materials = |_: &std::path::Path| Err(tobj::LoadError::OpenFileFailed);
    let parts = match tobj::load_obj_buf(&mut lines, &settings, no_materials) {
        Ok((parts, _)) => parts,
        Err(error) => {
            let fault = lines.fault.take().unwrap_or_else(|| malformed(error.to_string()));
            return Err(fault.at(|| format!("line {}", lines.number)));
        }
    };
    let mut model = Model { name: source.stem(), ..Model::default() };
    for part in parts {
        append(&mut model, &part, axes)?;
    }
    if model.triangles.is_empty() {
        return Err(Reason::Empty.into());
    }
    let pose = Pose::uniform(DVec3::ZERO, DQuat::IDENTITY, axes.unit())
        .map_err(|error| Fault::from(Reason::Pose(error)))?;
    let placement = Placement { name: source.stem(), model: 0, pose };
    Ok(World::new(vec![model], vec![placement], lines.into_names()))
}

/// Appends the triangles of one group. The group's name is the number of its tag.
fn append(model: &mut Model, part: &tobj::Model, axes: Axes) -> Result<(), Fault> {
    let tag: u32 = part.name.parse().map_err(|_| malformed("a group without its number"))?;
    let first = u32::try_from(model.vertices.len())
        .map_err(|_| malformed("more vertices than 32 bits can number"))?;
    let mesh = &part.mesh;
    let corners = mesh.positions.chunks_exact(3).map(Vec3::from_slice);
    model.vertices.extend(corners.map(|corner| axes.rotate(corner)));
    // `Lines` has triangulated all faces.
    let (triangles, _) = mesh.indices.as_chunks::<3>();
    model.triangles.extend(triangles.iter().map(|corners| corners.map(|corner| first + corner)));
    model.tags.resize(model.triangles.len(), tag);
    Ok(())
}
