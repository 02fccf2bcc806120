# SPDX-License-Identifier: MIT
"""Waiters, gates and tickers by ctypes: the same as in ``hpt._native``."""

from __future__ import annotations

import ctypes
import errno
from typing import Callable, Optional

from hpt import _ctypes_lib as lib
from hpt._ctypes_clock import Clock, deadline_after, sleep_loop
from hpt._ctypes_lib import Handle, Object, check, int64, uint32, uint64

TICKER_INFO_SIZE = 48

_waiter_new = lib.leaf("hpt_waiter_new")
_waiter_free = lib.leaf("hpt_waiter_free")
_waiter_until = lib.blocking("hpt_waiter_sleep_until")
_waiter_until_ns = lib.blocking("hpt_waiter_sleep_until_ns")
_waiter_until_unix_ns = lib.blocking("hpt_waiter_sleep_until_unix_ns")
_waiter_clear = lib.leaf("hpt_waiter_clear")
_waiter_remaining = lib.leaf("hpt_waiter_remaining")
_waiter_set_policy = lib.leaf("hpt_waiter_set_policy")
_waiter_clock = lib.leaf("hpt_waiter_clock")
_waiter_wait_after = lib.blocking("hpt_waiter_wait_after")
_now_ns = lib.leaf("hpt_now_ns")

_gate_new = lib.leaf("hpt_gate_new")
_gate_free = lib.leaf("hpt_gate_free")
_gate_ticket = lib.leaf("hpt_gate_ticket")
_gate_until = lib.blocking("hpt_gate_sleep_until")
_gate_interrupt_all = lib.leaf("hpt_gate_interrupt_all")
_gate_close = lib.leaf("hpt_gate_close")
_gate_open = lib.leaf("hpt_gate_open")
_gate_set_policy = lib.leaf("hpt_gate_set_policy")

_ticker_new = lib.leaf("hpt_ticker_new")
_ticker_free = lib.leaf("hpt_ticker_free")
_ticker_start = lib.leaf("hpt_ticker_start")
_ticker_start_rational = lib.leaf("hpt_ticker_start_rational")
_ticker_set_missed = lib.leaf("hpt_ticker_set_missed")
_ticker_set_policy = lib.leaf("hpt_ticker_set_policy")
_ticker_wait = lib.blocking("hpt_ticker_wait")
_ticker_fd = lib.leaf("hpt_ticker_fd")
_ticker_next = lib.leaf("hpt_ticker_next")
_ticker_get_info = lib.leaf("hpt_ticker_get_info")


def _clock_handle(clock: Optional[Clock]) -> Optional[Handle]:
    if clock is None:
        return None
    if not isinstance(clock, Clock):
        raise TypeError(f"a Clock or None is needed, not {type(clock).__name__}")
    return clock._held()


class _Sleeping(Object):
    """An object whose interrupt ends the sleep of one thread."""

    __slots__ = ()

    _interrupt: Callable[[Handle], int]

    def _sleep(self, handle: Handle, function: Callable[..., int], *arguments: object) -> int:
        result = sleep_loop(function, handle, *arguments)
        if self._handle is not handle:
            # Closed: this sleep may have taken the interrupt that another thread, about to sleep, needs.
            type(self)._interrupt(handle)
        return check(result, errno.ECANCELED, errno.ENODATA)

    def interrupt(self) -> None:
        """Ends the sleep, or the next one."""
        check(type(self)._interrupt(self._held()))

    def close(self) -> None:
        """Ends the sleep of another thread, and gives the object back."""
        handle = self._release()
        if handle is not None:
            type(self)._interrupt(handle)


