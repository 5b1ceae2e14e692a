//! Where the water is, and how deep a character is in it.

use crate::Point;
use crate::controller::locomotion::Tick;
use crate::controller::state::CharacterState;
use crate::tolerance::FLOAT_SLACK;
use glam::DVec3;

/// Where a character finds water.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Water {
    /// In the scene's liquids, as [`Scene::liquid_at`](crate::scene::Scene::liquid_at) finds them.
    /// Their up is +z: a controller with another up direction finds none.
    #[default]
    Scene,
    /// Below a level plane, without a bottom.
    Plane {
        /// Height of the plane along `up` (metres).
        surface: f64,
    },
    /// Nowhere.
    None,
}

impl Tick<'_> {
    /// Height of the surface over `point`; `None` if the point is in no water.
    pub(super) fn surface_over(&self, point: DVec3) -> Option<f64> {
        match self.input.water {
            Water::None => None,
            Water::Plane { surface } => (surface >= point.dot(self.up)).then_some(surface),
            Water::Scene if self.up != DVec3::Z => None,
            Water::Scene => {
                let liquid = self.scene.liquid_at(&Point::new(point).ok()?)?;
                Some(liquid.surface)
            }
        }
    }

    /// The float line: swimming does not lift the feet above this height. `surface` is the height
    /// of the water's surface.
    pub(super) fn float_line(&self, character: &CharacterState, surface: f64) -> f64 {
        surface - self.locomotion.config.swim_depth * height_of(character)
    }

    /// Distance from the float line within which a swimmer counts as at it (metres).
    pub(super) fn float_slack(character: &CharacterState) -> f64 {
        FLOAT_SLACK * height_of(character)
    }

    /// How far the feet are below the float line (metres); `None` out of the water.
    pub(super) fn depth_below_float_line(&self, character: &CharacterState) -> Option<f64> {
        let feet = self.feet(character);
        let surface = self.surface_over(feet)?;
        Some(self.float_line(character, surface) - feet.dot(self.up))
    }
}

/// Height of the character from end to end, without its skin (metres).
fn height_of(character: &CharacterState) -> f64 {
    f64::from(character.total_height().max(2.0 * character.radius()))
}
