// SPDX-License-Identifier: MIT
//! The constants, in the order of the headers. A value keeps its meaning for ever.

// ---- hpt/clock.h ----

// Sources.
/// The library's own choice.
pub const HPT_SOURCE_AUTO: u32 = 0;
/// x86 time stamp counter, read by an instruction.
pub const HPT_SOURCE_TSC: u32 = 1;
/// x86 high precision event timer, read through /dev/hpet.
pub const HPT_SOURCE_HPET: u32 = 2;
/// `clock_gettime(CLOCK_MONOTONIC)`.
pub const HPT_SOURCE_OS: u32 = 3;
/// The counter that programs may read on Arm, RISC-V, PowerPC and s390.
pub const HPT_SOURCE_ARCH: u32 = 4;
/// Memory-mapped counter of a system on chip, which HPT_MMIO or the program describes.
pub const HPT_SOURCE_MMIO: u32 = 5;
/// No counter: the program advances the clock itself.
pub const HPT_SOURCE_MANUAL: u32 = 6;

// State of a clock: why its present generation began. The value 4 stays unused.
pub const HPT_STATE_OK: u32 = 0;
/// The system's clocks moved: suspend, step of the wall clock, new time namespace.
pub const HPT_STATE_REANCHORED: u32 = 1;
/// The counter jumped: restored snapshot, migration, another counter.
pub const HPT_STATE_DISRUPTED: u32 = 2;
/// The kernel stopped trusting this counter, or it jumps again and again.
pub const HPT_STATE_DEMOTED: u32 = 3;

// ---- hpt/time.h ----

// Sizes of texts, with their last zero.
pub const HPT_TICKS_FORMAT_SIZE: u32 = 33;
pub const HPT_TIME_FORMAT_SIZE: u32 = 31;

// ---- hpt/sleep.h ----

// Policies: how a sleep weighs CPU time against lateness. In brackets: what a max_spin_ns of 0 means.
/// At most some 2.5 times the CPU time of the kernel's own sleep [1 ms].
pub const HPT_SLEEP_BALANCED: u32 = 0;
/// At most some 1.6 times [1 ms].
pub const HPT_SLEEP_FRUGAL: u32 = 1;
/// At most some four times [a jiffy of the kernel; 4 ms if that is unknown].
pub const HPT_SLEEP_STRICT: u32 = 2;
/// No spin: may return max_spin_ns early [never early, and always late].
pub const HPT_SLEEP_NOSPIN: u32 = 3;
/// Spins through the last max_spin_ns, by no learned margin [the whole sleep].
pub const HPT_SLEEP_SPIN: u32 = 4;
/// The process's policy; for waiters, gates and tickers only.
pub const HPT_SLEEP_INHERIT: u32 = 5;

/// Bytes of hpt_sleep_info in its first release.
pub const HPT_SLEEP_INFO_SIZE_V0: u32 = 56;

// ---- hpt/waiter.h ----

// Flags of waiters, gates and tickers.
/// A signal handler that runs while the sleep is in the kernel ends it: -EINTR.
pub const HPT_WAIT_EINTR: u32 = 1;

// ---- hpt/ticker.h ----

// What a ticker does with missed ticks.
/// Counts them, and goes on with the latest.
pub const HPT_TICKER_SKIP: u32 = 0;
/// Returns each of them at once.
pub const HPT_TICKER_CATCH_UP: u32 = 1;
/// Drops them, and moves the grid: the next tick comes a period after the late one.
pub const HPT_TICKER_DELAY: u32 = 2;

/// Bytes of hpt_ticker_info in its first release.
pub const HPT_TICKER_INFO_SIZE_V0: u32 = 48;

// ---- hpt/timebase.h ----

/// Bytes of hpt_sample in its first release.
pub const HPT_SAMPLE_SIZE_V0: u32 = 72;

// ---- hpt/info.h ----

// The last stage that the library reached with a source.
/// Not tried.
pub const HPT_STAGE_UNTRIED: u32 = 0;
/// The processor has the instruction, and the process may use it.
pub const HPT_STAGE_CPU: u32 = 1;
/// Device node.
pub const HPT_STAGE_OPEN: u32 = 2;
/// Mapping of its registers.
pub const HPT_STAGE_MAP: u32 = 3;
/// Width, period, enabled.
pub const HPT_STAGE_CAPS: u32 = 4;
/// Two reads differ.
pub const HPT_STAGE_COUNTING: u32 = 5;
/// All stages passed.
pub const HPT_STAGE_USABLE: u32 = 6;

