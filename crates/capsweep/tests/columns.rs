//! Lines of the workspace's source and docs end before column 100.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

#[path = "common/files.rs"]
mod files;

use files::files_below;
use std::path::{Path, PathBuf};

/// Most characters of a line.
const WIDTH: usize = 99;

/// Every Rust, Python and Markdown file of the workspace, without build output.
fn text_files(root: &Path) -> Vec<PathBuf> {
    let others = ["target", "corpus", "peers", "fuzz"];
    let mut files = files_below(root, |name| others.contains(&name) || name.starts_with('.'));
    let endings = ["rs", "md", "py", "pyi"].map(std::ffi::OsStr::new);
    files.retain(|path| path.extension().is_some_and(|ending| endings.contains(&ending)));
    files
}

/// Numbers of the lines that are too long. Tables, lines with a link, and code blocks of Markdown
/// files, which show output as it is, may be longer.
fn long_lines(text: &str, is_markdown: bool) -> Vec<usize> {
    let mut is_block = false;
    let mut long = Vec::new();
    for (index, line) in text.lines().enumerate() {
        if is_markdown && line.trim_start().starts_with("```") {
            is_block = !is_block;
        }
        let words = line.trim_start_matches(['/', '!', ' ']);
        let may_be_long = is_block || words.starts_with('|') || line.contains("://");
        if !may_be_long && line.chars().count() > WIDTH {
            long.push(index + 1);
        }
    }
    long
}

#[test]
fn lines_end_before_column_100() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap();
    let files = text_files(&root);
    assert!(files.len() > 300, "only {} files in {}", files.len(), root.display());
    let mut long = Vec::new();
    for path in files {
        let text = std::fs::read_to_string(&path).unwrap();
        let is_markdown = path.extension().is_some_and(|extension| extension == "md");
        let name = path.strip_prefix(&root).unwrap().display().to_string();
        long.extend(long_lines(&text, is_markdown).iter().map(|line| format!("{name}:{line}")));
    }
    assert!(long.is_empty(), "{} lines are too long:\n{}", long.len(), long.join("\n"));
}

#[test]
fn tables_links_and_blocks_may_be_longer() {
    let long = "x".repeat(WIDTH + 1);
    assert_eq!(long_lines(&format!("// {long}\n| {long}\n{}", "é".repeat(WIDTH)), false), [1]);
    assert_eq!(long_lines(&format!("```text\n{long}\n```\n{long}"), true), [4]);
    assert_eq!(long_lines(&format!("https://example.org/{long}"), true), Vec::<usize>::new());
}
