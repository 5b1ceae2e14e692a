//! Mutants with a name: changes that once passed unnoticed, each with the test that now fails.

use crate::list::{Genre, Mutant, Position, Span};
use anyhow::{Context, Result, ensure};
use serde::Deserialize;
use std::path::Path;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    mutant: Vec<Named>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Named {
    /// The rule that it breaks, as `docs/rules.md` numbers it.
    rule: String,
    /// The change in words.
    change: String,
    /// The source file, from the root of the workspace.
    file: String,
    /// An expression that stands once in the file.
    find: String,
    /// The expression that replaces it.
    replace: String,
    /// The test that must fail.
    test: String,
}

/// The mutants in a TOML file, and the tests that must catch them.
pub fn list(root: &Path, path: &Path) -> Result<Vec<(Mutant, Vec<String>)>> {
    let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
    let file: File = toml::from_str(&text).with_context(|| path.display().to_string())?;
    let mut mutants = Vec::new();
    for named in file.mutant {
        let source = std::fs::read_to_string(root.join(&named.file));
        let source = source.with_context(|| named.file.clone())?;
        let count = source.matches(&named.find).count();
        ensure!(count == 1, "`{}` stands {count} times in {}", named.find, named.file);
        let start = Position { line: 0, column: 0 };
        let mutant = Mutant {
            name: format!("{}:0:0: rule {}: {}", named.file, named.rule, named.change),
            file: named.file,
            genre: Genre::Named { find: named.find },
            replacement: named.replace,
            span: Span { start },
        };
        mutants.push((mutant, vec![named.test]));
    }
    Ok(mutants)
}

/// The source with a named mutant woven in.
pub fn weave(source: &str, number: u32, mutant: &Mutant) -> String {
    let Genre::Named { find } = &mutant.genre else { return source.to_owned() };
    let replace = &mutant.replacement;
    let active = format!("crate::mutant_switch::active({number})");
    let switch = format!("(match {active} {{ {number}u32 => {replace}, _ => {find} }})");
    source.replacen(find, &switch, 1)
}
