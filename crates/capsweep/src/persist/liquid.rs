//! Liquids as bytes: sheets, where they are placed, and the rooms of models.

use crate::buffer::Buffer;
use crate::mesh::height_field::{HeightField, Samples};
use crate::mesh::surface::SharedSurface;
use crate::persist::error::FileError;
use crate::persist::field;
use crate::persist::file::{FIELDS, NO_MESH, Reader, Section, Sections};
use crate::persist::mesh::wrong_size;
use crate::persist::record::{NumberWriter, pose_of};
use crate::scene::liquid::kind::KindRecord;
use crate::scene::on_demand::OnDemand;
use crate::scene::{
    LiquidError, LiquidGrid, LiquidGround, LiquidRole, LiquidSheet, Liquids, ModelRooms,
    PlacedLiquid, Pose, Room, Rooms,
};
use crate::{Aabb, ShapeError};
use bytemuck::{Pod, Zeroable};
use glam::DVec3;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The grid of a sheet: [`Section::SheetInfo`].
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct SheetInfo {
    rows: u32,
    columns: u32,
    spacing: [f32; 2],
    origin: [f32; 2],
    /// 0 f32, 1 u16, 2 one height for all.
    form: u32,
    /// The range of u16 heights; twice the height if it is one for all.
    range: [f32; 2],
    unused: u32,
}

/// A placed sheet: [`Section::Liquids`].
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(super) struct LiquidRecord {
    /// For liquids of models: the key of the body.
    key: u64,
    /// The number of the sheet.
    sheet: u32,
    /// 0 terrain without a ground, 1 terrain with one, 2 model.
    role: u32,
    /// For liquids of models: the tag of the room.
    tag: u32,
    /// The number of the height field that is the ground.
    ground: u32,
    pose: [f64; 10],
    ground_pose: [f64; 10],
    /// Lowest and highest corner of the sheet, in its own space.
    bounds: [f64; 6],
    /// Whether the sheet has bounds.
    has_bounds: u64,
}

/// A room: [`Section::Rooms`].
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(super) struct RoomRecord {
    tag: u32,
    indoor: u32,
    bounds: [f64; 6],
}

/// The rooms of a model: [`Section::RoomLists`].
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(super) struct RoomList {
    /// The first room, and the number of rooms.
    first: u32,
    count: u32,
}

/// The rooms of the bodies with a key: [`Section::RoomKeys`].
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(super) struct RoomKey {
    key: u64,
    list: u32,
    unused: u32,
}

/// What a liquid of a file belongs to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum RoleInFile {
    /// The number of the ground.
    Terrain {
        ground: Option<u32>,
    },
    Model {
        key: u64,
        tag: u32,
    },
}

/// The liquids of a file that is being written.
#[derive(Default)]
pub(super) struct LiquidWriter {
    liquids: Vec<LiquidRecord>,
    rooms: Vec<RoomRecord>,
    lists: Vec<RoomList>,
    keys: Vec<RoomKey>,
}

impl LiquidWriter {
    /// Places the sheet with this number and these bounds. `ground_pose` is that of its ground, if
    /// it has one.
    pub(super) fn place(
        &mut self,
        (sheet, bounds): (u32, Option<Aabb>),
        pose: &Pose,
        role: RoleInFile,
        ground_pose: &Pose,
    ) {
        let mut record = LiquidRecord {
            sheet,
            pose: numbers_of(pose),
            bounds: bounds.map_or([0.0; 6], corners_of),
            has_bounds: u64::from(bounds.is_some()),
            ..LiquidRecord::zeroed()
        };
        match role {
            RoleInFile::Terrain { ground: None } => {}
            RoleInFile::Terrain { ground: Some(ground) } => {
                (record.role, record.ground) = (1, ground);
                record.ground_pose = numbers_of(ground_pose);
            }
            RoleInFile::Model { key, tag } => {
                (record.role, record.key, record.tag) = (2, key, tag);
            }
        }
        self.liquids.push(record);
    }

