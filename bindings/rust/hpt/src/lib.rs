// SPDX-License-Identifier: MIT
//! One clock over the best counter of the machine, and sleeps that end on their deadline and can be interrupted.
//!
//! This is the Rust side of the C library libhpt. The crate [`hpt_sys`] links with the installed library or, with the
//! feature `vendored`, compiles the library into the program.
//!
//! ```
//! use std::time::Duration;
//!
//! let start = hpt::Instant::now();
//! hpt::sleep(Duration::from_micros(300));
//! assert!(start.elapsed() >= Duration::from_micros(300));
//! ```
//!
//! | To | Use |
//! |---|---|
//! | read the time | [`now`], [`now_ns`], [`Instant`], [`Clock`] |
//! | sleep | [`sleep`], [`sleep_until`] |
//! | sleep, and let other threads end the sleep | [`Sleeper`] |
//! | wait for descriptors until a time | [`Sleeper::poll_until`], [`Sleeper::epoll_until`], [`FdSleeper`] |
//! | wake many threads at once | [`Gate`] |
//! | do something periodically | [`Ticker`], in event loops [`FdTicker`] |
//! | know how wrong the time may be | [`Wall`], in event loops [`FdWall`] |
//! | give timestamps that strictly increase | [`Hlc`] |
//! | store ticks and convert them later | [`Timebase`] |
//! | test all of this | [`ManualClock`], [`Source`] |
//!
//! # Errors
//! Errors are [`std::io::Error`] with the `errno` value of the C library. The end of a sleep by an interrupt, a signal
//! or a shut gate is no error, but a [`Wake`].
//!
//! # Young parts
//! [`Wall`], [`Hlc`], [`MmioConfig`], [`CpuInfo`], [`kernel_hz`], [`set_thread_slice`] and [`low_latency`] belong to
//! the library's young headers, and so do the waits of a [`Sleeper`] for descriptors, its [`margin`](Sleeper::margin)
//! and [`FdSleeper`]: a minor release may change them, with the crate's version. A program that uses them depends on
//! one minor version.
//!
//! # Threads, signals and forks
//! All types are `Send` and `Sync`, and all methods take `&self`. An object that serves one thread at a time gives a
//! second thread `EBUSY`. Objects hold their clock, so they may be dropped in any order. After a fork the child's
//! objects are its own, and no thread sleeps on them.
//!
//! # Panics
//! Only `+` and `-` of an [`Instant`] and a `Duration` panic, as those of the standard library do, and what needs a
//! runtime of tokio where there is none.
//!
//! # Features
//! `vendored` builds the library into the program. `serde` stores [`Timebase`] and [`Ticks`]. `tokio` has sleeps and
//! tickers for tasks of tokio, in the module `hpt::tokio`.
#![deny(missing_docs, unsafe_op_in_unsafe_fn)]
#![deny(unsafe_code)] // except in raw
#![warn(clippy::pedantic)]

mod clock;
mod deadline;
mod events;
mod fd;
mod gate;
mod hlc;
mod ids;
mod info;
mod instant;
mod manual;
mod mmio;
mod policy;
mod raw;
#[cfg(feature = "serde")]
mod serde;
mod sleeper;
mod source;
mod ticker;
mod ticks;
mod timebase;
#[cfg(feature = "tokio")]
pub mod tokio;
mod wake;
mod wall;

