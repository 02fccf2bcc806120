// SPDX-License-Identifier: MIT
//! waits KIND late COUNT: how late each of COUNT waits of 1 ms ends that nothing ends sooner, in ns; then "cpu" and the
//! CPU time of a wait, in ns.
//! waits KIND results: the results of waits that expire and of those that events end, which are the same in each run.
//! KIND: park, condvar, recv.
use std::collections::VecDeque;
use std::sync::{mpsc, Condvar, Mutex};
use std::thread;
use std::time::{Duration, Instant};

const WARM_UP: usize = 30;
const ITEMS: usize = 200;

/// What a thread waits for: each item ends a wait.
struct Room {
    kind: String,
    queue: Mutex<VecDeque<usize>>,
    some: Condvar,
    sender: Mutex<mpsc::Sender<usize>>,
    receiver: Mutex<mpsc::Receiver<usize>>,
    getter: thread::Thread,
}

impl Room {
    fn new(kind: &str) -> Room {
        let (sender, receiver) = mpsc::channel();
        Room {
            kind: kind.to_string(),
            queue: Mutex::default(),
            some: Condvar::new(),
            sender: Mutex::new(sender),
            receiver: Mutex::new(receiver),
            getter: thread::current(),
        }
    }

    fn put(&self, item: usize) {
        if self.kind == "recv" {
            self.sender.lock().unwrap().send(item).unwrap();
            return;
        }
        self.queue.lock().unwrap().push_back(item);
        if self.kind == "park" {
            self.getter.unpark();
        } else {
            self.some.notify_one();
        }
    }

    fn get(&self, length: Duration) -> Option<usize> {
        match self.kind.as_str() {
            "recv" => self.receiver.lock().unwrap().recv_timeout(length).ok(),
            "condvar" => {
                let queue = self.queue.lock().unwrap();
                self.some.wait_timeout_while(queue, length, |queue| queue.is_empty()).unwrap().0.pop_front()
            }
            _ => self.parked(length),
        }
    }

    /// It may return for no reason.
    fn parked(&self, length: Duration) -> Option<usize> {
        let end = Instant::now() + length;
        loop {
            let item = self.queue.lock().unwrap().pop_front();
            let left = end.saturating_duration_since(Instant::now());
            if item.is_some() || left.is_zero() {
                return item;
            }
            thread::park_timeout(left);
        }
    }
}

fn cpu_ns() -> i64 {
    extern "C" {
        fn clock_gettime(id: i32, ts: *mut [i64; 2]) -> i32;
    }
    let mut ts = [0; 2];
    unsafe { clock_gettime(2, &mut ts) };
    ts[0] * 1_000_000_000 + ts[1]
}

fn late(room: &Room, count: usize) {
    let length = Duration::from_millis(1);
    let mut found = Vec::with_capacity(WARM_UP + count);
    let before = cpu_ns();
    for _ in 0..WARM_UP + count {
        let began = Instant::now();
        room.get(length);
        found.push(began.elapsed().as_nanos() as i128 - length.as_nanos() as i128);
    }
    let cpu = (cpu_ns() - before) / found.len() as i64;
    found.drain(..WARM_UP);
    found.iter().for_each(|ns| println!("{ns}"));
    println!("cpu {cpu}");
}

fn when(began: Instant, length: Duration) -> &'static str {
    if began.elapsed() < length { "early" } else { "in time" }
}

fn expired(room: &Room) {
    let length = Duration::from_millis(4);
    for _ in 0..5 {
        let began = Instant::now();
        println!("{:?}, {}", room.get(length), when(began, length));
    }
}

fn handed_over(room: &Room) {
    let (mut expected, mut all) = (0, "in time");
    thread::scope(|scope| {
        scope.spawn(|| {
            for i in 0..ITEMS {
                thread::sleep(Duration::from_micros((i * 37 % 21 * 100) as u64));
                room.put(i);
            }
        });
        while expected < ITEMS {
            let length = Duration::from_millis(if expected == 0 { 60_000 } else { 1 });
            let began = Instant::now();
            match room.get(length) {
                Some(item) if item == expected => expected += 1,
                Some(item) => println!("{item} instead of {expected}"),
                None if began.elapsed() < length => all = "early",
                None => {}
            }
        }
    });
    println!("{expected} items, {all}");
}

fn main() {
    let words: Vec<String> = std::env::args().collect();
    let room = Room::new(&words[1]);
    if words[2] == "late" {
        late(&room, words[3].parse().unwrap());
    } else {
        expired(&room);
        handed_over(&room);
    }
}
