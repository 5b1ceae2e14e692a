//! A hundred thousand instances of fifty small meshes: tiles of ground with props on them.

use super::solids::Solids;
use super::{Geometry, Mesh};
use capsweep_testkit::Rng;
use glam::{Quat, Vec2, Vec3};

/// Number of instances.
const INSTANCES: usize = 100_000;
/// Tiles along a side of the ground.
const SIDE: usize = 224;
/// Side of a tile, metres.
const TILE: f32 = 6.0;
/// Meshes that are tiles; the other forty are props.
const TILES: usize = 10;
const MESHES: usize = 50;

/// Meshes and their instances.
pub(crate) struct World {
    /// The meshes, each around its own origin.
    pub(crate) meshes: Vec<Mesh>,
    /// The instances.
    pub(crate) instances: Vec<Instance>,
}

/// An instance of a mesh: scaled along its own axes, then rotated, then translated.
#[derive(Clone, Copy)]
pub(crate) struct Instance {
    /// Index of the mesh.
    pub(crate) mesh: usize,
    /// Factors along the mesh's axes, all positive.
    pub(crate) scale: Vec3,
    /// Unit quaternion.
    pub(crate) rotation: Quat,
    /// Position of the mesh's origin.
    pub(crate) position: Vec3,
}

impl World {
    /// A world of one mesh with an identity transform.
    pub(crate) fn from_mesh(mesh: &Mesh) -> Self {
        let identity =
            Instance { mesh: 0, scale: Vec3::ONE, rotation: Quat::IDENTITY, position: Vec3::ZERO };
        Self { meshes: vec![mesh.clone()], instances: vec![identity] }
    }
}

impl Geometry for World {
    fn name(&self) -> &'static str {
        "instances"
    }

    fn triangles(&self) -> usize {
        self.instances.iter().map(|instance| self.meshes[instance.mesh].triangles.len()).sum()
    }

    fn instances(&self) -> Option<usize> {
        Some(self.instances.len())
    }
}

/// Generates 224 × 224 tiles of uneven ground, rotated and stretched upward, with props.
///
/// Nearly every tile has a prop: rocks, crates, stairs, colonnades and walls. They are rotated,
/// slightly tilted, and scaled by 0.5 to 2.
pub(crate) fn world() -> World {
    let mut rng = Rng::from_seed(4);
    let meshes = (0..MESHES).map(|index| part(index, &mut rng)).collect();
    let mut instances = Vec::with_capacity(INSTANCES);
    for index in 0..SIDE * SIDE {
        let place = Vec2::new((index % SIDE) as f32 + 0.5, (index / SIDE) as f32 + 0.5) * TILE;
        instances.push(tile_at(place, &mut rng));
        if instances.len() + (SIDE * SIDE - 1 - index) < INSTANCES {
            instances.push(prop_at(place, &mut rng));
        }
    }
    World { meshes, instances }
}

fn tile_at(place: Vec2, rng: &mut Rng) -> Instance {
    let half = core::f32::consts::FRAC_1_SQRT_2;
    let quarter_turns = [(0.0, 1.0), (half, half), (1.0, 0.0), (-half, half)];
    let (z, w) = quarter_turns[rng.index(4)];
    Instance {
        mesh: rng.index(TILES),
        scale: Vec3::new(1.0, 1.0, rng.range_f32(0.5, 2.0)),
        rotation: Quat::from_xyzw(0.0, 0.0, z, w),
        position: place.extend(0.0),
    }
}

fn prop_at(place: Vec2, rng: &mut Rng) -> Instance {
    let turn = rng.circle_f32();
    let tilt = Vec2::new(rng.range_f32(-0.1, 0.1), rng.range_f32(-0.1, 0.1));
    let offset = Vec2::new(rng.range_f32(-2.0, 2.0), rng.range_f32(-2.0, 2.0));
    Instance {
        mesh: TILES + rng.index(MESHES - TILES),
        scale: Vec3::splat(rng.range_f32(0.5, 2.0)),
        rotation: Quat::from_xyzw(tilt.x, tilt.y, turn.x, turn.y).normalize(),
        position: (place + offset).extend(-0.2),
    }
}

/// Mesh number `index` of the world.
fn part(index: usize, rng: &mut Rng) -> Mesh {
    let mut solids = Solids::new();
    if index < TILES {
        solids.ground(TILE, 4, rng);
        return solids.into_mesh("tile");
    }
    match index % 5 {
        0 => solids.rock(3, rng.bits()),
        1 => {
            for _ in 0..8 {
                let foot = Vec3::new(rng.range_f32(-1.0, 1.0), rng.range_f32(-1.0, 1.0), 0.0);
                let size = Vec3::new(
                    rng.range_f32(0.3, 0.9),
                    rng.range_f32(0.3, 0.9),
                    rng.range_f32(0.3, 1.2),
                );
                let along = rng.circle_f32();
                solids.turned_block(foot, size, along);
            }
        }
        2 => solids.stairs(Vec3::ZERO, Vec2::new(0.3, 0.0), 1.5, (0.18, 10 + rng.index(6) as u32)),
        3 => {
            for place in
                [(-1.5, -1.5), (0.0, -1.5), (1.5, -1.5), (-1.5, 1.5), (0.0, 1.5), (1.5, 1.5)]
            {
                solids.column(Vec3::new(place.0, place.1, 0.0), rng.range_f32(0.15, 0.3), 3.0);
            }
        }
        _ => {
            solids.block(Vec3::new(-2.0, -0.2, 0.0), Vec3::new(2.0, 0.2, 2.5));
            for ledge in 0..12 {
                let x = -1.9 + 0.32 * ledge as f32;
                let z = rng.range_f32(0.2, 2.2);
                solids.block(Vec3::new(x, -0.35, z), Vec3::new(x + 0.25, -0.2, z + 0.1));
            }
        }
    }
    solids.into_mesh("prop")
}
