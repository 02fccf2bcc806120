// SPDX-License-Identifier: MIT
//! Holders of clocks, reads, conversions, and sleeps without an object.

use super::{check, filled};
use hpt_sys as sys;
use std::ffi::CString;
use std::io;
use std::os::raw::c_int;
use std::ptr::{self, NonNull};

/// One holder of a clock.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Clk(NonNull<sys::hpt_clock>);

// SAFETY: the functions of a clock are MT-Safe, and its count of holders is atomic.
unsafe impl Send for Clk {}
// SAFETY: as above.
unsafe impl Sync for Clk {}

impl Clone for Clk {
    fn clone(&self) -> Self {
        // SAFETY: self holds the clock.
        unsafe { Self::share(self.as_ptr()) }
    }
}

impl Drop for Clk {
    fn drop(&mut self) {
        // SAFETY: gives the one holder back that self is.
        unsafe { sys::hpt_clock_close(self.as_ptr()) }
    }
}

type Convert = unsafe extern "C" fn(*mut sys::hpt_clock, i64, *mut i64) -> c_int;

/// Makers and holders.
impl Clk {
    pub(crate) fn default_clock() -> Self {
        // SAFETY: NULL is the default clock.
        unsafe { Self::share(ptr::null_mut()) }
    }

    /// One more holder.
    ///
    /// # Safety
    /// `clk` is NULL, or a clock that lives during the call.
    pub(super) unsafe fn share(clk: *mut sys::hpt_clock) -> Self {
        // SAFETY: by the caller; the result is never NULL.
        Self(unsafe { NonNull::new_unchecked(sys::hpt_clock_ref(clk)) })
    }

    fn made(make: impl FnOnce(*mut *mut sys::hpt_clock) -> c_int) -> io::Result<Self> {
        let mut clk = ptr::null_mut();

        check(make(&mut clk))?;
        NonNull::new(clk).map(Self).ok_or_else(|| io::Error::from_raw_os_error(libc::EINVAL))
    }

    pub(crate) fn open(source: u32) -> io::Result<Self> {
        // SAFETY: the output is a valid pointer.
        Self::made(|ret| unsafe { sys::hpt_clock_open(source, 0, ret) })
    }

    pub(crate) fn open_mmio(config: &sys::hpt_mmio) -> io::Result<Self> {
        // SAFETY: both pointers are valid, and the size is that of the struct.
        Self::made(|ret| unsafe { sys::hpt_clock_open_mmio(config, std::mem::size_of_val(config), 0, ret) })
    }

    pub(crate) fn manual(frequency_hz: u64, start: i64) -> io::Result<Self> {
        // SAFETY: the output is a valid pointer.
        Self::made(|ret| unsafe { sys::hpt_clock_new_manual(frequency_hz, start, 0, ret) })
    }

    pub(super) fn as_ptr(&self) -> *mut sys::hpt_clock {
        self.0.as_ptr()
    }

    pub(crate) fn set_default(&self) -> io::Result<()> {
        // SAFETY: self holds the clock.
        check(unsafe { sys::hpt_clock_set_default(self.as_ptr(), 0) }).map(drop)
    }

    pub(crate) fn advance(&self, ticks: i64) -> io::Result<()> {
        // SAFETY: self holds the clock.
        check(unsafe { sys::hpt_clock_advance(self.as_ptr(), ticks) }).map(drop)
    }

    pub(crate) fn sleepers(&self) -> u32 {
        // SAFETY: self holds the clock.
        unsafe { sys::hpt_clock_sleepers(self.as_ptr()) }
    }
}

/// Reads.
impl Clk {
    #[inline]
    pub(crate) fn now(&self) -> i64 {
        // SAFETY: self holds the clock.
        unsafe { sys::hpt_now(self.as_ptr()) }
    }

    #[inline]
    pub(crate) fn now_unordered(&self) -> i64 {
        // SAFETY: self holds the clock.
        unsafe { sys::hpt_now_unordered(self.as_ptr()) }
    }

