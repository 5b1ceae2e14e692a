//! Accepted states as bytes: a version, the state in MessagePack, a checksum.
//!
//! The state is internal to the validator, so the bytes are opaque. The checksum detects damage;
//! it does not prevent forgery. The caller keeps these bytes, and clients must never see them.

use crate::FieldError;
use capsweep::validate::Accepted;

/// Version of the bytes. It changes with the layout of the state.
const VERSION: u8 = 3;

/// FNV-1a.
fn checksum(bytes: &[u8]) -> [u8; 8] {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, step).to_le_bytes()
}

/// The bytes of an accepted state.
///
/// # Errors
/// None in practice: the state has a fixed layout.
pub fn encode_accepted(accepted: &Accepted) -> Result<Vec<u8>, FieldError> {
    let mut bytes = vec![VERSION];
    // With field names, because a state may leave fields out or use their defaults.
    let state = rmp_serde::to_vec_named(accepted);
    bytes.extend_from_slice(&state.map_err(|error| FieldError::new("accepted", error))?);
    let sum = checksum(&bytes);
    bytes.extend_from_slice(&sum);
    Ok(bytes)
}

/// The accepted state that the bytes hold.
///
/// # Errors
/// If [`encode_accepted`] of this version did not make the bytes, or a number is bad.
pub fn decode_accepted(bytes: &[u8]) -> Result<Accepted, FieldError> {
    let bad = |message: &str| FieldError::new("accepted", message);
    let (state, sum) = bytes
        .split_last_chunk::<8>()
        .ok_or_else(|| bad("it is too short: send back the bytes that the server gave"))?;
    if *sum != checksum(state) {
        return Err(bad("its checksum is wrong: send back the bytes that the server gave"));
    }
    match state.split_first() {
        Some((&VERSION, state)) => {
            let accepted: Accepted = rmp_serde::from_slice(state)
                .map_err(|error| FieldError::new("accepted", error))?;
            // The checksum does not prove that the numbers are valid: any caller can compute it.
            accepted.check().map_err(|error| FieldError::new("accepted", error))?;
            Ok(accepted)
        }
        _ => Err(bad("it is of another version: start the chain of claims again")),
    }
}
