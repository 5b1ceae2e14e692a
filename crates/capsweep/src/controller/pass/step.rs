//! Climbing a step: up, on, and down onto something that can be walked on.

use crate::cache::HintSlot;
use crate::controller::config::Climbing;
use crate::controller::outcome::Pass;
use crate::controller::pass::context::MoveContext;
use crate::controller::pass::thorough;
use crate::tolerance::{CONTACT_TOLERANCE, UPRIGHT};
use crate::{Motion, SweepHit};
use glam::DVec3;

impl MoveContext<'_> {
    /// Climbs what is in the way of the level motion `onward`, if it is a step. Returns the part of `onward` that was made.
    ///
    /// `blocked` is the contact that blocks it. Three sweeps try the step: up by the step offset or to the ceiling, on, and down
    /// again. The landing is valid if it is walkable, or if the sensor (B.7) finds that it leads onto walkable ground.
    pub(crate) fn climb(&mut self, onward: DVec3, blocked: &SweepHit) -> Option<f64> {
        if self.config.step_offset == 0.0
            || self.is_out_of_reach(blocked)
            || self.is_wall(onward, blocked)
        {
            return None;
        }
        let highest = self.highest_step();
        self.out.stats.step += 1;
        let rise = self.up * highest;
        let risen = self.sweep_time(HintSlot::Up, self.center, rise);
        let risen = risen.map_or(highest, |time| time * rise.length());
        if risen <= CONTACT_TOLERANCE {
            return None;
        }
        let raised = self.center + self.up * risen;
        self.out.stats.step += 1;
        let stopped = self.sweep_time(HintSlot::Step, raised, onward);
        let made = stopped.unwrap_or(1.0);
        if made * onward.length() <= CONTACT_TOLERANCE {
            return None;
        }
        let over = raised + onward * made;
        self.out.stats.step += 1;
        let Some(landing) = &self.sweep_up(HintSlot::Landing, over, -risen) else {
            // Over something thin: the pass down finds out what comes after it.
            self.center = over - self.up * risen;
            return Some(made);
        };
        if !self.is_within_step(landing.hit.point) {
            return None;
        }
        let lowered = landing.hit.distance;
        let sensor = Sensor { over, onward, risen, lowered, stopped: stopped.is_some() };
        if !self.is_walkable(&landing.hit) && !self.leads_onto_ground(&sensor) {
            return None;
        }
        self.center = over - self.up * lowered;
        self.stands_at = Some(landing.hit.point.dot(self.up));
        self.landing = Some(landing.hit.point);
        self.touch(Pass::Step, landing);
        self.out.stepped = true;
        Some(made)
    }

    /// Whether the blocking contact stays in the way at every height up to the step offset.
    fn is_out_of_reach(&self, blocked: &SweepHit) -> bool {
        if self.is_within_step(blocked.point) {
            return false;
        }
        // With easy climbing, only the straight part is still beside the contact once the character is raised.
        let top = self.center + self.half_axis;
        self.config.climbing == Climbing::Constrained
            || blocked.point.dot(self.up) < top.dot(self.up)
    }

    /// Whether a contact at `point` is no higher than a step may be: the step offset, and with easy climbing the radius
    /// more, which is what the round bottom rolls over.
    fn is_within_step(&self, point: DVec3) -> bool {
        let limit = match self.config.climbing {
            Climbing::Constrained => self.highest_step(),
            Climbing::Easy => self.highest_step() + self.reach(),
        };
        self.height_over_ground(point) <= limit
    }

    /// Whether what was run into is upright and still there beside the straight part of the character once that is raised.
    ///
    /// The centre of the lower hemisphere, raised by the step offset, is a point of the axis at any height up to there, as the axis is no
    /// shorter. If from it the wall is as near as where it was run into, then it is in the way at all these heights: one ray tells what
    /// otherwise three to five sweeps would find out. Under what leans over the character it cannot rise at all.
    fn is_wall(&mut self, onward: DVec3, blocked: &SweepHit) -> bool {
        let highest = self.highest_step();
        let normal = blocked.normal.as_dvec3();
        let lean = normal.dot(self.up);
        let axis = 2.0 * self.half_axis.length();
        if lean.abs() > UPRIGHT || highest > axis {
            return lean < -UPRIGHT;
        }
        let level = normal - self.up * lean;
        let away = level.length();
        // One that leans back is touched by the lower end of the axis, and further away up there; one that leans over, by the upper end.
        let higher = if lean > 0.0 { highest } else { highest - axis };
        let reach = (self.reach() + higher * lean) / away + CONTACT_TOLERANCE;
        let origin = self.center - self.half_axis + self.up * highest;
        self.out.stats.sensor += 1;
        let motion = self.in_range(Motion::new(level * (-reach / away)));
        let wall = motion.and_then(|motion| self.world.wall(origin, &motion));
        wall.is_some_and(|hit| {
            hit.hit.normal.as_dvec3().dot(onward) < 0.0 && !self.is_walkable_normal(hit.hit.normal)
        })
    }

    /// The sensor: whether, a radius further on, the character stands on walkable ground, and no lower than at the landing.
    ///
    /// Beside a post that leans, the ground further on is the floor that the step started from: lower than a landing on the
    /// post, which is then no step. On a bevel it is the top of the curb.
    fn leads_onto_ground(&mut self, sensor: &Sensor) -> bool {
        let Sensor { over, onward, risen, lowered, stopped } = *sensor;
        let Some(ahead) = onward.try_normalize() else { return false };
        let probe = ahead * self.reach();
        self.out.stats.sensor += 1;
        // Without headway the landing is the same, and that is too steep.
        let spares = !thorough::is_asked_for();
        if spares && stopped && self.is_stopped_again(HintSlot::Step, over, probe) {
            return false;
        }
        let made = self.sweep_time(HintSlot::Step, over, probe).unwrap_or(1.0);
        if spares && made == 0.0 {
            return false;
        }
        self.out.stats.sensor += 1;
        let further = self.sweep_up(HintSlot::Landing, over + probe * made, -risen);
        further.is_some_and(|further| {
            further.hit.distance <= lowered + CONTACT_TOLERANCE
                && self.is_within_step(further.hit.point)
                && self.is_walkable(&further.hit)
        })
    }
}

