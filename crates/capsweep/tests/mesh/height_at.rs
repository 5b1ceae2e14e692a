//! The height of a field over a point: that of the triangle under it.

use capsweep::scene::{HeightGrid, Heights};
use capsweep_testkit::Rng;
use capsweep_testkit::height_field::PlainField;
use glam::{DVec2, DVec3, Vec3};

/// The heights over a point of all triangles that hold it, borders included up to `slack`.
fn heights_over(plain: &PlainField, point: DVec2, slack: f64) -> Vec<f64> {
    let over = |corners: [Vec3; 3]| {
        let corners = corners.map(Vec3::as_dvec3);
        let [a, b, c] = corners.map(|corner| corner.truncate() - point);
        let weights = DVec3::new(b.perp_dot(c), c.perp_dot(a), a.perp_dot(b));
        let weights = weights / weights.element_sum();
        (weights.min_element() >= -slack)
            .then(|| weights.dot(DVec3::from_array(corners.map(|corner| corner.z))))
    };
    plain.triangles().into_iter().filter_map(|(_, corners)| over(corners)).collect()
}

/// A place between 0 and the end of the cells: anywhere, on a border, or in the middle of a cell.
fn place(rng: &mut Rng, cells: u32, spacing: f32) -> f64 {
    let cell = rng.below(cells + 1);
    match rng.below(3) {
        0 => f64::from(cell as f32 * spacing),
        1 => f64::from((cell as f32 + 0.5) * spacing),
        _ => rng.range(-0.1, f64::from(cells) + 0.1) * f64::from(spacing),
    }
}

#[test]
fn the_height_is_that_of_the_triangle_under_the_point() {
    let (mut found, mut holes) = (0, 0);
    for seed in 0..200 {
        let mut rng = Rng::new(&[91, seed]);
        let (rows, columns) = (1 + rng.below(9), 1 + rng.below(9));
        let plain = PlainField::random(&mut rng, rows, columns, seed % 2 == 0);
        let field = plain.field();
        for _ in 0..100 {
            let [along_rows, along_columns] = plain.grid.spacing;
            let point = DVec2::new(
                place(&mut rng, rows, along_rows),
                place(&mut rng, columns, along_columns),
            );
            let height = field.height_at(point.x, point.y);
            let surely = heights_over(&plain, point, 0.0);
            let perhaps = heights_over(&plain, point, 1e-12);
            let Some(height) = height else {
                assert!(surely.is_empty(), "{point} in {plain:?}");
                holes += 1;
                continue;
            };
            let is_near = |other: &f64| (other - height).abs() < 1e-9;
            assert!(perhaps.iter().any(is_near), "{height} is not of {perhaps:?} at {point}");
            found += 1;
        }
    }
    assert!(found > 10_000 && holes > 500, "{found} heights, {holes} outside");
}

#[test]
fn corners_and_centres_have_their_own_heights_exactly() {
    let mut rng = Rng::new(&[92]);
    for four in [false, true] {
        let mut plain = PlainField::random(&mut rng, 40, 30, four);
        plain.holes.clear();
        // Products that f32 rounds.
        plain.grid.spacing = [0.3, 4.166_666_5];
        let field = plain.field();
        for (_, corners) in plain.triangles() {
            for corner in corners {
                let height = field.height_at(f64::from(corner.x), f64::from(corner.y));
                assert_eq!(height, Some(f64::from(corner.z)), "{corner}");
            }
        }
    }
}

#[test]
fn a_hole_has_no_height_and_its_rim_has() {
    let grid = HeightGrid { rows: 3, columns: 3, spacing: [1.0, 2.0] };
    let mut plain = PlainField::new(grid, Heights::Flat(7.5), false);
    plain.holes = (0..9).map(|cell| cell == 4).collect();
    let field = plain.field();
    assert_eq!(field.height_at(1.5, 3.0), None);
    assert_eq!(field.height_at(1.000_001, 2.000_001), None);
    for (x, y) in [(1.0, 3.0), (2.0, 3.0), (1.5, 2.0), (1.5, 4.0), (1.0, 2.0), (2.0, 4.0)] {
        assert_eq!(field.height_at(x, y), Some(7.5), "{x}, {y}");
    }
    for (x, y) in [(0.0, 0.0), (3.0, 6.0), (0.0, 6.0)] {
        assert_eq!(field.height_at(x, y), Some(7.5), "{x}, {y}");
    }
}

#[test]
fn a_cell_ends_at_its_rounded_border() {
    let spacing = 0.3_f32;
    let (mut above, mut below) = (0, 0);
    for row in 1..200_u32 {
        let (border, exact) =
            (f64::from(row as f32 * spacing), f64::from(row) * f64::from(spacing));
        let grid = HeightGrid { rows: 200, columns: 1, spacing: [spacing, 1.0] };
        let mut plain = PlainField::new(grid, Heights::Flat(2.0), false);
        // Only the row before the border, then only the one behind it.
        plain.holes = (0..200).map(|cell| cell != row - 1).collect();
        let field = plain.field();
        assert_eq!(field.height_at(border, 0.5), Some(2.0));
        assert_eq!(field.height_at(border.next_up(), 0.5), None);
        plain.holes = (0..200).map(|cell| cell != row).collect();
        let field = plain.field();
        assert_eq!(field.height_at(border, 0.5), Some(2.0));
        assert_eq!(field.height_at(border.next_down(), 0.5), None);
        above += u32::from(border > exact);
        below += u32::from(border < exact);
    }
    assert!(above > 20 && below > 20, "{above} borders are rounded up and {below} down");
}

#[test]
fn places_outside_and_numbers_that_are_none_have_no_height() {
    let grid = HeightGrid { rows: 3, columns: 2, spacing: [1.0, 2.0] };
    let field = PlainField::new(grid, Heights::Flat(1.0), true).field();
    for x in [-1e-300, -1.0, 3.000_000_1, 1e300, f64::INFINITY, f64::NEG_INFINITY, f64::NAN] {
        assert_eq!(field.height_at(x, 1.0), None, "x {x}");
    }
    for y in [-1e-300, -1.0, 4.000_000_1, 1e300, f64::INFINITY, f64::NEG_INFINITY, f64::NAN] {
        assert_eq!(field.height_at(1.0, y), None, "y {y}");
    }
    assert_eq!(field.height_at(-0.0, 4.0), Some(1.0));
}
