use super::*;
use crate::scenes::{ROOM, file, folder};

#[test]
fn every_rate_is_told_for_one_thread_and_for_all() {
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
    let told = text(&stdout);
    assert!(told.starts_with("the built-in course\n"), "{told}");
    assert_eq!(told.lines().count(), 9, "{told}");
}

#[test]
fn a_time_without_sense_is_refused() {
    for seconds in ["0", "-1", "NaN", "1e9", "long"] {
        let error = refusal(&[&["bench", "--seconds", seconds]]);
        assert!(error.contains("'--seconds <SECONDS>'"), "{error}");
    }
}
