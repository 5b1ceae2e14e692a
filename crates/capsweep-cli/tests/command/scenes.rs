//! Files that tests write for themselves.

use std::path::{Path, PathBuf};

/// A floor of wood and a wall of stone at x = 4, Y up: in the world the floor is at z = 0.
pub(crate) const ROOM: &str = "\
o floor
usemtl wood
v -4 0 4
v 4 0 4
v 4 0 -5
v -4 0 -5
f 1 2 3 4
o wall
usemtl stone
v 4 3 4
v 4 3 -5
f 2 5 6 3
";

/// A folder of this test's own.
pub(crate) fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("command").join(name);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

pub(crate) fn path(folder: &Path, name: &str) -> String {
    folder.join(name).to_str().unwrap().to_owned()
}

/// Writes a file; its path.
pub(crate) fn file(folder: &Path, name: &str, content: impl AsRef<[u8]>) -> String {
    std::fs::write(folder.join(name), content).unwrap();
    path(folder, name)
}
