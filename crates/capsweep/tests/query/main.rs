//! Queries of a scene: each answers like the same query of every triangle and shape, one by one.
#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic,
    reason = "a helper of a test that cannot go on must stop the test"
)]

#[path = "../common/filters.rs"]
mod filters;
#[path = "../common/ray_shapes.rs"]
mod ray_shapes;

mod bodies;
mod brute_force;
mod extreme_meshes;
mod height_field;
mod masks;
mod own_sides;
mod placement;
mod posed_mesh;
mod queries;
mod ray;
mod seam;
mod source;
mod static_world;
mod supports;
mod ties;
