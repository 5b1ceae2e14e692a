//! Brute-force reference for scene sweeps: tests every triangle and every shape as a single pair.

use crate::seam::{self, EdgeContact};
use capsweep::scene::{
    Bodies, Body, BodyKind, EdgeKind, EdgeTopology, Filter, MeshOptions, Mobility, Pose, Scene,
    SceneHit, Shape, StartOverlaps, TriMesh,
};
use capsweep::{
    Aabb, CONTACT_TOLERANCE, Capsule, Feature, Motion, SEAM_DISTANCE, Sides, SweepHit, Triangle,
    sweep_capsule_box, sweep_capsule_capsule, sweep_capsule_half_space, sweep_capsule_sphere,
    sweep_capsule_triangle,
};
use glam::{DVec3, Vec3};
use std::sync::Arc;

/// Geometry of a [`PlainBody`].
#[derive(Debug, Clone)]
pub enum PlainGeometry {
    /// A placed mesh.
    Mesh {
        /// The mesh in its own space.
        mesh: Arc<TriMesh>,
        /// Position, rotation and scale.
        pose: Pose,
    },
    /// A shape of the world.
    Shape(Shape),
    /// A shape that the caller adds as an obstacle.
    Obstacle(Shape),
}

/// A body as plain data.
#[derive(Debug, Clone)]
pub struct PlainBody {
    /// Mesh, shape or obstacle.
    pub geometry: PlainGeometry,
    /// The caller's number for the body.
    pub key: u64,
    /// Bits that are compared with a query's mask.
    pub mask: u32,
    /// Static or dynamic.
    pub mobility: Mobility,
}

impl PlainBody {
    /// A static body that every mask sees.
    pub fn new(geometry: PlainGeometry, key: u64) -> Self {
        Self { geometry, key, mask: u32::MAX, mobility: Mobility::Static }
    }

    /// A placed mesh.
    pub fn mesh(mesh: Arc<TriMesh>, pose: Pose, key: u64) -> Self {
        Self::new(PlainGeometry::Mesh { mesh, pose }, key)
    }

    /// Makes the same body for a scene.
    ///
    /// # Panics
    /// If a mesh leaves the range of positions.
    pub fn body(&self) -> Body {
        let body = match &self.geometry {
            PlainGeometry::Mesh { mesh, pose } => {
                Body::mesh(Arc::clone(mesh), *pose).expect("a mesh within range")
            }
            PlainGeometry::Shape(shape) => Body::shape(*shape),
            PlainGeometry::Obstacle(shape) => Body::obstacle(*shape),
        };
        body.with_key(self.key).with_mask(self.mask).with_mobility(self.mobility)
    }

    fn kind(&self) -> BodyKind {
        match self.geometry {
            PlainGeometry::Mesh { .. } => BodyKind::Mesh,
            PlainGeometry::Shape(_) => BodyKind::Shape,
            PlainGeometry::Obstacle(_) => BodyKind::Obstacle,
        }
    }

    fn is_visible_to(&self, filter: Filter) -> bool {
        let wanted = match filter.bodies {
            Bodies::All => true,
            Bodies::Static => self.mobility == Mobility::Static,
            Bodies::Dynamic => self.mobility == Mobility::Dynamic,
        };
        wanted && self.mask & filter.mask != 0
    }
}

/// Builds a mesh for queries.
///
/// # Panics
/// If the mesh is invalid.
pub fn tri_mesh((vertices, indices): &crate::level::Mesh, double_sided: bool) -> Arc<TriMesh> {
    let options = MeshOptions { double_sided };
    Arc::new(TriMesh::new(vertices, indices, options).expect("a mesh within range"))
}

/// The contact with one triangle or shape.
#[derive(Debug, Clone, Copy)]
struct Contact {
    hit: SweepHit,
    /// Index of the body in the list.
    body: usize,
    kind: BodyKind,
    key: u64,
    triangle: Option<u32>,
    tag: u32,
}

impl Contact {
    /// The order of contacts that tie in everything else.
    fn rank(&self) -> (BodyKind, u64, Option<u32>) {
        (self.kind, self.key, self.triangle)
    }
}

