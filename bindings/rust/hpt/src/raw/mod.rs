// SPDX-License-Identifier: MIT
//! The only module with unsafe code: owners of the C objects, whose safe methods are one C call each.
//!
//! All C functions are MT-Safe, except for those that free an object. Those run in `drop`, which no other use of the
//! object can overlap: Rust has ended all borrows by then. So every owner is `Send` and `Sync`.
#![allow(unsafe_code)]

mod clock;
#[cfg(feature = "tokio")]
mod descriptors;
mod facts;
mod gate;
mod ticker;
mod timebase;
mod waiter;
mod wall;

pub(crate) use clock::{default_now, default_now_ns, set_default_source, Clk};
#[cfg(feature = "tokio")]
pub(crate) use descriptors::is_readable;
pub(crate) use facts::{
    cpu_info, kernel_hz, low_latency, origin_name, reason_text, set_sleep_policy, set_slice, sleep_info, source_info,
    source_name, source_parse, stage_name, state_name, version, version_number, wall_reason_text, wall_source_name,
    wall_state_name,
};
pub(crate) use gate::RawGate;
pub(crate) use ticker::RawTicker;
pub(crate) use timebase::{timebase_to, Line, Times};
pub(crate) use waiter::Waiter;
pub(crate) use wall::{wall_config, RawHlc, RawWall};

use std::io;
use std::mem::MaybeUninit;
use std::os::raw::{c_char, c_int};

/// A result of the C library: a number that is not negative, or an error by its errno value.
pub(crate) fn check(result: c_int) -> io::Result<u32> {
    u32::try_from(result).map_err(|_| io::Error::from_raw_os_error(result.wrapping_neg()))
}

/// Characters up to the first NUL.
pub(crate) fn text_of(chars: &[c_char]) -> String {
    let bytes: Vec<u8> = chars.iter().take_while(|c| **c != 0).map(|c| c.to_ne_bytes()[0]).collect();

    String::from_utf8_lossy(&bytes).into_owned()
}

/// A function that fills in a struct of plain numbers.
///
/// # Safety
/// All zeros must be a valid `T`, and `fill` must take a pointer to a `T` and its size.
unsafe fn filled<T>(fill: impl FnOnce(*mut T, usize) -> c_int) -> io::Result<T> {
    let mut ret = MaybeUninit::<T>::zeroed();

    check(fill(ret.as_mut_ptr(), std::mem::size_of::<T>()))?;
    // SAFETY: all zeros are a valid T, and fill() has written members of it at most.
    Ok(unsafe { ret.assume_init() })
}
