//! Flat floors, made in every way that makes seams.

use capsweep::scene::{Body, MeshOptions, Pose, Scene, TriMesh};
use capsweep_testkit::Rng;
use capsweep_testkit::level::{self, Joints, Mesh};
use glam::{DQuat, DVec3, dvec3};
use std::sync::Arc;

/// A floor about `middle`, 16 m wide.
pub(crate) struct Floor {
    pub(crate) name: &'static str,
    pub(crate) scene: Scene,
    pub(crate) middle: DVec3,
    /// Its normal.
    pub(crate) up: DVec3,
    /// How far its triangles lie from one plane (metres).
    pub(crate) uneven: f64,
}

impl Floor {
    /// Two unit vectors along the floor.
    pub(crate) fn level(&self) -> (DVec3, DVec3) {
        let x = self.up.any_orthonormal_vector();
        (x, self.up.cross(x))
    }
}

fn mesh((vertices, indices): &Mesh) -> Arc<TriMesh> {
    Arc::new(TriMesh::new(vertices, indices, MeshOptions::default()).expect("a mesh"))
}

pub(crate) const WIDTH: f64 = 16.0;

/// One mesh.
fn single(name: &'static str, cells: u32, jitter: f32, joints: Joints, pose: Pose) -> Floor {
    let size = WIDTH as f32 / cells as f32;
    let tilt = 0.1_f32;
    let mut scene = Scene::new();
    scene.insert(
        Body::mesh(mesh(&level::tiled_floor(cells, size, tilt, jitter, joints)), pose)
            .expect("in range"),
    );
    let up = pose.normal_to_world(dvec3(-f64::from(tilt), 0.0, 1.0));
    Floor { name, scene, middle: pose.position(), up, uneven: 1e-5 }
}

/// Instances side by side, rotated and mirrored in the plane, each up to `uneven` metres off it.
fn patchwork(name: &'static str, cells: u32, uneven: f64, turn: DQuat, rng: &mut Rng) -> Floor {
    let size = WIDTH / f64::from(cells);
    let tiles = [
        mesh(&level::tiled_floor(1, 1.0, 0.0, 0.0, Joints::Matching)),
        mesh(&level::tiled_floor(2, 0.5, 0.0, 0.2, Joints::TJunctions)),
        mesh(&level::tiled_floor(3, 1.0 / 3.0, 0.0, 0.25, Joints::Matching)),
    ];
    let mut scene = Scene::new();
    let middle = dvec3(16_384.0, -16_384.0, 512.0);
    for key in 0..cells * cells {
        let at = dvec3(f64::from(key % cells), f64::from(key / cells), 0.0) + 0.5;
        let at = (at * size - WIDTH / 2.0).with_z(uneven * rng.range(-1.0, 1.0));
        let quarter = DQuat::from_rotation_z(rng.integer(0, 3) * std::f64::consts::FRAC_PI_2);
        let scale = dvec3(size * rng.sign(), size, size);
        let pose = Pose::new(middle + turn * at, turn * quarter, scale).expect("a pose");
        let tile = Arc::clone(&tiles[rng.below(3) as usize]);
        scene.insert(Body::mesh(tile, pose).expect("in range").with_key(key.into()));
    }
    Floor { name, scene, middle, up: turn * DVec3::Z, uneven: uneven + 1e-5 }
}

/// Closed slabs side by side, flush: their rims are convex edges, each of a mesh of its own.
fn slabs(turn: DQuat, rng: &mut Rng) -> Floor {
    let slab = mesh(&slab());
    let mut scene = Scene::new();
    for key in 0_u32..64 {
        let at = dvec3(f64::from(key % 8), f64::from(key / 8), 0.0) * 2.0 - 7.0;
        let at = at.with_z(rng.range(-2e-5, 2e-5));
        let pose = Pose::new(turn * at, turn, dvec3(2.0, 2.0, 0.3)).expect("a pose");
        scene.insert(Body::mesh(Arc::clone(&slab), pose).expect("in range").with_key(key.into()));
    }
    Floor { name: "slabs", scene, middle: DVec3::ZERO, up: turn * DVec3::Z, uneven: 3e-5 }
}

/// A box of size 1 whose top is in the plane z = 0.
pub(crate) fn slab() -> Mesh {
    let corner = |i: u8| {
        let bit = |k: u8| f32::from(i >> k & 1);
        glam::vec3(bit(0) - 0.5, bit(1) - 0.5, bit(2) - 1.0)
    };
    let quads =
        [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let halves = quads.into_iter().flat_map(|[a, b, c, d]: [u32; 4]| [[a, b, c], [a, c, d]]);
    ((0..8).map(corner).collect(), halves.collect())
}

pub(crate) fn floors(cells: u32) -> Vec<Floor> {
    let mut rng = Rng::new(&[3, u64::from(cells)]);
    let turn = DQuat::from_axis_angle(dvec3(0.6, -0.8, 0.0), 0.3);
    let tilted = Pose::new(dvec3(300.0, 20.0, -7.0), turn, DVec3::ONE).expect("a pose");
    let mirrored = Pose::new(DVec3::ZERO, turn, dvec3(-1.0, 1.0, 1.0)).expect("a pose");
    vec![
        single("random triangles", cells, 0.29, Joints::Matching, Pose::IDENTITY),
        single("T-junctions", cells, 0.29, Joints::TJunctions, Pose::IDENTITY),
        single("tilted T-junctions", cells, 0.2, Joints::TJunctions, tilted),
        single("mirrored T-junctions", cells, 0.2, Joints::TJunctions, mirrored),
        patchwork("patchwork", cells.min(16), 0.0, DQuat::IDENTITY, &mut rng),
        patchwork("tilted patchwork", cells.min(16), 2e-5, turn, &mut rng),
        slabs(turn, &mut rng),
    ]
}
