//! The files of the other modes: the fields that tables and chart use.

use serde::Deserialize;

#[derive(Deserialize)]
#[serde(tag = "mode", rename_all = "lowercase")]
pub(super) enum Measured {
    Speed(Speed),
    Accuracy(Accuracy),
    Walk(Walk),
}

#[derive(Deserialize)]
pub(super) struct Machine {
    pub(super) cpu: String,
    pub(super) os: String,
    pub(super) rustc: String,
    pub(super) clang: String,
    pub(super) versions: Vec<(String, String)>,
    pub(super) date: String,
}

impl Machine {
    /// Date, machine and versions in one line.
    pub(super) fn line(&self) -> String {
        let Self { cpu, os, rustc, clang, date, .. } = self;
        // Drops the hash and the distributor's build.
        let short = |text: &str| text.split(" (").next().unwrap_or(text).to_owned();
        let versions: Vec<String> = self
            .versions
            .iter()
            .map(|(name, version)| match name.as_str() {
                "physx-sys" => "PhysX 5.1.3".to_owned(),
                _ => format!("{name} {version}"),
            })
            .collect();
        format!("{date}, {cpu}, {os}; {}; {}, {}", versions.join(", "), short(rustc), short(clang))
    }
}

#[derive(Deserialize)]
pub(super) struct Speed {
    pub(super) machine: Machine,
    pub(super) queries: u64,
    pub(super) repetitions: u32,
    pub(super) cells: Vec<SpeedCell>,
    pub(super) builds: Vec<Build>,
}

#[derive(Deserialize)]
pub(super) struct SpeedCell {
    pub(super) mesh: String,
    pub(super) query: String,
    pub(super) engine: String,
    pub(super) ns: f64,
}

#[derive(Deserialize)]
pub(super) struct Build {
    pub(super) mesh: String,
    pub(super) engine: String,
    pub(super) ms: f64,
    pub(super) bytes: Option<u64>,
    pub(super) triangles: u64,
    pub(super) instances: Option<u64>,
}

#[derive(Deserialize)]
pub(super) struct Accuracy {
    pub(super) machine: Machine,
    pub(super) questions: u64,
    pub(super) cells: Vec<AccuracyCell>,
}

#[derive(Deserialize)]
pub(super) struct AccuracyCell {
    pub(super) family: String,
    pub(super) engine: String,
    pub(super) asked: u64,
    pub(super) left_out: u64,
    pub(super) refused: u64,
    pub(super) missed: u64,
    pub(super) invented: u64,
    pub(super) wrong_start: u64,
    pub(super) gap_p50: Option<f64>,
    pub(super) gap_p999: Option<f64>,
    pub(super) gap_max: Option<f64>,
    pub(super) normal_max: f64,
}

#[derive(Deserialize)]
pub(super) struct Walk {
    pub(super) machine: Machine,
    pub(super) walkers: u64,
    pub(super) ticks: u64,
    pub(super) cells: Vec<WalkCell>,
}

#[derive(Deserialize)]
pub(super) struct WalkCell {
    pub(super) mesh: String,
    pub(super) engine: String,
    pub(super) ns: f64,
    pub(super) fell_through: u64,
    pub(super) stuck: u64,
    pub(super) deepest_overlap: f64,
    pub(super) mean_speed: f64,
}

/// The distinct values, in order of their first occurrence.
pub(super) fn distinct<'a>(values: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut seen = Vec::new();
    for value in values {
        if !seen.contains(&value) {
            seen.push(value);
        }
    }
    seen
}

/// The spelling of an engine's name in tables.
pub(super) fn display_name(engine: &str) -> &str {
    match engine {
        "physx" => "PhysX",
        "parry" => "Parry",
        "rapier" => "Rapier",
        _ => engine,
    }
}
