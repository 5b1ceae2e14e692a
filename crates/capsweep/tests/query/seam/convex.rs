//! Real edges keep their normals, and no contact changes its time.

use super::floors::{floors, slab};
use capsweep::scene::{Body, Filter, MeshOptions, Pose, Scene, SceneHit, StartOverlaps, TriMesh};
use capsweep::{CONTACT_TOLERANCE, Capsule, Feature, Motion, SEAM_DISTANCE, Sides, SweepHit};
use capsweep_testkit::Rng;
use capsweep_testkit::level::{self, Mesh};
use glam::{DQuat, DVec3, dvec3, vec3};
use std::sync::Arc;

fn placed((vertices, indices): &Mesh, poses: &[Pose]) -> Scene {
    let mesh = Arc::new(TriMesh::new(vertices, indices, MeshOptions::default()).unwrap());
    let mut scene = Scene::new();
    for (pose, key) in poses.iter().zip(0..) {
        scene.insert(Body::mesh(Arc::clone(&mesh), *pose).expect("in range").with_key(key));
    }
    scene
}

/// A roof along y that falls by `slope` metres a metre on either side, cut across into strips.
fn roof(slope: f32) -> Mesh {
    let rib = |i: u16| {
        let y = f32::from(i) * 0.5 - 3.0;
        [vec3(-3.0, y, -3.0 * slope), vec3(0.0, y, 0.0), vec3(3.0, y, -3.0 * slope)]
    };
    let strip = |i: u32| {
        let (a, b) = (3 * i, 3 * i + 3);
        [[a, a + 1, b + 1], [a, b + 1, b], [a + 1, a + 2, b + 2], [a + 1, b + 2, b + 1]]
    };
    ((0..=12).flat_map(rib).collect(), (0..12).flat_map(strip).collect())
}

/// The hit without the correction of normals, by the same order of ties: each triangle alone.
fn alone(
    scene: &Scene,
    capsule: &Capsule,
    motion: &Motion,
    filter: &Filter,
) -> Vec<SceneHit<SweepHit>> {
    let mut all = Vec::new();
    scene.sweep_all(capsule, motion, filter, &mut all);
    all
}

/// Falls and dashes at `at`. Every hit must be that of the triangle alone. Returns how many hits
/// were on edges and vertices.
fn assert_untouched(scene: &Scene, at: impl Fn(&mut Rng) -> DVec3, seed: u64) -> usize {
    let mut rng = Rng::new(&[seed]);
    let (mut edges, mut beyond) = (0, 0);
    for _ in 0..2_000 {
        let radius = rng.log_range(0.05, 0.6) as f32;
        let axis = DVec3::Z * rng.range(0.0, 1.0);
        let target = at(&mut rng);
        let way = (rng.cube(0.8) - DVec3::Z).normalize() * rng.range(0.5, 3.0);
        let start = target - way + DVec3::Z * f64::from(radius);
        let capsule = Capsule::new(start, start + axis, radius).unwrap();
        let motion = Motion::new(way * 1.5).unwrap();
        let filter = Filter {
            sides: if rng.chance(0.5) { Sides::Front } else { Sides::Both },
            ..Filter::default()
        };
        let Some(found) = scene.sweep(&capsule, &motion, &filter) else { continue };
        if found.hit.starts_overlapping() {
            continue;
        }
        let raw = alone(scene, &capsule, &motion, &filter);
        assert_eq!(found.hit.time.to_bits(), raw[0].hit.time.to_bits());
        let own = raw.iter().find(|hit| hit.target == found.target).unwrap();
        if found.hit.normal == own.hit.normal {
            assert_eq!(found.hit.feature, own.hit.feature);
        } else {
            // Within the bound of the first touch, the reported edge or vertex may not be convex
            // from this side. Its normal then differs from the face's or the edge's, by at most
            // what the bound allows.
            let turned = found.hit.normal.dot(own.hit.normal).min(1.0).acos();
            let room = (2.0 * CONTACT_TOLERANCE as f32 / radius).sqrt();
            assert!(turned < 1.1 * room, "{found:?} {own:?}");
            beyond += 1;
        }
        edges += usize::from(found.hit.feature != Feature::Face);
    }
    assert!(beyond < 100, "{beyond}");
    edges
}

#[test]
fn convex_edges_keep_their_normals() {
    let turn = DQuat::from_xyzw(0.1, -0.2, 0.3, 0.9).normalize();
    let poses = [
        Pose::IDENTITY,
        Pose::new(dvec3(5.0, 0.0, 0.0), turn, dvec3(1.0, 2.0, 0.7)).unwrap(),
        Pose::new(dvec3(0.0, 5.0, 0.0), turn, dvec3(-1.0, 1.5, 1.0)).unwrap(),
    ];
    let boxes = placed(&slab(), &poses);
    for (pose, seed) in poses.iter().zip(1..) {
        let rim = |rng: &mut Rng| {
            let corner = dvec3(0.5 * rng.sign(), rng.range(-0.6, 0.6), 0.0);
            pose.point_to_world(if rng.chance(0.5) {
                corner
            } else {
                dvec3(corner.y, corner.x, 0.0)
            })
        };
        let edges = assert_untouched(&boxes, rim, seed);
        assert!(edges > 500, "{edges}");
    }
}

