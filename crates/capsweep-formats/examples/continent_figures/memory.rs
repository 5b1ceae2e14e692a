//! Memory of this process, as Linux counts it.

use std::error::Error;

/// A line of `/proc/self/status` in MB: `VmHWM` is the peak of resident memory, `VmRSS` what is
/// resident now, with pages of mapped files.
pub(crate) fn megabytes(field: &str) -> Result<f64, Box<dyn Error>> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix(field)?.strip_prefix(':'));
    let kibibytes = line.and_then(|line| line.split_whitespace().next()).ok_or("no such line")?;
    Ok(kibibytes.parse::<f64>()? * 1_024.0 / 1e6)
}
