//! Runs the tests once without a mutant, then once for each mutant.

use crate::report::Fate;
use crate::tree::{Executable, Tree};
use anyhow::{Context, Result, ensure};
use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// One test, and what it did without a mutant.
pub struct Test {
    executable: usize,
    pub name: String,
    duration: Duration,
    /// The places that it reached.
    reached: BTreeSet<u32>,
}

/// The tests of a woven tree.
pub struct Suite {
    executables: Vec<Executable>,
    /// Short ones first.
    tests: Vec<Test>,
    /// Seconds.
    budget: f64,
    /// Test processes at a time.
    jobs: usize,
}

/// Hashes of many answers, inside the library: they would catch every mutant and name none.
const GOLDEN_TESTS: &str = "golden_tests::";

/// Address space of a test process, in KiB: a mutant may allocate without end.
const MEMORY_LIMIT: &str = "6000000";

/// Total time of the tests that run in one round, in seconds. A failure ends the mutant's run, so
/// short tests come first.
const ROUNDS: [f64; 4] = [0.3, 2.0, 10.0, f64::INFINITY];

impl Suite {
    /// Runs every test alone, without a mutant. A test that fails is left out, with a message. If
    /// every mutant has its `pins`, only these tests are run.
    pub fn measure(
        executables: Vec<Executable>,
        pins: &[Vec<String>],
        work: &Path,
        jobs: usize,
    ) -> Result<Self> {
        let all = pins.iter().any(Vec::is_empty);
        let is_pin =
            |name: &&str| all || pins.is_empty() || pins.iter().any(|p| may_catch(p, name));
        let mut names = Vec::new();
        for (index, executable) in executables.iter().enumerate() {
            let output = tests_in(executable)?;
            let tests = output.lines().filter_map(|line| line.strip_suffix(": test"));
            let tests = tests.filter(|name| {
                name.starts_with(&executable.prefix) && !name.starts_with(GOLDEN_TESTS)
            });
            names.extend(tests.filter(is_pin).map(|name| (index, name.to_owned())));
        }
        let tests = in_parallel(jobs, &names, |number, (executable, name)| {
            let record = work.join(format!("reached-{number}"));
            let _ = fs::remove_file(&record);
            let start = Instant::now();
            let mut command = command(&executables[*executable], &[name]);
            command.env("CAPSWEEP_MUTANT_RECORD", &record);
            let passed = command.output().is_ok_and(|output| output.status.success());
            let reached = fs::read_to_string(&record).unwrap_or_default();
            let _ = fs::remove_file(&record);
            passed.then(|| Test {
                executable: *executable,
                name: name.clone(),
                duration: start.elapsed(),
                reached: reached.lines().filter_map(|line| line.parse().ok()).collect(),
            })
        });
        for ((_, name), test) in names.iter().zip(&tests) {
            if test.is_none() {
                eprintln!("left out: {name} fails without a mutant");
            }
        }
        let mut tests: Vec<_> = tests.into_iter().flatten().collect();
        ensure!(!tests.is_empty(), "there are no tests");
        tests.sort_by_key(|test| test.duration);
        Ok(Self { executables, tests, budget: f64::INFINITY, jobs })
    }

    /// The same tests; a mutant is run against those that take `budget` seconds together.
    pub fn within(self, budget: f64) -> Self {
        Self { budget, ..self }
    }

    /// How many tests there are, and how long they take together.
    pub fn size(&self) -> (usize, Duration) {
        (self.tests.len(), self.tests.iter().map(|test| test.duration).sum())
    }

    /// Runs the tests that reach each of the mutants with these numbers. `pins` has the names of
    /// the tests that may catch each mutant; where it has none, any test may. `note` is told each
    /// fate as soon as it is known.
    pub fn judge(
        &self,
        tree: &Tree,
        numbers: &[u32],
        pins: &[Vec<String>],
        note: impl Fn(u32, &Fate) + Sync,
    ) -> Vec<Fate> {
        let done = AtomicUsize::new(0);
        in_parallel(self.jobs, numbers, |_, number| {
            let pins = pins.get(*number as usize - 1).map_or(&[][..], Vec::as_slice);
            let verdict = self.judge_one(*number, tree.sites[number], pins);
            note(*number, &verdict);
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            if done.is_multiple_of(50) {
                eprintln!("{done} of {} mutants", numbers.len());
            }
            verdict
        })
    }

