//! Overlap, regions, contact points, depth, tolerances and skin: rules 5 to 10, A and B.

use super::*;

/// 5.2.4 and 9.1: the axis reaches 0.75 m below the floor. Up, it must rise by that and the
/// radius: 0.75 + 0.5 = 1.25 m; down, 1.0 + 0.5 = 1.5 m. The literal depth is the radius alone,
/// and a push by it leaves the axis as pierced as before.
#[test]
fn a_piercing_axis_pushed_out_by_the_radius_is_still_inside() {
    let capsule = capsule(dvec3(0.3, -0.2, -0.75), dvec3(0.3, -0.2, 1.0), 0.5);
    let floor = floor(0.0);
    let literal = literal::overlap_capsule_triangle(&capsule, &floor).unwrap();
    assert_eq!((literal.depth, literal.normal), (0.5, DVec3::Z));
    assert_eq!(axis_distance(&capsule, literal.normal * literal.depth, &floor), 0.0);
    // 9.1 by itself, from the coinciding closest points.
    assert_eq!(contact::depth_from_closest(&capsule, literal.point, literal.point), 0.5);

    let overlap = overlap_capsule_triangle(&capsule, &floor).unwrap();
    assert!((overlap.depth - 1.25).abs() < EXACT, "{overlap:?}");
    assert_eq!(overlap.normal.as_dvec3(), DVec3::Z);
    let push = overlap.normal.as_dvec3() * overlap.depth;
    assert!((axis_distance(&capsule, push, &floor) - 0.5).abs() < EXACT);
}

/// 5.3.3 is an empty step for an axis over the inside of the face. Nothing is lost, because the
/// gap is linear along the axis there. It is smallest at an end (5.3.6), at an edge (5.3.4) or
/// where the axis pierces (5.3.2). The reference searches a grid over both, which can only be too
/// far, and by no more than its spacing.
#[test]
fn the_empty_step_of_the_closest_points_needs_no_filling() {
    let triangle = triangle(dvec3(-2.0, -1.5, 0.2), dvec3(3.0, -1.0, -0.1), dvec3(0.5, 2.5, 0.6));
    let axes = [
        // Over the inside: slanted, level, piercing.
        (dvec3(-0.3, -0.4, 0.7), dvec3(0.9, 0.3, 1.6)),
        (dvec3(-0.3, -0.4, 1.0), dvec3(0.9, 0.3, 1.0)),
        (dvec3(0.2, -0.4, -0.7), dvec3(0.4, 0.1, 1.3)),
        // Across an edge, past a vertex, from one side of the plane to the other outside.
        (dvec3(0.1, -0.8, 0.9), dvec3(0.6, -2.8, 0.4)),
        (dvec3(3.4, -1.9, -0.8), dvec3(3.9, -0.2, 1.1)),
        (dvec3(-2.4, 1.1, -0.9), dvec3(-1.4, 1.6, 1.7)),
    ];
    for (p0, p1) in axes {
        let capsule = capsule(p0, p1, 0.25);
        let literal = axis_distance(&capsule, DVec3::ZERO, &triangle);
        let searched = grid_distance(p0, p1, &triangle);
        assert!(literal <= searched + EXACT, "{literal} against {searched} for {p0} {p1}");
        assert!(searched <= literal + 0.06, "{literal} against {searched} for {p0} {p1}");
        let found = closest_capsule_triangle(&capsule, &triangle);
        if literal > 0.0 {
            assert!((found.distance - (literal - 0.25)).abs() < EXACT, "{found:?}");
        } else {
            assert!(
                found.distance < -0.25,
                "a piercing axis is deeper than the radius: {found:?}"
            );
        }
    }
}

/// Smallest distance between 81 points of the axis and 3321 of the triangle, whose edges are
/// shorter than 5.2 m: a true closest pair is within 5.2 / 80 / √3 + 2.9 / 160 < 0.06 m of a
/// sampled one.
fn grid_distance(p0: DVec3, p1: DVec3, triangle: &Triangle) -> f64 {
    let [a, b, c] = triangle.vertices();
    let part = |i: u32| f64::from(i) / 80.0;
    let corners = (0..=80_u32).flat_map(|i| (0..=80 - i).map(move |j| (part(i), part(j))));
    let points: Vec<DVec3> = corners.map(|(u, v)| a + (b - a) * u + (c - a) * v).collect();
    let axis = (0..=80).map(|k| p0 + (p1 - p0) * part(k));
    axis.flat_map(|x| points.iter().map(move |y| x.distance(*y))).fold(f64::INFINITY, f64::min)
}

