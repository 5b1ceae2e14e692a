//! Steps: climbs up, onward, and down onto walkable ground.

use crate::cache::HintSlot;
use crate::controller::config::Climbing;
use crate::controller::outcome::Pass;
use crate::controller::pass::context::MoveContext;
use crate::tolerance::{CONTACT_TOLERANCE, UPRIGHT};
use crate::{Motion, SweepHit};
use glam::DVec3;

impl MoveContext<'_> {
    /// Climbs the obstacle that blocks the level motion `onward`, if it is a step. Returns the
    /// fraction of `onward` that was made.
    ///
    /// `blocked` is the contact with the obstacle. Three sweeps try the step: up by the step
    /// offset or to the ceiling, onward, and down again. The landing is valid if it is walkable,
    /// or if the sensor finds that it leads onto walkable ground.
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
        let Some(landing) = &self.sweep_vertical(HintSlot::Landing, over, -risen) else {
            // Over a thin obstacle: the down pass finds the ground behind it.
            self.center = over - self.up * risen;
            return Some(made);
        };
        if !self.is_within_step(landing.hit.point) {
            return None;
        }
        let lowered = landing.hit.distance;
        if !self.can_stand_on(&landing.hit) {
            let steep = SteepLanding { over, onward, risen, lowered, stopped: stopped.is_some() };
            if !self.leads_onto_ground(&steep) {
                return None;
            }
        }
        self.center = over - self.up * lowered;
        self.ground_height = Some(landing.hit.point.dot(self.up));
        self.landing = Some(landing.hit.point);
        self.add_contact(Pass::Step, landing);
        self.out.stepped = true;
        Some(made)
    }

    /// Whether the blocking contact blocks at every height up to the step offset.
    fn is_out_of_reach(&self, blocked: &SweepHit) -> bool {
        if self.is_within_step(blocked.point) {
            return false;
        }
        // With easy climbing only the straight part is still beside the contact once the character
        // is raised.
        let top = self.center + self.half_axis;
        self.config.climbing == Climbing::Constrained
            || blocked.point.dot(self.up) < top.dot(self.up)
    }

    /// Whether a contact at `point` is no higher than a step may be: the step offset, and with
    /// easy climbing one radius more, over which the round bottom rolls.
    fn is_within_step(&self, point: DVec3) -> bool {
        let limit = match self.config.climbing {
            Climbing::Constrained => self.highest_step(),
            Climbing::Easy => self.highest_step() + self.skinned_radius(),
        };
        point.dot(self.up) - self.bottom() <= limit
    }

    /// Whether the obstacle is upright and still beside the straight part of the raised character.
    ///
    /// Take the centre of the lower hemisphere, raised by the step offset. The axis is at least as
    /// long, so it contains this point however far the character is raised. If the wall is as near
    /// to the point as at the contact, it blocks at all these heights. So one ray replaces three
    /// to five sweeps. Under a surface that leans over the character it cannot rise at all.
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
        // The lower end of the axis touches a wall that leans back, which is further away up
        // there. The upper end touches one that leans over.
        let higher = if lean > 0.0 { highest } else { highest - axis };
        let reach = (self.skinned_radius() + higher * lean) / away + CONTACT_TOLERANCE;
        let origin = self.center - self.half_axis + self.up * highest;
        self.out.stats.sensor += 1;
        let motion = self.in_range(Motion::new(level * (-reach / away)));
        let wall = motion.and_then(|motion| self.world.ray_to_wall(origin, &motion));
        wall.is_some_and(|hit| {
            hit.hit.normal.as_dvec3().dot(onward) < 0.0
                && !self.limits().allow_slope(hit.hit.normal)
        })
    }

    /// The sensor: whether, a radius further on, the character stands on walkable ground, and no
    /// lower than at the landing.
    ///
    /// Beside a post that leans, the ground further on is the floor that the step started from.
    /// That is lower than a landing on the post, so the post is no step. On a bevel it is the top
    /// of the curb.
    fn leads_onto_ground(&mut self, landing: &SteepLanding) -> bool {
        let SteepLanding { over, onward, risen, lowered, stopped } = *landing;
        let Some(ahead) = onward.try_normalize() else { return false };
        let probe = ahead * self.skinned_radius();
        self.out.stats.sensor += 1;
        // Early outs: without headway the landing is the same steep one.
        if stopped && self.is_stopped_again(HintSlot::Step, over, probe) {
            return false;
        }
        let made = self.sweep_time(HintSlot::Step, over, probe).unwrap_or(1.0);
        if made == 0.0 {
            return false;
        }
        self.out.stats.sensor += 1;
        let further = self.sweep_vertical(HintSlot::Landing, over + probe * made, -risen);
        further.is_some_and(|further| {
            further.hit.distance <= lowered + CONTACT_TOLERANCE
                && self.is_within_step(further.hit.point)
                && self.can_stand_on(&further.hit)
        })
    }
}

