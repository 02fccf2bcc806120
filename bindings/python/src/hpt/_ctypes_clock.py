# SPDX-License-Identifier: MIT
"""Clocks by ctypes: the same as ``hpt._native.Clock``."""

from __future__ import annotations

import ctypes
import errno
from typing import Any, Callable, Optional, TypeVar

from hpt import _ctypes_lib as lib
from hpt._ctypes_lib import Handle, Object, check, int32, int64, uint32, uint64

SAMPLE_SIZE = 72
TIMEBASE_SIZE = 128
CLOCK_INFO_SIZE = 192
TIME_TEXT_SIZE = 31
TICKS_TEXT_SIZE = 33
CPU_UNKNOWN = 2**32 - 1

Self = TypeVar("Self", bound="Clock")

_default = lib.leaf("hpt_clock_default")
_open = lib.blocking("hpt_clock_open")
_open_mmio = lib.blocking("hpt_clock_open_mmio")
_new_manual = lib.leaf("hpt_clock_new_manual")
_ref = lib.leaf("hpt_clock_ref")
_close = lib.leaf("hpt_clock_close")
_now = lib.leaf("hpt_now")
_now_unordered = lib.leaf("hpt_now_unordered")
_now_cpu = lib.leaf("hpt_now_cpu")
_now_ns = lib.leaf("hpt_now_ns")
_now_ns_unordered = lib.leaf("hpt_now_ns_unordered")
_now_unix_ns = lib.leaf("hpt_now_unix_ns")
_ticks_to_ns = lib.leaf("hpt_ticks_to_ns")
_ns_to_ticks = lib.leaf("hpt_ns_to_ticks")
_add_ticks = lib.leaf("hpt_time_add_ticks")
_add_ns = lib.leaf("hpt_time_add_ns")
_to_ns = lib.leaf("hpt_time_to_ns")
_from_ns = lib.leaf("hpt_time_from_ns")
_to_unix_ns = lib.leaf("hpt_time_to_unix_ns")
_from_unix_ns = lib.leaf("hpt_time_from_unix_ns")
_to_os = lib.leaf("hpt_time_to_os")
_from_os = lib.leaf("hpt_time_from_os")
_to_unix_ticks = lib.leaf("hpt_time_to_unix_ticks")
_format = lib.leaf("hpt_time_format")
_format_ticks = lib.leaf("hpt_ticks_format")
_parse = lib.leaf("hpt_time_parse")
_min = lib.leaf("hpt_time_min")
_max = lib.leaf("hpt_time_max")
_check = lib.blocking("hpt_clock_check")
_generation = lib.leaf("hpt_clock_generation")
_get_info = lib.leaf("hpt_clock_get_info")
_sample = lib.leaf("hpt_clock_sample")
_get_timebase = lib.blocking("hpt_clock_get_timebase")
_advance = lib.leaf("hpt_clock_advance")
_sleepers = lib.leaf("hpt_clock_sleepers")

_waiter_new = lib.leaf("hpt_waiter_new")
_waiter_free = lib.leaf("hpt_waiter_free")
_interrupt = lib.leaf("hpt_waiter_interrupt")
_until = lib.blocking("hpt_waiter_sleep_until")
_until_ns = lib.blocking("hpt_waiter_sleep_until_ns")
_until_unix_ns = lib.blocking("hpt_waiter_sleep_until_unix_ns")


def sleep_loop(function: Callable[..., int], *arguments: object) -> int:
    """The result of a sleep; one that a signal handler ended goes on to the same deadline.

    Python runs the handlers of its signals after the call, so an exception that one of them raises leaves the loop.
    """
    while True:
        result = function(*arguments)
        if result != -errno.EINTR:
            return result


def _wait(waiter: Handle, function: Callable[..., int], deadline: int) -> int:
    return check(sleep_loop(function, waiter, deadline), errno.ECANCELED)


class ClockHandle(Handle):
    """A clock, and the waiters of the threads that sleep on it."""

    __slots__ = ("waiters",)

    def __init__(self, pointer: Any, free: Optional[Callable[..., Any]]) -> None:
        super().__init__(pointer, free)
        self.waiters: set[Handle] = set()


def _new_clock(new: Callable[..., int], *arguments: object) -> ClockHandle:
    pointer = lib.PTR()
    check(new(*arguments, ctypes.byref(pointer)))
    return ClockHandle(pointer, _close)


def _new_waiter(clock: Optional[Handle]) -> Handle:
    return lib.new_handle(_waiter_new, _waiter_free, clock, lib.WAIT_EINTR)


