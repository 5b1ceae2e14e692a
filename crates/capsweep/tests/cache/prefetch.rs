//! What a cache holds, what it is valid for, and its limit on triangles (rules 11.2, 11.3).

use super::{HINTS, World, bits, capsule};
use capsweep::cache::{
    CacheError, CacheOptions, CacheQuery, CacheUpdate, HintSlot, TriangleCache,
};
use capsweep::scene::{Bodies, Body, Filter, Mobility, Scene};
use capsweep::{Aabb, Capsule, Limit, Motion, Ray};
use glam::{DVec3, dvec3};

fn around(center: DVec3, half: f64) -> Aabb {
    Aabb::new(center - half, center + half).unwrap()
}

/// The dungeon's middle.
const MIDDLE: DVec3 = DVec3::new(20.0, 20.0, 1.0);

#[test]
fn a_cache_is_valid_for_a_query_if_and_only_if_it_answers_without_a_refill() {
    let mut world = World::new(31, DVec3::ZERO);
    let mut cache = TriangleCache::new();
    let mut valid = [[0; 2]; 4];
    let mut at = MIDDLE;
    for number in 0..4_000 {
        if number % 7 == 0 {
            at = MIDDLE + world.rng.cube(10.0) * dvec3(1.0, 1.0, 0.1);
            if number % 35 == 0 {
                let _ = cache.update(&world.scene, &around(at, 3.0)).unwrap();
            }
        }
        at += world.rng.cube(0.1);
        let capsule = capsule(at, &mut world.rng);
        let reach = [0.0, 0.2, 2.0][world.rng.below(3) as usize];
        let motion = Motion::new(world.rng.cube(1.0) * reach).unwrap();
        let limit = Limit::new(world.rng.range(0.0, 1.5)).unwrap();
        let ray = Ray::new(at, motion).unwrap();
        let (filter, scene) = (world.filter(), &world.scene);
        let kind = number % 4;
        let query = match kind {
            0 => CacheQuery::Sweep(&capsule, &motion),
            1 => CacheQuery::Overlap(&capsule),
            2 => CacheQuery::Closest(&capsule, limit),
            _ => CacheQuery::Ray(&ray),
        };
        let (is_valid, before) = (cache.is_valid_for(scene, &query), cache.stats());
        let _ = match kind {
            0 => cache.sweep(scene, &capsule, &motion, &filter, HINTS[number % 3]).is_some(),
            1 => cache.overlap(scene, &capsule, &filter).is_some(),
            2 => cache.closest(scene, &capsule, limit, &filter).is_some(),
            _ => cache.ray(scene, &ray, &filter).is_some(),
        };
        let after = cache.stats();
        assert_eq!(after.hits - before.hits, u64::from(is_valid), "{query:?}");
        let others = (after.refills - before.refills) + (after.bypassed - before.bypassed);
        assert_eq!(others, u64::from(!is_valid), "{query:?}");
        assert!(kind < 3 || after.refills == before.refills, "rays fill nothing");
        valid[kind][usize::from(is_valid)] += 1;
    }
    assert!(valid.iter().flatten().all(|count| *count > 100), "{valid:?}");
    // Neither for another scene, nor once a static body changes. A dynamic one changes nothing.
    let room = around(MIDDLE, 2.0);
    let _ = cache.update(&world.scene, &room).unwrap();
    let within = CacheQuery::Within(&room);
    assert!(cache.is_valid_for(&world.scene, &within));
    assert!(!cache.is_valid_for(&World::new(31, DVec3::ZERO).scene, &within));
    world.stir(MIDDLE);
    assert!(cache.is_valid_for(&world.scene, &within));
    world.scene.insert(Body::shape(super::ball(MIDDLE, 0.1)).with_mobility(Mobility::Static));
    assert!(!cache.is_valid_for(&world.scene, &within));
}

