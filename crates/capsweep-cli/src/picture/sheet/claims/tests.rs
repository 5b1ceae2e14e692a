//! The positions of texts, numbers and marks on whole sheets.

use super::draw;
use crate::claims::chain::Rules;
use crate::claims::judge_text;
use crate::claims::log::Log;
use crate::claims::report::Reporter;
use crate::course::Course;
use crate::output::Format;
use crate::picture::ClaimPicture;
use crate::picture::canvas::font::Font;
use crate::picture::canvas::{Canvas, Item, Rect};
use crate::picture::sheet::tests::texts;
use crate::picture::style::{ALARM, WAYS};
use crate::test_walks::human;
use capsweep::controller::Water;
use capsweep::persist::MapUnit;
use capsweep::validate::{SpeedLimits, Validator, ValidatorConfig};
use glam::{DVec2, DVec3};

/// The sheet of a log in the built-in course.
fn sheet(log: &str, centre: Option<DVec3>, font: Font) -> Canvas {
    let validator = Validator::new(human(), ValidatorConfig::default()).unwrap();
    let (speeds, water) = (SpeedLimits::human(), Water::None);
    let rules = Rules { validator, speeds, water, world: 0, put_back: false };
    let mut judged = Log::new(rules, Course::new().unwrap().level);
    let (summary, ways) = judge_text(&mut judged, log);
    let reporter = Reporter { format: Format::Text, unit: MapUnit::Metre, brief: false };
    let (level, controller) = (judged.level(), validator.locomotion().controller());
    let (name, summary) = ("the course", &summary);
    draw(&ClaimPicture { name, level, controller, ways, summary, reporter, centre }, font).unwrap()
}

/// Characters that run to and fro beside each other, each with some leaps.
fn crowd(characters: u32, leaps: u32) -> String {
    let mut log = Vec::new();
    for one in 0..characters {
        let y = -2.4 + 0.45 * f64::from(one);
        let mut line = |x: f64, rest: &str| {
            let who = format!("\"character\":\"player {one}\"");
            log.push(format!("{{{who},\"feet\":[{x},{y},0],{rest}}}\n"));
        };
        line(0.0, "\"event\":\"start\"");
        for step in 1..40u32 {
            let x = 0.15 * f64::from(step);
            let leaps_now = step % 5 == 0 && step / 5 <= leaps;
            line(if leaps_now { x + 2.5 } else { x }, "\"dt\":0.1");
        }
    }
    log.concat()
}

fn pills(canvas: &Canvas) -> Vec<Rect> {
    let pill = |item: &Item| match item {
        Item::Pill { center, size, fill, .. } if *fill == ALARM && size.y == 18.0 => {
            Some(Rect::centered(*center, *size))
        }
        _ => None,
    };
    canvas.items.iter().filter_map(pill).collect()
}

fn check(name: &str, canvas: &Canvas) {
    let (texts, numbers) = (texts(canvas), pills(canvas));
    let all = Rect { low: DVec2::ZERO, high: canvas.size };
    for (index, (words, text)) in texts.iter().enumerate() {
        assert!(all.contains(text.low) && all.contains(text.high), "{name}: {words} is cut off");
        for (others, other) in &texts[..index] {
            assert!(!text.overlaps(other), "{name}: {words} lies on {others}");
        }
    }
    for (index, number) in numbers.iter().enumerate() {
        assert!(!numbers[..index].iter().any(|other| number.overlaps(other)), "{name}");
    }
    let is_way = |item: &&Item| match item {
        Item::Lines { stroke, .. } => stroke.width == 2.2 && WAYS.contains(&stroke.colour),
        _ => false,
    };
    for item in canvas.items.iter().filter(is_way) {
        let Item::Lines { lines, .. } = item else { continue };
        for line in lines.iter().flat_map(|line| line.windows(2)) {
            let on_way = numbers.iter().any(|number| number.clip([line[0], line[1]]).is_some());
            assert!(!on_way, "{name}: a number lies on a way");
        }
    }
}

#[test]
fn no_text_or_number_lies_on_another_or_on_a_way() {
    for (characters, leaps) in [(1, 0), (1, 1), (2, 1), (3, 2), (9, 1), (9, 7)] {
        let log = crowd(characters, leaps);
        for font in [Font::Bitmap, Font::Outline] {
            check(&format!("{characters} with {leaps}"), &sheet(&log, None, font));
        }
    }
    check("elsewhere", &sheet(&crowd(3, 2), Some(DVec3::new(30.0, 0.0, 0.0)), Font::Bitmap));
    check("nothing", &sheet("", None, Font::Bitmap));
}

#[test]
fn each_of_the_first_alarms_has_a_number_and_a_section() {
    let canvas = sheet(&crowd(1, 2), None, Font::Bitmap);
    // There and back, twice: on the plan and over the section.
    assert_eq!(pills(&canvas).len(), 8);
    let canvas = sheet(&crowd(1, 0), None, Font::Bitmap);
    assert!(pills(&canvas).is_empty());
}

#[test]
fn a_far_claim_does_not_shrink_the_plan() {
    let bars = |log: &str| -> Vec<String> {
        let canvas = sheet(log, None, Font::Bitmap);
        let texts = texts(&canvas);
        texts.iter().map(|(text, _)| (*text).to_owned()).filter(|t| t.contains("x to")).collect()
    };
    let log = crowd(1, 0);
    let far = "{\"character\":\"player 0\",\"feet\":[90000,0,0],\"dt\":0.1}\n";
    assert_eq!(bars(&log), bars(&format!("{log}{far}")));
}
