//! Normalises an OBJ file line by line for `tobj`.
//!
//! [`Lines`] is a reader that yields the relevant lines only, checked and in a simple form:
//! `v x y z`, `f 1 2 3` and `o TAG`. The number of a tag stands for a pair of group and material.
//! Polygons are triangulated here, so that every error can name its line.

use super::polygon;
use crate::Limits;
use crate::axes::Axes;
use crate::error::{Fault, Reason, malformed, within};
use capsweep::MAX_POSITION;
use capsweep::scene::MeshError;
use glam::Vec3;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::io::{self, BufRead, Read};

/// Longest name of a group or material in bytes. Memory for names must stay bounded, and every
/// pair of the two has one.
const LONGEST_NAME: usize = 256;

/// U+FEFF as UTF-8. Editors put this byte-order mark at the start of a file, and concatenation
/// leaves it at the start of a line.
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// Reader of normalised lines.
pub(super) struct Lines<'a> {
    rest: &'a [u8],
    /// Number of the line read last, from 1.
    pub(super) number: usize,
    /// The fault that stopped reading.
    pub(super) fault: Option<Fault>,
    /// The current normalised line, and how many of its bytes were consumed.
    line: String,
    consumed: usize,
    /// All vertices so far, in the world's axes.
    vertices: Vec<Vec3>,
    /// Line numbers of the vertices that are out of range, by vertex number from 1.
    out_of_range: BTreeMap<u64, usize>,
    triangles: u64,
    tags: Tags,
    axes: Axes,
    limits: &'a Limits,
}

impl<'a> Lines<'a> {
    pub(super) fn new(bytes: &'a [u8], axes: Axes, limits: &'a Limits) -> Self {
        Self {
            rest: bytes,
            number: 0,
            fault: None,
            // Faces before any group have tag 0.
            line: "o 0\n".to_owned(),
            consumed: 0,
            vertices: Vec::new(),
            out_of_range: BTreeMap::new(),
            triangles: 0,
            tags: Tags::default(),
            axes,
            limits,
        }
    }

    /// Names of all tags.
    pub(super) fn into_names(self) -> Vec<String> {
        self.tags.names
    }

    /// Reads up to the next relevant line. The line is empty at the end of the file.
    fn advance(&mut self) -> Result<(), Fault> {
        self.line.clear();
        self.consumed = 0;
        while self.line.is_empty() {
            let Some(line) = self.next_line() else { break };
            let mut words = line.split_ascii_whitespace();
            match words.next() {
                Some("v") => self.vertex(words)?,
                Some("f") => self.face(words)?,
                Some("o" | "g") => self.switch(|tags, name| tags.group = name, &line)?,
                Some("usemtl") => self.switch(|tags, name| tags.material = name, &line)?,
                _ => {}
            }
        }
        Ok(())
    }

    /// Reads the next line of the file, joined with its continuation lines.
    fn next_line(&mut self) -> Option<String> {
        let mut line = String::new();
        while !self.rest.is_empty() {
            self.number += 1;
            let end = self.rest.iter().position(|&byte| byte == b'\n');
            let (this, rest) = match end {
                Some(end) => (&self.rest[..end], &self.rest[end + 1..]),
                None => (self.rest, &[][..]),
            };
            self.rest = rest;
            let this = this.strip_prefix(BYTE_ORDER_MARK).unwrap_or(this);
            // Lossy, because comments and names in old encodings are no reason to refuse a file.
            line.push_str(&String::from_utf8_lossy(this.strip_suffix(b"\r").unwrap_or(this)));
            if !line.ends_with('\\') {
                return Some(line);
            }
            line.pop();
        }
        (!line.is_empty()).then_some(line)
    }

