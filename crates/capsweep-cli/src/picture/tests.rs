//! What is drawn is what is there.

use super::canvas::{Panel, round_length};
use super::edges::edges;
use super::marks::{Happening, events, marks};
use super::path::{Mode, places, stretches};
use super::relief::{Cell, Relief};
use super::section::{Kind, Limits, section};
use crate::course::{self, Course};
use crate::walk::walker::{Tick, Walker};
use capsweep::Aabb;
use capsweep::controller::{Controller, ControllerConfig, Locomotion, LocomotionConfig};
use capsweep_formats::Level;
use glam::{DVec3, dvec2, dvec3};

fn walk() -> (Level, Controller, Vec<Tick>) {
    let Course { level, ferry } = Course::new().unwrap();
    let controller = Controller::new(ControllerConfig::human(DVec3::Z)).unwrap();
    let locomotion = Locomotion::new(controller, LocomotionConfig::human()).unwrap();
    let start = controller.spawn(course::START).unwrap();
    let mut walker = Walker::new(locomotion, start, 1.0 / 60.0);
    walker.ferry = Some(ferry);
    let (mut scene, mut ticks) = (level.scene.clone(), Vec::new());
    for (number, leg) in course::legs().iter().enumerate() {
        walker.walk(&mut scene, number, leg, &mut ticks).unwrap();
    }
    (level, controller, ticks)
}

#[test]
fn lines_are_cut_at_the_panel() {
    let panel = Panel { low: dvec2(0.0, 0.0), high: dvec2(10.0, 5.0) };
    let line = |ax, ay, bx, by| panel.clip([dvec2(ax, ay), dvec2(bx, by)]);
    assert_eq!(line(1.0, 1.0, 2.0, 3.0), Some([dvec2(1.0, 1.0), dvec2(2.0, 3.0)]));
    assert_eq!(line(-5.0, 2.0, 15.0, 2.0), Some([dvec2(0.0, 2.0), dvec2(10.0, 2.0)]));
    assert_eq!(line(4.0, -1.0, 4.0, 9.0), Some([dvec2(4.0, 0.0), dvec2(4.0, 5.0)]));
    assert_eq!(line(-1.0, 2.0, -1.0, 3.0), None);
    assert_eq!(line(-3.0, 4.0, 1.0, 8.0), None, "past the corner");
}

#[test]
fn scale_bars_are_round() {
    assert_eq!(
        [1.0, 30.0, 44.0, 250.0].map(|scale| round_length(220.0, scale)),
        [200.0, 5.0, 5.0, 0.5]
    );
}

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
    let (level, controller, ticks) = walk();
    let places = places(&ticks, &controller);
    let region = [dvec2(-2.0, -4.0), dvec2(43.0, 4.0)];
    let relief = Relief::new(&level.scene, &controller, &places, region, 0.1).unwrap();
    let height = |x, y| match relief.at(dvec2(x, y)) {
        Cell::Ground { height, .. } => Some(height),
        Cell::Nothing | Cell::Solid { .. } => None,
    };
    assert_eq!(height(1.0, 0.0), Some(0.0), "the floor");
    assert!((height(14.5, 0.0).unwrap() - 1.6).abs() < 1e-6, "the landing of the stairs");
    assert_eq!(height(22.5, 0.0), Some(0.0), "under the beam, which is over the cut");
    assert!(matches!(relief.at(dvec2(3.0, 1.75)), Cell::Solid { .. }), "the wall");
    assert!(matches!(relief.at(dvec2(35.5, 0.0)), Cell::Nothing), "the gap");
    assert!(
        matches!(relief.at(dvec2(25.3, 2.0)), Cell::Ground { walkable: false, .. }),
        "the bank"
    );
}

#[test]
fn the_section_has_the_stairs_and_the_platform_where_the_walker_met_them() {
    let (level, controller, ticks) = walk();
    let places = places(&ticks, &controller);
    let limits = Limits { heights: [-1.0, 6.0], slope: 0.64 };
    let cuts = section(&level.scene, &ticks, &places, &limits).unwrap();
    // Under every place on the ground there is a walkable cut at the height of the feet.
    let grounded = places[1..].iter().zip(&ticks).skip(60).filter(|(place, tick)| {
        let outcome = &tick.step.outcome;
        place.mode != Mode::InTheAir
            && outcome
                .ground
                .is_some_and(|ground| ground.face_normal.z > 0.99 && ground.normal.z > 0.999)
    });
    let mut seen = 0;
    for (place, _) in grounded {
        let under = cuts.iter().any(|cut| {
            let [a, b] = cut.ends;
            let around = a.x - 0.2 <= place.along && place.along <= b.x + 0.2;
            // The platform rises by up to 3 cm between two cuts.
            cut.kind == Kind::Walkable && around && (a.y.min(b.y) - place.feet.z).abs() < 0.06
        });
        assert!(under, "nothing is drawn under {place:?}");
        seen += 1;
    }
    assert!(seen > 500, "{seen}");
}

#[test]
fn what_happened_is_told_in_order() {
    let (_, controller, ticks) = walk();
    let happened: Vec<Happening> =
        events(&ticks, &controller).iter().map(|event| event.happening).collect();
    let count = |what: Happening| happened.iter().filter(|other| **other == what).count();
    assert_eq!(happened[0], Happening::Start);
    assert_eq!(count(Happening::LegEnd), 15);
    // The crate, the beam, the bank.
    assert_eq!(count(Happening::Blocked), 3);
    // The ledge, the jump.
    assert_eq!((count(Happening::TakeOff), count(Happening::Landing)), (2, 2));
    assert!((10..150).contains(&marks(&ticks).len()), "{}", marks(&ticks).len());
    let places = places(&ticks, &controller);
    let modes: Vec<Mode> = stretches(&places).into_iter().map(|(mode, _)| mode).collect();
    assert!(modes.contains(&Mode::Carried) && modes.contains(&Mode::InTheAir));
}
