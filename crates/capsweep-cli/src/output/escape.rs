//! Text from files and from the command line, made harmless for terminals.
//!
//! A name may hold escape sequences, line breaks or characters that reverse the text after them.
//! They are written as `\u{1b}`, so that a name moves no cursor, fakes no row and hides nothing.

use std::borrow::Cow;

/// Whether a terminal may act on a character: control characters (C0, DEL, C1), separators of
/// lines, and those that set the direction of text.
fn acts(c: char) -> bool {
    let directions = matches!(
        c,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
    );
    c.is_control() || directions || matches!(c, '\u{2028}' | '\u{2029}')
}

/// Whether a text holds a character that a terminal may act on.
pub(crate) fn is_needed(text: &str) -> bool {
    text.contains(acts)
}

/// A name or a path, on one line.
pub(crate) fn name(text: &str) -> Cow<'_, str> {
    escaped(text, acts)
}

/// A text of several lines, whose line breaks are meant.
pub(crate) fn lines(text: &str) -> Cow<'_, str> {
    escaped(text, |c| c != '\n' && acts(c))
}

fn escaped(text: &str, acts: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&acts) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if acts(c) {
            out.extend(c.escape_unicode());
        } else {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

/// JSON that means the same. What JSON itself leaves as it is occurs only inside its strings.
pub(crate) fn json(text: String) -> String {
    if !text.contains(acts) {
        return text;
    }
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if acts(c) {
            let mut units = [0; 2];
            out.extend(c.encode_utf16(&mut units).iter().map(|unit| format!("\\u{unit:04x}")));
        } else {
            out.push(c);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOSTILE: &str =
        "a\u{1b}[31m\u{7}\t\r\n\u{7f}\u{9b}2J\u{202e}gpj\u{2066}\u{2028}é\u{200d}字\\";

    #[test]
    fn no_character_that_a_terminal_acts_on_is_left() {
        let escaped = name(HOSTILE);
        assert!(!is_needed(&escaped), "{escaped:?}");
        assert_eq!(
            escaped,
            r"a\u{1b}[31m\u{7}\u{9}\u{d}\u{a}\u{7f}\u{9b}2J\u{202e}gpj\u{2066}\u{2028}é‍字\"
        );
        assert_eq!(lines("a\nb\u{1b}\r\n"), "a\nb\\u{1b}\\u{d}\n");
        assert!(matches!(name("plain é 字"), Cow::Borrowed("plain é 字")));
    }

    #[test]
    fn escaped_json_means_what_it_meant() {
        let plain = serde_json::to_string(&[HOSTILE, "\u{85}"]).unwrap();
        assert!(is_needed(&plain), "serde leaves some of them");
        let escaped = json(plain);
        assert!(!is_needed(&escaped), "{escaped:?}");
        let read: [String; 2] = serde_json::from_str(&escaped).unwrap();
        assert_eq!(read, [HOSTILE, "\u{85}"]);
    }
}
