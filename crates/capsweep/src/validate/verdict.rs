//! Verdicts, and why a claim is impossible.

use crate::SweepHit;
use crate::scene::SceneHit;
use crate::validate::Accepted;
use core::fmt;
use glam::DVec3;

/// The verdict on a claim.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Verdict {
    /// The rules of movement lead there, or nothing proves that they do not.
    Possible,
    /// No inputs lead there.
    Impossible {
        /// Why.
        reason: Reason,
        /// Where: the point of the surface that is in the way, or the claimed feet.
        at: DVec3,
    },
    /// The budget of queries was used up.
    Undecided,
}

impl Verdict {
    /// Whether the claim is impossible.
    pub fn is_impossible(&self) -> bool {
        matches!(self, Self::Impossible { .. })
    }
}

/// Why a claim is impossible.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Reason {
    /// Farther than the speed and the credit allow, or a fall faster than gravity.
    TooFast {
        /// Metres too far.
        excess: f64,
    },
    /// Every way is closed, or longer than the speed allows.
    ThroughSurface {
        /// The surface on the straight way.
        hit: SceneHit<SweepHit>,
    },
    /// The claimed position is inside geometry.
    InsideGeometry {
        /// Depth of the body in it (metres).
        depth: f64,
    },
    /// Higher on a slope that is too steep to walk on than a jump and a step lead.
    TooSteep,
    /// Higher than steps, slopes and jumps lead in that time.
    TooHigh {
        /// Metres too high.
        excess: f64,
    },
    /// Nothing carries the character, and it does not fall as it must.
    Hovering {
        /// Seconds since something carried it.
        since: f64,
    },
    /// The claimed mode is not possible there: it swims without water, flies without the ability,
    /// or walks on air.
    WrongMode,
    /// The client's clock runs faster than the server's.
    ClockAhead {
        /// Seconds beyond the allowance.
        excess: f64,
    },
    /// The claim is of another world.
    WrongWorld,
    /// A number of the claim is not finite or out of range.
    InvalidNumber,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooFast { excess } => write!(f, "too fast by {excess:.3} m"),
            Self::ThroughSurface { .. } => f.write_str("through a surface"),
            Self::InsideGeometry { depth } => write!(f, "{depth:.3} m inside geometry"),
            Self::TooSteep => f.write_str("up a slope that is too steep"),
            Self::TooHigh { excess } => write!(f, "too high by {excess:.3} m"),
            Self::Hovering { since } => write!(f, "nothing carries it since {since:.3} s"),
            Self::WrongMode => f.write_str("the claimed mode is not possible there"),
            Self::ClockAhead { excess } => write!(f, "the clock is ahead by {excess:.3} s"),
            Self::WrongWorld => f.write_str("the claim is of another world"),
            Self::InvalidNumber => f.write_str("a number is not finite or out of range"),
        }
    }
}

/// The judgement of a claim.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Judgement {
    /// The verdict.
    pub verdict: Verdict,
    /// The state for the next claim. If the claim is possible, it is accepted. Otherwise it is the
    /// last accepted state: put the character back there.
    pub next: Accepted,
    /// Number of scene queries.
    pub queries: u32,
}