/// 6.2: bands of one radius at each end of the axis. A person of height 1.75 and radius 0.375 has
/// an axis of 1 m: 0.25 m of it count as side. At height 1.5 the bands meet in one point, and a
/// wall that touches the capsule just below the middle counts as ground.
#[test]
fn walls_count_as_ground_by_bands_of_one_radius() {
    let tall = Capsule::from_feet(DVec3::ZERO, DVec3::Z, 0.375, 1.75).unwrap();
    let side = (0..1000).map(|i| (f64::from(i) + 0.5) / 1000.0).filter(|t| {
        let point = tall.p0() + tall.axis() * *t + dvec3(0.375, 0.0, 0.0);
        literal::region_by_bands(&tall, point) == Region::Side
    });
    assert_eq!(side.count(), 250);

    let short = Capsule::from_feet(DVec3::ZERO, DVec3::Z, 0.375, 1.5).unwrap();
    let shelf = triangle(dvec3(1.0, 0.0, 0.7), dvec3(3.0, -1.0, 1.2), dvec3(3.0, 1.5, 1.3));
    let hit = sweep(&short, &motion(2.0, 0.0, 0.0), &shelf).unwrap();
    assert!((hit.distance - 0.625).abs() < EXACT && hit.normal.x == -1.0, "a wall: {hit:?}");
    let there = short.translated(dvec3(hit.distance, 0.0, 0.0)).unwrap();
    assert_eq!(literal::region_by_bands(&there, hit.point), Region::Bottom);
    assert_eq!(hit.region, Region::Side);
}

/// 6.2 where the bands overlap: the axis is 0.5 m long and the point is level with 0.35 m of it.
/// So it is 0.15 m from the top's end and 0.35 m from the bottom's. The bottom's band comes first
/// and takes it.
#[test]
fn where_bands_overlap_the_bottom_takes_what_is_nearer_to_the_top() {
    let capsule = capsule(dvec3(0.2, 0.1, 0.5), dvec3(0.2, 0.1, 1.0), 0.5);
    let point = dvec3(0.7, 0.1, 0.85);
    assert_eq!(literal::region_by_bands(&capsule, point), Region::Bottom);
    assert_eq!(contact::region_by_bands(&capsule, point), Region::Top);
}

/// 8.1.2: under a sloped ceiling with normal (0.6, 0, −0.8) the top end touches: `p1`, at 1.25 m
/// of the axis. The literal point is taken at 0.8 · 1.25 = 1 m of it, so it is 0.25 · 0.8 = 0.2 m
/// off the plane.
#[test]
fn an_oblique_normal_puts_the_literal_contact_point_in_mid_air() {
    let capsule = capsule(dvec3(0.3, -0.2, 0.5), dvec3(0.3, -0.2, 1.75), 0.5);
    let slope = HalfSpace::new(dvec3(0.0, 0.0, 4.0), dvec3(0.6, 0.0, -0.8)).unwrap();
    let up = motion(0.0, 0.0, 5.0);
    let hit = sweep_capsule_half_space(&capsule, &up, &slope, Sides::Front).unwrap();
    let literal =
        literal::sweep_contact_point(&capsule, up.vector(), hit.time, dvec3(0.6, 0.0, -0.8));
    assert!((slope.signed_distance(literal) - 0.2).abs() < EXACT, "{literal}");

    assert!(slope.signed_distance(hit.point).abs() < EXACT, "{hit:?}");
    assert_eq!(hit.region, Region::Top);
    // From the normal alone: f32, so to 0.1 µm.
    let point = contact::contact_point_from_normal(&capsule, &up, hit.time, hit.normal);
    assert!(point.distance(hit.point) < 1e-7, "{point} against {hit:?}");
}

