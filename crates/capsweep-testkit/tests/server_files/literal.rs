//! Bytes as text: hexadecimal digits and quoted characters; `#` begins a comment.

/// The bytes of a text.
pub(crate) fn literal(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    for line in text.lines() {
        let code = line.split('#').next().unwrap_or_default();
        for token in code.split_whitespace() {
            if let Some(quoted) = token.strip_prefix('\'') {
                bytes.extend_from_slice(quoted.trim_end_matches('\'').as_bytes());
            } else {
                let digits = |k: usize| u8::from_str_radix(&token[k..k + 2], 16);
                bytes.extend((0..token.len()).step_by(2).map(|k| digits(k).expect("hex digits")));
            }
        }
    }
    bytes
}

/// Compares bytes and names the first that differs.
pub(crate) fn assert_bytes(found: &[u8], wanted: &[u8]) {
    let same = found.iter().zip(wanted).take_while(|(one, other)| one == other).count();
    let part = |bytes: &[u8]| bytes[same..bytes.len().min(same + 16)].to_vec();
    assert!(
        found == wanted,
        "at byte {same}: found {:02X?}, wanted {:02X?}; {} and {} bytes",
        part(found),
        part(wanted),
        found.len(),
        wanted.len(),
    );
}
