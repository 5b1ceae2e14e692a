//! Reads the vertices and faces of an OBJ file; everything else in it is skipped.

use anyhow::{Context, Result, bail, ensure};
use glam::Vec3;

/// Vertices and triangles of `text`. A polygon becomes a fan around its first corner.
///
/// # Errors
/// A number that is none, an index out of range, a face of fewer than three corners, no faces.
pub(crate) fn parse(text: &str) -> Result<(Vec<Vec3>, Vec<[u32; 3]>)> {
    let mut vertices = Vec::new();
    let mut triangles = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let mut words = line.split_whitespace();
        let parsed = match words.next() {
            Some("v") => vertex(words).map(|vertex| vertices.push(vertex)),
            Some("f") => face(words, vertices.len()).map(|corners| fan(&corners, &mut triangles)),
            _ => Ok(()),
        };
        parsed.with_context(|| format!("line {}", number + 1))?;
    }
    ensure!(!triangles.is_empty(), "no faces");
    Ok((vertices, triangles))
}

fn vertex<'a>(mut words: impl Iterator<Item = &'a str>) -> Result<Vec3> {
    let mut number = || -> Result<f32> {
        let number: f32 = words.next().context("a vertex has three numbers")?.parse()?;
        ensure!(number.is_finite(), "a coordinate is not finite");
        Ok(number)
    };
    Ok(Vec3::new(number()?, number()?, number()?))
}

/// Corner indices from 0. OBJ counts from 1, or back from the newest vertex (`-1`).
fn face<'a>(words: impl Iterator<Item = &'a str>, vertex_count: usize) -> Result<Vec<u32>> {
    let mut corners = Vec::new();
    for word in words {
        let index: i64 = word.split('/').next().unwrap_or(word).parse()?;
        let newest = i64::try_from(vertex_count)?;
        let from_zero = if index < 0 { index.saturating_add(newest) } else { index - 1 };
        match u32::try_from(from_zero) {
            Ok(corner) if (corner as usize) < vertex_count => corners.push(corner),
            _ => bail!("there is no vertex {index}"),
        }
    }
    ensure!(corners.len() >= 3, "a face has at least three corners");
    Ok(corners)
}

fn fan(corners: &[u32], triangles: &mut Vec<[u32; 3]>) {
    triangles.extend(corners[1..].windows(2).map(|pair| [corners[0], pair[0], pair[1]]));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn polygons_become_fans_and_negative_indices_count_back() {
        let text = "v 0 0 0\nv 1 0 0\nv 1 2 0\nv 0 2 3\nf 1/7 2/8 3/9 4\nf -4//1 -3//1 -1//1\n";
        let (vertices, triangles) = parse(text).unwrap();
        assert_eq!(vertices[3], Vec3::new(0.0, 2.0, 3.0));
        assert_eq!(triangles, [[0, 1, 2], [0, 2, 3], [0, 1, 3]]);
    }

    #[test]
    fn an_index_out_of_range_names_its_line() {
        let error = parse("v 0 0 0\nv 1 0 0\nf 1 2 3\n").unwrap_err();
        assert_eq!(format!("{error:#}"), "line 3: there is no vertex 3");
    }
}