/// A body with its triangles in world space.
#[derive(Debug, Clone)]
struct WorldBody {
    plain: PlainBody,
    triangles: Vec<Triangle>,
    /// Kinds of the edges of each triangle.
    edges: Vec<[EdgeKind; 3]>,
    bounds: Option<Aabb>,
}

/// A world as a plain list of bodies.
#[derive(Debug, Clone, Default)]
pub struct Brute {
    bodies: Vec<WorldBody>,
}

/// Bodies whose box is farther than this from the sweep's box are skipped, in metres.
const FAR: f64 = 1.0;

impl Brute {
    /// Transforms every triangle to world space, in f64.
    ///
    /// # Panics
    /// If a triangle leaves the range of positions.
    pub fn new(bodies: impl IntoIterator<Item = PlainBody>) -> Self {
        Self { bodies: bodies.into_iter().map(to_world).collect() }
    }

    /// Builds a scene of the bodies, inserted in the order of the list.
    pub fn scene(&self) -> Scene {
        scene_of(self.bodies.iter())
    }

    /// Builds a scene of the bodies, inserted in reverse order.
    pub fn reversed_scene(&self) -> Scene {
        scene_of(self.bodies.iter().rev())
    }

    /// Builds a scene of the bodies, inserted from index `start` on, then from the
    /// first.
    pub fn rotated_scene(&self, start: usize) -> Scene {
        let (first, second) = self.bodies.split_at(start % self.bodies.len().max(1));
        scene_of(second.iter().chain(first))
    }

    /// All triangles in world space.
    pub fn triangles(&self) -> Vec<Triangle> {
        self.bodies.iter().flat_map(|body| body.triangles.iter().copied()).collect()
    }

    /// Finds all answers that the sweep may give.
    pub fn sweep(&self, capsule: &Capsule, motion: &Motion, filter: &Filter) -> Expected {
        let swept = capsule.swept_bounds(motion);
        let mut contacts = Vec::new();
        for (index, body) in self.visible_to(filter) {
            let reach = DVec3::splat(FAR);
            let far = body.bounds.is_some_and(|bounds| {
                let apart = (bounds.min() - swept.max()).max(swept.min() - bounds.max());
                apart.cmpgt(reach).any()
            });
            if !far {
                body.add_contacts(index, (capsule, motion), *filter, &mut contacts);
            }
        }
        if filter.start_overlaps == StartOverlaps::Skip {
            contacts.retain(|contact| contact.hit.depth == 0.0);
        }
        let mut expected = Expected::new(contacts, capsule, motion);
        if !expected.pierced {
            for tied in &mut expected.tied {
                tied.allowed = self.corrected(&tied.contact, (capsule, motion), *filter);
            }
        }
        expected
    }

    /// The bodies that a filter selects, with their indices.
    fn visible_to(&self, filter: &Filter) -> impl Iterator<Item = (usize, &WorldBody)> {
        let filter = *filter;
        let bodies = self.bodies.iter().enumerate();
        bodies.filter(move |(_, body)| body.plain.is_visible_to(filter))
    }

    /// The hits that may be reported for a contact, after the correction of internal edges.
    fn corrected(
        &self,
        contact: &Contact,
        (capsule, motion): (&Capsule, &Motion),
        filter: Filter,
    ) -> Vec<SweepHit> {
        let (hit, body) = (contact.hit, &self.bodies[contact.body]);
        let (PlainGeometry::Mesh { pose, .. }, Some(number), true) =
            (&body.plain.geometry, contact.triangle, hit.feature != Feature::Face)
        else {
            return vec![hit];
        };
        let number = number as usize;
        let is_flat = match hit.feature {
            Feature::Edge(edge) => {
                body.edges[number][usize::from(edge)] == EdgeKind::Flat && pose.is_uniform()
            }
            _ => false,
        };
        let mut others = Vec::new();
        for (index, body) in self.visible_to(&filter) {
            let is_near = body.bounds.is_some_and(|bounds| {
                let apart = (bounds.min() - hit.point).max(hit.point - bounds.max());
                apart.max_element() <= 2.0 * SEAM_DISTANCE
            });
            if is_near {
                let triangles = body.triangles.iter().enumerate();
                let near = triangles.filter(|&(i, triangle)| {
                    (index, i) != (contact.body, number)
                        && body.mask(i) & filter.mask != 0
                        && seam::distance(hit.point, triangle) <= SEAM_DISTANCE
                });
                others.extend(near.map(|(i, triangle)| (*triangle, body.sides(i, filter.sides))));
            }
        }
        let own = body.triangles[number];
        EdgeContact { hit, capsule, motion, own, is_flat, others }.corrected()
    }
}

