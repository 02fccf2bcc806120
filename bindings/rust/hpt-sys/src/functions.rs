// SPDX-License-Identifier: MIT
//! The functions, in the order of the headers, which document them in full: results, threads, signals and cost.
//!
//! Results of type `c_int` are 0, a positive number that the header explains, or a negative errno value.

use libc::{c_char, c_int, epoll_event, pollfd};

use crate::{
    hpt_clock, hpt_clock_info, hpt_cpu_info, hpt_gate, hpt_hlc, hpt_hlc_info, hpt_mmio, hpt_sample, hpt_sleep_info,
    hpt_source_info, hpt_ticker, hpt_ticker_info, hpt_time_t, hpt_timebase, hpt_timespec, hpt_waiter, hpt_wall,
    hpt_wall_config, hpt_wall_info, hpt_wall_sample, hpt_wall_source_info, hpt_wall_time,
};

// hpt/clock.h: clocks, their reads and their state.
extern "C" {
    /// The process's default clock.
    pub fn hpt_clock_default() -> *mut hpt_clock;

    /// A new clock on a given source.
    #[must_use]
    pub fn hpt_clock_open(source: u32, flags: u32, ret: *mut *mut hpt_clock) -> c_int;

    /// One more holder of a clock.
    pub fn hpt_clock_ref(clk: *mut hpt_clock) -> *mut hpt_clock;

    /// One holder of a clock less.
    pub fn hpt_clock_close(clk: *mut hpt_clock);

    /// Choose the default clock's source (the papers' SetTimerSource).
    pub fn hpt_clock_set_default_source(source: u32, flags: u32) -> c_int;

    /// Make a clock the default: a manual or an MMIO clock, so that code that uses a null pointer can be tested.
    pub fn hpt_clock_set_default(clk: *mut hpt_clock, flags: u32) -> c_int;

    /// A clock that stands still until [`hpt_clock_advance`].
    #[must_use]
    pub fn hpt_clock_new_manual(frequency_hz: u64, start: hpt_time_t, flags: u32, ret: *mut *mut hpt_clock) -> c_int;

    /// Move a manual clock forward, and end the sleeps whose deadline it reaches.
    pub fn hpt_clock_advance(clk: *mut hpt_clock, ticks: i64) -> c_int;

    /// How many threads sleep on a manual clock.
    pub fn hpt_clock_sleepers(clk: *mut hpt_clock) -> u32;

    /// The present time in ticks; ordered.
    pub fn hpt_now(clk: *mut hpt_clock) -> hpt_time_t;

    /// The present time in ticks, by the bare counter instruction.
    pub fn hpt_now_unordered(clk: *mut hpt_clock) -> hpt_time_t;

    /// The present time in ticks, and the CPU that the counter was read on; ordered.
    pub fn hpt_now_cpu(clk: *mut hpt_clock, ret_cpu: *mut u32) -> hpt_time_t;

    /// The present time in nanoseconds on CLOCK_MONOTONIC_RAW's timeline; ordered.
    pub fn hpt_now_ns(clk: *mut hpt_clock) -> i64;

    /// The present time on [`hpt_now_ns`]'s timeline, by the bare counter instruction.
    pub fn hpt_now_ns_unordered(clk: *mut hpt_clock) -> i64;

    /// The present time in nanoseconds since 1970-01-01 00:00 UTC; ordered as [`hpt_now_ns`].
    pub fn hpt_now_unix_ns(clk: *mut hpt_clock) -> i64;

    /// The present time on CLOCK_MONOTONIC's line, without the kernel; ordered as [`hpt_now_ns`].
    pub fn hpt_now_monotonic_ns(clk: *mut hpt_clock) -> i64;

    /// The present time on CLOCK_BOOTTIME's line, without the kernel.
    pub fn hpt_now_boottime_ns(clk: *mut hpt_clock) -> i64;

    /// The present time on CLOCK_TAI's line, without the kernel.
    pub fn hpt_now_tai_ns(clk: *mut hpt_clock) -> i64;

    /// Compare a clock with the system's clocks now.
    pub fn hpt_clock_check(clk: *mut hpt_clock, ret_generation: *mut u64) -> c_int;

    /// The present generation of a clock's conversions.
    pub fn hpt_clock_generation(clk: *mut hpt_clock) -> u64;
}

