//! The contract, tested from its words alone: every expectation here comes from hand-made closed forms, from
//! minimised distances or from invariances, and none from the library.
mod ends;
mod extremes;
mod fuzz;
mod hostile;
mod invariance;
mod overlapping;
mod referee;
mod reference;
mod report;
mod sides;
mod target;
mod touching;
