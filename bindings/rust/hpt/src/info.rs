// SPDX-License-Identifier: MIT
//! Facts about clocks, sources, the processor, sleeps and tickers.

use crate::deadline::system_time;
use crate::raw::{self, text_of};
use crate::{Instant, OrderedRead, Origin, Policy, Reason, SourceKind, Stage, State, Ticks, TscClass};
use hpt_sys as sys;
use std::io;
use std::time::{Duration, SystemTime};

/// Facts about a clock: [`Clock::info`](crate::Clock::info).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct ClockInfo {
    /// The counter that the clock reads.
    pub source: SourceKind,
    /// Why the library chose this source or, if [vetoed](Self::is_vetoed), why it would not have chosen it.
    pub reason: Reason,
    /// Why the present generation began.
    pub state: State,
    /// Sum of `HPT_CLOCK_` of the C library.
    pub flags: u32,
    /// Implemented bits of the counter.
    pub counter_bits: u32,
    /// 1 at first; each event adds 1.
    pub generation: u64,
    /// Ticks in 10^6 seconds (micro-hertz); `None`: not even guessed.
    pub frequency_uhz: Option<u64>,
    /// Half-width of the proven bound of the rate, in parts per 10^9; `None`: a guess.
    pub frequency_error_ppb: Option<u32>,
    /// Where the rate comes from.
    pub frequency_origin: Origin,
    /// The counter's smallest step seen, rounded up to nanoseconds; `None`: none was seen.
    pub granularity_ns: Option<u32>,
    /// The source that the environment asks for; `AUTO` if none.
    pub env_requested: SourceKind,
    /// Mean cost of an ordered read in picoseconds; 0 if not measured.
    pub read_cost_mean_ps: u64,
    /// Its standard deviation in picoseconds.
    pub read_cost_stddev_ps: u64,
    /// Reads that these two come from.
    pub read_cost_samples: u32,
    /// Peaks that were dropped before.
    pub read_cost_dropped: u32,
    /// HPET: femtoseconds a tick; else 0.
    pub hpet_period_fs: u64,
    /// HPET: PCI vendor number; else 0.
    pub hpet_vendor_id: u32,
    /// The instruction of ordered reads.
    pub ordered_read: OrderedRead,
    /// A tick of the clock.
    pub epoch: Ticks,
    /// The time of `epoch` in nanoseconds.
    pub epoch_instant: Instant,
    /// The Unix time of `epoch`.
    pub epoch_system_time: SystemTime,
    /// Text of the variable `HPT_SOURCE`, cut to 23 bytes; empty if not set.
    pub env_source: String,
    /// The kernel's clocksource at load; empty if not asked for or unreadable.
    pub kernel_clocksource: String,
    /// Mean cost of a read by `RDTSCP` in picoseconds; 0: not measured.
    pub rdtscp_mean_ps: u64,
    /// Mean cost of a read by `LFENCE` and `RDTSC` in picoseconds; 0: not measured.
    pub lfence_rdtsc_mean_ps: u64,
    /// How far `unix_ns`, `monotonic_ns`, `boottime_ns` and `tai_ns` of the clock may be from the kernel's clocks now;
    /// `None`: not known. It grows by 101 us a millisecond, and is smallest after `check`.
    pub os_error_ns: Option<i64>,
}

impl ClockInfo {
    pub(crate) fn of(c: &sys::hpt_clock_info) -> Self {
        Self {
            source: SourceKind(c.source),
            reason: Reason(c.reason),
            state: State(c.state),
            flags: c.flags,
            counter_bits: c.counter_bits,
            generation: c.generation,
            frequency_uhz: (c.frequency_uhz > 0).then_some(c.frequency_uhz),
            frequency_error_ppb: (c.frequency_error_ppb != u32::MAX).then_some(c.frequency_error_ppb),
            frequency_origin: Origin(c.frequency_origin),
            granularity_ns: (c.granularity_ns > 0).then_some(c.granularity_ns),
            env_requested: SourceKind(c.env_requested),
            read_cost_mean_ps: c.read_cost_mean_ps,
            read_cost_stddev_ps: c.read_cost_stddev_ps,
            read_cost_samples: c.read_cost_samples,
            read_cost_dropped: c.read_cost_dropped,
            hpet_period_fs: c.hpet_period_fs,
            hpet_vendor_id: c.hpet_vendor_id,
            ordered_read: OrderedRead(c.ordered_read),
            epoch: Ticks(c.epoch_ticks),
            epoch_instant: Instant::from_nanos(c.epoch_ns),
            epoch_system_time: system_time(c.epoch_unix_ns),
            env_source: text_of(&c.env_source),
            kernel_clocksource: text_of(&c.kernel_clocksource),
            rdtscp_mean_ps: c.rdtscp_mean_ps,
            lfence_rdtsc_mean_ps: c.lfence_rdtsc_mean_ps,
            os_error_ns: (c.os_error_ns != i64::MAX).then_some(c.os_error_ns),
        }
    }

