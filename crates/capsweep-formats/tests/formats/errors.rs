//! Messages of errors: complete, and free of repetition when a program prints the whole chain.

use crate::files::{changed, folder, load_obj};
use capsweep_formats::{LoadError, LoadOptions, Reason, open};
use serde_json::json;
use std::error::Error;

/// The messages of an error and of its sources, as programs print them.
fn chain(error: &dyn Error) -> Vec<String> {
    std::iter::successors(Some(error), |error| (*error).source())
        .map(ToString::to_string)
        .collect()
}

#[test]
fn an_error_has_a_complete_message_and_no_source_that_repeats_it() {
    let folder = folder("errors");
    let cut = folder.join("cut.capsweep");
    std::fs::write(&cut, b"capsweep").unwrap();
    let options = LoadOptions::default();
    let errors: [LoadError; 6] = [
        open("no/such.obj", &options).unwrap_err(),
        open("level.fbx", &options).unwrap_err(),
        open(&cut, &options).unwrap_err(),
        load_obj("f 1 2 3\n").unwrap_err(),
        load_obj("v 2e9 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").unwrap_err(),
        changed(|json| json["nodes"][0]["translation"] = json!([0, 0, 1e12])).unwrap_err(),
    ];
    for error in errors {
        let cause = match &error.reason {
            Reason::Io(error) => error.to_string(),
            Reason::SceneFile(error) => error.to_string(),
            Reason::Mesh(error) => error.to_string(),
            Reason::Pose(error) => error.to_string(),
            other => other.to_string(),
        };
        assert!(error.to_string().ends_with(&cause), "{error}: {cause}");
        assert_eq!(chain(&error), [error.to_string()]);
    }
}

#[test]
fn an_error_of_a_placement_has_its_cause_once() {
    // A translation within the range, with a mesh that reaches beyond it.
    let world = changed(|json| json["nodes"][0]["translation"] = json!([1e9, 0, 0])).unwrap();
    let error = world.scene().unwrap_err();
    assert!(error.to_string().starts_with("node \"floor\": "), "{error}");
    assert_eq!(chain(&error), [error.to_string()]);
}
