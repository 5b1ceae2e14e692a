//! Surfaces near a path, which may have carried a character or stopped its rise.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use crate::math::Vec3Soa;
use crate::mesh::surface::Surface as MeshSurface;
use crate::scene::Shape;
use crate::tolerance::{SUPPORT_SLACK, UPRIGHT};
use crate::traverse::box_query::{BoxVisitor, visit_box};
use crate::validate::probe::Probe;
use crate::{Aabb, Sides};
use glam::DVec3;

/// The straight line between two positions of the feet, and how far the true path may deviate.
pub(crate) struct WayBox {
    pub(crate) from: DVec3,
    pub(crate) to: DVec3,
    pub(crate) below: f64,
    pub(crate) above: f64,
    /// Horizontal.
    pub(crate) beside: f64,
    /// Height of the relevant part of the body over its feet: the whole body, or less in a search
    /// for ground.
    pub(crate) tall: f64,
}

/// Surfaces in a box that count as one scene query (no unit). So the query budget also bounds the
/// work in a large box: the client decides how long it is silent, and with that how large the box
/// is.
const SURFACES_PER_QUERY: u32 = 32;

/// A surface that may carry a character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Surface {
    Walkable,
    Steep,
    /// An edge of steep faces whose contact normal may be walkable.
    Edge,
}

/// Whether surfaces near a path may stop a rise.
#[derive(Clone, Copy)]
pub(crate) struct Overhead {
    /// A surface that faces down.
    pub(crate) ceiling: bool,
    /// Any surface, walls included.
    pub(crate) obstacle: bool,
}

impl Probe<'_> {
    /// Margin of the box around a path, on all sides.
    pub(crate) fn near_slack(&self) -> f64 {
        SUPPORT_SLACK + 2.0 * self.position_error
    }

    /// Calls `floor` with the lowest and the highest point of each surface near a path that could
    /// carry the character, until `floor` returns [`Enough::Yes`]. Returns whether surfaces could
    /// stop a rise. The highest point includes the hover height.
    pub(crate) fn near_surfaces(
        &mut self,
        way: &WayBox,
        floor: impl FnMut([f64; 2], Surface) -> Enough,
    ) -> Overhead {
        let up = self.up;
        let slack = self.near_slack();
        // Half extents of the box around a horizontal disc: radius × √(1 − upᵢ²) for a unit `up`.
        let level = (DVec3::ONE - up * up).max(DVec3::ZERO).map(f64::sqrt);
        let reach = level * (self.skinned + way.beside) + DVec3::splat(slack);
        let (top, bottom) = (up * (way.tall + way.above), up * -(way.below + self.hover));
        let ends = [way.from + top, way.from + bottom, way.to + top, way.to + bottom];
        let low = ends.into_iter().fold(ends[0], DVec3::min) - reach;
        let high = ends.into_iter().fold(ends[0], DVec3::max) + reach;
        let Ok(bounds) = Aabb::new(low, high) else {
            return Overhead { ceiling: true, obstacle: true };
        };
        let cos = self.limits.slope_limit();
        let filter = self.world.surroundings.filter;
        let left = self.max_queries.saturating_sub(self.queries);
        let mut near = NearSurfaces {
            probe: self,
            both_sides: filter.sides == Sides::Both,
            center: 0.5 * (low + high),
            half: 0.5 * (high - low),
            bounds,
            head: way.from.dot(up).min(way.to.dot(up)) - way.below + self.head() - slack,
            steepest_edge: (1.0 - cos * cos).sqrt(),
            floor,
            enough: Enough::No,
            overhead: Overhead { ceiling: false, obstacle: false },
            visited: 0,
            most: left.saturating_mul(SURFACES_PER_QUERY),
        };
        visit_box(self.world.scene.content(), &bounds, filter, &mut near);
        let (visited, overhead) = (near.visited, near.overhead);
        self.is_cut_short |= near.visited > near.most;
        self.queries = self.queries.saturating_add(1 + visited / SURFACES_PER_QUERY);
        overhead
    }
}