/// What `update` promises: every sweep within the box is answered from the cache.
#[test]
fn after_an_update_every_sweep_within_the_box_is_valid() {
    let mut rng = capsweep_testkit::Rng::new(&[62]);
    let scene = Scene::new();
    for number in 0..200 {
        let far = [0.0, 100.0, 16_384.0, 1e6][number % 4];
        let (center, size) = (rng.direction() * far, rng.log_range(0.1, 1e3));
        let bounds = around(center, size);
        let mut cache = TriangleCache::new();
        assert_eq!(cache.update(&scene, &bounds), Ok(CacheUpdate::Filled));
        assert_eq!(cache.update(&scene, &bounds), Ok(CacheUpdate::Held));
        let mut tight = 0;
        for _ in 0..100 {
            let radius = (size * rng.range(0.01, 0.99)) as f32;
            let ends = [rng.cube(1.0), rng.cube(1.0)].map(|end| center + end * size);
            let capsule = Capsule::new(ends[0], ends[1], radius).unwrap();
            let motion = Motion::new(rng.cube(0.3) * size).unwrap();
            // Shrunk about the centre until its swept bounds just fit.
            let asked = capsule.swept_bounds(&motion);
            let reach = (asked.min() - center).abs().max((asked.max() - center).abs());
            // They have a margin of at least 1 mm, which does not shrink.
            let shrink = (size - 1e-3) / (reach.max_element() - 1e-3) * (1.0 - 1e-9);
            let fit = |point: DVec3| center + (point - center) * shrink;
            let small = Capsule::new(
                fit(capsule.p0()),
                fit(capsule.p1()),
                (f64::from(radius) * shrink) as f32,
            );
            let (small, motion) = (small.unwrap(), Motion::new(motion.vector() * shrink).unwrap());
            if bounds.contains(&small.swept_bounds(&motion)) {
                let query = CacheQuery::Sweep(&small, &motion);
                assert!(cache.is_valid_for(&scene, &query), "{query:?} in {bounds:?}");
                tight += 1;
            }
        }
        assert!(tight > 10, "{tight} of size {size}");
    }
}

#[test]
fn a_prefetched_box_is_held_until_a_query_leaves_it() {
    let world = World::new(32, DVec3::ZERO);
    let mut cache = TriangleCache::new();
    let room = around(MIDDLE, 3.0);
    assert_eq!(cache.update(&world.scene, &room), Ok(CacheUpdate::Filled));
    assert!(cache.bounds().unwrap().contains(&room));
    // The margin is for rounding alone.
    assert!(around(MIDDLE, 3.001).contains(&cache.bounds().unwrap()));
    assert_eq!(cache.stats(), capsweep::cache::CacheStats::default(), "no query was made");
    // A sweep too long to fill a cache for is still answered from one that holds it.
    let thin = Capsule::from_center(MIDDLE, DVec3::Z * 0.1, 0.05).unwrap();
    let (long, filter) = (Motion::new(DVec3::X * 2.5).unwrap(), Filter::default());
    let hit = cache.sweep(&world.scene, &thin, &long, &filter, HintSlot::Side);
    assert_eq!(bits(&hit), bits(&world.scene.sweep(&thin, &long, &filter)));
    assert_eq!((cache.stats().hits, cache.stats().bypassed), (1, 0));
    // A box inside of it is held; one beyond it is not.
    assert_eq!(cache.update(&world.scene, &around(MIDDLE, 2.0)), Ok(CacheUpdate::Held));
    let beyond = around(MIDDLE + DVec3::X, 3.0);
    assert_eq!(cache.update(&world.scene, &beyond), Ok(CacheUpdate::Filled));
    assert!(!cache.is_valid_for(&world.scene, &CacheQuery::Within(&room)));
}

#[test]
fn empty_and_unbounded_boxes_are_errors_and_leave_the_cache_as_it_was() {
    let world = World::new(33, DVec3::ZERO);
    let mut cache = TriangleCache::new();
    let room = around(MIDDLE, 1.0);
    let _ = cache.update(&world.scene, &room).unwrap();
    let plate = Aabb::new(DVec3::ZERO, dvec3(1.0, 0.0, 1.0)).unwrap();
    assert_eq!(cache.update(&world.scene, &plate), Err(CacheError::EmptyBox { axis: "y" }));
    let column = Aabb::new(dvec3(0.0, 0.0, -1e9), dvec3(1.0, 1.0, 1e9)).unwrap();
    let unbounded = CacheError::UnboundedBox { axis: "z", length: 2e9 };
    assert_eq!(cache.update(&world.scene, &column), Err(unbounded));
    assert_eq!(
        unbounded.to_string(),
        "the box is 2e9 long along z: a cache holds 1e6 at most; query the scene without a cache \
         instead"
    );
    let empty = CacheError::EmptyBox { axis: "y" };
    assert_eq!(empty.to_string(), "the box is empty along y: no capsule fits into it");
    assert_eq!(cache.update(&world.scene, &room), Ok(CacheUpdate::Held));
    // The largest box that is allowed.
    let largest = Aabb::new(DVec3::splat(-5e5), DVec3::splat(5e5)).unwrap();
    assert_eq!(cache.update(&world.scene, &largest), Ok(CacheUpdate::Filled));
    assert_eq!(TriangleCache::off().update(&world.scene, &room), Ok(CacheUpdate::Off));
    assert!(TriangleCache::off().update(&world.scene, &plate).is_err());
}

