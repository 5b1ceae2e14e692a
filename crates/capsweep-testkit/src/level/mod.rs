//! Generated levels: the same bits every time, in metres with Z up, fronts towards the open air.
//!
//! They are made of what real levels are made of: rooms and corridors, stairs and ramps, tiles that meet in
//! T-junctions, boxes pushed against each other, hills, and many turned and stretched copies of small models.

mod build;
mod city;
mod dungeon;
mod instances;
mod random;
mod stairs;
mod terrain;
mod tiles;

pub use city::city_block;
pub use dungeon::dungeon;
pub use instances::{Instances, instances};
pub use stairs::stairs;
pub use terrain::terrain;
pub use tiles::{Joints, tiled_floor};

/// Vertices, and triangles as indices into them; counter-clockwise is the front.
pub type Mesh = (Vec<glam::Vec3>, Vec<[u32; 3]>);
