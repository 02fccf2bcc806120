# SPDX-License-Identifier: MIT
"""Periods that do not drift."""

from __future__ import annotations

import errno
import os
import struct
from datetime import timedelta
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple, Optional

from hpt import _native as impl
from hpt._convert import INT64_MAX, NS_PER_S, Seconds
from hpt._enums import Missed, Policy, Wake, wake
from hpt._info import TickerInfo
from hpt._object import Closable, held_clock
from hpt._sleeper import policy_or_inherit

if TYPE_CHECKING:
    import asyncio

MAX_SPIN_NS = 50_000  # in an event loop, without a policy of the ticker's own

_MISSED_OFFSET = 16  # of the member "missed" in struct hpt_ticker_info


class Tick(NamedTuple):
    """One tick of a ticker."""

    number: int
    """0 is the first tick after the start. Ticks that SKIP and CATCH_UP leave out have numbers too."""
    missed: int
    """Missed ticks. Missed.SKIP: those since the previous tick. CATCH_UP: those that are due in addition to this one.
    DELAY: by how many whole periods this one is late."""
    wake: Wake
    """How the wait ended. INTERRUPTED and ENDED: this is no tick, and number is that of the latest one."""


class _Period(NamedTuple):
    ns: int
    num: int = 0
    den: int = 0


