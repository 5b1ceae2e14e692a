//! A small valid world with one of everything that scene and map files can hold.

use capsweep::persist::{MapUnit, MapWriter, PlacedSheet, PlacedSurface, SheetRole};
use capsweep::scene::{
    Body, CellMaterial, CellTriangles, HeightField, HeightFieldOptions, HeightGrid, Heights,
    LiquidGrid, LiquidGround, LiquidKind, LiquidRole, LiquidSheet, Liquids, MeshOptions, Mobility,
    ModelRooms, PlacedLiquid, Pose, Room, Rooms, Scene, Shape, TriMesh,
};
use capsweep::{Aabb, Capsule, HalfSpace, Obb, Sphere};
use glam::{DQuat, DVec3, Vec3, dvec3, vec3};
use std::io::Cursor;
use std::sync::Arc;

/// Where heights and the pose of a house come from.
pub enum Numbers<'a> {
    /// Gentle waves.
    Waves(u32),
    /// The bits of f32 in these bytes, then zeros.
    Of(&'a [u8]),
}

impl Numbers<'_> {
    fn next(&mut self) -> f32 {
        match self {
            Self::Waves(number) => {
                *number += 1;
                (*number * 7 % 11) as f32 * 0.1
            }
            Self::Of(bytes) => {
                let Some((next, rest)) = bytes.split_first_chunk() else { return 0.0 };
                *bytes = rest;
                f32::from_le_bytes(*next)
            }
        }
    }

    fn list(&mut self, count: usize) -> Vec<f32> {
        (0..count).map(|_| self.next()).collect()
    }
}

/// The keys of the two houses.
const HOUSES: [u64; 2] = [20, 21];

/// The tag of the room with the basin.
const CELLAR: u32 = 1;

/// The parts of the world.
pub struct World {
    /// Before version 3 there are none.
    fields: Vec<(Arc<HeightField>, Pose)>,
    house: Arc<TriMesh>,
    /// An upright house, and one that is tilted, mirrored and scaled.
    houses: [Pose; 2],
    rooms: Arc<Rooms>,
    /// Over the first field.
    lake: Arc<LiquidSheet>,
    /// In both houses.
    basin: Arc<LiquidSheet>,
}

impl World {
    /// The world that a file of this version can hold; `None` if it is not valid.
    pub fn new(numbers: &mut Numbers<'_>, version: u32) -> Option<Self> {
        let fields = if version >= 3 { fields(numbers)? } else { Vec::new() };
        let tilt = DQuat::from_rotation_x(0.3) * DQuat::from_rotation_z(1.0);
        let mirrored = Pose::new(dvec3(12.0, 10.0, 1.0), tilt, dvec3(1.0, -1.5, 0.5));
        let houses = [Pose::from_translation(dvec3(3.0, 2.0, 0.5)).ok()?, mirrored.ok()?];
        let bounds = |x: f64| Aabb::new(dvec3(x, -2.0, 0.0), dvec3(x + 2.0, 2.0, 2.5));
        let rooms = Rooms::new(vec![
            Room { tag: CELLAR, bounds: bounds(-2.0).ok()?, indoor: true },
            Room { tag: 2, bounds: bounds(0.0).ok()?, indoor: false },
        ]);
        Some(Self {
            fields,
            house: Arc::new(house(version >= 2)?),
            houses,
            rooms: Arc::new(rooms.ok()?),
            lake: Arc::new(lake(numbers)?),
            basin: Arc::new(basin(numbers.next())?),
        })
    }

