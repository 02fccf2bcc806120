# SPDX-License-Identifier: MIT
"""The backend in pure Python, over the system's libhpt: the same names and behaviour as ``hpt._native``."""

from __future__ import annotations

import ctypes
import sys
from array import array
from typing import Any, Callable, Optional

from hpt import _ctypes_lib as lib
from hpt._ctypes_clock import (
    TIMEBASE_SIZE,
    Clock,
    deadline_after,
    sleep_until_by_default,
    sleep_until_ns_by_default,
    sleep_until_unix_ns_by_default,
)
from hpt._ctypes_lib import check, int32, int64, uint32
from hpt._ctypes_wait import Gate, Ticker, Waiter
from hpt._ctypes_wall import Hlc, Wall

__all__ = ["Clock", "Gate", "Hlc", "Ticker", "Waiter", "Wall"]

SLEEP_INFO_SIZE = 56
SOURCE_INFO_SIZE = 80
CPU_INFO_SIZE = 168

now = lib.default_read(
    "now",
    "hpt_now",
    """The present time of the default clock in ticks since the counter's zero.

    A read that happens after another, on any thread and CPU, is never smaller.""",
)
now_unordered = lib.default_read(
    "now_unordered",
    "hpt_now_unordered",
    """The present time of the default clock in ticks, by the bare counter instruction.

    The processor may move it among the thread's other instructions.""",
)
now_ns = lib.default_read(
    "now_ns",
    "hpt_now_ns",
    """The present time of the default clock in nanoseconds, on CLOCK_MONOTONIC_RAW's timeline.

    It never decreases within a generation of the clock: see Clock.check().""",
)
now_ns_unordered = lib.default_read(
    "now_ns_unordered",
    "hpt_now_ns_unordered",
    "now_ns() in nanoseconds by the bare counter instruction, ordered as little as now_unordered().",
)
unix_ns = lib.default_read(
    "unix_ns",
    "hpt_now_unix_ns",
    "The present time in nanoseconds since 1970-01-01 00:00 UTC; follows CLOCK_REALTIME.",
)

_set_default = lib.blocking("hpt_clock_set_default")
_set_policy = lib.leaf("hpt_sleep_set_policy")
_sleep_info = lib.leaf("hpt_sleep_get_info")
_kernel_hz = lib.leaf("hpt_kernel_hz")
_version = lib.static_text("hpt_version")
_version_number = lib.leaf("hpt_version_number")
_source_parse = lib.leaf("hpt_source_parse")
_source_info = lib.leaf("hpt_source_get_info")
_cpu_info = lib.blocking("hpt_cpu_get_info")
_set_slice_ns = lib.leaf("hpt_thread_set_slice_ns")
_low_latency_open = lib.blocking("hpt_low_latency_open")


def sleep_ns(ns: int) -> int:
    """Sleeps for nanoseconds; not at all if they are not positive."""
    duration = int64(ns)
    deadline = deadline_after(None, duration)
    return 0 if duration <= 0 else sleep_until_ns_by_default(deadline)


def sleep_until(tick: int) -> int:
    """Sleeps until a time of the default clock in ticks."""
    return sleep_until_by_default(tick)


def sleep_until_ns(ns: int) -> int:
    """Sleeps until a time in nanoseconds of now_ns()."""
    return sleep_until_ns_by_default(ns)


def sleep_until_unix_ns(ns: int) -> int:
    """Sleeps until a Unix time in nanoseconds."""
    return sleep_until_unix_ns_by_default(ns)


def set_default(source: int) -> None:
    """Chooses the default clock's source, before the first use of that clock."""
    check(_set_default(uint32(source)))


def set_policy(policy: int, max_spin_ns: int) -> None:
    """The policy of all sleeps of the process."""
    check(_set_policy(uint32(policy), int64(max_spin_ns)))


def sleep_info() -> bytes:
    """The struct hpt_sleep_info of the calling thread."""
    return lib.struct_bytes(_sleep_info, SLEEP_INFO_SIZE)


def kernel_hz() -> int:
    """The kernel's timer frequency in jiffies per second; 0 if it is not known."""
    return _kernel_hz()


def version() -> str:
    """The version of the library that runs."""
    return _version()


def version_number() -> int:
    """The version of the library that runs: 10000 * major + 100 * minor + patch."""
    return _version_number()


def _namer(function: str, doc: str) -> Callable[[int], str]:
    name_of = lib.static_text(function)

    def name(value: int) -> str:
        return name_of(uint32(value))

    name.__doc__ = doc
    return name


