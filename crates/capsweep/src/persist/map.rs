//! Map files: scenes too large to load, which are read as queries reach them.

use crate::Aabb;
use crate::buffer::Buffer;
use crate::bvh::{Bounds, Bvh, LaneBounds, NONE, Node, WIDTH, build};
use crate::mesh::surface::SharedSurface;
use crate::persist::error::FileError;
use crate::persist::file::{FileKind, NO_MESH, Reader, Section, Sections, StreamWriter};
use crate::persist::liquid::{self, LiquidSource, LiquidWriter, RoleInFile};
use crate::persist::record::Record;
use crate::persist::{field, mesh, surface};
use crate::scene::body::{Body, BodyId, outward, placed_corners};
use crate::scene::map_layer::{BodySource, MapLayer, boxes_by_slot};
use crate::scene::on_demand::OnDemand;
use crate::scene::{HeightField, LiquidSheet, Pose, Rooms, Scene, TriMesh};
use bytemuck::{Pod, Zeroable};
use std::io;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// The unit of length of a map: of its positions, and of all answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum MapUnit {
    /// Metres.
    #[default]
    Metre,
    /// Yards of 0.9144 m.
    Yard,
}

impl MapUnit {
    /// Metres in one unit.
    pub fn metres(self) -> f64 {
        match self {
            Self::Metre => 1.0,
            Self::Yard => 0.9144,
        }
    }
}

/// What a map says of itself: [`Section::MapInfo`].
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Info {
    /// 0 metres, 1 yards.
    unit: u32,
    unused: [u32; 7],
}

/// A placed mesh or height field of a map.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlacedSurface {
    /// The number that [`MapWriter::add_mesh`] or [`MapWriter::add_field`] gave.
    pub surface: u32,
    /// Where it is.
    pub pose: Pose,
    /// The caller's own number; see [`Body::with_key`].
    pub key: u64,
    /// A query sees the body if their masks share a bit.
    pub mask: u32,
}

/// A placed sheet of liquid of a map.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlacedSheet {
    /// The number that [`MapWriter::add_sheet`] gave.
    pub sheet: u32,
    /// Where it is.
    pub pose: Pose,
    /// What it belongs to; see [`LiquidRole`](crate::scene::LiquidRole).
    pub role: SheetRole,
}

/// What a sheet of liquid of a map belongs to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SheetRole {
    /// A liquid in the open.
    Terrain {
        /// The number of the height field below it.
        ground: Option<u32>,
        /// Where that is.
        ground_pose: Pose,
    },
    /// A liquid of a model.
    Model {
        /// The key of the body.
        key: u64,
        /// The tag of the room.
        tag: u32,
    },
}

/// Writes a map file piece by piece: only the list of placements stays in memory.
///
/// Add each mesh and height field once, then place it as often as it occurs. [`Self::finish`]
/// builds the tree over the placements and writes the header. A file that was not finished has no
/// header, and cannot be opened.
///
/// ```
/// use capsweep::persist::{MapFile, MapUnit, MapWriter, PlacedSurface};
/// use capsweep::scene::{CellTriangles, Filter, HeightField, HeightGrid, Heights, Pose};
/// use capsweep::{Motion, Ray};
/// use glam::{DVec3, dvec3};
/// use std::io::Cursor;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let grid = HeightGrid { rows: 8, columns: 8, spacing: [4.0, 4.0] };
/// let tile = HeightField::new(grid, Heights::Flat(2.0), CellTriangles::Four, Default::default())?;
///
/// let mut bytes = Cursor::new(Vec::new());
/// let mut map = MapWriter::new(&mut bytes, MapUnit::Yard);
/// let surface = map.add_field(&tile)?;
/// for key in 0..3 {
///     let pose = Pose::from_translation(dvec3(32.0 * key as f64, 0.0, 0.0))?;
///     map.place(&PlacedSurface { surface, pose, key, mask: u32::MAX })?;
/// }
/// map.finish(b"three tiles")?;
///
/// let map = MapFile::open(bytes.into_inner())?;
/// let down = Ray::new(dvec3(70.0, 5.0, 9.0), Motion::new(DVec3::Z * -20.0)?)?;
/// let hit = map.scene().ray(&down, &Filter::default()).ok_or("there is ground")?;
/// assert_eq!((hit.target.key, hit.distance), (2, 7.0));
/// # Ok(())
/// # }
/// ```
pub struct MapWriter<W: io::Write + io::Seek> {
    sections: StreamWriter<W>,
    unit: MapUnit,
    /// By number of a surface.
    bounds: Vec<Option<Aabb>>,
    records: Vec<Record>,
    /// Of the records.
    boxes: Vec<Bounds>,
    liquids: LiquidWriter,
}

