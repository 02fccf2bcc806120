// SPDX-License-Identifier: MIT
//! Sleeps that others can end.

use crate::deadline::{clamped_ns, sealed};
use crate::policy::{common_options, Options};
use crate::raw::Waiter;
use crate::{Clock, Deadline, EpollEvent, FdSleeper, Instant, Policy, PollFd, Ticks, Wake};
use std::io;
use std::os::unix::io::BorrowedFd;
use std::time::Duration;

/// An object that one thread at a time sleeps on. Any thread can end that sleep.
///
/// The sleeper holds its clock. After a fork the child's sleeper is its own, no thread sleeps on it, and a
/// pending interrupt stays. Dropping a sleeper removes a pending interrupt with it.
///
/// ```
/// use hpt::{Sleeper, Wake};
/// use std::sync::Arc;
/// use std::thread;
/// use std::time::Duration;
///
/// let sleeper = Arc::new(Sleeper::new()?);
/// let worker = thread::spawn({
///     let sleeper = Arc::clone(&sleeper);
///     move || sleeper.sleep(Duration::from_secs(3600))
/// });
/// sleeper.interrupt();
/// assert_eq!(worker.join().unwrap()?, Wake::Interrupted);
/// assert!(sleeper.remaining() > Duration::from_secs(3000));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Sleeper {
    pub(crate) raw: Waiter,
}

/// Options of a new [`Sleeper`].
///
/// ```
/// use hpt::{Policy, Sleeper};
/// use std::time::Duration;
///
/// let sleeper = Sleeper::builder().policy(Policy::Frugal).max_spin(Duration::from_micros(50)).build()?;
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
#[must_use = "it does nothing before build()"]
pub struct SleeperBuilder {
    options: Options,
}

impl SleeperBuilder {
    common_options!();

    /// The sleeper.
    ///
    /// # Errors
    /// `EINVAL`: a [`max_spin`](Self::max_spin) without a policy. `ENOMEM`.
    pub fn build(self) -> io::Result<Sleeper> {
        let raw = Waiter::new(&self.options.clock().raw, self.options.flags())?;

        self.options.apply(|policy, max_spin| raw.set_policy(policy, max_spin))?;
        Ok(Sleeper { raw })
    }
}

impl Sleeper {
    /// A sleeper on the default clock, with the process's policy.
    ///
    /// # Errors
    /// `ENOMEM`.
    pub fn new() -> io::Result<Self> {
        Self::builder().build()
    }

    /// Options of a new sleeper.
    pub fn builder() -> SleeperBuilder {
        SleeperBuilder::default()
    }

    /// Sleeps for a duration, or until interrupted. A pending interrupt ends the sleep at once, even one of zero.
    ///
    /// A duration beyond 64 bits of nanoseconds lasts to the end of the clock's range, so [`Duration::MAX`] means:
    /// until interrupted.
    ///
    /// # Errors
    /// `EBUSY`: another thread sleeps on this sleeper.
    ///
    /// # Cost
    /// 10 to 40 us of CPU time and the spin, or the duration itself if that is shorter.
    ///
    /// ```
    /// use hpt::{Sleeper, Wake};
    /// use std::time::Duration;
    ///
    /// let sleeper = Sleeper::new()?;
    /// assert_eq!(sleeper.sleep(Duration::from_micros(200))?, Wake::Reached);
    /// sleeper.interrupt();
    /// assert_eq!(sleeper.sleep(Duration::MAX)?, Wake::Interrupted);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn sleep(&self, duration: Duration) -> io::Result<Wake> {
        Wake::of(self.raw.sleep_ns(clamped_ns(duration)))
    }

    /// Sleeps until a time of the sleeper's clock, or until interrupted. [`Deadline`] has the timelines.
    ///
    /// # Errors
    /// `EBUSY`: another thread sleeps on this sleeper.
    pub fn sleep_until(&self, deadline: impl Deadline) -> io::Result<Wake> {
        Wake::of(sealed::Deadline::on_waiter(deadline, &self.raw))
    }

    /// Sleeps until interrupted.
    ///
    /// # Errors
    /// `EBUSY`: another thread sleeps on this sleeper.
    pub fn wait(&self) -> io::Result<Wake> {
        self.sleep_until(Ticks::MAX)
    }

    /// Ends the sleep, or the next one. Several interrupts before that count as one.
    ///
    /// The sleeper that it ends sees all memory writes that the caller made before. Any thread and any signal handler
    /// may call it.
    ///
    /// # Cost
    /// An atomic addition, and a system call if the sleeper is in the kernel.
    pub fn interrupt(&self) {
        self.raw.interrupt();
    }

    /// Removes a pending interrupt.
    pub fn clear(&self) {
        self.raw.clear();
    }

    /// The time that was left when the latest sleep ended by an interrupt, a signal or a descriptor's event; else zero.
    /// [`Duration::MAX`]: that sleep had no deadline. After [`Wall::wait_after_on`](crate::Wall::wait_after_on) it is
    /// what was left of the time-out.
    #[must_use]
    pub fn remaining(&self) -> Duration {
        match self.raw.remaining_ns() {
            i64::MAX => Duration::MAX,
            ns => Duration::from_nanos(ns.unsigned_abs()),
        }
    }

    /// Another policy for later sleeps, as those of the [builder](SleeperBuilder).
    ///
    /// # Errors
    /// `EINVAL`: a `max_spin` other than zero with [`Policy::Inherit`].
    pub fn set_policy(&self, policy: Policy, max_spin: Duration) -> io::Result<()> {
        self.raw.set_policy(policy.number(), clamped_ns(max_spin))
    }

    /// One more holder of the sleeper's clock.
    pub fn clock(&self) -> Clock {
        Clock { raw: self.raw.clock() }
    }
}

