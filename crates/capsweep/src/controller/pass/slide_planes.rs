//! Plane clipping: the part of a motion that enters none of the planes the pass has hit.
//!
//! The answer is the closest motion that enters no plane: the motion itself, its projection on one
//! plane, or (in space) its projection on the crease of two. Every candidate is checked against
//! every plane, so the result for corners and wedges does not depend on the order of the planes.

use crate::controller::config::ControllerConfig;
use crate::tolerance::{MAX_PLANE_BIAS, OPPOSITE_COS, PLANE_BIAS};
use glam::DVec3;

/// Most planes of one pass: one for each sweep, and one for the floor it starts on.
const MAX_PLANES: usize = ControllerConfig::MAX_ITERATIONS as usize + 1;

/// Planes of a list before it grows to [`MAX_PLANES`]. Most passes hit no more.
const FEW: usize = 2;

/// The planes that a pass has hit. They live on the stack, so a move allocates nothing for them.
#[derive(Debug, Clone)]
pub(crate) struct SlidePlanes {
    len: usize,
    few: [Plane; FEW],
    /// All planes, once there are more than [`FEW`]; `None` until then. A walk clears three lists
    /// at its start, with 6 instructions for each plane. All 33 planes would cost 6 % of a move.
    many: Option<[Plane; MAX_PLANES]>,
}

#[derive(Debug, Clone, Copy)]
struct Plane {
    /// Unit length.
    normal: DVec3,
    /// How far a motion must lead away from the plane, as a fraction of the motion's length.
    bias: f64,
}

impl Plane {
    const ZERO: Self = Self { normal: DVec3::ZERO, bias: 0.0 };
}

/// Index of no plane.
const NO_PLANE: usize = usize::MAX;

impl SlidePlanes {
    #[inline(always)]
    pub(crate) fn new() -> Self {
        Self { len: 0, few: [Plane::ZERO; FEW], many: None }
    }

    pub(crate) fn clear(&mut self) {
        self.len = 0;
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.len == 0
    }

