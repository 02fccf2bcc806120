// SPDX-License-Identifier: MIT
//! The owner of a ticker.

use super::{check, filled, Clk};
use hpt_sys as sys;
use std::io;
use std::os::raw::c_int;
use std::os::unix::io::{BorrowedFd, RawFd};
use std::ptr::{self, NonNull};

#[derive(Debug)]
pub(crate) struct RawTicker(NonNull<sys::hpt_ticker>);

// SAFETY: the functions of a ticker are MT-Safe; a second thread that waits gets -EBUSY.
unsafe impl Send for RawTicker {}
// SAFETY: as above.
unsafe impl Sync for RawTicker {}

impl Drop for RawTicker {
    fn drop(&mut self) {
        // SAFETY: self owns the ticker, and all other calls on it have returned, its interrupts too.
        unsafe { sys::hpt_ticker_free(self.as_ptr()) }
    }
}

impl RawTicker {
    pub(crate) fn new(clk: &Clk, period_ns: i64, flags: u32) -> io::Result<Self> {
        let mut made = ptr::null_mut();

        // SAFETY: clk holds the clock, and the output is a valid pointer.
        check(unsafe { sys::hpt_ticker_new(clk.as_ptr(), period_ns, flags, &mut made) })?;
        NonNull::new(made).map(Self).ok_or_else(|| io::Error::from_raw_os_error(libc::EINVAL))
    }

    fn as_ptr(&self) -> *mut sys::hpt_ticker {
        self.0.as_ptr()
    }

    pub(crate) fn start(&self, first_ns: i64, period_ns: i64) -> io::Result<()> {
        // SAFETY: self owns the ticker.
        check(unsafe { sys::hpt_ticker_start(self.as_ptr(), first_ns, period_ns) }).map(drop)
    }

    pub(crate) fn start_rational(&self, first_ns: i64, num: u32, den: u32) -> io::Result<()> {
        // SAFETY: self owns the ticker.
        check(unsafe { sys::hpt_ticker_start_rational(self.as_ptr(), first_ns, num, den) }).map(drop)
    }

    pub(crate) fn set_missed(&self, missed: u32, most: u64) -> io::Result<()> {
        // SAFETY: self owns the ticker.
        check(unsafe { sys::hpt_ticker_set_missed(self.as_ptr(), missed, most) }).map(drop)
    }

    pub(crate) fn set_policy(&self, policy: u32, max_spin_ns: i64) -> io::Result<()> {
        // SAFETY: self owns the ticker.
        check(unsafe { sys::hpt_ticker_set_policy(self.as_ptr(), policy, max_spin_ns) }).map(drop)
    }

    /// The result, and the number of missed ticks.
    pub(crate) fn wait(&self) -> (c_int, u64) {
        let mut missed = 0;
        // SAFETY: self owns the ticker, and the output is a valid pointer.
        let result = unsafe { sys::hpt_ticker_wait(self.as_ptr(), &mut missed) };

        (result, missed)
    }

    pub(crate) fn interrupt(&self) {
        // SAFETY: self owns the ticker. The result is 0, because the pointer is not NULL.
        unsafe { sys::hpt_ticker_interrupt(self.as_ptr()) };
    }

    pub(crate) fn fd(&self) -> io::Result<RawFd> {
        // SAFETY: self owns the ticker.
        let fd = unsafe { sys::hpt_ticker_fd(self.as_ptr()) };

        check(fd).map(|_| fd)
    }

    /// The descriptor, for which `fd()` must have succeeded before: `known` is its result.
    pub(crate) fn borrow_fd(&self, known: RawFd) -> BorrowedFd<'_> {
        let fd = self.fd().unwrap_or(known);

        // SAFETY: a ticker keeps its descriptor open until it is freed, which the lifetime excludes. In a child of a
        // fork that cannot get one of its own, the parent's is open still.
        unsafe { BorrowedFd::borrow_raw(fd) }
    }

    pub(crate) fn next_ns(&self) -> io::Result<i64> {
        let mut ns = 0;

        // SAFETY: self owns the ticker, and the output is a valid pointer.
        check(unsafe { sys::hpt_ticker_next_ns(self.as_ptr(), &mut ns) })?;
        Ok(ns)
    }

    pub(crate) fn info(&self) -> io::Result<sys::hpt_ticker_info> {
        // SAFETY: self owns the ticker, and the struct has numbers only.
        unsafe { filled(|ret, size| sys::hpt_ticker_get_info(self.as_ptr(), ret, size)) }
    }

    pub(crate) fn clock(&self) -> Clk {
        // SAFETY: self owns the ticker, which holds its clock.
        unsafe { Clk::share(sys::hpt_ticker_clock(self.as_ptr())) }
    }
}
