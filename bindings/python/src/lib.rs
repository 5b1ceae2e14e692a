//! The native half of the Python package `capsweep`. `capsweep/_core.pyi` lists what it offers.
//!
//! The Python half checks types and shapes and gives every argument one row or all; this half
//! reads the columns, asks the library and writes columns of answers, all in one parallel loop.

mod claims;
mod config;
mod crowd;
mod error;
mod hit;
mod import;
mod input;
mod lazy;
mod members;
mod memory;
mod mesh;
mod pair;
mod query;
mod scene;
mod shape;
mod steer;
mod table;
mod threads;
mod trace;

use pyo3::prelude::*;

#[pymodule(gil_used = true)]
fn _core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    threads::cores();
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("MAX_POSITION", capsweep::MAX_POSITION)?;
    module.add("MAX_SIZE", capsweep::MAX_SIZE)?;
    module.add_class::<scene::SceneCore>()?;
    module.add_class::<mesh::MeshCore>()?;
    module.add_class::<mesh::FieldCore>()?;
    module.add_function(wrap_pyfunction!(threads::set_threads, module)?)?;
    module.add_function(wrap_pyfunction!(threads::get_threads, module)?)?;
    module.add_function(wrap_pyfunction!(query::sweep, module)?)?;
    module.add_function(wrap_pyfunction!(query::sweep_any, module)?)?;
    module.add_function(wrap_pyfunction!(query::sweep_all, module)?)?;
    module.add_function(wrap_pyfunction!(query::overlap, module)?)?;
    module.add_function(wrap_pyfunction!(query::overlaps, module)?)?;
    module.add_function(wrap_pyfunction!(query::overlap_all, module)?)?;
    module.add_function(wrap_pyfunction!(query::closest, module)?)?;
    module.add_function(wrap_pyfunction!(query::ray, module)?)?;
    module.add_function(wrap_pyfunction!(query::supports, module)?)?;
    module.add_function(wrap_pyfunction!(query::liquid, module)?)?;
    module.add_function(wrap_pyfunction!(query::liquids_over, module)?)?;
    module.add_function(wrap_pyfunction!(query::depenetrate, module)?)?;
    module.add_function(wrap_pyfunction!(pair::pair_sweep, module)?)?;
    module.add_function(wrap_pyfunction!(pair::pair_overlap, module)?)?;
    module.add_function(wrap_pyfunction!(pair::pair_closest, module)?)?;
    module.add_function(wrap_pyfunction!(pair::pair_ray, module)?)?;
    module.add_function(wrap_pyfunction!(steer::steer, module)?)?;
    module.add_function(wrap_pyfunction!(import::import_map, module)?)?;
    module.add_function(wrap_pyfunction!(import::verify, module)?)?;
    module.add_class::<crowd::CrowdCore>()?;
    module.add_class::<lazy::Rows>()?;
    module.add_class::<claims::ValidatorCore>()?;
    module.add_class::<claims::ChainsCore>()?;
    module.add_function(wrap_pyfunction!(config::preset, module)?)?;
    module.add_function(wrap_pyfunction!(config::slope_cos, module)?)?;
    module.add_function(wrap_pyfunction!(config::check_config, module)?)?;
    module.add_function(wrap_pyfunction!(trace::replay, module)?)?;
    Ok(())
}
