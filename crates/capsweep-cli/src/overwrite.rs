//! Refuses outputs that would overwrite an input or another output.

use anyhow::{Result, bail};
use std::path::{Path, PathBuf};

/// Fails if an output is one of the inputs, or if two outputs are one file.
///
/// Commands call this before they do any work.
pub(crate) fn check(inputs: &[&Path], outputs: &[&Path]) -> Result<()> {
    for (index, output) in outputs.iter().enumerate() {
        if inputs.iter().any(|input| are_same(input, output)) {
            let file = output.display();
            bail!("{file} is read by this command and would be replaced: write to another file");
        }
        if outputs[..index].iter().any(|other| are_same(other, output)) {
            bail!("{} is named for two outputs: give each a file of its own", output.display());
        }
    }
    Ok(())
}

/// Whether two paths name the same regular file, links included.
fn are_same(one: &Path, other: &Path) -> bool {
    match (resolved(one), resolved(other)) {
        (Some(one), Some(other)) => one == other || share_inode(&one, &other),
        _ => false,
    }
}

/// The path with links resolved. `None` if it is no regular file: writing twice to a device is
/// fine.
fn resolved(path: &Path) -> Option<PathBuf> {
    if let Ok(metadata) = path.metadata() {
        return metadata.is_file().then(|| path.canonicalize().ok()).flatten();
    }
    // The file does not exist yet, but its folder may.
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    let folder = folder.unwrap_or(Path::new(".")).canonicalize().ok()?;
    Some(folder.join(path.file_name()?))
}

/// Detects hard links, and names that differ only in case on file systems that ignore case.
#[cfg(unix)]
fn share_inode(one: &Path, other: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    match (one.metadata(), other.metadata()) {
        (Ok(one), Ok(other)) => (one.dev(), one.ino()) == (other.dev(), other.ino()),
        _ => false,
    }
}

#[cfg(not(unix))]
fn share_inode(_: &Path, _: &Path) -> bool {
    false
}
