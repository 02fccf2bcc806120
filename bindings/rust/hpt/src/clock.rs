// SPDX-License-Identifier: MIT
//! Clocks.

use crate::deadline::{clamped_ns, ns, sealed, system_time, unix_ns};
use crate::raw::{self, Clk};
use crate::{ClockInfo, Deadline, Instant, MmioConfig, Sample, SourceKind, State, Ticks, Timebase, Wake};
use std::io;
use std::time::{Duration, SystemTime};

/// A holder of a clock: one source, and the parameters that convert its ticks.
///
/// A clone is one more holder of the same clock, at the cost of an atomic addition. The clock lives until its last
/// holder is dropped; sleepers, gates and tickers are holders too. Two holders are equal if they hold the same clock.
///
/// Any thread may use a clock at any time, also after a fork.
///
/// ```
/// use hpt::Clock;
///
/// let clock = Clock::global();
/// let (earlier, later) = (clock.now(), clock.now());
/// assert!(earlier <= later);
/// println!("{} reads as {}", earlier.0, clock.format(earlier)?);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[must_use]
pub struct Clock {
    pub(crate) raw: Clk,
}

/// The result of [`Clock::check`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Check {
    /// Why the present generation began.
    pub state: State,
    /// The present generation: 1 at first, and one more after each event.
    pub generation: u64,
}

/// Makers.
impl Clock {
    /// The process's default clock, which this fixes: see [`set_default_source`](Self::set_default_source). It is never
    /// closed.
    pub fn global() -> Self {
        Self { raw: Clk::default_clock() }
    }

    /// A new clock on a given source.
    ///
    /// # Errors
    /// `ENODEV`: this machine has no such source. `ENOTSUP`: the source cannot be used, or is [`SourceKind::MANUAL`].
    /// `EPERM` and `EACCES`: it is forbidden. `EINVAL`: no source has this number. `EIO`: the source does not count.
    /// `EBUSY`: another process holds the HPET. After a failure [`SourceInfo::of`](crate::SourceInfo::of) has the stage
    /// and the reason.
    ///
    /// # Cost
    /// That of about 400 reads: 10 to 30 us for the TSC and the OS clock.
    ///
    /// ```
    /// use hpt::{Clock, SourceKind};
    ///
    /// let os = Clock::open(SourceKind::OS)?;
    /// assert_ne!(os, Clock::global());
    /// assert!(Clock::open(SourceKind(99)).is_err());
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn open(source: SourceKind) -> io::Result<Self> {
        Clk::open(source.0).map(|raw| Self { raw })
    }

    /// A new clock on a memory-mapped counter.
    ///
    /// # Errors
    /// `EINVAL`: a value of `config` is out of range. `ENODEV`: there is no such UIO device. `ENOTSUP`: the counter
    /// has 16 or 32 bits and cannot be extended here. `EIO`: it does not count, or not in the stated direction.
    /// `EACCES`, `EPERM` and others: the device cannot be opened or mapped.
    pub fn open_mmio(config: &MmioConfig) -> io::Result<Self> {
        Clk::open_mmio(&config.to_c()?).map(|raw| Self { raw })
    }
}

/// The default clock.
impl Clock {
    /// Chooses the source of the process's default clock, before its first use.
    ///
    /// The default clock is fixed by its first use: [`Clock::global`], [`now`](crate::now), [`sleep`](crate::sleep), or
    /// an object that is built without a clock. Before that, the last call of this and of
    /// [`set_default`](Self::set_default) counts.
    ///
    /// # Errors
    /// `EBUSY`: the default is fixed and has another source. Others as those of [`Clock::open`].
    ///
    /// ```
    /// use hpt::{Clock, SourceKind};
    ///
    /// Clock::set_default_source(SourceKind::OS)?;
    /// assert_eq!(Clock::global().info()?.source, SourceKind::OS);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn set_default_source(source: SourceKind) -> io::Result<()> {
        raw::set_default_source(source.0)
    }

    /// Makes this clock the process's default, before the first use of that: so code that uses the default can be
    /// tested. The clock then lives as long as the process.
    ///
    /// # Errors
    /// `EBUSY`: the default is fixed and is another clock.
    ///
    /// ```
    /// use hpt::{Clock, ManualClock, Ticks};
    ///
    /// let clock = ManualClock::with_frequency(24_000_000, Ticks(12_000_000))?;
    /// clock.set_default()?;
    /// assert_eq!((hpt::now(), hpt::now_ns()), (Ticks(12_000_000), 500_000_000));
    /// assert_eq!(&Clock::global(), clock.as_clock());
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn set_default(&self) -> io::Result<()> {
        self.raw.set_default()
    }
}

/// Reads.
impl Clock {
    /// The present time in ticks. A read that happens after another, on any thread, is never smaller.
    ///
    /// # Cost
    /// The counter's own.
    #[inline]
    #[must_use]
    pub fn now(&self) -> Ticks {
        Ticks(self.raw.now())
    }

