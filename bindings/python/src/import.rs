//! The import of a server's maps, and the check of a file.

use crate::error;
use crate::threads;
use capsweep_formats::server_map::import::{
    ImportError, ImportOptions, ImportPart, ImportProgress, import_file,
};
use capsweep_formats::server_map::{LiquidBits, ServerFolders};
use capsweep_formats::{Limits, scene_file};
use pyo3::exceptions::PyLookupError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::ops::ControlFlow;
use std::path::PathBuf;
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

/// Reports progress to `progress(part, done, total)`, whose exceptions end the import. So does
/// Ctrl-C, because Python handles it there.
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
    let (mut raised, mut reported) = (None, Instant::now());
    let mut report = |at: ImportProgress| {
        if reported.elapsed() < REPORT_EVERY && at.done != at.total {
            return ControlFlow::Continue(());
        }
        reported = Instant::now();
        let part = match at.part {
            ImportPart::Tiles => "tiles",
            ImportPart::Models => "models",
            ImportPart::Placements => "placements",
        };
        match Python::attach(|py| progress.call1(py, (part, at.done, at.total))) {
            Ok(_) => ControlFlow::Continue(()),
            Err(error) => {
                raised = Some(error);
                ControlFlow::Break(())
            }
        }
    };
    let pool = threads::pool(args.threads)?;
    let imported = py.detach(|| {
        pool.install(|| import_file(&args.path, &folders, args.map, &options, &mut report))
    });
    let path = args.path.display().to_string();
    let notes = match (imported, raised) {
        (_, Some(raised)) => return Err(raised),
        (Ok(notes), None) => notes,
        (Err(ImportError::Load(error)), None) => return Err(error::load_error(py, &error)),
        (Err(ImportError::Io(error) | ImportError::Write { error, .. }), None) => {
            return Err(error::os_error(&error, &path));
        }
        (Err(error), None) => return Err(PyLookupError::new_err(error.to_string())),
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
