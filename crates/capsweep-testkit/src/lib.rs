//! What capsweep is tested against: independent answers, and the rules taken at their word.

pub mod literal;
