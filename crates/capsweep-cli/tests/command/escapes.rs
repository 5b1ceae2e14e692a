//! No name reaches a terminal as an escape sequence.

use super::*;
use crate::scenes::{ROOM, file, folder, path};

/// A colour, a title, a bell, a line break, DEL, a C1 sequence, and text that runs backwards.
const HOSTILE: &str = "\u{1b}[31m\u{1b}]0;owned\u{7}\n\u{7f}\u{9b}2J\u{202e}gpj\u{2066}";

/// Whether a text has characters that a terminal acts on, apart from line breaks.
fn has_active(printed: &str) -> bool {
    printed.contains(|c: char| {
        c != '\n' && c.is_control() || ('\u{202a}'..='\u{202e}').contains(&c) || c == '\u{2066}'
    })
}

fn printed(words: &[&[&str]]) -> String {
    let Output { stdout, stderr, .. } = run(words);
    text(&stdout).to_owned() + text(&stderr)
}

/// The room, with hostile names of its nodes and materials.
fn hostile_level(folder: &std::path::Path) -> String {
    let glb = crate::scenes::level_glb();
    let length = u32::from_le_bytes(glb[12..16].try_into().unwrap()) as usize;
    let mut json: Value = serde_json::from_slice(&glb[20..20 + length]).unwrap();
    json["nodes"][0]["name"] = HOSTILE.into();
    json["nodes"][1]["name"] = HOSTILE.into();
    json["materials"][0]["name"] = format!("{HOSTILE}x").into();
    let mut json = json.to_string();
    json.extend(std::iter::repeat_n(' ', json.len().next_multiple_of(4) - json.len()));
    let level = crate::scenes::glb(json.as_bytes(), &glb[20 + length + 8..]);
    // The name of the file is hostile too, without the line break.
    file(folder, &format!("{}.glb", HOSTILE.replace('\n', "")), level)
}

#[test]
fn names_from_files_reach_the_terminal_escaped_in_every_command() {
    let folder = folder("escapes");
    let level = hostile_level(&folder);
    let built = path(&folder, &format!("{}.capsweep", HOSTILE.replace('\n', "")));
    let script = json!({"legs": [{"name": HOSTILE, "heading": 0, "seconds": 0.2}]});
    let script = file(&folder, "walk.json", script.to_string());
    let trace = path(&folder, "walk.jsonl");
    let person = ["--feet", "0,0,2", "--radius", "0.4", "--height", "1.8"];
    let commands: [&[&str]; 11] = [
        &["walk", &level, "--script", &script, "--trace", &trace],
        &["replay", &trace, &level],
        &["replay", &trace],
        &["build", &level, "-o", &built],
        &["verify", &built],
        &["inspect", &level, "-v"],
        &["bench", &level, "--seconds", "0.001"],
        &[&["sweep", &level, "--motion", "0,0,-5"], &person[..]].concat(),
        &[&["overlap", &level], &["--feet", "0,0,-0.1"], &person[2..]].concat(),
        &["ray", &level, "--origin", "0,0,2", "--motion", "0,0,-5"],
        &["supports", &level, "--point", "0,0,2"],
    ];
    for words in commands {
        for more in [&[][..], &["--json"]] {
            let printed = printed(&[words, more]);
            assert!(!has_active(&printed), "{words:?}: {printed:?}");
            assert!(
                printed.contains("u{1b}") || printed.contains("u001b"),
                "{words:?}: {printed}"
            );
        }
    }
    let (answer, _) = ask(&[&["ray", &level, "--origin", "0,0,2", "--motion", "0,0,-5"]]);
    assert_eq!(answer["instance_name"], HOSTILE, "the JSON has the original name");
    // A line break in a name does not start a new row.
    let table = printed(&[&["walk", &level, "--script", &script]]);
    assert_eq!(table.lines().count(), 6, "{table}");
    assert!(
        table.contains(r"\u{1b}[31m\u{1b}]0;owned\u{7}\u{a}\u{7f}\u{9b}2J\u{202e}gpj"),
        "{table}"
    );
}

#[test]
fn answers_to_query_lines_are_escaped_and_parse_to_the_same_names() {
    let level = hostile_level(&folder("escapes_lines"));
    let line = r#"{"origin":[0,0,2],"direction":[0,0,-1],"distance":5}"#;
    let queries = format!("{line}\n{{\"\u{9b}2J\": 1}}\n");
    let queries = file(&folder("escapes_lines"), "queries.jsonl", queries);
    let Output { stdout, .. } = run(&[&["ray", &level, "--queries", &queries]]);
    assert!(!has_active(text(&stdout)), "{:?}", text(&stdout));
    let answers: Vec<Value> =
        text(&stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers[0]["instance_name"], HOSTILE);
    assert!(answers[1]["error"].as_str().unwrap().contains("\u{9b}2J"));
}

#[test]
fn errors_are_escaped() {
    let folder = folder("escapes_errors");
    let obj = file(&folder, "bad.obj", format!("{ROOM}f 1 2 {}\n", HOSTILE.replace('\n', "")));
    let extension = json!({"asset": {"version": "2.0"}, "extensionsRequired": [HOSTILE]});
    let extension = file(&folder, "bad.gltf", extension.to_string());
    let version = json!({"asset": {"version": HOSTILE}});
    let version = file(&folder, "version.gltf", version.to_string());
    let missing = path(&folder, &format!("{HOSTILE}.obj"));
    let commands: [&[&str]; 10] = [
        &["inspect", &obj],
        &["inspect", &extension],
        &["inspect", &version],
        &["inspect", &missing],
        &["verify", &missing],
        &["replay", &missing],
        &["walk", "--script", &missing],
        &["overlap", PERSON[0], PERSON[1], "--sphere", HOSTILE],
        &[HOSTILE],
        &["walk", "--character", HOSTILE],
    ];
    for words in commands {
        let error = refusal(&[words]);
        assert!(!has_active(&error), "{words:?}: {error:?}");
        // clap drops whole ANSI sequences itself.
        assert!(error.contains(r"\u{9b}"), "{words:?}: {error}");
    }
}
