//! Why a call has no answer.

use capsweep_proto::FieldError;
use core::fmt;
use tonic::{Code, Status};

/// Why a call has no answer.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The address, a certificate or a token is bad.
    Setup(String),
    /// The server refused the call, or could not be reached.
    Call(Status),
    /// The client cannot interpret the server's answer.
    Answer(FieldError),
}

impl Error {
    /// The code of the server's answer; `None` if there was none.
    pub fn code(&self) -> Option<Code> {
        match self {
            Self::Call(status) => Some(status.code()),
            Self::Setup(_) | Self::Answer(_) => None,
        }
    }

    /// Whether a limit of the server was reached. Try later, with a smaller batch, or another
    /// server.
    pub fn is_exhausted(&self) -> bool {
        self.code() == Some(Code::ResourceExhausted)
    }
}

impl From<Status> for Error {
    fn from(status: Status) -> Self {
        Self::Call(status)
    }
}

impl From<FieldError> for Error {
    fn from(error: FieldError) -> Self {
        Self::Answer(error)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Setup(message) => f.write_str(message),
            Self::Call(status) => write!(f, "{:?}: {}", status.code(), status.message()),
            Self::Answer(error) => write!(f, "the client cannot interpret the answer: {error}"),
        }
    }
}

impl core::error::Error for Error {}
