//! Transforms of nodes, in f64: of one node and of a chain of nodes.

use crate::error::{Fault, Reason, malformed};
use capsweep::ShapeError;
use capsweep::scene::Pose;
use glam::{DMat3, DMat4, DQuat, DVec3};
use gltf::json::scene::Node;

/// Largest error of an entry in a matrix' bottom row, which should be 0, 0, 0, 1 (no unit).
///
/// Exporters that invert or multiply f32 matrices leave a few 10⁻⁷.
const AFFINE: f64 = 1e-6;

/// Least volume that the transformed axes span, each scaled to length 1 (no unit).
///
/// Below it they count as coplanar: rounding a matrix of rank 2 to f32 leaves a few 10⁻⁷.
const MIN_VOLUME: f64 = 1e-6;

/// A linear map, then a translation.
#[derive(Debug, Clone, Copy)]
pub(super) struct Transform {
    pub(super) linear: DMat3,
    pub(super) translation: DVec3,
}

impl Transform {
    pub(super) const IDENTITY: Self = Self { linear: DMat3::IDENTITY, translation: DVec3::ZERO };

    /// The transform of a node relative to its parent.
    pub(super) fn from_node(node: &Node) -> Result<Self, Fault> {
        if let Some(m) = node.matrix {
            check_matrix(node, &m)?;
            let column = |i: usize| DVec3::new(m[i].into(), m[i + 1].into(), m[i + 2].into());
            let linear = DMat3::from_cols(column(0), column(4), column(8));
            return Ok(Self { linear, translation: column(12) });
        }
        let vector = |v: [f32; 3]| DVec3::from_array(v.map(f64::from));
        let scale = node.scale.map_or(DVec3::ONE, vector);
        let rotation = match node.rotation {
            None => DQuat::IDENTITY,
            Some(rotation) => {
                let rotation = DQuat::from_array(rotation.0.map(f64::from));
                let length = rotation.length();
                if !(1e-3..1e3).contains(&length) {
                    return Err(malformed(format!("a rotation of length {length}: it must be 1")));
                }
                rotation / length
            }
        };
        let linear = DMat3::from_quat(rotation) * DMat3::from_diagonal(scale);
        Ok(Self { linear, translation: node.translation.map_or(DVec3::ZERO, vector) })
    }

    /// Rank of the linear part: below 3 if it flattens a mesh. Also 3 if a number is not finite,
    /// because the error of the pose names that number.
    pub(super) fn rank(&self) -> usize {
        let columns = [self.linear.x_axis, self.linear.y_axis, self.linear.z_axis];
        if !columns.iter().all(|column| column.is_finite()) {
            return 3;
        }
        let units: Vec<DVec3> = columns.iter().filter_map(|column| unit(*column)).collect();
        let spans = |a: DVec3, b: DVec3| a.cross(b).length() > MIN_VOLUME;
        match *units {
            [x, y, z] if x.cross(y).dot(z).abs() > MIN_VOLUME => 3,
            [x, y, z] if spans(x, y) || spans(y, z) || spans(z, x) => 2,
            [x, y] if spans(x, y) => 2,
            [] => 0,
            _ => 1,
        }
    }

    /// The transform that applies `inner` first and then this one.
    pub(super) fn after(&self, inner: &Self) -> Self {
        Self {
            linear: self.linear * inner.linear,
            translation: self.linear * inner.translation + self.translation,
        }
    }

    /// The transform as a pose; `None` if it has shear, which a pose cannot hold.
    pub(super) fn pose(&self) -> Result<Option<Pose>, Fault> {
        let [x, y, z] = [self.linear.x_axis, self.linear.y_axis, self.linear.z_axis];
        let scale = DVec3::new(x.length(), y.length(), z.length());
        let made = if scale.min_element() > 0.0 && scale.max_element() < f64::INFINITY {
            let [x, y, z] = [x, y, z].map(|column| column.extend(0.0));
            Pose::from_matrix(&DMat4::from_cols(x, y, z, self.translation.extend(1.0)))
        } else {
            // Zero, infinite or NaN. A pose cannot have such a scale: its error names it.
            Pose::new(self.translation, DQuat::IDENTITY, scale)
        };
        match made {
            Ok(pose) => Ok(Some(pose)),
            Err(ShapeError::Sheared { .. }) => Ok(None),
            Err(error) => Err(Reason::Pose(error).into()),
        }
    }
}

/// The direction of a vector; `None` for the zero vector.
///
/// Scaled by the largest component first, so that squares neither overflow nor underflow.
fn unit(vector: DVec3) -> Option<DVec3> {
    let largest = vector.abs().max_element();
    (largest > 0.0).then(|| (vector / largest).normalize())
}

/// Refuses a matrix next to other transforms, and one that is not affine.
fn check_matrix(node: &Node, m: &[f32; 16]) -> Result<(), Fault> {
    let others = [
        ("translation", node.translation.is_some()),
        ("rotation", node.rotation.is_some()),
        ("scale", node.scale.is_some()),
    ];
    if let Some((other, _)) = others.into_iter().find(|(_, is_there)| *is_there) {
        return Err(malformed(format!(
            "has a matrix and a {other}: only one of them may be there"
        )));
    }
    let row = [m[3], m[7], m[11], m[15]];
    let affine = [0.0, 0.0, 0.0, 1.0];
    let is_off = |(found, wanted): (&f32, f64)| {
        let off = (f64::from(*found) - wanted).abs();
        off.is_nan() || off > AFFINE
    };
    if row.iter().zip(affine).any(is_off) {
        let [x, y, z, w] = row;
        return Err(malformed(format!(
            "the bottom row of its matrix is {x}, {y}, {z}, {w}: it must be 0, 0, 0, 1, \
             as a projection moves no mesh"
        )));
    }
    Ok(())
}
