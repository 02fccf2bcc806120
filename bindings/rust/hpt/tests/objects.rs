// SPDX-License-Identifier: MIT
//! Objects: threads, the order of drops, unknown numbers, facts.

mod common;

use common::{errno, guard_hang, HOUR, MS};
use hpt::{
    Clock, ClockInfo, CpuInfo, FdTicker, Gate, Instant, Interval, ManualClock, MmioConfig, OrderedRead, Origin, Policy,
    Reason, Sample, Sleeper, SleeperBuilder, SourceInfo, SourceKind, Stage, State, Tick, Ticker, TickerBuilder, Ticket,
    Ticks, Timebase, TscClass, Wake,
};
use std::any::Any;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::thread;
use std::time::Duration;

/// The types of the crate may be moved to and shared with other threads.
#[test]
fn all_types_are_send_and_sync() {
    fn check<T: Send + Sync + Unpin + UnwindSafe + RefUnwindSafe + 'static>() {}

    check::<Clock>();
    check::<Sleeper>();
    check::<SleeperBuilder>();
    check::<Gate>();
    check::<Ticket>();
    check::<Ticker>();
    check::<TickerBuilder>();
    check::<FdTicker>();
    check::<Tick>();
    check::<ManualClock>();
    check::<Timebase>();
    check::<Interval<'static>>();
    check::<Instant>();
    check::<Ticks>();
    check::<Wake>();
    check::<Policy>();
    check::<MmioConfig>();
    check::<Reason>();
    check::<ClockInfo>();
    check::<Sample>();
}

#[test]
fn an_option_of_an_object_costs_nothing() {
    use std::mem::size_of;

    assert_eq!(size_of::<Option<Clock>>(), size_of::<usize>());
    assert_eq!(size_of::<Option<Sleeper>>(), size_of::<usize>());
    assert_eq!(size_of::<Option<Gate>>(), size_of::<usize>());
    assert_eq!(size_of::<Option<Ticker>>(), size_of::<usize>());
}

/// The objects of one clock.
fn objects(clock: &Clock) -> Vec<Box<dyn Any>> {
    let sleeper = Sleeper::builder().clock(clock).build().unwrap();
    sleeper.interrupt();
    let gate = Gate::builder().clock(clock).build().unwrap();
    gate.shut();
    let ticker = Ticker::builder().clock(clock).every(HOUR).unwrap().into_fd().unwrap();
    ticker.interrupt();

    vec![Box::new(sleeper), Box::new(gate), Box::new(ticker), Box::new(clock.clone())]
}

/// The objects that are left work, whichever were dropped before.
fn use_all(objects: &[Option<Box<dyn Any>>]) {
    for object in objects.iter().flatten() {
        if let Some(sleeper) = object.downcast_ref::<Sleeper>() {
            assert!(sleeper.clock().now() > Ticks(0));
            assert_eq!(sleeper.sleep(HOUR).unwrap(), Wake::Interrupted);
            sleeper.interrupt();
        } else if let Some(gate) = object.downcast_ref::<Gate>() {
            assert_eq!(gate.wait_for(gate.ticket(), HOUR).unwrap(), Wake::Shut);
            assert!(gate.clock().now() > Ticks(0));
        } else if let Some(ticker) = object.downcast_ref::<FdTicker>() {
            assert_eq!(ticker.wait().unwrap().wake, Wake::Interrupted);
            assert!(ticker.next_due().unwrap() > ticker.clock().instant());
            ticker.interrupt();
        } else if let Some(clock) = object.downcast_ref::<Clock>() {
            assert!(clock.now() > Ticks(0));
        }
    }
}

/// All orders of the numbers below `n`.
fn permutations(n: usize) -> Vec<Vec<usize>> {
    if n == 0 {
        return vec![vec![]];
    }
    let insert = |order: Vec<usize>| {
        (0..n).map(move |at| {
            let mut longer = order.clone();
            longer.insert(at, n - 1);
            longer
        })
    };

    permutations(n - 1).into_iter().flat_map(insert).collect()
}

#[test]
fn objects_may_be_dropped_in_any_order() {
    let orders = permutations(4);

    assert_eq!(orders.len(), 24);
    for order in orders {
        let clock = Clock::open(SourceKind::OS).unwrap();
        let mut objects: Vec<_> = objects(&clock).into_iter().map(Some).collect();
        drop(clock);
        for index in order {
            use_all(&objects);
            objects[index] = None;
        }
    }
}

#[test]
fn objects_work_in_other_threads() {
    guard_hang();
    let clock = Clock::open(SourceKind::OS).unwrap();
    let sleeper = Sleeper::builder().clock(&clock).build().unwrap();
    let gate = Gate::builder().clock(&clock).build().unwrap();
    let ticker = Ticker::builder().clock(&clock).every(MS).unwrap();

    drop(clock);
    let (sleeper, gate, ticker) = thread::spawn(move || {
        assert!(sleeper.sleep(MS).unwrap().is_over());
        assert!(gate.wait_for(gate.ticket(), MS).unwrap().is_over());
        assert!(ticker.wait().unwrap().wake.is_over());
        (sleeper, gate, ticker)
    })
    .join()
    .unwrap();
    assert!(sleeper.sleep(MS).unwrap().is_over());
    thread::spawn(move || drop((sleeper, gate, ticker))).join().unwrap();
}

