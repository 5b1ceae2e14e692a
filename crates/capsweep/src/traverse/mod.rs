//! Traversal: from a query to the triangles that it may hit.
//!
//! A [`SceneVisitor`](scene_visitor::SceneVisitor) goes down the trees of a scene, or through the
//! packets of a [`Neighborhood`](neighborhood::Neighborhood) that a cache gathered before.

pub(crate) mod box_query;
pub(crate) mod cull_packet;
pub(crate) mod cull_volume;
pub(crate) mod deferred;
pub(crate) mod leaves;
pub(crate) mod mesh_visitor;
pub(crate) mod neighborhood;
pub(crate) mod neighborhood_view;
pub(crate) mod scene_visitor;
pub(crate) mod static_source;