def _period(seconds: Optional[Seconds], ns: Optional[int], rational: Optional[tuple[int, int]]) -> Optional[_Period]:
    """The period, of which one form may be given."""
    given = (seconds is not None) + (ns is not None) + (rational is not None)
    if given > 1:
        raise TypeError("a ticker takes one of period, period_ns and rational")
    if not given:
        return None
    if rational is not None:
        num, den = rational
        if num <= 0 or den <= 0:
            raise ValueError("a rational period needs two positive numbers")
        return _Period(max(1, -(-num * NS_PER_S // den)), num, den)
    if seconds is not None:
        ns = _nearest_ns(seconds)
        if ns <= 0:
            raise ValueError("a period must be at least 1 ns")
    return _Period(ns or 0)


def _nearest_ns(seconds: Seconds) -> int:
    if isinstance(seconds, timedelta):
        return seconds // timedelta(microseconds=1) * 1000
    if isinstance(seconds, (int, float, Fraction, Decimal)):
        return round(Fraction(seconds) * NS_PER_S)
    raise TypeError(f"a period in seconds is needed, not {type(seconds).__name__}")


class Ticker(Closable):
    """Ticks at a fixed period, for ``for`` and ``async for``. Only with Missed.DELAY a late tick delays later ones.

    The period is one of

    - ``period``: a number of seconds or a timedelta, rounded to the nearest nanosecond;
    - ``period_ns``: nanoseconds; 0: the tick at ``first_ns`` is the only one;
    - ``rational=(num, den)``: num / den seconds, without drift, such as (1001, 60000) or (1, 44100).

    ``first_ns`` is the time of the first tick in nanoseconds of the clock's now_ns(); without it the first tick comes a
    period from now. A ticker without a period, or with 0 and no first tick, is not started: see start(). ``missed``
    says what happens to missed ticks; with Missed.CATCH_UP at most the latest ``most`` of them come, if that is not 0.

    In ``async for`` a tick blocks the event loop for a spin of at most 50 microseconds, or as the ticker's own policy
    has it. One thread or task at a time waits. interrupt() ends an iteration, and a later iteration goes on. The single
    tick of a ``period_ns`` of 0 ends it too, and so does a ticker that is not started. Waits release the GIL; a signal
    handler that raises ends a wait, and after others it goes on. After fork the child's ticker is its own.

    ValueError: the ticker is closed, or an argument is wrong. OSError (EBUSY): another thread or task waits.
    """

    __slots__ = (
        "_clock",
        "_ticker",
        "_number",
        "_missed",
        "_most",
        "_dropped",
        "_awaited",
        "_has_policy",
        "__weakref__",
    )

    def __init__(
        self,
        period: Optional[Seconds] = None,
        *,
        period_ns: Optional[int] = None,
        rational: Optional[tuple[int, int]] = None,
        first_ns: Optional[int] = None,
        missed: Missed = Missed.SKIP,
        most: int = 0,
        clock: Optional[impl.Clock] = None,
        policy: Optional[Policy] = None,
        max_spin_ns: int = 0,
    ) -> None:
        every = _period(period, period_ns, rational)
        self._ticker: Optional[impl.Ticker] = None
        self._awaited = False
        self._clock = held_clock(clock)
        ticker = impl.Ticker(self._clock, 0)
        self._number = -1
        self._set_missed(ticker, missed, most)
        self._has_policy = policy is not None
        if policy is not None or max_spin_ns:
            ticker.set_policy(policy_or_inherit(policy), max_spin_ns)
        if every is not None and (every.ns or first_ns is not None):
            self._start(ticker, every, first_ns)
        elif first_ns is not None:
            raise TypeError("a first tick needs a period")
        self._ticker = ticker

    def _open(self) -> impl.Ticker:
        if self._ticker is None:
            raise ValueError("Ticker is closed")
        return self._ticker

    def _set_missed(self, ticker: impl.Ticker, missed: Missed, most: int) -> None:
        ticker.set_missed(missed, most)
        self._missed, self._most, self._dropped = Missed(missed), most, self._total_missed(ticker)

    def _start(self, ticker: impl.Ticker, every: _Period, first_ns: Optional[int]) -> None:
        if first_ns is None:
            if not every.ns:
                raise ValueError("a single tick needs first_ns")
            first_ns = min(self._clock.now_ns() + every.ns, INT64_MAX)
        if every.den:
            ticker.start_rational(first_ns, every.num, every.den)
        else:
            ticker.start(first_ns, every.ns)
        self._number, self._dropped = -1, self._total_missed(ticker)

    def start(
        self,
        period: Optional[Seconds] = None,
        *,
        period_ns: Optional[int] = None,
        rational: Optional[tuple[int, int]] = None,
        first_ns: Optional[int] = None,
    ) -> None:
        """Starts as the constructor does, or again with another period or first tick. A pending interrupt stays."""
        ticker, every = self._open(), _period(period, period_ns, rational)
        if every is None:
            raise TypeError("a start needs one of period, period_ns and rational")
        self._start(ticker, every, first_ns)

    @staticmethod
    def _total_missed(ticker: impl.Ticker) -> int:
        total: int = struct.unpack_from("=Q", ticker.info(), _MISSED_OFFSET)[0]
        return total

    def _tick(self, ticker: impl.Ticker, code: int, missed: int) -> Tick:
        woken = wake(code)
        if woken is Wake.INTERRUPTED or woken is Wake.ENDED:
            return Tick(self._number, 0, woken)
        if self._missed is Missed.SKIP:
            self._number += 1 + missed
        elif self._missed is Missed.CATCH_UP and self._most:
            before, self._dropped = self._dropped, self._total_missed(ticker)
            self._number += 1 + self._dropped - before
        else:
            self._number += 1
        return Tick(self._number, missed, woken)

    def wait(self) -> Tick:
        """Waits for the next tick; returns at once if one is due."""
        ticker = self._open()
        return self._tick(ticker, *ticker.wait())

    def __iter__(self) -> Ticker:
        return self

    def __next__(self) -> Tick:
        tick = self.wait()
        if tick.wake is Wake.INTERRUPTED or tick.wake is Wake.ENDED:
            raise StopIteration
        return tick

    def __aiter__(self) -> Ticker:
        return self

    async def __anext__(self) -> Tick:
        ticker = self._open()
        if self._awaited:
            raise OSError(errno.EBUSY, os.strerror(errno.EBUSY))
        self._awaited = True
        try:
            # A close() that did not see the flag has taken the ticker away before, and closes the descriptor now.
            if self._ticker is not ticker:
                raise StopAsyncIteration
            tick = await self._ring(ticker)
        finally:
            self._awaited = False
        if tick.wake is Wake.INTERRUPTED or tick.wake is Wake.ENDED:
            raise StopAsyncIteration
        return tick

    async def _ring(self, ticker: impl.Ticker) -> Tick:
        """Waits for the next tick in an event loop."""
        # The descriptor is readable earlier than the tick by as much as the policy lets a wait spin, at the most.
        if not self._has_policy:
            ticker.set_policy(Policy.SPIN, MAX_SPIN_NS)
        try:
            if self._next_ns(ticker) is not None:  # nothing makes it readable without a next tick
                await _readable(ticker.fileno())
            if self._ticker is not ticker:
                return Tick(self._number, 0, Wake.INTERRUPTED)  # closed by another task or thread
            return self._tick(ticker, *ticker.wait())
        finally:
            if not self._has_policy:
                ticker.set_policy(Policy.INHERIT, 0)

    def interrupt(self) -> None:
        """Ends the wait, or the next one. Any thread; below a microsecond in C."""
        self._open().interrupt()

    def fileno(self) -> int:
        """A descriptor for event loops, readable a margin before each tick. Then wait() ends on the tick.

        It need not be read, and belongs to the ticker. OSError: no descriptor is left, or the clock is a manual one.
        """
        return self._open().fileno()

    @staticmethod
    def _next_ns(ticker: impl.Ticker) -> Optional[int]:
        try:
            return ticker.next_ns()
        except OSError as error:
            if error.errno != errno.ENODATA:
                raise
            return None

    @property
    def next_ns(self) -> Optional[int]:
        """The time of the next tick in nanoseconds of now_ns(); None: not started, or the single tick was returned."""
        return self._next_ns(self._open())

    def info(self) -> TickerInfo:
        """How many ticks there were, and how late. Below a microsecond in C."""
        return TickerInfo._decode(self._open().info())

    def set_missed(self, missed: Missed, most: int = 0) -> None:
        """The treatment of missed ticks, as in the constructor."""
        self._set_missed(self._open(), missed, most)

    def set_policy(self, policy: Optional[Policy], max_spin_ns: int = 0) -> None:
        """The policy of later waits, and the longest spin in nanoseconds; None: the process's policy."""
        self._open().set_policy(policy_or_inherit(policy), max_spin_ns)
        self._has_policy = policy is not None

    def close(self) -> None:
        """Ends the wait of another thread or task, and gives the ticker and its descriptor back."""
        ticker, self._ticker = self._ticker, None
        if ticker is not None:
            # An event loop that watches the descriptor must see it readable, and forget it before it is closed.
            ticker.interrupt() if self._awaited else ticker.close()

    @property
    def closed(self) -> bool:
        """Whether close() was called."""
        return self._ticker is None


def _wake_up(future: asyncio.Future[None]) -> None:
    if not future.done():
        future.set_result(None)


async def _readable(descriptor: int) -> None:
    """Waits until a descriptor is readable."""
    import asyncio

    loop = asyncio.get_running_loop()
    future = loop.create_future()
    loop.add_reader(descriptor, _wake_up, future)
    try:
        await future
    finally:
        loop.remove_reader(descriptor)
