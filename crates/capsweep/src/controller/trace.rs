//! Recorded moves: everything a move depends on except the scene, and its outcome.
//!
//! With the feature `serde` a [`TraceMove`] is one line of JSON. Body ids are stored as they are.
//! A scene that is built again in the same order gives its bodies the same ids.

use crate::cache::TriangleCache;
use crate::controller::input::MoveInput;
use crate::controller::locomotion::{Boarded, LocomotionState, Mode};
use crate::controller::outcome::{
    Carried, Contact, Ground, MoveOutcome, MoveStats, Obstruction, Pass, Recovery, Touching,
};
use crate::controller::state::{CharacterState, Clearance, Footing};
use crate::controller::{ConfigError, Controller, ControllerConfig};
use crate::scene::{BodyId, HitTarget, Scene};
use crate::{Feature, Region};
use core::fmt::{self, Debug};
use glam::{DQuat, DVec3, Vec3};
use std::borrow::Cow;

/// A recorded move.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TraceMove {
    /// The controller's configuration.
    pub config: ControllerConfig,
    /// The character before the move.
    pub state: CharacterState,
    /// The move's input.
    pub input: MoveInput,
    /// The move's outcome.
    pub outcome: MoveOutcome,
}

impl TraceMove {
    /// Makes a move and records it.
    pub fn record(
        controller: &Controller,
        scene: &Scene,
        cache: &mut TriangleCache,
        state: &CharacterState,
        input: &MoveInput,
    ) -> Self {
        let outcome = controller.move_by(scene, cache, state, input);
        Self { config: *controller.config(), state: *state, input: *input, outcome }
    }

    /// Makes the move again and returns every difference from the recorded outcome. In the same
    /// scene there is none, down to the last bit.
    ///
    /// # Errors
    /// If the recorded configuration is invalid.
    pub fn replay(&self, scene: &Scene) -> Result<Vec<Difference>, ConfigError> {
        let controller = Controller::new(self.config)?;
        let replayed =
            controller.move_by(scene, &mut TriangleCache::off(), &self.state, &self.input);
        Ok(differences(&self.outcome, &replayed))
    }
}

/// Two values of one part of an outcome.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Change<T> {
    /// The value in the recorded outcome.
    pub recorded: T,
    /// The value in the replayed outcome.
    pub replayed: T,
}

/// A part of a [`MoveOutcome`], or of the state after a tick, that differs between a recording and
/// its replay.
///
/// `Display` gives the part's path and both values, such as
/// `stepped: recorded true, replayed false`.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Difference {
    /// [`CharacterState::center`] of [`MoveOutcome::state`].
    Center(Change<DVec3>),
    /// [`MoveOutcome::state`], its centre included.
    State(Change<CharacterState>),
    /// [`MoveOutcome::touching`].
    Touching(Change<Touching>),
    /// [`MoveOutcome::ground`].
    Ground(Change<Option<Ground>>),
    /// One of [`MoveOutcome::contacts`]. `None` where one outcome has fewer contacts.
    Contact {
        /// Index in [`MoveOutcome::contacts`].
        index: usize,
        /// The two contacts.
        change: Change<Option<Contact>>,
    },
    /// [`MoveOutcome::requested`].
    Requested(Change<DVec3>),
    /// [`MoveOutcome::achieved`].
    Achieved(Change<DVec3>),
    /// [`MoveOutcome::carried`].
    Carried(Change<Carried>),
    /// [`MoveOutcome::recovery`].
    Recovery(Change<Recovery>),
    /// [`MoveOutcome::obstruction`].
    Obstruction(Change<Obstruction>),
    /// [`MoveOutcome::stepped`].
    Stepped(Change<bool>),
    /// [`MoveOutcome::snapped`].
    Snapped(Change<bool>),
    /// [`MoveOutcome::stats`].
    Stats(Change<MoveStats>),
    /// [`LocomotionState::velocity`] of [`TraceTick::next`].
    ///
    /// [`TraceTick::next`]: crate::controller::TraceTick::next
    Velocity(Change<DVec3>),
    /// [`LocomotionState::mode`] of [`TraceTick::next`].
    ///
    /// [`TraceTick::next`]: crate::controller::TraceTick::next
    Mode(Change<Mode>),
    /// [`LocomotionState::boarded`] of [`TraceTick::next`].
    ///
    /// [`TraceTick::next`]: crate::controller::TraceTick::next
    Boarded(Change<Option<Boarded>>),
}

impl Difference {
    /// Path of the part in [`MoveOutcome`], such as `contacts[2]`.
    pub fn part(&self) -> Cow<'static, str> {
        self.describe().0
    }

    /// The value in the recorded outcome.
    pub fn recorded(&self) -> &dyn Debug {
        self.describe().1
    }

    /// The value in the replayed outcome.
    pub fn replayed(&self) -> &dyn Debug {
        self.describe().2
    }

    fn describe(&self) -> (Cow<'static, str>, &dyn Debug, &dyn Debug) {
        fn named<'a, T: Debug>(
            part: &'static str,
            change: &'a Change<T>,
        ) -> (Cow<'static, str>, &'a dyn Debug, &'a dyn Debug) {
            (part.into(), &change.recorded, &change.replayed)
        }
        match self {
            Self::Center(change) => named("state.center", change),
            Self::State(change) => named("state", change),
            Self::Touching(change) => named("touching", change),
            Self::Ground(change) => named("ground", change),
            Self::Contact { index, change } => {
                (format!("contacts[{index}]").into(), &change.recorded, &change.replayed)
            }
            Self::Requested(change) => named("requested", change),
            Self::Achieved(change) => named("achieved", change),
            Self::Carried(change) => named("carried", change),
            Self::Recovery(change) => named("recovery", change),
            Self::Obstruction(change) => named("obstruction", change),
            Self::Stepped(change) => named("stepped", change),
            Self::Snapped(change) => named("snapped", change),
            Self::Stats(change) => named("stats", change),
            Self::Velocity(change) => named("next.velocity", change),
            Self::Mode(change) => named("next.mode", change),
            Self::Boarded(change) => named("next.boarded", change),
        }
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (part, recorded, replayed) = self.describe();
        write!(f, "{part}: recorded {recorded:?}, replayed {replayed:?}")
    }
}

