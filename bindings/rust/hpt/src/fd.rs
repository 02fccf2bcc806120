// SPDX-License-Identifier: MIT
//! Tickers, sleepers and walls in event loops.

use crate::{Sleeper, Ticker, Wall, WallState};
use std::io;
use std::ops::Deref;
use std::os::unix::io::{AsFd, AsRawFd, BorrowedFd, RawFd};

/// A [`Ticker`] with a descriptor that is readable a margin before each tick, and while an interrupt is pending.
///
/// When poll(2) or an event loop reports it readable, call [`wait`](Ticker::wait): the wait ends on the tick, and arms
/// the descriptor for the next one. It blocks the loop for the margin, which the ticker learns from how late the kernel
/// wakes the loop: at most 1 ms, or the longest spin of the ticker's policy if that is shorter. A loop that may be held
/// up for 50 us at most has a ticker with [`Policy::Spin`](crate::Policy::Spin) and a `max_spin` of 50 us. The
/// descriptor need not be read. The ticker owns it and closes it.
///
/// The ticker of a manual clock has no such descriptor, and the kernel may refuse to make one. So this is a type of its
/// own: [`Ticker::into_fd`] reports the failure, and `as_fd()` cannot fail.
///
/// After a fork the child's ticker has another descriptor, which the next `as_fd()` returns.
///
/// ```
/// use hpt::{Ticker, Wake};
/// use std::os::unix::io::AsRawFd;
/// use std::time::Duration;
///
/// let ticker = Ticker::new(Duration::from_millis(1))?.into_fd()?;
/// let mut poll = libc::pollfd { fd: ticker.as_raw_fd(), events: libc::POLLIN, revents: 0 };
/// assert_eq!(unsafe { libc::poll(&mut poll, 1, -1) }, 1);
/// assert_eq!(ticker.wait()?.wake, Wake::Reached);
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// The descriptor cannot outlive the ticker:
///
/// ```compile_fail,E0505
/// use std::os::unix::io::AsFd;
///
/// let ticker = hpt::Ticker::new(std::time::Duration::from_millis(1)).unwrap().into_fd().unwrap();
/// let fd = ticker.as_fd();
/// drop(ticker);
/// println!("{fd:?}");
/// ```
#[derive(Debug)]
pub struct FdTicker {
    ticker: Ticker,
    known: RawFd,
}

impl FdTicker {
    pub(crate) fn new(ticker: Ticker) -> io::Result<Self> {
        let known = ticker.raw().fd()?;

        Ok(Self { ticker, known })
    }
}

impl Deref for FdTicker {
    type Target = Ticker;

    fn deref(&self) -> &Ticker {
        &self.ticker
    }
}

impl AsFd for FdTicker {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.ticker.raw().borrow_fd(self.known)
    }
}

impl AsRawFd for FdTicker {
    fn as_raw_fd(&self) -> RawFd {
        self.as_fd().as_raw_fd()
    }
}

/// A [`Sleeper`] with a descriptor that is readable while an interrupt is pending.
///
/// Put it among the descriptors of [`poll_until`](Sleeper::poll_until), so that [`interrupt`](Sleeper::interrupt) ends
/// the wait. It need not be read: it becomes unreadable as a wait or sleep returns
/// [`Wake::Interrupted`](crate::Wake::Interrupted), or by [`clear`](Sleeper::clear). The sleeper owns it and closes it.
/// As long as it has one, each interrupt and its end make one system call more.
///
/// The kernel may refuse to make one. So this is a type of its own: [`Sleeper::into_fd`] reports the failure, and
/// `as_fd()` cannot fail. After a fork the child's sleeper has another descriptor, which the next `as_fd()` returns.
///
/// ```
/// use hpt::{Instant, PollFd, Sleeper, Wake};
/// use std::os::unix::io::AsFd;
/// use std::thread;
///
/// let sleeper = Sleeper::new()?.into_fd()?;
/// thread::scope(|scope| {
///     scope.spawn(|| sleeper.interrupt());
///     let mut fds = [PollFd::new(sleeper.as_fd(), libc::POLLIN)];
///     while let Wake::Ready(_) = sleeper.poll_until(&mut fds, Instant::MAX)? {
///         println!("{:?}", fds[0]); // the interrupt's own event, before the wait that it ends
///     }
///     Ok::<(), std::io::Error>(())
/// })?;
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct FdSleeper {
    sleeper: Sleeper,
    known: RawFd,
}

impl FdSleeper {
    pub(crate) fn new(sleeper: Sleeper) -> io::Result<Self> {
        let known = sleeper.raw.fd()?;

        Ok(Self { sleeper, known })
    }
}

impl Deref for FdSleeper {
    type Target = Sleeper;

    fn deref(&self) -> &Sleeper {
        &self.sleeper
    }
}

impl AsFd for FdSleeper {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.sleeper.raw.borrow_fd(self.known)
    }
}

impl AsRawFd for FdSleeper {
    fn as_raw_fd(&self) -> RawFd {
        self.as_fd().as_raw_fd()
    }
}

/// A [`Wall`] with a descriptor that is readable as the bound is lost or gained.
///
/// When poll(2) or an event loop reports it readable, call [`clear`](Self::clear), which returns the state and makes
/// the descriptor unreadable until the bound is lost or gained again. It may be readable early: then nothing has
/// changed. What is lost between two updates, such as by a jump of the counter, is said by the next one. The descriptor
/// need not be read. The wall owns it, and closes it with its last holder.
///
/// The wall of a manual clock has no such descriptor, and the kernel may refuse to make one. So this is a type of its
/// own: [`Wall::into_fd`] reports the failure, and `as_fd()` cannot fail. Clones of the wall share the descriptor.
///
/// After a fork the child's wall has another descriptor, which the next `as_fd()` returns.
///
/// ```
/// use hpt::{Wall, WallSource, WallState};
/// use std::os::unix::io::AsRawFd;
/// use std::time::SystemTime;
///
/// let wall = Wall::builder().sources(&[WallSource::FEED]).build()?.into_fd()?;
/// let (now, utc) = (hpt::Clock::default().now(), SystemTime::now());
/// wall.feed(now, now, utc, utc)?;
/// let mut poll = libc::pollfd { fd: wall.as_raw_fd(), events: libc::POLLIN, revents: 0 };
/// assert_eq!(unsafe { libc::poll(&mut poll, 1, -1) }, 1);
/// assert_eq!(wall.clear()?, WallState::SYNCED);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct FdWall {
    wall: Wall,
    known: RawFd,
}

impl FdWall {
    pub(crate) fn new(wall: Wall) -> io::Result<Self> {
        let known = wall.raw.fd()?;

        Ok(Self { wall, known })
    }

    /// Looks at the wall, and makes the descriptor unreadable until the bound is lost or gained again.
    ///
    /// # Errors
    /// `EINVAL`: in a child of a fork that has not called `as_fd()`.
    pub fn clear(&self) -> io::Result<WallState> {
        self.wall.raw.fd_clear().map(WallState)
    }
}

impl Deref for FdWall {
    type Target = Wall;

    fn deref(&self) -> &Wall {
        &self.wall
    }
}

impl AsFd for FdWall {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.wall.raw.borrow_fd(self.known)
    }
}

impl AsRawFd for FdWall {
    fn as_raw_fd(&self) -> RawFd {
        self.as_fd().as_raw_fd()
    }
}
