//! Triangulates polygons, which need not be convex.
//!
//! Exporters write the side of a flight of stairs as one face, for example.

use crate::error::{Fault, Reason};
use glam::{DVec2, DVec3, Vec3};

/// Most corners of a face for ear clipping, which takes cubic time in the worst case.
const MAX_EAR_CORNERS: usize = 1024;

/// Error of a corner in a large polygon, relative to the polygon's extent (no unit).
///
/// Files round coordinates, often to six decimals. Corners that are close to each other then
/// zigzag although the polygon is convex. A fan still covers it to within twice this bound.
const ROUNDING: f64 = 1e-5;

/// Triangulates a face: a fan around the first corner if it covers the face, otherwise ears.
pub(super) fn triangulate(corners: &[u32], vertices: &[Vec3]) -> Result<Vec<[u32; 3]>, Fault> {
    if let [a, b, c] = *corners {
        return Ok(vec![[a, b, c]]);
    }
    let mut triangles = Vec::with_capacity(corners.len().saturating_sub(2));
    let points = project(corners, vertices);
    let rest: Vec<usize> = (0..corners.len()).collect();
    if is_star(&points, 0.0) {
        fan(corners, &rest, &mut triangles);
    } else if corners.len() <= MAX_EAR_CORNERS {
        cut_ears(corners, &points, rest, &mut triangles);
    } else if is_star(&points, rounding_error(corners, vertices, &points)) {
        fan(corners, &rest, &mut triangles);
    } else {
        let message = format!(
            "a face of {} corners that is not convex: at most {MAX_EAR_CORNERS}; \
             cut it into triangles before",
            corners.len()
        );
        return Err(Reason::Unsupported(message).into());
    }
    Ok(triangles)
}

/// Largest error of a corner from rounding to decimals and to f32, in the file's unit.
fn rounding_error(corners: &[u32], vertices: &[Vec3], points: &[DVec2]) -> f64 {
    let extent = points.iter().map(|point| point.length()).fold(0.0, f64::max);
    let corners = corners.iter().filter_map(|corner| vertices.get(*corner as usize));
    let reach = corners.map(|corner| corner.abs().max_element()).fold(0.0, f32::max);
    ROUNDING * extent + 4.0 * f64::from(f32::EPSILON * reach)
}

/// Projects the corners to the plane of the face, counter-clockwise as a whole.
///
/// All points are 0 if the face has no area and so no plane.
fn project(corners: &[u32], vertices: &[Vec3]) -> Vec<DVec2> {
    // Invalid indices are refused when the mesh is made.
    let at = |corner: &u32| vertices.get(*corner as usize).map_or(DVec3::ZERO, |v| v.as_dvec3());
    let first = corners.first().map_or(DVec3::ZERO, at);
    // Newell's normal: exact for a planar face, and an area-weighted mean otherwise.
    let next = corners.iter().skip(1).chain(corners.first());
    let normal: DVec3 =
        corners.iter().zip(next).map(|(a, b)| (at(a) - first).cross(at(b) - first)).sum();
    let Some(normal) = normal.try_normalize() else { return vec![DVec2::ZERO; corners.len()] };
    let (u, v) = normal.any_orthonormal_pair();
    corners
        .iter()
        .map(|corner| at(corner) - first)
        .map(|p| DVec2::new(p.dot(u), p.dot(v)))
        .collect()
}

/// Twice the signed area; positive if the corners run counter-clockwise.
fn area(a: DVec2, b: DVec2, c: DVec2) -> f64 {
    (b - a).perp_dot(c - a)
}

/// Whether no triangle of the fan around the first corner is inverted.
///
/// Corners may be off by `slack`: an inverted area below `slack` times the two sides is rounding.
fn is_star(points: &[DVec2], slack: f64) -> bool {
    let Some((&first, rest)) = points.split_first() else { return true };
    rest.windows(2).all(|pair| {
        let lengths = (pair[0] - first).length() + (pair[1] - first).length();
        area(first, pair[0], pair[1]) >= -slack * lengths
    })
}

fn fan(corners: &[u32], rest: &[usize], triangles: &mut Vec<[u32; 3]>) {
    for pair in rest.get(1..).unwrap_or_default().windows(2) {
        triangles.push([corners[rest[0]], corners[pair[0]], corners[pair[1]]]);
    }
}

