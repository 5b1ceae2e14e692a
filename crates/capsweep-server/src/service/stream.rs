//! Streams of moves and ticks. They cache the triangles around each character.

use super::{Physics, Place, batch, overlay, refused, single};
use crate::call::Call;
use crate::limits::cost;
use crate::metrics::Metrics;
use capsweep::cache::{CacheOptions, TriangleCache};
use capsweep::controller::{Controller, Locomotion};
use capsweep::scene::Scene;
use capsweep_proto::{FieldError, Queries as _, v1};
use std::collections::HashMap;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;
use tokio::sync::{OwnedSemaphorePermit, mpsc};
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Code, Status, Streaming};

/// The answers of a stream.
pub(super) type Answering<T> =
    Pin<Box<dyn futures_util::Stream<Item = Result<T, Status>> + Send + 'static>>;

/// Largest number of triangles that are cached for a character. With more around it, its moves
/// search the world.
const MOST_TRIANGLES: u32 = 4_096;

/// A character with a cache.
pub(super) struct Remembered {
    /// Locked, because two rows of a message may name the same character.
    cache: Mutex<TriangleCache>,
    metrics: Arc<Metrics>,
    _permit: OwnedSemaphorePermit,
}

impl Drop for Remembered {
    fn drop(&mut self) {
        self.metrics.add_cached_characters(-1);
    }
}

/// The character of each row of a message; `None` beyond the limit of cached characters.
type Rows = Arc<[Option<Arc<Remembered>>]>;

/// The characters of a stream.
#[derive(Default)]
struct Characters {
    all: HashMap<u64, Arc<Remembered>>,
    /// Names and characters of the last message. Most messages name the same ones again.
    last: (Vec<u64>, Rows),
}

/// A message of a stream of either kind.
pub(super) trait Message: Send + Sync + 'static {
    type Answer: Send + 'static;
    /// The controller or the locomotion that moves all characters of a message.
    type Mover: Send + Sync + 'static;

    /// The name of the call.
    const CALL: &'static str;
    /// The name of the field with the batch.
    const BATCH: &'static str;

    fn place(&mut self) -> Option<Place>;
    fn characters(&mut self) -> Vec<u64>;
    fn mover(&self) -> Result<Self::Mover, FieldError>;
    fn rows(&self, mover: &Self::Mover) -> Result<usize, FieldError>;

    /// Answers the message with the cached character of each row.
    fn answer(
        &self,
        call: &Call,
        world: (&Scene, u64),
        mover: &Self::Mover,
        characters: &Rows,
    ) -> Result<Self::Answer, Status>;
}

/// Makes the move of a row with the cache of its character.
fn with_cache<T>(characters: &Rows, row: usize, make: impl FnOnce(&mut TriangleCache) -> T) -> T {
    match &characters[row] {
        Some(character) => {
            make(&mut character.cache.lock().unwrap_or_else(PoisonError::into_inner))
        }
        None => make(&mut TriangleCache::off()),
    }
}

/// Implements [`Message`] for a request whose field `$batch` is a batch of moves or ticks.
macro_rules! message {
    (
        $call:literal: $request:ident -> $response:ident, $batch:ident,
        $mover:ident by $of:ident, $make:expr
    ) => {
        impl Message for v1::$request {
            type Answer = v1::$response;
            type Mover = $mover;

            const CALL: &'static str = $call;
            const BATCH: &'static str = stringify!($batch);

            fn place(&mut self) -> Option<Place> {
                let batch = self.$batch.as_mut()?;
                let (world, overlay) = (std::mem::take(&mut batch.world), batch.overlay.take());
                Some(Place { world, overlay })
            }

            fn characters(&mut self) -> Vec<u64> {
                std::mem::take(&mut self.character)
            }

            fn mover(&self) -> Result<$mover, FieldError> {
                self.$batch.as_ref().ok_or_else(|| FieldError::missing(Self::BATCH))?.$of()
            }

            fn rows(&self, mover: &$mover) -> Result<usize, FieldError> {
                let batch = self.$batch.as_ref();
                let batch = batch.ok_or_else(|| FieldError::missing(Self::BATCH))?;
                Ok(batch.queries(mover)?.rows())
            }

            fn answer(
                &self,
                call: &Call,
                (scene, revision): (&Scene, u64),
                mover: &$mover,
                characters: &Rows,
            ) -> Result<Self::Answer, Status> {
                let batch = self.$batch.as_ref();
                let batch = batch.ok_or_else(|| refused(FieldError::missing(Self::BATCH)))?;
                let queries = batch.queries(mover).map_err(refused)?;
                let ask = |row: usize, query: &_, place: &mut _| {
                    with_cache(characters, row, |cache| $make(mover, scene, cache, query, place))
                };
                let answer = batch::answer(call, revision, (&queries, batch::MOVES), ask)?;
                Ok(v1::$response { $batch: Some(answer) })
            }
        }
    };
}

