//! Steps: seams as far as [`SEAM_DISTANCE`] goes, edges from there on.

use capsweep::scene::{Body, Filter, MeshOptions, Pose, Scene, TriMesh};
use capsweep::{Capsule, Feature, Motion, SEAM_DISTANCE, Sides};
use glam::{DQuat, DVec3, Vec3, dvec3, vec3};
use std::sync::Arc;

/// Two squares of 4 m side by side; the second, at x > 0, is higher by `height`. Its triangles
/// make a T-junction with the first.
fn step(height: f64, turn: DQuat) -> Scene {
    let square = |cuts: u16| {
        let line = |i: u16| 4.0 * f32::from(i) / f32::from(cuts) - 2.0;
        let vertices: Vec<Vec3> =
            (0..=cuts).flat_map(|i| [vec3(0.0, line(i), 0.0), vec3(4.0, line(i), 0.0)]).collect();
        let strip = |i: u32| [[2 * i, 2 * i + 1, 2 * i + 3], [2 * i, 2 * i + 3, 2 * i + 2]];
        let indices: Vec<[u32; 3]> = (0..u32::from(cuts)).flat_map(strip).collect();
        Arc::new(TriMesh::new(&vertices, &indices, MeshOptions::default()).unwrap())
    };
    let mut scene = Scene::new();
    for (cuts, at) in [(3, dvec3(-4.0, 0.0, 0.0)), (5, dvec3(0.0, 0.0, height))] {
        let pose = Pose::new(turn * at, turn, DVec3::ONE).unwrap();
        scene.insert(Body::mesh(square(cuts), pose).expect("in range").with_key(cuts.into()));
    }
    scene
}

/// Degrees between the normal of the first hit and the floor's, for a sweep from the lower square
/// at `gap` above it.
fn bend(height: f64, gap: f64, sides: Sides, turn: DQuat) -> (f64, Feature) {
    let at = turn * dvec3(-0.5, 0.1, 0.375 + gap);
    let ball = Capsule::new(at, at, 0.375).unwrap();
    let motion = Motion::new(turn * dvec3(0.8, 0.03, -1e-6)).unwrap();
    let filter = Filter { sides, ..Filter::default() };
    let found = step(height, turn).sweep(&ball, &motion, &filter).unwrap();
    assert_eq!(found.target.key, 5);
    let cosine = found.hit.normal.as_dvec3().dot(turn * DVec3::Z);
    (cosine.min(1.0).acos().to_degrees(), found.hit.feature)
}

#[test]
fn a_step_of_a_tenth_of_a_millimetre_is_a_seam_and_a_higher_one_is_not() {
    assert_eq!(SEAM_DISTANCE, 1e-4);
    for turn in [DQuat::IDENTITY, DQuat::from_xyzw(1.0, -2.0, 3.0, 5.0).normalize()] {
        for sides in [Sides::Front, Sides::Both] {
            for height in [0.2e-4, 0.6e-4, 0.99e-4] {
                let (degrees, feature) = bend(height, 0.1e-4, sides, turn);
                assert!(degrees < 0.01 && feature == Feature::Face, "{height}: {degrees}");
            }
            for height in [1.01e-4, 2e-4, 1e-3, 0.1] {
                let (degrees, feature) = bend(height, 0.1e-4, sides, turn);
                // The ball rides against the edge: cos = 1 − (height − gap) / radius.
                let expected = (1.0 - (height - 0.1e-4) / 0.375).acos().to_degrees();
                assert!((degrees - expected).abs() < 0.01, "{height}: {degrees} {expected}");
                assert!(matches!(feature, Feature::Edge(_) | Feature::Vertex(_)));
            }
        }
    }
}

/// On the border of a square whose neighbour the query skips: on an edge of one triangle, and at a
/// corner of two.
#[test]
fn a_rejected_triangle_makes_no_seam() {
    let whole = step(0.0, DQuat::IDENTITY);
    let mut alone = whole.clone();
    let neighbour = whole.bodies().find(|(_, body)| body.key() == 5).expect("is there").0;
    alone.remove(neighbour).expect("is there");
    let corner = f64::from(4.0_f32 * 2.0 / 3.0 - 2.0);
    for y in [0.1, corner] {
        let ball = dvec3(0.2, y, 0.5);
        let ball = Capsule::new(ball, ball, 0.375).unwrap();
        let fall = Motion::new(DVec3::NEG_Z).unwrap();
        let filter = Filter::default();
        let found = whole.sweep_where(&ball, &fall, &filter, |target| target.key != 5);
        let expected = alone.sweep(&ball, &fall, &filter);
        assert_eq!(found.map(|hit| hit.hit), expected.map(|hit| hit.hit), "{y}");
        assert!(found.is_some_and(|hit| hit.hit.normal.z < 0.9), "{y}: {found:?}");
    }
}
