//! Reads any bytes as a message, answers it as the server does, and reads the answer as a client
//! does. The fuzz target `messages` runs the same code.

use capsweep::cache::TriangleCache;
use capsweep::controller::{
    Carried, Controller, ControllerConfig, Locomotion, LocomotionConfig, LocomotionInput,
    LocomotionState, MoveInput, MoveOutcome, MoveStats, Recovery,
};
use capsweep::query::batch::{ClosestQuery, OverlapQuery, RayQuery, SweepQuery};
use capsweep::scene::{Body, Filter, MeshOptions, Mobility, Pose, Scene, Shape, TriMesh};
use capsweep::validate::{Claim, ClaimTick, ClaimWorld, SpeedLimits, Validator, ValidatorConfig};
use capsweep::{Capsule, Limit, Motion, Obb, Point, Ray, SlopeLimit, Sphere};
use capsweep_proto::{
    Answers, Changes, ClaimPlace, ClaimQuery, ClaimSent, FieldError, Judged, MoveQuery, Moved,
    Omit, Queries, Shaped, Single, StartQuery, SupportsQuery, TickQuery, Ticked, Wire, codec,
    encode_accepted, in_order, v1,
};
use glam::{DQuat, DVec3, Vec3, dvec3, vec3};
use prost::Message;
use std::fmt::Debug;
use std::sync::Arc;

/// Most rows that are answered, and most scene queries for a claim: a run should be short.
const MOST_ROWS: usize = 32;
const MOST_QUERIES: u32 = 2_000;

/// A floor, steps, a ball and a plate that can move.
pub(crate) fn scene() -> Scene {
    let mut scene = Scene::new();
    let floor = [[-9.0, -9.0], [9.0, -9.0], [9.0, 9.0], [-9.0, 9.0]];
    let floor = floor.map(|[x, y]| Vec3::new(x, y, 0.0));
    let mesh = TriMesh::new(&floor, &[[0, 1, 2], [0, 2, 3]], MeshOptions::default()).unwrap();
    let mesh = Arc::new(mesh);
    scene.insert(Body::mesh(Arc::clone(&mesh), Pose::IDENTITY).unwrap().with_key(1));
    for step in 1..4_u8 {
        let height = f32::from(step) * 0.2;
        let center = dvec3(1.0 + 0.5 * f64::from(step), 0.0, 0.5 * f64::from(height));
        let step = Obb::new(center, vec3(0.25, 1.0, 0.5 * height), DQuat::IDENTITY).unwrap();
        scene.insert(Body::shape(Shape::Box(step)).with_key(2));
    }
    let ball = Sphere::new(dvec3(-2.0, 0.0, 0.5), 0.5).unwrap();
    scene.insert(Body::shape(Shape::Sphere(ball)).with_key(3));
    let pose = Pose::from_translation(dvec3(0.0, 6.0, 1.0)).unwrap();
    let plate = Body::mesh(mesh, pose).unwrap().with_mobility(Mobility::Dynamic);
    scene.insert(plate.with_key(4));
    scene
}

fn locomotion() -> Locomotion {
    let controller = Controller::new(ControllerConfig::human(DVec3::Z)).unwrap();
    Locomotion::new(controller, LocomotionConfig::human()).unwrap()
}

