//! Transforms of nodes: chains, mirrors, shear, matrices, axes and units.

use crate::files::{changed, glb, triangle, triangle_bytes, world_triangles};
use capsweep::scene::Filter;
use capsweep::{Capsule, Motion};
use capsweep_formats::{LoadOptions, Source, UpAxis, World, gltf};
use glam::{DAffine3, DMat3, DQuat, DVec3, dvec3};
use serde_json::{Value, json};

/// The world with the given nodes, of which the first is the root.
fn nodes(nodes: Value) -> World {
    changed(|json| json["nodes"] = nodes).unwrap()
}

/// The triangle's corners in the world, Z up, by the format's own definition: glam multiplies the
/// matrices of the nodes.
fn expected(chain: &[DAffine3]) -> [DVec3; 3] {
    let whole = chain.iter().fold(DAffine3::IDENTITY, |parent, &node| parent * node);
    [dvec3(0., 0., 0.), dvec3(4., 0., 0.), dvec3(4., 0., -3.)].map(|corner| {
        let corner = whole.transform_point3(corner);
        dvec3(corner.x, -corner.z, corner.y)
    })
}

fn assert_near(found: [DVec3; 3], wanted: [DVec3; 3], bound: f64) {
    for (found, wanted) in found.into_iter().zip(wanted) {
        assert!(found.distance(wanted) <= bound, "{found} is not {wanted}");
    }
}

const TURN: [f64; 4] = [0.5, -0.5, 0.1, 0.7];

fn turn() -> DQuat {
    DQuat::from_array(TURN.map(|part| f64::from(part as f32))).normalize()
}

#[test]
fn a_chain_of_nodes_places_the_mesh_where_the_format_says() {
    let world = nodes(json!([
        { "translation": [10, 20, 30], "rotation": TURN, "scale": [2, 2, 2], "children": [1] },
        { "mesh": 0, "name": "crate", "translation": [1, 2, 3], "scale": [1, 0.5, 3] },
    ]));
    let outer =
        DAffine3::from_scale_rotation_translation(DVec3::splat(2.0), turn(), dvec3(10., 20., 30.));
    let inner = DAffine3::from_scale_rotation_translation(
        dvec3(1., 0.5, 3.),
        DQuat::IDENTITY,
        dvec3(1., 2., 3.),
    );
    assert_near(world_triangles(&world)[0], expected(&[outer, inner]), 1e-13);
    // An uneven scale inside a rotation is no shear, so the model is shared.
    assert_eq!(world.models().len(), 1);
    assert!(world.placements()[0].pose.scale().abs_diff_eq(dvec3(2., 6., 1.), 1e-14));
    assert_eq!(world.names().body(0), Some("crate"));
}

#[test]
fn copies_share_one_model() {
    let world = nodes(json!([
        { "children": [1, 2, 3] },
        { "mesh": 0, "name": "a" },
        { "mesh": 0, "name": "b", "translation": [0, 7, 0] },
        { "mesh": 0, "scale": [0.25, 0.25, 0.25] },
    ]));
    assert_eq!((world.models().len(), world.placements().len()), (1, 3));
    let names: Vec<_> = (0..3).map(|key| world.names().body(key)).collect();
    // A node without a name goes by its mesh's.
    assert_eq!(names, [Some("a"), Some("b"), Some("plate")]);
    assert_eq!(world.placements()[1].pose.position(), dvec3(0., 0., 7.));
    assert_eq!(world.placements()[2].pose.scale(), DVec3::splat(0.25));
}

#[test]
fn plain_numbers_stay_as_they_are() {
    let world =
        nodes(json!([{ "mesh": 0, "translation": [0.1, 0.2, 0.3], "scale": [0.5, 0.5, 0.5] }]));
    let pose = world.placements()[0].pose;
    let number = |n: f32| f64::from(n);
    assert_eq!(pose.position(), dvec3(number(0.1), -number(0.3), number(0.2)));
    assert_eq!((pose.rotation(), pose.scale()), (DQuat::IDENTITY, DVec3::splat(0.5)));
}

#[test]
fn a_mirrored_node_keeps_its_outside_outside() {
    for scale in [
        [-1.0, 1.0, 1.0],
        [1.0, -2.0, 1.0],
        [1.0, 1.0, -1.0],
        [-3.0, -3.0, -3.0],
        [-1.0, 1.0, -1.0],
    ] {
        let world = nodes(json!([{ "mesh": 0, "scale": scale }]));
        assert_eq!(world.models().len(), 1, "{scale:?}");
        let [a, b, c] = world_triangles(&world)[0];
        // The plate faces up. A scale of −1 along the vertical makes it face down.
        let up = (b - a).cross(c - a).z.signum();
        assert_eq!(up, f64::signum(scale[1]), "{scale:?}");
        let sum = |triangle: [DVec3; 3]| triangle.into_iter().sum::<DVec3>();
        let scaled = DAffine3::from_scale(DVec3::from_array(scale));
        assert!(sum([a, b, c]).abs_diff_eq(sum(expected(&[scaled])), 1e-12), "{scale:?}");
    }
}