impl<W: io::Write + io::Seek> MapWriter<W> {
    /// Begins a map at the start of `out`.
    pub fn new(out: W, unit: MapUnit) -> Self {
        let sections = StreamWriter::new(out);
        Self {
            sections,
            unit,
            bounds: Vec::new(),
            records: Vec::new(),
            boxes: Vec::new(),
            liquids: LiquidWriter::default(),
        }
    }

    /// Writes a mesh, and returns its number.
    ///
    /// # Errors
    /// If writing fails.
    pub fn add_mesh(&mut self, mesh: &TriMesh) -> io::Result<u32> {
        let number = self.next_number(mesh.bounds());
        mesh::write(&mut self.sections, mesh, number);
        self.sections.check().map(|()| number)
    }

    /// Writes a height field, and returns its number.
    ///
    /// # Errors
    /// If writing fails.
    pub fn add_field(&mut self, field: &HeightField) -> io::Result<u32> {
        let number = self.next_number(field.bounds());
        field::write(&mut self.sections, field, number);
        self.sections.check().map(|()| number)
    }

    fn next_number(&mut self, bounds: Option<Aabb>) -> u32 {
        self.bounds.push(bounds);
        self.bounds.len() as u32 - 1
    }

    /// Places a surface that was written before.
    ///
    /// # Errors
    /// If there is no such surface, or a corner of its box in the world leaves the [range of
    /// positions](crate::MAX_POSITION). The surface is then not placed.
    pub fn place(&mut self, placed: &PlacedSurface) -> Result<(), FileError> {
        let PlacedSurface { surface, pose, key, mask } = placed;
        let body = self.records.len() as u32;
        let unknown = FileError::BadBody { body, field: "mesh", found: *surface };
        let bounds = self.bounds.get(*surface as usize).ok_or(unknown)?;
        let corners = bounds.map(|bounds| placed_corners(&bounds, pose)).transpose();
        let corners = corners.map_err(|error| FileError::BadShape { body, error })?;
        let in_tree = corners.map_or(Bounds::EMPTY, |(min, max)| outward(min, max));
        self.records.push(Record::placement(*key, *mask, *surface, pose));
        self.boxes.push(in_tree);
        Ok(())
    }

    /// Writes a sheet of liquid, and returns its number.
    ///
    /// # Errors
    /// If writing fails.
    pub fn add_sheet(&mut self, sheet: &LiquidSheet) -> io::Result<u32> {
        let number = self.next_number(sheet.bounds());
        liquid::write_sheet(&mut self.sections, sheet, number);
        self.sections.check().map(|()| number)
    }

    /// Places a sheet of liquid that was written before. Liquids of models belong to bodies whose
    /// key has rooms: see [`Self::set_rooms`].
    ///
    /// # Errors
    /// If there is no such sheet or ground. The sheet is then not placed.
    pub fn place_liquid(&mut self, placed: &PlacedSheet) -> Result<(), FileError> {
        let PlacedSheet { sheet, pose, role } = placed;
        let bounds = self.bounds.get(*sheet as usize).ok_or(liquid::no_such(*sheet))?;
        let role = match *role {
            SheetRole::Terrain { ground: Some(ground), .. }
                if ground as usize >= self.bounds.len() =>
            {
                return Err(liquid::no_such(ground));
            }
            SheetRole::Terrain { ground, ground_pose } => {
                RoleInFile::Terrain { ground: ground.map(|ground| (ground, ground_pose)) }
            }
            SheetRole::Model { key, tag } => RoleInFile::Model { key, tag },
        };
        self.liquids.place(*sheet, *bounds, pose, &role);
        Ok(())
    }

    /// Adds the rooms of a model, and returns their number for [`Self::set_rooms`].
    pub fn add_rooms(&mut self, rooms: &Rooms) -> u32 {
        self.liquids.add_rooms(rooms)
    }

    /// Gives the bodies with a key rooms that were added before. Each key may have rooms once.
    ///
    /// # Errors
    /// If there are no such rooms.
    pub fn set_rooms(&mut self, key: u64, rooms: u32) -> Result<(), FileError> {
        if rooms as usize >= self.liquids.room_lists() {
            return Err(liquid::no_such(rooms));
        }
        self.liquids.set_rooms(key, rooms);
        Ok(())
    }

