// SPDX-License-Identifier: MIT
//! `hpt-bench [--json] [--rounds N]`: the cost of a read of the time, and the lateness of a sleep of 1 ms, by hpt, by
//! std and by other crates.
//!
//! All take turns in each of N rounds (100), so that a change of the machine's speed or load meets all of them. A
//! figure of reads is that of a loop of 2000 reads. A figure of sleeps is that of one sleep, of which a round has nine
//! in a row. `CLOCK_MONOTONIC_RAW`, read before and after it, shows how late it is; two such reads add what is printed.

mod reads;
mod sleeps;
mod spread;

use std::process::exit;

use serde::Serialize;

#[derive(Serialize)]
struct Report {
    /// The source of hpt's default clock.
    source: String,
    rounds: usize,
    reads: Vec<reads::Read>,
    /// Nanoseconds that the measurement adds to each sleep's lateness.
    sleep_overhead_ns: f64,
    sleeps: Vec<sleeps::Sleep>,
}

struct Options {
    json: bool,
    rounds: usize,
}

fn options() -> Options {
    let mut options = Options { json: false, rounds: 100 };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--json" => options.json = true,
            "--rounds" => {
                options.rounds = words.next().and_then(|n| n.parse().ok()).filter(|&n| n > 0).unwrap_or_else(usage)
            }
            _ => usage(),
        }
    }
    options
}

fn usage<T>() -> T {
    eprintln!("usage: hpt-bench [--json] [--rounds N]");
    exit(2)
}

fn print(report: &Report) {
    println!("hpt's clock: {}; {} rounds; median [10 %, 90 %]", report.source, report.rounds);
    println!("\nns a read");
    for read in &report.reads {
        println!("  {:<32} {}", read.name, read.ns);
    }
    println!(
        "\nus that a sleep of 1 ms is late (measured with {:.0} ns of its own), and us of CPU time",
        report.sleep_overhead_ns
    );
    for sleep in &report.sleeps {
        println!("  {:<32} {}  {}", sleep.name, sleep.late_us, sleep.cpu_us);
    }
}

fn main() -> std::io::Result<()> {
    let options = options();
    let source = hpt::Clock::global().info()?.source.to_string();
    let report = Report {
        source,
        rounds: options.rounds,
        reads: reads::measure(options.rounds),
        sleep_overhead_ns: sleeps::overhead_ns(),
        sleeps: sleeps::measure(options.rounds)?,
    };
    if options.json {
        println!("{}", serde_json::to_string_pretty(&report)?);
    } else {
        print(&report);
    }
    Ok(())
}
