//! The water setting.

use crate::{FieldError, v1};
use capsweep::controller::Water;

pub(crate) fn encode_water(water: Water) -> Option<v1::Water> {
    let place = match water {
        Water::Scene => return None,
        Water::Plane { surface } => v1::water::Place::Plane(surface),
        Water::None => v1::water::Place::None(true),
    };
    Some(v1::Water { place: Some(place) })
}

pub(crate) fn water(given: Option<&v1::Water>) -> Result<Water, FieldError> {
    match given.and_then(|given| given.place) {
        Some(v1::water::Place::Plane(surface)) => {
            if surface.abs() <= capsweep::MAX_POSITION {
                Ok(Water::Plane { surface })
            } else {
                let message = format!("{surface} is not finite or out of range");
                Err(FieldError::new("water.plane", message))
            }
        }
        Some(v1::water::Place::None(true)) => Ok(Water::None),
        Some(v1::water::Place::None(false)) | None => Ok(Water::Scene),
    }
}
