//! Fonts of pictures: which characters they can draw, and how wide those are.

use super::TextSize;
use crate::output::escape;
use noto_sans_mono_bitmap::{FontWeight, RasterHeight, RasterizedChar, get_raster};

/// A font, by the characters it can draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Font {
    /// The built-in bitmap font, for PNG.
    Bitmap,
    /// The fonts of the SVG viewer, which draw every visible character.
    Outline,
}

impl Font {
    /// The text with each undrawable character replaced by its code point, such as `\u{4e2d}`.
    pub(crate) fn drawable(self, text: &str) -> String {
        escape::chars(text, |letter| !self.has(letter)).into_owned()
    }

    fn has(self, letter: char) -> bool {
        match self {
            Self::Bitmap => {
                let has_glyph = |size| bitmap(letter, size).is_some();
                !is_invisible(letter) && has_glyph(TextSize::Small) && has_glyph(TextSize::Title)
            }
            Self::Outline => !is_invisible(letter),
        }
    }
}

/// A glyph of the bitmap font, if it has one.
pub(crate) fn bitmap(letter: char, size: TextSize) -> Option<RasterizedChar> {
    match size {
        TextSize::Small => get_raster(letter, FontWeight::Regular, RasterHeight::Size16),
        TextSize::Title => get_raster(letter, FontWeight::Bold, RasterHeight::Size24),
    }
}

/// Control characters, characters that set the text direction, and code points without a glyph.
fn is_invisible(letter: char) -> bool {
    let code = u32::from(letter);
    letter.is_control()
        || matches!(code, 0xad | 0x61c | 0x180e | 0x200b..=0x200f | 0x2028..=0x202e)
        || matches!(code, 0x2060..=0x206f | 0xe000..=0xf8ff | 0xfdd0..=0xfdef)
        || matches!(code, 0xfe00..=0xfe0f | 0xfeff | 0xfff0..=0xfffb | 0xe_0000..)
        || code & 0xfffe == 0xfffe
}

/// Width of a text in columns of a monospaced font.
pub(crate) fn columns(text: &str) -> usize {
    text.chars().map(|letter| if is_wide(letter) { 2 } else { 1 }).sum()
}

/// Whether monospaced fonts draw a character two columns wide: ideographs, syllables, emoji.
fn is_wide(letter: char) -> bool {
    matches!(
        u32::from(letter),
        0x1100..=0x115f
            | 0x2e80..=0xa4cf
            | 0xac00..=0xd7a3
            | 0xf900..=0xfaff
            | 0xfe30..=0xfe6f
            | 0xff00..=0xff60
            | 0xffe0..=0xffe6
            | 0x1_f300..=0x1_faff
            | 0x2_0000..=0x3_fffd
    )
}

/// Wraps a text at spaces into lines of at most `width` columns; breaks longer words.
pub(crate) fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut().filter(|line| columns(line) + 1 + columns(word) <= width) {
            Some(line) => {
                line.push(' ');
                line.push_str(word);
            }
            None => lines.extend(broken(word, width)),
        }
    }
    lines
}

/// Breaks a word into pieces of at most `width` columns.
fn broken(word: &str, width: usize) -> Vec<String> {
    let mut pieces = vec![String::new()];
    let mut used = 0;
    for letter in word.chars() {
        let more = if is_wide(letter) { 2 } else { 1 };
        if used + more > width && used > 0 {
            pieces.push(String::new());
            used = 0;
        }
        used += more;
        if let Some(piece) = pieces.last_mut() {
            piece.push(letter);
        }
    }
    pieces
}

/// The text if it fits into `width` columns, otherwise its beginning and three dots.
pub(crate) fn shortened(text: &str, width: usize) -> String {
    if columns(text) <= width {
        return text.to_owned();
    }
    let start = broken(text, width.saturating_sub(3).max(1)).swap_remove(0);
    start + "..."
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_that_the_bitmap_font_lacks_are_escaped_and_none_becomes_a_question_mark() {
        let drawable = |text: &str| Font::Bitmap.drawable(text);
        assert_eq!(drawable("Straße Łódź ×2 15°"), "Straße Łódź ×2 15°");
        assert_eq!(drawable("床/木"), "\\u{5e8a}/\\u{6728}");
        assert_eq!(drawable("дом"), "\\u{434}\\u{43e}\\u{43c}");
        for code in 0..=0x2_ffff {
            let Some(letter) = char::from_u32(code) else { continue };
            for size in [TextSize::Small, TextSize::Title] {
                let drawn = drawable(&letter.to_string());
                assert!(drawn.chars().all(|letter| bitmap(letter, size).is_some()), "{code:x}");
                assert!(letter == '?' || !drawn.contains('?'), "{code:x}");
            }
        }
    }

    #[test]
    fn an_svg_keeps_every_visible_character_and_escapes_the_others() {
        let drawable = |text: &str| Font::Outline.drawable(text);
        assert_eq!(drawable("床 дом 🧱 ქარ"), "床 дом 🧱 ქარ");
        assert_eq!(drawable("a\u{1b}[31m\n\u{0}"), "a\\u{1b}[31m\\u{a}\\u{0}");
        assert_eq!(drawable("\u{202e}gpj\u{feff}\u{ffff}"), "\\u{202e}gpj\\u{feff}\\u{ffff}");
        for code in 0..=0x10_ffff {
            let Some(letter) = char::from_u32(code) else { continue };
            let xml = |c: char| !c.is_control() && !matches!(c, '\u{fffe}' | '\u{ffff}');
            assert!(drawable(&letter.to_string()).chars().all(xml), "{code:x}");
        }
    }

    #[test]
    fn escaping_twice_changes_nothing() {
        for font in [Font::Bitmap, Font::Outline] {
            let once = font.drawable("床\u{7}Ł\\u{7}");
            assert_eq!(font.drawable(&once), once);
        }
    }

    #[test]
    fn lines_wrap_at_spaces_and_lose_no_character() {
        assert_eq!(wrapped("a bb ccc dddd", 6), ["a bb", "ccc", "dddd"]);
        assert_eq!(wrapped("abcdefgh ij kl", 5), ["abcde", "fgh", "ij kl"]);
        assert_eq!(wrapped("床床床", 4), ["床床", "床"]);
        assert_eq!(shortened("abcdefgh", 6), "abc...");
        assert_eq!(shortened("abcdef", 6), "abcdef");
    }
}
