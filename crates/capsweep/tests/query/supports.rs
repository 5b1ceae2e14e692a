//! Supports: every surface over and under a point, once, from top to bottom.

use capsweep::query::{Column, Facing, Support};
use capsweep::scene::{Body, BodyKind, Filter, MeshOptions, Pose, Scene, Shape, TriMesh};
use capsweep::{Capsule, Feature, HalfSpace, Obb, ShapeError, Sides, SlopeLimit, Sphere};
use capsweep_testkit::Rng;
use capsweep_testkit::level::{
    Joints, Mesh, city_block, dungeon, instances, stairs, terrain, tiled_floor,
};
use glam::{DQuat, DVec3, Vec3, dquat, dvec3, vec3};
use std::sync::Arc;

const FAR: DVec3 = dvec3(16_384.0, -16_384.0, 512.0);

/// The cosine of 46°.
const SLOPE_LIMIT_COS: f32 = 0.694_658_4;

fn mesh_of((vertices, indices): &Mesh) -> Arc<TriMesh> {
    Arc::new(TriMesh::new(vertices, indices, MeshOptions::default()).unwrap())
}

fn scene_of(bodies: impl IntoIterator<Item = Body>) -> Scene {
    let mut scene = Scene::new();
    for (body, key) in bodies.into_iter().zip(1..) {
        scene.insert(body.with_key(key));
    }
    scene
}

fn supports(scene: &Scene, column: &Column, filter: Filter) -> Vec<Support> {
    let mut out = Vec::new();
    scene.supports(column, SlopeLimit::from_cos(SLOPE_LIMIT_COS).unwrap(), &filter, &mut out);
    assert!(out.is_sorted_by(|a, b| a.height >= b.height), "from top to bottom");
    out
}

fn upright(point: DVec3, above: f64, below: f64) -> Column {
    Column::new(point, DVec3::Z, above, below).unwrap()
}

fn heights(found: &[Support]) -> Vec<(f64, Facing)> {
    found.iter().map(|support| (support.height, support.facing)).collect()
}

/// Twelve storeys of 3 m: a floor, and 2.75 m above it a ceiling, made of the same tiles upside
/// down.
fn building(place: DVec3) -> Scene {
    let tiles = mesh_of(&tiled_floor(8, 1.0, 0.0, 0.0, Joints::Matching));
    scene_of((0..12).flat_map(|storey| {
        let floor = place + DVec3::Z * (3.0 * f64::from(storey));
        let ceiling = floor + DVec3::Z * 2.75;
        let upside_down = Pose::new(ceiling, DQuat::IDENTITY, dvec3(1.0, 1.0, -1.0)).unwrap();
        [
            Body::mesh(tiles.clone(), Pose::from_translation(floor).unwrap()).unwrap(),
            Body::mesh(tiles.clone(), upside_down).unwrap(),
        ]
    }))
}

#[test]
fn every_floor_of_a_building_is_found_in_order() {
    for place in [DVec3::ZERO, FAR] {
        let scene = building(place);
        // A quarter of a tile apart: vertices, edges, diagonals and faces, the rim included.
        for (i, j) in (-16..=16).flat_map(|i| (-16..=16).map(move |j| (i, j))) {
            let point = place + dvec3(f64::from(i) * 0.25, f64::from(j) * 0.25, 16.0);
            let found = supports(&scene, &upright(point, 100.0, 100.0), Filter::default());
            let expected: Vec<(f64, Facing)> = (0..12)
                .rev()
                .flat_map(|storey| {
                    let floor = 3.0 * f64::from(storey) - 16.0;
                    [(floor + 2.75, Facing::Down), (floor, Facing::Up)]
                })
                .collect();
            assert_eq!(heights(&found), expected, "at {point}");
            for support in &found {
                let up = support.facing == Facing::Up;
                assert_eq!(support.walkable, up);
                assert_eq!(support.normal, if up { Vec3::Z } else { Vec3::NEG_Z });
                assert_eq!(support.point, point + DVec3::Z * support.height);
            }
        }
    }
}

#[test]
fn the_range_is_inclusive() {
    let scene = building(DVec3::ZERO);
    // On the floor of storey 4, whose ceiling is 2.75 m above, under which lies the ceiling of
    // storey 3.
    let point = dvec3(0.3, 0.2, 12.0);
    let found = |above: f64, below: f64| {
        heights(&supports(&scene, &upright(point, above, below), Filter::default()))
    };
    let (floor, ceiling, next) = ((0.0, Facing::Up), (2.75, Facing::Down), (-0.25, Facing::Down));
    assert_eq!(found(0.0, 0.0), [floor]);
    assert_eq!(found(2.75, 0.25), [ceiling, floor, next]);
    assert_eq!(found(2.749, 0.249), [floor]);
}

