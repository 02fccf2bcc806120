# SPDX-License-Identifier: MIT
"""A selector for event loops whose waits end on time."""

from __future__ import annotations

import errno
import selectors
from math import ceil
from select import EPOLLIN, EPOLLOUT
from typing import Optional

from hpt import _native as impl
from hpt._enums import Policy
from hpt._object import held_clock
from hpt._sleeper import policy_or_inherit


class Selector(selectors.EpollSelector):
    """A selectors.EpollSelector that passes on nanoseconds: the one of the standard library rounds up to milliseconds.

    For ``asyncio.SelectorEventLoop(hpt.Selector())``, whose asyncio.sleep() and call_later() then end on time. Before
    its end select() looks at the files again and again, in a spin as that of a sleep, so the loop misses nothing:
    ``policy`` and ``max_spin_ns`` (nanoseconds; 0: the policy's own limit) are its limits; None: the process's policy.
    A signal handler that raises ends select(); after others it goes on.

    ValueError: a policy is wrong. OSError: no descriptor is left.
    """

    def __init__(
        self, clock: Optional[impl.Clock] = None, policy: Optional[Policy] = None, max_spin_ns: int = 0
    ) -> None:
        self._clock = held_clock(clock)
        self._policy, self._max_spin_ns = policy, max_spin_ns
        self._waiter = self._new_waiter()
        super().__init__()

    def _new_waiter(self) -> impl.Waiter:
        waiter = impl.Waiter(self._clock)
        if self._policy is not None or self._max_spin_ns:
            waiter.set_policy(policy_or_inherit(self._policy), self._max_spin_ns)
        return waiter

    def select(self, timeout: Optional[float] = None) -> list[tuple[selectors.SelectorKey, int]]:
        """Waits until files are ready, for at most ``timeout`` seconds; None: for ever; 0 and below: one look.

        Returns pairs of a key and its events; an empty list after ``timeout``, never before it.
        """
        if timeout is None or timeout <= 0:
            return super().select(timeout)
        at_ns = self._clock.now_ns() + ceil(timeout * 1e9)
        # In a busy loop there mostly is something, and the standard look finds it a microsecond sooner.
        return super().select(0) or self._select_until_ns(at_ns)

    def _select_until_ns(self, at_ns: int) -> list[tuple[selectors.SelectorKey, int]]:
        keys, epoll = self.get_map(), self.fileno()  # in this order: what has no keys is closed, and has no descriptor
        ready = []
        for fd, event in self._wait(epoll, len(keys) or 1, at_ns):
            key = keys.get(fd)
            if key is not None:
                reads, writes = event & ~EPOLLOUT, event & ~EPOLLIN  # an error or a hang-up is both
                events = (reads and selectors.EVENT_READ) | (writes and selectors.EVENT_WRITE)
                ready.append((key, events & key.events))
        return ready

    def _wait(self, epoll: int, max_events: int, at_ns: int) -> list[tuple[int, int]]:
        try:
            found = self._waiter.epoll_until_ns(epoll, max_events, at_ns)
        except OSError as error:
            if error.errno != errno.EBUSY:
                raise
            # Another thread waits: any number of them may use an epoll set, but one alone a waiter.
            found = self._new_waiter().epoll_until_ns(epoll, max_events, at_ns)
        assert not isinstance(found, int), "nothing interrupts these waiters"
        return found
