// SPDX-License-Identifier: MIT
//! Periods that do not drift.

use crate::deadline::{clamped_ns, ns};
use crate::policy::{common_options, Options};
use crate::raw::RawTicker;
use crate::{Clock, FdTicker, Instant, Policy, TickerInfo, Wake};
use hpt_sys as sys;
use std::io;
use std::num::NonZeroU64;
use std::time::Duration;

/// A period that does not drift: tick n comes n periods after the start, however late the ticks before it were taken.
///
/// One thread at a time waits for it, and any thread may interrupt that wait. After a fork the child's ticker is its
/// own. [`into_fd`](Self::into_fd) is for event loops.
///
/// ```
/// use hpt::Ticker;
/// use std::time::Duration;
///
/// let ticker = Ticker::new(Duration::from_micros(500))?;
/// for tick in ticker.iter().take(3) {
///     let tick = tick?;
///     println!("due at {:?}, {} missed", tick.due, tick.missed);
/// }
/// assert_eq!(ticker.info()?.ticks, 3);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Ticker {
    raw: RawTicker,
}

/// What a ticker does with missed ticks: those that came before they were waited for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Missed {
    /// Counts them, and goes on with the latest.
    #[default]
    Skip,
    /// Returns each of them at once.
    CatchUp,
    /// Returns at most this many of them at once, the latest ones. Older ones are dropped and counted.
    CatchUpAtMost(NonZeroU64),
    /// Drops them, and moves the grid: the next tick comes a period after the late one.
    Delay,
}

impl Missed {
    fn numbers(self) -> (u32, u64) {
        match self {
            Self::Skip => (sys::HPT_TICKER_SKIP, 0),
            Self::CatchUp => (sys::HPT_TICKER_CATCH_UP, 0),
            Self::CatchUpAtMost(most) => (sys::HPT_TICKER_CATCH_UP, most.get()),
            Self::Delay => (sys::HPT_TICKER_DELAY, 0),
        }
    }
}

/// The result of [`Ticker::wait`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[must_use]
#[non_exhaustive]
pub struct Tick {
    /// Why the wait ended. A tick came if [`Wake::is_over`] is true.
    pub wake: Wake,
    /// Missed ticks. [`Missed::Skip`]: those between the previous tick and this one, which are skipped.
    /// [`Missed::Delay`]: by how many whole periods this one is late. Otherwise those that were due in addition to this
    /// one: they come at once, or are dropped.
    pub missed: u64,
    /// The time of the tick that was next when the wait began. It is this tick's own time unless ticks were skipped or
    /// dropped. `None` if no tick came.
    pub due: Option<Instant>,
}

/// Options of a new [`Ticker`], which `every`, `every_rational`, `once` and `unstarted` make.
///
/// ```
/// use hpt::{ManualClock, Missed, Ticker};
/// use std::time::Duration;
///
/// let clock = ManualClock::new()?;
/// let (period, first) = (Duration::from_micros(100), clock.instant() + Duration::from_micros(5));
/// let ticker = Ticker::builder().clock(&clock).first(first).missed(Missed::CatchUp).every(period)?;
/// clock.advance(period * 2)?;
/// assert_eq!(ticker.wait()?.due, Some(first));
/// assert_eq!(ticker.wait()?.due, Some(first + period));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
#[must_use = "it does nothing before every(), every_rational(), once() or unstarted()"]
pub struct TickerBuilder {
    options: Options,
    first: Option<Instant>,
    missed: Missed,
}

impl TickerBuilder {
    common_options!();

    /// The time of the first tick, by the ticker's clock. Without this it comes one period from now.
    pub fn first(mut self, first: Instant) -> Self {
        self.first = Some(first);
        self
    }

    /// Sets what happens to missed ticks.
    pub fn missed(mut self, missed: Missed) -> Self {
        self.missed = missed;
        self
    }

    /// A tick every `period`.
    ///
    /// # Errors
    /// `EINVAL`: the period is zero or above 292 years, or there is a [`max_spin`](Self::max_spin) without a policy.
    /// `ENOMEM`.
    pub fn every(self, period: Duration) -> io::Result<Ticker> {
        let period_ns = period_ns(period)?;

        if let Some(first) = self.first {
            let ticker = self.with_period(0)?;

            return ticker.raw.start(first.as_nanos(), period_ns).map(|()| ticker);
        }
        self.with_period(period_ns)
    }

