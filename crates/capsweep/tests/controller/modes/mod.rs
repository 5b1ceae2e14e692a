//! The modes of locomotion, one file each, and a rig that runs ticks.

mod fall;
mod fly;
mod hostile;
mod random;
mod swim;
mod tick_rate;
mod transport;
mod water_walk;

use super::level::Level;
use capsweep::cache::TriangleCache;
use capsweep::controller::{
    Controller, ControllerConfig, Locomotion, LocomotionConfig, LocomotionInput, LocomotionState,
    MoveOutcome, TraceTick, Water,
};
use capsweep::scene::Scene;
use glam::{DVec3, vec3};

pub(crate) const DT: f64 = 1.0 / 60.0;

/// A character in a scene. Every tick is made with a cache, without one, and from its recording:
/// all three agree in every bit.
pub(crate) struct Rig {
    pub(crate) scene: Scene,
    pub(crate) locomotion: Locomotion,
    pub(crate) cache: TriangleCache,
    pub(crate) state: LocomotionState,
    pub(crate) last: MoveOutcome,
}

impl Rig {
    pub(crate) fn new(
        scene: Scene,
        (controller, config): (ControllerConfig, LocomotionConfig),
        feet: DVec3,
    ) -> Self {
        let controller = Controller::new(controller).unwrap();
        let locomotion = Locomotion::new(controller, config).unwrap();
        let state = LocomotionState::at_rest(controller.spawn(feet).unwrap());
        let mut cache = TriangleCache::new();
        let input =
            LocomotionInput { water: Water::None, ..LocomotionInput::new(DVec3::ZERO, 0.0) };
        let (state, last) = locomotion.tick(&scene, &mut cache, &state, &input).unwrap();
        Self { scene, locomotion, cache, state, last }
    }

    pub(crate) fn wow(scene: Scene, feet: DVec3) -> Self {
        Self::new(scene, (ControllerConfig::wow(), LocomotionConfig::wow()), feet)
    }

    pub(crate) fn human(scene: Scene, feet: DVec3) -> Self {
        Self::new(scene, (super::level::human(), LocomotionConfig::human()), feet)
    }

    pub(crate) fn feet(&self) -> DVec3 {
        self.locomotion.controller().feet(&self.state.character)
    }

    pub(crate) fn tick(&mut self, input: &LocomotionInput) -> &MoveOutcome {
        let Self { scene, locomotion, cache, state, .. } = self;
        let tick = TraceTick::record(locomotion, scene, cache, state, input).unwrap();
        assert_eq!(tick.replay(scene).unwrap(), [], "{input:?}");
        self.state = tick.next;
        self.last = tick.outcome;
        assert_eq!(self.state.character, self.last.state);
        &self.last
    }

    /// Ticks of `dt` seconds for `seconds`.
    pub(crate) fn run(&mut self, seconds: f64, dt: f64, input: &LocomotionInput) {
        for _ in 0..ticks(seconds, dt) {
            self.tick(&LocomotionInput { dt, ..*input });
        }
    }
}

/// Number of ticks of `dt` in `seconds`.
#[allow(clippy::cast_sign_loss, reason = "times are never negative")]
pub(crate) fn ticks(seconds: f64, dt: f64) -> u32 {
    (seconds / dt).round() as u32
}

/// A desired velocity for a tick of 1/60 s.
pub(crate) fn go(velocity: DVec3) -> LocomotionInput {
    LocomotionInput::new(velocity, DT)
}

/// The same in water with its surface at this height.
pub(crate) fn in_water(surface: f64, velocity: DVec3) -> LocomotionInput {
    LocomotionInput { water: Water::Plane { surface }, ..go(velocity) }
}

/// A floor at −`depth` with a beach that rises along x by `slope` from x = 10.
pub(crate) fn beach(depth: f32, slope: f32) -> Scene {
    let (near, far) = (10.0, 10.0 + 20.0 / slope);
    let top = 20.0 - depth;
    Level::default()
        .quad(
            vec3(-100.0, -100.0, -depth),
            vec3(near, -100.0, -depth),
            vec3(near, 100.0, -depth),
            vec3(-100.0, 100.0, -depth),
        )
        .quad(
            vec3(near, -100.0, -depth),
            vec3(far, -100.0, top),
            vec3(far, 100.0, top),
            vec3(near, 100.0, -depth),
        )
        .scene()
}
