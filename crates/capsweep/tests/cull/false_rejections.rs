//! Culling rejects only what the exact solver rejects, on every hostile family.

use capsweep::cache::{HintSlot, TriangleCache};
use capsweep::scene::{Filter, Pose, Scene};
use capsweep::{Capsule, Motion, Sides, Triangle, sweep_capsule_triangle};
use capsweep_testkit::brute::{Brute, PlainBody, in_mesh_order, is_pierced, same_bits, tri_mesh};
use capsweep_testkit::{Case, Family, Pair, Rng, TargetShape, generate};
use glam::{DQuat, DVec3, Vec3, dvec3};

/// A world position far from the origin (metres), where f32 resolves about a millimetre.
const FAR: DVec3 = dvec3(16_384.0, -16_384.0, 512.0);

/// Asserts that a mesh of one triangle answers like the pair, in bits. Returns whether it is hit.
fn assert_one_triangle_is_the_pair(
    local: [Vec3; 3],
    pose: Pose,
    (capsule, motion): (&Capsule, &Motion),
    sides: Sides,
    what: &str,
) -> bool {
    let mesh = tri_mesh(&(local.to_vec(), vec![[0, 1, 2]]), false);
    let scene = Brute::new([PlainBody::mesh(mesh, pose, 3)]).scene();
    let [a, b, c] = pose.triangle_to_world(local);
    let triangle = Triangle::new(a, b, c).unwrap();
    let pair = sweep_capsule_triangle(capsule, motion, &triangle, sides);
    let pair = pair.map(|hit| in_mesh_order(hit, &pose));
    let answer = scene.sweep(capsule, motion, &Filter { sides, ..Filter::default() });
    match (&pair, &answer) {
        (None, None) => {}
        (Some(pair), Some(answer)) if same_bits(pair, &answer.hit) => {}
        // A mesh offers fewer push-outs of a triangle that the axis pierces.
        (Some(pair), Some(answer)) if is_pierced(capsule, pair) && answer.hit.depth > 0.0 => {}
        _ => panic!(
            "{what}: {capsule:?} {motion:?} {sides:?} {local:?} {pose:?}: {pair:?}, {answer:?}"
        ),
    }
    let filter = Filter { sides, ..Filter::default() };
    assert_a_cache_changes_nothing(&scene, (capsule, motion), &filter, what);
    if let Some(hit) = pair.filter(|hit| hit.distance > 0.0) {
        // Caches serve short motions: the last part of this one, then motions along the surface
        // and into it.
        let reach = capsule.total_height().min(motion.length());
        let last = motion.vector() * (reach / motion.length());
        let touching = capsule.translated(motion.vector() * hit.time).unwrap();
        let before = touching.translated(last * -0.5).unwrap();
        let normal = hit.normal.as_dvec3();
        let along = last - normal * last.dot(normal);
        for (capsule, motion) in [(before, last), (touching, last), (touching, along)] {
            let motion = Motion::new(motion).unwrap();
            assert_a_cache_changes_nothing(&scene, (&capsule, &motion), &filter, what);
        }
    }
    pair.is_some()
}

/// A cached sweep has the bits of the scene's, the first one and later ones.
fn assert_a_cache_changes_nothing(
    scene: &Scene,
    (capsule, motion): (&Capsule, &Motion),
    filter: &Filter,
    what: &str,
) {
    let plain = scene.sweep(capsule, motion, filter);
    let mut cache = TriangleCache::new();
    for _ in 0..2 {
        let cached = cache.sweep(scene, capsule, motion, filter, HintSlot::Side);
        let same = match (&plain, &cached) {
            (None, None) => true,
            (Some(plain), Some(cached)) => same_bits(&plain.hit, &cached.hit),
            _ => false,
        };
        assert!(same, "{what}: {capsule:?} {motion:?} {filter:?}: {plain:?} became {cached:?}");
    }
}

