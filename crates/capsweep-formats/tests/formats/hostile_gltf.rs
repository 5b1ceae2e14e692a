//! Damaged and malicious glTF files: every one gives an error with its location.

use crate::files::{changed, folder, glb, load_gltf, refused, triangle, triangle_bytes};
use capsweep_formats::{LoadOptions, load};
use serde_json::{Value, json};

fn told(change: impl FnOnce(&mut Value)) -> String {
    refused(changed(change))
}

#[test]
fn what_points_at_nothing_is_told_with_its_place() {
    let cases: [(&str, Value, &str); 12] = [
        ("/scene", 7.into(), "scenes[7]: there is no such scene"),
        ("/scenes/0/nodes/0", 9.into(), "nodes[9]: there is no such node"),
        ("/nodes/0/mesh", 3.into(), "meshes[3]: there is no such mesh"),
        ("/meshes/0/primitives/0/indices", 8.into(), "accessors[8]: there is no such accessor"),
        (
            "/meshes/0/primitives/0/attributes/POSITION",
            8.into(),
            "accessors[8]: there is no such accessor",
        ),
        ("/accessors/0/bufferView", 5.into(), "bufferViews[5]: there is no such buffer view"),
        ("/bufferViews/1/buffer", 5.into(), "bufferViews[1]: names a buffer that is not there"),
        (
            "/bufferViews/1/byteLength",
            99.into(),
            "bufferViews[1]: 99 bytes from 60 in a buffer of 64",
        ),
        (
            "/bufferViews/1/byteOffset",
            u64::MAX.into(),
            "bufferViews[1]: 3 bytes from 18446744073709551615 in a buffer of 64",
        ),
        (
            "/accessors/0/count",
            6.into(),
            "accessors[0]: 6 elements of 12 bytes from 0, 12 apart, in 60 bytes",
        ),
        (
            "/accessors/1/count",
            6.into(),
            "accessors[1]: 6 elements of 1 bytes from 0, 1 apart, in 3 bytes",
        ),
        ("/buffers/0/byteLength", 99.into(), "buffers[0]: says 99 bytes, but has 64"),
    ];
    for (pointer, value, reason) in cases {
        let message = told(|json| *json.pointer_mut(pointer).expect(pointer) = value);
        assert_eq!(message, format!("test.glb: {reason}"), "{pointer}");
    }
}

#[test]
fn wrong_types_and_counts_are_told_with_their_place() {
    let cases: [(&str, Value, &str); 9] = [
        ("/accessors/0/type", "VEC4".into(), "accessors[0]: has elements of type Vec4, not Vec3"),
        ("/accessors/0/componentType", 1.into(), "accessors[0]: has elements of an unknown type"),
        ("/accessors/1/componentType", 5126.into(), "accessors[1]: indices of type F32"),
        (
            "/accessors/1/type",
            "VEC3".into(),
            "accessors[1]: has elements of type Vec3, not Scalar",
        ),
        (
            "/accessors/1/count",
            2.into(),
            "meshes[0].primitives[0]: 2 corners are no whole number of triangles",
        ),
        (
            "/accessors/0/count",
            2.into(),
            "meshes[0].primitives[0]: triangle 0 names vertex 2, but there are 2",
        ),
        (
            "/nodes/0/scale",
            json!([1, 0, 1]),
            "nodes[0] \"floor\": scale.z is 0e0: its magnitude must be at least 1e-6",
        ),
        (
            "/nodes/0/rotation",
            json!([0, 0, 0, 0]),
            "nodes[0] \"floor\": a rotation of length 0: it must be 1",
        ),
        (
            "/nodes/0/translation",
            json!([0, 0, 1e12]),
            "nodes[0] \"floor\": position.y is -9.99999995904e11: \
             its magnitude must not exceed 1e9",
        ),
    ];
    for (pointer, value, reason) in cases {
        let message = told(|json| match json.pointer_mut(pointer) {
            Some(found) => *found = value,
            None => json["nodes"][0][&pointer[9..]] = value,
        });
        assert_eq!(message, format!("test.glb: {reason}"), "{pointer}");
    }
    let message = told(|json| json["meshes"][0]["primitives"][0]["mode"] = 9.into());
    assert!(message.contains("meshes[0].primitives[0]: is of an unknown mode"), "{message}");
    let message = told(|json| json["meshes"][0]["primitives"][0]["material"] = 3.into());
    assert_eq!(message, "test.glb: materials[3]: there is no such material");
    let message = told(|json| json["bufferViews"][0]["byteStride"] = 4.into());
    assert_eq!(message, "test.glb: accessors[0]: elements of 12 bytes lie 4 apart");
}

