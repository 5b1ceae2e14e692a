//! Answers as text and as JSON, and their summary.

use super::key::Key;
use super::log::{Answer, Verdicted};
use crate::output::{Format, count, escape, list, rounded};
use crate::query::NamedTarget;
use anyhow::Result;
use capsweep::MAX_POSITION;
use capsweep::persist::MapUnit;
use capsweep::validate::{Reason, Support, Verdict};
use capsweep_formats::Level;
use glam::{DVec3, Vec3};
use serde::Serialize;
use std::collections::BTreeMap;
use std::time::Duration;

/// The answer to a claim as a JSON object.
#[derive(Serialize)]
struct VerdictJson<'a> {
    line: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    character: Option<&'a Key>,
    verdict: &'static str,
    #[serde(flatten)]
    accepted: Option<AcceptedJson>,
    #[serde(flatten)]
    impossible: Option<ImpossibleJson<'a>>,
    queries: u32,
}

/// The state after a possible claim.
#[derive(Serialize)]
struct AcceptedJson {
    support: &'static str,
    reach_credit: f64,
    clock_credit: f64,
}

/// Why a claim is impossible, and where.
#[derive(Serialize)]
struct ImpossibleJson<'a> {
    reason: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    excess: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    since: Option<f64>,
    at: DVec3,
    from: DVec3,
    feet: DVec3,
    #[serde(skip_serializing_if = "Option::is_none")]
    surface: Option<SurfaceJson<'a>>,
}

/// The surface that is in the way.
#[derive(Serialize)]
struct SurfaceJson<'a> {
    point: DVec3,
    normal: Vec3,
    #[serde(flatten)]
    target: NamedTarget<'a>,
}

#[derive(Serialize)]
struct ErrorJson {
    error: String,
}

/// Writes answers in one format.
#[derive(Clone, Copy)]
pub(crate) struct Reporter {
    pub(crate) format: Format,
    /// Unit of the level.
    pub(crate) unit: MapUnit,
    /// Leave out the possible claims.
    pub(crate) brief: bool,
}

impl Reporter {
    /// The line of an answer with its line break; empty if it is left out.
    pub(crate) fn line(&self, level: &Level, answer: &Answer) -> Result<String> {
        let Answer { line, result } = answer;
        if let Ok(claim) = result
            && self.brief
            && claim.judged.judgement.verdict == Verdict::Possible
        {
            return Ok(String::new());
        }
        let text = match (self.format, result) {
            (Format::Json, Ok(claim)) => {
                escape::json(serde_json::to_string(&json(level, *line, claim))?)
            }
            (Format::Json, Err(error)) => {
                let error = format!("line {line}: {error:#}");
                escape::json(serde_json::to_string(&ErrorJson { error })?)
            }
            (Format::Text, Ok(claim)) => self.text(level, *line, claim),
            (Format::Text, Err(error)) => {
                format!("line {line}: error: {}", escape::name(&format!("{error:#}")))
            }
        };
        Ok(text + "\n")
    }

    fn text(&self, level: &Level, line: u64, claim: &Verdicted) -> String {
        let who = claim
            .character
            .as_ref()
            .map_or_else(String::new, |key| format!(" {}:", escape::name(&key.to_string())));
        let what = match claim.judged.judgement.verdict {
            Verdict::Possible => "possible".to_owned(),
            Verdict::Impossible { reason, at } => {
                let why = self.reason(level, &reason);
                format!("impossible: {why}, at {}", place(at))
            }
            Verdict::Undecided => {
                let queries = claim.judged.judgement.queries as usize;
                format!("undecided after {}", count(queries, "query", "queries"))
            }
        };
        format!("line {line}:{who} {what}")
    }

    /// A reason in words, with lengths in the unit of the level.
    pub(crate) fn reason(&self, level: &Level, reason: &Reason) -> String {
        let unit = self.unit.symbol();
        match reason {
            Reason::TooFast { excess } => format!("too fast by {} {unit}", rounded(*excess, 3)),
            Reason::TooHigh { excess } => format!("too high by {} {unit}", rounded(*excess, 3)),
            Reason::InsideGeometry { depth } => {
                format!("{} {unit} inside geometry", rounded(*depth, 3))
            }
            Reason::ThroughSurface { hit } => {
                let target = NamedTarget::in_level(level, &hit.target).describe();
                format!("through a surface, {}", escape::name(&target))
            }
            other => other.to_string(),
        }
    }
}

