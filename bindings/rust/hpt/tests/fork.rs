// SPDX-License-Identifier: MIT
//! Objects after a fork, while another thread of the parent sleeps on them. One test, so that few threads run.

mod common;

use common::{guard_hang, HOUR, MS, SECOND};
use hpt::{Clock, Gate, Instant, ManualClock, PollFd, Sleeper, Ticker, Ticks, Wake};
use std::os::unix::io::{AsFd, AsRawFd};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::thread;

/// Runs a function in a child of this process; true if it does not panic.
fn succeeds_in_child(run: impl FnOnce()) -> bool {
    let child = unsafe { libc::fork() };

    assert!(child >= 0);
    if child == 0 {
        unsafe { libc::alarm(60) };
        let failed = catch_unwind(AssertUnwindSafe(run)).is_err();
        unsafe { libc::_exit(failed.into()) };
    }
    let mut status = 0;
    assert_eq!(unsafe { libc::waitpid(child, &mut status, 0) }, child);
    status == 0
}

#[test]
fn the_childs_objects_are_its_own() {
    guard_hang();
    let manual = ManualClock::new().unwrap();
    let sleeper = Sleeper::builder().clock(&manual).build().unwrap();
    let ticker = Ticker::builder().clock(&manual).every(SECOND).unwrap();
    let pending = Sleeper::new().unwrap();
    let gate = Gate::new().unwrap();
    let real = Ticker::new(HOUR).unwrap().into_fd().unwrap();
    let parents_fd = real.as_raw_fd();
    let polls = Sleeper::new().unwrap().into_fd().unwrap();
    let sleepers_fd = polls.as_raw_fd();

    pending.interrupt();
    real.interrupt();
    polls.interrupt();
    let no_thread_sleeps = || {
        assert_eq!(manual.sleepers(), 0);
        manual.advance(SECOND).unwrap();
        assert_eq!(sleeper.sleep_until(Ticks(1)).unwrap(), Wake::Reached);
        assert_eq!(ticker.wait().unwrap().wake, Wake::Reached);
        assert!(gate.wait_for(gate.ticket(), MS).unwrap().is_over());
        assert!(Clock::global().sleep(MS).is_over());
    };
    let pending_interrupts_stay = || {
        assert_eq!(pending.sleep(HOUR).unwrap(), Wake::Interrupted);
        assert!(pending.sleep(MS).unwrap().is_over());
    };
    let ticker_has_another_descriptor = || {
        assert_ne!(real.as_fd().as_raw_fd(), parents_fd);
        assert_eq!(real.wait().unwrap().wake, Wake::Interrupted);
        thread::scope(|scope| {
            let thread = scope.spawn(|| real.wait());
            real.interrupt();
            assert_eq!(thread.join().unwrap().unwrap().wake, Wake::Interrupted);
        });
    };
    let sleeper_has_another_descriptor = || {
        assert_ne!(polls.as_fd().as_raw_fd(), sleepers_fd);
        let mut fds = [PollFd::new(polls.as_fd(), libc::POLLIN)];
        assert_eq!(pending.poll_until(&mut fds, Instant::MAX).unwrap(), Wake::Interrupted);
        assert_eq!(pending.poll_until(&mut fds, Instant::MAX).unwrap(), Wake::Ready(1));
        assert_eq!(polls.sleep(HOUR).unwrap(), Wake::Interrupted);
        assert_eq!(pending.poll_until(&mut fds, Instant::MIN).unwrap(), Wake::Reached);
    };
    let (children, ends) = thread::scope(|scope| {
        let (sleeps, waits) = (scope.spawn(|| sleeper.sleep(HOUR)), scope.spawn(|| ticker.wait()));
        manual.wait_for_sleepers(2);
        let children = [
            succeeds_in_child(no_thread_sleeps),
            succeeds_in_child(pending_interrupts_stay),
            succeeds_in_child(ticker_has_another_descriptor),
            succeeds_in_child(sleeper_has_another_descriptor),
            succeeds_in_child(|| panic!("which the parent must notice")),
        ];
        sleeper.interrupt();
        ticker.interrupt();
        (children, [sleeps.join().unwrap().unwrap(), waits.join().unwrap().unwrap().wake])
    });

    assert_eq!(children, [true, true, true, true, false]);
    assert_eq!(ends, [Wake::Interrupted; 2]);
    assert_eq!((real.as_raw_fd(), polls.as_raw_fd()), (parents_fd, sleepers_fd));
    assert_eq!(real.wait().unwrap().wake, Wake::Interrupted);
    assert_eq!(polls.sleep(HOUR).unwrap(), Wake::Interrupted);
}
