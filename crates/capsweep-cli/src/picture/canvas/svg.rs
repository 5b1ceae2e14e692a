//! Writes a canvas as SVG.

use super::{Anchor, Canvas, Colour, Item, Stroke, TextSize, advance, png};
use anyhow::Result;
use glam::DVec2;
use std::fmt::Write;

pub(crate) fn write(canvas: &Canvas) -> Result<Vec<u8>> {
    let mut svg = String::new();
    let DVec2 { x: width, y: height } = canvas.size;
    writeln!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" \
         font-family=\"'Noto Sans Mono','DejaVu Sans Mono',Menlo,Consolas,monospace\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>"
    )?;
    for item in &canvas.items {
        draw(&mut svg, item)?;
    }
    svg.push_str("</svg>\n");
    Ok(svg.into_bytes())
}

fn draw(svg: &mut String, item: &Item) -> Result<()> {
    match item {
        Item::Image { at, size, raster } => {
            let data = base64(&png::encode(raster)?);
            writeln!(
                svg,
                "<image x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" \
                 preserveAspectRatio=\"none\" href=\"data:image/png;base64,{data}\"/>",
                number(at.x),
                number(at.y),
                number(size.x),
                number(size.y)
            )?;
        }
        Item::Lines { lines, stroke } => {
            let path: String = lines.iter().map(|line| path(line)).collect();
            writeln!(
                svg,
                "<path d=\"{path}\" fill=\"none\" stroke-linecap=\"round\" \
                 stroke-linejoin=\"round\" {}/>",
                stroked(stroke)
            )?;
        }
        Item::Areas { areas, fill } => {
            let path: String = areas.iter().map(|area| path(area) + "Z").collect();
            writeln!(svg, "<path d=\"{path}\" {}/>", filled(*fill))?;
        }
        Item::Pill { center, size, fill, stroke } => {
            let radius = size.min_element() / 2.0;
            rectangle(svg, [*center - *size / 2.0, *size], radius, (*fill, stroke))?;
        }
        Item::Rect { rect, fill, stroke } => {
            rectangle(svg, [rect.low, rect.size()], 0.0, (*fill, stroke))?;
        }
        Item::Text { at, text, anchor, size, colour } => {
            let anchor = match anchor {
                Anchor::Left => "start",
                Anchor::Middle => "middle",
                Anchor::Right => "end",
            };
            // Characters of these fonts are 0.6 of the font size wide.
            let font_size = advance(*size) / 0.6;
            let weight = if *size == TextSize::Title { " font-weight=\"bold\"" } else { "" };
            writeln!(
                svg,
                "<text x=\"{}\" y=\"{}\" text-anchor=\"{anchor}\" font-size=\"{}\"{weight} \
                 xml:space=\"preserve\" {}>{}</text>",
                number(at.x),
                // The middle of a character is 0.35 of the font size over its baseline. Some
                // viewers ignore `dominant-baseline`.
                number(at.y + 0.35 * font_size),
                number(font_size),
                filled(*colour),
                escape(text)
            )?;
        }
    }
    Ok(())
}

fn rectangle(
    svg: &mut String,
    [at, size]: [DVec2; 2],
    radius: f64,
    (fill, stroke): (Colour, &Stroke),
) -> Result<()> {
    writeln!(
        svg,
        "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"{}\" {} {}/>",
        number(at.x),
        number(at.y),
        number(size.x),
        number(size.y),
        number(radius),
        filled(fill),
        stroked(stroke)
    )?;
    Ok(())
}

fn path(points: &[DVec2]) -> String {
    let command = |(i, point): (usize, &DVec2)| {
        let letter = if i == 0 { 'M' } else { 'L' };
        format!("{letter}{} {}", number(point.x), number(point.y))
    };
    points.iter().enumerate().map(command).collect()
}

/// One decimal, a tenth of a pixel, keeps files small.
fn number(value: f64) -> String {
    let text = format!("{value:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

fn filled(colour: Colour) -> String {
    paint("fill", colour)
}

fn stroked(stroke: &Stroke) -> String {
    let mut text = paint("stroke", stroke.colour);
    let _ = write!(text, " stroke-width=\"{}\"", number(stroke.width));
    if stroke.dash > 0.0 {
        let _ = write!(text, " stroke-dasharray=\"{0} {0}\"", number(stroke.dash));
    }
    text
}

/// The attributes of a colour; `attribute` is `fill` or `stroke`.
fn paint(attribute: &str, Colour([r, g, b, alpha]): Colour) -> String {
    let mut text = format!("{attribute}=\"#{r:02x}{g:02x}{b:02x}\"");
    if alpha < 255 {
        let _ = write!(text, " {attribute}-opacity=\"{:.2}\"", f64::from(alpha) / 255.0);
    }
    text
}

/// Escapes text for XML. Control characters, which XML forbids, become spaces.
fn escape(text: &str) -> String {
    text.chars().fold(String::new(), |mut out, letter| {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            letter if letter.is_control() => out.push(' '),
            letter => out.push(letter),
        }
        out
    })
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let bits = three.iter().fold(0u32, |bits, byte| bits << 8 | u32::from(*byte));
        let bits = bits << (8 * (3 - three.len()));
        for digit in 0..4 {
            let letter = LETTERS[(bits >> (18 - 6 * digit)) as usize & 63];
            text.push(if digit <= three.len() { char::from(letter) } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_pads_to_a_multiple_of_four() {
        let words = ["", "f", "fo", "foo", "foob"].map(|word| base64(word.as_bytes()));
        assert_eq!(words, ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg=="]);
    }

    #[test]
    fn text_cannot_break_out_of_its_element() {
        assert_eq!(escape("a<b>&\"\u{7}"), "a&lt;b&gt;&amp;&quot; ");
    }
}
