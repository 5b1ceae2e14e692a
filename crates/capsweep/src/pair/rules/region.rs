use crate::Capsule;
use core::fmt;
use glam::DVec3;

/// Which part of the capsule touches (rule 6).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Region {
    /// The hemisphere around `p0`.
    Bottom,
    /// The cylinder between the hemispheres.
    Side,
    /// The hemisphere around `p1`.
    Top,
    /// The whole of a capsule whose axis has no length.
    Sphere,
}

impl Region {
    /// The region of the clamped axis parameter of a closest pair: 0 bottom, 1 top, between side.
    ///
    /// The clamp gives exactly 0 or 1 on a hemisphere, so no tolerance is involved.
    pub(crate) fn at(axis_t: f64) -> Self {
        if axis_t <= 0.0 {
            Self::Bottom
        } else if axis_t >= 1.0 {
            Self::Top
        } else {
            Self::Side
        }
    }
}

impl fmt::Display for Region {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Bottom => "bottom",
            Self::Side => "side",
            Self::Top => "top",
            Self::Sphere => "sphere",
        })
    }
}

/// Classifies a contact point by bands of one radius around each end of the axis (rule 6.2).
///
/// Where the bands meet, on a capsule shorter than two radii between the ends, the nearer end wins
/// and no point is [`Region::Side`]. On a human (radius 0.4, height 1.8) the side is only the middle
/// fifth of the axis: hits report the region of the closest pair instead, which has no bands.
pub fn region_by_bands(capsule: &Capsule, point: DVec3) -> Region {
    let Some(direction) = capsule.direction() else { return Region::Sphere };
    let along = (point - capsule.p0()).dot(direction);
    let length = capsule.height();
    let radius = f64::from(capsule.radius());
    let (from_bottom, from_top) = (along, length - along);
    if from_bottom >= radius && from_top >= radius {
        Region::Side
    } else if from_bottom <= from_top {
        Region::Bottom
    } else {
        Region::Top
    }
}

/// Classifies an axis parameter, unclamped: up to 0.1 bottom, from 0.9 top, between side (rule 6.3).
pub fn region_by_parameter(axis_t: f64) -> Region {
    if axis_t <= 0.1 {
        Region::Bottom
    } else if axis_t >= 0.9 {
        Region::Top
    } else {
        Region::Side
    }
}
