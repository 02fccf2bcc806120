// SPDX-License-Identifier: MIT
//! Sleeps are never early.

mod common;

use common::{MS, US};
use hpt::{Clock, Instant, Policy, Sleeper, SourceKind, Ticks, Wake};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

const LENGTHS: [Duration; 5] =
    [Duration::ZERO, Duration::from_nanos(1), Duration::from_micros(30), Duration::from_micros(300), MS];

/// A state of the clock may end a sleep early, and then says so.
fn assert_not_early(wake: Wake, is_late_enough: bool) {
    assert!(wake.is_over(), "{wake:?}");
    assert!(is_late_enough || wake != Wake::Reached, "early");
}

fn clocks() -> Vec<Clock> {
    let os = Clock::open(SourceKind::OS).unwrap();

    vec![Clock::global(), os]
}

#[test]
fn of_a_clock_in_all_kinds_of_time() {
    for clock in clocks() {
        for length in LENGTHS {
            let start = clock.instant();
            let wake = clock.sleep(length);
            assert_not_early(wake, clock.instant() >= start + length);

            let deadline = clock.instant() + length;
            let wake = clock.sleep_until(deadline);
            assert_not_early(wake, clock.instant() >= deadline);

            let deadline = clock.checked_add(clock.now(), length).unwrap();
            let wake = clock.sleep_until(deadline);
            assert_not_early(wake, clock.now() >= deadline);

            let deadline = SystemTime::now() + length;
            let wake = clock.sleep_until(deadline);
            assert_not_early(wake, SystemTime::now() >= deadline);
        }
    }
}

#[test]
fn of_a_sleeper_in_all_kinds_of_time() {
    for clock in clocks() {
        let sleeper = Sleeper::builder().clock(&clock).build().unwrap();

        for length in LENGTHS {
            let start = clock.instant();
            let wake = sleeper.sleep(length).unwrap();
            assert_not_early(wake, clock.instant() >= start + length);

            let deadline = clock.instant() + length;
            let wake = sleeper.sleep_until(deadline).unwrap();
            assert_not_early(wake, clock.instant() >= deadline);

            let deadline = clock.checked_add(clock.now(), length).unwrap();
            let wake = sleeper.sleep_until(deadline).unwrap();
            assert_not_early(wake, clock.now() >= deadline);

            let deadline = SystemTime::now() + length;
            let wake = sleeper.sleep_until(deadline).unwrap();
            assert_not_early(wake, SystemTime::now() >= deadline);
        }
    }
}

#[test]
fn by_every_policy() {
    for policy in [Policy::Balanced, Policy::Frugal, Policy::Strict, Policy::NoSpin, Policy::Spin, Policy::Inherit] {
        let sleeper = Sleeper::builder().policy(policy).build().unwrap();

        for length in LENGTHS {
            let start = Instant::now();
            let wake = sleeper.sleep(length).unwrap();
            assert_not_early(wake, start.elapsed() >= length);
        }
    }
}

#[test]
fn by_the_free_functions() {
    let start = Instant::now();
    let wake = hpt::sleep(300 * US);
    assert_not_early(wake, start.elapsed() >= 300 * US);

    let deadline = Instant::now() + 300 * US;
    let wake = hpt::sleep_until(deadline);
    assert_not_early(wake, Instant::now() >= deadline);
}

#[test]
fn past_deadlines_end_at_once() {
    let clock = Clock::global();

    assert_eq!(clock.sleep_until(Ticks::MIN), Wake::Reached);
    assert_eq!(clock.sleep_until(Instant::from_nanos(i64::MIN)), Wake::Reached);
    assert_eq!(clock.sleep_until(UNIX_EPOCH), Wake::Reached);
    assert_eq!(clock.sleep_until(UNIX_EPOCH - Duration::from_secs(1 << 40)), Wake::Reached);
}