    /// Tick n comes n * `num` / `den` seconds after the first, without drift: 1001/60000, 1/44100.
    ///
    /// Without [`first`](Self::first) the first tick is now.
    ///
    /// # Errors
    /// `EINVAL`: `num` or `den` is 0; or as above. `ENOMEM`.
    pub fn every_rational(self, num: u32, den: u32) -> io::Result<Ticker> {
        let ticker = self.with_period(0)?;

        ticker.start_rational(self.first_or_now(), num, den)?;
        Ok(ticker)
    }

    /// A single tick at [`first`](Self::first), or now.
    ///
    /// # Errors
    /// As above.
    pub fn once(self) -> io::Result<Ticker> {
        let ticker = self.with_period(0)?;

        ticker.start_once(self.first_or_now())?;
        Ok(ticker)
    }

    /// A ticker without a tick, until [`Ticker::start`] and the like. [`first`](Self::first) has no effect on it.
    ///
    /// # Errors
    /// As above.
    pub fn unstarted(self) -> io::Result<Ticker> {
        self.with_period(0)
    }

    fn with_period(&self, period_ns: i64) -> io::Result<Ticker> {
        let raw = RawTicker::new(&self.options.clock().raw, period_ns, self.options.flags())?;
        let (missed, most) = self.missed.numbers();

        raw.set_missed(missed, most)?;
        self.options.apply(|policy, max_spin| raw.set_policy(policy, max_spin))?;
        Ok(Ticker { raw })
    }

    fn first_or_now(&self) -> Instant {
        self.first.unwrap_or_else(|| self.options.clock().instant())
    }
}

fn period_ns(period: Duration) -> io::Result<i64> {
    ns(period).filter(|ns| *ns > 0).ok_or_else(|| io::Error::from_raw_os_error(libc::EINVAL))
}

/// Makers and starts.
impl Ticker {
    /// A tick every `period` of the default clock. The first one comes one period from now.
    ///
    /// # Errors
    /// `EINVAL`: the period is zero or above 292 years. `ENOMEM`.
    pub fn new(period: Duration) -> io::Result<Self> {
        Self::builder().every(period)
    }

    /// Options of a new ticker.
    pub fn builder() -> TickerBuilder {
        TickerBuilder::default()
    }

    /// Sets another phase and period. If `first` is past, a tick is due at once.
    ///
    /// # Errors
    /// `EBUSY`: another thread waits. `EINVAL`: the period is zero or above 292 years.
    pub fn start(&self, first: Instant, period: Duration) -> io::Result<()> {
        self.raw.start(first.as_nanos(), period_ns(period)?)
    }

    /// Sets a period of `num` / `den` seconds, without drift.
    ///
    /// # Errors
    /// `EBUSY`: another thread waits. `EINVAL`: `num` or `den` is 0.
    ///
    /// ```
    /// use hpt::{Instant, ManualClock, Ticker};
    /// use std::time::Duration;
    ///
    /// let clock = ManualClock::new()?;
    /// let ticker = Ticker::builder().clock(&clock).every_rational(1, 3)?; // three times a second
    /// clock.advance(Duration::from_secs(1))?;
    /// let last = ticker.wait()?; // 0 s, 1/3 s and 2/3 s are skipped
    /// assert_eq!((last.missed, ticker.next_due()?), (3, Instant::from_nanos(1_333_333_334)));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn start_rational(&self, first: Instant, num: u32, den: u32) -> io::Result<()> {
        self.raw.start_rational(first.as_nanos(), num, den)
    }

    /// Sets a single tick.
    ///
    /// # Errors
    /// `EBUSY`: another thread waits.
    pub fn start_once(&self, at: Instant) -> io::Result<()> {
        self.raw.start(at.as_nanos(), 0)
    }

    /// Sets what happens to missed ticks.
    ///
    /// # Errors
    /// Only a later library reports one.
    pub fn set_missed(&self, missed: Missed) -> io::Result<()> {
        let (missed, most) = missed.numbers();

        self.raw.set_missed(missed, most)
    }

    /// Another policy for later waits, as those of the [builder](TickerBuilder).
    ///
    /// # Errors
    /// `EINVAL`: a `max_spin` other than zero with [`Policy::Inherit`].
    pub fn set_policy(&self, policy: Policy, max_spin: Duration) -> io::Result<()> {
        self.raw.set_policy(policy.number(), clamped_ns(max_spin))
    }
}