/// Waits for descriptors. They belong to a young header: see the [crate](crate#young-parts).
impl Sleeper {
    /// Waits until descriptors have events, as poll(2), or until a time of the sleeper's clock: [`Wake::Ready`] with
    /// their number, or [`Wake::Reached`], never before that time.
    ///
    /// It waits in the kernel until a margin before the deadline, and looks at the descriptors again and again for most
    /// of the rest. A past deadline is one look; [`Instant::MAX`] means: until there are events. A suspend, a jump of
    /// the counter or a step of the system's clock does not end the wait.
    ///
    /// An interrupt that comes during the wait ends it at once if the descriptor of [`into_fd`](Self::into_fd) is one
    /// of them, otherwise in the last margin at best. Events that come with it are returned first, among them its own;
    /// the next wait or sleep on the sleeper is [`Wake::Interrupted`].
    ///
    /// # Errors
    /// `EBUSY`: another thread sleeps on this sleeper. `EINVAL`: more descriptors than the process may open. `ENOMEM`.
    ///
    /// # Cost
    /// Of a wait that comes to its deadline, that of a sleep, and looks of 0.2 us or more. A thread whose waits end by
    /// events near their deadlines spins for a quarter of them.
    ///
    /// ```
    /// use hpt::{Instant, PollFd, Sleeper, Wake};
    /// use std::os::unix::io::AsFd;
    /// use std::os::unix::net::UnixStream;
    /// use std::time::Duration;
    ///
    /// let (sleeper, (here, there)) = (Sleeper::new()?, UnixStream::pair()?);
    /// let mut fds = [PollFd::new(here.as_fd(), libc::POLLIN)];
    /// let deadline = Instant::now() + Duration::from_millis(1);
    /// assert_eq!(sleeper.poll_until(&mut fds, deadline)?, Wake::Reached);
    /// assert!(Instant::now() >= deadline);
    /// drop(there);
    /// assert_eq!(sleeper.poll_until(&mut fds, Instant::MAX)?, Wake::Ready(1));
    /// assert!(fds[0].revents() & libc::POLLHUP != 0);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn poll_until(&self, fds: &mut [PollFd<'_>], deadline: Instant) -> io::Result<Wake> {
        Wake::of_events(self.raw.poll_until_ns(fds, deadline.as_nanos()))
    }

    /// As [`poll_until`](Self::poll_until), with an epoll set: [`Wake::Ready`] with the number of `events` that are
    /// set. Each event is returned once, also those of `EPOLLET` and `EPOLLONESHOT`.
    ///
    /// # Errors
    /// `EBUSY`: another thread sleeps on this sleeper. `EINVAL`: `epoll` is no epoll set, or `events` has no room.
    pub fn epoll_until(&self, epoll: BorrowedFd<'_>, events: &mut [EpollEvent], deadline: Instant) -> io::Result<Wake> {
        Wake::of_events(self.raw.epoll_until_ns(epoll, events, deadline.as_nanos()))
    }

    /// The same sleeper with a descriptor that is readable while an interrupt is pending.
    ///
    /// # Errors
    /// `EMFILE` and others of `eventfd`. The sleeper is dropped then.
    pub fn into_fd(self) -> io::Result<FdSleeper> {
        FdSleeper::new(self)
    }

    /// How long before its deadline a wait of the program's own is to end, if `left` is left until then. More than
    /// `left`: the kernel would end it too late. Zero on a manual clock.
    ///
    /// It holds what the calling thread has learned, by sleeps and by [`learn`](Self::learn), and its timer slack.
    ///
    /// ```
    /// use hpt::{Instant, Sleeper};
    /// use std::sync::mpsc::channel;
    /// use std::time::Duration;
    ///
    /// let (sleeper, (_sender, receiver)) = (Sleeper::new()?, channel::<()>());
    /// let deadline = Instant::now() + Duration::from_millis(3);
    /// loop {
    ///     let left = deadline - Instant::now();
    ///     let margin = sleeper.margin(left);
    ///     if margin >= left {
    ///         break;
    ///     }
    ///     assert!(receiver.recv_timeout(left - margin).is_err());
    ///     sleeper.learn(deadline - margin, Instant::now());
    /// }
    /// sleeper.sleep_until(deadline)?;
    /// assert!(Instant::now() >= deadline);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Cost
    /// Some 0.1 us; a thread's first calls make system calls.
    #[must_use]
    pub fn margin(&self, left: Duration) -> Duration {
        Duration::from_nanos(self.raw.margin_ns(clamped_ns(left)).unsigned_abs())
    }

    /// Teaches the calling thread how late a wait of its own was: when it was to end, after the latest
    /// [`margin`](Self::margin), and when it did. Both are on one timeline, which need not be the sleeper's: see
    /// [`Instant::from_nanos`]. A wait that ended before its time, by an event, teaches nothing.
    ///
    /// # Cost
    /// Some 20 ns.
    pub fn learn(&self, asked: Instant, woke: Instant) {
        self.raw.learn_ns(asked.as_nanos(), woke.as_nanos());
    }
}
