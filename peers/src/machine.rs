//! The machine and the versions of a measurement.

use serde::Serialize;
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

/// Crates whose versions a table names.
const CRATES: [&str; 4] = ["capsweep", "physx-sys", "parry3d", "rapier3d"];

/// The machine, the versions and the day.
#[derive(Debug, Serialize)]
pub(crate) struct Machine {
    /// The processor's own name.
    pub(crate) cpu: String,
    /// Hardware threads; every measurement uses one.
    pub(crate) threads: usize,
    /// Operating system and architecture.
    pub(crate) os: String,
    /// Compiler of the Rust engines.
    pub(crate) rustc: String,
    /// Compiler of `PhysX`.
    pub(crate) clang: String,
    /// Crate and version.
    pub(crate) versions: Vec<(String, String)>,
    /// Year, month and day, UTC.
    pub(crate) date: String,
}

impl Machine {
    /// Describes this machine, today. Fields that cannot be determined are `unknown`.
    pub(crate) fn current() -> Self {
        Self {
            cpu: cpu().unwrap_or_else(unknown),
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            os: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
            rustc: env!("PEERS_RUSTC").to_owned(),
            clang: first_line("clang++").unwrap_or_else(unknown),
            versions: CRATES
                .map(|name| (name.to_owned(), locked(name).unwrap_or_else(unknown)))
                .into(),
            date: today(),
        }
    }

    /// Prints the heading of a table.
    pub(crate) fn print(&self) {
        println!("{}, {} threads, {}, {}", self.cpu, self.threads, self.os, self.date);
        println!("{}; {}", self.rustc, self.clang);
        let versions: Vec<String> =
            self.versions.iter().map(|(name, version)| format!("{name} {version}")).collect();
        println!("{} (PhysX 5.1.3)", versions.join(", "));
    }
}

fn unknown() -> String {
    "unknown".to_owned()
}

fn cpu() -> Option<String> {
    let text = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

fn first_line(program: &str) -> Option<String> {
    let output = Command::new(program).arg("--version").output().ok()?;
    Some(String::from_utf8_lossy(&output.stdout).lines().next()?.to_owned())
}

/// The version of crate `name` that this program was built with.
fn locked(name: &str) -> Option<String> {
    let lock = include_str!("../Cargo.lock");
    let entry = lock.split_once(&format!("name = \"{name}\"\nversion = \""))?.1;
    Some(entry.split_once('"')?.0.to_owned())
}

fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    date(seconds / 86_400)
}

/// The date `days` after 1 January 1970. Years start in March, so that a leap day is the last day.
fn date(days: u64) -> String {
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, later) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    format!("{:04}-{month:02}-{day:02}", era * 400 + year + later)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_become_dates() {
        assert_eq!(date(0), "1970-01-01");
        assert_eq!(date(11_016), "2000-02-29");
        assert_eq!(date(20_772), "2026-11-15");
    }
}
