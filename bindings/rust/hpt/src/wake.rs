// SPDX-License-Identifier: MIT
//! How a sleep ended.

use crate::raw::check;
use crate::State;
use std::io;
use std::os::raw::c_int;

/// How a sleep ended.
///
/// ```
/// use std::time::Duration;
///
/// let wake = hpt::sleep(Duration::from_micros(100));
/// assert!(wake.is_over());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Wake {
    /// The deadline has come: a read of the clock is at or after it.
    Reached,
    /// The system's clocks moved during the sleep, which may be early: a suspend, for example.
    Reanchored,
    /// The counter jumped or stopped during the sleep, which may be early: a restored snapshot, for example.
    Disrupted,
    /// Another state of the clock ended the sleep, which may be early.
    Other(State),
    /// An interrupt.
    Interrupted,
    /// A signal handler ran, and the object was built with `end_on_signal(true)`.
    Signal,
    /// The gate's `notify_all()` was called after the ticket was taken, or the gate was shut and reopened.
    Notified,
    /// The deadline of a wait on a gate has come: a read of the clock is at or after it.
    TimedOut,
    /// The gate is shut.
    Shut,
    /// The ticker is not started, or its single tick has been returned.
    Ended,
    /// How many descriptors or events are ready: of [`Sleeper::poll_until`](crate::Sleeper::poll_until) and
    /// [`epoll_until`](crate::Sleeper::epoll_until). Young.
    Ready(usize),
}

impl Wake {
    /// True if the sleep ended by time: the deadline has come, or the clock's state says why it may not have.
    #[must_use]
    pub const fn is_over(self) -> bool {
        matches!(self, Self::Reached | Self::TimedOut | Self::Reanchored | Self::Disrupted | Self::Other(_))
    }

    /// The result of a sleep of the C library.
    pub(crate) fn of(result: c_int) -> io::Result<Self> {
        match result.wrapping_neg() {
            libc::ECANCELED => Ok(Self::Interrupted),
            libc::EINTR => Ok(Self::Signal),
            libc::ENODATA => Ok(Self::Ended),
            _ => check(result).map(Self::of_state),
        }
    }

    /// The result of a wait on a gate, which knows no states.
    pub(crate) fn of_gate(result: c_int) -> io::Result<Self> {
        match result.wrapping_neg() {
            libc::ETIMEDOUT => Ok(Self::TimedOut),
            libc::ESHUTDOWN => Ok(Self::Shut),
            libc::EINTR => Ok(Self::Signal),
            _ => check(result).map(|_| Self::Notified),
        }
    }

    /// The result of a wait for descriptors, which knows no states.
    pub(crate) fn of_events(result: c_int) -> io::Result<Self> {
        match result.wrapping_neg() {
            0 => Ok(Self::Reached),
            libc::ECANCELED => Ok(Self::Interrupted),
            libc::EINTR => Ok(Self::Signal),
            _ => check(result).map(|n| Self::Ready(n as usize)),
        }
    }

    /// The result of a sleep that has no errors.
    pub(crate) fn of_state(state: u32) -> Self {
        match State(state) {
            State::OK => Self::Reached,
            State::REANCHORED => Self::Reanchored,
            State::DISRUPTED => Self::Disrupted,
            other => Self::Other(other),
        }
    }

    pub(crate) fn infallible(result: c_int) -> Self {
        Self::of_state(u32::try_from(result).unwrap_or(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_of_later_libraries_are_kept() {
        assert_eq!(Wake::of(0).unwrap(), Wake::Reached);
        assert_eq!(Wake::of(1).unwrap(), Wake::Reanchored);
        assert_eq!(Wake::of(2).unwrap(), Wake::Disrupted);
        assert_eq!(Wake::of(3).unwrap(), Wake::Other(State::DEMOTED));
        assert_eq!(Wake::of(c_int::MAX).unwrap(), Wake::Other(State(0x7fff_ffff)));
        assert!(Wake::of(77).unwrap().is_over());
    }

    #[test]
    fn ends_by_others_are_no_errors() {
        for (code, wake) in
            [(libc::ECANCELED, Wake::Interrupted), (libc::EINTR, Wake::Signal), (libc::ENODATA, Wake::Ended)]
        {
            assert_eq!(Wake::of(-code).unwrap(), wake);
            assert!(!wake.is_over());
        }
    }

    #[test]
    fn a_gate_answers_as_a_condition_variable() {
        for (result, wake) in [
            (0, Wake::Notified),
            (-libc::ETIMEDOUT, Wake::TimedOut),
            (-libc::ESHUTDOWN, Wake::Shut),
            (-libc::EINTR, Wake::Signal),
        ] {
            assert_eq!(Wake::of_gate(result).unwrap(), wake);
            assert_eq!(wake.is_over(), wake == Wake::TimedOut);
        }
        assert_eq!(Wake::of_gate(-libc::EINVAL).unwrap_err().raw_os_error(), Some(libc::EINVAL));
    }

    #[test]
    fn a_wait_for_descriptors_counts_them() {
        for (result, wake) in [
            (0, Wake::Reached),
            (3, Wake::Ready(3)),
            (c_int::MAX, Wake::Ready(0x7fff_ffff)),
            (-libc::ECANCELED, Wake::Interrupted),
            (-libc::EINTR, Wake::Signal),
        ] {
            assert_eq!(Wake::of_events(result).unwrap(), wake);
            assert_eq!(wake.is_over(), wake == Wake::Reached);
        }
        assert_eq!(Wake::of_events(-libc::EBADF).unwrap_err().raw_os_error(), Some(libc::EBADF));
    }

    #[test]
    fn other_numbers_are_errors() {
        assert_eq!(Wake::of(-libc::EBUSY).unwrap_err().raw_os_error(), Some(libc::EBUSY));
        assert_eq!(Wake::of(-libc::ETIMEDOUT).unwrap_err().raw_os_error(), Some(libc::ETIMEDOUT));
        assert_eq!(Wake::of(-4000).unwrap_err().raw_os_error(), Some(4000));
        assert!(Wake::of(c_int::MIN).is_err());
    }
}