#[test]
fn a_shared_edge_or_vertex_counts_once() {
    let mut rng = Rng::new(&[81]);
    for (tilt, jitter) in [(0.0, 0.25), (0.4, 0.0), (0.7, 0.25)] {
        let level = tiled_floor(8, 0.75, tilt, jitter, Joints::Matching);
        let scenes = [DVec3::ZERO, FAR].map(|place| {
            (
                place,
                scene_of([
                    Body::mesh(mesh_of(&level), Pose::from_translation(place).unwrap()).unwrap()
                ]),
            )
        });
        let (vertices, indices) = &level;
        for [a, b, c] in indices.iter().map(|t| t.map(|i| vertices[i as usize].as_dvec3())) {
            for target in [a, (a + b) * 0.5, (b + c) * 0.5, (c + a) * 0.5, (a + b + c) / 3.0] {
                if target.abs().max_element() > 2.9 {
                    continue;
                }
                for (place, scene) in &scenes {
                    let above = rng.range(0.0, 5.0);
                    let point = *place + target + DVec3::Z * above;
                    let found = supports(scene, &upright(point, 9.0, 9.0), Filter::default());
                    assert_eq!(found.len(), 1, "at {target}: {found:?}");
                    assert!((found[0].height + above).abs() < 1e-9);
                    // From the position itself, too.
                    let column = upright(*place + target, 1.0, 1.0);
                    assert_eq!(supports(scene, &column, Filter::default()).len(), 1);
                }
            }
        }
    }
}

#[test]
fn t_junctions_count_once() {
    // On the lattice the vertices of the halved tiles lie exactly on their neighbours' edges.
    let level = tiled_floor(8, 1.0, 0.0, 0.0, Joints::TJunctions);
    let scene = scene_of([Body::mesh(mesh_of(&level), Pose::IDENTITY).unwrap()]);
    for (i, j) in (-16..=16).flat_map(|i| (-16..=16).map(move |j| (i, j))) {
        let point = dvec3(f64::from(i) * 0.25, f64::from(j) * 0.25, 2.0);
        let found = supports(&scene, &upright(point, 9.0, 9.0), Filter::default());
        assert_eq!(heights(&found), [(-2.0, Facing::Up)], "at {point}");
    }
}

#[test]
fn hills_have_one_surface_everywhere() {
    let level = terrain(32);
    let (vertices, indices) = &level;
    let scene = scene_of([Body::mesh(mesh_of(&level), Pose::IDENTITY).unwrap()]);
    let middles = indices.iter().map(|t| {
        let [a, b, _] = t.map(|i| vertices[i as usize].as_dvec3());
        (a + b) * 0.5
    });
    for target in vertices.iter().map(|v| v.as_dvec3()).chain(middles) {
        let found = supports(&scene, &upright(target, 50.0, 50.0), Filter::default());
        assert_eq!(found.len(), 1, "at {target}: {found:?}");
        assert!(found[0].height.abs() < 1e-12 && found[0].facing == Facing::Up);
    }
}

#[test]
fn closed_rocks_have_a_top_and_a_bottom_in_turns() {
    let rocks = instances(40);
    for (number, pose) in rocks.placements.iter().filter(|(number, _)| number % 5 == 0) {
        let level = &rocks.meshes[*number];
        let scene = scene_of([Body::mesh(mesh_of(level), *pose).unwrap()]);
        for &vertex in &level.0 {
            // A vertex of the inside: on the outline the column may pass by.
            let point = pose.point_to_world(vertex.as_dvec3() * 0.5);
            let found = supports(&scene, &upright(point, 50.0, 50.0), Filter::default());
            let turns: Vec<Facing> = found.iter().map(|support| support.facing).collect();
            assert!(turns.len() >= 2 && turns.len().is_multiple_of(2), "{turns:?}");
            for pair in turns.chunks(2) {
                assert_eq!(pair, [Facing::Up, Facing::Down], "{turns:?}");
            }
        }
    }
}