/// A step that came down on steep ground.
struct SteepLanding {
    /// The raised character's centre, before it came down.
    over: DVec3,
    /// The level motion of the step.
    onward: DVec3,
    /// How far the character was raised (metres).
    risen: f64,
    /// How far it came down again (metres).
    lowered: f64,
    /// A surface stopped the raised motion. Mostly the same triangle then stops the sensor.
    stopped: bool,
}

#[cfg(test)]
mod tests {
    use crate::cache::{HintSlot, TriangleCache};
    use crate::controller::outcome::Pass;
    use crate::controller::pass::context::MoveContext;
    use crate::controller::pass::step::SteepLanding;
    use crate::controller::{
        CharacterState, Controller, ControllerConfig, MoveInput, MoveOutcome,
    };
    use crate::scene::{Body, MeshOptions, Pose, Scene, TriMesh};
    use crate::tolerance::CONTACT_TOLERANCE;
    use crate::{Motion, SweepHit};
    use capsweep_testkit::Rng;
    use glam::{DQuat, DVec3, Vec3, dvec3, vec3};
    use std::sync::Arc;

    /// Side view of a floor that ends in random slopes, ledges and steps, and a wall that may
    /// lean.
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

    /// The profile as a mesh, 18 m wide, turned by `up`.
    fn scene(rng: &mut Rng, up: DQuat) -> Scene {
        let (mut vertices, mut indices) = (Vec::<Vec3>::new(), Vec::new());
        for pair in profile(rng).windows(2) {
            let first = vertices.len() as u32;
            for [x, z] in [pair[0], pair[1]] {
                // Skewed, so that walks hit the edges at any angle.
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

    /// [`MoveContext::climb`] without shortcuts: whole hits instead of times, and no early outs of
    /// the sensor.
    fn climb_in_full(context: &mut MoveContext, onward: DVec3, blocked: &SweepHit) -> Option<f64> {
        if context.config.step_offset == 0.0
            || context.is_out_of_reach(blocked)
            || context.is_wall(onward, blocked)
        {
            return None;
        }
        let up = context.up;
        let time = |context: &mut MoveContext, hint: HintSlot, center: DVec3, motion: DVec3| {
            let hit = context.sweep_from(hint, center, (motion, motion.length()));
            hit.map_or(1.0, |hit| hit.hit.time)
        };
        let rise = up * context.highest_step();
        let center = context.center;
        let risen = match context.sweep_from(HintSlot::Up, center, (rise, rise.length())) {
            Some(hit) => hit.hit.time * rise.length(),
            None => context.highest_step(),
        };
        if risen <= CONTACT_TOLERANCE {
            return None;
        }
        let raised = center + up * risen;
        let made = time(context, HintSlot::Step, raised, onward);
        if made * onward.length() <= CONTACT_TOLERANCE {
            return None;
        }
        let over = raised + onward * made;
        let Some(landing) = context.sweep_vertical(HintSlot::Landing, over, -risen) else {
            context.center = over - up * risen;
            return Some(made);
        };
        if !context.is_within_step(landing.hit.point) {
            return None;
        }
        if !context.can_stand_on(&landing.hit) {
            let probe = onward.normalize() * context.skinned_radius();
            context.out.stats.sensor += 2;
            let ahead = over + probe * time(context, HintSlot::Step, over, probe);
            let further = context.sweep_vertical(HintSlot::Landing, ahead, -risen)?;
            if further.hit.distance > landing.hit.distance + CONTACT_TOLERANCE
                || !context.is_within_step(further.hit.point)
                || !context.can_stand_on(&further.hit)
            {
                return None;
            }
        }
        context.center = over - up * landing.hit.distance;
        context.ground_height = Some(landing.hit.point.dot(up));
        context.landing = Some(landing.hit.point);
        context.add_contact(Pass::Step, &landing);
        context.out.stepped = true;
        Some(made)
    }

    type Climb = fn(&mut MoveContext, DVec3, &SweepHit) -> Option<f64>;

    /// Walks from `state` to the first steep contact and climbs there. Returns all that the climb
    /// changed, with every bit, and how many sensor queries it made. `None` without such a
    /// contact.
    fn walk_and_climb(
        climb: Climb,
        (controller, scene, cache): (&Controller, &Scene, &mut TriangleCache),
        state: &CharacterState,
        input: &MoveInput,
    ) -> Option<(String, u16)> {
        let mut out = MoveOutcome::unmoved(*state);
        let mut context = MoveContext::new(controller, (scene, cache), state, input, &mut out);
        let motion = input.displacement.vector();
        let level = motion - context.up * motion.dot(context.up);
        let hit = context.sweep(HintSlot::Side, (level, level.length()))?.hit;
        if hit.starts_overlapping() || context.limits().allow_slope(hit.normal) {
            return None;
        }
        context.center += level * hit.time;
        let made = climb(&mut context, level * (1.0 - hit.time), &hit);
        let MoveContext { center, ground_height, landing, .. } = context;
        let MoveOutcome { contacts, stepped, stats, .. } = out;
        let changed = (made, center, ground_height, landing, contacts, stepped);
        Some((format!("{changed:?}"), stats.sensor))
    }

    #[test]
    fn the_shortcuts_of_a_climb_change_no_answer() {
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
                let climb: Climb = |context, onward, blocked| context.climb(onward, blocked);
                let climbs = [climb, climb_in_full, climb];
                let [fast, full, uncached] = [0, 1, 2].map(|i| {
                    let world = (&controller, &scene, &mut caches[i]);
                    walk_and_climb(climbs[i], world, &state, &input)
                });
                let what = format!("scene {number}, move {tick}");
                assert_eq!(fast, uncached, "{what}");
                assert_eq!(fast.is_some(), full.is_some(), "{what}");
                if let (Some((fast, few)), Some((full, many))) = (fast, full) {
                    assert_eq!(fast, full, "{what}");
                    spared += i32::from(many) - i32::from(few);
                }
                let [outcome, without_cache] =
                    [0, 2].map(|i| controller.move_by(&scene, &mut caches[i], &state, &input));
                assert_eq!(outcome, without_cache, "{what}");
                climbed += i32::from(outcome.stepped);
                state = outcome.state;
            }
        }
        assert!(spared > 100 && climbed > 100, "{spared} {climbed}");
    }

    /// Whether the sensor accepts a landing 0.3 m up, where a platform of that height starts
    /// `start` radii ahead.
    fn is_sensed(start: f64) -> bool {
        let mesh = |start: f32| {
            let [near, far] = [start, start + 9.0];
            let low = [vec3(-9.0, -9.0, 0.0), vec3(9.0, -9.0, 0.0), vec3(0.0, 18.0, 0.0)];
            let high = [vec3(near, -9.0, 0.3), vec3(far, -9.0, 0.3), vec3(near, 9.0, 0.3)];
            let vertices = [low, high].concat();
            TriMesh::new(&vertices, &[[0, 1, 2], [3, 4, 5]], MeshOptions::default()).unwrap()
        };
        let controller = Controller::new(ControllerConfig::human(DVec3::Z)).unwrap();
        let state = controller.spawn(DVec3::ZERO).unwrap();
        let input = MoveInput::new(Motion::ZERO);
        let mut out = MoveOutcome::unmoved(state);
        let (mut scene, mut cache) = (Scene::new(), TriangleCache::new());
        let radius = f64::from(controller.config.radius + controller.config.contact_offset);
        let mesh = mesh((start * radius) as f32);
        scene.insert(Body::mesh(Arc::new(mesh), Pose::IDENTITY).unwrap());
        let mut context =
            MoveContext::new(&controller, (&scene, &mut cache), &state, &input, &mut out);
        let (risen, over) = (0.4, context.center + DVec3::Z * 0.4);
        let landing =
            SteepLanding { over, onward: DVec3::X * 0.01, risen, lowered: 0.1, stopped: false };
        context.leads_onto_ground(&landing)
    }

    #[test]
    fn the_sensor_looks_one_radius_ahead() {
        assert!(is_sensed(0.5) && is_sensed(0.99));
        assert!(!is_sensed(1.05) && !is_sensed(1.5) && !is_sensed(1.95));
    }
}
