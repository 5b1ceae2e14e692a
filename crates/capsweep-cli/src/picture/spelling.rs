//! How text is spelled in a picture: with letters that its font has, and the others as `\u{...}`.

use super::canvas::TextSize;
use noto_sans_mono_bitmap::{FontWeight, RasterHeight, RasterizedChar, get_raster};

/// Which letters there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Spelling {
    /// Those of the bitmap font: PNG.
    Bitmap,
    /// Those of the viewer's fonts, which is all that can be seen: SVG.
    Outline,
}

impl Spelling {
    /// The text with every letter that cannot be drawn as its code point, such as `\u{4e2d}`.
    pub(super) fn spell(self, text: &str) -> String {
        text.chars().fold(String::with_capacity(text.len()), |mut spelled, letter| {
            if self.has(letter) {
                spelled.push(letter);
            } else {
                spelled.extend(letter.escape_unicode());
            }
            spelled
        })
    }

    fn has(self, letter: char) -> bool {
        match self {
            Self::Bitmap => {
                let drawn = |size| bitmap(letter, size).is_some();
                !is_hidden(letter) && drawn(TextSize::Small) && drawn(TextSize::Title)
            }
            Self::Outline => !is_hidden(letter),
        }
    }
}

/// A letter of the bitmap font, if it has it.
pub(super) fn bitmap(letter: char, size: TextSize) -> Option<RasterizedChar> {
    match size {
        TextSize::Small => get_raster(letter, FontWeight::Regular, RasterHeight::Size16),
        TextSize::Title => get_raster(letter, FontWeight::Bold, RasterHeight::Size24),
    }
}

/// Control characters, letters that turn the direction of others, and code points that are no letters.
fn is_hidden(letter: char) -> bool {
    let code = u32::from(letter);
    letter.is_control()
        || matches!(code, 0xad | 0x61c | 0x180e | 0x200b..=0x200f | 0x2028..=0x202e | 0x2060..=0x206f)
        || matches!(code, 0xe000..=0xf8ff | 0xfdd0..=0xfdef | 0xfe00..=0xfe0f | 0xfeff)
        || matches!(code, 0xfff0..=0xfffb | 0xe_0000..)
        || code & 0xfffe == 0xfffe
}

/// Letters of ordinary width that a text is as wide as.
pub(super) fn columns(text: &str) -> usize {
    text.chars().map(|letter| if is_wide(letter) { 2 } else { 1 }).sum()
}

/// Ideographs, syllables and pictures, which monospaced fonts draw twice as wide.
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

/// Lines of at most `letters` columns; a longer word is broken.
pub(super) fn wrapped(text: &str, letters: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut().filter(|line| columns(line) + 1 + columns(word) <= letters) {
            Some(line) => {
                line.push(' ');
                line.push_str(word);
            }
            None => lines.extend(broken(word, letters)),
        }
    }
    lines
}

fn broken(word: &str, letters: usize) -> Vec<String> {
    let mut pieces = vec![String::new()];
    let mut wide = 0;
    for letter in word.chars() {
        let more = if is_wide(letter) { 2 } else { 1 };
        if wide + more > letters && wide > 0 {
            pieces.push(String::new());
            wide = 0;
        }
        wide += more;
        if let Some(piece) = pieces.last_mut() {
            piece.push(letter);
        }
    }
    pieces
}

/// The text if it has at most `letters` columns, or else its beginning and dots.
pub(super) fn shortened(text: &str, letters: usize) -> String {
    if columns(text) <= letters {
        return text.to_owned();
    }
    let begin = broken(text, letters.saturating_sub(3).max(1)).swap_remove(0);
    begin + "..."
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_that_the_bitmap_font_lacks_are_escaped_and_none_becomes_a_question_mark() {
        let spell = |text: &str| Spelling::Bitmap.spell(text);
        assert_eq!(spell("Straße Łódź ×2 15°"), "Straße Łódź ×2 15°");
        assert_eq!(spell("床/木"), "\\u{5e8a}/\\u{6728}");
        assert_eq!(spell("дом"), "\\u{434}\\u{43e}\\u{43c}");
        for code in 0..=0x2_ffff {
            let Some(letter) = char::from_u32(code) else { continue };
            for size in [TextSize::Small, TextSize::Title] {
                let spelled = spell(&letter.to_string());
                assert!(spelled.chars().all(|letter| bitmap(letter, size).is_some()), "{code:x}");
                assert!(letter == '?' || !spelled.contains('?'), "{code:x}");
            }
        }
    }

    #[test]
    fn an_svg_keeps_every_letter_that_can_be_seen_and_escapes_the_others() {
        let spell = |text: &str| Spelling::Outline.spell(text);
        assert_eq!(spell("床 дом 🧱 ქარ"), "床 дом 🧱 ქარ");
        assert_eq!(spell("a\u{1b}[31m\n\u{0}"), "a\\u{1b}[31m\\u{a}\\u{0}");
        assert_eq!(spell("\u{202e}gpj\u{feff}\u{ffff}"), "\\u{202e}gpj\\u{feff}\\u{ffff}");
        for code in 0..=0x10_ffff {
            let Some(letter) = char::from_u32(code) else { continue };
            let xml = |c: char| !c.is_control() && !matches!(c, '\u{fffe}' | '\u{ffff}');
            assert!(spell(&letter.to_string()).chars().all(xml), "{code:x}");
        }
    }

    #[test]
    fn spelling_twice_changes_nothing() {
        for spelling in [Spelling::Bitmap, Spelling::Outline] {
            let once = spelling.spell("床\u{7}Ł\\u{7}");
            assert_eq!(spelling.spell(&once), once);
        }
    }

    #[test]
    fn lines_are_wrapped_at_spaces_and_no_letter_is_lost() {
        assert_eq!(wrapped("a bb ccc dddd", 6), ["a bb", "ccc", "dddd"]);
        assert_eq!(wrapped("abcdefgh ij kl", 5), ["abcde", "fgh", "ij kl"]);
        assert_eq!(wrapped("床床床", 4), ["床床", "床"]);
        assert_eq!(shortened("abcdefgh", 6), "abc...");
        assert_eq!(shortened("abcdef", 6), "abcdef");
    }
}
