// SPDX-License-Identifier: MIT
//! Walls and hybrid logical clocks, on manual clocks whose program is the only source.

mod common;

use common::{errno, guard_hang, SECOND, US};
use hpt::{Clock, Hlc, ManualClock, Sleeper, Ticks, Wake, Wall, WallFlags, WallReason, WallSource, WallState};
use std::io::ErrorKind;
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::io::unix::AsyncFd;
use tokio::io::Interest;

const NS: Duration = Duration::from_nanos(1);

/// UTC at a tick of a manual clock that began in 2026.
fn utc(tick: Ticks) -> SystemTime {
    UNIX_EPOCH + Duration::from_secs(1_767_225_600) + Duration::from_nanos(u64::try_from(tick.0).unwrap())
}

fn feed(wall: &Wall, clock: &Clock) -> std::io::Result<()> {
    let now = clock.now();

    wall.feed(now, now, utc(now) - 100 * NS, utc(now) + 100 * NS)
}

/// A wall that has no sample yet, at rates that are known to 1 ppm.
fn unfed(clock: &ManualClock) -> Wall {
    Wall::builder().clock(clock).sources(&[WallSource::FEED]).rates_ppb(1000, 1000).build().unwrap()
}

fn fed() -> (ManualClock, Wall) {
    let clock = ManualClock::new().unwrap();
    let wall = unfed(&clock);

    feed(&wall, &clock).unwrap();
    (clock, wall)
}

#[test]
fn intervals_contain_the_truth_and_widen() {
    let (clock, wall) = fed();
    let first = wall.now().unwrap();

    assert!(first.earliest <= utc(Ticks(0)) && utc(Ticks(0)) <= first.latest);
    assert!(first.width() >= 200 * NS && first.width() < 210 * NS);
    assert_eq!((first.tick, first.generation, first.state), (Ticks(0), 1, WallState::SYNCED));
    clock.advance(SECOND).unwrap();
    let later = wall.now().unwrap();

    assert!(later.earliest <= utc(later.tick) && utc(later.tick) <= later.latest && later.width() > 2 * US);
    assert!(wall.at(Ticks(0)).unwrap().width() < 210 * NS);
    assert_eq!(errno(wall.at(Ticks(later.tick.0 + 1))), libc::ERANGE);
    assert_eq!(errno(wall.at_os_ns(libc::CLOCK_REALTIME, 1)), libc::ENOTSUP);
    assert!(wall.is_after(later.earliest - NS) && !wall.is_after(later.earliest));
    assert!(wall.is_before(later.latest + NS) && !wall.is_before(later.latest));
}

#[test]
fn no_bound_is_an_error() {
    let clock = ManualClock::new().unwrap();
    let wall = unfed(&clock);

    assert_eq!(wall.now().unwrap_err().kind(), ErrorKind::WouldBlock);
    assert_eq!(wall.update(), WallState::NONE);
    assert_eq!(errno(wall.wait_after(UNIX_EPOCH, None)), libc::EAGAIN);
    assert_eq!(wall.wait_ready(None, Some(Duration::ZERO)).unwrap_err().kind(), ErrorKind::TimedOut);
    assert!(!wall.is_after(UNIX_EPOCH) && !wall.is_before(utc(Ticks(1 << 40))));
    assert_eq!(errno(wall.to_tai(utc(Ticks(0)))), libc::ENODATA);
    assert_eq!(errno(wall.feed(Ticks(1), Ticks(0), UNIX_EPOCH, UNIX_EPOCH)), libc::EINVAL);
    feed(&wall, &clock).unwrap();
    assert_eq!(errno(wall.feed(Ticks(0), Ticks(0), UNIX_EPOCH, UNIX_EPOCH)), libc::EAGAIN);
    assert_eq!(wall.info().unwrap().state, WallState::CONTRADICTED);
    assert_eq!(errno(wall.now()), libc::EAGAIN);
}