    /// The present time in ticks by the bare counter instruction, which the processor may move. It is fit for
    /// statistics, and for intervals within one thread.
    ///
    /// # Cost
    /// About half of [`now`](Self::now) on a TSC.
    #[inline]
    #[must_use]
    pub fn now_unordered(&self) -> Ticks {
        Ticks(self.raw.now_unordered())
    }

    /// The present time in ticks, and the CPU that it was read on, if that is known.
    #[inline]
    #[must_use]
    pub fn now_cpu(&self) -> (Ticks, Option<u32>) {
        let (tick, cpu) = self.raw.now_cpu();

        (Ticks(tick), (cpu != u32::MAX).then_some(cpu))
    }

    /// The present time in nanoseconds on `CLOCK_MONOTONIC_RAW`'s timeline; that of the OS source is
    /// `CLOCK_MONOTONIC`'s. Within a generation a read that happens after another is never smaller.
    ///
    /// # Cost
    /// That of [`now`](Self::now) and one multiplication; once a second of use 39 clock reads.
    #[inline]
    #[must_use]
    pub fn now_ns(&self) -> i64 {
        self.raw.now_ns()
    }

    /// As [`now_ns`](Self::now_ns), by the bare counter instruction.
    #[inline]
    #[must_use]
    pub fn now_ns_unordered(&self) -> i64 {
        self.raw.now_ns_unordered()
    }

    /// The present time as [`Instant`]: [`now_ns`](Self::now_ns) with a type.
    #[inline]
    #[must_use]
    pub fn instant(&self) -> Instant {
        Instant::from_nanos(self.now_ns())
    }

    /// Nanoseconds since 1970-01-01 00:00 UTC. It follows `CLOCK_REALTIME` by a comparison about once a second of use.
    #[inline]
    #[must_use]
    pub fn unix_ns(&self) -> i64 {
        self.raw.unix_ns()
    }

    /// Nanoseconds on the line of `CLOCK_MONOTONIC`, which time-outs of the kernel and `std::time::Instant` are on.
    ///
    /// It never goes back within a generation. A manual clock gives its own time.
    #[inline]
    #[must_use]
    pub fn monotonic_ns(&self) -> i64 {
        self.raw.monotonic_ns()
    }

    /// Nanoseconds on the line of `CLOCK_BOOTTIME`: as [`monotonic_ns`](Self::monotonic_ns), and the time that the
    /// machine was suspended.
    #[inline]
    #[must_use]
    pub fn boottime_ns(&self) -> i64 {
        self.raw.boottime_ns()
    }

    /// Nanoseconds on the line of `CLOCK_TAI`: [`unix_ns`](Self::unix_ns) and the kernel's offset of TAI in
    /// whole seconds, which is 0 where no daemon sets it.
    #[inline]
    #[must_use]
    pub fn tai_ns(&self) -> i64 {
        self.raw.tai_ns()
    }

    /// [`unix_ns`](Self::unix_ns) as the standard library's type.
    #[must_use]
    pub fn system_time(&self) -> SystemTime {
        system_time(self.unix_ns())
    }

    /// Compares the clock with the system's clocks now. Reads do so about once a second of use.
    ///
    /// Times of two generations cannot be compared.
    ///
    /// # Cost
    /// 6 to 12 us; it reads two small files.
    #[allow(clippy::must_use_candidate)] // a comparison is of use by itself
    pub fn check(&self) -> Check {
        let (state, generation) = self.raw.check();

        Check { state: State(state), generation }
    }

    /// The present generation of the clock's conversions.
    #[must_use]
    pub fn generation(&self) -> u64 {
        self.raw.generation()
    }
}

/// Conversions.
impl Clock {
    /// A duration in ticks as nanoseconds, rounded to nearest; clamped to the range of `i64`.
    #[must_use]
    pub fn ticks_to_ns(&self, ticks: i64) -> i64 {
        self.raw.ticks_to_ns(ticks)
    }

    /// A duration in nanoseconds as ticks, rounded to nearest; clamped to the range of `i64`.
    #[must_use]
    pub fn ns_to_ticks(&self, ns: i64) -> i64 {
        self.raw.ns_to_ticks(ns)
    }

    /// The time from `earlier` to `later`; zero if `earlier` is later.
    #[must_use]
    pub fn duration_between(&self, earlier: Ticks, later: Ticks) -> Duration {
        let ns = self.ticks_to_ns(later.since(earlier).max(0));

        Duration::from_nanos(ns.unsigned_abs())
    }

    /// The time `duration` after `tick`, to the nearest tick, or `None` if it does not fit.
    ///
    /// ```
    /// use hpt::{Clock, Ticks};
    /// use std::time::Duration;
    ///
    /// let clock = Clock::global();
    /// let deadline = clock.checked_add(clock.now(), Duration::from_micros(50)).unwrap_or(Ticks::MAX);
    /// clock.sleep_until(deadline);
    /// assert!(clock.now() >= deadline);
    /// assert_eq!(clock.checked_add(Ticks(0), Duration::MAX), None);
    /// ```
    #[must_use]
    pub fn checked_add(&self, tick: Ticks, duration: Duration) -> Option<Ticks> {
        self.raw.add_ns(tick.0, ns(duration)?).ok().map(Ticks)
    }

