//! Coordinate systems that differ in the directions of their axes, and conversions between them.
//!
//! Axes only change places and signs, so every conversion is exact: there and back gives the same
//! bits.

use crate::error::ShapeError;
use crate::shape::pose::Pose;
use glam::{DMat3, DQuat, DVec3, Vec3};

/// A direction that an axis can point in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Compass {
    /// To the right of north.
    East,
    /// Against [`Compass::East`].
    West,
    /// Forward, where a system speaks of forward.
    North,
    /// Against [`Compass::North`].
    South,
    /// Against gravity.
    Up,
    /// Against [`Compass::Up`].
    Down,
}

impl Compass {
    /// The line (0 east, 1 north, 2 up), and whether it points the other way.
    const fn line(self) -> (usize, bool) {
        match self {
            Self::East => (0, false),
            Self::West => (0, true),
            Self::North => (1, false),
            Self::South => (1, true),
            Self::Up => (2, false),
            Self::Down => (2, true),
        }
    }
}

/// The directions of the x, y and z axis of a coordinate system.
///
/// ```
/// use capsweep::scene::AxisSystem;
/// use glam::dvec3;
///
/// let conversion = AxisSystem::WOW.to(AxisSystem::Z_UP);
/// // 3 m north, 2 m west, 1 m up.
/// assert_eq!(conversion.vector(dvec3(3.0, 2.0, 1.0)), dvec3(-2.0, 3.0, 1.0));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "[Compass; 3]", into = "[Compass; 3]"))]
pub struct AxisSystem {
    axes: [Compass; 3],
}

impl AxisSystem {
    /// X east, Y north, Z up; right-handed. The axes of capsweep's own files and examples, and of
    /// Blender.
    pub const Z_UP: Self = Self { axes: [Compass::East, Compass::North, Compass::Up] };

    /// X east, Y up, Z south; right-handed, with −Z forward. The axes that OBJ and glTF files are
    /// read with, and those of OpenGL and Godot.
    pub const Y_UP: Self = Self { axes: [Compass::East, Compass::Up, Compass::South] };

    /// X east, Y up, Z north; left-handed. The axes of Unity and of Direct3D.
    pub const UNITY: Self = Self { axes: [Compass::East, Compass::Up, Compass::North] };

    /// X north, Y east, Z up; left-handed. The axes of Unreal Engine.
    pub const UNREAL: Self = Self { axes: [Compass::North, Compass::East, Compass::Up] };

    /// X north, Y west, Z up; right-handed. The axes of World of Warcraft.
    pub const WOW: Self = Self { axes: [Compass::North, Compass::West, Compass::Up] };

    /// The system whose axes point in these directions.
    ///
    /// # Errors
    /// If two axes lie along the same line.
    pub fn new(x: Compass, y: Compass, z: Compass) -> Result<Self, ShapeError> {
        let axes = [x, y, z];
        let [x, y, z] = axes.map(|axis| axis.line().0);
        for (field, one, other) in [("x and y", x, y), ("y and z", y, z), ("z and x", z, x)] {
            if one == other {
                return Err(ShapeError::ParallelAxes { field });
            }
        }
        Ok(Self { axes })
    }

    /// The directions of the x, y and z axis.
    pub fn axes(self) -> [Compass; 3] {
        self.axes
    }

    /// Whether x, y and z are like thumb, index and middle finger of the left hand. Such systems
    /// are mirror images of right-handed ones, and see triangles wound the other way round.
    pub fn is_left_handed(self) -> bool {
        let [x, y, z] = self.axes.map(Compass::line);
        // East, north, up is right-handed. A swap of two axes mirrors, and so does each sign.
        let swapped = (y.0 + 3 - x.0) % 3 == 2;
        swapped ^ x.1 ^ y.1 ^ z.1
    }

    /// The conversion from this system to another.
    #[must_use]
    pub fn to(self, other: Self) -> AxisConversion {
        let from = self.axes.map(Compass::line);
        let rows = other.axes.map(|axis| {
            let (line, flipped) = axis.line();
            // Each of the three lines has an axis.
            let source = from.iter().position(|&(own, _)| own == line).unwrap_or(0);
            Row { source, negate: flipped != from[source].1 }
        });
        AxisConversion { rows, mirrors: self.is_left_handed() != other.is_left_handed() }
    }
}

impl TryFrom<[Compass; 3]> for AxisSystem {
    type Error = ShapeError;

    /// Same as [`AxisSystem::new`].
    fn try_from([x, y, z]: [Compass; 3]) -> Result<Self, ShapeError> {
        Self::new(x, y, z)
    }
}

impl From<AxisSystem> for [Compass; 3] {
    fn from(system: AxisSystem) -> Self {
        system.axes
    }
}