message!(
    "MoveStream": MoveStreamRequest -> MoveStreamResponse, moves,
    Controller by controller,
    |mover, scene, cache, query, place| {
        single::make_move(mover, scene, cache, query, place);
        Ok(())
    }
);

message!(
    "TickStream": TickStreamRequest -> TickStreamResponse, ticks,
    Locomotion by locomotion_of_all,
    single::tick
);

impl Physics {
    /// Answers the messages of a stream one by one, until the caller ends it or the server shuts
    /// down.
    pub(super) fn stream<M: Message>(
        &self,
        call: Arc<Call>,
        mut messages: Streaming<M>,
    ) -> Answering<M::Answer> {
        // At most one answer waits for the caller.
        let (answers, receiver) = mpsc::channel(1);
        let service = self.clone();
        tokio::spawn(async move {
            let mut characters = Characters::default();
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
        let started = Instant::now();
        let mover = message.mover().map_err(refused)?;
        let rows = message.rows(&mover).map_err(refused)?;
        self.check_rows(rows)?;
        let names = message.characters();
        if names.len() != rows {
            let text = format!("character: it has {} values for {rows} rows", names.len());
            return Err(Status::invalid_argument(text));
        }
        let place = message.place().ok_or_else(|| refused(FieldError::missing(M::BATCH)))?;
        let world = self.world(&place.world)?;
        let of_rows = self.remember(names, characters);
        let (most, call) = (self.limits.overlay_bodies, Arc::clone(call));
        let cost = rows * cost::MOVE + overlay::cost(place.overlay.as_ref());
        let job = move || {
            call.check()?;
            let scene = overlay::scene(&world.scene, place.overlay.as_ref(), most)?;
            message.answer(&call, (&scene, world.revision), &mover, &of_rows)
        };
        let answer = self.pool.run_in_turn(cost, job).await?;
        if let Some(of_call) = self.metrics.named(M::CALL) {
            of_call.answered(started.elapsed(), rows as u64);
        }
        Ok(answer)
    }

    /// The cached characters with these names. New ones are cached while there is room. If there
    /// is too little, characters that the message does not name are dropped first.
    fn remember(&self, names: Vec<u64>, characters: &mut Characters) -> Rows {
        let Characters { all, last } = characters;
        let is_complete = |rows: &Rows| rows.iter().all(Option::is_some);
        if last.0 == names && is_complete(&last.1) {
            return Arc::clone(&last.1);
        }
        let new = names.iter().filter(|name| !all.contains_key(name)).count();
        if new > self.cached.available_permits() {
            // Its rows would keep the dropped characters alive.
            *last = Default::default();
            let wanted: std::collections::HashSet<&u64> = names.iter().collect();
            all.retain(|name, _| wanted.contains(name));
        }
        for name in &names {
            if all.contains_key(name) {
                continue;
            }
            let Ok(permit) = Arc::clone(&self.cached).try_acquire_owned() else { break };
            self.metrics.add_cached_characters(1);
            // The caller chooses how far its characters reach, so the cache needs a limit.
            let options =
                CacheOptions { max_triangles: MOST_TRIANGLES, ..CacheOptions::default() };
            // The options are in range. Without a cache the answers are the same.
            let cache = TriangleCache::with_options(options);
            let cache = Mutex::new(cache.unwrap_or_else(|_| TriangleCache::off()));
            let metrics = Arc::clone(&self.metrics);
            all.insert(*name, Arc::new(Remembered { cache, metrics, _permit: permit }));
        }
        let rows: Rows = names.iter().map(|name| all.get(name).cloned()).collect();
        *last = (names, Arc::clone(&rows));
        rows
    }
}

/// Maps tonic's codes for messages that are too large or do not decode, as in calls.
fn readable(status: Status) -> Status {
    let message = status.message().to_owned();
    match status.code() {
        Code::OutOfRange => Status::resource_exhausted(message),
        Code::Internal => Status::invalid_argument(message),
        _ => status,
    }
}
