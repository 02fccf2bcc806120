// SPDX-License-Identifier: MIT
//! Walls: intervals that contain UTC.

use crate::deadline::{clamped_ns, clamped_unix_ns, system_time, unix_ns};
use crate::raw::{check, text_of, wall_config, RawWall};
use crate::{Clock, FdWall, Sleeper, Ticks, Wake, WallFlags, WallReason, WallSource, WallState};
use hpt_sys as sys;
use std::io;
use std::os::raw::c_char;
use std::time::{Duration, SystemTime};

/// A clock, and what sources have stated of UTC: intervals that contain it.
///
/// A clone is one more holder of the same wall. The wall holds its clock. There is no thread: the program calls
/// [`update`](Self::update) about once a second, or [`feed`](Self::feed).
///
/// No bound is an error, `EAGAIN`, of the kind [`WouldBlock`](io::ErrorKind::WouldBlock); [`info`](Self::info) then has
/// the state, which says why.
///
/// ```
/// let wall = hpt::Wall::new()?;
/// let state = wall.update();
/// match wall.now() {
///     Ok(now) => println!("UTC is known to {:?}", now.width()),
///     Err(_) => println!("no bound: {state}"),
/// }
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[must_use]
pub struct Wall {
    pub(crate) raw: RawWall,
}

/// An interval: UTC was in it as the clock showed the tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct WallTime {
    /// UTC was not before this ...
    pub earliest: SystemTime,
    /// ... and not after this.
    pub latest: SystemTime,
    /// The tick of the wall's clock.
    pub tick: Ticks,
    /// Within one, `earliest` never decreases.
    pub generation: u64,
    /// [`SYNCED`](WallState::SYNCED) or [`HOLDOVER`](WallState::HOLDOVER).
    pub state: WallState,
    /// How much the interval is worth.
    pub flags: WallFlags,
}

impl WallTime {
    fn of(c: &sys::hpt_wall_time) -> Self {
        Self {
            earliest: system_time(c.earliest_ns),
            latest: system_time(c.latest_ns),
            tick: Ticks(c.tick),
            generation: c.generation,
            state: WallState(c.state),
            flags: WallFlags(c.flags),
        }
    }

    /// How wide the interval is.
    #[must_use]
    pub fn width(&self) -> Duration {
        self.latest.duration_since(self.earliest).unwrap_or_default()
    }
}

/// Facts about a wall: [`Wall::info`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct WallInfo {
    /// Whether there is a bound, or why not.
    pub state: WallState,
    /// How much the interval is worth.
    pub flags: WallFlags,
    /// Sources that the wall was opened with: the sum of their numbers.
    pub sources: u32,
    /// Sources with a sample in the present bound, likewise.
    pub live: u32,
    /// Threads that wait for it now.
    pub waiting: u32,
    /// 1 at first; each event adds 1.
    pub generation: u64,
    /// Samples that were accepted.
    pub samples: u64,
    /// Samples that were refused.
    pub refused: u64,
    /// How often samples had nothing in common.
    pub contradictions: u64,
    /// How often the counter jumped, or the machine slept or was moved.
    pub disruptions: u64,
    /// How often there was a bound after there was none, the first included.
    pub gained: u64,
    /// How often there was none after there was one, as far as a call has looked.
    pub lost: u64,
    /// Width of the interval now.
    pub width: Option<Duration>,
    /// Age of the latest sample.
    pub age: Option<Duration>,
    /// UTC midnight of the leap second that is announced, and 1 if it is inserted, -1 if it is left out.
    pub leap: Option<(SystemTime, i32)>,
    /// TAI less UTC in seconds, if a source states it.
    pub tai_offset_s: Option<i32>,
    /// The counter's seconds are longer than UTC's by these parts per 10^9, at least and at most.
    pub rate_ppb: (i32, i32),
    /// What [`rates_ppb`](WallBuilder::rates_ppb) stated, or the library's defaults.
    pub stated_ppb: (u32, u32),
}

