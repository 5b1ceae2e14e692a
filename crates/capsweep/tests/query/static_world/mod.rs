//! Queries of a scene against every triangle and shape of it, one by one.

#![allow(clippy::disallowed_methods, reason = "the angles of a test need not agree to the bit")]

mod batch;
mod closest;
mod overlap;
mod sweep;
mod world;
