//! Messages of any content: each is answered or refused with a reason, and answers keep all bits.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test")]

mod exercise;

use capsweep::cache::TriangleCache;
use capsweep::scene::Scene;
use capsweep_proto::{
    Answers as _, MoveQuery, Moved, Omit, Queries as _, codec, decode_accepted, v1,
};
use capsweep_testkit::{Damage, Rng};
use prost::Message as _;

#[test]
fn every_valid_message_is_answered() {
    let scene = exercise::scene();
    for (kind, seed) in exercise::seeds(&scene).iter().enumerate() {
        assert_eq!(exercise::run(kind, seed, &scene), Ok(()), "{kind}");
    }
}

/// How often each message is damaged; more with `CAPSWEEP_FUZZ`.
fn rounds() -> usize {
    let rounds = std::env::var("CAPSWEEP_FUZZ").ok().and_then(|rounds| rounds.parse().ok());
    rounds.unwrap_or(5_000)
}

#[test]
fn damaged_messages_are_answered_or_refused_with_a_field() {
    let scene = exercise::scene();
    let mut rng = Rng::new(&[24, 40]);
    let (mut answered, mut refused) = (0, 0);
    for (kind, seed) in exercise::seeds(&scene).iter().enumerate() {
        for round in 0..rounds() {
            let mut bytes = seed.clone();
            for _ in 0..=rng.index(4) {
                bytes.damage(&mut rng);
            }
            if kind == 17 && round % 2 == 0 {
                bytes = exercise::seal(&bytes);
            }
            match exercise::run(kind, &bytes, &scene) {
                Ok(()) => answered += 1,
                Err(error) => {
                    refused += 1;
                    assert!(!error.field.is_empty() && !error.message.is_empty(), "{error:?}");
                }
            }
            exercise::read_answers(&bytes);
        }
    }
    assert!(answered > 0 && refused > 0, "{answered} {refused}");
}

/// Offsets of the numbers in MessagePack that follow a byte of their own: all f64 and f32.
fn floats(bytes: &[u8]) -> Vec<(usize, usize)> {
    let (mut found, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        let big = |count| {
            bytes[at + 1..].iter().take(count).fold(0, |sum, byte| sum << 8 | usize::from(*byte))
        };
        at += 1 + match bytes[at] {
            0xca => {
                found.push((at + 1, 4));
                4
            }
            0xcb => {
                found.push((at + 1, 8));
                8
            }
            short @ 0xa0..=0xbf => usize::from(short & 31),
            0xd9 => 1 + big(1),
            0xcc | 0xd0 => 1,
            0xcd | 0xd1 | 0xdc | 0xde => 2,
            0xce | 0xd2 => 4,
            0xcf | 0xd3 => 8,
            // Maps, lists, small numbers, nothing, false and true.
            0x00..=0x9f | 0xc0 | 0xc2 | 0xc3 | 0xe0..=0xff => 0,
            other => panic!("no case for {other:#x}"),
        };
    }
    found
}

#[test]
fn bad_numbers_in_an_accepted_state_with_a_right_checksum_are_refused() {
    let scene = exercise::scene();
    let request = v1::ValidateRequest::decode(&exercise::seeds(&scene)[17][..]).unwrap();
    decode_accepted(&request.accepted).unwrap();
    // Behind the version.
    let places = floats(&request.accepted[1..request.accepted.len() - 8]);
    assert!(places.len() > 20, "{places:?}");
    for (at, width) in places {
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e30, -1e30] {
            let mut forged = request.clone();
            let (wide, narrow) = (bad.to_be_bytes(), (bad as f32).to_be_bytes());
            let value = if width == 8 { &wide[..] } else { &narrow[..] };
            forged.accepted[1 + at..1 + at + width].copy_from_slice(value);
            let sealed = exercise::seal(&forged.encode_to_vec());
            let error = exercise::run(17, &sealed, &scene).expect_err("a bad number");
            assert_eq!(error.field, "accepted", "{error}");
            assert!(!error.message.contains("checksum"), "{error}");
        }
    }
}

