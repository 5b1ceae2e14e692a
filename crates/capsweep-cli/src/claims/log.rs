//! A log of claims: lines in, answers out. The chains of different characters are independent, so
//! all cores judge them; the answers are in the order of the lines.

use super::bodies::MovedBodies;
use super::chain::{Chain, Judged, Now, Rules};
use super::key::Key;
use super::line::{Event, Line, What};
use anyhow::{Context, Error, Result, anyhow};
use capsweep_formats::Level;
use rayon::prelude::*;
use std::collections::HashMap;

/// The state of a log between two lines.
pub(crate) struct Log {
    rules: Rules,
    level: Level,
    bodies: MovedBodies,
    chains: HashMap<Option<Key>, Chain>,
}

/// The answer to a line. Events have none.
#[derive(Debug)]
pub(crate) struct Answer {
    /// Number of the line, from 1.
    pub(crate) line: u64,
    pub(crate) result: Result<Verdicted>,
}

/// A judged claim, and whose it is.
#[derive(Debug)]
pub(crate) struct Verdicted {
    pub(crate) character: Option<Key>,
    pub(crate) judged: Judged,
}

/// The lines of one character between two moves of bodies.
struct Group {
    key: Option<Key>,
    chain: Option<Chain>,
    lines: Vec<(u64, What)>,
}

impl Log {
    pub(crate) fn new(rules: Rules, level: Level) -> Self {
        let (bodies, chains) = (MovedBodies::default(), HashMap::new());
        Self { rules, level, bodies, chains }
    }

    pub(crate) fn level(&self) -> &Level {
        &self.level
    }

    /// Answers lines, given with their numbers, which ascend.
    pub(crate) fn answer(&mut self, lines: Vec<(u64, Result<Line>)>) -> Vec<Answer> {
        let mut answers = Vec::new();
        let mut groups = Groups::default();
        for (line, parsed) in lines {
            match parsed {
                Ok(Line::Character { key, what }) => groups.add(key, line, what),
                Ok(Line::Body(to)) => {
                    // All claims before see the body where it was.
                    self.judge(&mut groups, &mut answers);
                    if let Err(error) = self.bodies.set(&mut self.level, &to) {
                        answers.push(Answer { line, result: Err(error) });
                    }
                }
                Err(error) => answers.push(Answer { line, result: Err(error) }),
            }
        }
        self.judge(&mut groups, &mut answers);
        answers.sort_by_key(|answer| answer.line);
        answers
    }

    fn judge(&mut self, groups: &mut Groups, answers: &mut Vec<Answer>) {
        let mut groups = std::mem::take(&mut groups.groups);
        for group in &mut groups {
            group.chain = self.chains.remove(&group.key);
        }
        let now = Now { rules: &self.rules, scene: &self.level.scene, bodies: &self.bodies };
        let judged: Vec<Vec<Answer>> =
            groups.par_iter_mut().map(|group| group.answer(&now)).collect();
        answers.extend(judged.into_iter().flatten());
        let chains = groups.into_iter().filter_map(|group| Some((group.key, group.chain?)));
        self.chains.extend(chains);
    }
}

/// Lines by character.
#[derive(Default)]
struct Groups {
    groups: Vec<Group>,
    index: HashMap<Option<Key>, usize>,
}

impl Groups {
    fn add(&mut self, key: Option<Key>, line: u64, what: What) {
        if self.groups.is_empty() {
            self.index.clear();
        }
        let index = *self.index.entry(key).or_insert_with_key(|key| {
            self.groups.push(Group { key: key.clone(), chain: None, lines: Vec::new() });
            self.groups.len() - 1
        });
        self.groups[index].lines.push((line, what));
    }
}

impl Group {
    fn answer(&mut self, now: &Now) -> Vec<Answer> {
        let mut answers = Vec::new();
        for (line, what) in std::mem::take(&mut self.lines) {
            let result = self.take(now, &what).transpose();
            answers.extend(result.map(|result| Answer { line, result }));
        }
        answers
    }

    fn take(&mut self, now: &Now, what: &What) -> Result<Option<Verdicted>> {
        match what {
            What::Event(Event::Start(start)) if self.chain.is_none() => {
                self.chain = Some(Chain::start(now, start, None)?);
            }
            What::Event(Event::End) => {
                self.chain.take().ok_or_else(|| self.unknown())?;
            }
            What::Event(event) => match &mut self.chain {
                Some(chain) => chain.apply(now, event)?,
                None => return Err(self.unknown()),
            },
            What::Claim(claim) => {
                let chain = self.chain.as_mut().with_context(|| unknown(self.key.as_ref()))?;
                let judged = chain.judge(now, claim);
                return Ok(Some(Verdicted { character: self.key.clone(), judged }));
            }
        }
        Ok(None)
    }

    fn unknown(&self) -> Error {
        anyhow!(unknown(self.key.as_ref()))
    }
}

fn unknown(key: Option<&Key>) -> String {
    let who = key.map_or_else(|| "the character".to_owned(), |key| format!("character {key}"));
    format!(
        "{who} has no start: its first line is \
         {{\"event\": \"start\", \"feet\": [x, y, z]}}, with its \"character\" if it has one"
    )
}
