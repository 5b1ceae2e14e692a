//! Generated levels have the documented size and winding, no defects, and the same bits every
//! time.
#![allow(clippy::expect_used, reason = "a helper of a test that cannot go on must stop the test")]

use capsweep::scene::{EdgeKind, MeshReport, inspect_mesh};
use capsweep_testkit::level::{
    Joints, Mesh, city_block, dungeon, instances, stairs, terrain, tiled_floor,
};
use glam::{DVec3, Vec3, vec3};

fn report((vertices, indices): &Mesh) -> MeshReport {
    MeshReport::new(vertices, indices).expect("indices in range")
}

/// FNV-1a over all numbers.
fn fingerprint((vertices, indices): &Mesh) -> u64 {
    let coordinates = vertices.iter().flat_map(|vertex| vertex.to_array().map(f32::to_bits));
    let words = coordinates.chain(indices.as_flattened().iter().copied());
    words.fold(0xCBF2_9CE4_8422_2325, |hash, word| {
        (hash ^ u64::from(word)).wrapping_mul(0x0100_0000_01B3)
    })
}

fn normals((vertices, indices): &Mesh) -> impl Iterator<Item = Vec3> {
    indices.iter().map(|triangle| {
        let [a, b, c] = triangle.map(|index| vertices[index as usize].as_dvec3());
        (b - a).cross(c - a).normalize().as_vec3()
    })
}

/// Six times the volume inside a closed mesh; negative if it is inside out.
fn volume((vertices, indices): &Mesh) -> f64 {
    let cones = indices.iter().map(|triangle| {
        let [a, b, c] = triangle.map(|index| vertices[index as usize].as_dvec3());
        a.dot(b.cross(c))
    });
    cones.sum()
}

fn named() -> [(&'static str, Mesh); 5] {
    [
        ("stairs", stairs()),
        ("dungeon", dungeon()),
        ("city block", city_block()),
        ("terrain", terrain(64)),
        ("tiled floor", tiled_floor(32, 0.5, 0.3, 0.25, Joints::TJunctions)),
    ]
}

#[test]
fn levels_have_the_size_they_say() {
    let count = |mesh: Mesh| mesh.1.len();
    let (dungeon, city) = (count(dungeon()), count(city_block()));
    assert!((9_000..11_500).contains(&dungeon), "dungeon: {dungeon}");
    assert!((45_000..55_000).contains(&city), "city block: {city}");
    assert_eq!(count(terrain(708)), 1_002_528);
}

#[test]
fn levels_have_no_defects() {
    for (name, mesh) in named() {
        let report = report(&mesh);
        assert_eq!(report.degenerate, [], "{name}");
        assert_eq!(report.duplicate, [], "{name}");
        assert_eq!(report.unreferenced, [], "{name}");
        assert_eq!(report.slivers, [], "{name}");
        assert_eq!(report.flipped.edges, 0, "{name}: {:?}", report.flipped.triangles);
    }
}

#[test]
fn levels_have_the_same_bits_every_time() {
    for ((name, one), (_, other)) in named().into_iter().zip(named()) {
        assert_eq!(fingerprint(&one), fingerprint(&other), "{name}");
    }
    let found = named().map(|(_, mesh)| fingerprint(&mesh));
    assert_eq!(found, FINGERPRINTS, "{found:#x?}");
}

const FINGERPRINTS: [u64; 5] = [
    0xac89_ef5a_82f4_5448,
    0xefd8_1a0a_d78d_9256,
    0x04ff_7ea7_1120_e6af,
    0x615f_c4e9_64c5_6cf8,
    0x3f4e_b67b_0d95_c560,
];

#[test]
fn the_dungeon_is_closed_and_seen_from_inside() {
    // T-junctions leave open edges. But the area vectors of a surface without holes sum to zero.
    let (vertices, indices) = dungeon();
    let areas = indices.iter().map(|triangle| {
        let [a, b, c] = triangle.map(|index| vertices[index as usize].as_dvec3());
        (b - a).cross(c - a)
    });
    let sum: DVec3 = areas.sum();
    assert!(sum.length() < 1e-2, "{sum}");
    assert!(volume(&(vertices, indices)) < -10_000.0);
}

#[test]
fn a_soup_of_terrain_joins_like_the_mesh() {
    let (vertices, indices) = terrain(100);
    let soup: Vec<_> = indices.as_flattened().iter().map(|&i| vertices[i as usize]).collect();
    let numbers: Vec<_> =
        (0..indices.len() as u32).map(|i| [0, 1, 2].map(|k| 3 * i + k)).collect();
    assert_eq!(inspect_mesh(&soup, &numbers), inspect_mesh(&vertices, &indices));
}

#[test]
fn terrain_is_one_sheet_that_faces_up() {
    let mesh = terrain(65);
    assert!(normals(&mesh).all(|normal| normal.z > 0.0));
    let report = report(&mesh);
    assert_eq!((report.open.edges, report.non_manifold.edges), (4 * 65, 0));
}

#[test]
fn a_tiled_floor_is_flat() {
    for (tilt, jitter, joints) in [
        (0.0, 0.0, Joints::Matching),
        (0.0, 0.29, Joints::TJunctions),
        (0.5, 0.2, Joints::Matching),
        (-0.25, 0.25, Joints::TJunctions),
    ] {
        let mesh = tiled_floor(24, 0.25, tilt, jitter, joints);
        let expected = vec3(-tilt, 0.0, 1.0).normalize();
        assert!(normals(&mesh).all(|normal| normal.distance(expected) < 1e-4));
        let (report, topology) = inspect_mesh(&mesh.0, &mesh.1).expect("indices in range");
        let kinds = topology.kinds().as_flattened();
        assert!(kinds.iter().all(|kind| matches!(kind, EdgeKind::Flat | EdgeKind::Open)));
        match joints {
            Joints::Matching => assert_eq!(report.open.edges, 4 * 24),
            Joints::TJunctions => assert!(report.open.edges > 24 * 24),
        }
    }
}

#[test]
fn instances_are_many_closed_meshes_in_every_kind_of_pose() {
    let all = instances(10_000);
    assert_eq!((all.meshes.len(), all.placements.len()), (50, 10_000));
    for (number, mesh) in all.meshes.iter().enumerate() {
        let report = report(mesh);
        assert_eq!((report.open.edges, report.flipped.edges), (0, 0), "mesh {number}");
        assert_eq!((report.degenerate, report.duplicate), (vec![], vec![]), "mesh {number}");
        assert!(volume(mesh) > 0.0, "mesh {number} is inside out");
        assert!((12..=600).contains(&mesh.1.len()), "mesh {number}: {}", mesh.1.len());
    }
    let count = |test: &dyn Fn(&capsweep::scene::Pose) -> bool| {
        all.placements.iter().filter(|(_, pose)| test(pose)).count()
    };
    assert_eq!(count(&capsweep::scene::Pose::is_mirrored), 2_000);
    assert_eq!(count(&|pose| pose.scale().x.abs() != pose.scale().y.abs()), 5_000);
    assert!(all.meshes.iter().enumerate().all(|(i, _)| all.placements.iter().any(|p| p.0 == i)));
}

#[test]
fn instances_are_the_same_for_any_count() {
    let (few, many) = (instances(100), instances(1_000));
    assert_eq!(few.placements[..], many.placements[..100]);
}
