// SPDX-License-Identifier: MIT
//! Tickers: missed ticks, rational periods, single ticks, descriptors.

mod common;

use common::{errno, guard_hang, HOUR, MS, SECOND, US};
use hpt::{Clock, FdTicker, Instant, ManualClock, Missed, Policy, Ticker, Ticks, Wake};
use std::num::NonZeroU64;
use std::os::unix::io::{AsFd, AsRawFd};
use std::thread;
use std::time::Duration;

/// A clock at 1 h, whose tick is a third of a nanosecond: a tick that is taken for a nanosecond is seen.
fn manual() -> ManualClock {
    guard_hang();
    ManualClock::with_frequency(3_000_000_000, Ticks(3600 * 3_000_000_000)).unwrap()
}

/// So long after the beginning of that clock.
fn at(after: Duration) -> Instant {
    Instant::from_nanos(3_600_000_000_000) + after
}

fn on(clock: &ManualClock, period: Duration) -> Ticker {
    Ticker::builder().clock(clock).every(period).unwrap()
}

#[test]
fn ticks_are_never_early() {
    let start = Instant::now();
    let ticker = Ticker::new(300 * US).unwrap();
    let mut index = 0;

    for tick in ticker.iter().take(10) {
        let tick = tick.unwrap();
        index += 1 + u32::try_from(tick.missed).unwrap();
        assert!(Instant::now() >= start + 300 * US * index || tick.wake != Wake::Reached);
    }
}

#[test]
fn skip_counts_missed_ticks() {
    let clock = manual();
    let ticker = on(&clock, SECOND);

    clock.advance(SECOND * 7 / 2).unwrap();
    let tick = ticker.wait().unwrap();
    assert_eq!((tick.wake, tick.missed, tick.due), (Wake::Reached, 2, Some(at(SECOND))));
    assert_eq!(ticker.next_due().unwrap(), at(4 * SECOND));
    let info = ticker.info().unwrap();
    assert_eq!((info.ticks, info.missed, info.policy), (1, 2, Some(Policy::Inherit)));
}

#[test]
fn catch_up_returns_missed_ticks() {
    let clock = manual();
    let ticker = Ticker::builder().clock(&clock).missed(Missed::CatchUp).every(SECOND).unwrap();

    clock.advance(SECOND * 7 / 2).unwrap();
    for (missed, second) in [(2, 1), (1, 2), (0, 3)] {
        let tick = ticker.wait().unwrap();
        assert_eq!((tick.missed, tick.due), (missed, Some(at(second * SECOND))));
    }
    assert_eq!(ticker.next_due().unwrap(), at(4 * SECOND));
}

#[test]
fn catch_up_drops_the_oldest() {
    let clock = manual();
    let ticker = on(&clock, SECOND);

    ticker.set_missed(Missed::CatchUpAtMost(NonZeroU64::new(2).unwrap())).unwrap();
    clock.advance(SECOND * 21 / 2).unwrap();
    for missed in [9, 1, 0] {
        assert_eq!(ticker.wait().unwrap().missed, missed); // ticks 8 and 9 are missed ones, and 10 is the present one
    }
    let info = ticker.info().unwrap();
    assert_eq!((info.ticks, info.missed, ticker.next_due().unwrap()), (3, 7, at(11 * SECOND)));
    ticker.set_missed(Missed::Skip).unwrap();
}

#[test]
fn rational_periods_do_not_drift() {
    let clock = manual();
    let ticker = Ticker::builder().clock(&clock).first(at(Duration::ZERO)).every_rational(1001, 60_000).unwrap();

    ticker.set_missed(Missed::CatchUp).unwrap();
    for n in 0..60_u64 {
        let due = at(Duration::from_nanos((n * 1001 * 1_000_000_000 + 59_999) / 60_000)); // rounded up
        assert_eq!(ticker.next_due().unwrap(), due);
        clock.advance(due - clock.instant()).unwrap();
        assert_eq!(ticker.wait().unwrap().wake, Wake::Reached);
    }
}

#[test]
fn a_single_tick_comes_once() {
    let clock = manual();
    let ticker = Ticker::builder().clock(&clock).first(at(2 * US)).once().unwrap();

    clock.advance(3 * US).unwrap();
    assert_eq!(ticker.wait().unwrap().due, Some(at(2 * US)));
    let ended = ticker.wait().unwrap();
    assert_eq!((ended.wake, ended.due), (Wake::Ended, None));
    assert_eq!(errno(ticker.next_due()), libc::ENODATA);
    assert_eq!(ticker.iter().count(), 0);
    ticker.start_once(at(US)).unwrap();
    assert_eq!(ticker.iter().count(), 1);
    assert_eq!(Ticker::builder().clock(&clock).once().unwrap().next_due().unwrap(), clock.instant());
}

#[test]
fn a_ticker_is_made_before_it_is_started() {
    let clock = manual();
    let ticker = Ticker::builder().clock(&clock).unstarted().unwrap();

    assert_eq!(ticker.wait().unwrap().wake, Wake::Ended);
    assert_eq!(errno(ticker.next_due()), libc::ENODATA);
    ticker.start(at(SECOND), SECOND).unwrap();
    clock.advance(SECOND).unwrap();
    assert_eq!(ticker.wait().unwrap().due, Some(at(SECOND)));
}

