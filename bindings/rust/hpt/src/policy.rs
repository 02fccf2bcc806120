// SPDX-License-Identifier: MIT
//! How a sleep weighs CPU time against lateness.

use crate::deadline::clamped_ns;
use crate::raw;
use hpt_sys as sys;
use std::io;
use std::time::Duration;

/// How a sleep weighs CPU time against lateness. A sleep waits in the kernel until a margin before its deadline, and
/// spins for the rest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Policy {
    /// At most some 2.5 times the CPU time of the kernel's own sleep.
    Balanced,
    /// At most some 1.6 times.
    Frugal,
    /// At most some four times.
    Strict,
    /// No spin: may return `max_spin` early; with a `max_spin` of zero, or on a gate, never early, and always late.
    NoSpin,
    /// Spins through the last `max_spin`; with zero through the whole sleep. An object with `end_on_signal` spins for
    /// the last millisecond at most, because only a wait in the kernel notices a signal.
    Spin,
    /// The process's policy: see [`set_policy`]. For sleepers, gates and tickers only.
    #[default]
    Inherit,
}

impl Policy {
    pub(crate) const fn number(self) -> u32 {
        match self {
            Self::Balanced => sys::HPT_SLEEP_BALANCED,
            Self::Frugal => sys::HPT_SLEEP_FRUGAL,
            Self::Strict => sys::HPT_SLEEP_STRICT,
            Self::NoSpin => sys::HPT_SLEEP_NOSPIN,
            Self::Spin => sys::HPT_SLEEP_SPIN,
            Self::Inherit => sys::HPT_SLEEP_INHERIT,
        }
    }

    /// None for a policy that only a later library knows.
    pub(crate) const fn of(number: u32) -> Option<Self> {
        Some(match number {
            sys::HPT_SLEEP_BALANCED => Self::Balanced,
            sys::HPT_SLEEP_FRUGAL => Self::Frugal,
            sys::HPT_SLEEP_STRICT => Self::Strict,
            sys::HPT_SLEEP_NOSPIN => Self::NoSpin,
            sys::HPT_SLEEP_SPIN => Self::Spin,
            sys::HPT_SLEEP_INHERIT => Self::Inherit,
            _ => return None,
        })
    }
}

/// The policy of all sleeps of the process that have no policy of their own.
///
/// `max_spin` is the longest margin that a thread spins through; zero means the policy's own. Affects later sleeps.
///
/// # Errors
/// `EINVAL`: `policy` is [`Policy::Inherit`].
///
/// # Cost
/// A store.
///
/// ```
/// use hpt::Policy;
/// use std::time::Duration;
///
/// hpt::set_policy(Policy::Frugal, Duration::ZERO)?;
/// assert!(hpt::set_policy(Policy::Inherit, Duration::ZERO).is_err());
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn set_policy(policy: Policy, max_spin: Duration) -> io::Result<()> {
    raw::set_sleep_policy(policy.number(), clamped_ns(max_spin))
}

/// The options that sleepers, gates and tickers have in common.
#[derive(Clone, Debug, Default)]
pub(crate) struct Options {
    pub(crate) clock: Option<crate::Clock>,
    pub(crate) policy: Policy,
    pub(crate) max_spin: Duration,
    pub(crate) end_on_signal: bool,
}

impl Options {
    pub(crate) fn clock(&self) -> crate::Clock {
        self.clock.clone().unwrap_or_default()
    }

    pub(crate) const fn flags(&self) -> u32 {
        if self.end_on_signal {
            sys::HPT_WAIT_EINTR
        } else {
            0
        }
    }

    /// Sets the policy, unless a new object has it already.
    pub(crate) fn apply(&self, set: impl FnOnce(u32, i64) -> io::Result<()>) -> io::Result<()> {
        if self.policy == Policy::Inherit && self.max_spin == Duration::ZERO {
            return Ok(());
        }
        set(self.policy.number(), clamped_ns(self.max_spin))
    }
}

/// The builder methods that sleepers, gates and tickers have in common.
macro_rules! common_options {
    () => {
        /// The clock, of which the new object is one more holder. Without this it is the default clock.
        pub fn clock(mut self, clock: impl AsRef<$crate::Clock>) -> Self {
            self.options.clock = Some(clock.as_ref().clone());
            self
        }

        /// The policy of the object's sleeps. Without this it is the process's.
        pub fn policy(mut self, policy: $crate::Policy) -> Self {
            self.options.policy = policy;
            self
        }

        /// The longest margin that a thread spins through; zero: the policy's own. Goes with a
        /// [`policy`](Self::policy).
        pub fn max_spin(mut self, max_spin: std::time::Duration) -> Self {
            self.options.max_spin = max_spin;
            self
        }

        /// True: a signal handler that runs while the sleep is in the kernel ends it. Without this the sleep goes on,
        /// as `std::thread::sleep` does.
        pub fn end_on_signal(mut self, end: bool) -> Self {
            self.options.end_on_signal = end;
            self
        }
    };
}
pub(crate) use common_options;
