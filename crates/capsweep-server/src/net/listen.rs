//! Listens for connections.

use super::connection::{Bytes, Connection};
use crate::metrics::{Metrics, ShedReason};
use anyhow::{Context as _, Result};
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};
use tokio::time::{sleep, timeout};
use tokio_rustls::TlsAcceptor;
use tokio_stream::wrappers::ReceiverStream;
use tracing::{debug, warn};

/// Time limit of a TLS handshake, and of the first bytes after it.
pub const HANDSHAKE_TIME: Duration = Duration::from_secs(10);

/// A bound address, and how to accept connections there.
pub struct Listener {
    socket: TcpListener,
    tls: Option<TlsAcceptor>,
    permits: Arc<Semaphore>,
    metrics: Arc<Metrics>,
}

impl Listener {
    /// Binds an address for at most `connections` connections.
    ///
    /// # Errors
    /// If the address cannot be bound.
    pub async fn bind(
        address: SocketAddr,
        tls: Option<TlsAcceptor>,
        connections: usize,
        metrics: Arc<Metrics>,
    ) -> Result<Self> {
        let socket = TcpListener::bind(address);
        let socket = socket.await.with_context(|| format!("cannot listen on {address}"))?;
        Ok(Self {
            socket,
            tls,
            permits: Arc::new(Semaphore::new(connections.min(Semaphore::MAX_PERMITS))),
            metrics,
        })
    }

    /// The bound address. If port 0 was requested, it has the actual port.
    ///
    /// # Errors
    /// If the system does not report it.
    pub fn address(&self) -> Result<SocketAddr> {
        Ok(self.socket.local_addr()?)
    }

    /// Waits for a connection within the limit. Connections beyond it are closed at once.
    async fn accept(&self) -> (TcpStream, SocketAddr, OwnedSemaphorePermit) {
        loop {
            let (stream, peer) = match self.socket.accept().await {
                Ok(accepted) => accepted,
                Err(error) => {
                    // Usually too many open files: other connections must close first.
                    warn!(%error, "cannot accept a connection");
                    sleep(Duration::from_millis(50)).await;
                    continue;
                }
            };
            match Arc::clone(&self.permits).try_acquire_owned() {
                Ok(permit) => return (stream, peer, permit),
                Err(_) => self.metrics.shed(ShedReason::Connections),
            }
        }
    }
}

/// Incoming connections, until the receiver is dropped.
pub fn incoming(listener: Listener) -> ReceiverStream<io::Result<Connection>> {
    let (arrived, connections) = mpsc::channel(16);
    tokio::spawn(async move {
        loop {
            let (stream, peer, permit) = tokio::select! {
                accepted = listener.accept() => accepted,
                () = arrived.closed() => return,
            };
            let (arrived, tls) = (arrived.clone(), listener.tls.clone());
            let metrics = Arc::clone(&listener.metrics);
            tokio::spawn(async move {
                match shake_hands(stream, tls).await {
                    Ok(bytes) => {
                        let connection = Connection::new(bytes, peer, metrics, permit);
                        // Fails only while the server shuts down.
                        let _ = arrived.send(Ok(connection)).await;
                    }
                    Err(error) => debug!(%peer, %error, "no connection"),
                }
            });
        }
    });
    ReceiverStream::new(connections)
}

async fn shake_hands(stream: TcpStream, tls: Option<TlsAcceptor>) -> io::Result<Bytes> {
    stream.set_nodelay(true)?;
    match tls {
        None => Ok(Bytes::Clear(stream)),
        Some(tls) => {
            let stream = timeout(HANDSHAKE_TIME, tls.accept(stream)).await;
            let late = |_| io::Error::new(io::ErrorKind::TimedOut, "the handshake took too long");
            Ok(Bytes::Tls(Box::new(stream.map_err(late)??)))
        }
    }
}
