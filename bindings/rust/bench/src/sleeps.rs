// SPDX-License-Identifier: MIT
//! Sleeps of 1 ms. The kernel's clock that nothing slews measures them, which is no sleeper's own.

use std::io;
use std::mem::MaybeUninit;
use std::time::Duration;

use serde::Serialize;

use crate::spread::Spread;

const SLEEP: Duration = Duration::from_millis(1);
/// Sleeps before the first that counts: hpt and `spin_sleep` learn how late the kernel wakes them.
const FIRST: usize = 50;
/// Sleeps of one candidate in a row.
const BLOCK: usize = 9;

#[derive(Serialize)]
pub struct Sleep {
    pub name: &'static str,
    pub late_us: Spread,
    pub late_min_us: f64,
    pub late_max_us: f64,
    /// CPU time of a sleep, as the mean of each block.
    pub cpu_us: Spread,
}

fn nanoseconds(clock: libc::clockid_t) -> i64 {
    let mut now = MaybeUninit::<libc::timespec>::uninit();
    // SAFETY: the call fills the struct unless it fails, and it fails for unknown clocks alone.
    let now = unsafe {
        assert_eq!(libc::clock_gettime(clock, now.as_mut_ptr()), 0);
        now.assume_init()
    };
    now.tv_sec * 1_000_000_000 + now.tv_nsec
}

/// The median of what two reads, one right after the other, differ by.
pub fn overhead_ns() -> f64 {
    let pair = |_| {
        let before = nanoseconds(libc::CLOCK_MONOTONIC_RAW);
        (nanoseconds(libc::CLOCK_MONOTONIC_RAW) - before) as f64
    };
    Spread::of((0..1000).map(pair).collect()).median()
}

type Candidate = (&'static str, Box<dyn Fn()>);

/// A sleep that somehow ends early shows in its lateness.
fn candidate<T>(name: &'static str, sleep: impl Fn() -> T + 'static) -> Candidate {
    (name, Box::new(move || drop(sleep())))
}

fn candidates() -> io::Result<Vec<Candidate>> {
    let sleeper = hpt::Sleeper::new()?;
    Ok(vec![
        candidate("hpt Sleeper::sleep", move || sleeper.sleep(SLEEP)),
        candidate("hpt sleep", || hpt::sleep(SLEEP)),
        candidate("std thread::sleep", || std::thread::sleep(SLEEP)),
        candidate("spin_sleep sleep", || spin_sleep::sleep(SLEEP)),
    ])
}

#[derive(Clone, Default)]
struct Measured {
    late_us: Vec<f64>,
    cpu_us: Vec<f64>,
}

impl Measured {
    /// A block of sleeps. The first brings the code into the caches, and its lateness is not counted.
    fn block(&mut self, sleep: &dyn Fn()) {
        let cpu = nanoseconds(libc::CLOCK_THREAD_CPUTIME_ID);
        for turn in 0..=BLOCK {
            let before = nanoseconds(libc::CLOCK_MONOTONIC_RAW);
            sleep();
            let after = nanoseconds(libc::CLOCK_MONOTONIC_RAW);
            if turn > 0 {
                self.late_us.push((after - before - SLEEP.as_nanos() as i64) as f64 / 1e3);
            }
        }
        self.cpu_us.push((nanoseconds(libc::CLOCK_THREAD_CPUTIME_ID) - cpu) as f64 / 1e3 / (BLOCK + 1) as f64);
    }

    fn summary(self, name: &'static str) -> Sleep {
        let extreme = |of: fn(f64, f64) -> f64| self.late_us.iter().copied().reduce(of).unwrap_or_default();
        Sleep {
            name,
            late_min_us: extreme(f64::min),
            late_max_us: extreme(f64::max),
            cpu_us: Spread::of(self.cpu_us),
            late_us: Spread::of(self.late_us),
        }
    }
}

pub fn measure(rounds: usize) -> io::Result<Vec<Sleep>> {
    let candidates = candidates()?;
    for (_, sleep) in &candidates {
        (0..FIRST).for_each(|_| sleep());
    }
    let mut measured = vec![Measured::default(); candidates.len()];
    for _ in 0..rounds {
        for ((_, sleep), measured) in candidates.iter().zip(&mut measured) {
            measured.block(sleep);
        }
    }
    Ok(candidates.into_iter().zip(measured).map(|((name, _), measured)| measured.summary(name)).collect())
}
