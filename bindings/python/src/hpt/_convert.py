# SPDX-License-Identifier: MIT
"""Durations in seconds as whole nanoseconds."""

from __future__ import annotations

import math
import operator
from datetime import timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any, Optional, Protocol, SupportsIndex, Union

Seconds = Union[float, int, Fraction, Decimal, timedelta]
"""A duration: a number of seconds, or a timedelta."""
Integer = Union[int, SupportsIndex]
"""What the extension takes for an int."""


class HasFileno(Protocol):
    """A socket, a file, or another object with a descriptor."""

    def fileno(self) -> int: ...


Descriptor = Union[int, HasFileno]
"""What the extension takes for a descriptor."""

NS_PER_S = 10**9
INT64_MIN = -(2**63)
INT64_MAX = 2**63 - 1


def duration_ns(seconds: Seconds) -> int:
    """A duration in nanoseconds, rounded up, so that a sleep for it is not early.

    A float is multiplied in double precision before that, as time.sleep() does: 0.1 is 100000000 ns.

    ValueError: negative or not a number. OverflowError: more than 2**63 - 1 ns (292 years). TypeError: no number.
    """
    ns = _ns(seconds)
    if ns < 0:
        raise ValueError("a duration must not be negative")
    return _fitting(ns)


def deadline_ns(start_ns: int, seconds: Seconds) -> int:
    """The time that is a duration after another, at most the end of 64 bits. The longest duration is for ever.

    A caller that reads the start before the call does not sleep for the time that the conversion takes.
    """
    ns = duration_ns(seconds)
    return ns if ns == INT64_MAX else min(start_ns + ns, INT64_MAX)


def timeout_end_ns(start_ns: int, timeout: Optional[Seconds]) -> int:
    """The time that a wait ends at. None: for ever, which is the end of 64 bits; 0 and below: the start, for one look.

    ValueError: not a number. OverflowError, TypeError: as duration_ns().
    """
    if timeout is None:
        return INT64_MAX
    ns = _fitting(max(_ns(timeout), 0))
    return ns if ns == INT64_MAX else min(start_ns + ns, INT64_MAX)


def _fitting(ns: int) -> int:
    if ns > INT64_MAX:
        raise OverflowError("a duration must fit in 63 bits of nanoseconds")
    return ns


def _ns(seconds: Seconds) -> int:
    if isinstance(seconds, float):
        return _float_ns(seconds)
    if isinstance(seconds, timedelta):
        return (seconds.days * 86400 + seconds.seconds) * NS_PER_S + seconds.microseconds * 1000
    try:
        return operator.index(seconds) * NS_PER_S  # type: ignore[arg-type]
    except TypeError:
        return _ratio_ns(seconds)


def _float_ns(seconds: float) -> int:
    ns = seconds * 1e9
    if math.isnan(ns):
        raise ValueError("a duration must not be NaN")
    if ns < 0:
        return -1
    return INT64_MAX + 1 if math.isinf(ns) else math.ceil(ns)


def _ratio_ns(seconds: Any) -> int:
    try:
        numerator, denominator = seconds.as_integer_ratio()
    except AttributeError:
        raise TypeError(f"a duration in seconds is needed, not {type(seconds).__name__}") from None
    return -1 if numerator < 0 else -(-numerator * NS_PER_S // denominator)