// Where a clock's rate comes from.
/// A guess: counter and clocks contradicted each other in all measurements.
pub const HPT_ORIGIN_NONE: u32 = 0;
/// By definition: the OS clock counts nanoseconds; a manual clock has the rate given.
pub const HPT_ORIGIN_EXACT: u32 = 1;
/// Stated by the hardware: the HPET's period, a register of ARCH.
pub const HPT_ORIGIN_REGISTER: u32 = 2;
/// Measured against CLOCK_MONOTONIC_RAW.
pub const HPT_ORIGIN_MEASURED: u32 = 3;
/// The kernel's own: of those it can have the only one that fits, or the one stated.
pub const HPT_ORIGIN_KERNEL: u32 = 4;

// The instruction of a clock's ordered reads.
/// The clock does not read the TSC.
pub const HPT_ORDERED_OTHER: u32 = 0;
pub const HPT_ORDERED_RDTSCP: u32 = 1;
pub const HPT_ORDERED_LFENCE_RDTSC: u32 = 2;

// Why a source was chosen, was not chosen, or cannot be used: see hpt_reason_text().
pub const HPT_REASON_NONE: u32 = 0;

// Chosen.
pub const HPT_REASON_TSC_TRUSTED: u32 = 1;
pub const HPT_REASON_TSC_FAMILY: u32 = 2;
pub const HPT_REASON_TSC_UNCONTRADICTED: u32 = 3;
pub const HPT_REASON_LOWER_MEAN: u32 = 4;
pub const HPT_REASON_LOWER_STDDEV: u32 = 5;
pub const HPT_REASON_FINER: u32 = 6;
pub const HPT_REASON_ONLY_ONE: u32 = 7;
pub const HPT_REASON_REQUESTED: u32 = 8;
pub const HPT_REASON_REQUESTED_ENV: u32 = 9;
pub const HPT_REASON_ARCH_TRUSTED: u32 = 10;

// Usable but not chosen.
pub const HPT_REASON_NOT_NEEDED: u32 = 20;
pub const HPT_REASON_SKIPPED_ENV: u32 = 21;
pub const HPT_REASON_HIGHER_MEAN: u32 = 22;
pub const HPT_REASON_HIGHER_STDDEV: u32 = 23;
pub const HPT_REASON_COARSER: u32 = 24;
pub const HPT_REASON_BETTER_TSC: u32 = 25;
pub const HPT_REASON_OTHER_REQUESTED: u32 = 26;
pub const HPT_REASON_BETTER_ARCH: u32 = 27;

// This build or machine has no such source.
pub const HPT_REASON_NOT_BUILT: u32 = 40;
pub const HPT_REASON_MANUAL: u32 = 41;

// TSC.
pub const HPT_REASON_TSC_ABSENT: u32 = 50;
pub const HPT_REASON_TSC_NOT_ORDERED: u32 = 51;
pub const HPT_REASON_TSC_FORBIDDEN: u32 = 52;
pub const HPT_REASON_TSC_NOT_CONSTANT: u32 = 53;
pub const HPT_REASON_TSC_GUEST_FAMILY: u32 = 54;
pub const HPT_REASON_TSC_FAMILY_ALONE: u32 = 55;
pub const HPT_REASON_TSC_GUEST_ALONE: u32 = 56;
pub const HPT_REASON_KERNEL_DISAGREES: u32 = 57;
pub const HPT_REASON_TSC_EXPENSIVE: u32 = 58;
pub const HPT_REASON_TSC_NOT_COUNTING: u32 = 59;

// Any counter.
pub const HPT_REASON_INTERPOSED: u32 = 65;