#[test]
fn numbers_that_are_not_finite_are_told() {
    let mut bytes = triangle_bytes();
    bytes[4..8].copy_from_slice(&f32::NAN.to_le_bytes());
    let message = refused(load_gltf(glb(&triangle(), &bytes)));
    assert!(message.contains("meshes[0].primitives[0]: vertex 0 is at [0, -0, NaN]"), "{message}");
    // Scales that multiply beyond all numbers.
    let message = told(|json| {
        json["nodes"] = (0..20)
            .map(|i| json!({ "scale": [1e38, 1e38, 1e38], "children": [i + 1] }))
            .chain([json!({ "mesh": 0 })])
            .collect();
    });
    assert!(message.contains("nodes[20]: ") && message.contains("finite"), "{message}");
}

#[test]
fn nodes_that_go_round_or_meet_again_are_refused() {
    let message = told(|json| json["nodes"][0]["children"] = json!([0]));
    assert_eq!(message, "test.glb: nodes[0] \"floor\": is reached by two ways");
    // Twice as many at each of 60 levels, if they were followed.
    let message = told(|json| {
        json["nodes"] = (0..60)
            .map(|i| json!({ "children": [i + 1, i + 1] }))
            .chain([json!({ "mesh": 0 })])
            .collect();
    });
    assert_eq!(message, "test.glb: nodes[60]: is reached by two ways");
}

#[test]
fn a_chain_of_a_hundred_thousand_nodes_does_not_end_the_stack() {
    let world = changed(|json| {
        json["nodes"] = (0..100_000)
            .map(|i| json!({ "children": [i + 1] }))
            .chain([json!({ "mesh": 0 })])
            .collect();
    });
    assert_eq!(world.unwrap().placements().len(), 1);
}

#[test]
fn a_file_cut_anywhere_is_an_error_and_never_a_panic() {
    let whole = glb(&triangle(), &triangle_bytes());
    for length in 0..whole.len() {
        let message = refused(load_gltf(whole[..length].to_vec()));
        assert!(message.starts_with("test.glb: "), "{length}: {message}");
    }
    let text = triangle().to_string();
    for length in 0..text.len() {
        assert!(load_gltf(text.as_bytes()[..length].to_vec()).is_err(), "{length}");
    }
}

#[test]
fn headers_that_lie_are_told() {
    let whole = glb(&triangle(), &triangle_bytes());
    let with = |at: usize, bytes: [u8; 4]| {
        let mut file = whole.clone();
        file[at..at + 4].copy_from_slice(&bytes);
        refused(load_gltf(file))
    };
    let says = |length: u32| {
        format!("test.glb: binary header: says {length} bytes, but the file has {}", whole.len())
    };
    for length in [0, 11, u32::MAX] {
        assert_eq!(with(8, length.to_le_bytes()), says(length));
    }
    assert!(with(4, [1, 0, 0, 0]).contains("binary container: unsupported version"));
    assert!(with(12, [255; 4]).contains("binary container: JSON chunk length exceeds"));
    assert!(with(16, *b"OOPS").contains("binary container: unknown chunk type"));
    assert!(with(20, *b"}{}{").contains("JSON, line 1, column 1"));
}

#[test]
fn extensions_that_may_change_triangles_are_refused_by_name() {
    let message = told(|json| {
        json["extensionsRequired"] =
            json!(["KHR_texture_transform", "KHR_draco_mesh_compression"]);
    });
    assert_eq!(
        message,
        "test.glb: extensionsRequired: \
         requires the extension KHR_draco_mesh_compression: export it without"
    );
}

#[test]
fn a_file_without_triangles_is_empty() {
    for change in [
        |json: &mut Value| json["scenes"][0]["nodes"] = json!([]),
        |json: &mut Value| json["meshes"][0]["primitives"] = json!([]),
        |json: &mut Value| json["meshes"][0]["primitives"][0]["attributes"] = json!({}),
        |json: &mut Value| json["accessors"][1]["count"] = 0.into(),
    ] {
        assert_eq!(told(change), "test.glb: there are no triangles in it");
    }
}