/// A valid message of every kind.
pub(crate) fn seeds(scene: &Scene) -> Vec<Vec<u8>> {
    let filter = Filter::default();
    let capsule = Capsule::from_feet(dvec3(0.0, 0.0, 0.1), DVec3::Z, 0.4, 1.8).unwrap();
    let motion = Motion::new(dvec3(2.0, 0.5, -0.5)).unwrap();
    let sweep = SweepQuery { capsule, motion, filter };
    let overlap = OverlapQuery { capsule, filter };
    let closest = ClosestQuery { capsule, limit: Limit::new(3.0).unwrap(), filter };
    let ray = RayQuery { ray: Ray::new(DVec3::ZERO, motion).unwrap(), filter };
    let column = capsweep::query::Column::new(DVec3::ZERO, DVec3::Z, 2.0, 2.0).unwrap();
    let supports = SupportsQuery { column, slope_limit: SlopeLimit::DEGREES_50, filter };
    let point = Point::new(dvec3(0.0, 0.0, 0.5)).unwrap();
    let locomotion = locomotion();
    let controller = locomotion.controller();
    let spawned = controller.spawn(dvec3(0.5, 0.0, 0.0)).unwrap();
    let input = MoveInput::new(motion);
    let stood = controller.move_by(scene, &mut TriangleCache::off(), &spawned, &input).state;
    let moves = [MoveQuery { state: stood, input }, MoveQuery { state: spawned, input }];
    let input = LocomotionInput::new(dvec3(2.0, 0.0, 0.0), 0.05);
    let ticks = [stood, spawned].map(|state| {
        let state = LocomotionState::at_rest(state);
        TickQuery { state, input }
    });
    let validator = Validator::new(locomotion, ValidatorConfig::default()).unwrap();
    let (speeds, world) = (SpeedLimits::human(), ClaimWorld::new(scene));
    let start = StartQuery { feet: dvec3(0.0, 0.5, 0.0), velocity: None, speeds };
    let accepted = validator.start(&world, start.feet, None, speeds).unwrap();
    let accepted = encode_accepted(&accepted).unwrap();
    let inputs = [ClaimTick { walk: dvec3(2.0, 0.0, 0.0), jump: false, dt: 0.1 }];
    let claim = Claim { inputs: &inputs, ..Claim::new(dvec3(0.2, 0.5, 0.0), 0.1) };
    let changes = Changes { speeds: Some(speeds), window: 0.5, ..Changes::default() };
    let sent = ClaimSent { accepted: &accepted, changes: Some(changes), claim };
    let place = ClaimPlace::default();
    vec![
        v1::SweepRequest::from(&sweep).encode_to_vec(),
        v1::SweepBatchRequest::from(&[sweep, sweep][..]).encode_to_vec(),
        v1::OverlapRequest::from(&overlap).encode_to_vec(),
        v1::OverlapBatchRequest::from(&[overlap, overlap][..]).encode_to_vec(),
        v1::ClosestRequest::from(&closest).encode_to_vec(),
        v1::ClosestBatchRequest::from(&[closest, closest][..]).encode_to_vec(),
        v1::RayRequest::from(&ray).encode_to_vec(),
        v1::RayBatchRequest::from(&[ray, ray][..]).encode_to_vec(),
        v1::SupportsRequest::from(&supports).encode_to_vec(),
        v1::SupportsBatchRequest::from(&[supports, supports][..]).encode_to_vec(),
        v1::LiquidRequest::from(&point).encode_to_vec(),
        v1::LiquidBatchRequest::from(&[point, point][..]).encode_to_vec(),
        v1::MoveRequest::new(controller, &moves[0]).encode_to_vec(),
        v1::MoveBatchRequest::new(controller, &moves).encode_to_vec(),
        v1::TickRequest::new(&locomotion, &ticks[0]).encode_to_vec(),
        v1::TickBatchRequest::new(&locomotion, &ticks).encode_to_vec(),
        v1::StartRequest::new(&validator, &place, &[start, start]).encode_to_vec(),
        v1::ValidateRequest::new(&validator, &place, &sent).encode_to_vec(),
        v1::ValidateBatchRequest::new(&validator, &place, &[sent, sent]).encode_to_vec(),
    ]
}

