//! Each tolerance of the library, pinned from outside: what it decides, and its range.

use crate::files::files_below;
use capsweep::{
    CONTACT_TOLERANCE, Capsule, Feature, HalfSpace, Motion, Obb, Region, Sides, Triangle,
    closest_capsule_triangle, overlap_capsule_box, overlap_capsule_half_space,
    overlap_capsule_triangle, sweep_capsule_box, sweep_capsule_half_space, sweep_capsule_triangle,
};
use glam::{DVec3, dvec3, vec3};

const RADIUS: f32 = 0.375;

/// Upright, its lowest point `gap` above the ground z = 0.
fn standing(gap: f64) -> Capsule {
    let foot = f64::from(RADIUS) + gap;
    Capsule::new(dvec3(0.2, 0.1, foot), dvec3(0.2, 0.1, foot + 1.25), RADIUS).unwrap()
}

fn ground() -> Triangle {
    Triangle::new(dvec3(-3.0, -2.0, 0.0), dvec3(4.0, -2.5, 0.0), dvec3(0.5, 5.0, 0.0)).unwrap()
}

fn slab() -> Obb {
    Obb::axis_aligned(dvec3(0.5, -0.25, -1.0), vec3(3.0, 2.0, 1.0)).unwrap()
}

fn below() -> HalfSpace {
    HalfSpace::new(DVec3::ZERO, DVec3::Z).unwrap()
}

/// Hits of a sweep from `gap` above the ground, one for each kind of ground.
fn hits(gap: f64, motion: DVec3) -> [Option<capsweep::SweepHit>; 3] {
    let (mover, motion) = (standing(gap), Motion::new(motion).unwrap());
    [
        sweep_capsule_triangle(&mover, &motion, &ground(), Sides::Front),
        sweep_capsule_box(&mover, &motion, &slab(), Sides::Front),
        sweep_capsule_half_space(&mover, &motion, &below(), Sides::Front),
    ]
}

#[test]
fn touching_within_the_bound_is_no_overlap() {
    for gap in [-1.9e-6, -1e-6, 0.0, 1e-6, 1.9e-6] {
        let mover = standing(gap);
        assert_eq!(overlap_capsule_triangle(&mover, &ground()), None);
        assert_eq!(overlap_capsule_box(&mover, &slab()), None);
        assert_eq!(overlap_capsule_half_space(&mover, &below()), None);
        for hit in hits(gap, dvec3(0.3, 0.0, -1e-3)) {
            assert_eq!(hit.map(|hit| (hit.time, hit.depth)), Some((0.0, 0.0)));
        }
        for motion in [dvec3(0.3, 0.2, 0.0), dvec3(0.3, 0.0, 1e-3)] {
            assert_eq!(hits(gap, motion), [None; 3]);
        }
    }
    for hit in hits(-2.1e-6, dvec3(0.3, 0.0, -1e-3)) {
        assert!((hit.unwrap().depth - 2.1e-6).abs() < 1e-9);
    }
    for hit in hits(2.1e-6, dvec3(0.0, 0.0, -1.0)) {
        assert!((hit.unwrap().distance - 2.1e-6).abs() < 1e-9);
    }
    assert_eq!(CONTACT_TOLERANCE, 2e-6);
}

#[test]
fn a_touch_at_exactly_the_end_is_a_hit() {
    for hit in hits(2.0, dvec3(0.0, 0.0, -2.0)) {
        assert_eq!(hit.map(|hit| (hit.time, hit.distance)), Some((1.0, 2.0)));
    }
    // Lengths without an exact binary fraction: the end is a rounding error early or late.
    for step in 1..200 {
        let fall = f64::from(step) * 0.1;
        for hit in hits(fall, dvec3(f64::from(step) * 1e-3, 0.0, -fall)) {
            assert!((hit.unwrap().time - 1.0).abs() < 1e-9);
        }
    }
    assert_eq!(hits(2.0, dvec3(0.0, 0.0, -2.0 + 3e-6)), [None; 3]);
    // The slack is a nanometre.
    assert_eq!(hits(2.0, dvec3(0.0, 0.0, -2.0 + 2e-9)), [None; 3]);
    for hit in hits(2.0, dvec3(0.0, 0.0, -2.0 + 0.5e-9)) {
        assert_eq!(hit.unwrap().time, 1.0);
    }
}

