//! Height fields as bytes.

use crate::buffer::Buffer;
use crate::bvh::{Node, WIDTH};
use crate::mesh::height_field::{
    CellMaterial, HeightField, HeightFieldOptions, HeightGrid, Materials, Samples, Split,
    bounds_of, cell_count, check_grid, check_heights, samples_needed,
};
use crate::mesh::tri_mesh::largest_coordinate;
use crate::persist::error::FileError;
use crate::persist::file::{FIELDS, Reader, Section, Sections};
use crate::persist::mesh::wrong_size;
use bytemuck::{Pod, Zeroable};

/// The grid and the options of a field: [`Section::FieldInfo`].
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Info {
    rows: u32,
    columns: u32,
    spacing: [f32; 2],
    /// Triangles per cell: 2 or 4.
    per_cell: u32,
    /// 0 f32, 1 u16, 2 one height for all.
    form: u32,
    /// The range of u16 heights; twice the height if it is one for all.
    range: [f32; 2],
    double_sided: u32,
    unused: [u32; 3],
}

/// Adds the sections of a field; `number` is its number in the file.
pub(super) fn write(writer: &mut impl Sections, field: &HeightField, number: u32) {
    writer.need_version(FIELDS);
    let (form, range) = field.samples.form();
    let info = Info {
        rows: field.rows,
        columns: field.columns,
        spacing: field.spacing,
        per_cell: field.triangles_per_cell(),
        form,
        range,
        double_sided: u32::from(field.options.double_sided),
        unused: [0; 3],
    };
    writer.add(Section::Nodes, number, &field.nodes);
    writer.add(Section::FieldInfo, number, &[info]);
    match &field.samples {
        Samples::F32(heights) => writer.add(Section::Heights, number, heights),
        Samples::U16 { raw, .. } => writer.add(Section::Heights, number, raw),
        Samples::Flat(_) => {}
    }
    add_unless_empty(writer, Section::Holes, number, &field.holes);
    add_unless_empty(writer, Section::Diagonals, number, &field.turned);
    add_unless_empty(writer, Section::Palette, number, &field.materials.palette);
    add_unless_empty(writer, Section::Cells, number, &field.materials.cells);
}

fn add_unless_empty<T: Pod>(
    writer: &mut impl Sections,
    section: Section,
    number: u32,
    values: &[T],
) {
    if !values.is_empty() {
        writer.add(section, number, values);
    }
}

/// Reads the field with this number, and checks every height, cell and node.
pub(super) fn read(reader: &Reader, number: u32) -> Result<HeightField, FileError> {
    let info: Buffer<Info> = reader.get(Section::FieldInfo, number)?;
    let [info] = *info else { return Err(wrong_size(Section::FieldInfo, number)) };
    let bad = |option, found| FileError::BadOption { mesh: number, option, found };
    let split = match info.per_cell {
        4 => Split::Four,
        2 => Split::Two,
        found => return Err(bad("triangles per cell", found)),
    };
    let Info { rows, columns, spacing, .. } = info;
    let grid = HeightGrid { rows, columns, spacing };
    let refused = |error| FileError::BadField { mesh: number, error };
    check_grid(grid, split).map_err(refused)?;
    let [low, high] = info.range;
    let samples = match info.form {
        0 => Samples::F32(reader.get(Section::Heights, number)?),
        1 => Samples::U16 { raw: reader.get(Section::Heights, number)?, low, high },
        2 => Samples::Flat(low),
        found => return Err(bad("form of heights", found)),
    };
    if samples.count().is_some_and(|count| count != samples_needed(grid, split)) {
        return Err(wrong_size(Section::Heights, number));
    }
    check_heights(&samples).map_err(refused)?;
    let double_sided = match info.double_sided {
        0 => false,
        1 => true,
        found => return Err(bad("double-sided", found)),
    };
    let mut field = HeightField {
        rows,
        columns,
        spacing,
        split,
        samples,
        holes: bits(reader, Section::Holes, number, grid)?,
        turned: bits(reader, Section::Diagonals, number, grid)?,
        materials: materials(reader, number, grid)?,
        nodes: reader.get(Section::Nodes, number)?,
        bounds: None,
        max_coordinate: 0.0,
        options: HeightFieldOptions { double_sided },
    };
    let bad_nodes = |problem| {
        let section = Section::Nodes.name();
        FileError::BadSection { section, mesh: number, problem }
    };
    // A grid of one height needs no bytes for its cells, so a short file could state one of 2²⁸
    // cells. Only as many nodes as a tree needs, or flags of holes, make it as long as the work.
    let [rows, columns] = field.view().blocks();
    if field.holes.is_empty() && field.nodes.len() < (rows * columns).div_ceil(WIDTH) {
        return Err(bad_nodes("is too short for its grid"));
    }
    // A tree takes less time to make than to check.
    let (nodes, all) = field.tree();
    let same_bytes = |one: &[Node], other: &[Node]| -> bool {
        bytemuck::must_cast_slice::<Node, u8>(one) == bytemuck::must_cast_slice::<Node, u8>(other)
    };
    if !same_bytes(&nodes, &field.nodes) {
        return Err(bad_nodes("is not that of the heights"));
    }
    field.bounds = bounds_of(&all);
    field.max_coordinate = largest_coordinate(field.bounds);
    Ok(field)
}

/// One bit for each cell, and zeros after the last; empty if there is no such section.
fn bits(
    reader: &Reader,
    section: Section,
    number: u32,
    grid: HeightGrid,
) -> Result<Buffer<u8>, FileError> {
    let bits: Buffer<u8> = reader.find(section, number)?.unwrap_or_default();
    let cells = cell_count(grid);
    let spare = cells.next_multiple_of(8) - cells;
    let ends_well = bits.last().is_none_or(|last| last.leading_zeros() as usize >= spare);
    if !bits.is_empty() && (bits.len() != cells.div_ceil(8) || !ends_well) {
        return Err(wrong_size(section, number));
    }
    Ok(bits)
}

fn materials(reader: &Reader, number: u32, grid: HeightGrid) -> Result<Materials, FileError> {
    let palette: Buffer<CellMaterial> = reader.find(Section::Palette, number)?.unwrap_or_default();
    let cells: Buffer<u8> = reader.find(Section::Cells, number)?.unwrap_or_default();
    let fits = cells.iter().all(|place| usize::from(*place) < palette.len());
    if palette.is_empty() && cells.is_empty() || cells.len() == cell_count(grid) && fits {
        Ok(Materials { palette, cells })
    } else {
        Err(wrong_size(Section::Cells, number))
    }
}
