//! Tells the program whether `PhysX` was compiled with its assertions: `physx-sys` does so in a profile with debug
//! information or without optimisation, and then no time means anything.

fn main() {
    let set = |name: &str| std::env::var(name).unwrap_or_default();
    let checked = set("DEBUG") == "true" || set("OPT_LEVEL") == "0";
    println!("cargo::rustc-env=PEERS_PHYSX_CHECKED={checked}");
    println!("cargo::rerun-if-changed=build.rs");
}