#[test]
fn shear_goes_into_the_vertices() {
    for stretch in [3.0_f32, -3.0] {
        let world = nodes(json!([
            { "scale": [1, stretch, 1], "translation": [5, 6, 7], "children": [1] },
            { "mesh": 0, "rotation": TURN, "translation": [1, 2, 3] },
        ]));
        let outer = DAffine3::from_scale_rotation_translation(
            dvec3(1., stretch.into(), 1.),
            DQuat::IDENTITY,
            dvec3(5., 6., 7.),
        );
        let inner = DAffine3::from_rotation_translation(turn(), dvec3(1., 2., 3.));
        let [a, b, c] = expected(&[outer, inner]);
        // A mirrored triangle has two corners swapped.
        let wanted = if stretch < 0.0 { [a, c, b] } else { [a, b, c] };
        assert_near(world_triangles(&world)[0], wanted, 2e-6);
        let pose = world.placements()[0].pose;
        assert_eq!((pose.rotation(), pose.scale()), (DQuat::IDENTITY, DVec3::ONE));
        // The original model and the sheared one.
        assert_eq!(world.models().len(), 2);
    }
}

#[test]
fn a_matrix_of_rounded_numbers_is_no_shear() {
    let linear = DMat3::from_quat(turn()) * 1.7;
    let columns = linear.to_cols_array_2d().map(|[x, y, z]| [x as f32, y as f32, z as f32, 0.0]);
    let matrix = [columns.concat(), vec![10.0, 20.0, 30.0, 1.0]].concat();
    // Three nested nodes.
    let world = nodes(json!([
        { "matrix": matrix, "children": [1] },
        { "matrix": matrix, "children": [2] },
        { "mesh": 0, "matrix": matrix },
    ]));
    assert_eq!(world.models().len(), 1);
    let node = DAffine3::from_mat3_translation(linear, dvec3(10., 20., 30.));
    assert_near(world_triangles(&world)[0], expected(&[node; 3]), 5e-5);

    // Ten times the tolerance is a shear.
    let mut sheared = matrix.clone();
    sheared[4] += 1e-5 * 1.7;
    let world = nodes(json!([{ "mesh": 0, "matrix": sheared }]));
    assert_eq!(world.models().len(), 2);
}

#[test]
fn up_axis_and_unit_are_options() {
    let mut json = triangle();
    json["nodes"][0] = json!({ "mesh": 0, "translation": [100, 200, 300], "rotation": TURN });
    let source = Source::from_bytes(glb(&json, &triangle_bytes()), "cm.glb");
    let options = LoadOptions { up: Some(UpAxis::Z), unit: Some(0.01), ..LoadOptions::default() };
    let world = gltf::parse(&source, &options).unwrap();
    let wanted = [dvec3(0., 0., 0.), dvec3(4., 0., 0.), dvec3(4., 0., -3.)]
        .map(|corner| (turn() * corner + dvec3(100., 200., 300.)) * 0.01);
    assert_near(world_triangles(&world)[0], wanted, 1e-13);
    for unit in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e7] {
        let told = gltf::parse(&source, &LoadOptions { unit: Some(unit), ..options }).unwrap_err();
        assert!(told.to_string().contains("it must lie between"), "{told}");
    }
}

#[test]
fn a_scene_of_it_is_hit_where_it_stands_and_says_what_was_hit() {
    let world = changed(|json| {
        json["nodes"] = json!([
            { "children": [1, 2] },
            { "mesh": 0, "name": "low" },
            { "mesh": 0, "name": "high", "translation": [100, 5, 0], "scale": [-1, 1, 1] },
        ]);
        json["materials"] = json!([{}, { "name": "stone" }]);
        json["meshes"][0]["primitives"][0]["material"] = 1.into();
    });
    let world = world.unwrap();
    let scene = world.scene().unwrap();
    let fall = Motion::new(DVec3::NEG_Z * 20.0).unwrap();
    for (x, name, distance) in [(3.0, "low", 10.0), (97.0, "high", 5.0)] {
        let capsule = Capsule::from_feet(dvec3(x, 1.0, 10.0), DVec3::Z, 0.25, 1.5).unwrap();
        let hit = scene.sweep(&capsule, &fall, &Filter::default()).expect(name);
        assert!((hit.hit.distance - distance).abs() < 1e-9, "{name}: {}", hit.hit.distance);
        assert_eq!(world.names().body(hit.target.key), Some(name));
        assert_eq!(world.names().tag(hit.target.tag), Some("stone"));
    }
}
