//! The state of one character.

use crate::error::Within as _;
use crate::geometry::{normal, vector};
use crate::target::body_id;
use crate::{FieldError, v1};
use capsweep::controller::{CharacterParts, CharacterState, Clearance, Controller, Footing};
use glam::DVec3;

#[inline]
pub(super) fn encode_clearance(clearance: Clearance) -> (i32, f32) {
    let (clearance, height) = match clearance {
        Clearance::Unknown => (v1::Clearance::Unknown, 0.0),
        Clearance::Free => (v1::Clearance::Free, 0.0),
        Clearance::Squeezed => (v1::Clearance::Squeezed, 0.0),
        Clearance::Crushed { height } => (v1::Clearance::Crushed, height),
    };
    (clearance as i32, height)
}

#[inline]
pub(super) fn clearance(value: i32, height: f32) -> Result<Clearance, FieldError> {
    match v1::Clearance::try_from(value) {
        Ok(v1::Clearance::Unknown) => Ok(Clearance::Unknown),
        Ok(v1::Clearance::Free) => Ok(Clearance::Free),
        Ok(v1::Clearance::Squeezed) => Ok(Clearance::Squeezed),
        Ok(v1::Clearance::Crushed) => Ok(Clearance::Crushed { height }),
        Err(_) => Err(FieldError::unknown("state.clearance", value)),
    }
}

impl From<&Footing> for v1::Footing {
    fn from(footing: &Footing) -> Self {
        Self {
            body: Some(footing.body.into()),
            point: Some(footing.point.into()),
            normal: Some(footing.normal.into()),
            walkable: footing.walkable,
            velocity: Some(footing.velocity.into()),
        }
    }
}

fn footing(given: &v1::Footing) -> Result<Footing, FieldError> {
    Ok(Footing {
        body: body_id("body", given.body)?,
        point: vector("point", given.point.as_ref())?,
        normal: normal("normal", given.normal.as_ref())?,
        walkable: given.walkable,
        velocity: given.velocity.map_or(DVec3::ZERO, DVec3::from),
    })
}

/// The message of a character, with its feet in an answer.
pub(crate) fn encode_state(state: &CharacterState, feet: Option<DVec3>) -> v1::CharacterState {
    let parts = CharacterParts::from(*state);
    let (clearance, crushed_height) = encode_clearance(parts.clearance);
    v1::CharacterState {
        center: Some(parts.center.into()),
        radius: Some(parts.radius),
        total_height: Some(parts.total_height),
        footing: parts.footing.as_ref().map(v1::Footing::from),
        clearance,
        crushed_height: Some(crushed_height),
        sink: Some(parts.sink),
        feet: feet.map(v1::Vector::from),
    }
}

/// The character of a message. A character without a centre is new.
pub(crate) fn state(
    given: Option<&v1::CharacterState>,
    controller: &Controller,
) -> Result<CharacterState, FieldError> {
    let given = given.ok_or_else(|| FieldError::missing("state"))?;
    let Some(center) = given.center else {
        let feet = vector("feet", given.feet.as_ref()).within("state")?;
        return controller.spawn(feet).within("state");
    };
    let config = controller.config();
    let parts = CharacterParts {
        center: center.into(),
        radius: given.radius.unwrap_or(config.radius),
        total_height: given.total_height.unwrap_or(config.total_height),
        footing: given.footing.as_ref().map(footing).transpose().within("state.footing")?,
        clearance: clearance(given.clearance, given.crushed_height.unwrap_or_default())?,
        sink: given.sink.unwrap_or_default(),
    };
    CharacterState::try_from(parts).within("state")
}
