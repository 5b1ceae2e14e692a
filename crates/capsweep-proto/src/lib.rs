//! The messages of `capsweep-server`, and their conversion from and to the types of [`capsweep`].
//! Every conversion keeps all bits.
//!
//! - [`v1`] has the messages and the stubs that are generated from `proto/capsweep/v1`.
//! - The server reads requests with [`Single`] and [`Queries`], and answers with [`Answers`] and
//!   `From`.
//! - A client uses the opposite conversions. [`in_order`] sorts the answers of a batch.

mod accepted;
mod answer;
mod batch;
mod character;
mod claim;
pub mod codec;
mod column;
mod config;
mod enums;
mod error;
mod filter;
mod geometry;
mod moves;
mod outcome;
mod query;
mod shape;
mod target;
mod wire;

pub use accepted::{decode_accepted, encode_accepted};
pub use batch::{Answered, Answers, Queries, in_order};
pub use claim::{
    Changes, ClaimColumns, ClaimPlace, ClaimQuery, ClaimSent, Judged, StartColumns, StartQuery,
    validator,
};
pub use config::{controller, locomotion};
pub use error::FieldError;
pub use moves::{MoveColumns, MoveQuery, TickColumns, TickQuery};
pub use outcome::{Moved, Omit, Ticked};
pub use query::{
    ClosestColumns, LiquidColumns, OverlapColumns, RayColumns, Single, SupportsColumns,
    SupportsQuery, SweepColumns,
};
pub use shape::{NoMessage, Shape, Shaped};
pub use wire::{Lengths, Wire};

/// The generated messages and services.
#[allow(
    missing_docs,
    unreachable_pub,
    clippy::all,
    clippy::pedantic,
    clippy::allow_attributes_without_reason,
    reason = "generated code"
)]
pub mod v1 {
    tonic::include_proto!("capsweep.v1");
}

/// The descriptors of all messages, for reflection.
pub const FILE_DESCRIPTOR_SET: &[u8] =
    include_bytes!(concat!(env!("OUT_DIR"), "/descriptors.bin"));
