use super::*;
use crate::scenes::{ROOM, file, folder};

#[test]
fn the_number_of_threads_is_capped_with_a_note() {
    let cores = std::thread::available_parallelism().unwrap().get();
    let most = (4 * cores).max(16);
    for asked in ["65535", "18446744073709551615"] {
        let words = ["bench", "--seconds", "0.001", "--json", "--threads", asked];
        let Output { stdout, stderr, status } = run(&[&words]);
        let answer: Value = serde_json::from_slice(&stdout).unwrap();
        assert_eq!((status.code(), &answer["threads"]), (Some(0), &json!(most)));
        let wanted = format!("note: --threads {asked} is more than this machine of {cores} cores");
        assert!(text(&stderr).starts_with(&wanted), "{}", text(&stderr));
    }
    // The cap applies to rayon's own variable too.
    let words = ["bench", "--seconds", "0.001", "--json"];
    let output = command(&[&words]).env("RAYON_NUM_THREADS", "65535").output().unwrap();
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["threads"], json!(most));
    assert!(text(&output.stderr).starts_with("note: RAYON_NUM_THREADS 65535 is more"));
}

#[test]
fn every_row_has_a_rate_for_one_thread_and_for_all() {
    let room = file(&folder("bench"), "room.obj", ROOM);
    for scene in [&[][..], &[room.as_str()]] {
        let (answer, code) = ask(&[&["bench", "--seconds", "0.001", "--threads", "2"], scene]);
        assert_eq!((code, &answer["threads"]), (0, &json!(2)));
        let rates = answer["rates"].as_array().unwrap();
        assert_eq!(rates.len(), 7);
        for rate in rates {
            let [one, all] = ["one_thread", "all_threads"].map(|key| rate[key].as_f64().unwrap());
            assert!(one > 0.0 && one.is_finite() && all > 0.0 && all.is_finite(), "{rate}");
        }
        assert_eq!(rates[6]["what"], json!("controller move"));
    }
}

#[test]
fn the_readable_answer_is_a_table() {
    let Output { stdout, stderr, status } = run(&[&["bench", "--seconds", "0.001"]]);
    assert_eq!((status.code(), text(&stderr)), (Some(0), ""));
    let table = text(&stdout);
    assert!(table.starts_with("the built-in course\n"), "{table}");
    assert_eq!(table.lines().count(), 9, "{table}");
}

#[test]
fn an_invalid_time_is_refused() {
    for seconds in ["0", "-1", "NaN", "1e9", "long"] {
        let error = refusal(&[&["bench", "--seconds", seconds]]);
        assert!(error.contains("'--seconds <SECONDS>'"), "{error}");
    }
}
