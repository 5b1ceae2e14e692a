//! The pass to the side: walking.
//!
//! Walking is a level motion whose height follows the ground. What can be walked on bends it up or down and leaves its level speed; everything
//! else is a wall, however it leans: a motion that would climb it is bent along it.

use crate::cache::HintSlot;
use crate::controller::config::{Ceiling, Climbing};
use crate::controller::outcome::Pass;
use crate::controller::pass::context::MoveContext;
use crate::controller::pass::slide_planes::Planes;
use crate::scene::SceneHit;
use crate::tolerance::{CONTACT_TOLERANCE, LEVEL_WALL, LIFT};
use crate::{Feature, SweepHit};
use glam::DVec3;

/// What a walk has met.
#[derive(Debug, Clone, Default)]
pub(crate) struct SlidePlanes {
    /// What can be walked on.
    floors: Planes,
    /// Ceilings that a character in the air slides under.
    roofs: Planes,
    /// Level normals of all else.
    walls: Planes,
    /// How far the floor under the feet may lead down.
    drop: f64,
}

impl MoveContext<'_> {
    /// Walks by `wish`, which is level, and as long as it says.
    ///
    /// `floor` is the normal of what it stands on; the walk follows it down by up to `drop`. `steps`: it may climb steps.
    #[inline(always)]
    pub(crate) fn side_pass(
        &mut self,
        (wish, length): (DVec3, f64),
        floor: Option<DVec3>,
        drop: f64,
        steps: bool,
    ) {
        self.course().begin(drop);
        if let Some(normal) = floor {
            // A level walk on a level floor is exactly along it: lifted, it would run into a ceiling that leaves just enough room.
            let lift = if wish.dot(normal) == 0.0 { 0.0 } else { LIFT };
            self.course().floors.add(normal, lift);
        }
        let (mut left, mut length) = (wish, length);
        for _ in 0..self.config.max_iterations {
            if length <= self.config.min_distance || left.dot(wish) <= 0.0 {
                break;
            }
            let rise = self.out.scratch.course.rise((left, length), self.up);
            let motion = left + self.up * rise;
            let whole = if rise == 0.0 { length } else { motion.length() };
            self.out.stats.side += 1;
            let Some(hit) = &self.sweep(HintSlot::Side, (motion, whole)) else {
                self.center += motion;
                break;
            };
            if hit.hit.starts_overlapping() && self.recover() {
                continue;
            }
            self.center += motion * hit.hit.time;
            left *= 1.0 - hit.hit.time;
            if hit.hit.distance > CONTACT_TOLERANCE {
                self.course().walls.clear();
                self.course().roofs.clear();
            }
            left = self.turn(left, hit, steps);
            length = left.length();
        }
    }

    fn course(&mut self) -> &mut SlidePlanes {
        &mut self.out.scratch.course
    }

    /// What is left to walk after `hit`.
    fn turn(&mut self, left: DVec3, hit: &SceneHit<SweepHit>, steps: bool) -> DVec3 {
        let normal = hit.hit.normal.as_dvec3();
        if self.can_follow(&hit.hit) {
            self.touch(Pass::Side, hit);
            self.course().floors.add(normal, LIFT);
            return self.course().walls.clip_level(left);
        }
        if steps && let Some(made) = self.climb(left, &hit.hit) {
            self.course().walls.clear();
            self.course().floors.clear();
            return left * (1.0 - made);
        }
        self.touch(Pass::Side, hit);
        let (up, steepest) = (self.up, self.slope_limit());
        let slides = self.config.ceiling == Ceiling::Slide && self.course().floors.is_empty();
        if slides && -normal.dot(up) > steepest {
            self.course().roofs.add(normal, LIFT);
            return self.course().walls.clip_level(left);
        }
        self.out.touching.sides = true;
        let course = self.course();
        let wall = course.wall(normal, left, up);
        let steepness = wall.length();
        if steepness < LEVEL_WALL {
            return DVec3::ZERO;
        }
        course.walls.add(wall / steepness, LIFT / steepness);
        let along = course.walls.clip_level(left);
        if along == DVec3::ZERO
            && course.walls.any_opposite()
            && self.skin == self.config.contact_offset
        {
            // As narrow as the character with its skin: let it through with less of it.
            self.thin_skin(0.0);
            self.course().walls.clear();
            return left;
        }
        along
    }

    /// Whether the walk goes on over `hit` at full level speed.
    fn can_follow(&self, hit: &SweepHit) -> bool {
        if !self.is_walkable_normal(hit.normal) {
            return false;
        }
        // A slope may touch anywhere on the round bottom; an edge no higher than a step, where that is asked for (B.8).
        let smooth = hit.feature == Feature::Face || self.is_walkable_normal(hit.face_normal);
        smooth
            || self.config.climbing == Climbing::Easy
            || self.height_over_ground(hit.point) <= self.highest_step()
    }
}

impl SlidePlanes {
    /// Nothing met yet.
    fn begin(&mut self, drop: f64) {
        self.floors.clear();
        self.roofs.clear();
        self.walls.clear();
        self.drop = drop;
    }

    /// How far a level motion of a length rises along the floors, or sinks under the roofs.
    #[inline(always)]
    fn rise(&self, (level, length): (DVec3, f64), up: DVec3) -> f64 {
        let along =
            |(normal, lift): (DVec3, f64)| (lift * length - level.dot(normal)) / up.dot(normal);
        if self.floors.is_empty() {
            return self.roofs.iter().map(along).fold(0.0, f64::min);
        }
        self.floors.iter().map(along).fold(-self.drop, f64::max)
    }

    /// What bends a level motion up or down: the steepest floor or, in the air, the lowest roof.
    fn bend(&self, level: DVec3, up: DVec3) -> DVec3 {
        let rise = |plane: DVec3| -level.dot(plane) / up.dot(plane);
        let floors = self.floors.iter().map(|(floor, _)| floor);
        let roofs = self.roofs.iter().map(|(roof, _)| roof).filter(|roof| rise(*roof) < 0.0);
        let floor = floors.reduce(|a, b| if rise(b) > rise(a) { b } else { a });
        let roof = roofs.reduce(|a, b| if rise(b) < rise(a) { b } else { a });
        floor.or(roof).unwrap_or(up)
    }

    /// The level normal of the wall that a surface `n` is for somebody who walks in the direction of `level`: a motion that keeps to what
    /// bends it, `f`, and does not enter `n` has `level · (n − f (n·up)/(f·up)) ≥ 0`.
    fn wall(&self, normal: DVec3, level: DVec3, up: DVec3) -> DVec3 {
        let bend = self.bend(level, up);
        let wall = normal - bend * (normal.dot(up) / bend.dot(up));
        wall - up * wall.dot(up)
    }
}
