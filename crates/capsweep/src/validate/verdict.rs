//! Verdicts, and why a claim is impossible.

use crate::SweepHit;
use crate::scene::SceneHit;
use crate::validate::Accepted;
use core::fmt;
use glam::DVec3;

/// The verdict on a claim.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Verdict {
    /// The rules of movement allow the claim, or no rule excludes it.
    Possible,
    /// No inputs lead to the claim.
    Impossible {
        /// The reason.
        reason: Reason,
        /// The point on the blocking surface, or the claimed feet.
        at: DVec3,
    },
    /// The query budget ran out.
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
    /// Every path is blocked, or longer than the speed allows.
    ThroughSurface {
        /// The first hit on the straight line.
        hit: SceneHit<SweepHit>,
    },
    /// The claimed position is inside geometry.
    InsideGeometry {
        /// Depth of the body in it (metres).
        depth: f64,
    },
    /// On a slope that is too steep to walk on, higher than a jump and a step can reach.
    TooSteep,
    /// Higher than steps, slopes and jumps can reach in that time.
    TooHigh {
        /// Metres too high.
        excess: f64,
    },
    /// The character has no support and does not fall as gravity demands.
    Hovering {
        /// Seconds since it last had support.
        since: f64,
    },
    /// The claimed mode is impossible there: swimming without water, flying without the ability,
    /// or walking on air.
    WrongMode,
    /// The client's clock runs faster than the server's.
    ClockAhead {
        /// Seconds beyond the allowance.
        excess: f64,
    },
    /// The claim is of another world.
    WrongWorld,
    /// A number of the claim is not finite or is out of range.
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
    /// The state for the next claim: the claimed one if the claim is possible. Otherwise the last
    /// accepted state. If the claim is impossible, put the character back there; the windows of
    /// events are shorter by the claim's time. If it is undecided, add its time to that of the
    /// next claim.
    pub next: Accepted,
    /// Number of scene queries.
    pub queries: u32,
}
