//! Judgements.

use crate::accepted::encode_accepted;
use crate::batch::{Answers, common_parts, join};
use crate::column::Column;
use crate::geometry::{push3, vector};
use crate::{FieldError, v1};
use capsweep::scene::SceneHit;
use capsweep::validate::{Judgement, Reason, Verdict};
use glam::DVec3;

/// The judgement of a claim, as the service returns it.
#[derive(Debug, Clone, PartialEq)]
pub struct Judged {
    /// The verdict.
    pub verdict: Verdict,
    /// The bytes of the state for the next claim.
    pub accepted: Vec<u8>,
    /// Its feet.
    pub feet: DVec3,
    /// Number of scene queries.
    pub queries: u32,
}

impl TryFrom<&Judgement> for Judged {
    type Error = FieldError;

    fn try_from(judgement: &Judgement) -> Result<Self, FieldError> {
        Ok(Self {
            verdict: judgement.verdict,
            accepted: encode_accepted(&judgement.next)?,
            feet: judgement.next.feet(),
            queries: judgement.queries,
        })
    }
}

fn encode_reason(reason: &Reason) -> (v1::Reason, f64) {
    match *reason {
        Reason::TooFast { excess } => (v1::Reason::TooFast, excess),
        Reason::ThroughSurface { .. } => (v1::Reason::ThroughSurface, 0.0),
        Reason::InsideGeometry { depth } => (v1::Reason::InsideGeometry, depth),
        Reason::TooSteep => (v1::Reason::TooSteep, 0.0),
        Reason::TooHigh { excess } => (v1::Reason::TooHigh, excess),
        Reason::Hovering { since } => (v1::Reason::Hovering, since),
        Reason::WrongMode => (v1::Reason::WrongMode, 0.0),
        Reason::ClockAhead { excess } => (v1::Reason::ClockAhead, excess),
        Reason::WrongWorld => (v1::Reason::WrongWorld, 0.0),
        Reason::InvalidNumber => (v1::Reason::InvalidNumber, 0.0),
        // A reason that this version of the protocol does not know.
        _ => (v1::Reason::None, 0.0),
    }
}

fn reason(value: i32, amount: f64, hit: Option<&v1::SweepHit>) -> Result<Reason, FieldError> {
    Ok(match v1::Reason::try_from(value) {
        Ok(v1::Reason::TooFast) => Reason::TooFast { excess: amount },
        Ok(v1::Reason::ThroughSurface) => {
            let hit = hit.ok_or_else(|| FieldError::missing("hit"))?;
            Reason::ThroughSurface { hit: SceneHit::try_from(hit)? }
        }
        Ok(v1::Reason::InsideGeometry) => Reason::InsideGeometry { depth: amount },
        Ok(v1::Reason::TooSteep) => Reason::TooSteep,
        Ok(v1::Reason::TooHigh) => Reason::TooHigh { excess: amount },
        Ok(v1::Reason::Hovering) => Reason::Hovering { since: amount },
        Ok(v1::Reason::WrongMode) => Reason::WrongMode,
        Ok(v1::Reason::ClockAhead) => Reason::ClockAhead { excess: amount },
        Ok(v1::Reason::WrongWorld) => Reason::WrongWorld,
        Ok(v1::Reason::InvalidNumber) => Reason::InvalidNumber,
        Ok(v1::Reason::None) | Err(_) => return Err(FieldError::unknown("reason", value)),
    })
}

fn surface(reason: &Reason) -> Option<v1::SweepHit> {
    match reason {
        Reason::ThroughSurface { hit } => Some(hit.into()),
        _ => None,
    }
}

impl From<&Judged> for v1::Judgement {
    fn from(judged: &Judged) -> Self {
        let mut message = Self {
            accepted: judged.accepted.clone(),
            feet: Some(judged.feet.into()),
            queries: judged.queries,
            ..Self::default()
        };
        match &judged.verdict {
            Verdict::Possible => message.verdict = v1::Verdict::Possible as i32,
            Verdict::Undecided => message.verdict = v1::Verdict::Undecided as i32,
            Verdict::Impossible { reason, at } => {
                let (kind, amount) = encode_reason(reason);
                message.verdict = v1::Verdict::Impossible as i32;
                message.reason = kind as i32;
                message.amount = Some(amount);
                message.at = Some((*at).into());
                message.hit = surface(reason);
            }
        }
        message
    }
}