#[test]
fn options_are_those_of_the_library() {
    let clock = ManualClock::new().unwrap();
    let builder = || Wall::builder().clock(&clock).sources(&[WallSource::FEED]);
    let narrow = builder().max_width(100 * NS).max_age(SECOND).cover_leap(true).build().unwrap();

    feed(&narrow, &clock).unwrap();
    assert_eq!(errno(narrow.now()), libc::ERANGE);
    clock.advance(2 * SECOND).unwrap();
    assert_eq!(errno(narrow.now()), libc::EAGAIN);
    assert_eq!(narrow.info().unwrap().state, WallState::STALE);
    assert_eq!(errno(builder().rates_ppb(1_000_000_000, 0).build()), libc::EINVAL);
    assert_eq!(errno(builder().sources(&[WallSource(1 << 30)]).build()), libc::EINVAL);
    assert_eq!(errno(builder().trusted(&[WallSource::KERNEL]).build()), libc::EINVAL);
    assert_eq!(errno(builder().phc_path(&"x".repeat(112)).build()), libc::EINVAL);
    assert_eq!(errno(builder().chrony_address("a\0b").build()), libc::EINVAL);
    let wall = builder().sources(&[WallSource::CHRONY]).chrony_address("/nowhere").build().unwrap();

    wall.update();
    let chrony = wall.source_info(WallSource::CHRONY).unwrap();

    assert!(!chrony.usable && chrony.name == "chrony" && chrony.reason != WallReason::NONE);
    assert_eq!(errno(wall.source_info(WallSource(3))), libc::EINVAL);
}

#[test]
fn facts_count() {
    let (clock, wall) = fed();
    let same = wall.clone();

    clock.advance(US).unwrap();
    let info = same.info().unwrap();

    assert_eq!((info.samples, info.live, info.sources, info.generation), (1, 1, 1, 1));
    assert_eq!((info.age, info.leap, info.tai_offset_s), (Some(US), None, None));
    assert!(info.width.unwrap() >= 200 * NS && info.rate_ppb.0 < 0 && info.rate_ppb.1 > 0);
    assert_eq!(info.stated_ppb, (1000, 1000));
    let feed = wall.source_info(WallSource::FEED).unwrap();

    assert!(feed.usable && feed.samples == 1 && feed.path.is_empty() && feed.error.is_none());
    assert!(wall == same && wall != unfed(&clock));
    assert_eq!(WallSource::PHC.to_string(), "phc");
    assert_eq!(WallState::HOLDOVER.to_string(), "holdover");
    assert_eq!(WallReason(1000).to_string(), "unknown reason");
}

#[test]
fn flags_say_what_a_sample_is_worth() {
    let (clock, wall) = fed();
    let claimed = unfed(&clock);
    let now = clock.now();
    let feed = |flags| claimed.feed_flagged(now, now, utc(now), utc(now), flags);

    assert!(!wall.now().unwrap().flags.contains(WallFlags::CLAIMED));
    assert_eq!(errno(feed(WallFlags::ASSUMED_RATE)), libc::EINVAL);
    feed(WallFlags::CLAIMED | WallFlags::SMEARED).unwrap();
    for flags in [claimed.now().unwrap().flags, claimed.info().unwrap().flags] {
        assert!(flags.contains(WallFlags::CLAIMED | WallFlags::SMEARED) && !flags.contains(WallFlags::ASSUMED_RATE));
    }
    let source = claimed.source_info(WallSource::FEED).unwrap();

    assert_eq!(source.flags, WallFlags::CLAIMED | WallFlags::SMEARED);
    assert!(!WallFlags::CLAIMED.contains(source.flags));
}

#[test]
fn a_commit_wait_ends_when_the_time_is_past() {
    guard_hang();
    let (clock, wall) = fed();
    let then = wall.now().unwrap().latest;

    assert_eq!(wall.wait_after(then, Some(Duration::ZERO)).unwrap_err().kind(), ErrorKind::TimedOut);
    thread::scope(|scope| {
        let waits = scope.spawn(|| wall.wait_after(then, None).map(|()| clock.now()));

        clock.wait_for_sleepers(1);
        clock.advance_ticks(150).unwrap(); // still within the interval
        clock.wait_for_sleepers(1);
        clock.advance(SECOND).unwrap();
        assert_eq!(waits.join().unwrap().unwrap(), Ticks(1_000_000_150));
    });
    assert!(wall.is_after(then) && wall.wait_ready(Some(SECOND), None).is_ok());
}

