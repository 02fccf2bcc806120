// SPDX-License-Identifier: MIT
//! The default clock's source is chosen before its first use. One test, because a process has one default clock.

mod common;

use common::errno;
use hpt::{set_default, Clock, Sleeper, SourceKind};

#[test]
fn is_fixed_by_its_first_use() {
    assert_eq!(errno(set_default(SourceKind(99))), libc::EINVAL);
    set_default(SourceKind::AUTO).unwrap();
    let other = Clock::open(SourceKind::AUTO).unwrap().info().unwrap().source; // which is no use of the default
    set_default(SourceKind::OS).unwrap();

    assert_eq!(Sleeper::new().unwrap().clock().info().unwrap().source, SourceKind::OS);
    assert_eq!(Clock::global(), Clock::default());
    set_default(SourceKind::OS).unwrap();
    if other != SourceKind::OS {
        assert_eq!(errno(set_default(other)), libc::EBUSY);
    }
    assert_eq!(Clock::global().info().unwrap().source, SourceKind::OS);
}
