//! First touch with a mesh (rule 10.3).

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use super::mesh::TriMesh;
use super::packet::{ExactSweep, LocalSweep};
use crate::bvh::{Boxes, Kernel, Lanes, Probe, WIDTH, dispatch, nearest};
use crate::contract::{Meeting, Sweep, View};
use crate::target::TriangleTarget;
use crate::tolerance::BOUND;
use crate::{Capsule, Motion, Sides, SweepHit, Triangle};
use glam::DVec3;

/// A hit on a mesh, and the triangle that was hit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MeshHit {
    /// What was hit and where.
    pub hit: SweepHit,
    /// The triangle's number in the mesh.
    pub triangle: u32,
}

/// How many contacts within the bound of the best are remembered before they are looked up again.
const TIES: usize = 32;

impl TriMesh {
    /// First touch of `capsule`, moving by `motion`, and the mesh.
    pub fn sweep(&self, capsule: &Capsule, motion: &Motion, sides: Sides) -> Option<MeshHit> {
        let view = View::of(capsule);
        let sides = if self.is_double_sided() { Sides::Both } else { sides };
        let sweep = Sweep::new(&view, motion, sides);
        let both = sides == Sides::Both || motion.is_zero();
        let exact = ExactSweep {
            origin: capsule.center(),
            half_axis: capsule.axis() * 0.5,
            motion: motion.vector(),
            radius: f64::from(capsule.radius()) + 2.0 * BOUND,
            mesh_size: self.size(),
            front: if both { 0.0 } else { 1.0 },
        };
        let local = LocalSweep::new(&exact, sweep.end());
        let mut first = FirstTouch::new(self, sweep, local);
        dispatch(Walk(&mut first));
        first.answer()
    }
}

/// The contacts that may be the answer: those within the bound of the best so far.
struct FirstTouch<'a> {
    mesh: &'a TriMesh,
    sweep: Sweep<'a>,
    local: LocalSweep,
    best: Option<Meeting>,
    /// The bound as a fraction of the motion.
    slack: f64,
    ties: [(Meeting, u32); TIES],
    count: usize,
}

struct Walk<'a, 'b>(&'a mut FirstTouch<'b>);

impl Kernel for Walk<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        nearest::<L>(&self.0.mesh.bvh, self.0);
    }
}

impl Probe for FirstTouch<'_> {
    #[inline(always)]
    fn enter<L: Lanes>(&mut self, boxes: &Boxes<L>) -> (u32, L) {
        self.local.enter(boxes)
    }

    #[inline(always)]
    fn limit(&self) -> f32 {
        self.local.limit
    }

    #[inline(always)]
    fn leaf<L: Lanes>(&mut self, leaf: usize) -> bool {
        let (mut bits, keys) = self.local.filter::<L>(&self.mesh.packets[leaf]);
        if bits != 0 {
            let keys = keys.store();
            while bits != 0 {
                let lane = bits.trailing_zeros() as usize;
                bits &= bits - 1;
                if keys[lane] <= self.local.limit {
                    self.try_triangle((leaf * WIDTH + lane) as u32);
                }
            }
        }
        true
    }
}

impl<'a> FirstTouch<'a> {
    fn new(mesh: &'a TriMesh, sweep: Sweep<'a>, local: LocalSweep) -> Self {
        let length = sweep.motion.length();
        Self {
            mesh,
            sweep,
            local,
            best: None,
            slack: if length > 0.0 { BOUND / length } else { 0.0 },
            ties: [(Meeting::Touches, 0); TIES],
            count: 0,
        }
    }

    fn triangle(&self, slot: u32) -> Triangle {
        let corners = self.mesh.packets[slot as usize / WIDTH].get(slot as usize % WIDTH);
        let [a, b, c] = corners.map(DVec3::from);
        Triangle::from_checked([a, b, c])
    }

    #[inline(never)]
    fn try_triangle(&mut self, slot: u32) {
        let limit = match self.best {
            None => self.sweep.end(),
            Some(Meeting::Enters { time }) => time + self.slack,
            Some(_) => 0.0,
        };
        let triangle = self.triangle(slot);
        let target = TriangleTarget::new(self.sweep.view, &triangle);
        let Some(meeting) = self.sweep.meet(&target, limit) else { return };
        if self.best.is_none_or(|best| before(meeting, best)) {
            self.best = Some(meeting);
            let latest = match meeting {
                Meeting::Enters { time } => time + self.slack,
                _ => 0.0,
            };
            self.local.lower_limit(latest);
        }
        if self.count < TIES {
            self.ties[self.count] = (meeting, slot);
            self.count += 1;
        }
    }

    /// Of the contacts within the bound of the best, the most head-on, then the first triangle.
    fn answer(&self) -> Option<MeshHit> {
        let best = self.best?;
        let mut answer: Option<(f64, MeshHit)> = None;
        for &(meeting, slot) in &self.ties[..self.count] {
            if !self.ties_with(meeting, best) {
                continue;
            }
            let triangle = self.triangle(slot);
            let target = TriangleTarget::new(self.sweep.view, &triangle);
            let report = self.sweep.report(&target, meeting);
            let head_on = report.normal.dot(self.sweep.motion.vector()).abs();
            let index = self.mesh.bvh.leaf_items(slot as usize / WIDTH)[slot as usize % WIDTH];
            let better = answer.as_ref().is_none_or(|(most, chosen)| {
                head_on > *most || (head_on == *most && index < chosen.triangle)
            });
            if better {
                answer = Some((head_on, MeshHit { hit: report.hit, triangle: index }));
            }
        }
        answer.map(|(_, mut found)| {
            if let Meeting::Enters { time } = best {
                found.hit.time = time;
                found.hit.distance = time * self.sweep.motion.length();
            }
            found
        })
    }

    fn ties_with(&self, meeting: Meeting, best: Meeting) -> bool {
        match (meeting, best) {
            (Meeting::Overlaps { depth }, Meeting::Overlaps { depth: deepest }) => {
                depth >= deepest - BOUND
            }
            (Meeting::Touches, Meeting::Touches) => true,
            (Meeting::Enters { time }, Meeting::Enters { time: first }) => {
                time <= first + self.slack
            }
            (Meeting::Enters { time }, Meeting::Touches) => time <= self.slack,
            _ => false,
        }
    }
}

/// Whether `a` comes before `b`: overlaps first, deepest first, then touches, then by time.
fn before(a: Meeting, b: Meeting) -> bool {
    match (a, b) {
        (Meeting::Overlaps { depth: a }, Meeting::Overlaps { depth: b }) => a > b,
        (Meeting::Enters { time: a }, Meeting::Enters { time: b }) => a < b,
        _ => rank(a) < rank(b),
    }
}

fn rank(meeting: Meeting) -> u8 {
    match meeting {
        Meeting::Overlaps { .. } => 0,
        Meeting::Touches => 1,
        Meeting::Enters { .. } => 2,
    }
}
