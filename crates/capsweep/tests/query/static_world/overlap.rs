use super::world::{Model, Part, World, order, some_filter, worlds};
use capsweep::scene::{Filter, Pose, SceneHit};
use capsweep::{CONTACT_TOLERANCE, Capsule, Feature, Motion, Overlap, Sides};
use capsweep_testkit::Rng;
use capsweep_testkit::level::{self, Joints};
use glam::{DQuat, DVec3, Vec3, dvec3};

#[test]
fn overlap_all_is_every_overlap() {
    let (mut pierced, mut mended) = (0, 0);
    for (name, world, mut rng) in worlds() {
        let mut out = Vec::new();
        for _ in 0..400 {
            let (capsule, filter) = (world.some_capsule(&mut rng), some_filter(&mut rng));
            world.scene.overlap_all(&capsule, &filter, &mut out);
            let expected: Vec<&Part> =
                world.parts.iter().filter(|part| part.overlap(&capsule).is_some()).collect();
            assert_eq!(out.len(), expected.len(), "{name}");
            assert!(out.is_sorted_by(|a, b| {
                let deeper = a.hit.depth > b.hit.depth;
                let same = a.hit.depth == b.hit.depth;
                deeper || (same && order(&a.target) < order(&b.target))
            }));
            for part in expected {
                let found = out.iter().find(|hit| hit.target == part.target).expect("complete");
                if part.is_pierced(&capsule) {
                    part.assert_way_out(&capsule, found.hit.normal, found.hit.depth, filter);
                    pierced += 1;
                } else {
                    assert_eq!(Some(found.hit), part.overlap(&capsule), "{name}");
                }
            }
            assert_eq!(world.scene.overlaps(&capsule, &filter), !out.is_empty(), "{name}");
            let (found, deepest) = (world.scene.overlap(&capsule, &filter), deepest(&out));
            assert_eq!(found.map(|hit| hit.target), deepest.map(|hit| hit.target), "{name}");
            let (Some(found), Some(deepest)) = (found, deepest) else { continue };
            if found != deepest {
                // On a seam the push-out differs: never away from a face, never shorter, and it
                // clears the triangle.
                assert_ne!(deepest.hit.feature, Feature::Face, "{name}");
                assert!(found.hit.depth > deepest.hit.depth - CONTACT_TOLERANCE, "{name}");
                let part = world.parts.iter().find(|part| part.target == found.target);
                let push = found.hit.normal.as_dvec3() * found.hit.depth;
                let out = capsule.translated(push).expect("in range");
                let left = part.expect("it is there").overlap(&out).map_or(0.0, |hit| hit.depth);
                assert!(left < 5e-6, "{name}: {left} left");
                mended += 1;
            }
        }
    }
    assert!(pierced > 200 && mended > 20, "{pierced} {mended}");
}

/// By the contract: of those within the bound of the deepest, the first by kind, key and triangle.
pub(crate) fn deepest(all: &[SceneHit<Overlap>]) -> Option<SceneHit<Overlap>> {
    let limit = all.first()?.hit.depth - CONTACT_TOLERANCE;
    let ties = all.iter().filter(|hit| hit.hit.depth >= limit);
    ties.min_by_key(|hit| order(&hit.target)).copied()
}

/// Without the rule on inner edges, a capsule sunk 0.7 m is pushed sideways, tile after tile.
#[test]
fn a_capsule_sunk_into_a_floor_is_pushed_up() {
    let mut rng = Rng::new(&[17]);
    for cells in [64_u16, 32, 16, 8, 4] {
        let size = 16.0 / f32::from(cells);
        for jitter in [0.0, 0.25] {
            let mesh = level::tiled_floor(cells.into(), size, 0.0, jitter, Joints::Matching);
            let mut world = World::new();
            world.place(&Model::new(&mesh, false), Pose::IDENTITY, 0);
            for i in 0..400 {
                let sunk = rng.range(0.001, 1.7);
                // Every fourth stands on a corner of the tiles or between two.
                let lattice = dvec3(rng.integer(-1, 1), rng.integer(-1, 1), 0.0);
                let at = if i % 4 == 0 { lattice } else { rng.cube(1.0).with_z(0.0) };
                let feet = at * f64::from(size) * 0.5 - DVec3::Z * sunk;
                let capsule = Capsule::from_feet(feet, DVec3::Z, 0.4, 1.8).expect("a capsule");
                assert_pushed_up(&world, &capsule, sunk);
            }
        }
    }
}

fn assert_pushed_up(world: &World, capsule: &Capsule, sunk: f64) {
    let filter = Filter::default();
    let found = world.scene.overlap(capsule, &filter).expect("it is in the floor").hit;
    let down = Motion::new(dvec3(0.0, 0.0, -1.0)).expect("finite");
    let swept = world.scene.sweep(capsule, &down, &filter).expect("it starts in the floor").hit;
    // With its axis wholly below, the capsule leaves by the shorter way.
    let (normal, depth) = if sunk < 1.4 { (Vec3::Z, sunk) } else { (-Vec3::Z, 1.8 - sunk) };
    for (n, d) in [(found.normal, found.depth), (swept.normal, swept.depth)] {
        // Next to a seam both triangles are equally deep within the bound, one of them at its
        // edge: 0.5° at most.
        assert!(n.dot(normal) > 0.99996, "sunk {sunk}: {n}");
        assert!((d - depth).abs() < 2.0 * CONTACT_TOLERANCE, "sunk {sunk}: {d}");
        let out = capsule.translated(n.as_dvec3() * d).expect("in range");
        let left = world.scene.overlap(&out, &filter).map(|hit| hit.hit.depth);
        assert!(left.is_none_or(|left| left < 1e-5), "sunk {sunk}: {left:?} left");
    }
}

/// The back of a sheet is a way out where both sides count.
#[test]
fn both_caps_are_open_in_double_sided_meshes() {
    let floor = level::tiled_floor(16, 1.0, 0.0, 0.2, Joints::Matching);
    let feet = dvec3(0.3, 0.2, -1.2);
    let capsule = Capsule::from_feet(feet, DVec3::Z, 0.4, 1.8).expect("a capsule");
    let normal = |double_sided: bool, sides: Sides, mirrored: bool| {
        let scale = if mirrored { dvec3(-1.0, 1.0, 1.0) } else { DVec3::ONE };
        let pose = Pose::new(DVec3::ZERO, DQuat::IDENTITY, scale).expect("a pose");
        let mut world = World::new();
        world.place(&Model::new(&floor, double_sided), pose, 0);
        let filter = Filter { sides, ..Filter::default() };
        world.scene.overlap(&capsule, &filter).expect("it is in the floor").hit.normal
    };
    for mirrored in [false, true] {
        assert_eq!(normal(false, Sides::Front, mirrored), Vec3::Z);
        assert_eq!(normal(false, Sides::Both, mirrored), -Vec3::Z);
        assert_eq!(normal(true, Sides::Front, mirrored), -Vec3::Z);
    }
}