    /// The scene; `None` if a part leaves the range of positions. It also has shapes, which a map
    /// cannot hold.
    pub fn scene(&self) -> Option<Scene> {
        let mut scene = Scene::new();
        for ((field, pose), key) in self.fields.iter().zip(0..) {
            scene.insert(Body::height_field(Arc::clone(field), *pose).ok()?.with_key(key));
        }
        for (pose, key) in self.houses.into_iter().zip(HOUSES) {
            scene.insert(Body::mesh(Arc::clone(&self.house), pose).ok()?.with_key(key));
        }
        for (body, key) in shapes()?.into_iter().zip(30..) {
            scene.insert(body.with_key(key));
        }
        let Some((field, pose)) = self.fields.first() else { return Some(scene) };
        let ground = Arc::new(LiquidGround::new(Arc::clone(field), *pose).ok()?);
        let role = LiquidRole::Terrain { ground: Some(ground) };
        let mut placed = vec![PlacedLiquid::new(Arc::clone(&self.lake), *pose, role).ok()?];
        let mut rooms = Vec::new();
        for (pose, key) in self.houses.into_iter().zip(HOUSES) {
            let role = LiquidRole::Model { key, tag: CELLAR };
            placed.push(PlacedLiquid::new(Arc::clone(&self.basin), pose, role).ok()?);
            rooms.push(ModelRooms { key, rooms: Arc::clone(&self.rooms) });
        }
        scene.set_liquids(Some(Arc::new(Liquids::new(placed, rooms).ok()?)));
        Some(scene)
    }

    /// The bytes of a map file; `None` if a part leaves the range of positions.
    pub fn map_file(&self) -> Option<Vec<u8>> {
        let mut bytes = Cursor::new(Vec::new());
        let mut map = MapWriter::new(&mut bytes, MapUnit::Yard);
        let mask = u32::MAX;
        for ((field, pose), key) in self.fields.iter().zip(0..) {
            let surface = map.add_field(field).ok()?;
            map.place(&PlacedSurface { surface, pose: *pose, key, mask }).ok()?;
        }
        let surface = map.add_mesh(&self.house).ok()?;
        let (lake, basin) = (map.add_sheet(&self.lake).ok()?, map.add_sheet(&self.basin).ok()?);
        let (_, pose) = self.fields.first()?;
        let role = SheetRole::Terrain { ground: Some(0) };
        map.place_liquid(&PlacedSheet { sheet: lake, pose: *pose, role }).ok()?;
        let rooms = map.add_rooms(&self.rooms);
        for (pose, key) in self.houses.into_iter().zip(HOUSES) {
            map.place(&PlacedSurface { surface, pose, key, mask }).ok()?;
            let role = SheetRole::Model { key, tag: CELLAR };
            map.place_liquid(&PlacedSheet { sheet: basin, pose, role }).ok()?;
            map.set_rooms(key, rooms).ok()?;
        }
        map.finish(b"notes").ok()?;
        Some(bytes.into_inner())
    }
}

/// Three fields side by side: f32, u16 and one height for all; four and two triangles per cell;
/// holes, turned diagonals and materials.
fn fields(numbers: &mut Numbers<'_>) -> Option<Vec<(Arc<HeightField>, Pose)>> {
    let options = HeightFieldOptions::default();
    let every = |nth: usize, cells: u32| -> Vec<bool> {
        (0..cells as usize).map(|cell| cell % nth == nth - 1).collect()
    };
    let grid = HeightGrid { rows: 6, columns: 5, spacing: [1.0, 1.25] };
    let materials: Vec<_> =
        (0..30).map(|cell| CellMaterial { tag: cell % 4, mask: 1 << (cell % 3) }).collect();
    let floats = Heights::F32(numbers.list(7 * 6 + 30));
    let first = HeightField::new(grid, floats, CellTriangles::Four, options).ok()?;
    let first = first.with_holes(&every(13, 30)).ok()?.with_materials(&materials).ok()?;

    let grid = HeightGrid { rows: 5, columns: 6, spacing: [1.5, 1.0] };
    let [low, high] = [numbers.next(), numbers.next()];
    let raw = (0..6 * 7).map(|_| numbers.next().to_bits() as u16).collect();
    let two = CellTriangles::Two { turned: &every(3, 30) };
    let options = HeightFieldOptions { double_sided: true };
    let second = HeightField::new(grid, Heights::U16 { raw, low, high }, two, options).ok()?;

    let grid = HeightGrid { rows: 3, columns: 3, spacing: [2.0, 2.0] };
    let flat = Heights::Flat(numbers.next());
    let third = HeightField::new(grid, flat, CellTriangles::Four, options).ok()?;
    let places = [dvec3(0.0, 0.0, 0.0), dvec3(0.0, 6.25, 0.0), dvec3(6.0, 0.0, 0.0)];
    let placed = |(field, place)| Some((Arc::new(field), Pose::from_translation(place).ok()?));
    [first, second, third].into_iter().zip(places).map(placed).collect()
}

