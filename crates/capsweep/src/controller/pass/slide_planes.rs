//! What is left of a motion among the planes it has run into.
//!
//! A motion is replaced by the closest one that enters none of the planes: the motion itself, its projection on one plane, or (in space) its
//! projection on the crease of two. Every plane is checked for every candidate, so corners and wedges need no luck with the order.

use crate::tolerance::{LIFT, MAX_LIFT};
use glam::DVec3;

/// What has been run into. No more than one for each sweep of a pass.
#[derive(Debug, Clone, Default)]
pub(crate) struct Planes(Vec<Plane>);

#[derive(Debug, Clone, Copy)]
struct Plane {
    /// Unit.
    normal: DVec3,
    /// How much a motion has to lead away from it (a fraction of its length).
    lift: f64,
}

/// Stands for no plane.
const NO_PLANE: usize = usize::MAX;

impl Planes {
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (DVec3, f64)> {
        self.0.iter().map(|plane| (plane.normal, plane.lift))
    }

    /// Adds a plane, or lifts the motion further off one that is there already: a plane that is met again, from where it was left,
    /// is met because its normal was rounded.
    pub(crate) fn add(&mut self, normal: DVec3, lift: f64) {
        match self.0.iter_mut().find(|known| (known.normal - normal).length() < LIFT) {
            Some(known) => known.lift = (4.0 * known.lift.max(lift)).min(MAX_LIFT),
            None => self.0.push(Plane { normal, lift }),
        }
    }

    /// Whether two of the planes face each other: what is between them has nowhere to be lifted to.
    pub(crate) fn any_opposite(&self) -> bool {
        let facing = |a: &Plane, b: &Plane| a.normal.dot(b.normal) < -0.999;
        self.0.iter().enumerate().any(|(i, a)| self.0[i + 1..].iter().any(|b| facing(a, b)))
    }

    /// Whether `motion` keeps clear of every plane but those in `apart`.
    fn allows(&self, motion: DVec3, length: f64, apart: [usize; 2]) -> bool {
        self.iter().enumerate().all(|(i, (normal, lift))| {
            apart.contains(&i) || motion.dot(normal) >= 0.5 * lift * length
        })
    }

    /// `motion` along plane `i`, lifted off it.
    fn along(&self, motion: DVec3, length: f64, i: usize) -> DVec3 {
        let Plane { normal, lift } = self.0[i];
        motion - normal * (motion.dot(normal) - lift * length)
    }

    /// The longest projection of a level `motion` on one of these upright planes that enters none of the others; zero in a corner.
    pub(crate) fn clip_level(&self, motion: DVec3) -> DVec3 {
        let length = motion.length();
        if self.allows(motion, length, [NO_PLANE; 2]) {
            return motion;
        }
        let sides = (0..self.0.len()).map(|i| (self.along(motion, length, i), [i, NO_PLANE]));
        self.longest(sides, length)
    }

    /// The longest projection of `motion` on one plane, or on the crease of two, that enters none; zero in a corner.
    pub(crate) fn clip(&self, motion: DVec3) -> DVec3 {
        let length = motion.length();
        if self.allows(motion, length, [NO_PLANE; 2]) {
            return motion;
        }
        let sides = (0..self.0.len()).map(|i| (self.along(motion, length, i), [i, NO_PLANE]));
        let pairs = (0..self.0.len()).flat_map(|i| (i + 1..self.0.len()).map(move |j| (i, j)));
        let creases = pairs.filter_map(|(i, j)| {
            let (a, b) = (self.0[i].normal, self.0[j].normal);
            let crease = a.cross(b).try_normalize()?;
            let lift = (a + b).try_normalize()? * (2.0 * LIFT * length);
            Some((crease * motion.dot(crease) + lift, [i, j]))
        });
        self.longest(sides.chain(creases), length)
    }

    /// Projections are the shorter the further they are from the motion, so the longest that is allowed is the closest.
    fn longest(&self, candidates: impl Iterator<Item = (DVec3, [usize; 2])>, length: f64) -> DVec3 {
        let mut best = DVec3::ZERO;
        for (candidate, apart) in candidates {
            if candidate.length_squared() > best.length_squared()
                && self.allows(candidate, length, apart)
            {
                best = candidate;
            }
        }
        // Lifted, it may be longer than what it was made of.
        let longer = best.length() / length;
        if longer > 1.0 { best / longer } else { best }
    }
}

#[cfg(test)]
mod tests {
    use super::{LIFT, Planes};
    use capsweep_testkit::Rng;
    use glam::DVec3;

    /// The closest motion that enters no plane is as long as the motion's largest part along any direction that enters none.
    fn check(rng: &mut Rng, planes: &Planes, clip: impl Fn(DVec3) -> DVec3, level: bool) {
        let flat = |v: DVec3| if level { v.with_z(0.0).normalize() } else { v };
        let motion = flat(rng.direction());
        let clipped = clip(motion);
        assert!(clipped.length() <= motion.length() + 1e-9);
        for (normal, _) in planes.iter() {
            assert!(clipped.dot(normal) >= 0.0, "{clipped} enters {normal}");
        }
        for _ in 0..200 {
            let other = flat(rng.direction());
            if planes.iter().all(|(normal, _)| other.dot(normal) >= 1e-5) {
                let along = motion.dot(other);
                assert!(along <= clipped.length() + 1e-5, "{along} along {other}, {clipped}");
            }
        }
    }

    #[test]
    fn what_is_left_of_a_motion_is_the_most_that_enters_no_plane() {
        let mut rng = Rng::new(&[21]);
        for count in 0..6 {
            for _ in 0..400 {
                let (mut space, mut level) = (Planes::default(), Planes::default());
                for _ in 0..count {
                    space.add(rng.direction(), LIFT);
                    level.add(rng.direction().with_z(0.0).normalize(), LIFT);
                }
                check(&mut rng, &space, |motion| space.clip(motion), false);
                check(&mut rng, &level, |motion| level.clip_level(motion), true);
            }
        }
    }

    #[test]
    fn a_plane_that_is_met_again_is_left_further() {
        let mut planes = Planes::default();
        for _ in 0..4 {
            planes.add(DVec3::Y, LIFT);
        }
        assert_eq!(planes.iter().count(), 1);
        let away = planes.clip(DVec3::new(1.0, -1.0, 0.0)).y;
        assert!(away > 60.0 * LIFT, "{away}");
        for _ in 0..40 {
            planes.add(DVec3::Y, LIFT);
        }
        let away = planes.clip(DVec3::new(1.0, -1.0, 0.0)).y;
        assert!(away < 2e-3, "{away}");
    }
}
