//! Conversions between the internal axes of World of Warcraft and world axes.
//!
//! Internal: X north, Y west, Z up. World: X east, Y north, Z up. They differ by a quarter turn
//! about Z, so lengths, windings and Z stay. Every conversion is exact: there and back gives the
//! same bits.

use glam::DVec3;

/// Converts a position from internal to world axes.
pub fn internal_to_world(internal: DVec3) -> DVec3 {
    DVec3::new(-internal.y, internal.x, internal.z)
}

/// Converts a position from world to internal axes.
pub fn world_to_internal(world: DVec3) -> DVec3 {
    DVec3::new(world.y, -world.x, world.z)
}

/// Converts a direction from internal to world axes.
pub fn internal_dir_to_world(internal: DVec3) -> DVec3 {
    internal_to_world(internal)
}

/// Converts a direction from world to internal axes.
pub fn world_dir_to_internal(world: DVec3) -> DVec3 {
    world_to_internal(world)
}
