// SPDX-License-Identifier: MIT
//! The owner of a gate.

use super::{check, Clk};
use hpt_sys as sys;
use std::io;
use std::os::raw::c_int;
use std::ptr::{self, NonNull};

#[derive(Debug)]
pub struct RawGate(NonNull<sys::hpt_gate>);

// SAFETY: the functions of a gate are MT-Safe.
unsafe impl Send for RawGate {}
// SAFETY: as above.
unsafe impl Sync for RawGate {}

impl Drop for RawGate {
    fn drop(&mut self) {
        // SAFETY: self owns the gate, and all other calls on it have returned.
        unsafe { sys::hpt_gate_free(self.as_ptr()) }
    }
}

impl RawGate {
    pub(crate) fn new(clk: &Clk, flags: u32) -> io::Result<Self> {
        let mut made = ptr::null_mut();

        // SAFETY: clk holds the clock, and the output is a valid pointer.
        check(unsafe { sys::hpt_gate_new(clk.as_ptr(), flags, &mut made) })?;
        NonNull::new(made).map(Self).ok_or_else(|| io::Error::from_raw_os_error(libc::EINVAL))
    }

    fn as_ptr(&self) -> *mut sys::hpt_gate {
        self.0.as_ptr()
    }

    pub(crate) fn ticket(&self) -> u32 {
        // SAFETY: self owns the gate.
        unsafe { sys::hpt_gate_ticket(self.as_ptr()) }
    }

    pub(crate) fn wait_until_ticks(&self, ticket: u32, tick: i64) -> c_int {
        // SAFETY: self owns the gate.
        unsafe { sys::hpt_gate_wait_until_ticks(self.as_ptr(), ticket, tick) }
    }

    pub(crate) fn wait_until_ns(&self, ticket: u32, ns: i64) -> c_int {
        // SAFETY: self owns the gate.
        unsafe { sys::hpt_gate_wait_until_ns(self.as_ptr(), ticket, ns) }
    }

    pub(crate) fn notify_all(&self) {
        // SAFETY: self owns the gate. The result is 0, because the pointer is not NULL.
        unsafe { sys::hpt_gate_notify_all(self.as_ptr()) };
    }

    pub(crate) fn shut(&self) {
        // SAFETY: self owns the gate. The result is 0, because the pointer is not NULL.
        unsafe { sys::hpt_gate_shut(self.as_ptr()) };
    }

    pub(crate) fn reopen(&self) {
        // SAFETY: self owns the gate. The result is 0, because the pointer is not NULL.
        unsafe { sys::hpt_gate_reopen(self.as_ptr()) };
    }

    pub(crate) fn set_policy(&self, policy: u32, max_spin_ns: i64) -> io::Result<()> {
        // SAFETY: self owns the gate.
        check(unsafe { sys::hpt_gate_set_policy(self.as_ptr(), policy, max_spin_ns) }).map(drop)
    }

    pub(crate) fn clock(&self) -> Clk {
        // SAFETY: self owns the gate, which holds its clock.
        unsafe { Clk::share(sys::hpt_gate_clock(self.as_ptr())) }
    }
}