/// Two rooms with a floor and a ceiling each, and a wall; if asked with some triangles of which
/// both sides count.
fn house(own_sides: bool) -> Option<TriMesh> {
    let (mut vertices, mut indices, mut tags) = (Vec::new(), Vec::new(), Vec::new());
    let mut add = |corner: Vec3, right: Vec3, up: Vec3, tag: u32| {
        let first = vertices.len() as u32;
        vertices.extend([corner, corner + right, corner + right + up, corner + up]);
        indices.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
        tags.extend([tag; 2]);
    };
    let (along, across) = (Vec3::X * 2.0, Vec3::Y * 4.0);
    add(vec3(-2.0, -2.0, 0.0), along, across, CELLAR);
    add(vec3(-2.0, -2.0, 2.5), across, along, CELLAR);
    add(vec3(0.0, -2.0, 0.2), along, across, 2);
    add(vec3(0.0, -2.0, 2.5), across, along, 2);
    add(vec3(-2.0, -2.0, 0.0), across, Vec3::Z * 2.5, CELLAR);
    let mesh = TriMesh::new(&vertices, &indices, MeshOptions::default()).ok()?;
    let masks: Vec<u32> = (0..10).map(|triangle| u32::MAX >> (triangle % 2)).collect();
    let mesh = mesh.with_tags(&tags).ok()?.with_masks(&masks).ok()?;
    let sides: Vec<bool> = (0..10).map(|triangle| triangle % 4 == 0).collect();
    if own_sides { mesh.with_double_sided(&sides).ok() } else { Some(mesh) }
}

/// Every shape, as a part of the world and as an obstacle, static and dynamic.
fn shapes() -> Option<[Body; 4]> {
    let turn = DQuat::from_rotation_z(0.5);
    let block = Obb::new(dvec3(8.0, 8.0, 1.0), Vec3::splat(0.5), turn).ok()?;
    let ball = Sphere::new(dvec3(9.0, 3.0, 1.5), 0.5).ok()?;
    let post = Capsule::from_feet(dvec3(2.0, 8.0, 0.5), DVec3::Z, 0.3, 2.0).ok()?;
    let floor = HalfSpace::new(dvec3(0.0, 0.0, -4.0), DVec3::Z).ok()?;
    Some([
        Body::shape(Shape::Box(block)),
        Body::shape(Shape::Sphere(ball)).with_mobility(Mobility::Dynamic),
        Body::obstacle(Shape::Capsule(post)),
        Body::shape(Shape::HalfSpace(floor)),
    ])
}

/// A sheet with waves, two kinds and a dry cell.
fn lake(numbers: &mut Numbers<'_>) -> Option<LiquidSheet> {
    let grid = LiquidGrid { rows: 3, columns: 3, spacing: [2.0; 2], origin: [0.0; 2] };
    let kinds: Vec<_> = (0..9)
        .map(|cell| if cell < 5 { LiquidKind::Ocean } else { LiquidKind::Other(7) })
        .collect();
    let wet: Vec<bool> = (0..9).map(|cell| cell != 4).collect();
    let heights = numbers.list(16).into_iter().map(|height| height + 1.0).collect();
    let sheet = LiquidSheet::new(grid, Heights::F32(heights), LiquidKind::Water).ok()?;
    sheet.with_kinds(&kinds).ok()?.with_wet(&wet).ok()
}

/// A flat sheet in the cellar of a house.
fn basin(height: f32) -> Option<LiquidSheet> {
    let grid = LiquidGrid { rows: 1, columns: 1, spacing: [4.0; 2], origin: [-2.0; 2] };
    LiquidSheet::new(grid, Heights::Flat(height + 1.0), LiquidKind::Slime).ok()
}
