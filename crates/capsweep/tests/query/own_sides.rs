//! Double-sidedness of single triangles: each query, by value.

use capsweep::cache::{HintSlot, TriangleCache};
use capsweep::query::{Column, Facing};
use capsweep::scene::{
    Body, EdgeTopology, Filter, MeshError, MeshOptions, Mobility, Pose, Scene, TriMesh,
};
use capsweep::{Capsule, Limit, Motion, Ray, Sides, SlopeLimit};
use glam::{DQuat, DVec3, Vec3, dvec3, vec3};
use std::sync::Arc;

/// A floor of two tiles of 8 × 8 m: x below 0 has one side, the other is double-sided.
fn floor() -> TriMesh {
    let corners = [-8.0, 0.0, 8.0].map(|x| [vec3(x, -4.0, 0.0), vec3(x, 4.0, 0.0)]);
    let triangles = [[0, 2, 1], [1, 2, 3], [2, 4, 3], [3, 4, 5]];
    let mesh = TriMesh::new(corners.as_flattened(), &triangles, MeshOptions::default()).unwrap();
    let kinds = EdgeTopology::new(corners.as_flattened(), &triangles).unwrap();
    assert!(kinds.into_kinds()[1].iter().any(|kind| kind.is_inner()), "one floor, not two");
    mesh.with_double_sided(&[false, false, true, true]).unwrap()
}

fn placed(mesh: TriMesh, scale: DVec3, mobility: Mobility) -> Scene {
    let mut scene = Scene::new();
    let pose = Pose::new(DVec3::ZERO, DQuat::IDENTITY, scale).unwrap();
    scene.insert(Body::mesh(Arc::new(mesh), pose).unwrap().with_mobility(mobility));
    scene
}

/// The floor as it is and mirrored, static and dynamic; and the side of x that is double-sided.
fn scenes() -> Vec<(Scene, f64)> {
    let mirror = dvec3(-1.0, 1.0, 1.0);
    [Mobility::Static, Mobility::Dynamic]
        .into_iter()
        .flat_map(|mobility| {
            [
                (placed(floor(), DVec3::ONE, mobility), 1.0),
                (placed(floor(), mirror, mobility), -1.0),
            ]
        })
        .collect()
}

fn person(x: f64, feet: f64) -> Capsule {
    Capsule::from_feet(dvec3(x, 0.5, feet), DVec3::Z, 0.25, 1.5).unwrap()
}

const FRONT: Filter = Filter {
    mask: u32::MAX,
    sides: Sides::Front,
    bodies: capsweep::scene::Bodies::All,
    start_overlaps: capsweep::scene::StartOverlaps::Report,
};

#[test]
fn a_sweep_from_below_stops_at_double_sided_triangles_only() {
    let rise = Motion::new(DVec3::Z * 4.0).unwrap();
    let fall = Motion::new(DVec3::Z * -4.0).unwrap();
    let both = Filter { sides: Sides::Both, ..FRONT };
    for (scene, double) in scenes() {
        let (one, two) = (person(-3.0 * double, -3.0), person(3.0 * double, -3.0));
        assert!(scene.sweep(&one, &rise, &FRONT).is_none());
        assert!(!scene.sweep_any(&one, &rise, &FRONT));
        let hit = scene.sweep(&two, &rise, &FRONT).unwrap();
        assert_eq!((hit.hit.distance, hit.hit.normal), (1.5, Vec3::NEG_Z));
        assert_eq!(hit.hit.face_normal, Vec3::NEG_Z);
        assert!(scene.sweep_any(&two, &rise, &FRONT));
        let mut all = Vec::new();
        scene.sweep_all(&one, &rise, &FRONT, &mut all);
        assert_eq!(all.len(), 0);
        scene.sweep_all(&two, &rise, &FRONT, &mut all);
        assert_eq!(all.len(), 1);
        // The query's sides count for all, and the front counts anyway.
        assert!(scene.sweep(&one, &rise, &both).is_some());
        for x in [-3.0, 3.0] {
            let hit = scene.sweep(&person(x, 2.0), &fall, &FRONT).unwrap();
            assert_eq!((hit.hit.distance, hit.hit.normal), (2.0, Vec3::Z));
        }
    }
}

