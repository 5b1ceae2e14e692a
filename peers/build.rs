//! Records whether `PhysX` was compiled with its assertions, and the version of rustc.
//!
//! `physx-sys` enables assertions in a profile with debug information or without optimisation.
//! Times are meaningless then.

use std::process::Command;

fn main() {
    let set = |name: &str| std::env::var(name).unwrap_or_default();
    let checked = set("DEBUG") == "true" || set("OPT_LEVEL") == "0";
    println!("cargo::rustc-env=PEERS_PHYSX_CHECKED={checked}");
    let version = Command::new(set("RUSTC")).arg("--version").output();
    let version = version.map_or_else(
        |_| "unknown".into(),
        |output| String::from_utf8_lossy(&output.stdout).into_owned(),
    );
    println!("cargo::rustc-env=PEERS_RUSTC={}", version.trim());
    println!("cargo::rerun-if-changed=build.rs");
}
