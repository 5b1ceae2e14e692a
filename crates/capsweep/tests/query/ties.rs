//! Ties: which contact a query reports when several are first.

use capsweep::scene::{BodyKind, Filter, Pose, Shape};
use capsweep::{CONTACT_TOLERANCE, Capsule, HalfSpace, Motion};
use capsweep_testkit::Rng;
use capsweep_testkit::brute::{Brute, PlainBody, PlainGeometry, tri_mesh};
use glam::{DVec3, Vec3, dvec3, vec3};

fn upright(x: f64, y: f64, gap: f64) -> Capsule {
    Capsule::from_feet(dvec3(x, y, gap), DVec3::Z, 0.375, 1.8).unwrap()
}

fn fall(depth: f64) -> Motion {
    Motion::new(DVec3::NEG_Z * depth).unwrap()
}

/// `count` triangles around the tip of a cone or a dent of height `tip`, all meeting there.
fn fan(count: u32, tip: f32) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let ring = (0..count).map(|i| {
        let angle = i as f32 / count as f32 * core::f32::consts::TAU;
        vec3(angle.cos() * 3.0, angle.sin() * 2.0, 0.0)
    });
    let vertices = core::iter::once(Vec3::Z * tip).chain(ring).collect();
    let indices = (0..count).map(|i| [0, 1 + i, 1 + (i + 1) % count]).collect();
    (vertices, indices)
}

#[test]
fn two_hundred_triangles_meet_in_one_vertex() {
    let mut rng = Rng::new(&[5]);
    for tip in [0.0, 0.5, -0.25] {
        let mesh = tri_mesh(&fan(200, tip), false);
        let brute = Brute::new([PlainBody::mesh(mesh, Pose::IDENTITY, 1)]);
        let scene = brute.scene();
        let mut most = 0;
        for _ in 0..300 {
            let aside = if rng.chance(0.5) { DVec3::ZERO } else { rng.cube(0.01) };
            let gap = [1.0, 0.5, 0.25, -0.3][rng.below(4) as usize];
            let capsule = upright(aside.x, aside.y, gap);
            let filter = crate::filters::filter(&mut rng);
            let expected = brute.sweep(&capsule, &fall(2.0), &filter);
            most = most.max(expected.tied());
            let answer = scene.sweep(&capsule, &fall(2.0), &filter);
            expected.check(answer.as_ref()).unwrap();
        }
        assert!(tip < 0.0 || most >= 200, "{most} tie over a tip of {tip}");
    }
}

#[test]
fn of_many_duplicates_the_first_is_shown() {
    let corners = vec![vec3(-2.0, -1.0, 0.0), vec3(2.0, -1.5, 0.0), vec3(0.0, 3.0, 0.0)];
    for count in [2, 8, 31, 32, 33, 40, 500] {
        let mesh = tri_mesh(&(corners.clone(), vec![[0, 1, 2]; count]), false);
        mesh.validate().unwrap();
        for keys in [[9, 4, 7], [4, 7, 9], [9, 7, 4]] {
            let bodies = keys.map(|key| PlainBody::mesh(mesh.clone(), Pose::IDENTITY, key));
            let scene = Brute::new(bodies).scene();
            for gap in [1.0, 1e-6, 0.0, -0.2] {
                let hit =
                    scene.sweep(&upright(0.1, 0.2, gap), &fall(2.0), &Filter::default()).unwrap();
                let shown = (hit.target.key, hit.target.triangle);
                assert_eq!(shown, (4, Some(0)), "{count} triangles, gap {gap}");
            }
        }
    }
}

#[test]
fn kind_comes_before_key() {
    let floor = HalfSpace::new(DVec3::ZERO, DVec3::Z).unwrap();
    let corners = vec![vec3(-2.0, -1.0, 0.0), vec3(2.0, -1.5, 0.0), vec3(0.0, 3.0, 0.0)];
    let mesh = PlainBody::mesh(tri_mesh(&(corners, vec![[0, 1, 2]]), false), Pose::IDENTITY, 9);
    let shape = PlainBody::new(PlainGeometry::Shape(Shape::HalfSpace(floor)), 5);
    let obstacle = PlainBody::new(PlainGeometry::Obstacle(Shape::HalfSpace(floor)), 1);
    let kind = |bodies: &[&PlainBody]| {
        let scene = Brute::new(bodies.iter().copied().cloned()).scene();
        let hit = scene.sweep(&upright(0.0, 0.0, 1.0), &fall(2.0), &Filter::default());
        hit.unwrap().target.kind
    };
    assert_eq!(kind(&[&obstacle, &shape, &mesh]), BodyKind::Mesh);
    assert_eq!(kind(&[&mesh, &shape, &obstacle]), BodyKind::Mesh);
    assert_eq!(kind(&[&obstacle, &shape]), BodyKind::Shape);
    assert_eq!(kind(&[&shape, &obstacle]), BodyKind::Shape);
}