#[test]
fn errors_name_the_field_and_the_index() {
    let scene = exercise::scene();
    let seeds = exercise::seeds(&scene);
    let mut moves = v1::MoveBatchRequest::decode(&seeds[13][..]).unwrap();
    let pose = v1::Pose::default();
    let sound = v1::Carrier {
        body: Some(v1::BodyId::default()),
        previous: Some(pose),
        next: Some(pose),
        ride: 0,
    };
    let bad = v1::Carrier { next: None, ..sound };
    let surroundings =
        v1::SurroundingsColumns { carriers: vec![sound, bad], ..Default::default() };
    moves.surroundings = Some(surroundings);
    let error = exercise::run(13, &moves.encode_to_vec(), &scene).unwrap_err();
    assert_eq!(error.field, "surroundings.carriers[1].next");
    let mut claim = v1::ValidateRequest::decode(&seeds[17][..]).unwrap();
    claim.claim_world.as_mut().unwrap().moved = vec![sound, sound, bad];
    let error = exercise::run(17, &claim.encode_to_vec(), &scene).unwrap_err();
    assert_eq!(error.field, "claim_world.moved[2].next");
    // A column of a wrong length, and a bad row.
    let mut sweeps = v1::SweepBatchRequest::decode(&seeds[1][..]).unwrap();
    sweeps.motion.pop();
    let error = exercise::run(1, &sweeps.encode_to_vec(), &scene).unwrap_err();
    assert_eq!(error.field, "motion");
    let mut sweeps = v1::SweepBatchRequest::decode(&seeds[1][..]).unwrap();
    *sweeps.motion.last_mut().unwrap() = f64::NAN;
    let error = exercise::run(1, &sweeps.encode_to_vec(), &scene).unwrap_err();
    assert_eq!(error.field, "motion.motion.z");
}

#[test]
fn errors_name_the_same_field_in_a_call_and_in_a_batch() {
    let scene = exercise::scene();
    let seeds = exercise::seeds(&scene);
    let mut one = v1::MoveRequest::decode(&seeds[12][..]).unwrap();
    one.input.as_mut().unwrap().dt = -1.0;
    let error = exercise::run(12, &one.encode_to_vec(), &scene).unwrap_err();
    assert_eq!(error.field, "input.dt");
    let mut many = v1::MoveBatchRequest::decode(&seeds[13][..]).unwrap();
    many.dt = vec![-1.0];
    let error = exercise::run(13, &many.encode_to_vec(), &scene).unwrap_err();
    assert_eq!(error.field, "dt");
}

/// The answers to the moves of a request, in columns.
fn moved(request: &v1::MoveBatchRequest, scene: &Scene) -> v1::MoveBatchResponse {
    let controller = request.controller().unwrap();
    let queries = request.queries(&controller).unwrap();
    let mut message = v1::MoveBatchResponse::default();
    message.reserve_without(queries.rows(), queries.omit());
    for row in 0..queries.rows() {
        let MoveQuery { state, input } = queries.query(row).unwrap();
        let mut cache = TriangleCache::off();
        let outcome = controller.move_by(scene, &mut cache, &state, &input);
        let feet = controller.feet(&outcome.state);
        message.push_without(row as u32, &Moved { outcome, feet }, queries.omit());
    }
    message.finish();
    message
}

