//! Generated worlds of game servers, and the maps that the command makes of them.

use super::*;
use crate::scenes::{folder, path};
use capsweep_testkit::continent::{Continent, ContinentOptions};
use capsweep_testkit::server_files::{Core, write_world};
use std::path::PathBuf;
use std::sync::OnceLock;

/// A continent with its folders of a server and its map file.
pub(crate) struct World {
    pub(crate) continent: Continent,
    /// Has the folders `maps` and `vmaps`.
    pub(crate) server: PathBuf,
    pub(crate) map: String,
}

/// Writes the folders of a server below the folder of a test.
pub(crate) fn server(name: &str, core: Core, continent: &Continent) -> PathBuf {
    let server = folder(name).join("server");
    // A former run may have left files.
    let _ = std::fs::remove_dir_all(&server);
    write_world(&server, core, continent).unwrap();
    server
}

/// The flags that name the folders of a server.
pub(crate) fn folders(server: &std::path::Path) -> [String; 4] {
    let [vmaps, maps] = ["vmaps", "maps"].map(|name| path(server, name));
    ["--vmaps".to_owned(), vmaps, "--maps".to_owned(), maps]
}

/// Imports map 1 into a file. Returns the output.
pub(crate) fn import(server: &std::path::Path, out: &str, more: &[&str]) -> Output {
    let flags = folders(server);
    let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
    run(&[&["import", "--map", "1", "-o", out], &flags, more])
}

/// A small continent of cmangos, imported once for all tests.
pub(crate) fn world() -> &'static World {
    static WORLD: OnceLock<World> = OnceLock::new();
    WORLD.get_or_init(|| {
        let continent = Continent::new(&ContinentOptions::SMALL);
        let server = server("world", Core::Cmangos, &continent);
        let map = path(&folder("world"), "kalimdor.capsweep");
        let output = import(&server, &map, &[]);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        World { continent, server, map }
    })
}

/// A position on the ground of the continent, as a flag's value.
pub(crate) fn start() -> String {
    let feet = world().continent.route.waypoints[0].feet;
    format!("{},{},{}", feet.x, feet.y, feet.z + 0.5)
}