    /// A tick as time in nanoseconds, rounded down.
    ///
    /// # Errors
    /// `ERANGE`: it does not fit.
    pub fn instant_of(&self, tick: Ticks) -> io::Result<Instant> {
        self.raw.ns_of(tick.0).map(Instant::from_nanos)
    }

    /// The nearest tick of a time in nanoseconds.
    ///
    /// # Errors
    /// `ERANGE`: it does not fit.
    pub fn tick_of(&self, time: Instant) -> io::Result<Ticks> {
        self.raw.tick_of_ns(time.as_nanos()).map(Ticks)
    }

    /// A tick as Unix time, by the present rate.
    ///
    /// # Errors
    /// `ERANGE`: it is before 1677 or after 2262.
    pub fn system_time_of(&self, tick: Ticks) -> io::Result<SystemTime> {
        self.raw.unix_ns_of(tick.0).map(system_time)
    }

    /// The nearest tick of a Unix time.
    ///
    /// # Errors
    /// `ERANGE`: it does not fit.
    pub fn tick_of_system_time(&self, time: SystemTime) -> io::Result<Ticks> {
        let ns = unix_ns(time).ok_or_else(|| io::Error::from_raw_os_error(libc::ERANGE))?;

        self.raw.tick_of_unix_ns(ns).map(Ticks)
    }

    /// A tick as nanoseconds of one of the kernel's clocks, such as `libc::CLOCK_BOOTTIME`, by its present slope.
    ///
    /// # Errors
    /// `EINVAL`: another clock than `CLOCK_MONOTONIC`, `_MONOTONIC_RAW`, `_BOOTTIME`, `_TAI` and `_REALTIME`.
    /// `ENOTSUP`: the clock is a manual one. `ERANGE`: the result does not fit.
    pub fn os_time_of(&self, tick: Ticks, clockid: i32) -> io::Result<i64> {
        self.raw.os_of(tick.0, clockid)
    }

    /// The nearest tick of a time of one of the kernel's clocks.
    ///
    /// # Errors
    /// As [`os_time_of`](Self::os_time_of).
    pub fn tick_of_os_time(&self, ns: i64, clockid: i32) -> io::Result<Ticks> {
        self.raw.tick_of_os(ns, clockid).map(Ticks)
    }

    /// A tick as text in UTC: `2026-11-20T10:47:59.123456789Z`.
    ///
    /// # Errors
    /// `ERANGE`: it is before 1677 or after 2262.
    pub fn format(&self, tick: Ticks) -> io::Result<String> {
        self.raw.format(tick.0)
    }

    /// Text as [`format`](Self::format) writes it, as a tick. It may have an offset from UTC instead of `Z`.
    ///
    /// # Errors
    /// `EINVAL`: the text has another form. `ERANGE`: the time does not fit.
    pub fn parse(&self, text: &str) -> io::Result<Ticks> {
        self.raw.parse(text).map(Ticks)
    }
}

/// Facts.
impl Clock {
    /// Facts about the clock: its source, and why; its rate, and how good that is; the cost of a read.
    ///
    /// # Errors
    /// Only a later library reports one.
    pub fn info(&self) -> io::Result<ClockInfo> {
        self.raw.info().map(|info| ClockInfo::of(&info))
    }

    /// A present tick of the clock on all timelines.
    ///
    /// # Errors
    /// Only a later library reports one.
    ///
    /// # Cost
    /// Some 0.6 us.
    pub fn sample(&self) -> io::Result<Sample> {
        self.raw.sample().map(|sample| Sample::of(&sample))
    }

    /// A present time base: the parameters that convert ticks later or elsewhere. The same as [`Timebase::take`].
    ///
    /// # Errors
    /// As those of [`Timebase::take`].
    pub fn timebase(&self) -> io::Result<Timebase> {
        Timebase::take(self)
    }
}

/// Sleeps. They cannot be interrupted: [`Sleeper`](crate::Sleeper) can. A signal handler does not end them.
#[allow(clippy::must_use_candidate)] // most callers have no use for the results
impl Clock {
    /// Sleeps for a duration, counted from the call. [`Duration::MAX`] sleeps to the end of the clock's range.
    ///
    /// # Cost
    /// 10 to 40 us of CPU time and the spin, or the duration itself if that is shorter.
    pub fn sleep(&self, duration: Duration) -> Wake {
        Wake::infallible(self.raw.sleep_ns(clamped_ns(duration)))
    }

    /// Sleeps until a time, on the timeline that its type says: see [`Deadline`].
    ///
    /// # Cost
    /// As [`sleep`](Self::sleep).
    pub fn sleep_until(&self, deadline: impl Deadline) -> Wake {
        Wake::infallible(sealed::Deadline::on_clock(deadline, &self.raw))
    }
}

/// The process's default clock, as [`Clock::global`].
impl Default for Clock {
    fn default() -> Self {
        Self::global()
    }
}

impl AsRef<Clock> for Clock {
    fn as_ref(&self) -> &Clock {
        self
    }
}
