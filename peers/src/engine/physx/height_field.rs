//! `PxHeightField`: a grid of heights of 16 bits, two triangles per cell.

use super::target::Target;
use super::{PreparedQuery, physics, prepare};
use crate::engine::{Answer, Engine};
use crate::mesh::{HEIGHT_STEP, Terrain};
use crate::queries::{Kind, Query};
use anyhow::{Result, bail, ensure};
use capsweep::Sides;
use capsweep::scene::{HeightGrid, Heights};
use capsweep_testkit::height_field::PlainField;
use core::f32::consts::FRAC_1_SQRT_2;
use core::mem::size_of;
use physx_sys::{
    PxBitAndByte, PxHeightField, PxHeightField_release_mut, PxHeightFieldDesc_new,
    PxHeightFieldGeometry, PxHeightFieldGeometry_new, PxHeightFieldSample, PxMeshGeometryFlags,
    PxPhysics_getPhysicsInsertionCallback_mut, PxQuat, PxTransform, PxVec3,
    phys_PxCreateHeightField,
};

/// Bit of a sample's first material: the diagonal of the cell starts at the sample.
const DIAGONAL_FROM_HERE: u8 = 0x80;

/// Turns the y axis, along which `PhysX` has heights, to z. Then z, along which it has columns,
/// points to −y.
const UPRIGHT: PxQuat = PxQuat { x: FRAC_1_SQRT_2, y: 0.0, z: 0.0, w: FRAC_1_SQRT_2 };

/// A height field in `PhysX`.
pub(crate) struct PhysXHeightField {
    field: *mut PxHeightField,
    target: Target<PxHeightFieldGeometry>,
}

/// The samples, row by row. Columns run backwards, because [`UPRIGHT`] turns them round.
///
/// # Errors
/// If the heights are not of 16 bits.
fn samples(plain: &PlainField) -> Result<Vec<PxHeightFieldSample>> {
    let Heights::U16 { raw, .. } = &plain.heights else { bail!("heights must be of 16 bits") };
    let HeightGrid { rows, columns, .. } = plain.grid;
    let sample = |row: u32, column: u32| {
        let raw = raw[(row * (columns + 1) + column) as usize];
        // The cell before the column, in our order, is the one after it in that of PhysX. Its
        // diagonal BC starts here, at C.
        let is_turned =
            row < rows && column > 0 && plain.turned[(row * columns + column - 1) as usize];
        let flag = if is_turned { DIAGONAL_FROM_HERE } else { 0 };
        PxHeightFieldSample {
            height: (i32::from(raw) - 0x8000) as i16,
            materialIndex0: PxBitAndByte { structgen_pad0: [flag] },
            materialIndex1: PxBitAndByte { structgen_pad0: [0] },
        }
    };
    Ok((0..=rows).flat_map(|row| (0..=columns).rev().map(move |c| sample(row, c))).collect())
}

impl Drop for PhysXHeightField {
    fn drop(&mut self) {
        // SAFETY: the field came from PhysX and nothing else holds it.
        unsafe { PxHeightField_release_mut(self.field) };
    }
}

impl Engine for PhysXHeightField {
    type Source = Terrain;
    type PreparedQuery = PreparedQuery;

    const NAME: &'static str = "physx";

    fn build(terrain: &Terrain) -> Result<Self> {
        let samples = samples(&terrain.field)?;
        let HeightGrid { rows, columns, spacing } = terrain.field.grid;
        let physics = physics()?;
        // SAFETY: the SDK exists; the descriptor points to samples that outlive the call and that
        // PhysX copies; the callback belongs to the SDK.
        let field = unsafe {
            let mut desc = PxHeightFieldDesc_new();
            (desc.nbRows, desc.nbColumns) = (rows + 1, columns + 1);
            desc.samples.stride = size_of::<PxHeightFieldSample>() as u32;
            desc.samples.data = samples.as_ptr().cast();
            let insertion = PxPhysics_getPhysicsInsertionCallback_mut(physics);
            phys_PxCreateHeightField(&raw const desc, insertion)
        };
        ensure!(!field.is_null(), "PhysX refuses the height field");
        let flags = PxMeshGeometryFlags::empty();
        // SAFETY: the field exists; the others are numbers.
        let geometry = unsafe {
            PxHeightFieldGeometry_new(field, flags, HEIGHT_STEP, spacing[0], spacing[1])
        };
        let p = PxVec3 { x: 0.0, y: columns as f32 * spacing[1], z: 0.0 };
        Ok(Self { field, target: Target::new(geometry, PxTransform { q: UPRIGHT, p }) })
    }

    fn sides(&self, kind: Kind) -> Option<Sides> {
        self.target.sides(kind)
    }

    fn prepare(&self, query: &Query) -> PreparedQuery {
        prepare(query)
    }

    fn sweep(&self, query: &PreparedQuery) -> Answer {
        self.target.sweep_capsule(query)
    }

    fn overlap(&self, query: &PreparedQuery) -> Answer {
        self.target.overlap_capsule(query)
    }

    fn closest(&self, _: &PreparedQuery) -> Answer {
        None
    }

    fn ray(&self, query: &PreparedQuery) -> Answer {
        self.target.ray(query)
    }
}