#[test]
fn a_box_with_more_triangles_than_the_limit_is_reported_and_leaves_the_cache_empty() {
    let world = World::new(34, DVec3::ZERO);
    let room = around(MIDDLE, 2.0);
    let mut unlimited = TriangleCache::new();
    let _ = unlimited.update(&world.scene, &room).unwrap();
    let count = unlimited.triangle_count() as u32;
    assert!(count > 20, "{count}");
    for (max_triangles, expected) in [
        (count, CacheUpdate::Filled),
        (count + 1, CacheUpdate::Filled),
        (count - 1, CacheUpdate::OverLimit),
        (8, CacheUpdate::OverLimit),
        (1, CacheUpdate::OverLimit),
    ] {
        let options = CacheOptions { max_triangles, ..CacheOptions::default() };
        let mut cache = TriangleCache::with_options(options).unwrap();
        assert_eq!(cache.update(&world.scene, &room), Ok(expected), "{max_triangles} of {count}");
        let is_full = expected == CacheUpdate::OverLimit;
        assert_eq!(cache.stats().over_limit, u64::from(is_full));
        assert_eq!(cache.is_valid_for(&world.scene, &CacheQuery::Within(&room)), !is_full);
        if is_full {
            let held = (cache.bounds(), cache.revision(), cache.triangle_count());
            assert_eq!(held, (None, None, 0));
            assert_eq!((cache.body_count(), cache.triangles(&world.scene).count()), (0, 0));
            // Queries there are answered by the trees, and try no further refill.
            let inside = Capsule::from_center(MIDDLE, DVec3::Z * 0.5, 0.4).unwrap();
            let (motion, filter) = (Motion::new(DVec3::X * 0.5).unwrap(), Filter::default());
            for _ in 0..3 {
                let hit = cache.sweep(&world.scene, &inside, &motion, &filter, HintSlot::Side);
                assert_eq!(bits(&hit), bits(&world.scene.sweep(&inside, &motion, &filter)));
            }
            let stats = cache.stats();
            assert_eq!((stats.bypassed, stats.refills, stats.over_limit), (3, 0, 1));
            // Far away there is room in it again.
            let outside = inside.translated(DVec3::Z * 50.0).unwrap();
            cache.sweep(&world.scene, &outside, &motion, &filter, HintSlot::Side);
            assert_eq!(cache.stats().refills, 1);
        }
    }
}

#[test]
fn a_cache_shows_the_static_bodies_of_its_box() {
    let world = World::new(35, DVec3::ZERO);
    let mut cache = TriangleCache::new();
    let _ = cache.update(&world.scene, &around(MIDDLE, 4.0)).unwrap();
    let bounds = cache.bounds().unwrap();
    let held: Vec<_> = cache.bodies(&world.scene).collect();
    assert_eq!(held.len(), cache.body_count());
    for (number, (id, body)) in held.iter().enumerate() {
        assert!(held[..number].iter().all(|(other, _)| other != id), "{id:?} is shown twice");
        assert_eq!(body.mobility(), Mobility::Static);
        assert!(body.bounds().is_some_and(|own| own.overlaps(&bounds)), "{body:?}");
    }
    // All that have a point in the box, but for the half-space.
    let mut needed = Vec::new();
    let filter = Filter { bodies: Bodies::Static, ..Filter::default() };
    world.scene.bodies_seen_in(&bounds, &filter, &mut needed);
    needed.retain(|id| world.scene.body(*id).unwrap().bounds().is_some());
    assert!(needed.len() > 4, "{needed:?}");
    assert!(needed.iter().all(|id| held.iter().any(|(other, _)| other == id)), "{needed:?}");
    assert_eq!(cache.bodies(&Scene::new()).count(), 0);
}