// hpt/time.h: times, durations and conversions.
extern "C" {
    /// A duration in ticks as nanoseconds.
    pub fn hpt_ticks_to_ns(clk: *mut hpt_clock, ticks: i64) -> i64;

    /// A duration in nanoseconds as ticks.
    pub fn hpt_ns_to_ticks(clk: *mut hpt_clock, ns: i64) -> i64;

    /// A duration in ticks as seconds and nanoseconds.
    #[must_use]
    pub fn hpt_ticks_to_timespec(clk: *mut hpt_clock, ticks: i64, ret: *mut hpt_timespec) -> c_int;

    /// A duration in ticks as text: -12.345678901 s.
    #[must_use]
    pub fn hpt_ticks_format(clk: *mut hpt_clock, ticks: i64, buf: *mut c_char, size: usize) -> c_int;

    /// A time and a duration in nanoseconds.
    #[must_use]
    pub fn hpt_time_add_ns(clk: *mut hpt_clock, t: hpt_time_t, amount: i64, ret: *mut hpt_time_t) -> c_int;

    /// A time of the clock as nanoseconds on [`hpt_now_ns`]'s timeline.
    #[must_use]
    pub fn hpt_time_to_ns(clk: *mut hpt_clock, t: hpt_time_t, ret: *mut i64) -> c_int;

    /// Nanoseconds on [`hpt_now_ns`]'s timeline as a time of the clock.
    #[must_use]
    pub fn hpt_time_from_ns(clk: *mut hpt_clock, ns: i64, ret: *mut hpt_time_t) -> c_int;

    /// A time of the clock as time of one of the kernel's clocks.
    #[must_use]
    pub fn hpt_time_to_os(clk: *mut hpt_clock, t: hpt_time_t, clockid: i32, ret: *mut i64) -> c_int;

    /// Time of one of the kernel's clocks as a time of the clock.
    #[must_use]
    pub fn hpt_time_from_os(clk: *mut hpt_clock, ns: i64, clockid: i32, ret: *mut hpt_time_t) -> c_int;

    /// A time of the clock as Unix time.
    #[must_use]
    pub fn hpt_time_to_unix_ns(clk: *mut hpt_clock, t: hpt_time_t, ret: *mut i64) -> c_int;

    /// Unix time as a time of the clock.
    #[must_use]
    pub fn hpt_time_from_unix_ns(clk: *mut hpt_clock, unix_ns: i64, ret: *mut hpt_time_t) -> c_int;

    /// A time of the clock as Unix time in seconds and nanoseconds.
    #[must_use]
    pub fn hpt_time_to_timespec(clk: *mut hpt_clock, t: hpt_time_t, ret: *mut hpt_timespec) -> c_int;

    /// Unix time in seconds and nanoseconds as a time of the clock.
    #[must_use]
    pub fn hpt_time_from_timespec(clk: *mut hpt_clock, ts: *const hpt_timespec, ret: *mut hpt_time_t) -> c_int;

    /// A time of the clock as ticks since 1970 (the papers' value of a timer).
    #[must_use]
    pub fn hpt_time_to_unix_ticks(clk: *mut hpt_clock, t: hpt_time_t, ret: *mut i64) -> c_int;

    /// The earliest time of the clock that [`hpt_time_to_unix_ns`] can convert.
    pub fn hpt_time_min(clk: *mut hpt_clock) -> hpt_time_t;

    /// The latest time of the clock that [`hpt_time_to_unix_ns`] can convert.
    pub fn hpt_time_max(clk: *mut hpt_clock) -> hpt_time_t;

    /// A time of the clock as text: 2026-11-20T10:47:59.123456789Z.
    #[must_use]
    pub fn hpt_time_format(clk: *mut hpt_clock, t: hpt_time_t, buf: *mut c_char, size: usize) -> c_int;

    /// Text as a time of the clock.
    #[must_use]
    pub fn hpt_time_parse(clk: *mut hpt_clock, text: *const c_char, ret: *mut hpt_time_t) -> c_int;
}

