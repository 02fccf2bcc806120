// SPDX-License-Identifier: MIT
//! Holders of walls, and owners of hybrid logical clocks.

use super::{check, filled, Clk, Waiter};
use hpt_sys as sys;
use std::io;
use std::mem::{size_of_val, MaybeUninit};
use std::os::raw::c_int;
use std::os::unix::io::{BorrowedFd, RawFd};
use std::ptr::{self, NonNull};

/// One holder of a wall.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct RawWall(NonNull<sys::hpt_wall>);

// SAFETY: the functions of a wall are MT-Safe, and its count of holders is atomic.
unsafe impl Send for RawWall {}
// SAFETY: as above.
unsafe impl Sync for RawWall {}

impl Clone for RawWall {
    fn clone(&self) -> Self {
        // SAFETY: self holds the wall, and the result is that pointer.
        unsafe { sys::hpt_wall_ref(self.as_ptr()) };
        Self(self.0)
    }
}

impl Drop for RawWall {
    fn drop(&mut self) {
        // SAFETY: gives the one holder back that self is.
        unsafe { sys::hpt_wall_close(self.as_ptr()) }
    }
}

/// All zeros: the defaults.
pub(crate) fn wall_config() -> sys::hpt_wall_config {
    // SAFETY: the struct has numbers and characters only.
    unsafe { MaybeUninit::zeroed().assume_init() }
}

impl RawWall {
    pub(crate) fn open(clk: &Clk, config: &sys::hpt_wall_config, flags: u32) -> io::Result<Self> {
        let mut made = ptr::null_mut();

        // SAFETY: clk holds the clock, the size is that of the struct, and the output is a valid pointer.
        check(unsafe { sys::hpt_wall_open(clk.as_ptr(), config, size_of_val(config), flags, &mut made) })?;
        NonNull::new(made).map(Self).ok_or_else(|| io::Error::from_raw_os_error(libc::EINVAL))
    }

    fn as_ptr(&self) -> *mut sys::hpt_wall {
        self.0.as_ptr()
    }

    #[inline]
    pub(crate) fn now(&self) -> io::Result<sys::hpt_wall_time> {
        let mut time = MaybeUninit::uninit();

        // SAFETY: self holds the wall, and the output is a valid pointer.
        check(unsafe { sys::hpt_wall_now(self.as_ptr(), time.as_mut_ptr()) })?;
        // SAFETY: a function that succeeds has set all of it.
        Ok(unsafe { time.assume_init() })
    }

    pub(crate) fn at(&self, tick: i64) -> io::Result<sys::hpt_wall_time> {
        let mut time = MaybeUninit::uninit();

        // SAFETY: self holds the wall, and the output is a valid pointer.
        check(unsafe { sys::hpt_wall_at(self.as_ptr(), tick, time.as_mut_ptr()) })?;
        // SAFETY: a function that succeeds has set all of it.
        Ok(unsafe { time.assume_init() })
    }

    pub(crate) fn at_os_ns(&self, clockid: i32, ns: i64) -> io::Result<sys::hpt_wall_time> {
        // SAFETY: self holds the wall, and the struct has numbers only.
        unsafe { filled(|ret, size| sys::hpt_wall_at_os_ns(self.as_ptr(), clockid, ns, ret, size)) }
    }

    #[inline]
    pub(crate) fn after(&self, unix_ns: i64) -> bool {
        // SAFETY: self holds the wall.
        unsafe { sys::hpt_wall_after(self.as_ptr(), unix_ns) == 1 }
    }

    #[inline]
    pub(crate) fn before(&self, unix_ns: i64) -> bool {
        // SAFETY: self holds the wall.
        unsafe { sys::hpt_wall_before(self.as_ptr(), unix_ns) == 1 }
    }

    pub(crate) fn feed(&self, sample: &sys::hpt_wall_sample) -> io::Result<()> {
        // SAFETY: self holds the wall, and the size is that of the struct.
        check(unsafe { sys::hpt_wall_feed(self.as_ptr(), sample, size_of_val(sample)) }).map(drop)
    }

    pub(crate) fn update(&self) -> u32 {
        // SAFETY: self holds the wall. The result is a state, because the pointer is not NULL.
        check(unsafe { sys::hpt_wall_update(self.as_ptr()) }).unwrap_or(sys::HPT_WALL_STATE_NONE)
    }

    pub(crate) fn fd(&self) -> io::Result<RawFd> {
        // SAFETY: self holds the wall.
        let fd = unsafe { sys::hpt_wall_fd(self.as_ptr()) };

        check(fd).map(|_| fd)
    }

    /// The descriptor, for which `fd()` must have succeeded before: `known` is its result.
    pub(crate) fn borrow_fd(&self, known: RawFd) -> BorrowedFd<'_> {
        let fd = self.fd().unwrap_or(known);

