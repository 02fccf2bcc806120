# SPDX-License-Identifier: MIT
"""A clock for tests of programs that sleep."""

from __future__ import annotations

import time

from hpt._clock import Clock
from hpt._convert import NS_PER_S, Integer

POLL_S = 0.0002


class ManualClock(Clock):
    """A clock that stands still until it is advanced. Sleeps, gates and tickers work on it, and no real time passes.

    ``frequency_hz``: ticks per second, from 1 to 10^10. ``start``: the first tick. Where a tick is not a nanosecond, a
    test shows a tick that the program takes for one. set_default() makes it the clock of code that names none.

    A test starts its threads, calls wait_for_sleepers() and then advance(), so it does not depend on the speed of the
    machine. After fork each process advances its own copy. fileno() of a ticker and Timebase.take() are not possible.

    ValueError, OverflowError: the frequency or the start is out of range.
    """

    __slots__ = ()

    def __new__(cls, frequency_hz: Integer = NS_PER_S, start: Integer = 0) -> ManualClock:
        return cls.manual(frequency_hz, start)

    def __init__(self, frequency_hz: Integer = NS_PER_S, start: Integer = 0) -> None:
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
        end_ns = self.to_ns(tick) + ns
        end = self.from_ns(end_ns)
        super().advance(max(end + (self.to_ns(end) < end_ns) - tick, 0))

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
