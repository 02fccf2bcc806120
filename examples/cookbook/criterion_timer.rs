// SPDX-License-Identifier: MIT
//! criterion_timer.rs: benchmarks of criterion by libhpt's clock.
//!
//! ```toml
//! hpt = { path = "libhpt/bindings/rust/hpt", features = ["vendored"] }
//! criterion = { version = "0.5", default-features = false }
//! ```
use criterion::{criterion_group, criterion_main, Criterion};
use hpt::{Clock, Instant};

fn checksum(data: &[u8]) -> u32 {
    data.iter().fold(1, |sum, byte| sum.wrapping_mul(31).wrapping_add(u32::from(*byte)))
}

fn bench(criterion: &mut Criterion) {
    let data = [7; 4096];

    criterion.bench_function("checksum", |bencher| {
        bencher.iter_custom(|rounds| {
            let start = Instant::now();
            for _ in 0..rounds {
                std::hint::black_box(checksum(std::hint::black_box(&data)));
            }
            start.elapsed()
        })
    });
    println!("by {}", Clock::global().info().expect("a clock's facts").source);
}

criterion_group!(benches, bench);
criterion_main!(benches);