    /// Writes the placements, the tree over them and `notes`: bytes of the caller's own. Returns
    /// the length of the file.
    ///
    /// # Errors
    /// If writing fails.
    pub fn finish(mut self, notes: &[u8]) -> io::Result<u64> {
        let tree = build(&self.boxes);
        let order = leaf_order(&tree.items, self.records.len());
        // Bodies that are near each other in the world become neighbours in the file.
        let records: Vec<Record> = order.iter().map(|&old| self.records[old as usize]).collect();
        let mut new_place = vec![NONE; order.len()];
        for (&old, new) in order.iter().zip(0..) {
            new_place[old as usize] = new;
        }
        let renamed = |item: &u32| if *item == NONE { NONE } else { new_place[*item as usize] };
        let items: Vec<u32> = tree.items.iter().map(renamed).collect();
        let mut boxes = vec![LaneBounds::EMPTY; tree.leaf_count()];
        for (lane, &old) in tree.items.iter().enumerate().filter(|(_, item)| **item != NONE) {
            boxes[lane / WIDTH].set(lane % WIDTH, self.boxes[old as usize]);
        }
        let unit = match self.unit {
            MapUnit::Metre => 0,
            MapUnit::Yard => 1,
        };
        let sections = &mut self.sections;
        sections.add(Section::Bodies, NO_MESH, &records);
        if !notes.is_empty() {
            sections.add(Section::Notes, NO_MESH, notes);
        }
        sections.add(Section::BodyNodes, NO_MESH, &tree.nodes);
        sections.add(Section::BodyItems, NO_MESH, &items);
        sections.add(Section::BodyBoxes, NO_MESH, &boxes);
        sections.add(Section::MapInfo, NO_MESH, &[Info { unit, unused: [0; 7] }]);
        self.liquids.write(&mut self.sections);
        self.sections.finish()
    }
}

/// All items in the order of the leaves, then those that are in no leaf.
fn leaf_order(items: &[u32], count: usize) -> Vec<u32> {
    let mut order: Vec<u32> = items.iter().copied().filter(|item| *item != NONE).collect();
    let mut is_listed = vec![false; count];
    for &item in &order {
        is_listed[item as usize] = true;
    }
    order.extend((0..count as u32).filter(|item| !is_listed[*item as usize]));
    order
}

/// An open map: a [`Scene`] whose bodies are read from the file when a query first reaches them.
///
/// Opening checks the header, the table and the tree over the placements; it reads no mesh and no
/// height field. Each of those is checked when it is first reached. One that is damaged counts as
/// absent, and so do its bodies: [`Self::damage`] lists it. [`verify`](crate::persist::verify())
/// checks all of a file.
///
/// The scene answers like one that was built from the same bodies, in every bit. Bodies of the map
/// cannot be moved or removed. Other bodies can be inserted beside them.
#[derive(Debug, Clone)]
pub struct MapFile {
    scene: Scene,
    content: Arc<MapContent>,
    unit: MapUnit,
    notes: Buffer<u8>,
}

/// The surfaces and bodies of a map.
struct MapContent {
    reader: Reader,
    records: Buffer<Record>,
    /// By slot, to find a body's box.
    boxes: Vec<Bounds>,
    /// By number; empty until one is first reached, `None` if it is damaged.
    surfaces: Box<[OnceLock<Option<SharedSurface>>]>,
    damage: Mutex<Vec<FileError>>,
}

impl core::fmt::Debug for MapContent {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("MapContent")
            .field("surfaces", &self.surfaces.len())
            .finish_non_exhaustive()
    }
}

impl MapContent {
    fn report(&self, error: FileError) {
        self.damage.lock().unwrap_or_else(PoisonError::into_inner).push(error);
    }

    fn surface(&self, number: u32) -> Option<&SharedSurface> {
        self.surfaces.get(number as usize)?.get_or_init(|| self.load_surface(number)).as_ref()
    }

    #[cold]
    fn load_surface(&self, number: u32) -> Option<SharedSurface> {
        let sound = self.reader.check_sums_of(number);
        let loaded = sound.and_then(|()| surface::read(&self.reader, number));
        loaded.map_err(|error| self.report(error)).ok()
    }

