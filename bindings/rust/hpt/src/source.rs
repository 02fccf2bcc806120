// SPDX-License-Identifier: MIT
//! Clocks that a program's tests can replace.

use crate::{Clock, Instant, ManualClock, Ticks};
use std::rc::Rc;
use std::sync::Arc;

/// A clock that a program reads the time from. Code that takes a `Source` runs on a [`Clock`], and in tests on a
/// [`ManualClock`] or a type of its own.
///
/// ```
/// use hpt::{Clock, Instant, ManualClock, Source};
/// use std::time::Duration;
///
/// struct Cache<S: Source> {
///     clock: S,
///     filled: Instant,
/// }
///
/// impl<S: Source> Cache<S> {
///     fn is_stale(&self) -> bool {
///         self.filled.elapsed_by(&self.clock) > Duration::from_secs(60)
///     }
/// }
///
/// let clock = ManualClock::new()?;
/// let cache = Cache { filled: clock.instant(), clock: clock.clone() };
/// clock.advance(Duration::from_secs(61))?;
/// assert!(cache.is_stale());
///
/// let real = Cache { filled: Clock::global().instant(), clock: Clock::global() };
/// assert!(!real.is_stale());
/// # Ok::<(), std::io::Error>(())
/// ```
pub trait Source {
    /// The present time in ticks. A later read is never smaller.
    fn now(&self) -> Ticks;

    /// The present time in nanoseconds. A later read is never smaller.
    fn now_ns(&self) -> i64;

    /// The present time as [`Instant`].
    fn instant(&self) -> Instant {
        Instant::from_nanos(self.now_ns())
    }
}

impl Source for Clock {
    #[inline]
    fn now(&self) -> Ticks {
        Clock::now(self)
    }

    #[inline]
    fn now_ns(&self) -> i64 {
        Clock::now_ns(self)
    }
}

macro_rules! forward {
    ($([$($generic:tt)*] $type:ty;)*) => { $(
        impl<$($generic)*> Source for $type {
            #[inline]
            fn now(&self) -> Ticks {
                (**self).now()
            }

            #[inline]
            fn now_ns(&self) -> i64 {
                (**self).now_ns()
            }

            #[inline]
            fn instant(&self) -> Instant {
                (**self).instant()
            }
        }
    )* };
}

forward! {
    [] ManualClock;
    [S: Source + ?Sized] &S;
    [S: Source + ?Sized] Box<S>;
    [S: Source + ?Sized] Rc<S>;
    [S: Source + ?Sized] Arc<S>;
}
