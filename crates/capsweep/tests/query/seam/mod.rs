//! Seams: a floor is one surface however it is cut into triangles; a ridge keeps its normals.
#![allow(clippy::disallowed_methods, reason = "angles of test paths need not agree to the bit")]

mod convex;
mod floors;
mod neighbor;
mod paths;
mod push_out;
mod squeeze;
mod steps;
