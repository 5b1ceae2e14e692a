//! What is wrong with JSON, for those who know better where it is.

/// What an error says, without the line and column that it ends in.
pub(crate) fn without_place(error: &serde_json::Error) -> String {
    let what = error.to_string();
    what.rsplit_once(" at line ").map_or(what.as_str(), |(what, _)| what).to_owned()
}
