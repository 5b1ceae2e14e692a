//! [`PosedMesh`]: one placed mesh, asked without a scene of the caller's own.

use crate::mesh::tri_mesh::TriMesh;
use crate::query::depenetrate::Depenetration;
use crate::query::overlap::visit_overlaps;
use crate::query::sweep_all::all_hits;
use crate::scene::body::{Body, BodyId};
use crate::scene::filter::{Bodies, Filter};
use crate::scene::hit::SceneHit;
use crate::scene::store::{Scene, SceneError};
use crate::shape::pose::Pose;
use crate::traverse::static_source::StaticSource;
use crate::{
    Aabb, Capsule, ClosestPoints, Limit, Motion, Overlap, Ray, RayHit, ShapeError, SweepHit,
};
use std::sync::Arc;

/// A mesh at a pose: answers the queries of a [`Scene`] for this mesh alone.
///
/// Every answer has the bits of the same query in a scene of this one body. Of a [`Filter`], mask,
/// sides and start overlaps count. Its [`bodies`](Filter::bodies) have no effect: a mesh alone is
/// neither static nor dynamic.
///
/// To ask about many meshes at once, or about shapes, build a [`Scene`]. Queries take `&self` and
/// no lock, so any number of threads can ask one mesh. Making one costs a few small allocations
/// and nothing for each triangle; queries allocate nothing.
///
/// ```
/// use capsweep::query::PosedMesh;
/// use capsweep::scene::{Filter, MeshOptions, Pose, TriMesh};
/// use capsweep::{Capsule, Motion};
/// use glam::{DVec3, dvec3, vec3};
/// use std::sync::Arc;
///
/// let corners = [vec3(-9.0, -9.0, 0.0), vec3(9.0, -9.0, 0.0), vec3(0.0, 9.0, 0.0)];
/// let mesh = Arc::new(TriMesh::new(&corners, &[[0, 1, 2]], MeshOptions::default())?);
/// let floor = PosedMesh::new(mesh, Pose::from_translation(dvec3(0.0, 0.0, 2.0))?)?;
///
/// let person = Capsule::from_feet(dvec3(0.0, 0.0, 5.0), DVec3::Z, 0.4, 1.8)?;
/// let fall = Motion::new(dvec3(0.0, 0.0, -10.0))?;
/// let hit = floor.sweep(&person, &fall, &Filter::default()).expect("the floor is below");
/// assert!((hit.distance - 3.0).abs() < 1e-9);
/// assert_eq!(hit.triangle, 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct PosedMesh {
    mesh: Arc<TriMesh>,
    pose: Pose,
    /// Holds this mesh and nothing else. One code path answers for scenes and single meshes, so
    /// they cannot differ.
    scene: Scene,
    /// The mesh in that scene.
    id: BodyId,
}

/// A hit on a [`PosedMesh`]. The fields of the pair's hit can be read directly: `hit.distance` is
/// `hit.hit.distance`.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MeshHit<T> {
    /// The contact, as the query of a single pair reports it.
    pub hit: T,
    /// Number of the triangle in the mesh.
    pub triangle: u32,
    /// The caller's number for that triangle; 0 in a mesh [without tags](TriMesh::with_tags).
    pub tag: u32,
}

impl<T> core::ops::Deref for MeshHit<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.hit
    }
}

impl<T> MeshHit<T> {
    /// `None` for a hit on a shape, which a scene of one mesh does not have.
    fn from_scene(SceneHit { hit, target }: SceneHit<T>) -> Option<Self> {
        Some(Self { hit, triangle: target.triangle?, tag: target.tag })
    }
}

impl PosedMesh {
    /// `mesh`, placed in the world at `pose`.
    ///
    /// # Errors
    /// If a corner of its box in the world leaves the [range of positions](crate::MAX_POSITION).
    pub fn new(mesh: Arc<TriMesh>, pose: Pose) -> Result<Self, ShapeError> {
        let mut scene = Scene::new();
        let id = scene.insert(Body::mesh(Arc::clone(&mesh), pose)?);
        Ok(Self { mesh, pose, scene, id })
    }

    /// Places the mesh elsewhere.
    ///
    /// # Errors
    /// As [`PosedMesh::new`]. The mesh then stays where it is.
    pub fn set_pose(&mut self, pose: Pose) -> Result<(), ShapeError> {
        // The scene holds the mesh, so only the range of positions can refuse the pose.
        if let Err(SceneError::OutOfRange { error, .. }) = self.scene.move_mesh(self.id, pose) {
            return Err(error);
        }
        self.pose = pose;
        Ok(())
    }

    /// The mesh.
    pub fn mesh(&self) -> &Arc<TriMesh> {
        &self.mesh
    }

    /// Where it is.
    pub fn pose(&self) -> &Pose {
        &self.pose
    }