/// Every part in which two outcomes differ by at least one bit.
pub fn differences(recorded: &MoveOutcome, replayed: &MoveOutcome) -> Vec<Difference> {
    let mut found = Vec::new();
    let (a, b) = (recorded, replayed);
    let mut compare = |difference: Option<Difference>| found.extend(difference);
    compare(change(&a.state.center, &b.state.center).map(Difference::Center));
    compare(change(&a.state, &b.state).map(Difference::State));
    compare(change(&a.touching, &b.touching).map(Difference::Touching));
    compare(change(&a.ground, &b.ground).map(Difference::Ground));
    for index in 0..a.contacts.len().max(b.contacts.len()) {
        let contact = |outcome: &MoveOutcome| outcome.contacts.get(index).copied();
        let change = change(&contact(a), &contact(b));
        compare(change.map(|change| Difference::Contact { index, change }));
    }
    compare(change(&a.requested, &b.requested).map(Difference::Requested));
    compare(change(&a.achieved, &b.achieved).map(Difference::Achieved));
    compare(change(&a.carried, &b.carried).map(Difference::Carried));
    compare(change(&a.recovery, &b.recovery).map(Difference::Recovery));
    compare(change(&a.obstruction, &b.obstruction).map(Difference::Obstruction));
    compare(change(&a.stepped, &b.stepped).map(Difference::Stepped));
    compare(change(&a.snapped, &b.snapped).map(Difference::Snapped));
    compare(change(&a.stats, &b.stats).map(Difference::Stats));
    found
}

/// Every part of the state after a tick, but for the character, that differs by at least one bit.
/// The character is part of the outcome.
pub(crate) fn changes_of_state(
    recorded: &LocomotionState,
    replayed: &LocomotionState,
) -> impl Iterator<Item = Difference> {
    let velocity = change(&recorded.velocity, &replayed.velocity).map(Difference::Velocity);
    let mode = change(&recorded.mode, &replayed.mode).map(Difference::Mode);
    let boarded = change(&recorded.boarded, &replayed.boarded).map(Difference::Boarded);
    [velocity, mode, boarded].into_iter().flatten()
}

fn change<T: Bits + Copy>(recorded: &T, replayed: &T) -> Option<Change<T>> {
    let differs = !recorded.same_bits(replayed);
    differs.then_some(Change { recorded: *recorded, replayed: *replayed })
}

/// Equality to the bit: unlike `==` it tells −0 from 0, and a NaN equals itself.
trait Bits {
    fn same_bits(&self, other: &Self) -> bool;
}

macro_rules! bits_of_numbers {
    ($($number:ty),*) => {$(
        impl Bits for $number {
            fn same_bits(&self, other: &Self) -> bool {
                self.to_bits() == other.to_bits()
            }
        }
    )*};
}
bits_of_numbers!(f32, f64);

macro_rules! bits_of_vectors {
    ($($vector:ty),*) => {$(
        impl Bits for $vector {
            fn same_bits(&self, other: &Self) -> bool {
                self.to_array().iter().zip(&other.to_array()).all(|(a, b)| a.same_bits(b))
            }
        }
    )*};
}
bits_of_vectors!(Vec3, DVec3, DQuat);

/// Types without floats.
macro_rules! bits_by_eq {
    ($($exact:ty),*) => {$(
        impl Bits for $exact {
            fn same_bits(&self, other: &Self) -> bool {
                self == other
            }
        }
    )*};
}
bits_by_eq!(bool, BodyId, Feature, HitTarget, Mode, MoveStats, Pass, Region, Touching);

/// Names every field, so that the compiler asks for a new one here.
macro_rules! bits_of_fields {
    ($($record:ident { $($field:ident),* })*) => {$(
        impl Bits for $record {
            fn same_bits(&self, other: &Self) -> bool {
                let Self { $($field),* } = self;
                $($field.same_bits(&other.$field))&&*
            }
        }
    )*};
}
bits_of_fields! {
    CharacterState { center, radius, total_height, footing, room, sink }
    Boarded { body, velocity }
    Footing { body, point, normal, walkable, velocity }
    Ground { point, normal, face_normal, target, walkable, distance, touched, velocity }
    Contact { pass, point, normal, face_normal, feature, region, target }
    Carried { displacement, rotation, blocked }
    Recovery { displacement, left }
}

impl<T: Bits> Bits for Option<T> {
    fn same_bits(&self, other: &Self) -> bool {
        match (self, other) {
            (None, None) => true,
            (Some(a), Some(b)) => a.same_bits(b),
            _ => false,
        }
    }
}

impl Bits for Clearance {
    fn same_bits(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Crushed { height: a }, Self::Crushed { height: b }) => a.same_bits(b),
            _ => self == other,
        }
    }
}

impl Bits for Obstruction {
    fn same_bits(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Squeezed { depth: a }, Self::Squeezed { depth: b })
            | (Self::Crushed { missing: a }, Self::Crushed { missing: b }) => a.same_bits(b),
            _ => self == other,
        }
    }
}
