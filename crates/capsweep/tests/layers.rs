//! The layers of the library: each module uses only layers before it. `ARCHITECTURE.md` lists the
//! same order.
#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a helper of a test that cannot go on must stop the test"
)]

#[path = "common/files.rs"]
mod files;

use files::files_below;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// From the bottom up. `root` stands for the files beside `lib.rs`.
const LAYERS: [&str; 15] = [
    "root",
    "math",
    "shape",
    "kernel",
    "pair",
    "bvh",
    "mesh",
    "scene",
    "cull",
    "traverse",
    "query",
    "cache",
    "controller",
    "persist",
    "validate",
];

/// The most files that a folder may have.
const FOLDER: usize = 19;

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// Every source file except tests.
fn source_files() -> Vec<PathBuf> {
    let mut files = files_below(&source(), |_| false);
    files.retain(|path| !path.file_stem().unwrap().to_string_lossy().ends_with("tests"));
    files
}

/// The code of a file: no comments, and nothing after the first module of tests.
fn code(text: &str) -> String {
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or(text);
    let line = |line: &str| line.split("//").next().unwrap_or("").to_owned() + "\n";
    text.lines().map(line).collect()
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The paths that follow `prefix` in `code`, braces resolved: `a::{b, c::D}` is `a::b` and
/// `a::c::D`.
fn paths_after(prefix: &str, code: &str) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    for (at, _) in code.match_indices(prefix) {
        let before = code[..at].chars().next_back();
        if before.is_none_or(|c| !is_word(c) && c != ':') {
            read_path(&mut code[at + prefix.len()..].chars().peekable(), &[], &mut found);
        }
    }
    found
}

fn read_path(
    text: &mut std::iter::Peekable<std::str::Chars>,
    before: &[String],
    found: &mut Vec<Vec<String>>,
) {
    let mut path = before.to_vec();
    loop {
        while text.next_if(|c| c.is_whitespace()).is_some() {}
        if text.next_if_eq(&'{').is_some() {
            while text.peek().is_some_and(|&c| c != '}') {
                read_path(text, &path, found);
                while text.next_if(|&c| c == ',' || c.is_whitespace()).is_some() {}
            }
            text.next();
            return;
        }
        let mut word = String::new();
        while let Some(c) = text.next_if(|&c| is_word(c)) {
            word.push(c);
        }
        path.push(word);
        if text.next_if_eq(&':').is_none() || text.next_if_eq(&':').is_none() {
            // The rest of ` as name` within braces.
            while text.next_if(|&c| c == ' ' || is_word(c)).is_some() {}
            found.push(path);
            return;
        }
    }
}

/// For every name that `lib.rs` re-exports, the module that it comes from.
fn re_exports() -> BTreeMap<String, String> {
    let text = code(&fs::read_to_string(source().join("lib.rs")).unwrap());
    let paths = paths_after("pub use ", &text);
    paths.into_iter().map(|path| (path[path.len() - 1].clone(), path[0].clone())).collect()
}

/// The layer of a module; the root for one without a layer.
fn layer_of(module: &str) -> usize {
    LAYERS.iter().position(|layer| *layer == module).unwrap_or(0)
}

/// The layer that a path from the crate's root leads to.
fn layer_of_path(path: &[String], re_exports: &BTreeMap<String, String>) -> usize {
    let first = path[0].as_str();
    layer_of(re_exports.get(first).map_or(first, String::as_str))
}

/// The modules that a file lies in.
fn modules(file: &Path) -> Vec<String> {
    let below = file.strip_prefix(source()).unwrap().with_extension("");
    let mut modules: Vec<String> =
        below.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    if modules.last().is_some_and(|last| last == "mod") {
        modules.pop();
    }
    modules
}

/// The layer that a file belongs to.
fn own_layer(file: &Path) -> usize {
    let modules = modules(file);
    if modules.len() > 1 || file.ends_with("mod.rs") { layer_of(&modules[0]) } else { 0 }
}

/// Every path of a file to another module of the crate, from the crate's root.
fn paths(file: &Path, text: &str) -> Vec<Vec<String>> {
    let text = code(text);
    let mut paths = paths_after("crate::", &text);
    let modules = modules(file);
    for path in paths_after("super::", &text) {
        let ups = path.iter().take_while(|part| *part == "super").count();
        // Modules inside the file, such as tests, may go up once more than the file itself.
        let keep = modules.len().saturating_sub(1 + ups);
        let rest = path[ups..].iter().cloned();
        paths.push(modules[..keep].iter().cloned().chain(rest).collect());
    }
    paths
}

/// Paths that point to a later layer, as `file: path`.
fn backward(file: &Path, text: &str, re_exports: &BTreeMap<String, String>) -> Vec<String> {
    let own = own_layer(file);
    let paths = paths(file, text).into_iter().filter(|path| !path.is_empty());
    let later = paths.filter(|path| layer_of_path(path, re_exports) > own);
    let name = file.strip_prefix(source()).unwrap().display().to_string();
    later.map(|path| format!("{name}: {}", path.join("::"))).collect()
}

#[test]
fn no_module_knows_a_later_layer() {
    let (all, re_exports) = (source_files(), re_exports());
    assert!(all.len() > 100 && re_exports.len() > 30, "the library was not found");
    let arrows: Vec<String> = all
        .iter()
        .filter(|file| !file.ends_with("src/lib.rs"))
        .flat_map(|file| backward(file, &fs::read_to_string(file).unwrap(), &re_exports))
        .collect();
    assert!(arrows.is_empty(), "these point to a later layer: {arrows:#?}");
}

