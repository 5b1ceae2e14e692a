//! The walk through the built-in course, so that `capsweep walk` needs no file.

mod legs;
mod platform;

pub(crate) use capsweep_formats::course::{NAME, START};
pub(crate) use legs::legs;
pub(crate) use platform::Platform;

use anyhow::Result;
use capsweep_formats::{Level, course};

/// The level and its moving platform.
#[derive(Debug, Clone)]
pub(crate) struct Course {
    pub(crate) level: Level,
    pub(crate) platform: Platform,
}

impl Course {
    pub(crate) fn new() -> Result<Self> {
        let course::Course { level, platform, platform_ends } = course::Course::new()?;
        Ok(Self { level, platform: Platform::new(platform, platform_ends)? })
    }
}
