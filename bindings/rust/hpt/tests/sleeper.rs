// SPDX-License-Identifier: MIT
//! Interrupts, and wrong use of a sleeper.

mod common;

use common::{errno, guard_hang, HOUR, MS, SECOND, US};
use hpt::{Clock, Instant, ManualClock, Policy, Sleeper, SourceKind, Ticks, Wake};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, SystemTime};

#[test]
fn another_thread_interrupts() {
    guard_hang();
    let sleeper = Arc::new(Sleeper::new().unwrap());

    for round in 0..20 {
        let other = Arc::clone(&sleeper);
        let thread = thread::spawn(move || {
            thread::sleep(MS / 10 * round);
            other.interrupt();
        });
        assert_eq!(sleeper.sleep(HOUR).unwrap(), Wake::Interrupted);
        assert!(sleeper.remaining() > HOUR / 2);
        thread.join().unwrap();
    }
}

#[test]
fn interrupt_stays_pending_and_counts_once() {
    let sleeper = Sleeper::new().unwrap();

    sleeper.interrupt();
    sleeper.interrupt();
    assert_eq!(sleeper.sleep(Duration::ZERO).unwrap(), Wake::Interrupted);
    assert_eq!(sleeper.sleep(100 * US).unwrap(), Wake::Reached);
    assert_eq!(sleeper.remaining(), Duration::ZERO);
}

#[test]
fn clear_removes_a_pending_interrupt() {
    let sleeper = Sleeper::new().unwrap();

    sleeper.clear();
    sleeper.interrupt();
    sleeper.clear();
    assert_eq!(sleeper.sleep(100 * US).unwrap(), Wake::Reached);
}

#[test]
fn drop_removes_a_pending_interrupt() {
    // The allocator gives the same memory again, or does not: no sleep ends early in either case.
    for _ in 0..1000 {
        Sleeper::new().unwrap().interrupt();
        assert_eq!(Sleeper::new().unwrap().sleep(Duration::ZERO).unwrap(), Wake::Reached);
    }
}

#[test]
fn a_second_thread_gets_busy() {
    guard_hang();
    let clock = ManualClock::new().unwrap();
    let sleeper = Sleeper::builder().clock(&clock).build().unwrap();

    thread::scope(|scope| {
        let first = scope.spawn(|| sleeper.sleep(SECOND));
        clock.wait_for_sleepers(1);
        assert_eq!(errno(sleeper.sleep(SECOND)), libc::EBUSY);
        assert_eq!(errno(sleeper.sleep_until(Ticks(5))), libc::EBUSY);
        assert_eq!(errno(sleeper.wait()), libc::EBUSY);
        clock.advance(SECOND).unwrap();
        assert_eq!(first.join().unwrap().unwrap(), Wake::Reached);
    });
    assert_eq!(sleeper.sleep(Duration::ZERO).unwrap(), Wake::Reached);
}

#[test]
fn the_longest_durations_mean_until_interrupted() {
    guard_hang();
    for clock in [Clock::global(), Clock::open(SourceKind::OS).unwrap()] {
        let sleeper = Sleeper::builder().clock(&clock).build().unwrap();
        let far = SystemTime::now().checked_add(Duration::from_secs(1 << 40)).unwrap();

        thread::scope(|scope| {
            let thread = scope.spawn(|| {
                [
                    sleeper.sleep(Duration::MAX),
                    sleeper.sleep(Duration::from_nanos(i64::MAX as u64)),
                    sleeper.sleep_until(Instant::from_nanos(i64::MAX)),
                    sleeper.sleep_until(far),
                    sleeper.wait(),
                ]
                .map(Result::unwrap)
            });
            while !thread.is_finished() {
                thread::sleep(2 * MS);
                sleeper.interrupt();
            }
            assert_eq!(thread.join().unwrap(), [Wake::Interrupted; 5]);
        });
    }
}

