//! Writes a canvas as PNG.

use super::font::bitmap;
use super::{Canvas, Colour, Item, Raster, Stroke, TextSize, advance, width_of};
use anyhow::{Context, Result};
use glam::DVec2;
use tiny_skia::{
    FillRule, FilterQuality, LineCap, LineJoin, Mask, Paint, Path, PathBuilder, Pixmap,
    PixmapPaint, StrokeDash, Transform,
};

pub(crate) fn write(canvas: &Canvas) -> Result<Vec<u8>> {
    let [width, height] = canvas.size.to_array().map(|pixels| pixels.ceil() as u32);
    let mut pixels = Pixmap::new(width, height).context("the picture has no size")?;
    pixels.fill(tiny_skia::Color::WHITE);
    for item in &canvas.items {
        draw(&mut pixels, item);
    }
    Ok(pixels.encode_png()?)
}

/// Encodes a raster as a PNG file, for SVG to embed.
pub(crate) fn encode(raster: &Raster) -> Result<Vec<u8>> {
    Ok(pixmap(raster).context("an image has no size")?.encode_png()?)
}

fn pixmap(raster: &Raster) -> Option<Pixmap> {
    let mut pixels = Pixmap::new(raster.width, raster.height)?;
    for (pixel, rgb) in pixels.data_mut().chunks_exact_mut(4).zip(raster.rgb.chunks_exact(3)) {
        pixel[..3].copy_from_slice(rgb);
        pixel[3] = 255;
    }
    Some(pixels)
}

/// Draws an item; one without extent is skipped.
fn draw(pixels: &mut Pixmap, item: &Item) {
    match item {
        Item::Image { at, size, raster } => {
            let Some(image) = pixmap(raster) else { return };
            let scale = *size / DVec2::new(f64::from(raster.width), f64::from(raster.height));
            let transform = Transform::from_row(
                scale.x as f32,
                0.0,
                0.0,
                scale.y as f32,
                at.x as f32,
                at.y as f32,
            );
            let paint = PixmapPaint { quality: FilterQuality::Bilinear, ..PixmapPaint::default() };
            pixels.draw_pixmap(0, 0, image.as_ref(), &paint, transform, None);
        }
        Item::Lines { lines, stroke } => {
            outline(pixels, polygons(lines, false).as_ref(), stroke);
        }
        Item::Areas { areas, fill } => fill_path(pixels, polygons(areas, true).as_ref(), *fill),
        Item::Pill { center, size, fill, stroke } => {
            let path = pill(*center, *size);
            fill_path(pixels, path.as_ref(), *fill);
            outline(pixels, path.as_ref(), stroke);
        }
        Item::Rect { rect, fill, stroke } => {
            let (at, size) = (rect.low, rect.size());
            let [x, y, w, h] = [at.x, at.y, size.x, size.y].map(|v| v as f32);
            let path = tiny_skia::Rect::from_xywh(x, y, w, h).map(PathBuilder::from_rect);
            fill_path(pixels, path.as_ref(), *fill);
            outline(pixels, path.as_ref(), stroke);
        }
        Item::Text { at, text, anchor, size, colour } => {
            let left = anchor.left(at.x, width_of(text, *size));
            draw_text(pixels, DVec2::new(left, at.y), (text, *size), *colour);
        }
    }
}

fn paint(Colour([r, g, b, alpha]): Colour) -> Paint<'static> {
    let mut paint = Paint { anti_alias: true, ..Paint::default() };
    paint.set_color_rgba8(r, g, b, alpha);
    paint
}

fn fill_path(pixels: &mut Pixmap, path: Option<&Path>, colour: Colour) {
    if let Some(path) = path {
        pixels.fill_path(
            path,
            &paint(colour),
            FillRule::Winding,
            Transform::identity(),
            None::<&Mask>,
        );
    }
}

fn outline(pixels: &mut Pixmap, path: Option<&Path>, stroke: &Stroke) {
    let Some(path) = path.filter(|_| stroke.width > 0.0) else { return };
    let style = tiny_skia::Stroke {
        width: stroke.width as f32,
        line_cap: LineCap::Round,
        line_join: LineJoin::Round,
        dash: StrokeDash::new(vec![stroke.dash as f32; 2], 0.0).filter(|_| stroke.dash > 0.0),
        ..tiny_skia::Stroke::default()
    };
    pixels.stroke_path(path, &paint(stroke.colour), &style, Transform::identity(), None::<&Mask>);
}

fn polygons(lists: &[Vec<DVec2>], closed: bool) -> Option<Path> {
    let mut builder = PathBuilder::new();
    for points in lists {
        for (i, point) in points.iter().map(|point| point.as_vec2()).enumerate() {
            if i == 0 {
                builder.move_to(point.x, point.y);
            } else {
                builder.line_to(point.x, point.y);
            }
        }
        if closed {
            builder.close();
        }
    }
    builder.finish()
}

fn pill(center: DVec2, size: DVec2) -> Option<Path> {
    let (half, center) = ((size / 2.0).as_vec2(), center.as_vec2());
    let r = half.min_element();
    // Length of the Bézier handles of a quarter circle: 4/3 (√2 − 1) radii.
    let k = r * 0.552_284_8;
    let (low, high) = (center - half, center + half);
    let mut b = PathBuilder::new();
    b.move_to(low.x + r, low.y);
    b.line_to(high.x - r, low.y);
    b.cubic_to(high.x - r + k, low.y, high.x, low.y + r - k, high.x, low.y + r);
    b.line_to(high.x, high.y - r);
    b.cubic_to(high.x, high.y - r + k, high.x - r + k, high.y, high.x - r, high.y);
    b.line_to(low.x + r, high.y);
    b.cubic_to(low.x + r - k, high.y, low.x, high.y - r + k, low.x, high.y - r);
    b.line_to(low.x, low.y + r);
    b.cubic_to(low.x, low.y + r - k, low.x + r - k, low.y, low.x + r, low.y);
    b.close();
    b.finish()
}

/// Draws text with the bitmap font. The canvas has escaped all characters that the font lacks.
fn draw_text(pixels: &mut Pixmap, at: DVec2, (text, size): (&str, TextSize), colour: Colour) {
    let glyphs = text.chars().filter_map(|letter| bitmap(letter, size)).zip(0i32..);
    for (glyph, column) in glyphs {
        let left = at.x.round() as i32 + (f64::from(column) * advance(size)).round() as i32;
        let top = (at.y - glyph.height() as f64 / 2.0).round() as i32;
        for (row, y) in glyph.rows().zip(top..) {
            for (coverage, x) in row.iter().zip(left..) {
                blend(pixels, [x, y], colour, *coverage);
            }
        }
    }
}

/// Blends a pixel by the coverage of a glyph, 0 to 255.
fn blend(pixels: &mut Pixmap, [x, y]: [i32; 2], Colour(colour): Colour, coverage: u8) {
    let inside = |v: i32, end: u32| u32::try_from(v).ok().filter(|v| *v < end);
    let (Some(x), Some(y)) = (inside(x, pixels.width()), inside(y, pixels.height())) else {
        return;
    };
    let first = (y * pixels.width() + x) as usize * 4;
    for (channel, ink) in pixels.data_mut()[first..first + 3].iter_mut().zip(colour) {
        let (coverage, ink, old) = (u32::from(coverage), u32::from(ink), u32::from(*channel));
        *channel = ((ink * coverage + old * (255 - coverage)) / 255) as u8;
    }
}
