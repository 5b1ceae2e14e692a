//! Every call of the protocol.

use super::batch::put;
use super::reach::Reach as _;
use super::stream::Answering;
use super::{Physics, Place, Work, batch, refused, single};
use crate::call::Call;
use crate::limits::cost;
use capsweep::cache::TriangleCache;
use capsweep::scene::Scene;
use capsweep_proto::v1::physics_server::Physics as Protocol;
use capsweep_proto::{Queries as _, Single as _, v1};
use std::sync::atomic::{AtomicUsize, Ordering};
use tonic::{Request, Response, Status, Streaming};

type Answer<T> = Result<Response<T>, Status>;

/// Limit of the surfaces that one call for supports reports.
const MOST_SUPPORTS: usize = 100_000;

fn too_many_supports() -> Status {
    let message = format!("more than {MOST_SUPPORTS} surfaces: ask for lower columns");
    Status::resource_exhausted(message)
}

/// The world and the overlay of a request.
macro_rules! place {
    ($request:ident) => {
        Place { world: std::mem::take(&mut $request.world), overlay: $request.overlay.take() }
    };
}

/// A call for one query: the revision and the answer.
macro_rules! single {
    ($self:ident, $request:ident, $ask:expr) => {{
        let call = Call::of(&$request);
        let mut request = $request.into_inner();
        let query = request.query().map_err(refused)?;
        let work = Work { cost: cost::QUERY, is_short: query.is_short() };
        let ask = move |scene: &Scene| Ok($ask(scene, &query));
        $self.answer_one(call, place!(request), work, ask).await?
    }};
}

/// A call for a batch of queries.
macro_rules! batch {
    ($self:ident, $request:ident, $ask:expr) => {{
        let call = Call::of(&$request);
        let mut request = $request.into_inner();
        let place = place!(request);
        let rows = request.queries().map_err(refused)?.rows();
        let run = $self.run_batch(
            call,
            place,
            (rows, rows * cost::QUERY),
            move |call, scene, revision| {
                let queries = request.queries().map_err(refused)?;
                let ask = |query: &_, place: &mut _| put(place, Ok($ask(scene, query)));
                batch::answer(call, revision, (&queries, batch::QUERIES), ask)
            },
        );
        Ok(Response::new(run.await?))
    }};
}

#[tonic::async_trait]
impl Protocol for Physics {
    async fn worlds(&self, _: Request<v1::WorldsRequest>) -> Answer<v1::WorldsResponse> {
        Ok(Response::new(self.worlds.describe()))
    }

    async fn sweep(&self, request: Request<v1::SweepRequest>) -> Answer<v1::SweepResponse> {
        let (revision, found) = single!(self, request, single::sweep);
        let hit = found.as_ref().map(v1::SweepHit::from);
        Ok(Response::new(v1::SweepResponse { revision, hit }))
    }

    async fn sweep_batch(
        &self,
        request: Request<v1::SweepBatchRequest>,
    ) -> Answer<v1::SweepBatchResponse> {
        batch!(self, request, single::sweep)
    }

    async fn overlap(&self, request: Request<v1::OverlapRequest>) -> Answer<v1::OverlapResponse> {
        let (revision, found) = single!(self, request, single::overlap);
        let hit = found.as_ref().map(v1::OverlapHit::from);
        Ok(Response::new(v1::OverlapResponse { revision, hit }))
    }

    async fn overlap_batch(
        &self,
        request: Request<v1::OverlapBatchRequest>,
    ) -> Answer<v1::OverlapBatchResponse> {
        batch!(self, request, single::overlap)
    }

    async fn closest(&self, request: Request<v1::ClosestRequest>) -> Answer<v1::ClosestResponse> {
        let (revision, found) = single!(self, request, single::closest);
        let hit = found.as_ref().map(v1::ClosestHit::from);
        Ok(Response::new(v1::ClosestResponse { revision, hit }))
    }

    async fn closest_batch(
        &self,
        request: Request<v1::ClosestBatchRequest>,
    ) -> Answer<v1::ClosestBatchResponse> {
        batch!(self, request, single::closest)
    }

    async fn ray(&self, request: Request<v1::RayRequest>) -> Answer<v1::RayResponse> {
        let (revision, found) = single!(self, request, single::ray);
        let hit = found.as_ref().map(v1::RayHit::from);
        Ok(Response::new(v1::RayResponse { revision, hit }))
    }

    async fn ray_batch(
        &self,
        request: Request<v1::RayBatchRequest>,
    ) -> Answer<v1::RayBatchResponse> {
        batch!(self, request, single::ray)
    }

