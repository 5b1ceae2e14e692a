//! Checks `docs/rules.md`: every rule has a row, and every public name, file and test that a row
//! names exists.

use std::fs;
use std::path::{Path, PathBuf};

/// Every numbered rule and pitfall, as the first column spells it.
const RULES: [&str; 52] = [
    "1.1", "1.2", "1.3", "2.1", "2.2", "2.3", "3.1", "3.2", "3.3", "4.1", "4.2", "4.3", "4.4",
    "5.1", "5.2", "5.3", "6.1", "6.2", "6.3", "6.4", "7.1", "7.2", "7.3", "7.4", "8.1", "8.2",
    "9.1", "9.2", "10.1", "10.2", "10.3", "11.1", "11.2", "11.3", "12.1", "12.2", "12.3", "12.4",
    "12.5", "A.1", "A.2", "A.3", "A.4", "B.1", "B.2", "B.3", "B.4", "B.5", "B.6", "B.7", "B.8",
    "B.9",
];

struct Row<'a> {
    rule: &'a str,
    verdict: &'a str,
    names: &'a str,
    sources: &'a str,
    tests: &'a str,
}

impl<'a> Row<'a> {
    fn parse(line: &'a str) -> Result<Self, String> {
        let columns: Vec<&str> = line.split('|').map(str::trim).collect();
        let [_, rule, _words, verdict, names, sources, tests, ""] = columns[..] else {
            return Err(format!("not six columns: {line}"));
        };
        Ok(Self { rule, verdict, names, sources, tests })
    }

    fn defects(&self, root: &Path) -> Vec<String> {
        let mut defects = Vec::new();
        if !self.verdict.starts_with("followed") && !self.verdict.starts_with("corrected") {
            defects.push("says neither followed nor corrected".to_owned());
        }
        let (names, sources) = (quoted(self.names), quoted(self.sources));
        let tests = quoted(self.tests);
        if names.is_empty() || sources.is_empty() || tests.is_empty() {
            defects.push("does not name a public item, a source and a test".to_owned());
        }
        let listing = fs::read_to_string(root.join("docs/api/capsweep.txt")).unwrap_or_default();
        let unlisted = names.iter().filter(|name| !is_public(&listing, name));
        defects.extend(unlisted.map(|name| format!("{name} is not public")));
        let missing = sources.iter().filter(|source| !root.join(source).is_file());
        defects.extend(missing.map(|source| format!("source {source} does not exist")));
        defects.extend(tests.iter().filter_map(|test| test_defect(root, test).err()));
        defects
    }
}

/// The texts between backticks.
fn quoted(cell: &str) -> Vec<&str> {
    cell.split('`').skip(1).step_by(2).collect()
}

/// Whether the listing of the public API has an item with this path.
fn is_public(listing: &str, name: &str) -> bool {
    let path = format!("capsweep::{name}");
    listing.match_indices(&path).any(|(at, _)| {
        let after = listing[at + path.len()..].chars().next();
        after.is_none_or(|after| !after.is_alphanumeric() && after != '_')
    })
}

/// Whether `file::function` names a test.
fn test_defect(root: &Path, test: &str) -> Result<(), String> {
    let (file, function) = test.split_once("::").ok_or(format!("{test} is not file::function"))?;
    let text = fs::read_to_string(root.join(file)).map_err(|error| format!("{file}: {error}"))?;
    if has_test(&text, function) { Ok(()) } else { Err(format!("{test} is not a test")) }
}

/// Whether `text` has `#[test]` among the attributes and comments right above `fn name(`. The
/// tests inside `proptest!` carry the attribute too.
fn has_test(text: &str, name: &str) -> bool {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let start = format!("fn {name}(");
    lines.iter().enumerate().filter(|(_, line)| line.starts_with(&start)).any(|(at, _)| {
        let above = lines[..at].iter().rev();
        let mut attached = above.take_while(|l| l.starts_with("#[") || l.starts_with("//"));
        attached.any(|line| *line == "#[test]")
    })
}

