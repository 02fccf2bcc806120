// SPDX-License-Identifier: MIT
//! Sleeps that others can end.

use crate::deadline::{clamped_ns, sealed};
use crate::policy::{common_options, Options};
use crate::raw::Waiter;
use crate::{Clock, Deadline, Policy, Ticks, Wake};
use std::io;
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

    /// The time that was left when the latest sleep was interrupted or ended by a signal; else zero. [`Duration::MAX`]:
    /// that sleep had no deadline. After [`Wall::wait_after_on`](crate::Wall::wait_after_on) it is what was left of the
    /// time-out.
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
