//! Validation: chains of claimed moves, one character each.

use crate::config;
use crate::crowd::rows::mode_of;
use crate::error::{self, Fault};
use crate::hit::NAN3;
use crate::input::{FilterArgs, Scalars, Vectors, at, body_number};
use crate::scene::SceneCore;
use crate::table::{Columns, Part, columns_of, run, table};
use capsweep::ShapeError;
use capsweep::controller::{Abilities, Surroundings, Water};
use capsweep::scene::Scene;
use capsweep::validate::{
    Accepted, Claim, ClaimWorld, Judgement, Reason, SpeedLimits, Support, Validator, Verdict,
};
use glam::DVec3;
use numpy::{PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::PyDict;
use std::sync::{Mutex, MutexGuard, PoisonError};

table! {
    /// The judgement of a claim.
    VerdictRow, VerdictColumns, VerdictPart {
        verdict: i8 = -1,
        reason: i8 = -1,
        amount: f64 = f64::NAN,
        at: [f64; 3] = NAN3,
        body: i64 = -1,
        accepted: [f64; 3] = NAN3,
        queries: u32 = 0,
    }
}

table! {
    /// The last accepted state of a character.
    AcceptedRow, AcceptedColumns, AcceptedPart {
        feet: [f64; 3] = NAN3,
        support: i8 = -1,
        reach_credit: f64 = f64::NAN,
        clock_credit: f64 = f64::NAN,
    }
}

impl From<&Judgement> for VerdictRow {
    fn from(judgement: &Judgement) -> Self {
        let (verdict, (reason, amount, body), at) = match judgement.verdict {
            Verdict::Possible => (0, (-1, f64::NAN, -1), NAN3),
            Verdict::Impossible { reason, at } => (1, reason_of(&reason), at.to_array()),
            Verdict::Undecided => (2, (-1, f64::NAN, -1), NAN3),
        };
        let (accepted, queries) = (judgement.next.feet().to_array(), judgement.queries);
        Self { verdict, reason, amount, at, body, accepted, queries }
    }
}

/// Code, amount and body of a reason.
fn reason_of(reason: &Reason) -> (i8, f64, i64) {
    match *reason {
        Reason::TooFast { excess } => (0, excess, -1),
        Reason::ThroughSurface { hit } => (1, f64::NAN, body_number(hit.target.body)),
        Reason::InsideGeometry { depth } => (2, depth, -1),
        Reason::TooSteep => (3, f64::NAN, -1),
        Reason::TooHigh { excess } => (4, excess, -1),
        Reason::Hovering { since } => (5, since, -1),
        Reason::WrongMode => (6, f64::NAN, -1),
        Reason::ClockAhead { excess } => (7, excess, -1),
        Reason::WrongWorld => (8, f64::NAN, -1),
        Reason::InvalidNumber => (9, f64::NAN, -1),
        _ => (10, f64::NAN, -1),
    }
}

/// Claims, by row.
#[derive(FromPyObject)]
pub(crate) struct ClaimArgs<'py> {
    feet: PyReadonlyArray2<'py, f64>,
    dt: PyReadonlyArray1<'py, f64>,
    server_dt: Option<PyReadonlyArray1<'py, f64>>,
    /// Rows of NaN for none.
    velocity: Option<PyReadonlyArray2<'py, f64>>,
    /// -1 for none.
    mode: Option<PyReadonlyArray1<'py, i8>>,
    world: PyReadonlyArray1<'py, u64>,
    /// Number of the world that claims are judged in.
    world_id: u64,
    /// As in a tick.
    water: Option<f64>,
    filter: FilterArgs<'py>,
    threads: Option<usize>,
}

struct Claims<'a> {
    feet: Vectors<'a>,
    dt: Scalars<'a, f64>,
    server_dt: Option<Scalars<'a, f64>>,
    velocity: Option<Vectors<'a>>,
    mode: Option<Scalars<'a, i8>>,
    world: Scalars<'a, u64>,
}

