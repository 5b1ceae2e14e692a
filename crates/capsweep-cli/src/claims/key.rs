//! The key of a character, and of a body: a number or a name.

use anyhow::{Result, bail};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Longest name in bytes: the command keeps the names of all characters.
const MAX_NAME: usize = 256;

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(untagged, expecting = "a name as a string, or a number of 0 or more")]
pub(crate) enum Key {
    Number(u64),
    Name(String),
}

impl Key {
    pub(crate) fn check(&self) -> Result<()> {
        match self {
            Self::Name(name) if name.len() > MAX_NAME => {
                bail!("character is a name of {} bytes: at most {MAX_NAME}", name.len())
            }
            _ => Ok(()),
        }
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Name(name) => f.write_str(name),
        }
    }
}
