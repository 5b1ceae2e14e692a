//! The `capsweep-server` command.

use anyhow::Result;
use capsweep_server::options::{LogFormat, Options};
use capsweep_server::server::Server;
use clap::Parser as _;
use std::process::ExitCode;
use tokio::signal::unix::{SignalKind, signal};
use tracing::{error, info};
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

fn main() -> ExitCode {
    let options = Options::parse();
    if let Err(error) = start_log(&options) {
        eprintln!("error: --log {}: {error:#}", options.log);
        return ExitCode::from(2);
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let ended = match runtime {
        Ok(runtime) => {
            let ended = runtime.block_on(run(options));
            // A world that is still being read must not hold up the end.
            runtime.shutdown_background();
            ended
        }
        Err(error) => Err((1, error.into())),
    };
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err((code, error)) => {
            error!("{error:#}");
            ExitCode::from(code)
        }
    }
}

fn start_log(options: &Options) -> Result<()> {
    let filter: Targets = options.log.parse()?;
    let log = tracing_subscriber::registry().with(filter);
    let lines = tracing_subscriber::fmt::layer().with_writer(std::io::stderr);
    match options.log_format {
        LogFormat::Text => log.with(lines.with_ansi(false)).init(),
        LogFormat::Json => log.with(lines.json()).init(),
    }
    Ok(())
}

async fn run(options: Options) -> Result<(), (u8, anyhow::Error)> {
    let bad = |error: anyhow::Error| (2, error);
    let server = Server::bind(options.config().map_err(bad)?).await.map_err(bad)?;
    let failed = |error: anyhow::Error| (1, error);
    let (listen, admin) = (server.address().map_err(bad)?, server.admin_address().map_err(bad)?);
    let signal = |kind| signal(kind).map_err(|error| failed(error.into()));
    let (mut hangup, mut term) = (signal(SignalKind::hangup())?, signal(SignalKind::terminate())?);
    let mut interrupt = signal(SignalKind::interrupt())?;
    info!(%listen, %admin, "listening");
    let reloader = server.reloader();
    tokio::spawn(async move {
        while hangup.recv().await.is_some() {
            info!("SIGHUP: reading worlds and tokens again");
            reloader.reload().await;
        }
    });
    let drain = server.drain();
    let leave = async move {
        tokio::select! {
            _ = term.recv() => info!("SIGTERM"),
            _ = interrupt.recv() => info!("SIGINT"),
        }
    };
    // If the server was never ready, the worlds could not be loaded.
    let ended = server.run(leave).await;
    ended.map_err(|error| (if drain.was_ready() { 1 } else { 2 }, error))
}
