//! An OBJ file as a reader that hands out, one by one, the lines that matter, checked and in the plainest form: `v x y z`,
//! `f 1 2 3` and `o TAG`, where the number of a tag stands for a pair of group and material.

use crate::Limits;
use crate::error::{Fault, malformed, within};
use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::{self, BufRead, Read};

/// Longest name of a group or a material, in bytes: names are kept for every pair of the two.
const LONGEST_NAME: usize = 256;

pub(super) struct Lines<'a> {
    rest: &'a [u8],
    /// Number of the last line that was looked at, from 1.
    pub(super) number: usize,
    /// Why reading stopped early.
    pub(super) fault: Option<Fault>,
    /// What is handed out, and how much of it is gone.
    clean: String,
    gone: usize,
    vertices: u64,
    triangles: u64,
    tags: Tags,
    limits: &'a Limits,
}

impl<'a> Lines<'a> {
    pub(super) fn new(bytes: &'a [u8], limits: &'a Limits) -> Self {
        Self {
            rest: bytes,
            number: 0,
            fault: None,
            // Faces before any group have tag 0.
            clean: "o 0\n".to_owned(),
            gone: 0,
            vertices: 0,
            triangles: 0,
            tags: Tags::default(),
            limits,
        }
    }

    /// The names of all tags.
    pub(super) fn into_names(self) -> Vec<String> {
        self.tags.names
    }

    /// Makes the next line that matters `clean`; empty at the end of the file.
    fn advance(&mut self) -> Result<(), Fault> {
        self.clean.clear();
        self.gone = 0;
        while self.clean.is_empty() {
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

    /// The next line, joined with those that it goes on in.
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
            // Comments and names in old encodings are no reason to refuse a file.
            line.push_str(&String::from_utf8_lossy(this.strip_suffix(b"\r").unwrap_or(this)));
            if !line.ends_with('\\') {
                return Some(line);
            }
            line.pop();
        }
        (!line.is_empty()).then_some(line)
    }

    fn vertex<'w>(&mut self, words: impl Iterator<Item = &'w str>) -> Result<(), Fault> {
        let words: Vec<&str> = words.collect();
        // A fourth number is a weight; six are a position and a colour, seven both.
        let kept = match words.len() {
            3 | 6 => 3,
            4 | 7 => 4,
            _ => return Err(malformed("a vertex has three or four numbers, and three of colour")),
        };
        self.clean.push('v');
        for word in &words[..kept] {
            match word.parse::<f32>() {
                Ok(number) if number.is_finite() => _ = write!(self.clean, " {word}"),
                _ => return Err(malformed(format!("{word:?} is not a finite number"))),
            }
        }
        self.clean.push('\n');
        self.vertices += 1;
        Ok(())
    }

    fn face<'w>(&mut self, words: impl Iterator<Item = &'w str>) -> Result<(), Fault> {
        self.clean.push('f');
        let mut corners = 0;
        for word in words {
            let index = word.split('/').next().unwrap_or(word);
            let vertex = self.vertex_number(index)?;
            corners += 1;
            _ = write!(self.clean, " {vertex}");
        }
        if corners < 3 {
            return Err(malformed(format!(
                "a face of {corners} corners: it must have three or more"
            )));
        }
        self.clean.push('\n');
        self.triangles += corners - 2;
        within("triangles", self.triangles, self.limits.triangles)
    }

    /// The number, from 1, of the vertex that `index` names.
    fn vertex_number(&self, index: &str) -> Result<u64, Fault> {
        let none = || {
            let count = self.vertices;
            malformed(format!("there is no vertex {index}: {count} come before this face"))
        };
        let number: i64 = index.parse().map_err(|_| none())?;
        let vertex = if number < 0 {
            self.vertices.checked_sub(number.unsigned_abs()).map(|back| back + 1)
        } else {
            u64::try_from(number).ok()
        };
        vertex.filter(|vertex| (1..=self.vertices).contains(vertex)).ok_or_else(none)
    }

    /// Faces from here on belong to another group or material: the rest of `line`.
    fn switch(&mut self, set: impl FnOnce(&mut Tags, String), line: &str) -> Result<(), Fault> {
        let name = line.trim().split_once(|c: char| c.is_ascii_whitespace()).unwrap_or_default().1;
        let name = name.trim();
        if name.len() > LONGEST_NAME {
            let length = name.len();
            return Err(malformed(format!("a name of {length} bytes: {LONGEST_NAME} are allowed")));
        }
        set(&mut self.tags, name.to_owned());
        self.tags.switches += 1;
        within("changes of group or material", self.tags.switches, self.limits.placements)?;
        let tag = self.tags.current();
        _ = writeln!(self.clean, "o {tag}");
        Ok(())
    }
}

impl BufRead for Lines<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.gone == self.clean.len()
            && let Err(fault) = self.advance()
        {
            self.fault = Some(fault);
            return Err(io::ErrorKind::InvalidData.into());
        }
        Ok(&self.clean.as_bytes()[self.gone..])
    }

    fn consume(&mut self, count: usize) {
        self.gone += count;
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

/// Tags by the pair of group and material.
struct Tags {
    group: String,
    material: String,
    names: Vec<String>,
    known: HashMap<String, u32>,
    switches: u64,
}

impl Default for Tags {
    fn default() -> Self {
        Self {
            group: String::new(),
            material: String::new(),
            names: vec![String::new()],
            known: HashMap::from([(String::new(), 0)]),
            switches: 0,
        }
    }
}

impl Tags {
    /// The tag of the present pair; a new one if it has none.
    fn current(&mut self) -> u32 {
        let name = match (self.group.as_str(), self.material.as_str()) {
            (group, "") => group.to_owned(),
            ("", material) => material.to_owned(),
            (group, material) => format!("{group}/{material}"),
        };
        let Self { names, known, .. } = self;
        *known.entry(name).or_insert_with_key(|name| {
            names.push(name.clone());
            (names.len() - 1) as u32
        })
    }
}
