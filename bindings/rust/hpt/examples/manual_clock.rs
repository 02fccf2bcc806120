// SPDX-License-Identifier: MIT
//! A program that sleeps, and its test, which takes no real time: `cargo test --example manual_clock`.

use hpt::{Clock, Sleeper, Wake};
use std::io;
use std::time::Duration;

/// Calls `work` every `period` until `work` returns false; gives up at the time limit.
struct Poller<'a> {
    sleeper: &'a Sleeper,
    period: Duration,
    limit: Duration,
}

#[derive(Debug, PartialEq, Eq)]
enum Outcome {
    Done,
    TimedOut,
    Stopped,
}

impl Poller<'_> {
    fn run(&self, mut work: impl FnMut() -> bool) -> io::Result<Outcome> {
        let start = self.sleeper.clock().instant();
        let end = start.saturating_add(self.limit);
        let mut next = start;

        while work() {
            next = next.saturating_add(self.period);
            if next > end {
                return Ok(Outcome::TimedOut);
            }
            if self.sleeper.sleep_until(next)? == Wake::Interrupted {
                return Ok(Outcome::Stopped);
            }
        }
        Ok(Outcome::Done)
    }
}

fn main() -> io::Result<()> {
    let sleeper = Sleeper::builder().clock(Clock::global()).build()?;
    let poller = Poller { sleeper: &sleeper, period: Duration::from_millis(2), limit: Duration::from_secs(1) };
    let mut left = 3;

    let outcome = poller.run(|| {
        left -= 1;
        left > 0
    })?;
    println!("{outcome:?}");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use hpt::ManualClock;
    use std::thread;

    const HOUR: Duration = Duration::from_secs(3600);

    /// Runs a poller of an hour on a manual clock while `drive` moves the clock.
    fn outcome(drive: impl FnOnce(&ManualClock, &Sleeper)) -> Outcome {
        let clock = ManualClock::new().unwrap();
        let sleeper = Sleeper::builder().clock(&clock).build().unwrap();
        let poller = Poller { sleeper: &sleeper, period: HOUR, limit: 5 * HOUR };

        thread::scope(|scope| {
            let thread = scope.spawn(|| poller.run(|| clock.instant().as_nanos() < 7_200_000_000_000));
            drive(&clock, &sleeper);
            thread.join().unwrap().unwrap()
        })
    }

    #[test]
    fn done_after_two_hours() {
        let outcome = outcome(|clock, _| {
            for _ in 0..2 {
                clock.wait_for_sleepers(1);
                clock.advance(HOUR).unwrap();
            }
        });
        assert_eq!(outcome, Outcome::Done);
    }

    #[test]
    fn stopped_while_asleep() {
        let outcome = outcome(|clock, sleeper| {
            clock.wait_for_sleepers(1);
            sleeper.interrupt();
        });
        assert_eq!(outcome, Outcome::Stopped);
    }

    #[test]
    fn times_out() {
        let clock = ManualClock::new().unwrap();
        let sleeper = Sleeper::builder().clock(&clock).build().unwrap();
        let poller = Poller { sleeper: &sleeper, period: HOUR, limit: HOUR / 2 };

        assert_eq!(poller.run(|| true).unwrap(), Outcome::TimedOut);
    }
}
