// SPDX-License-Identifier: MIT
//! Rust: the standard library, quanta, minstant, spin_sleep. The table follows peer.h.
use std::ffi::c_char;
use std::hint::black_box;
use std::sync::OnceLock;
use std::time::Duration;

use spin_sleep::{SpinSleeper, SpinStrategy};

#[repr(C)]
pub struct Peer {
    name: *const c_char,
    kind: u32,
    settle_ms: u32,
    back_to_back: Option<extern "C" fn(u32)>,
    isolated: Option<extern "C" fn(u32)>,
    sleep: Option<extern "C" fn(i64)>,
    unit_ns: i64,
}

// Safe: names are literals, and a table never changes.
unsafe impl Sync for Peer {}

const END: u32 = 0;
const READ: u32 = 1;
const SLEEP: u32 = 2;

/// Waits until every instruction before it has completed.
#[inline(always)]
fn fence() {
    #[cfg(target_arch = "x86_64")]
    unsafe {
        std::arch::x86_64::_mm_lfence()
    }
    #[cfg(target_arch = "x86")]
    unsafe {
        std::arch::x86::_mm_lfence()
    }
    #[cfg(target_arch = "aarch64")]
    unsafe {
        std::arch::asm!("isb")
    }
}

/// Defines a read's two loops, in a module with its name.
macro_rules! loops {
    ($name:ident, $clock:expr, |$it:ident| $read:expr) => {
        mod $name {
            use super::*;

            pub extern "C" fn back_to_back(calls: u32) {
                let $it = $clock;
                for _ in 0..calls {
                    black_box($read);
                }
            }

            pub extern "C" fn isolated(calls: u32) {
                let $it = $clock;
                for _ in 0..calls {
                    fence();
                    black_box($read);
                }
            }
        }
    };
}

/// Calibrated once, at the first use.
fn quanta_clock() -> &'static quanta::Clock {
    static CLOCK: OnceLock<quanta::Clock> = OnceLock::new();
    CLOCK.get_or_init(quanta::Clock::new)
}

loops!(quanta_now, quanta_clock(), |clock| clock.now());
loops!(quanta_raw, quanta_clock(), |clock| clock.raw());
loops!(minstant_now, (), |_clock| minstant::Instant::now());
loops!(std_now, (), |_clock| std::time::Instant::now());

extern "C" fn sleep_default(ns: i64) {
    spin_sleep::sleep(Duration::from_nanos(ns as u64));
}

extern "C" fn sleep_spin_loop_hint(ns: i64) {
    SpinSleeper::default()
        .with_spin_strategy(SpinStrategy::SpinLoopHint)
        .sleep(Duration::from_nanos(ns as u64));
}

macro_rules! reads {
    ($name:literal, $loops:ident) => {
        Peer {
            name: concat!($name, "\0").as_ptr().cast(),
            kind: READ,
            settle_ms: 0,
            back_to_back: Some($loops::back_to_back),
            isolated: Some($loops::isolated),
            sleep: None,
            unit_ns: 0,
        }
    };
}

macro_rules! sleeps {
    ($name:literal, $sleep:ident) => {
        Peer {
            name: concat!($name, "\0").as_ptr().cast(),
            kind: SLEEP,
            settle_ms: 0,
            back_to_back: None,
            isolated: None,
            sleep: Some($sleep),
            unit_ns: 1,
        }
    };
}

#[no_mangle]
#[allow(non_upper_case_globals)]
pub static hpt_peers: [Peer; 7] = [
    reads!("quanta Clock::now", quanta_now),
    reads!("quanta Clock::raw", quanta_raw),
    reads!("minstant Instant::now", minstant_now),
    reads!("Rust std Instant::now", std_now),
    sleeps!("spin_sleep::sleep", sleep_default),
    sleeps!("spin_sleep, SpinLoopHint", sleep_spin_loop_hint),
    Peer {
        name: std::ptr::null(),
        kind: END,
        settle_ms: 0,
        back_to_back: None,
        isolated: None,
        sleep: None,
        unit_ns: 0,
    },
];