/// Answers bytes as the message of this number in [`seeds`]. An error says why it was refused.
pub(crate) fn run(kind: usize, bytes: &[u8], scene: &Scene) -> Result<(), FieldError> {
    match kind {
        0 => single(bytes, |query: &SweepQuery, _: &v1::SweepRequest| {
            let hit = scene.sweep(&query.capsule, &query.motion, &query.filter);
            round_trip::<_, v1::SweepHit>(hit.as_ref());
        }),
        1 => {
            let request = decode::<v1::SweepBatchRequest>(bytes)?;
            batch::<_, v1::SweepBatchResponse>(&request.queries()?, |query| {
                Ok(scene.sweep(&query.capsule, &query.motion, &query.filter))
            })
        }
        2 => single(bytes, |query: &OverlapQuery, _: &v1::OverlapRequest| {
            let hit = scene.overlap(&query.capsule, &query.filter);
            round_trip::<_, v1::OverlapHit>(hit.as_ref());
        }),
        3 => {
            let request = decode::<v1::OverlapBatchRequest>(bytes)?;
            batch::<_, v1::OverlapBatchResponse>(&request.queries()?, |query| {
                Ok(scene.overlap(&query.capsule, &query.filter))
            })
        }
        4 => single(bytes, |query: &ClosestQuery, _: &v1::ClosestRequest| {
            let hit = scene.closest(&query.capsule, query.limit, &query.filter);
            round_trip::<_, v1::ClosestHit>(hit.as_ref());
        }),
        5 => {
            let request = decode::<v1::ClosestBatchRequest>(bytes)?;
            batch::<_, v1::ClosestBatchResponse>(&request.queries()?, |query| {
                Ok(scene.closest(&query.capsule, query.limit, &query.filter))
            })
        }
        6 => single(bytes, |query: &RayQuery, _: &v1::RayRequest| {
            round_trip::<_, v1::RayHit>(scene.ray(&query.ray, &query.filter).as_ref());
        }),
        7 => {
            let request = decode::<v1::RayBatchRequest>(bytes)?;
            batch::<_, v1::RayBatchResponse>(&request.queries()?, |query| {
                Ok(scene.ray(&query.ray, &query.filter))
            })
        }
        8 => single(bytes, |query: &SupportsQuery, _: &v1::SupportsRequest| {
            let found = supports(scene, query);
            for support in &found {
                round_trip::<_, v1::Support>(Some(support));
            }
        }),
        9 => {
            let request = decode::<v1::SupportsBatchRequest>(bytes)?;
            batch::<_, v1::SupportsBatchResponse>(&request.queries()?, |query| {
                // No surfaces are no rows.
                Ok(Some(supports(scene, query)).filter(|found| !found.is_empty()))
            })
        }
        10 => single(bytes, |point: &Point, _: &v1::LiquidRequest| {
            round_trip::<_, v1::Liquid>(scene.liquid_at(point).as_ref());
        }),
        11 => {
            let request = decode::<v1::LiquidBatchRequest>(bytes)?;
            batch::<_, v1::LiquidBatchResponse>(&request.queries()?, |point| {
                Ok(scene.liquid_at(point))
            })
        }
        12..16 => run_character(kind, bytes, scene),
        _ => run_claim(kind, bytes, scene),
    }
}

fn run_character(kind: usize, bytes: &[u8], scene: &Scene) -> Result<(), FieldError> {
    let off = TriangleCache::off;
    let moved = |controller: &Controller, MoveQuery { state, input }: &MoveQuery| {
        let outcome = controller.move_by(scene, &mut off(), state, input);
        let feet = controller.feet(&outcome.state);
        Moved { outcome, feet }
    };
    let ticked = |locomotion: &Locomotion, TickQuery { state, input }: &TickQuery| {
        let ticked = locomotion.tick(scene, &mut off(), state, input);
        let (state, outcome) = ticked.map_err(FieldError::top)?;
        let feet = locomotion.controller().feet(&state.character);
        Ok::<_, FieldError>(Ticked { state, outcome, feet })
    };
    match kind {
        12 => {
            let (controller, query) = decode::<v1::MoveRequest>(bytes)?.query()?;
            let moved = moved(&controller, &query);
            let message = v1::MoveOutcome::from(&moved);
            same(&message.moved(&controller), &moved);
        }
        13 => {
            let request = decode::<v1::MoveBatchRequest>(bytes)?;
            let controller = request.controller()?;
            let queries = request.queries(&controller)?;
            batch::<_, v1::MoveBatchResponse>(&queries, |query| {
                let Moved { mut outcome, mut feet } = moved(&controller, query);
                leave_out(&mut outcome, &mut feet, queries.omit());
                Ok(Some(Moved { outcome, feet }))
            })?;
        }
        14 => {
            let (locomotion, query) = decode::<v1::TickRequest>(bytes)?.query()?;
            let ticked = ticked(&locomotion, &query)?;
            let message = v1::TickResponse::from(&ticked);
            same(&message.ticked(locomotion.controller()), &ticked);
        }
        _ => {
            let request = decode::<v1::TickBatchRequest>(bytes)?;
            let locomotion = request.locomotion_of_all()?;
            let queries = request.queries(&locomotion)?;
            batch::<_, v1::TickBatchResponse>(&queries, |query| {
                let Ticked { state, mut outcome, mut feet } = ticked(&locomotion, query)?;
                leave_out(&mut outcome, &mut feet, queries.omit());
                Ok(Some(Ticked { state, outcome, feet }))
            })?;
        }
    }
    Ok(())
}

