# SPDX-License-Identifier: MIT
"""Sleeps in an event loop.

Each loop has one alarm for each longest spin: a ticker with a single tick, whose descriptor the loop watches, and a
heap of deadlines. The descriptor becomes readable a margin before the first deadline. The margin is no longer than the
longest spin, and the loop spins for the rest of it.
"""

from __future__ import annotations

import heapq
import itertools
import weakref
from typing import TYPE_CHECKING, Optional

from hpt import _native as impl
from hpt._convert import INT64_MAX, Seconds, deadline_ns
from hpt._enums import Policy
from hpt._ticker import MAX_SPIN_NS

if TYPE_CHECKING:
    import asyncio


class _Deadline:
    """One sleep; its future is None after a cancellation."""

    __slots__ = ("ns", "order", "future")

    def __init__(self, ns: int, order: int, future: asyncio.Future[None]) -> None:
        self.ns = ns
        self.order = order
        self.future: Optional[asyncio.Future[None]] = future

    def __lt__(self, other: _Deadline) -> bool:
        return (self.ns, self.order) < (other.ns, other.order)


class _Alarm:
    """The deadlines of one loop with one longest spin.

    The loop's watch on the descriptor keeps the alarm alive, and the alarm does not keep the loop: only sleeps do.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, max_spin_ns: int) -> None:
        self._clock = impl.Clock()
        self._ticker = impl.Ticker(self._clock, 0)
        self._ticker.set_policy(Policy.SPIN if max_spin_ns else Policy.NOSPIN, max_spin_ns)
        self._max_spin_ns = max_spin_ns
        self._heap: list[_Deadline] = []
        self._order = itertools.count()
        self._cancelled = 0
        self._armed_ns: Optional[int] = None
        loop.add_reader(self._ticker.fileno(), self._ring)

    async def sleep_until_ns(self, ns: int, loop: asyncio.AbstractEventLoop) -> None:
        future: asyncio.Future[None] = loop.create_future()
        deadline = _Deadline(ns, next(self._order), future)
        heapq.heappush(self._heap, deadline)
        if self._armed_ns is None or ns < self._armed_ns:
            self._arm(ns)
        try:
            await future
        finally:
            if deadline.future is not None:
                self._cancel(deadline)

    def _arm(self, ns: int) -> None:
        self._ticker.start(ns, 0)
        self._armed_ns = ns

    def _disarm(self) -> None:
        self._ticker.start(INT64_MAX, 0)
        self._armed_ns = None

    def _cancel(self, deadline: _Deadline) -> None:
        deadline.future = None
        self._cancelled += 1
        if self._cancelled * 2 > len(self._heap):
            self._heap = [entry for entry in self._heap if entry.future is not None]
            heapq.heapify(self._heap)
            self._cancelled = 0

    def _first(self) -> Optional[_Deadline]:
        """The first deadline that is not cancelled."""
        while self._heap and self._heap[0].future is None:
            heapq.heappop(self._heap)
            self._cancelled -= 1
        return self._heap[0] if self._heap else None

    def _ring(self) -> None:
        """The descriptor is readable: the ticker's deadline is near, or past."""
        first = self._first()
        # Another callback of this pass of the loop may have set the ticker to a later sleep: no wait for that one.
        if first is not None and first.ns <= self._clock.now_ns() + self._max_spin_ns:
            self._ticker.wait()
        now = self._clock.now_ns()
        while first is not None and first.ns <= now:
            self._end(heapq.heappop(self._heap))
            first = self._first()
        if first is None:
            self._disarm()
        else:
            self._arm(first.ns)

    @staticmethod
    def _end(deadline: _Deadline) -> None:
        future, deadline.future = deadline.future, None
        if future is not None and not future.done():
            future.set_result(None)


_Alarms = weakref.WeakValueDictionary[int, _Alarm]
_alarms: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, _Alarms] = weakref.WeakKeyDictionary()


def _alarm(loop: asyncio.AbstractEventLoop, max_spin_ns: int) -> _Alarm:
    of_loop = _alarms.setdefault(loop, weakref.WeakValueDictionary())
    alarm = of_loop.get(max_spin_ns)
    if alarm is None:
        alarm = of_loop[max_spin_ns] = _Alarm(loop, max_spin_ns)
    return alarm


async def sleep_async(seconds: Seconds, *, max_spin_ns: int = MAX_SPIN_NS) -> None:
    """Sleeps for a duration in seconds in the running event loop; other tasks run meanwhile.

    Before the deadline the loop is blocked in a spin of at most max_spin_ns nanoseconds, which makes the sleep end on
    its deadline; 0: no spin, and the sleep is late by as much as the kernel wakes the loop late. Never early on
    now_ns()'s timeline. Sleeps with the same max_spin_ns share a descriptor, which the loop keeps until it is closed.
    The loop needs add_reader(), as those of asyncio and uvloop have it. A cancelled sleep leaves nothing.

    ValueError, OverflowError, TypeError: as hpt.sleep(). OSError: no descriptor is left.
    """
    import asyncio

    end_ns = deadline_ns(impl.now_ns(), seconds)
    loop = asyncio.get_running_loop()
    if not seconds:
        await asyncio.sleep(0)
    else:
        await _alarm(loop, max_spin_ns).sleep_until_ns(end_ns, loop)
