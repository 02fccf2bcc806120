// SPDX-License-Identifier: MIT
//! Numbers of the C library. One that this crate does not know is a value too.

use crate::raw;
use hpt_sys as sys;
use std::fmt;
use std::io;
use std::ops::BitOr;
use std::str::FromStr;

macro_rules! ids {
    ($(
        $(#[$doc:meta])*
        $name:ident by $text:expr => { $($(#[$value_doc:meta])* $value:ident = $number:expr,)* }
    )*) => { $(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub u32);

        impl $name {
            $($(#[$value_doc])* pub const $value: Self = Self($number);)*
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let text: fn(u32) -> &'static str = $text;

                f.pad(text(self.0))
            }
        }
    )* };
}

ids! {
    /// A kind of counter: the number `HPT_SOURCE_` of the C library. `Display` writes its name.
    ///
    /// ```
    /// use hpt::SourceKind;
    ///
    /// assert_eq!(SourceKind::TSC.to_string(), "tsc");
    /// assert_eq!("os".parse::<SourceKind>().unwrap(), SourceKind::OS);
    /// assert_eq!(SourceKind(1000).to_string(), "unknown");
    /// ```
    SourceKind by raw::source_name => {
        /// The library's own choice.
        AUTO = sys::HPT_SOURCE_AUTO,
        /// x86 time stamp counter.
        TSC = sys::HPT_SOURCE_TSC,
        /// x86 high precision event timer, through `/dev/hpet`.
        HPET = sys::HPT_SOURCE_HPET,
        /// `clock_gettime(CLOCK_MONOTONIC)`.
        OS = sys::HPT_SOURCE_OS,
        /// The counter that another architecture lets programs read.
        ARCH = sys::HPT_SOURCE_ARCH,
        /// Memory-mapped counter of a system on chip; see [`MmioConfig`](crate::MmioConfig).
        MMIO = sys::HPT_SOURCE_MMIO,
        /// No counter; see [`ManualClock`](crate::ManualClock).
        MANUAL = sys::HPT_SOURCE_MANUAL,
    }

    /// Why the present generation of a clock began: the number `HPT_STATE_`. `Display` writes its name.
    State by raw::state_name => {
        /// No event.
        OK = sys::HPT_STATE_OK,
        /// The system's clocks moved: suspend, step of the wall clock, new time namespace.
        REANCHORED = sys::HPT_STATE_REANCHORED,
        /// The counter jumped: restored snapshot, migration, another counter.
        DISRUPTED = sys::HPT_STATE_DISRUPTED,
        /// The kernel stopped trusting this counter, or it jumps again and again.
        DEMOTED = sys::HPT_STATE_DEMOTED,
    }

    /// The last stage that the library reached with a source: the number `HPT_STAGE_`.
    Stage by raw::stage_name => {
        /// Not tried.
        UNTRIED = sys::HPT_STAGE_UNTRIED,
        /// The processor has the instruction, and the process may use it.
        CPU = sys::HPT_STAGE_CPU,
        /// Device node.
        OPEN = sys::HPT_STAGE_OPEN,
        /// Mapping of its registers.
        MAP = sys::HPT_STAGE_MAP,
        /// Width, period, enabled.
        CAPS = sys::HPT_STAGE_CAPS,
        /// Two reads differ.
        COUNTING = sys::HPT_STAGE_COUNTING,
        /// All stages passed.
        USABLE = sys::HPT_STAGE_USABLE,
    }

    /// Where a clock's rate comes from: the number `HPT_ORIGIN_`.
    Origin by raw::origin_name => {
        /// A guess.
        NONE = sys::HPT_ORIGIN_NONE,
        /// By definition: the OS clock and manual clocks.
        EXACT = sys::HPT_ORIGIN_EXACT,
        /// Stated by the hardware.
        REGISTER = sys::HPT_ORIGIN_REGISTER,
        /// Measured against `CLOCK_MONOTONIC_RAW`.
        MEASURED = sys::HPT_ORIGIN_MEASURED,
        /// The kernel's own.
        KERNEL = sys::HPT_ORIGIN_KERNEL,
    }

    /// Why a source was chosen, was not chosen, or cannot be used: the number `HPT_REASON_`, of which later libraries
    /// have more. `Display` writes the sentence. The constants are those of [`hpt_sys`].
    ///
    /// ```
    /// use hpt::{Clock, Reason};
    ///
    /// println!("{}", Clock::global().info()?.reason);
    /// assert_eq!(Reason(4_000_000).to_string(), "unknown reason");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    Reason by raw::reason_text => {
        /// No reason.
        NONE = sys::HPT_REASON_NONE,
    }

    /// A source of bounds of a wall: the number `HPT_WALL_SOURCE_FEED` ... `Display` writes its name.
    WallSource by raw::wall_source_name => {
        /// The program's own samples: [`Wall::feed`](crate::Wall::feed).
        FEED = sys::HPT_WALL_SOURCE_FEED,
        /// The shared memory of the daemon of `ClockBound`.
        CLOCKBOUND = sys::HPT_WALL_SOURCE_CLOCKBOUND,
        /// chronyd, asked by UDP.
        CHRONY = sys::HPT_WALL_SOURCE_CHRONY,
        /// `adjtimex(2)`: a claim of unknown worth, used on request only.
        KERNEL = sys::HPT_WALL_SOURCE_KERNEL,
        /// The page by which a hypervisor states time and disruptions.
        VMCLOCK = sys::HPT_WALL_SOURCE_VMCLOCK,
        /// A network card's clock.
        PHC = sys::HPT_WALL_SOURCE_PHC,
        /// The shared memory of fbclock's daemon: a statistical claim, used on request only.
        FBCLOCK = sys::HPT_WALL_SOURCE_FBCLOCK,
    }

    /// Whether a wall has a bound, or why not: the number `HPT_WALL_STATE_NONE` ... `Display` writes its name.
    WallState by raw::wall_state_name => {
        /// No sample yet.
        NONE = sys::HPT_WALL_STATE_NONE,
        /// There is a bound, by a fresh sample.
        SYNCED = sys::HPT_WALL_STATE_SYNCED,
        /// There is a bound, but no new sample lately, or the source has lost its own reference.
        HOLDOVER = sys::HPT_WALL_STATE_HOLDOVER,
        /// A source answers, and says that it has no bound.
        UNSYNCED = sys::HPT_WALL_STATE_UNSYNCED,
        /// The latest sample is too old.
        STALE = sys::HPT_WALL_STATE_STALE,
        /// The counter jumped, the machine slept or was moved: earlier samples are void.
        DISRUPTED = sys::HPT_WALL_STATE_DISRUPTED,
        /// Samples have nothing in common: one of the sources is wrong.
        CONTRADICTED = sys::HPT_WALL_STATE_CONTRADICTED,
        /// Within a second of a leap second.
        LEAP = sys::HPT_WALL_STATE_LEAP,
    }

    /// Why a source of a wall gives nothing: the number `HPT_WALL_REASON_`, of which later libraries have more.
    /// `Display` writes the sentence. The constants are those of [`hpt_sys`].
    WallReason by raw::wall_reason_text => {
        /// Nothing is wrong.
        NONE = sys::HPT_WALL_REASON_NONE,
    }

    /// The CPU's statement about its TSC: the number `HPT_CPU_`.
    TscClass by tsc_class_name => {
        /// No such instruction.
        NO_TSC = sys::HPT_CPU_NO_TSC,
        /// The rate may follow the CPU's frequency.
        NOT_CONSTANT = sys::HPT_CPU_NOT_CONSTANT,
        /// Constant rate, by family and model; it may stop in deep idle.
        CONSTANT_BY_FAMILY = sys::HPT_CPU_CONSTANT_BY_FAMILY,
        /// Constant rate in every power state.
        INVARIANT = sys::HPT_CPU_INVARIANT,
    }

    /// The instruction of a clock's ordered reads: the number `HPT_ORDERED_`.
    OrderedRead by ordered_read_name => {
        /// The clock does not read the TSC.
        OTHER = sys::HPT_ORDERED_OTHER,
        /// `RDTSCP`.
        RDTSCP = sys::HPT_ORDERED_RDTSCP,
        /// `LFENCE` and `RDTSC`.
        LFENCE_RDTSC = sys::HPT_ORDERED_LFENCE_RDTSC,
    }
}

/// How much an interval of a wall is worth: a sum of numbers `HPT_WALL_FLAG_ASSUMED_RATE` ... `|` adds them.
///
/// ```
/// use hpt::WallFlags;
///
/// let flags = WallFlags::CLAIMED | WallFlags::SMEARED;
/// assert!(flags.contains(WallFlags::SMEARED) && !flags.contains(WallFlags::ASSUMED_RATE));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct WallFlags(pub u32);

impl WallFlags {
    /// How wrong the counter's rate may be is the library's default, not the program's.
    pub const ASSUMED_RATE: Self = Self(sys::HPT_WALL_FLAG_ASSUMED_RATE);
    /// A source's claim is statistical, or of unknown worth.
    pub const CLAIMED: Self = Self(sys::HPT_WALL_FLAG_CLAIMED);
    /// A source spreads leap seconds over hours: this is not UTC meanwhile.
    pub const SMEARED: Self = Self(sys::HPT_WALL_FLAG_SMEARED);
    /// In a virtual machine whose hypervisor reports no move: one can be missed.
    pub const NO_DISRUPTION_SIGNAL: Self = Self(sys::HPT_WALL_FLAG_NO_DISRUPTION_SIGNAL);

    /// Whether all of the other ones are among these.
    #[must_use]
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }
}

impl BitOr for WallFlags {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

fn tsc_class_name(number: u32) -> &'static str {
    match TscClass(number) {
        TscClass::NO_TSC => "no tsc",
        TscClass::NOT_CONSTANT => "not constant",
        TscClass::CONSTANT_BY_FAMILY => "constant by family",
        TscClass::INVARIANT => "invariant",
        _ => "unknown",
    }
}

fn ordered_read_name(number: u32) -> &'static str {
    match OrderedRead(number) {
        OrderedRead::OTHER => "other",
        OrderedRead::RDTSCP => "rdtscp",
        OrderedRead::LFENCE_RDTSC => "lfence rdtsc",
        _ => "unknown",
    }
}

/// Names as `Display` writes them, in lower case. Another text is an error of kind `InvalidInput`.
impl FromStr for SourceKind {
    type Err = io::Error;

    fn from_str(name: &str) -> io::Result<Self> {
        raw::source_parse(name).map(Self)
    }
}
