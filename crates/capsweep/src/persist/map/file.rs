//! [`MapFile`]: a map that is read as queries reach it.

use crate::Aabb;
use crate::buffer::Buffer;
use crate::bvh::{Bounds, Bvh, LaneBounds, Node};
use crate::mesh::surface::SharedSurface;
use crate::persist::error::FileError;
use crate::persist::file::{FileKind, NO_MESH, Reader, Section};
use crate::persist::liquid::{self, LiquidSource};
use crate::persist::map::{Info, MapUnit};
use crate::persist::record::Record;
use crate::persist::{mesh, surface};
use crate::scene::body::{Body, BodyId};
use crate::scene::map_layer::{BodySource, MapLayer, boxes_by_slot};
use crate::scene::on_demand::OnDemand;
use crate::scene::{Bodies, HeightField, LiquidSheet, Scene, TriMesh};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

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
    /// Opens a map that [`MapWriter`](crate::persist::MapWriter) wrote. The bytes are kept and
    /// used in place: pass a memory map, whose pages the system loads when they are read. They
    /// must not change afterwards.
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

    /// The bytes that [`MapWriter::finish`](crate::persist::MapWriter::finish) got from its
    /// caller.
    pub fn notes(&self) -> &[u8] {
        &self.notes
    }

    /// The checksum of the table of contents, which has the checksum of every part. Files with the
    /// same checksum have the same content.
    pub fn checksum(&self) -> u64 {
        self.content.reader.checksum()
    }

    /// Number of meshes, height fields and liquid sheets in the file; their numbers are below it.
    pub fn surface_count(&self) -> u32 {
        self.content.surfaces.len() as u32
    }

    /// Number of placements in the file.
    pub fn body_count(&self) -> u32 {
        self.content.records.len() as u32
    }

    /// The box around all placements, rounded outwards to f32; `None` if there are none.
    pub fn bounds(&self) -> Option<Aabb> {
        self.scene().content().map(Bodies::Static).and_then(MapLayer::bounds)
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
pub(in crate::persist) fn verify(
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
