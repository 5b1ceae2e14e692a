//! Streams of moves and ticks.

use crate::world::all;
use crate::{Answer, Batch, Client, Error};
use capsweep::controller::{Controller, Locomotion};
use capsweep_proto::{FieldError, MoveQuery, Moved, TickQuery, Ticked, in_order, v1};
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Status, Streaming};

/// A message in flight; the server answers one at a time.
const WAITING: usize = 1;

fn closed() -> Error {
    Status::unavailable("the stream has ended: open it again").into()
}

/// The world and the overlay of a stream.
type Place<'a> = (&'a str, Option<&'a v1::Overlay>);

/// An open stream of moves. While it is open the server caches the triangles around each
/// character.
#[derive(Debug)]
pub struct MoveStream {
    controller: Controller,
    world: String,
    overlay: Option<v1::Overlay>,
    requests: mpsc::Sender<v1::MoveStreamRequest>,
    answers: Streaming<v1::MoveStreamResponse>,
}

impl MoveStream {
    pub(crate) async fn open(
        client: &Client,
        (world, overlay): Place<'_>,
        controller: Controller,
    ) -> Result<Self, Error> {
        let (requests, sent) = mpsc::channel(WAITING);
        let request = client.request(ReceiverStream::new(sent), None);
        let answers = client.physics.clone().move_stream(request).await?.into_inner();
        let (world, overlay) = (world.to_owned(), overlay.cloned());
        Ok(Self { controller, world, overlay, requests, answers })
    }

    /// Moves characters, which the caller identifies by these numbers.
    ///
    /// # Errors
    /// If the stream broke. Open a new one.
    pub async fn make_moves(
        &mut self,
        characters: &[u64],
        queries: &[MoveQuery],
    ) -> Result<Batch<Moved>, Error> {
        let moves = v1::MoveBatchRequest {
            world: self.world.clone(),
            overlay: self.overlay.clone(),
            ..v1::MoveBatchRequest::new(&self.controller, queries)
        };
        let request = v1::MoveStreamRequest { moves: Some(moves), character: characters.to_vec() };
        // If the stream has ended, its answer holds the reason.
        let _ = self.requests.send(request).await;
        let answer = self.answers.message().await?.ok_or_else(closed)?;
        let answer = answer.moves.ok_or_else(|| FieldError::missing("moves"))?;
        let revision = answer.revision;
        Ok(Answer { value: all(in_order(answer, queries.len())?)?, revision })
    }
}

/// An open stream of ticks.
#[derive(Debug)]
pub struct TickStream {
    locomotion: Locomotion,
    world: String,
    overlay: Option<v1::Overlay>,
    requests: mpsc::Sender<v1::TickStreamRequest>,
    answers: Streaming<v1::TickStreamResponse>,
}

impl TickStream {
    pub(crate) async fn open(
        client: &Client,
        (world, overlay): Place<'_>,
        locomotion: Locomotion,
    ) -> Result<Self, Error> {
        let (requests, sent) = mpsc::channel(WAITING);
        let request = client.request(ReceiverStream::new(sent), None);
        let answers = client.physics.clone().tick_stream(request).await?.into_inner();
        let (world, overlay) = (world.to_owned(), overlay.cloned());
        Ok(Self { locomotion, world, overlay, requests, answers })
    }

    /// Ticks characters, which the caller identifies by these numbers.
    ///
    /// # Errors
    /// If the stream broke. Open a new one.
    pub async fn tick(
        &mut self,
        characters: &[u64],
        queries: &[TickQuery],
    ) -> Result<Batch<Ticked>, Error> {
        let ticks = v1::TickBatchRequest {
            world: self.world.clone(),
            overlay: self.overlay.clone(),
            ..v1::TickBatchRequest::new(&self.locomotion, queries)
        };
        let request = v1::TickStreamRequest { ticks: Some(ticks), character: characters.to_vec() };
        // If the stream has ended, its answer holds the reason.
        let _ = self.requests.send(request).await;
        let answer = self.answers.message().await?.ok_or_else(closed)?;
        let answer = answer.ticks.ok_or_else(|| FieldError::missing("ticks"))?;
        let revision = answer.revision;
        Ok(Answer { value: all(in_order(answer, queries.len())?)?, revision })
    }
}
