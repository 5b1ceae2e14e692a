//! Single moves by value.

mod ground;
mod room;
mod slides;

/// Radius with the skin (metres), and half of the axis, of the character of these tests.
const REACH: f64 = 0.32;
const HALF: f64 = 0.6;