    fn judge_one(&self, number: u32, site: u32, pins: &[String]) -> Fate {
        let reaching = self.tests.iter().filter(|test| test.reached.contains(&site));
        let mut tests: &[&Test] =
            &reaching.filter(|test| may_catch(pins, &test.name)).collect::<Vec<_>>();
        if tests.is_empty() {
            return Fate::Unreached;
        }
        tests = &tests[..count_within(tests, self.budget).max(1)];
        for limit in ROUNDS {
            let (round, rest) = tests.split_at(count_within(tests, limit));
            tests = rest;
            for (index, executable) in self.executables.iter().enumerate() {
                let of_executable = round.iter().filter(|test| test.executable == index);
                let of_executable: Vec<&Test> = of_executable.copied().collect();
                if let Some(test) = first_failure(executable, &of_executable, number) {
                    return Fate::Caught(format!("{}::{test}", executable.name));
                }
            }
        }
        Fate::Missed
    }
}

/// How many of the first `tests` take at most `limit` seconds together.
fn count_within(tests: &[&Test], limit: f64) -> usize {
    let mut total = 0.0;
    let within = tests.iter().take_while(|test| {
        total += test.duration.as_secs_f64();
        total <= limit
    });
    within.count()
}

/// Whether a test is one of the `pins` of a mutant, or the mutant has none.
fn may_catch(pins: &[String], test: &str) -> bool {
    let name = test.rsplit("::").next().unwrap_or_default();
    pins.is_empty() || pins.iter().any(|pin| pin == name)
}

/// The tests with these names of an executable, one after the other.
fn command(executable: &Executable, names: &[&str]) -> Command {
    let mut command = Command::new("sh");
    command
        .args(["-c", "ulimit -v $0; exec \"$@\"", MEMORY_LIMIT])
        .arg(&executable.path)
        .args(["--exact", "--test-threads=1"])
        .args(names)
        .current_dir(&executable.directory)
        .stdin(Stdio::null())
        .stderr(Stdio::null());
    command
}

/// The first of `tests` that fails, does not end, or ends the process.
fn first_failure(executable: &Executable, tests: &[&Test], number: u32) -> Option<String> {
    if tests.is_empty() {
        return None;
    }
    let names: Vec<&str> = tests.iter().map(|test| test.name.as_str()).collect();
    let expected: Duration = tests.iter().map(|test| test.duration).sum();
    let limit = expected * 10 + Duration::from_secs(5);
    let mut command = command(executable, &names);
    command.env("CAPSWEEP_MUTANT", number.to_string()).stdout(Stdio::piped());
    let Ok(mut child) = command.spawn() else { return Some("cannot start".into()) };
    let lines = child.stdout.take().map(BufReader::new);
    let child = Mutex::new(child);
    std::thread::scope(|scope| {
        let watchdog = scope.spawn(|| kill_after(&child, limit));
        let mut failure = None;
        for line in lines.into_iter().flat_map(BufRead::lines).map_while(Result::ok) {
            if let Some(name) =
                line.strip_prefix("test ").and_then(|l| l.strip_suffix(" ... FAILED"))
            {
                failure = Some(name.to_owned());
                if let Ok(mut child) = child.lock() {
                    let _ = child.kill();
                }
                break;
            }
        }
        let timed_out = watchdog.join().unwrap_or(false);
        let status = child.lock().ok().and_then(|mut child| child.wait().ok());
        let passed = status.is_some_and(|status| status.success());
        match failure {
            Some(name) => Some(name),
            None if timed_out => Some("no end within ten times the usual time".to_owned()),
            None if !passed => Some("the process died".to_owned()),
            None => None,
        }
    })
}

/// Kills the process if it runs longer than `limit`. Returns whether it did.
fn kill_after(child: &Mutex<Child>, limit: Duration) -> bool {
    let start = Instant::now();
    let mut pause = Duration::from_millis(2);
    while start.elapsed() < limit {
        let ended =
            child.lock().ok().is_none_or(|mut child| !matches!(child.try_wait(), Ok(None)));
        if ended {
            return false;
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(50));
    }
    if let Ok(mut child) = child.lock() {
        let _ = child.kill();
    }
    true
}

fn tests_in(executable: &Executable) -> Result<String> {
    let mut command = Command::new(&executable.path);
    let output = command.args(["--list", "--format=terse"]).output();
    let output = output.context("cannot run a test executable")?;
    Ok(String::from_utf8(output.stdout)?)
}

/// `work` on every item, on `jobs` threads; the results are in the order of the items.
fn in_parallel<T: Sync, R: Send>(
    jobs: usize,
    items: &[T],
    work: impl Fn(usize, &T) -> R + Sync,
) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let results: Vec<Mutex<Option<R>>> = items.iter().map(|_| Mutex::new(None)).collect();
    let work_on_next = || {
        let index = next.fetch_add(1, Ordering::Relaxed);
        let item = items.get(index)?;
        *results[index].lock().ok()? = Some(work(index, item));
        Some(())
    };
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| while work_on_next().is_some() {});
        }
    });
    results.into_iter().filter_map(|slot| slot.into_inner().ok().flatten()).collect()
}
