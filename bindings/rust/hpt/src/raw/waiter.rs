// SPDX-License-Identifier: MIT
//! The owner of a waiter.

use super::{check, Clk};
use hpt_sys as sys;
use std::io;
use std::os::raw::c_int;
use std::ptr::{self, NonNull};

#[derive(Debug)]
pub struct Waiter(NonNull<sys::hpt_waiter>);

// SAFETY: the functions of a waiter are MT-Safe; a second sleeper gets -EBUSY.
unsafe impl Send for Waiter {}
// SAFETY: as above.
unsafe impl Sync for Waiter {}

impl Drop for Waiter {
    fn drop(&mut self) {
        // SAFETY: self owns the waiter, and all other calls on it have returned. This ends a pending interrupt too.
        unsafe { sys::hpt_waiter_free(self.as_ptr()) }
    }
}

impl Waiter {
    pub(crate) fn new(clk: &Clk, flags: u32) -> io::Result<Self> {
        let mut made = ptr::null_mut();

        // SAFETY: clk holds the clock, and the output is a valid pointer.
        check(unsafe { sys::hpt_waiter_new(clk.as_ptr(), flags, &mut made) })?;
        NonNull::new(made).map(Self).ok_or_else(|| io::Error::from_raw_os_error(libc::EINVAL))
    }

    pub(super) fn as_ptr(&self) -> *mut sys::hpt_waiter {
        self.0.as_ptr()
    }

    pub(crate) fn sleep_ns(&self, ns: i64) -> c_int {
        // SAFETY: self owns the waiter.
        unsafe { sys::hpt_waiter_sleep_ns(self.as_ptr(), ns) }
    }

    pub(crate) fn sleep_until_ticks(&self, tick: i64) -> c_int {
        // SAFETY: self owns the waiter.
        unsafe { sys::hpt_waiter_sleep_until_ticks(self.as_ptr(), tick) }
    }

    pub(crate) fn sleep_until_ns(&self, ns: i64) -> c_int {
        // SAFETY: self owns the waiter.
        unsafe { sys::hpt_waiter_sleep_until_ns(self.as_ptr(), ns) }
    }

    pub(crate) fn sleep_until_unix_ns(&self, unix_ns: i64) -> c_int {
        // SAFETY: self owns the waiter.
        unsafe { sys::hpt_waiter_sleep_until_unix_ns(self.as_ptr(), unix_ns) }
    }

    pub(crate) fn interrupt(&self) {
        // SAFETY: self owns the waiter. The result is 0, because the pointer is not NULL.
        unsafe { sys::hpt_waiter_interrupt(self.as_ptr()) };
    }

    pub(crate) fn clear(&self) {
        // SAFETY: self owns the waiter. The result is 0, because the pointer is not NULL.
        unsafe { sys::hpt_waiter_clear(self.as_ptr()) };
    }

    pub(crate) fn remaining_ns(&self) -> i64 {
        let mut ns = 0;
        // SAFETY: self owns the waiter, and the output is a valid pointer. The result is 0, because neither is NULL.
        let _ = unsafe { sys::hpt_waiter_remaining_ns(self.as_ptr(), &mut ns) };

        ns
    }

    pub(crate) fn set_policy(&self, policy: u32, max_spin_ns: i64) -> io::Result<()> {
        // SAFETY: self owns the waiter.
        check(unsafe { sys::hpt_waiter_set_policy(self.as_ptr(), policy, max_spin_ns) }).map(drop)
    }

    pub(crate) fn clock(&self) -> Clk {
        // SAFETY: self owns the waiter, which holds its clock.
        unsafe { Clk::share(sys::hpt_waiter_clock(self.as_ptr())) }
    }
}
