//! Meshes, accessors, materials, scenes and buffers of glTF files.

use crate::files::{
    CORNERS, changed, floats, folder, glb, load_gltf, triangle, triangle_bytes, world_triangles,
};
use capsweep::scene::Filter;
use capsweep::{Motion, Ray};
use capsweep_formats::{LoadOptions, World, load};
use glam::{DVec3, Vec3, dvec3, vec3};
use serde_json::json;

/// A corner of the file, Z up.
fn corner(index: usize) -> Vec3 {
    vec3(CORNERS[3 * index], -CORNERS[3 * index + 2], CORNERS[3 * index + 1])
}

fn triangles(world: &World) -> Vec<[Vec3; 3]> {
    world_triangles(world).into_iter().map(|corners| corners.map(DVec3::as_vec3)).collect()
}

fn wanted(indices: &[[usize; 3]]) -> Vec<[Vec3; 3]> {
    indices.iter().map(|triangle| triangle.map(corner)).collect()
}

/// Loads the file with `indices` of type `component` and a primitive of type `mode`.
fn drawn(mode: u32, component: u32, indices: &[u32]) -> World {
    let size = match component {
        5121 => 1,
        5123 => 2,
        _ => 4,
    };
    let bytes: Vec<u8> =
        indices.iter().flat_map(|index| index.to_le_bytes()[..size].to_vec()).collect();
    let mut json = triangle();
    json["meshes"][0]["primitives"][0]["mode"] = mode.into();
    json["accessors"][1]["componentType"] = component.into();
    json["accessors"][1]["count"] = indices.len().into();
    json["bufferViews"][1]["byteLength"] = bytes.len().into();
    json["buffers"][0]["byteLength"] = (60 + bytes.len()).into();
    load_gltf(glb(&json, &[floats(&CORNERS), bytes].concat())).unwrap()
}

#[test]
fn indices_of_one_two_and_four_bytes_mean_the_same() {
    for component in [5121, 5123, 5125] {
        let world = drawn(4, component, &[0, 1, 2, 0, 2, 4]);
        assert_eq!(triangles(&world), wanted(&[[0, 1, 2], [0, 2, 4]]), "{component}");
    }
}

#[test]
fn strips_turn_every_other_triangle_and_fans_share_the_first_corner() {
    let strip = drawn(5, 5121, &[0, 1, 3, 2, 4]);
    assert_eq!(triangles(&strip), wanted(&[[0, 1, 3], [1, 2, 3], [3, 2, 4]]));
    let fan = drawn(6, 5123, &[0, 1, 2, 3, 4]);
    assert_eq!(triangles(&fan), wanted(&[[1, 2, 0], [2, 3, 0], [3, 4, 0]]));
}

#[test]
fn without_indices_vertices_come_in_order() {
    let world = changed(|json| {
        json["meshes"][0]["primitives"][0].as_object_mut().unwrap().remove("indices");
        json["accessors"][0]["count"] = 3.into();
    });
    assert_eq!(triangles(&world.unwrap()), wanted(&[[0, 1, 2]]));
}

#[test]
fn points_and_lines_are_passed_over() {
    let world = changed(|json| {
        let of_mode =
            |mode: u32| json!({ "attributes": { "POSITION": 0 }, "indices": 1, "mode": mode });
        json["meshes"][0]["primitives"] = [0, 1, 2, 3, 4].map(of_mode).to_vec().into();
    });
    assert_eq!(triangles(&world.unwrap()), wanted(&[[0, 1, 2]]));
}

#[test]
fn interleaved_vertices_are_read_by_their_stride() {
    // Position and normal side by side, the last normal missing.
    let bytes: Vec<f32> =
        CORNERS.chunks(3).flat_map(|position| [position, &[9.0; 3]].concat()).collect();
    let mut json = triangle();
    json["bufferViews"][0]["byteStride"] = 24.into();
    json["bufferViews"][0]["byteLength"] = 108.into();
    json["bufferViews"][1]["byteOffset"] = 108.into();
    json["buffers"][0]["byteLength"] = 111.into();
    let world = load_gltf(glb(&json, &[floats(&bytes[..27]), vec![0, 2, 4]].concat())).unwrap();
    assert_eq!(triangles(&world), wanted(&[[0, 2, 4]]));
}

#[test]
fn sparse_positions_replace_what_they_name() {
    let mut json = triangle();
    json["accessors"][0]["sparse"] = json!({
        "count": 1,
        "indices": { "bufferView": 1, "byteOffset": 1, "componentType": 5121 },
        "values": { "bufferView": 0, "byteOffset": 48 },
    });
    // Corner 1 is where corner 4 was.
    let world = load_gltf(glb(&json, &triangle_bytes())).unwrap();
    assert_eq!(triangles(&world), wanted(&[[0, 4, 2]]));
    json["accessors"][0].as_object_mut().unwrap().remove("bufferView");
    let world = load_gltf(glb(&json, &triangle_bytes())).unwrap();
    assert_eq!(triangles(&world), [[Vec3::ZERO, corner(4), Vec3::ZERO]]);
}

