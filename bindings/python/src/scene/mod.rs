//! Scenes: opened, built from arrays, changed, saved.

mod args;

pub(crate) use args::PoseArgs;

use crate::error::{self, Fault};
use crate::hit::kind;
use crate::input::{FilterArgs, at, body_id, body_number};
use crate::mesh::{FieldCore, MeshCore};
use crate::shape::ShapeArgs;
use crate::table::{Columns, columns_of, table};
use crate::threads;
use args::{BodyArgs, SheetArgs};
use capsweep::Aabb;
use capsweep::scene::{
    Body, BodyId, Filter, HitTarget, LiquidError, LiquidRole, Liquids, Mobility, PlacedLiquid,
    Pose, Scene, SceneEdit, SceneError, Shape,
};
use capsweep_formats::course::Course;
use capsweep_formats::{Level, Limits, LoadOptions, Names, UpAxis, map_file, scene_file};
use glam::DVec3;
use numpy::{IntoPyArray, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::{PyBytes, PyDict};
use std::convert::Infallible;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

/// A scene and its names. Queries run on a snapshot, so changes never wait for them.
#[pyclass(frozen, module = "capsweep._core")]
pub(crate) struct SceneCore {
    /// Held only to copy or to replace the pointer.
    level: Mutex<Arc<Level>>,
    /// Held during a change: one after the other.
    changes: Mutex<()>,
}

impl SceneCore {
    fn new(level: Level) -> Self {
        Self::shared(Arc::new(level))
    }

    fn shared(level: Arc<Level>) -> Self {
        Self { level: Mutex::new(level), changes: Mutex::new(()) }
    }

    fn level(&self) -> Arc<Level> {
        Arc::clone(&self.level.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The scene as it is now.
    pub(crate) fn snapshot(&self) -> Scene {
        self.level().scene.clone()
    }

    /// Changes a copy of the scene, and puts it in place if the change succeeds. A snapshot in use
    /// keeps its content.
    ///
    /// The lock is taken outside the pool: a worker that waits for a part of its own change may
    /// take over another thread's, and would then wait for itself.
    fn change<R: Send, E: Send>(
        &self,
        py: Python<'_>,
        change: impl FnOnce(&mut Scene) -> Result<R, E> + Send,
    ) -> PyResult<Result<R, E>> {
        let _one = self.changes.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner);
        let before = self.level();
        let changed = threads::work(py, || {
            let mut level = Level::clone(&before);
            change(&mut level.scene).map(|result| (result, Arc::new(level)))
        })?;
        Ok(changed.map(|(result, level)| {
            *self.level.lock().unwrap_or_else(PoisonError::into_inner) = level;
            result
        }))
    }

    fn insert(&self, py: Python<'_>, bodies: Vec<Body>) -> PyResult<Vec<i64>> {
        let inserted: Result<_, Infallible> = self.change(py, |scene| {
            Ok(scene.edit(|edit| {
                bodies.into_iter().map(|body| body_number(edit.insert(body))).collect()
            }))
        })?;
        let Ok(ids) = inserted;
        Ok(ids)
    }
}

/// Position, rotation and scale.
type PoseParts = ([f64; 3], [f64; 4], [f64; 3]);

/// A file to open.
#[derive(FromPyObject)]
pub(crate) struct OpenArgs {
    path: PathBuf,
    z_up: Option<bool>,
    unit: Option<f64>,
    mapped: bool,
    threads: Option<usize>,
}

/// Maps a map file always, and a scene file if the caller asks for it.
#[expect(unsafe_code, reason = "a continent is too large to read for one query")]
fn open(args: &OpenArgs) -> Result<Level, capsweep_formats::LoadError> {
    let limits = Limits::default();
    let up = args.z_up.map(|z_up| if z_up { UpAxis::Z } else { UpAxis::Y });
    let options = LoadOptions { up, unit: args.unit, limits };
    let plain = up.is_none() && args.unit.is_none();
    if plain && map_file::is_map_file(&args.path) {
        let limits = Limits { bytes: u64::MAX, ..limits };
        // SAFETY: The documentation of `capsweep.open` tells callers to replace map files by a
        // rename and never to write into one.
        return Ok(unsafe { map_file::open_mapped(&args.path, &limits) }?.into());
    }
    if plain && args.mapped {
        // SAFETY: As above: a caller that sets `mapped` takes this duty.
        return unsafe { scene_file::open_mapped(&args.path, &limits) };
    }
    capsweep_formats::open(&args.path, &options)
}

table! {
    /// A body.
    BodyRow, BodyColumns, BodyPart {
        body: i64 = -1,
        kind: i8 = -1,
        key: u64 = 0,
        mask: u32 = 0,
        dynamic: bool = false,
        triangles: i64 = 0,
        min: [f64; 3] = crate::hit::NAN3,
        max: [f64; 3] = crate::hit::NAN3,
    }
}

table! {
    /// A triangle of a region, in world coordinates.
    TriangleRow, TrianglePlaceColumns, TrianglePart {
        corners: [f64; 9] = [f64::NAN; 9],
        body: i64 = -1,
        triangle: i64 = -1,
        tag: u32 = 0,
    }
}

#[pymethods]
impl SceneCore {
    #[new]
    fn empty() -> Self {
        Self::new(Level::new(Scene::new(), Names::default()))
    }

    #[staticmethod]
    fn open(py: Python<'_>, args: OpenArgs) -> PyResult<Self> {
        let pool = threads::pool(args.threads)?;
        let level = py.detach(|| pool.install(|| open(&args)));
        level.map(Self::new).map_err(|error| error::load_error(py, &error))
    }

    /// The built-in course, its platform and both ends of the platform's way.
    #[staticmethod]
    fn course(py: Python<'_>) -> PyResult<(Self, i64, [[f64; 3]; 2])> {
        let course = threads::work(py, Course::new)?
            .map_err(|error| error::input_error(py, error.to_string(), "course", None, None))?;
        let ends = course.platform_ends.map(|end| end.to_array());
        Ok((Self::new(course.level), body_number(course.platform), ends))
    }

    #[staticmethod]
    fn from_bytes(py: Python<'_>, bytes: Vec<u8>) -> PyResult<Self> {
        let level = threads::work(py, || scene_file::from_bytes(bytes, "the bytes of a scene"))?;
        level.map(Self::new).map_err(|error| error::load_error(py, &error))
    }

    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let level = self.level();
        let bytes = py.detach(|| scene_file::to_bytes(&level.scene, &level.names));
        PyBytes::new(py, &bytes)
    }

    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<u64> {
        let level = self.level();
        let written = py.detach(|| scene_file::write(&path, &level.scene, &level.names));
        written.map_err(|error| error::os_error(&error, &path.display().to_string()))
    }

    /// An independent scene with the same content.
    fn copy(&self) -> Self {
        Self::shared(self.level())
    }

    fn unit(&self) -> &'static str {
        self.level().map.as_ref().map_or("m", |map| map.file().unit().symbol())
    }

    /// Parts of a map file that turned out to be damaged and are absent.
    fn damage(&self) -> Vec<String> {
        let level = self.level();
        let found = level.map.as_ref().map(|map| map.file().damage()).unwrap_or_default();
        found.iter().map(ToString::to_string).collect()
    }

    fn body_count(&self) -> usize {
        let level = self.level();
        let of_map = level.map.as_ref().map_or(0, |map| map.file().body_count() as usize);
        of_map + level.scene.own_bodies().count()
    }

    /// The box around all bounded bodies. It does not load the bodies of a map.
    fn bounds(&self) -> Option<([f64; 3], [f64; 3])> {
        let level = self.level();
        let of_map = level.map.as_ref().and_then(|map| map.file().bounds());
        let union = |all: Option<Aabb>, one: Aabb| Some(all.map_or(one, |all| all.union(&one)));
        let own = level.scene.own_bodies().filter_map(|(_, body)| body.bounds());
        own.fold(of_map, union).map(|all| (all.min().to_array(), all.max().to_array()))
    }

    /// All bodies; those of a map are loaded.
    fn bodies<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let scene = self.snapshot();
        let rows: Vec<BodyRow> =
            threads::work(py, || scene.bodies().map(|(id, body)| body_row(id, body)).collect())?;
        columns_of::<BodyColumns>(&rows)?.into_dict(py)
    }

    fn body_name(&self, body: i64) -> Option<String> {
        let level = self.level();
        let id = body_id(body)?;
        let body = level.scene.body(id).ok()?;
        let (key, kind) = (body.key(), body.kind());
        let target = HitTarget { body: id, kind, key, triangle: None, tag: 0 };
        level.body_name(&target).map(str::to_owned)
    }

    fn tag_name(&self, tag: u32) -> Option<String> {
        self.level().names.tag(tag).map(str::to_owned)
    }

    /// Position, rotation and scale of a mesh.
    fn pose(&self, py: Python<'_>, body: i64) -> PyResult<Option<PoseParts>> {
        let scene = self.snapshot();
        let body = scene.body(named(body)).map_err(|error| error::scene_error(py, &error))?;
        let parts = |pose: &Pose| {
            (pose.position().to_array(), pose.rotation().to_array(), pose.scale().to_array())
        };
        Ok(body.pose().map(parts))
    }

    /// Triangles whose boxes meet a box, at most `limit` of them; and whether there are more.
    fn triangles<'py>(
        &self,
        py: Python<'py>,
        min: [f64; 3],
        max: [f64; 3],
        limit: usize,
    ) -> PyResult<(Bound<'py, PyDict>, bool)> {
        let bounds =
            Aabb::new(min.into(), max.into()).map_err(|error| Fault::from(error).raise(py))?;
        let (mut rows, mut more, scene) = (Vec::new(), false, self.snapshot());
        py.detach(|| {
            scene.triangles_seen_in(&bounds, &Filter::default(), |found| {
                if rows.len() == limit {
                    more = true;
                    return;
                }
                let mut corners = [0.0; 9];
                let vertices = found.triangle.vertices().map(|corner| corner.to_array());
                corners.copy_from_slice(vertices.as_flattened());
                let body = found.owner.as_ref().map_or(-1, |owner| body_number(owner.body));
                let triangle = i64::from(found.index);
                rows.push(TriangleRow { corners, body, triangle, tag: found.tag });
            });
        });
        Ok((columns_of::<TrianglePlaceColumns>(&rows)?.into_dict(py)?, more))
    }

    /// The bodies that meet a box.
    fn bodies_in<'py>(
        &self,
        py: Python<'py>,
        min: [f64; 3],
        max: [f64; 3],
        filters: FilterArgs<'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let bounds =
            Aabb::new(min.into(), max.into()).map_err(|error| Fault::from(error).raise(py))?;
        let (scene, filter) = (self.snapshot(), filters.view().get(0));
        let mut found = Vec::new();
        py.detach(|| scene.bodies_seen_in(&bounds, &filter, &mut found));
        let numbers: Vec<i64> = found.into_iter().map(body_number).collect();
        Ok(numbers.into_pyarray(py).into_any())
    }

    /// The defect of the trees; `None` in every scene of this package.
    fn defect(&self, py: Python<'_>) -> PyResult<Option<String>> {
        let scene = self.snapshot();
        let checked = threads::work(py, || scene.validate())?;
        Ok(checked.err().map(|defect| defect.to_string()))
    }

    fn add_meshes<'py>(
        &self,
        py: Python<'py>,
        mesh: &MeshCore,
        poses: PoseArgs<'py>,
        bodies: BodyArgs<'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let made = bodies.make(py, |index| {
            let rows = bodies.rows;
            Body::mesh(mesh.shared(), poses.get(index)?).map_err(at(rows, index))
        })?;
        Ok(self.insert(py, made)?.into_pyarray(py).into_any())
    }

    fn add_fields<'py>(
        &self,
        py: Python<'py>,
        field: &FieldCore,
        poses: PoseArgs<'py>,
        bodies: BodyArgs<'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let made = bodies.make(py, |index| {
            let rows = bodies.rows;
            Body::height_field(field.shared(), poses.get(index)?).map_err(at(rows, index))
        })?;
        Ok(self.insert(py, made)?.into_pyarray(py).into_any())
    }

    fn add_shapes<'py>(
        &self,
        py: Python<'py>,
        shapes: ShapeArgs<'py>,
        obstacle: bool,
        bodies: BodyArgs<'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let shapes = shapes.view();
        let made = bodies.make(py, |index| {
            let shape = shapes.get(index)?;
            Ok(if obstacle { Body::obstacle(shape) } else { Body::shape(shape) })
        })?;
        Ok(self.insert(py, made)?.into_pyarray(py).into_any())
    }

    fn move_meshes(
        &self,
        py: Python<'_>,
        bodies: PyReadonlyArray1<'_, i64>,
        poses: PoseArgs<'_>,
    ) -> PyResult<()> {
        let numbered = bodies.as_array();
        let poses: Vec<Pose> = (0..numbered.len())
            .map(|index| poses.get(index).map_err(|fault| fault.raise(py)))
            .collect::<PyResult<_>>()?;
        self.change_all(py, numbered.iter().copied().zip(poses), |scene, body, pose| {
            scene.move_mesh(body, pose)
        })
    }

    fn move_shapes(
        &self,
        py: Python<'_>,
        bodies: PyReadonlyArray1<'_, i64>,
        shapes: ShapeArgs<'_>,
    ) -> PyResult<()> {
        let (numbered, shapes) = (bodies.as_array(), shapes.view());
        let shapes: Vec<Shape> = (0..numbered.len())
            .map(|index| shapes.get(index).map_err(|fault| fault.raise(py)))
            .collect::<PyResult<_>>()?;
        self.change_all(py, numbered.iter().copied().zip(shapes), |scene, body, shape| {
            scene.move_shape(body, shape)
        })
    }

    fn set_mesh(&self, py: Python<'_>, body: i64, mesh: &MeshCore) -> PyResult<()> {
        self.change_all(py, [(body, mesh.shared())], |scene, body, mesh| {
            scene.set_mesh(body, mesh)
        })
    }

    fn remove(&self, py: Python<'_>, bodies: PyReadonlyArray1<'_, i64>) -> PyResult<()> {
        let each = bodies.as_array().iter().map(|body| (*body, ())).collect::<Vec<_>>();
        self.change_all(py, each, |scene, body, ()| scene.remove(body).map(drop))
    }

    /// Adds a sheet of liquid to those of the scene.
    fn add_liquid(
        &self,
        py: Python<'_>,
        sheet: SheetArgs<'_>,
        pose: PoseArgs<'_>,
    ) -> PyResult<()> {
        let pose = pose.get(0).map_err(|fault| fault.raise(py))?;
        let columns = sheet.columns();
        let refused = |error: LiquidError| {
            let argument = match error {
                LiquidError::BadHeight { index, height } => {
                    return error::height_error(py, index, columns, height);
                }
                LiquidError::BadSpacing { .. } => "spacing",
                LiquidError::BadOrigin { .. } => "origin",
                LiquidError::OutOfRange { .. } => "position",
                _ => "heights",
            };
            error::input_error(py, format!("{argument}: {error}"), argument, None, None)
        };
        let sheet = Arc::new(sheet.build().map_err(refused)?);
        let role = LiquidRole::Terrain { ground: None };
        let placed = PlacedLiquid::new(sheet, pose, role).map_err(refused)?;
        let added = self.change(py, |scene| {
            let before = scene.liquids();
            let mut all = before.map_or_else(Vec::new, |liquids| liquids.placed().to_vec());
            let rooms = before.map_or_else(Vec::new, |liquids| liquids.rooms().to_vec());
            all.push(placed);
            scene.set_liquids(Some(Arc::new(Liquids::new(all, rooms)?)));
            Ok(())
        })?;
        added.map_err(refused)
    }

    fn clear_liquids(&self, py: Python<'_>) -> PyResult<()> {
        let Ok(()) = self.change(py, |scene| {
            scene.set_liquids(None);
            Ok::<(), Infallible>(())
        })?;
        Ok(())
    }
}

