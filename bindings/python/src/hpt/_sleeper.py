# SPDX-License-Identifier: MIT
"""Sleeps that other threads can end: Sleeper for one thread, Gate for many."""

from __future__ import annotations

from typing import Callable, Iterable, Literal, Optional, Union, overload

from hpt import _native as impl
from hpt._convert import INT64_MAX, Descriptor, Seconds, deadline_ns, timeout_end_ns
from hpt._enums import Policy, Wake, gate_wake, wake
from hpt._object import Closable, held_clock


Ready = Union[list[tuple[int, int]], Literal[Wake.INTERRUPTED]]
"""Descriptors with their events, or that there was an interrupt."""


def _end_ns(at_ns: Optional[int]) -> int:
    return INT64_MAX if at_ns is None else at_ns


def _ready(found: Union[int, list[tuple[int, int]]]) -> Ready:
    return Wake.INTERRUPTED if isinstance(found, int) else found


def policy_or_inherit(policy: Optional[Policy]) -> Policy:
    """The policy; None: the process's."""
    return Policy.INHERIT if policy is None else policy


class Sleeper(Closable):
    """Sleeps of one thread at a time, which any thread may interrupt.

    ``policy`` and ``max_spin_ns`` (nanoseconds; 0: the policy's own limit) hold for its sleeps; None: the process's
    policy. An interrupt that comes between two sleeps stays pending and ends the next one. Leaving the context closes
    the sleeper; a sleep of another thread ends with Wake.INTERRUPTED then. After fork the child's sleeper is its own.

    ValueError: it is closed, or a policy is wrong. OSError (EBUSY): another thread sleeps on it. A signal handler that
    raises ends a sleep; after others it goes on. Sleeps release the GIL.
    """

    __slots__ = ("_clock", "_waiter", "__weakref__")

    def __init__(
        self, clock: Optional[impl.Clock] = None, policy: Optional[Policy] = None, max_spin_ns: int = 0
    ) -> None:
        self._clock = held_clock(clock)
        self._waiter = impl.Waiter(self._clock)
        if policy is not None or max_spin_ns:
            self.set_policy(policy, max_spin_ns)

    def sleep(self, seconds: Seconds) -> Wake:
        """Sleeps for a duration in seconds, or until interrupted; see hpt.sleep()."""
        start_ns = self._clock.now_ns()
        return wake(self._waiter.sleep_until_ns(deadline_ns(start_ns, seconds)))

    def sleep_ns(self, ns: int) -> Wake:
        """Sleeps for a duration in nanoseconds, or until interrupted."""
        return wake(self._waiter.sleep_ns(ns))

    def sleep_until_ticks(self, tick: int) -> Wake:
        """Sleeps until a time in ticks of the clock, or until interrupted."""
        return wake(self._waiter.sleep_until_ticks(tick))

    def sleep_until_ns(self, ns: int) -> Wake:
        """Sleeps until a time in nanoseconds of the clock's now_ns(), or until interrupted."""
        return wake(self._waiter.sleep_until_ns(ns))

    def sleep_until_unix_ns(self, ns: int) -> Wake:
        """Sleeps until a Unix time in nanoseconds, or until interrupted."""
        return wake(self._waiter.sleep_until_unix_ns(ns))

    def wait(self) -> Wake:
        """Sleeps until interrupted."""
        return wake(self._waiter.sleep_until_ns(INT64_MAX))

    def poll_until_ns(self, fds: Iterable[tuple[Descriptor, int]], at_ns: Optional[int]) -> Ready:
        """Waits for descriptors as select.poll() does, until a time in nanoseconds of the clock's now_ns().

        ``fds`` are pairs of a descriptor, or an object with fileno(), and its events, such as
        ``[(sock, select.POLLIN)]``. Returns those that have events, as such pairs of numbers; an empty list at
        ``at_ns``, never before it. None: no deadline; a time that is past: one look. Near the deadline the wait looks
        at the descriptors again and again. No event is lost.

        Returns Wake.INTERRUPTED if an interrupt is pending at the call. One that comes later ends the wait at once only
        if the sleeper itself is one of ``fds``: its event is returned then, and the next wait is interrupted. The same
        holds for close(), after which the next wait is a ValueError.
        """
        return _ready(self._waiter.poll_until_ns(fds, _end_ns(at_ns)))

    def epoll_until_ns(self, epoll: Descriptor, max_events: int, at_ns: Optional[int]) -> Ready:
        """Waits for at most ``max_events`` events of a select.epoll(), until a time in nanoseconds as poll_until_ns().

        The sleeper's fileno() may be one of the set's descriptors. ValueError: no epoll set, or ``max_events`` is 0.
        """
        return _ready(self._waiter.epoll_until_ns(epoll, max_events, _end_ns(at_ns)))

    def fileno(self) -> int:
        """A descriptor that is readable while an interrupt is pending, for waits and event loops. Do not read it.

        It becomes unreadable as a sleep or wait returns Wake.INTERRUPTED, or by clear(), and belongs to the sleeper.
        After a fork the child's sleeper has another one. OSError: no descriptor is left.
        """
        return self._waiter.fileno()

    def margin_ns(self, left_ns: int) -> int:
        """How many nanoseconds before its deadline a wait of the program's own is to end, if ``left_ns`` are left.

        For waits in the kernel that the library does not know: wait until the deadline less the margin, call
        learn_ns(), and do so again while the margin is shorter than the time that is left. The rest is for a sleep.
        More than ``left_ns``: do not wait in the kernel. The margin is what the calling thread has learned; 0 on a
        manual clock.
        """
        return self._waiter.margin_ns(left_ns)

    def learn_ns(self, asked_at_ns: int, woke_at_ns: int) -> None:
        """Teaches the calling thread when a wait of the program's own was to end, and when it did, in nanoseconds.

        Any timeline will do. A wait that an event ended teaches nothing.
        """
        self._waiter.learn_ns(asked_at_ns, woke_at_ns)

    def interrupt(self) -> None:
        """Ends the sleep, or the next one: it returns Wake.INTERRUPTED. Any thread; below a microsecond in C.

        Once fileno() was called, a system call more. poll_until_ns() says how it ends waits for descriptors.
        """
        self._waiter.interrupt()

    def clear(self) -> None:
        """Removes a pending interrupt."""
        self._waiter.clear()

    @property
    def remaining_ns(self) -> Optional[int]:
        """The nanoseconds that were left when the latest sleep was interrupted, otherwise 0; None: no deadline.

        So too of a wait that an event ended. After Wall.wait_after_on() it is what was left of the time-out.
        """
        ns = self._waiter.remaining_ns()
        return None if ns == INT64_MAX else ns

    def set_policy(self, policy: Optional[Policy], max_spin_ns: int = 0) -> None:
        """The policy of later sleeps, and the longest spin in nanoseconds; None: the process's policy."""
        self._waiter.set_policy(policy_or_inherit(policy), max_spin_ns)

    def close(self) -> None:
        """Ends a sleep of another thread, and gives the sleeper back. May be called again."""
        self._waiter.close()

    @property
    def closed(self) -> bool:
        """Whether close() was called."""
        return self._waiter.closed


