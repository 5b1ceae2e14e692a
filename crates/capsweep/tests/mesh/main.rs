//! Mesh reports and kinds of edges, on meshes made by hand; heights of height fields.

#![allow(clippy::disallowed_methods, reason = "angles of test meshes need not agree to the bit")]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod height_at;

use capsweep::Triangle;
use capsweep::scene::{EdgeKind, EdgeTopology, MeshError, MeshReport, inspect_mesh};
use glam::{Vec3, vec3};
use proptest::prelude::*;

type Mesh = (Vec<Vec3>, Vec<[u32; 3]>);

/// A box of 1 × 2 × 3, fronts outwards.
fn cuboid() -> Mesh {
    let corner = |bits: u8| {
        let at = |bit: u8, size: f32| if bits >> bit & 1 == 1 { size } else { 0.0 };
        vec3(at(0, 1.0), at(1, 2.0), at(2, 3.0))
    };
    let quads: [[u32; 4]; 6] =
        [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let halves = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]);
    ((0..8).map(corner).collect(), halves.collect())
}

/// Two triangles over the edge from the origin along y: one level at x < 0 seen from above, the
/// other at x > 0 rising by `degrees`.
fn hinge(degrees: f64) -> Mesh {
    let (sin, cos) = degrees.to_radians().sin_cos();
    let far = vec3((2.0 * cos) as f32, 1.0, (2.0 * sin) as f32);
    let vertices = vec![vec3(0.0, 0.0, 0.0), vec3(0.0, 3.0, 0.0), vec3(-2.5, 1.0, 0.0), far];
    (vertices, vec![[0, 1, 2], [1, 0, 3]])
}

/// The same triangles with no vertex shared.
fn soup((vertices, indices): &Mesh) -> Mesh {
    let corners = indices.as_flattened().iter().map(|&index| vertices[index as usize]);
    let numbers = (0..indices.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]);
    (corners.collect(), numbers.collect())
}

fn report((vertices, indices): &Mesh) -> MeshReport {
    MeshReport::new(vertices, indices).unwrap()
}

fn kinds((vertices, indices): &Mesh) -> Vec<[EdgeKind; 3]> {
    EdgeTopology::new(vertices, indices).unwrap().into_kinds()
}

#[test]
fn a_box_has_nothing_to_report() {
    assert_eq!(report(&cuboid()), MeshReport::default());
}

#[test]
fn a_box_is_convex_outside_and_concave_inside() {
    let (vertices, indices) = cuboid();
    let topology = EdgeTopology::new(&vertices, &indices).unwrap();
    for (number, kinds) in topology.kinds().iter().enumerate() {
        // The first half ends, and the second starts, with the diagonal.
        let diagonal = if number % 2 == 0 { 2 } else { 0 };
        for (edge, &kind) in kinds.iter().enumerate() {
            let expected = if edge == diagonal { EdgeKind::Flat } else { EdgeKind::Convex };
            assert_eq!(kind, expected, "triangle {number}, edge {edge}");
        }
        let other = topology.neighbor(number as u32, diagonal as u8);
        assert_eq!(other, Some(number as u32 ^ 1));
    }
    let inside: Vec<_> = indices.iter().map(|&[a, b, c]| [a, c, b]).collect();
    let inside = kinds(&(vertices, inside));
    let count = |kind| inside.as_flattened().iter().filter(|&&found| found == kind).count();
    assert_eq!((count(EdgeKind::Flat), count(EdgeKind::Concave)), (12, 24));
}

#[test]
fn floor_and_wall_are_concave_and_a_ledge_is_convex() {
    for (degrees, expected) in [
        (90.0, EdgeKind::Concave),
        (30.0, EdgeKind::Concave),
        (170.0, EdgeKind::Concave),
        (-90.0, EdgeKind::Convex),
        (-30.0, EdgeKind::Convex),
        (-170.0, EdgeKind::Convex),
    ] {
        let found = kinds(&hinge(degrees));
        assert_eq!([found[0][0], found[1][0]], [expected; 2], "{degrees}°");
        assert_eq!(expected.is_inner(), degrees > 0.0);
    }
}

#[test]
fn an_edge_is_flat_below_half_a_degree() {
    for (degrees, expected) in [
        (0.0, EdgeKind::Flat),
        (0.4, EdgeKind::Flat),
        (-0.4, EdgeKind::Flat),
        (0.499, EdgeKind::Flat),
        (0.501, EdgeKind::Concave),
        (0.6, EdgeKind::Concave),
        (-0.501, EdgeKind::Convex),
        (-0.6, EdgeKind::Convex),
    ] {
        let found = kinds(&hinge(degrees));
        assert_eq!([found[0][0], found[1][0]], [expected; 2], "{degrees}°");
    }
}

#[test]
fn a_sheet_folded_onto_itself_has_a_convex_rim() {
    let (vertices, _) = hinge(0.0);
    let found = kinds(&(vertices, vec![[0, 1, 2], [1, 0, 2]]));
    assert_eq!(found, [[EdgeKind::Convex; 3]; 2]);
}

