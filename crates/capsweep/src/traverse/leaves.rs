//! The leaves of a surface's tree: packets that a mesh stores, or that a height field makes.

#![allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]

use crate::bvh::{F32x8, WIDTH};
use crate::cull::{Cull, CullBoxes};
use crate::math::prefetch_at;
use crate::mesh::height_field::FieldView;
use crate::mesh::packet::{Packet, Slots};
use crate::traverse::scene_visitor::smallest;

/// Receives the packets of leaves.
pub(crate) trait PacketVisitor {
    type Cull: Cull;

    fn cull(&self) -> &Self::Cull;

    /// Visits a packet. `false` ends the traversal.
    fn packet<L: F32x8>(&mut self, packet: &Packet, slots: Slots) -> bool;
}

/// The leaves of a tree, by their number.
pub(crate) trait Leaves {
    /// Passes `visitor` all packets that it may need, if they are found without the tree.
    #[inline(always)]
    fn visit_near<L: F32x8>(&self, _visitor: &mut impl PacketVisitor) -> bool {
        false
    }

    /// Prefetches the data of a leaf that is visited soon.
    fn prefetch(&self, leaf: usize);

    /// Passes `visitor` the packets of a leaf. `false` ends the traversal.
    fn visit<L: F32x8>(&self, leaf: usize, visitor: &mut impl PacketVisitor) -> bool;
}

/// The leaves of a mesh: one packet each.
pub(crate) struct MeshLeaves<'a> {
    pub(crate) packets: &'a [Packet],
}

impl Leaves for MeshLeaves<'_> {
    #[inline(always)]
    fn prefetch(&self, leaf: usize) {
        prefetch_at(self.packets, leaf);
    }

    #[inline(always)]
    fn visit<L: F32x8>(&self, leaf: usize, visitor: &mut impl PacketVisitor) -> bool {
        visitor.packet::<L>(&self.packets[leaf], Slots::consecutive(leaf * WIDTH))
    }
}

/// The leaves of a height field: blocks of four patches.
pub(crate) struct FieldLeaves<'a> {
    pub(crate) view: &'a FieldView<'a>,
}

impl Leaves for FieldLeaves<'_> {
    /// A field is a grid, so the cells in a small box need no search.
    #[inline(always)]
    fn visit_near<L: F32x8>(&self, visitor: &mut impl PacketVisitor) -> bool {
        let Some(cells) = self.view.few_cells_in::<L>(&visitor.cull().around::<L>()) else {
            return false;
        };
        self.view.visit_patches(
            cells,
            #[inline(always)]
            |patch| {
                let (triangles, slots) = patch.packet::<L>();
                visitor.packet::<L>(&triangles, slots)
            },
        );
        true
    }

    #[inline(always)]
    fn prefetch(&self, leaf: usize) {
        self.view.prefetch_block(leaf);
    }

    #[inline(always)]
    fn visit<L: F32x8>(&self, leaf: usize, visitor: &mut impl PacketVisitor) -> bool {
        let block = self.view.block(leaf);
        let (units, keys) = visitor.cull().enter_boxes::<L>(&block.boxes());
        let keys = keys.store();
        let mut units = units;
        while units != 0 {
            let unit = smallest(units, &keys);
            let patch = unit / 2;
            units &= !(0b11 << (2 * patch));
            if keys[unit] > visitor.cull().limit() {
                continue;
            }
            let (triangles, slots) = block.patch(patch).packet::<L>();
            if !visitor.packet::<L>(&triangles, slots) {
                return false;
            }
        }
        true
    }
}
