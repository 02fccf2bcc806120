// SPDX-License-Identifier: MIT
//! Dropped objects leave no descriptor and no memory. One test, so that nothing else runs in its process.

mod common;

use common::{HOUR, MS};
use hpt::{Clock, Gate, ManualClock, Sleeper, SourceKind, Ticker};

fn descriptors() -> usize {
    std::fs::read_dir("/proc/self/fd").unwrap().count()
}

/// Pages of the data segment and the heap.
fn pages() -> usize {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap();

    statm.split_whitespace().nth(5).unwrap().parse().unwrap()
}

fn make_and_drop(round: usize) {
    let clock = Clock::open(SourceKind::OS).unwrap();
    let clones = [clock.clone(), clock.clone()];
    let sleeper = Sleeper::builder().clock(&clock).build().unwrap();
    let gate = Gate::builder().clock(&clock).build().unwrap();
    let ticker = Ticker::builder().clock(&clock).every(HOUR).unwrap();
    let manual = ManualClock::new().unwrap();
    let busy = Sleeper::builder().clock(&manual).build().unwrap();
    let failures = [
        Ticker::builder().clock(&clock).every_rational(0, 1).is_err(),
        Ticker::builder().clock(&manual).every(HOUR).unwrap().into_fd().is_err(),
        Sleeper::builder().clock(&clock).max_spin(MS).build().is_err(),
        Gate::builder().clock(&clock).max_spin(MS).build().is_err(),
        Clock::open(SourceKind(99)).is_err(),
    ];

    assert_eq!(failures, [true; 5]);
    sleeper.interrupt();
    busy.interrupt();
    gate.shut();
    if round % 16 == 0 {
        drop(ticker.into_fd().unwrap());
        drop(sleeper.into_fd().unwrap());
    }
    drop((clones, clock));
}

#[test]
fn nothing_is_left() {
    const ROUNDS: usize = 3000;

    for round in 0..ROUNDS {
        make_and_drop(round);
    }
    let before = (descriptors(), pages());
    for round in 0..ROUNDS {
        make_and_drop(round);
    }
    let after = (descriptors(), pages());
    assert_eq!(before.0, after.0);
    // One object of 64 bytes in each round would be 46 pages.
    assert!(after.1 < before.1 + 40, "{before:?} {after:?}");
}