impl ClaimArgs<'_> {
    fn view(&self) -> Claims<'_> {
        Claims {
            feet: Vectors(self.feet.as_array()),
            dt: Scalars(self.dt.as_array()),
            server_dt: self.server_dt.as_ref().map(|rows| Scalars(rows.as_array())),
            velocity: self.velocity.as_ref().map(|rows| Vectors(rows.as_array())),
            mode: self.mode.as_ref().map(|rows| Scalars(rows.as_array())),
            world: Scalars(self.world.as_array()),
        }
    }

    fn world<'a>(&self, scene: &'a Scene) -> ClaimWorld<'a> {
        let filter = self.filter.view();
        let water = match self.water {
            None => Water::Scene,
            Some(surface) if surface.is_nan() => Water::None,
            Some(surface) => Water::Plane { surface },
        };
        let surroundings = Surroundings { filter: filter.get(0), ignore: filter.ignore(0) };
        ClaimWorld { surroundings, water, id: self.world_id, ..ClaimWorld::new(scene) }
    }
}

/// A vector, unless the row is NaN.
fn given(rows: Option<Vectors<'_>>, index: usize) -> Option<DVec3> {
    rows.map(|rows| rows.get(index)).filter(|vector| !vector.is_nan_mask().all())
}

impl Claims<'_> {
    fn get(&self, index: usize) -> Claim<'static> {
        let dt = self.dt.get(index);
        let mode = self.mode.and_then(|mode| u8::try_from(mode.get(index)).ok());
        Claim {
            server_dt: self.server_dt.map_or(dt, |rows| rows.get(index)),
            velocity: given(self.velocity, index),
            mode: mode.map(mode_of),
            world: self.world.get(index),
            ..Claim::new(self.feet.get(index), dt)
        }
    }
}

/// Rules by which claims are judged.
#[pyclass(frozen, module = "capsweep._core")]
pub(crate) struct ValidatorCore(Validator);

/// The accepted states of n characters.
#[pyclass(frozen, module = "capsweep._core")]
pub(crate) struct ChainsCore {
    validator: Validator,
    accepted: Mutex<Vec<Accepted>>,
}

/// The starts of chains.
#[derive(FromPyObject)]
pub(crate) struct StartArgs<'py> {
    feet: PyReadonlyArray2<'py, f64>,
    /// Rows of NaN for unknown.
    velocity: Option<PyReadonlyArray2<'py, f64>>,
    /// Speed limits as columns: ground, swim, fly.
    speeds: PyReadonlyArray2<'py, f64>,
}

/// Views of [`StartArgs`], which other threads can read.
struct Starts<'a> {
    feet: Vectors<'a>,
    velocity: Option<Vectors<'a>>,
    speeds: Vectors<'a>,
}

impl StartArgs<'_> {
    fn view(&self) -> Starts<'_> {
        Starts {
            feet: Vectors(self.feet.as_array()),
            velocity: self.velocity.as_ref().map(|rows| Vectors(rows.as_array())),
            speeds: Vectors(self.speeds.as_array()),
        }
    }
}

impl Starts<'_> {
    fn start(
        &self,
        validator: &Validator,
        world: &ClaimWorld<'_>,
        index: usize,
    ) -> Result<Accepted, Fault> {
        let Self { feet, velocity, speeds } = *self;
        validator
            .start(world, feet.get(index), given(velocity, index), limits(&speeds, index))
            .map_err(|error: ShapeError| {
                let rows = match error.field().split('.').next() {
                    Some("speeds") => speeds.len(),
                    Some("velocity") => velocity.map_or(1, |rows| rows.len()),
                    _ => feet.len(),
                };
                // Chains are numbered, even if there is one.
                at(if rows == 1 { 1 } else { usize::MAX }, index)(error)
            })
    }
}

fn limits(rows: &Vectors<'_>, index: usize) -> SpeedLimits {
    let DVec3 { x: ground, y: swim, z: fly } = rows.get(index);
    SpeedLimits { ground, swim, fly }
}