    fn load_sheet(&self, number: u32) -> Option<Arc<LiquidSheet>> {
        let sound = self.reader.check_sums_of(number);
        let loaded = sound.and_then(|()| liquid::read_sheet(&self.reader, number));
        loaded.map(Arc::new).map_err(|error| self.report(error)).ok()
    }

    fn field(&self, number: u32) -> Option<Arc<HeightField>> {
        match self.surface(number)? {
            SharedSurface::Mesh(_) => None,
            SharedSurface::Field(field) => Some(Arc::clone(field)),
        }
    }

    fn load_body(&self, slot: u32) -> Result<Option<Body>, FileError> {
        let Some(record) = self.records.get(slot as usize) else { return Ok(None) };
        record.check_placement(slot)?;
        let surface = self.surface(record.surface);
        if surface.is_none() && (record.surface as usize) < self.surfaces.len() {
            // It is damaged, which is reported already.
            return Ok(None);
        }
        let body = record.body(slot, surface)?;
        check_box(&body, self.boxes.get(slot as usize).copied(), slot).map(|()| Some(body))
    }
}

/// Checks that a body is inside its box in the tree.
fn check_box(body: &Body, stored: Option<Bounds>, slot: u32) -> Result<(), FileError> {
    let own = body.tree_bounds().unwrap_or(Bounds::EMPTY);
    let is_inside = own.is_empty() || stored.is_some_and(|stored| stored.contains(&own));
    if is_inside { Ok(()) } else { Err(FileError::OutsideItsBox { body: slot }) }
}

impl LiquidSource for Arc<MapContent> {
    fn sheet(&self, number: u32) -> Result<OnDemand<LiquidSheet>, FileError> {
        if !liquid::is_sheet(&self.reader, number) {
            return Err(liquid::no_such(number));
        }
        let content = Self::clone(self);
        Ok(OnDemand::new(move || content.load_sheet(number)))
    }

    fn field(&self, number: u32) -> Result<OnDemand<HeightField>, FileError> {
        if !self.reader.has(Section::FieldInfo, number) {
            return Err(liquid::no_such(number));
        }
        let content = Self::clone(self);
        Ok(OnDemand::new(move || MapContent::field(&content, number)))
    }
}

impl BodySource for Arc<MapContent> {
    fn load(&self, slot: u32) -> Option<Body> {
        self.load_body(slot).map_err(|error| self.report(error)).ok()?
    }
}

/// The tree over bodies, as the file has it.
struct TreeParts {
    nodes: Buffer<Node>,
    items: Buffer<u32>,
    boxes: Buffer<LaneBounds>,
}

impl TreeParts {
    fn read(reader: &Reader) -> Result<Self, FileError> {
        Ok(Self {
            nodes: reader.get(Section::BodyNodes, NO_MESH)?,
            items: reader.get(Section::BodyItems, NO_MESH)?,
            boxes: reader.get(Section::BodyBoxes, NO_MESH)?,
        })
    }
}

fn unit_of(reader: &Reader) -> Result<MapUnit, FileError> {
    let info: Buffer<Info> = reader.get(Section::MapInfo, NO_MESH)?;
    match *info {
        [Info { unit: 0, .. }] => Ok(MapUnit::Metre),
        [Info { unit: 1, .. }] => Ok(MapUnit::Yard),
        [Info { unit, .. }] => {
            Err(FileError::BadOption { mesh: NO_MESH, option: "unit", found: unit })
        }
        _ => Err(mesh::wrong_size(Section::MapInfo, NO_MESH)),
    }
}

/// The sections whose checksums are checked at opening. Each body has a checksum of its own.
const CHECKED_AT_OPENING: [Section; 9] = [
    Section::Notes,
    Section::BodyNodes,
    Section::BodyItems,
    Section::BodyBoxes,
    Section::MapInfo,
    Section::Liquids,
    Section::Rooms,
    Section::RoomLists,
    Section::RoomKeys,
];

