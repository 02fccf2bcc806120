// SPDX-License-Identifier: MIT
//! Times that a sleep may end at, and durations as nanoseconds.

use crate::raw::{Clk, RawGate, Waiter};
use crate::{Instant, Ticks};
use std::os::raw::c_int;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A time that a sleep may end at: [`Ticks`], [`Instant`] or [`SystemTime`].
///
/// | Type | Timeline |
/// |---|---|
/// | `Ticks` | the counter |
/// | `Instant` | nanoseconds of the clock; `CLOCK_MONOTONIC` where the two disagree |
/// | `SystemTime` | `CLOCK_REALTIME`, with its steps and its slew |
///
/// A time that is past ends the sleep at once. `Ticks::MAX` and `Instant::MAX` never come. A `SystemTime` after the
/// year 2262 counts as the end of that range.
///
/// Other types cannot implement it:
///
/// ```compile_fail,E0277
/// struct Tomorrow;
///
/// impl hpt::Deadline for Tomorrow {}
/// ```
pub trait Deadline: sealed::Deadline {}

/// A time that a wait on a [`Gate`](crate::Gate) may end at: [`Ticks`] or [`Instant`].
///
/// A gate does not follow the steps of the system's clock:
///
/// ```compile_fail
/// let gate = hpt::Gate::new().unwrap();
/// let _ = gate.wait_until(gate.ticket(), std::time::SystemTime::now());
/// ```
pub trait GateDeadline: Deadline + sealed::GateDeadline {}

pub(crate) mod sealed {
    use super::{c_int, Clk, RawGate, Waiter};

    pub trait Deadline {
        #[doc(hidden)]
        fn on_clock(self, clk: &Clk) -> c_int;
        #[doc(hidden)]
        fn on_waiter(self, waiter: &Waiter) -> c_int;
    }

    pub trait GateDeadline: Copy {
        #[doc(hidden)]
        fn on_gate(self, gate: &RawGate, ticket: u32) -> c_int;
    }
}

impl Deadline for Ticks {}
impl GateDeadline for Ticks {}

impl sealed::Deadline for Ticks {
    fn on_clock(self, clk: &Clk) -> c_int {
        clk.sleep_until_ticks(self.0)
    }

    fn on_waiter(self, waiter: &Waiter) -> c_int {
        waiter.sleep_until_ticks(self.0)
    }
}

impl sealed::GateDeadline for Ticks {
    fn on_gate(self, gate: &RawGate, ticket: u32) -> c_int {
        gate.wait_until_ticks(ticket, self.0)
    }
}

impl Deadline for Instant {}
impl GateDeadline for Instant {}

impl sealed::Deadline for Instant {
    fn on_clock(self, clk: &Clk) -> c_int {
        clk.sleep_until_ns(self.as_nanos())
    }

    fn on_waiter(self, waiter: &Waiter) -> c_int {
        waiter.sleep_until_ns(self.as_nanos())
    }
}

impl sealed::GateDeadline for Instant {
    fn on_gate(self, gate: &RawGate, ticket: u32) -> c_int {
        gate.wait_until_ns(ticket, self.as_nanos())
    }
}

impl Deadline for SystemTime {}

impl sealed::Deadline for SystemTime {
    fn on_clock(self, clk: &Clk) -> c_int {
        clk.sleep_until_unix_ns(clamped_unix_ns(self))
    }

    fn on_waiter(self, waiter: &Waiter) -> c_int {
        waiter.sleep_until_unix_ns(clamped_unix_ns(self))
    }
}

/// Nanoseconds, if they fit.
pub(crate) fn ns(duration: Duration) -> Option<i64> {
    i64::try_from(duration.as_nanos()).ok()
}

/// Nanoseconds, at most `i64::MAX`.
pub(crate) fn clamped_ns(duration: Duration) -> i64 {
    ns(duration).unwrap_or(i64::MAX)
}

/// Nanoseconds since 1970, if they fit.
pub(crate) fn unix_ns(time: SystemTime) -> Option<i64> {
    match time.duration_since(UNIX_EPOCH) {
        Ok(since) => ns(since),
        Err(before) => i64::try_from(-i128::try_from(before.duration().as_nanos()).ok()?).ok(),
    }
}

/// Nanoseconds since 1970, at the nearer end of the range if they do not fit.
pub(crate) fn clamped_unix_ns(time: SystemTime) -> i64 {
    unix_ns(time).unwrap_or(if time < UNIX_EPOCH { i64::MIN } else { i64::MAX })
}

/// The time `ns` nanoseconds after 1970, which always fits in Linux's 64 bits of seconds.
pub(crate) fn system_time(ns: i64) -> SystemTime {
    let distance = Duration::from_nanos(ns.unsigned_abs());

    if ns < 0 {
        UNIX_EPOCH - distance
    } else {
        UNIX_EPOCH + distance
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_clamped() {
        assert_eq!(clamped_ns(Duration::ZERO), 0);
        assert_eq!(clamped_ns(Duration::from_nanos(i64::MAX as u64)), i64::MAX);
        assert_eq!(clamped_ns(Duration::from_nanos(1 << 63)), i64::MAX);
        assert_eq!(clamped_ns(Duration::MAX), i64::MAX);
        assert_eq!(ns(Duration::from_nanos(1 << 63)), None);
    }

    #[test]
    fn unix_time_there_and_back() {
        for ns in [i64::MIN, i64::MIN + 1, -1_000_000_001, -1, 0, 1, 1_700_000_000_000_000_001, i64::MAX] {
            assert_eq!(unix_ns(system_time(ns)), Some(ns));
        }
    }

    #[test]
    fn unix_time_beyond_the_range_is_clamped() {
        let ns = Duration::from_nanos(1);

        assert_eq!(unix_ns(system_time(i64::MAX) + ns), None);
        assert_eq!(unix_ns(system_time(i64::MIN) - ns), None);
        assert_eq!(clamped_unix_ns(system_time(i64::MAX) + ns), i64::MAX);
        assert_eq!(clamped_unix_ns(system_time(i64::MIN) - ns), i64::MIN);
    }
}