impl SceneCore {
    /// Changes several bodies, or none if one of the changes is refused.
    fn change_all<T: Send>(
        &self,
        py: Python<'_>,
        changes: impl IntoIterator<Item = (i64, T)>,
        change: impl Fn(&mut SceneEdit<'_>, BodyId, T) -> Result<(), SceneError> + Send + Sync,
    ) -> PyResult<()> {
        let changes: Vec<(i64, T)> = changes.into_iter().collect();
        let changed = self.change(py, |scene| {
            scene.edit(|edit| {
                changes.into_iter().try_for_each(|(body, to)| change(edit, named(body), to))
            })
        })?;
        changed.map_err(|error: SceneError| error::scene_error(py, &error))
    }
}

/// The id of a number. A number below 0 names no body; the greatest one never does either.
fn named(body: i64) -> BodyId {
    body_id(body).unwrap_or_else(|| BodyId::from_numbers(u32::MAX, u32::MAX))
}

fn body_row(id: BodyId, body: &Body) -> BodyRow {
    let of_mesh = body.instance().map(|(mesh, _)| mesh.triangle_count());
    let of_field = body.field_instance().map(|(field, _)| field.triangle_count());
    let (min, max) = body.bounds().map_or((crate::hit::NAN3, crate::hit::NAN3), |bounds| {
        let corner = |corner: DVec3| corner.to_array();
        (corner(bounds.min()), corner(bounds.max()))
    });
    BodyRow {
        body: body_number(id),
        kind: kind(body.kind()),
        key: body.key(),
        mask: body.mask(),
        dynamic: body.mobility() == Mobility::Dynamic,
        triangles: of_mesh.or(of_field).map_or(0, i64::from),
        min,
        max,
    }
}
