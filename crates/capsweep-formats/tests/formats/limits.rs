//! Limits on files, and sizes that a file declares but does not have.

use crate::files::{changed, folder, glb, refused, triangle, triangle_bytes};
use capsweep_formats::{Limits, LoadError, LoadOptions, Source, World, gltf, load, obj};
use serde_json::{Value, json};

fn limited(limits: Limits, change: impl FnOnce(&mut Value)) -> Result<World, LoadError> {
    let mut json = triangle();
    change(&mut json);
    let source = Source::from_bytes(glb(&json, &triangle_bytes()), "test.glb");
    gltf::parse(&source, &LoadOptions { limits, ..LoadOptions::default() })
}

#[test]
fn counts_that_the_file_cannot_hold_are_refused_before_they_are_believed() {
    for count in [u64::from(u32::MAX), u64::MAX / 12, u64::MAX] {
        let message = refused(changed(|json| json["accessors"][0]["count"] = count.into()));
        assert!(message.contains("vertices are more than the limit"), "{message}");
        let message = refused(changed(|json| {
            json["accessors"][1]["count"] = count.into();
            json["meshes"][0]["primitives"][0]["mode"] = 5.into();
        }));
        assert!(message.contains("triangles are more than the limit"), "{message}");
    }
}

#[test]
fn sparse_accessors_without_data_are_no_longer_than_the_file() {
    let message = refused(changed(|json| {
        json["accessors"][0] = json!({
            "componentType": 5126, "type": "VEC3", "count": 60_000_000,
            "sparse": {
                "count": 1,
                "indices": { "bufferView": 1, "componentType": 5121 },
                "values": { "bufferView": 0 },
            },
        });
    }));
    assert!(
        message.contains("accessors[0]: 60000000 elements without data are more than"),
        "{message}"
    );
}

#[test]
fn triangles_are_counted_over_all_meshes_that_are_placed() {
    let many = |json: &mut Value| {
        let mesh = json["meshes"][0].clone();
        json["meshes"] = vec![mesh; 10].into();
        json["nodes"] = (0..10).map(|mesh| json!({ "mesh": mesh })).collect();
        json["scenes"][0]["nodes"] = (0..10).collect();
    };
    let limits = Limits { triangles: 17, ..Limits::default() };
    assert!(limited(limits, many).is_ok());
    let message = refused(limited(Limits { triangles: 9, ..limits }, many));
    assert!(message.contains("30 vertices are more than the limit of 27"), "{message}");
}

#[test]
fn shear_counts_as_another_mesh() {
    let sheared = |json: &mut Value| {
        json["nodes"] = json!([
            { "scale": [1, 3, 1], "children": [1] },
            { "mesh": 0, "rotation": [0, 0, 0.6, 0.8] },
        ]);
    };
    assert!(limited(Limits { triangles: 4, ..Limits::default() }, sheared).is_ok());
    let message = refused(limited(Limits { triangles: 3, ..Limits::default() }, sheared));
    assert!(message.contains("nodes[1]: 10 vertices are more than the limit of 9"), "{message}");
}

#[test]
fn placements_and_json_items_are_limited() {
    let copies = |json: &mut Value| {
        json["nodes"] = vec![json!({ "mesh": 0 }); 5].into();
        json["scenes"][0]["nodes"] = (0..5).collect();
    };
    assert!(limited(Limits { placements: 5, ..Limits::default() }, copies).is_ok());
    let message = refused(limited(Limits { placements: 4, ..Limits::default() }, copies));
    assert!(message.contains("nodes[4]: 5 placements are more than the limit of 4"), "{message}");
    let message = refused(limited(Limits { json_items: 9, ..Limits::default() }, |_| {}));
    assert!(message.contains("items of JSON are more than the limit of 9"), "{message}");
}

#[test]
fn an_obj_files_triangles_and_groups_are_limited() {
    let text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3 1 2\ng a\nf 1 2 3\n";
    let source = Source::from_bytes(text.into(), "test.obj");
    let with = |limits| obj::parse(&source, &LoadOptions { limits, ..LoadOptions::default() });
    assert!(with(Limits { triangles: 4, placements: 1, ..Limits::default() }).is_ok());
    let message = refused(with(Limits { triangles: 3, ..Limits::default() }));
    assert!(message.starts_with("test.obj: line 6: 4 triangles are more than"), "{message}");
    let message = refused(with(Limits { placements: 0, ..Limits::default() }));
    assert!(
        message.starts_with("test.obj: line 5: 1 changes of group or material are more"),
        "{message}"
    );
}

#[test]
fn files_are_measured_before_they_are_read_and_buffers_with_them() {
    let folder = folder("limits");
    let path = folder.join("level.gltf");
    let mut json = triangle();
    json["buffers"][0]["uri"] = "level.bin".into();
    let text = json.to_string();
    std::fs::write(&path, &text).unwrap();
    std::fs::write(folder.join("level.bin"), triangle_bytes()).unwrap();
    let bytes = (text.len() + 63) as u64;
    let with = |bytes: u64| {
        let limits = Limits { bytes, ..Limits::default() };
        load(&path, &LoadOptions { limits, ..LoadOptions::default() })
    };
    assert!(with(bytes).is_ok());
    let message = refused(with(bytes - 1));
    assert!(message.contains("buffers[0]: 63 bytes are more than the limit of 62"), "{message}");
    let message = refused(with(10));
    assert!(
        message.contains("bytes are more than the limit of 10; raise it if they are meant"),
        "{message}"
    );
}

#[test]
fn what_is_no_file_or_of_no_format_is_told() {
    let told = |path: &str| refused(load(path, &LoadOptions::default()));
    assert!(told("no/such.obj").starts_with("no/such.obj: "));
    assert_eq!(
        told("level.fbx"),
        "level.fbx: its name does not end in .obj, .gltf, .glb or .capsweep"
    );
    assert_eq!(told("level"), "level: its name does not end in .obj, .gltf, .glb or .capsweep");
    let folder = folder("limits/folder.obj");
    assert!(told(folder.to_str().unwrap()).ends_with("folder.obj: not a regular file"));
}
