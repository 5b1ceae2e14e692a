//! Streams of moves and ticks.

use crate::world::all;
use crate::{Answer, Batch, Client, Error};
use capsweep::controller::{Controller, Locomotion};
use capsweep_proto::{
    Answers, FieldError, MoveQuery, Moved, Omit, TickQuery, Ticked, in_order, v1,
};
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Status, Streaming};

/// A message in flight; the server answers one at a time.
const WAITING: usize = 1;

/// What all messages of a stream have in common.
#[derive(Debug)]
pub(crate) struct Place {
    pub(crate) world: String,
    pub(crate) overlay: Option<v1::Overlay>,
    pub(crate) omit: Omit,
}

/// Both ways of a stream.
#[derive(Debug)]
struct Exchange<Q, A> {
    requests: mpsc::Sender<Q>,
    answers: Streaming<A>,
    /// The answer to a message has not been read. If its call was cancelled, the next call would
    /// take it for its own.
    is_waiting: bool,
}

impl<Q, A> Exchange<Q, A> {
    /// Sends a message and waits for its answer.
    async fn ask(&mut self, request: Q) -> Result<A, Error> {
        if self.is_waiting {
            let message = "an earlier call of this stream was cancelled or failed: open it again";
            return Err(Status::failed_precondition(message).into());
        }
        self.is_waiting = true;
        // If the stream has ended, its answer holds the reason.
        let _ = self.requests.send(request).await;
        let ended = || Status::unavailable("the stream has ended: open it again");
        let answer = self.answers.message().await?.ok_or_else(ended)?;
        self.is_waiting = false;
        Ok(answer)
    }
}

/// The answers of a batch, in the order of its queries.
fn batch<A: Answers>(mut answer: A, count: usize) -> Result<Batch<A::Answer>, Error> {
    let revision = *answer.revision_mut();
    Ok(Answer { value: all(in_order(answer, count)?)?, revision })
}

/// An open stream of moves. While it is open the server caches the triangles around each
/// character.
#[derive(Debug)]
pub struct MoveStream {
    controller: Controller,
    place: Place,
    exchange: Exchange<v1::MoveStreamRequest, v1::MoveStreamResponse>,
}

impl MoveStream {
    pub(crate) async fn open(
        client: &Client,
        place: Place,
        controller: Controller,
    ) -> Result<Self, Error> {
        let (requests, sent) = mpsc::channel(WAITING);
        let request = client.request(ReceiverStream::new(sent), None);
        let answers = client.physics.clone().move_stream(request).await?.into_inner();
        let exchange = Exchange { requests, answers, is_waiting: false };
        Ok(Self { controller, place, exchange })
    }

    /// Moves characters, which the caller identifies by these numbers.
    ///
    /// # Errors
    /// If the stream broke, or an earlier call was cancelled. Open a new one.
    pub async fn make_moves(
        &mut self,
        characters: &[u64],
        queries: &[MoveQuery],
    ) -> Result<Batch<Moved>, Error> {
        let moves = v1::MoveBatchRequest {
            world: self.place.world.clone(),
            overlay: self.place.overlay.clone(),
            omit: self.place.omit.bits(),
            ..v1::MoveBatchRequest::new(&self.controller, queries)
        };
        let request = v1::MoveStreamRequest { moves: Some(moves), character: characters.to_vec() };
        let answer = self.exchange.ask(request).await?;
        batch(answer.moves.ok_or_else(|| FieldError::missing("moves"))?, queries.len())
    }
}

/// An open stream of ticks.
#[derive(Debug)]
pub struct TickStream {
    locomotion: Locomotion,
    place: Place,
    exchange: Exchange<v1::TickStreamRequest, v1::TickStreamResponse>,
}

impl TickStream {
    pub(crate) async fn open(
        client: &Client,
        place: Place,
        locomotion: Locomotion,
    ) -> Result<Self, Error> {
        let (requests, sent) = mpsc::channel(WAITING);
        let request = client.request(ReceiverStream::new(sent), None);
        let answers = client.physics.clone().tick_stream(request).await?.into_inner();
        let exchange = Exchange { requests, answers, is_waiting: false };
        Ok(Self { locomotion, place, exchange })
    }

    /// Ticks characters, which the caller identifies by these numbers.
    ///
    /// # Errors
    /// If the stream broke, or an earlier call was cancelled. Open a new one.
    pub async fn tick(
        &mut self,
        characters: &[u64],
        queries: &[TickQuery],
    ) -> Result<Batch<Ticked>, Error> {
        let ticks = v1::TickBatchRequest {
            world: self.place.world.clone(),
            overlay: self.place.overlay.clone(),
            omit: self.place.omit.bits(),
            ..v1::TickBatchRequest::new(&self.locomotion, queries)
        };
        let request = v1::TickStreamRequest { ticks: Some(ticks), character: characters.to_vec() };
        let answer = self.exchange.ask(request).await?;
        batch(answer.ticks.ok_or_else(|| FieldError::missing("ticks"))?, queries.len())
    }
}
