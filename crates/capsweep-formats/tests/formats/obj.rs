//! Faces, groups, materials and options of OBJ files.

use crate::files::{load_obj, world_triangles};
use capsweep_formats::{LoadOptions, Source, UpAxis, obj};
use glam::{DVec3, Vec3, dvec3, vec3};

const HOUSE: &str = "# a comment in any encoding: \u{e9}
mtllib missing.mtl
o floor
v 0 0 0
v 4 0 0
v 4 0 -3
v 0 0 -3
vt 0 0
vn 0 1 0
usemtl wood
s off
f 1/1/1 2/1/1 3/1/1 4/1/1
o wall
usemtl brick
v 0 2 -3
f -5//1 -1//1 -2
l 1 2
p 1
g
usemtl
f 1 2 3
";

#[test]
fn polygons_become_fans_and_y_up_becomes_z_up() {
    let world = load_obj(HOUSE).unwrap();
    let [model] = world.models() else { panic!("an OBJ file is one model") };
    assert_eq!(model.name, "test");
    let corners = |i: usize| model.triangles[i].map(|v| model.vertices[v as usize]);
    let [a, b, c, d] = [vec3(0., 0., 0.), vec3(4., 0., 0.), vec3(4., 3., 0.), vec3(0., 3., 0.)];
    assert_eq!([corners(0), corners(1)], [[a, b, c], [a, c, d]]);
    // Counted back from the fifth vertex: the first, the fifth and the fourth.
    assert_eq!(corners(2), [a, vec3(0., 3., 2.), d]);
    assert_eq!(model.triangles.len(), 4);
}

#[test]
fn groups_and_materials_become_tags_and_the_file_the_body() {
    let world = load_obj(HOUSE).unwrap();
    let names: Vec<_> = world.models()[0].tags.iter().map(|&tag| world.names().tag(tag)).collect();
    assert_eq!(names, [Some("floor/wood"), Some("floor/wood"), Some("wall/brick"), None]);
    assert_eq!(world.names().body(0), Some("test"));
    assert_eq!((world.names().body(1), world.names().tag(77)), (None, None));
}

#[test]
fn a_group_that_comes_again_has_its_tag_again() {
    let start = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    let text =
        start.to_owned() + &["a", "b", "a"].map(|m| format!("usemtl {m}\nf 1 2 3\n")).concat();
    assert_eq!(load_obj(&text).unwrap().models()[0].tags, [0, 1, 2, 1]);
}

#[test]
fn up_axis_and_unit_are_options() {
    let source =
        Source::from_bytes(b"v 100 200 300\nv 0 0 0\nv 0 100 0\nf 1 2 3\n".into(), "cm.obj");
    let options = LoadOptions { up: Some(UpAxis::Z), unit: Some(0.01), ..LoadOptions::default() };
    let world = obj::parse(&source, &options).unwrap();
    assert_eq!(world_triangles(&world)[0][0], dvec3(1.0, 2.0, 3.0));
    let y_up = LoadOptions { up: None, ..options };
    let world = obj::parse(&source, &y_up).unwrap();
    assert_eq!(world_triangles(&world)[0], [dvec3(1.0, -3.0, 2.0), DVec3::ZERO, DVec3::Z]);
}

#[test]
fn continued_lines_windows_line_ends_weights_and_colours_are_read() {
    let text = "v 2 4 6 2\r\nv 1 0 0 0.5 0.5 0.5\r\nv 0 \\\r\n1 0\r\nf 1 \\\n 2 3";
    let world = load_obj(text).unwrap();
    assert_eq!(
        world.models()[0].vertices,
        [vec3(1., -3., 2.), vec3(1., 0., 0.), vec3(0., 0., 1.)]
    );
}

#[test]
fn a_scene_of_it_answers_with_names() {
    use capsweep::scene::Filter;
    use capsweep::{Capsule, Motion};
    let world = load_obj(HOUSE).unwrap();
    let scene = world.scene().unwrap();
    let capsule = Capsule::from_feet(dvec3(3.0, 1.0, 1.0), DVec3::Z, 0.25, 1.5).unwrap();
    let fall = Motion::new(DVec3::NEG_Z * 3.0).unwrap();
    let hit = scene.sweep(&capsule, &fall, &Filter::default()).expect("the floor is below");
    assert!((hit.hit.distance - 1.0).abs() < 1e-9 && hit.hit.normal == Vec3::Z);
    assert_eq!(world.names().body(hit.target.key), Some("test"));
    assert_eq!(world.names().tag(hit.target.tag), Some("floor/wood"));
}