#[test]
fn delay_moves_the_grid() {
    let clock = manual();
    let ticker = Ticker::builder().clock(&clock).missed(Missed::Delay).every(SECOND).unwrap();

    clock.advance(SECOND * 7 / 2).unwrap();
    let tick = ticker.wait().unwrap();
    assert_eq!((tick.missed, tick.due), (2, Some(at(SECOND))));
    assert_eq!(ticker.next_due().unwrap(), at(SECOND * 9 / 2));
}

#[test]
fn start_sets_another_phase() {
    let clock = manual();
    let ticker = on(&clock, HOUR);

    ticker.start(at(5 * US), SECOND).unwrap();
    assert_eq!(ticker.next_due().unwrap(), at(5 * US));
    ticker.start_rational(at(7 * US), 1, 44_100).unwrap();
    assert_eq!(ticker.next_due().unwrap(), at(7 * US));
    let ticker = Ticker::builder().clock(&clock).first(at(9 * US)).every(SECOND).unwrap();
    assert_eq!(ticker.next_due().unwrap(), at(9 * US));
}

#[test]
fn interrupts_end_a_wait_and_stay_pending() {
    let clock = manual();
    let ticker = on(&clock, SECOND);

    thread::scope(|scope| {
        let thread = scope.spawn(|| ticker.iter().count());
        clock.wait_for_sleepers(1);
        clock.advance(SECOND).unwrap();
        clock.wait_for_sleepers(1);
        ticker.interrupt();
        assert_eq!(thread.join().unwrap(), 1);
    });
    ticker.interrupt();
    clock.advance(SECOND).unwrap();
    let tick = ticker.wait().unwrap();
    assert_eq!((tick.wake, tick.due), (Wake::Interrupted, None));
    assert_eq!(ticker.wait().unwrap().due, Some(at(2 * SECOND)));
}

#[test]
fn a_second_thread_gets_busy() {
    let clock = manual();
    let ticker = on(&clock, SECOND);

    thread::scope(|scope| {
        let thread = scope.spawn(|| ticker.wait());
        clock.wait_for_sleepers(1);
        assert_eq!(errno(ticker.wait()), libc::EBUSY);
        assert_eq!(errno(ticker.start(at(SECOND), SECOND)), libc::EBUSY);
        assert_eq!(errno(ticker.start_once(at(SECOND))), libc::EBUSY);
        clock.advance(SECOND).unwrap();
        assert_eq!(thread.join().unwrap().unwrap().wake, Wake::Reached);
    });
}

#[test]
fn periods_out_of_range_are_errors() {
    for period in [Duration::ZERO, Duration::from_nanos(1 << 63), Duration::MAX] {
        assert_eq!(errno(Ticker::new(period)), libc::EINVAL);
        let ticker = Ticker::new(HOUR).unwrap();
        assert_eq!(errno(ticker.start(Instant::now(), period)), libc::EINVAL);
    }
    assert_eq!(errno(Ticker::builder().every_rational(0, 1)), libc::EINVAL);
    assert_eq!(errno(Ticker::builder().every_rational(1, 0)), libc::EINVAL);
    assert_eq!(errno(Ticker::builder().max_spin(MS).every(MS)), libc::EINVAL);
    assert!(Ticker::new(Duration::from_nanos(i64::MAX as u64)).is_ok());
    assert!(Ticker::builder().every_rational(u32::MAX, u32::MAX).is_ok());
}

fn poll(ticker: &FdTicker, timeout_ms: i32) -> bool {
    let mut poll = libc::pollfd { fd: ticker.as_raw_fd(), events: libc::POLLIN, revents: 0 };

    assert!(unsafe { libc::poll(&mut poll, 1, timeout_ms) } >= 0);
    poll.revents == libc::POLLIN
}

#[test]
fn the_descriptor_is_readable_before_each_tick() {
    guard_hang();
    let start = Instant::now();
    let ticker = Ticker::new(3 * MS).unwrap().into_fd().unwrap();

    for index in 1..=5 {
        assert!(poll(&ticker, -1));
        let tick = ticker.wait().unwrap();
        assert!(tick.missed > 0 || Instant::now() >= start + 3 * MS * index);
    }
}

#[test]
fn the_descriptor_is_readable_while_an_interrupt_is_pending() {
    let ticker = Ticker::new(HOUR).unwrap().into_fd().unwrap();

    assert!(!poll(&ticker, 0));
    ticker.interrupt();
    assert!(poll(&ticker, -1));
    assert_eq!(ticker.wait().unwrap().wake, Wake::Interrupted);
    assert!(!poll(&ticker, 0));
}

#[test]
fn the_descriptor_stays_the_same() {
    let ticker = Ticker::new(HOUR).unwrap().into_fd().unwrap();
    let fd = ticker.as_raw_fd();

    assert!(fd >= 0);
    assert_eq!(ticker.as_fd().as_raw_fd(), fd);
    assert_eq!(thread::scope(|scope| scope.spawn(|| ticker.as_raw_fd()).join().unwrap()), fd);
}

#[test]
fn a_manual_clock_has_no_descriptor() {
    assert_eq!(errno(on(&manual(), SECOND).into_fd()), libc::ENOTSUP);
}

#[test]
fn a_ticker_knows_its_clock() {
    assert_eq!(Ticker::new(HOUR).unwrap().clock(), Clock::global());
    let clock = manual();
    assert_eq!(&on(&clock, HOUR).clock(), clock.as_clock());
}