#[test]
fn an_index_out_of_range_is_an_error_or_nothing_and_never_a_panic() {
    let (vertices, mut indices) = cuboid();
    let topology = EdgeTopology::new(&vertices, &indices).unwrap();
    for (triangle, edge) in [(12, 0), (u32::MAX, 0), (0, 3), (0, u8::MAX)] {
        assert_eq!(topology.neighbor(triangle, edge), None);
    }
    indices[7][1] = 8;
    let error = MeshError::BadIndex { triangle: 7, index: 8, vertices: 8 };
    assert_eq!(inspect_mesh(&vertices, &indices), Err(error));
    assert_eq!(MeshReport::new(&vertices, &indices), Err(error));
    assert_eq!(EdgeTopology::new(&vertices, &indices), Err(error));
}

#[test]
fn open_edges_are_counted_and_their_triangles_listed() {
    let (vertices, mut indices) = cuboid();
    indices.remove(4);
    let (report, topology) = inspect_mesh(&vertices, &indices).unwrap();
    assert_eq!(report.open.edges, 3);
    assert_eq!(report.open.triangles.len(), 3);
    let listed: Vec<_> = (0..11)
        .filter(|&triangle| topology.kinds()[triangle as usize].contains(&EdgeKind::Open))
        .collect();
    assert_eq!(report.open.triangles, listed);
    for &triangle in &listed {
        let open = (0..3).find(|&edge| topology.neighbor(triangle, edge).is_none());
        assert!(open.is_some());
    }
}

#[test]
fn a_flipped_neighbour_is_found_on_all_its_edges() {
    let (vertices, mut indices) = cuboid();
    indices[6].swap(1, 2);
    let found = report(&(vertices.clone(), indices.clone()));
    assert_eq!(found.flipped.edges, 3);
    assert_eq!(found.flipped.triangles.len(), 4);
    assert!(found.flipped.triangles.contains(&6));
    assert_eq!((found.open.edges, found.non_manifold.edges), (0, 0));
    assert_eq!(kinds(&(vertices, indices))[6], [EdgeKind::Flipped; 3]);
}

#[test]
fn three_triangles_at_an_edge_are_non_manifold() {
    let (mut vertices, mut indices) = hinge(0.0);
    vertices.push(vec3(0.25, 1.0, 4.0));
    indices.push([0, 1, 4]);
    let mesh = (vertices, indices);
    let found = report(&mesh);
    assert_eq!((found.non_manifold.edges, found.non_manifold.triangles), (1, vec![0, 1, 2]));
    assert_eq!((found.open.edges, found.flipped.edges), (6, 0));
    assert!(kinds(&mesh).iter().all(|kinds| kinds[0] == EdgeKind::NonManifold));
}

#[test]
fn duplicates_are_found_in_any_order_and_do_not_spoil_the_edges() {
    let (vertices, mut indices) = cuboid();
    let [a, b, c] = indices[3];
    indices.extend([[b, c, a], [c, a, b]]);
    let mesh = (vertices, indices);
    let found = report(&mesh);
    assert_eq!(found.duplicate, [12, 13]);
    assert_eq!((found.open.edges, found.flipped.edges, found.non_manifold.edges), (0, 0, 0));
    let kinds = kinds(&mesh);
    assert_eq!(kinds[..12], self::kinds(&cuboid()));
    assert_eq!(kinds[12], [kinds[3][1], kinds[3][2], kinds[3][0]]);
    assert_eq!(kinds[13], [kinds[3][2], kinds[3][0], kinds[3][1]]);
}

#[test]
fn a_duplicate_that_faces_the_other_way_makes_its_edges_non_manifold() {
    let (vertices, mut indices) = cuboid();
    let [a, b, c] = indices[3];
    indices.push([a, c, b]);
    let found = report(&(vertices, indices));
    assert_eq!((found.duplicate, found.non_manifold.edges), (vec![12], 3));
}

#[test]
fn degenerate_triangles_are_listed_and_join_nothing() {
    let (mut vertices, mut indices) = hinge(30.0);
    vertices.push(vec3(0.0, 1.5, 0.0));
    indices.extend([[0, 1, 1], [0, 4, 1], [2, 2, 2]]);
    let mesh = (vertices, indices);
    let found = report(&mesh);
    assert_eq!(found.degenerate, [2, 3, 4]);
    assert_eq!((found.open.edges, found.open.triangles), (4, vec![0, 1]));
    assert_eq!(found.non_manifold.edges, 0);
    let kinds = kinds(&mesh);
    assert_eq!((kinds[0][0], kinds[3]), (EdgeKind::Concave, [EdgeKind::Open; 3]));
}

#[test]
fn degenerate_is_relative_to_the_size() {
    for size in [1e-6, 1.0, 1e6] {
        let vertices =
            vec![vec3(0.0, 0.0, 0.0), vec3(size, 0.0, 0.0), vec3(0.0, size, 0.5 * size)];
        assert_eq!(report(&(vertices, vec![[0, 1, 2]])).degenerate, []);
    }
}

