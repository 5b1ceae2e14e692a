//! Collectors: how a sweep ranks the impacts that it finds.

pub(crate) mod first_hit;
pub(crate) mod first_time;
pub(crate) mod ties;