    async fn supports(
        &self,
        request: Request<v1::SupportsRequest>,
    ) -> Answer<v1::SupportsResponse> {
        let call = Call::of(&request);
        let mut request = request.into_inner();
        let query = request.query().map_err(refused)?;
        let work = Work { cost: cost::SUPPORTS, is_short: query.is_short() };
        let found = self.answer_one(call, place!(request), work, move |scene| {
            Ok(single::supports(scene, &query))
        });
        let (revision, found) = found.await?;
        if found.len() > MOST_SUPPORTS {
            return Err(too_many_supports());
        }
        let supports = found.iter().map(v1::Support::from).collect();
        Ok(Response::new(v1::SupportsResponse { revision, supports }))
    }

    async fn supports_batch(
        &self,
        request: Request<v1::SupportsBatchRequest>,
    ) -> Answer<v1::SupportsBatchResponse> {
        let call = Call::of(&request);
        let mut request = request.into_inner();
        let place = place!(request);
        let rows = request.queries().map_err(refused)?.rows();
        let run = self.run_batch(
            call,
            place,
            (rows, rows * cost::SUPPORTS),
            move |call, scene, number| {
                let queries = request.queries().map_err(refused)?;
                let total = AtomicUsize::new(0);
                let is_over = || total.load(Ordering::Relaxed) > MOST_SUPPORTS;
                let ask = |query: &_, place: &mut Option<Vec<_>>| {
                    let found = place.get_or_insert_default();
                    found.clear();
                    if !is_over() {
                        single::supports_into(scene, query, found);
                        total.fetch_add(found.len(), Ordering::Relaxed);
                    }
                    Ok(())
                };
                let answer = batch::answer(call, number, (&queries, batch::QUERIES), ask)?;
                if is_over() { Err(too_many_supports()) } else { Ok(answer) }
            },
        );
        Ok(Response::new(run.await?))
    }

    async fn liquid(&self, request: Request<v1::LiquidRequest>) -> Answer<v1::LiquidResponse> {
        let call = Call::of(&request);
        let request = request.into_inner();
        let point = request.query().map_err(refused)?;
        let place = Place { world: request.world, overlay: None };
        let work = Work { cost: cost::QUERY, is_short: true };
        let found = self.answer_one(call, place, work, move |scene| Ok(scene.liquid_at(&point)));
        let (revision, found) = found.await?;
        let liquid = found.as_ref().map(v1::Liquid::from);
        Ok(Response::new(v1::LiquidResponse { revision, liquid }))
    }

    async fn liquid_batch(
        &self,
        request: Request<v1::LiquidBatchRequest>,
    ) -> Answer<v1::LiquidBatchResponse> {
        let call = Call::of(&request);
        let mut request = request.into_inner();
        let place = Place { world: std::mem::take(&mut request.world), overlay: None };
        let rows = request.queries().map_err(refused)?.rows();
        let run = self.run_batch(
            call,
            place,
            (rows, rows * cost::QUERY),
            move |call, scene, revision| {
                let queries = request.queries().map_err(refused)?;
                let ask = |point: &_, place: &mut _| put(place, Ok(scene.liquid_at(point)));
                batch::answer(call, revision, (&queries, batch::QUERIES), ask)
            },
        );
        Ok(Response::new(run.await?))
    }