// hpt/sleep.h: sleeps.
extern "C" {
    /// Sleep for a duration.
    pub fn hpt_sleep_ns(clk: *mut hpt_clock, amount: i64) -> c_int;

    /// Sleep until a time of the clock.
    pub fn hpt_sleep_until_ticks(clk: *mut hpt_clock, deadline: hpt_time_t) -> c_int;

    /// Sleep until a time on [`hpt_now_ns`]'s timeline.
    pub fn hpt_sleep_until_ns(clk: *mut hpt_clock, ns: i64) -> c_int;

    /// Sleep until a Unix time (the papers' SleepToThis by their text).
    pub fn hpt_sleep_until_unix_ns(clk: *mut hpt_clock, unix_ns: i64) -> c_int;

    /// The policy of all sleeps of the process.
    pub fn hpt_sleep_set_policy(policy: u32, max_spin_ns: i64) -> c_int;

    /// What the calling thread has learned, and how its sleeps ended.
    #[must_use]
    pub fn hpt_sleep_get_info(ret: *mut hpt_sleep_info, size: usize) -> c_int;
}

// hpt/waiter.h: sleeps that can be interrupted: waiters and gates.
extern "C" {
    /// An object that one thread at a time sleeps on.
    #[must_use]
    pub fn hpt_waiter_new(clk: *mut hpt_clock, flags: u32, ret: *mut *mut hpt_waiter) -> c_int;

    /// Give a waiter back.
    pub fn hpt_waiter_free(w: *mut hpt_waiter);

    /// Sleep for a duration, or until interrupted.
    pub fn hpt_waiter_sleep_ns(w: *mut hpt_waiter, ns: i64) -> c_int;

    /// Sleep until a time of the waiter's clock, or until interrupted.
    pub fn hpt_waiter_sleep_until_ticks(w: *mut hpt_waiter, deadline: hpt_time_t) -> c_int;

    /// Sleep until a time on [`hpt_now_ns`]'s timeline, or until interrupted.
    pub fn hpt_waiter_sleep_until_ns(w: *mut hpt_waiter, ns: i64) -> c_int;

    /// Sleep until a Unix time, or until interrupted.
    pub fn hpt_waiter_sleep_until_unix_ns(w: *mut hpt_waiter, unix_ns: i64) -> c_int;

    /// End the sleep on a waiter, or the next one.
    pub fn hpt_waiter_interrupt(w: *mut hpt_waiter) -> c_int;

    /// Remove a pending interrupt.
    pub fn hpt_waiter_clear(w: *mut hpt_waiter) -> c_int;

    /// The time that was left when the latest sleep on a waiter ended.
    #[must_use]
    pub fn hpt_waiter_remaining_ns(w: *mut hpt_waiter, ret: *mut i64) -> c_int;

    /// The policy of sleeps on a waiter.
    pub fn hpt_waiter_set_policy(w: *mut hpt_waiter, policy: u32, max_spin_ns: i64) -> c_int;

    /// The clock of a waiter.
    pub fn hpt_waiter_clock(w: *mut hpt_waiter) -> *mut hpt_clock;

    /// An object that any number of threads wait on.
    #[must_use]
    pub fn hpt_gate_new(clk: *mut hpt_clock, flags: u32, ret: *mut *mut hpt_gate) -> c_int;

    /// Give a gate back.
    pub fn hpt_gate_free(g: *mut hpt_gate);

    /// A ticket for the next wait on a gate.
    pub fn hpt_gate_ticket(g: *mut hpt_gate) -> u32;

    /// Wait until notified, or until a time on [`hpt_now_ns`]'s timeline.
    pub fn hpt_gate_wait_until_ns(g: *mut hpt_gate, ticket: u32, ns: i64) -> c_int;

    /// Wait until notified, or until a time of the gate's clock.
    pub fn hpt_gate_wait_until_ticks(g: *mut hpt_gate, ticket: u32, deadline: hpt_time_t) -> c_int;

    /// Wake all threads that wait on a gate, and those that hold a ticket.
    pub fn hpt_gate_notify_all(g: *mut hpt_gate) -> c_int;

    /// Wake all threads that wait on a gate, and refuse later waits.
    pub fn hpt_gate_shut(g: *mut hpt_gate) -> c_int;

    /// Allow waits on a shut gate again.
    pub fn hpt_gate_reopen(g: *mut hpt_gate) -> c_int;

    /// The policy of waits on a gate.
    pub fn hpt_gate_set_policy(g: *mut hpt_gate, policy: u32, max_spin_ns: i64) -> c_int;

    /// The clock of a gate.
    pub fn hpt_gate_clock(g: *mut hpt_gate) -> *mut hpt_clock;
}