        // SAFETY: a wall keeps its descriptor open until its last holder is gone, which the lifetime excludes. In a
        // child of a fork that cannot get one of its own, the parent's is open still.
        unsafe { BorrowedFd::borrow_raw(fd) }
    }

    pub(crate) fn fd_clear(&self) -> io::Result<u32> {
        // SAFETY: self holds the wall.
        check(unsafe { sys::hpt_wall_fd_clear(self.as_ptr()) })
    }

    pub(crate) fn info(&self) -> io::Result<sys::hpt_wall_info> {
        // SAFETY: self holds the wall, and the struct has numbers only.
        unsafe { filled(|ret, size| sys::hpt_wall_get_info(self.as_ptr(), ret, size)) }
    }

    pub(crate) fn source_info(&self, source: u32) -> io::Result<sys::hpt_wall_source_info> {
        // SAFETY: self holds the wall, and the struct has numbers and characters only.
        unsafe { filled(|ret, size| sys::hpt_wall_source_get_info(self.as_ptr(), source, ret, size)) }
    }

    pub(crate) fn to_tai_ns(&self, unix_ns: i64) -> io::Result<i64> {
        let mut ns = 0;

        // SAFETY: self holds the wall, and the output is a valid pointer.
        check(unsafe { sys::hpt_wall_to_tai_ns(self.as_ptr(), unix_ns, &mut ns) }).map(|_| ns)
    }

    pub(crate) fn wait_after(&self, unix_ns: i64, timeout_ns: i64) -> c_int {
        // SAFETY: self holds the wall.
        unsafe { sys::hpt_wall_wait_after(self.as_ptr(), unix_ns, timeout_ns) }
    }

    pub(crate) fn wait_after_on(&self, waiter: &Waiter, unix_ns: i64, timeout_ns: i64) -> c_int {
        // SAFETY: self holds the wall, and waiter owns the waiter.
        unsafe { sys::hpt_wall_wait_after_on(self.as_ptr(), waiter.as_ptr(), unix_ns, timeout_ns) }
    }

    /// And the error.
    pub(crate) fn sleep_until_ns(&self, unix_ns: i64, max_error_ns: i64) -> (c_int, i64) {
        let mut error_ns = 0;

        // SAFETY: self holds the wall, and the output is a valid pointer.
        (unsafe { sys::hpt_wall_sleep_until_ns(self.as_ptr(), unix_ns, max_error_ns, &mut error_ns) }, error_ns)
    }

    pub(crate) fn sleep_until_ns_on(&self, waiter: &Waiter, unix_ns: i64, max_error_ns: i64) -> (c_int, i64) {
        let (w, waiter, mut error_ns) = (self.as_ptr(), waiter.as_ptr(), 0);

        // SAFETY: self holds the wall, waiter owns the waiter, and the output is a valid pointer.
        (unsafe { sys::hpt_wall_sleep_until_ns_on(w, waiter, unix_ns, max_error_ns, &mut error_ns) }, error_ns)
    }

    pub(crate) fn wait_ready(&self, max_width_ns: i64, timeout_ns: i64) -> c_int {
        // SAFETY: self holds the wall.
        unsafe { sys::hpt_wall_wait_ready(self.as_ptr(), max_width_ns, timeout_ns) }
    }
}

#[derive(Debug)]
pub struct RawHlc(NonNull<sys::hpt_hlc>);

// SAFETY: the functions of a hybrid logical clock are MT-Safe.
unsafe impl Send for RawHlc {}
// SAFETY: as above.
unsafe impl Sync for RawHlc {}

impl Drop for RawHlc {
    fn drop(&mut self) {
        // SAFETY: self owns the clock, and all other calls on it have returned.
        unsafe { sys::hpt_hlc_free(self.0.as_ptr()) }
    }
}

impl RawHlc {
    pub(crate) fn new(wall: &RawWall, max_ahead_ns: i64) -> io::Result<Self> {
        let mut made = ptr::null_mut();

        // SAFETY: wall holds the wall, and the output is a valid pointer.
        check(unsafe { sys::hpt_hlc_new(wall.as_ptr(), max_ahead_ns, 0, &mut made) })?;
        NonNull::new(made).map(Self).ok_or_else(|| io::Error::from_raw_os_error(libc::EINVAL))
    }

    pub(crate) fn now(&self) -> io::Result<i64> {
        let mut ns = 0;

        // SAFETY: self owns the clock, and the output is a valid pointer.
        check(unsafe { sys::hpt_hlc_now(self.0.as_ptr(), &mut ns) }).map(|_| ns)
    }

    pub(crate) fn receive(&self, remote_ns: i64) -> io::Result<i64> {
        let mut ns = 0;

        // SAFETY: self owns the clock, and the output is a valid pointer.
        check(unsafe { sys::hpt_hlc_receive(self.0.as_ptr(), remote_ns, &mut ns) }).map(|_| ns)
    }

    pub(crate) fn set_floor(&self, floor_ns: i64) -> io::Result<()> {
        // SAFETY: self owns the clock.
        check(unsafe { sys::hpt_hlc_set_floor(self.0.as_ptr(), floor_ns) }).map(drop)
    }

    pub(crate) fn info(&self) -> io::Result<sys::hpt_hlc_info> {
        // SAFETY: self owns the clock, and the struct has numbers only.
        unsafe { filled(|ret, size| sys::hpt_hlc_get_info(self.0.as_ptr(), ret, size)) }
    }
}