    #[inline]
    fn planes(&self) -> &[Plane] {
        let storage: &[Plane] = self.many.as_ref().map_or(&self.few, |many| many);
        storage.get(..self.len).unwrap_or_default()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (DVec3, f64)> {
        self.planes().iter().map(|plane| (plane.normal, plane.bias))
    }

    /// Adds a plane. If the plane is known already, lifts the motion further off it: a pass hits a
    /// plane again right where it left it only because the normal was rounded.
    pub(crate) fn add(&mut self, normal: DVec3, bias: f64) {
        if self.len == FEW && self.many.is_none() {
            self.spill();
        }
        let storage: &mut [Plane] = self.many.as_mut().map_or(&mut self.few, |many| many);
        let (known, free) = storage.split_at_mut(self.len);
        match known.iter_mut().find(|known| (known.normal - normal).length() < PLANE_BIAS) {
            Some(known) => known.bias = (4.0 * known.bias.max(bias)).min(MAX_PLANE_BIAS),
            None => {
                if let Some(slot) = free.first_mut() {
                    *slot = Plane { normal, bias };
                    self.len += 1;
                }
            }
        }
    }

    #[cold]
    fn spill(&mut self) {
        let many = self.many.insert([Plane::ZERO; MAX_PLANES]);
        many[..FEW].copy_from_slice(&self.few);
    }

    /// Whether two of the planes face each other: a motion between them can be lifted off neither.
    pub(crate) fn any_opposite(&self) -> bool {
        let facing = |a: &Plane, b: &Plane| a.normal.dot(b.normal) < OPPOSITE_COS;
        let planes = self.planes();
        planes.iter().enumerate().any(|(i, a)| planes[i + 1..].iter().any(|b| facing(a, b)))
    }

    /// Whether `motion` stays off every plane except the two in `exempt`.
    fn allows(&self, motion: DVec3, length: f64, exempt: [usize; 2]) -> bool {
        self.iter().enumerate().all(|(i, (normal, bias))| {
            exempt.contains(&i) || motion.dot(normal) >= 0.5 * bias * length
        })
    }

    /// Projection of `motion` on a plane, lifted off it.
    fn project(motion: DVec3, length: f64, &Plane { normal, bias }: &Plane) -> DVec3 {
        motion - normal * (motion.dot(normal) - bias * length)
    }

    /// Projections of `motion` on each plane, with the plane's index.
    fn projections(
        &self,
        motion: DVec3,
        length: f64,
    ) -> impl Iterator<Item = (DVec3, [usize; 2])> {
        let project = move |plane| Self::project(motion, length, plane);
        self.planes().iter().map(project).enumerate().map(|(i, motion)| (motion, [i, NO_PLANE]))
    }

    /// The longest projection of a level `motion` on one of these upright planes that enters none
    /// of the others. Zero in a corner.
    pub(crate) fn clip_level(&self, motion: DVec3) -> DVec3 {
        let length = motion.length();
        if self.allows(motion, length, [NO_PLANE; 2]) {
            return motion;
        }
        self.longest(self.projections(motion, length), length)
    }

    /// The longest projection of `motion` on one plane, or on the crease of two, that enters no
    /// plane. Zero in a corner.
    pub(crate) fn clip(&self, motion: DVec3) -> DVec3 {
        let length = motion.length();
        if self.allows(motion, length, [NO_PLANE; 2]) {
            return motion;
        }
        let planes = self.planes();
        let pairs = (0..planes.len()).flat_map(|i| (i + 1..planes.len()).map(move |j| (i, j)));
        let creases = pairs.filter_map(|(i, j)| {
            let (a, b) = (planes[i].normal, planes[j].normal);
            let crease = a.cross(b).try_normalize()?;
            let bias = (a + b).try_normalize()? * (2.0 * PLANE_BIAS * length);
            Some((crease * motion.dot(crease) + bias, [i, j]))
        });
        self.longest(self.projections(motion, length).chain(creases), length)
    }

    /// The longest allowed candidate. A projection is shorter the further it is from the motion,
    /// so the longest is also the closest.
    fn longest(
        &self,
        candidates: impl Iterator<Item = (DVec3, [usize; 2])>,
        length: f64,
    ) -> DVec3 {
        let mut best = DVec3::ZERO;
        for (candidate, exempt) in candidates {
            if candidate.length_squared() > best.length_squared()
                && self.allows(candidate, length, exempt)
            {
                best = candidate;
            }
        }
        // The lift can make a projection longer than the motion.
        let longer = best.length() / length;
        if longer > 1.0 { best / longer } else { best }
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_PLANES, PLANE_BIAS, SlidePlanes};
    use capsweep_testkit::Rng;
    use glam::DVec3;

    /// The closest motion that enters no plane is as long as the motion's largest component along
    /// any direction that enters none.
    fn check(rng: &mut Rng, planes: &SlidePlanes, clip: impl Fn(DVec3) -> DVec3, level: bool) {
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
    fn a_clipped_motion_is_the_longest_that_enters_no_plane() {
        let mut rng = Rng::new(&[21]);
        for count in 0..6 {
            for _ in 0..400 {
                let (mut space, mut level) = (SlidePlanes::new(), SlidePlanes::new());
                for _ in 0..count {
                    space.add(rng.direction(), PLANE_BIAS);
                    level.add(rng.direction().with_z(0.0).normalize(), PLANE_BIAS);
                }
                check(&mut rng, &space, |motion| space.clip(motion), false);
                check(&mut rng, &level, |motion| level.clip_level(motion), true);
            }
        }
    }

    #[test]
    fn a_plane_that_is_hit_again_is_left_further() {
        let mut planes = SlidePlanes::new();
        for _ in 0..4 {
            planes.add(DVec3::Y, PLANE_BIAS);
        }
        assert_eq!(planes.iter().count(), 1);
        let away = planes.clip(DVec3::new(1.0, -1.0, 0.0)).y;
        assert!(away > 60.0 * PLANE_BIAS, "{away}");
        for _ in 0..40 {
            planes.add(DVec3::Y, PLANE_BIAS);
        }
        let away = planes.clip(DVec3::new(1.0, -1.0, 0.0)).y;
        assert!(away < 2e-3, "{away}");
    }

    /// Lengths of 5 and biases that are powers of two: every sum below is exact or nearly so.
    #[test]
    fn a_projection_leaves_its_plane_by_the_bias_times_the_length() {
        let bias = 1.0 / 64.0;
        let mut planes = SlidePlanes::new();
        planes.add(DVec3::Y, bias);
        let motion = DVec3::new(3.0, -4.0, 0.0);
        for clipped in [planes.clip(motion), planes.clip_level(motion)] {
            assert_eq!(clipped, DVec3::new(3.0, 5.0 * bias, 0.0));
        }
        // A motion that leaves by half of the bias is kept; one that leaves by less is lifted.
        let kept = DVec3::new(4.0, 0.51 * bias * 4.0, 0.0);
        assert_eq!((planes.clip(kept), planes.clip_level(kept)), (kept, kept));
        let lifted = DVec3::new(3.0, 0.49 * bias * 3.0, -1.0);
        let away = planes.clip(lifted).y;
        assert!((away - bias * lifted.length()).abs() < 1e-3 * away, "{away}");
        assert_eq!(planes.clip_level(lifted), planes.clip(lifted));
        // A lift that makes the motion longer: the direction is kept, the length is the old one.
        let along = planes.clip(DVec3::X * 8.0);
        assert!((along.length() - 8.0).abs() < 1e-12 && along.y > 7.9 * bias, "{along}");
    }

    #[test]
    fn a_crease_of_two_planes_is_followed_a_little_off_both() {
        let mut planes = SlidePlanes::new();
        planes.add(DVec3::X, PLANE_BIAS);
        planes.add(DVec3::Y, PLANE_BIAS);
        let motion = DVec3::new(-2.0, -4.0, -4.0);
        // Each plane gets its share of 2 biases of the 6 m along the bisector.
        let off = 12.0 * PLANE_BIAS * f64::sqrt(0.5);
        let clipped = planes.clip(motion);
        assert!((clipped - DVec3::new(off, off, -4.0)).length() < 1e-9 * off, "{clipped}");
        assert_eq!(planes.clip_level(motion.with_z(0.0)), DVec3::ZERO);
        // The order of the planes, and a third one that the crease leaves, change nothing.
        let mut turned = SlidePlanes::new();
        for normal in [DVec3::NEG_Z, DVec3::Y, DVec3::X] {
            turned.add(normal, PLANE_BIAS);
        }
        assert!((turned.clip(motion) - clipped).length() < 1e-15);
        // Planes that face each other have no crease.
        let mut facing = SlidePlanes::new();
        facing.add(DVec3::X, PLANE_BIAS);
        facing.add(DVec3::NEG_X, PLANE_BIAS);
        assert_eq!(facing.clip(DVec3::new(1.0, 0.0, 1.0)), DVec3::ZERO);
    }

    /// Four times as far at each hit, from the larger of both biases, up to a limit.
    #[test]
    fn a_plane_that_is_hit_again_gets_four_times_its_bias() {
        let mut planes = SlidePlanes::new();
        let bias = |planes: &SlidePlanes| planes.iter().map(|(_, bias)| bias).collect::<Vec<_>>();
        planes.add(DVec3::Z, PLANE_BIAS);
        planes.add(DVec3::Z, PLANE_BIAS);
        assert_eq!(bias(&planes), [4.0 * PLANE_BIAS]);
        planes.add(DVec3::Z, 8.0 * PLANE_BIAS);
        assert_eq!(bias(&planes), [32.0 * PLANE_BIAS]);
        // A normal that differs by more than the rounding of f32 is another plane.
        let near = DVec3::new(0.9 * PLANE_BIAS, 0.0, 1.0);
        planes.add(near, PLANE_BIAS);
        assert_eq!(bias(&planes), [128.0 * PLANE_BIAS]);
        planes.add(DVec3::new(1.1 * PLANE_BIAS, 0.0, 1.0), PLANE_BIAS);
        assert_eq!(bias(&planes), [128.0 * PLANE_BIAS, PLANE_BIAS]);
        for _ in 0..9 {
            planes.add(DVec3::Z, PLANE_BIAS);
        }
        assert_eq!(bias(&planes), [4096.0 * PLANE_BIAS, PLANE_BIAS]);
    }

    #[test]
    fn every_plane_of_a_pass_is_kept_in_order() {
        let mut rng = Rng::new(&[22]);
        let normals: Vec<DVec3> = (0..MAX_PLANES).map(|_| rng.direction()).collect();
        let mut planes = SlidePlanes::new();
        for _ in 0..2 {
            for (i, normal) in normals.iter().enumerate() {
                planes.add(*normal, PLANE_BIAS);
                assert!(planes.iter().map(|(normal, _)| normal).eq(normals[..=i].iter().copied()));
            }
            planes.clear();
            assert!(planes.is_empty());
        }
    }

    #[test]
    fn planes_within_three_degrees_of_opposite_face_each_other() {
        // The angle between one normal and the opposite of the other, in radians. The cutoff is
        // at 0.0447.
        for (angle, facing) in [(0.0, true), (0.04, true), (0.05, false), (0.2, false)] {
            let mut planes = SlidePlanes::new();
            planes.add(DVec3::Z, 0.0);
            planes.add(DVec3::X, 0.0);
            assert!(!planes.any_opposite());
            planes.add(DVec3::new(f64::sqrt(1.0 - angle * angle), 0.0, angle) * -1.0, 0.0);
            assert_eq!(planes.any_opposite(), facing, "{angle}");
        }
    }
}
