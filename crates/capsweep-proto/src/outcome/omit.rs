//! Columns that an answer leaves out.

use crate::{FieldError, v1};
use core::ops::BitOr;

/// Groups of columns that the answer to a batch of moves or ticks leaves out. In the library's
/// types, what is left out is as in a new outcome: no ground, no contacts, zeros.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Omit(u32);

impl Omit {
    /// Nothing is left out.
    pub const NONE: Self = Self(0);
    /// The ground.
    pub const GROUND: Self = Self(v1::Omit::Ground as u32);
    /// The contacts.
    pub const CONTACTS: Self = Self(v1::Omit::Contacts as u32);
    /// The displacements: requested, achieved, by the carrier, by the push out of overlaps.
    pub const DISPLACEMENTS: Self = Self(v1::Omit::Displacements as u32);
    /// The numbers of queries.
    pub const STATS: Self = Self(v1::Omit::Stats as u32);
    /// The feet.
    pub const FEET: Self = Self(v1::Omit::Feet as u32);
    /// All groups: only states, flags and obstructions remain.
    pub const ALL: Self = Self(31);

    /// The bit mask of a request.
    #[must_use]
    pub fn bits(self) -> u32 {
        self.0
    }

    /// Whether an answer holds a group.
    #[must_use]
    #[inline]
    pub fn keeps(self, group: Self) -> bool {
        self.0 & group.0 == 0
    }
}

impl BitOr for Omit {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl TryFrom<u32> for Omit {
    type Error = FieldError;

    fn try_from(bits: u32) -> Result<Self, FieldError> {
        let known = Self::ALL.0;
        if bits & !known == 0 {
            Ok(Self(bits))
        } else {
            let message = format!("{bits} has unknown bits: the known are {known}");
            Err(FieldError::new("omit", message))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Omit;
    use crate::v1;

    #[test]
    fn all_bits_of_the_protocol_and_no_others_are_known() {
        let mut all = Omit::NONE;
        for bit in (0..32).map(|shift| 1_u32 << shift) {
            let is_known = v1::Omit::try_from(bit.cast_signed()).is_ok();
            assert_eq!(Omit::try_from(bit).is_ok(), is_known, "{bit}");
            if let Ok(group) = Omit::try_from(bit) {
                assert!(all.keeps(group) && !Omit::ALL.keeps(group));
                all = all | group;
            }
        }
        assert_eq!(all, Omit::ALL);
        assert_eq!(Omit::try_from(Omit::ALL.bits() + 32).unwrap_err().field, "omit");
    }
}
