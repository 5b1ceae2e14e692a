//! The rules by which claims are judged, and their world.

use crate::error::Within as _;
use crate::moves::{carriers, encode_water, surroundings, water};
use crate::{FieldError, config, v1};
use capsweep::controller::{Carrier, Surroundings, Water};
use capsweep::validate::{Allowances, ClaimWorld, Validator, ValidatorConfig};

/// The validator of a configuration.
///
/// # Errors
/// If a value is bad.
pub fn validator(given: Option<&v1::ValidatorConfig>) -> Result<Validator, FieldError> {
    let none = v1::ValidatorConfig::default();
    let given = given.unwrap_or(&none);
    let locomotion = config::locomotion(given.config.as_ref(), given.locomotion.as_ref());
    let base = ValidatorConfig::default();
    let Allowances { position, latency, clock } = base.allowances;
    let config = ValidatorConfig {
        allowances: Allowances {
            position: given.position_allowance.unwrap_or(position),
            latency: given.latency_allowance.unwrap_or(latency),
            clock: given.clock_allowance.unwrap_or(clock),
        },
        max_queries: given.max_queries.unwrap_or(base.max_queries),
    };
    Validator::new(locomotion.within("config")?, config)
        .map_err(|error| FieldError::config("config", error))
}

impl From<&Validator> for v1::ValidatorConfig {
    fn from(validator: &Validator) -> Self {
        let ValidatorConfig { allowances, max_queries } = *validator.config();
        Self {
            config: Some(validator.locomotion().controller().config().into()),
            locomotion: Some(validator.locomotion().config().into()),
            position_allowance: Some(allowances.position),
            latency_allowance: Some(allowances.latency),
            clock_allowance: Some(allowances.clock),
            max_queries: Some(max_queries),
        }
    }
}

/// The world of claims, without its scene.
#[derive(Debug, Clone, PartialEq)]
pub struct ClaimPlace {
    /// The part of the scene that the characters collide with.
    pub surroundings: Surroundings,
    /// The water setting.
    pub water: Water,
    /// Bodies that moved since the last claim.
    pub moved: Vec<Carrier>,
    /// The caller's number for this world.
    pub id: u64,
}

impl Default for ClaimPlace {
    /// World 0: characters collide with the whole scene, and no body moves.
    fn default() -> Self {
        let (surroundings, water) = (Surroundings::default(), Water::Scene);
        Self { surroundings, water, moved: Vec::new(), id: 0 }
    }
}

impl ClaimPlace {
    /// The world of a message.
    ///
    /// # Errors
    /// If a value is bad.
    pub fn decode(given: Option<&v1::ClaimWorld>) -> Result<Self, FieldError> {
        let Some(given) = given else { return Ok(Self::default()) };
        let place = |given: &v1::ClaimWorld| -> Result<Self, FieldError> {
            Ok(Self {
                surroundings: surroundings(given.filter.as_ref(), given.ignore)?,
                water: water(given.water.as_ref())?,
                moved: carriers("moved", &given.moved)?,
                id: given.id,
            })
        };
        place(given).within("claim_world")
    }

    /// The world with a scene.
    pub fn in_scene<'a>(&'a self, scene: &'a capsweep::scene::Scene) -> ClaimWorld<'a> {
        let Self { surroundings, water, moved, id } = self;
        ClaimWorld { scene, surroundings: *surroundings, water: *water, moved, id: *id }
    }
}

impl From<&ClaimPlace> for v1::ClaimWorld {
    fn from(place: &ClaimPlace) -> Self {
        Self {
            filter: Some(place.surroundings.filter.into()),
            ignore: place.surroundings.ignore.map(v1::BodyId::from),
            water: encode_water(place.water),
            moved: place.moved.iter().map(v1::Carrier::from).collect(),
            id: place.id,
        }
    }
}