/// The range of heights of a shape, and the upward component of its normal if it is a half-space.
/// The range of a half-space is that within a box, given by centre and half size.
fn range_of(shape: &Shape, up: DVec3, [center, half]: [DVec3; 2]) -> ([f64; 2], f64) {
    let around = |middle: f64, reach: f64| [middle - reach, middle + reach];
    match (shape, shape.bounds()) {
        (Shape::HalfSpace(half_space), _) => {
            let normal = half_space.normal();
            let lean = normal.dot(up);
            let steep = if lean.abs() > UPRIGHT { lean } else { UPRIGHT };
            let middle = center.dot(up) + (half_space.point() - center).dot(normal) / steep;
            let level = normal - up * lean;
            (around(middle, level.abs().dot(half) / steep.abs()), lean)
        }
        (_, Some(bounds)) => {
            (around(bounds.center().dot(up), 0.5 * up.abs().dot(bounds.size())), 0.0)
        }
        (_, None) => (around(center.dot(up), up.abs().dot(half)), 0.0),
    }
}

/// Which further surfaces can change an answer (early out).
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Enough {
    /// None: the search can stop.
    Yes,
    /// Only those with a point above this height.
    UpTo(f64),
    /// All.
    No,
}

/// Classifies the surfaces in a box.
struct NearSurfaces<'a, F> {
    probe: &'a Probe<'a>,
    both_sides: bool,
    bounds: Aabb,
    center: DVec3,
    half: DVec3,
    /// Height below which no surface stops a rise: that of the round top.
    head: f64,
    /// Upward component of the steepest edge that can carry a character (no unit).
    steepest_edge: f64,
    floor: F,
    enough: Enough,
    overhead: Overhead,
    /// Visited surfaces, and the number beyond which the query budget is used up.
    visited: u32,
    most: u32,
}

/// A triangle near a path, with its sides and its slot in the mesh.
struct NearFace<'a> {
    corners: [DVec3; 3],
    /// Upward component of the normal.
    lean: f64,
    two_sided: bool,
    surface: MeshSurface<'a>,
    slot: usize,
    mirrored: bool,
}

impl NearFace<'_> {
    /// Bits 0, 1, 2: the edges of a steep face that may protrude upwards, so that a character may
    /// rest on them.
    ///
    /// From the front, an internal edge cannot be touched without a face. From behind, a concave
    /// edge protrudes.
    #[inline(always)]
    fn outer_edges(&self) -> u8 {
        let seen_from_behind = self.two_sided && self.lean <= UPRIGHT;
        let bits = if seen_from_behind {
            (0..3)
                .filter(|edge| !self.surface.is_flat(self.slot, *edge))
                .map(|edge| 1 << edge)
                .sum()
        } else if self.lean >= -UPRIGHT {
            !self.surface.inner_edges(self.slot) & 0b111
        } else {
            0
        };
        // A mirrored triangle runs `a c b`: its first edge is the third of the mesh.
        if self.mirrored { (bits & 0b010) | (bits & 1) << 2 | bits >> 2 } else { bits }
    }
}