/// Facts about a source of a wall: [`Wall::source_info`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct WallSourceInfo {
    /// The source.
    pub source: WallSource,
    /// Its latest statement was accepted.
    pub usable: bool,
    /// Why not.
    pub reason: WallReason,
    /// The `errno` value that stopped it, if one did.
    pub error: Option<i32>,
    /// Of its latest sample.
    pub flags: WallFlags,
    /// Samples that were accepted.
    pub samples: u64,
    /// Samples that were refused.
    pub refused: u64,
    /// Width of what its latest sample allows now.
    pub width: Option<Duration>,
    /// Age of that sample.
    pub age: Option<Duration>,
    /// `feed`, `clockbound`, ...
    pub name: String,
    /// Of file, device or address; empty if it has none.
    pub path: String,
}

/// A length of time; `None` for the -1 by which the library says that it has none.
fn length(ns: i64) -> Option<Duration> {
    u64::try_from(ns).ok().map(Duration::from_nanos)
}

/// Options of a new [`Wall`].
///
/// ```
/// use hpt::{Wall, WallSource};
/// use std::time::Duration;
///
/// let wall = Wall::builder().sources(&[WallSource::CHRONY]).max_width(Duration::from_millis(1)).build()?;
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug)]
#[must_use = "it does nothing before build()"]
pub struct WallBuilder {
    clock: Option<Clock>,
    config: sys::hpt_wall_config,
    flags: u32,
    is_wrong: bool,
}

fn mask(sources: &[WallSource]) -> u32 {
    sources.iter().fold(0, |mask, source| mask | source.0)
}

impl WallBuilder {
    /// The clock, of which the wall is one more holder. Without this it is the default clock.
    pub fn clock(mut self, clock: impl AsRef<Clock>) -> Self {
        self.clock = Some(clock.as_ref().clone());
        self
    }

    /// The sources to use. Without this all but [`KERNEL`](WallSource::KERNEL) and [`FBCLOCK`](WallSource::FBCLOCK).
    pub fn sources(mut self, sources: &[WallSource]) -> Self {
        self.config.sources = mask(sources);
        self
    }

    /// Sources that are right if sources contradict each other. They must be among those used, else building the wall
    /// fails with `EINVAL`.
    pub fn trusted(mut self, sources: &[WallSource]) -> Self {
        self.config.trusted = mask(sources);
        self
    }

    /// How wrong the counter's rate may be, and how far it may move from any average, in parts per 10^9. Zero is the
    /// library's default: 50000 and 15000, which are assumed.
    pub fn rates_ppb(mut self, rate: u32, wander: u32) -> Self {
        self.config.rate_ppb = rate;
        self.config.wander_ppb = wander;
        self
    }

    /// The widest interval that the program can use: [`Wall::now`] fails with `ERANGE` for wider ones.
    pub fn max_width(mut self, width: Duration) -> Self {
        self.config.max_width_ns = clamped_ns(width);
        self
    }

    /// The age of the latest sample from which on there is no bound. Without this 1000 s.
    pub fn max_age(mut self, age: Duration) -> Self {
        self.config.max_age_ns = clamped_ns(age);
        self
    }

    /// True: near a leap second an interval that contains both readings, not `EAGAIN`.
    pub fn cover_leap(mut self, cover: bool) -> Self {
        self.flags = if cover { sys::HPT_WALL_OPEN_LEAP_COVER } else { 0 };
        self
    }

    /// How wrong the network card's clock may be, and whether it counts TAI. Without this both are as its driver says.
    pub fn phc(mut self, error: Duration, counts_tai: bool) -> Self {
        self.config.phc_error_ns = clamped_ns(error);
        self.config.phc_timescale = if counts_tai { sys::HPT_WALL_TIMESCALE_TAI } else { sys::HPT_WALL_TIMESCALE_UTC };
        self
    }

    /// How wrong the reference clocks of chronyd may be, such as a GPS receiver. Without this they do not count.
    pub fn chrony_refclock_error(mut self, error: Duration) -> Self {
        self.config.chrony_refclock_error_ns = clamped_ns(error);
        self
    }

