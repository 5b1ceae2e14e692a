use glam::DVec3;

/// The pass that a sweep belongs to: what was hit last in a pass is looked at first in the next of its kind (rule 11.1). It never changes an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum HintSlot {
    /// Rising.
    Up,
    /// Walking.
    Side,
    /// Falling.
    Down,
    /// Going on over a step.
    Step,
    /// Coming down on a step.
    Landing,
}

impl HintSlot {
    pub(crate) const COUNT: usize = 5;

    /// The pass that `motion` looks like to somebody whose head is in the direction of `up`: steeper than 45° is up or down.
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