/// An outcome as a client reads it if its answer leaves out columns.
fn leave_out(outcome: &mut MoveOutcome, feet: &mut DVec3, omit: Omit) {
    if !omit.keeps(Omit::GROUND) {
        outcome.ground = None;
    }
    if !omit.keeps(Omit::CONTACTS) {
        outcome.contacts.clear();
    }
    if !omit.keeps(Omit::DISPLACEMENTS) {
        (outcome.requested, outcome.achieved) = (DVec3::ZERO, DVec3::ZERO);
        outcome.carried = Carried { blocked: outcome.carried.blocked, ..Carried::default() };
        outcome.recovery = Recovery::default();
    }
    if !omit.keeps(Omit::STATS) {
        outcome.stats = MoveStats::default();
    }
    if !omit.keeps(Omit::FEET) {
        *feet = DVec3::ZERO;
    }
}

fn run_claim(kind: usize, bytes: &[u8], scene: &Scene) -> Result<(), FieldError> {
    let rules = |config: Option<&v1::ValidatorConfig>, world: Option<&v1::ClaimWorld>| {
        let validator = capsweep_proto::validator(config)?;
        if validator.config().max_queries > ValidatorConfig::default().max_queries {
            return Err(FieldError::new("config.max_queries", "it is too large for the server"));
        }
        let config = ValidatorConfig { max_queries: MOST_QUERIES, ..*validator.config() };
        let validator = Validator::new(*validator.locomotion(), config).expect("a smaller bound");
        Ok((validator, ClaimPlace::decode(world)?))
    };
    let judged = |(validator, place): &(Validator, ClaimPlace), query: &ClaimQuery| {
        let claim = query.claim();
        let judgement = validator.check(&place.in_scene(scene), &query.accepted, &claim);
        let judged = Judged::try_from(&judgement)?;
        // What the server gives can come back.
        let next = capsweep_proto::decode_accepted(&judged.accepted);
        assert_eq!(next.expect("its own state"), judgement.next);
        Ok::<_, FieldError>(judged)
    };
    match kind {
        16 => {
            let request = decode::<v1::StartRequest>(bytes)?;
            let (validator, place) = rules(request.config.as_ref(), request.claim_world.as_ref())?;
            batch::<_, v1::StartResponse>(&request.queries()?, |query| {
                let world = place.in_scene(scene);
                let started = validator.start(&world, query.feet, query.velocity, query.speeds);
                encode_accepted(&started.map_err(FieldError::top)?).map(Some)
            })
        }
        17 => {
            let request = decode::<v1::ValidateRequest>(bytes)?;
            let rules = rules(request.config.as_ref(), request.claim_world.as_ref())?;
            let query = request.query()?;
            if query.inputs.len() <= MOST_ROWS {
                let judged = judged(&rules, &query)?;
                same(&Judged::try_from(v1::Judgement::from(&judged)), &judged);
            }
            Ok(())
        }
        _ => {
            let request = decode::<v1::ValidateBatchRequest>(bytes)?;
            let rules = rules(request.config.as_ref(), request.claim_world.as_ref())?;
            let queries = request.queries()?;
            if request.input_dt.len() > MOST_ROWS {
                return Ok(());
            }
            batch::<_, v1::ValidateBatchResponse>(&queries, |query| {
                judged(&rules, query).map(Some)
            })
        }
    }
}

/// Decodes a message. prost must agree about every byte, in both directions.
fn decode<M: Wire + Shaped>(bytes: &[u8]) -> Result<M, FieldError> {
    let decoded = codec::decode::<M>(bytes);
    let of_prost = M::decode(bytes);
    match &decoded {
        Ok(message) => {
            let again = codec::encode(message);
            assert_eq!(again, of_prost.expect("prost refuses it").encode_to_vec());
            assert_eq!(again, message.encode_to_vec());
        }
        // prost reads groups, and has no limit of memory.
        Err(status) => {
            let has = |text: &str| status.message().contains(text);
            assert!(of_prost.is_err() || has("groups") || has("would take"), "{status}");
        }
    }
    decoded.map_err(|status| FieldError::new("message", status.message()))
}

fn supports(scene: &Scene, query: &SupportsQuery) -> Vec<capsweep::query::Support> {
    let mut found = Vec::new();
    scene.supports(&query.column, query.slope_limit, &query.filter, &mut found);
    found
}

