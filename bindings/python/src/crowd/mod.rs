//! Crowds: n characters that move at once, with a cache each.

mod character;
pub(crate) mod rows;
pub(crate) mod steps;

use crate::config;
use crate::error::Fault;
use crate::hit::{NAN3, NAN3F, triangle};
use crate::input::{Scalars, Vectors, at, body_number};
use crate::lazy::Rows;
use crate::members::{Members, check_rows, chosen};
use crate::scene::SceneCore;
use crate::table::{Cell, Columns, columns_of, room_for, run, run_whole};
use crate::threads::pool;
use capsweep::ShapeError;
use capsweep::controller::{
    CharacterState, Locomotion, LocomotionState, Obstruction, Surroundings, TraceMove, TraceTick,
};
use character::{Character, unmoved};
use numpy::{PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rayon::prelude::*;
use rows::{
    ContactColumns, ContactRow, DetailColumns, DetailRow, MoveColumns, MoveRow, StateColumns,
    StateRow, contact_row, mode_number,
};
use serde::Serialize;
use std::sync::{Mutex, PoisonError};
use steps::{StepArgs, Steps, check_vector};

/// Characters of one task: a move takes some microseconds.
const MOVES_PER_TASK: usize = 32;

#[pyclass(frozen, module = "capsweep._core")]
pub(crate) struct CrowdCore {
    rules: Locomotion,
    characters: Members<Character>,
}

impl CrowdCore {
    #[inline(always)]
    fn row(&self, one: &Character) -> MoveRow {
        let (state, outcome) = (one.state(), &one.outcome);
        let (obstruction, obstruction_depth) = match outcome.obstruction {
            Obstruction::None => (0, 0.0),
            Obstruction::Blocked => (1, 0.0),
            Obstruction::Squeezed { depth } => (2, depth),
            Obstruction::Crushed { missing } => (3, missing),
        };
        let ground = outcome.ground.as_ref();
        MoveRow {
            feet: self.rules.controller().feet(&state.character).to_array(),
            velocity: state.velocity.to_array(),
            mode: mode_number(state.mode),
            grounded: outcome.is_grounded(),
            requested: outcome.requested.to_array(),
            achieved: outcome.achieved.to_array(),
            carried: outcome.carried.displacement.to_array(),
            stepped: outcome.stepped,
            snapped: outcome.snapped,
            sides: outcome.touching.sides,
            above: outcome.touching.above,
            below: outcome.touching.below,
            obstruction,
            obstruction_depth,
            ground_point: ground.map_or(NAN3, |ground| ground.point.to_array()),
            ground_normal: ground.map_or(NAN3F, |ground| ground.normal.to_array()),
            ground_distance: ground.map_or(f64::NAN, |ground| ground.distance),
            ground_body: ground.map_or(-1, |ground| body_number(ground.target.body)),
            ground_triangle: ground.map_or(-1, |ground| triangle(&ground.target)),
            ground_walkable: ground.is_some_and(|ground| ground.walkable),
            contacts: outcome.contacts.len() as i64,
            queries: outcome.stats.queries(),
        }
    }

    /// Steps every character. Returns what happened, and the lines of the trace if `step` makes
    /// some. If the input of one is bad, no character moves.
    fn step(
        &self,
        py: Python<'_>,
        threads: Option<usize>,
        steps: &Steps<'_>,
        step: impl Fn(usize, &mut Character) -> Result<Option<String>, Fault> + Sync,
    ) -> PyResult<Stepped> {
        let pool = pool(threads)?;
        let (rows, lines) = self.characters.with(py, |characters| {
            steps.check_rows(characters.len())?;
            let mut rows: Vec<MoveRow> = room_for(characters.len())?;
            // Lines of the trace, and faults.
            let events = Mutex::new(Vec::new());
            let make = |(index, one): (usize, &mut Character)| {
                if let Some(event) = step(index, one).transpose() {
                    events.lock().unwrap_or_else(PoisonError::into_inner).push((index, event));
                }
                one.turn();
                self.row(one)
            };
            let numbered = characters.par_iter_mut().enumerate().with_min_len(MOVES_PER_TASK);
            py.detach(|| pool.install(|| rows.par_extend(numbered.map(make))));
            let mut events = events.into_inner().unwrap_or_else(PoisonError::into_inner);
            events.sort_unstable_by_key(|&(index, _)| index);
            let lines = events.into_iter().map(|(_, event)| event).collect::<Result<_, Fault>>();
            if lines.is_err() {
                for one in characters.iter_mut() {
                    one.turn();
                    one.outcome = unmoved(&one.state().character);
                }
            }
            Ok((rows, lines?))
        })?;
        Ok((Rows::new::<MoveColumns>(rows, threads), lines))
    }
}

/// The rows of a step, and the lines of its trace.
type Stepped = (Rows, Vec<String>);

/// A line of a trace.
fn line(step: &impl Serialize) -> Option<String> {
    // Numbers and enums: JSON has them all.
    serde_json::to_string(step).ok()
}

#[pymethods]
impl CrowdCore {
    #[new]
    fn new(
        py: Python<'_>,
        controller: &str,
        locomotion: &str,
        feet: PyReadonlyArray2<'_, f64>,
        cached: bool,
    ) -> PyResult<Self> {
        let rules = config::locomotion(py, controller, locomotion)?;
        let feet = Vectors(feet.as_array());
        let spawn = |index: usize, (): &mut ()| -> Result<Character, Fault> {
            let state =
                rules.controller().spawn(feet.get(index)).map_err(at(usize::MAX, index))?;
            Ok(Character::new(LocomotionState::at_rest(state), cached))
        };
        let spawned = run(py, None, &mut vec![(); feet.len()], spawn)?;
        let characters = spawned.into_iter().collect::<Result<_, _>>();
        let characters = characters.map_err(|fault| fault.raise(py))?;
        Ok(Self { rules, characters: Members::new(characters) })
    }

    /// Characters in stored states.
    #[staticmethod]
    fn from_states(
        py: Python<'_>,
        controller: &str,
        locomotion: &str,
        states: &str,
        cached: bool,
    ) -> PyResult<Self> {
        let rules = config::locomotion(py, controller, locomotion)?;
        let states: Vec<LocomotionState> = config::read_rows(py, "states", states)?;
        let characters = states.into_iter().map(|state| Character::new(state, cached)).collect();
        Ok(Self { rules, characters: Members::new(characters) })
    }

    /// All states, to store.
    fn states(&self, py: Python<'_>) -> PyResult<String> {
        let states: Vec<LocomotionState> = self
            .characters
            .with(py, |characters| Ok(characters.iter().map(|one| *one.state()).collect()))?;
        config::write(py, "states", &states)
    }

    fn set_states(&self, py: Python<'_>, states: &str) -> PyResult<()> {
        let states: Vec<LocomotionState> = config::read_rows(py, "states", states)?;
        self.characters.with(py, |characters| {
            check_rows("states", states.len(), characters.len())?;
            for (one, state) in characters.iter_mut().zip(states) {
                *one.state_mut() = state;
            }
            Ok(())
        })
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.characters.len(py)
    }

    /// Adds the characters of `other`, which is empty then; returns the number of the first.
    fn extend(&self, py: Python<'_>, other: &Self) -> PyResult<usize> {
        self.characters.extend(py, &other.characters)
    }

    /// Keeps the characters for which `keep` has true.
    fn keep(&self, py: Python<'_>, keep: PyReadonlyArray1<'_, bool>) -> PyResult<()> {
        self.characters.keep(py, &keep)
    }

    fn rows(&self, py: Python<'_>) -> PyResult<Rows> {
        let row = |one: &Character| StateRow {
            feet: self.rules.controller().feet(&one.state().character).to_array(),
            center: one.state().character.center().to_array(),
            velocity: one.state().velocity.to_array(),
            mode: mode_number(one.state().mode),
            grounded: one.state().character.is_grounded(),
            height: one.state().character.total_height(),
            ground_body: one.state().character.footing().map_or(-1, |at| body_number(at.body)),
        };
        let rows: Vec<StateRow> =
            self.characters.with(py, |characters| Ok(characters.iter().map(row).collect()))?;
        Ok(Rows::new::<StateColumns>(rows, None))
    }

    /// With `record` each character gives a line of a trace.
    fn tick<'py>(
        &self,
        py: Python<'py>,
        scene: &SceneCore,
        args: StepArgs<'py>,
        record: bool,
    ) -> PyResult<Stepped> {
        let steps = args.view(py)?;
        let (scene, rules) = (scene.snapshot(), &self.rules);
        let step = |index: usize, one: &mut Character| {
            let (state, next, cache, outcome) = one.parts();
            let input = steps.tick_input(index, state);
            *next = rules
                .tick_into(&scene, cache, state, &input, outcome)
                .map_err(|error| steps.fault(index, error))?;
            if !record {
                return Ok(None);
            }
            Ok(line(&TraceTick {
                controller: *rules.controller().config(),
                config: *rules.config(),
                state: *state,
                input,
                next: *next,
                outcome: outcome.clone(),
            }))
        };
        self.step(py, args.threads, &steps, step)
    }

    #[pyo3(name = "move")]
    fn make_moves<'py>(
        &self,
        py: Python<'py>,
        scene: &SceneCore,
        args: StepArgs<'py>,
        record: bool,
    ) -> PyResult<Stepped> {
        let steps = args.view(py)?;
        let (scene, controller) = (scene.snapshot(), self.rules.controller());
        let step = |index: usize, one: &mut Character| {
            let (state, next, cache, outcome) = one.parts();
            let displacement = steps.displacement(index);
            let displacement = displacement.map_err(|error| steps.fault(index, error))?;
            let input = steps.move_input(index, displacement, &state.character);
            controller.move_into(&scene, cache, &state.character, &input, outcome);
            let character = outcome.state;
            let mode = LocomotionState::at_rest(character).mode;
            *next = LocomotionState { character, mode, ..*state };
            if !record {
                return Ok(None);
            }
            let state = state.character;
            let config = *controller.config();
            Ok(line(&TraceMove { config, state, input, outcome: outcome.clone() }))
        };
        self.step(py, args.threads, &steps, step)
    }

    /// The contacts of the last move.
    fn contacts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let rows = self.characters.with(py, |characters| {
            let count = characters.iter().map(|one| one.outcome.contacts.len()).sum();
            let mut rows: Vec<ContactRow> = room_for(count)?;
            py.detach(|| {
                for (index, one) in characters.iter().enumerate() {
                    rows.extend(one.outcome.contacts.iter().map(|at| contact_row(index, at)));
                }
            });
            Ok(rows)
        })?;
        columns_of::<ContactColumns>(&rows)?.into_dict(py)
    }

    /// What the columns of a step leave out.
    fn details<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let row = |one: &Character| {
            let (recovery, ground) = (&one.outcome.recovery, one.outcome.ground.as_ref());
            DetailRow {
                recovery: recovery.displacement.to_array(),
                recovery_left: recovery.left,
                ground_key: ground.map_or(0, |ground| ground.target.key),
                ground_tag: ground.map_or(0, |ground| ground.target.tag),
                ground_velocity: ground.map_or(NAN3, |ground| ground.velocity.to_array()),
            }
        };
        let rows: Vec<DetailRow> =
            self.characters.with(py, |characters| Ok(characters.iter().map(row).collect()))?;
        columns_of::<DetailColumns>(&rows)?.into_dict(py)
    }

    /// Level displacements that part characters which overlap each other.
    fn separate<'py>(&self, py: Python<'py>, max_push: f64) -> PyResult<Bound<'py, PyAny>> {
        let states: Vec<CharacterState> = self.characters.with(py, |characters| {
            Ok(characters.iter().map(|one| one.state().character).collect())
        })?;
        let mut pushes = Vec::new();
        let parted =
            py.detach(|| self.rules.controller().separate(&states, max_push, &mut pushes));
        parted.map_err(|error| Fault::from(error).raise(py))?;
        Cell::into_array(py, pushes.into_iter().map(|push| push.to_array()).collect::<Vec<_>>())
    }

    /// Puts some characters elsewhere, at rest.
    fn teleport(
        &self,
        py: Python<'_>,
        which: PyReadonlyArray1<'_, i64>,
        feet: PyReadonlyArray2<'_, f64>,
    ) -> PyResult<()> {
        let feet = Vectors(feet.as_array());
        self.characters.with(py, |characters| {
            let chosen = chosen(&which, characters.len())?;
            let mut put = room_for(chosen.len())?;
            for (index, &number) in chosen.iter().enumerate() {
                let state = &characters[number].state().character;
                let moved = self.rules.controller().teleport(state, feet.get(index));
                put.push(LocomotionState::at_rest(moved.map_err(at(feet.len(), index))?));
            }
            for (number, state) in chosen.into_iter().zip(put) {
                let one = &mut characters[number];
                one.outcome = unmoved(&state.character);
                *one.state_mut() = state;
            }
            Ok(())
        })
    }

    fn set_velocity(
        &self,
        py: Python<'_>,
        which: PyReadonlyArray1<'_, i64>,
        velocity: PyReadonlyArray2<'_, f64>,
    ) -> PyResult<()> {
        let velocity = Vectors(velocity.as_array());
        for index in 0..velocity.len() {
            let checked =
                check_vector(["velocity.x", "velocity.y", "velocity.z"], velocity.get(index));
            checked.map_err(|error| at(velocity.len(), index)(error).raise(py))?;
        }
        self.characters.with(py, |characters| {
            for (index, number) in chosen(&which, characters.len())?.into_iter().enumerate() {
                characters[number].state_mut().velocity = velocity.get(index);
            }
            Ok(())
        })
    }

    /// Makes some characters taller or smaller where there is room; returns where there was.
    fn resize(
        &self,
        py: Python<'_>,
        scene: &SceneCore,
        which: PyReadonlyArray1<'_, i64>,
        height: PyReadonlyArray1<'_, f64>,
        force: bool,
    ) -> PyResult<Vec<bool>> {
        let heights = Scalars(height.as_array());
        let (scene, controller) = (scene.snapshot(), self.rules.controller());
        let everything = Surroundings::default();
        self.characters.with(py, |characters| {
            let mut chosen = chosen(&which, characters.len())?;
            let sized = run_whole(py, None, &mut chosen, |index, number| {
                let state = &characters[*number].state().character;
                let resized = || -> Result<(bool, CharacterState), ShapeError> {
                    let height = crate::input::size("total_height", heights.get(index))?;
                    let fits = controller.can_resize(&scene, state, height, &everything)?;
                    Ok((fits, controller.resize(state, height)?))
                };
                resized().map_err(at(heights.len(), index))
            })?;
            let sized = sized.into_iter().collect::<Result<Vec<_>, Fault>>()?;
            for (number, (fits, state)) in chosen.into_iter().zip(&sized) {
                if *fits || force {
                    characters[number].state_mut().character = *state;
                }
            }
            Ok(sized.into_iter().map(|(fits, _)| fits).collect())
        })
    }

    /// Moves characters that are stuck to free places; returns which ones are free then.
    fn free(
        &self,
        py: Python<'_>,
        scene: &SceneCore,
        within: f64,
        threads: Option<usize>,
    ) -> PyResult<Vec<bool>> {
        let (scene, controller) = (scene.snapshot(), self.rules.controller());
        let everything = Surroundings::default();
        self.characters.with(py, |characters| {
            let found = run_whole(py, threads, characters, |_, one| {
                controller.find_free_position(&scene, &one.state().character, within, &everything)
            })?;
            let found = found.into_iter().collect::<Result<Vec<_>, ShapeError>>()?;
            for (one, state) in characters.iter_mut().zip(&found) {
                let kept = &mut one.state_mut().character;
                *kept = state.unwrap_or(*kept);
            }
            Ok(found.iter().map(Option::is_some).collect())
        })
    }

    /// Hits, refills, bypassed queries and over-limit boxes of all caches, and their triangles.
    fn cache_stats(&self, py: Python<'_>) -> PyResult<[u64; 5]> {
        self.characters.with(py, |characters| {
            let mut sums = [0; 5];
            for one in characters.iter() {
                let stats = one.cache.stats();
                let counts =
                    [stats.hits, stats.refills, stats.bypassed, stats.over_limit, stats.triangles];
                sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
            }
            Ok(sums)
        })
    }
}