    #[inline]
    pub(crate) fn now_cpu(&self) -> (i64, u32) {
        let mut cpu = u32::MAX;
        // SAFETY: self holds the clock, and the output is a valid pointer.
        let tick = unsafe { sys::hpt_now_cpu(self.as_ptr(), &mut cpu) };

        (tick, cpu)
    }

    #[inline]
    pub(crate) fn now_ns(&self) -> i64 {
        // SAFETY: self holds the clock.
        unsafe { sys::hpt_now_ns(self.as_ptr()) }
    }

    #[inline]
    pub(crate) fn now_ns_unordered(&self) -> i64 {
        // SAFETY: self holds the clock.
        unsafe { sys::hpt_now_ns_unordered(self.as_ptr()) }
    }

    #[inline]
    pub(crate) fn unix_ns(&self) -> i64 {
        // SAFETY: self holds the clock.
        unsafe { sys::hpt_now_unix_ns(self.as_ptr()) }
    }

    #[inline]
    pub(crate) fn monotonic_ns(&self) -> i64 {
        // SAFETY: self holds the clock.
        unsafe { sys::hpt_now_monotonic_ns(self.as_ptr()) }
    }

    #[inline]
    pub(crate) fn boottime_ns(&self) -> i64 {
        // SAFETY: self holds the clock.
        unsafe { sys::hpt_now_boottime_ns(self.as_ptr()) }
    }

    #[inline]
    pub(crate) fn tai_ns(&self) -> i64 {
        // SAFETY: self holds the clock.
        unsafe { sys::hpt_now_tai_ns(self.as_ptr()) }
    }

    pub(crate) fn check(&self) -> (u32, u64) {
        let mut generation = 0;
        // SAFETY: self holds the clock, and the output is a valid pointer.
        let state = unsafe { sys::hpt_clock_check(self.as_ptr(), &mut generation) };

        (u32::try_from(state).unwrap_or(0), generation)
    }

    pub(crate) fn generation(&self) -> u64 {
        // SAFETY: self holds the clock.
        unsafe { sys::hpt_clock_generation(self.as_ptr()) }
    }
}

/// Conversions.
impl Clk {
    fn convert(&self, by: Convert, from: i64) -> io::Result<i64> {
        let mut to = 0;

        // SAFETY: self holds the clock, and the output is a valid pointer.
        check(unsafe { by(self.as_ptr(), from, &mut to) })?;
        Ok(to)
    }

    pub(crate) fn ns_of(&self, tick: i64) -> io::Result<i64> {
        self.convert(sys::hpt_time_to_ns, tick)
    }

    pub(crate) fn tick_of_ns(&self, ns: i64) -> io::Result<i64> {
        self.convert(sys::hpt_time_from_ns, ns)
    }

    pub(crate) fn unix_ns_of(&self, tick: i64) -> io::Result<i64> {
        self.convert(sys::hpt_time_to_unix_ns, tick)
    }

    pub(crate) fn tick_of_unix_ns(&self, unix_ns: i64) -> io::Result<i64> {
        self.convert(sys::hpt_time_from_unix_ns, unix_ns)
    }

    pub(crate) fn add_ns(&self, tick: i64, ns: i64) -> io::Result<i64> {
        let mut sum = 0;

        // SAFETY: self holds the clock, and the output is a valid pointer.
        check(unsafe { sys::hpt_time_add_ns(self.as_ptr(), tick, ns, &mut sum) })?;
        Ok(sum)
    }

    pub(crate) fn ticks_to_ns(&self, ticks: i64) -> i64 {
        // SAFETY: self holds the clock.
        unsafe { sys::hpt_ticks_to_ns(self.as_ptr(), ticks) }
    }

    pub(crate) fn ns_to_ticks(&self, ns: i64) -> i64 {
        // SAFETY: self holds the clock.
        unsafe { sys::hpt_ns_to_ticks(self.as_ptr(), ns) }
    }