fn single<R: Wire + Single + Shaped>(
    bytes: &[u8],
    ask: impl FnOnce(&R::Query, &R),
) -> Result<(), FieldError> {
    let request = decode::<R>(bytes)?;
    ask(&request.query()?, &request);
    Ok(())
}

/// Debug text tells −0 from 0, so equal text is equal bits.
fn same<T: Debug>(read: &Result<T, FieldError>, sent: &T) {
    let read = read.as_ref().expect("an answer of the server");
    assert_eq!(format!("{read:?}"), format!("{sent:?}"));
}

/// An answer as a message, and back.
fn round_trip<T, M>(answer: Option<&T>)
where
    M: for<'a> From<&'a T> + Wire + Shaped,
    T: for<'a> TryFrom<&'a M, Error = FieldError> + Debug,
{
    if let Some(answer) = answer {
        let message = M::from(answer).encode_to_vec();
        same(&T::try_from(&decode::<M>(&message).expect("an answer")), answer);
    }
}

/// Answers a batch in two parts, sends it and reads it.
fn batch<Q: Queries, A: Answers + Wire + Shaped>(
    queries: &Q,
    ask: impl Fn(&Q::Query) -> Result<Option<A::Answer>, FieldError>,
) -> Result<(), FieldError>
where
    A::Answer: Debug,
{
    let rows = queries.rows().min(MOST_ROWS);
    let (mut message, mut later) = (A::default(), A::default());
    let mut expected = Vec::new();
    let mut first_error = Ok(());
    for row in 0..rows {
        let part = if row < rows / 2 { &mut message } else { &mut later };
        let found = queries.query(row).and_then(|query| ask(&query));
        match &found {
            Ok(Some(answer)) => part.push_without(row as u32, answer, queries.omit()),
            Ok(None) => {}
            Err(error) => {
                part.refuse(row as u32, error.clone());
                first_error = first_error.and(Err(error.clone()));
            }
        }
        expected.push(found);
    }
    message.append(&mut later);
    // Chunks use the memory of earlier ones again, so nothing of them may stay.
    assert_eq!((later.rows(), later.errors_mut().len()), (0, 0));
    assert!(later.answers().expect("no answers").is_empty());
    message.finish();
    let sent = message.encode_to_vec();
    let message = decode::<A>(&sent).expect("an answer");
    let answers = in_order(message, rows).expect("an answer of the server");
    for (read, sent) in answers.iter().zip(&expected) {
        match (read, sent) {
            (Ok(read), Ok(sent)) => assert_eq!(format!("{read:?}"), format!("{sent:?}")),
            (Err(read), Err(sent)) => assert_eq!(read.message, sent.message),
            _ => panic!("an answer became an error, or the other way: {read:?} {sent:?}"),
        }
    }
    first_error
}

/// Reads bytes as every kind of answer, as a client does. They are refused or read.
pub(crate) fn read_answers(bytes: &[u8]) {
    fn read<A: Answers + Wire + Shaped>(bytes: &[u8]) {
        if let Ok(message) = decode::<A>(bytes) {
            let _ = in_order(message, MOST_ROWS);
        }
    }
    read::<v1::SweepBatchResponse>(bytes);
    read::<v1::OverlapBatchResponse>(bytes);
    read::<v1::ClosestBatchResponse>(bytes);
    read::<v1::RayBatchResponse>(bytes);
    read::<v1::SupportsBatchResponse>(bytes);
    read::<v1::LiquidBatchResponse>(bytes);
    read::<v1::MoveBatchResponse>(bytes);
    read::<v1::TickBatchResponse>(bytes);
    read::<v1::StartResponse>(bytes);
    read::<v1::ValidateBatchResponse>(bytes);
}

/// Gives accepted states the checksum that they need to be read, so that their numbers are.
pub(crate) fn seal(bytes: &[u8]) -> Vec<u8> {
    let Ok(mut request) = v1::ValidateRequest::decode(bytes) else { return bytes.to_vec() };
    let Some((state, _)) = request.accepted.split_last_chunk::<8>() else {
        return bytes.to_vec();
    };
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    let sum = state.iter().fold(0xcbf2_9ce4_8422_2325, step);
    let end = state.len();
    request.accepted.truncate(end);
    request.accepted.extend_from_slice(&sum.to_le_bytes());
    request.encode_to_vec()
}
