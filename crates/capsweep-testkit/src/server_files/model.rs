//! `.vmo` files: collision models.

use super::bih::{Bih, Bounds};
use super::bytes::Bytes;
use super::core::{Layout, LiquidIds, ModelForm};
use crate::continent::{CELL_EDGE, Group, LiquidGrid, LiquidShape, Model, ModelKind, ModelLiquid};
use glam::Vec3;

/// Triangles in a leaf of a group's tree.
const TRIANGLES_PER_LEAF: usize = 3;
/// Groups in a leaf of a model's tree.
const GROUPS_PER_LEAF: usize = 1;

/// Bytes of a model's `.vmo` file.
pub fn model_file(model: &Model, layout: &Layout) -> Vec<u8> {
    let mut file = Bytes::starting(&layout.magic);
    file.raw(b"WMOD");
    // Only master writes the 8 bytes that the size promises.
    file.u32(8);
    if layout.models == ModelForm::Master {
        file.u32(u32::from(model.kind == ModelKind::M2));
    }
    file.u32(model.root_id);
    if model.groups.is_empty() {
        return file.0;
    }
    file.raw(b"GMOD");
    file.count(model.groups.len());
    let mut boxes = Vec::new();
    for group in &model.groups {
        let bounds = stored_bounds(group, model.kind);
        boxes.push(bounds);
        write_group(&mut file, group, bounds, model.kind, layout);
    }
    file.raw(b"GBIH");
    Bih::build(&boxes, GROUPS_PER_LEAF).write(&mut file);
    file.0
}

/// Bounds of a group as files have them: zeros for props.
fn stored_bounds(group: &Group, kind: ModelKind) -> Bounds {
    group.bounds().filter(|_| kind == ModelKind::Wmo).unwrap_or([Vec3::ZERO; 2])
}

fn write_group(file: &mut Bytes, group: &Group, bounds: Bounds, kind: ModelKind, layout: &Layout) {
    file.vec3(bounds[0]);
    file.vec3(bounds[1]);
    file.u32(group.flags);
    file.u32(group.id);
    file.raw(b"VERT");
    file.count(4 + 12 * group.vertices.len());
    file.count(group.vertices.len());
    if group.vertices.is_empty() {
        return;
    }
    for vertex in &group.vertices {
        file.vec3(*vertex);
    }
    file.raw(b"TRIM");
    file.count(4 + 12 * group.triangles.len());
    file.count(group.triangles.len());
    for &[a, b, c] in &group.triangles {
        // Props are wound clockwise.
        let wound = if kind == ModelKind::M2 { [a, c, b] } else { [a, b, c] };
        for index in wound {
            file.u32(index);
        }
    }
    file.raw(b"MBIH");
    let boxes: Vec<Bounds> =
        group.corners().map(|[a, b, c]| [a.min(b).min(c), a.max(b).max(c)]).collect();
    Bih::build(&boxes, TRIANGLES_PER_LEAF).write(file);
    file.raw(b"LIQU");
    let Some(liquid) = &group.liquid else {
        file.u32(0);
        return;
    };
    let block = liquid_block(liquid, group, layout.liquid_ids);
    file.count(block.len() - if layout.short_liquid_size { 4 } else { 0 });
    file.raw(&block);
}

fn liquid_block(liquid: &ModelLiquid, group: &Group, ids: LiquidIds) -> Vec<u8> {
    let grid = match &liquid.shape {
        LiquidShape::Grid(grid) => grid.clone(),
        // Only the Trinity family has a liquid without tiles: one height, no flags.
        LiquidShape::Fill(level) if ids == LiquidIds::Trinity => LiquidGrid {
            tiles: [0; 2],
            corner: Vec3::ZERO,
            heights: vec![*level],
            flags: Vec::new(),
        },
        LiquidShape::Fill(level) => covering_grid(group, *level),
    };
    let mut block = Bytes::default();
    block.u32(grid.tiles[0]);
    block.u32(grid.tiles[1]);
    block.vec3(grid.corner);
    block.u32(ids.model_type(liquid.kind));
    for height in &grid.heights {
        block.f32(*height);
    }
    block.raw(&grid.flags);
    block.0
}

/// A grid at one height over the whole group.
#[allow(clippy::cast_sign_loss, reason = "the size of a group is not negative")]
fn covering_grid(group: &Group, level: f32) -> LiquidGrid {
    let [low, high] = group.bounds().unwrap_or([Vec3::ZERO; 2]);
    let size = (high - low).as_dvec3() / CELL_EDGE;
    let tiles = [size.x, size.y].map(|tiles| tiles.floor() as u32 + 1);
    let vertices = (tiles[0] + 1) * (tiles[1] + 1);
    LiquidGrid {
        tiles,
        corner: low.with_z(level),
        heights: vec![level; vertices as usize],
        flags: vec![0; (tiles[0] * tiles[1]) as usize],
    }
}