// hpt/ticker.h: periods.
extern "C" {
    /// A period that begins now.
    #[must_use]
    pub fn hpt_ticker_new(clk: *mut hpt_clock, period_ns: i64, flags: u32, ret: *mut *mut hpt_ticker) -> c_int;

    /// Give a ticker back, and close its descriptor.
    pub fn hpt_ticker_free(t: *mut hpt_ticker);

    /// Set another phase or period, or a single tick.
    pub fn hpt_ticker_start(t: *mut hpt_ticker, first_ns: i64, period_ns: i64) -> c_int;

    /// Set a period that is not a whole number of nanoseconds, without drift.
    pub fn hpt_ticker_start_rational(t: *mut hpt_ticker, first_ns: i64, num: u32, den: u32) -> c_int;

    /// What happens to missed ticks.
    pub fn hpt_ticker_set_missed(t: *mut hpt_ticker, missed: u32, most: u64) -> c_int;

    /// The policy of waits for a ticker.
    pub fn hpt_ticker_set_policy(t: *mut hpt_ticker, policy: u32, max_spin_ns: i64) -> c_int;

    /// Wait for the next tick.
    pub fn hpt_ticker_wait(t: *mut hpt_ticker, ret_missed: *mut u64) -> c_int;

    /// End the wait for a ticker, or the next one.
    pub fn hpt_ticker_interrupt(t: *mut hpt_ticker) -> c_int;

    /// A descriptor for event loops, readable a margin before each tick.
    pub fn hpt_ticker_fd(t: *mut hpt_ticker) -> c_int;

    /// The time of the next tick.
    #[must_use]
    pub fn hpt_ticker_next_ns(t: *mut hpt_ticker, ret: *mut i64) -> c_int;

    /// How many ticks a ticker has had, and how late they were.
    #[must_use]
    pub fn hpt_ticker_get_info(t: *mut hpt_ticker, ret: *mut hpt_ticker_info, size: usize) -> c_int;

    /// The clock of a ticker.
    pub fn hpt_ticker_clock(t: *mut hpt_ticker) -> *mut hpt_clock;
}

// hpt/timebase.h: time bases and cross-timestamps.
extern "C" {
    /// A present tick of the clock on all timelines (cross-timestamp).
    #[must_use]
    pub fn hpt_clock_sample(clk: *mut hpt_clock, ret: *mut hpt_sample, size: usize) -> c_int;

    /// A present time base of a clock.
    #[must_use]
    pub fn hpt_clock_get_timebase(clk: *mut hpt_clock, ret: *mut hpt_timebase, size: usize) -> c_int;

    /// Ticks as nanoseconds on [`hpt_now_ns`]'s timeline, by time bases.
    #[must_use]
    pub fn hpt_timebase_to_ns(
        first: *const hpt_timebase,
        last: *const hpt_timebase,
        ticks: *const i64,
        ret: *mut i64,
        n: usize,
    ) -> c_int;

    /// As [`hpt_timebase_to_ns`], to nanoseconds since 1970-01-01 00:00 UTC.
    #[must_use]
    pub fn hpt_timebase_to_unix_ns(
        first: *const hpt_timebase,
        last: *const hpt_timebase,
        ticks: *const i64,
        ret: *mut i64,
        n: usize,
    ) -> c_int;
}

// hpt/info.h: facts about clocks and sources; names and the version.
extern "C" {
    /// Facts about a clock.
    #[must_use]
    pub fn hpt_clock_get_info(clk: *mut hpt_clock, ret: *mut hpt_clock_info, size: usize) -> c_int;

    /// Facts about a source: whether it can be used, and why.
    #[must_use]
    pub fn hpt_source_get_info(source: u32, ret: *mut hpt_source_info, size: usize) -> c_int;

    /// "auto", "tsc", "hpet", "os", "arch", "mmio", "manual".
    pub fn hpt_source_name(source: u32) -> *const c_char;

    /// The source of a name.
    #[must_use]
    pub fn hpt_source_parse(name: *const c_char, ret: *mut u32) -> c_int;

    /// "ok", "reanchored", "disrupted", "demoted".
    pub fn hpt_state_name(state: u32) -> *const c_char;

    /// "untried", "cpu", "open", "map", "caps", "counting", "usable".
    pub fn hpt_stage_name(stage: u32) -> *const c_char;

    /// "none", "exact", "register", "measured", "kernel".
    pub fn hpt_origin_name(origin: u32) -> *const c_char;

    /// The sentence that belongs to a reason.
    pub fn hpt_reason_text(reason: u32) -> *const c_char;

    /// The version of the library that runs.
    pub fn hpt_version() -> *const c_char;

    /// The version of the library that runs, for comparisons.
    pub fn hpt_version_number() -> u32;
}

