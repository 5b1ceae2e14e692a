//! Makes one map file of a server's folders.
//!
//! Terrain becomes height fields, models become meshes that are written once, and placements
//! become bodies. Files are read and written piece by piece, so memory does not grow with the
//! map. Damaged and missing files are counted, never an error: a server's data has both.

mod error;
mod liquids;
mod models;
mod notes;
mod pipeline;
mod terrain;

pub use error::ImportError;
pub use notes::{GameObject, ImportCounts, MapNotes, Missing};

use super::folder::{ServerFiles, ServerFolders};
use super::frame::TileIndex;
use super::liquid::LiquidBits;
use super::placements::{MapPlacements, placements};
use crate::whole_file;
use capsweep::persist::{MapUnit, MapWriter, PlacedSurface};
use models::ModelWriter;
use pipeline::Pipeline;
use std::io;
use std::ops::ControlFlow;
use std::path::Path;
use terrain::TileWriter;

/// Options of an import.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct ImportOptions {
    /// The map whose placements a child map uses where it has none of its own.
    pub parent: Option<u32>,
    /// The meaning of liquid bits in terrain; found from the files unless set.
    pub liquid_bits: Option<LiquidBits>,
    /// Both sides of models count, as in the line-of-sight checks of servers. By default only
    /// the outside does: a character that got inside can walk out.
    pub double_sided: bool,
}

/// How far an import is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct ImportProgress {
    /// The part that is being imported.
    pub part: ImportPart,
    /// Pieces of that part that are done.
    pub done: u64,
    /// All pieces of that part.
    pub total: u64,
}

/// A part of an import, in the order in which they come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImportPart {
    /// Terrain tiles.
    Tiles,
    /// Models.
    Models,
    /// Placements and the tree over them.
    Placements,
}

/// Key of the body of a terrain tile. Bodies of placements have the id of the placement as key,
/// which is below 2³².
pub fn tile_key(tile: TileIndex) -> u64 {
    1 << 32 | u64::from(tile.row()) << 8 | u64::from(tile.col())
}

/// Imports a map into a file at `path`, which is replaced as a whole: an import that fails or is
/// interrupted leaves the old file, or none.
///
/// `progress` is called after every few pieces; [`ControlFlow::Break`] interrupts the import.
///
/// # Errors
/// If the folders cannot be read, have no files of the map, or if the file cannot be written.
/// Also if `progress` interrupts it.
pub fn import_file(
    path: &Path,
    folders: &ServerFolders,
    map: u32,
    options: &ImportOptions,
    progress: &mut (dyn FnMut(ImportProgress) -> ControlFlow<()> + Send),
) -> Result<MapNotes, ImportError> {
    let mut result = None;
    let written = whole_file::write_seekable(path, |file| {
        let imported = import(file, folders, map, options, progress);
        let outcome = if imported.is_ok() { Ok(()) } else { Err(io::ErrorKind::Other.into()) };
        result = Some(imported);
        outcome
    });
    match result {
        // An error of the import comes before the one that only stops the writing.
        Some(Err(error)) => Err(error),
        Some(Ok(notes)) => {
            written.map(|()| notes).map_err(|error| ImportError::write(path, error))
        }
        None => {
            let error = written.err().unwrap_or_else(|| io::ErrorKind::Other.into());
            Err(ImportError::write(path, error))
        }
    }
}

/// As [`import_file`], to the start of `out`.
///
/// # Errors
/// As [`import_file`].
pub fn import(
    out: impl io::Write + io::Seek + Send,
    folders: &ServerFolders,
    map: u32,
    options: &ImportOptions,
    progress: &mut (dyn FnMut(ImportProgress) -> ControlFlow<()> + Send),
) -> Result<MapNotes, ImportError> {
    let files = ServerFiles::open(folders).map_err(ImportError::Load)?;
    let Some(of_map) = files.map(map) else {
        return Err(ImportError::NoSuchMap { map, known: files.map_ids().collect() });
    };
    let mut writer = MapWriter::new(out, MapUnit::Yard);
    let mut notes = MapNotes { map, ..MapNotes::default() };

    let tiles: Vec<(TileIndex, &Path)> =
        of_map.terrain.iter().map(|(tile, path)| (*tile, path.as_path())).collect();
    let bits = options.liquid_bits.unwrap_or_else(|| terrain::liquid_bits(&tiles));
    notes.liquid_bits = Some(bits);
    let mut tile_writer = TileWriter::default();
    Pipeline { part: ImportPart::Tiles, progress: &mut *progress }.run(
        &tiles,
        |(_, path)| terrain::load(path, bits),
        |(tile, _), loaded| tile_writer.write(&mut writer, &mut notes, *tile, loaded),
    )?;

    let found = placements(&files, map, options.parent);
    let mut models = ModelWriter::new(&found);
    models.add_game_objects(&files, &mut notes);
    let jobs = models.jobs();
    Pipeline { part: ImportPart::Models, progress: &mut *progress }.run(
        &jobs,
        |job| models::load(job, options),
        |job, loaded| models.write(&mut writer, &mut notes, job, loaded),
    )?;
    models.finish(&mut notes);

    place(&mut writer, &mut notes, &found, &models)?;
    let total = found.placements.len() as u64;
    let last = ImportProgress { part: ImportPart::Placements, done: total, total };
    if progress(last).is_break() {
        return Err(ImportError::Interrupted);
    }
    notes.count_placements(found);
    writer.finish(&notes.to_bytes()).map_err(ImportError::Io)?;
    Ok(notes)
}

/// Places all models whose mesh was written.
fn place<W: io::Write + io::Seek>(
    writer: &mut MapWriter<W>,
    notes: &mut MapNotes,
    found: &MapPlacements,
    models: &ModelWriter,
) -> Result<(), ImportError> {
    for placement in &found.placements {
        let Some(surface) = models.surface_of(placement.model) else {
            notes.counts.without_mesh += 1;
            continue;
        };
        let (pose, key) = (placement.pose, u64::from(placement.id));
        if writer.place(&PlacedSurface { surface, pose, key, mask: u32::MAX }).is_err() {
            notes.counts.out_of_range += 1;
            continue;
        }
        notes.counts.placements += 1;
        models.place_liquids(writer, notes, placement).map_err(ImportError::bug)?;
    }
    Ok(())
}
