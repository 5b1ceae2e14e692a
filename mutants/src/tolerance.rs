//! Mutants of tolerances: each is ten times as large, or ten times as small.

use crate::list::{Genre, Mutant, Position, Span};
use anyhow::{Context, Result};
use std::path::Path;

/// Where the library defines its tolerances.
pub const FILE: &str = "crates/capsweep/src/tolerance.rs";

/// The claims of a documentation comment about the tests that it names, each with the factors
/// that must make a test fail.
const CLAIMS: [(&str, &[&str]); 3] = [
    ("Pinned by", &FACTORS),
    ("Pinned from above by", &[LARGER]),
    ("Pinned from below by", &[SMALLER]),
];
const LARGER: &str = "* 10.0";
const SMALLER: &str = "/ 10.0";
const FACTORS: [&str; 2] = [LARGER, SMALLER];

/// Two mutants for each constant in [`FILE`] whose documentation names tests, and these tests. The
/// last value says whether it claims that a test fails for this mutant.
pub fn list(root: &Path) -> Result<Vec<(Mutant, Vec<String>, bool)>> {
    let text = std::fs::read_to_string(root.join(FILE)).context(FILE)?;
    let mut mutants = Vec::new();
    for item in syn::parse_file(&text)?.items {
        let syn::Item::Const(item) = item else { continue };
        let start = item.ident.span().start();
        let start = Position { line: start.line, column: start.column + 1 };
        let text = documentation(&item.attrs);
        let tests = named_tests(&text);
        if tests.is_empty() {
            continue;
        }
        let claims = CLAIMS.iter().filter(|(claim, _)| text.contains(claim));
        let claimed: Vec<&str> = claims.flat_map(|(_, factors)| *factors).copied().collect();
        for factor in FACTORS {
            let mutant = Mutant {
                file: FILE.to_owned(),
                genre: Genre::Tolerance,
                name: format!("{FILE}:{}:{}: {} {factor}", start.line, start.column, item.ident),
                replacement: format!("{} {factor}", item.ident),
                span: Span { start },
            };
            mutants.push((mutant, tests.clone(), claimed.contains(&factor)));
        }
    }
    Ok(mutants)
}

/// A documentation comment in one line.
fn documentation(attributes: &[syn::Attribute]) -> String {
    let mut words = Vec::new();
    for attribute in attributes {
        if let syn::Meta::NameValue(pair) = &attribute.meta
            && let syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(line), .. }) = &pair.value
        {
            words.extend(line.value().split_whitespace().map(str::to_owned));
        }
    }
    words.join(" ")
}

/// The names of tests in a documentation comment: texts between backticks with three underscores.
fn named_tests(text: &str) -> Vec<String> {
    let is_name = |word: &&str| {
        word.matches('_').count() >= 3
            && word.chars().all(|c| c == '_' || c.is_ascii_alphanumeric())
    };
    text.split('`').filter(is_name).map(str::to_owned).collect()
}

/// The constant that a mutant changes.
pub fn constant(mutant: &Mutant) -> &str {
    mutant.replacement.split(' ').next().unwrap_or_default()
}
