//! The outcome of a move: the next state, the ground, the contacts, and all that happened.

use crate::controller::state::CharacterState;
use crate::scene::{HitTarget, SceneHit};
use crate::{Feature, Overlap, Region, SweepHit};
use glam::{DQuat, DVec3, Vec3};

/// The outcome of a move.
///
/// [`Controller::move_into`] reuses an existing one and then allocates nothing.
///
/// [`Controller::move_into`]: crate::controller::Controller::move_into
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MoveOutcome {
    /// The character after the move: the state to give to its next move.
    pub state: CharacterState,
    /// Collision flags: on which sides the character touched something.
    pub touching: Touching,
    /// The surface under the feet. Every move that does not rise reports it, also one without a
    /// displacement. `None` in the air and while rising.
    pub ground: Option<Ground>,
    /// Every surface that stopped or deflected the character: once each, in the order of the hits.
    /// Steps that were tried and not taken leave no contact.
    pub contacts: Vec<Contact>,
    /// The displacement of the input (metres).
    pub requested: DVec3,
    /// The displacement that was made (metres), with ride and recovery.
    pub achieved: DVec3,
    /// The ride on the body under the feet.
    pub carried: Carried,
    /// The push out of overlaps.
    pub recovery: Recovery,
    /// Whether the character was blocked, squeezed or crushed.
    pub obstruction: Obstruction,
    /// The character climbed a step.
    pub stepped: bool,
    /// The snap distance kept the character on ground that falls away.
    pub snapped: bool,
    /// Number of queries, by kind.
    pub stats: MoveStats,
}

impl MoveOutcome {
    /// The outcome of no move.
    pub(crate) fn unmoved(state: CharacterState) -> Self {
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
        }
    }

    /// Clears everything but the state and the contacts.
    pub(crate) fn reset(&mut self) {
        let Self {
            state: _,
            touching,
            ground,
            contacts: _,
            requested,
            achieved,
            carried,
            recovery,
            obstruction,
            stepped,
            snapped,
            stats,
        } = self;
        *touching = Touching::default();
        *ground = None;
        *requested = DVec3::ZERO;
        *achieved = DVec3::ZERO;
        *carried = Carried::NONE;
        *recovery = Recovery::default();
        *obstruction = Obstruction::None;
        *stepped = false;
        *snapped = false;
        *stats = MoveStats::default();
    }

    /// A copy without the contacts.
    pub(crate) fn without_contacts(&mut self) -> Self {
        let contacts = core::mem::take(&mut self.contacts);
        let copy = self.clone();
        self.contacts = contacts;
        copy
    }

    /// Adds the outcome of the move before this one, whose contacts are here already: a tick may
    /// take two moves. The ride and the footing are those of the whole tick.
    pub(crate) fn add_earlier(&mut self, earlier: &Self) {
        self.touching.sides |= earlier.touching.sides;
        self.touching.above |= earlier.touching.above;
        self.requested += earlier.requested;
        self.achieved += earlier.achieved;
        self.carried = earlier.carried;
        self.recovery.displacement += earlier.recovery.displacement;
        self.stepped |= earlier.stepped;
        self.snapped |= earlier.snapped;
        self.stats.add(&earlier.stats);
    }

    pub(crate) fn has_contact_with(&self, target: &HitTarget) -> bool {
        self.contacts.iter().any(|contact| contact.target == *target)
    }

    /// Whether the character stands on walkable ground.
    pub fn is_grounded(&self) -> bool {
        self.ground.as_ref().is_some_and(|ground| ground.walkable && ground.touched)
    }
}

/// Collision flags of a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Touching {
    /// A wall, or a slope too steep to climb, was hit.
    pub sides: bool,
    /// A ceiling was hit while rising, or during a lift.
    pub above: bool,
    /// The character stands on a surface, walkable or not.
    pub below: bool,
}

/// The surface under a character's feet.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Ground {
    /// Where the skin touches the ground, or would after a fall by `distance`.
    pub point: DVec3,
    /// Unit contact normal, from the ground to the capsule. It leans over an edge.
    pub normal: Vec3,
    /// The touched face's own normal.
    pub face_normal: Vec3,
    /// The body, and the triangle of a mesh.
    pub target: HitTarget,
    /// The character can walk here: one of three normals is within the slope limit. They are the
    /// contact normal, the face normal, and that of another face at the touched edge.
    pub walkable: bool,
    /// Distance between skin and ground, straight down (metres). Of a hovering character, the part
    /// above its hover height.
    pub distance: f64,
    /// The character stands on the ground: `distance` is at most 1/300 of its radius.
    pub touched: bool,
    /// Velocity of the ground at `point` (metres per second). 0 unless [`MoveInput::carrier`] is
    /// the ground's body and [`MoveInput::dt`] is above 0.
    ///
    /// [`MoveInput::carrier`]: crate::controller::MoveInput::carrier
    /// [`MoveInput::dt`]: crate::controller::MoveInput::dt
    pub velocity: DVec3,
}