    /// A box around it in the world: that of its own box, placed. `None` if it has no triangles.
    pub fn bounds(&self) -> Option<Aabb> {
        self.scene.bodies().find_map(|(_, body)| body.bounds())
    }

    /// The first hit of `capsule`, moving by `motion`: see [`Scene::sweep`].
    pub fn sweep(
        &self,
        capsule: &Capsule,
        motion: &Motion,
        filter: &Filter,
    ) -> Option<MeshHit<SweepHit>> {
        MeshHit::from_scene(self.scene.sweep(capsule, motion, &any_mobility(filter))?)
    }

    /// Whether `capsule`, moving by `motion`, hits anything: see [`Scene::sweep_any`].
    pub fn sweep_any(&self, capsule: &Capsule, motion: &Motion, filter: &Filter) -> bool {
        self.scene.sweep_any(capsule, motion, &any_mobility(filter))
    }

    /// The first hit among the triangles that `accept` returns `true` for, given their number and
    /// their tag: see [`Scene::sweep_where`].
    pub fn sweep_where(
        &self,
        capsule: &Capsule,
        motion: &Motion,
        filter: &Filter,
        accept: impl Fn(u32, u32) -> bool,
    ) -> Option<MeshHit<SweepHit>> {
        let hit = self.scene.sweep_where(capsule, motion, &any_mobility(filter), |target| {
            target.triangle.is_some_and(|triangle| accept(triangle, target.tag))
        });
        MeshHit::from_scene(hit?)
    }

    /// Every triangle that `capsule` hits as it moves by `motion` through all of them: see
    /// [`Scene::sweep_all`]. `out` is cleared first.
    pub fn sweep_all(
        &self,
        capsule: &Capsule,
        motion: &Motion,
        filter: &Filter,
        out: &mut Vec<MeshHit<SweepHit>>,
    ) {
        out.clear();
        let (content, swept) = (self.scene.content(), (capsule, motion));
        all_hits(content, StaticSource::Tree, swept, &any_mobility(filter), |hit| {
            out.extend(MeshHit::from_scene(hit));
        });
        // The order of `Scene::sweep_all`: of one body, only the triangle is left of the rank.
        out.sort_unstable_by(|a, b| {
            let earlier = a.hit.time.total_cmp(&b.hit.time);
            let deeper = || b.hit.depth.total_cmp(&a.hit.depth);
            earlier.then_with(deeper).then_with(|| a.triangle.cmp(&b.triangle))
        });
    }

    /// Whether `capsule` overlaps any triangle: see [`Scene::overlaps`].
    pub fn overlaps(&self, capsule: &Capsule, filter: &Filter) -> bool {
        self.scene.overlaps(capsule, &any_mobility(filter))
    }

    /// The deepest overlap of `capsule`: see [`Scene::overlap`].
    pub fn overlap(&self, capsule: &Capsule, filter: &Filter) -> Option<MeshHit<Overlap>> {
        MeshHit::from_scene(self.scene.overlap(capsule, &any_mobility(filter))?)
    }

    /// Every triangle that `capsule` overlaps: see [`Scene::overlap_all`]. `out` is cleared first.
    pub fn overlap_all(
        &self,
        capsule: &Capsule,
        filter: &Filter,
        out: &mut Vec<MeshHit<Overlap>>,
    ) {
        out.clear();
        let content = self.scene.content();
        visit_overlaps(content, StaticSource::Tree, capsule, &any_mobility(filter), &mut |hit| {
            out.extend(MeshHit::from_scene(hit));
        });
        // The order of `Scene::overlap_all`.
        out.sort_unstable_by(|a, b| {
            let deeper = b.hit.depth.total_cmp(&a.hit.depth);
            deeper.then_with(|| a.triangle.cmp(&b.triangle))
        });
    }

    /// The triangle closest to `capsule`; `None` if none is within `limit`: see
    /// [`Scene::closest`].
    pub fn closest(
        &self,
        capsule: &Capsule,
        limit: Limit,
        filter: &Filter,
    ) -> Option<MeshHit<ClosestPoints>> {
        MeshHit::from_scene(self.scene.closest(capsule, limit, &any_mobility(filter))?)
    }

    /// The first triangle that `ray` hits: see [`Scene::ray`].
    pub fn ray(&self, ray: &Ray, filter: &Filter) -> Option<MeshHit<RayHit>> {
        MeshHit::from_scene(self.scene.ray(ray, &any_mobility(filter))?)
    }

    /// The push that frees `capsule` of the mesh: see [`Scene::depenetrate`].
    pub fn depenetrate(&self, capsule: &Capsule, filter: &Filter) -> Depenetration {
        self.scene.depenetrate(capsule, &any_mobility(filter))
    }
}

/// The filter, for bodies of any mobility.
fn any_mobility(filter: &Filter) -> Filter {
    Filter { bodies: Bodies::All, ..*filter }
}