    fn set(mut self, text: &str, place: impl FnOnce(&mut sys::hpt_wall_config) -> &mut [c_char]) -> Self {
        let place = place(&mut self.config);

        if text.len() >= place.len() || text.contains('\0') {
            self.is_wrong = true;
            return self;
        }
        place.fill(0);
        for (to, from) in place.iter_mut().zip(text.bytes()) {
            *to = c_char::from_ne_bytes([from]);
        }
        self
    }

    /// The file of the daemon of `ClockBound`. Without this `/var/run/clockbound/shm1`, or `shm0` there.
    pub fn clockbound_path(self, path: &str) -> Self {
        self.set(path, |config| &mut config.clockbound_path)
    }

    /// The hypervisor's page. Without this `/dev/vmclock0`.
    pub fn vmclock_path(self, path: &str) -> Self {
        self.set(path, |config| &mut config.vmclock_path)
    }

    /// The network card's clock. Without this `/dev/ptp0`.
    pub fn phc_path(self, path: &str) -> Self {
        self.set(path, |config| &mut config.phc_path)
    }

    /// Where chronyd answers: a numeric address with port, or the path of a socket. Without this `127.0.0.1:323`.
    pub fn chrony_address(self, address: &str) -> Self {
        self.set(address, |config| &mut config.chrony_address)
    }

    /// The wall. It asks no source yet.
    ///
    /// # Errors
    /// `EINVAL`: a rate of 10^9 or more, a path that does not fit, a source that this version does not have, or a
    /// trusted one that is not used.
    /// `ENOMEM`.
    pub fn build(self) -> io::Result<Wall> {
        if self.is_wrong {
            return Err(io::Error::from_raw_os_error(libc::EINVAL));
        }
        let clock = self.clock.unwrap_or_default();

        RawWall::open(&clock.raw, &self.config, self.flags).map(|raw| Wall { raw })
    }
}

impl Wall {
    /// A wall on the default clock, with all defaults.
    ///
    /// # Errors
    /// `ENOMEM`.
    pub fn new() -> io::Result<Self> {
        Self::builder().build()
    }

    /// Options of a new wall.
    pub fn builder() -> WallBuilder {
        WallBuilder { clock: None, config: wall_config(), flags: 0, is_wrong: false }
    }

    /// An interval that contains UTC now.
    ///
    /// # Errors
    /// `EAGAIN`: there is no bound now. `ERANGE`: it would be wider than [`max_width`](WallBuilder::max_width).
    ///
    /// # Cost
    /// A read of the clock, and a few nanoseconds.
    pub fn now(&self) -> io::Result<WallTime> {
        self.raw.now().map(|time| WallTime::of(&time))
    }

    /// An interval that contained UTC when the clock showed a tick.
    ///
    /// # Errors
    /// As [`now`](Self::now); `ERANGE` also for a tick in the future, or before the first sample of the generation.
    pub fn at(&self, tick: Ticks) -> io::Result<WallTime> {
        self.raw.at(tick.0).map(|time| WallTime::of(&time))
    }

    /// An interval that contained UTC when a clock of the kernel, such as `libc::CLOCK_REALTIME`, showed a time in
    /// nanoseconds: that of a packet's stamp.
    ///
    /// # Errors
    /// As [`at`](Self::at); `ERANGE` also if that clock was set since. `EINVAL`: another clock than `CLOCK_REALTIME`,
    /// `CLOCK_MONOTONIC`, `CLOCK_BOOTTIME` and `CLOCK_MONOTONIC_RAW`. `ENOTSUP`: the wall is on a manual clock.
    pub fn at_os_ns(&self, clockid: i32, ns: i64) -> io::Result<WallTime> {
        self.raw.at_os_ns(clockid, ns).map(|time| WallTime::of(&time))
    }

    /// True: UTC is surely after a time. False: it may not be, or there is no bound.
    #[must_use]
    pub fn is_after(&self, time: SystemTime) -> bool {
        self.raw.after(clamped_unix_ns(time))
    }

