//! Push-out from floors, whatever their triangles.

use super::floors::{Floor, floors};
use capsweep::query::{Clearance, MAX_PUSHES};
use capsweep::scene::{Body, Filter, MeshOptions, Pose, Scene, TriMesh};
use capsweep::{Capsule, Sides};
use capsweep_testkit::Rng;
use capsweep_testkit::level::{self, Joints};
use glam::{DQuat, DVec3};
use std::sync::Arc;

/// Upright capsules, sunk into the floor. Every fourth stands where corners of tiles meet, or
/// between two.
fn sunk(floor: &Floor, rng: &mut Rng, depth: f64, lean: f64) -> Capsule {
    let (x, y) = floor.level();
    let (u, v) = if rng.chance(0.25) {
        (rng.integer(-8, 8) * 0.125, rng.integer(-8, 8) * 0.125)
    } else {
        (rng.range(-2.0, 2.0), rng.range(-2.0, 2.0))
    };
    let at = floor.middle + x * u + y * v;
    let up = (floor.up + rng.cube(lean)).normalize();
    let feet = at - floor.up * depth;
    Capsule::from_feet(feet, up, 0.4, 1.8).expect("a capsule")
}

fn push_out_many(count: usize, seed: u64) {
    for cells in [64, 32, 16, 8, 4] {
        for floor in floors(cells).iter().filter(|floor| floor.name != "slabs") {
            let mut rng = Rng::new(&[seed, u64::from(cells)]);
            let mut most = 0;
            for _ in 0..count {
                let depth = rng.range(0.0, 1.7);
                let lean = if rng.chance(0.5) { 0.0 } else { 0.1 };
                let capsule = sunk(floor, &mut rng, depth, lean);
                let found = floor.scene.depenetrate(&capsule, &Filter::default());
                let case = format!("{} {cells} sunk {depth}: {found:?} {capsule:?}", floor.name);
                assert_eq!(found.state, Clearance::Free, "{case}");
                assert!(found.pushes <= MAX_PUSHES, "{case}");
                most = most.max(found.pushes);
                let out = capsule.translated(found.push).expect("in range");
                assert!(!floor.scene.overlaps(&out, &Filter::default()), "{case}");
                let up = floor.up;
                let lowest =
                    (out.p0() - floor.middle).dot(up).min((out.p1() - floor.middle).dot(up));
                let height = lowest - f64::from(out.radius());
                // On top of the floor: where it was not sunk, it was not moved.
                assert!(height > -2.0 * floor.uneven - 2e-6, "{height}: {case}");
                assert!(found.push.length() <= capsule.total_height(), "{case}");
                let aside = found.push - up * found.push.dot(up);
                assert!(aside.length() < 1e-3, "{aside}: {case}");
            }
            assert!(most <= 2, "{} {cells}: {most} pushes", floor.name);
        }
    }
}

#[test]
fn a_capsule_sunk_into_a_floor_comes_out_at_the_top() {
    push_out_many(1_000, 1);
}

#[test]
fn a_free_capsule_is_not_moved() {
    for floor in floors(16) {
        let capsule = Capsule::from_feet(floor.middle + floor.up * 0.01, floor.up, 0.4, 1.8);
        let found = floor.scene.depenetrate(&capsule.expect("a capsule"), &Filter::default());
        assert_eq!((found.push, found.pushes, found.is_free()), (DVec3::ZERO, 0, true));
        assert_eq!(found.left(), 0.0);
    }
}

/// A rotated floor pushes along its rotated normal.
#[test]
fn a_push_turns_with_the_floor() {
    let floor = level::tiled_floor(32, 0.5, 0.0, 0.2, Joints::TJunctions);
    let mesh = TriMesh::new(&floor.0, &floor.1, MeshOptions::default()).expect("a mesh");
    let mesh = Arc::new(mesh);
    let turned = |turn: DQuat| {
        let mut scene = Scene::new();
        let pose = Pose::new(DVec3::ZERO, turn, DVec3::ONE).expect("a pose");
        scene.insert(Body::mesh(Arc::clone(&mesh), pose).expect("in range"));
        scene
    };
    let mut rng = Rng::new(&[6]);
    let (level, filter) = (turned(DQuat::IDENTITY), Filter::default());
    for _ in 0..40 {
        let axis = rng.cube(1.0);
        let turn = DQuat::from_xyzw(axis.x, axis.y, axis.z, 0.3).normalize();
        let scene = turned(turn);
        for _ in 0..20 {
            let feet = rng.cube(2.0).with_z(-rng.range(0.0, 1.7));
            let capsule = |turn: DQuat| {
                Capsule::from_feet(turn * feet, turn * DVec3::Z, 0.4, 1.8).expect("a capsule")
            };
            let one = level.depenetrate(&capsule(DQuat::IDENTITY), &filter);
            let other = scene.depenetrate(&capsule(turn), &filter);
            assert!(other.push.distance(turn * one.push) < 1e-5, "{one:?} {other:?}");
            assert!(one.is_free() && other.is_free());
        }
    }
}

