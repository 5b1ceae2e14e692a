//! The contract, tested from its text alone. Expectations come from closed forms made by hand,
//! from minimised distances or from invariances, never from the library.
mod ends;
mod extremes;
mod fuzz;
mod hostile;
mod invariance;
mod overlapping;
mod referee;
mod reference;
mod report;
mod segments;
mod sides;
mod target;
mod touching;
