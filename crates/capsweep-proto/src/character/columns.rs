//! The states of many characters.

use super::state::{clearance, encode_clearance};
use crate::batch::join;
use crate::column::{Column, rows_of, shorten};
use crate::error::Within as _;
use crate::geometry::{push3, push3f};
use crate::{FieldError, v1};
use capsweep::controller::{CharacterParts, CharacterState, Controller, Footing};
use capsweep::scene::BodyId;
use glam::{DVec3, Vec3};

/// Columns of characters.
pub(crate) struct Characters<'a> {
    pub(crate) rows: usize,
    controller: Option<&'a Controller>,
    center: Column<'a, f64>,
    feet: Column<'a, f64>,
    radius: Column<'a, f32>,
    total_height: Column<'a, f32>,
    has_footing: Column<'a, bool>,
    body_index: Column<'a, u32>,
    body_generation: Column<'a, u32>,
    point: Column<'a, f64>,
    normal: Column<'a, f32>,
    walkable: Column<'a, bool>,
    velocity: Column<'a, f64>,
    clearance: Column<'a, i32>,
    crushed_height: Column<'a, f32>,
    sink: Column<'a, f64>,
}

impl<'a> Characters<'a> {
    /// Columns of a request, with its controller, or of an answer.
    pub(crate) fn new(
        columns: Option<&'a v1::CharacterColumns>,
        controller: Option<&'a Controller>,
    ) -> Result<Self, FieldError> {
        let of = columns.ok_or_else(|| FieldError::missing("state"))?;
        let rows = if of.center.is_empty() && controller.is_some() {
            rows_of("state.feet", of.feet.len(), 3)?
        } else {
            rows_of("state.center", of.center.len(), 3)?
        };
        // Feet count only in a request without centres.
        let feet = if of.center.is_empty() { of.feet.as_slice() } else { &[] };
        Ok(Self {
            rows,
            controller,
            center: Column::new("state.center", &of.center, 3, rows)?,
            feet: Column::new("state.feet", feet, 3, rows)?,
            radius: Column::new("state.radius", &of.radius, 1, rows)?,
            total_height: Column::new("state.total_height", &of.total_height, 1, rows)?,
            has_footing: Column::new("state.has_footing", &of.has_footing, 1, rows)?,
            body_index: Column::new("state.footing_body_index", &of.footing_body_index, 1, rows)?,
            body_generation: Column::new(
                "state.footing_body_generation",
                &of.footing_body_generation,
                1,
                rows,
            )?,
            point: Column::new("state.footing_point", &of.footing_point, 3, rows)?,
            normal: Column::new("state.footing_normal", &of.footing_normal, 3, rows)?,
            walkable: Column::new("state.footing_walkable", &of.footing_walkable, 1, rows)?,
            velocity: Column::new("state.footing_velocity", &of.footing_velocity, 3, rows)?,
            clearance: Column::new("state.clearance", &of.clearance, 1, rows)?,
            crushed_height: Column::new("state.crushed_height", &of.crushed_height, 1, rows)?,
            sink: Column::new("state.sink", &of.sink, 1, rows)?,
        })
    }

    #[inline]
    pub(crate) fn get(&self, row: usize) -> Result<CharacterState, FieldError> {
        let Some(center) = self.center.vector(row) else {
            let controller = self.controller.ok_or_else(|| FieldError::missing("state.center"))?;
            let feet = self.feet.vector(row).ok_or_else(|| FieldError::missing("state.feet"))?;
            return controller.spawn(feet).within("state");
        };
        let config = self.controller.map(Controller::config);
        let (radius, height) = (self.radius.get(row), self.total_height.get(row));
        let size = radius.or(config.map(|config| config.radius));
        let tall = height.or(config.map(|config| config.total_height));
        let has_footing = self.has_footing.get(row).unwrap_or(false);
        let crushed = self.crushed_height.get(row).unwrap_or(0.0);
        let parts = CharacterParts {
            center,
            radius: size.ok_or_else(|| FieldError::missing("state.radius"))?,
            total_height: tall.ok_or_else(|| FieldError::missing("state.total_height"))?,
            footing: has_footing.then(|| self.footing(row)).transpose()?,
            clearance: clearance(self.clearance.get(row).unwrap_or(0), crushed)?,
            sink: self.sink.get(row).unwrap_or(0.0),
        };
        CharacterState::try_from(parts).within("state")
    }