fn scene_of<'a>(bodies: impl Iterator<Item = &'a WorldBody>) -> Scene {
    let mut scene = Scene::new();
    scene.edit(|edit| {
        for body in bodies {
            edit.insert(body.plain.body());
        }
    });
    scene
}

fn to_world(plain: PlainBody) -> WorldBody {
    match &plain.geometry {
        PlainGeometry::Mesh { mesh, pose } => {
            let triangles: Vec<Triangle> = (0..mesh.triangle_count())
                .map(|index| {
                    let corners = mesh.triangle(index).expect("the index is valid");
                    let [a, b, c] = pose.triangle_to_world(corners);
                    Triangle::new(a, b, c).expect("a triangle within range")
                })
                .collect();
            let bounds = triangles.iter().map(Triangle::bounds).reduce(|all, one| all.union(&one));
            let corners = (0..mesh.triangle_count()).filter_map(|index| mesh.triangle(index));
            let corners: Vec<Vec3> = corners.flatten().collect();
            let indices: Vec<[u32; 3]> =
                (0..triangles.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
            let edges =
                EdgeTopology::new(&corners, &indices).expect("indices in range").into_kinds();
            WorldBody { plain, triangles, edges, bounds }
        }
        PlainGeometry::Shape(shape) | PlainGeometry::Obstacle(shape) => {
            let bounds = shape.bounds();
            WorldBody { plain, triangles: Vec::new(), edges: Vec::new(), bounds }
        }
    }
}

impl WorldBody {
    /// The mask of a triangle.
    fn mask(&self, number: usize) -> u32 {
        match &self.plain.geometry {
            PlainGeometry::Mesh { mesh, .. } => mesh.mask(number as u32).unwrap_or(0),
            _ => u32::MAX,
        }
    }

    /// The sides of a triangle that count: both if it or the mesh is double-sided, otherwise
    /// `sides`.
    fn sides(&self, number: usize, sides: Sides) -> Sides {
        match &self.plain.geometry {
            PlainGeometry::Mesh { mesh, .. }
                if mesh.is_triangle_double_sided(number as u32) == Some(true) =>
            {
                Sides::Both
            }
            _ => sides,
        }
    }

    /// Adds the contacts of all its triangles, or of its shape.
    fn add_contacts(
        &self,
        body: usize,
        (capsule, motion): (&Capsule, &Motion),
        filter: Filter,
        contacts: &mut Vec<Contact>,
    ) {
        let sides = filter.sides;
        let (kind, key) = (self.plain.kind(), self.plain.key);
        let mut add = |hit: Option<SweepHit>, triangle, tag| {
            contacts.extend(hit.map(|hit| Contact { hit, body, kind, key, triangle, tag }));
        };
        match &self.plain.geometry {
            PlainGeometry::Mesh { mesh, pose } => {
                for (triangle, number) in self.triangles.iter().zip(0..) {
                    let of = |value: Option<u32>| value.expect("the index is valid");
                    if of(mesh.mask(number)) & filter.mask == 0 {
                        continue;
                    }
                    let sides = self.sides(number as usize, sides);
                    let hit = sweep_capsule_triangle(capsule, motion, triangle, sides);
                    let hit = hit.map(|hit| in_mesh_order(hit, pose));
                    add(hit, Some(number), of(mesh.tag(number)));
                }
            }
            PlainGeometry::Shape(shape) | PlainGeometry::Obstacle(shape) => {
                let hit = match shape {
                    Shape::Box(other) => sweep_capsule_box(capsule, motion, other, sides),
                    Shape::Sphere(other) => sweep_capsule_sphere(capsule, motion, other, sides),
                    Shape::Capsule(other) => sweep_capsule_capsule(capsule, motion, other, sides),
                    Shape::HalfSpace(other) => {
                        sweep_capsule_half_space(capsule, motion, other, sides)
                    }
                };
                add(hit, None, 0);
            }
        }
    }
}

/// Converts a hit of a world triangle to the vertex order of its mesh.
pub fn in_mesh_order(hit: SweepHit, pose: &Pose) -> SweepHit {
    SweepHit {
        feature: pose.feature_to_mesh(hit.feature),
        barycentrics: hit.barycentrics.map(|weights| pose.barycentrics_to_mesh(weights)),
        ..hit
    }
}

/// A contact that may be the answer of a sweep.
#[derive(Debug, Clone)]
struct Tied {
    contact: Contact,
    /// Part of the motion against the normal, in metres. Ties go to the most head-on contact.
    head_on: f64,
    /// The hits that may be reported for it.
    allowed: Vec<SweepHit>,
}

/// The answers that a sweep may give, by the tie rules of the contract.
#[derive(Debug, Clone)]
pub struct Expected {
    tied: Vec<Tied>,
    /// The smallest time of all contacts.
    time: f64,
    length: f64,
    /// Whether the axis pierces a triangle of a mesh.
    pierced: bool,
}

impl Expected {
    fn new(contacts: Vec<Contact>, capsule: &Capsule, motion: &Motion) -> Self {
        let pierced = contacts
            .iter()
            .any(|contact| contact.kind == BodyKind::Mesh && is_pierced(capsule, &contact.hit));
        let deepest = contacts.iter().map(|contact| contact.hit.depth).fold(0.0, f64::max);
        let smallest = |value: fn(&SweepHit) -> f64| {
            contacts.iter().map(|contact| value(&contact.hit)).fold(f64::INFINITY, f64::min)
        };
        let (time, distance) = (smallest(|hit| hit.time), smallest(|hit| hit.distance));
        let tied = contacts.into_iter().filter(|Contact { hit, .. }| {
            if deepest > 0.0 {
                hit.depth > 0.0 && hit.depth >= deepest - CONTACT_TOLERANCE
            } else {
                hit.distance <= distance + CONTACT_TOLERANCE
            }
        });
        let head_on = |contact: &Contact| contact.hit.normal.as_dvec3().dot(motion.vector()).abs();
        let tied = tied.map(|contact| {
            let allowed = vec![contact.hit];
            Tied { contact, head_on: head_on(&contact), allowed }
        });
        let tied = tied.collect();
        Self { tied, time, length: motion.length(), pierced }
    }

    /// Whether nothing is hit.
    pub fn is_nothing(&self) -> bool {
        self.tied.is_empty()
    }

    /// Number of contacts that tie.
    pub fn tied(&self) -> usize {
        self.tied.len()
    }

    /// Smallest time of any contact; infinite if nothing is hit.
    pub fn time(&self) -> f64 {
        self.time
    }

    /// Whether the capsule starts overlapping.
    pub fn starts_overlapping(&self) -> bool {
        self.tied.iter().any(|tied| tied.contact.hit.depth > 0.0)
    }

    /// Compares an answer with the expected ones, in bits.
    ///
    /// A mesh tries fewer directions out of a pierced triangle than the pair does. There only the
    /// presence of an overlap is compared. Normals are f32 here. So any contact may be the most
    /// head-on one if the head-on values differ by less than 10⁻⁶ of the motion.
    ///
    /// # Errors
    /// A message that says what differs.
    pub fn check(&self, answer: Option<&SceneHit<SweepHit>>) -> Result<(), String> {
        let Some(answer) = answer else {
            return match self.tied.first() {
                None => Ok(()),
                Some(tied) => Err(format!("missed {tied:?}")),
            };
        };
        if self.pierced {
            let overlaps = answer.hit.time == 0.0 && answer.hit.depth > 0.0;
            return if overlaps { Ok(()) } else { Err(format!("{answer:?} is no overlap")) };
        }
        let Some(most) = self.tied.iter().map(|tied| tied.head_on).reduce(f64::max) else {
            return Err(format!("ghost {answer:?}"));
        };
        let target = answer.target;
        let same =
            |contact: &Contact| contact.rank() == (target.kind, target.key, target.triangle);
        let Some(named) = self.tied.iter().find(|tied| same(&tied.contact)) else {
            return Err(format!("{answer:?} does not tie with {:?}", self.tied));
        };
        if target.tag != named.contact.tag {
            return Err(format!("{answer:?} has not the tag of {named:?}"));
        }
        if most - named.head_on >= 1e-6 * self.length && most > named.head_on {
            return Err(format!("{answer:?} is not the most head-on of {:?}", self.tied));
        }
        let before = |tied: &&Tied| {
            // The same hit on two coincident triangles or shapes: only the rank decides.
            same_bits(&tied.contact.hit, &named.contact.hit)
                && tied.contact.rank() < named.contact.rank()
        };
        if let Some(first) = self.tied.iter().find(before) {
            return Err(format!("{answer:?} comes after {first:?}"));
        }
        let expected = |hit: &SweepHit| SweepHit {
            time: self.time,
            distance: self.time * self.length,
            ..*hit
        };
        let mut allowed = named.allowed.iter().map(expected);
        if allowed.any(|hit| is_reported_as(&hit, &expected(&named.contact.hit), &answer.hit)) {
            Ok(())
        } else {
            Err(format!("{answer:?} differs from {named:?}"))
        }
    }
}

/// Whether an answer equals `hit` in bits.
///
/// The correction of internal edges computes the depth and some normals anew. Those are compared
/// with a tolerance.
fn is_reported_as(hit: &SweepHit, uncorrected: &SweepHit, answer: &SweepHit) -> bool {
    let depth = (hit.depth - answer.depth).abs() <= 1e-9 * hit.depth;
    let depth = if depth && hit.depth != uncorrected.depth { answer.depth } else { hit.depth };
    let is_new_normal = hit.normal != uncorrected.normal && hit.feature == uncorrected.feature;
    let normal = if is_new_normal && hit.normal.abs_diff_eq(answer.normal, 1e-6) {
        answer.normal
    } else {
        hit.normal
    };
    same_bits(&SweepHit { depth, normal, ..*hit }, answer)
}

/// Whether the axis pierces the geometry, or nearly.
///
/// A capsule whose axis stays outside is less than its radius deep. Within a micrometre of that
/// the library may decide either way.
pub fn is_pierced(capsule: &Capsule, hit: &SweepHit) -> bool {
    hit.depth > (f64::from(capsule.radius()) * (1.0 - 1e-6) - 1e-6).max(0.0)
}

/// Time, distance, point, depth and normals of a hit, as bits.
fn bits(hit: &SweepHit) -> [u64; 12] {
    let [x, y, z] = hit.point.to_array();
    let normal = hit.normal.to_array().map(|value| u64::from(value.to_bits()));
    let face = hit.face_normal.to_array().map(|value| u64::from(value.to_bits()));
    let [time, distance, x, y, z, depth] =
        [hit.time, hit.distance, x, y, z, hit.depth].map(f64::to_bits);
    [time, distance, x, y, z, depth, normal[0], normal[1], normal[2], face[0], face[1], face[2]]
}

/// Whether feature, region and barycentric weights are equal.
fn is_same_site(one: &SweepHit, other: &SweepHit) -> bool {
    let weights = |hit: &SweepHit| hit.barycentrics.map(|weights| weights.map(f64::to_bits));
    (one.feature, one.region) == (other.feature, other.region) && weights(one) == weights(other)
}

/// Whether two hits are the same in every bit.
pub fn same_bits(one: &SweepHit, other: &SweepHit) -> bool {
    bits(one) == bits(other) && is_same_site(one, other)
}
