//! Generated levels, with the same bits on every platform: metres, Z up, fronts towards free
//! space.
//!
//! They have the parts of real levels: rooms and corridors, stairs and ramps, tiles with
//! T-junctions, adjacent boxes, hills, and many rotated and stretched instances of small meshes.

pub(crate) mod build;
mod city;
mod dungeon;
pub(crate) mod instances;
pub(crate) mod noise;
mod obj;
mod stairs;
mod terrain;
mod tiles;

pub use city::city_block;
pub use dungeon::dungeon;
pub use instances::{Instances, instances};
pub use obj::from_obj;
pub use stairs::stairs;
pub use terrain::{terrain, terrain_field};
pub use tiles::{Joints, tiled_floor};

/// Vertices, and triangles as indices into them; counter-clockwise is the front.
pub type Mesh = (Vec<glam::Vec3>, Vec<[u32; 3]>);
