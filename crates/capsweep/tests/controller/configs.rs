//! Presets and validation of the configuration.

use super::level::human;
use capsweep::controller::{
    ConfigError, Controller, ControllerConfig, Locomotion, LocomotionConfig,
};
use glam::DVec3;

#[test]
fn the_presets_are_valid() {
    for config in [ControllerConfig::physx(DVec3::Y), human(), ControllerConfig::wow()] {
        let controller = Controller::new(config).unwrap();
        assert_eq!(controller.config(), &config);
        for falls in [LocomotionConfig::human(), LocomotionConfig::wow()] {
            assert_eq!(Locomotion::new(controller, falls).unwrap().config(), &falls);
        }
    }
}

#[test]
fn the_defaults_of_physx_are_its_own() {
    let config = ControllerConfig::physx(DVec3::Y);
    assert_eq!((config.contact_offset, config.step_offset), (0.1, 0.5));
    assert_eq!((config.slope_limit.cos(), config.snap_distance), (0.707, 0.0));
    assert_eq!(config.max_iterations, 10);
    assert_eq!((config.climbing, config.non_walkable), Default::default());
}

#[test]
fn invalid_values_are_refused_by_name() {
    let refused = [
        (ControllerConfig { up: DVec3::ZERO, ..human() }, "up"),
        (ControllerConfig { up: DVec3::NAN, ..human() }, "up.x"),
        (ControllerConfig { radius: 0.0, ..human() }, "radius"),
        (ControllerConfig { radius: f32::NAN, ..human() }, "radius"),
        (ControllerConfig { total_height: -1.0, ..human() }, "total_height"),
        (ControllerConfig { contact_offset: 0.0, ..human() }, "contact_offset"),
        (ControllerConfig { step_offset: -0.1, ..human() }, "step_offset"),
        (ControllerConfig { step_offset: 50.0, ..human() }, "step_offset"),
        (ControllerConfig { perch_limit: Some(-0.5), ..human() }, "perch_limit"),
        (ControllerConfig { perch_limit: Some(f32::NAN), ..human() }, "perch_limit"),
        (ControllerConfig { snap_distance: f32::INFINITY, ..human() }, "snap_distance"),
        (ControllerConfig { max_iterations: 0, ..human() }, "max_iterations"),
        (ControllerConfig { max_iterations: 33, ..human() }, "max_iterations"),
        (ControllerConfig { min_distance: -1.0, ..human() }, "min_distance"),
    ];
    for (config, field) in refused {
        let error = Controller::new(config).unwrap_err();
        assert!(error.to_string().starts_with(field), "{field}: {error}");
    }
    let controller = Controller::new(human()).unwrap();
    let falls = LocomotionConfig { gravity: -9.8, ..LocomotionConfig::human() };
    assert!(matches!(Locomotion::new(controller, falls), Err(ConfigError::Number(_))));
}
