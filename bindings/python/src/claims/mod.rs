//! Validation: chains of claimed moves, one character each.

mod args;

use crate::config;
use crate::error::{self, Fault, Refused};
use crate::hit::NAN3;
use crate::input::{Scalars, Vectors, at, body_number, size};
use crate::members::{Members, check_rows, chosen};
use crate::scene::SceneCore;
use crate::table::{Columns, Part, columns_of, room, room_for, run, run_whole, table};
use args::{ClaimArgs, Claims, StartArgs, Starts, limits};
use capsweep::ShapeError;
use capsweep::controller::Abilities;
use capsweep::validate::{
    Accepted, Claim, ClaimWorld, Judgement, Reason, Support, Validator, Verdict,
};
use numpy::{PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::time::{Duration, Instant};

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

/// Time between two looks for Ctrl-C.
const ROUND: Duration = Duration::from_millis(100);

/// A chain that is being judged.
struct Chain<'a> {
    accepted: Accepted,
    /// Row of its first claim.
    first: usize,
    /// Number of its next claim.
    next: usize,
    written: VerdictPart<'a>,
}

impl Chain<'_> {
    /// Judges the next claims, until `end`. After one that is not possible, `restart` may give
    /// another state to go on from.
    fn advance(
        &mut self,
        validator: &Validator,
        world: &ClaimWorld<'_>,
        claims: &Claims<'_>,
        end: Instant,
        restart: impl Fn(&Claim<'_>, Verdict) -> Option<Accepted>,
    ) {
        while !self.is_done() && Instant::now() < end {
            let claim = claims.get(self.first + self.next);
            let judgement = validator.check(world, &self.accepted, &claim);
            self.written.write(self.next, VerdictRow::from(&judgement));
            self.next += 1;
            self.accepted = match judgement.verdict {
                Verdict::Possible => judgement.next,
                verdict => restart(&claim, verdict).unwrap_or(judgement.next),
            };
        }
    }

    fn is_done(&self) -> bool {
        self.next == self.written.rows()
    }
}

/// The states from which chains start.
fn start_all(
    py: Python<'_>,
    threads: Option<usize>,
    validator: &Validator,
    world: &ClaimWorld<'_>,
    starts: &Starts<'_>,
) -> PyResult<Vec<Accepted>> {
    let start = |index, (): &mut ()| starts.start(validator, world, index);
    let started = run(py, threads, &mut vec![(); starts.len()], start)?;
    let accepted = started.into_iter().collect::<Result<_, Fault>>();
    accepted.map_err(|fault| fault.raise(py))
}

/// Rules by which claims are judged.
#[pyclass(frozen, module = "capsweep._core")]
pub(crate) struct ValidatorCore(Validator);