#[pymethods]
impl ValidatorCore {
    #[new]
    fn new(
        py: Python<'_>,
        controller: &str,
        locomotion: &str,
        validation: &str,
    ) -> PyResult<Self> {
        let rules = config::locomotion(py, controller, locomotion)?;
        config::validator(py, rules, validation).map(Self)
    }

    fn start(
        &self,
        py: Python<'_>,
        scene: &SceneCore,
        starts: StartArgs<'_>,
        args: ClaimArgs<'_>,
    ) -> PyResult<ChainsCore> {
        let scene = scene.snapshot();
        let world = args.world(&scene);
        let starts = starts.view();
        let rows = starts.feet.len();
        let start = |index| starts.start(&self.0, &world, index);
        let accepted = (0..rows).map(start).collect::<Result<_, _>>();
        let accepted = accepted.map_err(|fault: Fault| fault.raise(py))?;
        Ok(ChainsCore { validator: self.0, accepted: Mutex::new(accepted) })
    }

    fn restore(&self, py: Python<'_>, states: &str) -> PyResult<ChainsCore> {
        let accepted = config::read(py, "states", states)?;
        Ok(ChainsCore { validator: self.0, accepted: Mutex::new(accepted) })
    }

    /// Judges whole chains: chain `c` has the rows `offsets[c]..offsets[c + 1]`, in order.
    ///
    /// A claim that is not possible ends its way: the chain goes on from where the character is
    /// put back, or, without `put_back`, from where it claims to be.
    #[pyo3(signature = (scene, starts, args, offsets, put_back))]
    fn check_chains<'py>(
        &self,
        py: Python<'py>,
        scene: &SceneCore,
        starts: StartArgs<'py>,
        args: ClaimArgs<'py>,
        offsets: PyReadonlyArray1<'py, i64>,
        put_back: bool,
    ) -> PyResult<Bound<'py, PyDict>> {
        let scene = scene.snapshot();
        let (world, claims, offsets) = (args.world(&scene), args.view(), offsets.as_array());
        let (starts, threads) = (starts.view(), args.threads);
        let rows = offsets.last().map_or(0, |end| *end as usize);
        let ascend = offsets.iter().zip(offsets.iter().skip(1)).all(|(one, next)| one <= next);
        if offsets.first() != Some(&0) || !ascend {
            let message = "offsets must begin with 0 and ascend".to_owned();
            return Err(error::input_error(py, message, "offsets", None, None));
        }
        let mut columns = VerdictColumns::with_capacity(rows);
        let faults = {
            let mut tasks = Vec::with_capacity(offsets.len().saturating_sub(1));
            let mut left = columns.parts(rows, 1).into_iter();
            for chain in 0..offsets.len().saturating_sub(1) {
                let (first, end) = (offsets[chain] as usize, offsets[chain + 1] as usize);
                let written: Vec<VerdictPart<'_>> = left.by_ref().take(end - first).collect();
                tasks.push((first, written));
            }
            run(py, threads, &mut tasks, |chain, (first, written)| {
                let mut accepted = match starts.start(&self.0, &world, chain) {
                    Ok(accepted) => accepted,
                    Err(fault) => return Some(fault),
                };
                for (index, part) in written.iter_mut().enumerate() {
                    let claim = claims.get(*first + index);
                    let judgement = self.0.check(&world, &accepted, &claim);
                    part.write(0, VerdictRow::from(&judgement));
                    accepted = judgement.next;
                    let goes_on = !put_back && judgement.verdict != Verdict::Possible;
                    let limits = limits(&starts.speeds, chain);
                    let there = goes_on
                        .then(|| self.0.start(&world, claim.feet, claim.velocity, limits).ok());
                    accepted = there.flatten().unwrap_or(accepted);
                }
                None
            })?
        };
        if let Some(fault) = faults.into_iter().flatten().next() {
            return Err(fault.raise(py));
        }
        // SAFETY: Without a fault, every chain wrote all its rows; the offsets begin with 0 and
        // ascend, so the chains are all rows.
        #[expect(unsafe_code, reason = "the columns are written in parallel")]
        unsafe {
            columns.set_rows(rows);
        }
        columns.into_dict(py)
    }
}

