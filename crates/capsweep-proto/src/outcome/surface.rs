//! Grounds and contacts.

use super::columns::Rows;
use crate::batch::join;
use crate::column::Column;
use crate::enums::{encode_region, enum_pair, region};
use crate::geometry::{normal, push3, push3f, vector};
use crate::target::{Targets, encode_feature, feature, feature_message, target};
use crate::{FieldError, v1};
use capsweep::controller::{Contact, Ground, Pass};

enum_pair!(encode_pass, pass: Pass = Pass { Ride, Recovery, Up, Side, Step, Down, Free });

impl From<&Ground> for v1::Ground {
    fn from(ground: &Ground) -> Self {
        Self {
            point: Some(ground.point.into()),
            normal: Some(ground.normal.into()),
            face_normal: Some(ground.face_normal.into()),
            target: Some(ground.target.into()),
            walkable: ground.walkable,
            distance: Some(ground.distance),
            touched: ground.touched,
            velocity: Some(ground.velocity.into()),
        }
    }
}

impl TryFrom<&v1::Ground> for Ground {
    type Error = FieldError;

    fn try_from(given: &v1::Ground) -> Result<Self, FieldError> {
        Ok(Self {
            point: vector("point", given.point.as_ref())?,
            normal: normal("normal", given.normal.as_ref())?,
            face_normal: normal("face_normal", given.face_normal.as_ref())?,
            target: target(given.target.as_ref())?,
            walkable: given.walkable,
            distance: given.distance.unwrap_or_default(),
            touched: given.touched,
            velocity: vector("velocity", given.velocity.as_ref())?,
        })
    }
}

impl From<&Contact> for v1::Contact {
    fn from(contact: &Contact) -> Self {
        Self {
            pass: encode_pass(contact.pass),
            point: Some(contact.point.into()),
            normal: Some(contact.normal.into()),
            face_normal: Some(contact.face_normal.into()),
            feature: Some(contact.feature.into()),
            region: encode_region(contact.region),
            target: Some(contact.target.into()),
        }
    }
}

impl TryFrom<&v1::Contact> for Contact {
    type Error = FieldError;

    fn try_from(given: &v1::Contact) -> Result<Self, FieldError> {
        Ok(Self {
            pass: pass("pass", given.pass)?,
            point: vector("point", given.point.as_ref())?,
            normal: normal("normal", given.normal.as_ref())?,
            face_normal: normal("face_normal", given.face_normal.as_ref())?,
            feature: feature_message(given.feature)?,
            region: region("region", given.region)?,
            target: target(given.target.as_ref())?,
        })
    }
}

/// Bits of a ground.
mod flag {
    pub(super) const WALKABLE: u32 = 1;
    pub(super) const TOUCHED: u32 = 2;
}

impl v1::GroundColumns {
    pub(super) fn reserve(&mut self, rows: usize) {
        self.query.reserve(rows);
        self.flags.reserve(rows);
        self.distance.reserve(rows);
        self.point.reserve(3 * rows);
        self.velocity.reserve(3 * rows);
        self.normal.reserve(3 * rows);
        self.face_normal.reserve(3 * rows);
        self.target.get_or_insert_default().reserve(rows);
    }

    pub(super) fn append(&mut self, other: &mut Self) {
        join!(self, other; query, point, normal, face_normal, flags, distance, velocity; target);
    }

    /// Shortens columns whose values are all the same.
    pub(super) fn shorten(&mut self) {
        if self.velocity.iter().all(|value| value.to_bits() == 0) {
            self.velocity.clear();
        }
        self.target.get_or_insert_default().shorten();
    }

    #[inline]
    pub(super) fn push(&mut self, query: u32, ground: &Ground) {
        self.query.push(query);
        push3(&mut self.point, ground.point);
        push3f(&mut self.normal, ground.normal);
        push3f(&mut self.face_normal, ground.face_normal);
        self.target.get_or_insert_default().push(&ground.target);
        self.flags.push(
            u32::from(ground.walkable) * flag::WALKABLE
                + u32::from(ground.touched) * flag::TOUCHED,
        );
        self.distance.push(ground.distance);
        push3(&mut self.velocity, ground.velocity);
    }

