//! Statistics of many judged cases, and the table of the command.

use crate::{Answers, Case, Family, Fault, Pair, Verdict, generate, judge};
use rayon::prelude::*;
use std::fmt;

/// The limits of the contract, with the names of their columns.
const LIMITS: [(&str, f64); 5] = [
    // Metres: 2 µm with the 2 nm error of the oracle, then 5 µm and 5 µm.
    ("gap", 2e-6 + 2e-9),
    ("push-out", 5e-6),
    ("depth", 5e-6),
    // Degrees.
    ("normal", 0.5),
    // 0.1 mm.
    ("point", 1e-4),
];

/// The largest value of a measure, with its case.
#[derive(Debug, Clone, Copy, Default)]
pub struct Worst {
    /// Metres or degrees.
    pub value: f64,
    /// Index of the case.
    pub index: u64,
}

/// One kind of failure, with its number of cases and the first of them.
#[derive(Debug, Clone)]
pub struct Failure {
    /// The broken rule or exceeded limit.
    pub kind: &'static str,
    /// Number of cases.
    pub count: u64,
    /// Index of the first case.
    pub index: u64,
}

/// The result of many cases of one family and pair.
#[derive(Debug, Clone)]
pub struct Report {
    /// The pair.
    pub pair: Pair,
    /// The family.
    pub family: Family,
    /// Seed of the cases.
    pub seed: u64,
    /// Cases judged.
    pub queries: u64,
    /// Cases with a hit.
    pub hits: u64,
    /// Cases that start overlapping.
    pub overlaps: u64,
    /// Cases with an answer that depends on rounding.
    pub ambiguous: u64,
    /// Worst gap, push-out, depth, normal and point.
    pub worst: [Worst; 5],
    failures: Vec<Failure>,
}

/// Cases per parallel task: enough to hide its overhead, few enough to balance 20 000.
const CHUNK: u64 = 500;

/// Judges cases `0..queries` of a family and pair, in parallel.
///
/// The result does not depend on the number of threads.
pub fn run(pair: Pair, family: Family, queries: u64, seed: u64) -> Report {
    let chunks: Vec<Report> = (0..queries.div_ceil(CHUNK))
        .into_par_iter()
        .map(|chunk| {
            let mut report = Report::new(pair, family, seed);
            for index in chunk * CHUNK..queries.min((chunk + 1) * CHUNK) {
                let case = generate(pair, family, seed, index);
                report.add(index, &judge(&case, &case.answers()));
            }
            report
        })
        .collect();
    let mut whole = Report::new(pair, family, seed);
    for chunk in &chunks {
        whole.merge(chunk);
    }
    whole
}

impl Report {
    fn new(pair: Pair, family: Family, seed: u64) -> Self {
        Self {
            pair,
            family,
            seed,
            queries: 0,
            hits: 0,
            overlaps: 0,
            ambiguous: 0,
            worst: [Worst::default(); 5],
            failures: Vec::new(),
        }
    }

    fn add(&mut self, index: u64, verdict: &Verdict) {
        self.queries += 1;
        self.hits += u64::from(verdict.hit);
        self.overlaps += u64::from(verdict.overlap);
        self.ambiguous += u64::from(verdict.ambiguous);
        let Verdict { gap, push_out, depth, normal, point, .. } = *verdict;
        let measures = [gap, push_out, depth, normal, point];
        for ((worst, value), (kind, limit)) in self.worst.iter_mut().zip(measures).zip(LIMITS) {
            if value > worst.value {
                *worst = Worst { value, index };
            }
            if value > limit {
                record(&mut self.failures, &Failure { kind, count: 1, index });
            }
        }
        for fault in &verdict.faults {
            let kind = match fault {
                Fault::Missed => "missed",
                Fault::Invented => "invented",
                Fault::WrongStart => "wrong start",
                Fault::Broken(what) => what,
            };
            record(&mut self.failures, &Failure { kind, count: 1, index });
        }
    }

    fn merge(&mut self, other: &Self) {
        self.queries += other.queries;
        self.hits += other.hits;
        self.overlaps += other.overlaps;
        self.ambiguous += other.ambiguous;
        for (worst, found) in self.worst.iter_mut().zip(other.worst) {
            if found.value > worst.value {
                *worst = found;
            }
        }
        for failure in &other.failures {
            record(&mut self.failures, failure);
        }
    }

    /// Adds another family or pair for the row of totals. The indices then no longer name cases.
    pub fn add_totals(&mut self, other: &Self) {
        self.merge(other);
    }

    /// All failures, by kind.
    pub fn failures(&self) -> impl Iterator<Item = &Failure> {
        self.failures.iter()
    }

    /// Number of failures of this kind.
    pub fn count(&self, kind: &str) -> u64 {
        self.failures.iter().filter(|f| f.kind == kind).map(|f| f.count).sum()
    }

    /// Number of failures without a column of their own: fields that contradict each other.
    fn broken(&self) -> u64 {
        let own = |kind: &str| {
            ["missed", "invented", "wrong start"].contains(&kind)
                || LIMITS.iter().any(|(name, _)| *name == kind)
        };
        self.failures.iter().filter(|f| !own(f.kind)).map(|f| f.count).sum()
    }

    /// A failing case with all digits, to make a test of it.
    pub fn example(&self, failure: &Failure) -> String {
        let (pair, family) = (self.pair, self.family);
        let case: Case = generate(pair, family, self.seed, failure.index);
        let answers = case.answers();
        let Answers { sweep, overlap, closest } = &answers;
        let head = format!(
            "{} ({}×): --pair {} --family {} --seed {}, index {}",
            failure.kind,
            failure.count,
            pair.name(),
            family.name(),
            self.seed,
            failure.index,
        );
        let found = format!("sweep {sweep:?}\n  overlap {overlap:?}\n  closest {closest:?}");
        format!("{head}\n  {case:?}\n  {found}\n  {:?}", judge(&case, &answers))
    }

    /// The heading of the table. Each [`Report`] prints a row.
    pub fn heading() -> String {
        format!(
            "{:10} {:17} {:>9} {:>8} {:>8} {:>7} {:>6} {:>8} {:>6} {:>6} \
             {:>9} {:>9} {:>9} {:>8} {:>8}",
            "pair",
            "family",
            "queries",
            "hits",
            "overlaps",
            "unsure",
            "missed",
            "invented",
            "start",
            "broken",
            "gap µm",
            "out µm",
            "depth µm",
            "normal °",
            "point mm"
        )
    }

    /// The row of the table, with these names for pair and family.
    pub fn row(&self, pair: &str, family: &str) -> String {
        let [gap, out, depth, normal, point] = self.worst.map(|w| w.value);
        format!(
            "{pair:10} {family:17} {:>9} {:>8} {:>8} {:>7} {:>6} {:>8} {:>6} {:>6} \
             {:>9.1e} {:>9.1e} {:>9.1e} {:>8.1e} {:>8.1e}",
            self.queries,
            self.hits,
            self.overlaps,
            self.ambiguous,
            self.count("missed"),
            self.count("invented"),
            self.count("wrong start"),
            self.broken(),
            gap * 1e6,
            out * 1e6,
            depth * 1e6,
            normal,
            point * 1e3,
        )
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.row(self.pair.name(), self.family.name()))
    }
}

/// Counts a failure with the others of its kind and keeps the first case.
fn record(failures: &mut Vec<Failure>, found: &Failure) {
    match failures.iter_mut().find(|f| f.kind == found.kind) {
        Some(known) => known.count += found.count,
        None => failures.push(found.clone()),
    }
}
