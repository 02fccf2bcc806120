// SPDX-License-Identifier: MIT
//! A ticker in tokio: `cargo run --release --example tokio_ticker`.
//!
//! The event loop waits for the ticker's descriptor, which is readable a margin before each tick. Then `wait()` blocks
//! the loop until the tick. The example prints for how long, and how late the ticks are.
//!
//! Exit status: 0; 1 if a tick was early or did not come; 2 for arguments that are no numbers.

use hpt::{FdTicker, Instant, Policy, Tick, Ticker, Wake};
use std::io;
use std::process::ExitCode;
use std::time::Duration;
use tokio::io::unix::AsyncFd;
use tokio::io::Interest;

/// The loop does nothing else for this long before a tick, at most.
const SPIN: Duration = Duration::from_micros(50);

/// A ticker that tasks wait for.
struct AsyncTicker(AsyncFd<FdTicker>);

impl AsyncTicker {
    fn new(ticker: Ticker) -> io::Result<Self> {
        AsyncFd::with_interest(ticker.into_fd()?, Interest::READABLE).map(Self)
    }

    /// The next tick, and how long the loop was blocked for it. If the future is dropped, the tick is due in the next
    /// call.
    async fn tick(&self) -> io::Result<(Tick, Duration)> {
        let mut guard = self.0.readable().await?;
        let start = Instant::now();

        // wait() arms the descriptor for the next tick, and an event of that one stays after this.
        guard.clear_ready();
        let tick = guard.get_inner().wait()?;
        Ok((tick, start.elapsed()))
    }
}

/// Sorted nanoseconds: how late each tick was, and how long the loop was blocked for it.
async fn measure(ticker: &AsyncTicker, start: Instant, period: Duration, count: u32) -> io::Result<[Vec<i128>; 2]> {
    let (mut late, mut blocked, mut index) = (Vec::new(), Vec::new(), 0);

    for _ in 0..count {
        let (tick, blocks) = ticker.tick().await?;
        let now = Instant::now();
        index += 1 + u32::try_from(tick.missed).unwrap_or(0);
        if tick.wake == Wake::Reached {
            late.push(i128::from(now.as_nanos()) - i128::from((start + period * index).as_nanos()));
            blocked.push(blocks.as_nanos() as i128);
        }
    }
    late.sort_unstable();
    blocked.sort_unstable();
    Ok([late, blocked])
}

async fn run(period: Duration, count: u32) -> io::Result<bool> {
    let start = Instant::now();
    let options = Ticker::builder().first(start + period);
    let ticker = AsyncTicker::new(options.policy(Policy::Spin).max_spin(SPIN).every(period)?)?;
    // The loop goes on with other tasks between the ticks.
    let other = tokio::spawn(async {
        loop {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    });
    let [late, blocked] = measure(&ticker, start, period, count).await?;

    other.abort();
    for (times, what) in [(&late, "late"), (&blocked, "blocking the loop")] {
        let (least, most) = (times.first().unwrap_or(&0), times.last().unwrap_or(&0));
        println!(
            "{} ticks, {what} by a median of {} ns: {least} to {most}",
            times.len(),
            times.get(times.len() / 2).unwrap_or(&0)
        );
    }
    Ok(late.first().map_or(false, |least| *least >= 0))
}

fn arguments() -> Option<(u64, u32)> {
    let mut arguments = std::env::args().skip(1);
    let period_us = arguments.next().map_or(Some(2000), |text| text.parse().ok())?;
    let count = arguments.next().map_or(Some(500), |text| text.parse().ok())?;

    (arguments.next().is_none() && period_us > 0 && count > 0).then_some((period_us, count))
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let (period_us, count) = match arguments() {
        Some(numbers) => numbers,
        None => {
            eprintln!("usage: tokio_ticker [PERIOD_US [COUNT]]");
            return ExitCode::from(2);
        }
    };

    match run(Duration::from_micros(period_us), count).await {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => {
            eprintln!("tokio_ticker: a tick was early or did not come");
            ExitCode::from(1)
        }
        Err(error) => {
            eprintln!("tokio_ticker: {error}");
            ExitCode::from(1)
        }
    }
}