#[test]
fn remaining_is_by_the_clock() {
    guard_hang();
    let clock = ManualClock::with_frequency(3_000_000, Ticks(0)).unwrap(); // 3 MHz
    let sleeper = Sleeper::builder().clock(&clock).build().unwrap();

    thread::scope(|scope| {
        let thread = scope.spawn(|| sleeper.sleep(10 * SECOND));
        clock.wait_for_sleepers(1);
        clock.advance(4 * SECOND).unwrap();
        clock.wait_for_sleepers(1);
        sleeper.interrupt();
        assert_eq!(thread.join().unwrap().unwrap(), Wake::Interrupted);
    });
    assert_eq!(sleeper.remaining(), 6 * SECOND);
    for wait in [Sleeper::wait, |sleeper: &Sleeper| sleeper.sleep_until(Instant::MAX)] {
        sleeper.interrupt();
        assert_eq!(wait(&sleeper).unwrap(), Wake::Interrupted);
        assert_eq!(sleeper.remaining(), Duration::MAX); // which had no deadline
    }
}

#[test]
fn a_sleeper_sees_what_was_written_before_the_interrupt() {
    guard_hang();
    let (sleeper, value) = (Sleeper::new().unwrap(), AtomicU32::new(0));

    for round in 1..2000 {
        thread::scope(|scope| {
            scope.spawn(|| {
                value.store(round, Ordering::Relaxed);
                sleeper.interrupt();
            });
            assert_eq!(sleeper.wait().unwrap(), Wake::Interrupted);
            assert_eq!(value.load(Ordering::Relaxed), round);
        });
    }
}

#[test]
fn a_signal_ends_a_sleep_only_on_request() {
    extern "C" fn nothing(_: libc::c_int) {}
    guard_hang();
    let handler: extern "C" fn(libc::c_int) = nothing;
    unsafe { libc::signal(libc::SIGUSR1, handler as libc::sighandler_t) };

    let ends = Sleeper::builder().end_on_signal(true).build().unwrap();
    let sleeps_on = Sleeper::new().unwrap();
    let (sent, stop, me) = (AtomicU32::new(0), AtomicBool::new(false), unsafe { libc::pthread_self() });
    thread::scope(|scope| {
        scope.spawn(|| {
            while !stop.load(Ordering::Relaxed) {
                thread::sleep(MS);
                unsafe { libc::pthread_kill(me, libc::SIGUSR1) };
                sent.fetch_add(1, Ordering::Relaxed);
            }
        });
        assert_eq!(ends.sleep(HOUR).unwrap(), Wake::Signal);
        assert!(ends.remaining() > HOUR / 2);
        let signals_during = |length: Duration| {
            let (start, before) = (Instant::now(), sent.load(Ordering::Relaxed));
            assert_eq!(sleeps_on.sleep(length).unwrap(), Wake::Reached);
            assert!(start.elapsed() >= length);
            sent.load(Ordering::Relaxed) - before
        };
        // A sender that gets no CPU until the deadline sends nothing before it: the next sleep is longer then.
        assert!((0..8).any(|turn| signals_during(20 * MS * (1 << turn)) > 0));
        stop.store(true, Ordering::Relaxed);
    });
}

#[test]
fn options_out_of_range_are_errors() {
    assert_eq!(errno(Sleeper::builder().max_spin(MS).build()), libc::EINVAL);
    let sleeper = Sleeper::builder().policy(Policy::Frugal).max_spin(Duration::MAX).build().unwrap();
    assert_eq!(errno(sleeper.set_policy(Policy::Inherit, MS)), libc::EINVAL);
    assert_eq!(errno(sleeper.set_policy(Policy::Inherit, Duration::ZERO)), 0);
    assert_eq!(errno(sleeper.set_policy(Policy::Spin, 50 * US)), 0);
}

#[test]
fn a_sleeper_knows_its_clock() {
    let clock = Clock::open(SourceKind::OS).unwrap();

    assert_eq!(Sleeper::builder().clock(&clock).build().unwrap().clock(), clock);
    assert_eq!(Sleeper::new().unwrap().clock(), Clock::global());
}
