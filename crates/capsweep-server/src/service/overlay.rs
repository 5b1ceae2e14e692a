//! The overlay: changes of a world for one call.

use crate::limits::cost;
use capsweep::scene::{Body, Mobility, Scene, SceneError};
use capsweep_proto::{FieldError, v1};
use std::borrow::Cow;
use tonic::Status;

pub(super) fn is_empty(overlay: &v1::Overlay) -> bool {
    overlay.moved.is_empty() && overlay.obstacles.is_empty()
}

/// Cost of an overlay on the pool.
pub(super) fn cost(overlay: Option<&v1::Overlay>) -> usize {
    overlay.map_or(0, |overlay| {
        overlay.moved.len().saturating_add(overlay.obstacles.len()).saturating_mul(cost::BODY)
    })
}

/// The scene of a call. A clone shares everything that the overlay does not change.
pub(super) fn scene<'a>(
    scene: &'a Scene,
    overlay: Option<&v1::Overlay>,
    most: usize,
) -> Result<Cow<'a, Scene>, Status> {
    let Some(overlay) = overlay.filter(|overlay| !is_empty(overlay)) else {
        return Ok(Cow::Borrowed(scene));
    };
    let count = overlay.moved.len() + overlay.obstacles.len();
    if count > most {
        let message = format!("an overlay of {count} bodies: at most {most} are allowed");
        return Err(Status::resource_exhausted(message));
    }
    changed(scene, overlay)
        .map(Cow::Owned)
        .map_err(|error| Status::invalid_argument(error.within("overlay").to_string()))
}

fn changed(scene: &Scene, overlay: &v1::Overlay) -> Result<Scene, FieldError> {
    let mut scene = scene.clone();
    scene.edit(|edit| {
        for (index, moved) in overlay.moved.iter().enumerate() {
            let field = format!("moved[{index}]");
            let (id, pose) = moved.checked().map_err(|error| error.within(&field))?;
            let bad = |error: SceneError| FieldError::new(&*field, error);
            // All calls share the static bodies, and those of a map are loaded on demand.
            if edit.body(id).map_err(bad)?.mobility() != Mobility::Dynamic {
                return Err(FieldError::new(field, "the body is not dynamic"));
            }
            edit.move_mesh(id, pose).map_err(bad)?;
        }
        for (index, obstacle) in overlay.obstacles.iter().enumerate() {
            let shape = obstacle.checked_shape();
            let shape = shape.map_err(|error| error.within(&format!("obstacles[{index}]")))?;
            let body = Body::obstacle(shape)
                .with_key(obstacle.key)
                .with_mask(obstacle.mask.unwrap_or(u32::MAX))
                .with_mobility(Mobility::Dynamic);
            edit.insert(body);
        }
        Ok(())
    })?;
    Ok(scene)
}
