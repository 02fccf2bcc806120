// SPDX-License-Identifier: MIT
//! The owner of a waiter.

use super::{check, Clk};
use crate::{EpollEvent, PollFd};
use hpt_sys as sys;
use std::io;
use std::os::raw::c_int;
use std::os::unix::io::{AsRawFd, BorrowedFd, RawFd};
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

    pub(crate) fn poll_until_ns(&self, fds: &mut [PollFd<'_>], ns: i64) -> c_int {
        // More than there are would be more than the kernel takes.
        let n = u32::try_from(fds.len()).unwrap_or(u32::MAX);

        // SAFETY: self owns the waiter, and a PollFd is a pollfd, of which there are n or more.
        unsafe { sys::hpt_waiter_poll_until_ns(self.as_ptr(), fds.as_mut_ptr().cast(), n, ns) }
    }

    pub(crate) fn epoll_until_ns(&self, epoll: BorrowedFd<'_>, events: &mut [EpollEvent], ns: i64) -> c_int {
        let max = u32::try_from(events.len()).unwrap_or(u32::MAX);
        let first = events.as_mut_ptr().cast();

        // SAFETY: self owns the waiter, and an EpollEvent is an epoll_event, of which there are max or more.
        unsafe { sys::hpt_waiter_epoll_until_ns(self.as_ptr(), epoll.as_raw_fd(), first, max, ns) }
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

    pub(crate) fn fd(&self) -> io::Result<RawFd> {
        // SAFETY: self owns the waiter.
        let fd = unsafe { sys::hpt_waiter_fd(self.as_ptr()) };

        check(fd).map(|_| fd)
    }

    /// The descriptor, for which `fd()` must have succeeded before: `known` is its result.
    pub(crate) fn borrow_fd(&self, known: RawFd) -> BorrowedFd<'_> {
        let fd = self.fd().unwrap_or(known);

        // SAFETY: a waiter keeps its descriptor open until it is freed, which the lifetime excludes. In a child of a
        // fork that cannot get one of its own, the parent's is open still.
        unsafe { BorrowedFd::borrow_raw(fd) }
    }

    pub(crate) fn margin_ns(&self, left_ns: i64) -> i64 {
        let mut ns = 0;
        // SAFETY: self owns the waiter, and the output is a valid pointer. The result is 0, because neither is NULL.
        let _ = unsafe { sys::hpt_waiter_margin_ns(self.as_ptr(), left_ns, &mut ns) };

        ns
    }

    pub(crate) fn learn_ns(&self, asked_at: i64, woke_at: i64) {
        // SAFETY: self owns the waiter. The result is 0, because the pointer is not NULL.
        unsafe { sys::hpt_waiter_learn_ns(self.as_ptr(), asked_at, woke_at) };
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
