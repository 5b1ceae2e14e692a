use crate::error::{
    ShapeError, check_number, check_position, check_rotation, length_and_direction, xyz,
};
use crate::math::quad;
use crate::math::{F64x4, Vec3Soa};
use crate::{Aabb, Feature};
use glam::{DMat3, DQuat, DVec3, Vec3};

/// Smallest magnitude of a scale: it shrinks a model of 1 km to a millimetre.
pub const MIN_SCALE: f64 = 1e-6;

/// Largest magnitude of a scale.
pub const MAX_SCALE: f64 = 1e6;

/// The pose of an instance: local points are scaled, then rotated, then translated.
///
/// A negative scale mirrors. An odd number of negative scales turns a triangle inside out, so
/// [`Pose::triangle_to_world`] swaps two of its vertices: the outside stays outside.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "PoseParts", into = "PoseParts"))]
pub struct Pose {
    position: DVec3,
    rotation: DQuat,
    scale: DVec3,
    /// `rotation` as a matrix: columns are the local axes in the world.
    axes: DMat3,
    /// `scale` in f32, for culling.
    scale_f32: ScaleF32,
    /// Whether the pose only translates: it has neither rotation nor scale.
    is_translation: bool,
    mirrored: bool,
    /// The largest magnitudes of a coordinate of `position` and of a scale: they bound rounding
    /// errors.
    max_position: f64,
    max_scale: f64,
}

#[cfg(feature = "serde")]
crate::serde_parts::parts!(
    PoseParts of Pose { position: DVec3, rotation: DQuat, scale: DVec3 }
    by Pose::new
);

/// A scale in f32, for culling only. The last number of each array is 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct ScaleF32 {
    /// World metres per local unit along each axis, and local units per world metre; negative
    /// along mirrored axes.
    pub(crate) scale: [f32; 4],
    pub(crate) inv_scale: [f32; 4],
    /// Whether the scale differs from 1.
    pub(crate) is_scaled: bool,
}

impl ScaleF32 {
    pub(crate) const NONE: Self =
        Self { scale: quad(Vec3::ONE), inv_scale: quad(Vec3::ONE), is_scaled: false };

    fn new(scale: DVec3) -> Self {
        Self {
            scale: quad(scale.as_vec3()),
            inv_scale: quad(scale.recip().as_vec3()),
            is_scaled: scale != DVec3::ONE,
        }
    }
}

impl Pose {
    /// The pose in which local space is the world.
    pub const IDENTITY: Self = Self {
        position: DVec3::ZERO,
        rotation: DQuat::IDENTITY,
        scale: DVec3::ONE,
        axes: DMat3::IDENTITY,
        scale_f32: ScaleF32::NONE,
        is_translation: true,
        mirrored: false,
        max_position: 0.0,
        max_scale: 1.0,
    };

    /// The pose that scales along the local axes, rotates, then moves to `position`.
    ///
    /// `rotation` is normalised. A unit rotation keeps its bits, so the parts of a pose make the
    /// same pose again.
    ///
    /// # Errors
    /// If a number is not finite or out of range, `rotation` is zero, or a scale's magnitude lies
    /// outside [`MIN_SCALE`] to [`MAX_SCALE`].
    pub fn new(position: DVec3, rotation: DQuat, scale: DVec3) -> Result<Self, ShapeError> {
        check_position(xyz!("position"), position)?;
        let rotation = check_rotation(rotation)?;
        for (field, value) in xyz!("scale").into_iter().zip(scale.to_array()) {
            check_number(field, value, MAX_SCALE)?;
            if value.abs() < MIN_SCALE {
                return Err(ShapeError::TooSmall { field, value, limit: MIN_SCALE });
            }
        }
        Ok(Self::from_checked(position, rotation, scale))
    }

    /// A pose whose parts are in range and whose rotation is unit.
    pub(crate) fn from_checked(position: DVec3, rotation: DQuat, scale: DVec3) -> Self {
        let axes = DMat3::from_quat(rotation);
        let scale_f32 = ScaleF32::new(scale);
        let is_translation = axes == DMat3::IDENTITY && !scale_f32.is_scaled;
        let (max_position, max_scale) = (position.abs().max_element(), scale.abs().max_element());
        let mirrored = (scale.x < 0.0) ^ (scale.y < 0.0) ^ (scale.z < 0.0);
        Self {
            position,
            rotation,
            scale,
            axes,
            scale_f32,
            is_translation,
            mirrored,
            max_position,
            max_scale,
        }
    }