    pub(crate) fn os_of(&self, tick: i64, clockid: i32) -> io::Result<i64> {
        let mut ns = 0;

        // SAFETY: self holds the clock, and the output is a valid pointer.
        check(unsafe { sys::hpt_time_to_os(self.as_ptr(), tick, clockid, &mut ns) })?;
        Ok(ns)
    }

    pub(crate) fn tick_of_os(&self, ns: i64, clockid: i32) -> io::Result<i64> {
        let mut tick = 0;

        // SAFETY: self holds the clock, and the output is a valid pointer.
        check(unsafe { sys::hpt_time_from_os(self.as_ptr(), ns, clockid, &mut tick) })?;
        Ok(tick)
    }

    pub(crate) fn format(&self, tick: i64) -> io::Result<String> {
        let mut buf = [0; 64];
        // SAFETY: self holds the clock, and the size is that of the buffer.
        let len = check(unsafe { sys::hpt_time_format(self.as_ptr(), tick, buf.as_mut_ptr(), buf.len()) });

        len.map(|_| super::text_of(&buf))
    }

    pub(crate) fn parse(&self, text: &str) -> io::Result<i64> {
        let text = CString::new(text).map_err(|_| io::Error::from_raw_os_error(libc::EINVAL))?;
        let mut tick = 0;

        // SAFETY: self holds the clock, the text ends in NUL, and the output is a valid pointer.
        check(unsafe { sys::hpt_time_parse(self.as_ptr(), text.as_ptr(), &mut tick) })?;
        Ok(tick)
    }
}

/// Facts.
impl Clk {
    pub(crate) fn info(&self) -> io::Result<sys::hpt_clock_info> {
        // SAFETY: self holds the clock, and the struct has numbers and characters only.
        unsafe { filled(|ret, size| sys::hpt_clock_get_info(self.as_ptr(), ret, size)) }
    }

    pub(crate) fn sample(&self) -> io::Result<sys::hpt_sample> {
        // SAFETY: self holds the clock, and the struct has numbers only.
        unsafe { filled(|ret, size| sys::hpt_clock_sample(self.as_ptr(), ret, size)) }
    }

    pub(crate) fn timebase(&self) -> io::Result<[u8; 128]> {
        // SAFETY: self holds the clock, and the struct has bytes only.
        unsafe { filled(|ret, size| sys::hpt_clock_get_timebase(self.as_ptr(), ret, size)) }
            .map(|base: sys::hpt_timebase| base.bytes)
    }
}

/// Sleeps.
impl Clk {
    pub(crate) fn sleep_ns(&self, ns: i64) -> c_int {
        // SAFETY: self holds the clock.
        unsafe { sys::hpt_sleep_ns(self.as_ptr(), ns) }
    }

    pub(crate) fn sleep_until_ticks(&self, tick: i64) -> c_int {
        // SAFETY: self holds the clock.
        unsafe { sys::hpt_sleep_until_ticks(self.as_ptr(), tick) }
    }

    pub(crate) fn sleep_until_ns(&self, ns: i64) -> c_int {
        // SAFETY: self holds the clock.
        unsafe { sys::hpt_sleep_until_ns(self.as_ptr(), ns) }
    }

    pub(crate) fn sleep_until_unix_ns(&self, unix_ns: i64) -> c_int {
        // SAFETY: self holds the clock.
        unsafe { sys::hpt_sleep_until_unix_ns(self.as_ptr(), unix_ns) }
    }
}

pub(crate) fn set_default_source(source: u32) -> io::Result<()> {
    // SAFETY: takes numbers only.
    check(unsafe { sys::hpt_clock_set_default_source(source, 0) }).map(drop)
}

#[inline]
pub(crate) fn default_now() -> i64 {
    // SAFETY: NULL is the default clock.
    unsafe { sys::hpt_now(ptr::null_mut()) }
}

#[inline]
pub(crate) fn default_now_ns() -> i64 {
    // SAFETY: NULL is the default clock.
    unsafe { sys::hpt_now_ns(ptr::null_mut()) }
}