#[test]
fn a_cache_knows_the_sides_of_each_triangle() {
    for (scene, double) in scenes() {
        let mut cache = TriangleCache::new();
        for round in 0..4 {
            // Near enough that one box holds both; more than one triangle, and only one.
            for (x, hits) in [(-0.5, false), (0.5, true), (-1.5, false), (1.5, true)] {
                let capsule = person(x * double, -1.75 - f64::from(round) * 0.01);
                let rise = Motion::new(DVec3::Z * 0.5).unwrap();
                let cached = cache.sweep(&scene, &capsule, &rise, &FRONT, HintSlot::Up);
                assert_eq!(cached.is_some(), hits, "{x}");
                assert_eq!(cached, scene.sweep(&capsule, &rise, &FRONT));
            }
        }
    }
}

#[test]
fn a_ray_from_below_hits_double_sided_triangles_only() {
    for (scene, double) in scenes() {
        let ray = |x: f64, z: f64| {
            let motion = Motion::new(DVec3::Z * -2.0 * z).unwrap();
            scene.ray(&Ray::new(dvec3(x * double, 0.5, z), motion).unwrap(), &FRONT)
        };
        assert!(ray(-3.0, -1.0).is_none());
        let hit = ray(3.0, -1.0).unwrap();
        assert_eq!((hit.hit.distance, hit.hit.normal), (1.0, Vec3::NEG_Z));
        assert!(ray(-3.0, 1.0).is_some() && ray(3.0, 1.0).is_some());
        // On an edge of a triangle that counts and one that does not; then where two tie.
        let hit = ray(0.0, -1.0).unwrap();
        assert!(hit.target.triangle >= Some(2), "{:?}", hit.target);
        let hit = ray(3.5, -1.0).unwrap();
        assert_eq!((hit.hit.distance, hit.hit.normal), (1.0, Vec3::NEG_Z));
        assert_eq!(hit.target.triangle, Some(2));
    }
}

/// Sunk by 1.25 m of its 1.5 m, the way out below is the shorter one.
#[test]
fn a_pierced_triangle_lets_out_at_its_back_if_it_is_double_sided() {
    for (scene, double) in scenes() {
        let (one, two) = (person(-3.0 * double, -1.25), person(3.0 * double, -1.25));
        let up = scene.overlap(&one, &FRONT).unwrap().hit;
        assert_eq!((up.normal, up.depth), (Vec3::Z, 1.25));
        // Inside a triangle, and on the edge of two that tie.
        for x in [3.0, 3.5] {
            let down = scene.overlap(&person(x * double, -1.25), &FRONT).unwrap().hit;
            assert_eq!((down.normal, down.depth), (Vec3::NEG_Z, 0.25));
        }
        let mut all = Vec::new();
        scene.overlap_all(&two, &FRONT, &mut all);
        assert!(all.iter().any(|one| one.hit.normal == Vec3::NEG_Z && one.hit.depth == 0.25));
        let closest = |capsule| scene.closest(capsule, Limit::UNBOUNDED, &FRONT).unwrap().hit;
        assert_eq!((closest(&one).distance, closest(&one).normal), (-1.25, Vec3::Z));
        assert_eq!((closest(&two).distance, closest(&two).normal), (-0.25, Vec3::NEG_Z));
        let still = scene.sweep(&two, &Motion::ZERO, &FRONT).unwrap().hit;
        assert_eq!((still.normal, still.depth), (Vec3::NEG_Z, 0.25));
        let mut cache = TriangleCache::new();
        for capsule in [&one, &two] {
            let mut cached = Vec::new();
            cache.overlap_all(&scene, capsule, &FRONT, &mut cached);
            scene.overlap_all(capsule, &FRONT, &mut all);
            assert_eq!(cached, all);
        }
    }
}

