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

/// The rows of a kind of hit: in a scene, with the body that was hit; and of a single pair.
macro_rules! hits {
    (
        $(#[$doc:meta])*
        $type:ty:
        $row:ident, $columns:ident, $part:ident,
        $pair_row:ident, $pair_columns:ident, $pair_part:ident,
        |$hit:ident| { $($field:ident: $cell:ty = $none:expr => $value:expr),* $(,)? }
    ) => {
        table! {
            $(#[$doc])*
            $row, $columns, $part {
                hit: bool = false,
                $($field: $cell = $none,)*
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

        table! {
            /// The same for a single pair.
            $pair_row, $pair_columns, $pair_part {
                hit: bool = false,
                $($field: $cell = $none,)*
                normal: [f32; 3] = NAN3F,
                feature: i8 = -1,
                feature_index: i8 = -1,
                barycentrics: [f64; 3] = NAN3,
                invalid: bool = false,
            }
        }

        impl From<SceneHit<$type>> for $row {
            #[inline(always)]
            fn from(SceneHit { hit, target }: SceneHit<$type>) -> Self {
                let pair = $pair_row::from(hit);
                Self {
                    hit: true,
                    $($field: pair.$field,)*
                    normal: pair.normal,
                    feature: pair.feature,
                    feature_index: pair.feature_index,
                    barycentrics: pair.barycentrics,
                    body: body_number(target.body),
                    triangle: triangle(&target),
                    key: target.key,
                    tag: target.tag,
                    kind: kind(target.kind),
                    invalid: false,
                }
            }
        }

        impl From<$type> for $pair_row {
            #[inline(always)]
            fn from($hit: $type) -> Self {
                let (feature, feature_index) = feature($hit.feature);
                Self {
                    hit: true,
                    $($field: $value,)*
                    normal: $hit.normal.to_array(),
                    feature,
                    feature_index,
                    barycentrics: $hit.barycentrics.unwrap_or(NAN3),
                    invalid: false,
                }
            }
        }
    };
}

hits! {
    /// The first touch of a sweep.
    SweepHit:
    SweepRow, SweepColumns, SweepPart,
    PairSweepRow, PairSweepColumns, PairSweepPart,
    |hit| {
        time: f64 = f64::NAN => hit.time,
        distance: f64 = f64::NAN => hit.distance,
        depth: f64 = f64::NAN => hit.depth,
        point: [f64; 3] = NAN3 => hit.point.to_array(),
        face_normal: [f32; 3] = NAN3F => hit.face_normal.to_array(),
        region: i8 = -1 => region(hit.region),
    }
}

hits! {
    /// An overlap.
    Overlap:
    OverlapRow, OverlapColumns, OverlapPart,
    PairOverlapRow, PairOverlapColumns, PairOverlapPart,
    |hit| {
        depth: f64 = f64::NAN => hit.depth,
        point: [f64; 3] = NAN3 => hit.point.to_array(),
        face_normal: [f32; 3] = NAN3F => hit.face_normal.to_array(),
        region: i8 = -1 => region(hit.region),
    }
}

hits! {
    /// The closest points of a capsule and the scene.
    ClosestPoints:
    ClosestRow, ClosestColumns, ClosestPart,
    PairClosestRow, PairClosestColumns, PairClosestPart,
    |hit| {
        distance: f64 = f64::NAN => hit.distance,
        on_capsule: [f64; 3] = NAN3 => hit.on_capsule.to_array(),
        on_geometry: [f64; 3] = NAN3 => hit.on_geometry.to_array(),
        face_normal: [f32; 3] = NAN3F => hit.face_normal.to_array(),
        region: i8 = -1 => region(hit.region),
    }
}

hits! {
    /// The first surface on a ray.
    RayHit:
    RayRow, RayColumns, RayPart,
    PairRayRow, PairRayColumns, PairRayPart,
    |hit| {
        time: f64 = f64::NAN => hit.time,
        distance: f64 = f64::NAN => hit.distance,
        point: [f64; 3] = NAN3 => hit.point.to_array(),
    }
}

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
