//! The route through the course: each leg tests one station.

use crate::walk::leg::{Goal, Leg};
use glam::dvec2;

pub(crate) fn legs() -> Vec<Leg> {
    let walk = |name: &str, x: f64, y: f64| Leg::new(name, Goal::To(dvec2(x, y)), 6.0);
    let head =
        |name: &str, degrees: f64, seconds: f64| Leg::new(name, Goal::Heading(degrees), seconds);
    vec![
        // The wall is 1.6 m to the left: the character meets it at 32° and slides along it.
        head("wall slide", 32.0, 2.6),
        walk("to the door", 8.0, 0.35),
        // Further off the middle than the clearance: the character slides round the frame.
        walk("doorway", 10.2, 0.35),
        walk("stairs", 14.0, 0.0),
        walk("ledge", 17.5, 0.0),
        head("crate", 0.0, 0.9),
        Leg { jump: true, ..head("jump", 0.0, 0.9) },
        walk("low beam", 24.2, 0.0),
        Leg { height: Some(1.1), ..walk("crouch", 24.2, 1.9) },
        Leg { height: Some(1.8), ..head("steep bank", 0.0, 1.2) },
        walk("to the ramp", 24.8, -0.2),
        walk("ramp", 31.0, 0.0),
        walk("platform", 33.02, 0.0),
        Leg::new("ride", Goal::Stand, 4.6),
        walk("last deck", 41.0, 0.0),
    ]
}
