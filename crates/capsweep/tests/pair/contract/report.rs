//! The report of a hit: feature, weights, region and the middle of line contacts.

use super::referee::{judge, well_formed};
use super::target::{
    Target, capsule, edge, half_space, rod, skew, solid, sphere, triangle, v, vertex,
};
use capsweep::{Feature, Region, SweepHit};
use glam::{DQuat, DVec3, Vec3};

const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [2, 1, 0], [1, 0, 2]];

const CORNERS: [DVec3; 3] =
    [DVec3::new(-1.0, -2.0, 0.0), DVec3::new(6.0, -2.0, 0.0), DVec3::new(1.0, 5.0, 0.0)];

/// The triangle in this order, seen after `turn`.
fn ordered(order: [usize; 3], turn: DQuat) -> Target {
    let [a, b, c] = order.map(|i| turn * CORNERS[i]);
    triangle(a, b, c)
}

/// Drops a ball and an upright capsule of radius ½ from above `at`.
fn drop_on(target: &Target, at: DVec3, turn: DQuat) -> [SweepHit; 2] {
    [0.0, 1.5].map(|height| {
        let low = at + v(0.0, 0.0, 2.0);
        let body = capsule(turn * low, turn * (low + v(0.0, 0.0, height)), 0.5);
        let hit = judge(&body, turn * v(0.0, 0.0, -4.0), target).expect("it falls on it");
        let region = if height == 0.0 { Region::Sphere } else { Region::Bottom };
        assert_eq!(hit.region, region);
        hit
    })
}

#[test]
fn a_face_is_named_with_the_weights_of_its_point() {
    for turn in [DQuat::IDENTITY, skew()] {
        for order in ORDERS {
            let target = ordered(order, turn);
            let at = CORNERS[0] * 0.2 + CORNERS[1] * 0.3 + CORNERS[2] * 0.5;
            for hit in drop_on(&target, at, turn) {
                assert_eq!(hit.feature, Feature::Face);
                let w = hit.barycentrics.expect("a triangle");
                for (slot, corner) in order.into_iter().enumerate() {
                    assert!((w[slot] - [0.2, 0.3, 0.5][corner]).abs() < 1e-9, "{w:?}");
                }
                assert!(hit.face_normal.as_dvec3().distance(turn * DVec3::Z) < 1e-6);
                assert!(hit.point.distance(turn * at) < 1e-9);
            }
        }
    }
}

#[test]
fn an_edge_is_named_by_its_first_vertex_in_all_orders() {
    for turn in [DQuat::IDENTITY, skew()] {
        for order in ORDERS {
            let target = ordered(order, turn);
            for edge in 0..3_u8 {
                let slot = usize::from(edge);
                let [from, to] = [order[slot], order[(slot + 1) % 3]].map(|i| CORNERS[i]);
                let inside = CORNERS[order[(slot + 2) % 3]];
                let on = from.lerp(to, 0.375);
                let along = (to - from).normalize();
                let out = (on - inside).reject_from(along).normalize();
                for hit in drop_on(&target, on + out * 0.3, turn) {
                    assert_eq!(hit.feature, Feature::Edge(edge), "{order:?}");
                    assert!(hit.point.distance(turn * on) < 1e-8);
                    let normal = turn * (out * 0.6 + DVec3::Z * 0.8);
                    assert!(hit.normal.as_dvec3().distance(normal) < 1e-6, "{hit:?}");
                    let w = hit.barycentrics.expect("a triangle");
                    assert_eq!(w[(slot + 2) % 3], 0.0);
                    assert!((w[slot] - 0.625).abs() < 1e-8, "{w:?}");
                }
            }
        }
    }
}

