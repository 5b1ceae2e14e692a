use super::*;

#[test]
fn every_example_in_the_help_is_answered() {
    for page in
        [&["--help"][..], &["sweep", "--help"], &["overlap", "--help"], &["closest", "--help"]]
    {
        let Output { stdout, status, .. } = run(&[page]);
        assert_eq!(status.code(), Some(0));
        let joined = text(&stdout).replace("\\\n", " ");
        let examples: Vec<_> =
            joined.lines().filter_map(|line| line.strip_prefix("  capsweep ")).collect();
        assert!(!examples.is_empty(), "{page:?} has an example");
        for example in examples {
            let words: Vec<_> = example.split_whitespace().collect();
            assert_eq!(run(&[&words]).status.code(), Some(0), "{example}");
        }
    }
}
