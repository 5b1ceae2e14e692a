//! The check of every loader: any bytes give an error with a message, or a world that becomes a
//! sound scene.

use capsweep_formats::{Limits, LoadError, LoadOptions, Source, World};

/// Small limits, so that the fuzzer finds a large allocation instead of running out of memory.
const LIMITS: Limits =
    Limits { bytes: 1 << 20, triangles: 1 << 14, placements: 1 << 10, json_items: 1 << 16 };

/// Parses `bytes` and checks the result.
pub fn check(parse: fn(&Source, &LoadOptions) -> Result<World, LoadError>, bytes: Vec<u8>) {
    let options = LoadOptions { limits: LIMITS, ..LoadOptions::default() };
    match parse(&Source::from_bytes(bytes, "fuzz"), &options) {
        Err(error) => assert!(error.to_string().starts_with("fuzz: ")),
        Ok(world) => {
            assert!(world.triangle_count() > 0);
            for model in world.models() {
                assert_eq!(model.tags.len(), model.triangles.len());
                assert_eq!(model.mesh().expect("a model is a valid mesh").validate(), Ok(()));
            }
            let bodies = world.scene().expect("a world becomes a scene").bodies().count();
            assert_eq!(bodies, world.placements().len());
        }
    }
}
