use super::*;
use crate::scenes::{file, folder, level_glb};
use capsweep_testkit::server_files::Core;

const PAGES: [&[&str]; 14] = [
    &["--help"],
    &["sweep", "--help"],
    &["overlap", "--help"],
    &["closest", "--help"],
    &["ray", "--help"],
    &["supports", "--help"],
    &["import", "--help"],
    &["liquid", "--help"],
    &["inspect", "--help"],
    &["bench", "--help"],
    &["build", "--help"],
    &["verify", "--help"],
    &["validate", "--help"],
    &["-h"],
];

/// Runs in a folder with the files that the examples name. The line for `--queries` in a help text
/// becomes queries.jsonl, and
/// the log in that of `validate` claims.jsonl.
#[test]
fn every_example_in_the_help_runs() {
    let folder = folder("help");
    file(&folder, "level.glb", level_glb());
    file(&folder, "map.obj", crate::scenes::ROOM);
    let world = crate::worlds::world();
    std::fs::copy(&world.map, folder.join("kalimdor.capsweep")).unwrap();
    crate::worlds::server("help", Core::Cmangos, &world.continent);
    for page in PAGES {
        let Output { stdout, status, .. } = run(&[page]);
        assert_eq!(status.code(), Some(0));
        let joined = text(&stdout).replace("\\\n", " ");
        let starting = |start: &str| -> Vec<String> {
            let lines = joined.lines().filter_map(|line| line.strip_prefix(start));
            lines.map(str::to_owned).collect()
        };
        let queries = starting("  {");
        let lines: Vec<_> = queries.iter().map(|line| format!("{{{line}")).collect();
        for name in ["queries.jsonl", "claims.jsonl"] {
            file(&folder, name, lines.join("\n"));
        }
        let examples = starting("  capsweep ");
        assert!(!examples.is_empty(), "{page:?} has an example");
        for example in examples {
            let example = example.split(" > ").next().unwrap();
            let words: Vec<_> = example.split_whitespace().collect();
            let output = command(&[&words]).current_dir(&folder).output().unwrap();
            assert_eq!(output.status.code(), Some(0), "{example}: {}", text(&output.stderr));
        }
        if let [verb @ ("sweep" | "overlap" | "closest" | "ray" | "supports" | "liquid"), _] = page
        {
            assert_eq!(queries.len(), 1, "{verb} shows a line");
            let level = if *verb == "liquid" { "kalimdor.capsweep" } else { "level.glb" };
            let lines = [verb, level, "--queries", "queries.jsonl"];
            let output = command(&[&lines]).current_dir(&folder).output().unwrap();
            assert_eq!(output.status.code(), Some(0), "{verb}: {}", text(&output.stdout));
        }
    }
}

/// docs/query-lines.md shows a line of each kind, and below it the beginning of its answer.
#[test]
fn every_line_in_the_documentation_is_answered_with_the_keys_it_shows() {
    let room = file(&folder("help_lines"), "room.obj", crate::scenes::ROOM);
    let page = include_str!("../../../../docs/query-lines.md");
    let mut kinds = 0;
    for section in page.split("\n## ").skip(2) {
        let verb = section.lines().next().unwrap();
        let (_, block) = section.split_once("```json\n").unwrap();
        let (line, shown) = block.split_once('\n').unwrap();
        let shown = shown.lines().next().unwrap();
        let level = if verb == "liquid" { &crate::worlds::world().map } else { &room };
        let (answers, code) = crate::query_lines::answers(&[&[verb, level]], line);
        assert_eq!((answers.len(), code), (1, 0), "{verb}: {answers:?}");
        let keys = |text: &str| -> Vec<String> {
            text.split('"').skip(1).step_by(2).map(str::to_owned).collect()
        };
        let answered = keys(&answers[0].to_string());
        for word in keys(shown) {
            assert!(answered.contains(&word), "{verb} does not answer {word:?}: {}", answers[0]);
        }
        kinds += 1;
    }
    assert_eq!(kinds, 6);
}

#[test]
fn walk_and_replay_show_examples_and_exit_codes() {
    for (command, words) in [
        ("walk", ["capsweep walk --picture walk.png", "Exit code: 0 walked, 2 error"]),
        (
            "replay",
            [
                "capsweep replay walk.jsonl",
                "Exit code: 0 the same bits, 1 something differs, 2 error",
            ],
        ),
    ] {
        let Output { stdout, status, .. } = run(&[&[command, "--help"]]);
        assert_eq!(status.code(), Some(0));
        assert!(words.iter().all(|words| text(&stdout).contains(words)), "{}", text(&stdout));
    }
}