#[test]
fn buffers_outside_the_files_folder_are_refused() {
    let folder = folder("escape");
    std::fs::write(folder.join("../outside.bin"), triangle_bytes()).unwrap();
    let inside = folder.join("inside");
    std::fs::create_dir_all(&inside).unwrap();
    let path = inside.join("level.gltf");
    let refuse = |uri: &str| {
        let mut json = triangle();
        json["buffers"][0]["uri"] = uri.into();
        std::fs::write(&path, json.to_string()).unwrap();
        let message = refused(load(&path, &LoadOptions::default()));
        assert!(message.contains("buffers[0]: "), "{message}");
        message
    };
    for uri in ["../../outside.bin", "a/../../x", "/etc/hostname", "%2e%2e/%2E%2E/outside.bin"] {
        assert!(refuse(uri).contains("is not in the file's own folder"), "{uri}");
    }
    assert!(refuse("missing.bin").contains("\"missing.bin\": "));
    assert!(refuse("http://localhost/a.bin").contains("\"http://localhost/a.bin\": "));
    assert!(refuse(".").contains("not a regular file"));
    assert!(refuse("data:text/plain,abc").contains("a data address that is not base64"));
    assert!(refuse("data:x;base64,A").contains("its data address is not base64"));
    #[cfg(unix)]
    {
        let link = inside.join("link.bin");
        _ = std::fs::remove_file(&link);
        std::os::unix::fs::symlink("../../outside.bin", &link).unwrap();
        assert!(refuse("link.bin").contains("is not in the file's own folder"));
    }
}

#[test]
fn a_file_in_memory_reads_no_other_file() {
    let message = told(|json| json["buffers"][0]["uri"] = "level.bin".into());
    assert_eq!(message, "test.glb: buffers[0]: refers to another file, \"level.bin\"");
}

#[test]
fn only_version_2_of_the_format_is_read() {
    for version in ["2.0", "2.1", "2.17"] {
        changed(|json| json["asset"]["version"] = version.into()).expect(version);
    }
    for version in ["1.0", "3.0", "20.0", "0.2"] {
        let message = told(|json| json["asset"]["version"] = version.into());
        let reason = format!("{version:?}: only glTF 2.0 is read; export the file again");
        assert_eq!(message, format!("test.glb: asset.version: {reason}"));
    }
    for version in ["", "2", "2.", ".0", "two", "2.0.0", "+2.0", "2.-1", "2.0 ", "99999999999.0"] {
        let message = told(|json| json["asset"]["version"] = version.into());
        let reason = format!("{version:?} is no version number such as \"2.0\"");
        assert_eq!(message, format!("test.glb: asset.version: {reason}"));
    }
}

#[test]
fn a_file_that_needs_a_later_minor_version_is_refused() {
    for version in ["2.0", "1.0"] {
        changed(|json| json["asset"]["minVersion"] = version.into()).expect(version);
    }
    for version in ["2.1", "3.0", "new"] {
        let message = told(|json| {
            json["asset"] = json!({ "version": "2.1", "minVersion": version });
        });
        assert!(
            message.starts_with(&format!("test.glb: asset.minVersion: {version:?}")),
            "{message}"
        );
    }
}

/// What is said of a node with this matrix, by rows, and other properties.
fn told_of_matrix(rows: [[f64; 4]; 4], more: &Value) -> String {
    let columns: Vec<f64> = (0..16).map(|i| rows[i % 4][i / 4]).collect();
    told(|json| {
        let mut node = json!({ "mesh": 0, "name": "wall", "matrix": columns });
        for (key, value) in more.as_object().into_iter().flatten() {
            node[key] = value.clone();
        }
        json["nodes"] = json!([{ "children": [1] }, node]);
    })
}

const UNIT: [[f64; 4]; 4] =
    [[1., 0., 0., 5.], [0., 1., 0., 6.], [0., 0., 1., 7.], [0., 0., 0., 1.]];

#[test]
fn a_matrix_beside_another_transform_is_an_error_that_names_the_node() {
    for (key, value) in [
        ("translation", json!([1, 2, 3])),
        ("rotation", json!([0, 0, 0, 1])),
        ("scale", json!([1, 1, 1])),
    ] {
        let reason = format!("has a matrix and a {key}: only one of them may be there");
        let message = told_of_matrix(UNIT, &json!({ key: value }));
        assert_eq!(message, format!("test.glb: nodes[1] \"wall\": {reason}"));
    }
}

