//! Sections of the level through the first claims that are not possible: along the straight way
//! from the last accepted position to the claimed one.

use super::plan::alarm_colour;
use super::words;
use crate::claims::ways::Alarm;
use crate::picture::ClaimPicture;
use crate::picture::canvas::font::shortened;
use crate::picture::canvas::{Anchor, Canvas, Rect, Stroke, TextSize, advance, width_of};
use crate::picture::extract::path::{Mode, PathPoint};
use crate::picture::extract::section::{Limits, cut_between};
use crate::picture::sheet::elevation::{Profile, draw_cuts};
use crate::picture::sheet::labels::badge_size;
use crate::picture::sheet::legend::{Entry, PLACE};
use crate::picture::sheet::plan::round_length;
use crate::picture::style::{self, INK, NO_STROKE, PAPER, WALKING};
use anyhow::Result;
use capsweep::MAX_POSITION;
use glam::{DVec2, DVec3, dvec2};

/// Most sections.
const MAX_SECTIONS: usize = 6;
/// Largest width of a section, in pixels.
const MAX_WIDTH: f64 = 740.0;
/// Smallest width of a section beside another, in pixels.
const MIN_WIDTH: f64 = 330.0;
/// Height of a section as a fraction of its width.
const RATIO: f64 = 0.56;
/// Gap between sections, and height of the text over one, in pixels.
const GAP: f64 = 22.0;
const HEADER: f64 = 26.0;
/// Largest scale, in pixels per metre.
const MAX_SCALE: f64 = 160.0;
/// A claim farther away than this, in units of the level, is shown without its start.
const FAR: f64 = 60.0;

pub(super) struct Sections<'a> {
    picture: &'a ClaimPicture<'a>,
    alarms: &'a [Alarm],
}

/// What a section shows: a vertical plane.
struct Plane {
    origin: DVec3,
    /// Level direction in which it extends.
    along: DVec3,
    /// From the origin to both ends along it, and the heights.
    low: DVec2,
    high: DVec2,
}

impl<'a> Sections<'a> {
    pub(super) fn new(picture: &'a ClaimPicture) -> Self {
        let alarms = &picture.ways.alarms;
        Self { picture, alarms: &alarms[..alarms.len().min(MAX_SECTIONS)] }
    }

    /// Number of columns, and the size of a section with its header.
    fn grid(&self, width: f64) -> (usize, DVec2) {
        let fitting = ((width + GAP) / (MIN_WIDTH + GAP)).floor().clamp(1.0, 3.0) as usize;
        // Four are two rows of two.
        let wanted = if self.alarms.len() == 4 { 2 } else { 3 };
        let columns = fitting.min(wanted).min(self.alarms.len().max(1));
        let gaps = GAP * (columns - 1) as f64;
        let wide = ((width - gaps) / columns as f64).min(MAX_WIDTH);
        (columns, dvec2(wide, HEADER + RATIO * wide))
    }

    pub(super) fn size(&self, width: f64) -> DVec2 {
        if self.alarms.is_empty() {
            return DVec2::ZERO;
        }
        let (columns, each) = self.grid(width);
        let counts = dvec2(columns as f64, self.alarms.len().div_ceil(columns) as f64);
        counts * (each + GAP) - GAP
    }

    /// Draws the sections at `corner`, at most `width` pixels wide. Returns the legend entries
    /// that they use.
    pub(super) fn draw(
        &self,
        canvas: &mut Canvas,
        corner: DVec2,
        width: f64,
    ) -> Result<Vec<Entry>> {
        let (columns, each) = self.grid(width);
        let mut entries = Vec::new();
        for (index, alarm) in self.alarms.iter().enumerate() {
            let cell = dvec2((index % columns) as f64, (index / columns) as f64);
            let low = corner + cell * (each + GAP);
            self.head(canvas, index, low, each.x);
            let panel = Rect { low: low + dvec2(0.0, HEADER), high: low + each };
            entries.extend(self.draw_one(canvas, alarm, panel)?);
        }
        Ok(entries)
    }

    /// The number of a claim, and what is wrong with it.
    fn head(&self, canvas: &mut Canvas, index: usize, low: DVec2, width: f64) {
        let alarm = &self.alarms[index];
        let text = (index + 1).to_string();
        let size = badge_size(width_of(&text, TextSize::Small));
        let at = low + dvec2(size.x / 2.0, HEADER / 2.0 - 2.0);
        canvas.pill(at, size, alarm_colour(alarm), Stroke::solid(PAPER, 1.0));
        canvas.text(at, text, (Anchor::Middle, TextSize::Small), PAPER);
        let columns = ((width - size.x - 8.0) / advance(TextSize::Small)) as usize;
        let text = shortened(&words(canvas, self.picture, alarm), columns);
        canvas.note(dvec2(low.x + size.x + 8.0, at.y), text, INK);
    }