impl TryFrom<v1::Judgement> for Judged {
    type Error = FieldError;

    fn try_from(given: v1::Judgement) -> Result<Self, FieldError> {
        let verdict = match v1::Verdict::try_from(given.verdict) {
            Ok(v1::Verdict::Possible) => Verdict::Possible,
            Ok(v1::Verdict::Undecided) => Verdict::Undecided,
            Ok(v1::Verdict::Impossible) => Verdict::Impossible {
                reason: reason(
                    given.reason,
                    given.amount.unwrap_or_default(),
                    given.hit.as_ref(),
                )?,
                at: vector("at", given.at.as_ref())?,
            },
            Err(_) => return Err(FieldError::unknown("verdict", given.verdict)),
        };
        let feet = vector("feet", given.feet.as_ref())?;
        Ok(Self { verdict, accepted: given.accepted, feet, queries: given.queries })
    }
}

impl Answers for v1::ValidateBatchResponse {
    type Answer = Judged;

    common_parts!();

    fn reserve(&mut self, rows: usize) {
        self.accepted.reserve(rows);
        self.feet.reserve(3 * rows);
    }

    fn append(&mut self, other: &mut Self) {
        join!(self, other;
            errors, query, verdict, accepted, queries, feet, impossible_query, reason, amount, at,
            hit_query, hit);
    }

    fn push(&mut self, query: u32, judged: &Judged) {
        self.query.push(query);
        self.accepted.push(judged.accepted.clone());
        self.queries.push(judged.queries);
        push3(&mut self.feet, judged.feet);
        let verdict = match &judged.verdict {
            Verdict::Possible => v1::Verdict::Possible,
            Verdict::Undecided => v1::Verdict::Undecided,
            Verdict::Impossible { reason, at } => {
                let (kind, amount) = encode_reason(reason);
                self.impossible_query.push(query);
                self.reason.push(kind as i32);
                self.amount.push(amount);
                push3(&mut self.at, *at);
                if let Some(hit) = surface(reason) {
                    self.hit_query.push(query);
                    self.hit.push(hit);
                }
                v1::Verdict::Impossible
            }
        };
        self.verdict.push(verdict as i32);
    }

    fn answers(&self) -> Result<Vec<(u32, Judged)>, FieldError> {
        let rows = self.query.len();
        let verdicts = Column::full("verdict", &self.verdict, 1, rows)?;
        let queries = Column::full("queries", &self.queries, 1, rows)?;
        let feet = Column::full("feet", &self.feet, 3, rows)?;
        if self.accepted.len() != rows || self.hit.len() != self.hit_query.len() {
            return Err(FieldError::new("accepted", "columns have different lengths"));
        }
        let count = self.impossible_query.len();
        let reasons = Column::full("reason", &self.reason, 1, count)?;
        let amounts = Column::full("amount", &self.amount, 1, count)?;
        let at = Column::full("at", &self.at, 3, count)?;
        let answer = |(row, &query): (usize, &u32)| {
            let mut given = v1::Judgement {
                verdict: verdicts.get(row).unwrap_or(0),
                accepted: self.accepted[row].clone(),
                feet: feet.vector(row).map(v1::Vector::from),
                queries: queries.get(row).unwrap_or(0),
                ..v1::Judgement::default()
            };
            if let Ok(place) = self.impossible_query.binary_search(&query) {
                given.reason = reasons.get(place).unwrap_or(0);
                given.amount = amounts.get(place);
                given.at = at.vector(place).map(v1::Vector::from);
            }
            if let Ok(place) = self.hit_query.binary_search(&query) {
                given.hit = self.hit.get(place).copied();
            }
            Ok((query, Judged::try_from(given)?))
        };
        self.query.iter().enumerate().map(answer).collect()
    }
}
