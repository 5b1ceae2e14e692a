//! The woven copy of the workspace, and its build.

use crate::list::{Genre, Mutant};
use crate::weave::{Numbered, add_switch, lines_of_variants, weave};
use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A copy of the workspace with all mutants woven in.
pub struct Tree {
    root: PathBuf,
    build: PathBuf,
    package: String,
    /// The woven mutants, each with the number of its place.
    pub sites: BTreeMap<u32, u32>,
    /// The mutants that do not compile.
    pub unviable: BTreeSet<u32>,
}

/// A test executable.
#[derive(Debug, Clone)]
pub struct Executable {
    pub name: String,
    pub path: PathBuf,
    /// The directory that its tests run in.
    pub directory: PathBuf,
    /// The start of the names of the tests that are run.
    pub prefix: String,
}

impl Tree {
    /// Copies the tracked files of the workspace at `source` to `work`, and weaves `mutants` in.
    /// Mutants that do not compile are left out again.
    pub fn weave(source: &Path, work: &Path, package: &str, mutants: &[Mutant]) -> Result<Self> {
        let mut tree = Self {
            root: work.join("tree"),
            build: work.join("build"),
            package: package.to_owned(),
            sites: BTreeMap::new(),
            unviable: BTreeSet::new(),
        };
        let known = work.join(format!("unviable-{package}-{:016x}", fingerprint(source, mutants)));
        if let Ok(numbers) = fs::read_to_string(&known) {
            tree.unviable.extend(numbers.lines().filter_map(|line| line.parse::<u32>().ok()));
        }
        loop {
            tree.write(source, mutants)?;
            let errors = tree.check()?;
            if errors.is_empty() {
                let numbers: Vec<_> = tree.unviable.iter().map(u32::to_string).collect();
                fs::write(known, numbers.join("\n"))?;
                return Ok(tree);
            }
            eprintln!("{} mutants do not compile", errors.len());
            tree.unviable.extend(errors);
        }
    }

    fn write(&mut self, source: &Path, mutants: &[Mutant]) -> Result<()> {
        let tracked = tracked_files(source)?;
        self.sites.clear();
        let mut files: BTreeMap<String, Vec<Numbered>> = BTreeMap::new();
        for (number, mutant) in (1..).zip(mutants) {
            if self.unviable.contains(&number) {
                continue;
            }
            if mutant.genre != Genre::Tolerance {
                files.entry(mutant.file.clone()).or_default().push((number, mutant));
                continue;
            }
            for file in &tracked {
                if file.starts_with("crates/capsweep/src/") && *file != mutant.file {
                    files.entry(file.clone()).or_default().push((number, mutant));
                }
            }
        }
        let library = format!("crates/{}/src/lib.rs", self.package);
        remove_others(&self.root, "crates", &tracked.iter().map(String::as_str).collect())?;
        for name in &tracked {
            let Ok(content) = fs::read(source.join(name)) else { continue };
            let (mutants, is_library) = (files.get(name), *name == library);
            if mutants.is_none() && !is_library {
                write_if_changed(&self.root.join(name), &content)?;
                continue;
            }
            let mut text = String::from_utf8(content).with_context(|| name.clone())?;
            if let Some(mutants) = mutants {
                let woven = weave(&text, mutants);
                let woven = woven.with_context(|| format!("cannot weave {name}"))?;
                self.sites.extend(woven.sites);
                text = woven.source;
            }
            if is_library {
                text = add_switch(&text)?;
            }
            write_if_changed(&self.root.join(name), text.as_bytes())?;
        }
        Ok(())
    }

    fn cargo(&self, arguments: &[&str]) -> Result<Vec<Value>> {
        let output = Command::new("cargo")
            .args(arguments)
            .args(["-p", &self.package, "--message-format=json"])
            .current_dir(&self.root)
            .env("CARGO_TARGET_DIR", &self.build)
            .stderr(Stdio::inherit())
            .output()
            .context("cannot run cargo")?;
        let lines = String::from_utf8_lossy(&output.stdout).into_owned();
        Ok(lines.lines().filter_map(|line| serde_json::from_str(line).ok()).collect())
    }

    /// The mutants in whose variants the compiler finds errors.
    fn check(&self) -> Result<BTreeSet<u32>> {
        let mut found = BTreeSet::new();
        let messages = self.cargo(&["check", "--lib"])?;
        for message in messages.iter().map(|message| &message["message"]) {
            if message["level"] != "error" {
                continue;
            }
            let spans = message["spans"].as_array().map_or(&[][..], Vec::as_slice);
            let numbers = spans.iter().filter(|span| span["is_primary"] == true);
            let numbers: Vec<u32> = numbers.flat_map(|span| self.variants_at(span)).collect();
            let is_summary = spans.is_empty();
            ensure!(
                is_summary || !numbers.is_empty(),
                "the woven tree does not compile outside of its variants:\n{}",
                message["rendered"].as_str().unwrap_or_default()
            );
            found.extend(numbers);
        }
        let succeeded = messages
            .iter()
            .any(|message| message["reason"] == "build-finished" && message["success"] == true);
        ensure!(succeeded || !found.is_empty(), "cannot build the woven tree");
        Ok(found)
    }

