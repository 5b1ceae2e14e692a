//! Answers in flight, and connections that do not read them.
//!
//! An answer is sent in small pieces. HTTP/2 takes the next piece when the client has room for it,
//! so an unread answer stays here and counts as a call in flight. That bounds the memory of all
//! answers. The server closes a connection whose client takes no piece for too long.

use super::connection::{ConnectionInfo, End};
use bytes::Bytes;
use http::HeaderMap;
use http_body::{Body, Frame, SizeHint};
use std::collections::HashMap;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

/// Largest last piece: a frame of HTTP/2 by default. An answer whose last piece is taken counts as
/// sent, so little memory is left that nothing counts.
const LAST_PIECE: usize = 16 << 10;

/// Largest piece. A large one costs less: each piece is a system call.
const PIECE: usize = 64 << 10;

/// A time in milliseconds that no answer reaches. It marks an answer that is not waiting.
const IDLE: u64 = u64::MAX;

/// All answers in flight.
#[derive(Debug)]
pub struct Unread {
    started: Instant,
    next: AtomicU64,
    answers: Mutex<HashMap<u64, Arc<Waiting>>>,
}

/// An answer in flight.
#[derive(Debug)]
struct Waiting {
    /// Time from which the client could take a piece, in milliseconds since [`Unread::started`].
    since: AtomicU64,
    end: Option<Arc<End>>,
}

impl Default for Unread {
    fn default() -> Self {
        let answers = Mutex::new(HashMap::new());
        Self { started: Instant::now(), next: AtomicU64::new(0), answers }
    }
}

impl Unread {
    fn now(&self) -> u64 {
        self.started.elapsed().as_millis() as u64
    }

    fn answers(&self) -> std::sync::MutexGuard<'_, HashMap<u64, Arc<Waiting>>> {
        self.answers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Closes connections that took no piece of an answer for this long. Returns their number.
    pub fn close_after(&self, longest: Duration) -> usize {
        let limit = self.now().saturating_sub(longest.as_millis() as u64);
        let answers = self.answers();
        // The order does not matter.
        #[allow(clippy::iter_over_hash_type, reason = "every connection is closed")]
        let late =
            answers.values().filter(|waiting| waiting.since.load(Ordering::Relaxed) < limit);
        let ends = late.filter_map(|waiting| waiting.end.as_ref());
        ends.map(|end| end.set()).count()
    }
}

/// What an answer keeps until it is sent or dropped.
pub trait Held {
    /// The answer ends with these trailers.
    fn ends(&mut self, trailers: &mut HeaderMap);
}

/// When an answer ends early, and its status then.
pub type Until = Pin<Box<dyn Future<Output = tonic::Status> + Send>>;

/// The body of an answer. It keeps `held` until it is sent or dropped.
pub struct Answer<H> {
    inner: Pin<Box<tonic::body::Body>>,
    until: Option<Until>,
    rest: Bytes,
    /// A piece of the same frame was taken before.
    is_split: bool,
    number: u64,
    waiting: Arc<Waiting>,
    unread: Arc<Unread>,
    held: H,
}

impl<H> Answer<H> {
    /// An answer to a call on this connection.
    pub fn new(
        (inner, until): (tonic::body::Body, Option<Until>),
        connection: Option<&ConnectionInfo>,
        unread: &Arc<Unread>,
        held: H,
    ) -> Self {
        let number = unread.next.fetch_add(1, Ordering::Relaxed);
        let end = connection.map(|connection| Arc::clone(&connection.end));
        let waiting = Arc::new(Waiting { since: AtomicU64::new(unread.now()), end });
        unread.answers().insert(number, Arc::clone(&waiting));
        Self {
            inner: Box::pin(inner),
            until,
            rest: Bytes::new(),
            is_split: false,
            number,
            waiting,
            unread: Arc::clone(unread),
            held,
        }
    }

    fn note(&self, since: u64) {
        self.waiting.since.store(since, Ordering::Relaxed);
    }
}

impl<H> Drop for Answer<H> {
    fn drop(&mut self) {
        self.unread.answers().remove(&self.number);
    }
}

/// The length of the next piece of `rest` bytes: half of them, so that the pieces become small
/// towards the end.
fn piece_of(rest: usize) -> usize {
    rest.min((rest / 2).clamp(LAST_PIECE, PIECE))
}

