//! The rows of hits. Numbers of queries without a hit are NaN, and ids are -1.

use crate::input::body_number;
use crate::table::table;
use capsweep::query::{Clearance, Depenetration, Facing, Liquid, Support};
use capsweep::scene::{BodyKind, HitTarget, LiquidKind, SceneHit};
use capsweep::{ClosestPoints, Feature, Overlap, RayHit, Region, SweepHit};

pub(crate) const NAN3: [f64; 3] = [f64::NAN; 3];
pub(crate) const NAN3F: [f32; 3] = [f32::NAN; 3];

pub(crate) fn region(region: Region) -> i8 {
    match region {
        Region::Bottom => 0,
        Region::Side => 1,
        Region::Top => 2,
        Region::Sphere => 3,
    }
}

/// The kind of a feature, and its number on the target.
pub(crate) fn feature(feature: Feature) -> (i8, i8) {
    match feature {
        Feature::Face => (0, -1),
        Feature::Edge(number) => (1, number as i8),
        Feature::Vertex(number) => (2, number as i8),
    }
}

pub(crate) fn kind(kind: BodyKind) -> i8 {
    match kind {
        BodyKind::Mesh => 0,
        BodyKind::Shape => 1,
        BodyKind::Obstacle => 2,
    }
}

pub(crate) fn triangle(target: &HitTarget) -> i64 {
    target.triangle.map_or(-1, i64::from)
}

/// The row of a hit: what all hits have, and the fields of this kind.
macro_rules! from_hit {
    ($row:ident, $type:ty, |$hit:ident| { $($field:ident: $value:expr),* $(,)? }) => {
        impl From<SceneHit<$type>> for $row {
            fn from(SceneHit { hit: $hit, target }: SceneHit<$type>) -> Self {
                let (feature, feature_index) = feature($hit.feature);
                Self {
                    hit: true,
                    normal: $hit.normal.to_array(),
                    feature,
                    feature_index,
                    barycentrics: $hit.barycentrics.unwrap_or(NAN3),
                    body: body_number(target.body),
                    triangle: triangle(&target),
                    key: target.key,
                    tag: target.tag,
                    kind: kind(target.kind),
                    invalid: false,
                    $($field: $value),*
                }
            }
        }
    };
}

table! {
    /// The first touch of a sweep.
    SweepRow, SweepColumns, SweepPart {
        hit: bool = false,
        time: f64 = f64::NAN,
        distance: f64 = f64::NAN,
        depth: f64 = f64::NAN,
        point: [f64; 3] = NAN3,
        normal: [f32; 3] = NAN3F,
        face_normal: [f32; 3] = NAN3F,
        region: i8 = -1,
        feature: i8 = -1,
        feature_index: i8 = -1,
        barycentrics: [f64; 3] = NAN3,
        body: i64 = -1,
        triangle: i64 = -1,
        key: u64 = 0,
        tag: u32 = 0,
        kind: i8 = -1,
        invalid: bool = false,
    }
}

from_hit!(SweepRow, SweepHit, |hit| {
    time: hit.time,
    distance: hit.distance,
    depth: hit.depth,
    point: hit.point.to_array(),
    face_normal: hit.face_normal.to_array(),
    region: region(hit.region),
});

table! {
    /// An overlap.
    OverlapRow, OverlapColumns, OverlapPart {
        hit: bool = false,
        depth: f64 = f64::NAN,
        point: [f64; 3] = NAN3,
        normal: [f32; 3] = NAN3F,
        face_normal: [f32; 3] = NAN3F,
        region: i8 = -1,
        feature: i8 = -1,
        feature_index: i8 = -1,
        barycentrics: [f64; 3] = NAN3,
        body: i64 = -1,
        triangle: i64 = -1,
        key: u64 = 0,
        tag: u32 = 0,
        kind: i8 = -1,
        invalid: bool = false,
    }
}

from_hit!(OverlapRow, Overlap, |hit| {
    depth: hit.depth,
    point: hit.point.to_array(),
    face_normal: hit.face_normal.to_array(),
    region: region(hit.region),
});

