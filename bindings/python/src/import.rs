//! The import of a server's maps, and the check of a file.

use crate::error;
use crate::threads;
use capsweep_formats::server_map::import::{
    ImportError, ImportOptions, ImportPart, ImportProgress, MapNotes, import_file,
};
use capsweep_formats::server_map::{LiquidBits, ServerFolders};
use capsweep_formats::{Limits, scene_file};
use pyo3::exceptions::{PyLookupError, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// Time between two reports of progress.
const REPORT_EVERY: Duration = Duration::from_millis(50);

/// The folders of a server, and the map to make of them.
#[derive(FromPyObject)]
pub(crate) struct ImportArgs {
    path: PathBuf,
    map: u32,
    vmaps: Option<PathBuf>,
    maps: Option<PathBuf>,
    parent: Option<u32>,
    /// "mangos", "trinity" or `None`: found from the files.
    liquids: Option<String>,
    double_sided: bool,
    threads: Option<usize>,
}

/// What the thread of an import says.
enum News {
    Progress(ImportProgress),
    Done(Box<Result<MapNotes, ImportError>>),
}

/// Reports progress to `progress(part, done, total)`, whose exceptions end the import. So does
/// Ctrl-C. Python handles both in the caller's thread alone, so the import runs in another.
#[pyfunction]
pub(crate) fn import_map<'py>(
    py: Python<'py>,
    args: ImportArgs,
    progress: Py<PyAny>,
) -> PyResult<Bound<'py, PyDict>> {
    let mut options = ImportOptions::default();
    options.parent = args.parent;
    options.double_sided = args.double_sided;
    options.liquid_bits = args
        .liquids
        .as_deref()
        .map(|name| if name == "mangos" { LiquidBits::Mangos } else { LiquidBits::Trinity });
    let folders = ServerFolders { vmaps: args.vmaps, maps: args.maps };
    let pool = threads::pool(args.threads)?;
    let (stop, (teller, mut news)) = (&AtomicBool::new(false), channel());
    let (path, map, folders, options) = (&args.path, args.map, &folders, &options);
    let import = move || {
        let mut reported = Instant::now();
        let mut report = |at: ImportProgress| {
            if stop.load(Ordering::Relaxed) {
                return ControlFlow::Break(());
            }
            if reported.elapsed() >= REPORT_EVERY || at.done == at.total {
                reported = Instant::now();
                // Somebody listens until the import is done.
                let _ = teller.send(News::Progress(at));
            }
            ControlFlow::Continue(())
        };
        let imported = pool.install(|| import_file(path, folders, map, options, &mut report));
        let _ = teller.send(News::Done(Box::new(imported)));
    };
    let call = |at: ImportProgress| {
        let part = match at.part {
            ImportPart::Tiles => "tiles",
            ImportPart::Models => "models",
            ImportPart::Placements => "placements",
        };
        progress.call1(py, (part, at.done, at.total)).map(drop)
    };
    let mut raised = None;
    let imported = std::thread::scope(|scope| {
        scope.spawn(import);
        loop {
            let heard = py.detach(move || (news.recv_timeout(REPORT_EVERY), news));
            news = heard.1;
            let told = match heard.0 {
                Ok(News::Done(imported)) => break Some(*imported),
                Ok(News::Progress(at)) if raised.is_none() => call(at),
                Ok(News::Progress(_)) | Err(RecvTimeoutError::Timeout) => Ok(()),
                Err(RecvTimeoutError::Disconnected) => break None,
            };
            if let Err(error) = told.and_then(|()| py.check_signals()) {
                stop.store(true, Ordering::Relaxed);
                raised = Some(error);
            }
        }
    });
    let path = path.display().to_string();
    let notes = match (imported, raised) {
        (_, Some(raised)) => return Err(raised),
        (Some(Ok(notes)), None) => notes,
        (Some(Err(ImportError::Load(error))), None) => {
            return Err(error::load_error(py, &error));
        }
        (Some(Err(ImportError::Io(error) | ImportError::Write { error, .. })), None) => {
            return Err(error::os_error(&error, &path));
        }
        (Some(Err(error)), None) => return Err(PyLookupError::new_err(error.to_string())),
        (None, None) => return Err(PyRuntimeError::new_err("the import ended early")),
    };
    let counts = PyDict::new(py);
    for (name, count) in [
        ("tiles", notes.tiles.len() as u64),
        ("models", notes.models.len() as u64),
        ("placements", notes.counts.placements),
        ("placed_triangles", notes.counts.placed_triangles),
        ("terrain_triangles", notes.counts.terrain_triangles),
        ("terrain_liquids", notes.counts.terrain_liquids),
        ("model_liquids", notes.counts.model_liquids),
    ] {
        counts.set_item(name, count)?;
    }
    let missing = PyDict::new(py);
    for (name, tally) in [
        ("tiles", &notes.missing.tiles),
        ("models", &notes.missing.models),
        ("object_models", &notes.missing.object_models),
        ("damaged_files", &notes.missing.damaged_files),
        ("unusable_names", &notes.missing.unusable_names),
    ] {
        if tally.count > 0 {
            missing.set_item(name, tally.names.clone())?;
        }
    }
    counts.set_item("missing", missing)?;
    Ok(counts)
}

/// Checks every byte of a scene or map file; returns the defects.
#[pyfunction]
pub(crate) fn verify(py: Python<'_>, path: PathBuf) -> PyResult<Vec<String>> {
    let limits = Limits { bytes: u64::MAX, ..Limits::default() };
    let verified = threads::work(py, || scene_file::verify(&path, &limits))?;
    let verified = verified.map_err(|error| error::load_error(py, &error))?;
    Ok(verified.findings.iter().map(ToString::to_string).collect())
}
