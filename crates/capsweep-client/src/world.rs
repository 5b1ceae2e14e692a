//! The calls in one world.

use crate::stream::{MoveStream, Place, TickStream};
use crate::{Client, Error};
use capsweep::controller::{Controller, Locomotion};
use capsweep::query::batch::{ClosestQuery, OverlapQuery, RayQuery, SweepQuery};
use capsweep::query::{Liquid, Support};
use capsweep::scene::SceneHit;
use capsweep::validate::Validator;
use capsweep::{ClosestPoints, Overlap, Point, RayHit, SweepHit};
use capsweep_proto::v1::physics_client::PhysicsClient;
use capsweep_proto::{
    Answered, ClaimPlace, ClaimSent, FieldError, Judged, MoveQuery, Moved, Omit, StartQuery,
    SupportsQuery, TickQuery, Ticked, in_order, v1,
};
use tonic::transport::Channel;

/// An answer, and the revision of the world that gave it.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer<T> {
    /// The answer.
    pub value: T,
    /// The revision: equal content has equal revisions on every replica.
    pub revision: u64,
}

/// The answers of a batch in the order of its queries. A bad query does not fail the others.
pub type Batch<T> = Answer<Vec<Answered<T>>>;

/// The calls in one world.
#[derive(Debug, Clone)]
pub struct InWorld {
    client: Client,
    world: String,
    overlay: Option<v1::Overlay>,
    omit: Omit,
}

/// Makes a call and returns its message.
macro_rules! call {
    ($self:ident, $method:ident, $request:expr) => {
        $self.client.call($request, |mut physics: PhysicsClient<Channel>, request| async move {
            physics.$method(request).await
        })
    };
}

/// A request in this world.
macro_rules! placed {
    ($self:ident, $type:ident, $request:expr) => {
        v1::$type { world: $self.world.clone(), overlay: $self.overlay.clone(), ..$request }
    };
}

/// Turns a message with an optional part into an answer.
fn optional<'a, M, T>(revision: u64, part: Option<&'a M>) -> Result<Answer<Option<T>>, Error>
where
    T: TryFrom<&'a M, Error = FieldError>,
{
    Ok(Answer { value: part.map(T::try_from).transpose()?, revision })
}

impl InWorld {
    pub(crate) fn new(client: Client, world: String) -> Self {
        Self { client, world, overlay: None, omit: Omit::NONE }
    }

    /// The same world with moved bodies and obstacles.
    #[must_use]
    pub fn with(&self, overlay: v1::Overlay) -> Self {
        Self { overlay: Some(overlay), ..self.clone() }
    }

    /// The same world, with less in the answers to batches and streams of moves and ticks. What
    /// is left out is as in a new outcome: no ground, no contacts, zeros.
    #[must_use]
    pub fn without(&self, omit: Omit) -> Self {
        Self { omit, ..self.clone() }
    }

    /// As [`Scene::sweep`](capsweep::scene::Scene::sweep).
    ///
    /// # Errors
    /// If the call fails.
    pub async fn sweep(
        &self,
        query: &SweepQuery,
    ) -> Result<Answer<Option<SceneHit<SweepHit>>>, Error> {
        let request = placed!(self, SweepRequest, v1::SweepRequest::from(query));
        let answer = call!(self, sweep, request).await?;
        optional(answer.revision, answer.hit.as_ref())
    }

    /// Many sweeps.
    ///
    /// # Errors
    /// If the call fails.
    pub async fn sweep_batch(
        &self,
        queries: &[SweepQuery],
    ) -> Result<Batch<Option<SceneHit<SweepHit>>>, Error> {
        let request = placed!(self, SweepBatchRequest, v1::SweepBatchRequest::from(queries));
        let answer = call!(self, sweep_batch, request).await?;
        Ok(Answer { revision: answer.revision, value: in_order(answer, queries.len())? })
    }

    /// As [`Scene::overlap`](capsweep::scene::Scene::overlap).
    ///
    /// # Errors
    /// If the call fails.
    pub async fn overlap(
        &self,
        query: &OverlapQuery,
    ) -> Result<Answer<Option<SceneHit<Overlap>>>, Error> {
        let request = placed!(self, OverlapRequest, v1::OverlapRequest::from(query));
        let answer = call!(self, overlap, request).await?;
        optional(answer.revision, answer.hit.as_ref())
    }

    /// Many overlap queries.
    ///
    /// # Errors
    /// If the call fails.
    pub async fn overlap_batch(
        &self,
        queries: &[OverlapQuery],
    ) -> Result<Batch<Option<SceneHit<Overlap>>>, Error> {
        let request = placed!(self, OverlapBatchRequest, v1::OverlapBatchRequest::from(queries));
        let answer = call!(self, overlap_batch, request).await?;
        Ok(Answer { revision: answer.revision, value: in_order(answer, queries.len())? })
    }

