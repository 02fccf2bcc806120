# SPDX-License-Identifier: MIT
"""Walls and hybrid logical clocks by ctypes: the same as in ``hpt._native``."""

from __future__ import annotations

import ctypes
from typing import Any, Callable, Optional

from hpt import _ctypes_lib as lib
from hpt._ctypes_clock import Clock
from hpt._ctypes_lib import Handle, Object, check, int64, uint32
from hpt._ctypes_wait import _clock_handle

CONFIG_SIZE = 448
INFO_SIZE = 112
SOURCE_INFO_SIZE = 184
SOURCE_FEED = 1

_open = lib.blocking("hpt_wall_open")
_close = lib.leaf("hpt_wall_close")
_now = lib.leaf("hpt_wall_now")
_at = lib.leaf("hpt_wall_at")
_after = lib.leaf("hpt_wall_after")
_before = lib.leaf("hpt_wall_before")
_feed = lib.leaf("hpt_wall_feed")
_update = lib.blocking("hpt_wall_update")
_get_info = lib.leaf("hpt_wall_get_info")
_source_get_info = lib.leaf("hpt_wall_source_get_info")
_to_tai_ns = lib.leaf("hpt_wall_to_tai_ns")
_hlc_new = lib.leaf("hpt_hlc_new")
_hlc_free = lib.leaf("hpt_hlc_free")
_hlc_now = lib.leaf("hpt_hlc_now")
_hlc_receive = lib.leaf("hpt_hlc_receive")
_hlc_set_floor = lib.leaf("hpt_hlc_set_floor")


class _Time(ctypes.Structure):
    _fields_ = [
        ("earliest_ns", lib.I64),
        ("latest_ns", lib.I64),
        ("tick", lib.I64),
        ("generation", lib.U64),
        ("state", lib.U32),
        ("flags", lib.U32),
    ]


class _Sample(ctypes.Structure):
    _fields_ = [
        ("before", lib.I64),
        ("after", lib.I64),
        ("earliest_ns", lib.I64),
        ("latest_ns", lib.I64),
        ("source", lib.U32),
        ("flags", lib.U32),
    ]


def _interval(function: Callable[..., int], *arguments: object) -> tuple[int, int, int, int, int, int]:
    t = _Time()
    check(function(*arguments, ctypes.byref(t)))
    return t.earliest_ns, t.latest_ns, t.tick, t.generation, t.state, t.flags


def _number(function: Callable[..., int], *arguments: object) -> int:
    ret = lib.I64()
    check(function(*arguments, ctypes.byref(ret)))
    return ret.value


class Wall(Object):
    """Intervals that contain UTC; config is a struct hpt_wall_config as bytes."""

    __slots__ = ()

    def __init__(self, clock: Optional[Clock], config: bytes, flags: int) -> None:
        if len(config) != CONFIG_SIZE:
            raise ValueError("the struct hpt_wall_config has another size")
        self._adopt(lib.new_handle(_open, _close, _clock_handle(clock), config, CONFIG_SIZE, uint32(flags)))

    def now(self) -> tuple[int, int, int, int, int, int]:
        """Earliest and latest Unix time in nanoseconds, tick, generation, state and flags."""
        return _interval(_now, self._held())

    def at(self, tick: int) -> tuple[int, int, int, int, int, int]:
        """The same at a tick of the wall's clock."""
        return _interval(_at, self._held(), int64(tick))

    def after(self, unix_ns: int) -> bool:
        """Whether UTC is surely after a Unix time in nanoseconds."""
        return _after(self._held(), int64(unix_ns)) == 1

    def before(self, unix_ns: int) -> bool:
        """Whether UTC is surely before a Unix time in nanoseconds."""
        return _before(self._held(), int64(unix_ns)) == 1

    def to_tai_ns(self, unix_ns: int) -> int:
        """TAI in nanoseconds of a Unix time in nanoseconds."""
        return _number(_to_tai_ns, self._held(), int64(unix_ns))

    def feed(self, before: int, after: int, earliest_ns: int, latest_ns: int, flags: int) -> None:
        """Adds a sample: UTC was in the interval at some moment between two ticks."""
        times = (int64(before), int64(after), int64(earliest_ns), int64(latest_ns))
        sample = _Sample(*times, SOURCE_FEED, uint32(flags))
        check(_feed(self._held(), ctypes.byref(sample), ctypes.sizeof(sample)))

    def update(self) -> int:
        """Asks all sources; returns the state."""
        return check(_update(self._held()))

    def info(self) -> bytes:
        """The struct hpt_wall_info."""
        return lib.struct_bytes(_get_info, INFO_SIZE, self._held())

    def source_info(self, source: int) -> bytes:
        """The struct hpt_wall_source_info of a source."""
        return lib.struct_bytes(_source_get_info, SOURCE_INFO_SIZE, self._held(), uint32(source))

    def close(self) -> None:
        """Refuses later calls. Does not wait."""
        self._release()


def wall_handle(wall: Any) -> Handle:
    """The handle of an argument that is to be a wall."""
    if not isinstance(wall, Wall):
        raise TypeError("wall is not a Wall")
    return wall._held()


class Hlc(Object):
    """Timestamps that strictly increase."""

    __slots__ = ()

    def __init__(self, wall: Wall, max_ahead_ns: int) -> None:
        self._adopt(lib.new_handle(_hlc_new, _hlc_free, wall_handle(wall), int64(max_ahead_ns), 0))

    def now(self) -> int:
        """A timestamp: Unix time in nanoseconds."""
        return _number(_hlc_now, self._held())

    def receive(self, remote_ns: int) -> int:
        """A timestamp that is also larger than one in nanoseconds that came from another machine."""
        return _number(_hlc_receive, self._held(), int64(remote_ns))

    def set_floor(self, floor_ns: int) -> None:
        """Makes all further timestamps larger than this, in nanoseconds."""
        check(_hlc_set_floor(self._held(), int64(floor_ns)))

    def close(self) -> None:
        """Refuses later calls. Does not wait."""
        self._release()
