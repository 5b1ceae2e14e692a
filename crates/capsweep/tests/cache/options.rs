//! The box that a cache is filled for, and its options (rule 11.3).

use super::{World, wander};
use capsweep::cache::{CacheOptions, HintSlot, TriangleCache};
use capsweep::scene::{Filter, Scene};
use capsweep::{Aabb, Capsule, Limit, Motion, ShapeError};
use glam::{DVec3, dvec3};

/// The box that a cache is filled for. The capsule's own box is 1 × 1 × 2.2 m around (10, 20, 30).
fn filled(options: CacheOptions, motion: DVec3) -> Aabb {
    let capsule = Capsule::from_center(dvec3(10.0, 20.0, 30.0), DVec3::Z * 0.6, 0.5).unwrap();
    let motion = Motion::new(motion).unwrap();
    let mut cache = TriangleCache::with_options(options).unwrap();
    let filter = Filter::default();
    cache.sweep(&Scene::new(), &capsule, &motion, &filter, HintSlot::Side);
    let bounds = cache.bounds().unwrap();
    assert!(bounds.contains(&capsule.swept_bounds(&motion)), "the box holds the query's own");
    bounds
}

/// Up to the margins for rounding: 1 mm is more than they are, and far less than the growth.
fn assert_box(found: &Aabb, low: [f64; 3], high: [f64; 3]) {
    let (low, high) = (DVec3::from(low), DVec3::from(high));
    let off = (found.min() - low).abs().max((found.max() - high).abs()).max_element();
    assert!(off < 1e-3, "{found:?} is not {low} to {high}");
}

/// Swept bounds are 5 mm larger than the capsule: 2.21 m tall. The growth is 0.3 of that, 0.663 m,
/// and the lean 0.8 of the growth, 0.5304 m.
#[test]
fn the_box_leans_along_the_motion() {
    let options = CacheOptions::default();
    // No motion: as far on all sides.
    let still = filled(options, DVec3::ZERO);
    assert_box(&still, [8.832, 18.832, 28.232], [11.168, 21.168, 31.768]);
    // 0.3 m along x: 0.3 m longer, and 0.5304 m further along x.
    let ahead = filled(options, DVec3::X * 0.3);
    assert_box(&ahead, [9.3624, 18.832, 28.232], [11.9984, 21.168, 31.768]);
    let back = filled(options, DVec3::X * -0.3);
    assert_box(&back, [8.0016, 18.832, 28.232], [10.6376, 21.168, 31.768]);
    // Down along z: 2.51 m tall, growth 0.753 m, lean 0.6024 m. What is needed stays inside.
    let down = filled(options, DVec3::Z * -0.3);
    assert_box(&down, [8.742, 18.742, 27.2396], [11.258, 21.258, 31.2556]);
    // A diagonal motion leans by its direction.
    let diagonal = filled(options, dvec3(0.03, 0.04, 0.0));
    assert_box(&diagonal, [9.15024, 19.25632, 28.232], [11.51624, 21.63232, 31.768]);
}

#[test]
fn growth_and_lean_are_those_of_the_options() {
    let still = CacheOptions { growth: 0.0, lean: 0.0, ..CacheOptions::default() };
    assert_box(&filled(still, DVec3::X * 0.3), [9.495, 19.495, 28.895], [10.805, 20.505, 31.105]);
    // Without a lean, the growth is the same ahead and behind.
    let even = CacheOptions { lean: 0.0, ..CacheOptions::default() };
    assert_box(&filled(even, DVec3::X * 0.3), [8.832, 18.832, 28.232], [11.468, 21.168, 31.768]);
    // With a full lean, the box ends behind where the query does.
    let full = CacheOptions { growth: 1.0, lean: 1.0, ..CacheOptions::default() };
    assert_box(&filled(full, DVec3::X * 0.3), [9.495, 17.285, 26.685], [15.225, 22.715, 33.315]);
}

#[test]
fn options_that_are_out_of_range_are_refused_by_name() {
    let good = CacheOptions::default();
    let not_finite = |field| ShapeError::NotFinite { field, value: f64::INFINITY };
    let cases = [
        (CacheOptions { growth: f64::INFINITY, ..good }, not_finite("growth")),
        (CacheOptions { lean: f64::INFINITY, ..good }, not_finite("lean")),
        (CacheOptions { longest_motion: f64::INFINITY, ..good }, not_finite("longest_motion")),
        (
            CacheOptions { growth: -0.1, ..good },
            ShapeError::Negative { field: "growth", value: -0.1 },
        ),
        (
            CacheOptions { growth: 101.0, ..good },
            ShapeError::OutOfRange { field: "growth", value: 101.0, limit: 100.0 },
        ),
        (
            CacheOptions { lean: 1.5, ..good },
            ShapeError::OutOfRange { field: "lean", value: 1.5, limit: 1.0 },
        ),
        (CacheOptions { lean: -1.0, ..good }, ShapeError::Negative { field: "lean", value: -1.0 }),
        (
            CacheOptions { longest_motion: -4.0, ..good },
            ShapeError::Negative { field: "longest_motion", value: -4.0 },
        ),
        (
            CacheOptions { longest_motion: 2e6, ..good },
            ShapeError::OutOfRange { field: "longest_motion", value: 2e6, limit: 1e6 },
        ),
        (
            CacheOptions { max_triangles: 0, ..good },
            ShapeError::NotPositive { field: "max_triangles", value: 0.0 },
        ),
    ];
    for (options, error) in cases {
        assert_eq!(TriangleCache::with_options(options).err(), Some(error), "{options:?}");
    }
    for field in ["growth", "lean", "longest_motion"] {
        let nan = |name| if name == field { f64::NAN } else { 0.5 };
        let options = CacheOptions {
            growth: nan("growth"),
            lean: nan("lean"),
            longest_motion: nan("longest_motion"),
            ..good
        };
        let error = TriangleCache::with_options(options).err().unwrap();
        assert!(matches!(error, ShapeError::NotFinite { .. }) && error.field() == field);
    }
    assert_eq!(TriangleCache::new().options(), good);
    let defaults = (good.growth, good.lean, good.longest_motion, good.max_triangles);
    assert_eq!(defaults, (0.3, 0.8, 4.0, u32::MAX));
}

