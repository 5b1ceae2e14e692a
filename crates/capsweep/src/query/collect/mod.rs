//! What a query keeps of the contacts that it meets.

pub(crate) mod first_hit;
pub(crate) mod first_time;
pub(crate) mod ties;