    /// True: UTC is surely before a time. False: it may not be, or there is no bound.
    #[must_use]
    pub fn is_before(&self, time: SystemTime) -> bool {
        self.raw.before(clamped_unix_ns(time))
    }

    /// Adds a sample of the program's own: at some moment from one tick to the other, UTC was from `earliest` to
    /// `latest`.
    ///
    /// # Errors
    /// `EAGAIN`: it contradicts others, or a leap second is near. `ERANGE`: it is too old, or from before an event.
    /// `EBUSY`: other threads publish all the time. `EINVAL`: the ends are in the wrong order, or in the future.
    pub fn feed(&self, from: Ticks, to: Ticks, earliest: SystemTime, latest: SystemTime) -> io::Result<()> {
        self.feed_flagged(from, to, earliest, latest, WallFlags::default())
    }

    /// As [`feed`](Self::feed), of a source that smears or whose claim is statistical.
    ///
    /// # Errors
    /// As [`feed`](Self::feed); `EINVAL` also for other flags than [`CLAIMED`](WallFlags::CLAIMED) and
    /// [`SMEARED`](WallFlags::SMEARED).
    pub fn feed_flagged(
        &self,
        from: Ticks,
        to: Ticks,
        earliest: SystemTime,
        latest: SystemTime,
        flags: WallFlags,
    ) -> io::Result<()> {
        let wrong = || io::Error::from_raw_os_error(libc::EINVAL);

        self.raw.feed(&sys::hpt_wall_sample {
            before: from.0,
            after: to.0,
            earliest_ns: unix_ns(earliest).ok_or_else(wrong)?,
            latest_ns: unix_ns(latest).ok_or_else(wrong)?,
            source: sys::HPT_WALL_SOURCE_FEED,
            flags: flags.0,
        })
    }

    /// Asks all sources: about once a second. May block for 0.1 s where a daemon does not answer.
    #[allow(clippy::must_use_candidate)] // the state is also in info()
    pub fn update(&self) -> WallState {
        WallState(self.raw.update())
    }

    /// Waits until UTC is surely after a time (commit wait). `None` waits for ever.
    ///
    /// Asks no source: another thread has to update or feed the wall.
    ///
    /// # Errors
    /// `EAGAIN`: there is no bound, or it was lost. `ETIMEDOUT`.
    pub fn wait_after(&self, time: SystemTime, timeout: Option<Duration>) -> io::Result<()> {
        check(self.raw.wait_after(clamped_unix_ns(time), timeout_ns(timeout))).map(drop)
    }

    /// As [`wait_after`](Self::wait_after) on a sleeper, which can be interrupted: [`Wake::Reached`],
    /// [`Wake::Interrupted`] or [`Wake::Signal`].
    ///
    /// # Errors
    /// As [`wait_after`](Self::wait_after). `EBUSY`: another thread sleeps on this sleeper. `EINVAL`: the sleeper is on
    /// another clock.
    pub fn wait_after_on(&self, sleeper: &Sleeper, time: SystemTime, timeout: Option<Duration>) -> io::Result<Wake> {
        Wake::of(self.raw.wait_after_on(&sleeper.raw, clamped_unix_ns(time), timeout_ns(timeout)))
    }

    /// Sleeps until a moment of UTC, the same on machines that do not talk to each other: until the middle of the
    /// interval has reached it. Returns by how much UTC may have been off the time at the end.
    ///
    /// # Errors
    /// `EAGAIN`: there is no bound, or it was lost. `ERANGE`: the error is, or would be, larger than `max_error`.
    pub fn sleep_until(&self, time: SystemTime, max_error: Option<Duration>) -> io::Result<Duration> {
        let (r, error_ns) = self.raw.sleep_until_ns(clamped_unix_ns(time), most_ns(max_error));

        check(r).map(|_| length(error_ns).unwrap_or_default())
    }