    /// The pose at `position`, neither rotated nor scaled.
    ///
    /// # Errors
    /// If a coordinate is not finite or out of range.
    pub fn from_translation(position: DVec3) -> Result<Self, ShapeError> {
        Self::new(position, DQuat::IDENTITY, DVec3::ONE)
    }

    /// The pose with the same `scale` along all three axes. A negative one mirrors through the
    /// local origin.
    ///
    /// # Errors
    /// As [`Pose::new`].
    pub fn uniform(position: DVec3, rotation: DQuat, scale: f64) -> Result<Self, ShapeError> {
        Self::new(position, rotation, DVec3::splat(scale))
    }

    /// The world position of the local origin.
    pub fn position(&self) -> DVec3 {
        self.position
    }

    /// The rotation, a unit quaternion.
    pub fn rotation(&self) -> DQuat {
        self.rotation
    }

    /// The scale along each local axis; negative mirrors.
    pub fn scale(&self) -> DVec3 {
        self.scale
    }

    /// The local axes in the world as unit columns: the rotation without the scale.
    pub fn axes(&self) -> DMat3 {
        self.axes
    }

    /// Whether the pose mirrors: an odd number of scales is negative.
    #[inline]
    pub fn is_mirrored(&self) -> bool {
        self.mirrored
    }

    /// Whether all three scales have the same magnitude, so that angles stay unchanged.
    pub fn is_uniform(&self) -> bool {
        let scale = self.scale.abs();
        scale.x == scale.y && scale.y == scale.z
    }

    /// The smallest magnitude of the three scales.
    #[inline]
    pub fn min_scale(&self) -> f64 {
        if self.is_translation {
            return 1.0;
        }
        self.scale.abs().min_element()
    }

    /// Transforms a local point to the world, in f64.
    ///
    /// All world vertices come from this function or its vector version, so every query uses the
    /// same bits.
    #[inline]
    pub fn point_to_world(&self, local: DVec3) -> DVec3 {
        self.vector_to_world(local) + self.position
    }

    /// [`Pose::point_to_world`] of one point per lane, with the same bits.
    #[allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]
    #[inline(always)]
    pub(crate) fn points_to_world<F: F64x4>(&self, local: Vec3Soa<F>) -> Vec3Soa<F> {
        let position = Vec3Soa::all(self.position);
        if self.is_translation {
            return local.add(position);
        }
        let [x, y, z] =
            [self.axes.x_axis, self.axes.y_axis, self.axes.z_axis].map(Vec3Soa::<F>::all);
        let scale = Vec3Soa::<F>::all(self.scale);
        let (along_x, along_y) = (x.scale(local.x * scale.x), y.scale(local.y * scale.y));
        along_x.add(along_y).add(z.scale(local.z * scale.z)).add(position)
    }

    /// Bound on the rounding error (metres) of [`Pose::point_to_world`], for a vertex whose
    /// coordinates are at most `size`.
    #[inline]
    pub(crate) fn rounding_error(&self, size: f64) -> f64 {
        (self.max_position + 3.0 * self.scaled(size)) * (8.0 * f64::EPSILON)
    }

    /// Upper bound on a local length in the world.
    #[inline]
    pub(crate) fn scaled(&self, length: f64) -> f64 {
        length * self.max_scale
    }

    /// Transforms a world point to local space.
    #[inline]
    pub fn point_to_local(&self, world: DVec3) -> DVec3 {
        self.vector_to_local(world - self.position)
    }

    /// Transforms a local displacement to the world: scaled and rotated, so its length changes.
    #[inline]
    pub fn vector_to_world(&self, local: DVec3) -> DVec3 {
        // The rest would not change a bit.
        if self.is_translation {
            return local;
        }
        // `bounds_to_world` relies on the order of these operations.
        let scaled = local * self.scale;
        self.axes.x_axis * scaled.x + self.axes.y_axis * scaled.y + self.axes.z_axis * scaled.z
    }

