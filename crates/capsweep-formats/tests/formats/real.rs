//! Real levels, where the environment variable `CAPSWEEP_MESHES` names a folder of them.

use capsweep_formats::{LoadOptions, load};

#[test]
fn every_real_level_loads_and_its_tree_is_sound() {
    let Some(folder) = std::env::var_os("CAPSWEEP_MESHES") else {
        eprintln!("skipped: CAPSWEEP_MESHES names no folder of meshes");
        return;
    };
    let mut read = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let Some("obj" | "glb" | "gltf") = path.extension().and_then(|e| e.to_str()) else {
            continue;
        };
        let world = load(&path, &LoadOptions::default()).unwrap_or_else(|error| panic!("{error}"));
        assert!(world.triangle_count() > 0);
        for model in world.models() {
            model.mesh().unwrap().validate().unwrap();
        }
        world.scene().unwrap();
        let (models, placements) = (world.models().len(), world.placements().len());
        let triangles = world.triangle_count();
        println!(
            "{}: {triangles} triangles, {models} models, {placements} placements",
            path.display()
        );
        read += 1;
    }
    assert!(read > 0, "the folder holds no meshes");
}
