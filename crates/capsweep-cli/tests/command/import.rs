use super::*;
use crate::scenes::{file, folder, path};
use crate::worlds::{import, server, world};
use capsweep_testkit::continent::{Continent, ContinentOptions};
use capsweep_testkit::server_files::Core;
use std::path::Path;

/// The names of the files in a folder.
fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

#[test]
fn worlds_of_both_families_of_servers_are_imported_with_the_same_counts() {
    let continent = &world().continent;
    let mut counts = Vec::new();
    for (core, bits) in [(Core::Vmangos, "mangos"), (Core::AzerothCore, "trinity")] {
        let name = format!("import_{}", core.name());
        let server = server(&name, core, continent);
        let out = path(&folder(&name), "map.capsweep");
        let Output { stdout, stderr, status } = import(&server, &out, &["--json"]);
        assert_eq!(status.code(), Some(0), "{}", text(&stderr));
        let report: Value = serde_json::from_slice(&stdout).unwrap();
        let bytes = std::fs::metadata(&out).unwrap().len();
        assert_eq!(report["bytes"], json!(bytes));
        assert_eq!((&report["map"], &report["unit"]), (&json!(1), &json!("yd")));
        assert_eq!(report["tiles"], json!(continent.tiles.len()));
        assert_eq!(report["liquid_bits"], json!(bits));
        // A tile has 128 by 128 cells of four triangles.
        let triangles = continent.tiles.len() * 128 * 128 * 4;
        assert_eq!(report["terrain_triangles"], json!(triangles));
        for key in ["hole_cells", "model_triangles", "terrain_liquids", "game_objects"] {
            assert!(number(&report[key]) > 0.0, "{key}: {report}");
        }
        // Every kind of missing thing is a warning with names, and no failure.
        let missing = report["missing"].as_array().unwrap();
        assert!(!missing.is_empty(), "{report}");
        let warnings: Vec<&str> = text(&stderr).lines().collect();
        assert_eq!(warnings.len(), missing.len(), "{warnings:?}");
        for (line, missing) in warnings.iter().zip(missing) {
            let what = missing["what"].as_str().unwrap();
            let start = format!("warning: {what} ({}): ", missing["count"]);
            assert!(line.starts_with(&start), "{line}");
            assert!(missing["names"].as_array().unwrap().len() <= 20);
        }
        let keys = ["flat_tiles", "hole_cells", "models", "placements", "placed_triangles"];
        counts.push(keys.map(|key| report[key].clone()));
    }
    assert_eq!(counts[0], counts[1]);
}

#[test]
fn the_summary_says_what_was_imported() {
    let out = path(&folder("import_summary"), "map.capsweep");
    let Output { stdout, status, .. } = import(&world().server, &out, &["--both-sides"]);
    assert_eq!(status.code(), Some(0));
    let summary = text(&stdout);
    assert!(summary.starts_with(&format!("{out}: map 1, in yards\n")), "{summary}");
    for row in ["area ", "tiles ", "models ", "triangles ", "liquids ", "file size ", "time "] {
        assert!(summary.contains(&format!("\n  {row}")), "{row}: {summary}");
    }
}

#[test]
fn missing_folders_and_maps_are_errors_that_leave_no_file() {
    let folder = folder("import_wrong");
    let out = path(&folder, "map.capsweep");
    let [vmaps, maps] = ["vmaps", "maps"].map(|name| path(&world().server, name));
    let missing = path(&folder, "no such folder");
    for flags in [["--vmaps", &missing, "--maps", &maps], ["--vmaps", &vmaps, "--maps", &missing]]
    {
        let error = refusal(&[&["import", "--map", "1", "-o", &out], &flags]);
        assert!(error.starts_with(&format!("error: {missing}: ")), "{error}");
    }
    let both = ["--vmaps", &vmaps, "--maps", &maps];
    let error = refusal(&[&["import", "--map", "77", "-o", &out], &both]);
    assert_eq!(error, "error: no file of map 77; there are files of 1 2\n");
    let empty = path(&crate::scenes::folder("import_empty"), "");
    let error = refusal(&[&["import", "--map", "1", "-o", &out, "--maps", &empty]]);
    assert!(error.contains("are these the vmaps and maps folders"), "{error}");
    let error = refusal(&[&["import", "--map", "1", "-o", &out]]);
    assert!(error.contains("--vmaps"), "{error}");
    assert_eq!(names(&folder), Vec::<String>::new());
}

#[test]
fn outputs_that_cannot_be_written_are_errors() {
    let (folder, server) = (folder("import_output"), &world().server);
    let bad = [path(&folder, "no folder/map.capsweep"), path(&folder, "")];
    for out in bad {
        let Output { stderr, status, .. } = import(server, &out, &[]);
        let error = text(&stderr);
        assert_eq!(status.code(), Some(2), "{error}");
        assert!(error.starts_with(&format!("error: cannot write {out}: ")), "{error}");
    }
    let inside = path(server, "maps/0013131.map");
    let Output { stderr, status, .. } = import(server, &inside, &[]);
    assert_eq!(status.code(), Some(2));
    assert!(text(&stderr).contains("which this command reads"), "{}", text(&stderr));
    // A failed import keeps the old file.
    let old = file(&folder, "old.capsweep", "old");
    let flags = ["--maps", &path(server, "maps"), "--map", "77", "-o", &old];
    refusal(&[&["import"], &flags]);
    assert_eq!(std::fs::read(&old).unwrap(), b"old");
}

/// The signal is sent as soon as the temporary file exists. If the import ends first, the test
/// tries again.
#[cfg(unix)]
#[test]
fn an_interrupted_import_leaves_no_file_and_exits_with_130() {
    let options = ContinentOptions { tiles: 64, models: 200, ..ContinentOptions::SMALL };
    let server = server("import_interrupted", Core::Cmangos, &Continent::new(&options));
    let folder = folder("import_interrupted").join("out");
    let [vmaps, maps] = ["vmaps", "maps"].map(|name| path(&server, name));
    for signal in ["-INT", "-TERM"] {
        let interrupted = (0..20).any(|_| {
            let _ = std::fs::remove_dir_all(&folder);
            std::fs::create_dir_all(&folder).unwrap();
            let out = path(&folder, "map.capsweep");
            let flags = ["--map", "1", "-o", &out, "--threads", "1"];
            let mut child = command(&[&["import", "--vmaps", &vmaps, "--maps", &maps], &flags])
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap();
            while names(&folder).is_empty() && child.try_wait().unwrap().is_none() {
                std::thread::sleep(std::time::Duration::from_millis(1));
            }
            let kill = Command::new("kill").args([signal, &child.id().to_string()]).output();
            kill.unwrap();
            let Output { stderr, status, .. } = child.wait_with_output().unwrap();
            if status.code() == Some(0) {
                return false;
            }
            let note = text(&stderr).to_owned();
            assert_eq!(status.code(), Some(130), "{note}");
            assert_eq!(note, format!("note: interrupted: {out} was not written\n"));
            assert_eq!(names(&folder), Vec::<String>::new(), "nothing is left behind");
            true
        });
        assert!(interrupted, "{signal} always came too late");
    }
}
