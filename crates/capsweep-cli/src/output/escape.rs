//! Escapes text from files and from the command line for terminals.
//!
//! A name may contain escape sequences, line breaks or characters that reverse the following text.
//! They are printed as `\u{1b}`, so that no name moves the cursor, fakes a row or hides text.

use std::borrow::Cow;

/// Whether a terminal may act on a character: control characters (C0, DEL, C1), line separators,
/// and characters that set the text direction.
fn is_active(c: char) -> bool {
    let directions = matches!(
        c,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
    );
    c.is_control() || directions || matches!(c, '\u{2028}' | '\u{2029}')
}

/// Whether a text has a character that a terminal may act on.
pub(crate) fn is_needed(text: &str) -> bool {
    text.contains(is_active)
}

/// Escapes a name or a path; the result has one line.
pub(crate) fn name(text: &str) -> Cow<'_, str> {
    chars(text, is_active)
}

/// Escapes a text of several lines and keeps its line breaks.
pub(crate) fn lines(text: &str) -> Cow<'_, str> {
    chars(text, |c| c != '\n' && is_active(c))
}

/// Replaces the characters that match by their code points, such as `\u{1b}`.
pub(crate) fn chars(text: &str, matches: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&matches) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if matches(c) {
            out.extend(c.escape_unicode());
        } else {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

/// Escapes JSON; the result parses to the same value.
///
/// In valid JSON these characters occur only inside strings, where `\u001b` means the same.
pub(crate) fn json(text: String) -> String {
    if !is_needed(&text) {
        return text;
    }
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if is_active(c) {
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
    fn no_character_that_a_terminal_acts_on_remains() {
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
    fn escaped_json_parses_to_the_same_value() {
        let plain = serde_json::to_string(&[HOSTILE, "\u{85}"]).unwrap();
        assert!(is_needed(&plain), "serde_json escapes only some of them");
        let escaped = json(plain);
        assert!(!is_needed(&escaped), "{escaped:?}");
        let read: [String; 2] = serde_json::from_str(&escaped).unwrap();
        assert_eq!(read, [HOSTILE, "\u{85}"]);
    }
}
