// SPDX-License-Identifier: MIT
//! sleeps late COUNT: how late each of COUNT sleeps of 1 ms ends, in ns.
//! sleeps results: the results of sleeps, which are the same in each run.
use std::sync::{mpsc, Arc, Condvar, Mutex};
use std::thread;
use std::time::{Duration, Instant};

const LENGTH: Duration = Duration::from_millis(4);

fn late(count: usize) {
    let length = Duration::from_millis(1);
    for _ in 0..count {
        let began = Instant::now();
        thread::sleep(length);
        println!("{}", began.elapsed().as_nanos() as i128 - length.as_nanos() as i128);
    }
}

fn result_of(name: &str, nap: impl FnOnce()) {
    let began = Instant::now();
    nap();
    println!("{name} {}", if began.elapsed() < LENGTH { "early" } else { "in time" });
}

fn condvar() {
    let pair = (Mutex::new(false), Condvar::new());
    let (_guard, result) = pair.1.wait_timeout_while(pair.0.lock().unwrap(), LENGTH, |done| !*done).unwrap();
    println!("timed out: {}", result.timed_out());
}

fn notified() {
    let pair = Arc::new((Mutex::new(false), Condvar::new()));
    let other = Arc::clone(&pair);
    let thread = thread::spawn(move || {
        thread::sleep(LENGTH);
        *other.0.lock().unwrap() = true;
        other.1.notify_one();
    });
    let long = Duration::from_secs(60);
    let (_guard, result) = pair.1.wait_timeout_while(pair.0.lock().unwrap(), long, |done| !*done).unwrap();
    println!("notified: {}", !result.timed_out());
    thread.join().unwrap();
}

fn results() {
    for _ in 0..5 {
        result_of("sleep", || thread::sleep(LENGTH));
        result_of("wait_timeout", condvar);
    }
    let (_sender, receiver) = mpsc::channel::<()>();
    result_of("recv_timeout", || println!("{:?}", receiver.recv_timeout(LENGTH)));
    notified();
}

fn main() {
    let words: Vec<String> = std::env::args().collect();
    match words[1].as_str() {
        "late" => late(words[2].parse().unwrap()),
        _ => results(),
    }
}
