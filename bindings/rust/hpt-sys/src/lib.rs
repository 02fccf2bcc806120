// SPDX-License-Identifier: MIT
//! Declarations of [libhpt]'s C interface, without a safe layer: that is the crate `hpt`.
//!
//! Names, types and values are those of the headers `hpt/*.h`, where each function's comment has its results, its
//! safety in threads and signal handlers, and its cost. A null `hpt_clock` is the process's default clock. What belongs
//! to `hpt/wall.h`, `hpt/wait.h`, `hpt/mmio.h` and `hpt/system.h` is young: a minor release may change it.
//!
//! ```
//! let before = unsafe { hpt_sys::hpt_now_ns(core::ptr::null_mut()) };
//! let woken = unsafe { hpt_sys::hpt_sleep_ns(core::ptr::null_mut(), 100_000) };
//! let after = unsafe { hpt_sys::hpt_now_ns(core::ptr::null_mut()) };
//! assert!(woken != 0 || after - before >= 100_000);
//! ```
//!
//! The library is the installed one, found by pkg-config, or with the feature `vendored` a copy that is compiled into
//! the program. With the variable `HPT_VENDORED=0` it is the installed one even if the feature is on; `HPT_VENDORED=1`
//! is an error without the feature.
//!
//! [libhpt]: hpt_version
#![no_std]
#![allow(non_camel_case_types)]

mod constants;
mod functions;
mod types;

pub use constants::*;
pub use functions::*;
pub use types::*;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
