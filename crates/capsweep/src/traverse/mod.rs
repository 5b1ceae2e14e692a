//! From a query to the triangles that it may meet: down the trees, or through the neighborhood that a cache holds.

pub(crate) mod cull_packet;
pub(crate) mod cull_volume;
pub(crate) mod deferred;
pub(crate) mod neighborhood;
pub(crate) mod neighborhood_view;
pub(crate) mod region;
pub(crate) mod scene_visitor;