#[test]
fn every_folder_is_a_layer_and_none_is_crowded() {
    for entry in fs::read_dir(source()).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            assert!(LAYERS.contains(&name.as_str()), "{name} is in no layer");
        }
    }
    let all = source_files();
    let mut folders = BTreeMap::<&Path, usize>::new();
    for file in &all {
        *folders.entry(file.parent().unwrap()).or_default() += 1;
    }
    let crowded: Vec<_> = folders.iter().filter(|(_, count)| **count > FOLDER).collect();
    assert!(crowded.is_empty(), "more than {FOLDER} files: {crowded:?}");
}

#[test]
fn the_picture_of_the_layers_names_them_in_this_order() {
    let picture = fs::read_to_string(source().join("../../../ARCHITECTURE.md")).unwrap();
    let mut rest = picture.as_str();
    for layer in LAYERS {
        let line = format!("\n{layer} ");
        let at = rest.find(&line);
        assert!(at.is_some(), "ARCHITECTURE.md has no line for {layer}, or not in this order");
        rest = &rest[at.unwrap_or(0) + 1..];
    }
}

#[test]
fn the_checker_finds_arrows_of_every_kind() {
    let names = re_exports();
    let file = source().join("mesh/packet.rs");
    for (text, arrows) in [
        ("use crate::query::sweep::Query;", 1),
        ("use crate::{Aabb, query::batch};", 1),
        ("fn f() { let x = crate::controller::Controller::new(); }", 1),
        ("use super::super::cache::TriangleCache;", 1),
        ("use crate::{\n    Capsule, scene::{Scene, store},\n};", 2),
        ("use super::edges::EdgeKind;\nuse crate::bvh::Bvh;\nuse crate::Triangle;", 0),
        ("// crate::controller::Controller\nuse crate::tolerance::DEGENERATE_RATIO;", 0),
        ("#[cfg(test)]\nmod tests {\n    use crate::scene::Scene;\n}", 0),
    ] {
        assert_eq!(backward(&file, text, &names).len(), arrows, "{text}");
    }
}

/// The names after `keyword` in `code`.
fn names_after<'a>(keyword: &str, code: &'a str) -> impl Iterator<Item = &'a str> {
    let rests = code.split(keyword).skip(1);
    rests.map(|rest| &rest[..rest.find(|c| !is_word(c)).unwrap_or(rest.len())])
}

/// The inherent `impl` blocks of a file: the type, and the code of the block. rustfmt puts `impl`
/// and the closing brace at the start of a line.
fn inherent_impls(code: &str) -> impl Iterator<Item = (&str, &str)> {
    let blocks = code.split("\nimpl").skip(1).filter_map(|block| block.split("\n}").next());
    blocks.filter_map(|block| {
        let (head, body) = block.split_once('{')?;
        let of = head
            .strip_prefix('<')
            .map_or(Some(head), |rest| rest.find("> ").map(|at| &rest[at..]));
        (!head.contains(" for ")).then_some((names_after(" ", of?).next()?, body))
    })
}

/// Methods that a layer adds to a type of an earlier layer, and that an earlier layer calls.
///
/// `query` may add methods to `Scene`. But a file of `scene` that calls one knows `query`, and no
/// path shows it. A name that an earlier layer defines too is not checked.
fn backward_calls(files: &[(usize, String)]) -> Vec<String> {
    let layers_with = |keyword: &'static str, name: &str| -> Vec<usize> {
        let has = |code: &str| names_after(keyword, code).any(|found| found == name);
        files.iter().filter(|(_, code)| has(code)).map(|(layer, _)| *layer).collect()
    };
    let mut calls = Vec::new();
    for (layer, code) in files {
        for (name, block) in inherent_impls(code) {
            if ["struct ", "enum "]
                .iter()
                .any(|keyword| layers_with(keyword, name).contains(layer))
            {
                continue;
            }
            let is_new = |method: &&str| layers_with("fn ", method).iter().min() == Some(layer);
            for method in names_after("fn ", block).filter(is_new) {
                if layers_with(".", method).iter().any(|caller| caller < layer) {
                    calls.push(format!("{name}::{method} of {}", LAYERS[*layer]));
                }
            }
        }
    }
    calls
}

#[test]
fn no_layer_calls_a_method_that_a_later_layer_adds() {
    let mut all = source_files();
    all.retain(|file| !file.ends_with("src/lib.rs"));
    let read = |file: &PathBuf| (own_layer(file), code(&fs::read_to_string(file).unwrap()));
    let all: Vec<_> = all.iter().map(read).collect();
    let calls = backward_calls(&all);
    assert!(calls.is_empty(), "an earlier layer calls these: {calls:#?}");
}

#[test]
fn the_checker_finds_calls_of_added_methods() {
    let at = |layer: &str, code: &str| (layer_of(layer), format!("\n{code}\n"));
    let scene = "struct Scene;\nfn f(s: &Scene) {\n    s.CALL();\n}";
    let added = "impl Scene {\n    fn sweep(&self) {}\n}";
    let own = "struct Own;\nimpl<'a> Own<'a> {\n    fn own(&self) {}\n}";
    for (call, count) in [("sweep", 1), ("own", 0), ("other", 0)] {
        let files =
            [at("scene", &scene.replace("CALL", call)), at("query", added), at("query", own)];
        assert_eq!(backward_calls(&files).len(), count, "{call}");
    }
}
