//! Connections: listeners, TLS, limits, and clients that do not read.

mod connection;
mod listen;
mod tls;
mod unread;

pub use connection::{Connection, ConnectionInfo};
pub use listen::{HANDSHAKE_TIME, Listener, incoming};
pub use tls::{TlsFiles, acceptor};
pub use unread::{Answer, Held, Unread, Until};