// HPET.
/// EACCES, EPERM.
pub const HPT_REASON_HPET_ACCESS: u32 = 70;
/// EFAULT.
pub const HPT_REASON_HPET_FAULT: u32 = 71;
/// ENOENT, ENOTDIR.
pub const HPT_REASON_HPET_NOENT: u32 = 72;
/// EMFILE, ENFILE.
pub const HPT_REASON_HPET_MFILE: u32 = 73;
/// EAGAIN.
pub const HPT_REASON_HPET_AGAIN: u32 = 74;
/// EBUSY.
pub const HPT_REASON_HPET_BUSY: u32 = 75;
/// EBADF.
pub const HPT_REASON_HPET_BADF: u32 = 76;
/// ENODEV, ENXIO.
pub const HPT_REASON_HPET_NODEV: u32 = 77;
/// ENOMEM.
pub const HPT_REASON_HPET_NOMEM: u32 = 78;
/// MC32BIT: counter of 32 bits.
pub const HPT_REASON_HPET_32BIT: u32 = 79;
/// Any other errno.
pub const HPT_REASON_HPET_UNKNOWN: u32 = 80;
pub const HPT_REASON_HPET_NOT_DEVICE: u32 = 81;
pub const HPT_REASON_HPET_MMAP_DENIED: u32 = 82;
pub const HPT_REASON_HPET_PERIOD: u32 = 83;
pub const HPT_REASON_HPET_DISABLED: u32 = 84;
pub const HPT_REASON_HPET_NOT_COUNTING: u32 = 85;
pub const HPT_REASON_HPET_GONE: u32 = 86;
/// ENOSYS from mmap.
pub const HPT_REASON_HPET_NO_MMAP: u32 = 87;

// ARCH.
pub const HPT_REASON_ARCH_FORBIDDEN: u32 = 90;
pub const HPT_REASON_ARCH_NO_EVTSTRM: u32 = 91;
pub const HPT_REASON_ARCH_NOT_COUNTING: u32 = 92;
pub const HPT_REASON_ARCH_ALONE: u32 = 93;
pub const HPT_REASON_ARCH_NOT_VIRTUAL: u32 = 94;
pub const HPT_REASON_ARCH_EXPENSIVE: u32 = 95;

// Memory-mapped counter.
pub const HPT_REASON_MMIO_UNDESCRIBED: u32 = 100;
pub const HPT_REASON_MMIO_FIELD: u32 = 101;
pub const HPT_REASON_MMIO_PLACE: u32 = 102;
pub const HPT_REASON_MMIO_UIO: u32 = 103;
pub const HPT_REASON_MMIO_DEVMEM: u32 = 104;
pub const HPT_REASON_MMIO_OFFSET: u32 = 105;
pub const HPT_REASON_MMIO_WIDTH: u32 = 106;
pub const HPT_REASON_MMIO_DIRECTION: u32 = 107;
pub const HPT_REASON_MMIO_FREQUENCY: u32 = 108;
pub const HPT_REASON_MMIO_NO_UIO: u32 = 109;
pub const HPT_REASON_MMIO_BEYOND: u32 = 110;
/// EACCES, EPERM.
pub const HPT_REASON_MMIO_ACCESS: u32 = 111;
pub const HPT_REASON_MMIO_NO_NODE: u32 = 112;
pub const HPT_REASON_MMIO_NOT_DEVICE: u32 = 113;
pub const HPT_REASON_MMIO_REFUSED: u32 = 114;
pub const HPT_REASON_MMIO_NO_COARSE: u32 = 115;
pub const HPT_REASON_MMIO_TOO_FAST: u32 = 116;
pub const HPT_REASON_MMIO_NOT_COUNTING: u32 = 117;
pub const HPT_REASON_MMIO_OTHER_WAY: u32 = 118;
pub const HPT_REASON_MMIO_BUS_ERROR: u32 = 119;
/// No child process to try the read.
pub const HPT_REASON_MMIO_UNPROVEN: u32 = 120;

// Flags of hpt_clock_info.
/// The process's default clock.
pub const HPT_CLOCK_IS_DEFAULT: u32 = 1;
/// HPT_SOURCE in the environment names no source; see env_source.
pub const HPT_CLOCK_ENV_UNKNOWN: u32 = 2;
/// It names a source that cannot be used here.
pub const HPT_CLOCK_ENV_REFUSED: u32 = 4;
/// The hardware's stated rate is more than 0.1 % off the measured one.
pub const HPT_CLOCK_RATE_CONTRADICTED: u32 = 8;
/// Opened on request; not what the library would choose: see reason.
pub const HPT_CLOCK_VETOED: u32 = 16;

