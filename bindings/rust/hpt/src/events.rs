// SPDX-License-Identifier: MIT
//! Descriptors that a wait looks at, and their events.

use std::fmt;
use std::marker::PhantomData;
use std::os::unix::io::{AsRawFd, BorrowedFd};

/// A descriptor for [`Sleeper::poll_until`](crate::Sleeper::poll_until), and its events: the `pollfd` of C.
///
/// Events are the bits of poll(2), such as `libc::POLLIN`.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct PollFd<'fd> {
    poll: libc::pollfd,
    fd: PhantomData<BorrowedFd<'fd>>,
}

impl<'fd> PollFd<'fd> {
    /// A descriptor, and the events to wait for. A wait also ends by `POLLERR`, `POLLHUP` and `POLLNVAL`.
    #[must_use]
    pub fn new(fd: BorrowedFd<'fd>, events: i16) -> Self {
        Self { poll: libc::pollfd { fd: fd.as_raw_fd(), events, revents: 0 }, fd: PhantomData }
    }

    /// The events that the latest wait found; 0: none.
    #[must_use]
    pub const fn revents(&self) -> i16 {
        self.poll.revents
    }
}

impl fmt::Debug for PollFd<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let libc::pollfd { fd, events, revents } = self.poll;

        f.debug_struct("PollFd").field("fd", &fd).field("events", &events).field("revents", &revents).finish()
    }
}

/// An event that [`Sleeper::epoll_until`](crate::Sleeper::epoll_until) returns: the `epoll_event` of C.
///
/// [`default`](Self::default) makes room for one.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct EpollEvent(libc::epoll_event);

impl EpollEvent {
    /// The bits of `epoll_ctl(2)`, such as `libc::EPOLLIN`.
    #[must_use]
    pub const fn events(&self) -> u32 {
        self.0.events
    }

    /// What the program stored with the descriptor, as 64 bits.
    #[must_use]
    pub const fn data(&self) -> u64 {
        self.0.u64
    }
}

impl Default for EpollEvent {
    fn default() -> Self {
        Self(libc::epoll_event { events: 0, u64: 0 })
    }
}

impl fmt::Debug for EpollEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EpollEvent").field("events", &self.events()).field("data", &self.data()).finish()
    }
}
