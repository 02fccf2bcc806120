// SPDX-License-Identifier: MIT
//! Constants and functions that the tests have in common.
#![allow(dead_code)] // each test uses some of it

use std::io;
use std::sync::Once;
use std::time::Duration;

pub const US: Duration = Duration::from_micros(1);
pub const MS: Duration = Duration::from_millis(1);
pub const SECOND: Duration = Duration::from_secs(1);
pub const HOUR: Duration = Duration::from_secs(3600);

/// Ends a test program that hangs, so that its failure is seen.
pub fn guard_hang() {
    static ONCE: Once = Once::new();

    ONCE.call_once(|| {
        std::thread::spawn(|| {
            std::thread::sleep(SECOND * 180);
            eprintln!("a test hangs");
            std::process::abort();
        });
    });
}

/// The errno value of a failure.
pub fn errno<T>(result: io::Result<T>) -> i32 {
    result.err().and_then(|error| error.raw_os_error()).unwrap_or(0)
}