    /// Adds the rooms of a model, and returns the number of the list.
    pub(super) fn add_rooms(&mut self, rooms: &Rooms) -> u32 {
        let (first, count) = (self.rooms.len() as u32, rooms.as_slice().len() as u32);
        self.rooms.extend(rooms.as_slice().iter().map(|room| RoomRecord {
            tag: room.tag,
            indoor: u32::from(room.indoor),
            bounds: corners_of(room.bounds),
        }));
        self.lists.push(RoomList { first, count });
        self.lists.len() as u32 - 1
    }

    /// Gives the bodies with a key the rooms of a list.
    pub(super) fn set_rooms(&mut self, key: u64, list: u32) {
        self.keys.push(RoomKey { key, list, unused: 0 });
    }

    pub(super) fn room_lists(&self) -> usize {
        self.lists.len()
    }

    /// Adds the sections of the scene.
    pub(super) fn write(&self, writer: &mut impl Sections) {
        if self.liquids.is_empty() && self.keys.is_empty() {
            return;
        }
        writer.need_version(FIELDS);
        writer.add(Section::Liquids, NO_MESH, &self.liquids);
        writer.add(Section::Rooms, NO_MESH, &self.rooms);
        writer.add(Section::RoomLists, NO_MESH, &self.lists);
        writer.add(Section::RoomKeys, NO_MESH, &self.keys);
    }
}

fn numbers_of(pose: &Pose) -> [f64; 10] {
    let mut numbers = NumberWriter::default();
    numbers.push_pose(pose);
    core::array::from_fn(|i| numbers.values[i])
}

fn corners_of(bounds: Aabb) -> [f64; 6] {
    let (min, max) = (bounds.min(), bounds.max());
    [min.x, min.y, min.z, max.x, max.y, max.z]
}

/// The box between two corners, if they are one.
fn bounds_of([x, y, z, to_x, to_y, to_z]: [f64; 6]) -> Result<Aabb, ShapeError> {
    Aabb::new(DVec3::new(x, y, z), DVec3::new(to_x, to_y, to_z))
}

/// Adds the sections of a sheet; `number` is its number in the file.
pub(super) fn write_sheet(writer: &mut impl Sections, sheet: &LiquidSheet, number: u32) {
    writer.need_version(FIELDS);
    let LiquidGrid { rows, columns, spacing, origin } = sheet.grid;
    let (form, range) = sheet.samples.form();
    match &sheet.samples {
        Samples::F32(heights) => writer.add(Section::Heights, number, heights),
        Samples::U16 { raw, .. } => writer.add(Section::Heights, number, raw),
        Samples::Flat(_) => {}
    }
    let info = SheetInfo { rows, columns, spacing, origin, form, range, unused: 0 };
    writer.add(Section::SheetInfo, number, &[info]);
    writer.add(Section::SheetWet, number, &sheet.wet);
    writer.add(Section::SheetPalette, number, &sheet.palette);
    writer.add(Section::SheetKinds, number, &sheet.kinds);
}

/// Reads the sheet with this number, and checks every cell.
pub(super) fn read_sheet(reader: &Reader, number: u32) -> Result<LiquidSheet, FileError> {
    let info: Buffer<SheetInfo> = reader.get(Section::SheetInfo, number)?;
    let [info] = *info else { return Err(wrong_size(Section::SheetInfo, number)) };
    let SheetInfo { rows, columns, spacing, origin, form, range: [low, high], .. } = info;
    let samples = match form {
        0 => Samples::F32(reader.get(Section::Heights, number)?),
        1 => Samples::U16 { raw: reader.get(Section::Heights, number)?, low, high },
        2 => Samples::Flat(low),
        found => {
            let option = "form of heights";
            return Err(FileError::BadOption { mesh: number, option, found });
        }
    };
    let palette: Buffer<KindRecord> = reader.get(Section::SheetPalette, number)?;
    let mut sheet = LiquidSheet {
        grid: LiquidGrid { rows, columns, spacing, origin },
        samples,
        wet: reader.get(Section::SheetWet, number)?,
        palette,
        kinds: reader.get(Section::SheetKinds, number)?,
        range: None,
    };
    sheet.check().map_err(|error| FileError::BadLiquid { error })?;
    sheet.range = sheet.wet_range();
    Ok(sheet)
}

