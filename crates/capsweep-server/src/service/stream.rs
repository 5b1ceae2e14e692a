//! Streams of moves and ticks: for each character they remember the triangles around it.

use super::batch::{Found, in_chunks, message};
use super::{Physics, Place, overlay, refused, single};
use crate::call::Call;
use crate::limits::cost;
use crate::metrics::Metrics;
use capsweep::cache::TriangleCache;
use capsweep::scene::Scene;
use capsweep_proto::{Answers, Queries, v1};
use std::collections::HashMap;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::{OwnedSemaphorePermit, mpsc};
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Code, Status, Streaming};

/// Moves that one thread makes at a time.
const CHUNK: usize = 8;

/// The answers of a stream.
pub(super) type Answering<T> =
    Pin<Box<dyn futures_util::Stream<Item = Result<T, Status>> + Send + 'static>>;

/// A remembered character.
pub(super) struct Remembered {
    /// Rows that name a character twice take turns.
    cache: Mutex<TriangleCache>,
    metrics: Arc<Metrics>,
    _permit: OwnedSemaphorePermit,
}

impl Drop for Remembered {
    fn drop(&mut self) {
        self.metrics.add_cached_characters(-1);
    }
}

/// The characters of a stream.
type Characters = HashMap<u64, Arc<Remembered>>;

/// The character of each row of a message; `None` for one too many.
pub(super) type Rows = [Option<Arc<Remembered>>];

/// A message of a stream of either kind.
pub(super) trait Message: Send + 'static {
    type Answer: Send + 'static;

    fn place(&mut self) -> Place;
    fn characters(&self) -> &[u64];
    fn rows(&self) -> Result<usize, Status>;

    /// Answers the message with what is remembered for each row.
    fn answer(
        &self,
        call: &Call,
        scene: &Scene,
        revision: u64,
        characters: &Rows,
    ) -> Result<Self::Answer, Status>;
}

/// Answers rows, each with its cache.
fn with_caches<Q: Queries, A: Answers>(
    call: &Call,
    revision: u64,
    (queries, characters): (&Q, &Rows),
    ask: impl Fn(&mut TriangleCache, &Q::Query) -> Found<A::Answer> + Sync,
) -> Result<A, Status>
where
    A::Answer: Send,
{
    let row = |row: usize| {
        let query = queries.query(row)?;
        match &characters[row] {
            Some(character) => {
                let mut cache = character.cache.lock().unwrap_or_else(PoisonError::into_inner);
                ask(&mut cache, &query)
            }
            None => ask(&mut TriangleCache::off(), &query),
        }
    };
    let rows = queries.rows();
    Ok(message(revision, rows, &in_chunks(call, (rows, CHUNK), row)?))
}

impl Message for v1::MoveStreamRequest {
    type Answer = v1::MoveStreamResponse;

    fn place(&mut self) -> Place {
        let moves = self.moves.get_or_insert_default();
        Place { world: std::mem::take(&mut moves.world), overlay: moves.overlay.take() }
    }

    fn characters(&self) -> &[u64] {
        &self.character
    }

    fn rows(&self) -> Result<usize, Status> {
        let moves = self.moves.as_ref().ok_or_else(|| missing("moves"))?;
        let controller = moves.controller().map_err(refused)?;
        Ok(moves.queries(&controller).map_err(refused)?.rows())
    }

    fn answer(
        &self,
        call: &Call,
        scene: &Scene,
        revision: u64,
        characters: &Rows,
    ) -> Result<Self::Answer, Status> {
        let moves = self.moves.as_ref().ok_or_else(|| missing("moves"))?;
        let controller = moves.controller().map_err(refused)?;
        let queries = moves.queries(&controller).map_err(refused)?;
        let moves = with_caches(call, revision, (&queries, characters), |cache, query| {
            Ok(Some(single::make_move(&controller, scene, cache, query)))
        })?;
        Ok(v1::MoveStreamResponse { moves: Some(moves) })
    }
}

impl Message for v1::TickStreamRequest {
    type Answer = v1::TickStreamResponse;

    fn place(&mut self) -> Place {
        let ticks = self.ticks.get_or_insert_default();
        Place { world: std::mem::take(&mut ticks.world), overlay: ticks.overlay.take() }
    }

    fn characters(&self) -> &[u64] {
        &self.character
    }

