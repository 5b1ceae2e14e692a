//! Hits of sweeps, overlaps, closest points and rays.

use crate::batch::{Answers, common_parts, join, reserve};
use crate::column::Column;
use crate::enums::{encode_region, region};
use crate::geometry::{normal, push3, push3f, vector};
use crate::target::{
    Features, Targets, barycentrics, encode_barycentrics, encode_feature, feature_message, target,
};
use crate::{FieldError, v1};
use capsweep::scene::SceneHit;
use capsweep::{ClosestPoints, Overlap, RayHit, SweepHit};

/// Defines both directions of a kind of hit, as a message and as rows of a batch. The fields have
/// the same names everywhere. All hits have a feature, barycentric coordinates and a target.
macro_rules! hits {
    ($($hit:ident: $message:ident, $batch:ident {
        numbers: $($number:ident),+;
        points: $($point:ident),+;
        normals: $($normal:ident),+;
        regions: $($region:ident)?;
    })+) => {$(
        impl From<&SceneHit<$hit>> for v1::$message {
            fn from(SceneHit { hit, target }: &SceneHit<$hit>) -> Self {
                Self {
                    $($number: Some(hit.$number),)+
                    $($point: Some(hit.$point.into()),)+
                    $($normal: Some(hit.$normal.into()),)+
                    $($region: encode_region(hit.$region),)?
                    feature: Some(hit.feature.into()),
                    barycentrics: encode_barycentrics(hit.barycentrics),
                    target: Some((*target).into()),
                }
            }
        }

        impl TryFrom<&v1::$message> for SceneHit<$hit> {
            type Error = FieldError;

            fn try_from(given: &v1::$message) -> Result<Self, FieldError> {
                let hit = $hit {
                    $($number: given.$number.unwrap_or_default(),)+
                    $($point: vector(stringify!($point), given.$point.as_ref())?,)+
                    $($normal: normal(stringify!($normal), given.$normal.as_ref())?,)+
                    $($region: region(stringify!($region), given.$region)?,)?
                    feature: feature_message(given.feature)?,
                    barycentrics: barycentrics(given.barycentrics),
                };
                Ok(Self { hit, target: target(given.target.as_ref())? })
            }
        }

        impl Answers for v1::$batch {
            type Answer = SceneHit<$hit>;

            common_parts!();

            fn reserve(&mut self, rows: usize) {
                reserve!(self, rows;
                    1: query, feature, feature_number $(, $number)+ $(, $region)?;
                    3: barycentrics $(, $point)+ $(, $normal)+);
                self.target.get_or_insert_default().reserve(rows);
            }

            fn append(&mut self, other: &mut Self) {
                join!(self, other;
                    errors, query, feature, feature_number, barycentrics
                    $(, $number)+ $(, $point)+ $(, $normal)+ $(, $region)?; target);
            }

            #[inline]
            fn push(&mut self, query: u32, SceneHit { hit, target }: &SceneHit<$hit>) {
                self.query.push(query);
                $(self.$number.push(hit.$number);)+
                $(push3(&mut self.$point, hit.$point);)+
                $(push3f(&mut self.$normal, hit.$normal);)+
                $(self.$region.push(encode_region(hit.$region));)?
                let (kind, number) = encode_feature(hit.feature);
                self.feature.push(kind);
                self.feature_number.push(number);
                self.barycentrics.extend_from_slice(&hit.barycentrics.unwrap_or_default());
                self.target.get_or_insert_default().push(target);
            }

            fn finish(&mut self) {
                self.target.get_or_insert_default().shorten();
            }

            fn answers(&self) -> Result<Vec<(u32, SceneHit<$hit>)>, FieldError> {
                let rows = self.query.len();
                $(let $number = Column::full(stringify!($number), &self.$number, 1, rows)?;)+
                $(let $point = Column::full(stringify!($point), &self.$point, 3, rows)?;)+
                $(let $normal = Column::full(stringify!($normal), &self.$normal, 3, rows)?;)+
                $(let $region = Column::full(stringify!($region), &self.$region, 1, rows)?;)?
                let weights = Column::full("barycentrics", &self.barycentrics, 3, rows)?;
                let features = Features::new(&self.feature, &self.feature_number, rows)?;
                let targets = Targets::new(self.target.as_ref(), rows)?;
                let answer = |(row, &query): (usize, &u32)| {
                    let target = targets.get(row)?;
                    let hit = $hit {
                        $($number: $number.get(row).unwrap_or_default(),)+
                        $($point: $point.vector(row).unwrap_or_default(),)+
                        $($normal: $normal.normal(row).unwrap_or_default(),)+
                        $($region: region(
                            stringify!($region),
                            $region.get(row).unwrap_or_default(),
                        )?,)?
                        feature: features.get(row)?,
                        barycentrics: target.triangle.and_then(|_| weights.array(row)),
                    };
                    Ok((query, SceneHit { hit, target }))
                };
                self.query.iter().enumerate().map(answer).collect()
            }
        }
    )+};
}

hits! {
    SweepHit: SweepHit, SweepBatchResponse {
        numbers: time, distance, depth;
        points: point;
        normals: normal, face_normal;
        regions: region;
    }
    Overlap: OverlapHit, OverlapBatchResponse {
        numbers: depth;
        points: point;
        normals: normal, face_normal;
        regions: region;
    }
    ClosestPoints: ClosestHit, ClosestBatchResponse {
        numbers: distance;
        points: on_capsule, on_geometry;
        normals: normal, face_normal;
        regions: region;
    }
    RayHit: RayHit, RayBatchResponse {
        numbers: time, distance;
        points: point;
        normals: normal;
        regions: ;
    }
}
