# SPDX-License-Identifier: MIT
"""Clocks, and the functions of the default clock."""

from __future__ import annotations

import contextlib
import operator
import os
import struct
from typing import Iterator, Union

from hpt import _native as impl
from hpt._convert import Integer, Seconds, deadline_ns
from hpt._enums import Policy, Source, State, Wake, source_number, wake
from hpt._info import ClockInfo, Sample, source_info
from hpt._object import Closable

MMIO_DOWN = 1
MMIO_POLLED = 2

now = impl.now
now_unordered = impl.now_unordered
now_ns = impl.now_ns
now_ns_unordered = impl.now_ns_unordered
unix_ns = impl.unix_ns


class Clock(Closable, impl.Clock):
    """A clock over one source, which never changes.

    ``Clock()`` is the process's default clock; ``Clock("tsc")`` or ``Clock(Source.TSC)`` a new one. Reads and
    conversions keep the GIL and take a fraction of a microsecond; sleeps release it. Any thread may use a clock at any
    time; after fork the child's clock is its own. Waiters, gates and tickers hold their clock, so it may be closed
    before them. Closing a clock ends the sleeps that its own methods do; closing the default clock does nothing.

    ValueError: no such source, or the clock is closed. OSError: the source cannot be used here; it has the errno and
    the reason. OverflowError: a number or a result does not fit in 64 bits.
    """

    __slots__ = ()

    def __init__(self, source: Union[None, int, str] = None) -> None:
        number = source_number(source)
        try:
            super().__init__(number)
        except OSError as error:
            if number is None or error.errno is None:
                raise
            why = source_info(number).reason.text
            raise OSError(error.errno, f"{os.strerror(error.errno)}: {why}") from None

    @classmethod
    def on_mmio(
        cls,
        width: int,
        frequency_hz: int,
        *,
        uio: str = "",
        address: int = 0,
        offset: int = 0,
        down: bool = False,
        polled: bool = False,
    ) -> Clock:
        """A clock on a memory-mapped counter of 16, 32 or 64 bits that counts frequency_hz ticks per second.

        It is found by the name of its UIO device, or by its physical address, and the offset in bytes from there.
        ``down``: it counts down. ``polled``: for 16 and 32 bits the program promises a read in each half of the range.
        """
        flags = MMIO_DOWN * bool(down) | MMIO_POLLED * bool(polled)
        name = str.encode(uio)
        if len(name) > 63 or b"\0" in name:
            raise ValueError("the name of a UIO device has at most 63 bytes, and no null character")
        numbers = [operator.index(number) for number in (width, flags, frequency_hz, address, offset)]
        try:
            description = struct.pack("=2I3Q64s", *numbers, name)
        except struct.error as error:
            raise OverflowError(str(error)) from None
        return cls.mmio(description)

    def info(self) -> ClockInfo:  # type: ignore[override]  # the extension's is the struct
        """Facts about the clock. Takes microseconds."""
        return ClockInfo._decode(super().info())

    def sample(self) -> Sample:  # type: ignore[override]
        """A present tick, and its time on all timelines (cross-timestamp). Takes microseconds."""
        return Sample._decode(super().sample())

    def check(self) -> tuple[State, int]:
        """Compares the clock with the system's clocks now: its state and generation.

        Reads small files, and releases the GIL for it; some 10 microseconds.
        """
        state, generation = super().check()
        return State(state), generation

    def sleep(self, seconds: Seconds) -> Wake:
        """Sleeps for a duration in seconds, as hpt.sleep() does, on this clock."""
        start_ns = self.now_ns()
        return wake(super().sleep_until_ns(deadline_ns(start_ns, seconds)))

    def sleep_ns(self, ns: Integer) -> Wake:
        """Sleeps for a duration in nanoseconds; returns at once if it is not positive."""
        return wake(super().sleep_ns(ns))

    def sleep_until_ticks(self, tick: Integer) -> Wake:
        """Sleeps until a time in ticks, as now() counts; returns at once if it is past."""
        return wake(super().sleep_until_ticks(tick))

    def sleep_until_ns(self, ns: Integer) -> Wake:
        """Sleeps until a time in nanoseconds, as now_ns() counts; returns at once if it is past."""
        return wake(super().sleep_until_ns(ns))

    def sleep_until_unix_ns(self, ns: Integer) -> Wake:
        """Sleeps until a Unix time in nanoseconds, with the steps of the wall clock; returns at once if it is past."""
        return wake(super().sleep_until_unix_ns(ns))


def sleep(seconds: Seconds) -> Wake:
    """Sleeps for a duration in seconds on the default clock: an int, float, Fraction, Decimal or timedelta.

    The duration is rounded up to nanoseconds and counts from the call on now_ns()'s timeline. The sleep is never early,
    except when the result is Wake.REANCHORED or DISRUPTED. It waits in the kernel until a margin before its deadline
    and spins for the rest; the GIL is released. A signal handler that raises ends it; after others it goes on.

    ValueError: negative or NaN. OverflowError: more than 292 years. TypeError: not a duration.
    """
    start_ns = impl.now_ns()
    return wake(impl.sleep_until_ns(deadline_ns(start_ns, seconds)))


def sleep_ns(ns: int) -> Wake:
    """Sleeps for a duration in nanoseconds on the default clock, as sleep(); returns at once if it is not positive."""
    return wake(impl.sleep_ns(ns))


def sleep_until_ticks(tick: int) -> Wake:
    """Sleeps until a time of the default clock in ticks, as now() counts; returns at once if it is past."""
    return wake(impl.sleep_until_ticks(tick))


def sleep_until_ns(ns: int) -> Wake:
    """Sleeps until a time in nanoseconds, as now_ns() counts; returns at once if it is past."""
    return wake(impl.sleep_until_ns(ns))


def sleep_until_unix_ns(ns: int) -> Wake:
    """Sleeps until a Unix time in nanoseconds, with the steps of the wall clock; returns at once if it is past."""
    return wake(impl.sleep_until_unix_ns(ns))


def set_default_source(source: Union[int, str]) -> None:
    """Chooses the default clock's source. Only before the first use of that clock; afterwards OSError (EBUSY).

    Clock.set_default() makes a clock the default one, such as a manual clock in a test.
    """
    number = source_number(source)
    impl.set_default_source(Source.AUTO if number is None else number)


def set_policy(policy: Policy, max_spin_ns: int = 0) -> None:
    """The policy of all sleeps of the process, and the longest spin in nanoseconds; 0: the policy's own limit."""
    impl.set_policy(policy, max_spin_ns)


def set_slice_ns(ns: int) -> None:
    """The calling thread's time slice in nanoseconds, from 0.1 to 100 ms; 0: the kernel's own. New threads inherit it.

    With a short slice a thread that wakes may take a CPU from threads with longer ones (Linux 6.12 and later), and
    gives it up sooner. OSError (ENOTSUP): this kernel, or the thread's scheduling class, has no such slices.
    """
    impl.set_slice_ns(ns)


def kernel_hz() -> int:
    """The kernel's timer frequency in jiffies per second; 0 if it is not known."""
    return impl.kernel_hz()


def info() -> ClockInfo:
    """Facts about the default clock. Takes microseconds."""
    return Clock().info()


@contextlib.contextmanager
def low_latency(max_us: int = 0) -> Iterator[None]:
    """While the context is open, no idle CPU of the machine takes more than max_us microseconds to wake.

    OSError: the kernel does not permit it. The machine uses more power meanwhile.
    """
    descriptor = impl.low_latency_open(max_us)
    try:
        yield
    finally:
        os.close(descriptor)
