//! glTF 2.0, as text (`.gltf`) or binary (`.glb`).
//!
//! - A mesh becomes a [`Model`](crate::Model); triangles of double-sided materials are
//!   double-sided. Each node with a mesh becomes a [`Placement`](crate::Placement) with the node's
//!   name. The nodes are those of the default scene, or else of the first scene, or else all.
//! - Positions, rotations and scales of nodes, non-uniform and mirrored, go into the placement's
//!   pose. A rotated node inside an unevenly scaled one has **shear**, which a pose cannot hold.
//!   Such a placement gets a model of its own, with the shear in its vertices.
//! - A node has a matrix or a translation, rotation and scale, not both. A matrix is affine
//!   (bottom row 0, 0, 0, 1). A mesh must keep three dimensions: a transform of rank 0, 1 or 2,
//!   such as a scale of 0, is an error that names the node. A flattened mesh would have no
//!   inside, and its two faces would coincide. Nodes without triangles may have any rank.
//! - Triangles, strips and fans are read, with indices of 8, 16 or 32 bits or none. Points and
//!   lines are skipped. Positions may be quantised (`KHR_mesh_quantization`) and sparse. Skins and
//!   morph targets are not applied.
//! - A triangle's tag is named after its material.
//! - Buffers may be in the file, in `data:` URIs, or in files in the same folder or below.
//! - `asset.version` must be 2.x, and `asset.minVersion` at most 2.0 if present.
//! - A file that requires an extension which may change triangles (compression, instancing) is
//!   refused.
//!
//! The `gltf` crate parses the JSON and splits the binary file. This module follows the references
//! in the JSON and checks each of them.

mod accessor;
mod buffers;
mod document;
mod mesh;
mod nodes;
mod transform;

use crate::error::{Fault, LoadError, Reason};
use crate::source::Source;
use crate::{LoadOptions, World};
use buffers::Buffers;
use document::Document;
use nodes::WorldBuilder;

/// Reads a world from a glTF file's bytes.
///
/// # Errors
/// If the file is damaged, has a dangling reference, uses an unsupported feature, is larger than
/// [`Limits`](crate::Limits) allow, or has no triangles.
pub fn parse(source: &Source, options: &LoadOptions) -> Result<World, LoadError> {
    read(source, options).map_err(|fault| fault.in_file(source.path()))
}

fn read(source: &Source, options: &LoadOptions) -> Result<World, Fault> {
    let document = Document::read(source.bytes(), &options.limits)?;
    let buffers = Buffers::read(&document, source, &options.limits)?;
    let world = WorldBuilder::new(&document.root, &buffers, options)?.build()?;
    if world.triangle_count() == 0 { Err(Reason::Empty.into()) } else { Ok(world) }
}
