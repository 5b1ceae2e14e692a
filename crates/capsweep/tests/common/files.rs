//! The files of a folder and of all folders below it.

use std::path::{Path, PathBuf};

/// Every file below `folder`, in any order. Does not enter folders whose name `skips` accepts.
pub(crate) fn files_below(folder: &Path, skips: impl Fn(&str) -> bool) -> Vec<PathBuf> {
    let mut folders = vec![folder.to_owned()];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let entry = entry.unwrap();
            if !entry.path().is_dir() {
                files.push(entry.path());
            } else if !skips(&entry.file_name().to_string_lossy()) {
                folders.push(entry.path());
            }
        }
    }
    files
}