#[test]
fn ridges_of_a_degree_keep_their_normals() {
    let mut edges = 0;
    for (degrees, seed) in [(1.0_f32, 11), (5.0, 12), (40.0, 13)] {
        // Each side has half of the bend.
        let roof = placed(&roof((degrees / 2.0).to_radians().tan()), &[Pose::IDENTITY]);
        // So flat a ridge is hit only from right above.
        let reach = f64::from(degrees) * 2e-3;
        let along_ridge = |rng: &mut Rng| {
            let x = if rng.chance(0.5) { 0.0 } else { rng.range(-reach, reach) };
            dvec3(x, rng.range(-2.0, 2.0), 0.0)
        };
        edges += assert_untouched(&roof, along_ridge, seed);
    }
    assert!(edges > 300, "{edges}");
}

#[test]
fn nosings_of_stairs_keep_their_normals() {
    let mesh = level::stairs();
    let stairs = placed(&mesh, &[Pose::IDENTITY]);
    let somewhere = |rng: &mut Rng| {
        let vertices = &mesh.0;
        let at = vertices[rng.below(vertices.len() as u32) as usize].as_dvec3();
        at + rng.cube(0.3)
    };
    let mut rng = Rng::new(&[21]);
    let mut nosings = 0;
    for _ in 0..4_000 {
        let at = somewhere(&mut rng) + DVec3::Z;
        let capsule = Capsule::from_feet(at, DVec3::Z, 0.4, 1.8).unwrap();
        let way = Motion::new(rng.cube(1.0) - DVec3::Z).unwrap();
        let filter = Filter::default();
        let Some(found) = stairs.sweep(&capsule, &way, &filter) else { continue };
        let raw = alone(&stairs, &capsule, &way, &filter);
        assert_eq!(found.hit.time.to_bits(), raw[0].hit.time.to_bits());
        // Between the tread's normal and the riser's: the normal of no face.
        let is_nosing = found.hit.feature != Feature::Face;
        nosings += usize::from(is_nosing && found.hit.normal.max_element() < 0.99);
    }
    assert!(nosings > 200, "{nosings}");
}

#[test]
fn no_time_and_no_point_changes_on_a_seam() {
    let (mut mended, mut bent) = (0, 0);
    for floor in floors(16) {
        let mut rng = Rng::new(&[31]);
        let (x, y) = floor.level();
        for _ in 0..400 {
            let at = floor.middle + x * rng.range(-3.0, 3.0) + y * rng.range(-3.0, 3.0);
            let radius = rng.log_range(0.05, 0.6);
            let ball = at + floor.up * (radius - rng.range(-1e-5, 1e-4));
            let ball = Capsule::new(ball, ball + floor.up, radius as f32).unwrap();
            let motion = Motion::new(x * rng.range(-2.0, 2.0) - floor.up * 1e-3).unwrap();
            let filter = Filter { start_overlaps: StartOverlaps::Skip, ..Filter::default() };
            let found = floor.scene.sweep(&ball, &motion, &filter);
            let raw = alone(&floor.scene, &ball, &motion, &filter);
            let Some(found) = found else {
                assert!(raw.is_empty());
                continue;
            };
            assert_eq!(found.hit.time.to_bits(), raw[0].hit.time.to_bits());
            let own = raw.iter().find(|hit| hit.target == found.target).unwrap();
            assert_eq!(found.hit.point, own.hit.point);
            mended += usize::from(found.hit.normal != own.hit.normal);
            let half_a_degree = 0.999_962;
            bent += usize::from(own.hit.normal.as_dvec3().dot(floor.up) < half_a_degree);
        }
    }
    // Without the correction, many normals would not be the floor's.
    assert!(mended > 300 && bent > 200, "{mended} {bent}");
}

/// If no face is skipped, the capsule is clear of every face until it touches. So the correction
/// turns a normal only a little.
#[test]
fn a_first_touch_is_turned_by_no_more_than_a_seam_leaves_room_for() {
    let levels = [level::dungeon(), level::city_block(), level::terrain(40), level::stairs()];
    let mut edges = 0;
    for (mesh, seed) in levels.iter().zip(41..) {
        let scene = placed(mesh, &[Pose::IDENTITY]);
        let mut rng = Rng::new(&[seed]);
        for _ in 0..10_000 {
            let at = mesh.0[rng.below(mesh.0.len() as u32) as usize].as_dvec3();
            let at = at + rng.cube(1.0) + DVec3::Z * 0.5;
            let radius = rng.log_range(0.05, 0.6) as f32;
            let capsule = Capsule::new(at, at + rng.cube(1.0), radius).unwrap();
            let motion = Motion::new(rng.direction() * rng.log_range(0.01, 5.0)).unwrap();
            let filter = Filter { sides: Sides::Both, ..Filter::default() };
            let Some(found) = scene.sweep(&capsule, &motion, &filter) else { continue };
            if found.hit.starts_overlapping() {
                continue;
            }
            let raw = alone(&scene, &capsule, &motion, &filter);
            assert_eq!(found.hit.time.to_bits(), raw[0].hit.time.to_bits());
            let own = raw.iter().find(|hit| hit.target == found.target).unwrap();
            edges += usize::from(own.hit.feature != Feature::Face);
            // A ball over a face that is this much lower than the touched edge has a normal off by
            // this angle.
            let room = (2.0 * SEAM_DISTANCE as f32 / radius).sqrt();
            let turned = found.hit.normal.dot(own.hit.normal).min(1.0).acos();
            assert!(turned < room, "{turned} {found:?} {own:?}");
        }
    }
    assert!(edges > 400, "{edges}");
}
