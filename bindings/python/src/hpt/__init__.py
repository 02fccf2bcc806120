# SPDX-License-Identifier: MIT
"""libhpt: one clock over the best counter of the machine, and sleeps that end on time.

>>> import hpt
>>> start = hpt.now_ns()
>>> hpt.sleep(0.001)
<Wake.REACHED: 0>
>>> hpt.now_ns() - start >= 1_000_000
True

Names say their unit: ``_ns`` is nanoseconds, ``seconds`` and ``timeout`` are a number of seconds or a timedelta, a bare
``now``, ``tick`` and ``ticks`` are ticks of the clock's counter. A ``timeout`` of None is for ever, one of 0 and below
is one look. Errors are OSError with the errno, ValueError (a wrong argument, or an object that is closed),
OverflowError (a number that does not fit in 64 bits) and MemoryError. Any thread may use any object.
"""

from hpt import _native as _impl
from hpt._aio import sleep_async
from hpt._clock import (
    Clock,
    info,
    kernel_hz,
    low_latency,
    now,
    now_ns,
    now_ns_unordered,
    now_unordered,
    set_default_source,
    set_policy,
    set_slice_ns,
    sleep,
    sleep_ns,
    sleep_until_ns,
    sleep_until_ticks,
    sleep_until_unix_ns,
    unix_ns,
)
from hpt._convert import Seconds
from hpt._enums import (
    ClockFlag,
    Missed,
    OrderedRead,
    Origin,
    Policy,
    Reason,
    Source,
    Stage,
    State,
    TscClass,
    Wake,
)
from hpt._info import (
    ClockInfo,
    CpuInfo,
    Sample,
    SleepInfo,
    SourceInfo,
    TickerInfo,
    cpu_info,
    sleep_info,
    source_info,
    sources,
)
from hpt._selector import Selector
from hpt._sleeper import Gate, Sleeper
from hpt._ticker import Tick, Ticker
from hpt._timebase import Timebase
from hpt._wall import (
    Hlc,
    HlcInfo,
    Wall,
    WallFlag,
    WallInfo,
    WallReason,
    WallSource,
    WallSourceInfo,
    WallState,
    WallTime,
)

version = _impl.version
version_number = _impl.version_number
__version__ = version()

__all__ = [
    "Clock",
    "ClockFlag",
    "ClockInfo",
    "CpuInfo",
    "Gate",
    "Hlc",
    "HlcInfo",
    "Missed",
    "OrderedRead",
    "Origin",
    "Policy",
    "Reason",
    "Sample",
    "Seconds",
    "Selector",
    "SleepInfo",
    "Sleeper",
    "Source",
    "SourceInfo",
    "Stage",
    "State",
    "Tick",
    "Ticker",
    "TickerInfo",
    "Timebase",
    "TscClass",
    "Wake",
    "Wall",
    "WallFlag",
    "WallInfo",
    "WallReason",
    "WallSource",
    "WallSourceInfo",
    "WallState",
    "WallTime",
    "cpu_info",
    "info",
    "kernel_hz",
    "low_latency",
    "now",
    "now_ns",
    "now_ns_unordered",
    "now_unordered",
    "set_default_source",
    "set_policy",
    "set_slice_ns",
    "sleep",
    "sleep_async",
    "sleep_info",
    "sleep_ns",
    "sleep_until_ns",
    "sleep_until_ticks",
    "sleep_until_unix_ns",
    "source_info",
    "sources",
    "unix_ns",
    "version",
    "version_number",
]
