//! Wavefront OBJ: `v`, `f`, `o`, `g` and `usemtl`; everything else in a file is passed over.
//!
//! - All faces become one [`Model`], so that triangles of different groups are neighbours where they meet, and one
//!   [`Placement`] with the file's name. A polygon becomes a fan about its first corner; where that would leave
//!   it, as it is not convex, it is cut ear by ear. Convex polygons may have any number of
//!   corners, others 1024.
//! - A triangle's tag is named after its group or object and its material: `walls/brick`, or the one it has. Material
//!   files are not read: nothing in them matters here.
//! - Indices count from 1, or back from the newest vertex. A line ends with its line break, or goes on after a backslash.
//! - The text is UTF-8, with or without a byte-order mark. Names in other encodings are read as
//!   well as they can be.
//!
//! `tobj` reads the file, through `lines.rs`, which hands it the lines that matter one by one. So
//! every error about what is in the file names its line.

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
/// A number or an index that is none, a face of fewer than three corners, more than
/// [`Limits`](crate::Limits) allow, or no faces.
pub fn parse(source: &Source, options: &LoadOptions) -> Result<World, LoadError> {
    read(source, options).map_err(|fault| fault.in_file(source.path()))
}

fn read(source: &Source, options: &LoadOptions) -> Result<World, Fault> {
    let axes = Axes::of(options)?;
    if let [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] = source.bytes() {
        let what = "this is UTF-16 text: save it as UTF-8";
        return Err(Fault::from(Reason::Unsupported(what.to_owned())).at(|| "line 1".to_owned()));
    }
    let mut lines = Lines::new(source.bytes(), axes, &options.limits);
    let how = tobj::LoadOptions { triangulate: false, ..tobj::LoadOptions::default() };
    // No line that names a material file reaches tobj, so it asks for none.
    let no_materials = |_: &std::path::Path| Err(tobj::LoadError::OpenFileFailed);
    let parts = match tobj::load_obj_buf(&mut lines, &how, no_materials) {
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

/// Adds the triangles of one group, whose name is its tag's number.
fn append(model: &mut Model, part: &tobj::Model, axes: Axes) -> Result<(), Fault> {
    let tag: u32 = part.name.parse().map_err(|_| malformed("a group without its number"))?;
    let first = u32::try_from(model.vertices.len())
        .map_err(|_| malformed("more vertices than 32 bits can number"))?;
    let mesh = &part.mesh;
    let corners = mesh.positions.chunks_exact(3).map(Vec3::from_slice);
    model.vertices.extend(corners.map(|corner| axes.turn(corner)));
    // All faces are triangles by now.
    let (triangles, _) = mesh.indices.as_chunks::<3>();
    model.triangles.extend(triangles.iter().map(|corners| corners.map(|corner| first + corner)));
    model.tags.resize(model.triangles.len(), tag);
    Ok(())
}