/// A front is solid behind: the push-out leads to its front even if the other way is shorter. With
/// both sides it takes the shorter way.
#[test]
fn behind_a_surface_out_is_to_the_front_unless_both_sides_count() {
    for floor in floors(16).iter().filter(|floor| floor.name != "slabs") {
        let capsule = Capsule::from_feet(floor.middle - floor.up * 1.6, floor.up, 0.4, 1.8);
        let capsule = capsule.expect("a capsule");
        let push = |sides: Sides| {
            let filter = Filter { sides, ..Filter::default() };
            let found = floor.scene.depenetrate(&capsule, &filter);
            assert!(found.is_free(), "{}: {found:?}", floor.name);
            found.push.dot(floor.up)
        };
        assert!((push(Sides::Front) - 1.6).abs() < 1e-3, "{}", floor.name);
        assert!((push(Sides::Both) + 0.2).abs() < 1e-3, "{}", floor.name);
    }
}

/// Two floors of one quad each, of different bodies, meet at x = 0. The axis pierces one of them
/// 0.1 m beside the other: the way past its edge is short, but leads into the other.
#[test]
fn a_pierced_tile_is_not_left_past_an_edge_where_another_body_continues() {
    let tile = |from: f32, to: f32| {
        let at = |x: f32, y: f32| glam::vec3(x, y, 0.0);
        let corners = [at(from, -4.0), at(to, -4.0), at(to, 4.0), at(from, 4.0)];
        let mesh = TriMesh::new(&corners, &[[0, 1, 2], [0, 2, 3]], MeshOptions::default());
        Body::mesh(Arc::new(mesh.expect("a mesh")), Pose::IDENTITY).expect("in range")
    };
    let feet = DVec3::new(-0.1, 0.3, -0.9);
    let sunk = Capsule::from_feet(feet, DVec3::Z, 0.4, 1.8).expect("a capsule");
    let down = capsweep::Motion::new(DVec3::Z * -0.1).expect("a motion");
    let mut scene = Scene::new();
    scene.insert(tile(-4.0, 0.0));
    let alone = scene.sweep(&sunk, &down, &Filter::default()).expect("an overlap").hit;
    assert!((alone.depth - 0.5).abs() < 1e-6 && alone.normal.x > 0.99, "{alone:?}");
    scene.insert(tile(0.0, 4.0));
    let hit = scene.sweep(&sunk, &down, &Filter::default()).expect("an overlap").hit;
    assert!((hit.depth - 0.9).abs() < 1e-6 && hit.normal.z > 0.99, "{hit:?}");
    let overlap = scene.overlap(&sunk, &Filter::default()).expect("an overlap").hit;
    assert_eq!((overlap.depth, overlap.normal), (hit.depth, hit.normal));
    // A triangle that points away: past its other edges, which are open, the way is shorter than
    // to its front.
    let corners = [(0.0, -4.0), (0.0, 4.0), (-0.6, 0.0)].map(|(x, y)| glam::vec3(x, y, 0.0));
    let mesh = TriMesh::new(&corners, &[[0, 1, 2]], MeshOptions::default()).expect("a mesh");
    let mut pointed = Scene::new();
    pointed.insert(Body::mesh(Arc::new(mesh), Pose::IDENTITY).expect("in range"));
    pointed.insert(tile(0.0, 4.0));
    let deeper = sunk.translated(DVec3::Z * -0.2).expect("in range");
    let out = pointed.sweep(&deeper, &down, &Filter::default()).expect("an overlap").hit;
    let across = (0.6 * 3.7 - 4.0 * 0.1) / f64::sqrt(0.36 + 16.0);
    assert!((out.depth - across - 0.4).abs() < 1e-6 && out.normal.x < -0.9, "{out:?}");
}

/// The touched line crosses the diagonal of a wall, so both of its triangles are touched at once.
/// The point is the middle of the part on the triangle that is reported.
#[test]
fn a_line_contact_on_two_triangles_reports_the_middle_of_its_part_on_one() {
    let at = |y: f32, z: f32| glam::vec3(0.0, y, z);
    let corners = [at(-2.0, 0.0), at(2.0, 0.0), at(2.0, 4.0), at(-2.0, 4.0)];
    let indices = [[0, 1, 2], [0, 2, 3]];
    let mesh = TriMesh::new(&corners, &indices, MeshOptions::default()).expect("a mesh");
    let mut scene = Scene::new();
    scene.insert(Body::mesh(Arc::new(mesh), Pose::IDENTITY).expect("in range"));
    let way = capsweep::Motion::new(DVec3::X * -2.0).expect("a motion");
    for step in 0..8 {
        // From z = 1.5 to z = 2.5; the diagonal is at z = y + 2.
        let y = f64::from(step) * 0.1 - 0.35;
        let low = DVec3::new(1.5, y, 1.5);
        let capsule = Capsule::new(low, low + DVec3::Z, 0.25).expect("a capsule");
        let found = scene.sweep(&capsule, &way, &Filter::default()).expect("a wall");
        let ([from, to], triangle) = ([1.5, 2.5], found.target.triangle.expect("a triangle"));
        let crossing = y + 2.0;
        let part = if triangle == 0 { [from, crossing] } else { [crossing, to] };
        let middle = 0.5 * (part[0] + part[1]);
        assert!((found.hit.point.z - middle).abs() < 1e-9, "{y}: {:?}", found.hit);
        assert_eq!(found.hit.distance, 1.25);
    }
}