#[test]
fn a_vertex_is_named_in_all_orders() {
    let center = (CORNERS[0] + CORNERS[1] + CORNERS[2]) / 3.0;
    for turn in [DQuat::IDENTITY, skew()] {
        for order in ORDERS {
            let target = ordered(order, turn);
            for vertex in 0..3_u8 {
                let corner = CORNERS[order[usize::from(vertex)]];
                let out = (corner - center).normalize();
                for hit in drop_on(&target, corner + out * 0.3, turn) {
                    assert_eq!(hit.feature, Feature::Vertex(vertex), "{order:?}");
                    assert!(hit.point.distance(turn * corner) < 1e-9);
                    assert_eq!(hit.barycentrics.map(|w| w[usize::from(vertex)]), Some(1.0));
                }
            }
        }
    }
}

/// A box of 1 × 2 × 3 half extents: `signs` of −1, 0 and 1 name its faces, edges and corners.
fn box_hit(signs: [i8; 3], turn: DQuat, height: f64) -> SweepHit {
    let half = v(1.0, 2.0, 3.0);
    let signs = v(signs[0].into(), signs[1].into(), signs[2].into());
    let on = half * signs + v(0.25, 0.5, 0.75) * (DVec3::ONE - signs.abs());
    let out = signs.normalize();
    let start = on + out * 3.0;
    let shift = v(4.0, -5.0, 6.0);
    let target = solid(shift, half.as_vec3(), turn);
    let body = capsule(shift + turn * start, shift + turn * (start + out * height), 0.5);
    let hit = judge(&body, turn * out * -4.0, &target).expect("straight at it");
    assert!((hit.distance - 2.5).abs() < 1e-9, "{hit:?}");
    assert!(hit.point.distance(shift + turn * on) < 1e-7, "{hit:?}");
    assert!(hit.normal.as_dvec3().distance(turn * out) < 1e-6, "{hit:?}");
    hit
}

#[test]
fn the_features_of_a_box_are_named_as_documented() {
    for turn in [DQuat::IDENTITY, skew()] {
        for height in [0.0, 1.25] {
            for i in 0..8_u8 {
                let signs = [0, 1, 2].map(|bit| if i >> bit & 1 == 1 { 1 } else { -1 });
                assert_eq!(box_hit(signs, turn, height).feature, Feature::Vertex(i));
            }
            for i in 0..12_u8 {
                let axis = usize::from(i / 4);
                let mut signs = [0_i8; 3];
                signs[(axis + 1) % 3] = if i & 1 == 1 { 1 } else { -1 };
                signs[(axis + 2) % 3] = if i & 2 == 2 { 1 } else { -1 };
                assert_eq!(box_hit(signs, turn, height).feature, Feature::Edge(i));
            }
            for axis in 0..3 {
                for sign in [-1, 1] {
                    let mut signs = [0_i8; 3];
                    signs[axis] = sign;
                    let hit = box_hit(signs, turn, height);
                    assert_eq!(hit.feature, Feature::Face);
                    assert!(hit.face_normal.distance(hit.normal) < 1e-6);
                }
            }
        }
    }
}

#[test]
fn the_end_that_leads_is_the_region_and_swapping_mirrors_it() {
    let floor = triangle(v(-9.0, -9.0, 0.0), v(30.0, -9.0, 0.0), v(-9.0, 30.0, 0.0));
    let block = solid(v(0.0, 0.0, -2.0), Vec3::new(8.0, 7.0, 2.0), DQuat::IDENTITY);
    let plane = half_space(DVec3::ZERO, DVec3::Z);
    let ball = sphere(v(0.0, 0.0, -2.0), 2.0);
    for target in [floor, block, plane, ball] {
        let (low, high) = (v(0.0, 0.0, 2.0), v(0.5, 0.25, 4.0));
        for (p0, p1, region) in [(low, high, Region::Bottom), (high, low, Region::Top)] {
            let body = capsule(p0, p1, 0.5);
            let hit = judge(&body, v(0.0, 0.0, -4.0), &target).expect("it falls");
            assert_eq!(hit.region, region, "{target:?}");
            assert!((hit.distance - 1.5).abs() < 1e-9);
        }
    }
}