    #[inline]
    fn footing(&self, row: usize) -> Result<Footing, FieldError> {
        let missing = |column: &str| FieldError::missing(&format!("state.footing_{column}"));
        let index = self.body_index.get(row).ok_or_else(|| missing("body_index"))?;
        let generation = self.body_generation.get(row);
        let generation = generation.ok_or_else(|| missing("body_generation"))?;
        Ok(Footing {
            body: BodyId::from_numbers(index, generation),
            point: self.point.vector(row).ok_or_else(|| missing("point"))?,
            normal: self.normal.normal(row).ok_or_else(|| missing("normal"))?,
            walkable: self.walkable.get(row).ok_or_else(|| missing("walkable"))?,
            velocity: self.velocity.vector(row).unwrap_or(DVec3::ZERO),
        })
    }
}

impl v1::CharacterColumns {
    pub(crate) fn reserve(&mut self, rows: usize, with_feet: bool) {
        for column in [&mut self.center, &mut self.footing_point, &mut self.footing_velocity] {
            column.reserve(3 * rows);
        }
        if with_feet {
            self.feet.reserve(3 * rows);
        }
        self.footing_normal.reserve(3 * rows);
        for column in [&mut self.radius, &mut self.total_height, &mut self.crushed_height] {
            column.reserve(rows);
        }
        for column in [&mut self.footing_body_index, &mut self.footing_body_generation] {
            column.reserve(rows);
        }
        self.has_footing.reserve(rows);
        self.footing_walkable.reserve(rows);
        self.clearance.reserve(rows);
        self.sink.reserve(rows);
    }

    /// Adds a character, with its feet in an answer.
    #[inline]
    pub(crate) fn push(&mut self, state: &CharacterState, feet: Option<DVec3>) {
        let parts = CharacterParts::from(*state);
        let (clearance, crushed_height) = encode_clearance(parts.clearance);
        push3(&mut self.center, parts.center);
        self.radius.push(parts.radius);
        self.total_height.push(parts.total_height);
        self.has_footing.push(parts.footing.is_some());
        let none = Footing {
            body: BodyId::from_numbers(0, 0),
            point: DVec3::ZERO,
            normal: Vec3::ZERO,
            walkable: false,
            velocity: DVec3::ZERO,
        };
        let footing = parts.footing.unwrap_or(none);
        self.footing_body_index.push(footing.body.index());
        self.footing_body_generation.push(footing.body.generation());
        push3(&mut self.footing_point, footing.point);
        push3f(&mut self.footing_normal, footing.normal);
        self.footing_walkable.push(footing.walkable);
        push3(&mut self.footing_velocity, footing.velocity);
        self.clearance.push(clearance);
        self.crushed_height.push(crushed_height);
        self.sink.push(parts.sink);
        if let Some(feet) = feet {
            push3(&mut self.feet, feet);
        }
    }

    pub(crate) fn append(&mut self, other: &mut Self) {
        join!(self, other;
            center, radius, total_height, has_footing, footing_body_index,
            footing_body_generation, footing_point, footing_normal, footing_walkable,
            footing_velocity, clearance, crushed_height, sink, feet);
    }

    /// Shortens columns whose values are all the same.
    pub(crate) fn shorten(&mut self) {
        shorten(&mut self.radius, None);
        shorten(&mut self.total_height, None);
        shorten(&mut self.footing_body_generation, None);
        shorten(&mut self.crushed_height, Some(0.0));
        shorten(&mut self.sink, Some(0.0));
        if self.footing_velocity.iter().all(|value| value.to_bits() == 0) {
            self.footing_velocity.clear();
        }
    }
}

pub(crate) fn character_columns(
    states: impl IntoIterator<Item = CharacterState>,
) -> v1::CharacterColumns {
    let mut columns = v1::CharacterColumns::default();
    for state in states {
        columns.push(&state, None);
    }
    columns.shorten();
    columns
}