// hpt/system.h: the processor, the kernel's timer, the thread's time slice and idle CPUs.
extern "C" {
    /// What CPUID states about this processor.
    #[must_use]
    pub fn hpt_cpu_get_info(ret: *mut hpt_cpu_info, size: usize) -> c_int;

    /// The kernel's timer frequency.
    pub fn hpt_kernel_hz() -> u32;

    /// The calling thread's time slice.
    pub fn hpt_thread_set_slice_ns(ns: i64) -> c_int;

    /// Keep all CPUs of the machine out of deep idle states while a descriptor is open.
    #[must_use]
    pub fn hpt_low_latency_open(max_us: i32) -> c_int;
}

// hpt/wait.h: waits for descriptors that end on time.
extern "C" {
    /// Wait for descriptors as poll(2), until a time on `hpt_now_ns()`'s timeline.
    pub fn hpt_waiter_poll_until_ns(w: *mut hpt_waiter, fds: *mut pollfd, n: u32, at: i64) -> c_int;

    /// Wait for the events of an epoll set, until a time on `hpt_now_ns()`'s timeline.
    pub fn hpt_waiter_epoll_until_ns(
        w: *mut hpt_waiter,
        epfd: c_int,
        events: *mut epoll_event,
        max: u32,
        at: i64,
    ) -> c_int;

    /// A descriptor that is readable while an interrupt of a waiter is pending.
    pub fn hpt_waiter_fd(w: *mut hpt_waiter) -> c_int;

    /// Sleep until a time of a clock of the kernel.
    pub fn hpt_sleep_until_os_ns(clk: *mut hpt_clock, clockid: i32, at: i64) -> c_int;

    /// Sleep until a time of a clock of the kernel, or until interrupted.
    pub fn hpt_waiter_sleep_until_os_ns(w: *mut hpt_waiter, clockid: i32, at: i64) -> c_int;

    /// How long before its deadline a wait of the program's own is to end.
    #[must_use]
    pub fn hpt_waiter_margin_ns(w: *mut hpt_waiter, left_ns: i64, ret: *mut i64) -> c_int;

    /// Teach the calling thread how late a wait of the program's own was.
    pub fn hpt_waiter_learn_ns(w: *mut hpt_waiter, asked_at: i64, woke_at: i64) -> c_int;
}

// hpt/mmio.h: memory-mapped counters.
extern "C" {
    /// A new clock on a memory-mapped counter.
    #[must_use]
    pub fn hpt_clock_open_mmio(mmio: *const hpt_mmio, size: usize, flags: u32, ret: *mut *mut hpt_clock) -> c_int;
}