#[test]
fn a_projective_matrix_is_an_error_that_names_the_node() {
    for (column, value) in [(0, 0.1), (1, -2.0), (2, 1e-4), (3, 0.0), (3, 2.0), (3, -1.0)] {
        let mut rows = UNIT;
        rows[3][column] = value;
        let message = told_of_matrix(rows, &Value::Null);
        let wanted = "test.glb: nodes[1] \"wall\": the bottom row of its matrix is ";
        assert!(message.starts_with(wanted), "{message}");
    }
    // What rounding leaves is no projection.
    let nearly: Vec<f64> =
        vec![1., 0., 0., 1e-8, 0., 1., 0., 0., 0., 0., 1., 0., 5., 6., 7., 0.999_999_94];
    changed(|json| json["nodes"][0] = json!({ "mesh": 0, "matrix": nearly })).unwrap();
}

#[test]
fn a_matrix_that_flattens_its_mesh_is_an_error_that_names_the_node_and_the_rank() {
    let turn = glam::DMat3::from_quat(glam::DQuat::from_xyzw(0.5, -0.5, 0.1, 0.7).normalize());
    let flat =
        |x, y, z| turn * glam::DMat3::from_diagonal(glam::dvec3(x, y, z)) * turn.transpose();
    let line = glam::DMat3::from_cols(
        glam::dvec3(1., 2., 3.),
        glam::dvec3(-2., -4., -6.),
        glam::DVec3::ZERO,
    );
    for (linear, rank, onto) in [
        (
            glam::DMat3::from_cols(glam::DVec3::ONE, glam::DVec3::ONE, glam::DVec3::ONE),
            1,
            "onto a line",
        ),
        (line, 1, "onto a line"),
        (flat(0., 3., 0.), 1, "onto a line"),
        (flat(2., 3., 0.), 2, "into a plane"),
        (glam::DMat3::from_diagonal(glam::dvec3(1., 0., 1.)), 2, "into a plane"),
        (glam::DMat3::ZERO, 0, "to a point"),
    ] {
        let mut rows = UNIT;
        for (row, numbers) in rows.iter_mut().zip(linear.transpose().to_cols_array_2d()) {
            row[..3].copy_from_slice(&numbers.map(|number| f64::from(number as f32)));
        }
        let message = told_of_matrix(rows, &Value::Null);
        let reason = format!("flattens its mesh {onto} (its transform has rank {rank}, not 3)");
        assert!(
            message.starts_with(&format!("test.glb: nodes[1] \"wall\": {reason}")),
            "{linear}: {message}"
        );
    }
}

#[test]
fn a_node_that_flattens_what_is_below_it_is_named_and_so_is_what_it_flattens() {
    let nodes = json!([
        { "name": "root", "children": [1], "translation": [1, 2, 3] },
        { "name": "press", "scale": [1, 0, 1], "children": [2], "rotation": [0, 0.6, 0, 0.8] },
        { "name": "plate", "mesh": 0, "rotation": [0.6, 0, 0, 0.8] },
    ]);
    let message = told(|json| json["nodes"] = nodes.clone());
    let wanted =
        "test.glb: nodes[1] \"press\": flattens the mesh of nodes[2] \"plate\" into a plane";
    assert!(message.starts_with(wanted), "{message}");
    // Where there is no mesh below, nothing is flattened.
    let mut harmless = nodes;
    harmless[2] = json!({ "name": "camera" });
    harmless[0]["children"] = json!([1, 3]);
    harmless.as_array_mut().unwrap().push(json!({ "mesh": 0 }));
    changed(|json| json["nodes"] = harmless).unwrap();
}

#[test]
fn a_thin_or_sheared_mesh_is_not_flat() {
    for matrix in [
        json!([1, 0, 0, 0, 0.001, 0.001, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]),
        json!([1, 0, 0, 0, 0, 0.00001, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]),
        json!([1, 1, 0, 0, 1, 1.001, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]),
    ] {
        changed(|json| json["nodes"][0] = json!({ "mesh": 0, "matrix": matrix })).unwrap();
    }
}