/// With the axis wholly below, a one-sided face is the skin of a solid and pushes up.
#[test]
fn depenetration_leads_to_the_nearer_side_of_a_double_sided_triangle() {
    for (scene, double) in scenes() {
        let freed = |x: f64| {
            let capsule = person(x * double, -1.4);
            let outcome = scene.depenetrate(&capsule, &FRONT);
            let debug = format!("{outcome:?}");
            assert!(debug.contains("Free"), "{debug}");
            debug
        };
        assert_ne!(freed(-3.0), freed(3.0));
    }
}

#[test]
fn the_normal_of_a_support_turns_up_on_double_sided_triangles() {
    let mirror = dvec3(1.0, 1.0, -1.0);
    // Upside down the floor faces down.
    let scene = placed(floor(), mirror, Mobility::Static);
    let facing = |x: f64| {
        let column = Column::new(dvec3(x, 0.5, 0.0), DVec3::Z, 1.0, 1.0).unwrap();
        let mut out = Vec::new();
        scene.supports(&column, SlopeLimit::PHYSX, &FRONT, &mut out);
        assert_eq!(out.len(), 1);
        (out[0].facing, out[0].walkable)
    };
    assert_eq!(facing(-3.0), (Facing::Down, false));
    assert_eq!(facing(3.0), (Facing::Up, true));
}

#[test]
fn flags_are_counted_kept_and_refused() {
    let mesh = floor();
    assert!(!mesh.is_double_sided());
    assert_eq!(mesh.double_sided_triangle_count(), 2);
    let flags: Vec<_> = (0..5).map(|i| mesh.is_triangle_double_sided(i)).collect();
    assert_eq!(flags, [Some(false), Some(false), Some(true), Some(true), None]);
    assert_eq!(
        (mesh.mask(0), mesh.mask(3), mesh.tag(3)),
        (Some(u32::MAX), Some(u32::MAX), Some(0))
    );

    let error = mesh.clone().with_double_sided(&[true]).unwrap_err();
    assert_eq!(error, MeshError::WrongCount { what: "flags of sides", given: 1, triangles: 4 });
    assert_eq!(error.to_string(), "1 flags of sides for 4 triangles: give one for each");

    // Other attributes do not change them, nor do moved vertices.
    let mut moved = mesh.clone().with_masks(&[1, 2, 3, 4]).unwrap().with_tags(&[5; 4]).unwrap();
    let corners: Vec<[Vec3; 3]> = (0..4).map(|i| mesh.triangle(i).unwrap()).collect();
    let corners: Vec<Vec3> = corners.as_flattened().iter().map(|&v| v + Vec3::Z).collect();
    moved.refit(&corners, &[[0, 1, 2], [3, 4, 5], [6, 7, 8], [9, 10, 11]]).unwrap();
    assert_eq!(moved.double_sided_triangle_count(), 2);
    assert_eq!(moved.is_triangle_double_sided(3), Some(true));
    assert_eq!(moved.mask(2), Some(3));
    let copied = TriMesh::from_source(&mesh, DVec3::ZERO, MeshOptions::default()).unwrap();
    assert_eq!(copied.double_sided_triangle_count(), 2);
    assert_eq!(copied.is_triangle_double_sided(2), Some(true));

    // New flags replace the old, and none at all make a plain mesh.
    let plain = mesh.clone().with_double_sided(&[false; 4]).unwrap();
    assert_eq!(plain.double_sided_triangle_count(), 0);
    let options = MeshOptions { double_sided: true };
    let both = TriMesh::from_source(&mesh, DVec3::ZERO, options).unwrap();
    assert!(both.is_double_sided());
    assert_eq!(both.double_sided_triangle_count(), 4);
}
