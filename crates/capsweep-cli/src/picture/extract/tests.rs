//! The extracted data agree with the walk over the built-in course.

use super::edges::edges;
use super::marks::{EventKind, contact_marks, events};
use super::path::{Mode, mode_runs, path_points};
use super::relief::{Cell, Relief};
use super::section::{Limits, SurfaceKind, section};
use crate::area::Area;
use crate::course::Course;
use crate::test_walks::{human, walk_course};
use capsweep::Aabb;
use glam::{dvec2, dvec3};

#[test]
fn a_box_shows_its_twelve_edges_and_no_diagonal() {
    let Course { level, .. } = Course::new().unwrap();
    // The low beam alone.
    let region = Aabb::new(dvec3(21.4, -3.1, 1.2), dvec3(23.4, 3.1, 1.9)).unwrap();
    let beam = edges(&level.scene, &region);
    assert_eq!(beam.len(), 12);
    for [a, b] in beam {
        let axes = (b - a).to_array().into_iter().filter(|x| x.abs() > 1e-6).count();
        assert_eq!(axes, 1, "{a} to {b} runs along an axis");
    }
}

#[test]
fn the_plan_shows_floors_where_they_are_and_walls_as_solid() {
    let (level, ticks) = walk_course();
    let locomotion = human();
    let controller = locomotion.controller();
    let points = path_points(&ticks, controller);
    let region = [dvec2(-2.0, -4.0), dvec2(43.0, 4.0)];
    let area = Area::new(&level, None).unwrap();
    let relief = Relief::new((&level.scene, &area), controller, &points, region, 0.1).unwrap();
    let height = |x, y| match relief.at(dvec2(x, y)) {
        Cell::Ground { height, .. } => Some(height),
        Cell::Empty | Cell::Solid { .. } => None,
    };
    assert_eq!(height(1.0, 0.0), Some(0.0), "the floor");
    assert!((height(14.5, 0.0).unwrap() - 1.6).abs() < 1e-6, "the landing of the stairs");
    assert_eq!(height(22.5, 0.0), Some(0.0), "under the beam, which is over the cut");
    assert!(matches!(relief.at(dvec2(3.0, 1.75)), Cell::Solid { .. }), "the wall");
    assert!(matches!(relief.at(dvec2(35.5, 0.0)), Cell::Empty), "the gap");
    assert!(
        matches!(relief.at(dvec2(25.3, 2.0)), Cell::Ground { walkable: false, .. }),
        "the bank"
    );
}

#[test]
fn the_section_has_ground_under_every_point_of_the_path() {
    let (level, ticks) = walk_course();
    let locomotion = human();
    let controller = locomotion.controller();
    let points = path_points(&ticks, controller);
    let limits = Limits { heights: [-1.0, 6.0], slope_cos: 0.64 };
    let cuts = section(&level.scene, &ticks, &points, &limits).unwrap();
    // Under every point of the path on level ground there is a walkable cut at the height of the
    // feet.
    let grounded = points[1..].iter().zip(&ticks).skip(60).filter(|(point, tick)| {
        let outcome = &tick.record.outcome;
        point.mode != Mode::InTheAir
            && outcome
                .ground
                .is_some_and(|ground| ground.face_normal.z > 0.99 && ground.normal.z > 0.999)
    });
    let mut checked = 0;
    for (point, _) in grounded {
        let under = cuts.iter().any(|cut| {
            let [a, b] = cut.ends;
            let spans = a.x - 0.2 <= point.along && point.along <= b.x + 0.2;
            // The platform rises by up to 3 cm between two cuts.
            cut.kind == SurfaceKind::Walkable
                && spans
                && (a.y.min(b.y) - point.feet.z).abs() < 0.06
        });
        assert!(under, "nothing is drawn under {point:?}");
        checked += 1;
    }
    assert!(checked > 500, "{checked}");
}

#[test]
fn the_events_of_the_course_are_found() {
    let (_, ticks) = walk_course();
    let locomotion = human();
    let controller = locomotion.controller();
    let kinds: Vec<EventKind> =
        events(&ticks, controller).iter().map(|event| event.kind).collect();
    let count = |kind: EventKind| kinds.iter().filter(|other| **other == kind).count();
    assert_eq!(kinds[0], EventKind::Start);
    assert_eq!(count(EventKind::LegEnd), 15);
    // The crate, the beam, the bank.
    assert_eq!(count(EventKind::Blocked), 3);
    // The ledge, the jump.
    assert_eq!((count(EventKind::TakeOff), count(EventKind::Landing)), (2, 2));
    let marks = contact_marks(&ticks).len();
    assert!((10..150).contains(&marks), "{marks}");
    let points = path_points(&ticks, controller);
    let modes: Vec<Mode> = mode_runs(&points).into_iter().map(|(mode, _)| mode).collect();
    assert!(modes.contains(&Mode::Carried) && modes.contains(&Mode::InTheAir));
}