#[test]
fn push_out_is_continuous_where_the_axis_starts_to_pierce() {
    let depth = |height: f64| {
        let mover =
            Capsule::new(dvec3(0.2, 0.1, height), dvec3(0.6, 0.2, height + 1.0), RADIUS).unwrap();
        overlap_capsule_triangle(&mover, &ground()).unwrap().depth
    };
    let at_touch = depth(0.0);
    assert!((at_touch - f64::from(RADIUS)).abs() < 1e-7);
    for step in [1e-12, 1e-10, 0.9e-9, 1.1e-9, 1e-8, 1e-6] {
        assert!((depth(step) - (at_touch - step)).abs() < 1e-9 + 1e-7 * step, "above by {step}");
        assert!((depth(-step) - (at_touch + step)).abs() < 1e-9 + 1e-7 * step, "below by {step}");
    }
}

#[test]
fn a_line_contact_reports_its_middle() {
    let lying = |tilt: f64| {
        Capsule::new(dvec3(-0.5, 0.0, 1.0), dvec3(0.7, 0.25, 1.0 + tilt), RADIUS).unwrap()
    };
    for tilt in [0.0, 0.9e-9, -0.9e-9] {
        let near = closest_capsule_triangle(&lying(tilt), &ground());
        assert_eq!((near.region, near.feature), (Region::Side, Feature::Face));
        assert!(near.on_geometry.distance(dvec3(0.1, 0.125, 0.0)) < 1e-6);
    }
    for (tilt, end) in [(1.1e-9, Region::Bottom), (-1.1e-9, Region::Top)] {
        assert_eq!(closest_capsule_triangle(&lying(tilt), &ground()).region, end);
    }
    // Only the part over the triangle counts: x from −0.5 to the border at 0 here.
    let narrow =
        Triangle::new(dvec3(-9.0, -8.0, 0.0), dvec3(0.0, -8.0, 0.0), dvec3(0.0, 9.0, 0.0))
            .unwrap();
    let near = closest_capsule_triangle(&lying(0.0), &narrow);
    assert!((near.on_geometry.x - -0.25).abs() < 1e-9, "{near:?}");
}

#[test]
fn a_triangle_is_degenerate_relative_to_its_size() {
    let thin = |length: f64, width: f64| {
        let (a, b) = (dvec3(0.1, 0.2, 0.3), dvec3(0.1 + length, 0.2, 0.3));
        Triangle::new(a, b, dvec3(0.1 + 0.4 * length, 0.2 + width, 0.3)).unwrap()
    };
    for length in [1e-3, 1.0, 4e3] {
        // The ratio is 2⁻⁴⁰.
        assert!(!thin(length, length * 1e-9).is_degenerate());
        assert!(!thin(length, length / (1_u64 << 39) as f64).is_degenerate());
        assert!(thin(length, length / (1_u64 << 41) as f64).is_degenerate());
        assert!(thin(length, 0.0).is_degenerate());
    }
    let tiny = Triangle::new(dvec3(0.0, 0.0, 0.0), dvec3(1e-6, 0.0, 0.0), dvec3(0.0, 0.0, 1e-6));
    assert_eq!(tiny.unwrap().normal(), Some(vec3(0.0, -1.0, 0.0)));
    let collinear =
        Triangle::new(dvec3(1.0, 2.0, 3.0), dvec3(2.0, 4.0, 6.0), dvec3(4.0, 8.0, 12.0));
    assert_eq!(collinear.unwrap().normal(), None);
}

/// Every test that `src/tolerance.rs` names exists. A name with three underscores is that of a
/// test.
#[test]
fn the_tests_that_pin_tolerances_exist() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = ["src", "tests", "../capsweep-cli/tests"].map(|folder| root.join(folder));
    let files = folders.iter().flat_map(|folder| files_below(folder, |_| false));
    let sources = files.filter(|path| path.extension().is_some_and(|extension| extension == "rs"));
    let tests: String = sources.map(|path| std::fs::read_to_string(path).unwrap()).collect();
    let tolerances = std::fs::read_to_string(root.join("src/tolerance.rs")).unwrap();
    let is_name = |word: &&str| {
        word.matches('_').count() >= 3
            && word.chars().all(|c| c == '_' || c.is_ascii_alphanumeric())
    };
    let named: Vec<&str> = tolerances.split('`').filter(is_name).collect();
    assert!(named.len() > 8, "only {named:?} are named");
    for name in named {
        assert!(tests.contains(&format!("fn {name}()")), "there is no test {name}");
    }
}
