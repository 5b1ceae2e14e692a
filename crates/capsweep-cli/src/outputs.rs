//! Whether files may be written where the command line says.

use anyhow::{Result, bail};
use std::path::{Path, PathBuf};

/// Refuses an output that would replace one of the files that are read, or another output.
///
/// It is called before anything is done.
pub(crate) fn check(inputs: &[&Path], outputs: &[&Path]) -> Result<()> {
    for (place, output) in outputs.iter().enumerate() {
        if inputs.iter().any(|input| are_same(input, output)) {
            let file = output.display();
            bail!("{file} is read by this command and would be replaced: write to another file");
        }
        if outputs[..place].iter().any(|other| are_same(other, output)) {
            bail!("{} is named for two outputs: give each a file of its own", output.display());
        }
    }
    Ok(())
}

/// Whether two paths name one regular file, by links and other ways too.
fn are_same(one: &Path, other: &Path) -> bool {
    match (real(one), real(other)) {
        (Some(one), Some(other)) => one == other || are_one_inode(&one, &other),
        _ => false,
    }
}

/// The path without links. `None` for what is no regular file: a device may be written to twice.
fn real(path: &Path) -> Option<PathBuf> {
    if let Ok(metadata) = path.metadata() {
        return metadata.is_file().then(|| path.canonicalize().ok()).flatten();
    }
    // It is not there yet, but its folder may be.
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    let folder = folder.unwrap_or(Path::new(".")).canonicalize().ok()?;
    Some(folder.join(path.file_name()?))
}

/// Hard links, and names that differ in case where case does not matter.
#[cfg(unix)]
fn are_one_inode(one: &Path, other: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    match (one.metadata(), other.metadata()) {
        (Ok(one), Ok(other)) => (one.dev(), one.ino()) == (other.dev(), other.ino()),
        _ => false,
    }
}

#[cfg(not(unix))]
fn are_one_inode(_: &Path, _: &Path) -> bool {
    false
}
