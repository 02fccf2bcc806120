// SPDX-License-Identifier: MIT
//! Waits that all end at once.

use crate::deadline::{clamped_ns, sealed};
use crate::policy::{common_options, Options};
use crate::raw::RawGate;
use crate::{Clock, GateDeadline, Instant, Policy, Ticks, Wake};
use std::io;
use std::time::Duration;

/// A state of a gate, taken before the condition is checked: see [`Gate::ticket`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[must_use]
pub struct Ticket(u32);

/// An object that any number of threads wait on, and that wakes all of them at once.
///
/// It is a condition variable without a mutex: change what the condition reads, then call
/// [`notify_all`](Self::notify_all). No wake-up is lost. [`shut`](Self::shut) ends all waits and refuses new ones.
///
/// ```
/// use hpt::Gate;
/// use std::sync::atomic::{AtomicBool, Ordering};
/// use std::thread;
/// use std::time::Duration;
///
/// let gate = Gate::new()?;
/// let ready = AtomicBool::new(false);
/// thread::scope(|scope| {
///     let waiter = scope.spawn(|| {
///         gate.wait_while_for(Duration::from_secs(60), || !ready.load(Ordering::Acquire))
///     });
///     ready.store(true, Ordering::Release);
///     gate.notify_all();
///     assert!(waiter.join().unwrap()?);
///     Ok::<(), std::io::Error>(())
/// })?;
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Gate {
    raw: RawGate,
}

/// Options of a new [`Gate`].
#[derive(Clone, Debug, Default)]
#[must_use = "it does nothing before build()"]
pub struct GateBuilder {
    options: Options,
}

impl GateBuilder {
    common_options!();

    /// The gate, which is open.
    ///
    /// # Errors
    /// `EINVAL`: a [`max_spin`](Self::max_spin) without a policy. `ENOMEM`.
    pub fn build(self) -> io::Result<Gate> {
        let raw = RawGate::new(&self.options.clock().raw, self.options.flags())?;

        self.options.apply(|policy, max_spin| raw.set_policy(policy, max_spin))?;
        Ok(Gate { raw })
    }
}

/// Makers, and methods that wake.
impl Gate {
    /// An open gate on the default clock, with the process's policy.
    ///
    /// # Errors
    /// `ENOMEM`.
    pub fn new() -> io::Result<Self> {
        Self::builder().build()
    }

    /// Options of a new gate.
    pub fn builder() -> GateBuilder {
        GateBuilder::default()
    }

    /// Wakes all threads that wait on the gate, and those that hold a ticket. Nothing stays pending.
    ///
    /// The threads see all memory writes that the caller made before. Any thread and any signal handler may call it.
    ///
    /// # Cost
    /// An atomic addition, and a system call if a thread waits in the kernel.
    pub fn notify_all(&self) {
        self.raw.notify_all();
    }

    /// Wakes all threads that wait on the gate, and refuses later waits. It may be shut already.
    pub fn shut(&self) {
        self.raw.shut();
    }

    /// Allows waits on a shut gate again. It may be open already.
    pub fn reopen(&self) {
        self.raw.reopen();
    }

    /// Another policy for later waits, as those of the [builder](GateBuilder).
    ///
    /// # Errors
    /// `EINVAL`: a `max_spin` other than zero with [`Policy::Inherit`].
    pub fn set_policy(&self, policy: Policy, max_spin: Duration) -> io::Result<()> {
        self.raw.set_policy(policy.number(), clamped_ns(max_spin))
    }

    /// One more holder of the gate's clock.
    pub fn clock(&self) -> Clock {
        Clock { raw: self.raw.clock() }
    }
}

/// Waits with a ticket.
impl Gate {
    /// A ticket for the next wait.
    ///
    /// Take it first, then check the condition, then wait with it: if [`notify_all`](Self::notify_all) was called
    /// after the ticket was taken, the wait returns at once.
    ///
    /// ```
    /// use hpt::{Gate, Wake};
    /// use std::time::Duration;
    ///
    /// let gate = Gate::new()?;
    /// let ticket = gate.ticket();
    /// gate.notify_all(); // comes between the check and the wait
    /// assert_eq!(gate.wait(ticket)?, Wake::Notified);
    /// assert_eq!(gate.wait_for(gate.ticket(), Duration::from_micros(50))?, Wake::TimedOut);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn ticket(&self) -> Ticket {
        Ticket(self.raw.ticket())
    }

    /// Waits until notified: [`Wake::Notified`], or [`Wake::Shut`], or [`Wake::Signal`] if the gate was built with
    /// [`end_on_signal`](GateBuilder::end_on_signal).
    ///
    /// # Errors
    /// Only a later library reports one.
    pub fn wait(&self, ticket: Ticket) -> io::Result<Wake> {
        self.wait_until(ticket, Ticks::MAX)
    }

    /// As [`wait`](Self::wait), until a time of the gate's clock at most: [`Wake::TimedOut`], never before that time.
    ///
    /// A suspend, a jump of the counter or a step of the system's clock does not end the wait. With [`Policy::NoSpin`]
    /// it is not early either, whatever `max_spin` is.
    ///
    /// # Errors
    /// Only a later library reports one.
    pub fn wait_until(&self, ticket: Ticket, deadline: impl GateDeadline) -> io::Result<Wake> {
        Wake::of_gate(sealed::GateDeadline::on_gate(deadline, &self.raw, ticket.0))
    }

    /// As [`wait_until`](Self::wait_until), for a duration at most. [`Duration::MAX`] means: until notified.
    ///
    /// # Errors
    /// Only a later library reports one.
    pub fn wait_for(&self, ticket: Ticket, timeout: Duration) -> io::Result<Wake> {
        self.wait_until(ticket, self.after(timeout))
    }

    fn after(&self, timeout: Duration) -> Instant {
        self.clock().instant().saturating_add(timeout)
    }
}

/// Waits with a condition.
impl Gate {
    /// Waits while `condition()` is true, which is checked at first and after each wake.
    ///
    /// Returns true once the condition is false. Returns false if the condition is still true when the gate is shut,
    /// or when a signal handler has run and the gate was built with [`end_on_signal`](GateBuilder::end_on_signal).
    ///
    /// # Errors
    /// Only a later library reports one.
    pub fn wait_while(&self, condition: impl FnMut() -> bool) -> io::Result<bool> {
        self.wait_while_until(Ticks::MAX, condition)
    }

    /// As [`wait_while`](Self::wait_while), for at most `timeout`.
    ///
    /// # Errors
    /// Only a later library reports one.
    pub fn wait_while_for(&self, timeout: Duration, condition: impl FnMut() -> bool) -> io::Result<bool> {
        self.wait_while_until(self.after(timeout), condition)
    }

    /// As [`wait_while`](Self::wait_while), until a time of the gate's clock at most.
    ///
    /// # Errors
    /// Only a later library reports one.
    pub fn wait_while_until(
        &self,
        deadline: impl GateDeadline,
        mut condition: impl FnMut() -> bool,
    ) -> io::Result<bool> {
        loop {
            let ticket = self.ticket();

            if !condition() {
                return Ok(true);
            }
            if self.wait_until(ticket, deadline)? != Wake::Notified {
                return Ok(!condition());
            }
        }
    }
}