impl ChainsCore {
    /// The wait does not hold the interpreter's lock: the holder may need it.
    fn accepted(&self, py: Python<'_>) -> MutexGuard<'_, Vec<Accepted>> {
        self.accepted.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes some states, or none if one change is refused.
    fn change(
        &self,
        py: Python<'_>,
        which: &PyReadonlyArray1<'_, i64>,
        rows: usize,
        change: impl Fn(usize, &mut Accepted) -> Result<(), ShapeError>,
    ) -> PyResult<()> {
        let mut accepted = self.accepted(py);
        let mut changed = accepted.clone();
        for (index, &number) in which.as_array().iter().enumerate() {
            change(index, &mut changed[number as usize])
                .map_err(|error| at(rows, index)(error).raise(py))?;
        }
        *accepted = changed;
        Ok(())
    }
}

#[pymethods]
impl ChainsCore {
    fn __len__(&self, py: Python<'_>) -> usize {
        self.accepted(py).len()
    }

    /// Judges one claim of each character.
    fn check<'py>(
        &self,
        py: Python<'py>,
        scene: &SceneCore,
        args: ClaimArgs<'py>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let scene = scene.snapshot();
        let (world, claims) = (args.world(&scene), args.view());
        let mut accepted = self.accepted(py);
        let rows = run(py, args.threads, &mut accepted, |index, accepted| {
            let judgement = self.validator.check(&world, accepted, &claims.get(index));
            *accepted = judgement.next;
            VerdictRow::from(&judgement)
        })?;
        columns_of::<VerdictColumns>(&rows).into_dict(py)
    }

    fn columns<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let accepted = self.accepted(py);
        let row = |one: &Accepted| AcceptedRow {
            feet: one.feet().to_array(),
            support: match one.support() {
                Support::Ground => 0,
                Support::Steep => 1,
                Support::Water => 2,
                Support::Air => 3,
            },
            reach_credit: one.reach_credit(),
            clock_credit: one.clock_credit(),
        };
        let rows: Vec<AcceptedRow> = accepted.iter().map(row).collect();
        columns_of::<AcceptedColumns>(&rows).into_dict(py)
    }

    fn states(&self, py: Python<'_>) -> PyResult<String> {
        let accepted = self.accepted(py);
        config::write(py, "states", &*accepted)
    }

    fn displace(
        &self,
        py: Python<'_>,
        which: PyReadonlyArray1<'_, i64>,
        by: PyReadonlyArray2<'_, f64>,
    ) -> PyResult<()> {
        let by = Vectors(by.as_array());
        self.change(py, &which, by.len(), |index, one| one.displace(by.get(index)))
    }

    fn knock_back(
        &self,
        py: Python<'_>,
        which: PyReadonlyArray1<'_, i64>,
        velocity: PyReadonlyArray2<'_, f64>,
        window: f64,
    ) -> PyResult<()> {
        let velocity = Vectors(velocity.as_array());
        self.change(py, &which, velocity.len(), |index, one| {
            one.knock_back(velocity.get(index), window)
        })
    }

    fn change_speeds(
        &self,
        py: Python<'_>,
        which: PyReadonlyArray1<'_, i64>,
        speeds: PyReadonlyArray2<'_, f64>,
        window: f64,
    ) -> PyResult<()> {
        let speeds = Vectors(speeds.as_array());
        self.change(py, &which, speeds.len(), |index, one| {
            one.change_speeds(limits(&speeds, index), window)
        })
    }

    fn set_abilities(
        &self,
        py: Python<'_>,
        which: PyReadonlyArray1<'_, i64>,
        abilities: &str,
    ) -> PyResult<()> {
        let abilities: Abilities = config::read(py, "abilities", abilities)?;
        self.change(py, &which, 1, |_, one| {
            one.set_abilities(abilities);
            Ok(())
        })
    }
}
