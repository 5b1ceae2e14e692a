//! A platform that moves, rises and turns, and carries characters.

use crate::Rng;
use capsweep::controller::{Carrier, Ride};
use capsweep::scene::{BodyId, Pose, Scene};
use glam::{DQuat, DVec3, dvec3};

/// The course of a platform.
pub(super) struct Ferry {
    pub(super) body: BodyId,
    ride: Ride,
    /// Height, and amplitude of its motion (metres).
    middle: DVec3,
    amplitude: DVec3,
    /// Radians per second: of the motion and of the deck.
    rate: f64,
    turn: f64,
    time: f64,
    pub(super) pose: Pose,
    pub(super) pose_at_claim: Pose,
}

impl Ferry {
    pub(super) fn new(body: BodyId, rng: &mut Rng) -> Self {
        let level = rng.range(0.0, core::f64::consts::TAU);
        let swing = rng.range(0.0, 4.0);
        let mut ferry = Self {
            body,
            ride: if rng.chance(0.5) { Ride::Full } else { Ride::Boarded },
            middle: dvec3(1.0, 0.0, rng.range(0.35, 2.0)),
            amplitude: dvec3(level.cos() * swing, level.sin() * swing, rng.range(0.0, 1.0)),
            rate: rng.range(0.1, 0.8),
            turn: if rng.chance(0.5) { 0.0 } else { rng.range(-0.6, 0.6) },
            time: rng.range(0.0, 60.0),
            pose: Pose::IDENTITY,
            pose_at_claim: Pose::IDENTITY,
        };
        ferry.pose = ferry.pose_now();
        ferry.pose_at_claim = ferry.pose;
        ferry
    }

    fn pose_now(&self) -> Pose {
        let swing = (self.rate * self.time).sin();
        let turned = DQuat::from_rotation_z(self.turn * self.time);
        let position = self.middle + self.amplitude * swing;
        Pose::new(position, turned, DVec3::ONE).expect("in range")
    }

    /// The motion since the last claim.
    pub(super) fn since_claim(&self) -> Carrier {
        Carrier { ride: self.ride, ..Carrier::new(self.body, self.pose_at_claim, self.pose) }
    }

    /// Moves the platform for `dt` seconds.
    pub(super) fn sail(&mut self, scene: &mut Scene, dt: f64) -> Carrier {
        let previous = self.pose;
        self.time += dt;
        self.pose = self.pose_now();
        scene.move_mesh(self.body, self.pose).expect("a body of the scene");
        Carrier { ride: self.ride, ..Carrier::new(self.body, previous, self.pose) }
    }
}