source_name = _namer("hpt_source_name", "The name of a source.")
state_name = _namer("hpt_state_name", "The name of a state.")
stage_name = _namer("hpt_stage_name", "The name of a stage.")
origin_name = _namer("hpt_origin_name", "The name of a rate's origin.")
reason_text = _namer("hpt_reason_text", "The sentence that belongs to a reason.")
wall_reason_text = _namer("hpt_wall_reason_text", "The sentence that belongs to a reason of a wall's source.")


def source_parse(name: str) -> int:
    """The source of a name."""
    source = lib.U32()
    check(_source_parse(lib.text(name), ctypes.byref(source)))
    return source.value


def source_info(source: int) -> bytes:
    """The struct hpt_source_info of a source."""
    return lib.struct_bytes(_source_info, SOURCE_INFO_SIZE, uint32(source))


def cpu_info() -> bytes:
    """The struct hpt_cpu_info of the processor."""
    return lib.struct_bytes(_cpu_info, CPU_INFO_SIZE)


def set_slice_ns(ns: int) -> None:
    """The calling thread's time slice in nanoseconds; 0: the kernel's own."""
    check(_set_slice_ns(int64(ns)))


def low_latency_open(max_us: int) -> int:
    """A descriptor that keeps all CPUs out of deep idle states while it is open."""
    return check(_low_latency_open(int32(max_us)))


# A batch of more ticks than this is converted without the GIL.
_BATCH = 4096

_to_ns = lib.leaf("hpt_timebase_to_ns"), lib.blocking("hpt_timebase_to_ns")
_to_unix_ns = lib.leaf("hpt_timebase_to_unix_ns"), lib.blocking("hpt_timebase_to_unix_ns")
_NATIVE = "@=<" if sys.byteorder == "little" else "@=>!"


def timebase_to_ns(first: Any, last: Optional[Any], ticks: Any, out: Any) -> None:
    """Converts ticks to nanoseconds of now_ns() by time bases."""
    _convert(_to_ns, first, last, ticks, out)


def timebase_to_unix_ns(first: Any, last: Optional[Any], ticks: Any, out: Any) -> None:
    """Converts ticks to Unix time in nanoseconds by time bases."""
    _convert(_to_unix_ns, first, last, ticks, out)


def _convert(functions: tuple[Callable[..., int], ...], first: Any, last: Optional[Any], ticks: Any, out: Any) -> None:
    source, target = _int64_view(ticks), _int64_view(out)
    if target.readonly:
        raise BufferError("the output buffer is read-only")
    if source.nbytes != target.nbytes:
        raise ValueError("the buffers of ticks and of results differ in length")
    if _overlap(source, target):
        raise ValueError("the buffers of ticks and of results overlap, and are not the same")
    count = source.nbytes // 8
    bases = _timebase(first), None if last is None else _timebase(last)
    function = functions[count > _BATCH]
    check(function(*bases, _address(source), _address(target), count))


def _timebase(data: Any) -> bytes:
    base = bytes(memoryview(data))
    if len(base) != TIMEBASE_SIZE:
        raise ValueError(f"a time base has {TIMEBASE_SIZE} bytes, not {len(base)}")
    return base


def _int64_view(data: Any) -> memoryview:
    """A buffer of signed integers of 64 bits in the machine's byte order, in one piece."""
    view = memoryview(data)
    code = view.format[1:] if view.format[:1] in _NATIVE else view.format
    if code not in ("q", "l", "n") or view.itemsize != 8:
        raise TypeError(f"a buffer of signed integers of 64 bits is needed, not of format {view.format!r}")
    if not view.c_contiguous:
        raise BufferError("the buffer is not contiguous")
    return view


def _overlap(source: memoryview, target: memoryview) -> bool:
    """Whether one buffer begins inside the other. One that is read-only is copied before the call."""
    if source.readonly or not source.nbytes:
        return False
    begin, other = (ctypes.addressof(ctypes.c_char.from_buffer(view.cast("B"))) for view in (source, target))
    return 0 < abs(begin - other) < source.nbytes


def _address(view: memoryview) -> Any:
    """The address of a buffer, for ctypes, which takes a writable buffer only; a read-only one is copied."""
    if not view.nbytes:
        return ctypes.byref(lib.I64())
    flat = view.cast("B")
    return ctypes.byref(lib.I64.from_buffer(array("q", flat.tobytes()) if view.readonly else flat))