impl<H: Held + Unpin> Body for Answer<H> {
    type Data = Bytes;
    type Error = tonic::Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, tonic::Status>>> {
        if self.rest.is_empty() {
            match self.inner.as_mut().poll_frame(context) {
                Poll::Pending => {
                    self.note(IDLE);
                    let Some(until) = &mut self.until else { return Poll::Pending };
                    let Poll::Ready(status) = until.as_mut().poll(context) else {
                        return Poll::Pending;
                    };
                    self.until = None;
                    let mut trailers = HeaderMap::new();
                    status.add_header(&mut trailers)?;
                    self.held.ends(&mut trailers);
                    return Poll::Ready(Some(Ok(Frame::trailers(trailers))));
                }
                Poll::Ready(Some(Ok(frame))) => match frame.into_data() {
                    Ok(data) => self.rest = data,
                    Err(mut frame) => {
                        if let Some(trailers) = frame.trailers_mut() {
                            self.held.ends(trailers);
                        }
                        return Poll::Ready(Some(Ok(frame)));
                    }
                },
                Poll::Ready(other) => return Poll::Ready(other),
            }
        }
        let length = piece_of(self.rest.len());
        let mut piece = self.rest.split_to(length);
        let is_last = self.rest.is_empty();
        if is_last && self.is_split {
            // A piece keeps the memory of its whole frame. From here on nothing counts it.
            piece = Bytes::copy_from_slice(&piece);
        }
        self.is_split = !is_last;
        self.note(self.unread.now());
        Poll::Ready(Some(Ok(Frame::data(piece))))
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty() && self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::default()
    }
}

#[cfg(test)]
mod tests {
    use super::{Answer, Held, LAST_PIECE, PIECE, Unread, piece_of};
    use bytes::Bytes;
    use http::HeaderMap;
    use http_body::{Body, Frame};
    use std::convert::Infallible;
    use std::pin::Pin;
    use std::sync::Arc;
    use std::task::{Context, Poll, Waker};

    /// A body with one frame.
    struct OneFrame(Option<Bytes>);

    impl Body for OneFrame {
        type Data = Bytes;
        type Error = Infallible;

        fn poll_frame(
            mut self: Pin<&mut Self>,
            _context: &mut Context<'_>,
        ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
            Poll::Ready(self.0.take().map(|frame| Ok(Frame::data(frame))))
        }
    }

    struct Nothing;

    impl Held for Nothing {
        fn ends(&mut self, _trailers: &mut HeaderMap) {}
    }

    #[test]
    fn the_last_piece_does_not_keep_the_memory_of_the_answer() {
        let whole: Vec<u8> = (0..350_000_u32).map(|i| i as u8).collect();
        let frame = Bytes::from(whole.clone());
        let body = tonic::body::Body::new(OneFrame(Some(frame)));
        let mut answer = Answer::new((body, None), None, &Arc::new(Unread::default()), Nothing);
        let mut context = Context::from_waker(Waker::noop());
        let mut pieces: Vec<Bytes> = Vec::new();
        while let Poll::Ready(Some(Ok(frame))) = Pin::new(&mut answer).poll_frame(&mut context) {
            pieces.push(frame.into_data().unwrap());
        }
        assert_eq!(pieces.concat(), whole);
        assert!(!pieces[0].is_unique() && pieces.last().unwrap().is_unique());
    }

    #[test]
    fn pieces_are_large_and_the_last_one_is_small() {
        let of = |mut rest: usize| {
            let mut pieces = Vec::new();
            while rest > 0 {
                pieces.push(piece_of(rest));
                rest -= piece_of(rest);
            }
            pieces
        };
        assert_eq!(of(7), [7]);
        assert_eq!(of(LAST_PIECE + 1), [LAST_PIECE, 1]);
        for bytes in [1, 100_000, 350_000, 4 << 20] {
            let pieces = of(bytes);
            assert_eq!(pieces.iter().sum::<usize>(), bytes);
            assert!(pieces.iter().all(|piece| (1..=PIECE).contains(piece)));
            assert!(*pieces.last().unwrap() <= LAST_PIECE);
            assert!(pieces.len() <= bytes / PIECE + 5, "{pieces:?}");
        }
    }
}
