//! What lies where on whole pictures.

use super::Picture;
use super::canvas::{Anchor, Canvas, Item, Panel, TextSize, width_of};
use super::spelling::{Spelling, bitmap};
use super::style::{CARRIED, IN_THE_AIR, INK, WALKING};
use crate::course::{self, Course, Ferry};
use crate::walk::leg::{Goal, Leg};
use crate::walk::report::reports;
use crate::walk::route::route;
use crate::walk::walker::Walker;
use capsweep::controller::{
    CharacterState, Controller, ControllerConfig, Locomotion, LocomotionConfig,
};
use capsweep::scene::{Body, MeshOptions, Pose, Scene, TriMesh};
use capsweep_formats::{Level, Names};
use capsweep_testkit::level::{Mesh, dungeon, stairs, terrain};
use glam::{DVec2, DVec3, dvec2};
use std::sync::Arc;

const DT: f64 = 1.0 / 60.0;

fn human() -> Locomotion {
    let controller = Controller::new(ControllerConfig::human(DVec3::Z)).unwrap();
    Locomotion::new(controller, LocomotionConfig::human()).unwrap()
}

fn level((vertices, triangles): &Mesh, name: &str) -> Level {
    let mesh = TriMesh::new(vertices, triangles, MeshOptions::default()).unwrap();
    let mut scene = Scene::new();
    scene.insert(Body::mesh(Arc::new(mesh), Pose::IDENTITY).unwrap());
    Level { scene, names: Names::new(vec![name.to_owned()], Vec::new()) }
}

fn sheet(
    name: &str,
    level: &Level,
    (start, legs): (CharacterState, &[Leg]),
    ferry: Option<Ferry>,
    spelling: Spelling,
) -> Canvas {
    let mut walker = Walker::new(human(), start, DT);
    walker.ferry = ferry;
    let (mut scene, mut ticks) = (level.scene.clone(), Vec::new());
    for (number, leg) in legs.iter().enumerate() {
        walker.walk(&mut scene, number, leg, &mut ticks).unwrap();
    }
    let locomotion = human();
    let controller = locomotion.controller();
    let reports = reports(legs, &ticks, controller, &level.names);
    let picture = Picture { name, level, controller, ticks: &ticks, reports: &reports };
    picture.sheet(spelling).unwrap()
}

fn course_sheet() -> Canvas {
    let Course { level, ferry } = Course::new().unwrap();
    let start = human().controller().spawn(course::START).unwrap();
    sheet("the course", &level, (start, &course::legs()), Some(ferry), Spelling::Bitmap)
}

/// A floor with nothing on it.
fn floor() -> Mesh {
    let corners = [[-9.0, -9.0], [9.0, -9.0], [9.0, 9.0], [-9.0, 9.0]];
    let vertices = corners.map(|[x, y]: [f32; 2]| glam::vec3(x, y, 0.0)).to_vec();
    (vertices, vec![[0, 1, 2], [0, 2, 3]])
}

/// Walks over the floor that cross themselves.
fn zigzag(names: [&str; 2]) -> Vec<Leg> {
    let turns = [0.0, 130.0, 260.0, 20.0, 170.0, 300.0, 80.0, 220.0, 340.0, 150.0];
    let leg = |(turn, name): (f64, &str)| Leg::new(name, Goal::Heading(turn), 1.3);
    turns.into_iter().zip(names.into_iter().cycle()).map(leg).collect()
}

fn on_the_floor(names: [&str; 2], spelling: Spelling) -> Canvas {
    let start = human().controller().spawn(DVec3::ZERO).unwrap();
    sheet(names[0], &level(&floor(), names[1]), (start, &zigzag(names)), None, spelling)
}

fn texts(canvas: &Canvas) -> Vec<(&str, Panel)> {
    let text = |item: &'_ Item| match item {
        Item::Text { at, text, anchor, size, .. } => {
            let wide = width_of(text, *size);
            let high = if *size == TextSize::Title { 20.0 } else { 13.0 };
            let left = match anchor {
                Anchor::Left => at.x,
                Anchor::Middle => at.x - wide / 2.0,
                Anchor::Right => at.x - wide,
            };
            let low = dvec2(left, at.y - high / 2.0);
            Some(Panel { low, high: low + dvec2(wide, high) })
        }
        _ => None,
    };
    let named = canvas.items.iter().filter_map(|item| match item {
        Item::Text { text: words, .. } => text(item).map(|panel| (words.as_str(), panel)),
        _ => None,
    });
    named.collect()
}

/// Round labels of legs.
fn numbers(canvas: &Canvas) -> Vec<Panel> {
    let number = |item: &Item| match item {
        Item::Pill { middle, size, fill, .. } if *fill == INK => {
            Some(Panel::around(*middle, *size))
        }
        _ => None,
    };
    canvas.items.iter().filter_map(number).collect()
}

