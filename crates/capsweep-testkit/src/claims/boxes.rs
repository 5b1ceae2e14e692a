//! Levels of boxes and quads.

use capsweep::scene::{Body, MeshOptions, Pose, Scene, TriMesh};
use glam::{DVec3, Vec3, dvec3};
use std::sync::Arc;

/// Triangles of a level.
#[derive(Default)]
pub(super) struct Boxes {
    pub(super) vertices: Vec<Vec3>,
    pub(super) indices: Vec<[u32; 3]>,
}

impl Boxes {
    pub(super) fn quad(&mut self, corners: [DVec3; 4]) {
        let first = self.vertices.len() as u32;
        self.vertices.extend(corners.map(DVec3::as_vec3));
        self.indices.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
    }

    pub(super) fn floor(&mut self, [x0, y0]: [f64; 2], [x1, y1]: [f64; 2], z: f64) {
        self.quad([dvec3(x0, y0, z), dvec3(x1, y0, z), dvec3(x1, y1, z), dvec3(x0, y1, z)]);
    }

    pub(super) fn block(&mut self, low: DVec3, high: DVec3) {
        let corner = |x: bool, y: bool, z: bool| {
            let pick = |high_side: bool, low: f64, high: f64| if high_side { high } else { low };
            dvec3(pick(x, low.x, high.x), pick(y, low.y, high.y), pick(z, low.z, high.z))
        };
        let (n, p) = (false, true);
        for side in [
            [(n, n, p), (p, n, p), (p, p, p), (n, p, p)],
            [(n, n, n), (n, p, n), (p, p, n), (p, n, n)],
            [(n, n, n), (p, n, n), (p, n, p), (n, n, p)],
            [(n, p, n), (n, p, p), (p, p, p), (p, p, n)],
            [(n, n, n), (n, n, p), (n, p, p), (n, p, n)],
            [(p, n, n), (p, p, n), (p, p, p), (p, n, p)],
        ] {
            self.quad(side.map(|(x, y, z)| corner(x, y, z)));
        }
    }

    pub(super) fn mesh(&self, double_sided: bool) -> Arc<TriMesh> {
        let mesh = TriMesh::new(&self.vertices, &self.indices, MeshOptions { double_sided });
        Arc::new(mesh.expect("a valid mesh"))
    }

    pub(super) fn scene(&self, double_sided: bool) -> Scene {
        let mut scene = Scene::new();
        scene.insert(Body::mesh(self.mesh(double_sided), Pose::IDENTITY).expect("in range"));
        scene
    }
}
