//! States of characters.

mod columns;
mod motion;
mod state;

pub(crate) use columns::{Characters, character_columns};
pub(crate) use motion::{
    InMotion, encode_mode, encode_motion, mode, motion_columns, motion_state, optional_vectors,
};
pub(crate) use state::{encode_state, state};