impl<F: FnMut([f64; 2], Surface) -> Enough> NearSurfaces<'_, F> {
    fn is_ignored(&self, body: u32) -> bool {
        let Some(ignored) = self.probe.world.surroundings.ignore else { return false };
        let found = self.probe.world.scene.content().body_by_index(body);
        found.is_none_or(|(id, _)| id == ignored)
    }

    /// Whether the whole box is outside a half-space, which has no bounds of its own.
    fn is_in_front_of(&self, shape: &Shape) -> bool {
        let Shape::HalfSpace(half_space) = shape else { return false };
        let normal = half_space.normal();
        let nearest = (self.center - half_space.point()).dot(normal) - normal.abs().dot(self.half);
        nearest > 0.0
    }

    #[inline]
    fn add(&mut self, heights: [f64; 2], surface: Surface) {
        if self.enough != Enough::Yes {
            let [lowest, highest] = heights;
            self.enough = (self.floor)([lowest, highest + self.probe.hover], surface);
        }
    }

    #[inline(always)]
    fn add_face(&mut self, face: &NearFace, normal: DVec3, heights: [f64; 3]) {
        let (up, lean) = (self.probe.up, face.lean);
        let lowest = heights[0].min(heights[1]).min(heights[2]);
        let highest = heights[0].max(heights[1]).max(heights[2]);
        if lean.abs() <= UPRIGHT {
            // Without slides, a fall may end on the edges of a wall's triangles.
            if self.probe.walls_carry {
                let ends = [self.bounds.min().dot(up), highest.min(self.bounds.max().dot(up))];
                self.add(ends, Surface::Steep);
            }
            // A wall that leans over slightly also stops a rise.
            self.overhead.obstacle |= highest >= self.head;
        } else {
            // The heights of the plane within the box, clipped to those of the triangle.
            let spread = normal.abs().dot(self.half) / lean.abs();
            let middle = self.center.dot(up) + (face.corners[0] - self.center).dot(normal) / lean;
            let (lowest, highest) = (lowest.max(middle - spread), highest.min(middle + spread));
            let is_walkable = lean.abs() >= self.probe.limits.slope_limit();
            if lean > UPRIGHT || face.two_sided {
                let surface = if is_walkable { Surface::Walkable } else { Surface::Steep };
                self.add([lowest, highest], surface);
            }
            let is_ceiling = (lean < -UPRIGHT || face.two_sided) && highest >= self.head;
            self.overhead.ceiling |= is_ceiling;
            self.overhead.obstacle |= is_ceiling;
            if is_walkable {
                return;
            }
        }
        self.add_ridges(face, heights);
    }

    /// Adds the edges of a steep face or a wall that can carry a character.
    ///
    /// The contact normal on an edge is perpendicular to it. So it is walkable only if the edge
    /// itself is no steeper than the slope limit.
    #[inline(always)]
    fn add_ridges(&mut self, face: &NearFace, heights: [f64; 3]) {
        let outer = face.outer_edges();
        let (low, high) = (self.bounds.min(), self.bounds.max());
        for edge in (0..3).filter(|edge| outer & (1 << edge) != 0) {
            let next = (edge + 1) % 3;
            let (p, q) = (face.corners[edge], face.corners[next]);
            let ends = [heights[edge].min(heights[next]), heights[edge].max(heights[next])];
            if p.max(q).cmpge(low).all()
                && p.min(q).cmple(high).all()
                && ends[1] - ends[0] <= self.steepest_edge * p.distance(q)
            {
                self.add(ends, Surface::Edge);
            }
        }
    }
}

