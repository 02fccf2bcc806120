// SPDX-License-Identifier: MIT
//! The default clock is chosen before its first use. One test, because a process has one default clock.

mod common;

use common::errno;
use hpt::{Clock, ManualClock, Sleeper, SourceKind, Ticks};

#[test]
fn is_fixed_by_its_first_use() {
    assert_eq!(errno(Clock::set_default_source(SourceKind(99))), libc::EINVAL);
    Clock::set_default_source(SourceKind::AUTO).unwrap();
    let other = Clock::open(SourceKind::AUTO).unwrap().info().unwrap().source; // which is no use of the default
    let manual = ManualClock::with_frequency(24_000_000, Ticks(0)).unwrap();
    manual.set_default().unwrap();
    Clock::set_default_source(SourceKind::OS).unwrap();

    assert_eq!(Sleeper::new().unwrap().clock().info().unwrap().source, SourceKind::OS);
    assert_eq!(Clock::global(), Clock::default());
    Clock::set_default_source(SourceKind::OS).unwrap();
    Clock::global().set_default().unwrap();
    assert_eq!(errno(manual.set_default()), libc::EBUSY);
    if other != SourceKind::OS {
        assert_eq!(errno(Clock::set_default_source(other)), libc::EBUSY);
    }
    assert_eq!(Clock::global().info().unwrap().source, SourceKind::OS);
}