/// Asserts a hit by the side, at the middle of the touching line.
fn line_contact(target: &Target, ends: [DVec3; 2], motion: DVec3, middle: DVec3) {
    for turn in [DQuat::IDENTITY, skew()] {
        let target = match *target {
            Target::Triangle(t) => {
                let [a, b, c] = t.vertices().map(|p| turn * p);
                triangle(a, b, c)
            }
            Target::Box(t) => solid(turn * t.center(), t.half_extents(), turn),
            Target::HalfSpace(t) => half_space(turn * t.point(), turn * t.normal()),
            Target::Capsule(t) => rod(turn * t.p0(), turn * t.p1(), t.radius()),
            Target::Sphere(t) => sphere(turn * t.center(), t.radius()),
            Target::Segment(t) => edge(turn * t.a(), turn * t.b()),
            Target::Point(t) => vertex(turn * t.position()),
        };
        for (p0, p1) in [(ends[0], ends[1]), (ends[1], ends[0])] {
            let body = capsule(turn * p0, turn * p1, 0.5);
            let hit = judge(&body, turn * motion, &target).expect("it falls");
            well_formed(&body, turn * motion, &target, &hit);
            assert_eq!(hit.region, Region::Side, "{hit:?}\n{target:?}");
            let off = hit.point.distance(turn * middle);
            assert!(off < 1e-6, "{off:e} from the middle {}\n{hit:?}\n{target:?}", turn * middle);
        }
    }
}

#[test]
fn a_line_contact_reports_its_middle() {
    let down = v(0.0, 0.0, -4.0);
    let floor = triangle(v(-9.0, -9.0, 0.0), v(30.0, -9.0, 0.0), v(-9.0, 30.0, 0.0));
    let block = solid(v(0.0, 0.0, -2.0), Vec3::new(8.0, 7.0, 2.0), DQuat::IDENTITY);
    let plane = half_space(v(7.0, 7.0, 0.0), DVec3::Z);
    for target in [floor, block, plane] {
        line_contact(&target, [v(-1.0, 0.5, 2.0), v(3.0, 1.5, 2.0)], down, v(1.0, 1.0, 0.0));
    }
    // Hanging over: the middle of what is common.
    let over = [v(-12.0, 1.0, 2.0), v(-4.0, 1.0, 2.0)];
    line_contact(&floor, over, down, v(-6.5, 1.0, 0.0));
    line_contact(&block, over, down, v(-6.0, 1.0, 0.0));
    line_contact(&block, [v(-20.0, 1.0, 2.0), v(40.0, 1.0, 2.0)], down, v(0.0, 1.0, 0.0));
    // Along an edge, beside the face: 3/10 out, 4/10 up.
    line_contact(&floor, [v(2.0, -9.3, 2.0), v(6.0, -9.3, 2.0)], down, v(4.0, -9.0, 0.0));
    line_contact(&block, [v(2.0, -7.3, 2.0), v(6.0, -7.3, 2.0)], down, v(4.0, -7.0, 0.0));
    // Along another capsule.
    let bar = rod(v(-3.0, 0.0, -0.25), v(5.0, 0.0, -0.25), 0.25);
    line_contact(&bar, [v(1.0, 0.0, 2.0), v(7.0, 0.0, 2.0)], down, v(3.0, 0.0, 0.0));
}

#[test]
fn a_wall_met_upright_is_hit_by_the_side() {
    let wall = triangle(v(2.0, -9.0, -5.0), v(2.0, -9.0, 30.0), v(2.0, 30.0, -5.0));
    let ends = [v(0.0, 0.0, 0.5), v(0.0, 0.0, 1.5)];
    line_contact(&wall, ends, v(3.0, 0.25, 0.0), v(2.0, 0.125, 1.0));
    line_contact(&wall, ends, v(3.0, 0.5, -0.5), v(2.0, 0.25, 0.75));
}
