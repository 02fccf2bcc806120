// SPDX-License-Identifier: MIT
//! ClockBound's own writers of its shared memory, of the versions 2 and 3, for C.
use nix::sys::time::TimeSpec;
use shm2::{ShmWrite as _, ShmWriter as Writer2};
use shm3::shm::{ClockErrorBoundGeneric, ClockErrorBoundLayoutVersion as Layout, ShmWrite as _, ShmWriter as Writer3};
use std::ffi::{c_char, CStr, OsStr};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// As in tests/clockbound/clockbound.h.
#[repr(C)]
pub struct Statement {
    as_of_ns: i64,
    void_after_ns: i64,
    bound_ns: i64,
    as_of_tick: u64,
    period_s: f64,
    period_error: f64,
    marker: u64,
    drift_ppb: u32,
    status: i32,
    has_marker: i32,
}

pub enum Writer {
    Two(Writer2),
    Three(Writer3),
}

fn time(ns: i64) -> TimeSpec {
    TimeSpec::new(ns.div_euclid(1_000_000_000), ns.rem_euclid(1_000_000_000))
}

fn status2(status: i32) -> shm2::ClockStatus {
    match status {
        1 => shm2::ClockStatus::Synchronized,
        2 => shm2::ClockStatus::FreeRunning,
        3 => shm2::ClockStatus::Disrupted,
        _ => shm2::ClockStatus::Unknown,
    }
}

fn status3(status: i32) -> shm3::shm::ClockStatus {
    match status {
        1 => shm3::shm::ClockStatus::Synchronized,
        2 => shm3::shm::ClockStatus::FreeRunning,
        3 => shm3::shm::ClockStatus::Disrupted,
        _ => shm3::shm::ClockStatus::Unknown,
    }
}

/// NULL: it cannot be made.
///
/// # Safety
/// `path` is a string of C.
#[no_mangle]
pub unsafe extern "C" fn writer_open(path: *const c_char, version: i32) -> *mut Writer {
    let path = Path::new(OsStr::from_bytes(CStr::from_ptr(path).to_bytes()));
    let writer = match version {
        2 => Writer2::new(path).map(Writer::Two),
        _ => Writer3::new(path, Layout::V3, Layout::V3).map(Writer::Three),
    };
    writer.map_or(std::ptr::null_mut(), |w| Box::into_raw(Box::new(w)))
}

/// # Safety
/// `writer` is of `writer_open()`.
#[no_mangle]
pub unsafe extern "C" fn writer_write(writer: *mut Writer, s: *const Statement) {
    let s = &*s;
    match &mut *writer {
        Writer::Two(w) => w.write(&shm2::ClockErrorBound::new(
            time(s.as_of_ns),
            time(s.void_after_ns),
            s.bound_ns,
            s.marker,
            s.drift_ppb,
            status2(s.status),
            s.has_marker != 0,
        )),
        Writer::Three(w) => w.write(
            &ClockErrorBoundGeneric::builder()
                .as_of_tsc(s.as_of_tick)
                .as_of(time(s.as_of_ns))
                .void_after(time(s.void_after_ns))
                .bound_nsec(s.bound_ns)
                .period(s.period_s)
                .period_err(s.period_error)
                .disruption_marker(s.marker)
                .max_drift_ppb(s.drift_ppb)
                .clock_status(status3(s.status))
                .clock_disruption_support_enabled(s.has_marker != 0)
                .build(Layout::V3),
        ),
    }
}
