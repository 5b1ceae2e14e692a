//! What came of a move.

use crate::controller::pass::side::SlidePlanes;
use crate::controller::pass::slide_planes::Planes;
use crate::controller::state::CharacterState;
use crate::scene::{HitTarget, SceneHit};
use crate::{Feature, Overlap, SweepHit};
use glam::{DQuat, DVec3, Vec3};

/// What came of a move. [`Controller::move_into`](crate::controller::Controller::move_into) fills one that exists, and then allocates nothing.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MoveOutcome {
    /// The character after the move.
    pub state: CharacterState,
    /// Where it touched something.
    pub touching: Touching,
    /// What is under its feet, also if it did not move; `None` in the air and on the way up.
    pub ground: Option<Ground>,
    /// Every surface that stopped or turned it, once each, in the order in which it was met.
    pub contacts: Vec<Contact>,
    /// The displacement that was asked for.
    pub requested: DVec3,
    /// The displacement that was made, the ride and the recovery included.
    pub achieved: DVec3,
    /// What the body under its feet did to it.
    pub carried: Carried,
    /// What became of overlaps at the start.
    pub recovery: Recovery,
    /// What kept it from moving freely.
    pub obstruction: Obstruction,
    /// Whether it climbed a step.
    pub stepped: bool,
    /// Whether it was kept on ground that fell away.
    pub snapped: bool,
    /// The work that was done.
    pub stats: MoveStats,
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) scratch: Scratch,
}

/// Memory that moves use again: no part of what came of one.
#[derive(Debug, Clone, Default)]
pub(crate) struct Scratch {
    pub(crate) overlaps: Vec<SceneHit<Overlap>>,
    pub(crate) course: SlidePlanes,
    pub(crate) planes: Planes,
}

impl PartialEq for Scratch {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl MoveOutcome {
    /// The outcome of no move at all.
    pub(crate) fn still(state: CharacterState) -> Self {
        Self {
            state,
            touching: Touching::default(),
            ground: None,
            contacts: Vec::new(),
            requested: DVec3::ZERO,
            achieved: DVec3::ZERO,
            carried: Carried::default(),
            recovery: Recovery::default(),
            obstruction: Obstruction::None,
            stepped: false,
            snapped: false,
            stats: MoveStats::default(),
            scratch: Scratch::default(),
        }
    }

    /// As it was made, but for the state and the memory that it has.
    pub(crate) fn reset(&mut self) {
        let Self {
            state: _,
            touching,
            ground,
            contacts,
            requested,
            achieved,
            carried,
            recovery,
            obstruction,
            stepped,
            snapped,
            stats,
            scratch: _,
        } = self;
        *touching = Touching::default();
        *ground = None;
        contacts.clear();
        *requested = DVec3::ZERO;
        *achieved = DVec3::ZERO;
        *carried = Carried::NOT;
        *recovery = Recovery::default();
        *obstruction = Obstruction::None;
        *stepped = false;
        *snapped = false;
        *stats = MoveStats::default();
    }

    /// Whether it was in the way before.
    pub(crate) fn has_met(&self, target: &HitTarget) -> bool {
        self.contacts.iter().any(|seen| seen.target == *target)
    }

    /// Whether it stands on ground that it can walk on.
    pub fn is_grounded(&self) -> bool {
        self.ground.as_ref().is_some_and(|ground| ground.walkable && ground.touched)
    }
}

/// Where a character touched something in a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Touching {
    /// A wall, or something too steep to climb, was in the way.
    pub sides: bool,
    /// A ceiling was in the way of going up.
    pub above: bool,
    /// It stands on something, walkable or not.
    pub below: bool,
}

/// What is under a character's feet.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Ground {
    /// Where the skin touches it, or would.
    pub point: DVec3,
    /// Unit, from the ground to the capsule: over an edge it leans.
    pub normal: Vec3,
    /// The face's own normal.
    pub face_normal: Vec3,
    /// Which part of which body.
    pub target: HitTarget,
    /// Whether it can be walked on: the contact, the face, or a face that meets it in the edge that is touched.
    pub walkable: bool,
    /// Metres between the skin and the ground, straight down.
    pub distance: f64,
    /// Whether the character stands on it, and is not just over it: within a three-hundredth of its radius.
    pub touched: bool,
    /// How fast the ground moves where it is touched (metres a second).
    pub velocity: DVec3,
}