    fn rows(&self) -> Result<usize, Status> {
        let ticks = self.ticks.as_ref().ok_or_else(|| missing("ticks"))?;
        let locomotion = ticks.locomotion_of_all().map_err(refused)?;
        Ok(ticks.queries(&locomotion).map_err(refused)?.rows())
    }

    fn answer(
        &self,
        call: &Call,
        scene: &Scene,
        revision: u64,
        characters: &Rows,
    ) -> Result<Self::Answer, Status> {
        let ticks = self.ticks.as_ref().ok_or_else(|| missing("ticks"))?;
        let locomotion = ticks.locomotion_of_all().map_err(refused)?;
        let queries = ticks.queries(&locomotion).map_err(refused)?;
        let ticks = with_caches(call, revision, (&queries, characters), |cache, query| {
            single::tick(&locomotion, scene, cache, query).map(Some)
        })?;
        Ok(v1::TickStreamResponse { ticks: Some(ticks) })
    }
}

fn missing(field: &str) -> Status {
    Status::invalid_argument(format!("{field}: it is missing"))
}

impl Physics {
    /// Answers the messages of a stream one after the other, until the caller or the server ends.
    pub(super) fn stream<M: Message>(
        &self,
        call: Arc<Call>,
        mut messages: Streaming<M>,
    ) -> Answering<M::Answer> {
        // One answer waits for the caller at most.
        let (answers, receiver) = mpsc::channel(1);
        let service = self.clone();
        tokio::spawn(async move {
            let mut characters = Characters::new();
            loop {
                let next = tokio::select! {
                    next = messages.message() => next,
                    () = service.drain.ended() => {
                        let message = "the server ends: open the stream again";
                        Err(Status::unavailable(message))
                    }
                    () = tokio::time::sleep(service.limits.stream_idle) => {
                        let message = "no message came for too long: open the stream again";
                        Err(Status::aborted(message))
                    }
                    () = answers.closed() => return,
                };
                let answer = match next {
                    Ok(None) => return,
                    Ok(Some(message)) => {
                        service.answer_message(&call, message, &mut characters).await
                    }
                    Err(status) => Err(readable(status)),
                };
                let is_last = answer.is_err();
                if answers.send(answer).await.is_err() || is_last {
                    return;
                }
            }
        });
        Box::pin(ReceiverStream::new(receiver))
    }

    async fn answer_message<M: Message>(
        &self,
        call: &Arc<Call>,
        mut message: M,
        characters: &mut Characters,
    ) -> Result<M::Answer, Status> {
        let rows = message.rows()?;
        self.check_rows(rows)?;
        let names = message.characters().to_vec();
        if names.len() != rows {
            let text = format!("character: it has {} values for {rows} rows", names.len());
            return Err(Status::invalid_argument(text));
        }
        let place = message.place();
        let world = self.world(&place.world)?;
        call.count(rows);
        self.remember(&names, characters);
        let of_rows: Vec<_> = names.iter().map(|name| characters.get(name).cloned()).collect();
        let (most, call) = (self.limits.overlay_bodies, Arc::clone(call));
        let job = move || {
            call.check()?;
            let scene = overlay::scene(&world.scene, place.overlay.as_ref(), most)?;
            message.answer(&call, &scene, world.revision, &of_rows)
        };
        self.pool.run_in_turn(rows * cost::MOVE, job).await
    }

    /// Makes room for new characters. Those that the message does not name are forgotten if there
    /// is none.
    fn remember(&self, names: &[u64], characters: &mut Characters) {
        if names.iter().all(|name| characters.contains_key(name)) {
            return;
        }
        let new = names.iter().filter(|name| !characters.contains_key(name)).count();
        if new > self.cached.available_permits() {
            let wanted: std::collections::HashSet<&u64> = names.iter().collect();
            characters.retain(|name, _| wanted.contains(name));
        }
        for name in names {
            if characters.contains_key(name) {
                continue;
            }
            let Ok(permit) = Arc::clone(&self.cached).try_acquire_owned() else { return };
            self.metrics.add_cached_characters(1);
            let cache = Mutex::new(TriangleCache::new());
            let metrics = Arc::clone(&self.metrics);
            let remembered = Remembered { cache, metrics, _permit: permit };
            characters.insert(*name, Arc::new(remembered));
        }
    }
}

/// Tonic's own codes for messages that are too large, or none, as in calls.
fn readable(status: Status) -> Status {
    let message = status.message().to_owned();
    match status.code() {
        Code::OutOfRange => Status::resource_exhausted(message),
        Code::Internal => Status::invalid_argument(message),
        _ => status,
    }
}