def deadline_after(clock: Any, ns: int) -> int:
    """The time in nanoseconds of now_ns() that is a duration from now, at most the end of 64 bits."""
    return lib.saturate(_now_ns(clock) + ns)


def sleep_until_by_default(tick: Any) -> int:
    """Sleeps until a tick of the default clock."""
    return _wait(_new_waiter(None), _until, int64(tick))


def sleep_until_ns_by_default(ns: Any) -> int:
    """Sleeps until a time of now_ns()."""
    return _wait(_new_waiter(None), _until_ns, int64(ns))


def sleep_until_unix_ns_by_default(ns: Any) -> int:
    """Sleeps until a Unix time."""
    return _wait(_new_waiter(None), _until_unix_ns, int64(ns))


def _result(function: Callable[..., int], *arguments: object) -> int:
    """The number that a function writes to its last argument."""
    value = lib.I64()
    check(function(*arguments, ctypes.byref(value)))
    return value.value


class Clock(Object):
    """A clock: the process's default one, or a new one on a source."""

    __slots__ = ()

    _handle: Optional[ClockHandle]

    def _held(self) -> ClockHandle:
        handle = super()._held()
        assert isinstance(handle, ClockHandle)
        return handle

    def __init__(self, source: Optional[int] = None) -> None:
        if source is None:
            self._adopt(ClockHandle(lib.PTR(_default()), None))
        else:
            self._adopt(_new_clock(_open, uint32(source), 0))

    @classmethod
    def _of(cls: type[Self], handle: ClockHandle) -> Self:
        clock = Object.__new__(cls)
        clock._handle = handle
        return clock

    @classmethod
    def manual(cls: type[Self], frequency_uhz: int, start: int = 0) -> Self:
        """A clock that stands still until advance(); frequency in micro-hertz, the first tick."""
        return cls._of(_new_clock(_new_manual, uint64(frequency_uhz), int64(start)))

    @classmethod
    def mmio(cls: type[Self], description: bytes) -> Self:
        """A clock on the memory-mapped counter that a struct hpt_mmio describes."""
        data = bytes(memoryview(description))
        return cls._of(_new_clock(_open_mmio, data, len(data)))

    def ref(self) -> Clock:
        """Another holder of the clock, which stays open when this one is closed."""
        held = self._held()
        return Clock._of(ClockHandle(lib.PTR(_ref(held)), held._free))

    def close(self) -> None:
        """Gives the clock back and ends sleeps on it; other objects on it keep it. The default clock stays open."""
        handle = self._handle
        if handle is None or handle._free is None:
            return
        self._release()
        for waiter in list(handle.waiters):
            _interrupt(waiter)

    def now(self) -> int:
        """The present time in ticks, ordered across threads and CPUs."""
        return _now(self._held())

    def now_unordered(self) -> int:
        """The present time in ticks, by the bare counter instruction."""
        return _now_unordered(self._held())

    def now_cpu(self) -> tuple[int, Optional[int]]:
        """The present time in ticks, and the CPU that it was read on if that is known."""
        cpu = lib.U32()
        tick = _now_cpu(self._held(), ctypes.byref(cpu))
        return tick, None if cpu.value == CPU_UNKNOWN else cpu.value

    def now_ns(self) -> int:
        """The present time in nanoseconds, on CLOCK_MONOTONIC_RAW's timeline."""
        return _now_ns(self._held())

    def now_ns_unordered(self) -> int:
        """now_ns() by the bare counter instruction, in nanoseconds."""
        return _now_ns_unordered(self._held())

    def unix_ns(self) -> int:
        """The present time in nanoseconds since 1970-01-01 00:00 UTC."""
        return _now_unix_ns(self._held())

    def ticks_to_ns(self, ticks: int) -> int:
        """A duration in ticks as nanoseconds, rounded to nearest; the ends of 64 bits if it does not fit."""
        return _ticks_to_ns(self._held(), int64(ticks))

    def ns_to_ticks(self, ns: int) -> int:
        """A duration in nanoseconds as ticks, rounded to nearest; the ends of 64 bits if it does not fit."""
        return _ns_to_ticks(self._held(), int64(ns))

    def add_ticks(self, tick: int, ticks: int) -> int:
        """The time that is a number of ticks after another; OverflowError if it does not fit."""
        return _result(_add_ticks, self._held(), int64(tick), int64(ticks))

    def add_ns(self, tick: int, ns: int) -> int:
        """The time in ticks that is a number of nanoseconds after another; OverflowError if it does not fit."""
        return _result(_add_ns, self._held(), int64(tick), int64(ns))

    def to_ns(self, tick: int) -> int:
        """A time in ticks as nanoseconds of now_ns(), rounded down."""
        return _result(_to_ns, self._held(), int64(tick))

    def from_ns(self, ns: int) -> int:
        """The tick that is nearest to a time in nanoseconds of now_ns()."""
        return _result(_from_ns, self._held(), int64(ns))

    def to_unix_ns(self, tick: int) -> int:
        """A time in ticks as nanoseconds since 1970, rounded to nearest."""
        return _result(_to_unix_ns, self._held(), int64(tick))

    def from_unix_ns(self, ns: int) -> int:
        """The tick that is nearest to a Unix time in nanoseconds."""
        return _result(_from_unix_ns, self._held(), int64(ns))

    def to_os(self, tick: int, clockid: int) -> int:
        """A time in ticks as nanoseconds of one of the kernel's clocks, such as time.CLOCK_MONOTONIC."""
        return _result(_to_os, self._held(), int64(tick), int32(clockid))

    def from_os(self, ns: int, clockid: int) -> int:
        """The tick that is nearest to a time in nanoseconds of one of the kernel's clocks."""
        return _result(_from_os, self._held(), int64(ns), int32(clockid))

    def to_unix_ticks(self, tick: int) -> int:
        """A time as ticks since 1970; OverflowError if they do not fit."""
        return _result(_to_unix_ticks, self._held(), int64(tick))

    def min(self) -> int:
        """The earliest tick that to_unix_ns() and format() can convert."""
        return _min(self._held())

    def max(self) -> int:
        """The latest tick that to_unix_ns() and format() can convert."""
        return _max(self._held())

    def format(self, tick: int) -> str:
        """A time in ticks as text in UTC: 2026-11-20T10:47:59.123456789Z."""
        return self._text(_format, int64(tick), TIME_TEXT_SIZE)

    def format_ticks(self, ticks: int) -> str:
        """A duration in ticks as text in seconds: -12.345678901 s."""
        return self._text(_format_ticks, int64(ticks), TICKS_TEXT_SIZE)

    def _text(self, function: Callable[..., int], value: int, size: int) -> str:
        buffer = ctypes.create_string_buffer(size)
        check(function(self._held(), value, buffer, size))
        return buffer.value.decode()

    def parse(self, text: str) -> int:
        """The tick of a time that is written as format() writes it, or with an offset from UTC."""
        return _result(_parse, self._held(), lib.text(text))

    def check(self) -> tuple[int, int]:
        """Compares the clock with the system's clocks now: its state and generation."""
        generation = lib.U64()
        state = _check(self._held(), ctypes.byref(generation))
        return state, generation.value

    def generation(self) -> int:
        """The present generation; converted times of two generations cannot be compared."""
        return _generation(self._held())

    def info(self) -> bytes:
        """The struct hpt_clock_info of the clock."""
        return lib.struct_bytes(_get_info, CLOCK_INFO_SIZE, self._held())

    def sample(self) -> bytes:
        """A struct hpt_sample: a present tick, and its time on all timelines."""
        return lib.struct_bytes(_sample, SAMPLE_SIZE, self._held())

    def timebase(self) -> bytes:
        """A time base: 128 bytes that convert the clock's ticks later or elsewhere."""
        return lib.struct_bytes(_get_timebase, TIMEBASE_SIZE, self._held())

    def advance(self, ticks: int) -> None:
        """Moves a manual clock forward by ticks, and ends the sleeps whose deadline it reaches."""
        check(_advance(self._held(), int64(ticks)))

    def sleepers(self) -> int:
        """How many threads sleep on a manual clock."""
        return _sleepers(self._held())

    def sleep_ns(self, ns: int) -> int:
        """Sleeps for nanoseconds; not at all if they are not positive."""
        duration = int64(ns)
        deadline = deadline_after(self._held(), duration)
        return 0 if duration <= 0 else self._sleep(_until_ns, deadline)

    def sleep_until(self, tick: int) -> int:
        """Sleeps until a time in ticks."""
        return self._sleep(_until, int64(tick))

    def sleep_until_ns(self, ns: int) -> int:
        """Sleeps until a time in nanoseconds of now_ns()."""
        return self._sleep(_until_ns, int64(ns))

    def sleep_until_unix_ns(self, ns: int) -> int:
        """Sleeps until a Unix time in nanoseconds."""
        return self._sleep(_until_unix_ns, int64(ns))

    def _sleep(self, function: Callable[..., int], deadline: int) -> int:
        handle = self._held()
        waiter = _new_waiter(handle)
        handle.waiters.add(waiter)
        try:
            # A close() that missed this waiter has already taken the clock's handle.
            return _wait(waiter, function, deadline) if self._handle is handle else -errno.ECANCELED
        finally:
            handle.waiters.discard(waiter)