/// Cases of a family, counted from 0.
fn cases(family: Family, count: u64) -> impl Iterator<Item = (Case, [DVec3; 3], String)> {
    (0..count).filter_map(move |index| {
        let case = generate(Pair::Triangle, family, 3, index);
        let TargetShape::Triangle(triangle) = case.target else { return None };
        Some((case, triangle.vertices(), format!("{} {index}", family.name())))
    })
}

#[test]
fn no_hostile_triangle_is_rejected() {
    for family in Family::ALL {
        let mut hits = 0;
        for (case, corners, what) in cases(family, 5_000) {
            let local = corners.map(DVec3::as_vec3);
            let query = (&case.capsule, &case.motion);
            hits += usize::from(assert_one_triangle_is_the_pair(
                local,
                Pose::IDENTITY,
                query,
                case.sides,
                &what,
            ));
        }
        assert!(hits > 500, "{}: {hits} hits", family.name());
    }
}

#[test]
fn no_hostile_triangle_is_rejected_far_from_the_origin() {
    for family in Family::ALL {
        for (case, corners, what) in cases(family, 2_500) {
            let capsule = case.capsule.translated(FAR).unwrap();
            let query = (&capsule, &case.motion);
            // Far away by the pose, then by the vertices themselves, where f32 is coarse.
            let local = corners.map(DVec3::as_vec3);
            let pose = Pose::from_translation(FAR).unwrap();
            assert_one_triangle_is_the_pair(local, pose, query, case.sides, &what);
            let local = corners.map(|corner| (corner + FAR).as_vec3());
            assert_one_triangle_is_the_pair(local, Pose::IDENTITY, query, case.sides, &what);
        }
    }
}

#[test]
fn no_hostile_triangle_is_rejected_in_a_pose() {
    let mut rng = Rng::new(&[9]);
    for family in Family::ALL {
        for (case, corners, what) in cases(family, 5_000) {
            let turn = rng.cube(1.0);
            let turn = DQuat::from_xyzw(turn.x, turn.y, turn.z, 0.7).normalize();
            let size = |rng: &mut Rng| rng.log_range(0.05, 20.0) * rng.sign();
            let scale = dvec3(size(&mut rng), size(&mut rng), size(&mut rng));
            let pose = Pose::new(rng.cube(50.0), turn, scale).unwrap();
            let local = corners.map(|corner| pose.point_to_local(corner).as_vec3());
            let query = (&case.capsule, &case.motion);
            assert_one_triangle_is_the_pair(local, pose, query, case.sides, &what);
        }
    }
}

/// Far along a long motion the rounding of a vertex is a large part of a small triangle's edge.
#[test]
fn no_small_triangle_far_along_the_motion_is_rejected() {
    let mut rng = Rng::new(&[10]);
    let mut hits = 0;
    for index in 0..20_000 {
        let away = rng.log_range(1.0, 900.0);
        let start = rng.cube(300.0);
        let along = rng.direction();
        let half_axis = if rng.chance(0.3) { DVec3::ZERO } else { rng.direction() * 0.6 };
        let capsule = Capsule::from_center(start, half_axis, 0.4).unwrap();
        let motion = Motion::new(along * (away + 10.0)).unwrap();
        let across = along.any_orthonormal_vector();
        let size = rng.log_range(1e-4, 2.0);
        // Edge-on, within about a rounding error.
        let tilt = rng.log_range(1e-9, 1e-1) * rng.sign();
        let target = start + along * away + rng.cube(0.2);
        let side = along.cross(across);
        let corners = [target, target + (along - across * tilt) * size, target + side * size];
        let local = corners.map(DVec3::as_vec3);
        let sides = if rng.chance(0.8) { Sides::Front } else { Sides::Both };
        let what = format!("number {index}");
        let query = (&capsule, &motion);
        hits += usize::from(assert_one_triangle_is_the_pair(
            local,
            Pose::IDENTITY,
            query,
            sides,
            &what,
        ));
    }
    assert!(hits > 2_000, "{hits} hits");
}