/// Waits.
impl Ticker {
    /// Waits for the next tick. Returns at once if one is due.
    ///
    /// The wait may also end by an interrupt, by a signal, or because the ticker is not started or its single tick has
    /// been returned: [`Tick::wake`] has the reason. The next tick is then the same as before.
    ///
    /// # Errors
    /// `EBUSY`: another thread waits for this ticker, or starts it.
    ///
    /// # Cost
    /// 10 to 40 us of CPU time and the spin, or the wait itself if that is shorter; three clock reads before the wait.
    pub fn wait(&self) -> io::Result<Tick> {
        let due = self.next_due();
        let (result, missed) = self.raw.wait();
        let wake = Wake::of(result)?;
        let due = due.ok().filter(|_| wake.is_over());

        Ok(Tick { wake, missed, due })
    }

    /// The ticks, as an iterator that ends with an interrupt, a signal, or the single tick.
    ///
    /// Errors are items, and do not end it.
    pub fn iter(&self) -> Iter<'_> {
        Iter { ticker: self }
    }

    /// Ends the wait, or the next one. The interrupt stays pending until a wait ends by it.
    ///
    /// Any thread and any signal handler may call it.
    ///
    /// # Cost
    /// An atomic addition, and a system call if the waiting thread is in the kernel; one more with a descriptor.
    pub fn interrupt(&self) {
        self.raw.interrupt();
    }

    /// The same ticker with a descriptor for event loops.
    ///
    /// # Errors
    /// `ENOTSUP`: the ticker's clock is a manual one. `EMFILE` and others of `timerfd_create`. The ticker is dropped
    /// then.
    pub fn into_fd(self) -> io::Result<FdTicker> {
        FdTicker::new(self)
    }

    pub(crate) fn raw(&self) -> &RawTicker {
        &self.raw
    }
}

/// Facts.
impl Ticker {
    /// The time of the next tick; [`Instant::MAX`] if the clock cannot reach it.
    ///
    /// # Errors
    /// `ENODATA`: the ticker is not started, or its single tick has been returned. `EBUSY`: another thread waits, and a
    /// new generation of the clock has begun meanwhile.
    pub fn next_due(&self) -> io::Result<Instant> {
        self.raw.next_ns().map(Instant::from_nanos)
    }

    /// How many ticks there have been, and how late they were.
    ///
    /// # Errors
    /// Only a later library reports one.
    pub fn info(&self) -> io::Result<TickerInfo> {
        self.raw.info().map(|info| TickerInfo::of(&info))
    }

    /// One more holder of the ticker's clock.
    pub fn clock(&self) -> Clock {
        Clock { raw: self.raw.clock() }
    }
}

/// The ticks of a [`Ticker`]: see [`Ticker::iter`]. It cannot outlive the ticker:
///
/// ```compile_fail,E0505
/// let ticker = hpt::Ticker::new(std::time::Duration::from_millis(1)).unwrap();
/// let mut ticks = ticker.iter();
/// drop(ticker);
/// ticks.next();
/// ```
#[derive(Clone, Debug)]
#[must_use = "iterators wait only when they are used"]
pub struct Iter<'a> {
    ticker: &'a Ticker,
}

impl Iterator for Iter<'_> {
    type Item = io::Result<Tick>;

    fn next(&mut self) -> Option<Self::Item> {
        match self.ticker.wait() {
            Ok(tick) if !tick.wake.is_over() => None,
            other => Some(other),
        }
    }
}

impl<'a> IntoIterator for &'a Ticker {
    type Item = io::Result<Tick>;
    type IntoIter = Iter<'a>;

    fn into_iter(self) -> Iter<'a> {
        self.iter()
    }
}
