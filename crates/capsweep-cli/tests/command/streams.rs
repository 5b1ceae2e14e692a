use super::*;

/// Runs with a closed pipe as stdout. Returns the exit code and stderr.
fn run_into_closed_pipe(words: &[&[&str]]) -> (Option<i32>, String) {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let child = command(words).stdout(writer).stderr(Stdio::piped()).spawn().unwrap();
    let Output { stderr, status, .. } = child.wait_with_output().unwrap();
    (status.code(), text(&stderr).to_owned())
}

#[test]
fn a_closed_pipe_is_quiet_and_keeps_the_exit_code() {
    let quiet = String::new();
    assert_eq!(run_into_closed_pipe(&[&["closest"], &PERSON, &FLOOR]), (Some(0), quiet.clone()));
    assert_eq!(run_into_closed_pipe(&[&["overlap"], &PERSON, &FLOOR]), (Some(1), quiet.clone()));
    assert_eq!(run_into_closed_pipe(&[&["overlap", "--json"], &PERSON, &FLOOR]), (Some(1), quiet));
}

#[test]
fn a_walk_into_a_closed_pipe_is_quiet() {
    let quiet = String::new();
    assert_eq!(run_into_closed_pipe(&[&["walk"]]), (Some(0), quiet.clone()));
    assert_eq!(run_into_closed_pipe(&[&["walk", "--json"]]), (Some(0), quiet));
}

#[test]
fn help_into_a_closed_pipe_does_not_panic() {
    assert_eq!(run_into_closed_pipe(&[&["--help"]]), (Some(0), String::new()));
}

#[test]
fn an_error_into_a_closed_pipe_does_not_panic() {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let status = command(&[&["overlap"], &FLOOR]).stderr(writer).status().unwrap();
    assert_eq!(status.code(), Some(2));
}

#[cfg(target_os = "linux")]
#[test]
fn an_answer_that_cannot_be_written_is_an_error() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let query: [&[&str]; 3] = [&["closest"], &PERSON, &FLOOR];
    let child = command(&query).stdout(full).stderr(Stdio::piped()).spawn().unwrap();
    let Output { stderr, status, .. } = child.wait_with_output().unwrap();
    assert_eq!(status.code(), Some(2));
    assert!(text(&stderr).starts_with("error: cannot write the answer: "));
}
