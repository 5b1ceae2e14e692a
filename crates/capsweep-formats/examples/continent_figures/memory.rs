//! Memory and processor time of this process, as Linux counts them.

use std::error::Error;

/// A line of `/proc/self/status` in MB: `VmHWM` is the peak of resident memory, `VmRSS` what is
/// resident now, with pages of mapped files.
pub(crate) fn megabytes(field: &str) -> Result<f64, Box<dyn Error>> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix(field)?.strip_prefix(':'));
    let kibibytes = line.and_then(|line| line.split_whitespace().next()).ok_or("no such line")?;
    Ok(kibibytes.parse::<f64>()? * 1_024.0 / 1e6)
}

/// Seconds of processor time of each thread.
pub(crate) fn thread_seconds() -> Result<Vec<f64>, Box<dyn Error>> {
    let mut seconds = Vec::new();
    for task in std::fs::read_dir("/proc/self/task")? {
        let text = std::fs::read_to_string(task?.path().join("schedstat"))?;
        let nanoseconds = text.split_whitespace().next().ok_or("an empty line")?;
        seconds.push(nanoseconds.parse::<f64>()? / 1e9);
    }
    Ok(seconds)
}
