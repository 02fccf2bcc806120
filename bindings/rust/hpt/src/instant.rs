// SPDX-License-Identifier: MIT
//! Times with the arithmetic of `std::time::Instant`.

use crate::Source;
use std::fmt;
use std::ops::{Add, AddAssign, Sub, SubAssign};
use std::time::Duration;

/// A time in nanoseconds on a clock's timeline, with the arithmetic of [`std::time::Instant`].
///
/// The timeline is `CLOCK_MONOTONIC_RAW`'s, or that of the [`Source`] the time was read from. Within a generation of
/// the clock (see [`Clock::check`](crate::Clock::check)) a later read is never earlier.
///
/// It differs from the standard library's type in three ways. It is one `i64` of nanoseconds, so sums reach 292 years
/// either way. It can be made of a number and is one. Times of two clocks can be subtracted without an error, and the
/// result means nothing.
///
/// # Panics
/// As those of the standard library, `+` and `-` with a `Duration` panic if the result does not fit. The `checked_`
/// and `saturating_` methods never panic, and neither does the difference of two times.
///
/// ```
/// use hpt::Instant;
/// use std::time::Duration;
///
/// let start = Instant::now();
/// let deadline = start + Duration::from_millis(1);
/// hpt::sleep_until(deadline);
/// assert!(start.elapsed() >= Duration::from_millis(1));
/// assert_eq!(start.duration_since(deadline), Duration::ZERO);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Instant {
    ns: i64,
}

impl Instant {
    /// The earliest time, which is past for every clock.
    pub const MIN: Self = Self::from_nanos(i64::MIN);
    /// The latest time. As a deadline it means: until interrupted.
    pub const MAX: Self = Self::from_nanos(i64::MAX);

    /// The present time of the default clock.
    ///
    /// # Cost
    /// That of [`Clock::now_ns`](crate::Clock::now_ns).
    #[inline]
    #[must_use]
    pub fn now() -> Self {
        Self::from_nanos(crate::now_ns())
    }

    /// The time that is `ns` nanoseconds after the timeline's zero.
    #[inline]
    #[must_use]
    pub const fn from_nanos(ns: i64) -> Self {
        Self { ns }
    }

    /// Nanoseconds since the timeline's zero.
    #[inline]
    #[must_use]
    pub const fn as_nanos(self) -> i64 {
        self.ns
    }

    /// The time from `earlier` to `self`; zero if `earlier` is later.
    #[must_use]
    pub fn duration_since(&self, earlier: Self) -> Duration {
        self.checked_duration_since(earlier).unwrap_or_default()
    }

    /// The time from `earlier` to `self`, or `None` if `earlier` is later.
    #[must_use]
    pub fn checked_duration_since(&self, earlier: Self) -> Option<Duration> {
        (self.ns >= earlier.ns).then(|| Duration::from_nanos(self.ns.abs_diff(earlier.ns)))
    }

    /// The time from `earlier` to `self`; zero if `earlier` is later.
    #[must_use]
    pub fn saturating_duration_since(&self, earlier: Self) -> Duration {
        self.duration_since(earlier)
    }

    /// The time since `self` by the default clock; zero if `self` is to come.
    ///
    /// For a time of another clock use [`elapsed_by`](Self::elapsed_by).
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        Self::now().duration_since(*self)
    }

    /// The time since `self` by `source`; zero if `self` is to come.
    ///
    /// ```
    /// use hpt::{ManualClock, Source};
    /// use std::time::Duration;
    ///
    /// let clock = ManualClock::new()?;
    /// let start = clock.instant();
    /// clock.advance(Duration::from_secs(60))?;
    /// assert_eq!(start.elapsed_by(&clock), Duration::from_secs(60));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn elapsed_by<S: Source + ?Sized>(&self, source: &S) -> Duration {
        source.instant().duration_since(*self)
    }

    /// The sum, or `None` if it does not fit.
    #[must_use]
    pub fn checked_add(&self, duration: Duration) -> Option<Self> {
        let sum = i128::from(self.ns) + i128::try_from(duration.as_nanos()).ok()?;

        i64::try_from(sum).ok().map(Self::from_nanos)
    }

    /// The difference, or `None` if it does not fit.
    #[must_use]
    pub fn checked_sub(&self, duration: Duration) -> Option<Self> {
        let difference = i128::from(self.ns) - i128::try_from(duration.as_nanos()).ok()?;

        i64::try_from(difference).ok().map(Self::from_nanos)
    }

    /// The sum, at most [`MAX`](Self::MAX).
    ///
    /// ```
    /// use hpt::Instant;
    /// use std::time::Duration;
    ///
    /// assert_eq!(Instant::now().saturating_add(Duration::MAX), Instant::MAX);
    /// ```
    #[must_use]
    pub fn saturating_add(&self, duration: Duration) -> Self {
        self.checked_add(duration).unwrap_or(Self::MAX)
    }
}

/// Writes nanoseconds.
impl fmt::Debug for Instant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Instant({} ns)", self.ns)
    }
}

/// Panics if the sum does not fit, as the standard library's does.
impl Add<Duration> for Instant {
    type Output = Self;

    fn add(self, duration: Duration) -> Self {
        self.checked_add(duration).expect("overflow when adding duration to instant")
    }
}

/// Panics if the sum does not fit, as the standard library's does.
impl AddAssign<Duration> for Instant {
    fn add_assign(&mut self, duration: Duration) {
        *self = *self + duration;
    }
}

/// Panics if the difference does not fit, as the standard library's does.
impl Sub<Duration> for Instant {
    type Output = Self;

    fn sub(self, duration: Duration) -> Self {
        self.checked_sub(duration).expect("overflow when subtracting duration from instant")
    }
}

/// Panics if the difference does not fit, as the standard library's does.
impl SubAssign<Duration> for Instant {
    fn sub_assign(&mut self, duration: Duration) {
        *self = *self - duration;
    }
}

/// As [`Instant::duration_since`]: zero if the other is later.
impl Sub for Instant {
    type Output = Duration;

    fn sub(self, earlier: Self) -> Duration {
        self.duration_since(earlier)
    }
}
