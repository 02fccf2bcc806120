# SPDX-License-Identifier: MIT
"""The library's constants."""

from __future__ import annotations

import errno
from enum import IntEnum, IntFlag
from typing import Any, Optional, Union

from hpt import _native as impl


_NUMBERS = tuple("bcdeEfFgGnoxX%")  # presentation types of format()


class _Open(IntEnum):
    """An enumeration that a later library may extend: a number that this version does not know is a member too.

    str() and format() without a specification give the name in lower case, as the command hpt prints it.
    """

    def __str__(self) -> str:
        return self.name.lower()

    def __format__(self, specification: str) -> str:
        return format(int(self) if specification[-1:] in _NUMBERS else str(self), specification)

    @classmethod
    def _missing_(cls, value: object) -> Any:
        if not isinstance(value, int) or value < 0:
            return None
        member = int.__new__(cls, value)
        member._name_ = f"UNKNOWN_{value}"
        member._value_ = value
        return member


class Source(_Open):
    """The counter that a clock reads."""

    AUTO = 0
    """The library's own choice."""
    TSC = 1
    """The x86 time stamp counter."""
    HPET = 2
    """The x86 high precision event timer, read through /dev/hpet."""
    OS = 3
    """clock_gettime(CLOCK_MONOTONIC)."""
    ARCH = 4
    """The counter that another architecture lets programs read."""
    MMIO = 5
    """A memory-mapped counter of a system on chip."""
    MANUAL = 6
    """No counter: the program advances the clock itself, see hpt.testing."""


class State(_Open):
    """Why the present generation of a clock began."""

    OK = 0
    REANCHORED = 1
    """The system's clocks moved: suspend, step of the wall clock, new time namespace."""
    DISRUPTED = 2
    """The counter jumped: restored snapshot, migration, another counter."""
    DEMOTED = 3
    """The kernel stopped trusting this counter, or it jumps again and again."""


class Stage(_Open):
    """The last stage that the library reached with a source."""

    UNTRIED = 0
    CPU = 1
    OPEN = 2
    MAP = 3
    CAPS = 4
    COUNTING = 5
    USABLE = 6


class Origin(_Open):
    """Where a clock's rate comes from."""

    NONE = 0
    """A guess: counter and clocks contradicted each other in all measurements."""
    EXACT = 1
    """By definition: the OS clock, and manual clocks."""
    REGISTER = 2
    """Stated by the hardware."""
    MEASURED = 3
    """Measured against CLOCK_MONOTONIC_RAW."""
    KERNEL = 4
    """The kernel's own rate."""


class TscClass(_Open):
    """The CPU's statement about its TSC."""

    NO_TSC = 0
    NOT_CONSTANT = 1
    CONSTANT_BY_FAMILY = 2
    INVARIANT = 3


class OrderedRead(_Open):
    """The instruction of a clock's ordered reads."""

    OTHER = 0
    RDTSCP = 1
    LFENCE_RDTSC = 2


class Policy(_Open):
    """How a sleep weighs CPU time against lateness; in brackets what a max_spin_ns of 0 means."""

    BALANCED = 0
    """At most some 2.5 times the CPU time of the kernel's own sleep [1 ms]."""
    FRUGAL = 1
    """At most some 1.6 times [1 ms]."""
    STRICT = 2
    """At most some four times [a jiffy of the kernel]."""
    NOSPIN = 3
    """No spin: may return max_spin_ns early [never early, and always late]."""
    SPIN = 4
    """Spins through the last max_spin_ns, at most the last millisecond, so that a signal can end the sleep [1 ms]."""
    INHERIT = 5
    """The process's policy; for objects only."""


class Missed(_Open):
    """What a ticker does with missed ticks. A wait that slept returns the tick that it slept for, however late."""

    SKIP = 0
    """Counts them, and goes on with the latest."""
    CATCH_UP = 1
    """Returns each of them at once."""
    DELAY = 2
    """Drops them: after a tick that is late by a period or more the next one comes a period later, and so on."""


class ClockFlag(IntFlag):
    """Facts about a clock."""

    IS_DEFAULT = 1
    """The process's default clock."""
    ENV_UNKNOWN = 2
    """HPT_SOURCE in the environment names no source."""
    ENV_REFUSED = 4
    """HPT_SOURCE names a source that cannot be used here."""
    RATE_CONTRADICTED = 8
    """The hardware's stated rate is more than 0.1 % off the measured one."""
    VETOED = 16
    """Opened on request; the library would not have chosen it, for the reason given."""


class Wake(_Open):
    """How a sleep or a wait ended."""

    REACHED = 0
    """The deadline has come; the sleep was not early."""
    REANCHORED = 1
    """The system's clocks moved against the counter during the sleep, which may be early on its timeline."""
    DISRUPTED = 2
    """The counter jumped or stopped during the sleep, which may be early on its timeline."""
    INTERRUPTED = -errno.ECANCELED
    """By interrupt() or close()."""
    ENDED = -errno.ENODATA
    """The ticker is not started, or its single tick has been returned."""
    NOTIFIED = -4096  # the first number below those of errno: the library's is 0, which REACHED has
    """By notify_all(), or the gate was shut and reopened."""
    TIMED_OUT = -errno.ETIMEDOUT
    """The time-out of a gate is over; the wait was not early."""
    SHUT = -errno.ESHUTDOWN
    """The gate is shut, or was closed."""


_WAKES = {int(wake): wake for wake in Wake}


def wake(code: int) -> Wake:
    """How a sleep ended, by the extension's code."""
    known = _WAKES.get(code)
    return Wake(code) if known is None else known


def gate_wake(code: int) -> Wake:
    """How a wait at a gate ended, by the extension's code."""
    return wake(code) if code else Wake.NOTIFIED


class Reason(int):
    """Why a source was chosen, was not chosen, or cannot be used: a number whose meaning never changes."""

    @property
    def text(self) -> str:
        """The sentence that belongs to the reason."""
        return impl.reason_text(self)

    def __repr__(self) -> str:
        return f"<Reason {int(self)}: {self.text}>"


def source_number(source: Union[None, int, str]) -> Optional[int]:
    """The number of a source that is given by number, by name or not at all."""
    return impl.source_parse(source) if isinstance(source, str) else source
