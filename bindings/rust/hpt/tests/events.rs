// SPDX-License-Identifier: MIT
//! Waits for descriptors, and margins for waits of the program's own.

mod common;

use common::{errno, guard_hang, HOUR, MS, SECOND, US};
use hpt::{Clock, EpollEvent, FdSleeper, Instant, ManualClock, PollFd, Sleeper, SourceKind, Wake};
use std::io::{Read, Write};
use std::os::unix::io::{AsFd, AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

const LENGTHS: [Duration; 5] =
    [Duration::ZERO, Duration::from_nanos(1), Duration::from_micros(30), MS, Duration::from_millis(4)];

/// Two ends, of which the first has something to read once the second was written to.
fn pair() -> (UnixStream, UnixStream) {
    UnixStream::pair().unwrap()
}

/// An epoll set with the stream in it, and 7 as its data.
fn epoll_of(stream: &UnixStream, events: i32) -> OwnedFd {
    let mut event = libc::epoll_event { events: events as u32, u64: 7 };
    let set = unsafe { libc::epoll_create1(libc::EPOLL_CLOEXEC) };

    assert!(set >= 0);
    assert_eq!(unsafe { libc::epoll_ctl(set, libc::EPOLL_CTL_ADD, stream.as_raw_fd(), &mut event) }, 0);
    unsafe { OwnedFd::from_raw_fd(set) }
}

#[test]
fn waits_are_never_early() {
    guard_hang();
    let (here, _there) = pair();
    let set = epoll_of(&here, libc::EPOLLIN);

    for clock in [Clock::global(), Clock::open(SourceKind::OS).unwrap()] {
        let sleeper = Sleeper::builder().clock(&clock).build().unwrap();

        for length in LENGTHS {
            let deadline = clock.instant() + length;
            let mut fds = [PollFd::new(here.as_fd(), libc::POLLIN)];
            assert_eq!(sleeper.poll_until(&mut fds, deadline).unwrap(), Wake::Reached);
            assert!(clock.instant() >= deadline);
            assert_eq!(fds[0].revents(), 0);

            let deadline = clock.instant() + length;
            assert_eq!(sleeper.poll_until(&mut [], deadline).unwrap(), Wake::Reached);
            assert!(clock.instant() >= deadline);

            let deadline = clock.instant() + length;
            let mut events = [EpollEvent::default(); 2];
            assert_eq!(sleeper.epoll_until(set.as_fd(), &mut events, deadline).unwrap(), Wake::Reached);
            assert!(clock.instant() >= deadline);
        }
    }
}

#[test]
fn poll_returns_the_events_of_each_descriptor() {
    let (here, mut there) = pair();
    let (full, _other) = pair();
    let sleeper = Sleeper::new().unwrap();
    let mut fds = [PollFd::new(here.as_fd(), libc::POLLIN), PollFd::new(full.as_fd(), libc::POLLIN | libc::POLLOUT)];

    assert_eq!(sleeper.poll_until(&mut fds, Instant::now() + HOUR).unwrap(), Wake::Ready(1));
    assert_eq!(fds.map(|fd| fd.revents()), [0, libc::POLLOUT]);
    assert!(sleeper.remaining() > HOUR / 2);
    there.write_all(b"x").unwrap();
    assert_eq!(sleeper.poll_until(&mut fds, Instant::MAX).unwrap(), Wake::Ready(2));
    assert_eq!(fds.map(|fd| fd.revents()), [libc::POLLIN, libc::POLLOUT]);
    assert_eq!(sleeper.remaining(), Duration::MAX);
    assert!(format!("{:?}", fds[0]).starts_with("PollFd { fd: "));
}

#[test]
fn an_event_ends_a_wait() {
    guard_hang();
    let ((here, mut there), sleeper) = (pair(), Sleeper::new().unwrap());

    for round in 0..20 {
        thread::scope(|scope| {
            scope.spawn(|| {
                thread::sleep(MS / 10 * round);
                there.write_all(b"x").unwrap();
            });
            let mut fds = [PollFd::new(here.as_fd(), libc::POLLIN)];
            assert_eq!(sleeper.poll_until(&mut fds, Instant::now() + HOUR).unwrap(), Wake::Ready(1));
            (&here).read_exact(&mut [0]).unwrap();
        });
    }
}

#[test]
fn a_past_deadline_is_one_look() {
    let ((here, mut there), sleeper) = (pair(), Sleeper::new().unwrap());
    let mut fds = [PollFd::new(here.as_fd(), libc::POLLIN)];

    assert_eq!(sleeper.poll_until(&mut fds, Instant::MIN).unwrap(), Wake::Reached);
    there.write_all(b"x").unwrap();
    assert_eq!(sleeper.poll_until(&mut fds, Instant::MIN).unwrap(), Wake::Ready(1));
    assert_eq!(sleeper.remaining(), Duration::ZERO);
}

#[test]
fn epoll_returns_each_event_once() {
    let ((here, mut there), sleeper) = (pair(), Sleeper::new().unwrap());
    let set = epoll_of(&here, libc::EPOLLIN | libc::EPOLLET);
    let mut events = [EpollEvent::default(); 3];

    there.write_all(b"x").unwrap();
    assert_eq!(sleeper.epoll_until(set.as_fd(), &mut events, Instant::MAX).unwrap(), Wake::Ready(1));
    assert_eq!((events[0].events(), events[0].data()), (libc::EPOLLIN as u32, 7));
    assert_eq!(format!("{:?}", events[0]), "EpollEvent { events: 1, data: 7 }");
    assert_eq!(sleeper.epoll_until(set.as_fd(), &mut events, Instant::now() + MS).unwrap(), Wake::Reached);
    assert_eq!(errno(sleeper.epoll_until(set.as_fd(), &mut [], Instant::MAX)), libc::EINVAL);
    assert_eq!(errno(sleeper.epoll_until(here.as_fd(), &mut events, Instant::MAX)), libc::EINVAL);
}

#[test]
fn a_pending_interrupt_comes_before_a_look() {
    let ((here, mut there), sleeper) = (pair(), Sleeper::new().unwrap());
    let mut fds = [PollFd::new(here.as_fd(), libc::POLLIN)];

    there.write_all(b"x").unwrap();
    sleeper.interrupt();
    assert_eq!(sleeper.poll_until(&mut fds, Instant::MAX).unwrap(), Wake::Interrupted);
    assert_eq!(sleeper.poll_until(&mut fds, Instant::MAX).unwrap(), Wake::Ready(1));
}

/// Waits on the sleeper's own descriptor until the interrupt itself has ended a wait.
fn wait_interrupted(sleeper: &FdSleeper, epoll: Option<&OwnedFd>) {
    let (mut fds, mut events) = ([PollFd::new(sleeper.as_fd(), libc::POLLIN)], [EpollEvent::default()]);

    loop {
        let wake = match epoll {
            Some(set) => sleeper.epoll_until(set.as_fd(), &mut events, Instant::MAX),
            None => sleeper.poll_until(&mut fds, Instant::MAX),
        };
        match wake.unwrap() {
            Wake::Ready(1) => {}
            other => return assert_eq!(other, Wake::Interrupted),
        }
    }
}

#[test]
fn an_interrupt_ends_a_wait_by_its_descriptor() {
    guard_hang();
    let sleeper = Sleeper::new().unwrap().into_fd().unwrap();
    let set = {
        let mut event = libc::epoll_event { events: libc::EPOLLIN as u32, u64: 0 };
        let set = unsafe { OwnedFd::from_raw_fd(libc::epoll_create1(libc::EPOLL_CLOEXEC)) };
        let (number, fd) = (set.as_raw_fd(), sleeper.as_raw_fd());
        assert_eq!(unsafe { libc::epoll_ctl(number, libc::EPOLL_CTL_ADD, fd, &mut event) }, 0);
        set
    };

    for round in 0..40 {
        thread::scope(|scope| {
            scope.spawn(|| {
                thread::sleep(MS / 10 * (round / 2));
                sleeper.interrupt();
            });
            wait_interrupted(&sleeper, Some(&set).filter(|_| round % 2 == 1));
        });
        let mut fds = [PollFd::new(sleeper.as_fd(), libc::POLLIN)];
        assert_eq!(sleeper.poll_until(&mut fds, Instant::MIN).unwrap(), Wake::Reached);
    }
}

#[test]
fn the_descriptor_is_readable_while_an_interrupt_is_pending() {
    let (waiting, looker) = (Sleeper::new().unwrap(), Sleeper::new().unwrap());
    waiting.interrupt();
    let waiting = waiting.into_fd().unwrap();
    let look = || {
        let mut fds = [PollFd::new(waiting.as_fd(), libc::POLLIN)];
        looker.poll_until(&mut fds, Instant::MIN).unwrap()
    };

    assert_eq!(look(), Wake::Ready(1));
    assert_eq!(waiting.sleep(HOUR).unwrap(), Wake::Interrupted);
    assert_eq!(look(), Wake::Reached);
    waiting.interrupt();
    assert_eq!(look(), Wake::Ready(1));
    waiting.clear();
    assert_eq!(look(), Wake::Reached);
    assert_eq!(waiting.as_fd().as_raw_fd(), waiting.as_raw_fd());
}

#[test]
fn a_manual_clock_ends_a_wait_and_a_second_thread_gets_busy() {
    guard_hang();
    let clock = ManualClock::new().unwrap();
    let sleeper = Sleeper::builder().clock(&clock).build().unwrap();
    let (here, _there) = pair();
    let set = epoll_of(&here, libc::EPOLLIN);

    thread::scope(|scope| {
        let thread = scope.spawn(|| sleeper.poll_until(&mut [], Instant::from_nanos(0) + SECOND));
        clock.wait_for_sleepers(1);
        assert_eq!(errno(sleeper.poll_until(&mut [], Instant::MIN)), libc::EBUSY);
        let mut events = [EpollEvent::default()];
        assert_eq!(errno(sleeper.epoll_until(set.as_fd(), &mut events, Instant::MIN)), libc::EBUSY);
        clock.advance(SECOND).unwrap();
        assert_eq!(thread.join().unwrap().unwrap(), Wake::Reached);
    });
}

#[test]
fn a_signal_ends_a_wait_only_on_request() {
    extern "C" fn nothing(_: libc::c_int) {}
    guard_hang();
    let handler: extern "C" fn(libc::c_int) = nothing;
    unsafe { libc::signal(libc::SIGUSR1, handler as libc::sighandler_t) };

    let ends = Sleeper::builder().end_on_signal(true).build().unwrap();
    let waits_on = Sleeper::new().unwrap();
    let (stop, me) = (AtomicBool::new(false), unsafe { libc::pthread_self() });
    thread::scope(|scope| {
        scope.spawn(|| {
            while !stop.load(Ordering::Relaxed) {
                thread::sleep(MS);
                unsafe { libc::pthread_kill(me, libc::SIGUSR1) };
            }
        });
        assert_eq!(ends.poll_until(&mut [], Instant::MAX).unwrap(), Wake::Signal);
        let deadline = Instant::now() + 20 * MS;
        assert_eq!(waits_on.poll_until(&mut [], deadline).unwrap(), Wake::Reached);
        assert!(Instant::now() >= deadline);
        stop.store(true, Ordering::Relaxed);
    });
}

#[test]
fn margins_are_what_the_thread_has_learned() {
    let manual = ManualClock::new().unwrap();
    let sleeper = Sleeper::new().unwrap();

    assert_eq!(Sleeper::builder().clock(&manual).build().unwrap().margin(SECOND), Duration::ZERO);
    assert!(sleeper.margin(SECOND) > Duration::ZERO && sleeper.margin(HOUR) < HOUR);
    assert!(sleeper.margin(Duration::MAX) > sleeper.margin(HOUR));
    let before = sleeper.margin(MS);
    // Both times of a timeline of the program's own.
    for _ in 0..100 {
        assert!(sleeper.margin(MS) < SECOND);
        sleeper.learn(Instant::from_nanos(5), Instant::from_nanos(5) + 400 * US);
        sleeper.learn(Instant::from_nanos(5), Instant::from_nanos(4));
    }
    assert!(sleeper.margin(MS) > before, "{before:?}, {:?}", sleeper.margin(MS));
}