table! {
    /// The closest points of a capsule and the scene.
    ClosestRow, ClosestColumns, ClosestPart {
        hit: bool = false,
        distance: f64 = f64::NAN,
        on_capsule: [f64; 3] = NAN3,
        on_geometry: [f64; 3] = NAN3,
        normal: [f32; 3] = NAN3F,
        face_normal: [f32; 3] = NAN3F,
        region: i8 = -1,
        feature: i8 = -1,
        feature_index: i8 = -1,
        barycentrics: [f64; 3] = NAN3,
        body: i64 = -1,
        triangle: i64 = -1,
        key: u64 = 0,
        tag: u32 = 0,
        kind: i8 = -1,
        invalid: bool = false,
    }
}

from_hit!(ClosestRow, ClosestPoints, |hit| {
    distance: hit.distance,
    on_capsule: hit.on_capsule.to_array(),
    on_geometry: hit.on_geometry.to_array(),
    face_normal: hit.face_normal.to_array(),
    region: region(hit.region),
});

table! {
    /// The first surface on a ray.
    RayRow, RayColumns, RayPart {
        hit: bool = false,
        time: f64 = f64::NAN,
        distance: f64 = f64::NAN,
        point: [f64; 3] = NAN3,
        normal: [f32; 3] = NAN3F,
        feature: i8 = -1,
        feature_index: i8 = -1,
        barycentrics: [f64; 3] = NAN3,
        body: i64 = -1,
        triangle: i64 = -1,
        key: u64 = 0,
        tag: u32 = 0,
        kind: i8 = -1,
        invalid: bool = false,
    }
}

from_hit!(RayRow, RayHit, |hit| {
    time: hit.time,
    distance: hit.distance,
    point: hit.point.to_array(),
});

table! {
    /// A surface over or under a point.
    SupportRow, SupportColumns, SupportPart {
        height: f64 = f64::NAN,
        point: [f64; 3] = NAN3,
        normal: [f32; 3] = NAN3F,
        faces_up: bool = false,
        walkable: bool = false,
        feature: i8 = -1,
        feature_index: i8 = -1,
        body: i64 = -1,
        triangle: i64 = -1,
        key: u64 = 0,
        tag: u32 = 0,
        kind: i8 = -1,
    }
}

impl From<&Support> for SupportRow {
    fn from(support: &Support) -> Self {
        let (feature, feature_index) = feature(support.feature);
        let target = &support.target;
        Self {
            height: support.height,
            point: support.point.to_array(),
            normal: support.normal.to_array(),
            faces_up: support.facing == Facing::Up,
            walkable: support.walkable,
            feature,
            feature_index,
            body: body_number(target.body),
            triangle: triangle(target),
            key: target.key,
            tag: target.tag,
            kind: kind(target.kind),
        }
    }
}

table! {
    /// A liquid over or under a point.
    LiquidRow, LiquidColumns, LiquidPart {
        wet: bool = false,
        surface: f64 = f64::NAN,
        depth: f64 = f64::NAN,
        kind: i64 = -1,
        number: i64 = -1,
        invalid: bool = false,
    }
}

/// Kinds that are neither water, ocean, magma nor slime have their own number and this bit.
const OTHER_LIQUID: i64 = 1 << 32;

pub(crate) fn liquid_kind(kind: LiquidKind) -> i64 {
    match kind {
        LiquidKind::Water => 0,
        LiquidKind::Ocean => 1,
        LiquidKind::Magma => 2,
        LiquidKind::Slime => 3,
        LiquidKind::Other(number) => OTHER_LIQUID | i64::from(number),
        _ => -1,
    }
}

impl From<&Liquid> for LiquidRow {
    fn from(liquid: &Liquid) -> Self {
        Self {
            wet: true,
            surface: liquid.surface,
            depth: liquid.depth,
            kind: liquid_kind(liquid.kind),
            number: i64::from(liquid.number),
            invalid: false,
        }
    }
}

table! {
    /// A push out of overlaps.
    PushRow, PushColumns, PushPart {
        push: [f64; 3] = NAN3,
        pushes: i64 = -1,
        state: i8 = -1,
        left: f64 = f64::NAN,
        invalid: bool = false,
    }
}

impl From<Depenetration> for PushRow {
    fn from(done: Depenetration) -> Self {
        let state = match done.state {
            Clearance::Free => 0,
            Clearance::Squeezed { .. } => 1,
            Clearance::Unfinished { .. } => 2,
        };
        Self {
            push: done.push.to_array(),
            pushes: done.pushes as i64,
            state,
            left: done.left(),
            invalid: false,
        }
    }
}

table! {
    /// Yes or no.
    FlagRow, FlagColumns, FlagPart {
        hit: bool = false,
        invalid: bool = false,
    }
}
