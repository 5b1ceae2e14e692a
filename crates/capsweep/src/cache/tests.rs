//! Hints: what makes one, and which queries one may answer.

use crate::cache::{HintSlot, TriangleCache};
use crate::scene::{
    Bodies, Body, Filter, HitTarget, MeshOptions, Pose, Scene, StartOverlaps, TriMesh,
};
use crate::{Capsule, Motion, Sides};
use capsweep_testkit::Rng;
use glam::{DVec3, Vec3};
use std::sync::Arc;

/// A floor of `2 · strips` triangles around the origin.
fn floor(strips: u32) -> Scene {
    let side = |x: f32| {
        (0..=strips).map(move |y| Vec3::new(x, 40.0 * y as f32 / strips as f32 - 20.0, 0.0))
    };
    let vertices: Vec<Vec3> = side(-20.0).chain(side(20.0)).collect();
    let right = strips + 1;
    let triangles: Vec<[u32; 3]> = (0..strips)
        .flat_map(|y| [[y, right + y, right + y + 1], [y, right + y + 1, y + 1]])
        .collect();
    let mesh = TriMesh::new(&vertices, &triangles, MeshOptions::default());
    let mut scene = Scene::new();
    let body = mesh.map(|mesh| Body::mesh(Arc::new(mesh), Pose::IDENTITY));
    assert!(matches!(body, Ok(Ok(_))));
    body.into_iter().flatten().for_each(|body| {
        scene.insert(body);
    });
    scene
}

/// A sweep that is too long for the cache leaves it as it was filled, from another scene. So
/// its hit must not become a hint.
#[test]
fn a_hit_in_another_scene_is_no_hint() {
    let (few, many) = (floor(1), floor(400));
    let filter = Filter::default();
    let at = |y: f64, z: f64| Capsule::from_feet(DVec3::new(0.0, y, z), DVec3::Z, 0.4, 1.8);
    let down = |length: f64| Motion::new(DVec3::new(0.0, 0.0, -length));
    let (Ok(near), Ok(high), Ok(short), Ok(long)) =
        (at(0.0, 0.01), at(19.0, 4000.0), down(0.1), down(8000.0))
    else {
        unreachable!("all are in range")
    };
    let mut cache = TriangleCache::new();
    assert!(cache.sweep(&few, &near, &short, &filter, HintSlot::Step).is_some());
    assert!(cache.sweep(&many, &high, &long, &filter, HintSlot::Step).is_some());
    assert!(!cache.is_stopped_again(&few, (&near, &short), &filter, HintSlot::Step));
}

/// A floor with its front up, of one triangle with the mask `of_triangle`, in a body with the mask
/// `of_body`.
fn masked_floor((of_body, of_triangle): (u32, u32), double_sided: bool) -> Scene {
    let corners = [[-9.0, -9.0, 0.0], [9.0, -9.0, 0.0], [0.0, 9.0, 0.0]].map(Vec3::from);
    let mesh = TriMesh::new(&corners, &[[0, 1, 2]], MeshOptions { double_sided }).unwrap();
    let mesh = mesh.with_masks(&[of_triangle]).unwrap();
    let mut scene = Scene::new();
    scene.insert(Body::mesh(Arc::new(mesh), Pose::IDENTITY).unwrap().with_mask(of_body));
    scene
}

/// A capsule over the floor (gap 0: it touches), or under it if `above` is false.
fn beside_floor(above: bool, gap: f64) -> Capsule {
    let center = DVec3::Z * if above { 0.9 + gap } else { -0.9 - gap };
    Capsule::from_center(center, DVec3::Z * 0.5, 0.4).unwrap()
}

fn along_z(length: f64) -> Motion {
    Motion::new(DVec3::Z * length).unwrap()
}

/// A cache whose hint for steps is the only triangle of `scene`.
fn hinted(scene: &Scene) -> TriangleCache {
    let mut cache = TriangleCache::new();
    let (above, down, filter) = (beside_floor(true, 0.01), along_z(-0.1), Filter::default());
    assert!(cache.sweep(scene, &above, &down, &filter, HintSlot::Step).is_some());
    cache
}

/// Whether the hinted floor stops a capsule that touches it and is pressed against it.
fn stops(scene: &Scene, filter: Filter) -> bool {
    let (touching, down) = (beside_floor(true, 0.0), along_z(-0.1));
    hinted(scene).is_stopped_again(scene, (&touching, &down), &filter, HintSlot::Step)
}

#[test]
fn a_hinted_triangle_stops_only_queries_whose_mask_sees_its_body() {
    let scene = masked_floor((0b10, u32::MAX), false);
    for (mask, is_seen) in
        [(u32::MAX, true), (0b10, true), (0b11, true), (0b01, false), (0, false)]
    {
        assert_eq!(stops(&scene, Filter { mask, ..Filter::default() }), is_seen, "{mask:b}");
    }
}

#[test]
fn a_hinted_triangle_stops_only_queries_whose_mask_sees_the_triangle() {
    let scene = masked_floor((u32::MAX, 0b10), false);
    for (mask, is_seen) in
        [(u32::MAX, true), (0b10, true), (0b11, true), (0b01, false), (0, false)]
    {
        assert_eq!(stops(&scene, Filter { mask, ..Filter::default() }), is_seen, "{mask:b}");
    }
}

#[test]
fn a_hinted_triangle_stops_only_queries_for_static_bodies() {
    let scene = masked_floor((1, 1), false);
    for (bodies, is_seen) in
        [(Bodies::All, true), (Bodies::Static, true), (Bodies::Dynamic, false)]
    {
        assert_eq!(stops(&scene, Filter { bodies, ..Filter::default() }), is_seen, "{bodies:?}");
    }
}

