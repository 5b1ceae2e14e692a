//! Streams of moves and ticks. They cache the triangles around each character.

use super::{Physics, Place, batch, overlay, refused, single};
use crate::call::Call;
use crate::limits::cost;
use crate::metrics::Metrics;
use capsweep::cache::{CacheOptions, TriangleCache};
use capsweep::controller::{Controller, Locomotion};
use capsweep::scene::Scene;
use capsweep_proto::{FieldError, Queries as _, v1};
use std::collections::{HashMap, HashSet};
use std::pin::Pin;
use std::sync::Arc;
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
    cache: TriangleCache,
    metrics: Arc<Metrics>,
    _permit: OwnedSemaphorePermit,
}

impl Drop for Remembered {
    fn drop(&mut self) {
        self.metrics.add_cached_characters(-1);
    }
}

/// The character of each row of a message; `None` beyond the limit of cached characters. Rows with
/// the same name have a cache each, so that no row waits for another.
type Rows = Vec<Option<Remembered>>;

/// The characters of a stream.
#[derive(Default)]
struct Characters {
    /// Names and characters of the last message. Most messages name the same ones again.
    names: Vec<u64>,
    rows: Rows,
    /// The characters that it did not name.
    others: HashMap<u64, Remembered>,
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
        characters: &mut Rows,
    ) -> Result<Self::Answer, Status>;
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
                characters: &mut Rows,
            ) -> Result<Self::Answer, Status> {
                let batch = self.$batch.as_ref();
                let batch = batch.ok_or_else(|| refused(FieldError::missing(Self::BATCH)))?;
                let queries = batch.queries(mover).map_err(refused)?;
                let ask = |query: &_, character: &mut Option<Remembered>, place: &mut _| {
                    let query = (query, queries.omit());
                    match character {
                        Some(of) => $make(mover, scene, &mut of.cache, query, place),
                        None => $make(mover, scene, &mut TriangleCache::off(), query, place),
                    }
                };
                let work = (&queries, batch::MOVES);
                let answer = batch::answer_with(call, revision, work, characters, ask)?;
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
        let mut of_rows = self.remember(names, characters);
        let (most, call) = (self.limits.overlay_bodies, Arc::clone(call));
        let cost = rows * cost::MOVE + overlay::cost(place.overlay.as_ref());
        let job = move || {
            call.check()?;
            let scene = overlay::scene(&world.scene, place.overlay.as_ref(), most)?;
            let world = (&*scene, world.revision);
            Ok((message.answer(&call, world, &mover, &mut of_rows)?, of_rows))
        };
        // An error ends the stream, and its characters are forgotten.
        let (answer, of_rows) = self.pool.run_in_turn(cost, job).await?;
        characters.rows = of_rows;
        if let Some(of_call) = self.metrics.named(M::CALL) {
            of_call.answered(started.elapsed(), rows as u64);
        }
        Ok(answer)
    }

    /// The cached characters with these names. New ones are cached while there is room. If there
    /// is too little, characters that the message does not name are dropped first.
    fn remember(&self, names: Vec<u64>, characters: &mut Characters) -> Rows {
        let Characters { names: last, rows, others } = characters;
        let mut rows = std::mem::take(rows);
        if *last == names && rows.iter().all(Option::is_some) {
            return rows;
        }
        for (name, character) in last.iter().zip(rows.drain(..)) {
            others.extend(character.map(|character| (*name, character)));
        }
        let new = names.iter().filter(|name| !others.contains_key(name)).count();
        if new > self.cached.available_permits() {
            let wanted: HashSet<&u64> = names.iter().collect();
            others.retain(|name, _| wanted.contains(name));
        }
        let one = |name| others.remove(name).or_else(|| self.new_character());
        rows.extend(names.iter().map(one));
        *last = names;
        rows
    }

    /// A character with an empty cache; `None` if too many characters have one.
    fn new_character(&self) -> Option<Remembered> {
        let permit = Arc::clone(&self.cached).try_acquire_owned().ok()?;
        self.metrics.add_cached_characters(1);
        // The caller chooses how far its characters reach, so the cache needs a limit.
        let options = CacheOptions { max_triangles: MOST_TRIANGLES, ..CacheOptions::default() };
        // The options are in range. Without a cache the answers are the same.
        let cache = TriangleCache::with_options(options).unwrap_or_else(|_| TriangleCache::off());
        Some(Remembered { cache, metrics: Arc::clone(&self.metrics), _permit: permit })
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
