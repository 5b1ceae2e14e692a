//! Configurations of controllers and of locomotion.

use crate::{FieldError, v1};
use capsweep::SlopeLimit;
use capsweep::controller::{
    Ceiling, Climbing, Controller, ControllerConfig, FootingRule, Locomotion, LocomotionConfig,
    NonWalkable,
};
use glam::DVec3;

fn preset(field: &str, value: i32) -> Result<v1::Preset, FieldError> {
    v1::Preset::try_from(value).map_err(|_| FieldError::unknown(field, value))
}

/// The controller of a configuration; without one, that of a person.
///
/// # Errors
/// If a value is bad.
pub fn controller(given: Option<&v1::ControllerConfig>) -> Result<Controller, FieldError> {
    let none = v1::ControllerConfig::default();
    let config = controller_config(given.unwrap_or(&none))?;
    Controller::new(config).map_err(|error| FieldError::config("config", error))
}

fn controller_config(given: &v1::ControllerConfig) -> Result<ControllerConfig, FieldError> {
    let up = given.up.map_or(DVec3::Z, DVec3::from);
    let base = match preset("config.preset", given.preset)? {
        v1::Preset::Human => ControllerConfig::human(up),
        v1::Preset::Physx => ControllerConfig::physx(up),
        v1::Preset::Wow => ControllerConfig { up, ..ControllerConfig::wow() },
    };
    let unknown = |field, value| FieldError::unknown(field, value);
    let max_iterations = match given.max_iterations {
        None => base.max_iterations,
        // The controller refuses any number out of range.
        Some(iterations) => u8::try_from(iterations).unwrap_or(u8::MAX),
    };
    let slope_limit = match given.slope_limit_cos {
        None => base.slope_limit,
        Some(cos) => SlopeLimit::from_cos(cos)
            .map_err(|error| FieldError::new("config.slope_limit_cos", error))?,
    };
    Ok(ControllerConfig {
        up,
        radius: given.radius.unwrap_or(base.radius),
        total_height: given.total_height.unwrap_or(base.total_height),
        contact_offset: given.contact_offset.unwrap_or(base.contact_offset),
        step_offset: given.step_offset.unwrap_or(base.step_offset),
        slope_limit,
        snap_distance: given.snap_distance.unwrap_or(base.snap_distance),
        perch_limit: given.perch_limit.or(base.perch_limit),
        footing: match v1::FootingRule::try_from(given.footing) {
            Ok(v1::FootingRule::Preset) => base.footing,
            Ok(v1::FootingRule::Capsule) => FootingRule::Capsule,
            Ok(v1::FootingRule::Point) => FootingRule::Point,
            Err(_) => return Err(unknown("config.footing", given.footing)),
        },
        climbing: match v1::Climbing::try_from(given.climbing) {
            Ok(v1::Climbing::Preset) => base.climbing,
            Ok(v1::Climbing::Easy) => Climbing::Easy,
            Ok(v1::Climbing::Constrained) => Climbing::Constrained,
            Err(_) => return Err(unknown("config.climbing", given.climbing)),
        },
        non_walkable: match v1::NonWalkable::try_from(given.non_walkable) {
            Ok(v1::NonWalkable::Preset) => base.non_walkable,
            Ok(v1::NonWalkable::Prevent) => NonWalkable::Prevent,
            Ok(v1::NonWalkable::Slide) => NonWalkable::Slide,
            Err(_) => return Err(unknown("config.non_walkable", given.non_walkable)),
        },
        ceiling: match v1::Ceiling::try_from(given.ceiling) {
            Ok(v1::Ceiling::Preset) => base.ceiling,
            Ok(v1::Ceiling::Slide) => Ceiling::Slide,
            Ok(v1::Ceiling::Stop) => Ceiling::Stop,
            Err(_) => return Err(unknown("config.ceiling", given.ceiling)),
        },
        max_iterations,
        min_distance: given.min_distance.unwrap_or(base.min_distance),
    })
}

impl From<&ControllerConfig> for v1::ControllerConfig {
    fn from(config: &ControllerConfig) -> Self {
        Self {
            preset: v1::Preset::Physx as i32,
            up: Some(config.up.into()),
            radius: Some(config.radius),
            total_height: Some(config.total_height),
            contact_offset: Some(config.contact_offset),
            step_offset: Some(config.step_offset),
            slope_limit_cos: Some(config.slope_limit.cos()),
            snap_distance: Some(config.snap_distance),
            // No preset has a limit, so `None` needs no encoding.
            perch_limit: config.perch_limit,
            footing: match config.footing {
                FootingRule::Capsule => v1::FootingRule::Capsule,
                FootingRule::Point => v1::FootingRule::Point,
            } as i32,
            climbing: match config.climbing {
                Climbing::Easy => v1::Climbing::Easy,
                Climbing::Constrained => v1::Climbing::Constrained,
            } as i32,
            non_walkable: match config.non_walkable {
                NonWalkable::Prevent => v1::NonWalkable::Prevent,
                NonWalkable::Slide => v1::NonWalkable::Slide,
            } as i32,
            ceiling: match config.ceiling {
                Ceiling::Slide => v1::Ceiling::Slide,
                Ceiling::Stop => v1::Ceiling::Stop,
            } as i32,
            max_iterations: Some(config.max_iterations.into()),
            min_distance: Some(config.min_distance),
        }
    }
}

/// The locomotion of a configuration; without one, that of a person.
///
/// # Errors
/// If a value is bad.
pub fn locomotion(
    config: Option<&v1::ControllerConfig>,
    given: Option<&v1::LocomotionConfig>,
) -> Result<Locomotion, FieldError> {
    let none = v1::LocomotionConfig::default();
    let config = (controller(config)?, locomotion_config(given.unwrap_or(&none))?);
    Locomotion::new(config.0, config.1).map_err(|error| FieldError::config("locomotion", error))
}

fn locomotion_config(given: &v1::LocomotionConfig) -> Result<LocomotionConfig, FieldError> {
    let base = match preset("locomotion.preset", given.preset)? {
        v1::Preset::Human => LocomotionConfig::human(),
        v1::Preset::Wow => LocomotionConfig::wow(),
        v1::Preset::Physx => {
            return Err(FieldError::new("locomotion.preset", "choose HUMAN or WOW"));
        }
    };
    Ok(LocomotionConfig {
        gravity: given.gravity.unwrap_or(base.gravity),
        terminal_speed: given.terminal_speed.unwrap_or(base.terminal_speed),
        jump_speed: given.jump_speed.unwrap_or(base.jump_speed),
        air_acceleration: given.air_acceleration.unwrap_or(base.air_acceleration),
        swim_jump_speed: given.swim_jump_speed.unwrap_or(base.swim_jump_speed),
        slow_fall_speed: given.slow_fall_speed.unwrap_or(base.slow_fall_speed),
        swim_depth: given.swim_depth.unwrap_or(base.swim_depth),
        float_speed: given.float_speed.unwrap_or(base.float_speed),
    })
}

impl From<&LocomotionConfig> for v1::LocomotionConfig {
    fn from(config: &LocomotionConfig) -> Self {
        Self {
            preset: v1::Preset::Human as i32,
            gravity: Some(config.gravity),
            terminal_speed: Some(config.terminal_speed),
            jump_speed: Some(config.jump_speed),
            air_acceleration: Some(config.air_acceleration),
            swim_jump_speed: Some(config.swim_jump_speed),
            slow_fall_speed: Some(config.slow_fall_speed),
            swim_depth: Some(config.swim_depth),
            float_speed: Some(config.float_speed),
        }
    }
}
