//! The golden hashes of `tests/golden.rs` once more, without vector instructions.

#[path = "../tests/golden.rs"]
mod golden;

use crate::math::scalar_only;

/// The file means this build of the library, in which tests can turn vector instructions off.
const _: fn(capsweep::Capsule) -> crate::Capsule = |capsule| capsule;

#[test]
fn plain_loops_give_the_golden_hashes() {
    assert_eq!(scalar_only::run(golden::hashes), golden::GOLDEN);
}