/// Contacts within the bound tie: a query reports the most head-on contact and the smallest time.
#[test]
fn the_smallest_distance_is_reported_whichever_contact_is_chosen() {
    let slope = dvec3(0.6, 0.0, 0.8);
    let steep = HalfSpace::new(DVec3::ZERO, slope).unwrap();
    for (apart, shown) in [(0.25, 1), (0.75, 1), (1.25, 0)] {
        // A ball that touches the slope is `apart` bounds above the flat ground.
        let ball = slope * 0.375;
        let flat = DVec3::Z * (ball.z - 0.375 - apart * CONTACT_TOLERANCE);
        let flat = HalfSpace::new(flat, DVec3::Z).unwrap();
        let bodies = [steep, flat].into_iter().zip(0..).map(|(shape, key)| {
            PlainBody::new(PlainGeometry::Shape(Shape::HalfSpace(shape)), key)
        });
        let brute = Brute::new(bodies);
        for lift in [0.0, 0.3] {
            let center = ball + DVec3::Z * lift;
            let ball = Capsule::new(center, center, 0.375).unwrap();
            let expected = brute.sweep(&ball, &fall(1.0), &Filter::default());
            let answer = brute.scene().sweep(&ball, &fall(1.0), &Filter::default());
            expected.check(answer.as_ref()).unwrap();
            let answer = answer.unwrap();
            assert_eq!(answer.target.key, shown, "{apart} bounds apart, from {lift}");
            assert!((answer.hit.distance - lift).abs() < 1e-12, "{}", answer.hit.distance);
        }
    }
}

/// Two floors through one point, 10⁻⁵ of a turn apart: in f32 both normals point straight up along
/// the motion.
#[test]
fn f64_decides_which_contact_is_most_head_on() {
    let floor = |slope: f32| {
        tri_mesh(
            &(
                vec![vec3(-2.0, -1.0, -2.0 * slope), vec3(2.0, -1.0, 2.0 * slope), Vec3::Y * 3.0],
                vec![[0, 1, 2]],
            ),
            false,
        )
    };
    for (slopes, shown) in [([1e-4, 0.0], 1), ([0.0, 1e-4], 0), ([1e-4, 2e-4], 0)] {
        let bodies = slopes
            .into_iter()
            .zip(0..)
            .map(|(slope, key)| PlainBody::mesh(floor(slope), Pose::IDENTITY, key));
        let scene = Brute::new(bodies).scene();
        let hit = scene.sweep(&upright(0.0, 0.0, 0.5), &fall(1.0), &Filter::default()).unwrap();
        assert_eq!(hit.target.key, shown, "{slopes:?}");
    }
}

#[test]
fn of_start_overlaps_the_deepest_is_shown() {
    let ground = |z: f64, key| {
        let plane = HalfSpace::new(DVec3::Z * z, DVec3::Z).unwrap();
        PlainBody::new(PlainGeometry::Shape(Shape::HalfSpace(plane)), key)
    };
    let shown = |heights: [f64; 3]| {
        let bodies = heights.into_iter().zip(0..).map(|(z, key)| ground(z, key));
        let answer = Brute::new(bodies).scene().sweep(
            &upright(0.0, 0.0, 0.0),
            &fall(1.0),
            &Filter::default(),
        );
        answer.unwrap().target.key
    };
    assert_eq!(shown([0.1, 0.3, 0.2]), 1);
    assert_eq!(shown([0.1, 0.2, 0.2 + 3.0 * CONTACT_TOLERANCE]), 2);
    // Within the bound: as deep, as head-on, so the key decides.
    assert_eq!(shown([0.2, 0.1, 0.2 + 0.5 * CONTACT_TOLERANCE]), 0);
}