/// Bytes of hpt_clock_info in its first release.
pub const HPT_CLOCK_INFO_SIZE_V0: u32 = 200;

/// Bytes of hpt_source_info in its first release.
pub const HPT_SOURCE_INFO_SIZE_V0: u32 = 80;

// ---- hpt/system.h ----

// What the CPU states about its TSC.
/// No such instruction.
pub const HPT_CPU_NO_TSC: u32 = 0;
/// The rate may follow the CPU's frequency.
pub const HPT_CPU_NOT_CONSTANT: u32 = 1;
/// Constant rate, by family and model; it may stop in deep idle.
pub const HPT_CPU_CONSTANT_BY_FAMILY: u32 = 2;
/// Constant rate in every power state: CPUID 80000007h EDX bit 8.
pub const HPT_CPU_INVARIANT: u32 = 3;

/// Bytes of hpt_cpu_info in its first release.
pub const HPT_CPU_INFO_SIZE_V0: u32 = 168;

// ---- hpt/mmio.h ----

// Flags of hpt_mmio.
/// The counter counts down.
pub const HPT_MMIO_DOWN: u32 = 1;
/// 16, 32 bits: the program promises a read (no sleep is one) in each half of the range.
pub const HPT_MMIO_POLLED: u32 = 2;

/// Bytes of hpt_mmio in its first release.
pub const HPT_MMIO_SIZE_V0: u32 = 96;

// ---- hpt/wall.h ----

// Sources of bounds. Each is a bit, so that a mask is their sum.
/// The program's own samples, by hpt_wall_feed().
pub const HPT_WALL_SOURCE_FEED: u32 = 1;
/// The shared memory of ClockBound's daemon.
pub const HPT_WALL_SOURCE_CLOCKBOUND: u32 = 2;
/// `chronyd`, asked by UDP.
pub const HPT_WALL_SOURCE_CHRONY: u32 = 4;
/// `adjtimex(2)`: a claim of unknown worth, on request only.
pub const HPT_WALL_SOURCE_KERNEL: u32 = 8;
/// The page by which a hypervisor states time and disruptions: /dev/vmclock0.
pub const HPT_WALL_SOURCE_VMCLOCK: u32 = 16;
/// A network card's clock: /dev/ptp0.
pub const HPT_WALL_SOURCE_PHC: u32 = 32;
/// Fbclock's shared memory: a statistical claim, on request only.
pub const HPT_WALL_SOURCE_FBCLOCK: u32 = 64;

// States of a wall. SYNCED and HOLDOVER have a bound, the others have none.
/// No sample yet.
pub const HPT_WALL_STATE_NONE: u32 = 0;
/// There is a fresh sample.
pub const HPT_WALL_STATE_SYNCED: u32 = 1;
/// No new sample lately, or the source has lost its own reference.
pub const HPT_WALL_STATE_HOLDOVER: u32 = 2;
/// A source answers, and says that it has no bound.
pub const HPT_WALL_STATE_UNSYNCED: u32 = 3;
/// The latest sample is older than max_age_ns.
pub const HPT_WALL_STATE_STALE: u32 = 4;
/// The counter jumped, or the machine slept or moved: old samples are void.
pub const HPT_WALL_STATE_DISRUPTED: u32 = 5;
/// Samples have nothing in common: one of the sources is wrong.
pub const HPT_WALL_STATE_CONTRADICTED: u32 = 6;
/// Within a second of a leap second.
pub const HPT_WALL_STATE_LEAP: u32 = 7;

// Flags of hpt_wall_time, and those of the infos.
/// The counter's rate has the library's default limits.
pub const HPT_WALL_FLAG_ASSUMED_RATE: u32 = 1;
/// A source's claim is statistical, or of unknown worth.
pub const HPT_WALL_FLAG_CLAIMED: u32 = 2;
/// A source spreads leap seconds over hours, not UTC.
pub const HPT_WALL_FLAG_SMEARED: u32 = 4;
/// A guest whose hypervisor reports no moves.
pub const HPT_WALL_FLAG_NO_DISRUPTION_SIGNAL: u32 = 8;

