//! Liquids.

use crate::batch::{Answers, common_parts, join};
use crate::column::Column;
use crate::{FieldError, v1};
use capsweep::query::Liquid;
use capsweep::scene::LiquidKind;

fn encode_liquid_kind(kind: LiquidKind) -> (i32, u32) {
    let (kind, other) = match kind {
        LiquidKind::Water => (v1::LiquidKind::Water, 0),
        LiquidKind::Ocean => (v1::LiquidKind::Ocean, 0),
        LiquidKind::Magma => (v1::LiquidKind::Magma, 0),
        LiquidKind::Slime => (v1::LiquidKind::Slime, 0),
        LiquidKind::Other(number) => (v1::LiquidKind::Other, number),
        // A kind that this version of the protocol does not know.
        _ => (v1::LiquidKind::Other, u32::MAX),
    };
    (kind as i32, other)
}

fn liquid_kind(kind: i32, other: u32) -> Result<LiquidKind, FieldError> {
    match v1::LiquidKind::try_from(kind) {
        Ok(v1::LiquidKind::Water) => Ok(LiquidKind::Water),
        Ok(v1::LiquidKind::Ocean) => Ok(LiquidKind::Ocean),
        Ok(v1::LiquidKind::Magma) => Ok(LiquidKind::Magma),
        Ok(v1::LiquidKind::Slime) => Ok(LiquidKind::Slime),
        Ok(v1::LiquidKind::Other) => Ok(LiquidKind::Other(other)),
        Err(_) => Err(FieldError::unknown("kind", kind)),
    }
}

impl From<&Liquid> for v1::Liquid {
    fn from(&Liquid { surface, depth, kind, number }: &Liquid) -> Self {
        let (kind, other) = encode_liquid_kind(kind);
        Self { surface: Some(surface), depth: Some(depth), kind, other, number }
    }
}

impl TryFrom<&v1::Liquid> for Liquid {
    type Error = FieldError;

    fn try_from(given: &v1::Liquid) -> Result<Self, FieldError> {
        let &v1::Liquid { surface, depth, kind, other, number } = given;
        let [surface, depth] = [surface, depth].map(Option::unwrap_or_default);
        Ok(Self { surface, depth, kind: liquid_kind(kind, other)?, number })
    }
}

impl Answers for v1::LiquidBatchResponse {
    type Answer = Liquid;

    common_parts!();

    fn reserve(&mut self, _rows: usize) {}

    fn append(&mut self, other: &mut Self) {
        join!(self, other; errors, query, surface, depth, kind, other, number);
    }

    fn push(&mut self, query: u32, liquid: &Liquid) {
        self.query.push(query);
        self.surface.push(liquid.surface);
        self.depth.push(liquid.depth);
        let (kind, other) = encode_liquid_kind(liquid.kind);
        self.kind.push(kind);
        self.other.push(other);
        self.number.push(liquid.number);
    }

    fn answers(&self) -> Result<Vec<(u32, Liquid)>, FieldError> {
        let rows = self.query.len();
        let surface = Column::full("surface", &self.surface, 1, rows)?;
        let depth = Column::full("depth", &self.depth, 1, rows)?;
        let kind = Column::full("kind", &self.kind, 1, rows)?;
        let other = Column::full("other", &self.other, 1, rows)?;
        let number = Column::full("number", &self.number, 1, rows)?;
        let answer = |(row, &query): (usize, &u32)| {
            let kind = liquid_kind(kind.get(row).unwrap_or(0), other.get(row).unwrap_or(0))?;
            let liquid = Liquid {
                surface: surface.get(row).unwrap_or_default(),
                depth: depth.get(row).unwrap_or_default(),
                kind,
                number: number.get(row).unwrap_or_default(),
            };
            Ok((query, liquid))
        };
        self.query.iter().enumerate().map(answer).collect()
    }
}