impl MapFile {
    /// Opens a map that [`MapWriter`] wrote. The bytes are kept and used in place: pass a memory
    /// map, whose pages the system loads when they are read. They must not change afterwards.
    ///
    /// # Errors
    /// If the bytes are not those of a map, or if header, table or tree are damaged.
    pub fn open(bytes: impl AsRef<[u8]> + Send + Sync + 'static) -> Result<Self, FileError> {
        let reader = Reader::new(bytes, FileKind::Map)?;
        for section in CHECKED_AT_OPENING {
            reader.check_sum_of(section, NO_MESH)?;
        }
        let unit = unit_of(&reader)?;
        let records: Buffer<Record> = reader.get(Section::Bodies, NO_MESH)?;
        let notes = reader.find(Section::Notes, NO_MESH)?.unwrap_or_default();
        let TreeParts { nodes, items, boxes } = TreeParts::read(&reader)?;
        let count = records.len();
        let bad = |defect| FileError::BadBodyTree { defect };
        let content = Arc::new(MapContent {
            boxes: boxes_by_slot(&items, &boxes, count).map_err(bad)?,
            surfaces: (0..reader.surfaces()).map(|_| OnceLock::new()).collect(),
            damage: Mutex::new(Vec::new()),
            reader,
            records,
        });
        let liquids = liquid::read(&content.reader, &content)?;
        let source = Box::new(Arc::clone(&content));
        let layer = MapLayer::new(nodes, items, boxes, count, source).map_err(bad)?;
        let mut scene = Scene::of_map(layer);
        scene.set_liquids(liquids.map(Arc::new));
        Ok(Self { scene, content, unit, notes })
    }

    /// The scene.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// The unit of length of its positions.
    pub fn unit(&self) -> MapUnit {
        self.unit
    }

    /// The bytes that [`MapWriter::finish`] got from its caller.
    pub fn notes(&self) -> &[u8] {
        &self.notes
    }

    /// Number of meshes, height fields and liquid sheets in the file; their numbers are below it.
    pub fn surface_count(&self) -> u32 {
        self.content.surfaces.len() as u32
    }

    /// Number of placements in the file.
    pub fn body_count(&self) -> u32 {
        self.content.records.len() as u32
    }

    /// Number of meshes and height fields that were reached so far.
    pub fn loaded_surfaces(&self) -> usize {
        self.content.surfaces.iter().filter(|surface| surface.get().is_some()).count()
    }

    /// The number of a body's mesh or height field; `None` if the body is not of this map.
    pub fn surface_of(&self, id: BodyId) -> Option<u32> {
        self.scene.body(id).ok()?;
        let slot = MapLayer::slot_of(id)?;
        self.content.records.get(slot as usize).map(|record| record.surface)
    }

    /// A mesh by its number; `None` if it is a height field, is damaged or does not exist.
    pub fn mesh(&self, number: u32) -> Option<Arc<TriMesh>> {
        if !self.content.reader.has(Section::Info, number) {
            return None;
        }
        match self.content.surface(number)? {
            SharedSurface::Mesh(mesh) => Some(Arc::clone(mesh)),
            SharedSurface::Field(_) => None,
        }
    }

    /// A height field by its number; `None` if it is a mesh, is damaged or does not exist.
    pub fn field(&self, number: u32) -> Option<Arc<HeightField>> {
        let is_field = self.content.reader.has(Section::FieldInfo, number);
        if is_field { MapContent::field(&self.content, number) } else { None }
    }

    /// Everything that was found to be damaged so far, and counts as absent.
    pub fn damage(&self) -> Vec<FileError> {
        self.content.damage.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Reports the defects of a map that a scene does not have to `found`.
pub(super) fn verify(
    reader: &Reader,
    surfaces: &[Option<SharedSurface>],
    mut found: impl FnMut(FileError),
) {
    if let Err(error) = unit_of(reader) {
        found(error);
    }
    let records: Buffer<Record> = match reader.get(Section::Bodies, NO_MESH) {
        Ok(records) => records,
        // The check of the bodies reports it.
        Err(_) => return,
    };
    let TreeParts { nodes, items, boxes } = match TreeParts::read(reader) {
        Ok(parts) => parts,
        Err(error) => return found(error),
    };
    let mut bad = |defect| found(FileError::BadBodyTree { defect });
    let by_slot = match boxes_by_slot(&items, &boxes, records.len()) {
        Ok(by_slot) => by_slot,
        Err(defect) => return bad(defect),
    };
    if let Err(defect) = Bvh::from_parts(nodes, items, &by_slot) {
        bad(defect);
    }
    for (record, slot) in records.iter().zip(0..) {
        if let Err(error) = record.check_placement(slot) {
            found(error);
        }
        let surface = surfaces.get(record.surface as usize).and_then(Option::as_ref);
        // The check of the bodies reports one that cannot be made.
        if let Ok(body) = record.body(slot, surface)
            && let Err(error) = check_box(&body, by_slot.get(slot as usize).copied(), slot)
        {
            found(error);
        }
    }
}
