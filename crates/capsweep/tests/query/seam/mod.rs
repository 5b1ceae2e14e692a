//! Where triangles meet: a floor is one surface, however it is cut up; a ridge is a ridge.
#![allow(clippy::disallowed_methods, reason = "angles of test paths need not agree to the bit")]

mod convex;
mod floors;
mod neighbor;
mod paths;
mod push_out;
mod squeeze;
mod steps;