    /// As [`Scene::closest`](capsweep::scene::Scene::closest).
    ///
    /// # Errors
    /// If the call fails.
    pub async fn closest(
        &self,
        query: &ClosestQuery,
    ) -> Result<Answer<Option<SceneHit<ClosestPoints>>>, Error> {
        let request = placed!(self, ClosestRequest, v1::ClosestRequest::from(query));
        let answer = call!(self, closest, request).await?;
        optional(answer.revision, answer.hit.as_ref())
    }

    /// Many queries for closest points.
    ///
    /// # Errors
    /// If the call fails.
    pub async fn closest_batch(
        &self,
        queries: &[ClosestQuery],
    ) -> Result<Batch<Option<SceneHit<ClosestPoints>>>, Error> {
        let request = placed!(self, ClosestBatchRequest, v1::ClosestBatchRequest::from(queries));
        let answer = call!(self, closest_batch, request).await?;
        Ok(Answer { revision: answer.revision, value: in_order(answer, queries.len())? })
    }

    /// As [`Scene::ray`](capsweep::scene::Scene::ray).
    ///
    /// # Errors
    /// If the call fails.
    pub async fn ray(&self, query: &RayQuery) -> Result<Answer<Option<SceneHit<RayHit>>>, Error> {
        let request = placed!(self, RayRequest, v1::RayRequest::from(query));
        let answer = call!(self, ray, request).await?;
        optional(answer.revision, answer.hit.as_ref())
    }

    /// Many rays.
    ///
    /// # Errors
    /// If the call fails.
    pub async fn ray_batch(
        &self,
        queries: &[RayQuery],
    ) -> Result<Batch<Option<SceneHit<RayHit>>>, Error> {
        let request = placed!(self, RayBatchRequest, v1::RayBatchRequest::from(queries));
        let answer = call!(self, ray_batch, request).await?;
        Ok(Answer { revision: answer.revision, value: in_order(answer, queries.len())? })
    }

    /// As [`Scene::supports`](capsweep::scene::Scene::supports).
    ///
    /// # Errors
    /// If the call fails.
    pub async fn supports(&self, query: &SupportsQuery) -> Result<Answer<Vec<Support>>, Error> {
        let request = placed!(self, SupportsRequest, v1::SupportsRequest::from(query));
        let answer = call!(self, supports, request).await?;
        let value = answer.supports.iter().map(Support::try_from).collect::<Result<_, _>>()?;
        Ok(Answer { value, revision: answer.revision })
    }

    /// Many queries for supports.
    ///
    /// # Errors
    /// If the call fails.
    pub async fn supports_batch(
        &self,
        queries: &[SupportsQuery],
    ) -> Result<Batch<Vec<Support>>, Error> {
        let request = placed!(self, SupportsBatchRequest, v1::SupportsBatchRequest::from(queries));
        let answer = call!(self, supports_batch, request).await?;
        let revision = answer.revision;
        let value = in_order(answer, queries.len())?;
        let value = value.into_iter().map(|found| found.map(Option::unwrap_or_default)).collect();
        Ok(Answer { value, revision })
    }

    /// As [`Scene::liquid_at`](capsweep::scene::Scene::liquid_at).
    ///
    /// # Errors
    /// If the call fails.
    pub async fn liquid(&self, point: &Point) -> Result<Answer<Option<Liquid>>, Error> {
        let request = v1::LiquidRequest { world: self.world.clone(), ..point.into() };
        let answer = call!(self, liquid, request).await?;
        optional(answer.revision, answer.liquid.as_ref())
    }

    /// Many queries for liquids.
    ///
    /// # Errors
    /// If the call fails.
    pub async fn liquid_batch(&self, points: &[Point]) -> Result<Batch<Option<Liquid>>, Error> {
        let request = v1::LiquidBatchRequest { world: self.world.clone(), ..points.into() };
        let answer = call!(self, liquid_batch, request).await?;
        Ok(Answer { revision: answer.revision, value: in_order(answer, points.len())? })
    }