#[test]
fn an_answer_leaves_out_what_the_request_names_and_nothing_else() {
    let scene = exercise::scene();
    let mut request = v1::MoveBatchRequest::decode(&exercise::seeds(&scene)[13][..]).unwrap();
    let full = moved(&request, &scene);
    let outcomes = full.outcomes.as_ref().unwrap();
    assert!(!outcomes.requested.is_empty() && !outcomes.achieved.is_empty());
    assert!(!outcomes.recovery_query.is_empty() && !outcomes.stats.is_empty());
    assert!(!outcomes.ground.as_ref().unwrap().query.is_empty());
    assert!(!outcomes.contacts.as_ref().unwrap().query.is_empty());
    for bits in 0..=Omit::ALL.bits() {
        request.omit = bits;
        let found = moved(&request, &scene);
        let has = |group: v1::Omit| bits & group as u32 != 0;
        let mut expected = full.clone();
        let outcomes = expected.outcomes.as_mut().unwrap();
        if has(v1::Omit::Ground) {
            outcomes.ground = None;
        }
        if has(v1::Omit::Contacts) {
            outcomes.contacts = None;
        }
        if has(v1::Omit::Displacements) {
            outcomes.requested.clear();
            outcomes.achieved.clear();
            outcomes.recovery_query.clear();
            outcomes.recovery.clear();
            outcomes.recovery_left.clear();
        }
        if has(v1::Omit::Stats) {
            outcomes.stats.clear();
        }
        if has(v1::Omit::Feet) {
            outcomes.state.as_mut().unwrap().feet.clear();
        }
        assert_eq!(found.encode_to_vec(), expected.encode_to_vec(), "{bits}");
        assert_eq!(exercise::run(13, &request.encode_to_vec(), &scene), Ok(()), "{bits}");
    }
}

#[test]
fn unknown_bits_of_columns_to_leave_out_are_refused() {
    let scene = exercise::scene();
    let seeds = exercise::seeds(&scene);
    for bits in [32, 1 << 31, u32::MAX] {
        let mut moves = v1::MoveBatchRequest::decode(&seeds[13][..]).unwrap();
        moves.omit = bits;
        let error = exercise::run(13, &moves.encode_to_vec(), &scene).unwrap_err();
        assert_eq!(error.field, "omit");
        let mut ticks = v1::TickBatchRequest::decode(&seeds[15][..]).unwrap();
        ticks.omit = bits;
        let error = exercise::run(15, &ticks.encode_to_vec(), &scene).unwrap_err();
        assert_eq!(error.field, "omit");
    }
}

#[test]
fn numbers_of_every_length_are_written_as_prost_writes_them() {
    let numbers: Vec<u32> = (0..32).flat_map(|bits| [1 << bits, (1 << bits) - 1]).collect();
    let mut message = v1::OutcomeColumns {
        query: numbers.repeat(5),
        flags: vec![127; 200],
        obstruction: vec![-1, 3, i32::MIN, i32::MAX],
        requested: vec![-0.0, f64::NAN, f64::INFINITY],
        ..v1::OutcomeColumns::default()
    };
    message.state.get_or_insert_default().has_footing = vec![true, false, true];
    let request = v1::MoveStreamRequest {
        character: (0..64).map(|bits| 1 << bits).collect(),
        ..v1::MoveStreamRequest::default()
    };
    let bytes = codec::encode(&message);
    assert_eq!(bytes, message.encode_to_vec());
    let read: v1::OutcomeColumns = codec::decode(&bytes).unwrap();
    assert_eq!(codec::encode(&read), bytes);
    let bytes = codec::encode(&request);
    assert_eq!(bytes, request.encode_to_vec());
    assert_eq!(codec::decode::<v1::MoveStreamRequest>(&bytes).unwrap(), request);
    // Values one by one, in two columns of the same field: readers must take both forms.
    let parts = [0x08, 0x96, 0x01, 0x0a, 0x02, 0x07, 0x08];
    let read: v1::OutcomeColumns = codec::decode(&parts).unwrap();
    assert_eq!(read.query, [150, 7, 8]);
}

#[test]
fn changes_of_claims_that_are_not_there_are_refused() {
    let scene = exercise::scene();
    let seeds = exercise::seeds(&scene);
    let mut claims = v1::ValidateBatchRequest::decode(&seeds[18][..]).unwrap();
    claims.changes_query = vec![claims.accepted.len() as u32];
    claims.changes = vec![v1::Changes::default()];
    let error = exercise::run(18, &claims.encode_to_vec(), &scene).unwrap_err();
    assert_eq!(error.field, "changes_query");
}
