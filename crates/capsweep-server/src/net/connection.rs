//! A connection that other parts of the server can close.

use super::listen::HANDSHAKE_TIME;
use crate::metrics::Metrics;
use futures_util::task::AtomicWaker;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::Sleep;
use tokio_rustls::server::TlsStream;
use tonic::transport::server::Connected;

/// Information about a connection for the layers behind it.
#[derive(Debug, Clone)]
pub struct ConnectionInfo {
    /// The other end.
    pub peer: Option<SocketAddr>,
    pub(super) end: Arc<End>,
}

/// Closes a connection whose client misbehaves.
#[derive(Debug, Default)]
pub(super) struct End {
    is_set: AtomicBool,
    reader: AtomicWaker,
}

impl End {
    pub(super) fn set(&self) {
        self.is_set.store(true, Ordering::Release);
        self.reader.wake();
    }

    /// Whether the connection was closed. Otherwise its reader is woken when that happens.
    fn poll(&self, context: &Context<'_>) -> bool {
        self.reader.register(context.waker());
        self.is_set.load(Ordering::Acquire)
    }
}

/// A plain or an encrypted byte stream.
#[derive(Debug)]
pub(super) enum Bytes {
    Clear(TcpStream),
    Tls(Box<TlsStream<TcpStream>>),
}

/// The first bytes of a client: the preface of HTTP/2, or most of the smallest request over
/// HTTP/1. Before them HTTP/2 sends no pings, and HTTP/1 has no time limit.
const FIRST: usize = 24;

/// Closes a connection that does not send its first bytes in time.
#[derive(Debug)]
struct Silence {
    missing: usize,
    end: Pin<Box<Sleep>>,
}

/// An accepted connection.
#[derive(Debug)]
pub struct Connection {
    bytes: Bytes,
    /// Until the first bytes have arrived.
    silence: Option<Silence>,
    info: ConnectionInfo,
    metrics: Arc<Metrics>,
    _permit: OwnedSemaphorePermit,
}

impl Connection {
    pub(super) fn new(
        bytes: Bytes,
        peer: SocketAddr,
        metrics: Arc<Metrics>,
        permit: OwnedSemaphorePermit,
    ) -> Self {
        metrics.add_connections(1);
        let info = ConnectionInfo { peer: Some(peer), end: Arc::new(End::default()) };
        let end = Box::pin(tokio::time::sleep(HANDSHAKE_TIME));
        let silence = Some(Silence { missing: FIRST, end });
        Self { bytes, silence, info, metrics, _permit: permit }
    }

    /// Information for the layers behind it.
    pub fn info(&self) -> ConnectionInfo {
        self.info.clone()
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.metrics.add_connections(-1);
    }
}

impl Connected for Connection {
    type ConnectInfo = ConnectionInfo;

    fn connect_info(&self) -> ConnectionInfo {
        self.info()
    }
}

fn ended() -> io::Error {
    io::Error::new(io::ErrorKind::TimedOut, "the client did not read its answers")
}

fn silent() -> io::Error {
    io::Error::new(io::ErrorKind::TimedOut, "the client sent nothing for too long")
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.info.end.poll(context) {
            return Poll::Ready(Err(ended()));
        }
        let before = buffer.filled().len();
        let polled = match &mut self.bytes {
            Bytes::Clear(stream) => Pin::new(stream).poll_read(context, buffer),
            Bytes::Tls(stream) => Pin::new(stream).poll_read(context, buffer),
        };
        if let Some(silence) = &mut self.silence {
            silence.missing = silence.missing.saturating_sub(buffer.filled().len() - before);
            if silence.missing == 0 {
                self.silence = None;
            } else if silence.end.as_mut().poll(context).is_ready() {
                return Poll::Ready(Err(silent()));
            }
        }
        polled
    }
}

impl AsyncWrite for Connection {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        match &mut self.bytes {
            Bytes::Clear(stream) => Pin::new(stream).poll_write(context, bytes),
            Bytes::Tls(stream) => Pin::new(stream).poll_write(context, bytes),
        }
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut self.bytes {
            Bytes::Clear(stream) => Pin::new(stream).poll_flush(context),
            Bytes::Tls(stream) => Pin::new(stream).poll_flush(context),
        }
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut self.bytes {
            Bytes::Clear(stream) => Pin::new(stream).poll_shutdown(context),
            Bytes::Tls(stream) => Pin::new(stream).poll_shutdown(context),
        }
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        match &mut self.bytes {
            Bytes::Clear(stream) => Pin::new(stream).poll_write_vectored(context, slices),
            Bytes::Tls(stream) => Pin::new(stream).poll_write_vectored(context, slices),
        }
    }

    fn is_write_vectored(&self) -> bool {
        match &self.bytes {
            Bytes::Clear(stream) => stream.is_write_vectored(),
            Bytes::Tls(stream) => stream.is_write_vectored(),
        }
    }
}
