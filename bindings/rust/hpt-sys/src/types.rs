// SPDX-License-Identifier: MIT
//! The types.
//!
//! Structs are plain data without pointers, for which all zeros are a valid value. A caller passes the size of its
//! struct. A library that knows fewer members zeroes the rest; one that knows more leaves out those that do not fit.

use core::marker::{PhantomData, PhantomPinned};

use libc::c_char;

/// Ticks of a clock since the counter's own zero.
pub type hpt_time_t = i64;

macro_rules! opaque {
    ($($(#[$doc:meta])* $name:ident)*) => {$(
        $(#[$doc])*
        #[repr(C)]
        pub struct $name {
            _data: [u8; 0],
            // Neither Send nor Sync nor Unpin: a wrapper that knows the rules says so itself.
            _marker: PhantomData<(*mut u8, PhantomPinned)>,
        }
    )*};
}

opaque! {
    /// A clock: one source, and the parameters that convert its ticks. A null pointer is the process's default clock.
    hpt_clock
    /// One thread sleeps, and any thread may interrupt it.
    hpt_waiter
    /// Many threads wait, and all wake at once.
    hpt_gate
    /// A period, of which one thread at a time waits for the next tick.
    hpt_ticker
    /// A clock, and what sources have stated of UTC.
    hpt_wall
    /// A hybrid logical clock: timestamps of this process that strictly increase.
    hpt_hlc
}

/// Unix time or a duration: seconds, rounded down, and nanoseconds above them.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct hpt_timespec {
    /// Seconds.
    pub sec: i64,
    /// 0 to 999999999.
    pub nsec: i64,
}

/// What the calling thread has learned, and how its sleeps ended. New members are added at the end.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct hpt_sleep_info {
    /// Bytes filled in.
    pub size: u32,
    /// HPT_SLEEP_: the process's.
    pub policy: u32,
    /// The process's longest margin; 2^60 if there is no limit.
    pub max_spin_ns: i64,
    /// How long before a deadline a short wait ends, by the process's policy.
    pub margin_ns: u32,
    /// The same for a long wait, which a short one follows; 0 for SPIN.
    pub long_margin_ns: u32,
    /// Waits that margin_ns is learned from; below 8 it is a guess.
    pub samples: u32,
    /// Waits that long_margin_ns is learned from.
    pub long_samples: u32,
    /// Waits of this thread in the kernel; a sleep makes none, one, two or more.
    pub waits: u64,
    /// Those that ended after the sleep's deadline ...
    pub oversleeps: u64,
    /// ... and by how much, all together.
    pub oversleep_ns: u64,
}

/// What a ticker has done since it was made. New members are added at the end.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct hpt_ticker_info {
    /// Bytes filled in.
    pub size: u32,
    /// HPT_SLEEP_: its own, or INHERIT.
    pub policy: u32,
    /// Ticks that hpt_ticker_wait() returned.
    pub ticks: u64,
    /// Ticks that it skipped or dropped.
    pub missed: u64,
    /// Half of the returned ticks were no later than this ...
    pub late_median_ns: i64,
    /// ... and 99 of 100 no later than this; each may be too large by an eighth.
    pub late_p99_ns: i64,
    /// The greatest lateness. Waits that returned a state do not count here.
    pub late_max_ns: i64,
}

/// A tick of a clock, and the time at that tick on each timeline. New members are added at the end.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct hpt_sample {
    /// Bytes filled in.
    pub size: u32,
    /// HPT_STATE_ of the generation.
    pub state: u32,
    /// Of tick and ns.
    pub generation: u64,
    /// The tick.
    pub tick: hpt_time_t,
    /// On hpt_now_ns()'s timeline: hpt_time_to_ns() of tick.
    pub ns: i64,
    /// CLOCK_REALTIME at tick; INT64_MIN: denied, or not in this kernel.
    pub unix_ns: i64,
    /// CLOCK_MONOTONIC, likewise.
    pub monotonic_ns: i64,
    /// CLOCK_BOOTTIME, likewise.
    pub boottime_ns: i64,
    /// CLOCK_TAI, likewise.
    pub tai_ns: i64,
    /// Each of these four is within width_ns / 2 of that clock at tick.
    pub width_ns: i64,
}

