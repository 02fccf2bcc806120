// SPDX-License-Identifier: MIT
//! Manual clocks: sleeps take no real time; sources of a program's own.

mod common;

use common::{errno, guard_hang, HOUR, SECOND};
use hpt::{Clock, Instant, ManualClock, Sleeper, Source, SourceKind, Ticks, Wake};
use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

const YEAR: Duration = Duration::from_secs(365 * 86400);

#[test]
fn a_sleep_of_years_takes_no_real_time() {
    guard_hang();
    let clock = ManualClock::new().unwrap();
    let start = clock.instant();

    thread::scope(|scope| {
        let threads = [
            scope.spawn(|| clock.sleep(100 * YEAR)),
            scope.spawn(|| clock.sleep_until(start + 100 * YEAR)),
            scope.spawn(|| clock.sleep_until(UNIX_EPOCH + 100 * YEAR)),
        ];
        clock.wait_for_sleepers(3);
        clock.advance(100 * YEAR - Duration::from_nanos(1)).unwrap();
        clock.wait_for_sleepers(3);
        clock.advance_ticks(1).unwrap();
        for thread in threads {
            assert_eq!(thread.join().unwrap(), Wake::Reached);
        }
    });
    assert_eq!(start.elapsed_by(&clock), 100 * YEAR);
    assert_eq!(clock.system_time(), UNIX_EPOCH + 100 * YEAR);
}

#[test]
fn it_stands_still() {
    let clock = ManualClock::new().unwrap();

    assert_eq!((clock.now(), clock.now_ns(), clock.now_unordered()), (Ticks(0), 0, Ticks(0)));
    clock.advance_ticks(5).unwrap();
    clock.advance_ticks(0).unwrap();
    assert_eq!((clock.now(), clock.now_ns_unordered(), clock.now_cpu()), (Ticks(5), 5, (Ticks(5), None)));
    assert_eq!(clock.sleepers(), 0);
    let info = clock.info().unwrap();
    assert_eq!((info.source, info.frequency_uhz), (SourceKind::MANUAL, Some(1_000_000_000_000_000)));
}

#[test]
fn clones_are_the_same_clock() {
    let clock = ManualClock::new().unwrap();
    let (manual, plain) = (clock.clone(), Clock::from(clock.clone()));

    manual.advance(SECOND).unwrap();
    assert_eq!((clock.now(), plain.now()), (Ticks(1_000_000_000), Ticks(1_000_000_000)));
    assert_eq!((&manual, &plain), (&clock, clock.as_clock()));
    drop((manual, clock));
    assert_eq!(plain.now(), Ticks(1_000_000_000));
}

#[test]
fn out_of_range_is_an_error_and_moves_nothing() {
    let clock = ManualClock::new().unwrap();

    assert_eq!(errno(clock.advance_ticks(-1)), libc::ERANGE);
    assert_eq!(errno(clock.advance_ticks(i64::MAX)), libc::ERANGE);
    assert_eq!(errno(clock.advance(Duration::MAX)), libc::ERANGE);
    assert_eq!(errno(clock.advance(Duration::from_nanos(1 << 63))), libc::ERANGE);

    // More ticks than fit in 64 bits, though the clock could go on for that many.
    let start = Ticks(-9_000_000_000_000_000_000);
    let fast = ManualClock::with_frequency(10_000_000_000, start).unwrap();
    assert_eq!(errno(fast.advance(Duration::from_secs(2_000_000_000))), libc::ERANGE);
    assert_eq!(fast.now(), start);
    assert_eq!(clock.now(), Ticks(0));
    for frequency in [0, 10_000_000_001, u64::MAX] {
        assert_eq!(errno(ManualClock::with_frequency(frequency, Ticks(0))), libc::EINVAL);
    }
    assert_eq!(errno(ManualClock::with_frequency(1, Ticks::MAX)), libc::ERANGE);
}

#[test]
fn conversions_that_need_the_kernel_are_errors() {
    let clock = ManualClock::new().unwrap();

    assert_eq!(errno(clock.os_time_of(Ticks(0), libc::CLOCK_MONOTONIC)), libc::ENOTSUP);
    assert_eq!(errno(clock.tick_of_os_time(0, libc::CLOCK_MONOTONIC)), libc::ENOTSUP);
    let sample = clock.sample().unwrap();
    assert_eq!((sample.unix_ns, sample.monotonic_ns, sample.width), (Some(0), None, Duration::ZERO));
    assert_eq!((clock.monotonic_ns(), clock.boottime_ns(), clock.tai_ns()), (0, 0, 0));
    assert_eq!(clock.info().unwrap().os_error_ns, None);
}

/// A user's own source.
struct Script(Cell<i64>);

impl Source for Script {
    fn now(&self) -> Ticks {
        Ticks(self.now_ns())
    }

    fn now_ns(&self) -> i64 {
        self.0.replace(self.0.get() + 10)
    }
}

fn elapsed<S: Source>(source: S) -> Duration {
    let start = source.instant();

    source.instant() - start
}

#[test]
fn every_kind_of_source() {
    let script = || Script(Cell::new(5));

    let own = script();
    assert_eq!(elapsed(&own), Duration::from_nanos(10));
    assert_eq!(elapsed(own), Duration::from_nanos(10));
    assert_eq!(elapsed(Rc::new(script())), Duration::from_nanos(10));
    assert_eq!(elapsed(Box::new(script()) as Box<dyn Source>), Duration::from_nanos(10));
    assert_eq!(elapsed(Arc::new(ManualClock::new().unwrap())), Duration::ZERO);
    assert!(elapsed(Clock::global()) < HOUR);
    assert_eq!(Source::now(&Box::new(script())), Ticks(5));
    assert_eq!(Instant::from_nanos(5).elapsed_by(&script()), Duration::ZERO);
}

#[test]
fn a_users_retry_in_a_test() {
    guard_hang();
    /// Tries again after 1, 2, 4, ... seconds.
    fn retry(clock: &Clock, mut attempt: impl FnMut(SystemTime) -> bool) -> Duration {
        let sleeper = Sleeper::builder().clock(clock).build().unwrap();
        let (start, mut pause) = (clock.instant(), SECOND);

        while !attempt(clock.system_time()) {
            assert_eq!(sleeper.sleep(pause).unwrap(), Wake::Reached);
            pause *= 2;
        }
        clock.instant() - start
    }

    let clock = ManualClock::new().unwrap();
    thread::scope(|scope| {
        let thread = scope.spawn(|| {
            let mut left = 3;
            retry(&clock, |_| {
                left -= 1;
                left == 0
            })
        });
        for pause in [SECOND, 2 * SECOND] {
            clock.wait_for_sleepers(1);
            clock.advance(pause).unwrap();
        }
        assert_eq!(thread.join().unwrap(), 3 * SECOND);
    });
}
