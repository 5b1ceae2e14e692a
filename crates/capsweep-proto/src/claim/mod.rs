//! Claims and judgements.

mod changes;
mod judgement;
mod request;
mod rules;
mod start;

pub use changes::Changes;
pub use judgement::Judged;
pub use request::{ClaimColumns, ClaimQuery, ClaimSent};
pub use rules::{ClaimPlace, validator};
pub use start::{StartColumns, StartQuery};