/// The part of a move in which something was met.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Pass {
    /// Being carried along by the body under the feet.
    Ride,
    /// Being pushed out of an overlap.
    Recovery,
    /// Rising.
    Up,
    /// Walking.
    Side,
    /// Climbing a step.
    Step,
    /// Falling, and settling on the ground.
    Down,
}

/// A surface that a character met.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Contact {
    /// In which part of the move it was first met.
    pub pass: Pass,
    /// Where the skin touched it.
    pub point: DVec3,
    /// Unit, from the surface to the capsule.
    pub normal: Vec3,
    /// The face's own normal.
    pub face_normal: Vec3,
    /// Face, edge or vertex.
    pub feature: Feature,
    /// Which part of which body.
    pub target: HitTarget,
}

impl Contact {
    pub(crate) fn swept(pass: Pass, SceneHit { hit, target }: &SceneHit<SweepHit>) -> Self {
        let SweepHit { point, normal, face_normal, feature, .. } = *hit;
        Self { pass, point, normal, face_normal, feature, target: *target }
    }

    pub(crate) fn overlapping(SceneHit { hit, target }: &SceneHit<Overlap>) -> Self {
        let Overlap { point, normal, face_normal, feature, .. } = *hit;
        Self { pass: Pass::Recovery, point, normal, face_normal, feature, target: *target }
    }
}

/// What the body under a character's feet did to it.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Carried {
    /// Where the body would have taken it.
    pub displacement: DVec3,
    /// How the body turned: for whoever wants to turn along.
    pub rotation: DQuat,
    /// Something over its head kept it from being lifted all the way.
    pub blocked: bool,
}

impl Carried {
    const NOT: Self = Self { displacement: DVec3::ZERO, rotation: DQuat::IDENTITY, blocked: false };
}

impl Default for Carried {
    fn default() -> Self {
        Self::NOT
    }
}

/// What kept a character from moving freely.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Obstruction {
    /// Nothing, or only surfaces that it slid along.
    #[default]
    None,
    /// Surfaces stopped it: it made less than a hundredth of the level or the upward motion that was asked for.
    Blocked,
    /// Static surfaces leave no room for its body, without the skin. It may move wherever that deepens no overlap; every
    /// move looks for a way out again.
    Squeezed {
        /// Depth of its deepest overlap (metres).
        depth: f64,
    },
    /// Bodies that move leave no room for its body. It holds its place, and stands where it stood over its footing once
    /// there is room again.
    Crushed {
        /// Height of the room that is missing or, where walls crush it, the depth of the deepest overlap (metres).
        missing: f64,
    },
}

impl Obstruction {
    /// Whether the body, without its skin, overlaps something.
    pub fn is_overlap(&self) -> bool {
        matches!(self, Self::Squeezed { .. } | Self::Crushed { .. })
    }
}

/// What became of overlaps at the start of a move.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Recovery {
    /// How the character was pushed out.
    pub displacement: DVec3,
    /// How deep the skin is still in something (metres); 0 if it is free. Up to the contact offset the character itself is free.
    pub left: f64,
}

/// The work that a move was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MoveStats {
    /// Sweeps on the way up.
    pub up: u16,
    /// Sweeps to the side.
    pub side: u16,
    /// Sweeps to climb steps.
    pub step: u16,
    /// Rays that tell a wall from a step, and sweeps to see what a step leads to.
    pub sensor: u16,
    /// Sweeps on the way down.
    pub down: u16,
    /// Overlap queries.
    pub overlaps: u16,
    /// Pushes out of overlaps.
    pub pushes: u16,
}

impl MoveStats {
    /// All queries of the scene.
    pub fn queries(&self) -> u32 {
        [self.up, self.side, self.step, self.sensor, self.down, self.overlaps]
            .into_iter()
            .map(u32::from)
            .sum()
    }
}
