//! Meshes as bytes.

use crate::buffer::Buffer;
use crate::bvh::{Bounds, Bvh, NONE, WIDTH};
use crate::mesh::packet::Packet;
use crate::mesh::sides::DoubleSided;
use crate::mesh::tri_mesh::{
    MAX_TRIANGLES, bounds_of_all, is_in_range, largest_coordinate, triangle_bounds,
};
use crate::persist::error::FileError;
use crate::persist::file::{FileKind, OWN_SIDES, Reader, Section, Sections, Writer};
use crate::scene::{MeshOptions, TriMesh};
use bytemuck::{Pod, Zeroable};

/// The options of a mesh: [`Section::Info`].
///
/// Since version 2, `own_sides` is 1 if some triangles are double-sided: those with the bit
/// [`TWO_SIDES`](crate::mesh::sides::TWO_SIDES) in [`Section::Edges`]. Before, it was always 0.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Info {
    double_sided: u32,
    own_sides: u32,
}

impl TriMesh {
    /// The mesh as the bytes of a file, for [`TriMesh::from_bytes`]. The same mesh gives the same
    /// bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut writer = Writer::new(FileKind::Mesh);
        write(&mut writer, self, 0);
        writer.finish()
    }

    /// A mesh that [`TriMesh::to_bytes`] wrote. It answers like the original, in every bit.
    ///
    /// The mesh and its clones keep the bytes and use them in place: pass a `Vec<u8>`, an
    /// `Arc<[u8]>`, a `&'static [u8]` or a memory map. Bytes whose address is not a multiple of 32
    /// are copied once; that of a memory map always is, that of a `Vec<u8>` may be.
    ///
    /// Length, checksum and then every index, box and corner are checked first, in linear time.
    /// The bytes must not change afterwards: answers would be wrong, or queries panic.
    ///
    /// # Errors
    /// If the bytes differ from those that were written, or are not those of a mesh.
    pub fn from_bytes(bytes: impl AsRef<[u8]> + Send + Sync + 'static) -> Result<Self, FileError> {
        read(&Reader::new(bytes, FileKind::Mesh)?, 0)
    }
}

/// Adds the sections of a mesh; `number` is its number in the file.
pub(super) fn write(writer: &mut impl Sections, mesh: &TriMesh, number: u32) {
    let own_sides = mesh.double_sided == DoubleSided::Some;
    if own_sides {
        writer.need_version(OWN_SIDES);
    }
    let double_sided = u32::from(mesh.options.double_sided);
    let info = Info { double_sided, own_sides: u32::from(own_sides) };
    writer.add(Section::Info, number, &[info]);
    writer.add(Section::Nodes, number, &mesh.bvh.nodes);
    writer.add(Section::Items, number, &mesh.bvh.items);
    writer.add(Section::Packets, number, &mesh.packets);
    writer.add(Section::Slots, number, &mesh.slots);
    writer.add(Section::Edges, number, &mesh.edges);
    writer.add(Section::Masks, number, &mesh.masks);
    writer.add(Section::Tags, number, &mesh.tags);
}