    fn draw_one(&self, canvas: &mut Canvas, alarm: &Alarm, panel: Rect) -> Result<Vec<Entry>> {
        let config = self.picture.controller.config();
        let (plane, scale) = self.plane(alarm, panel.size());
        let point = |along: f64| PathPoint {
            feet: plane.origin + plane.along * along,
            along: along - plane.low.x,
            leg: 0,
            mode: Mode::Walking,
        };
        let ends = [point(plane.low.x), point(plane.high.x)];
        let slope_cos = f64::from(config.slope_limit.cos());
        let limits = Limits { heights: [plane.low.y, plane.high.y], slope_cos };
        let mut cuts = Vec::new();
        let scene = &self.picture.level.scene;
        cut_between(scene, [&ends[0], &ends[1]], &limits, &mut cuts)?;
        let profile = Profile { panel, low: plane.low.y, pad: 0.0, scale: DVec2::splat(scale) };
        let entries = draw_cuts(canvas, &profile, &cuts);
        canvas.rect(panel, PAPER.faded(0), style::BORDER);

        let at = |position: DVec3| {
            let along = (position - plane.origin).dot(plane.along) - plane.low.x;
            profile.at(along, position.z)
        };
        let colour = alarm_colour(alarm);
        let body = dvec2(2.0 * f64::from(config.radius), alarm.height) * scale;
        let body = body.max(dvec2(4.0, 8.0));
        for (feet, colour) in [(alarm.from, WALKING), (alarm.feet, colour)] {
            let middle = at(feet) - dvec2(0.0, body.y / 2.0);
            let outline = Rect::centered(middle, body);
            if panel.contains(outline.low) && panel.contains(outline.high) {
                canvas.pill(middle, body, colour.faded(45), Stroke::solid(colour, 1.4));
            }
        }
        if let Some(line) = panel.clip([at(alarm.from), at(alarm.feet)]) {
            canvas.line(line.to_vec(), Stroke { colour, ..style::LEAP });
        }
        if let Some((_, place)) = &alarm.why
            && panel.contains(at(*place))
        {
            canvas.pill(at(*place), DVec2::splat(PLACE), colour, Stroke::solid(PAPER, 1.0));
        }
        self.draw_scale_bar(canvas, panel, scale);
        Ok(entries)
    }

    /// The plane through a claim, and its scale in pixels per metre.
    fn plane(&self, alarm: &Alarm, panel: DVec2) -> (Plane, f64) {
        let radius = f64::from(self.picture.controller.config().radius);
        let ends = if alarm.from.distance(alarm.feet) < FAR {
            [alarm.from, alarm.feet]
        } else if alarm.feet.abs().max_element() < MAX_POSITION / 2.0 {
            [alarm.feet; 2]
        } else {
            // There is nothing to show at such a position.
            [alarm.from; 2]
        };
        let start = ends[0];
        let level = |offset: DVec3| offset.with_z(0.0);
        let place = alarm.why.as_ref().map(|(_, at)| *at);
        let place = place.filter(|at| at.distance(ends[1]) < FAR);
        // A claim straight above is seen towards the place where it fails.
        let ways = [ends[1] - ends[0], place.unwrap_or(start) - ends[1], DVec3::X];
        let along = ways.into_iter().find_map(|way| {
            let way = level(way);
            (way.length() > 0.02).then(|| way.normalize_or_zero())
        });
        let along = along.unwrap_or(DVec3::X);
        let mut shown = ends.to_vec();
        shown.extend(ends.map(|feet| feet + DVec3::Z * alarm.height));
        shown.extend(place);
        let in_plane = |point: &DVec3| dvec2((*point - start).dot(along), point.z);
        let (low, high) = shown
            .iter()
            .map(in_plane)
            .fold((DVec2::INFINITY, DVec2::NEG_INFINITY), |(low, high), point| {
                (low.min(point), high.max(point))
            });
        let margin = dvec2(2.5 * radius + 0.2 * (high.x - low.x), 0.35 * alarm.height);
        let (low, high) = (low - margin, high + margin);
        let scale = (panel / (high - low)).min_element().min(MAX_SCALE);
        // The rest of the panel shows more of the level.
        let middle = (low + high) * 0.5;
        let half = panel / scale * 0.5;
        let plane = Plane { origin: start, along, low: middle - half, high: middle + half };
        (plane, scale)
    }

    fn draw_scale_bar(&self, canvas: &mut Canvas, panel: Rect, scale: f64) {
        let unit = self.picture.reporter.unit.symbol();
        let length = round_length(90.0, scale);
        let text = format!("{length} {unit}");
        let low = dvec2(panel.low.x + 10.0, panel.high.y - 14.0);
        let end = low + dvec2(length * scale, 0.0);
        let back = Rect {
            low: low - dvec2(5.0, 9.0),
            high: end + dvec2(width_of(&text, TextSize::Small) + 12.0, 9.0),
        };
        canvas.rect(back, PAPER.faded(215), NO_STROKE);
        let tick = dvec2(0.0, 4.0);
        canvas.lines(
            vec![vec![low - tick, low + tick], vec![low, end], vec![end - tick, end + tick]],
            Stroke::solid(INK, 1.4),
        );
        canvas.note(end + dvec2(7.0, 0.0), text, INK);
    }
}
