//! Names of models.

use capsweep_formats::server_map::{ModelName, NameError};

#[test]
fn a_name_without_nul_is_looked_for_with_its_extension_first() {
    let name = ModelName::new(b"Goldshireinn.wmo").unwrap();
    assert!(!name.had_nul());
    assert_eq!(name.file_names(), ["Goldshireinn.wmo.vmo", "Goldshireinn.wmo"]);
}

#[test]
fn a_name_ends_at_its_nul_and_is_looked_for_as_it_is_first() {
    for bytes in [&b"Innbed.m2\0"[..], b"Innbed.m2\0/../x"] {
        let name = ModelName::new(bytes).unwrap();
        assert!(name.had_nul());
        assert_eq!(name.as_str(), "Innbed.m2");
        assert_eq!(name.file_names(), ["Innbed.m2", "Innbed.m2.vmo"]);
    }
}

#[test]
fn names_that_could_leave_the_folder_are_refused() {
    for (bytes, error) in [
        (&b""[..], NameError::Empty),
        (b"\0", NameError::Empty),
        (b"..", NameError::Path),
        (b".hidden", NameError::Path),
        (b"../../etc/passwd", NameError::Path),
        (b"/etc/passwd", NameError::Path),
        (b"a/b", NameError::Path),
        (b"a\\b", NameError::Path),
        (b"C:x", NameError::Path),
        (b"a..b", NameError::Path),
        (b"a\nb", NameError::Control),
        (b"a\x7fb", NameError::Control),
        (b"a\xff", NameError::NotText),
        (&[b'a'; 256], NameError::TooLong),
    ] {
        assert_eq!(ModelName::new(bytes), Err(error), "{}", bytes.escape_ascii());
    }
    for bytes in [&b"a"[..], b"A-b_c.2.m2", b"with space.m2", "Bär.m2".as_bytes(), &[b'a'; 255]] {
        assert!(ModelName::new(bytes).is_ok(), "{}", bytes.escape_ascii());
    }
}