pub use crate::clock::{Check, Clock};
pub use crate::deadline::{Deadline, GateDeadline};
pub use crate::events::{EpollEvent, PollFd};
pub use crate::fd::{FdSleeper, FdTicker, FdWall};
pub use crate::gate::{Gate, GateBuilder, Ticket};
pub use crate::hlc::Hlc;
pub use crate::ids::{
    OrderedRead, Origin, Reason, SourceKind, Stage, State, TscClass, WallFlags, WallReason, WallSource, WallState,
};
pub use crate::info::{ClockInfo, CpuInfo, Sample, SleepInfo, SourceInfo, TickerInfo};
pub use crate::instant::Instant;
pub use crate::manual::ManualClock;
pub use crate::mmio::MmioConfig;
pub use crate::policy::{set_policy, Policy};
pub use crate::sleeper::{Sleeper, SleeperBuilder};
pub use crate::source::Source;
pub use crate::ticker::{Iter, Missed, Tick, Ticker, TickerBuilder};
pub use crate::ticks::Ticks;
pub use crate::timebase::{Interval, Timebase};
pub use crate::wake::Wake;
pub use crate::wall::{Wall, WallBuilder, WallInfo, WallSourceInfo, WallTime};

use std::io;
use std::os::unix::io::OwnedFd;
use std::time::Duration;

/// The present time of the default clock in ticks: [`Clock::now`].
#[inline]
#[must_use]
pub fn now() -> Ticks {
    Ticks(raw::default_now())
}

/// The present time of the default clock in nanoseconds: [`Clock::now_ns`].
///
/// ```
/// let earlier = hpt::now_ns();
/// assert!(hpt::now_ns() >= earlier);
/// ```
#[inline]
#[must_use]
pub fn now_ns() -> i64 {
    raw::default_now_ns()
}

/// Sleeps for a duration by the default clock: [`Clock::sleep`].
#[allow(clippy::must_use_candidate)] // most callers have no use for the result
pub fn sleep(duration: Duration) -> Wake {
    Clock::global().sleep(duration)
}

/// Sleeps until a time of the default clock: [`Clock::sleep_until`].
///
/// ```
/// use std::time::{Duration, SystemTime};
///
/// let soon = SystemTime::now() + Duration::from_millis(1);
/// hpt::sleep_until(soon);
/// assert!(SystemTime::now() >= soon);
/// ```
#[allow(clippy::must_use_candidate)] // most callers have no use for the result
pub fn sleep_until(deadline: impl Deadline) -> Wake {
    Clock::global().sleep_until(deadline)
}

/// Sets the calling thread's time slice, clamped to the kernel's range of 0.1 to 100 ms; zero: the kernel's own.
///
/// With a short slice a thread that wakes may take a CPU from threads with longer ones (Linux 6.12 and later), and
/// gives it up sooner. New threads inherit it.
///
/// # Errors
/// `ENOTSUP`: this kernel, or the thread's scheduling class, has no such slices. `EPERM` and others of
/// `sched_setattr`.
pub fn set_thread_slice(slice: Duration) -> io::Result<()> {
    raw::set_slice(deadline::clamped_ns(slice))
}

/// Keeps all CPUs of the machine out of deep idle states while the descriptor is open.
///
/// `max_wake` is the longest time that an idle CPU may take to wake, in whole microseconds; zero: CPUs idle at full
/// power. The kernel wakes threads sooner, and the machine uses more power.
///
/// # Errors
/// `EINVAL`: `max_wake` is above 2^31 us. `EACCES`, `ENOENT` and others of open(2).
pub fn low_latency(max_wake: Duration) -> io::Result<OwnedFd> {
    let us = i32::try_from(max_wake.as_micros()).map_err(|_| io::Error::from_raw_os_error(libc::EINVAL))?;

    raw::low_latency(us)
}

/// The kernel's timer frequency in jiffies per second, if it is plausible.
#[must_use]
pub fn kernel_hz() -> Option<u32> {
    Some(raw::kernel_hz()).filter(|hz| *hz > 0)
}

/// The version of the C library that runs.
///
/// ```
/// println!("libhpt {}, {}", hpt::version(), hpt::version_number());
/// ```
#[must_use]
pub fn version() -> &'static str {
    raw::version()
}

/// The version of the C library that runs, for comparisons: 10000 * major + 100 * minor + patch.
#[must_use]
pub fn version_number() -> u32 {
    raw::version_number()
}

/// Its example runs as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