/// Heights over `z = 0` of all triangles over a position, from top to bottom, by projection.
fn brute_force(parts: &[(Mesh, Pose)], x: f64, y: f64) -> Vec<(f64, Facing)> {
    let mut found = Vec::new();
    for ((vertices, indices), pose) in parts {
        for triangle in indices {
            let [a, b, c] = pose.triangle_to_world(triangle.map(|i| vertices[i as usize]));
            let area = |p: DVec3, q: DVec3| (p.x - x) * (q.y - y) - (p.y - y) * (q.x - x);
            let weights = [area(b, c), area(c, a), area(a, b)];
            let total: f64 = weights.iter().sum();
            if weights.iter().all(|w| w / total > 0.0) {
                let height = (weights[0] * a.z + weights[1] * b.z + weights[2] * c.z) / total;
                found.push((height, if total > 0.0 { Facing::Up } else { Facing::Down }));
            }
        }
    }
    found.sort_by(|a, b| b.0.total_cmp(&a.0));
    found
}

/// Heights rounded to micrometres, so that a box on a floor has no gap under it. Otherwise
/// rounding would decide which of the two surfaces is the upper one.
fn in_steps(found: impl Iterator<Item = (f64, Facing)>) -> Vec<(i64, Facing)> {
    let mut steps: Vec<(i64, Facing)> =
        found.map(|(height, facing)| ((height * 1e6 + 0.25).round() as i64, facing)).collect();
    steps.sort_unstable();
    steps
}

#[test]
fn supports_are_those_of_brute_force() {
    let mut rng = Rng::new(&[82]);
    let at_home = |mesh: Mesh| vec![(mesh, Pose::IDENTITY)];
    let models = instances(200);
    let scattered: Vec<(Mesh, Pose)> = models
        .placements
        .iter()
        .map(|(number, pose)| {
            let place = Pose::new(rng.cube(6.0), pose.rotation(), pose.scale()).unwrap();
            (models.meshes[*number].clone(), place)
        })
        .collect();
    let worlds = [
        at_home(dungeon()),
        at_home(city_block()),
        at_home(stairs()),
        at_home(terrain(64)),
        scattered,
    ];
    for parts in worlds {
        let bodies = parts.iter().map(|(mesh, pose)| Body::mesh(mesh_of(mesh), *pose).unwrap());
        let scene = scene_of(bodies);
        let mut surfaces = 0;
        for _ in 0..400 {
            let (x, y) = (rng.range(-12.0, 12.0), rng.range(-12.0, 12.0));
            let expected = brute_force(&parts, x, y);
            let column = upright(dvec3(x, y, 0.0), 500.0, 500.0);
            let found = supports(&scene, &column, Filter::default());
            let found = in_steps(found.iter().map(|s| (s.height, s.facing)));
            assert_eq!(found, in_steps(expected.iter().copied()), "at {x}, {y}");
            surfaces += found.len();
        }
        assert!(surfaces > 50, "{surfaces}");
    }
}

#[test]
fn a_tilted_column_answers_as_in_its_own_frame() {
    let mut rng = Rng::new(&[83]);
    let level = dungeon();
    let turn = dquat(0.3, -0.5, 0.2, 0.9).normalize();
    let mesh = mesh_of(&level);
    let here = scene_of([Body::mesh(mesh.clone(), Pose::IDENTITY).unwrap()]);
    let pose = Pose::new(FAR, turn, DVec3::ONE).unwrap();
    let there = scene_of([Body::mesh(mesh, pose).unwrap()]);
    for _ in 0..1_000 {
        let local = dvec3(rng.range(-20.0, 20.0), rng.range(-20.0, 20.0), 1.0);
        let near = supports(&here, &upright(local, 30.0, 30.0), Filter::default());
        let up = pose.vector_to_world(DVec3::Z);
        let column = Column::new(pose.point_to_world(local), up * 7.0, 30.0, 30.0).unwrap();
        let far = supports(&there, &column, Filter::default());
        let steps = |found: &[Support]| in_steps(found.iter().map(|s| (s.height, s.facing)));
        assert_eq!(steps(&near), steps(&far), "at {local}");
        for a in &near {
            let b = far.iter().find(|b| b.target.triangle == a.target.triangle).unwrap();
            assert!((a.height - b.height).abs() < 1e-9);
            assert_eq!((a.facing, a.walkable), (b.facing, b.walkable));
        }
    }
}

