//! Groups: the parts of a model, such as the rooms of a building.

use super::liquid::{self, ModelLiquid};
use crate::server_map::bih;
use crate::server_map::cursor::{Cursor, check_number, triple, vec3};
use crate::server_map::error::{ParseError, Problem};
use crate::server_map::limits::{GROUP_TRIANGLES, GROUP_VERTICES, MAX_VERTEX};
use capsweep::Triangle;
use glam::Vec3;

/// Length of the shortest group in bytes: box, flags, id, and the head of its vertices.
pub(super) const SHORTEST: u64 = 24 + 4 + 4 + 12;

/// Bytes of a vertex, and of a triangle.
const TRIPLE: u64 = 12;

/// A part of a model. Every index is valid, and every number is finite.
#[derive(Debug, Clone, PartialEq)]
pub struct Group {
    /// A box around the vertices: that of the file, or the smallest one if that of the file does
    /// not contain them. Props have none in their files.
    pub bounds: Bounds,
    /// Flags of the game: see [`Group::is_outdoor`] and [`Group::is_indoor`].
    pub flags: u32,
    /// The id of the group in its building.
    pub id: u32,
    /// The vertices; some groups have none.
    pub vertices: Vec<Vec3>,
    /// Indices of three vertices each, in the order of the file: see
    /// [`WorldModel::flip`](super::WorldModel::flip).
    pub triangles: Vec<[u32; 3]>,
    /// Number of triangles that were left out: they span a line or a point.
    pub degenerate: u64,
    /// The liquid of the group.
    pub liquid: Option<ModelLiquid>,
}

/// A box in the model's space. Its lowest corner does not exceed its highest.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Bounds {
    /// The lowest corner.
    pub min: Vec3,
    /// The highest corner.
    pub max: Vec3,
}

impl Group {
    /// Whether the game treats the group as outdoors.
    pub fn is_outdoor(&self) -> bool {
        self.flags & 0x8 != 0
    }

    /// Whether the game treats the group as indoors.
    pub fn is_indoor(&self) -> bool {
        self.flags & 0x2000 != 0
    }
}

impl Bounds {
    /// The smallest box around points; `None` without points.
    fn around(points: &[Vec3]) -> Option<Self> {
        let first = *points.first()?;
        let whole = Self { min: first, max: first };
        Some(points.iter().fold(whole, |whole, &point| Self {
            min: whole.min.min(point),
            max: whole.max.max(point),
        }))
    }

    fn contains(&self, other: &Self) -> bool {
        // NaN compares as false.
        self.min.cmple(other.min).all() && self.max.cmpge(other.max).all()
    }

    fn is_valid(&self) -> bool {
        self.min.is_finite() && self.max.is_finite() && self.min.cmple(self.max).all()
    }
}

/// Parses a group.
pub(super) fn parse(cursor: &mut Cursor<'_>) -> Result<Group, ParseError> {
    let stored = Bounds {
        min: cursor.vec3("lowest corner of the group")?,
        max: cursor.vec3("highest corner of the group")?,
    };
    let mut group = Group {
        bounds: Bounds::default(),
        flags: cursor.u32("flags of the group")?,
        id: cursor.u32("id of the group")?,
        vertices: vertices(cursor)?,
        triangles: Vec::new(),
        degenerate: 0,
        liquid: None,
    };
    let smallest = Bounds::around(&group.vertices);
    let keeps = stored.is_valid() && smallest.is_none_or(|smallest| stored.contains(&smallest));
    group.bounds = if keeps { stored } else { smallest.unwrap_or_default() };
    if group.vertices.is_empty() {
        return Ok(group);
    }
    triangles(cursor, &mut group)?;
    cursor.tag("tag of the group's tree", *b"MBIH")?;
    bih::skip(cursor)?;
    group.liquid = liquid::parse(cursor)?;
    Ok(group)
}

fn vertices(cursor: &mut Cursor<'_>) -> Result<Vec<Vec3>, ParseError> {
    const FIELD: &str = "vertices";
    let bytes = list(cursor, *b"VERT", FIELD, GROUP_VERTICES)?;
    let start = bytes.start;
    let vertices: Vec<Vec3> = bytes.items.iter().map(|&vertex| vec3(vertex)).collect();
    for (i, vertex) in vertices.iter().enumerate() {
        for (axis, coordinate) in vertex.to_array().into_iter().enumerate() {
            check_number(coordinate, MAX_VERTEX)
                .map_err(|problem| start.error_at(12 * i + 4 * axis, FIELD, problem))?;
        }
    }
    Ok(vertices)
}

fn triangles(cursor: &mut Cursor<'_>, group: &mut Group) -> Result<(), ParseError> {
    const FIELD: &str = "triangles";
    let List { start, items } = list(cursor, *b"TRIM", FIELD, GROUP_TRIANGLES)?;
    group.triangles.reserve_exact(items.len());
    for (i, &bytes) in items.iter().enumerate() {
        let indices = triple(bytes);
        let mut corners = [Vec3::ZERO; 3];
        for (corner, (position, &index)) in corners.iter_mut().zip(indices.iter().enumerate()) {
            *corner = *group.vertices.get(index as usize).ok_or_else(|| {
                let count = group.vertices.len() as u64;
                let problem = Problem::Index { found: index.into(), count };
                start.error_at(12 * i + 4 * position, FIELD, problem)
            })?;
        }
        if is_degenerate(corners) {
            group.degenerate += 1;
        } else {
            group.triangles.push(indices);
        }
    }
    Ok(())
}

/// Whether a triangle spans a line or a point, by the measure of the library.
fn is_degenerate(corners: [Vec3; 3]) -> bool {
    let [a, b, c] = corners.map(Vec3::as_dvec3);
    Triangle::new(a, b, c).is_ok_and(|triangle| triangle.is_degenerate())
}

/// The items of a list, and the place of the first one.
struct List<'a> {
    start: Cursor<'a>,
    items: &'a [[u8; TRIPLE as usize]],
}

/// Reads a list: a tag, a size that is ignored, a count, and items of 12 bytes.
fn list<'a>(
    cursor: &mut Cursor<'a>,
    tag: [u8; 4],
    field: &'static str,
    limit: u64,
) -> Result<List<'a>, ParseError> {
    cursor.tag(field, tag)?;
    cursor.u32(field)?;
    let count = cursor.count(field, limit)?;
    let start = cursor.clone();
    let items = cursor.items(field, count, TRIPLE)?.as_chunks().0;
    Ok(List { start, items })
}