/// The parameters that convert a clock's ticks to times, with a checksum; the same on every machine.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct hpt_timebase {
    /// As hpt_timebase(7) describes them.
    pub bytes: [u8; 128],
}

/// Facts about a clock.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct hpt_clock_info {
    /// Bytes filled in.
    pub size: u32,
    /// HPT_SOURCE_.
    pub source: u32,
    /// HPT_REASON_: why this source, or why it has HPT_CLOCK_VETOED.
    pub reason: u32,
    /// HPT_STATE_: why the present generation began.
    pub state: u32,
    /// Sum of HPT_CLOCK_.
    pub flags: u32,
    /// Implemented bits of the counter.
    pub counter_bits: u32,
    /// 1 at first; each event adds 1, see hpt_clock_check().
    pub generation: u64,
    /// Ticks per 10^6 seconds (micro-hertz); 0: not even guessed.
    pub frequency_uhz: u64,
    /// Half-width of the proven bound, parts per 10^9; UINT32_MAX: a guess.
    pub frequency_error_ppb: u32,
    /// HPT_ORIGIN_.
    pub frequency_origin: u32,
    /// The counter's smallest step seen, rounded up; 0: none was seen. (Steps much shorter than a read are seen only
    /// where reads take equally long.)
    pub granularity_ns: u32,
    /// HPT_SOURCE_ that the environment asks for; AUTO if none.
    pub env_requested: u32,
    /// Mean cost of an ordered read; 0 if not measured.
    pub read_cost_mean_ps: u64,
    /// Its standard deviation.
    pub read_cost_stddev_ps: u64,
    /// Reads that these two come from ...
    pub read_cost_samples: u32,
    /// ... and peaks dropped before.
    pub read_cost_dropped: u32,
    /// HPET: femtoseconds a tick; else 0.
    pub hpet_period_fs: u64,
    /// HPET: PCI vendor number; else 0.
    pub hpet_vendor_id: u32,
    /// HPT_ORDERED_: chosen by cost where the CPU has both in order.
    pub ordered_read: u32,
    /// A tick ...
    pub epoch_ticks: i64,
    /// ... its time on hpt_now_ns()'s timeline ...
    pub epoch_ns: i64,
    /// ... and its Unix time in ns.
    pub epoch_unix_ns: i64,
    /// Text of HPT_SOURCE, cut to fit; "" if not set.
    pub env_source: [c_char; 24],
    /// The kernel's clocksource at load; "" if not asked for or unreadable.
    pub kernel_clocksource: [c_char; 32],
    /// Mean cost of a read by RDTSCP ...
    pub rdtscp_mean_ps: u64,
    /// ... and by LFENCE and RDTSC; 0: not measured, or not known to be ordered.
    pub lfence_rdtsc_mean_ps: u64,
    /// How far hpt_now_unix_ns(), _monotonic_ns(), _boottime_ns() and _tai_ns() may be from the kernel's clocks now;
    /// i64::MAX: not known.
    pub os_error_ns: i64,
}

/// Facts about a source, usable or not.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct hpt_source_info {
    /// Bytes filled in.
    pub size: u32,
    /// HPT_SOURCE_.
    pub source: u32,
    /// 1: hpt_clock_open() succeeded or is expected to.
    pub usable: u32,
    /// 1: the default clock runs on it.
    pub chosen: u32,
    /// HPT_STAGE_: the last one reached.
    pub stage: u32,
    /// HPT_REASON_.
    pub reason: u32,
    /// The errno value, positive, that stopped it there; or 0.
    pub error: u32,
    /// As in hpt_clock_info.
    pub granularity_ns: u32,
    /// Mean cost of an ordered read; 0 if not measured.
    pub cost_mean_ps: u64,
    /// Standard deviation of the cost.
    pub cost_stddev_ps: u64,
    /// Reads that these two come from.
    pub cost_samples: u32,
    /// Peaks dropped before.
    pub cost_dropped: u32,
    /// Micro-hertz; 0 if not known yet.
    pub frequency_uhz: u64,
    /// "tsc", "hpet", ...
    pub name: [c_char; 16],
}

