//! The physics service: capsweep's queries, moves and judgements over gRPC. It is stateless
//! between calls, so any replica can answer any call.
//!
//! `docs/service.md` in the repository is the user's guide. The modules:
//!
//! - [`service`] answers the calls, in the worlds of [`world`], on the threads of [`pool`].
//! - [`layer`] is in front of it: tokens, limits, deadlines, request ids, metrics, panics.
//! - [`net`] accepts connections and closes those that do not read.
//! - [`admin`] answers on a listener of its own.
//! - [`server`] assembles the parts and shuts them down; [`options`] is the command line.

pub mod admin;
pub mod auth;
pub mod call;
pub mod drain;
pub mod layer;
pub mod limits;
pub mod metrics;
pub mod net;
pub mod options;
pub mod pool;
pub mod server;
pub mod service;
pub mod world;
