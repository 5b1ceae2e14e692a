//! Validation: chains of claimed moves, one character each.

mod args;

use crate::config;
use crate::error::{self, Fault};
use crate::hit::NAN3;
use crate::input::{Scalars, Vectors, at, body_number, size};
use crate::scene::SceneCore;
use crate::table::{Columns, Part, columns_of, room, run, run_whole, table};
use args::{ClaimArgs, Claims, StartArgs, limits};
use capsweep::ShapeError;
use capsweep::controller::Abilities;
use capsweep::validate::{
    Accepted, Claim, ClaimWorld, Judgement, Reason, Support, Validator, Verdict,
};
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

/// Claims of one chain between two looks for Ctrl-C: some tenths of a second.
const ROWS_PER_ROUND: usize = 1 << 16;

/// A chain that is being judged.
struct Chain<'a> {
    /// `None` before its start.
    accepted: Option<Accepted>,
    /// Row of its first claim.
    first: usize,
    /// Number of its next claim.
    next: usize,
    written: VerdictPart<'a>,
}

impl Chain<'_> {
    /// Judges the next claims. After one that is not possible, `restart` may give another state to
    /// go on from.
    fn advance(
        &mut self,
        validator: &Validator,
        world: &ClaimWorld<'_>,
        claims: &Claims<'_>,
        mut accepted: Accepted,
        restart: impl Fn(&Claim<'_>) -> Option<Accepted>,
    ) {
        let end = (self.next + ROWS_PER_ROUND).min(self.written.rows());
        for next in self.next..end {
            let claim = claims.get(self.first + next);
            let judgement = validator.check(world, &accepted, &claim);
            self.written.write(next, VerdictRow::from(&judgement));
            accepted = match judgement.verdict {
                Verdict::Possible => judgement.next,
                _ => restart(&claim).unwrap_or(judgement.next),
            };
        }
        self.next = end;
        self.accepted = Some(accepted);
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
        let (scene, moved) = (scene.snapshot(), args.moved(py)?);
        let world = args.world(&scene, &moved);
        let starts = starts.view();
        let mut rows = vec![(); starts.len()];
        let start = |index, (): &mut ()| starts.start(&self.0, &world, index);
        let accepted = run(py, args.threads, &mut rows, start)?;
        let accepted = accepted.into_iter().collect::<Result<_, _>>();
        let accepted = accepted.map_err(|fault: Fault| fault.raise(py))?;
        Ok(ChainsCore { validator: self.0, accepted: Mutex::new(accepted) })
    }

    fn restore(&self, py: Python<'_>, states: &str) -> PyResult<ChainsCore> {
        let accepted: Vec<Accepted> = config::read(py, "states", states)?;
        for (index, one) in accepted.iter().enumerate() {
            one.check().map_err(|error| {
                let message = format!("states[{index}]: {error}");
                error::input_error(py, message, "states", Some(index), None)
            })?;
        }
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
        let (scene, moved) = (scene.snapshot(), args.moved(py)?);
        let (world, claims) = (args.world(&scene, &moved), args.view());
        let offsets = offsets.as_array();
        let starts = starts.view();
        let rows = offsets.last().map_or(0, |end| *end as usize);
        let ascend = offsets.iter().zip(offsets.iter().skip(1)).all(|(one, next)| one <= next);
        if offsets.first() != Some(&0) || !ascend {
            let message = "offsets must begin with 0 and ascend".to_owned();
            return Err(error::input_error(py, message, "offsets", None, None));
        }
        let mut columns = room::<VerdictColumns>(rows)?;
        let sizes = offsets.iter().zip(offsets.iter().skip(1));
        let parts = columns.parts(sizes.map(|(first, end)| (end - first) as usize));
        let chain =
            |(written, &first)| Chain { accepted: None, first: first as usize, next: 0, written };
        let mut chains: Vec<_> = parts.into_iter().zip(offsets).map(chain).collect();
        // In rounds, so that Ctrl-C ends a long chain too.
        let mut is_done = false;
        while !is_done {
            let faults = run(py, args.threads, &mut chains, |number, chain| {
                let accepted = match chain.accepted {
                    Some(accepted) => accepted,
                    None => starts.start(&self.0, &world, number)?,
                };
                let limits = starts.limits(number);
                let there = |claim: &Claim<'_>| {
                    self.0.start(&world, claim.feet, claim.velocity, limits).ok()
                };
                let restart = |claim: &Claim<'_>| if put_back { None } else { there(claim) };
                chain.advance(&self.0, &world, &claims, accepted, restart);
                Ok(())
            })?;
            let fault = faults.into_iter().find_map(Result::err);
            if let Some(fault) = fault {
                return Err(Fault::raise(&fault, py));
            }
            is_done = chains.iter().all(|chain| chain.next == chain.written.rows());
        }
        drop(chains);
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

    /// Adds the states of `other`, which is empty then.
    fn extend(&self, py: Python<'_>, other: &Self) {
        let added = std::mem::take(&mut *other.accepted(py));
        self.accepted(py).extend(added);
    }

    /// Keeps the states for which `keep` has true.
    fn keep(&self, py: Python<'_>, keep: PyReadonlyArray1<'_, bool>) {
        let mut flags = keep.as_array().into_iter().copied();
        self.accepted(py).retain(|_| flags.next().unwrap_or(true));
    }

    /// Judges one claim of each of these characters.
    fn check<'py>(
        &self,
        py: Python<'py>,
        scene: &SceneCore,
        args: ClaimArgs<'py>,
        which: PyReadonlyArray1<'py, i64>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let (scene, moved) = (scene.snapshot(), args.moved(py)?);
        let (world, claims) = (args.world(&scene, &moved), args.view());
        let mut accepted = self.accepted(py);
        let which = which.as_array();
        let mut chosen: Vec<Accepted> =
            which.iter().map(|&number| accepted[number as usize]).collect();
        let rows = run_whole(py, args.threads, &mut chosen, |index, accepted| {
            let judgement = self.validator.check(&world, accepted, &claims.get(index));
            *accepted = judgement.next;
            VerdictRow::from(&judgement)
        })?;
        for (&number, judged) in which.iter().zip(chosen) {
            accepted[number as usize] = judged;
        }
        columns_of::<VerdictColumns>(&rows)?.into_dict(py)
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
        columns_of::<AcceptedColumns>(&rows)?.into_dict(py)
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

    fn resize(
        &self,
        py: Python<'_>,
        which: PyReadonlyArray1<'_, i64>,
        height: PyReadonlyArray1<'_, f64>,
    ) -> PyResult<()> {
        let (height, controller) =
            (Scalars(height.as_array()), self.validator.locomotion().controller());
        self.change(py, &which, height.len(), |index, one| {
            one.resize(controller, size("total_height", height.get(index))?)
        })
    }

    fn set_abilities(
        &self,
        py: Python<'_>,
        which: PyReadonlyArray1<'_, i64>,
        abilities: &str,
    ) -> PyResult<()> {
        let abilities: Abilities = config::read(py, "abilities", abilities)?;
        self.change(py, &which, 1, |_, one| one.set_abilities(abilities))
    }
}