/// Reads the mesh with this number, and checks every index, box and corner.
pub(super) fn read(reader: &Reader, mesh: u32) -> Result<TriMesh, FileError> {
    let info: Buffer<Info> = reader.get(Section::Info, mesh)?;
    let [info] = *info else { return Err(wrong_size(Section::Info, mesh)) };
    let nodes = reader.get(Section::Nodes, mesh)?;
    let items: Buffer<u32> = reader.get(Section::Items, mesh)?;
    let packets: Buffer<Packet> = reader.get(Section::Packets, mesh)?;
    let slots: Buffer<u32> = reader.get(Section::Slots, mesh)?;
    let edges: Buffer<u8> = reader.get(Section::Edges, mesh)?;
    let masks: Buffer<u32> = reader.get(Section::Masks, mesh)?;
    let tags: Buffer<u32> = reader.get(Section::Tags, mesh)?;

    let lanes = packets.len() * WIDTH;
    let has_own_sides = info.own_sides != 0 && reader.version() >= OWN_SIDES;
    for (section, is_right) in [
        (Section::Items, items.len() == lanes),
        (Section::Edges, edges.len() == lanes),
        // A mesh with sides of its own has masks: see `DoubleSided`.
        (Section::Masks, masks.is_empty() && !has_own_sides || masks.len() == lanes),
        (Section::Tags, tags.is_empty() || tags.len() == lanes),
        (Section::Slots, slots.len() <= MAX_TRIANGLES),
    ] {
        if !is_right {
            return Err(wrong_size(section, mesh));
        }
    }
    let boxes = boxes_of(&packets, &items, &slots)
        .map_err(|triangle| FileError::BadTriangle { mesh, triangle })?;
    let bvh = Bvh::from_parts(nodes, items, &boxes)
        .map_err(|defect| FileError::BadTree { mesh, defect })?;
    let bounds = bounds_of_all(&boxes);
    let options = MeshOptions { double_sided: info.double_sided != 0 };
    let max_coordinate = largest_coordinate(bounds);
    let double_sided = DoubleSided::of(options, has_own_sides);
    Ok(TriMesh {
        bvh,
        packets,
        slots,
        edges,
        masks,
        tags,
        bounds,
        max_coordinate,
        options,
        double_sided,
    })
}

/// Reports every defect of a mesh to `found`, and returns the mesh if queries can use it.
///
/// It checks what [`read`] checks, and also options, edges and sides. Wrong ones give wrong
/// normals or hits, but cannot make a query panic, so opening a file does not check them.
pub(super) fn verify(
    reader: &Reader,
    number: u32,
    mut found: impl FnMut(FileError),
) -> Option<TriMesh> {
    let mesh = match read(reader, number) {
        Ok(mesh) => mesh,
        Err(error) => {
            found(error);
            return None;
        }
    };
    let info: Result<Buffer<Info>, FileError> = reader.get(Section::Info, number);
    if let Ok([info]) = info.as_deref() {
        // A mesh that is double-sided as a whole needs no flags.
        let most_own = u32::from(reader.version() >= OWN_SIDES && info.double_sided == 0);
        for (option, value, most) in
            [("double-sided", info.double_sided, 1), ("own sides", info.own_sides, most_own)]
        {
            if value > most {
                found(FileError::BadOption { mesh: number, option, found: value });
            }
        }
    }
    if let Some(triangle) = mesh.wrong_edges() {
        found(FileError::BadEdges { mesh: number, triangle });
    }
    if mesh.double_sided == DoubleSided::Some && mesh.double_sided_triangle_count() == 0 {
        found(FileError::NoDoubleSides { mesh: number });
    }
    Some(mesh)
}

pub(super) fn wrong_size(section: Section, mesh: u32) -> FileError {
    let problem = "is too short or too long";
    FileError::BadSection { section: section.name(), mesh, problem }
}

/// The boxes of all triangles. Each must be in the lane that its slot names, and in range; unused
/// lanes must be empty.
///
/// # Errors
/// The index of the first triangle that fails; [`NONE`] for an unused lane.
fn boxes_of(packets: &[Packet], items: &[u32], slots: &[u32]) -> Result<Vec<Bounds>, u32> {
    for (lane, _) in items.iter().enumerate().filter(|(_, item)| **item == NONE) {
        let corners = packets[lane / WIDTH].get(lane % WIDTH);
        if !corners.iter().all(|corner| corner.is_nan_mask().all()) {
            return Err(NONE);
        }
    }
    let triangle = |(&slot, number): (&u32, u32)| {
        let slot = slot as usize;
        if items.get(slot) != Some(&number) {
            return Err(number);
        }
        let corners = packets[slot / WIDTH].get(slot % WIDTH);
        if corners.into_iter().all(is_in_range) {
            Ok(triangle_bounds(corners))
        } else {
            Err(number)
        }
    };
    slots.iter().zip(0..).map(triangle).collect()
}