    /// As [`Controller::move_by`].
    ///
    /// # Errors
    /// If the call fails.
    pub async fn make_move(
        &self,
        controller: &Controller,
        query: &MoveQuery,
    ) -> Result<Answer<Moved>, Error> {
        let request = placed!(self, MoveRequest, v1::MoveRequest::new(controller, query));
        let answer = call!(self, r#move, request).await?;
        let outcome = answer.outcome.ok_or_else(|| FieldError::missing("outcome"))?;
        Ok(Answer { value: outcome.moved(controller)?, revision: answer.revision })
    }

    /// Many moves.
    ///
    /// # Errors
    /// If the call fails.
    pub async fn move_batch(
        &self,
        controller: &Controller,
        queries: &[MoveQuery],
    ) -> Result<Batch<Moved>, Error> {
        let omit = self.omit.bits();
        let request =
            v1::MoveBatchRequest { omit, ..v1::MoveBatchRequest::new(controller, queries) };
        let answer = call!(self, move_batch, placed!(self, MoveBatchRequest, request)).await?;
        let revision = answer.revision;
        Ok(Answer { value: all(in_order(answer, queries.len())?)?, revision })
    }

    /// As [`Locomotion::tick`].
    ///
    /// # Errors
    /// If the call fails.
    pub async fn tick(
        &self,
        locomotion: &Locomotion,
        query: &TickQuery,
    ) -> Result<Answer<Ticked>, Error> {
        let request = placed!(self, TickRequest, v1::TickRequest::new(locomotion, query));
        let answer = call!(self, tick, request).await?;
        let value = answer.ticked(locomotion.controller())?;
        Ok(Answer { value, revision: answer.revision })
    }

    /// Many ticks. All of them use the water setting of the first.
    ///
    /// # Errors
    /// If the call fails.
    pub async fn tick_batch(
        &self,
        locomotion: &Locomotion,
        queries: &[TickQuery],
    ) -> Result<Batch<Ticked>, Error> {
        let omit = self.omit.bits();
        let request =
            v1::TickBatchRequest { omit, ..v1::TickBatchRequest::new(locomotion, queries) };
        let answer = call!(self, tick_batch, placed!(self, TickBatchRequest, request)).await?;
        let revision = answer.revision;
        Ok(Answer { value: all(in_order(answer, queries.len())?)?, revision })
    }

    fn place(&self) -> Place {
        Place { world: self.world.clone(), overlay: self.overlay.clone(), omit: self.omit }
    }

    /// Opens a stream of moves by one controller.
    ///
    /// # Errors
    /// If the call fails.
    pub async fn move_stream(&self, controller: Controller) -> Result<MoveStream, Error> {
        MoveStream::open(&self.client, self.place(), controller).await
    }

    /// Opens a stream of ticks by one locomotion.
    ///
    /// # Errors
    /// If the call fails.
    pub async fn tick_stream(&self, locomotion: Locomotion) -> Result<TickStream, Error> {
        TickStream::open(&self.client, self.place(), locomotion).await
    }

    /// As [`Validator::start`]: the bytes of accepted states.
    ///
    /// # Errors
    /// If the call fails.
    pub async fn start(
        &self,
        validator: &Validator,
        place: &ClaimPlace,
        queries: &[StartQuery],
    ) -> Result<Batch<Vec<u8>>, Error> {
        let request = v1::StartRequest::new(validator, place, queries);
        let answer = call!(self, start, placed!(self, StartRequest, request)).await?;
        let revision = answer.revision;
        Ok(Answer { value: all(in_order(answer, queries.len())?)?, revision })
    }

    /// As [`Validator::check`].
    ///
    /// # Errors
    /// If the call fails.
    pub async fn validate(
        &self,
        validator: &Validator,
        place: &ClaimPlace,
        sent: &ClaimSent<'_>,
    ) -> Result<Answer<Judged>, Error> {
        let request = v1::ValidateRequest::new(validator, place, sent);
        let answer = call!(self, validate, placed!(self, ValidateRequest, request)).await?;
        let judgement = answer.judgement.ok_or_else(|| FieldError::missing("judgement"))?;
        Ok(Answer { value: Judged::try_from(judgement)?, revision: answer.revision })
    }

    /// Many judgements.
    ///
    /// # Errors
    /// If the call fails.
    pub async fn validate_batch(
        &self,
        validator: &Validator,
        place: &ClaimPlace,
        sent: &[ClaimSent<'_>],
    ) -> Result<Batch<Judged>, Error> {
        let request = v1::ValidateBatchRequest::new(validator, place, sent);
        let request = placed!(self, ValidateBatchRequest, request);
        let answer = call!(self, validate_batch, request).await?;
        let revision = answer.revision;
        Ok(Answer { value: all(in_order(answer, sent.len())?)?, revision })
    }
}

/// Answers to queries that always have one.
pub(crate) fn all<T>(found: Vec<Answered<Option<T>>>) -> Result<Vec<Answered<T>>, FieldError> {
    let one = |found: Answered<Option<T>>| match found {
        Ok(Some(value)) => Ok(Ok(value)),
        Ok(None) => Err(FieldError::missing("query")),
        Err(error) => Ok(Err(error)),
    };
    found.into_iter().map(one).collect()
}