    pub(super) fn add_to(&self, rows: &mut Rows<'_>) -> Result<(), FieldError> {
        let count = self.query.len();
        let point = Column::full("ground.point", &self.point, 3, count)?;
        let normal = Column::full("ground.normal", &self.normal, 3, count)?;
        let face_normal = Column::full("ground.face_normal", &self.face_normal, 3, count)?;
        let targets = Targets::new(self.target.as_ref(), count)?;
        let flags = Column::full("ground.flags", &self.flags, 1, count)?;
        let distance = Column::full("ground.distance", &self.distance, 1, count)?;
        let velocity = Column::new("ground.velocity", &self.velocity, 3, count)?;
        for (row, &query) in self.query.iter().enumerate() {
            let bits = flags.get(row).unwrap_or(0);
            rows.of(query)?.ground = Some(Ground {
                point: point.vector(row).unwrap_or_default(),
                normal: normal.normal(row).unwrap_or_default(),
                face_normal: face_normal.normal(row).unwrap_or_default(),
                target: targets.get(row)?,
                walkable: bits & flag::WALKABLE != 0,
                distance: distance.get(row).unwrap_or_default(),
                touched: bits & flag::TOUCHED != 0,
                velocity: velocity.vector(row).unwrap_or_default(),
            });
        }
        Ok(())
    }
}

impl v1::ContactColumns {
    pub(super) fn reserve(&mut self, rows: usize) {
        self.query.reserve(rows);
        self.pass.reserve(rows);
        self.feature.reserve(rows);
        self.feature_number.reserve(rows);
        self.region.reserve(rows);
        self.point.reserve(3 * rows);
        self.normal.reserve(3 * rows);
        self.face_normal.reserve(3 * rows);
        self.target.get_or_insert_default().reserve(rows);
    }

    pub(super) fn append(&mut self, other: &mut Self) {
        join!(self, other;
            query, pass, point, normal, face_normal, feature, feature_number, region; target);
    }

    #[inline]
    pub(super) fn push(&mut self, query: u32, contact: &Contact) {
        self.query.push(query);
        self.pass.push(encode_pass(contact.pass));
        push3(&mut self.point, contact.point);
        push3f(&mut self.normal, contact.normal);
        push3f(&mut self.face_normal, contact.face_normal);
        let (kind, number) = encode_feature(contact.feature);
        self.feature.push(kind);
        self.feature_number.push(number);
        self.region.push(encode_region(contact.region));
        self.target.get_or_insert_default().push(&contact.target);
    }

    pub(super) fn add_to(&self, rows: &mut Rows<'_>) -> Result<(), FieldError> {
        let count = self.query.len();
        let passes = Column::full("contacts.pass", &self.pass, 1, count)?;
        let point = Column::full("contacts.point", &self.point, 3, count)?;
        let normal = Column::full("contacts.normal", &self.normal, 3, count)?;
        let face_normal = Column::full("contacts.face_normal", &self.face_normal, 3, count)?;
        let kinds = Column::full("contacts.feature", &self.feature, 1, count)?;
        let numbers = Column::full("contacts.feature_number", &self.feature_number, 1, count)?;
        let regions = Column::full("contacts.region", &self.region, 1, count)?;
        let targets = Targets::new(self.target.as_ref(), count)?;
        for (row, &query) in self.query.iter().enumerate() {
            let contact = Contact {
                pass: pass("contacts.pass", passes.get(row).unwrap_or(0))?,
                point: point.vector(row).unwrap_or_default(),
                normal: normal.normal(row).unwrap_or_default(),
                face_normal: face_normal.normal(row).unwrap_or_default(),
                feature: feature(kinds.get(row).unwrap_or(0), numbers.get(row).unwrap_or(0))?,
                region: region("contacts.region", regions.get(row).unwrap_or(0))?,
                target: targets.get(row)?,
            };
            rows.of(query)?.contacts.push(contact);
        }
        Ok(())
    }
}
