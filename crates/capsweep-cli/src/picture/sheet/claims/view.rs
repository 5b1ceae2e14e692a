//! The part of a level that a picture of claims shows.

use crate::area::Area;
use crate::picture::ClaimPicture;
use crate::picture::extract::path::{Mode, PathPoint};
use anyhow::Result;
use glam::DVec3;

/// A log up to this wide is shown as a whole, in units of the level.
const WHOLE: f64 = 300.0;
/// From the centre to each side of the view of a larger log.
pub(super) const REACH: f64 = 75.0;

pub(super) struct View {
    pub(super) area: Area,
    /// The positions in view, which the plan is made for.
    pub(super) points: Vec<PathPoint>,
}

impl View {
    /// `None` if there is nothing to show.
    pub(super) fn new(picture: &ClaimPicture) -> Result<Option<Self>> {
        let ways = &picture.ways;
        let accepted = ways.characters.iter().flat_map(|way| way.lines.iter().flatten().copied());
        let near = ways.alarms.iter().filter(|alarm| alarm.from.distance(alarm.feet) < REACH);
        let near = near.map(|alarm| alarm.feet);
        let from = ways.alarms.iter().map(|alarm| alarm.from);
        let mut shown: Vec<DVec3> = accepted.chain(from).chain(near).collect();
        let Some(first) = shown.first().copied() else { return Ok(None) };
        let (low, high) = shown
            .iter()
            .fold((first, first), |(low, high), point| (low.min(*point), high.max(*point)));
        let is_whole = (high - low).truncate().max_element() <= WHOLE;
        let first_alarm = ways.alarms.first().map_or(first, |alarm| alarm.from);
        let centre = picture.centre.or((!is_whole).then_some(first_alarm));
        if let Some(centre) = centre {
            let in_view =
                |point: &DVec3| (*point - centre).truncate().abs().max_element() <= REACH;
            shown.retain(in_view);
            // The view is there even if nobody was.
            shown.push(centre);
        }
        let area = Area::new(picture.level, Some(centre.unwrap_or((low + high) * 0.5)))?;
        let area = area.around(shown.iter().copied())?;
        let point = |feet| PathPoint { feet, along: 0.0, leg: 0, mode: Mode::Walking };
        Ok(Some(Self { area, points: shown.into_iter().map(point).collect() }))
    }
}
