//! The same bits on every platform and in every build: one hash for thousands of answers.
//!
//! `src/golden_tests.rs` includes this file and computes the hashes without vector instructions.
//! When an answer is meant to change, put the hashes that the failing test prints here, and say
//! why in the commit.
#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a helper of a test that cannot go on must stop the test"
)]

use capsweep::cache::TriangleCache;
use capsweep::controller::{Controller, ControllerConfig, MoveInput, MoveOutcome};
use capsweep::query::{Column, Support};
use capsweep::scene::{
    Body, Filter, HitTarget, MeshOptions, Mobility, Pose, Scene, Shape, StartOverlaps, TriMesh,
};
use capsweep::{
    Capsule, ClosestPoints, Feature, HalfSpace, Limit, Motion, Obb, Overlap, Ray, RayHit, Region,
    Sides, SlopeLimit, Sphere, SweepHit,
};
use capsweep_testkit::{Rng, level};
use glam::{DQuat, DVec3, Vec3, dquat, dvec3, vec3};
use std::sync::Arc;

/// Sweeps, overlaps, closest points, rays, supports, moves of a character.
pub(crate) const GOLDEN: [u64; 6] = [
    0x46d7_ed0c_cf36_0164,
    0x5b00_fe08_2636_85dc,
    0x524d_3c9d_d5ad_c2f6,
    0x16f3_717e_b36b_e94b,
    0x2c56_4b04_ba75_6c9c,
    0x244d_98e0_bbab_8411,
];

/// FNV-1a over the bits of every number that queries report. Names, field order and text formats
/// play no part in it.
struct Hash(u64);