/// A motion too short for f32 is still a motion, and an overlap at its start is still a hit.
#[test]
fn no_triangle_is_rejected_for_a_tiny_motion() {
    let local = [Vec3::new(-1.0, -1.5, 0.0), Vec3::new(2.0, -1.0, 0.0), Vec3::new(0.0, 2.0, 0.0)];
    for exponent in 1..=300 {
        let length = format!("1e-{exponent}").parse::<f64>().unwrap();
        for height in [0.2, 0.375, 0.375 + 1e-6, 0.5] {
            let center = dvec3(0.1, 0.2, height);
            let capsule = Capsule::new(center, center + DVec3::Z, 0.375).unwrap();
            for direction in [DVec3::NEG_Z, dvec3(0.6, 0.0, -0.8), DVec3::X, DVec3::Z] {
                let motion = Motion::new(direction * length).unwrap();
                for sides in [Sides::Front, Sides::Both] {
                    let what = format!("1e-{exponent}");
                    let query = (&capsule, &motion);
                    assert_one_triangle_is_the_pair(local, Pose::IDENTITY, query, sides, &what);
                }
            }
        }
    }
}

/// Triangles so small that the square of their normal is zero in f32.
#[test]
fn no_speck_is_rejected() {
    let mut rng = Rng::new(&[11]);
    for index in 0..20_000 {
        let size = rng.log_range(1e-18, 1e-4);
        let place = rng.cube(1.0) * rng.log_range(1e-14, 1.0);
        let local = [0; 3].map(|_| (rng.cube(size) + place).as_vec3());
        let half_axis = if rng.chance(0.5) { DVec3::ZERO } else { rng.direction() * 0.3 };
        let center = rng.cube(1.0) * rng.log_range(1e-12, 3.0);
        let capsule = Capsule::from_center(center, half_axis, 0.4).unwrap();
        let motion = Motion::new(rng.direction() * rng.log_range(1e-6, 5.0)).unwrap();
        let query = (&capsule, &motion);
        let sides = if rng.chance(0.5) { Sides::Front } else { Sides::Both };
        let what = format!("number {index}");
        assert_one_triangle_is_the_pair(local, Pose::IDENTITY, query, sides, &what);
    }
}

/// Slivers and needles placed far away: f64 decides their side, on vertices that the pose rounded.
#[test]
fn no_needle_is_rejected_for_its_side() {
    let mut rng = Rng::new(&[12]);
    let mut hits = 0;
    for index in 0..20_000 {
        let far = FAR * [0.0, 1.0, 60.0][rng.below(3) as usize];
        let turn = rng.cube(1.0);
        let turn = DQuat::from_xyzw(turn.x, turn.y, turn.z, 0.7).normalize();
        let pose = Pose::uniform(far, turn, rng.log_range(0.1, 10.0) * rng.sign()).unwrap();
        let width = rng.log_range(1e-14, 1e-3);
        let tip = rng.cube(width).as_vec3();
        let mut local = [Vec3::ZERO, tip, (rng.direction() * rng.range(0.1, 3.0)).as_vec3()];
        local.rotate_left(rng.below(3) as usize);
        let half_axis = rng.direction() * rng.range(0.0, 0.8);
        let center = far + rng.cube(2.0);
        let capsule = Capsule::from_center(center, half_axis, 0.4).unwrap();
        let aim = local[rng.below(3) as usize].as_dvec3();
        let aim = pose.point_to_world(aim) + rng.cube(0.3) - center;
        let motion = Motion::new(aim * rng.range(0.5, 1.5)).unwrap();
        let what = format!("number {index}");
        let query = (&capsule, &motion);
        hits +=
            usize::from(assert_one_triangle_is_the_pair(local, pose, query, Sides::Front, &what));
    }
    assert!(hits > 2_000, "{hits} hits");
}
