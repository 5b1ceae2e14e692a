//! Starts and judgements of claims.

use super::{Physics, refused};
use crate::limits::cost;
use capsweep::scene::Scene;
use capsweep::validate::Validator;
use capsweep_proto::{
    ClaimPlace, ClaimQuery, FieldError, Judged, StartQuery, encode_accepted, v1, validator,
};
use tonic::Status;

/// The rules and the world of claims.
pub(super) struct Judge {
    validator: Validator,
    place: ClaimPlace,
}

impl Physics {
    pub(super) fn judge(
        &self,
        config: Option<&v1::ValidatorConfig>,
        world: Option<&v1::ClaimWorld>,
    ) -> Result<Judge, Status> {
        let validator = validator(config).map_err(refused)?;
        let (asked, most) = (validator.config().max_queries, self.limits.claim_queries);
        if asked > most {
            let message = format!("config.max_queries is {asked}: at most {most} are allowed");
            return Err(Status::resource_exhausted(message));
        }
        let place = ClaimPlace::decode(world).map_err(refused)?;
        let moved = place.moved.len();
        if moved > self.limits.overlay_bodies {
            let message = format!("{moved} bodies have moved: that is too many");
            return Err(Status::resource_exhausted(message));
        }
        Ok(Judge { validator, place })
    }
}

impl Judge {
    /// Cost of this many claims on the pool.
    pub(super) fn cost(&self, claims: usize) -> usize {
        let queries = self.validator.config().max_queries as usize;
        let claim = cost::CLAIM * queries.div_ceil(cost::CLAIM_QUERIES).max(1);
        claims.saturating_mul(claim).saturating_add(self.place.moved.len() * cost::BODY)
    }

    pub(super) fn start(&self, scene: &Scene, query: &StartQuery) -> Result<Vec<u8>, FieldError> {
        let world = self.place.in_scene(scene);
        let started = self.validator.start(&world, query.feet, query.velocity, query.speeds);
        encode_accepted(&started.map_err(FieldError::top)?)
    }

    pub(super) fn judge(&self, scene: &Scene, query: &ClaimQuery) -> Result<Judged, FieldError> {
        let world = self.place.in_scene(scene);
        let judgement = self.validator.check(&world, &query.accepted, &query.claim());
        Judged::try_from(&judgement)
    }
}