/// 9.2: under the scale S = (2, 1, 0.5) a plane with local normal n has the world normal S⁻¹n /
/// |S⁻¹n|. Local heights over it are world heights times |S⁻¹n| = |(0.3, 0, 1.6)| = 1.6279. None
/// of the three scales undoes that. The axis ends 0.2 m over the plane: the true depth is 0.5 −
/// 0.2 = 0.3 m.
#[test]
fn no_single_factor_turns_a_depth_under_non_uniform_scale_into_the_worlds() {
    let (scale, local_normal) = (dvec3(2.0, 1.0, 0.5), dvec3(0.6, 0.0, 0.8));
    let in_plane = |u: f64, v: f64| dvec3(0.8, 0.0, -0.6) * u + DVec3::Y * v;
    let corners = [in_plane(-5.0, -4.0), in_plane(6.0, -3.0), in_plane(0.5, 7.0)];
    let [a, b, c] = corners.map(|corner| corner * scale);
    let world = triangle(a, b, c);
    let normal = (local_normal / scale).normalize();
    let p0 = normal * 0.2;
    let capsule = capsule(p0, p0 + dvec3(0.1, 0.2, 1.3), 0.5);

    let deepest = p0 - normal * 0.5;
    let local_depth = -local_normal.dot(deepest / scale);
    for factor in [2.0, 1.0, 0.5] {
        let literal = literal::scale_depth(local_depth, factor);
        assert!((literal - 0.3).abs() > 0.05, "{literal} for {factor}");
    }
    let overlap = overlap_capsule_triangle(&capsule, &world).unwrap();
    // The depth is measured along the f32 normal.
    assert!((overlap.depth - 0.3).abs() < 1e-7, "{overlap:?}");
    // Under uniform scale one factor is right: |S⁻¹n| is 1/s.
    let uniform_local = -local_normal.dot(local_normal * (0.2 - 0.5)) / 3.0;
    assert!((contact::scale_depth(uniform_local, 3.0) - 0.3).abs() < EXACT);
    assert!((contact::scale_depth(uniform_local, -3.0) - 0.3).abs() < EXACT);
}

/// 10.2.1: ∞ · 0 is NaN, so `direction · ∞` straight down is (NaN, NaN, −∞), and the sweep misses
/// the floor.
#[test]
fn a_search_that_starts_at_infinity_sweeps_by_nan() {
    let capsule = capsule(dvec3(0.3, -0.2, 2.5), dvec3(0.3, -0.2, 3.75), 0.5);
    let down = DVec3::NEG_Z;
    assert!((down * f64::INFINITY).is_nan());
    let floors = [floor(0.0)];
    assert_eq!(literal::sweep_triangles(&capsule, down, f64::INFINITY, &floors), None);

    let hit = sweep(&capsule, &motion(0.0, 0.0, -1e6), &floors[0]).unwrap();
    assert!((hit.distance - 2.0).abs() < 1e-9, "{hit:?}");
}

/// 10.3: a hit must be strictly nearer than the best so far, so the one at exactly the end of the
/// motion is lost. The feet are at z = 2 and the motion is 2 m.
#[test]
fn a_touch_at_exactly_the_end_is_lost_by_a_strict_comparison() {
    let capsule = capsule(dvec3(0.3, -0.2, 2.5), dvec3(0.3, -0.2, 3.75), 0.5);
    let floors = [floor(0.0)];
    assert_eq!(literal::sweep_triangles(&capsule, DVec3::NEG_Z, 2.0, &floors), None);
    // The literal step finds it; the comparison loses it.
    let touch = literal::sweep_capsule_triangle(&capsule, dvec3(0.0, 0.0, -2.0), &floors[0]);
    assert_eq!(touch.unwrap().time, 1.0);

    let hit = sweep(&capsule, &motion(0.0, 0.0, -2.0), &floors[0]).unwrap();
    assert!((hit.time - 1.0).abs() < EXACT && hit.time <= 1.0, "{hit:?}");
}

/// A.1: on a triangle without area the weights are 0 · ∞, and no point is inside, not even the
/// middle of the segment that it is. Moving up at it, A.3's normal of +Z makes it a back face,
/// which is skipped. The capsule passes 0.3 m beside the segment: the touch is √(0.5² − 0.3²) =
/// 0.4 m below it.
#[test]
fn a_triangle_without_area_is_not_there_for_the_barycentric_test() {
    let (a, b) = (dvec3(0.0, 0.0, 3.0), dvec3(4.0, 0.0, 3.0));
    let wire = triangle(a, a.lerp(b, 0.5), b);
    assert!(!literal::point_in_triangle(dvec3(1.0, 0.0, 3.0), &wire));
    let capsule = capsule(dvec3(1.5, 0.3, 0.5), dvec3(1.5, 0.3, 1.75), 0.5);
    let up = motion(0.0, 0.0, 2.0);
    assert_eq!(literal::sweep_capsule_triangle(&capsule, up.vector(), &wire), None);

    assert!(wire.is_degenerate());
    assert_eq!(wire.contains_projection(dvec3(1.0, 0.0, 3.0)), None);
    let hit = sweep(&capsule, &up, &wire).unwrap();
    assert!((hit.distance - (3.0 - 0.4 - 1.75)).abs() < EXACT, "{hit:?}");
    assert!(hit.normal.as_dvec3().distance(dvec3(0.0, 0.6, -0.8)) < 1e-6, "{hit:?}");
    assert_eq!(hit.face_normal, hit.normal);
}