#[test]
fn no_options_change_an_answer() {
    let good = CacheOptions::default();
    let all = [
        CacheOptions { growth: 0.0, lean: 0.0, ..good },
        CacheOptions { growth: 0.0, lean: 1.0, longest_motion: 100.0, ..good },
        CacheOptions { growth: 0.05, lean: 1.0, ..good },
        CacheOptions { growth: 3.0, lean: 0.5, longest_motion: 40.0, ..good },
        CacheOptions { max_triangles: 1, ..good },
        CacheOptions { max_triangles: 60, ..good },
        CacheOptions { longest_motion: 0.0, ..good },
    ];
    for (number, options) in all.into_iter().enumerate() {
        for offset in [DVec3::ZERO, dvec3(16_384.0, -16_384.0, 100.0)] {
            let mut world = World::new(20 + number as u64, offset);
            let mut cache = TriangleCache::with_options(options).unwrap();
            wander(&mut world, &mut cache, offset + dvec3(20.0, 20.0, 1.0), 150);
            assert_eq!(cache.options(), options);
            assert!(cache.triangle_count() <= options.max_triangles as usize);
        }
    }
}

/// A query that filled the cache is answered from it when it is asked again, also without growth.
#[test]
fn a_cache_holds_the_query_that_it_was_filled_for() {
    let mut rng = capsweep_testkit::Rng::new(&[61]);
    let scene = Scene::new();
    for (growth, lean) in [(0.0, 0.0), (0.0, 1.0), (0.3, 1.0), (0.3, 0.8)] {
        let options = CacheOptions { growth, lean, ..CacheOptions::default() };
        for number in 0..300 {
            let far = [0.0, 100.0, 16_384.0, 1e6][number % 4];
            let radius = rng.log_range(1e-3, 30.0);
            let at = rng.direction() * far;
            let half = rng.cube(3.0) * radius;
            let capsule = Capsule::from_center(at, half, radius as f32).unwrap();
            let motion = Motion::new(rng.cube(2.0) * radius).unwrap();
            let mut cache = TriangleCache::with_options(options).unwrap();
            for _ in 0..2 {
                cache.sweep(&scene, &capsule, &motion, &Filter::default(), HintSlot::Side);
            }
            let stats = cache.stats();
            assert_eq!((stats.refills, stats.hits), (1, 1), "{options:?} {capsule:?} {motion:?}");
            let mut cache = TriangleCache::with_options(options).unwrap();
            let limit = Limit::new(rng.range(0.0, 7.9) * radius).unwrap();
            for _ in 0..2 {
                cache.closest(&scene, &capsule, limit, &Filter::default());
            }
            let stats = cache.stats();
            assert_eq!((stats.refills, stats.hits), (1, 1), "{options:?} {capsule:?} {limit:?}");
        }
    }
}

#[test]
fn a_motion_longer_than_the_options_say_fills_nothing() {
    // The capsule is 2.2 m long, with 2.2 m steps of the multiple.
    let capsule = Capsule::from_center(DVec3::ZERO, DVec3::Z * 0.6, 0.5).unwrap();
    for (longest_motion, length, is_filled) in [
        (4.0, 8.7, true),
        (4.0, 8.9, false),
        (2.0, 4.3, true),
        (2.0, 4.5, false),
        (0.0, 0.1, false),
    ] {
        let options = CacheOptions { longest_motion, ..CacheOptions::default() };
        let mut cache = TriangleCache::with_options(options).unwrap();
        let motion = Motion::new(DVec3::X * length).unwrap();
        cache.sweep(&Scene::new(), &capsule, &motion, &Filter::default(), HintSlot::Side);
        assert_eq!(cache.bounds().is_some(), is_filled, "{longest_motion} {length}");
        let stats = cache.stats();
        assert_eq!((stats.refills, stats.bypassed), (u64::from(is_filled), u64::from(!is_filled)));
        // The same holds for the limit of closest points.
        let mut cache = TriangleCache::with_options(options).unwrap();
        let limit = Limit::new(length).unwrap();
        cache.closest(&Scene::new(), &capsule, limit, &Filter::default());
        assert_eq!(cache.bounds().is_some(), is_filled, "{longest_motion} {length}");
    }
}

/// Steeper than 45° is up or down, whatever the lengths of both vectors.
#[test]
fn the_hint_of_a_motion_is_that_of_its_steepness() {
    for (rise, run, slot) in [
        (1.0, 0.99, HintSlot::Up),
        (-1.0, 0.99, HintSlot::Down),
        (1.0, 1.01, HintSlot::Side),
        (-1.0, 1.01, HintSlot::Side),
        (0.0, 1.0, HintSlot::Side),
    ] {
        for size in [0.01, 1.0, 50.0] {
            for up in [DVec3::Z, DVec3::Z * 0.1, DVec3::Z * 9.0] {
                let motion = dvec3(0.6 * run, -0.8 * run, rise) * size;
                assert_eq!(HintSlot::for_motion(motion, up), slot, "{motion} {up}");
            }
        }
    }
    assert_eq!(HintSlot::for_motion(DVec3::ZERO, DVec3::Z), HintSlot::Side);
}
