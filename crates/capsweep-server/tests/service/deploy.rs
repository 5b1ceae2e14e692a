//! The systemd unit is sound.

use crate::process::{Folder, has_tool, repository};
use std::fs;
use std::process::Command;

#[test]
fn systemd_accepts_the_unit() {
    if !has_tool("systemd-analyze", &["--version"]) {
        return;
    }
    let folder = Folder::new();
    let unit = fs::read_to_string(repository().join("deploy/capsweep-server.service")).unwrap();
    // The binary is not installed here: the unit names the one that was built.
    let installed = "/usr/local/bin/capsweep-server";
    assert!(unit.contains(installed));
    let unit = unit.replace(installed, env!("CARGO_BIN_EXE_capsweep-server"));
    let file = folder.file("capsweep-server.service");
    fs::write(&file, unit).unwrap();
    let output = Command::new("systemd-analyze").arg("verify").arg(&file).output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{text}");
    // Warnings do not fail the command.
    assert!(!text.contains("capsweep-server.service"), "{text}");
}
