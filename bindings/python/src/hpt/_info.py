# SPDX-License-Identifier: MIT
"""Facts about clocks, sources, sleeps and the processor, as dataclasses.

The extension returns the library's structs as bytes; their members have the machine's byte order and no padding. Names
and units are those of the C headers: _ns, _ps, _hz, _uhz (micro-hertz: ticks in 10^6 seconds), _ppb (parts in 10^9).
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Any, Callable, Optional, TypeVar

from hpt import _native as impl
from hpt._convert import INT64_MAX, INT64_MIN
from hpt._enums import ClockFlag, OrderedRead, Origin, Policy, Reason, Source, Stage, State, TscClass

UINT32_MAX = 2**32 - 1

T = TypeVar("T")


def _text(data: bytes) -> str:
    return data.split(b"\0", 1)[0].decode("utf-8", "replace")


def _bound(ppb: int) -> Optional[int]:
    return None if ppb == UINT32_MAX else ppb


def _known(ns: int) -> Optional[int]:
    return None if ns == INT64_MAX else ns


def _time(ns: int) -> Optional[int]:
    return None if ns == INT64_MIN else ns


def _decode(cls: Callable[..., T], members: str, data: bytes, **converters: Callable[[Any], object]) -> T:
    """A dataclass of a struct's members after its size; some of them are converted.

    A library that knows fewer members gives zeros for the rest.
    """
    layout = struct.Struct("=I" + members)
    values = layout.unpack(data[: layout.size].ljust(layout.size, b"\0"))[1:]
    names = getattr(cls, "__dataclass_fields__")  # noqa: B009
    return cls(*(converters[name](value) if name in converters else value for name, value in zip(names, values)))


@dataclass(frozen=True)
class ClockInfo:
    """Facts about a clock."""

    source: Source
    reason: Reason
    """Why this source, or why it has ClockFlag.VETOED."""
    state: State
    """Why the present generation began."""
    flags: ClockFlag
    counter_bits: int
    """Implemented bits of the counter."""
    generation: int
    """1 at first; each event adds 1."""
    frequency_uhz: int
    """Ticks in 10^6 seconds; 0: not even guessed."""
    frequency_error_ppb: Optional[int]
    """Half-width of the proven bound of the frequency, parts in 10^9; None: a guess."""
    frequency_origin: Origin
    granularity_ns: int
    """The counter's smallest step seen, in nanoseconds, rounded up; 0: none was seen."""
    env_requested: Source
    """The source that HPT_SOURCE asks for; AUTO if none."""
    read_cost_mean_ps: int
    """Mean cost of an ordered read in picoseconds, by C; 0: not measured."""
    read_cost_stddev_ps: int
    """Its standard deviation in picoseconds."""
    read_cost_samples: int
    """Reads that these two come from."""
    read_cost_dropped: int
    """Peaks dropped before."""
    hpet_period_fs: int
    """HPET: femtoseconds a tick; else 0."""
    hpet_vendor_id: int
    """HPET: PCI vendor number; else 0."""
    ordered_read: OrderedRead
    epoch_ticks: int
    """A tick of the clock."""
    epoch_ns: int
    """Its time in nanoseconds of now_ns()."""
    epoch_unix_ns: int
    """Its Unix time in nanoseconds."""
    env_source: str
    """The text of HPT_SOURCE, cut to fit; "" if not set."""
    kernel_clocksource: str
    """The kernel's clocksource when the library was loaded; "" if not known."""
    rdtscp_mean_ps: int
    """Mean cost of a read by RDTSCP in picoseconds; 0: not measured."""
    lfence_rdtsc_mean_ps: int
    """Mean cost of a read by LFENCE and RDTSC in picoseconds; 0: not measured."""
    os_error_ns: Optional[int]
    """How far unix_ns(), monotonic_ns(), boottime_ns() and tai_ns() may be from the kernel's clocks now.

    None: not known. It grows by 101 us a millisecond, and is smallest after check().
    """

    @property
    def frequency_hz(self) -> float:
        """Ticks per second."""
        return self.frequency_uhz / 1e6

    @classmethod
    def _decode(cls, data: bytes) -> ClockInfo:
        return _decode(
            cls,
            "5I2Q4I2Q2IQ2I3q24s32s2Qq",
            data,
            source=Source,
            reason=Reason,
            state=State,
            flags=ClockFlag,
            frequency_error_ppb=_bound,
            frequency_origin=Origin,
            env_requested=Source,
            ordered_read=OrderedRead,
            env_source=_text,
            kernel_clocksource=_text,
            os_error_ns=_known,
        )


