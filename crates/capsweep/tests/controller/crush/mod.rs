//! Dynamic bodies that leave a character no room: lifts under ceilings, presses and doors.

mod lift_rig;
mod lifts;
mod presses;
mod values;

use crate::level::Walk;
use capsweep::controller::Obstruction;

/// Asserts that an outcome reports how much height the body, 1.8 m high, lacks. The skin gives
/// way.
pub(crate) fn assert_crushed_by(walk: &Walk, room: f64, what: &str) {
    match walk.last.obstruction {
        Obstruction::Crushed { missing } => {
            assert!((missing - (1.8 - room)).abs() < 0.03, "{what}: {missing} of {room}");
        }
        other => assert!(room > 1.79, "{what}, room {room}: {other:?}"),
    }
    assert!(room < 1.81 || !walk.last.obstruction.is_overlap(), "{what}, room {room}");
}
