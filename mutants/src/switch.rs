//! The switch that is woven into a crate: which mutant is active, and which places were reached.

#[doc(hidden)]
pub mod mutant_switch {
    use std::io::Write;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::sync::{LazyLock, Mutex};

    struct Switch {
        /// The active mutant; 0 is none.
        number: u32,
        /// Where the numbers of reached places are written, and which were written already.
        record: Option<(Mutex<std::fs::File>, Vec<AtomicBool>)>,
    }

    static SWITCH: LazyLock<Switch> = LazyLock::new(|| {
        let number = std::env::var("CAPSWEEP_MUTANT").ok();
        let number = number.and_then(|number| number.parse().ok()).unwrap_or(0);
        let record = std::env::var_os("CAPSWEEP_MUTANT_RECORD").and_then(|path| {
            let file = std::fs::OpenOptions::new().append(true).create(true).open(path).ok()?;
            let reached = (0..100_000).map(|_| AtomicBool::new(false)).collect();
            Some((Mutex::new(file), reached))
        });
        Switch { number, record }
    });

    /// The number of the active mutant; 0 is none.
    #[inline(always)]
    pub fn active(site: u32) -> u32 {
        let switch = &*SWITCH;
        if switch.record.is_some() {
            record(switch, site);
        }
        switch.number
    }

    #[cold]
    fn record(switch: &Switch, site: u32) {
        if let Some((file, reached)) = &switch.record
            && !reached[site as usize].swap(true, Ordering::Relaxed)
            && let Ok(mut file) = file.lock()
        {
            let _ = file.write_all(format!("{site}\n").as_bytes());
        }
    }
}
