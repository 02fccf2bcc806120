// SPDX-License-Identifier: MIT
//! Sleeps and tickers that tasks of tokio await. Needs the feature `tokio`.
//!
//! The runtime waits for a descriptor that is readable a margin before the deadline. Then the task blocks its thread
//! until the deadline, which it never ends before: for at most 1 ms, or the policy's longest spin if that is shorter.
//! The margin is learned from how late the runtime polls the task. Where other tasks hold the thread up, the task is
//! late.
//!
//! ```
//! use std::time::Duration;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> std::io::Result<()> {
//! let start = hpt::Instant::now();
//! hpt::tokio::sleep(Duration::from_millis(1)).await?;
//! assert!(start.elapsed() >= Duration::from_millis(1));
//!
//! let mut ticker = hpt::tokio::AsyncTicker::new(hpt::Ticker::new(Duration::from_millis(1))?)?;
//! for _ in 0..3 {
//!     println!("{} missed", ticker.tick().await?.missed);
//! }
//! # Ok(())
//! # }
//! ```
//!
//! # Panics
//! As [`AsyncFd`], what makes a [`Sleep`] or [`AsyncTicker`] panics where no runtime of tokio runs, or one without
//! `enable_io()`.
//!
//! # In other crates
//! A [`Sleep`] can be set again, so it serves where a crate takes a timer. For the endpoints of quinn, whose times are
//! those of the standard library:
//!
//! ```
//! # trait AsyncTimer {
//! #     fn reset(self: Pin<&mut Self>, at: std::time::Instant);
//! #     fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()>;
//! # }
//! use std::future::Future;
//! use std::pin::Pin;
//! use std::task::{Context, Poll};
//!
//! #[derive(Debug)]
//! struct Timer(hpt::tokio::Sleep);
//!
//! impl AsyncTimer for Timer {
//!     fn reset(mut self: Pin<&mut Self>, at: std::time::Instant) {
//!         let left = at.saturating_duration_since(std::time::Instant::now());
//!         self.0.reset(hpt::Instant::now().saturating_add(left));
//!     }
//!
//!     fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
//!         Pin::new(&mut self.0).poll(cx).map(drop)
//!     }
//! }
//! ```

use crate::{raw, FdTicker, Instant, Policy, Tick, Ticker, Wake};
use ::tokio::io::unix::AsyncFd;
use ::tokio::io::Interest;
use std::future::Future;
use std::io;
use std::ops::Deref;
use std::os::unix::io::AsFd;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

/// Sleeps for a duration from this call on, by the default clock.
///
/// # Errors
/// Those of [`Sleep::new`].
///
/// # Cost
/// A descriptor is made, and closed after the deadline, which takes some 10 us: to sleep often or exactly, keep a
/// [`Sleep`] and set it again.
pub fn sleep(duration: Duration) -> impl Future<Output = io::Result<Wake>> {
    sleep_until(Instant::now().saturating_add(duration))
}

/// Sleeps until a time of the default clock, as [`sleep`].
///
/// # Errors
/// Those of [`Sleep::new`].
pub async fn sleep_until(deadline: Instant) -> io::Result<Wake> {
    Sleep::new(deadline)?.await
}

/// A sleep, as a future that can be set again. Dropping it ends the sleep.
///
/// It ends as a sleep of the [`Clock`](crate::Clock) does: [`Wake::Reached`], or a state of the clock that says why it
/// may be early. A sleep that has ended and is not set again is [`Wake::Ended`].
#[derive(Debug)]
#[must_use = "futures do nothing unless they are awaited"]
pub struct Sleep {
    ticker: AsyncTicker,
}

impl Sleep {
    /// A sleep until a time of the default clock, with the process's policy. [`Instant::MAX`] never comes.
    ///
    /// # Errors
    /// `ENOMEM`, `EMFILE` and others of `timerfd_create` and `epoll_ctl`.
    ///
    /// # Cost
    /// Some system calls: more than a [`reset`](Self::reset), which makes one.
    pub fn new(deadline: Instant) -> io::Result<Self> {
        AsyncTicker::new(Ticker::builder().first(deadline).once()?).map(|ticker| Self { ticker })
    }

    /// Sets another time, also after the sleep has ended.
    pub fn reset(&mut self, deadline: Instant) {
        // It fails for a ticker that another thread waits for; nobody else has this one.
        let _ = self.ticker.start_once(deadline);
    }

    /// Another policy for later sleeps: see [`Ticker::set_policy`].
    ///
    /// # Errors
    /// `EINVAL`: a `max_spin` other than zero with [`Policy::Inherit`].
    pub fn set_policy(&self, policy: Policy, max_spin: Duration) -> io::Result<()> {
        self.ticker.set_policy(policy, max_spin)
    }
}

impl Future for Sleep {
    type Output = io::Result<Wake>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<Wake>> {
        self.ticker.poll_tick(cx).map(|tick| tick.map(|tick| tick.wake))
    }
}

/// A [`Ticker`] that tasks await. One that is on a manual clock cannot be.
///
/// [`Ticker::wait`] blocks the thread until the next tick, here too.
#[derive(Debug)]
pub struct AsyncTicker {
    fd: AsyncFd<FdTicker>,
}

impl AsyncTicker {
    /// The ticker in the runtime of the present task.
    ///
    /// # Errors
    /// Those of [`Ticker::into_fd`], and of `epoll_ctl`. The ticker is dropped then.
    #[allow(deprecated)] // in newer versions than the last one that Rust 1.63 compiles, which has no other function
    pub fn new(ticker: Ticker) -> io::Result<Self> {
        AsyncFd::with_interest(ticker.into_fd()?, Interest::READABLE).map(|fd| Self { fd })
    }

    /// The next tick; [`Tick::wake`] may also be an interrupt, or [`Wake::Ended`]. If the future is dropped, the tick
    /// is due in the next call.
    ///
    /// # Errors
    /// `EBUSY`: a thread waits for the ticker, or starts it.
    pub fn tick(&mut self) -> impl Future<Output = io::Result<Tick>> + '_ {
        NextTick(self)
    }

    /// As [`tick`](Self::tick), for futures and streams of the program's own.
    ///
    /// # Errors
    /// As above.
    pub fn poll_tick(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<Tick>> {
        while let Poll::Ready(mut guard) = self.fd.poll_read_ready(cx)? {
            let ticker = guard.get_inner();
            // What the runtime knows may be of a tick that has been taken: to wait would block it for a period.
            let is_near = raw::is_readable(ticker.as_fd());

            // The wait arms the descriptor for the next tick, whose event this must not remove.
            guard.clear_ready();
            if is_near {
                return Poll::Ready(ticker.wait());
            }
        }
        // A ticker without a next tick is never readable.
        match self.next_due().map_err(|error| error.raw_os_error()) {
            Err(Some(libc::ENODATA)) => Poll::Ready(self.wait()),
            _ => Poll::Pending,
        }
    }
}

impl Deref for AsyncTicker {
    type Target = Ticker;

    fn deref(&self) -> &Ticker {
        self.fd.get_ref()
    }
}

/// The future of [`AsyncTicker::tick`].
struct NextTick<'a>(&'a mut AsyncTicker);

impl Future for NextTick<'_> {
    type Output = io::Result<Tick>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<Tick>> {
        self.0.poll_tick(cx)
    }
}
