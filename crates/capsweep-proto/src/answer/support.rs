//! Supports.

use crate::batch::{Answers, common_parts, join, reserve};
use crate::column::Column;
use crate::geometry::{normal, push3, push3f, vector};
use crate::target::{Features, Targets, encode_feature, feature_message, target};
use crate::{FieldError, v1};
use capsweep::query::{Facing, Support};

impl From<&Support> for v1::Support {
    fn from(support: &Support) -> Self {
        Self {
            height: Some(support.height),
            point: Some(support.point.into()),
            normal: Some(support.normal.into()),
            faces_up: support.facing == Facing::Up,
            walkable: support.walkable,
            feature: Some(support.feature.into()),
            target: Some(support.target.into()),
        }
    }
}

fn facing(faces_up: bool) -> Facing {
    if faces_up { Facing::Up } else { Facing::Down }
}

impl TryFrom<&v1::Support> for Support {
    type Error = FieldError;

    fn try_from(given: &v1::Support) -> Result<Self, FieldError> {
        Ok(Self {
            height: given.height.unwrap_or_default(),
            point: vector("point", given.point.as_ref())?,
            normal: normal("normal", given.normal.as_ref())?,
            facing: facing(given.faces_up),
            walkable: given.walkable,
            feature: feature_message(given.feature)?,
            target: target(given.target.as_ref())?,
        })
    }
}

impl Answers for v1::SupportsBatchResponse {
    type Answer = Vec<Support>;

    common_parts!();

    fn reserve(&mut self, rows: usize) {
        reserve!(self, rows;
            1: query, height, faces_up, walkable, feature, feature_number; 3: point, normal);
        self.target.get_or_insert_default().reserve(rows);
    }

    fn append(&mut self, other: &mut Self) {
        join!(self, other;
            errors, query, height, point, normal, faces_up, walkable, feature, feature_number;
            target);
    }

    fn push(&mut self, query: u32, supports: &Vec<Support>) {
        for support in supports {
            self.query.push(query);
            self.height.push(support.height);
            push3(&mut self.point, support.point);
            push3f(&mut self.normal, support.normal);
            self.faces_up.push(support.facing == Facing::Up);
            self.walkable.push(support.walkable);
            let (kind, number) = encode_feature(support.feature);
            self.feature.push(kind);
            self.feature_number.push(number);
            self.target.get_or_insert_default().push(&support.target);
        }
    }

    fn finish(&mut self) {
        self.target.get_or_insert_default().shorten();
    }

    fn answers(&self) -> Result<Vec<(u32, Vec<Support>)>, FieldError> {
        let rows = self.query.len();
        let height = Column::full("height", &self.height, 1, rows)?;
        let point = Column::full("point", &self.point, 3, rows)?;
        let normal = Column::full("normal", &self.normal, 3, rows)?;
        let faces_up = Column::full("faces_up", &self.faces_up, 1, rows)?;
        let walkable = Column::full("walkable", &self.walkable, 1, rows)?;
        let features = Features::new(&self.feature, &self.feature_number, rows)?;
        let targets = Targets::new(self.target.as_ref(), rows)?;
        let mut all: Vec<(u32, Vec<Support>)> = Vec::new();
        for (row, &query) in self.query.iter().enumerate() {
            let support = Support {
                height: height.get(row).unwrap_or_default(),
                point: point.vector(row).unwrap_or_default(),
                normal: normal.normal(row).unwrap_or_default(),
                facing: facing(faces_up.get(row).unwrap_or_default()),
                walkable: walkable.get(row).unwrap_or_default(),
                feature: features.get(row)?,
                target: targets.get(row)?,
            };
            match all.last_mut() {
                Some((last, supports)) if *last == query => supports.push(support),
                _ => all.push((query, vec![support])),
            }
        }
        Ok(all)
    }
}
