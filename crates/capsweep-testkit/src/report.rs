use crate::{Answers, Case, Family, Fault, Pair, Verdict, generate, judge};
use rayon::prelude::*;
use std::fmt;

/// The limits of the contract, and the column each belongs to.
const LIMITS: [(&str, f64); 5] = [
    // 2 µm, 5 µm and 5 µm; each with the 2 nm that the oracle itself may be off at a threshold.
    ("gap", 2e-6 + 2e-9),
    ("push-out", 5e-6),
    ("depth", 5e-6),
    // Degrees.
    ("normal", 0.5),
    // 0.1 mm.
    ("point", 1e-4),
];

/// The largest value of a measure, and the case it came from.
#[derive(Debug, Clone, Copy, Default)]
pub struct Worst {
    /// Metres or degrees.
    pub value: f64,
    /// The case's number.
    pub index: u64,
}

/// A kind of failure: how often, and the first case that shows it.
#[derive(Debug, Clone)]
pub struct Failure {
    /// What is wrong.
    pub kind: &'static str,
    /// In how many cases.
    pub count: u64,
    /// The first of them.
    pub index: u64,
}

/// The outcome of many cases of one family and pair.
#[derive(Debug, Clone)]
pub struct Report {
    /// The pair.
    pub pair: Pair,
    /// The family.
    pub family: Family,
    /// The seed that all cases come from.
    pub seed: u64,
    /// Cases judged.
    pub queries: u64,
    /// Cases with a hit.
    pub hits: u64,
    /// Cases that start overlapping.
    pub overlaps: u64,
    /// Cases in which rounding decides between hit and miss.
    pub ambiguous: u64,
    /// Gap, push-out, depth, normal and point.
    pub worst: [Worst; 5],
    failures: Vec<Failure>,
}

/// Cases per task: enough to hide the cost of a task, few enough to share 20 000 evenly.
const CHUNK: u64 = 500;

/// Judges cases `0..queries` of a family and pair, in parallel. The result does not depend on the threads.
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

    /// Adds another family or pair: the row of totals. Its numbers of cases no longer name a case.
    pub fn add_totals(&mut self, other: &Self) {
        self.merge(other);
    }

    /// Everything that is wrong, by kind.
    pub fn failures(&self) -> impl Iterator<Item = &Failure> {
        self.failures.iter()
    }

    /// How many cases failed in this way.
    pub fn count(&self, kind: &str) -> u64 {
        self.failures.iter().filter(|f| f.kind == kind).map(|f| f.count).sum()
    }

    /// How many fields contradict each other or the contract, beyond the kinds that have their own column.
    fn broken(&self) -> u64 {
        let own = |kind: &str| {
            ["missed", "invented", "wrong start"].contains(&kind)
                || LIMITS.iter().any(|(name, _)| *name == kind)
        };
        self.failures.iter().filter(|f| !own(f.kind)).map(|f| f.count).sum()
    }

    /// A failing case again, with every digit, for a test of its own.
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
        let said = format!("sweep {sweep:?}\n  overlap {overlap:?}\n  closest {closest:?}");
        format!("{head}\n  {case:?}\n  {said}\n  {:?}", judge(&case, &answers))
    }

    /// The heading of the table whose rows [`Report`] prints.
    pub fn heading() -> String {
        format!(
            "{:10} {:17} {:>9} {:>8} {:>8} {:>7} {:>6} {:>8} {:>6} {:>6} {:>9} {:>9} {:>9} {:>8} {:>8}",
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

    /// The row of the table, under the name of its family or another.
    pub fn row(&self, pair: &str, family: &str) -> String {
        let [gap, out, depth, normal, point] = self.worst.map(|w| w.value);
        format!(
            "{pair:10} {family:17} {:>9} {:>8} {:>8} {:>7} {:>6} {:>8} {:>6} {:>6} {:>9.1e} {:>9.1e} {:>9.1e} {:>8.1e} {:>8.1e}",
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

/// Counts a failure with the others of its kind; the first case stays the example.
fn record(failures: &mut Vec<Failure>, found: &Failure) {
    match failures.iter_mut().find(|f| f.kind == found.kind) {
        Some(known) => known.count += found.count,
        None => failures.push(found.clone()),
    }
}