/// Ear clipping: removes convex corners whose triangle contains no other corner, one by one.
///
/// A polygon that crosses itself may run out of ears. The rest then becomes a fan.
fn cut_ears(
    corners: &[u32],
    points: &[DVec2],
    mut rest: Vec<usize>,
    triangles: &mut Vec<[u32; 3]>,
) {
    while rest.len() > 3 {
        let count = rest.len();
        let around = |i: usize| [rest[(i + count - 1) % count], rest[i], rest[(i + 1) % count]];
        let is_ear = |i: &usize| {
            let [a, b, c] = around(*i).map(|corner| points[corner]);
            let inside =
                |p: DVec2| area(a, b, p) >= 0.0 && area(b, c, p) >= 0.0 && area(c, a, p) >= 0.0;
            // Corners in the same position do not count: the two sides of a slit share theirs.
            let other = |p: DVec2| p != a && p != b && p != c;
            area(a, b, c) > 0.0 && !rest.iter().map(|k| points[*k]).any(|p| other(p) && inside(p))
        };
        let straight = |i: &usize| {
            let [a, b, c] = around(*i).map(|corner| points[corner]);
            area(a, b, c) == 0.0
        };
        let Some(ear) = (0..count).find(is_ear).or_else(|| (0..count).find(straight)) else {
            break;
        };
        triangles.push(around(ear).map(|corner| corners[corner]));
        rest.remove(ear);
    }
    fan(corners, &rest, triangles);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The area that triangles cover, each counted by its own winding, and whether one is turned
    /// over.
    fn covered(outline: &[Vec3]) -> (f64, bool) {
        let corners: Vec<u32> = (0..outline.len() as u32).collect();
        let triangles = triangulate(&corners, outline).unwrap();
        assert_eq!(triangles.len(), outline.len() - 2);
        let areas = triangles.iter().map(|triangle| {
            let [a, b, c] = triangle.map(|i| outline[i as usize].as_dvec3());
            (b - a).cross(c - a).z / 2.0
        });
        let areas: Vec<f64> = areas.collect();
        (areas.iter().map(|area| area.abs()).sum(), areas.iter().any(|area| *area < 0.0))
    }

    fn outline(points: &[(f32, f32)]) -> Vec<Vec3> {
        points.iter().map(|&(x, y)| Vec3::new(x, y, 0.0)).collect()
    }

    #[test]
    fn the_side_of_a_flight_of_stairs_is_covered_once_whichever_corner_comes_first() {
        let stairs = [
            (0.0, 0.0),
            (4.0, 0.0),
            (4.0, 4.0),
            (3.0, 4.0),
            (3.0, 3.0),
            (2.0, 3.0),
            (2.0, 2.0),
            (1.0, 2.0),
            (1.0, 1.0),
            (0.0, 1.0),
        ];
        for first in 0..stairs.len() {
            let mut turned = stairs;
            turned.rotate_left(first);
            let (area, flipped) = covered(&outline(&turned));
            assert!((area - 10.0).abs() < 1e-9 && !flipped, "from corner {first}: {area}");
        }
    }

    #[test]
    fn a_ring_with_a_slit_is_covered_once() {
        let ring = [
            (0.0, 0.0),
            (4.0, 0.0),
            (4.0, 4.0),
            (0.0, 4.0),
            (0.0, 0.0),
            (1.0, 1.0),
            (1.0, 3.0),
            (3.0, 3.0),
            (3.0, 1.0),
            (1.0, 1.0),
        ];
        let (area, flipped) = covered(&outline(&ring));
        assert!((area - 12.0).abs() < 1e-9 && !flipped, "{area}");
    }

    #[test]
    fn convex_faces_stay_fans_and_degenerate_ones_are_no_trouble() {
        let square = outline(&[(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]);
        let triangles = triangulate(&[0, 1, 2, 3], &square).unwrap();
        assert_eq!(triangles, [[0, 1, 2], [0, 2, 3]]);
        for bad in [
            &[(0.0, 0.0); 5][..],
            &[(0.0, 0.0), (1.0, 0.0), (2.0, 0.0), (1.0, 0.0)],
            &[(0.0, 0.0), (1.0, 1.0), (1.0, 0.0), (0.0, 1.0)],
        ] {
            covered(&outline(bad));
        }
    }

    #[test]
    fn a_huge_face_that_is_not_convex_is_refused() {
        let zigzag: Vec<(f32, f32)> =
            (0..2000).map(|i| (i as f32, (i % 2) as f32)).chain([(1000.0, 5000.0)]).collect();
        let corners: Vec<u32> = (0..zigzag.len() as u32).collect();
        assert!(triangulate(&corners, &outline(&zigzag)).is_err());
    }
}
