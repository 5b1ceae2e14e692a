//! World of Warcraft's internal axes, and the world's (rule 12.5).
//!
//! Internal: X north, Y west, Z up. World: X east, Y north, Z up. Between them lies a quarter turn
//! about Z, so lengths, windings and Z stay, and every conversion is exact: there and back gives
//! the same bits.

use glam::DVec3;

/// A position in internal axes, in world axes.
pub fn internal_to_world(internal: DVec3) -> DVec3 {
    DVec3::new(-internal.y, internal.x, internal.z)
}

/// A position in world axes, in internal axes.
pub fn world_to_internal(world: DVec3) -> DVec3 {
    DVec3::new(world.y, -world.x, world.z)
}

/// A direction in internal axes, in world axes.
pub fn internal_dir_to_world(internal: DVec3) -> DVec3 {
    internal_to_world(internal)
}

/// A direction in world axes, in internal axes.
pub fn world_dir_to_internal(world: DVec3) -> DVec3 {
    world_to_internal(world)
}