    /// True for the process's default clock.
    #[must_use]
    pub const fn is_default(&self) -> bool {
        self.flags & sys::HPT_CLOCK_IS_DEFAULT != 0
    }

    /// True if the clock was opened on request, and the library would not have chosen its source.
    #[must_use]
    pub const fn is_vetoed(&self) -> bool {
        self.flags & sys::HPT_CLOCK_VETOED != 0
    }
}

/// Facts about a source, usable or not: [`SourceInfo::of`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct SourceInfo {
    /// The source.
    pub source: SourceKind,
    /// True: [`Clock::open`](crate::Clock::open) succeeded or is expected to.
    pub usable: bool,
    /// True: the default clock runs on it.
    pub chosen: bool,
    /// The last stage that the library reached with it.
    pub stage: Stage,
    /// Why it was chosen, was not chosen, or cannot be used.
    pub reason: Reason,
    /// The `errno` value that stopped it there, if one did.
    pub error: Option<i32>,
    /// The counter's smallest step seen, rounded up to nanoseconds; `None`: none was seen.
    pub granularity_ns: Option<u32>,
    /// Mean cost of an ordered read in picoseconds; 0 if not measured.
    pub cost_mean_ps: u64,
    /// Its standard deviation in picoseconds.
    pub cost_stddev_ps: u64,
    /// Reads that these two come from.
    pub cost_samples: u32,
    /// Peaks that were dropped before.
    pub cost_dropped: u32,
    /// Ticks in 10^6 seconds (micro-hertz), if known.
    pub frequency_uhz: Option<u64>,
    /// `tsc`, `hpet`, ...
    pub name: String,
}

impl SourceInfo {
    /// Facts about a source; `AUTO` means the default clock's.
    ///
    /// # Errors
    /// `EINVAL`: there is no such source.
    ///
    /// ```
    /// use hpt::{SourceInfo, SourceKind};
    ///
    /// let hpet = SourceInfo::of(SourceKind::HPET)?;
    /// println!("{}: {} at stage {}", hpet.name, hpet.reason, hpet.stage);
    /// assert!(SourceInfo::of(SourceKind::OS)?.usable);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn of(source: SourceKind) -> io::Result<Self> {
        let c = raw::source_info(source.0)?;

        Ok(Self {
            source: SourceKind(c.source),
            usable: c.usable != 0,
            chosen: c.chosen != 0,
            stage: Stage(c.stage),
            reason: Reason(c.reason),
            error: i32::try_from(c.error).ok().filter(|error| *error != 0),
            granularity_ns: (c.granularity_ns > 0).then_some(c.granularity_ns),
            cost_mean_ps: c.cost_mean_ps,
            cost_stddev_ps: c.cost_stddev_ps,
            cost_samples: c.cost_samples,
            cost_dropped: c.cost_dropped,
            frequency_uhz: (c.frequency_uhz > 0).then_some(c.frequency_uhz),
            name: text_of(&c.name),
        })
    }
}

/// Facts that CPUID states about this processor: [`CpuInfo::read`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[allow(clippy::struct_excessive_bools)] // facts that do not exclude each other
pub struct CpuInfo {
    /// The CPU's statement about its TSC.
    pub tsc_class: TscClass,
    /// Family number.
    pub family: u32,
    /// Model number.
    pub model: u32,
    /// Stepping.
    pub stepping: u32,
    /// It has a TSC.
    pub tsc: bool,
    /// It has `RDTSCP`.
    pub rdtscp: bool,
    /// Its TSC is invariant.
    pub invariant: bool,
    /// It has SSE2.
    pub sse2: bool,
    /// It is a virtual one.
    pub hypervisor: bool,
    /// Logical processors online.
    pub cores_online: u32,
    /// Frequency of the crystal in Hz; 0 if not stated.
    pub crystal_hz: u32,
    /// Rate of the TSC in Hz; 0 if not stated. A hint.
    pub tsc_hz: u64,
    /// The 12 characters of CPUID 0.
    pub vendor_id: String,
    /// `intel`, `amd`, ... or `other`.
    pub vendor: String,
    /// Brand string without outer blanks.
    pub brand: String,
    /// The 12 characters of CPUID 40000000h.
    pub hypervisor_id: String,
}