/// The accepted states of n characters.
#[pyclass(frozen, module = "capsweep._core")]
pub(crate) struct ChainsCore {
    validator: Validator,
    accepted: Members<Accepted>,
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
        let accepted = start_all(py, args.threads, &self.0, &world, &starts.view())?;
        Ok(ChainsCore { validator: self.0, accepted: Members::new(accepted) })
    }

    fn restore(&self, py: Python<'_>, states: &str) -> PyResult<ChainsCore> {
        let accepted: Vec<Accepted> = config::read_rows(py, "states", states)?;
        for (index, one) in accepted.iter().enumerate() {
            one.check().map_err(|error| {
                let message = format!("states[{index}]: {error}");
                error::input_error(py, message, "states", Some(index), None)
            })?;
        }
        Ok(ChainsCore { validator: self.0, accepted: Members::new(accepted) })
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
        let (world, claims) = (args.world(&scene, &moved), args.view(py)?);
        let offsets = offsets.as_array();
        let starts = starts.view();
        let rows = offsets.last().map_or(0, |end| *end as usize);
        let ascend = offsets.iter().zip(offsets.iter().skip(1)).all(|(one, next)| one <= next);
        if offsets.first() != Some(&0) || !ascend || offsets.len() != starts.len() + 1 {
            let message = "offsets must begin with 0, ascend and end the last chain".to_owned();
            return Err(error::input_error(py, message, "offsets", None, None));
        }
        let mut columns = room::<VerdictColumns>(rows)?;
        let sizes = offsets.iter().zip(offsets.iter().skip(1));
        let parts = columns.parts(sizes.map(|(first, end)| (end - first) as usize));
        let accepted = start_all(py, args.threads, &self.0, &world, &starts)?;
        let chain = |((written, &first), accepted)| Chain {
            accepted,
            first: first as usize,
            next: 0,
            written,
        };
        let mut chains: Vec<_> = parts.into_iter().zip(offsets).zip(accepted).map(chain).collect();
        // In rounds, so that Ctrl-C ends a long log too.
        while !chains.iter().all(Chain::is_done) {
            let end = Instant::now() + ROUND;
            run_whole(py, args.threads, &mut chains, |number, chain| {
                let limits = starts.limits(number);
                let there = |claim: &Claim<'_>| {
                    self.0.start(&world, claim.feet, claim.velocity, limits).ok()
                };
                // An undecided claim proves nothing, so it puts no character back.
                let restart = |claim: &Claim<'_>, verdict: Verdict| {
                    let goes_on = !(put_back && verdict.is_impossible());
                    goes_on.then(|| there(claim)).flatten()
                };
                chain.advance(&self.0, &world, &claims, end, restart);
            })?;
            py.check_signals()?;
        }
        drop(chains);
        // SAFETY: Every chain wrote all its rows; the offsets begin with 0 and ascend, and there
        // is a start for each of them, so the chains are all rows.
        #[expect(unsafe_code, reason = "the columns are written in parallel")]
        unsafe {
            columns.set_rows(rows);
        }
        columns.into_dict(py)
    }
}

impl ChainsCore {
    /// Changes some states, or none if one change is refused. `rows` is that of their column; a
    /// window has one row.
    fn change(
        &self,
        py: Python<'_>,
        which: &PyReadonlyArray1<'_, i64>,
        rows: usize,
        change: impl Fn(usize, &mut Accepted) -> Result<(), ShapeError>,
    ) -> PyResult<()> {
        let fault = |index, error: ShapeError| {
            let rows = if error.field() == "window" { 1 } else { rows };
            at(rows, index)(error)
        };
        self.accepted.with(py, |accepted| {
            let mut changed = accepted.clone();
            for (index, number) in chosen(which, accepted.len())?.into_iter().enumerate() {
                change(index, &mut changed[number]).map_err(|error| fault(index, error))?;
            }
            *accepted = changed;
            Ok(())
        })
    }
}

#[pymethods]
impl ChainsCore {
    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.accepted.len(py)
    }

    /// Adds the states of `other`, which is empty then; returns the number of the first.
    fn extend(&self, py: Python<'_>, other: &Self) -> PyResult<usize> {
        self.accepted.extend(py, &other.accepted)
    }

    /// Keeps the states for which `keep` has true.
    fn keep(&self, py: Python<'_>, keep: PyReadonlyArray1<'_, bool>) -> PyResult<()> {
        self.accepted.keep(py, &keep)
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
        let (world, claims) = (args.world(&scene, &moved), args.view(py)?);
        let rows = self.accepted.with(py, |accepted| {
            let chosen = chosen(&which, accepted.len())?;
            check_rows("feet", claims.len(), chosen.len())?;
            let mut states = room_for(chosen.len())?;
            states.extend(chosen.iter().map(|&number| accepted[number]));
            let rows = run_whole(py, args.threads, &mut states, |index, state| {
                let judgement = self.validator.check(&world, state, &claims.get(index));
                *state = judgement.next;
                VerdictRow::from(&judgement)
            })?;
            for (number, judged) in chosen.into_iter().zip(states) {
                accepted[number] = judged;
            }
            Ok::<_, Refused>(rows)
        })?;
        columns_of::<VerdictColumns>(&rows)?.into_dict(py)
    }

    fn columns<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
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
        let rows: Vec<AcceptedRow> =
            self.accepted.with(py, |accepted| Ok(accepted.iter().map(row).collect()))?;
        columns_of::<AcceptedColumns>(&rows)?.into_dict(py)
    }

    fn states(&self, py: Python<'_>) -> PyResult<String> {
        let accepted = self.accepted.with(py, |accepted| Ok(accepted.clone()))?;
        config::write(py, "states", &accepted)
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
