//! Mutants of tolerances: each is ten times as large, or ten times as small.

use crate::list::{Genre, Mutant, Position, Span};
use anyhow::{Context, Result};
use std::path::Path;

/// Where the library defines its tolerances.
pub const FILE: &str = "crates/capsweep/src/tolerance.rs";

/// Two mutants for each constant in [`FILE`], and the tests that its documentation names.
pub fn list(root: &Path) -> Result<Vec<(Mutant, Vec<String>)>> {
    let text = std::fs::read_to_string(root.join(FILE)).context(FILE)?;
    let mut mutants = Vec::new();
    for item in syn::parse_file(&text)?.items {
        let syn::Item::Const(item) = item else { continue };
        let start = item.ident.span().start();
        let start = Position { line: start.line, column: start.column + 1 };
        let tests = named_tests(&item.attrs);
        for factor in ["* 10.0", "/ 10.0"] {
            let mutant = Mutant {
                file: FILE.to_owned(),
                genre: Genre::Tolerance,
                name: format!("{FILE}:{}:{}: {} {factor}", start.line, start.column, item.ident),
                replacement: format!("{} {factor}", item.ident),
                span: Span { start },
            };
            mutants.push((mutant, tests.clone()));
        }
    }
    Ok(mutants)
}

/// The names of tests in a documentation comment: texts between backticks with three underscores.
fn named_tests(attributes: &[syn::Attribute]) -> Vec<String> {
    let mut text = String::new();
    for attribute in attributes {
        if let syn::Meta::NameValue(pair) = &attribute.meta
            && let syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(line), .. }) = &pair.value
        {
            text.push_str(&line.value());
        }
    }
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