    /// The mutants whose variants hold the start of a compiler's span: the innermost.
    fn variants_at(&self, span: &Value) -> Vec<u32> {
        let line = span["line_start"].as_u64().and_then(|line| usize::try_from(line).ok());
        let file = span["file_name"].as_str().unwrap_or_default();
        let text = fs::read_to_string(self.root.join(file)).unwrap_or_default();
        let mut variants = lines_of_variants(&text).unwrap_or_default();
        variants.retain(|(_, lines)| line.is_some_and(|line| lines.contains(&line)));
        let length = |lines: &RangeInclusive<usize>| lines.end() - lines.start();
        let shortest = variants.iter().map(|(_, lines)| length(lines)).min();
        variants.retain(|(_, lines)| Some(length(lines)) == shortest);
        variants.into_iter().map(|(number, _)| number).collect()
    }

    /// Builds the tests with these names; `lib` is the library's own. A prefix of the names of
    /// single tests may follow, after a colon.
    pub fn build(&self, tests: &[String]) -> Result<Vec<Executable>> {
        let mut arguments = vec!["test", "--no-run"];
        let mut prefixes = BTreeMap::new();
        let library = self.package.replace('-', "_");
        for test in tests {
            let (target, prefix) = test.split_once(':').unwrap_or((test, ""));
            if target == "lib" {
                arguments.push("--lib");
                prefixes.insert(library.as_str(), prefix);
            } else {
                arguments.extend(["--test", target]);
                prefixes.insert(target, prefix);
            }
        }
        let messages = self.cargo(&arguments)?;
        let executables: Vec<_> = messages
            .iter()
            .filter(|message| message["profile"]["test"] == true)
            .filter_map(|message| {
                let manifest = Path::new(message["manifest_path"].as_str()?);
                let name = message["target"]["name"].as_str()?;
                Some(Executable {
                    name: name.to_owned(),
                    path: message["executable"].as_str()?.into(),
                    directory: manifest.parent()?.to_owned(),
                    prefix: (*prefixes.get(name)?).to_owned(),
                })
            })
            .collect();
        if executables.len() < tests.len() {
            bail!("cannot build the tests {tests:?} of {}", self.package);
        }
        Ok(executables)
    }
}

/// The files of the workspace, from its root: tracked ones, and new ones that are not ignored.
fn tracked_files(source: &Path) -> Result<Vec<String>> {
    let output = Command::new("git")
        .args(["ls-files", "--cached", "--others", "--exclude-standard", "-z"])
        .current_dir(source)
        .output()
        .context("cannot run git")?;
    ensure!(output.status.success(), "git cannot list the files of {}", source.display());
    let names = String::from_utf8(output.stdout)?;
    Ok(names.split_terminator('\0').map(str::to_owned).collect())
}

/// Writes a file, unless it has this content: then it keeps its time, and cargo does not build it
/// again.
fn write_if_changed(path: &Path, content: &[u8]) -> Result<()> {
    if fs::read(path).is_ok_and(|old| old == content) {
        return Ok(());
    }
    fs::create_dir_all(path.parent().context("a file has a directory")?)?;
    fs::write(path, content).with_context(|| path.display().to_string())
}

/// Removes the files of an earlier copy, at `name` below `root`, that are not `tracked` any more.
fn remove_others(root: &Path, name: &str, tracked: &BTreeSet<&str>) -> Result<()> {
    let path = root.join(name);
    if !path.is_dir() {
        if path.exists() && !tracked.contains(name) {
            fs::remove_file(&path).with_context(|| path.display().to_string())?;
        }
        return Ok(());
    }
    for entry in fs::read_dir(&path)? {
        let entry = entry?.file_name();
        let entry = entry.to_str().context("a file name that is no text")?;
        remove_others(root, &format!("{name}/{entry}"), tracked)?;
    }
    Ok(())
}

/// A number that changes with the mutants and with the text that they change.
fn fingerprint(source: &Path, mutants: &[Mutant]) -> u64 {
    let mut hasher = DefaultHasher::new();
    let mut files = BTreeSet::new();
    for mutant in mutants {
        (&mutant.name, &mutant.replacement).hash(&mut hasher);
        files.insert(&mutant.file);
    }
    for file in files {
        fs::read(source.join(file)).unwrap_or_default().hash(&mut hasher);
    }
    hasher.finish()
}