/// Where the sheets and fields of a file come from.
pub(super) trait LiquidSource {
    /// An error if there is no such sheet.
    fn sheet(&self, number: u32) -> Result<OnDemand<LiquidSheet>, FileError>;

    /// An error if there is no such height field.
    fn field(&self, number: u32) -> Result<OnDemand<HeightField>, FileError>;
}

/// Reads the liquids of a file; `None` if it has none.
pub(super) fn read(
    reader: &Reader,
    source: &impl LiquidSource,
) -> Result<Option<Liquids>, FileError> {
    let Some(records) = reader.find::<LiquidRecord>(Section::Liquids, NO_MESH)? else {
        return Ok(None);
    };
    let refused = |error| FileError::BadLiquid { error };
    let placed: Vec<PlacedLiquid> =
        records.iter().map(|record| placed_of(record, source)).collect::<Result<_, _>>()?;
    Liquids::new(placed, rooms_of(reader)?).map(Some).map_err(refused)
}

fn placed_of(
    record: &LiquidRecord,
    source: &impl LiquidSource,
) -> Result<PlacedLiquid, FileError> {
    let refused = |error| FileError::BadLiquid { error };
    let out_of_range = |error| FileError::BadLiquid { error: LiquidError::OutOfRange { error } };
    let role = match record.role {
        0 => LiquidRole::Terrain { ground: None },
        1 => {
            let pose = pose_of(&record.ground_pose).map_err(out_of_range)?;
            let ground = LiquidGround::on_demand(source.field(record.ground)?, pose);
            LiquidRole::Terrain { ground: Some(Arc::new(ground.map_err(refused)?)) }
        }
        2 => LiquidRole::Model { key: record.key, tag: record.tag },
        found => {
            let option = "role of a liquid";
            return Err(FileError::BadOption { mesh: NO_MESH, option, found });
        }
    };
    let bounds = match record.has_bounds {
        0 => None,
        _ => Some(bounds_of(record.bounds).map_err(out_of_range)?),
    };
    let pose = pose_of(&record.pose).map_err(out_of_range)?;
    PlacedLiquid::on_demand(source.sheet(record.sheet)?, bounds, pose, role).map_err(refused)
}

fn rooms_of(reader: &Reader) -> Result<Vec<ModelRooms>, FileError> {
    let records: Buffer<RoomRecord> = reader.get(Section::Rooms, NO_MESH)?;
    let lists: Buffer<RoomList> = reader.get(Section::RoomLists, NO_MESH)?;
    let keys: Buffer<RoomKey> = reader.get(Section::RoomKeys, NO_MESH)?;
    let refused = |error| FileError::BadLiquid { error };
    let room = |record: &RoomRecord| {
        let bounds = bounds_of(record.bounds).map_err(|error| LiquidError::OutOfRange { error });
        Ok(Room { tag: record.tag, bounds: bounds?, indoor: record.indoor != 0 })
    };
    let mut next = 0;
    let list = |list: &RoomList| {
        // Lists follow each other: if they could share rooms, a small file could need much memory.
        let first = Some(list.first as usize).filter(|first| *first == next);
        let first = first.ok_or_else(|| wrong_size(Section::RoomLists, NO_MESH))?;
        let end = first.checked_add(list.count as usize);
        next = end.unwrap_or(usize::MAX);
        let own = end.and_then(|end| records.get(first..end));
        let own = own.ok_or_else(|| wrong_size(Section::RoomLists, NO_MESH))?;
        let rooms = own.iter().map(room).collect::<Result<_, LiquidError>>().map_err(refused)?;
        Rooms::new(rooms).map(Arc::new).map_err(refused)
    };
    let lists: Vec<Arc<Rooms>> = lists.iter().map(list).collect::<Result<_, FileError>>()?;
    let model = |key: &RoomKey| {
        let rooms = lists.get(key.list as usize);
        let rooms = rooms.ok_or_else(|| wrong_size(Section::RoomKeys, NO_MESH))?;
        Ok(ModelRooms { key: key.key, rooms: Arc::clone(rooms) })
    };
    keys.iter().map(model).collect()
}