    /// Transforms a world displacement to local space.
    ///
    /// Under non-uniform scale a capsule is no capsule in local space, so use it for culling only.
    #[inline]
    pub fn vector_to_local(&self, world: DVec3) -> DVec3 {
        if self.is_translation {
            return world;
        }
        self.rotate_to_local(world) / self.scale
    }

    /// Rotates a world displacement to the local axes, without scale.
    #[inline]
    pub(crate) fn rotate_to_local(&self, world: DVec3) -> DVec3 {
        let Self { axes, .. } = self;
        if self.is_translation {
            return world;
        }
        DVec3::new(axes.x_axis.dot(world), axes.y_axis.dot(world), axes.z_axis.dot(world))
    }

    /// [`Pose::rotate_to_local`] with one lane per axis, with the same bits; the last lane
    /// repeats z.
    #[allow(clippy::inline_always, reason = "kernels must be compiled for the lanes they run on")]
    #[inline(always)]
    pub(crate) fn lanes_to_local<F: F64x4>(&self, world: F) -> F {
        if self.is_translation {
            return world;
        }
        let axes = self.axes.transpose();
        F::of_vector(axes.x_axis) * world.splat_lane::<0>()
            + F::of_vector(axes.y_axis) * world.splat_lane::<1>()
            + F::of_vector(axes.z_axis) * world.splat_lane::<2>()
    }

    /// The scale in f32, for culling.
    #[inline]
    pub(crate) fn scale_f32(&self) -> &ScaleF32 {
        &self.scale_f32
    }

    /// [`Pose::point_to_local`] to f32 accuracy, without divisions: for culling.
    #[inline]
    pub(crate) fn point_to_local_approx(&self, world: DVec3) -> DVec3 {
        self.vector_to_local_approx(world - self.position)
    }

    /// [`Pose::vector_to_local`] to f32 accuracy, without divisions: for culling.
    #[inline]
    pub(crate) fn vector_to_local_approx(&self, world: DVec3) -> DVec3 {
        if self.is_translation {
            return world;
        }
        let [x, y, z, _] = self.scale_f32.inv_scale.map(f64::from);
        self.rotate_to_local(world) * DVec3::new(x, y, z)
    }

    /// The largest local length of a world metre: `1 / min_scale`, to f32 accuracy.
    #[inline]
    pub(crate) fn max_inv_scale(&self) -> f64 {
        if self.is_translation {
            return 1.0;
        }
        let [x, y, z, _] = self.scale_f32.inv_scale;
        f64::from(x.abs().max(y.abs()).max(z.abs()))
    }

    /// Transforms a local surface normal to a unit normal in the world. Zero stays zero.
    ///
    /// It uses the inverse transpose, so the normal stays perpendicular to the surface and on its
    /// outside, mirrored or not.
    pub fn normal_to_world(&self, local: DVec3) -> DVec3 {
        let scaled = local / self.scale;
        let rotated = self.axes.x_axis * scaled.x
            + self.axes.y_axis * scaled.y
            + self.axes.z_axis * scaled.z;
        length_and_direction(rotated).1.unwrap_or(DVec3::ZERO)
    }

    /// Transforms a world surface normal to a unit normal in local space. Zero stays zero.
    ///
    /// It undoes [`Pose::normal_to_world`]: the normal stays perpendicular to the surface and on
    /// its outside, mirrored or not.
    ///
    /// ```
    /// use capsweep::scene::Pose;
    /// use glam::{DQuat, DVec3, dvec3};
    ///
    /// let pose = Pose::new(DVec3::ZERO, DQuat::IDENTITY, dvec3(2.0, 1.0, -1.0))?;
    /// let local = pose.normal_to_local(dvec3(0.6, 0.0, 0.8));
    /// assert!(local.abs_diff_eq(dvec3(1.2, 0.0, -0.8).normalize(), 1e-15));
    /// # Ok::<(), capsweep::ShapeError>(())
    /// ```
    pub fn normal_to_local(&self, world: DVec3) -> DVec3 {
        // The inverse of the inverse transpose is the transpose: rotate back, then scale.
        let scaled = self.rotate_to_local(world) * self.scale;
        length_and_direction(scaled).1.unwrap_or(DVec3::ZERO)
    }