    async fn r#move(&self, request: Request<v1::MoveRequest>) -> Answer<v1::MoveResponse> {
        let call = Call::of(&request);
        let mut request = request.into_inner();
        let (controller, query) = request.query().map_err(refused)?;
        let work = Work { cost: cost::MOVE, is_short: (&controller, &query).is_short() };
        let moved = self.answer_one(call, place!(request), work, move |scene| {
            Ok(single::lone_move(&controller, scene, &query))
        });
        let (revision, moved) = moved.await?;
        let outcome = moved.as_ref().map(v1::MoveOutcome::from);
        Ok(Response::new(v1::MoveResponse { revision, outcome }))
    }

    async fn move_batch(
        &self,
        request: Request<v1::MoveBatchRequest>,
    ) -> Answer<v1::MoveBatchResponse> {
        let call = Call::of(&request);
        let mut request = request.into_inner();
        let place = place!(request);
        let controller = request.controller().map_err(refused)?;
        let rows = request.queries(&controller).map_err(refused)?.rows();
        let run = self.run_batch(
            call,
            place,
            (rows, rows * cost::MOVE),
            move |call, scene, revision| {
                let queries = request.queries(&controller).map_err(refused)?;
                let ask = |query: &_, place: &mut _| {
                    let mut cache = TriangleCache::off();
                    single::make_move(
                        &controller,
                        scene,
                        &mut cache,
                        (query, queries.omit()),
                        place,
                    );
                    Ok(())
                };
                batch::answer(call, revision, (&queries, batch::MOVES), ask)
            },
        );
        Ok(Response::new(run.await?))
    }

    type MoveStreamStream = Answering<v1::MoveStreamResponse>;

    async fn move_stream(
        &self,
        request: Request<Streaming<v1::MoveStreamRequest>>,
    ) -> Answer<Self::MoveStreamStream> {
        let call = Call::of(&request);
        Ok(Response::new(self.stream(call, request.into_inner())))
    }

    async fn tick(&self, request: Request<v1::TickRequest>) -> Answer<v1::TickResponse> {
        let call = Call::of(&request);
        let mut request = request.into_inner();
        let (locomotion, query) = request.query().map_err(refused)?;
        let work = Work { cost: cost::MOVE, is_short: (&locomotion, &query).is_short() };
        let ticked = self.answer_one(call, place!(request), work, move |scene| {
            single::lone_tick(&locomotion, scene, &query).map_err(|error| {
                let is_state =
                    ["velocity", "boarded"].iter().any(|of| error.field.starts_with(of));
                error.within(if is_state { "state" } else { "input" })
            })
        });
        let (revision, ticked) = ticked.await?;
        let answer = ticked.as_ref().map(v1::TickResponse::from).unwrap_or_default();
        Ok(Response::new(v1::TickResponse { revision, ..answer }))
    }

    async fn tick_batch(
        &self,
        request: Request<v1::TickBatchRequest>,
    ) -> Answer<v1::TickBatchResponse> {
        let call = Call::of(&request);
        let mut request = request.into_inner();
        let place = place!(request);
        let locomotion = request.locomotion_of_all().map_err(refused)?;
        let rows = request.queries(&locomotion).map_err(refused)?.rows();
        let run = self.run_batch(
            call,
            place,
            (rows, rows * cost::MOVE),
            move |call, scene, revision| {
                let queries = request.queries(&locomotion).map_err(refused)?;
                let ask = |query: &_, place: &mut _| {
                    let mut cache = TriangleCache::off();
                    single::tick(&locomotion, scene, &mut cache, (query, queries.omit()), place)
                };
                batch::answer(call, revision, (&queries, batch::MOVES), ask)
            },
        );
        Ok(Response::new(run.await?))
    }

    type TickStreamStream = Answering<v1::TickStreamResponse>;

    async fn tick_stream(
        &self,
        request: Request<Streaming<v1::TickStreamRequest>>,
    ) -> Answer<Self::TickStreamStream> {
        let call = Call::of(&request);
        Ok(Response::new(self.stream(call, request.into_inner())))
    }

    async fn start(&self, request: Request<v1::StartRequest>) -> Answer<v1::StartResponse> {
        let call = Call::of(&request);
        let mut request = request.into_inner();
        let place = place!(request);
        let judge = self.judge(request.config.as_ref(), request.claim_world.as_ref())?;
        let rows = request.queries().map_err(refused)?.rows();
        let cost = judge.cost(rows);
        let run = self.run_batch(call, place, (rows, cost), move |call, scene, revision| {
            let queries = request.queries().map_err(refused)?;
            let ask = |query: &_, place: &mut _| put(place, judge.start(scene, query).map(Some));
            batch::answer(call, revision, (&queries, 1), ask)
        });
        Ok(Response::new(run.await?))
    }

    async fn validate(
        &self,
        request: Request<v1::ValidateRequest>,
    ) -> Answer<v1::ValidateResponse> {
        let call = Call::of(&request);
        let mut request = request.into_inner();
        let judge = self.judge(request.config.as_ref(), request.claim_world.as_ref())?;
        let query = request.query().map_err(refused)?;
        self.check_rows(query.inputs.len())?;
        let work = Work { cost: judge.cost(1) + query.inputs.len() * cost::MOVE, is_short: false };
        let judged =
            self.answer_one(call, place!(request), work, move |scene| judge.judge(scene, &query));
        let (revision, judged) = judged.await?;
        let judgement = Some(v1::Judgement::from(&judged));
        Ok(Response::new(v1::ValidateResponse { revision, judgement }))
    }

    async fn validate_batch(
        &self,
        request: Request<v1::ValidateBatchRequest>,
    ) -> Answer<v1::ValidateBatchResponse> {
        let call = Call::of(&request);
        let mut request = request.into_inner();
        let place = place!(request);
        let judge = self.judge(request.config.as_ref(), request.claim_world.as_ref())?;
        let rows = request.queries().map_err(refused)?.rows();
        let inputs = request.input_dt.len();
        self.check_rows(inputs)?;
        let cost = judge.cost(rows) + inputs * cost::MOVE;
        let run = self.run_batch(call, place, (rows, cost), move |call, scene, revision| {
            let queries = request.queries().map_err(refused)?;
            let ask = |query: &_, place: &mut _| put(place, judge.judge(scene, query).map(Some));
            batch::answer(call, revision, (&queries, 1), ask)
        });
        Ok(Response::new(run.await?))
    }
}
