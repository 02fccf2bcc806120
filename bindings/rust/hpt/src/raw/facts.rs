// SPDX-License-Identifier: MIT
//! Functions without an object.

use super::{check, filled};
use hpt_sys as sys;
use std::ffi::{CStr, CString};
use std::io;
use std::os::raw::c_char;
use std::os::unix::io::{FromRawFd, OwnedFd};

fn text(text: *const c_char) -> &'static str {
    // SAFETY: the caller has it from a function that returns a static string, never NULL.
    unsafe { CStr::from_ptr(text) }.to_str().unwrap_or("unknown")
}

macro_rules! names {
    ($($name:ident: $function:ident,)*) => { $(
        pub(crate) fn $name(value: u32) -> &'static str {
            // SAFETY: takes any number.
            text(unsafe { sys::$function(value) })
        }
    )* };
}

names! {
    source_name: hpt_source_name,
    state_name: hpt_state_name,
    stage_name: hpt_stage_name,
    origin_name: hpt_origin_name,
    reason_text: hpt_reason_text,
    wall_source_name: hpt_wall_source_name,
    wall_state_name: hpt_wall_state_name,
    wall_reason_text: hpt_wall_reason_text,
}

pub(crate) fn source_parse(name: &str) -> io::Result<u32> {
    let name = CString::new(name).map_err(|_| io::Error::from_raw_os_error(libc::EINVAL))?;
    let mut source = 0;

    // SAFETY: the text ends in NUL, and the output is a valid pointer.
    check(unsafe { sys::hpt_source_parse(name.as_ptr(), &mut source) })?;
    Ok(source)
}

pub(crate) fn source_info(source: u32) -> io::Result<sys::hpt_source_info> {
    // SAFETY: the struct has numbers and characters only.
    unsafe { filled(|ret, size| sys::hpt_source_get_info(source, ret, size)) }
}

pub(crate) fn cpu_info() -> io::Result<sys::hpt_cpu_info> {
    // SAFETY: the struct has numbers and characters only.
    unsafe { filled(|ret, size| sys::hpt_cpu_get_info(ret, size)) }
}

pub(crate) fn sleep_info() -> io::Result<sys::hpt_sleep_info> {
    // SAFETY: the struct has numbers only.
    unsafe { filled(|ret, size| sys::hpt_sleep_get_info(ret, size)) }
}

pub(crate) fn set_sleep_policy(policy: u32, max_spin_ns: i64) -> io::Result<()> {
    // SAFETY: takes numbers only.
    check(unsafe { sys::hpt_sleep_set_policy(policy, max_spin_ns) }).map(drop)
}

pub(crate) fn set_slice(ns: i64) -> io::Result<()> {
    // SAFETY: takes a number only.
    check(unsafe { sys::hpt_thread_set_slice_ns(ns) }).map(drop)
}

pub(crate) fn low_latency(max_us: i32) -> io::Result<OwnedFd> {
    // SAFETY: takes a number only.
    let fd = unsafe { sys::hpt_low_latency_open(max_us) };

    check(fd)?;
    // SAFETY: the descriptor is new, and the caller's to close.
    Ok(unsafe { OwnedFd::from_raw_fd(fd) })
}

pub(crate) fn kernel_hz() -> u32 {
    // SAFETY: takes nothing.
    unsafe { sys::hpt_kernel_hz() }
}

pub(crate) fn version() -> &'static str {
    // SAFETY: takes nothing.
    text(unsafe { sys::hpt_version() })
}

pub(crate) fn version_number() -> u32 {
    // SAFETY: takes nothing.
    unsafe { sys::hpt_version_number() }
}
