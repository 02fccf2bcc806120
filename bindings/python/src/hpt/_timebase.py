# SPDX-License-Identifier: MIT
"""Time bases: they convert a clock's ticks later, or on another machine."""

from __future__ import annotations

import operator
import os
from array import array
from pathlib import Path
from typing import Any, Callable, Optional, Union, overload

from hpt import _native as impl
from hpt._object import held_clock

Ticks = Any
"""An int; or a buffer of signed integers of 64 bits in one piece: an array("q"), a memoryview, a numpy array."""


class Timebase:
    """The parameters that convert a clock's ticks to times: 128 bytes, the same on every machine and in every version.

    A trace of ticks needs a time base at its start, one in each new generation of the clock, and one at its end. With
    both, ticks between them are interpolated. Immutable; any thread may use it; it can be pickled and compared.
    """

    __slots__ = ("_bytes", "__weakref__")

    _bytes: bytes

    def __init__(self, data: bytes) -> None:
        """ValueError: not 128 bytes, damaged bytes, or another version."""
        self._bytes = bytes(memoryview(data))
        empty = array("q")
        impl.timebase_to_ns(self._bytes, None, empty, empty)

    @classmethod
    def take(cls, clock: Optional[impl.Clock] = None) -> Timebase:
        """A present time base of a clock; None: the default one. Some 10 microseconds; reads a small file.

        OSError (ENOTSUP): a manual clock, or a memory-mapped counter of 16 or 32 bits.
        """
        return cls(held_clock(clock).timebase())

    @classmethod
    def from_bytes(cls, data: bytes) -> Timebase:
        """The time base of 128 bytes. ValueError: another number of bytes, damaged bytes, or another version."""
        return cls(data)

    @classmethod
    def load(cls, path: Union[str, os.PathLike[str]]) -> Timebase:
        """The time base in a file. ValueError: the file is not one."""
        return cls(Path(path).read_bytes())

    def save(self, path: Union[str, os.PathLike[str]]) -> None:
        """Writes the 128 bytes to a file."""
        Path(path).write_bytes(self._bytes)

    def __bytes__(self) -> bytes:
        return self._bytes

    def __eq__(self, other: object) -> bool:
        return self._bytes == other._bytes if isinstance(other, Timebase) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._bytes)

    def __reduce__(self) -> tuple[type[Timebase], tuple[bytes]]:
        return type(self), (self._bytes,)

    def __repr__(self) -> str:
        return f"Timebase({self._bytes.hex()!r})"

    @overload
    def to_ns(self, ticks: int, last: Optional[Timebase] = None) -> int: ...

    @overload
    def to_ns(self, ticks: Ticks, last: Optional[Timebase] = None, out: Any = None) -> Any: ...

    def to_ns(self, ticks: Ticks, last: Optional[Timebase] = None, out: Any = None) -> Any:
        """Ticks as nanoseconds of now_ns(), rounded to nearest; the ends of 64 bits if they do not fit.

        An int gives an int. A buffer gives an array("q"), or ``out``, a writable buffer of the same length, which may
        be ``ticks``. numpy arrays of int64 are such buffers. ``last`` is a later time base of the same boot and
        generation. In C a tick of a buffer takes less than a nanosecond; the GIL is released above 4096 ticks.

        TypeError: other buffers. ValueError: the lengths differ, or ``last`` is earlier or of another source.
        OSError (ESTALE): the time bases are of different boots or generations.
        """
        return self._convert(impl.timebase_to_ns, ticks, last, out)

    @overload
    def to_unix_ns(self, ticks: int, last: Optional[Timebase] = None) -> int: ...

    @overload
    def to_unix_ns(self, ticks: Ticks, last: Optional[Timebase] = None, out: Any = None) -> Any: ...

    def to_unix_ns(self, ticks: Ticks, last: Optional[Timebase] = None, out: Any = None) -> Any:
        """Ticks as nanoseconds since 1970-01-01 00:00 UTC; otherwise as to_ns()."""
        return self._convert(impl.timebase_to_unix_ns, ticks, last, out)

    def _convert(self, function: Callable[..., None], ticks: Ticks, last: Optional[Timebase], out: Any) -> Any:
        second = None if last is None else bytes(last)
        if out is None and _is_number(ticks):
            one = array("q", [operator.index(ticks)])
            function(self._bytes, second, one, one)
            return one[0]
        if out is None:
            out = array("q", bytes(memoryview(ticks).nbytes // 8 * 8))
        function(self._bytes, second, ticks, out)
        return out


def _is_number(ticks: Ticks) -> bool:
    """numpy's integers are both a number and a buffer without dimensions."""
    if isinstance(ticks, int):
        return True
    try:
        return memoryview(ticks).ndim == 0
    except TypeError:
        return True
