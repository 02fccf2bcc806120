// SPDX-License-Identifier: MIT
//! The arithmetic of `Instant` is that of `std::time::Instant`, as far as it reaches.

use hpt::Instant;
use quickcheck::{quickcheck, TestResult};
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::panic::catch_unwind;
use std::time::{Duration, Instant as StdInstant};

/// The standard library's instant at `ns` from an arbitrary zero that leaves room on both sides.
fn std_at(zero: StdInstant, ns: i64) -> StdInstant {
    let distance = Duration::from_nanos(ns.unsigned_abs());

    if ns < 0 {
        zero - distance
    } else {
        zero + distance
    }
}

/// A zero with room for any `i64` of nanoseconds before it.
fn std_zero() -> StdInstant {
    StdInstant::now() + Duration::from_nanos(1 << 63)
}

/// A sum of the standard library as nanoseconds from `zero`, if they fit in 64 bits.
fn ns_of(zero: StdInstant, sum: Option<StdInstant>) -> Option<i64> {
    let sum = sum?;
    let after = i128::try_from(sum.saturating_duration_since(zero).as_nanos()).unwrap();
    let before = i128::try_from(zero.saturating_duration_since(sum).as_nanos()).unwrap();

    i64::try_from(after - before).ok()
}

/// Any duration: most are near the limits of 64 bits, or small.
fn duration(seconds: u64, nanos: u32) -> Duration {
    let seconds = match nanos % 4 {
        0 => seconds,
        1 => seconds % 100,
        2 => (1 << 63) / 1_000_000_000 + seconds % 3,
        _ => seconds % 20_000_000_000,
    };

    Duration::new(seconds, nanos % 1_000_000_000)
}

quickcheck! {
    fn differences(a: i64, b: i64) -> bool {
        let zero = std_zero();
        let (ours, theirs) = (Instant::from_nanos(a), std_at(zero, a));
        let (our_other, their_other) = (Instant::from_nanos(b), std_at(zero, b));

        ours.duration_since(our_other) == theirs.duration_since(their_other)
            && ours - our_other == theirs - their_other
            && ours.checked_duration_since(our_other) == theirs.checked_duration_since(their_other)
            && ours.saturating_duration_since(our_other) == theirs.saturating_duration_since(their_other)
    }

    fn sums(ns: i64, seconds: u64, nanos: u32) -> bool {
        let zero = std_zero();
        let (ours, theirs, by) = (Instant::from_nanos(ns), std_at(zero, ns), duration(seconds, nanos));
        let sum = ours.checked_add(by);
        let difference = ours.checked_sub(by);

        sum.map(Instant::as_nanos) == ns_of(zero, theirs.checked_add(by))
            && difference.map(Instant::as_nanos) == ns_of(zero, theirs.checked_sub(by))
            && ours.saturating_add(by) == sum.unwrap_or(Instant::from_nanos(i64::MAX))
    }

    fn operators(ns: i64, seconds: u64, nanos: u32) -> TestResult {
        let (time, by) = (Instant::from_nanos(ns), duration(seconds, nanos));
        let (sum, difference) = match (time.checked_add(by), time.checked_sub(by)) {
            (Some(sum), Some(difference)) => (sum, difference),
            _ => return TestResult::discard(),
        };
        let (mut added, mut subtracted) = (time, time);

        added += by;
        subtracted -= by;
        TestResult::from_bool(time + by == sum && time - by == difference && added == sum && subtracted == difference)
    }

    fn order_and_hash(a: i64, b: i64) -> bool {
        let zero = std_zero();
        let hash = |time: Instant| {
            let mut hasher = DefaultHasher::new();
            time.hash(&mut hasher);
            hasher.finish()
        };
        let (their_a, their_b) = (std_at(zero, a), std_at(zero, b));
        let (a, b) = (Instant::from_nanos(a), Instant::from_nanos(b));

        a.cmp(&b) == their_a.cmp(&their_b) && (a == b) == (their_a == their_b) && (a != b || hash(a) == hash(b))
    }
}

#[test]
fn limits() {
    let (first, last, ns) = (Instant::from_nanos(i64::MIN), Instant::from_nanos(i64::MAX), Duration::from_nanos(1));

    assert_eq!(last - first, Duration::from_nanos(u64::MAX));
    assert_eq!(first - last, Duration::ZERO);
    assert_eq!((last.checked_add(ns), first.checked_sub(ns)), (None, None));
    assert_eq!(first.checked_add(last - first), Some(last));
    assert_eq!(last.checked_sub(last - first), Some(first));
    assert_eq!(first.checked_add(Duration::MAX), None);
    assert_eq!(last.checked_sub(Duration::MAX), None);
    assert_eq!(last + Duration::ZERO, last);
}

/// As those of the standard library.
#[test]
fn operators_panic_where_the_result_does_not_fit() {
    let (first, last, ns) = (Instant::from_nanos(i64::MIN), Instant::from_nanos(i64::MAX), Duration::from_nanos(1));

    assert!(catch_unwind(|| last + ns).is_err());
    assert!(catch_unwind(|| first - ns).is_err());
    assert!(catch_unwind(|| Instant::now() + Duration::MAX).is_err());
    assert!(catch_unwind(|| Instant::now() - Duration::MAX).is_err());
    assert!(catch_unwind(move || {
        let mut time = last;
        time += ns;
    })
    .is_err());
    assert!(catch_unwind(move || {
        let mut time = first;
        time -= ns;
    })
    .is_err());
}

#[test]
fn elapsed_is_zero_for_a_time_to_come() {
    assert_eq!((Instant::now() + Duration::from_secs(3600)).elapsed(), Duration::ZERO);
    let start = Instant::now();
    assert!(start.elapsed() <= start.elapsed());
}