@dataclass(frozen=True)
class SourceInfo:
    """Facts about a source, usable or not."""

    source: Source
    usable: bool
    """Clock(source) succeeded or is expected to."""
    chosen: bool
    """The default clock runs on it."""
    stage: Stage
    """The last stage reached."""
    reason: Reason
    error: int
    """The errno value that stopped it there, or 0."""
    granularity_ns: int
    """The counter's smallest step seen, in nanoseconds; 0: none was seen."""
    cost_mean_ps: int
    """Mean cost of a read in picoseconds; 0: not measured."""
    cost_stddev_ps: int
    """Its standard deviation in picoseconds."""
    cost_samples: int
    """Reads that these two come from."""
    cost_dropped: int
    """Peaks dropped before."""
    frequency_uhz: int
    """Ticks in 10^6 seconds; 0: not known yet."""
    name: str

    @classmethod
    def _decode(cls, data: bytes) -> SourceInfo:
        return _decode(
            cls, "7I2Q2IQ16s", data, source=Source, usable=bool, chosen=bool, stage=Stage, reason=Reason, name=_text
        )


@dataclass(frozen=True)
class CpuInfo:
    """CPUID's facts about this processor."""

    tsc_class: TscClass
    family: int
    model: int
    stepping: int
    tsc: bool
    rdtscp: bool
    invariant: bool
    sse2: bool
    hypervisor: bool
    cores_online: int
    """Logical processors online."""
    crystal_hz: int
    """The crystal's frequency in hertz; 0: not stated."""
    tsc_hz: int
    """The TSC's frequency in hertz as stated; 0: not stated. A hint."""
    vendor_id: str
    vendor: str
    brand: str
    hypervisor_id: str

    @classmethod
    def _decode(cls, data: bytes) -> CpuInfo:
        return _decode(
            cls,
            "11IQ16s16s64s16s",
            data,
            tsc_class=TscClass,
            tsc=bool,
            rdtscp=bool,
            invariant=bool,
            sse2=bool,
            hypervisor=bool,
            vendor_id=_text,
            vendor=_text,
            brand=_text,
            hypervisor_id=_text,
        )


@dataclass(frozen=True)
class SleepInfo:
    """The margins that the calling thread has learned, and how its sleeps ended."""

    policy: Policy
    """The process's policy."""
    max_spin_ns: int
    """The process's longest margin in nanoseconds; 2**60: no limit."""
    margin_ns: int
    """How many nanoseconds before a deadline a short wait ends."""
    long_margin_ns: int
    """The same for a long wait, which a short one follows."""
    samples: int
    """Waits that margin_ns is learned from; below 8 it is a guess."""
    long_samples: int
    """Waits that long_margin_ns is learned from."""
    waits: int
    """Waits of this thread in the kernel."""
    oversleeps: int
    """Those that ended after the sleep's deadline."""
    oversleep_ns: int
    """The sum of their lateness in nanoseconds."""

    @classmethod
    def _decode(cls, data: bytes) -> SleepInfo:
        return _decode(cls, "Iq4I3Q", data, policy=Policy)


@dataclass(frozen=True)
class TickerInfo:
    """Counts of a ticker since it was made."""

    policy: Policy
    """Its own policy, or INHERIT."""
    ticks: int
    """Ticks that it returned."""
    missed: int
    """Ticks that it skipped or dropped."""
    late_median_ns: int
    """Half of the returned ticks were no later than this, in nanoseconds; may be too large by an eighth."""
    late_p99_ns: int
    """99 of 100 were no later than this, likewise."""
    late_max_ns: int
    """The greatest lateness in nanoseconds."""

    @classmethod
    def _decode(cls, data: bytes) -> TickerInfo:
        return _decode(cls, "I2Q3q", data, policy=Policy)


@dataclass(frozen=True)
class Sample:
    """A tick of a clock, and the time at that tick on each timeline in nanoseconds; None: denied or not there."""

    state: State
    generation: int
    tick: int
    ns: int
    """On now_ns()'s timeline."""
    unix_ns: Optional[int]
    """CLOCK_REALTIME."""
    monotonic_ns: Optional[int]
    """CLOCK_MONOTONIC."""
    boottime_ns: Optional[int]
    """CLOCK_BOOTTIME."""
    tai_ns: Optional[int]
    """CLOCK_TAI."""
    width_ns: int
    """The error of each of these four is at most half of this, in nanoseconds."""

    @classmethod
    def _decode(cls, data: bytes) -> Sample:
        return _decode(
            cls, "IQ7q", data, state=State, unix_ns=_time, monotonic_ns=_time, boottime_ns=_time, tai_ns=_time
        )


def sources() -> list[SourceInfo]:
    """Facts about all sources that the library knows, usable or not. Opens none; below a microsecond each in C."""
    return [SourceInfo._decode(impl.source_info(source)) for source in Source if source is not Source.AUTO]


def source_info(source: int) -> SourceInfo:
    """Facts about one source; Source.AUTO: the default clock's. ValueError: unknown."""
    return SourceInfo._decode(impl.source_info(source))


def cpu_info() -> CpuInfo:
    """CPUID's facts about this processor. OSError (ENOTSUP): this architecture has no CPUID.

    Takes tens of microseconds, in a virtual machine more.
    """
    return CpuInfo._decode(impl.cpu_info())


def sleep_info() -> SleepInfo:
    """The margins that the calling thread has learned, and how its sleeps ended. Below a microsecond in C."""
    return SleepInfo._decode(impl.sleep_info())
