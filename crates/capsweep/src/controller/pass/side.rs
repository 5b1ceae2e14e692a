//! The side pass: the level part of a move.
//!
//! A walk is a level motion whose height follows the ground. Walkable surfaces bend it up or down
//! and keep its level speed. Every other surface is a wall, however it leans: a motion that would
//! climb it slides along it instead.

use crate::SweepHit;
use crate::cache::HintSlot;
use crate::controller::config::Ceiling;
use crate::controller::outcome::Pass;
use crate::controller::pass::context::MoveContext;
use crate::controller::pass::slide_planes::SlidePlanes;
use crate::controller::walkable::is_walkable;
use crate::scene::SceneHit;
use crate::tolerance::{CONTACT_TOLERANCE, LEVEL_WALL, PLANE_BIAS};
use glam::DVec3;

/// The surfaces that a walk has hit, by what they do to it.
struct WalkPlanes {
    /// Walkable surfaces.
    floors: SlidePlanes,
    /// Ceilings that a character in the air slides under.
    ceilings: SlidePlanes,
    /// Level normals of all other surfaces.
    walls: SlidePlanes,
    /// How far the walk may follow the floor down (metres).
    drop: f64,
}

impl MoveContext<'_> {
    /// Walks by `desired`, a level motion and its length.
    ///
    /// `floor` is the normal of the ground the character stands on; the walk follows it down by up
    /// to `drop` metres. `steps`: the walk may climb steps.
    #[inline(always)]
    pub(crate) fn side_pass(
        &mut self,
        (desired, length): (DVec3, f64),
        floor: Option<DVec3>,
        drop: f64,
        steps: bool,
    ) {
        let mut planes = WalkPlanes::new(drop);
        if let Some(normal) = floor {
            // A level walk on a level floor runs exactly along it. A lift would press it against a
            // ceiling that leaves just enough room.
            let lift = if desired.dot(normal) == 0.0 { 0.0 } else { PLANE_BIAS };
            planes.floors.add(normal, lift);
        }
        let (mut left, mut length) = (desired, length);
        for _ in 0..self.config.max_iterations {
            if length <= self.config.min_distance || left.dot(desired) <= 0.0 {
                break;
            }
            let rise = planes.rise((left, length), self.up);
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
                planes.walls.clear();
                planes.ceilings.clear();
            }
            left = self.respond(&mut planes, left, hit, steps);
            length = left.length();
        }
    }

    /// Collision response: the level motion that is left after `hit`.
    fn respond(
        &mut self,
        planes: &mut WalkPlanes,
        left: DVec3,
        hit: &SceneHit<SweepHit>,
        steps: bool,
    ) -> DVec3 {
        let normal = hit.hit.normal.as_dvec3();
        if self.is_walkable(&hit.hit) {
            self.add_contact(Pass::Side, hit);
            planes.floors.add(normal, PLANE_BIAS);
            return planes.walls.clip_level(left);
        }
        if steps && let Some(made) = self.climb(left, &hit.hit) {
            planes.walls.clear();
            planes.floors.clear();
            return left * (1.0 - made);
        }
        self.add_contact(Pass::Side, hit);
        let (up, steepest) = (self.up, self.limits().slope_limit());
        let slides = self.config.ceiling == Ceiling::Slide && planes.floors.is_empty();
        if slides && -normal.dot(up) > steepest {
            planes.ceilings.add(normal, PLANE_BIAS);
            return planes.walls.clip_level(left);
        }
        self.out.touching.sides = true;
        let wall = planes.wall(normal, left, up);
        let steepness = wall.length();
        if steepness < LEVEL_WALL {
            return DVec3::ZERO;
        }
        planes.walls.add(wall / steepness, PLANE_BIAS / steepness);
        let along = planes.walls.clip_level(left);
        if along == DVec3::ZERO
            && planes.walls.any_opposite()
            && self.skin == self.config.contact_offset
        {
            // A corridor as narrow as the character with its skin: a thinner skin fits through.
            self.thin_skin(0.0);
            planes.walls.clear();
            return left;
        }
        along
    }

    /// Whether the walk goes on over `hit` at full level speed.
    fn is_walkable(&self, hit: &SweepHit) -> bool {
        is_walkable(hit.into(), hit.point.dot(self.up), self.bottom(), &self.limits())
    }
}

impl WalkPlanes {
    #[inline(always)]
    fn new(drop: f64) -> Self {
        let (floors, ceilings) = (SlidePlanes::new(), SlidePlanes::new());
        Self { floors, ceilings, walls: SlidePlanes::new(), drop }
    }

    /// How far a level motion of `length` rises along the floors, or sinks under the ceilings.
    #[inline(always)]
    fn rise(&self, (level, length): (DVec3, f64), up: DVec3) -> f64 {
        let along =
            |(normal, bias): (DVec3, f64)| (bias * length - level.dot(normal)) / up.dot(normal);
        if self.floors.is_empty() {
            return self.ceilings.iter().map(along).fold(0.0, f64::min);
        }
        self.floors.iter().map(along).fold(-self.drop, f64::max)
    }

    /// Normal of the surface that bends a level motion up or down: the steepest floor or, in the
    /// air, the lowest ceiling.
    fn steering_plane(&self, level: DVec3, up: DVec3) -> DVec3 {
        let rise = |plane: DVec3| -level.dot(plane) / up.dot(plane);
        let floors = self.floors.iter().map(|(floor, _)| floor);
        let ceilings = self.ceilings.iter().map(|(ceiling, _)| ceiling);
        let ceilings = ceilings.filter(|ceiling| rise(*ceiling) < 0.0);
        let floor = floors.reduce(|a, b| if rise(b) > rise(a) { b } else { a });
        let ceiling = ceilings.reduce(|a, b| if rise(b) < rise(a) { b } else { a });
        floor.or(ceiling).unwrap_or(up)
    }

    /// Level normal, not of unit length, of the wall that a surface is for a walk along `level`.
    ///
    /// With the surface's normal `n` and the normal `f` of the floor that bends the walk: a motion
    /// that stays on `f` and does not enter `n` has `level · (n − f (n·up)/(f·up)) ≥ 0`.
    fn wall(&self, normal: DVec3, level: DVec3, up: DVec3) -> DVec3 {
        let steering_plane = self.steering_plane(level, up);
        let wall = normal - steering_plane * (normal.dot(up) / steering_plane.dot(up));
        wall - up * wall.dot(up)
    }
}