impl CpuInfo {
    /// Reads the facts.
    ///
    /// # Errors
    /// `ENOTSUP`: this architecture has no CPUID.
    ///
    /// # Cost
    /// About 20 CPUID instructions, in a virtual machine microseconds each, and a small file.
    pub fn read() -> io::Result<Self> {
        let c = raw::cpu_info()?;

        Ok(Self {
            tsc_class: TscClass(c.tsc_class),
            family: c.family,
            model: c.model,
            stepping: c.stepping,
            tsc: c.tsc != 0,
            rdtscp: c.rdtscp != 0,
            invariant: c.invariant != 0,
            sse2: c.sse2 != 0,
            hypervisor: c.hypervisor != 0,
            cores_online: c.cores_online,
            crystal_hz: c.crystal_hz,
            tsc_hz: c.tsc_hz,
            vendor_id: text_of(&c.vendor_id),
            vendor: text_of(&c.vendor),
            brand: text_of(&c.brand),
            hypervisor_id: text_of(&c.hypervisor_id),
        })
    }
}

/// A tick of a clock, and the time at that tick on each timeline: [`Clock::sample`](crate::Clock::sample).
///
/// Each time of the kernel's clocks is within half of `width` of that clock at the tick. It is `None` where the clock
/// is denied, not in this kernel, or the sample is of a manual clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Sample {
    /// State of the generation.
    pub state: State,
    /// Generation of `tick` and `instant`.
    pub generation: u64,
    /// The tick.
    pub tick: Ticks,
    /// Its time on the clock's own timeline.
    pub instant: Instant,
    /// `CLOCK_REALTIME` in nanoseconds.
    pub unix_ns: Option<i64>,
    /// `CLOCK_MONOTONIC` in nanoseconds.
    pub monotonic_ns: Option<i64>,
    /// `CLOCK_BOOTTIME` in nanoseconds.
    pub boottime_ns: Option<i64>,
    /// `CLOCK_TAI` in nanoseconds.
    pub tai_ns: Option<i64>,
    /// The width.
    pub width: Duration,
}

impl Sample {
    pub(crate) fn of(c: &sys::hpt_sample) -> Self {
        let known = |ns: i64| (ns != i64::MIN).then_some(ns);

        Self {
            state: State(c.state),
            generation: c.generation,
            tick: Ticks(c.tick),
            instant: Instant::from_nanos(c.ns),
            unix_ns: known(c.unix_ns),
            monotonic_ns: known(c.monotonic_ns),
            boottime_ns: known(c.boottime_ns),
            tai_ns: known(c.tai_ns),
            width: Duration::from_nanos(c.width_ns.unsigned_abs()),
        }
    }
}

/// Facts that the calling thread has learned about its sleeps: [`SleepInfo::of_thread`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct SleepInfo {
    /// The process's policy; `None`: one that only a later library knows.
    pub policy: Option<Policy>,
    /// The process's longest margin.
    pub max_spin: Duration,
    /// How long before a deadline a short wait ends, by the process's policy.
    pub margin: Duration,
    /// The same for a long wait, which a short one follows.
    pub long_margin: Duration,
    /// Waits that `margin` is learned from; below 8 it is a guess.
    pub samples: u32,
    /// Waits that `long_margin` is learned from.
    pub long_samples: u32,
    /// Waits of this thread in the kernel.
    pub waits: u64,
    /// Those that ended after the sleep's deadline.
    pub oversleeps: u64,
    /// The sum of their lateness.
    pub oversleep_ns: u64,
}

impl SleepInfo {
    /// The facts of the calling thread.
    ///
    /// # Errors
    /// Only a later library reports one.
    ///
    /// ```
    /// let info = hpt::SleepInfo::of_thread()?;
    /// println!("a sleep spins for the last {:?}", info.margin);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn of_thread() -> io::Result<Self> {
        let c = raw::sleep_info()?;

        Ok(Self {
            policy: Policy::of(c.policy),
            max_spin: Duration::from_nanos(c.max_spin_ns.unsigned_abs()),
            margin: Duration::from_nanos(c.margin_ns.into()),
            long_margin: Duration::from_nanos(c.long_margin_ns.into()),
            samples: c.samples,
            long_samples: c.long_samples,
            waits: c.waits,
            oversleeps: c.oversleeps,
            oversleep_ns: c.oversleep_ns,
        })
    }
}

/// Facts about a ticker since it was made: [`Ticker::info`](crate::Ticker::info).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct TickerInfo {
    /// Its policy; `None`: one that only a later library knows.
    pub policy: Option<Policy>,
    /// Ticks that a wait returned.
    pub ticks: u64,
    /// Ticks that were skipped or dropped.
    pub missed: u64,
    /// Half of the returned ticks were no later than this; it may be too large by an eighth. Negative: early.
    pub late_median_ns: i64,
    /// 99 of 100 were no later than this; it may be too large by an eighth.
    pub late_p99_ns: i64,
    /// The greatest lateness.
    pub late_max_ns: i64,
}

impl TickerInfo {
    pub(crate) fn of(c: &sys::hpt_ticker_info) -> Self {
        Self {
            policy: Policy::of(c.policy),
            ticks: c.ticks,
            missed: c.missed,
            late_median_ns: c.late_median_ns,
            late_p99_ns: c.late_p99_ns,
            late_max_ns: c.late_max_ns,
        }
    }
}
