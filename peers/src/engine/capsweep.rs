//! capsweep: a scene with one mesh, or with many instances.

use super::{Answer, Engine, Hit};
use crate::mesh::{Mesh, World};
use crate::queries::{CLOSEST_LIMIT, HALF_AXIS, Kind, Query, RADIUS};
use anyhow::Result;
use capsweep::scene::{Body, Filter, MeshOptions, Pose, Scene, TriMesh};
use capsweep::{Capsule, Motion, Sides};
use glam::{DVec3, Vec3};
use std::sync::Arc;

/// A mesh by itself.
pub(crate) struct Capsweep {
    scene: Scene,
}

/// A world of instances.
pub(crate) struct CapsweepScene {
    scene: Scene,
}

/// The capsule and its motion; both are within range, as the meshes are.
pub(crate) struct Ready {
    capsule: Capsule,
    motion: Motion,
}

fn ready(query: &Query) -> Option<Ready> {
    let half_axis = DVec3::new(0.0, 0.0, f64::from(HALF_AXIS));
    let capsule = Capsule::from_center(query.center.as_dvec3(), half_axis, RADIUS).ok()?;
    Some(Ready { capsule, motion: Motion::new(query.motion.as_dvec3()).ok()? })
}

fn sweep(scene: &Scene, query: Option<&Ready>) -> Answer {
    let query = query?;
    let found = scene.sweep(&query.capsule, &query.motion, &Filter::default())?;
    Some(Hit { distance: found.hit.distance, normal: found.hit.normal })
}

fn overlap(scene: &Scene, query: Option<&Ready>) -> Answer {
    let query = query?;
    let found = scene.overlaps(&query.capsule, &Filter::default());
    found.then_some(Hit { distance: 0.0, normal: Vec3::ZERO })
}

fn closest(scene: &Scene, query: Option<&Ready>) -> Answer {
    let query = query?;
    let limit = f64::from(CLOSEST_LIMIT);
    let found = scene.closest(&query.capsule, limit, &Filter::default())?;
    Some(Hit { distance: found.hit.distance.max(0.0), normal: found.hit.normal })
}

fn ray(scene: &Scene, query: Option<&Ready>) -> Answer {
    let query = query?;
    let found = scene.ray(query.capsule.center(), &query.motion, &Filter::default())?;
    Some(Hit { distance: found.hit.distance, normal: found.hit.normal })
}

fn mesh(mesh: &Mesh) -> Result<Arc<TriMesh>> {
    Ok(Arc::new(TriMesh::new(&mesh.vertices, &mesh.triangles, MeshOptions::default())?))
}

impl Engine for Capsweep {
    type Source = Mesh;
    type Ready = Option<Ready>;

    const NAME: &'static str = "capsweep";

    fn build(source: &Mesh) -> Result<Self> {
        let mut scene = Scene::new();
        scene.insert(Body::mesh(mesh(source)?, Pose::IDENTITY));
        scene.commit();
        Ok(Self { scene })
    }

    fn sides(&self, kind: Kind) -> Option<Sides> {
        let sided = kind.is_sweep() || matches!(kind, Kind::Ray);
        Some(if sided { Sides::Front } else { Sides::Both })
    }

    fn ready(&self, query: &Query) -> Option<Ready> {
        ready(query)
    }

    fn sweep(&self, query: &Option<Ready>) -> Answer {
        sweep(&self.scene, query.as_ref())
    }

    fn overlap(&self, query: &Option<Ready>) -> Answer {
        overlap(&self.scene, query.as_ref())
    }

    fn closest(&self, query: &Option<Ready>) -> Answer {
        closest(&self.scene, query.as_ref())
    }

    fn ray(&self, query: &Option<Ready>) -> Answer {
        ray(&self.scene, query.as_ref())
    }
}

impl Engine for CapsweepScene {
    type Source = World;
    type Ready = Option<Ready>;

    const NAME: &'static str = "capsweep";

    fn build(source: &World) -> Result<Self> {
        let meshes = source.meshes.iter().map(mesh).collect::<Result<Vec<_>>>()?;
        let mut scene = Scene::new();
        for instance in &source.instances {
            let pose = Pose::new(
                instance.position.as_dvec3(),
                instance.rotation.as_dquat(),
                instance.scale.as_dvec3(),
            )?;
            scene.insert(Body::mesh(Arc::clone(&meshes[instance.mesh]), pose));
        }
        scene.commit();
        Ok(Self { scene })
    }

    fn sides(&self, kind: Kind) -> Option<Sides> {
        let sided = kind.is_sweep() || matches!(kind, Kind::Ray);
        Some(if sided { Sides::Front } else { Sides::Both })
    }

    fn ready(&self, query: &Query) -> Option<Ready> {
        ready(query)
    }

    fn sweep(&self, query: &Option<Ready>) -> Answer {
        sweep(&self.scene, query.as_ref())
    }

    fn overlap(&self, query: &Option<Ready>) -> Answer {
        overlap(&self.scene, query.as_ref())
    }

    fn closest(&self, query: &Option<Ready>) -> Answer {
        closest(&self.scene, query.as_ref())
    }

    fn ray(&self, query: &Option<Ready>) -> Answer {
        ray(&self.scene, query.as_ref())
    }
}
