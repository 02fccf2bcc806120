// SPDX-License-Identifier: MIT
//! Ticks of a counter.

/// A time in ticks of a clock, since the counter's own zero.
///
/// A value does not hold its clock, so a program must not mix ticks of two sources. All clocks on one source give
/// the same ticks, except manual ones. [`Clock`](crate::Clock) converts ticks to other times.
///
/// ```
/// use hpt::{Clock, Ticks};
///
/// let clock = Clock::global();
/// let start = clock.now();
/// let elapsed = clock.now().since(start);
/// println!("{} ns", clock.ticks_to_ns(elapsed));
/// assert!(elapsed >= 0);
/// assert_eq!(Ticks::MAX.checked_add(1), None);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(transparent)]
pub struct Ticks(pub i64);

impl Ticks {
    /// The earliest time, which is past for every clock.
    pub const MIN: Self = Self(i64::MIN);
    /// The latest time. As a deadline it means: until interrupted.
    pub const MAX: Self = Self(i64::MAX);

    /// The duration from `earlier` to `self` in ticks, clamped to the range of `i64`. Negative if `earlier` is later.
    #[must_use]
    pub const fn since(self, earlier: Self) -> i64 {
        self.0.saturating_sub(earlier.0)
    }

    /// The time `amount` ticks later, or `None` if it does not fit.
    #[must_use]
    pub fn checked_add(self, amount: i64) -> Option<Self> {
        self.0.checked_add(amount).map(Self)
    }

    /// The time `amount` ticks earlier, or `None` if it does not fit.
    #[must_use]
    pub fn checked_sub(self, amount: i64) -> Option<Self> {
        self.0.checked_sub(amount).map(Self)
    }

    /// The time `amount` ticks later, clamped to the range.
    #[must_use]
    pub const fn saturating_add(self, amount: i64) -> Self {
        Self(self.0.saturating_add(amount))
    }
}