impl Hash {
    fn word(&mut self, word: u64) {
        for byte in word.to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn number(&mut self, number: f64) {
        self.word(number.to_bits());
    }

    fn place(&mut self, place: DVec3) {
        place.to_array().into_iter().for_each(|x| self.number(x));
    }

    fn direction(&mut self, direction: Vec3) {
        direction.to_array().into_iter().for_each(|x| self.word(u64::from(x.to_bits())));
    }

    fn feature(&mut self, feature: Feature, barycentrics: Option<[f64; 3]>) {
        self.word(match feature {
            Feature::Face => 0,
            Feature::Edge(i) => 0x100 + u64::from(i),
            Feature::Vertex(i) => 0x200 + u64::from(i),
        });
        self.word(u64::from(barycentrics.is_some()));
        barycentrics.into_iter().flatten().for_each(|weight| self.number(weight));
    }

    fn region(&mut self, region: Region) {
        self.word(match region {
            Region::Bottom => 0,
            Region::Side => 1,
            Region::Top => 2,
            Region::Sphere => 3,
        });
    }

    /// The key of the body and the triangle that an answer names.
    fn target(&mut self, target: &HitTarget) {
        self.word(target.key);
        self.word(target.triangle.map_or(u64::MAX, u64::from));
    }

    fn sweep(&mut self, hit: &SweepHit) {
        for x in [hit.time, hit.distance, hit.depth] {
            self.number(x);
        }
        self.place(hit.point);
        for n in [hit.normal, hit.face_normal] {
            self.direction(n);
        }
        self.feature(hit.feature, hit.barycentrics);
        self.region(hit.region);
    }

    fn overlap(&mut self, hit: &Overlap) {
        self.number(hit.depth);
        self.place(hit.point);
        for n in [hit.normal, hit.face_normal] {
            self.direction(n);
        }
        self.feature(hit.feature, hit.barycentrics);
        self.region(hit.region);
    }

    fn closest(&mut self, hit: &ClosestPoints) {
        self.number(hit.distance);
        for p in [hit.on_capsule, hit.on_geometry] {
            self.place(p);
        }
        for n in [hit.normal, hit.face_normal] {
            self.direction(n);
        }
        self.feature(hit.feature, hit.barycentrics);
        self.region(hit.region);
    }

    fn ray(&mut self, hit: &RayHit) {
        for x in [hit.time, hit.distance] {
            self.number(x);
        }
        self.place(hit.point);
        self.direction(hit.normal);
        self.feature(hit.feature, hit.barycentrics);
    }

    fn support(&mut self, support: &Support) {
        self.number(support.height);
        self.direction(support.normal);
        self.word(u64::from(support.walkable));
    }

    fn outcome(&mut self, outcome: &MoveOutcome) {
        self.place(outcome.state.center());
        self.word(u64::from(outcome.is_grounded()));
        for contact in &outcome.contacts {
            self.place(contact.point);
            self.direction(contact.normal);
        }
    }
}

fn turn(rng: &mut Rng) -> DQuat {
    let [a, b, c, d] = [0; 4].map(|_| rng.range(-1.0, 1.0));
    dquat(a, b, c, d + 1.5).normalize()
}

/// A dungeon with rotated, stretched and mirrored furniture, shapes of every kind, and dynamic
/// bodies.
fn world() -> Scene {
    let mut rng = Rng::new(&[2_026]);
    let mut scene = Scene::new();
    let mesh = |(vertices, indices): &level::Mesh, double_sided| {
        Arc::new(TriMesh::new(vertices, indices, MeshOptions { double_sided }).unwrap())
    };
    scene.insert(
        Body::mesh(mesh(&level::dungeon(), false), Pose::IDENTITY).expect("in range").with_key(1),
    );
    let furniture: Vec<_> = level::instances(0)
        .meshes
        .iter()
        .zip(0..)
        .map(|(small, number)| mesh(small, number % 4 == 0))
        .collect();
    for key in 2..300 {
        let at = place(&mut rng);
        let body = match key % 6 {
            0 => {
                Body::shape(Shape::Box(Obb::new(at, vec3(0.3, 0.6, 0.9), turn(&mut rng)).unwrap()))
            }
            1 => Body::obstacle(Shape::Sphere(Sphere::new(at, 0.6).unwrap())),
            2 => {
                let half_axis = rng.cube(1.0);
                Body::obstacle(Shape::Capsule(Capsule::from_center(at, half_axis, 0.3).unwrap()))
            }
            _ => {
                let scale = dvec3(rng.range(0.3, 1.5), rng.range(0.3, 1.5), rng.sign());
                let pose = Pose::new(at, turn(&mut rng), scale).unwrap();
                let number = rng.below(furniture.len() as u32) as usize;
                Body::mesh(Arc::clone(&furniture[number]), pose).expect("in range")
            }
        };
        let mobility = if key % 5 == 0 { Mobility::Dynamic } else { Mobility::Static };
        scene.insert(body.with_key(key).with_mobility(mobility));
    }
    let slope = HalfSpace::new(DVec3::Z * -3.0, dvec3(0.05, 0.1, 1.0)).unwrap();
    scene.insert(Body::shape(Shape::HalfSpace(slope)).with_key(1_000));
    scene
}

fn place(rng: &mut Rng) -> DVec3 {
    rng.cube(1.0) * dvec3(28.0, 28.0, 4.0)
}

fn capsule(rng: &mut Rng) -> Capsule {
    let half_axis = if rng.chance(0.7) { DVec3::Z * 0.5 } else { rng.cube(0.5) };
    Capsule::from_center(place(rng), half_axis, 0.4).unwrap()
}

fn filter(rng: &mut Rng) -> Filter {
    let sides = if rng.chance(0.5) { Sides::Front } else { Sides::Both };
    let start_overlaps = if rng.chance(0.8) { StartOverlaps::Report } else { StartOverlaps::Skip };
    Filter { sides, start_overlaps, ..Filter::default() }
}

/// The hash of the answers to 3 000 queries; `ask` returns how many there were.
fn hash_of(mut ask: impl FnMut(&mut Rng, &mut Hash) -> usize) -> u64 {
    let (mut rng, mut hash) = (Rng::new(&[77]), Hash(0xcbf2_9ce4_8422_2325));
    let answers: usize = (0..3_000).map(|_| ask(&mut rng, &mut hash)).sum();
    assert!(answers > 500, "{answers} answers prove little");
    hash.0
}

/// The hashes of all kinds of answers, as [`GOLDEN`] lists them.
pub(crate) fn hashes() -> [u64; 6] {
    let scene = world();
    let sweeps = hash_of(|rng, hash| {
        let (capsule, filter) = (capsule(rng), filter(rng));
        let length = [0.13, 2.0, 5.0, 50.0][rng.below(4) as usize];
        let motion = Motion::new(rng.direction() * length).unwrap();
        let hit = scene.sweep(&capsule, &motion, &filter);
        hit.iter()
            .map(|hit| {
                hash.target(&hit.target);
                hash.sweep(&hit.hit);
            })
            .count()
    });
    let overlaps = hash_of(|rng, hash| {
        let (capsule, filter, mut hits) = (capsule(rng), filter(rng), Vec::new());
        scene.overlap_all(&capsule, &filter, &mut hits);
        hits.iter()
            .map(|hit| {
                hash.target(&hit.target);
                hash.overlap(&hit.hit);
            })
            .count()
    });
    let closest = hash_of(|rng, hash| {
        let hit = scene.closest(&capsule(rng), Limit::new(3.0).unwrap(), &filter(rng));
        hit.iter()
            .map(|hit| {
                hash.target(&hit.target);
                hash.closest(&hit.hit);
            })
            .count()
    });
    let rays = hash_of(|rng, hash| {
        let motion = Motion::new(rng.direction() * 50.0).unwrap();
        let hit = scene.ray(&Ray::new(place(rng), motion).unwrap(), &filter(rng));
        hit.iter()
            .map(|hit| {
                hash.target(&hit.target);
                hash.ray(&hit.hit);
            })
            .count()
    });
    let supports = hash_of(|rng, hash| {
        let (column, mut all) =
            (Column::new(place(rng), DVec3::Z, 10.0, 10.0).unwrap(), Vec::new());
        scene.supports(&column, SlopeLimit::from_cos(0.7).unwrap(), &filter(rng), &mut all);
        for support in &all {
            hash.target(&support.target);
            hash.support(support);
        }
        all.len()
    });
    [sweeps, overlaps, closest, rays, supports, moves(&scene)]
}

/// Characters that fall somewhere and walk on, each in its own direction, with a cache.
fn moves(scene: &Scene) -> u64 {
    let controller = Controller::new(ControllerConfig::human(DVec3::Z)).unwrap();
    let mut cache = TriangleCache::new();
    let mut state = controller.spawn(DVec3::ZERO).unwrap();
    let mut velocity = DVec3::ZERO;
    let mut ticks = 0;
    hash_of(|rng, hash| {
        if ticks % 60 == 0 {
            state = controller.spawn(place(rng)).unwrap();
            velocity = rng.direction() * 0.07 - DVec3::Z * 0.1;
        }
        ticks += 1;
        let motion = Motion::new(velocity).unwrap();
        let outcome = controller.move_by(scene, &mut cache, &state, &MoveInput::new(motion));
        hash.outcome(&outcome);
        state = outcome.state;
        outcome.contacts.len()
    })
}

#[test]
fn every_answer_has_the_bits_it_always_had() {
    let found = hashes();
    assert!(found == GOLDEN, "the answers have other bits: {found:#018x?}");
}