impl<F: FnMut([f64; 2], Surface) -> Enough> BoxVisitor for NearSurfaces<'_, F> {
    #[inline(always)]
    fn triangle(&mut self, body: u32, slot: u32, corners: &Vec3Soa<[f64; 4]>) {
        self.visited += 1;
        if self.is_ignored(body) {
            return;
        }
        let [a, b, c] = [corners.lane(0), corners.lane(1), corners.lane(2)];
        let heights = [a, b, c].map(|corner| corner.dot(self.probe.up));
        if let Enough::UpTo(height) = self.enough
            && heights.into_iter().all(|corner| corner + self.probe.hover <= height)
        {
            return;
        }
        let content = self.probe.world.scene.content();
        let Some((surface, pose)) = content.surface(body) else { return };
        let normal = (b - a).cross(c - a).normalize_or_zero();
        let slot = slot as usize;
        let face = NearFace {
            corners: [a, b, c],
            lean: normal.dot(self.probe.up),
            two_sided: self.both_sides || surface.has_two_sides(slot),
            surface,
            slot,
            mirrored: pose.is_mirrored(),
        };
        self.add_face(&face, normal, heights);
    }

    fn shape(&mut self, body: u32, shape: &Shape) {
        self.visited += 1;
        if self.is_ignored(body) || self.is_in_front_of(shape) {
            return;
        }
        let (range, lean) = range_of(shape, self.probe.up, [self.center, self.half]);
        let is_round = shape.bounds().is_some();
        let limit = self.probe.limits.slope_limit();
        if is_round || lean >= limit {
            self.add(range, Surface::Walkable);
        }
        if is_round || (UPRIGHT..limit).contains(&lean) {
            self.add(range, Surface::Steep);
        }
        let is_overhead = range[1] >= self.head && (is_round || lean < UPRIGHT);
        self.overhead.ceiling |= is_overhead;
        self.overhead.obstacle |= is_overhead;
    }

    fn is_full(&self) -> bool {
        self.enough == Enough::Yes || self.visited > self.most
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::controller::{Controller, ControllerConfig, Locomotion, LocomotionConfig};
    use crate::scene::{Body, MeshOptions, Pose, Scene, TriMesh};
    use crate::validate::{ClaimWorld, Validator, ValidatorConfig};
    use capsweep_testkit::Rng;
    use glam::{Vec3, dvec3};
    use std::sync::Arc;

    /// Triangles of all slopes, in a cube of 6 m.
    fn rubble(rng: &mut Rng, double_sided: bool) -> Scene {
        let mut vertices: Vec<Vec3> = Vec::new();
        for _ in 0..300 {
            let mut within = |size: f64| {
                dvec3(rng.range(-size, size), rng.range(-size, size), rng.range(-size, size))
            };
            let (center, corners) = (within(3.0), [within(0.8), within(0.8), within(0.8)]);
            vertices.extend(corners.map(|corner| (center + corner).as_vec3()));
        }
        let indices: Vec<[u32; 3]> = (0..300).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
        let mesh = TriMesh::new(&vertices, &indices, MeshOptions { double_sided });
        let mut scene = Scene::new();
        scene.insert(Body::mesh(Arc::new(mesh.expect("valid")), Pose::IDENTITY).expect("valid"));
        scene
    }

    /// The bits of the highest surface, and the number of surfaces that counted.
    fn highest(probe: &mut Probe, way: &WayBox, leaves_out: bool) -> (u64, u32) {
        let (mut highest, mut count) = (f64::NEG_INFINITY, 0);
        let _ = probe.near_surfaces(way, |[_, height], surface| {
            count += 1;
            highest = if surface == Surface::Steep { highest } else { height.max(highest) };
            if leaves_out { Enough::UpTo(highest) } else { Enough::No }
        });
        (highest.to_bits(), count)
    }

    #[test]
    fn lower_surfaces_are_left_out_without_a_change_of_the_highest() {
        let controller = Controller::new(ControllerConfig::human(DVec3::Z)).expect("a preset");
        let locomotion = Locomotion::new(controller, LocomotionConfig::human()).expect("a preset");
        let validator = Validator::new(locomotion, ValidatorConfig::default()).expect("a preset");
        let size = controller.spawn(DVec3::ZERO).expect("in range");
        let (mut fewer, mut found) = (0, 0);
        for seed in 0..400 {
            let mut rng = Rng::new(&[29, seed]);
            let scene = rubble(&mut rng, seed % 2 == 0);
            let world = ClaimWorld::new(&scene);
            let hover = if seed % 3 == 0 { 0.5 } else { 0.0 };
            let mut probe = Probe::new(&validator, &world, &size, hover);
            let mut place = || dvec3(rng.range(-2.0, 2.0), rng.range(-2.0, 2.0), rng.unit());
            let (from, to) = (place(), place());
            let way = WayBox { from, to, below: 1.0, above: 0.5, beside: 0.7, tall: 1.8 };
            let (all, some) = (highest(&mut probe, &way, false), highest(&mut probe, &way, true));
            assert_eq!(all.0, some.0, "{seed}");
            fewer += u32::from(some.1 < all.1);
            found += u32::from(all.1 > 0);
        }
        assert!(fewer > 200 && found > 300, "{fewer} {found}");
    }
}