/// A.2: 0.9 mm squared is below a millionth, so the segment counts as its start.
#[test]
fn a_segment_shorter_than_a_millimetre_is_its_start_by_an_absolute_tolerance() {
    let (a, b) = (dvec3(5.0, -2.0, 1.0), dvec3(5.0009, -2.0, 1.0));
    let point = dvec3(7.0, -2.5, 1.5);
    assert_eq!(literal::closest_point_segment(a, b, point), a);
    assert_eq!(closest_point_segment(point, a, b), b);
}

/// A.3: legs of 0.9 and 0.8 mm span 0.72 mm², below a millionth of a square metre. So a tiny wall
/// that faces −x gets the normal +Z. A capsule that rises on its approach then skips a face that
/// it runs into.
#[test]
fn a_millimetre_triangle_faces_up_by_an_absolute_tolerance() {
    let corner = dvec3(2.0, 0.0, 1.0);
    let chip =
        triangle(corner, corner + dvec3(0.0, 0.0, 0.0009), corner + dvec3(0.0, 0.0008, 0.0));
    assert_eq!(literal::triangle_normal(&chip), DVec3::Z);
    let capsule = capsule(dvec3(0.0, 0.0, 0.5), dvec3(0.0, 0.0, 1.75), 0.5);
    let rise = motion(2.0, 0.0, 0.25);
    assert_eq!(literal::sweep_capsule_triangle(&capsule, rise.vector(), &chip), None);

    assert_eq!(chip.normal().unwrap().as_dvec3(), DVec3::NEG_X);
    assert!(!chip.is_degenerate());
    let hit = sweep(&capsule, &rise, &chip).unwrap();
    // The wall is at x = 2, the radius 0.5: three quarters of the 2 m along x.
    assert!((hit.time - 0.75).abs() < EXACT, "{hit:?}");
    assert_eq!(hit.normal.as_dvec3(), DVec3::NEG_X);
}

/// B.1 and B.2: gliding down by 1 in 100 (0.6°), a skin of 0.125 m taken off along the motion
/// leaves 0.125 · sin = 1.25 mm along the normal. Inflated by the skin, the capsule stops where
/// the true gap is the skin.
#[test]
fn a_skin_subtracted_along_a_grazing_motion_leaves_a_hundredth_of_it() {
    let capsule = capsule(dvec3(-9.0, 0.3, 0.65), dvec3(-9.0, 0.3, 1.9), 0.5);
    let (glide, floor, skin) = (motion(20.0, 0.0, -0.2), floor(0.0), 0.125_f32);
    let direction = glide.direction().unwrap();
    let gap_after = |advance: f64| axis_distance(&capsule, direction * advance, &floor) - 0.5;

    let hit = sweep(&capsule, &glide, &floor).unwrap();
    let literal = literal::safe_advance(hit.distance, f64::from(skin));
    assert!((gap_after(literal) - 0.00125).abs() < 1e-6, "{}", gap_after(literal));
    assert_eq!(hit.safe_advance(f64::from(skin)), literal, "the rule is offered as it is");

    let hit = sweep(&capsule.inflated(skin).unwrap(), &glide, &floor).unwrap();
    assert!((gap_after(hit.distance) - 0.125).abs() < EXACT, "{}", gap_after(hit.distance));
}

/// B.1 alone: closer than the skin, the advance is negative and the character moves back.
#[test]
fn the_skin_rule_without_its_clamp_moves_backwards() {
    let capsule = capsule(dvec3(0.3, -0.2, 0.5625), dvec3(0.3, -0.2, 1.75), 0.5);
    let hit = sweep(&capsule, &motion(0.0, 0.0, -1.0), &floor(0.0)).unwrap();
    let literal = literal::advance_keeping_skin(hit.distance, 0.125);
    assert!((literal - -0.0625).abs() < EXACT, "{literal}");
    assert_eq!(hit.safe_advance(0.125), 0.0);
}
