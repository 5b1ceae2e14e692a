//! A lift under a ceiling, and the character that rides on it.

use crate::level::{Level, Walk, input};
use capsweep::controller::{Carrier, ControllerConfig, MoveInput, Ride};
use capsweep::scene::{Body, BodyId, Filter, MeshOptions, Mobility, Pose, Scene, Shape};
use capsweep::{Obb, Sides};
use glam::{DQuat, DVec3, Vec3, dvec3, vec3};

/// What the lift consists of.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum LiftKind {
    Mesh,
    /// A double-sided mesh; the ceiling is one, too.
    DoubleSided,
    /// A mesh whose pose mirrors it.
    Mirrored,
    Box,
}

/// How the rider's moves learn of the lift's motion.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum CarrierInput {
    /// By a carrier with `Ride::Full`.
    Full,
    /// By a carrier with `Ride::Manual`: the test adds the lift's motion to the displacement.
    Caller,
    /// Not at all.
    Missing,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct LiftSetup {
    pub(crate) kind: LiftKind,
    pub(crate) carrier: CarrierInput,
    /// Metres.
    pub(crate) thickness: f32,
    /// Low and high corner of the ceiling. Its underside is 3 m up.
    pub(crate) ceiling: [Vec3; 2],
    /// From Z to the up direction.
    pub(crate) turn: DQuat,
    pub(crate) origin: DVec3,
    pub(crate) sides: Sides,
    /// Whether the character has a body of its own in the scene.
    pub(crate) has_own_body: bool,
    /// Radians of turn about the up direction for each metre of rise.
    pub(crate) spin: f64,
    /// Metres sideways for each metre of rise.
    pub(crate) drift: f64,
}

impl LiftSetup {
    pub(crate) const DEFAULT: Self = Self {
        kind: LiftKind::Mesh,
        carrier: CarrierInput::Full,
        thickness: 0.2,
        ceiling: [vec3(-9.0, -9.0, 3.0), vec3(9.0, 9.0, 3.3)],
        turn: DQuat::IDENTITY,
        origin: DVec3::ZERO,
        sides: Sides::Front,
        has_own_body: false,
        spin: 0.0,
        drift: 0.0,
    };
}

pub(crate) struct LiftRig {
    pub(crate) setup: LiftSetup,
    pub(crate) scene: Scene,
    pub(crate) lift: BodyId,
    pub(crate) own_body: Option<BodyId>,
    /// Height of the lift's top.
    pub(crate) top: f64,
    pub(crate) walk: Walk,
}

impl LiftRig {
    /// A character that stands on a lift whose top is at 1 m.
    pub(crate) fn new(setup: LiftSetup) -> Self {
        let frame = Pose::new(setup.origin, setup.turn, DVec3::ONE).unwrap();
        let options = MeshOptions { double_sided: setup.kind == LiftKind::DoubleSided };
        let ceiling = Level::default().cuboid(setup.ceiling[0], setup.ceiling[1]);
        let mut scene = Scene::new();
        scene.insert(Body::mesh(ceiling.mesh_with(options), frame).unwrap());
        let body = if setup.kind == LiftKind::Box {
            Body::shape(Self::slab(&setup, 1.0))
        } else {
            let low = vec3(-2.0, -2.0, -setup.thickness);
            let slab = Level::default().cuboid(low, vec3(2.0, 2.0, 0.0));
            Body::mesh(slab.mesh_with(options), Self::pose(&setup, 1.0)).unwrap()
        };
        let lift = scene.insert(body.with_mobility(Mobility::Dynamic));
        let up = setup.turn * DVec3::Z;
        let config = ControllerConfig::human(up);
        let feet = frame.point_to_world(dvec3(0.4, -0.3, 1.0));
        let mut walk = Walk::start(&scene, config, feet);
        let own_body = setup.has_own_body.then(|| {
            let body = Body::shape(Shape::Capsule(walk.body()));
            scene.insert(body.with_mobility(Mobility::Dynamic))
        });
        walk.scene = scene.clone();
        let mut rig = Self { setup, scene, lift, own_body, top: 1.0, walk };
        rig.walk.move_with(&rig.with_surroundings(&input(up * -0.05)));
        assert_eq!(rig.walk.state.footing().unwrap().body, lift, "{setup:?}");
        rig
    }

    pub(crate) fn with_surroundings(&self, input: &MoveInput) -> MoveInput {
        let filter = Filter { sides: self.setup.sides, ..Filter::default() };
        let input = input.with_filter(filter).with_dt(1.0 / 60.0);
        self.own_body.map_or(input, |own| input.ignoring(own))
    }

    /// The lift's pose when its top is at height `top`.
    pub(crate) fn pose(setup: &LiftSetup, top: f64) -> Pose {
        let rise = top - 1.0;
        let local = dvec3(setup.drift * rise, 0.0, top);
        let turn = setup.turn * DQuat::from_rotation_z(setup.spin * rise);
        let mirror = if setup.kind == LiftKind::Mirrored { -1.0 } else { 1.0 };
        let scale = dvec3(mirror, 1.0, 1.0);
        Pose::new(setup.origin + setup.turn * local, turn, scale).unwrap()
    }

    /// The lift as a box when its top is at height `top`.
    fn slab(setup: &LiftSetup, top: f64) -> Shape {
        let pose = Self::pose(setup, top);
        let half = vec3(2.0, 2.0, 0.5 * setup.thickness);
        let center = pose.point_to_world(DVec3::Z * f64::from(-0.5 * setup.thickness));
        Shape::Box(Obb::new(center, half, pose.rotation()).unwrap())
    }

    /// Moves the lift up by `rise` metres, and its rider by `walk` in the frame whose up is Z.
    pub(crate) fn go(&mut self, rise: f64, walk: DVec3) {
        let [before, after] = [self.top, self.top + rise].map(|top| Self::pose(&self.setup, top));
        self.top += rise;
        let slab = Self::slab(&self.setup, self.top);
        if self.setup.kind == LiftKind::Box {
            self.scene.move_shape(self.lift, slab).unwrap();
        } else {
            self.scene.move_mesh(self.lift, after).unwrap();
        }
        if let Some(own) = self.own_body {
            self.scene.move_shape(own, Shape::Capsule(self.walk.body())).unwrap();
        }
        self.walk.scene = self.scene.clone();
        let mut motion = self.setup.turn * walk;
        let carrier = match self.setup.carrier {
            CarrierInput::Full => Some(Carrier::new(self.lift, before, after)),
            CarrierInput::Missing => None,
            CarrierInput::Caller => {
                let feet = self.walk.feet();
                motion += after.point_to_world(before.point_to_local(feet)) - feet;
                Some(Carrier { ride: Ride::Manual, ..Carrier::new(self.lift, before, after) })
            }
        };
        let input = self.with_surroundings(&input(motion));
        self.walk.move_with(&MoveInput { carrier, ..input });
    }

    /// Height of the rider's centre, in the frame whose up is Z.
    pub(crate) fn center_height(&self) -> f64 {
        let center = self.walk.state.center() - self.setup.origin;
        (self.setup.turn.conjugate() * center).z
    }

    /// The rider's feet in the lift's frame.
    pub(crate) fn feet_on_lift(&self) -> DVec3 {
        Self::pose(&self.setup, self.top).point_to_local(self.walk.feet())
    }
}
