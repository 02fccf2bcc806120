// SPDX-License-Identifier: MIT
//! tokio_ticks.rs: a period and a sleep that end on time in tokio, while other tasks run.
//!
//! ```toml
//! hpt = { path = "libhpt/bindings/rust/hpt", features = ["tokio", "vendored"] }
//! tokio = { version = "1", features = ["macros", "net", "rt", "time"] }
//! ```
use hpt::tokio::AsyncTicker;
use hpt::Ticker;
use std::time::Duration;

async fn control() -> std::io::Result<u64> {
    let mut ticker = AsyncTicker::new(Ticker::new(Duration::from_millis(2))?)?;
    let mut number = 0;

    while number < 50 {
        number += 1 + ticker.tick().await?.missed;
    }
    Ok(number)
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> std::io::Result<()> {
    let start = hpt::Instant::now();
    let ticks = tokio::spawn(control());

    for _ in 0..10 {
        hpt::tokio::sleep(Duration::from_millis(5)).await?;
    }
    println!("no sleep was early: {}", start.elapsed() >= Duration::from_millis(50));
    println!("{} ticks", ticks.await??);
    Ok(())
}