// hpt/wall.h: intervals that contain UTC, and by hpt/hlc.h timestamps that strictly increase.
extern "C" {
    /// A wall on a clock.
    #[must_use]
    pub fn hpt_wall_open(
        clk: *mut hpt_clock,
        config: *const hpt_wall_config,
        size: usize,
        flags: u32,
        ret: *mut *mut hpt_wall,
    ) -> c_int;

    /// One more holder of a wall.
    pub fn hpt_wall_ref(w: *mut hpt_wall) -> *mut hpt_wall;

    /// One holder of a wall less; the last one frees it.
    pub fn hpt_wall_close(w: *mut hpt_wall);

    /// An interval that contains UTC now.
    #[must_use]
    pub fn hpt_wall_now(w: *mut hpt_wall, ret: *mut hpt_wall_time) -> c_int;

    /// An interval that contained UTC when the clock showed a tick.
    #[must_use]
    pub fn hpt_wall_at(w: *mut hpt_wall, t: hpt_time_t, ret: *mut hpt_wall_time) -> c_int;

    /// An interval that contained UTC when a clock of the kernel showed a time.
    #[must_use]
    pub fn hpt_wall_at_os_ns(w: *mut hpt_wall, clockid: i32, ns: i64, ret: *mut hpt_wall_time, size: usize) -> c_int;

    /// Is UTC surely after a time?
    pub fn hpt_wall_after(w: *mut hpt_wall, unix_ns: i64) -> c_int;

    /// Is UTC surely before a time?
    pub fn hpt_wall_before(w: *mut hpt_wall, unix_ns: i64) -> c_int;

    /// Add a sample of the program's own.
    pub fn hpt_wall_feed(w: *mut hpt_wall, sample: *const hpt_wall_sample, size: usize) -> c_int;

    /// Ask all sources.
    pub fn hpt_wall_update(w: *mut hpt_wall) -> c_int;

    /// Facts about a wall.
    #[must_use]
    pub fn hpt_wall_get_info(w: *mut hpt_wall, ret: *mut hpt_wall_info, size: usize) -> c_int;

    /// A descriptor for event loops that is readable as the bound is lost or gained.
    #[must_use]
    pub fn hpt_wall_fd(w: *mut hpt_wall) -> c_int;

    /// Look at a wall, and make its descriptor unreadable until the bound is lost or gained again.
    pub fn hpt_wall_fd_clear(w: *mut hpt_wall) -> c_int;

    /// Facts about a source of a wall.
    #[must_use]
    pub fn hpt_wall_source_get_info(
        w: *mut hpt_wall,
        source: u32,
        ret: *mut hpt_wall_source_info,
        size: usize,
    ) -> c_int;

    /// A time of UTC as TAI.
    #[must_use]
    pub fn hpt_wall_to_tai_ns(w: *mut hpt_wall, unix_ns: i64, ret: *mut i64) -> c_int;

    /// Wait until UTC is surely after a time (commit wait).
    #[must_use]
    pub fn hpt_wall_wait_after(w: *mut hpt_wall, unix_ns: i64, timeout_ns: i64) -> c_int;

    /// The same on a waiter, so that it can be interrupted.
    #[must_use]
    pub fn hpt_wall_wait_after_on(w: *mut hpt_wall, waiter: *mut hpt_waiter, unix_ns: i64, timeout_ns: i64) -> c_int;

    /// Wait until a wall has a bound: at a program's start.
    #[must_use]
    pub fn hpt_wall_wait_ready(w: *mut hpt_wall, max_width_ns: i64, timeout_ns: i64) -> c_int;

    /// Sleep until a moment of UTC, the same on machines that do not talk to each other.
    #[must_use]
    pub fn hpt_wall_sleep_until_ns(w: *mut hpt_wall, unix_ns: i64, max_error_ns: i64, ret_error_ns: *mut i64) -> c_int;

    /// The same on a waiter, so that it can be interrupted.
    #[must_use]
    pub fn hpt_wall_sleep_until_ns_on(
        w: *mut hpt_wall,
        waiter: *mut hpt_waiter,
        unix_ns: i64,
        max_error_ns: i64,
        ret_error_ns: *mut i64,
    ) -> c_int;

    /// A hybrid logical clock.
    #[must_use]
    pub fn hpt_hlc_new(w: *mut hpt_wall, max_ahead_ns: i64, flags: u32, ret: *mut *mut hpt_hlc) -> c_int;

    /// Give a hybrid logical clock back.
    pub fn hpt_hlc_free(h: *mut hpt_hlc);

    /// A timestamp of now, larger than all that this clock gave or received.
    #[must_use]
    pub fn hpt_hlc_now(h: *mut hpt_hlc, ret: *mut i64) -> c_int;

    /// A timestamp larger than one that came from another machine.
    #[must_use]
    pub fn hpt_hlc_receive(h: *mut hpt_hlc, remote_ns: i64, ret: *mut i64) -> c_int;

    /// All further timestamps are larger than this.
    pub fn hpt_hlc_set_floor(h: *mut hpt_hlc, floor_ns: i64) -> c_int;

    /// Facts about a hybrid logical clock.
    #[must_use]
    pub fn hpt_hlc_get_info(h: *mut hpt_hlc, ret: *mut hpt_hlc_info, size: usize) -> c_int;

    /// "feed", "clockbound", "chrony", "kernel", "vmclock", "phc", "fbclock".
    pub fn hpt_wall_source_name(source: u32) -> *const c_char;

    /// "none", "synced", "holdover", "unsynced", "stale", "disrupted", "contradicted", "leap".
    pub fn hpt_wall_state_name(state: u32) -> *const c_char;

    /// A sentence for a reason.
    pub fn hpt_wall_reason_text(reason: u32) -> *const c_char;
}
