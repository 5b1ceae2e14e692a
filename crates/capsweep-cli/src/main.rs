//! The capsweep command.

fn main() {}