    /// Normalises a `v` line.
    fn vertex<'w>(&mut self, words: impl Iterator<Item = &'w str>) -> Result<(), Fault> {
        let words: Vec<&str> = words.collect();
        // Three numbers are a position, a fourth is its weight. Three more are a colour.
        let kept = match words.len() {
            3 | 6 => 3,
            4 | 7 => 4,
            _ => return Err(malformed("a vertex has three or four numbers, and three of colour")),
        };
        self.line.push('v');
        let mut numbers = [0.0, 0.0, 0.0, 1.0];
        for (word, number) in words[..kept].iter().zip(&mut numbers) {
            *number = match word.parse::<f32>() {
                Ok(number) if number.is_finite() => number,
                _ => return Err(malformed(format!("{word:?} is not a finite number"))),
            };
            _ = write!(self.line, " {word}");
        }
        self.line.push('\n');
        let [x, y, z, weight] = numbers;
        let position = Vec3::new(x, y, z) / weight;
        self.vertices.push(self.axes.rotate(position));
        let reach = f64::from(position.abs().max_element());
        // Negated, so that NaN counts as out of range.
        if !(reach.max(reach * self.axes.unit()) <= MAX_POSITION && position.is_finite()) {
            self.out_of_range.insert(self.vertices.len() as u64, self.number);
        }
        Ok(())
    }

    /// Normalises an `f` line into triangles.
    fn face<'w>(&mut self, words: impl Iterator<Item = &'w str>) -> Result<(), Fault> {
        let mut corners = Vec::new();
        for word in words {
            let index = word.split('/').next().unwrap_or(word);
            corners.push(self.vertex_number(index)? - 1);
        }
        let count = corners.len() as u64;
        if count < 3 {
            return Err(malformed(format!(
                "a face of {count} corners: it must have three or more"
            )));
        }
        self.triangles += count - 2;
        within("triangles", self.triangles, self.limits.triangles)?;
        for triangle in polygon::triangulate(&corners, &self.vertices)? {
            let [a, b, c] = triangle.map(|corner| u64::from(corner) + 1);
            _ = writeln!(self.line, "f {a} {b} {c}");
        }
        Ok(())
    }

    /// The vertex number, from 1, for an index in the file, which may count back from the end.
    fn vertex_number(&self, index: &str) -> Result<u32, Fault> {
        let count = self.vertices.len() as u64;
        let none = || {
            let index = index.escape_debug();
            malformed(format!("there is no vertex {index}: {count} come before this face"))
        };
        let number: i64 = index.parse().map_err(|_| none())?;
        let vertex = if number < 0 {
            count.checked_sub(number.unsigned_abs()).map(|back| back + 1)
        } else {
            u64::try_from(number).ok()
        };
        let vertex = vertex.filter(|vertex| (1..=count).contains(vertex)).ok_or_else(none)?;
        self.check_range(vertex)?;
        u32::try_from(vertex).map_err(|_| malformed("more vertices than 32 bits can number"))
    }

    /// Refuses a vertex that is out of range, with the line of the vertex. Unused ones do no harm.
    fn check_range(&self, vertex: u64) -> Result<(), Fault> {
        let Some(line) = self.out_of_range.get(&vertex) else { return Ok(()) };
        let index = vertex as usize - 1;
        let position = self.vertices[index];
        let reach = f64::from(position.abs().max_element());
        let reason = if reach <= MAX_POSITION {
            let unit = self.axes.unit();
            let message = format!(
                "a coordinate of {reach} units of {unit} m: positions reach {MAX_POSITION:e} m"
            );
            Reason::Unsupported(message)
        } else {
            Reason::Mesh(MeshError::BadVertex { vertex: index, position })
        };
        Err(Fault::from(reason).at(|| format!("line {line}")))
    }

    /// Changes the group or material of the following faces to the name in `line`.
    fn switch(&mut self, set: impl FnOnce(&mut Tags, String), line: &str) -> Result<(), Fault> {
        let name = line.trim().split_once(|c: char| c.is_ascii_whitespace()).unwrap_or_default().1;
        let name = name.trim();
        if name.len() > LONGEST_NAME {
            let length = name.len();
            return Err(malformed(format!(
                "a name of {length} bytes: {LONGEST_NAME} are allowed"
            )));
        }
        set(&mut self.tags, name.to_owned());
        self.tags.switches += 1;
        within("changes of group or material", self.tags.switches, self.limits.placements)?;
        let tag = self.tags.current();
        _ = writeln!(self.line, "o {tag}");
        Ok(())
    }
}

impl BufRead for Lines<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.consumed == self.line.len()
            && let Err(fault) = self.advance()
        {
            self.fault = Some(fault);
            return Err(io::ErrorKind::InvalidData.into());
        }
        Ok(&self.line.as_bytes()[self.consumed..])
    }

    fn consume(&mut self, count: usize) {
        self.consumed += count;
    }
}

impl Read for Lines<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let ready = self.fill_buf()?;
        let count = ready.len().min(into.len());
        into[..count].copy_from_slice(&ready[..count]);
        self.consume(count);
        Ok(count)
    }
}

/// Tags for pairs of group and material.
struct Tags {
    group: String,
    material: String,
    names: Vec<String>,
    by_name: HashMap<String, u32>,
    switches: u64,
}

impl Default for Tags {
    fn default() -> Self {
        Self {
            group: String::new(),
            material: String::new(),
            names: vec![String::new()],
            by_name: HashMap::from([(String::new(), 0)]),
            switches: 0,
        }
    }
}

impl Tags {
    /// The tag of the current pair; a new tag if the pair is new.
    fn current(&mut self) -> u32 {
        let name = match (self.group.as_str(), self.material.as_str()) {
            (group, "") => group.to_owned(),
            ("", material) => material.to_owned(),
            (group, material) => format!("{group}/{material}"),
        };
        let Self { names, by_name, .. } = self;
        *by_name.entry(name).or_insert_with_key(|name| {
            names.push(name.clone());
            (names.len() - 1) as u32
        })
    }
}