#[test]
fn unknown_numbers_are_kept() {
    for number in [900, u32::MAX] {
        assert_eq!(Reason(number).to_string(), "unknown reason");
        assert_eq!(State(number).to_string(), "unknown");
        assert_eq!(Stage(number).to_string(), "unknown");
        assert_eq!(Origin(number).to_string(), "unknown");
        assert_eq!(SourceKind(number).to_string(), "unknown");
        assert_eq!(TscClass(number).to_string(), "unknown");
        assert_eq!(OrderedRead(number).to_string(), "unknown");
        assert_eq!(errno(Clock::open(SourceKind(number))), libc::EINVAL);
        assert_eq!(errno(SourceInfo::of(SourceKind(number))), libc::EINVAL);
        assert_eq!(Reason(number).0, number);
    }
    assert_eq!(format!("{:>8}|{:?}", State::DEMOTED, State(9)), " demoted|State(9)");
    assert_eq!((Stage::USABLE.to_string(), Origin::KERNEL.to_string()), ("usable".into(), "kernel".into()));
}

#[test]
fn names_of_sources_there_and_back() {
    for number in 0..=6 {
        let source = SourceKind(number);
        assert_eq!(source.to_string().parse::<SourceKind>().unwrap(), source);
    }
    for text in ["", "unknown", "TSC", "tsc ", "t\0sc"] {
        assert_eq!(errno(text.parse::<SourceKind>()), libc::EINVAL);
    }
}

#[test]
fn facts() {
    let clock = Clock::global();
    let info = clock.info().unwrap();
    assert!(info.is_default());
    assert!(!Clock::open(SourceKind::OS).unwrap().info().unwrap().is_default());
    assert_eq!(SourceInfo::of(SourceKind::AUTO).unwrap().source, info.source);
    assert!(SourceInfo::of(info.source).unwrap().chosen);
    assert!(CpuInfo::read().map_or(true, |cpu| cpu.vendor_id.len() == 12));
    assert_eq!(hpt::SleepInfo::of_thread().unwrap().policy, Some(Policy::Balanced));
    assert!(clock.check().generation <= clock.generation());

    let before = clock.now();
    let sample = clock.sample().unwrap();
    assert!(before <= sample.tick && sample.tick <= clock.now());
    assert!(sample.unix_ns > Some(1_600_000_000_000_000_000));
}

#[test]
fn the_library_has_this_crates_version() {
    let [major, minor, patch] =
        [env!("CARGO_PKG_VERSION_MAJOR"), env!("CARGO_PKG_VERSION_MINOR"), env!("CARGO_PKG_VERSION_PATCH")]
            .map(|part| part.parse::<u32>().unwrap());

    assert!(hpt::version_number() >= 10_000 * major + 100 * minor + patch);
    assert!(hpt::version().starts_with(&format!("{major}.{minor}.")));
}

#[test]
fn a_wrong_counter_is_an_error() {
    let uio = |name: &str| MmioConfig::uio(name, 64, 1_000_000);

    for config in [uio(""), uio("a\0b"), uio(&"x".repeat(64)), MmioConfig::physical(0, 64, 1_000_000)] {
        assert_eq!(errno(Clock::open_mmio(&config)), libc::EINVAL);
    }
    assert_eq!(errno(Clock::open_mmio(&uio("x").offset(3))), libc::EINVAL);
    assert_eq!(errno(Clock::open_mmio(&MmioConfig::uio("x", 48, 1_000_000))), libc::EINVAL);
    assert_ne!(errno(Clock::open_mmio(&uio(&"x".repeat(63)).down().polled())), 0);
}

#[test]
fn text_and_times_there_and_back() {
    let clock = Clock::global();
    let tick = clock.now();
    let text = clock.format(tick).unwrap();

    assert!(text.ends_with('Z') && text.len() == 30, "{text}");
    assert!(clock.parse(&text).unwrap().since(tick).abs() < clock.ns_to_ticks(1_000_000));
    assert_eq!(errno(clock.parse("2026-11-20T10:47:59Z\0")), libc::EINVAL);
    assert_eq!(errno(clock.parse("yesterday")), libc::EINVAL);
    assert_eq!(errno(clock.tick_of_system_time(std::time::UNIX_EPOCH + Duration::from_secs(1 << 40))), libc::ERANGE);
    assert_eq!(errno(clock.os_time_of(tick, 77)), libc::EINVAL);
    assert_eq!(errno(Clock::open(SourceKind::OS).unwrap().format(Ticks::MAX)), libc::ERANGE);
    assert_eq!(clock.duration_between(Ticks::MAX, Ticks::MIN), Duration::ZERO);
}

/// Destructors of thread-local values run after most of the thread is gone.
#[test]
fn objects_work_in_destructors_of_threads() {
    struct AtExit(Sleeper, std::sync::mpsc::Sender<Wake>);

    impl Drop for AtExit {
        fn drop(&mut self) {
            let _ = self.1.send(self.0.sleep(MS).unwrap());
        }
    }
    thread_local!(static AT_EXIT: std::cell::RefCell<Option<AtExit>> = const { std::cell::RefCell::new(None) });

    let (sender, receiver) = std::sync::mpsc::channel();
    thread::spawn(move || {
        AT_EXIT.with(|at_exit| *at_exit.borrow_mut() = Some(AtExit(Sleeper::new().unwrap(), sender)));
        assert!(hpt::sleep(MS).is_over());
    })
    .join()
    .unwrap();
    assert!(receiver.recv().unwrap().is_over());
}

/// The harness ends this process while they sleep.
#[test]
fn a_process_may_end_while_threads_sleep() {
    let clock = ManualClock::new().unwrap();
    let (sleeper, gate) = (Sleeper::new().unwrap(), Gate::new().unwrap());
    let ticker = Ticker::builder().clock(&clock).every(HOUR).unwrap();

    thread::spawn(move || sleeper.sleep(Duration::MAX));
    thread::spawn(move || gate.wait(gate.ticket()));
    thread::spawn(move || ticker.wait());
    thread::spawn(|| hpt::sleep(HOUR));
    clock.wait_for_sleepers(1);
}
