// SPDX-License-Identifier: MIT
//! Reads of the time, in loops whose time std's clock measures.

use std::hint::black_box;
use std::time::Instant;

use serde::Serialize;

use crate::spread::Spread;

const READS: u32 = 2000;

#[derive(Serialize)]
pub struct Read {
    pub name: &'static str,
    pub ns: Spread,
}

/// One candidate: its name, and a loop of reads that returns nanoseconds a read.
type Candidate = (&'static str, Box<dyn Fn() -> f64>);

fn candidate<T>(name: &'static str, read: impl Fn() -> T + 'static) -> Candidate {
    let timed = move || {
        let before = Instant::now();
        for _ in 0..READS {
            black_box(read());
        }
        before.elapsed().as_secs_f64() * 1e9 / f64::from(READS)
    };
    (name, Box::new(timed))
}

fn candidates() -> Vec<Candidate> {
    let clock = hpt::Clock::global();
    let (ticks, unordered, ns) = (clock.clone(), clock.clone(), clock);
    let quanta_clock = quanta::Clock::new();
    vec![
        candidate("hpt Clock::now", move || ticks.now()),
        candidate("hpt Clock::now_unordered", move || unordered.now_unordered()),
        candidate("hpt Clock::now_ns", move || ns.now_ns()),
        candidate("hpt Instant::now", hpt::Instant::now),
        candidate("std Instant::now", Instant::now),
        candidate("quanta Clock::raw", move || quanta_clock.raw()),
        candidate("quanta Instant::now", quanta::Instant::now),
        candidate("minstant Instant::now", minstant::Instant::now),
    ]
}

pub fn measure(rounds: usize) -> Vec<Read> {
    let candidates = candidates();
    let mut costs = vec![Vec::with_capacity(rounds); candidates.len()];
    // The first round is not counted: it brings code and calibration into place.
    for round in 0..=rounds {
        for ((_, timed), costs) in candidates.iter().zip(&mut costs) {
            let cost = timed();
            if round > 0 {
                costs.push(cost);
            }
        }
    }
    let reads = candidates.into_iter().zip(costs);
    reads.map(|((name, _), costs)| Read { name, ns: Spread::of(costs) }).collect()
}