fn path(canvas: &Canvas) -> Vec<[DVec2; 2]> {
    let mut path = Vec::new();
    for item in &canvas.items {
        if let Item::Lines { lines, stroke } = item
            && stroke.width == 2.2
            && [WALKING, IN_THE_AIR, CARRIED].contains(&stroke.colour)
        {
            path.extend(lines.iter().flat_map(|line| line.windows(2)).map(|p| [p[0], p[1]]));
        }
    }
    path
}

fn check(name: &str, canvas: &Canvas, legs: usize) {
    let (texts, numbers, path) = (texts(canvas), numbers(canvas), path(canvas));
    assert!(path.len() > 10, "{name}");
    // On the map, and over the section.
    assert_eq!(numbers.len(), 2 * legs, "{name}");
    let all = Panel { low: DVec2::ZERO, high: canvas.size };
    for (i, (words, text)) in texts.iter().enumerate() {
        assert!(all.contains(text.low) && all.contains(text.high), "{name}: {words} is cut off");
        for (others, other) in &texts[..i] {
            assert!(!text.overlaps(other), "{name}: {words} lies on {others}");
        }
        let on_path = path.iter().any(|line| text.clip(*line).is_some());
        assert!(!on_path, "{name}: {words} lies on the path");
    }
    for (i, number) in numbers.iter().enumerate() {
        let on_path = path.iter().any(|line| number.clip(*line).is_some());
        assert!(!on_path, "{name}: a number lies on the path");
        assert!(!numbers[..i].iter().any(|other| number.overlaps(other)), "{name}");
    }
}

#[test]
fn no_label_of_a_picture_lies_on_another_or_on_the_path() {
    check("course", &course_sheet(), 15);
    check("floor", &on_the_floor(["there", "and back again"], Spelling::Bitmap), 10);
    for (name, mesh) in [("dungeon", dungeon()), ("stairs", stairs()), ("terrain", terrain(40))] {
        let level = level(&mesh, name);
        let found = route(&level.scene, &human(), DT).unwrap();
        let canvas = sheet(name, &level, (found.start, &found.legs), None, Spelling::Outline);
        check(name, &canvas, found.legs.len());
    }
}

#[test]
fn the_legend_lists_what_occurs_and_nothing_else() {
    let signs = |canvas: &Canvas| {
        let words = [
            "walking",
            "in the air",
            "carried",
            "end of a leg",
            "blocked",
            "fell, landed",
            "wall and its normal",
            "step",
            "ceiling",
            "landing",
            "walkable",
            "too steep",
            "wall, underside",
            "solid at breast height",
            "overhead",
        ];
        let listed = texts(canvas);
        let listed = |word: &&str| listed.iter().any(|(text, _)| text == word);
        words.into_iter().filter(listed).collect::<Vec<_>>()
    };
    let plain = signs(&on_the_floor(["there", "back"], Spelling::Bitmap));
    assert_eq!(plain, ["walking", "end of a leg", "walkable"]);
    let course = signs(&course_sheet());
    for word in ["carried", "blocked", "fell, landed", "too steep", "overhead", "step", "landing"] {
        assert!(course.contains(&word), "{word} is not in {course:?}");
    }
    assert!(!course.contains(&"ceiling"), "{course:?}");
}

#[test]
fn names_in_any_script_are_spelled_in_both_kinds_of_picture() {
    let names = ["床\u{1b}[31m", "дом"];
    let canvas = on_the_floor(names, Spelling::Bitmap);
    let drawn = texts(&canvas);
    for (text, _) in &drawn {
        assert!(!text.contains('?'), "{text}");
        let known = |letter| bitmap(letter, TextSize::Small).is_some();
        assert!(text.chars().all(known), "{text}");
    }
    let title = "A walk through \\u{5e8a}\\u{1b}[31m:";
    assert!(drawn.iter().any(|(text, _)| text.starts_with(title)));
    let canvas = on_the_floor(names, Spelling::Outline);
    let drawn = texts(&canvas);
    assert!(drawn.iter().all(|(text, _)| !text.chars().any(char::is_control)));
    assert!(drawn.iter().any(|(text, _)| text.starts_with("A walk through 床\\u{1b}[31m:")));
    assert!(drawn.iter().any(|(text, _)| text.contains("ends on дом")));
    check("scripts", &canvas, 10);
}

#[test]
fn a_long_name_is_shortened_in_the_title() {
    let long = "level".repeat(60);
    let start = human().controller().spawn(DVec3::ZERO).unwrap();
    let legs = [Leg::new("on", Goal::Heading(0.0), 2.0)];
    let level = level(&floor(), "floor");
    let canvas = sheet(&long, &level, (start, &legs), None, Spelling::Bitmap);
    check("long", &canvas, 1);
    assert!(texts(&canvas)[0].0.ends_with("..."), "{}", texts(&canvas)[0].0);
}
