//! Rules 9.2 and 12.4: depths and normals of scaled geometry with one scale, or without it.

use glam::{DQuat, DVec3};

/// 9.2: a depth in local space times a single scale.
pub fn scale_depth(local_depth: f64, scale: f64) -> f64 {
    local_depth * scale
}

/// 12.4 for a uniform scale: the rotation alone, even if the scale is negative.
pub fn uniform_normal_to_world(rotation: DQuat, local_normal: DVec3) -> DVec3 {
    (rotation * local_normal).normalize()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A solid below z = 1, mirrored by −2 on every axis, is the solid above z = −2. Its outside
    /// is below. A point 0.5 outside of it is then at height −3, 1 outside.
    #[test]
    fn rotation_alone_turns_the_normal_of_a_mirrored_solid_inwards() {
        let (scale, outside) = (-2.0, DVec3::new(0.3, -0.7, 1.5));
        let face = DVec3::new(0.3, -0.7, 1.0);
        let normal = uniform_normal_to_world(DQuat::IDENTITY, DVec3::Z);
        let height = normal.dot(outside * scale - face * scale);
        assert!((height - -1.0).abs() < 1e-12, "{height}");
    }
}