/// What CPUID states about this processor (the papers' AccessTimeHardware).
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct hpt_cpu_info {
    /// Bytes filled in.
    pub size: u32,
    /// HPT_CPU_.
    pub tsc_class: u32,
    /// By CPUID 1.
    pub family: u32,
    /// By CPUID 1.
    pub model: u32,
    /// By CPUID 1.
    pub stepping: u32,
    /// 0 or 1.
    pub tsc: u32,
    /// 0 or 1.
    pub rdtscp: u32,
    /// 0 or 1.
    pub invariant: u32,
    /// 0 or 1.
    pub sse2: u32,
    /// 0 or 1.
    pub hypervisor: u32,
    /// Logical processors online, by sysconf(3).
    pub cores_online: u32,
    /// CPUID 15h ECX in Hz; 0 if not stated.
    pub crystal_hz: u32,
    /// By CPUID 15h, if all three words are stated; a hint.
    pub tsc_hz: u64,
    /// The 12 characters of CPUID 0.
    pub vendor_id: [c_char; 16],
    /// "intel", "amd", ... or "other".
    pub vendor: [c_char; 16],
    /// Brand string without outer blanks.
    pub brand: [c_char; 64],
    /// The 12 characters of CPUID 40000000h.
    pub hypervisor_id: [c_char; 16],
}

/// Where a memory-mapped counter is, and how it counts.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct hpt_mmio {
    /// Bits of the counter: 16, 32 or 64.
    pub width: u32,
    /// Sum of HPT_MMIO_.
    pub flags: u32,
    /// Ticks per second: 1000 to 10^10.
    pub frequency_hz: u64,
    /// Physical, to be mapped by /dev/mem; 0: by the UIO device.
    pub address: u64,
    /// Bytes from there to the counter: a multiple of 4.
    pub offset: u64,
    /// Name of the UIO device, as /sys/class/uio/uioN/name shows it; "": by the address.
    pub uio: [c_char; 64],
}

/// An interval. This struct never changes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct hpt_wall_time {
    /// UTC was in `[earliest_ns, latest_ns]` as the counter showed tick.
    pub earliest_ns: i64,
    /// The end of it.
    pub latest_ns: i64,
    /// The tick that it belongs to.
    pub tick: hpt_time_t,
    /// Within one, earliest_ns never decreases.
    pub generation: u64,
    /// HPT_WALL_STATE_SYNCED or HPT_WALL_STATE_HOLDOVER.
    pub state: u32,
    /// Sum of HPT_WALL_FLAG_ASSUMED_RATE ...
    pub flags: u32,
}

/// A statement: at some moment from tick `before` to tick `after` UTC was in `[earliest_ns, latest_ns]`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct hpt_wall_sample {
    /// The first tick ...
    pub before: hpt_time_t,
    /// ... and the last one of the time in which the moment was.
    pub after: hpt_time_t,
    /// The interval.
    pub earliest_ns: i64,
    /// The end of it.
    pub latest_ns: i64,
    /// HPT_WALL_SOURCE_FEED, or 0 for the same.
    pub source: u32,
    /// Sum of HPT_WALL_FLAG_CLAIMED, HPT_WALL_FLAG_SMEARED.
    pub flags: u32,
}

