use glam::DVec3;

/// A slot of a cache that remembers the last triangle hit by one kind of sweep.
///
/// The next sweep with the same slot tests that triangle first, which culls most others. Hints
/// never change an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum HintSlot {
    /// Upward sweeps.
    Up,
    /// Sideways sweeps.
    Side,
    /// Downward sweeps.
    Down,
    /// Forward sweeps over a step.
    Step,
    /// Downward sweeps onto a step.
    Landing,
}

impl HintSlot {
    pub(crate) const COUNT: usize = 5;

    /// `Up`, `Side` or `Down` for a motion, given the up direction of the character. Motions
    /// steeper than 45° are `Up` or `Down`.
    pub fn for_motion(motion: DVec3, up: DVec3) -> Self {
        let rise = motion.dot(up);
        if 2.0 * rise * rise <= motion.length_squared() * up.length_squared() {
            Self::Side
        } else if rise > 0.0 {
            Self::Up
        } else {
            Self::Down
        }
    }
}
