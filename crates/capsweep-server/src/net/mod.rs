//! Connections: who may connect, how, and how many.

mod connection;
mod listen;
mod tls;
mod unread;

pub use connection::{Connection, ConnectionInfo};
pub use listen::{Listener, incoming};
pub use tls::{TlsFiles, acceptor};
pub use unread::{Answer, Unread};
