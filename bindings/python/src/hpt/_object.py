# SPDX-License-Identifier: MIT
"""What all objects of the library have in common."""

from __future__ import annotations

from types import TracebackType
from typing import Any, Optional, TypeVar

from hpt import _native as impl

_Self = TypeVar("_Self", bound="Closable")


class Closable:
    """A context manager that closes its object. A copy would close the original's, so there is none."""

    __slots__ = ()

    closed: Any
    close: Any

    def __enter__(self: _Self) -> _Self:
        return self

    def __exit__(
        self, kind: Optional[type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<hpt.{type(self).__name__} {'closed' if self.closed else 'open'}>"

    def __reduce__(self) -> Any:
        raise TypeError(f"a {type(self).__name__} cannot be copied or pickled")


def held_clock(clock: Optional[impl.Clock]) -> impl.Clock:
    """A holder of the clock for an object's own use, which the user's close() leaves open."""
    if clock is None:
        return impl.Clock()
    if not isinstance(clock, impl.Clock):
        raise TypeError(f"clock is a Clock or None, not {type(clock).__name__}")
    return clock.ref()
