//! t

pub mod level;
