//! Checks the README's claims about the command, the manifest and the build.

use super::*;

fn page(name: &str) -> String {
    let path = format!("{}/../../{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).unwrap()
}

/// The lines of a section of a manifest.
fn section<'a>(manifest: &'a str, name: &str) -> Vec<&'a str> {
    let lines = manifest.lines().skip_while(|line| *line != format!("[{name}]")).skip(1);
    lines.take_while(|line| !line.starts_with('[')).collect()
}

#[test]
fn the_readme_names_the_version_of_glam_that_the_library_has() {
    let (readme, manifest) = (page("README.md"), page("Cargo.toml"));
    let dependencies = section(&manifest, "workspace.dependencies");
    let glam = dependencies.iter().find(|line| line.starts_with("glam = ")).unwrap();
    let (_, version) = glam.split_once("version = \"").unwrap();
    let (version, _) = version.split_once('"').unwrap();
    assert!(readme.contains(&format!("`glam = \"{version}\"`")), "glam is {version}");
    assert!(readme.contains(&format!("[glam](https://docs.rs/glam) {version},")));
    assert!(readme.contains("[dependencies]\ncapsweep = "));
}

#[test]
fn the_readme_says_how_many_of_the_legs_its_table_shows() {
    let readme = page("README.md");
    let (before, table) = readme.split_once("```text\nleg ").unwrap();
    let rows: Vec<&str> = table.split_once("```").unwrap().0.lines().skip(1).collect();
    let Output { stdout, .. } = run(&[&["walk"]]);
    let walk = text(&stdout);
    let legs = ask(&[&["walk"]]).0["legs"].as_array().unwrap().len();
    assert!(before.contains(&format!("Here are {} of its {legs} legs:", rows.len())));
    for row in rows {
        // Compares number and name of the leg; the README may round lengths differently.
        let words: Vec<&str> = row.split("  ").filter(|word| !word.is_empty()).collect();
        let name = format!("{}  {}", words[0].trim(), words[1]);
        assert!(walk.lines().any(|line| line.trim_start().starts_with(&name)), "{name}");
    }
}

#[test]
fn the_readmes_command_example_prints_what_it_shows() {
    let readme = page("README.md");
    let (_, example) = readme.split_once("```console\n$ capsweep sweep --feet").unwrap();
    let (example, _) = example.split_once("```").unwrap();
    let (words, shown) = example.split_once('\n').unwrap();
    let words: Vec<&str> = words.split_whitespace().collect();
    let Output { stdout, status, .. } = run(&[&["sweep", "--feet"], &words]);
    assert_eq!((text(&stdout), status.code()), (shown, Some(0)));
}

#[test]
fn the_installed_command_is_stripped_and_profiling_has_line_numbers() {
    let manifest = page("Cargo.toml");
    let release = section(&manifest, "profile.release");
    assert!(release.contains(&"strip = true"), "{release:?}");
    assert!(!release.iter().any(|line| line.starts_with("debug")), "{release:?}");
    let profiling = section(&manifest, "profile.profiling");
    for line in ["inherits = \"release\"", "debug = \"line-tables-only\"", "strip = \"none\""] {
        assert!(profiling.contains(&line), "{line} is not in {profiling:?}");
    }
    assert!(page("CONTRIBUTING.md").contains("cargo build --profile profiling"));
    // A release build is what people install. A symbol table would show in the names of an ELF
    // file's sections.
    let built = format!("{}/../../target/release/capsweep", env!("CARGO_MANIFEST_DIR"));
    let has = |bytes: &[u8], name: &[u8]| bytes.windows(name.len()).any(|part| part == name);
    match std::fs::read(built) {
        Ok(bytes) if bytes.starts_with(b"\x7fELF") => {
            assert!(has(&bytes, b"\0.shstrtab\0"), "no names of sections");
            assert!(!has(&bytes, b"\0.symtab\0"), "not stripped");
        }
        _ => eprintln!("skipped the symbol table: there is no release build"),
    }
}