/// The pass of a move in which a contact was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Pass {
    /// The lift by the body under the feet.
    Ride,
    /// The push out of overlaps.
    Recovery,
    /// The rise.
    Up,
    /// The level motion.
    Side,
    /// The climb of a step.
    Step,
    /// The fall, and the slide down steep ground.
    Down,
    /// The motion of a swimmer or flyer.
    Free,
}

/// A surface that a character touched in a move.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Contact {
    /// The pass that touched the surface first.
    pub pass: Pass,
    /// Point on the surface.
    pub point: DVec3,
    /// Unit contact normal, from the surface to the capsule.
    pub normal: Vec3,
    /// The touched face's own normal.
    pub face_normal: Vec3,
    /// The touched face, edge or vertex.
    pub feature: Feature,
    /// The part of the capsule that touches: mostly the bottom on ground and slopes, the side on
    /// walls, the top on ceilings. The bottom also touches steep slopes and the edges of steps, so
    /// it does not make a contact ground: see [`Ground::walkable`].
    pub region: Region,
    /// The body, and the triangle of a mesh.
    pub target: HitTarget,
}

impl Contact {
    pub(crate) fn from_sweep(pass: Pass, SceneHit { hit, target }: &SceneHit<SweepHit>) -> Self {
        let SweepHit { point, normal, face_normal, feature, region, .. } = *hit;
        Self { pass, point, normal, face_normal, feature, region, target: *target }
    }

    pub(crate) fn from_overlap(SceneHit { hit, target }: &SceneHit<Overlap>) -> Self {
        let Overlap { point, normal, face_normal, feature, region, .. } = *hit;
        let (pass, target) = (Pass::Recovery, *target);
        Self { pass, point, normal, face_normal, feature, region, target }
    }
}

/// The ride on the body under a character's feet.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Carried {
    /// The displacement by which the body would carry the character (metres). Walls and ceilings
    /// may stop it.
    pub displacement: DVec3,
    /// The body's rotation since the last move, for callers that turn the character with it.
    pub rotation: DQuat,
    /// A surface overhead stopped the lift.
    pub blocked: bool,
}

impl Carried {
    const NONE: Self =
        Self { displacement: DVec3::ZERO, rotation: DQuat::IDENTITY, blocked: false };
}

impl Default for Carried {
    /// No ride.
    fn default() -> Self {
        Self::NONE
    }
}

/// What kept a character from moving freely.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Obstruction {
    /// Nothing, or only surfaces that it slid along.
    #[default]
    None,
    /// Surfaces stopped the character: it made less than 1 % of its level and upward motion.
    Blocked,
    /// Static surfaces leave no room for the body, without its skin. The character can still move
    /// where that deepens no overlap, and every move tries to leave again.
    Squeezed {
        /// Depth of the deepest overlap (metres).
        depth: f64,
    },
    /// Dynamic bodies leave no room for the body. The character holds its place, and stands over
    /// its footing as before once there is room again.
    Crushed {
        /// Missing height or, between walls, depth of the deepest overlap (metres).
        missing: f64,
    },
}

impl Obstruction {
    /// Whether the body, without its skin, overlaps something.
    pub fn is_overlap(&self) -> bool {
        matches!(self, Self::Squeezed { .. } | Self::Crushed { .. })
    }
}

/// The push out of overlaps during a move.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Recovery {
    /// Displacement of the push (metres).
    pub displacement: DVec3,
    /// Remaining depth of the skin in other surfaces (metres); 0 if it is free. Up to the contact
    /// offset the body itself is free.
    pub left: f64,
}

/// Number of queries that a move made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MoveStats {
    /// Sweeps of the up pass and of the lift.
    pub up: u16,
    /// Sweeps of the side pass, or of a free motion.
    pub side: u16,
    /// Sweeps that climb steps.
    pub step: u16,
    /// Rays that tell a wall from a step, and sweeps that look for ground behind a step or below
    /// the axis.
    pub sensor: u16,
    /// Sweeps of the down pass.
    pub down: u16,
    /// Overlap queries.
    pub overlaps: u16,
    /// Pushes out of overlaps. They are no queries of their own.
    pub pushes: u16,
}

impl MoveStats {
    fn add(&mut self, other: &Self) {
        let Self { up, side, step, sensor, down, overlaps, pushes } = self;
        for (count, more) in [
            (up, other.up),
            (side, other.side),
            (step, other.step),
            (sensor, other.sensor),
            (down, other.down),
            (overlaps, other.overlaps),
            (pushes, other.pushes),
        ] {
            *count = count.saturating_add(more);
        }
    }

    /// Number of all scene queries.
    pub fn queries(&self) -> u32 {
        [self.up, self.side, self.step, self.sensor, self.down, self.overlaps]
            .into_iter()
            .map(u32::from)
            .sum()
    }
}