#[test]
fn a_sliver_is_a_thousand_times_longer_than_high() {
    for (height, expected) in [(1.01e-3, vec![]), (0.99e-3, vec![0]), (1e-6, vec![0])] {
        let vertices =
            vec![vec3(0.0, 0.0, 7.0), vec3(5.0, 0.0, 7.0), vec3(2.0, 5.0 * height, 7.0)];
        for indices in [[0, 1, 2], [1, 2, 0], [2, 0, 1]] {
            let found = report(&(vertices.clone(), vec![indices]));
            assert_eq!((found.slivers, found.degenerate), (expected.clone(), vec![]));
        }
    }
}

#[test]
fn unused_vertices_are_listed() {
    let (mut vertices, indices) = cuboid();
    // Also an unused vertex at the position of a used one.
    vertices.extend([vec3(9.0, 9.0, 9.0), vertices[3]]);
    assert_eq!(report(&(vertices, indices)).unreferenced, [8, 9]);
}

#[test]
fn a_soup_is_the_mesh_it_looks_like() {
    for mesh in [cuboid(), hinge(0.4), hinge(-40.0)] {
        let soup = soup(&mesh);
        assert_eq!(report(&soup), report(&mesh));
        assert_eq!(EdgeTopology::new(&soup.0, &soup.1), EdgeTopology::new(&mesh.0, &mesh.1));
    }
}

#[test]
fn minus_zero_is_zero_and_the_next_number_is_not() {
    let mut mesh = soup(&hinge(0.0));
    mesh.0[3].x = -0.0;
    mesh.0[4].z = -0.0;
    assert_eq!(report(&mesh).open.edges, 4);
    mesh.0[3].x = f32::from_bits(1);
    assert_eq!(report(&mesh).open.edges, 6);
}

#[test]
fn an_empty_mesh_has_nothing_to_report() {
    assert_eq!(report(&(vec![], vec![])), MeshReport::default());
    assert_eq!(report(&(vec![Vec3::ZERO], vec![])).unreferenced, [0]);
}

#[test]
fn the_order_of_triangles_does_not_matter() {
    let (vertices, indices) = cuboid();
    let mut turned = indices.clone();
    turned.rotate_left(5);
    let mut expected = kinds(&(vertices.clone(), indices));
    expected.rotate_left(5);
    assert_eq!(kinds(&(vertices, turned)), expected);
}

/// How many triangles of `indices` have the edge between two positions in either direction,
/// leaving out degenerate triangles and repeats of the same winding: the definition, spelled out.
fn uses((vertices, indices): &Mesh, ends: [Vec3; 2]) -> [usize; 2] {
    let corners = |number: usize| indices[number].map(|index| vertices[index as usize]);
    let turned = |[a, b, c]: [Vec3; 3]| [[a, b, c], [b, c, a], [c, a, b]];
    let mut uses = [0; 2];
    for number in 0..indices.len() {
        let [a, b, c] = corners(number);
        let triangle = Triangle::new(a.as_dvec3(), b.as_dvec3(), c.as_dvec3());
        let repeats = (0..number).any(|other| turned([a, b, c]).contains(&corners(other)));
        if repeats || triangle.is_ok_and(|triangle| triangle.is_degenerate()) {
            continue;
        }
        for edge in [[a, b], [b, c], [c, a]] {
            uses[0] += usize::from(edge == ends);
            uses[1] += usize::from(edge == [ends[1], ends[0]]);
        }
    }
    uses
}

proptest! {
    #[test]
    fn every_edge_is_what_counting_says(
        corners in prop::collection::vec((0..3_u8, 0..3_u8, 0..2_u8), 12..24),
        picks in prop::collection::vec((0..12_u32, 0..12_u32, 0..12_u32), 1..24),
    ) {
        let corner = |&(x, y, z): &(u8, u8, u8)| vec3(f32::from(x), f32::from(y), f32::from(z));
        let vertices = corners.iter().map(corner);
        let mesh: Mesh = (vertices.collect(), picks.iter().map(|&(a, b, c)| [a, b, c]).collect());
        let (report, topology) = inspect_mesh(&mesh.0, &mesh.1).unwrap();
        for (number, triangle) in mesh.1.iter().enumerate() {
            let at = triangle.map(|index| mesh.0[index as usize]);
            let degenerate = report.degenerate.contains(&(number as u32));
            for edge in 0..3 {
                let found = topology.kinds()[number][edge];
                let expected = match uses(&mesh, [at[edge], at[(edge + 1) % 3]]) {
                    _ if degenerate => found == EdgeKind::Open,
                    [1, 0] => found == EdgeKind::Open,
                    [2, 0] => found == EdgeKind::Flipped,
                    [1, 1] => matches!(
                        found,
                        EdgeKind::Flat | EdgeKind::Concave | EdgeKind::Convex
                    ),
                    _ => found == EdgeKind::NonManifold,
                };
                prop_assert!(expected, "triangle {number}, edge {edge}: {found:?}");
            }
        }
    }
}