/// The error for a liquid that names a sheet or a field that is not in the file.
pub(super) fn no_such(number: u32) -> FileError {
    FileError::BadOption { mesh: NO_MESH, option: "sheet or ground of a liquid", found: number }
}

/// Whether an owner of sections is a sheet.
pub(super) fn is_sheet(reader: &Reader, number: u32) -> bool {
    reader.has(Section::SheetInfo, number)
}

/// Surfaces and sheets that are all at hand.
pub(super) struct LoadedSource<'a> {
    /// By number; `None` for sheets.
    pub(super) surfaces: &'a [Option<SharedSurface>],
    /// By number; `None` for surfaces.
    pub(super) sheets: &'a [Option<Arc<LiquidSheet>>],
}

impl LiquidSource for LoadedSource<'_> {
    fn sheet(&self, number: u32) -> Result<OnDemand<LiquidSheet>, FileError> {
        match self.sheets.get(number as usize) {
            Some(Some(sheet)) => Ok(Arc::clone(sheet).into()),
            _ => Err(no_such(number)),
        }
    }

    fn field(&self, number: u32) -> Result<OnDemand<HeightField>, FileError> {
        match self.surfaces.get(number as usize) {
            Some(Some(SharedSurface::Field(field))) => Ok(Arc::clone(field).into()),
            _ => Err(no_such(number)),
        }
    }
}

/// The sheets of a file, by number.
pub(super) fn read_sheets(reader: &Reader) -> Result<Vec<Option<Arc<LiquidSheet>>>, FileError> {
    let sheet = |number: u32| {
        let is_one = is_sheet(reader, number);
        is_one.then(|| read_sheet(reader, number).map(Arc::new)).transpose()
    };
    (0..reader.surfaces()).map(sheet).collect()
}

/// Adds the sheets of `liquids`, and the grounds that no body has. `numbers` has the numbers of
/// all surfaces so far, by address. Returns what is to be written at the end.
pub(super) fn write_all(
    writer: &mut impl Sections,
    liquids: &Liquids,
    numbers: &mut BTreeMap<usize, u32>,
) -> LiquidWriter {
    let mut all = LiquidWriter::default();
    for placed in liquids.placed() {
        let Some(sheet) = placed.sheet() else { continue };
        let (role, ground_pose) = match placed.role() {
            LiquidRole::Terrain { ground } => {
                let field = ground.as_ref().and_then(|ground| ground.field());
                let number = field.map(|field| {
                    let next = numbers.len() as u32;
                    let number = *numbers.entry(Arc::as_ptr(field).addr()).or_insert(next);
                    if number == next {
                        field::write(writer, field, number);
                    }
                    number
                });
                (
                    RoleInFile::Terrain { ground: number },
                    ground.as_ref().map(|ground| ground.pose()),
                )
            }
            LiquidRole::Model { key, tag } => (RoleInFile::Model { key: *key, tag: *tag }, None),
        };
        let next = numbers.len() as u32;
        let number = *numbers.entry(Arc::as_ptr(sheet).addr()).or_insert(next);
        if number == next {
            write_sheet(writer, sheet, number);
        }
        let pose = placed.pose();
        all.place((number, sheet.bounds()), pose, role, ground_pose.unwrap_or(pose));
    }
    let mut lists = BTreeMap::new();
    for ModelRooms { key, rooms } in liquids.rooms() {
        let list = *lists.entry(Arc::as_ptr(rooms).addr()).or_insert_with(|| all.add_rooms(rooms));
        all.set_rooms(*key, list);
    }
    all
}