class Gate(Closable):
    """Threads wait at a gate until a condition holds, and notify_all() wakes all of them.

    A thread that changes the condition calls notify_all() after the change. wait() with a predicate takes a ticket
    before each look at the condition, so no notification is lost, and no lock is needed around a flag or a queue.
    shut() wakes all and lets no thread wait until reopen(). Leaving the context closes the gate for good.

    ValueError: the gate is closed for good. A signal handler that raises ends a wait; after others it goes on. Waits
    release the GIL. After fork the child's gate is its own.
    """

    __slots__ = ("_clock", "_gate", "__weakref__")

    def __init__(
        self, clock: Optional[impl.Clock] = None, policy: Optional[Policy] = None, max_spin_ns: int = 0
    ) -> None:
        self._clock = held_clock(clock)
        self._gate = impl.Gate(self._clock)
        if policy is not None or max_spin_ns:
            self.set_policy(policy, max_spin_ns)

    @overload
    def wait(self, timeout: Optional[Seconds] = None) -> Wake: ...

    @overload
    def wait(self, timeout: Optional[Seconds] = None, *, predicate: Callable[[], object]) -> bool: ...

    @overload
    def wait(self, timeout: Optional[Seconds], predicate: Callable[[], object]) -> bool: ...

    def wait(self, timeout: Optional[Seconds] = None, predicate: Optional[Callable[[], object]] = None) -> object:
        """Waits until the predicate is true, for at most timeout seconds; None: for ever; 0 and below: one look.

        With a predicate: returns its last value as a bool. False: the time is over, or the gate is shut.

        Without one: Wake.NOTIFIED after a notify_all() that comes during the wait, TIMED_OUT if the time is over, SHUT
        if the gate is shut. A suspend or a jump of the clocks does not end the wait.
        """
        end_ns = timeout_end_ns(self._clock.now_ns(), timeout)
        if predicate is None:
            return self.wait_until_ns(self._gate.ticket(), end_ns)
        while True:
            ticket = self._gate.ticket()
            if predicate():
                return True
            if self.wait_until_ns(ticket, end_ns) is not Wake.NOTIFIED:
                return bool(predicate())

    def ticket(self) -> int:
        """A ticket for the next wait, taken before the caller looks at its condition."""
        return self._gate.ticket()

    def wait_until_ns(self, ticket: int, ns: int) -> Wake:
        """Waits for a notify_all() after the ticket was taken, until a time in nanoseconds of the clock's now_ns()."""
        return gate_wake(self._gate.wait_until_ns(ticket, ns))

    def wait_until_ticks(self, ticket: int, tick: int) -> Wake:
        """Waits for a notify_all() after the ticket was taken, until a time in ticks of the clock."""
        return gate_wake(self._gate.wait_until_ticks(ticket, tick))

    def notify_all(self) -> None:
        """Wakes all threads that wait, and those that hold a ticket. Any thread; below a microsecond in C."""
        self._gate.notify_all()

    def shut(self) -> None:
        """Wakes all threads, and lets none wait until reopen()."""
        self._gate.shut()

    def reopen(self) -> None:
        """Lets threads wait again after shut()."""
        self._gate.reopen()

    def set_policy(self, policy: Optional[Policy], max_spin_ns: int = 0) -> None:
        """The policy of later waits, and the longest spin in nanoseconds; None: the process's policy."""
        self._gate.set_policy(policy_or_inherit(policy), max_spin_ns)

    def close(self) -> None:
        """Wakes all threads, and gives the gate back. May be called again."""
        self._gate.close()

    @property
    def closed(self) -> bool:
        """Whether close() was called."""
        return self._gate.closed
