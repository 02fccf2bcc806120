# SPDX-License-Identifier: MIT
"""A clock for tests of programs that sleep."""

from __future__ import annotations

import time
from fractions import Fraction
from typing import Union

from hpt._clock import Clock
from hpt._convert import NS_PER_S, Integer
from hpt._object import tick_at

POLL_S = 0.0002
UHZ_PER_HZ = 10**6


class ManualClock(Clock):
    """A clock that stands still until it is advanced. Sleeps, gates and tickers work on it, and no real time passes.

    ``frequency_hz``: ticks per second, from 1 to 10^10, in steps of a millionth. ``start``: the first tick.

    A test starts its threads, calls wait_for_sleepers() and then advance(), so it does not depend on the speed of the
    machine. After fork each process advances its own copy. fileno() of a ticker and Timebase.take() are not possible.

    ValueError, OverflowError: the frequency or the start is out of range.
    """

    __slots__ = ()

    def __new__(cls, frequency_hz: Union[int, float, Fraction] = NS_PER_S, start: int = 0) -> ManualClock:
        if not isinstance(frequency_hz, (int, float, Fraction)):
            raise TypeError(f"a number of ticks per second is needed, not {type(frequency_hz).__name__}")
        return cls.manual(round(Fraction(frequency_hz) * UHZ_PER_HZ), start)

    def __init__(self, frequency_hz: Union[int, float, Fraction] = NS_PER_S, start: int = 0) -> None:
        pass  # __new__() has opened the clock

    def advance(self, ticks: Integer) -> None:
        """Moves the clock forward by ticks, and ends the sleeps whose deadline it reaches. Returns at once.

        OverflowError: the number is negative, or the clock would leave its range.
        """
        super().advance(ticks)

    def advance_ns(self, ns: int) -> None:
        """Moves the clock to the first tick at which now_ns() is at least ``ns`` nanoseconds later."""
        if ns < 0:
            raise OverflowError("a clock cannot go back")
        tick = self.now()
        super().advance(max(tick_at(self, self.to_ns(tick) + ns) - tick, 0))

    def sleepers(self) -> int:
        """How many threads have seen the present tick and sleep until a later one."""
        return super().sleepers()

    def wait_for_sleepers(self, count: int, timeout_s: float = 60.0) -> None:
        """Waits until at least count threads sleep on the clock. TimeoutError: fewer after timeout_s real seconds."""
        limit = time.monotonic() + timeout_s
        while self.sleepers() < count:
            if time.monotonic() > limit:
                raise TimeoutError(f"{self.sleepers()} of {count} threads sleep on the clock")
            time.sleep(POLL_S)