#[test]
fn solids_have_a_floor_on_top_and_a_ceiling_below() {
    let shapes = [
        Shape::Box(Obb::axis_aligned(dvec3(0.0, 0.0, 9.0), vec3(1.0, 2.0, 0.5)).unwrap()),
        Shape::Sphere(Sphere::new(dvec3(0.0, 0.0, 6.0), 0.75).unwrap()),
        Shape::Capsule(Capsule::new(dvec3(-1.0, 0.0, 3.0), dvec3(2.0, 0.0, 3.0), 0.25).unwrap()),
        Shape::HalfSpace(HalfSpace::new(DVec3::ZERO, DVec3::Z).unwrap()),
    ];
    let scene = scene_of(shapes.map(Body::shape));
    // From inside the sphere.
    let found = supports(&scene, &upright(dvec3(0.0, 0.0, 6.0), 50.0, 50.0), Filter::default());
    let (up, down) = (Facing::Up, Facing::Down);
    let expected = [
        (3.5, up),
        (2.5, down),
        (0.75, up),
        (-0.75, down),
        (-2.75, up),
        (-3.25, down),
        (-6.0, up),
    ];
    assert_eq!(heights(&found), expected);
    assert!(found.iter().all(|support| support.target.kind == BodyKind::Shape));
}

#[test]
fn boxes_side_by_side_make_one_floor() {
    let cube = |x: f64, y: f64| {
        let half = vec3(0.5, 0.5, 0.25);
        Body::obstacle(Shape::Box(Obb::axis_aligned(dvec3(x, y, 0.0), half).unwrap()))
    };
    let scene = scene_of([cube(0.5, 0.5), cube(1.5, 0.5), cube(0.5, 1.5), cube(1.5, 1.5)]);
    for (x, y) in [(1.0, 1.0), (1.0, 0.5), (0.5, 1.0), (0.25, 0.75)] {
        let found = supports(&scene, &upright(dvec3(x, y, 3.0), 0.0, 9.0), Filter::default());
        assert_eq!(heights(&found), [(-2.75, Facing::Up), (-3.25, Facing::Down)], "{x} {y}");
        assert_eq!(found[0].target.key, 1);
    }
}

#[test]
fn a_ridge_is_as_walkable_as_its_most_level_side() {
    // A gentle slope and a steep one that meet over x = 0.
    let vertices =
        [vec3(0.0, -1.0, 0.0), vec3(0.0, 1.0, 0.0), vec3(-2.0, 0.0, -0.5), vec3(1.0, 0.0, -3.0)];
    for indices in [[[0, 1, 2], [1, 0, 3]], [[1, 0, 3], [0, 1, 2]]] {
        let scene = scene_of([Body::mesh(
            mesh_of(&(vertices.to_vec(), indices.to_vec())),
            Pose::IDENTITY,
        )
        .unwrap()]);
        let found = supports(&scene, &upright(DVec3::Z, 5.0, 5.0), Filter::default());
        assert_eq!(heights(&found), [(-1.0, Facing::Up)]);
        assert!(found[0].walkable && matches!(found[0].feature, Feature::Edge(0)));
        let steep = supports(&scene, &upright(dvec3(0.5, 0.0, 1.0), 5.0, 5.0), Filter::default());
        assert!(steep.len() == 1 && !steep[0].walkable);
    }
}

#[test]
fn both_sides_hold_where_both_sides_count() {
    let upside_down = Pose::new(DVec3::ZERO, DQuat::IDENTITY, dvec3(1.0, 1.0, -1.0)).unwrap();
    let (vertices, indices) = tiled_floor(4, 1.0, 0.0, 0.0, Joints::Matching);
    let column = upright(dvec3(0.3, 0.1, 0.0), 1.0, 1.0);
    for double_sided in [false, true] {
        let mesh = TriMesh::new(&vertices, &indices, MeshOptions { double_sided }).unwrap();
        let scene = scene_of([Body::mesh(Arc::new(mesh), upside_down).unwrap()]);
        for sides in [Sides::Front, Sides::Both] {
            let found = supports(&scene, &column, Filter { sides, ..Filter::default() });
            let holds = double_sided || sides == Sides::Both;
            let facing = if holds { Facing::Up } else { Facing::Down };
            assert_eq!(heights(&found), [(0.0, facing)]);
            assert_eq!(found[0].walkable, holds);
        }
    }
}

#[test]
fn a_column_refuses_bad_numbers() {
    let (point, up) = (DVec3::ZERO, DVec3::Z);
    let refused = |column: Result<Column, ShapeError>| column.unwrap_err().field();
    assert_eq!(refused(Column::new(dvec3(0.0, f64::NAN, 0.0), up, 1.0, 1.0)), "point.y");
    assert_eq!(refused(Column::new(point, DVec3::ZERO, 1.0, 1.0)), "up");
    assert_eq!(refused(Column::new(point, up, -1.0, 1.0)), "above");
    assert_eq!(refused(Column::new(point, up, 1.0, f64::INFINITY)), "below");
}