    /// As [`sleep_until`](Self::sleep_until) on a sleeper, which can be interrupted: [`Wake::Reached`] and the error,
    /// or [`Wake::Interrupted`] or [`Wake::Signal`] and zero.
    ///
    /// # Errors
    /// As [`sleep_until`](Self::sleep_until). `EBUSY`: another thread sleeps on this sleeper. `EINVAL`: the sleeper is
    /// on another clock.
    pub fn sleep_until_on(
        &self,
        sleeper: &Sleeper,
        time: SystemTime,
        max_error: Option<Duration>,
    ) -> io::Result<(Wake, Duration)> {
        let (r, error_ns) = self.raw.sleep_until_ns_on(&sleeper.raw, clamped_unix_ns(time), most_ns(max_error));

        Wake::of(r).map(|wake| (wake, length(error_ns).unwrap_or_default()))
    }

    /// Waits until there is a bound and, if given, until the interval is no wider than that.
    ///
    /// # Errors
    /// `ETIMEDOUT`.
    pub fn wait_ready(&self, max_width: Option<Duration>, timeout: Option<Duration>) -> io::Result<()> {
        let width_ns = max_width.map_or(0, |width| clamped_ns(width).max(1));

        check(self.raw.wait_ready(width_ns, timeout_ns(timeout))).map(drop)
    }

    /// A time of UTC as TAI: the time since 1970-01-01 00:00:00 TAI.
    ///
    /// # Errors
    /// `ENODATA`: no source states the offset for that time. `ERANGE`: it does not fit.
    pub fn to_tai(&self, time: SystemTime) -> io::Result<Duration> {
        let beyond = || io::Error::from_raw_os_error(libc::ERANGE);

        length(self.raw.to_tai_ns(unix_ns(time).ok_or_else(beyond)?)?).ok_or_else(beyond)
    }

    /// The same wall with a descriptor for event loops.
    ///
    /// # Errors
    /// `ENOTSUP`: the wall is on a manual clock. `EMFILE` and others of `epoll_create1`. This holder is dropped then.
    pub fn into_fd(self) -> io::Result<FdWall> {
        FdWall::new(self)
    }

    /// Facts about the wall.
    ///
    /// # Errors
    /// None that this crate's version knows.
    pub fn info(&self) -> io::Result<WallInfo> {
        let c = self.raw.info()?;

        Ok(WallInfo {
            state: WallState(c.state),
            flags: WallFlags(c.flags),
            sources: c.sources,
            live: c.live,
            waiting: c.waiting,
            generation: c.generation,
            samples: c.samples,
            refused: c.refused,
            contradictions: c.contradictions,
            disruptions: c.disruptions,
            gained: c.gained,
            lost: c.lost,
            width: length(c.width_ns),
            age: length(c.age_ns),
            leap: (c.leap != 0).then(|| (system_time(c.leap_at_ns), c.leap)),
            tai_offset_s: (c.tai_offset_s != 0).then_some(c.tai_offset_s),
            rate_ppb: (c.rate_lo_ppb, c.rate_hi_ppb),
            stated_ppb: (c.rate_ppb, c.wander_ppb),
        })
    }

    /// Facts about one of its sources.
    ///
    /// # Errors
    /// `EINVAL`: there is no such source.
    pub fn source_info(&self, source: WallSource) -> io::Result<WallSourceInfo> {
        let c = self.raw.source_info(source.0)?;

        Ok(WallSourceInfo {
            source: WallSource(c.source),
            usable: c.usable != 0,
            reason: WallReason(c.reason),
            error: i32::try_from(c.error).ok().filter(|error| *error != 0),
            flags: WallFlags(c.flags),
            samples: c.samples,
            refused: c.refused,
            width: length(c.width_ns),
            age: length(c.age_ns),
            name: text_of(&c.name),
            path: text_of(&c.path),
        })
    }
}

/// Zero: any.
fn most_ns(max_error: Option<Duration>) -> i64 {
    max_error.map_or(0, |error| clamped_ns(error).max(1))
}

/// The largest number: for ever.
fn timeout_ns(timeout: Option<Duration>) -> i64 {
    timeout.map_or(i64::MAX, clamped_ns)
}