#[test]
fn a_sleep_ends_as_the_middle_reaches_the_time() {
    guard_hang();
    let (clock, wall) = fed();
    let then = utc(Ticks(1_000_000));

    thread::scope(|scope| {
        let sleeps = scope.spawn(|| wall.sleep_until(then, None));

        clock.wait_for_sleepers(1);
        clock.advance_ticks(999_800).unwrap();
        clock.wait_for_sleepers(1);
        clock.advance_ticks(400).unwrap();
        let error = sleeps.join().unwrap().unwrap();

        assert!(error >= 300 * NS && error < 500 * NS);
    });
    assert_eq!(errno(wall.sleep_until(then, Some(50 * NS))), libc::ERANGE);
    let sleeper = Sleeper::builder().clock(&clock).build().unwrap();

    assert_eq!(wall.sleep_until_on(&sleeper, then, Some(US)).unwrap().0, Wake::Reached);
    sleeper.interrupt();
    assert_eq!(wall.sleep_until_on(&sleeper, then, None).unwrap(), (Wake::Interrupted, Duration::ZERO));
    assert_eq!(errno(unfed(&clock).sleep_until(then, None)), libc::EAGAIN);
}

/// In tokio: one sample, which is too old after 0.2 s.
#[tokio::test(flavor = "current_thread")]
async fn a_loop_learns_that_the_bound_is_lost() {
    guard_hang();
    let wall = Wall::builder().sources(&[WallSource::FEED]).max_age(Duration::from_millis(200)).build().unwrap();
    let wall = AsyncFd::with_interest(wall.into_fd().unwrap(), Interest::READABLE).unwrap();
    let (now, utc) = (Clock::default().now(), SystemTime::now());
    let mut states = Vec::new();

    wall.get_ref().feed(now, now, utc, utc).unwrap();
    while states.last() != Some(&WallState::STALE) {
        let mut guard = wall.readable().await.unwrap();

        guard.clear_ready();
        states.push(guard.get_inner().clear().unwrap());
    }
    let info = wall.get_ref().info().unwrap();

    assert_eq!((states[0], info.gained, info.lost), (WallState::SYNCED, 1, 1));
}

#[test]
fn a_manual_clock_has_no_descriptor() {
    assert_eq!(errno(fed().1.into_fd()), libc::ENOTSUP);
}

#[test]
fn an_interrupt_ends_a_commit_wait() {
    guard_hang();
    let (clock, wall) = fed();
    let sleeper = Sleeper::builder().clock(&clock).build().unwrap();
    let then = wall.now().unwrap().latest + SECOND;

    assert_eq!(wall.wait_after_on(&sleeper, UNIX_EPOCH, None).unwrap(), Wake::Reached);
    thread::scope(|scope| {
        let waits = scope.spawn(|| wall.wait_after_on(&sleeper, then, None));

        clock.wait_for_sleepers(1);
        sleeper.interrupt();
        assert_eq!(waits.join().unwrap().unwrap(), Wake::Interrupted);
    });
    assert_eq!(errno(wall.wait_after_on(&sleeper, then, Some(Duration::ZERO))), libc::ETIMEDOUT);
    assert_eq!(errno(wall.wait_after_on(&Sleeper::new().unwrap(), then, None)), libc::EINVAL);
}

#[test]
fn timestamps_strictly_increase() {
    let (clock, wall) = fed();
    let hlc = Hlc::new(&wall, 5 * US).unwrap();
    let first = hlc.now().unwrap();

    assert!(first >= wall.now().unwrap().latest);
    assert_eq!(hlc.now().unwrap(), first + NS);
    assert_eq!(hlc.receive(first + US).unwrap(), first + US + NS);
    assert_eq!(errno(hlc.receive(first + SECOND)), libc::EBADMSG);
    assert!(hlc.incarnation().is_some() && hlc.incarnation() == hlc.incarnation() && !hlc.sees_clones());
    assert_ne!(hlc.incarnation(), Hlc::new(&wall, US).unwrap().incarnation());
    hlc.set_floor(first + SECOND).unwrap();
    assert_eq!(errno(hlc.now()), libc::EAGAIN);
    clock.advance(2 * SECOND).unwrap();
    feed(&wall, &clock).unwrap();
    assert!(hlc.now().unwrap() > first + SECOND);
    assert_eq!(errno(hlc.set_floor(SystemTime::now() + Duration::from_secs(1 << 40))), libc::EINVAL);
}