class Waiter(_Sleeping):
    """An object that one thread at a time sleeps on, and any thread may interrupt."""

    __slots__ = ()

    _interrupt = staticmethod(lib.leaf("hpt_waiter_interrupt"))

    def __init__(self, clock: Optional[Clock] = None, eintr: bool = True) -> None:
        flags = lib.WAIT_EINTR if eintr else 0
        self._adopt(lib.new_handle(_waiter_new, _waiter_free, _clock_handle(clock), flags))

    def sleep_ns(self, ns: int) -> int:
        """Sleeps for nanoseconds, or until interrupted."""
        handle = self._held()
        deadline = deadline_after(_waiter_clock(handle), int64(ns))
        return self._sleep(handle, _waiter_until_ns, deadline)

    def sleep_until(self, tick: int) -> int:
        """Sleeps until a time in ticks, or until interrupted."""
        return self._sleep(self._held(), _waiter_until, int64(tick))

    def sleep_until_ns(self, ns: int) -> int:
        """Sleeps until a time in nanoseconds of now_ns(), or until interrupted."""
        return self._sleep(self._held(), _waiter_until_ns, int64(ns))

    def sleep_until_unix_ns(self, ns: int) -> int:
        """Sleeps until a Unix time in nanoseconds, or until interrupted."""
        return self._sleep(self._held(), _waiter_until_unix_ns, int64(ns))

    def wait_after(self, wall: Object, unix_ns: int, deadline_ns: int) -> int:
        """Waits until UTC is surely after a Unix time, or until a time in nanoseconds of the clock's now_ns()."""
        from hpt._ctypes_wall import wall_handle

        handle, time_ns, end_ns = self._held(), int64(unix_ns), int64(deadline_ns)

        def once(waiter: Handle) -> int:
            if wall.closed:
                return -errno.ECANCELED
            left_ns = -1 if end_ns == lib.INT64_MAX else max(end_ns - _now_ns(_waiter_clock(waiter)), 0)
            return _waiter_wait_after(waiter, held, time_ns, left_ns)

        held = wall_handle(wall)
        return self._sleep(handle, once)

    def clear(self) -> None:
        """Removes a pending interrupt."""
        check(_waiter_clear(self._held()))

    def remaining(self) -> int:
        """The ticks that were left when the latest sleep was interrupted; otherwise 0."""
        return check(_waiter_remaining(self._held()))

    def set_policy(self, policy: int, max_spin_ns: int) -> None:
        """The policy of later sleeps."""
        check(_waiter_set_policy(self._held(), uint32(policy), int64(max_spin_ns)))


class Gate(Object):
    """An object that any number of threads sleep on, and that wakes all at once."""

    __slots__ = ()

    def __init__(self, clock: Optional[Clock] = None) -> None:
        self._adopt(lib.new_handle(_gate_new, _gate_free, _clock_handle(clock), lib.WAIT_EINTR))

    def ticket(self) -> int:
        """A ticket for the next sleep, taken before the condition is checked."""
        return _gate_ticket(self._held())

    def sleep_until(self, ticket: int, tick: int) -> int:
        """Sleeps until a time in ticks, or until woken after the ticket was taken."""
        result = sleep_loop(_gate_until, self._held(), uint32(ticket), int64(tick))
        return check(result, errno.ECANCELED, errno.ESHUTDOWN)

    def interrupt_all(self) -> None:
        """Wakes all threads that sleep or hold a ticket."""
        check(_gate_interrupt_all(self._held()))

    def shut(self) -> None:
        """Wakes all, and refuses later sleeps."""
        check(_gate_close(self._held()))

    def open(self) -> None:
        """Allows sleeps again."""
        check(_gate_open(self._held()))

    def set_policy(self, policy: int, max_spin_ns: int) -> None:
        """The policy of later sleeps."""
        check(_gate_set_policy(self._held(), uint32(policy), int64(max_spin_ns)))

    def close(self) -> None:
        """Ends the sleeps of other threads, and gives the gate back."""
        handle = self._release()
        if handle is not None:
            _gate_close(handle)


class Ticker(_Sleeping):
    """A period that does not drift."""

    __slots__ = ()

    _interrupt = staticmethod(lib.leaf("hpt_ticker_interrupt"))

    def __init__(self, clock: Optional[Clock], period_ns: int) -> None:
        arguments = (_clock_handle(clock), int64(period_ns), lib.WAIT_EINTR)
        self._adopt(lib.new_handle(_ticker_new, _ticker_free, *arguments))

    def start(self, first: int, period_ns: int) -> None:
        """Sets another first tick and period; a period of 0: a single tick."""
        check(_ticker_start(self._held(), int64(first), int64(period_ns)))

    def start_rational(self, first: int, num: int, den: int) -> None:
        """Sets a period of num / den seconds."""
        check(_ticker_start_rational(self._held(), int64(first), uint32(num), uint32(den)))

    def set_missed(self, mode: int, most: int) -> None:
        """The treatment of missed ticks."""
        check(_ticker_set_missed(self._held(), uint32(mode), uint64(most)))

    def set_policy(self, policy: int, max_spin_ns: int) -> None:
        """The policy of later waits."""
        check(_ticker_set_policy(self._held(), uint32(policy), int64(max_spin_ns)))

    def wait(self) -> tuple[int, int]:
        """Waits for the next tick: the result, and the number of missed ticks."""
        missed = lib.U64()
        result = self._sleep(self._held(), _ticker_wait, ctypes.byref(missed))
        return result, missed.value

    def fileno(self) -> int:
        """A descriptor that is readable a margin before each tick."""
        return check(_ticker_fd(self._held()))

    def next(self) -> int:
        """The time of the next tick, in ticks of the clock."""
        tick = lib.I64()
        check(_ticker_next(self._held(), ctypes.byref(tick)))
        return tick.value

    def info(self) -> bytes:
        """The struct hpt_ticker_info of the ticker."""
        return lib.struct_bytes(_ticker_get_info, TICKER_INFO_SIZE, self._held())
