//! Logs on stderr. Without `-v` there are none; `main` prints errors.

use tracing::level_filters::LevelFilter;

pub(crate) fn start(verbosity: u8) {
    let level = match verbosity {
        0 => LevelFilter::OFF,
        1 => LevelFilter::INFO,
        2 => LevelFilter::DEBUG,
        _ => LevelFilter::TRACE,
    };
    tracing_subscriber::fmt()
        .with_max_level(level)
        .with_writer(std::io::stderr)
        .without_time()
        .init();
}
