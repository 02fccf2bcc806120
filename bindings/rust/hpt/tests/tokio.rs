// SPDX-License-Identifier: MIT
//! Sleeps and tickers that tasks of tokio await.
#![cfg(feature = "tokio")]

mod common;

use common::{errno, guard_hang, HOUR, MS, SECOND, US};
use hpt::tokio::{sleep, sleep_until, AsyncTicker, Sleep};
use hpt::{Instant, ManualClock, Missed, Policy, Tick, Ticker, Wake};
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::time::timeout;

#[tokio::test]
async fn sleeps_are_never_early() {
    guard_hang();
    for length in [Duration::ZERO, Duration::from_nanos(1), 30 * US, 300 * US, 3 * MS] {
        let start = Instant::now();
        let wake = sleep(length).await.unwrap();
        assert!(wake.is_over() && (start.elapsed() >= length || wake != Wake::Reached), "{wake:?}");

        let deadline = Instant::now() + length;
        let wake = sleep_until(deadline).await.unwrap();
        assert!(wake.is_over() && (Instant::now() >= deadline || wake != Wake::Reached), "{wake:?}");
    }
    assert!(sleep_until(Instant::MIN).await.unwrap().is_over());
}

#[tokio::test]
async fn the_loop_goes_on_while_a_task_sleeps() {
    guard_hang();
    let (a, b) = (tokio::spawn(sleep(2 * MS)), tokio::spawn(sleep(3 * MS)));

    assert!(timeout(5 * MS, sleep(Duration::MAX)).await.is_err());
    assert!(a.await.unwrap().unwrap().is_over() && b.await.unwrap().unwrap().is_over());
}

#[tokio::test]
async fn a_sleep_can_be_set_again() {
    guard_hang();
    let mut set = Sleep::new(Instant::now() + HOUR).unwrap();

    set.set_policy(Policy::Spin, 50 * US).unwrap();
    assert_eq!(errno(set.set_policy(Policy::Inherit, MS)), libc::EINVAL);
    assert!(timeout(2 * MS, &mut set).await.is_err());
    for _ in 0..3 {
        let deadline = Instant::now() + MS;
        set.reset(deadline);
        let wake = (&mut set).await.unwrap();
        assert!(wake.is_over() && (Instant::now() >= deadline || wake != Wake::Reached), "{wake:?}");
        assert_eq!((&mut set).await.unwrap(), Wake::Ended);
    }
    // The event of an earlier time is not that of the new one.
    set.reset(Instant::now());
    tokio::time::sleep(MS).await;
    set.reset(Instant::now() + HOUR);
    assert!(timeout(2 * MS, &mut set).await.is_err());
}

#[tokio::test]
async fn ticks_are_never_early() {
    guard_hang();
    let start = Instant::now();
    let mut ticker = AsyncTicker::new(Ticker::new(500 * US).unwrap()).unwrap();
    let mut index = 0;

    for _ in 0..10 {
        let tick = ticker.tick().await.unwrap();
        index += 1 + u32::try_from(tick.missed).unwrap();
        assert!(Instant::now() >= start + 500 * US * index || tick.wake != Wake::Reached);
    }
    assert_eq!(ticker.info().unwrap().ticks, 10);
}

#[tokio::test]
async fn missed_ticks_come_at_once() {
    guard_hang();
    let options = Ticker::builder().first(Instant::now() - HOUR * 7 / 2).missed(Missed::CatchUp);
    let mut ticker = AsyncTicker::new(options.every(HOUR).unwrap()).unwrap();

    for missed in [3, 2, 1, 0] {
        assert_eq!(ticker.tick().await.unwrap().missed, missed);
    }
    assert!(timeout(2 * MS, ticker.tick()).await.is_err());
}

#[tokio::test]
async fn a_dropped_future_loses_no_tick() {
    guard_hang();
    let mut ticker = AsyncTicker::new(Ticker::builder().first(Instant::now() + 2 * MS).every(HOUR).unwrap()).unwrap();

    // The time-out comes at any time around the tick.
    while timeout(100 * US, ticker.tick()).await.is_err() {}
    let info = ticker.info().unwrap();
    assert_eq!((info.ticks, info.missed), (1, 0));
    assert!(timeout(2 * MS, ticker.tick()).await.is_err());
}

/// The tick, and how often the runtime has polled for it.
struct Counted<'a> {
    ticker: &'a mut AsyncTicker,
    polls: u32,
}

impl Future for Counted<'_> {
    type Output = io::Result<Tick>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<Tick>> {
        self.polls += 1;
        self.ticker.poll_tick(cx)
    }
}

/// A tick that was taken by other means must not make a later call block the loop for a period, nor keep it busy.
#[tokio::test]
async fn an_old_event_blocks_nothing() {
    guard_hang();
    let mut ticker = AsyncTicker::new(Ticker::new(HOUR).unwrap()).unwrap();

    ticker.interrupt();
    tokio::time::sleep(MS).await; // the runtime notices it
    assert_eq!(ticker.wait().unwrap().wake, Wake::Interrupted);
    let mut counted = Counted { ticker: &mut ticker, polls: 0 };
    assert!(timeout(5 * MS, &mut counted).await.is_err());
    assert!(counted.polls < 10, "{}", counted.polls);
    ticker.interrupt();
    assert_eq!(ticker.tick().await.unwrap().wake, Wake::Interrupted);
}

#[tokio::test]
async fn a_ticker_without_a_tick_has_ended() {
    let mut ticker = AsyncTicker::new(Ticker::builder().unstarted().unwrap()).unwrap();

    assert_eq!(ticker.tick().await.unwrap().wake, Wake::Ended);
    ticker.start_once(Instant::now() + 300 * US).unwrap();
    assert!(ticker.tick().await.unwrap().due.is_some());
    assert_eq!(ticker.tick().await.unwrap().wake, Wake::Ended);
}

#[tokio::test]
async fn a_manual_clock_has_no_descriptor() {
    let clock = ManualClock::new().unwrap();

    assert_eq!(errno(AsyncTicker::new(Ticker::builder().clock(&clock).every(SECOND).unwrap())), libc::ENOTSUP);
}

/// What a crate such as quinn asks of a timer.
trait Timer: Send + std::fmt::Debug + 'static {
    fn reset(self: Pin<&mut Self>, at: std::time::Instant);
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()>;
}

impl Timer for Sleep {
    fn reset(mut self: Pin<&mut Self>, at: std::time::Instant) {
        let left = at.saturating_duration_since(std::time::Instant::now());

        Sleep::reset(&mut self, Instant::now().saturating_add(left));
    }

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        Future::poll(self, cx).map(drop)
    }
}

/// Awaits a timer that is known by its trait alone.
struct Expiry(Pin<Box<dyn Timer>>);

impl Future for Expiry {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        self.0.as_mut().poll(cx)
    }
}

#[tokio::test]
async fn a_sleep_is_a_timer_of_other_crates() {
    guard_hang();
    let mut expiry = Expiry(Box::pin(Sleep::new(Instant::MAX).unwrap()));

    for length in [MS, Duration::ZERO, 300 * US] {
        let start = Instant::now();
        expiry.0.as_mut().reset(std::time::Instant::now() + length);
        (&mut expiry).await;
        assert!(start.elapsed() >= length);
    }
}
