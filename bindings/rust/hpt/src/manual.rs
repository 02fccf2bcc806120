// SPDX-License-Identifier: MIT
//! A clock for the tests of programs that sleep.

use crate::deadline::ns;
use crate::raw::Clk;
use crate::{Clock, Ticks};
use std::io;
use std::ops::Deref;
use std::time::Duration;

/// A clock that stands still until [`advance`](Self::advance), for tests of programs that sleep.
///
/// Reads, conversions, sleepers, gates and tickers work on it as on any [`Clock`], which it dereferences to. A sleep
/// ends when an advance reaches its deadline, however long that takes. A clone is one more holder of the same clock.
///
/// ```
/// use hpt::{ManualClock, Sleeper, Wake};
/// use std::thread;
/// use std::time::Duration;
///
/// let clock = ManualClock::new()?;
/// let sleeper = Sleeper::builder().clock(&clock).build()?;
/// let hour = Duration::from_secs(3600);
///
/// let thread = thread::spawn(move || sleeper.sleep(hour));
/// clock.wait_for_sleepers(1);
/// clock.advance(hour)?;
/// assert_eq!(thread.join().unwrap()?, Wake::Reached);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[must_use]
pub struct ManualClock {
    clock: Clock,
}

impl ManualClock {
    /// A clock at tick 0, whose tick is a nanosecond.
    ///
    /// # Errors
    /// `ENOMEM`.
    pub fn new() -> io::Result<Self> {
        Self::with_frequency(1_000_000_000, Ticks(0))
    }

    /// A clock at tick `start`, with `frequency_hz` ticks a second: from 1 to 10^10. With another frequency than 10^9 a
    /// tick that is used for a nanosecond shows.
    ///
    /// # Errors
    /// `EINVAL`: the frequency is out of range. `ERANGE`: `start` is [`Ticks::MAX`], or its nanoseconds do not fit.
    /// `ENOMEM`.
    pub fn with_frequency(frequency_hz: u64, start: Ticks) -> io::Result<Self> {
        Clk::manual(frequency_hz, start.0).map(|raw| Self { clock: Clock { raw } })
    }

    /// Moves the clock forward by a duration, to the nearest tick, and ends the sleeps whose deadline it reaches.
    ///
    /// Returns at once; the threads run when the scheduler lets them.
    ///
    /// # Errors
    /// `ERANGE`: the clock would pass the end of its range, and is as before.
    pub fn advance(&self, duration: Duration) -> io::Result<()> {
        let beyond = || io::Error::from_raw_os_error(libc::ERANGE);
        let ticks = self.clock.ns_to_ticks(ns(duration).ok_or_else(beyond)?);

        // More ticks than fit in 64 bits are clamped to that.
        if ticks == i64::MAX {
            return Err(beyond());
        }
        self.advance_ticks(ticks)
    }

    /// As [`advance`](Self::advance), by a number of ticks.
    ///
    /// # Errors
    /// `ERANGE`: as above, or `ticks` is negative.
    pub fn advance_ticks(&self, ticks: i64) -> io::Result<()> {
        self.clock.raw.advance(ticks)
    }

    /// The number of threads that have seen the present tick and sleep until a later one.
    #[must_use]
    pub fn sleepers(&self) -> u32 {
        self.clock.raw.sleepers()
    }

    /// Waits until at least `count` threads sleep on the clock, so that a test does not depend on the machine's speed.
    ///
    /// Never returns if fewer threads come.
    pub fn wait_for_sleepers(&self, count: u32) {
        while self.sleepers() < count {
            std::thread::sleep(Duration::from_micros(20));
        }
    }

    /// The clock as one of the type that programs use.
    pub fn as_clock(&self) -> &Clock {
        &self.clock
    }
}

impl Deref for ManualClock {
    type Target = Clock;

    fn deref(&self) -> &Clock {
        &self.clock
    }
}

impl AsRef<Clock> for ManualClock {
    fn as_ref(&self) -> &Clock {
        &self.clock
    }
}

impl From<ManualClock> for Clock {
    fn from(manual: ManualClock) -> Self {
        manual.clock
    }
}
