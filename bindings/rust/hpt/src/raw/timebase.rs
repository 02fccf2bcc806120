// SPDX-License-Identifier: MIT
//! Conversions by time bases.

use super::check;
use hpt_sys as sys;
use std::io;

/// The timeline of the results.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Line {
    Ns,
    UnixNs,
}

/// A time base, and a later one.
pub(crate) type Bases<'a> = (&'a [u8; 128], Option<&'a [u8; 128]>);

/// Ticks, and the place of as many times.
pub(crate) enum Times<'a> {
    InPlace(&'a mut [i64]),
    Apart(&'a [i64], &'a mut [i64]),
}

pub(crate) fn timebase_to(line: Line, (first, last): Bases, times: Times) -> io::Result<()> {
    let first = sys::hpt_timebase { bytes: *first };
    let last = last.map(|bytes| sys::hpt_timebase { bytes: *bytes });
    let last = last.as_ref().map_or(std::ptr::null(), |base| base as *const _);
    let convert = match line {
        Line::Ns => sys::hpt_timebase_to_ns,
        Line::UnixNs => sys::hpt_timebase_to_unix_ns,
    };
    let (from, to, len) = match times {
        Times::InPlace(both) => {
            let at = both.as_mut_ptr();

            (at as *const i64, at, both.len())
        }
        Times::Apart(from, to) if from.len() == to.len() => (from.as_ptr(), to.as_mut_ptr(), to.len()),
        Times::Apart(..) => return Err(io::Error::from_raw_os_error(libc::EINVAL)),
    };

    // SAFETY: the time bases live during the call, and `last` may be NULL. The slices have `len` numbers each; the
    // output may be the input.
    check(unsafe { convert(&first, last, from, to, len) }).map(drop)
}