#[test]
fn a_hinted_triangle_stops_only_queries_for_the_side_that_is_hit() {
    for (double_sided, sides, is_stopped) in [
        (false, Sides::Front, false),
        (false, Sides::Both, true),
        (true, Sides::Front, true),
        (true, Sides::Both, true),
    ] {
        let scene = masked_floor((1, 1), double_sided);
        let filter = Filter { sides, ..Filter::default() };
        let (below, up) = (beside_floor(false, 0.0), along_z(0.1));
        let found =
            hinted(&scene).is_stopped_again(&scene, (&below, &up), &filter, HintSlot::Step);
        assert_eq!(found, is_stopped, "{double_sided} {sides:?}");
    }
}

#[test]
fn a_hinted_triangle_stops_no_query_that_skips_overlaps_at_the_start() {
    let scene = masked_floor((1, 1), false);
    let (sunk, down) = (beside_floor(true, -0.1), along_z(-0.1));
    for (start_overlaps, is_stopped) in
        [(StartOverlaps::Report, true), (StartOverlaps::Skip, false)]
    {
        let filter = Filter { start_overlaps, ..Filter::default() };
        let found =
            hinted(&scene).is_stopped_again(&scene, (&sunk, &down), &filter, HintSlot::Step);
        assert_eq!(found, is_stopped, "{start_overlaps:?}");
    }
}

#[test]
fn a_hinted_triangle_stops_only_motions_that_press_against_it() {
    let scene = masked_floor((1, 1), false);
    let cache = hinted(&scene);
    let touching = beside_floor(true, 0.0);
    let level = Motion::new(DVec3::X * 0.1).unwrap();
    let ask = |scene: &Scene, capsule: &Capsule, motion: &Motion, slot: HintSlot| {
        cache.is_stopped_again(scene, (capsule, motion), &Filter::default(), slot)
    };
    let step = HintSlot::Step;
    assert!(ask(&scene, &touching, &along_z(-0.1), step));
    // Along the floor, away from it, and down to it from above.
    assert!(!ask(&scene, &touching, &level, step));
    assert!(!ask(&scene, &touching, &along_z(0.1), step));
    assert!(!ask(&scene, &beside_floor(true, 0.01), &along_z(-0.1), step));
    // A slot without a hint, a cache without any, and another scene with the same floor.
    assert!(!ask(&scene, &touching, &along_z(-0.1), HintSlot::Side));
    let (empty, down) = (TriangleCache::new(), along_z(-0.1));
    assert!(!empty.is_stopped_again(&scene, (&touching, &down), &Filter::default(), step));
    assert!(!ask(&masked_floor((1, 1), false), &touching, &down, step));
}

/// Under changing filters the hint answers for its own triangle: as a sweep that may hit no other.
#[test]
fn a_hint_answers_like_a_sweep_against_its_own_triangle() {
    let mut rng = Rng::new(&[57]);
    let (mut stopped, mut free) = (0, 0);
    for _ in 0..60 {
        let mut scene = Scene::new();
        for key in 0..4 {
            let vertices: Vec<Vec3> = (0..30).map(|_| rng.cube(1.0).as_vec3()).collect();
            let indices: Vec<[u32; 3]> = (0..10).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
            let options = MeshOptions { double_sided: key == 3 };
            let masks: Vec<u32> = (0..10).map(|i| i % 3 + 1).collect();
            let mesh = TriMesh::new(&vertices, &indices, options).unwrap();
            let mesh = mesh.with_masks(&masks).unwrap();
            let body = Body::mesh(Arc::new(mesh), Pose::IDENTITY).unwrap();
            scene.insert(body.with_key(key).with_mask([3, 1, 2, 3][key as usize]));
        }
        let mut some_filter = || Filter {
            mask: [u32::MAX, 1, 2][rng.below(3) as usize],
            sides: [Sides::Front, Sides::Both][rng.below(2) as usize],
            bodies: [Bodies::All, Bodies::Static, Bodies::Dynamic][rng.below(3) as usize],
            start_overlaps: [StartOverlaps::Report, StartOverlaps::Skip][rng.below(2) as usize],
        };
        let filters: Vec<Filter> = (0..40).map(|_| some_filter()).collect();
        let mut cache = TriangleCache::new();
        for filter in filters {
            let at = rng.cube(1.5);
            let capsule = Capsule::from_center(at, rng.cube(0.3), 0.2).unwrap();
            let motion = Motion::new(rng.cube(0.5)).unwrap();
            let all = Filter { sides: Sides::Both, ..Filter::default() };
            let Some(hit) = cache.sweep(&scene, &capsule, &motion, &all, HintSlot::Step) else {
                continue;
            };
            // At the hit the same motion goes on.
            let there = capsule.translated(motion.vector() * hit.time).unwrap();
            let own = |target: &HitTarget| *target == hit.target;
            let alone = scene.sweep_where(&there, &motion, &filter, own);
            let expected = alone.is_some_and(|alone| alone.time == 0.0);
            let found = cache.is_stopped_again(&scene, (&there, &motion), &filter, HintSlot::Step);
            assert_eq!(found, expected, "{there:?} {motion:?} {filter:?}");
            stopped += u32::from(expected);
            free += u32::from(!expected);
        }
    }
    assert!(stopped > 200 && free > 200, "{stopped}, {free}");
}