/// How a wall is opened. 0 and empty strings are defaults.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct hpt_wall_config {
    /// Sources, a mask; 0: all but KERNEL and FBCLOCK.
    pub sources: u32,
    /// Mask: if sources contradict each other, these are right.
    pub trusted: u32,
    /// How wrong the counter's rate may be, below 10^9; 0: 50000, assumed.
    pub rate_ppb: u32,
    /// How far its rate may move from any average, below 10^9; 0: 15000, assumed.
    pub wander_ppb: u32,
    /// HPT_WALL_TIMESCALE_ of the PHC; 0: by the driver, where it is known.
    pub phc_timescale: u32,
    /// Must be 0.
    pub reserved: u32,
    /// How wrong the PHC may be; 0: by the driver, where it states it.
    pub phc_error_ns: i64,
    /// Wider intervals are -ERANGE; 0: no limit.
    pub max_width_ns: i64,
    /// How old the latest sample may be; 0: 1000 s.
    pub max_age_ns: i64,
    /// How wrong chronyd's reference clocks may be; 0: not known, and they are not used.
    pub chrony_refclock_error_ns: i64,
    /// Empty: /var/run/clockbound/shm1, else shm0.
    pub clockbound_path: [c_char; 112],
    /// Empty: /dev/vmclock0.
    pub vmclock_path: [c_char; 112],
    /// Empty: /dev/ptp0.
    pub phc_path: [c_char; 112],
    /// Empty: 127.0.0.1:323; a numeric address with port, or the path of a socket.
    pub chrony_address: [c_char; 64],
}

/// Facts about a wall.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct hpt_wall_info {
    /// Bytes filled in.
    pub size: u32,
    /// HPT_WALL_STATE_SYNCED ...
    pub state: u32,
    /// Sum of HPT_WALL_FLAG_ASSUMED_RATE ...
    pub flags: u32,
    /// Sources that it was opened with.
    pub sources: u32,
    /// Sources with a sample in the present bound.
    pub live: u32,
    /// Threads that wait for it now.
    pub waiting: u32,
    /// 1 at first; each event adds 1.
    pub generation: u64,
    /// Samples that were accepted.
    pub samples: u64,
    /// Samples that were refused.
    pub refused: u64,
    /// How often samples had nothing in common.
    pub contradictions: u64,
    /// How often the counter jumped, or the machine slept or was moved.
    pub disruptions: u64,
    /// Width of the interval now; -1: none.
    pub width_ns: i64,
    /// Age of the latest sample; -1: none.
    pub age_ns: i64,
    /// UTC midnight of the leap second that is announced; 0: none.
    pub leap_at_ns: i64,
    /// 1: a second will be inserted, -1: left out, 0: none is announced.
    pub leap: i32,
    /// TAI less UTC; 0: unknown.
    pub tai_offset_s: i32,
    /// The counter's seconds are longer than UTC's by rate_lo_ppb to rate_hi_ppb.
    pub rate_lo_ppb: i32,
    /// See rate_lo_ppb.
    pub rate_hi_ppb: i32,
    /// How wrong the counter's rate may be: as opened, or the default.
    pub rate_ppb: u32,
    /// How far it may move from an average, likewise.
    pub wander_ppb: u32,
    /// How often there was a bound after there was none, the first included.
    pub gained: u64,
    /// How often there was none after there was one, as far as a call has looked.
    pub lost: u64,
}

/// Facts about a source of a wall.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct hpt_wall_source_info {
    /// Bytes filled in.
    pub size: u32,
    /// HPT_WALL_SOURCE_FEED ...
    pub source: u32,
    /// 1: its latest statement was accepted.
    pub usable: u32,
    /// HPT_WALL_REASON_: why not.
    pub reason: u32,
    /// The errno value, positive, of the call that failed; 0: none did.
    pub error: u32,
    /// Of its latest sample that was accepted.
    pub flags: u32,
    /// Samples that were accepted.
    pub samples: u64,
    /// Samples that were refused.
    pub refused: u64,
    /// Width of what its latest sample allows now; -1: none.
    pub width_ns: i64,
    /// Age of that sample; -1: none.
    pub age_ns: i64,
    /// "feed", "clockbound", ...
    pub name: [c_char; 16],
    /// Of file, device or address; empty: it has none.
    pub path: [c_char; 112],
}

/// Facts about a hybrid logical clock.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct hpt_hlc_info {
    /// Bytes filled in.
    pub size: u32,
    /// 1: a clone of the virtual machine is noticed; 0: nothing reports one.
    pub sees_clones: u32,
    /// A random number for those whose timestamps are distinct; 0: none now.
    pub incarnation: u64,
}
