//! What pictures need of a log: the ways of the characters, thinned, and the claims that are not
//! possible.

use super::key::Key;
use super::log::{Answer, Verdicted};
use capsweep::validate::{Reason, Verdict};
use glam::DVec3;
use std::collections::HashMap;

/// Most points that are kept of all ways. Beyond it every second one goes, and the spacing
/// doubles.
const MAX_POINTS: usize = 100_000;
/// Spacing of the points of a short log, in units of the level.
const SPACING: f64 = 0.05;
/// Most impossible claims that are kept, with their places.
const MAX_ALARMS: usize = 1_000;

/// The ways of all characters.
#[derive(Debug)]
pub(crate) struct Ways {
    pub(crate) characters: Vec<Way>,
    index: HashMap<Option<Key>, usize>,
    /// The first claims that are not possible.
    pub(crate) alarms: Vec<Alarm>,
    points: usize,
    spacing: f64,
}

/// The way of one character: a line for each part without a gap.
#[derive(Debug)]
pub(crate) struct Way {
    pub(crate) character: Option<Key>,
    pub(crate) lines: Vec<Vec<DVec3>>,
    /// The last accepted feet, which the thinned line may not have.
    end: DVec3,
}

/// A claim that is not possible.
#[derive(Debug, Clone)]
pub(crate) struct Alarm {
    pub(crate) line: u64,
    pub(crate) character: Option<Key>,
    /// Feet that the claim is held against, and claimed feet.
    pub(crate) from: DVec3,
    pub(crate) feet: DVec3,
    pub(crate) height: f64,
    /// Why and where; `None` if it is undecided.
    pub(crate) why: Option<(Reason, DVec3)>,
}

impl Default for Ways {
    fn default() -> Self {
        let (characters, index, alarms) = (Vec::new(), HashMap::new(), Vec::new());
        Self { characters, index, alarms, points: 0, spacing: SPACING }
    }
}

impl Ways {
    pub(crate) fn add(&mut self, answer: &Answer) {
        let Ok(claim) = &answer.result else { return };
        let judged = &claim.judged;
        let why = match judged.judgement.verdict {
            Verdict::Possible => return self.extend(claim),
            Verdict::Impossible { reason, at } => Some((reason, at)),
            Verdict::Undecided => None,
        };
        if self.alarms.len() < MAX_ALARMS {
            self.alarms.push(Alarm {
                line: answer.line,
                character: claim.character.clone(),
                from: judged.from,
                feet: judged.feet,
                height: f64::from(judged.height),
                why,
            });
        }
    }

    fn extend(&mut self, claim: &Verdicted) {
        let (from, feet) = (claim.judged.from, claim.judged.feet);
        let index = *self.index.entry(claim.character.clone()).or_insert_with_key(|key| {
            self.characters.push(Way {
                character: key.clone(),
                lines: Vec::new(),
                end: DVec3::NAN,
            });
            self.characters.len() - 1
        });
        let way = &mut self.characters[index];
        if way.end != from {
            way.finish_line();
            way.lines.push(vec![from]);
            self.points += 1;
        }
        way.end = feet;
        let spacing = self.spacing;
        if let Some(line) = way.lines.last_mut()
            && line.last().is_none_or(|last| last.distance(feet) >= spacing)
        {
            line.push(feet);
            self.points += 1;
        }
        if self.points > MAX_POINTS {
            self.thin();
        }
    }

    fn thin(&mut self) {
        self.spacing *= 2.0;
        for line in self.characters.iter_mut().flat_map(|way| &mut way.lines) {
            let last = line.last().copied();
            let mut index = 0;
            line.retain(|_| {
                index += 1;
                index % 2 == 1
            });
            line.extend(last.filter(|last| line.last() != Some(last)));
        }
        // Short lines cannot be thinned: the oldest go.
        let most = MAX_POINTS / 2;
        let mut points = self.count();
        for way in &mut self.characters {
            while points > most && way.lines.len() > 1 {
                points -= way.lines.remove(0).len();
            }
        }
        self.points = points;
    }

    fn count(&self) -> usize {
        self.characters.iter().flat_map(|way| &way.lines).map(Vec::len).sum()
    }

    /// Ends the lines at the last accepted feet.
    pub(crate) fn finish(&mut self) {
        for way in &mut self.characters {
            way.finish_line();
        }
    }
}

impl Way {
    fn finish_line(&mut self) {
        let end = self.end;
        if let Some(line) = self.lines.last_mut()
            && line.last() != Some(&end)
        {
            line.push(end);
        }
    }
}
