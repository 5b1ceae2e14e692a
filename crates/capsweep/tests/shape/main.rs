//! Shapes and poses: construction, refusals, and conversion between local and world space.
#![allow(clippy::unwrap_used, reason = "a shape that cannot be made fails the test")]

mod axis_system;
mod construction;
mod euler;
mod pose;
mod pose_matrix;