// Flags of hpt_wall_open().
/// Near a leap second an interval that contains both readings, not -EAGAIN.
pub const HPT_WALL_OPEN_LEAP_COVER: u32 = 1;

// hpt_wall_config.phc_timescale.
pub const HPT_WALL_TIMESCALE_UTC: u32 = 1;
pub const HPT_WALL_TIMESCALE_TAI: u32 = 2;

// Why a source gives nothing.
/// Nothing is wrong.
pub const HPT_WALL_REASON_NONE: u32 = 0;
/// `hpt_wall_config.sources` does not name it.
pub const HPT_WALL_REASON_NOT_USED: u32 = 1;
/// No hpt_wall_update(), or for FEED no hpt_wall_feed(), yet.
pub const HPT_WALL_REASON_NOT_ASKED: u32 = 2;
/// No such file, device or daemon.
pub const HPT_WALL_REASON_ABSENT: u32 = 3;
/// No permission.
pub const HPT_WALL_REASON_DENIED: u32 = 4;
/// The system call failed; error says how.
pub const HPT_WALL_REASON_FAILED: u32 = 5;
/// The daemon does not answer in time.
pub const HPT_WALL_REASON_NO_ANSWER: u32 = 6;
/// The path does not name a device of this kind.
pub const HPT_WALL_REASON_NOT_DEVICE: u32 = 7;
/// Unknown magic, version, size or byte order.
pub const HPT_WALL_REASON_FORMAT: u32 = 8;
/// It was being written at each look.
pub const HPT_WALL_REASON_TORN: u32 = 9;
/// It says that it is not synchronised.
pub const HPT_WALL_REASON_UNSYNCED: u32 = 10;
/// Its statement is too old, from before an event, or its writer has died.
pub const HPT_WALL_REASON_OLD: u32 = 11;
/// Impossible values.
pub const HPT_WALL_REASON_ABSURD: u32 = 12;
/// It describes another counter than the clock's.
pub const HPT_WALL_REASON_OTHER_COUNTER: u32 = 13;
/// It states a time, or disruptions, without an error bound.
pub const HPT_WALL_REASON_NO_BOUND: u32 = 14;
/// `adjtimex`'s maxerror or esterror is 0, as timesyncd leaves it.
pub const HPT_WALL_REASON_ZERO_ERROR: u32 = 15;
/// The system's clock was set lately.
pub const HPT_WALL_REASON_STEPPED: u32 = 16;
/// Its times are of another time namespace.
pub const HPT_WALL_REASON_NAMESPACE: u32 = 17;
/// Whether it counts UTC or TAI is not known, or by how much they differ.
pub const HPT_WALL_REASON_NO_TIMESCALE: u32 = 18;
/// Its statement has nothing in common with others.
pub const HPT_WALL_REASON_CONTRADICTED: u32 = 19;
/// Its statement is from near a leap second.
pub const HPT_WALL_REASON_LEAP: u32 = 20;

/// Bytes of hpt_wall_sample in its first release.
pub const HPT_WALL_SAMPLE_SIZE_V0: u32 = 40;

/// Bytes of hpt_wall_config in its first release.
pub const HPT_WALL_CONFIG_SIZE_V0: u32 = 456;

/// Bytes of hpt_wall_info in its first release.
pub const HPT_WALL_INFO_SIZE_V0: u32 = 128;

/// Bytes of hpt_wall_source_info in its first release.
pub const HPT_WALL_SOURCE_INFO_SIZE_V0: u32 = 184;

/// Bytes of hpt_hlc_info in its first release.
pub const HPT_HLC_INFO_SIZE_V0: u32 = 16;

// ---- hpt/version.h ----

// The library that this crate declares. The number is for comparisons: 10000 * MAJOR + 100 * MINOR + PATCH.
pub const HPT_VERSION_MAJOR: u32 = 1;
pub const HPT_VERSION_MINOR: u32 = 0;
pub const HPT_VERSION_PATCH: u32 = 0;
pub const HPT_VERSION_NUMBER: u32 = 10000;
pub const HPT_VERSION_STRING: &str = "1.0.0";

// Its binary interface: libhpt.so.MAJOR, libhpt.so.MAJOR.MINOR.
pub const HPT_ABI_MAJOR: u32 = 1;
pub const HPT_ABI_MINOR: u32 = 0;
