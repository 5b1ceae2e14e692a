//! What every loader must do with any bytes: an error that reads well, or a world that makes a sound scene.

use capsweep_formats::{Limits, LoadError, LoadOptions, Source, World};

/// Small limits, so that a large allocation is a finding and not a crash of the fuzzer.
const LIMITS: Limits =
    Limits { bytes: 1 << 20, triangles: 1 << 14, placements: 1 << 10, json_items: 1 << 16 };

pub fn check(parse: fn(&Source, &LoadOptions) -> Result<World, LoadError>, bytes: Vec<u8>) {
    let options = LoadOptions { limits: LIMITS, ..LoadOptions::default() };
    match parse(&Source::from_bytes(bytes, "fuzz"), &options) {
        Err(error) => assert!(error.to_string().starts_with("fuzz: ")),
        Ok(world) => {
            assert!(world.triangle_count() > 0);
            for model in world.models() {
                assert_eq!(model.tags.len(), model.triangles.len());
                assert_eq!(model.mesh().expect("a model is a mesh").validate(), Ok(()));
            }
            let bodies = world.scene().expect("a world is a scene").bodies().count();
            assert_eq!(bodies, world.placements().len());
        }
    }
}