/// All defects of the page.
fn defects(page: &str, root: &Path) -> Vec<String> {
    let mut defects = Vec::new();
    let mut rules = Vec::new();
    // Header and separator are the first two lines of the table.
    for line in page.lines().filter(|line| line.starts_with('|')).skip(2) {
        match Row::parse(line) {
            Ok(row) => {
                let prefix = format!("rule {}", row.rule);
                defects.extend(row.defects(root).into_iter().map(|d| format!("{prefix}: {d}")));
                rules.push(row.rule);
            }
            Err(defect) => defects.push(defect),
        }
    }
    if rules != RULES {
        let missing: Vec<_> = RULES.iter().filter(|rule| !rules.contains(rule)).collect();
        defects.push(format!("rows are not the rules, each once, in order; missing: {missing:?}"));
    }
    defects
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn every_rule_has_a_row_and_what_it_names_exists() {
    let page = fs::read_to_string(root().join("docs/rules.md")).unwrap();
    let defects = defects(&page, &root());
    assert!(defects.is_empty(), "docs/rules.md:\n{}", defects.join("\n"));
}

/// `mutants/named.toml` breaks rules, each by one change, and names the test that fails. The row
/// of the rule names that test.
#[test]
fn the_rows_name_the_tests_that_fail_when_their_rules_are_broken() {
    let page = fs::read_to_string(root().join("docs/rules.md")).unwrap();
    let mutants = fs::read_to_string(root().join("mutants/named.toml")).unwrap();
    let values = |field: &str| -> Vec<&str> {
        let start = format!("{field} = \"");
        let lines = mutants.lines().filter_map(|line| line.strip_prefix(&start));
        lines.filter_map(|rest| rest.strip_suffix('"')).collect()
    };
    let (rules, tests) = (values("rule"), values("test"));
    assert!(rules.len() == tests.len() && rules.len() > 30, "{rules:?}");
    for (rule, test) in rules.iter().zip(tests) {
        // A step of a rule, such as 3.3.2, is in the rule's row.
        let numbers: Vec<&str> = rule.split('.').take(2).collect();
        let start = format!("| {} |", numbers.join("."));
        let row = page.lines().find(|line| line.starts_with(&start)).unwrap_or_default();
        assert!(row.contains(&format!("::{test}`")), "rule {rule} does not name {test}");
    }
}

/// The checker finds each kind of mistake when it is made in one row of the true page.
#[test]
fn the_checker_rejects_rows_that_do_not_hold() {
    let page = fs::read_to_string(root().join("docs/rules.md")).unwrap();
    let row = page.lines().find(|line| line.starts_with("| 1.3 |")).unwrap();
    let source = "`crates/capsweep/src/shape/capsule.rs`";
    let test = "`crates/capsweep/tests/rules/main.rs::bounds_touch_the_capsule_on_all_six_sides`";
    let with_name = |name: &str, verdict: &str, source: &str, test: &str| {
        format!("| 1.3 | bounds | {verdict} | {name} | {source} | {test} |")
    };
    let name = "`Capsule::bounds`";
    let made = |verdict: &str, source: &str, test: &str| with_name(name, verdict, source, test);
    assert_eq!(found(&page, row, &made("followed", source, test)), [""; 0]);

    let no_file = made("followed", "`crates/capsweep/src/shape/cube.rs`", test);
    let no_function = test.replace("six", "seven");
    let helper = "`crates/capsweep/tests/rules/main.rs::assert_near`";
    let no_test_file = "`crates/capsweep/tests/nowhere.rs::a_test`";
    let cases = [
        (no_file, "source crates/capsweep/src/shape/cube.rs does not exist"),
        (made("followed", source, &no_function), "on_all_seven_sides is not a test"),
        (made("followed", source, helper), "assert_near is not a test"),
        (made("followed", source, no_test_file), "nowhere.rs: "),
        (made("followed", source, "`just words`"), "just words is not file::function"),
        (made("followed", source, "words"), "does not name a public item, a source and a test"),
        (made("followed", source, "not yet"), "does not name a public item, a source and a test"),
        (made("followed", "not yet", test), "does not name a public item, a source and a test"),
        (with_name("", "followed", source, test), "does not name a public item"),
        (with_name("`Capsule::bound`", "followed", source, test), "Capsule::bound is not public"),
        (with_name("`Sphere::axis`", "followed", source, test), "Sphere::axis is not public"),
        (made("ignored", source, test), "says neither followed nor corrected"),
        ("| 1.3 | bounds | followed |".to_owned(), "not six columns"),
        (String::new(), "missing: [\"1.3\"]"),
        (format!("{row}\n{row}"), "each once"),
    ];
    for (bogus, complaint) in cases {
        let found = found(&page, row, &bogus);
        assert!(found.iter().any(|defect| defect.contains(complaint)), "{bogus}: {found:?}");
    }
}

/// The defects of `page` once `row` reads `bogus`.
fn found(page: &str, row: &str, bogus: &str) -> Vec<String> {
    defects(&page.replace(row, bogus), &root())
}

#[test]
fn only_a_function_marked_as_a_test_is_one() {
    let text = "#[test]\n/// Doc.\nfn marked() {}\n\nfn helper() {}\n#[test]\n\nfn apart() {}\n\
                proptest! {\n    #[test]\n    fn property(x in 0..9) {}\n}\n// fn commented(\n";
    assert!(has_test(text, "marked") && has_test(text, "property"));
    for name in ["helper", "apart", "commented", "mark", "absent"] {
        assert!(!has_test(text, name), "{name}");
    }
}