fn json<'a>(level: &'a Level, line: u64, claim: &'a Verdicted) -> VerdictJson<'a> {
    let judged = &claim.judged;
    let judgement = &judged.judgement;
    let mut json = VerdictJson {
        line,
        character: claim.character.as_ref(),
        verdict: "undecided",
        accepted: None,
        impossible: None,
        queries: judgement.queries,
    };
    match judgement.verdict {
        Verdict::Possible => {
            json.verdict = "possible";
            json.accepted = Some(AcceptedJson {
                support: support(judgement.next.support()),
                reach_credit: judgement.next.reach_credit(),
                clock_credit: judgement.next.clock_credit(),
            });
        }
        Verdict::Impossible { reason, at } => {
            json.verdict = "impossible";
            let (mut excess, mut depth, mut since, mut surface) = (None, None, None, None);
            match reason {
                Reason::TooFast { excess: by }
                | Reason::TooHigh { excess: by }
                | Reason::ClockAhead { excess: by } => excess = Some(by),
                Reason::InsideGeometry { depth: by } => depth = Some(by),
                Reason::Hovering { since: by } => since = Some(by),
                Reason::ThroughSurface { hit } => {
                    let target = NamedTarget::in_level(level, &hit.target);
                    let (point, normal) = (hit.hit.point, hit.hit.normal);
                    surface = Some(SurfaceJson { point, normal, target });
                }
                _ => {}
            }
            json.impossible = Some(ImpossibleJson {
                reason: name(&reason),
                excess,
                depth,
                since,
                at,
                from: judged.from,
                feet: judged.feet,
                surface,
            });
        }
        Verdict::Undecided => {}
    }
    json
}

/// A position in the form that flags take. Claims out of range may have very long numbers.
fn place(at: DVec3) -> String {
    let is_long = at.abs().max_element() > MAX_POSITION;
    if is_long { at.to_array().map(|x| format!("{x:e}")).join(",") } else { list(at.to_array()) }
}

fn support(support: Support) -> &'static str {
    match support {
        Support::Ground => "ground",
        Support::Steep => "steep",
        Support::Water => "water",
        Support::Air => "air",
    }
}

/// The reason as one word, for JSON.
fn name(reason: &Reason) -> &'static str {
    match reason {
        Reason::TooFast { .. } => "too_fast",
        Reason::ThroughSurface { .. } => "through_surface",
        Reason::InsideGeometry { .. } => "inside_geometry",
        Reason::TooSteep => "too_steep",
        Reason::TooHigh { .. } => "too_high",
        Reason::Hovering { .. } => "hovering",
        Reason::WrongMode => "wrong_mode",
        Reason::ClockAhead { .. } => "clock_ahead",
        Reason::WrongWorld => "wrong_world",
        Reason::InvalidNumber => "invalid_number",
        _ => "other",
    }
}

/// Counts of verdicts.
#[derive(Debug, Default)]
pub(crate) struct Summary {
    pub(crate) claims: u64,
    pub(crate) possible: u64,
    pub(crate) undecided: u64,
    /// Impossible claims by reason.
    impossible: BTreeMap<&'static str, u64>,
    /// Lines that are errors.
    pub(crate) errors: u64,
    queries: u64,
}

impl Summary {
    pub(crate) fn add(&mut self, answer: &Answer) {
        let Ok(claim) = &answer.result else {
            self.errors += 1;
            return;
        };
        self.claims += 1;
        self.queries += u64::from(claim.judged.judgement.queries);
        match claim.judged.judgement.verdict {
            Verdict::Possible => self.possible += 1,
            Verdict::Impossible { reason, .. } => {
                *self.impossible.entry(name(&reason)).or_default() += 1;
            }
            Verdict::Undecided => self.undecided += 1,
        }
    }

    pub(crate) fn impossible(&self) -> u64 {
        self.impossible.values().sum()
    }

    pub(crate) fn text(&self, took: Duration) -> String {
        let reasons = self.impossible.iter().map(|(reason, times)| format!("{times} {reason}"));
        let reasons = reasons.collect::<Vec<_>>().join(", ");
        let reasons = if reasons.is_empty() { reasons } else { format!(" ({reasons})") };
        let errors = match self.errors {
            0 => String::new(),
            errors => format!("; {}", count(errors as usize, "bad line", "bad lines")),
        };
        format!(
            "{}: {} possible, {} impossible{reasons}, {} undecided{errors}; {} in {} s",
            count(self.claims as usize, "claim", "claims"),
            self.possible,
            self.impossible(),
            self.undecided,
            count(self.queries as usize, "query", "queries"),
            rounded(took.as_secs_f64(), 3),
        )
    }
}