#[test]
fn quantised_positions_are_numbers_or_parts_of_one() {
    let quantised = |component: u32, normalized: bool, bytes: &[u8]| {
        let mut json = triangle();
        let size = bytes.len() / 9;
        json["extensionsRequired"] = json!(["KHR_mesh_quantization", "KHR_materials_unlit"]);
        json["accessors"][0]["componentType"] = component.into();
        json["accessors"][0]["normalized"] = normalized.into();
        json["accessors"][0]["count"] = 3.into();
        json["bufferViews"][0]["byteLength"] = (9 * size).into();
        json["bufferViews"][1]["byteOffset"] = (9 * size).into();
        json["buffers"][0]["byteLength"] = (9 * size + 3).into();
        triangles(&load_gltf(glb(&json, &[bytes, &[0, 1, 2]].concat())).unwrap())
    };
    let wanted = |a, b| vec![[Vec3::ZERO, vec3(a, 0.0, 0.0), vec3(0.0, 0.0, b)]];
    let signed = [0, 0, 0, 127, 0, 0, 0, 0x80, 0];
    assert_eq!(quantised(5120, false, &signed), wanted(127.0, -128.0));
    assert_eq!(quantised(5120, true, &signed), wanted(1.0, -1.0));
    assert_eq!(quantised(5121, false, &[0, 0, 0, 200, 0, 0, 0, 255, 0]), wanted(200.0, 255.0));
    let words = |words: [i16; 9]| words.map(i16::to_le_bytes).concat();
    let signed = words([0, 0, 0, 32767, 0, 0, 0, -300, 0]);
    assert_eq!(quantised(5122, false, &signed), wanted(32767.0, -300.0));
    let unsigned = words([0, 0, 0, -1, 0, 0, 0, 300, 0]);
    assert_eq!(quantised(5123, false, &unsigned), wanted(65535.0, 300.0));
}

#[test]
fn materials_become_tags_and_double_sided_ones_flags_of_their_triangles() {
    let world = changed(|json| {
        json["materials"] =
            json!([{ "name": "stone" }, { "name": "cloth", "doubleSided": true }, {}]);
        let of = |m: u32| json!({ "attributes": { "POSITION": 0 }, "indices": 1, "material": m });
        json["meshes"][0]["primitives"] = json!([
            of(0),
            of(1),
            of(2),
            json!({
            "attributes": { "POSITION": 0 }, "indices": 1 })
        ]);
    });
    let world = world.unwrap();
    let [model] = world.models() else { panic!("one model for all materials") };
    let names: Vec<Option<&str>> = model.tags.iter().map(|&tag| world.names().tag(tag)).collect();
    assert_eq!(names, [Some("stone"), Some("cloth"), None, None]);
    assert_eq!(model.double_sided, [false, true, false, false]);
    // Four primitives share one list of vertices.
    assert_eq!(model.vertices.len(), 5);
    assert_eq!([world.names().body(0), world.names().body(1)], [Some("floor"), None]);

    // The cloth is met from both sides, stone from its front only: the triangle faces up.
    let mesh = model.mesh().unwrap();
    assert!(!mesh.is_double_sided());
    let sides: Vec<_> = (0..4).map(|i| mesh.is_triangle_double_sided(i).unwrap()).collect();
    assert_eq!(sides, model.double_sided);
    let scene = world.scene().unwrap();
    let ray = |from: f64| {
        let motion = Motion::new(DVec3::Z * -2.0 * from).unwrap();
        let ray = Ray::new(dvec3(3.0, 1.0, from), motion).unwrap();
        scene.ray(&ray, &Filter::default()).map(|hit| hit.target.tag)
    };
    assert_eq!((ray(1.0), ray(-1.0)), (Some(1), Some(2)));
}

#[test]
fn a_mesh_of_double_sided_materials_is_double_sided_as_a_whole() {
    let world = changed(|json| {
        json["materials"] = json!([{ "doubleSided": true }]);
        json["meshes"][0]["primitives"][0]["material"] = json!(0);
    });
    let world = world.unwrap();
    let mesh = world.models()[0].mesh().unwrap();
    assert!(mesh.is_double_sided());
    assert_eq!(mesh.double_sided_triangle_count(), mesh.triangle_count());
    let plain = changed(|_| ()).unwrap();
    assert_eq!(plain.models()[0].double_sided, [false; 0]);
    assert_eq!(plain.models()[0].mesh().unwrap().double_sided_triangle_count(), 0);
}

#[test]
fn only_the_default_scene_is_read_or_the_first_or_all_roots() {
    let placements = |default: Option<u32>, forget: &[&str]| {
        let world = changed(|json| {
            json["nodes"] = json!([{ "mesh": 0 }, { "mesh": 0, "children": [2] }, { "mesh": 0 }]);
            json["scenes"] = json!([{ "nodes": [0] }, { "nodes": [1] }]);
            json["scene"] = default.into();
            for what in forget {
                json.as_object_mut().unwrap().remove(*what);
            }
        });
        world.unwrap().placements().len()
    };
    assert_eq!(placements(Some(1), &[]), 2);
    assert_eq!(placements(None, &["scene"]), 1);
    assert_eq!(placements(None, &["scene", "scenes"]), 3);
}

#[test]
fn buffers_may_be_addresses_or_files_beside() {
    let folder = folder("buffers");
    std::fs::create_dir_all(folder.join("data")).unwrap();
    std::fs::write(folder.join("data/a b.bin"), triangle_bytes()).unwrap();
    let mut json = triangle();
    json["buffers"][0]["uri"] = "data/a%20b.bin".into();
    std::fs::write(folder.join("level.GLTF"), json.to_string()).unwrap();
    let world = load(folder.join("level.GLTF"), &LoadOptions::default()).unwrap();
    assert_eq!(triangles(&world), wanted(&[[0, 1, 2]]));

    // 0 0 0  4 0 0  4 0 -3 as base64, and no indices.
    let address =
        "data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAQAAAAAAAAAAAAACAQAAAAAAAAEDA";
    json["buffers"][0] = json!({ "byteLength": 36, "uri": address });
    json["bufferViews"][0]["byteLength"] = 36.into();
    json["accessors"][0]["count"] = 3.into();
    json["meshes"][0]["primitives"][0].as_object_mut().unwrap().remove("indices");
    let world = load_gltf(json.to_string().into_bytes()).unwrap();
    assert_eq!(triangles(&world), wanted(&[[0, 1, 2]]));
}