/// A conversion between two [`AxisSystem`]s, exact in every bit. [`AxisSystem::to`] makes it.
///
/// Convert the vertices of meshes, their poses and the arguments of queries, and the answers are
/// the converted ones. A conversion that [mirrors](Self::mirrors) turns triangles inside out, so
/// [`AxisConversion::mesh`] also swaps two vertices of each: the outside stays outside.
///
/// ```
/// use capsweep::scene::{AxisSystem, MeshOptions, Pose, TriMesh};
/// use glam::{DQuat, dvec3, vec3};
///
/// // A floor of Unity, seen from above clockwise: in left-handed axes that is the front.
/// let mut vertices = [vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 4.0), vec3(4.0, 0.0, 0.0)];
/// let mut triangles = [[0, 1, 2]];
/// let conversion = AxisSystem::UNITY.to(AxisSystem::Z_UP);
/// conversion.mesh(&mut vertices, &mut triangles);
/// let mesh = TriMesh::new(&vertices, &triangles, MeshOptions::default())?;
/// assert_eq!(mesh.triangle(0).unwrap()[1], vec3(4.0, 0.0, 0.0));
///
/// let pose = Pose::from_translation(dvec3(10.0, 2.0, 30.0))?;
/// assert_eq!(conversion.pose(&pose).position(), dvec3(10.0, 30.0, 2.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct AxisConversion {
    /// Where each new coordinate comes from.
    rows: [Row; 3],
    mirrors: bool,
}

/// The source of a coordinate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Row {
    /// The old coordinate, 0 for x to 2 for z.
    source: usize,
    negate: bool,
}

impl AxisConversion {
    /// Whether one of the two systems is left-handed and the other is not.
    pub fn mirrors(&self) -> bool {
        self.mirrors
    }

    /// The conversion back.
    #[must_use]
    pub fn inverse(&self) -> Self {
        let mut rows = self.rows;
        for (to, row) in self.rows.into_iter().enumerate() {
            rows[row.source] = Row { source: to, negate: row.negate };
        }
        Self { rows, mirrors: self.mirrors }
    }

    /// Converts a position, a displacement, a direction or a normal.
    ///
    /// All four convert alike: both systems have the same origin, and normals follow their surface
    /// because the axes are at right angles.
    #[must_use]
    pub fn vector(&self, vector: DVec3) -> DVec3 {
        DVec3::from_array(self.rows.map(|Row { source, negate }| {
            let coordinate = vector[source];
            if negate { -coordinate } else { coordinate }
        }))
    }

    /// [`AxisConversion::vector`] of a vertex of a mesh or the normal of a hit.
    #[must_use]
    pub fn vector_f32(&self, vector: Vec3) -> Vec3 {
        // Exact: every number was f32.
        self.vector(vector.as_dvec3()).as_vec3()
    }

    /// Converts a rotation: the same turn, about the same axis.
    ///
    /// In a mirrored system a turn runs the other way about its axis, so the axis is turned round
    /// as well.
    #[must_use]
    pub fn rotation(&self, rotation: DQuat) -> DQuat {
        let axis = self.vector(rotation.xyz());
        let axis = if self.mirrors { -axis } else { axis };
        DQuat::from_xyzw(axis.x, axis.y, axis.z, rotation.w)
    }

    /// Converts a scale along the three axes. Scales change places and keep their signs.
    #[must_use]
    pub fn scale(&self, scale: DVec3) -> DVec3 {
        DVec3::from_array(self.rows.map(|row| scale[row.source]))
    }

    /// Converts the pose of a mesh whose vertices are converted as well.
    #[must_use]
    pub fn pose(&self, pose: &Pose) -> Pose {
        let position = self.vector(pose.position());
        let (rotation, scale) = (self.rotation(pose.rotation()), self.scale(pose.scale()));
        // The same numbers in other places are in range as well.
        Pose::from_checked(position, rotation, scale)
    }

    /// Converts a linear map of vectors, shear included: the map of the converted vectors.
    #[must_use]
    pub fn linear(&self, linear: DMat3) -> DMat3 {
        let columns = [linear.x_axis, linear.y_axis, linear.z_axis];
        let [x, y, z] = self.rows.map(|Row { source, negate }| {
            let image = self.vector(columns[source]);
            if negate { -image } else { image }
        });
        DMat3::from_cols(x, y, z)
    }

    /// Converts a mesh in place: its vertices, and the winding of its triangles where the
    /// conversion [mirrors](Self::mirrors).
    ///
    /// A triangle `[a, b, c]` then becomes `[a, c, b]`, and edges and barycentrics of hits are in
    /// that order. Triangles keep their numbers, so lists with an entry for each stay valid.
    pub fn mesh(&self, vertices: &mut [Vec3], triangles: &mut [[u32; 3]]) {
        for vertex in vertices {
            *vertex = self.vector_f32(*vertex);
        }
        if self.mirrors {
            for [_, b, c] in triangles {
                core::mem::swap(b, c);
            }
        }
    }
}
