//! The positions of texts, badges and paths on whole sheets.

use crate::area::Area;
use crate::course;
use crate::picture::canvas::font::{Font, bitmap};
use crate::picture::canvas::{Canvas, Item, Rect, TextSize, width_of};
use crate::picture::style::{CARRIED, IN_THE_AIR, INK, WALKING};
use crate::picture::{Picture, sheet};
use crate::test_walks::{DT, human, level_of, walk, walk_course};
use crate::walk::character::Tick;
use crate::walk::leg::{Goal, Leg};
use crate::walk::report::reports;
use crate::walk::route::find_route;
use capsweep::controller::CharacterState;
use capsweep_formats::Level;
use capsweep_testkit::level::{Mesh, dungeon, stairs, terrain};
use glam::{DVec2, DVec3, dvec2};

fn sheet_of(name: &str, level: &Level, legs: &[Leg], ticks: &[Tick], font: Font) -> Canvas {
    let locomotion = human();
    let controller = locomotion.controller();
    let reports = reports(legs, ticks, controller, level);
    let area = Area::new(level, None).unwrap();
    let picture = Picture { name, level, area, controller, ticks, reports: &reports };
    sheet::draw(&picture, font).unwrap()
}

fn walked_sheet(
    name: &str,
    level: &Level,
    (start, legs): (CharacterState, &[Leg]),
    font: Font,
) -> Canvas {
    sheet_of(name, level, legs, &walk(level, start, legs), font)
}

fn course_sheet() -> Canvas {
    let (level, ticks) = walk_course();
    sheet_of("the course", &level, &course::legs(), &ticks, Font::Bitmap)
}

/// An empty floor.
fn floor() -> Mesh {
    let corners = [[-9.0, -9.0], [9.0, -9.0], [9.0, 9.0], [-9.0, 9.0]];
    let vertices = corners.map(|[x, y]: [f32; 2]| glam::vec3(x, y, 0.0)).to_vec();
    (vertices, vec![[0, 1, 2], [0, 2, 3]])
}

/// A path that crosses itself.
fn zigzag(names: [&str; 2]) -> Vec<Leg> {
    let turns = [0.0, 130.0, 260.0, 20.0, 170.0, 300.0, 80.0, 220.0, 340.0, 150.0];
    let leg = |(turn, name): (f64, &str)| Leg::new(name, Goal::Heading(turn), 1.3);
    turns.into_iter().zip(names.into_iter().cycle()).map(leg).collect()
}

fn on_the_floor(names: [&str; 2], font: Font) -> Canvas {
    let start = human().controller().spawn(DVec3::ZERO).unwrap();
    walked_sheet(names[0], &level_of(&floor(), names[1]), (start, &zigzag(names)), font)
}

pub(super) fn texts(canvas: &Canvas) -> Vec<(&str, Rect)> {
    let rect = |item: &'_ Item| match item {
        Item::Text { at, text, anchor, size, .. } => {
            let wide = width_of(text, *size);
            let high = if *size == TextSize::Title { 20.0 } else { 13.0 };
            let low = dvec2(anchor.left(at.x, wide), at.y - high / 2.0);
            Some(Rect { low, high: low + dvec2(wide, high) })
        }
        _ => None,
    };
    let named = canvas.items.iter().filter_map(|item| match item {
        Item::Text { text: words, .. } => rect(item).map(|rect| (words.as_str(), rect)),
        _ => None,
    });
    named.collect()
}

/// The badges of legs.
fn badges(canvas: &Canvas) -> Vec<Rect> {
    let badge = |item: &Item| match item {
        Item::Pill { center, size, fill, .. } if *fill == INK => {
            Some(Rect::centered(*center, *size))
        }
        _ => None,
    };
    canvas.items.iter().filter_map(badge).collect()
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
    let (texts, badges, path) = (texts(canvas), badges(canvas), path(canvas));
    assert!(path.len() > 10, "{name}");
    // On the plan, and over the elevation.
    assert_eq!(badges.len(), 2 * legs, "{name}");
    let all = Rect { low: DVec2::ZERO, high: canvas.size };
    for (i, (words, text)) in texts.iter().enumerate() {
        assert!(all.contains(text.low) && all.contains(text.high), "{name}: {words} is cut off");
        for (others, other) in &texts[..i] {
            assert!(!text.overlaps(other), "{name}: {words} lies on {others}");
        }
        let on_path = path.iter().any(|line| text.clip(*line).is_some());
        assert!(!on_path, "{name}: {words} lies on the path");
    }
    for (i, badge) in badges.iter().enumerate() {
        let on_path = path.iter().any(|line| badge.clip(*line).is_some());
        assert!(!on_path, "{name}: a badge lies on the path");
        assert!(!badges[..i].iter().any(|other| badge.overlaps(other)), "{name}");
    }
}

#[test]
fn no_label_of_a_picture_lies_on_another_or_on_the_path() {
    check("course", &course_sheet(), 15);
    check("floor", &on_the_floor(["there", "and back again"], Font::Bitmap), 10);
    for (name, mesh) in [("dungeon", dungeon()), ("stairs", stairs()), ("terrain", terrain(40))] {
        let level = level_of(&mesh, name);
        let area = Area::new(&level, None).unwrap();
        let found = find_route(&level.scene, (&area, None), &human(), DT).unwrap();
        let canvas = walked_sheet(name, &level, (found.start, &found.legs), Font::Outline);
        check(name, &canvas, found.legs.len());
    }
}

#[test]
fn the_legend_lists_what_occurs_and_nothing_else() {
    let entries = |canvas: &Canvas| {
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
    let plain = entries(&on_the_floor(["there", "back"], Font::Bitmap));
    assert_eq!(plain, ["walking", "end of a leg", "walkable"]);
    let course = entries(&course_sheet());
    for word in ["carried", "blocked", "fell, landed", "too steep", "overhead", "step", "landing"]
    {
        assert!(course.contains(&word), "{word} is not in {course:?}");
    }
    assert!(!course.contains(&"ceiling"), "{course:?}");
}

#[test]
fn names_in_any_script_are_drawn_or_escaped_in_both_formats() {
    let names = ["床\u{1b}[31m", "дом"];
    let canvas = on_the_floor(names, Font::Bitmap);
    let drawn = texts(&canvas);
    for (text, _) in &drawn {
        assert!(!text.contains('?'), "{text}");
        let has_glyph = |letter| bitmap(letter, TextSize::Small).is_some();
        assert!(text.chars().all(has_glyph), "{text}");
    }
    let title = "A walk through \\u{5e8a}\\u{1b}[31m:";
    assert!(drawn.iter().any(|(text, _)| text.starts_with(title)));
    let canvas = on_the_floor(names, Font::Outline);
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
    let level = level_of(&floor(), "floor");
    let canvas = walked_sheet(&long, &level, (start, &legs), Font::Bitmap);
    check("long", &canvas, 1);
    assert!(texts(&canvas)[0].0.ends_with("..."), "{}", texts(&canvas)[0].0);
}