    /// Transforms a triangle to the world; seen from its outside it stays counter-clockwise.
    ///
    /// It starts at the image of the first vertex. In a [mirrored](Pose::is_mirrored) pose the
    /// other two are swapped. Features and barycentrics on it are in its own order, while hits
    /// are reported in the mesh's: see [`Pose::feature_to_mesh`] and
    /// [`Pose::barycentrics_to_mesh`].
    #[allow(clippy::inline_always, reason = "every solve begins with it")]
    #[inline(always)]
    pub fn triangle_to_world(&self, local: [Vec3; 3]) -> [DVec3; 3] {
        let [a, b, c] = local;
        let (a, b, c) = (
            self.point_to_world(a.as_dvec3()),
            self.point_to_world(b.as_dvec3()),
            self.point_to_world(c.as_dvec3()),
        );
        if self.is_mirrored() { [a, c, b] } else { [a, b, c] }
    }

    /// Converts a feature of the [world triangle](Pose::triangle_to_world) to the mesh's vertex
    /// order.
    ///
    /// It is its own inverse. In a mirrored triangle `a c b`, vertices 1 and 2 swap. So do edges 0
    /// (`ac`, the mesh's `ca`) and 2 (`ba`, the mesh's `ab`).
    pub fn feature_to_mesh(&self, feature: Feature) -> Feature {
        if !self.is_mirrored() {
            return feature;
        }
        match feature {
            Feature::Vertex(1) => Feature::Vertex(2),
            Feature::Vertex(2) => Feature::Vertex(1),
            Feature::Edge(0) => Feature::Edge(2),
            Feature::Edge(2) => Feature::Edge(0),
            Feature::Face | Feature::Vertex(_) | Feature::Edge(_) => feature,
        }
    }

    /// Converts barycentrics on the [world triangle](Pose::triangle_to_world) to the mesh's vertex
    /// order. It is its own inverse.
    pub fn barycentrics_to_mesh(&self, [a, b, c]: [f64; 3]) -> [f64; 3] {
        if self.is_mirrored() { [a, c, b] } else { [a, b, c] }
    }

    /// Converts feature and barycentrics of the [world triangle](Pose::triangle_to_world) to the
    /// mesh's vertex order.
    #[inline]
    pub(crate) fn put_in_mesh_order(&self, feature: &mut Feature, weights: &mut Option<[f64; 3]>) {
        if self.is_mirrored() {
            *feature = self.feature_to_mesh(*feature);
            *weights = weights.map(|weights| self.barycentrics_to_mesh(weights));
        }
    }

    /// The smallest world box around a local box.
    ///
    /// It contains every point of `local` as [`Pose::point_to_world`] rounds it, without a
    /// margin. Multiplication and addition round monotonically, so the extremes of the terms give
    /// the extremes of each coordinate.
    ///
    /// # Errors
    /// If the world box leaves the range of positions.
    pub fn bounds_to_world(&self, local: &Aabb) -> Result<Aabb, ShapeError> {
        let (min, max) = self.corners_to_world(local);
        Aabb::new(min, max)
    }

    /// The corners of the box of [`Pose::bounds_to_world`], in range or not.
    pub(crate) fn corners_to_world(&self, local: &Aabb) -> (DVec3, DVec3) {
        let (low, high) = (local.min() * self.scale, local.max() * self.scale);
        let terms = [
            (self.axes.x_axis * low.x, self.axes.x_axis * high.x),
            (self.axes.y_axis * low.y, self.axes.y_axis * high.y),
            (self.axes.z_axis * low.z, self.axes.z_axis * high.z),
        ];
        let [least_x, least_y, least_z] = terms.map(|(low, high)| low.min(high));
        let [most_x, most_y, most_z] = terms.map(|(low, high)| low.max(high));
        let min = least_x + least_y + least_z + self.position;
        let max = most_x + most_y + most_z + self.position;
        (min, max)
    }
}

impl Default for Pose {
    fn default() -> Self {
        Self::IDENTITY
    }
}
