//! Bytes as each message of the service: decoded, converted, answered, and read by a client.
//!
//! The first byte says which message, and whether the rest is the message itself or changes of a
//! valid one.

#![no_main]

#[path = "../../crates/capsweep-proto/tests/messages/exercise.rs"]
mod exercise;
mod patches;

use capsweep::scene::Scene;
use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;

static SCENE: LazyLock<Scene> = LazyLock::new(exercise::scene);
static SEEDS: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| exercise::seeds(&SCENE));

fuzz_target!(|input: &[u8]| {
    let Some((&choice, rest)) = input.split_first() else { return };
    let kind = usize::from(choice >> 2) % SEEDS.len();
    let mut message = if choice & 1 == 0 {
        let mut message = SEEDS[kind].clone();
        patches::apply(&mut message, rest);
        message
    } else {
        rest.to_vec()
    };
    if choice & 2 == 0 {
        message = exercise::seal(&message);
    }
    let _ = exercise::run(kind, &message, &SCENE);
    exercise::read_answers(&message);
});