/// A step that came down on steep ground, for the sensor to look beyond.
struct Sensor {
    /// Where the character was, raised, before it came down.
    over: DVec3,
    /// The level motion of the step.
    onward: DVec3,
    /// By how much it was raised, and how far it came down again.
    risen: f64,
    lowered: f64,
    /// Whether the raised motion was stopped: the sensor's is then stopped by the same triangle most of the time.
    stopped: bool,
}

#[cfg(test)]
mod tests {
    use crate::Motion;
    use crate::cache::TriangleCache;
    use crate::controller::{Controller, ControllerConfig, MoveInput, MoveOutcome, MoveStats};
    use crate::scene::{Body, MeshOptions, Pose, Scene, TriMesh};
    use capsweep_testkit::Rng;
    use glam::{DQuat, DVec3, Vec3, dvec3, vec3};
    use std::sync::Arc;

    /// A floor that ends in slopes, ledges and steps of all kinds, up to a wall that may lean.
    fn profile(rng: &mut Rng) -> Vec<[f64; 2]> {
        let mut line = vec![[-6.0, 0.0], [0.0, 0.0]];
        for _ in 0..=rng.below(3) {
            let [x, z] = line[line.len() - 1];
            let (run, rise) = (rng.range(0.0, 0.5), rng.range(0.0, 0.6));
            line.push([x + run, z + rise]);
            if rng.chance(0.3) {
                line.push([x + run + rng.range(0.1, 1.0), z + rise]);
            }
        }
        let [x, z] = line[line.len() - 1];
        let lean = [0.0, 0.0, 0.05, -0.05, 1.0][rng.below(5) as usize];
        line.push([x + lean, z + 3.0]);
        line
    }

    fn scene(rng: &mut Rng, up: DQuat) -> Scene {
        let (mut vertices, mut indices) = (Vec::<Vec3>::new(), Vec::new());
        for pair in profile(rng).windows(2) {
            let first = vertices.len() as u32;
            for [x, z] in [pair[0], pair[1]] {
                // Askew, so that edges are met at any angle.
                let skew = rng.range(-0.3, 0.3);
                vertices.push(vec3((x + skew * 0.1) as f32, -9.0, z as f32));
                vertices.push(vec3((x - skew * 0.1) as f32, 9.0, z as f32));
            }
            indices.extend([[first, first + 2, first + 1], [first + 1, first + 2, first + 3]]);
        }
        let mesh = TriMesh::new(&vertices, &indices, MeshOptions::default()).unwrap();
        let pose = Pose::new(DVec3::ZERO, up, DVec3::ONE).unwrap();
        let mut scene = Scene::new();
        scene.insert(Body::mesh(Arc::new(mesh), pose).unwrap());
        scene
    }

    /// All of an outcome but the work that it was.
    fn told(outcome: &MoveOutcome) -> String {
        format!("{:?}", MoveOutcome { stats: MoveStats::default(), ..outcome.clone() })
    }

    #[test]
    fn what_a_climb_spares_itself_changes_no_outcome() {
        let mut rng = Rng::new(&[71]);
        let (mut spared, mut climbed) = (0, 0);
        for number in 0..150 {
            let up = if number % 3 == 0 { rng.direction() } else { DVec3::Z };
            let turn = DQuat::from_rotation_arc(DVec3::Z, up);
            let scene = scene(&mut rng, turn);
            let controller = Controller::new(ControllerConfig::physx(up)).unwrap();
            let mut state =
                controller.spawn(turn * dvec3(-1.2, rng.range(-5.0, 5.0), 0.01)).unwrap();
            let mut caches = [TriangleCache::new(), TriangleCache::new(), TriangleCache::off()];
            let mut heading = DVec3::X;
            for tick in 0..60 {
                if tick % 15 == 0 {
                    heading = dvec3(1.0, rng.range(-1.5, 1.5), 0.0).normalize() * 0.08;
                }
                let motion = Motion::new(turn * (heading - DVec3::Z * 0.003)).unwrap();
                let input = MoveInput::new(motion);
                let [spares, full, off] = &mut caches;
                let outcome = controller.move_by(&scene, spares, &state, &input);
                let in_full = crate::controller::pass::thorough::run(|| {
                    controller.move_by(&scene, full, &state, &input)
                });
                let without_cache = controller.move_by(&scene, off, &state, &input);
                assert_eq!(told(&outcome), told(&in_full), "scene {number}, move {tick}");
                assert_eq!(outcome, without_cache, "scene {number}, move {tick}");
                spared += i32::from(in_full.stats.sensor) - i32::from(outcome.stats.sensor);
                climbed += i32::from(outcome.stepped);
                state = outcome.state;
            }
        }
        assert!(spared > 100 && climbed > 100, "{spared} {climbed}");
    }
}
