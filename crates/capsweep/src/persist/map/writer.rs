//! [`MapWriter`]: writes a map piece by piece.

use crate::Aabb;
use crate::bvh::{Bounds, LaneBounds, NONE, WIDTH, build};
use crate::persist::error::FileError;
use crate::persist::file::{NO_MESH, Section, Sections, StreamWriter};
use crate::persist::liquid::{self, LiquidWriter, RoleInFile};
use crate::persist::map::{Info, MapUnit};
use crate::persist::record::Record;
use crate::persist::{field, mesh};
use crate::scene::body::{outward, placed_corners};
use crate::scene::{HeightField, LiquidSheet, Pose, Rooms, TriMesh};
use std::io;

/// A placed mesh or height field of a map.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlacedSurface {
    /// The number that [`MapWriter::add_mesh`] or [`MapWriter::add_field`] gave.
    pub surface: u32,
    /// Where it is.
    pub pose: Pose,
    /// The caller's own number; see [`Body::with_key`](crate::scene::Body::with_key).
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
        /// The number of the height field below it, which has the pose of the sheet.
        ground: Option<u32>,
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
/// let (flat, four) = (Heights::Flat(2.0), CellTriangles::Four);
/// let tile = HeightField::new(grid, flat, four, Default::default())?;
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
            SheetRole::Terrain { ground: Some(ground) }
                if ground as usize >= self.bounds.len() =>
            {
                return Err(liquid::no_such(ground));
            }
            SheetRole::Terrain { ground } => RoleInFile::Terrain { ground },
            SheetRole::Model { key, tag } => RoleInFile::Model { key, tag },
        };
        self.liquids.place((*sheet, *bounds), pose, role, pose);
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
