// SPDX-License-Identifier: MIT
//! Hybrid logical clocks.

use crate::deadline::{clamped_ns, clamped_unix_ns, system_time};
use crate::raw::RawHlc;
use crate::Wall;
use std::io;
use std::num::NonZeroU64;
use std::time::{Duration, SystemTime};

/// Timestamps that are close to UTC and strictly increase, on any threads of the process. It holds its wall.
///
/// ```
/// use hpt::{Clock, Hlc, Wall};
/// use std::time::{Duration, SystemTime};
///
/// let wall = Wall::new()?;
/// let (tick, time) = (Clock::global().now(), SystemTime::now());
/// wall.feed(tick, Clock::global().now(), time, time)?; // of a receiver
///
/// let hlc = Hlc::new(&wall, Duration::from_millis(500))?;
/// let sent = hlc.now()?;
/// assert!(hlc.receive(sent)? > sent);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Hlc {
    raw: RawHlc,
}

impl Hlc {
    /// A clock on a wall. Timestamps that come may be up to `max_ahead` beyond the wall's latest, and so may floors.
    ///
    /// `max_ahead` is no smaller than the widest interval that any of the machines works with: that far may one's
    /// timestamps be ahead of another's latest.
    ///
    /// # Errors
    /// `ENOMEM`.
    pub fn new(wall: &Wall, max_ahead: Duration) -> io::Result<Self> {
        RawHlc::new(&wall.raw, clamped_ns(max_ahead)).map(|raw| Self { raw })
    }

    /// A timestamp: the larger of the wall's latest and the nanosecond after the previous one, even where a sample has
    /// narrowed the interval since.
    ///
    /// # Errors
    /// `EAGAIN`: the wall has no bound, or a floor is too far beyond its latest. `ERANGE`: the interval is too wide.
    /// `ESTALE`: in a forked child or a clone of the virtual machine, until [`set_floor`](Self::set_floor).
    pub fn now(&self) -> io::Result<SystemTime> {
        self.raw.now().map(system_time)
    }

    /// A timestamp that is also larger than one that came from another machine.
    ///
    /// # Errors
    /// As [`now`](Self::now), and those are this machine's own. `EBADMSG`: `remote` is more than `max_ahead` beyond the
    /// wall's latest, so the other machine's clock is wrong, or this one's. It leaves no trace.
    pub fn receive(&self, remote: SystemTime) -> io::Result<SystemTime> {
        self.raw.receive(clamped_unix_ns(remote)).map(system_time)
    }

    /// All further timestamps are larger than this: after a restart, the largest that may have been given before.
    ///
    /// # Errors
    /// `EINVAL`: the end of the range.
    pub fn set_floor(&self, floor: SystemTime) -> io::Result<()> {
        self.raw.set_floor(clamped_unix_ns(floor))
    }

    /// A random number, another one after each [`set_floor`](Self::set_floor) that ended `ESTALE`. Timestamps of parent
    /// and child, or of clones of the virtual machine, may be equal; a timestamp is not together with the incarnation
    /// that was read after it. `None`: [`now`](Self::now) would fail with `ESTALE`, or `VMClock`'s page is being
    /// written.
    #[must_use]
    pub fn incarnation(&self) -> Option<NonZeroU64> {
        self.raw.info().ok().and_then(|info| NonZeroU64::new(info.incarnation))
    }

    /// Whether a clone of the virtual machine is noticed: `VMClock`'s page counts them. See `hpt_hlc_new(3)`.
    #[must_use]
    pub fn sees_clones(&self) -> bool {
        self.raw.info().map_or(false, |info| info.sees_clones != 0)
    }
}
