// SPDX-License-Identifier: MIT
//! Gates: no wake-up is lost.

mod common;

use common::{errno, guard_hang, HOUR, MS, SECOND, US};
use hpt::{Clock, Gate, Instant, ManualClock, Policy, Ticks, Wake};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;
use std::time::Duration;

/// Threads take turns. Each turn is a notification that another thread may check for just before it comes: one that is
/// lost stops all of them.
#[test]
fn racing_threads_lose_no_wake() {
    const THREADS: u32 = 3;
    const TURNS: u32 = 3000;
    guard_hang();
    let (gate, turn) = (Gate::new().unwrap(), AtomicU32::new(0));

    thread::scope(|scope| {
        for me in 0..THREADS {
            let (gate, turn) = (&gate, &turn);
            scope.spawn(move || loop {
                let is_other = || turn.load(Ordering::Acquire) % THREADS != me && turn.load(Ordering::Acquire) < TURNS;
                assert!(gate.wait_while(is_other).unwrap());
                if turn.load(Ordering::Acquire) >= TURNS {
                    break;
                }
                turn.fetch_add(1, Ordering::AcqRel);
                gate.notify_all();
            });
        }
    });
    assert_eq!(turn.load(Ordering::Relaxed), TURNS);
}

#[test]
fn a_notification_between_check_and_wait_is_not_lost() {
    let gate = Gate::new().unwrap();

    for timeout in [Duration::ZERO, HOUR, Duration::MAX] {
        let ticket = gate.ticket();
        gate.notify_all();
        assert_eq!(gate.wait_for(ticket, timeout).unwrap(), Wake::Notified);
    }
    let mut checks = 0;
    let is_over = gate.wait_while(|| {
        gate.notify_all();
        checks += 1;
        checks < 3
    });
    assert!(is_over.unwrap());
    assert_eq!(checks, 3);
}

#[test]
fn nothing_stays_pending() {
    let gate = Gate::new().unwrap();

    gate.notify_all();
    assert_eq!(gate.wait_for(gate.ticket(), 100 * US).unwrap(), Wake::TimedOut);
}

#[test]
fn all_sleepers_wake() {
    guard_hang();
    let clock = ManualClock::new().unwrap();
    let (gate, is_shut) = (Gate::builder().clock(&clock).build().unwrap(), AtomicBool::new(true));

    thread::scope(|scope| {
        let threads: Vec<_> =
            (0..4).map(|_| scope.spawn(|| gate.wait_while(|| is_shut.load(Ordering::Relaxed)))).collect();
        clock.wait_for_sleepers(4);
        gate.notify_all();
        clock.wait_for_sleepers(4); // which have checked, and sleep again
        assert!(threads.iter().all(|thread| !thread.is_finished()));
        is_shut.store(false, Ordering::Relaxed);
        gate.notify_all();
        for thread in threads {
            assert!(thread.join().unwrap().unwrap());
        }
    });
}

#[test]
fn timeouts_are_never_early() {
    let gate = Gate::new().unwrap();
    let clock = gate.clock();

    for length in [Duration::ZERO, Duration::from_nanos(1), 50 * US, MS] {
        let start = Instant::now();
        assert!(!gate.wait_while_for(length, || true).unwrap());
        assert!(start.elapsed() >= length);

        let deadline = Instant::now() + length;
        assert_eq!(gate.wait_until(gate.ticket(), deadline).unwrap(), Wake::TimedOut);
        assert!(Instant::now() >= deadline);

        let deadline = clock.checked_add(clock.now(), length).unwrap();
        assert!(!gate.wait_while_until(deadline, || true).unwrap());
        assert!(clock.now() >= deadline);
    }
    assert!(!gate.wait_while_until(Instant::MIN, || true).unwrap());
    assert!(!gate.wait_while_until(Ticks::MIN, || true).unwrap());
    gate.set_policy(Policy::NoSpin, Duration::from_secs(1)).unwrap();
    let deadline = Instant::now() + MS;
    assert_eq!(gate.wait_until(gate.ticket(), deadline).unwrap(), Wake::TimedOut);
    assert!(Instant::now() >= deadline);
}

#[test]
fn the_longest_timeout_means_until_notified() {
    guard_hang();
    let gate = Gate::new().unwrap();

    thread::scope(|scope| {
        let thread = scope.spawn(|| {
            let ends = [
                gate.wait_for(gate.ticket(), Duration::MAX).unwrap(),
                gate.wait_until(gate.ticket(), Instant::MAX).unwrap(),
                gate.wait(gate.ticket()).unwrap(),
            ];
            assert_eq!(ends, [Wake::Notified; 3]);
        });
        while !thread.is_finished() {
            thread::sleep(MS);
            gate.notify_all();
        }
        thread.join().unwrap();
    });
}

#[test]
fn a_shut_gate_refuses_waits() {
    guard_hang();
    let clock = ManualClock::new().unwrap();
    let gate = Gate::builder().clock(&clock).build().unwrap();

    thread::scope(|scope| {
        let by_ticket = scope.spawn(|| gate.wait(gate.ticket()));
        let by_condition = scope.spawn(|| gate.wait_while(|| true));
        clock.wait_for_sleepers(2);
        gate.shut();
        gate.shut();
        assert_eq!(by_ticket.join().unwrap().unwrap(), Wake::Shut);
        assert!(!by_condition.join().unwrap().unwrap());
    });
    assert_eq!(gate.wait_for(gate.ticket(), SECOND).unwrap(), Wake::Shut);
    assert!(gate.wait_while(|| false).unwrap());
    gate.reopen();
    gate.reopen();
    assert_eq!(gate.wait_until(gate.ticket(), Ticks::MIN).unwrap(), Wake::TimedOut);
}

#[test]
fn a_ticket_from_before_a_shut_is_old() {
    let gate = Gate::new().unwrap();
    let ticket = gate.ticket();

    gate.shut();
    gate.reopen();
    assert_eq!(gate.wait(ticket).unwrap(), Wake::Notified);
}

#[test]
fn a_panic_in_the_condition_passes_through() {
    let gate = Gate::new().unwrap();
    let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| gate.wait_while(|| panic!("condition"))));

    assert!(result.is_err());
    assert_eq!(gate.wait_for(gate.ticket(), US).unwrap(), Wake::TimedOut);
}

#[test]
fn a_nanosecond_deadline_is_no_earlier_than_its_tick() {
    guard_hang();
    let clock = ManualClock::with_frequency(3, Ticks(0)).unwrap(); // 3 Hz: ticks at 0, 333333333, ... ns
    let gate = Gate::builder().clock(&clock).build().unwrap();

    thread::scope(|scope| {
        let thread = scope.spawn(|| gate.wait_until(gate.ticket(), Instant::from_nanos(333_333_334)));
        clock.wait_for_sleepers(1);
        clock.advance_ticks(1).unwrap();
        clock.wait_for_sleepers(1); // tick 1 is a nanosecond early
        clock.advance_ticks(1).unwrap();
        assert_eq!(thread.join().unwrap().unwrap(), Wake::TimedOut);
    });
}

#[test]
fn options() {
    let clock = Clock::open(hpt::SourceKind::OS).unwrap();
    let gate = Gate::builder().clock(&clock).policy(Policy::Spin).max_spin(MS).build().unwrap();

    assert_eq!(gate.clock(), clock);
    assert_eq!(errno(Gate::builder().max_spin(MS).build()), libc::EINVAL);
    assert_eq!(errno(gate.set_policy(Policy::Inherit, MS)), libc::EINVAL);
    assert_eq!(errno(gate.set_policy(Policy::Frugal, Duration::MAX)), 0);
}
