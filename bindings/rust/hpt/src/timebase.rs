// SPDX-License-Identifier: MIT
//! Time bases, which convert ticks later or elsewhere.

use crate::raw::{timebase_to, Line, Times};
use crate::Clock;
use std::fmt;
use std::io;

/// A time base: the parameters that convert a clock's ticks to times, later or on another machine.
///
/// It is 128 bytes, whose layout is the same on every machine and in every version: see `hpt_timebase(7)`. Every
/// value of this type has a valid check sum. A trace of ticks needs a time base at its start, one in each new
/// [generation](Clock::generation), and one at its end. With the feature `serde` it is bytes, or hexadecimal text in
/// formats for people.
///
/// ```
/// use hpt::{Clock, Timebase};
///
/// let clock = Clock::global();
/// let first = clock.timebase()?;
/// let trace = [clock.now().0, clock.now().0];
/// let last = clock.timebase()?;
///
/// // On any machine, at any time:
/// let (first, last) = (Timebase::from_bytes(first.as_bytes())?, Timebase::from_bytes(last.as_bytes())?);
/// let mut times = [0; 2];
/// first.interval(&last)?.to_ns(&trace, &mut times)?;
/// assert!(times[0] <= times[1]);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Timebase {
    bytes: [u8; 128],
}

/// Two time bases of one generation: see [`Timebase::interval`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[must_use]
pub struct Interval<'a> {
    first: &'a Timebase,
    last: &'a Timebase,
}

impl Timebase {
    /// A present time base of a clock.
    ///
    /// # Errors
    /// `ENOTSUP`: the clock is a manual one, or on a counter of 16 or 32 bits. `ERANGE`: a time does not fit.
    ///
    /// # Cost
    /// Some 10 us; it reads a small file.
    pub fn take(clock: &Clock) -> io::Result<Self> {
        clock.raw.timebase().map(|bytes| Self { bytes })
    }

    /// A time base that [`as_bytes`](Self::as_bytes) has stored.
    ///
    /// # Errors
    /// `EINVAL`: there are more or fewer than 128 bytes, they are damaged, or they have another version.
    ///
    /// ```
    /// let base = hpt::Clock::global().timebase()?;
    /// let mut bytes = *base.as_bytes();
    /// assert_eq!(hpt::Timebase::from_bytes(&bytes)?, base);
    /// bytes[50] ^= 1;
    /// assert!(hpt::Timebase::from_bytes(&bytes).is_err());
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn from_bytes(bytes: &[u8]) -> io::Result<Self> {
        let bytes = <[u8; 128]>::try_from(bytes).map_err(|_| io::Error::from_raw_os_error(libc::EINVAL))?;

        timebase_to(Line::Ns, (&bytes, None), Times::InPlace(&mut [0]))?;
        Ok(Self { bytes })
    }

    /// The bytes to store.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 128] {
        &self.bytes
    }

    /// The interval up to a later time base, which converts the ticks in between the most exactly.
    ///
    /// # Errors
    /// `EINVAL`: `last` is earlier than this one, or of another source. `ESTALE`: the two are of different boots or
    /// generations, or the clocks moved between them.
    pub fn interval<'a>(&'a self, last: &'a Self) -> io::Result<Interval<'a>> {
        timebase_to(Line::Ns, (&self.bytes, Some(&last.bytes)), Times::InPlace(&mut [0]))?;
        Ok(Interval { first: self, last })
    }
}

macro_rules! conversions {
    ($type:ty) => {
        impl $type {
            /// Ticks as nanoseconds on the clock's timeline, rounded to nearest; clamped where they do not fit.
            ///
            /// # Errors
            /// `EINVAL`: the slices differ in length.
            ///
            /// # Cost
            /// 1 us, and below a nanosecond a tick, in ascending order.
            pub fn to_ns(&self, ticks: &[i64], times: &mut [i64]) -> io::Result<()> {
                timebase_to(Line::Ns, self.bases(), Times::Apart(ticks, times))
            }

            /// As [`to_ns`](Self::to_ns), to nanoseconds since 1970-01-01 00:00 UTC.
            ///
            /// # Errors
            /// `EINVAL`: the slices differ in length.
            pub fn to_unix_ns(&self, ticks: &[i64], times: &mut [i64]) -> io::Result<()> {
                timebase_to(Line::UnixNs, self.bases(), Times::Apart(ticks, times))
            }

            /// As [`to_ns`](Self::to_ns), but replaces the ticks by the times.
            ///
            /// # Errors
            /// Only a later library reports one.
            pub fn to_ns_in_place(&self, times: &mut [i64]) -> io::Result<()> {
                timebase_to(Line::Ns, self.bases(), Times::InPlace(times))
            }

            /// As [`to_unix_ns`](Self::to_unix_ns), but replaces the ticks by the times.
            ///
            /// # Errors
            /// Only a later library reports one.
            pub fn to_unix_ns_in_place(&self, times: &mut [i64]) -> io::Result<()> {
                timebase_to(Line::UnixNs, self.bases(), Times::InPlace(times))
            }
        }
    };
}

conversions!(Timebase);
conversions!(Interval<'_>);

impl Timebase {
    const fn bases(&self) -> (&[u8; 128], Option<&[u8; 128]>) {
        (&self.bytes, None)
    }
}

impl Interval<'_> {
    const fn bases(&self) -> (&[u8; 128], Option<&[u8; 128]>) {
        (&self.first.bytes, Some(&self.last.bytes))
    }
}

/// Writes the bytes as 256 hexadecimal digits.
impl fmt::LowerHex for Timebase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Timebase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Timebase({self:x})")
    }
}
