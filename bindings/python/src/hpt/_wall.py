# SPDX-License-Identifier: MIT
"""Intervals that contain UTC, and timestamps that strictly increase."""

from __future__ import annotations

import errno
import struct
from contextlib import contextmanager
from dataclasses import dataclass
from enum import IntFlag
from typing import Iterator, NamedTuple, Optional

from hpt import _native as impl
from hpt._convert import Seconds, timeout_end_ns
from hpt._enums import Wake, _Open, wake
from hpt._info import _decode, _text
from hpt._object import Closable, held_clock
from hpt._sleeper import Sleeper

_CONFIG = struct.Struct("=6I4q112s112s112s64s")
_LEAP_COVER = 1
_UTC, _TAI = 1, 2

_LEAP_LOOK_NS = 10**8
"""How often wait_ready() looks: that a leap second passes is no news."""


class WallSource(IntFlag):
    """Sources of bounds of a wall: one of them, or several."""

    FEED = 1
    """The program's own samples: Wall.feed()."""
    CLOCKBOUND = 2
    """The shared memory of ClockBound's daemon."""
    CHRONY = 4
    """chronyd, asked by UDP."""
    KERNEL = 8
    """adjtimex(2): a claim of unknown worth, used on request only."""
    VMCLOCK = 16
    """The page by which a hypervisor states time and disruptions."""
    PHC = 32
    """A network card's clock."""
    FBCLOCK = 64
    """The shared memory of fbclock's daemon: a statistical claim, used on request only."""


class WallState(_Open):
    """Whether a wall has a bound, or why not. SYNCED and HOLDOVER have one."""

    NONE = 0
    """No sample yet."""
    SYNCED = 1
    HOLDOVER = 2
    """No new sample lately, or the source has lost its own reference."""
    UNSYNCED = 3
    """A source answers, and says that it has no bound."""
    STALE = 4
    """The latest sample is too old."""
    DISRUPTED = 5
    """The counter jumped, the machine slept or was moved: earlier samples are void."""
    CONTRADICTED = 6
    """Samples have nothing in common: one of the sources is wrong."""
    LEAP = 7
    """Within a second of a leap second."""


class WallFlag(IntFlag):
    """How much an interval is worth."""

    ASSUMED_RATE = 1
    """How wrong the counter's rate may be is the library's default."""
    CLAIMED = 2
    """A source's claim is statistical, or of unknown worth."""
    SMEARED = 4
    """A source spreads leap seconds over hours: this is not UTC meanwhile."""
    NO_DISRUPTION_SIGNAL = 8
    """In a virtual machine whose hypervisor reports no move: one can be missed."""


class WallReason(int):
    """Why a source of a wall gives nothing: a number whose meaning never changes."""

    @property
    def text(self) -> str:
        """The sentence that belongs to the reason."""
        return impl.wall_reason_text(self)

    def __repr__(self) -> str:
        return f"<WallReason {int(self)}: {self.text}>"


class WallTime(NamedTuple):
    """UTC was in [earliest_ns, latest_ns] as the clock showed the tick. Unix time in nanoseconds."""

    earliest_ns: int
    latest_ns: int
    tick: int
    generation: int
    """Within one, earliest_ns never decreases."""
    state: WallState
    """SYNCED or HOLDOVER."""
    flags: WallFlag

    @property
    def width_ns(self) -> int:
        """How many nanoseconds wide the interval is."""
        return self.latest_ns - self.earliest_ns


def _length(ns: int) -> Optional[int]:
    return None if ns < 0 else ns


@dataclass(frozen=True)
class WallInfo:
    """Facts about a wall."""

    state: WallState
    flags: WallFlag
    sources: WallSource
    """Those that it was opened with."""
    live: WallSource
    """Those with a sample in the present bound."""
    waiting: int
    """Threads in wait_after() now."""
    generation: int
    """1 at first; each event adds 1."""
    samples: int
    """Samples that were accepted."""
    refused: int
    """Samples that were refused."""
    contradictions: int
    """How often samples had nothing in common."""
    disruptions: int
    """How often the counter jumped, or the machine slept or was moved."""
    width_ns: Optional[int]
    """Of the interval now, in nanoseconds."""
    age_ns: Optional[int]
    """Of the latest sample, in nanoseconds."""
    leap_at_ns: int
    """UTC midnight of the leap second that is announced, in nanoseconds; 0: none."""
    leap: int
    """1: a second will be inserted, -1: left out, 0: none is announced."""
    tai_offset_s: int
    """TAI less UTC in seconds; 0: unknown."""
    rate_lo_ppb: int
    """The counter's seconds are longer than UTC's by at least this, parts in 10^9 ..."""
    rate_hi_ppb: int
    """... and at most this."""
    rate_ppb: int
    """How wrong the counter's rate may be: as opened, or the default."""
    wander_ppb: int
    """How far it may move from an average, likewise."""
    gained: int
    """How often there was a bound after there was none, the first included."""
    lost: int
    """How often there was none after there was one, as far as a call has looked."""

    @classmethod
    def _decode(cls, data: bytes) -> WallInfo:
        return _decode(
            cls,
            "5I5Q3q4i2I2Q",
            data,
            state=WallState,
            flags=WallFlag,
            sources=WallSource,
            live=WallSource,
            width_ns=_length,
            age_ns=_length,
        )


@dataclass(frozen=True)
class WallSourceInfo:
    """Facts about a source of a wall."""

    source: WallSource
    usable: bool
    """Its latest statement was accepted."""
    reason: WallReason
    """Why not."""
    error: int
    """The errno value of the call that failed; 0: none did."""
    flags: WallFlag
    """Of its latest sample."""
    samples: int
    """Samples that were accepted."""
    refused: int
    """Samples that were refused."""
    width_ns: Optional[int]
    """Of what its latest sample allows now, in nanoseconds."""
    age_ns: Optional[int]
    """Of that sample, in nanoseconds."""
    name: str
    path: str
    """Of file, device or address; "" if it has none."""

    @classmethod
    def _decode(cls, data: bytes) -> WallSourceInfo:
        return _decode(
            cls,
            "5I2Q2q16s112s",
            data,
            source=WallSource,
            usable=bool,
            reason=WallReason,
            flags=WallFlag,
            width_ns=_length,
            age_ns=_length,
            name=_text,
            path=_text,
        )


def _place(text: str, size: int) -> bytes:
    data = text.encode()
    if len(data) >= size or b"\0" in data:
        raise ValueError(f"{text!r} does not fit in {size - 1} bytes without NUL")
    return data


class Wall(Closable):
    """A clock, and what sources have stated of UTC: intervals that contain it. The manual is hpt_wall(7).

    There is no thread: the program calls update() about once a second, or feed(). ``sources`` are those to use, such as
    ``WallSource.CHRONY | WallSource.PHC``; 0: all but KERNEL and FBCLOCK. If they contradict each other, the
    ``trusted`` ones are right, which must be among ``sources``. 0 and "" are the library's defaults.
    ``phc_timescale`` is "utc" or "tai". With ``leap_cover`` the interval near a leap second contains both readings.

    No bound is BlockingIOError (EAGAIN); info() then has the state, which says why. OverflowError: the interval would
    be wider than ``max_width_ns`` nanoseconds. ValueError: a wrong argument, such as a source that the library does not
    have or trust in one that is not used, or the wall is closed.
    """

    __slots__ = ("_clock", "_wall", "_waiters", "_news", "__weakref__")

    def __init__(
        self,
        clock: Optional[impl.Clock] = None,
        sources: WallSource = WallSource(0),
        trusted: WallSource = WallSource(0),
        *,
        rate_ppb: int = 0,
        wander_ppb: int = 0,
        max_width_ns: int = 0,
        max_age_ns: int = 0,
        phc_timescale: str = "",
        phc_error_ns: int = 0,
        chrony_refclock_error_ns: int = 0,
        clockbound_path: str = "",
        vmclock_path: str = "",
        phc_path: str = "",
        chrony_address: str = "",
        leap_cover: bool = False,
    ) -> None:
        if phc_timescale not in ("", "utc", "tai"):
            raise ValueError(f"phc_timescale is 'utc' or 'tai', not {phc_timescale!r}")
        timescale = {"": 0, "utc": _UTC, "tai": _TAI}[phc_timescale]
        try:
            config = _CONFIG.pack(
                *(sources, trusted, rate_ppb, wander_ppb, timescale, 0),
                *(phc_error_ns, max_width_ns, max_age_ns, chrony_refclock_error_ns),
                *(_place(path, 112) for path in (clockbound_path, vmclock_path, phc_path)),
                _place(chrony_address, 64),
            )
        except struct.error as error:
            raise ValueError(f"a number does not fit: {error}") from None
        self._clock = held_clock(clock)
        self._wall = impl.Wall(self._clock, config, _LEAP_COVER if leap_cover else 0)
        self._waiters: set[impl.Waiter] = set()
        self._news = impl.Gate(self._clock)

    def now(self) -> WallTime:
        """An interval that contains UTC now, in nanoseconds."""
        return self._time(self._wall.now())

    def at(self, tick: int) -> WallTime:
        """An interval that contains UTC as the clock showed a tick; OverflowError: future, or before the generation."""
        return self._time(self._wall.at(tick))

    def at_os_ns(self, clockid: int, ns: int) -> WallTime:
        """An interval that contained UTC when a clock of the kernel, such as ``time.CLOCK_REALTIME``, showed a time.

        That is the stamp of a packet, in nanoseconds. OverflowError: future, before the generation, or the clock was
        set since. ValueError: a clock that cannot be bounded. OSError (ENOTSUP): the wall is on a manual clock.
        """
        return self._time(self._wall.at_os_ns(clockid, ns))

    @staticmethod
    def _time(t: tuple[int, int, int, int, int, int]) -> WallTime:
        return WallTime(*t[:4], WallState(t[4]), WallFlag(t[5]))

    def after(self, unix_ns: int) -> bool:
        """Whether UTC is surely after a Unix time in nanoseconds; False also if there is no bound."""
        return self._wall.after(unix_ns)

    def before(self, unix_ns: int) -> bool:
        """Whether UTC is surely before a Unix time in nanoseconds; False also if there is no bound."""
        return self._wall.before(unix_ns)

    def feed(self, before: int, after: int, earliest_ns: int, latest_ns: int, flags: int = 0) -> None:
        """Adds a sample: at some moment between two ticks UTC was in an interval of nanoseconds.

        BlockingIOError: it contradicts others, or a leap second is near. OverflowError: it is too old.
        """
        self._wall.feed(before, after, earliest_ns, latest_ns, flags)
        self._news.notify_all()

    def update(self) -> WallState:
        """Asks all sources, which may take 0.1 seconds where a daemon does not answer. Releases the GIL."""
        state = WallState(self._wall.update())
        self._news.notify_all()
        return state

    def wait_after(self, unix_ns: int, timeout: Optional[Seconds] = None) -> None:
        """Waits until UTC is surely after a Unix time in nanoseconds (commit wait). Releases the GIL.

        Another thread has to update or feed the wall meanwhile. BlockingIOError: there is no bound, or it was lost.
        TimeoutError: after ``timeout`` seconds; None: never; 0 and below: one look. ValueError: another thread closed
        the wall. A signal handler that raises ends the wait.
        """
        end_ns = timeout_end_ns(self._clock.now_ns(), timeout)
        with self._closing_waiter() as waiter:
            result = self._wall.wait_after_on(waiter, unix_ns, end_ns)
        if result:
            raise ValueError("the wall was closed during the wait")

    @contextmanager
    def _closing_waiter(self) -> Iterator[impl.Waiter]:
        """A waiter for one wait, which close() interrupts."""
        waiter = impl.Waiter(self._clock)
        self._waiters.add(waiter)
        try:
            yield waiter
        finally:
            self._waiters.discard(waiter)
            waiter.close()

    def wait_after_on(self, sleeper: Sleeper, unix_ns: int, timeout: Optional[Seconds] = None) -> Wake:
        """Waits as wait_after(), or until the sleeper is interrupted: then it returns Wake.INTERRUPTED, else REACHED.

        Closing the wall does not end the wait. ValueError: the sleeper is on another clock. OSError (EBUSY): another
        thread sleeps on it.
        """
        if not isinstance(sleeper, Sleeper):
            raise TypeError(f"sleeper is a Sleeper, not {type(sleeper).__name__}")
        end_ns = timeout_end_ns(self._clock.now_ns(), timeout)
        return wake(self._wall.wait_after_on(sleeper._waiter, unix_ns, end_ns))

    def sleep_until_ns(self, unix_ns: int, max_error_ns: int = 0) -> int:
        """Sleeps until a moment of UTC, the same on machines that do not talk to each other. Releases the GIL.

        Returns by how many nanoseconds UTC may have been off that Unix time at the end. BlockingIOError: there is no
        bound, or it was lost. OverflowError: the error is larger than ``max_error_ns``; 0: any will do. ValueError:
        another thread closed the wall. A signal handler that raises ends the sleep.
        """
        with self._closing_waiter() as waiter:
            result, error_ns = self._wall.sleep_until_ns_on(waiter, unix_ns, max_error_ns)
        if result:
            raise ValueError("the wall was closed during the sleep")
        return error_ns

    def sleep_until_ns_on(self, sleeper: Sleeper, unix_ns: int, max_error_ns: int = 0) -> tuple[Wake, int]:
        """Sleeps as sleep_until_ns(), or until the sleeper is interrupted: Wake.INTERRUPTED and 0.

        Else Wake.REACHED and the error in nanoseconds.

        Closing the wall does not end the sleep. ValueError: the sleeper is on another clock. OSError (EBUSY): another
        thread sleeps on it.
        """
        if not isinstance(sleeper, Sleeper):
            raise TypeError(f"sleeper is a Sleeper, not {type(sleeper).__name__}")
        result, error_ns = self._wall.sleep_until_ns_on(sleeper._waiter, unix_ns, max_error_ns)
        return wake(result), error_ns

    def wait_ready(self, max_width_ns: int = 0, timeout: Optional[Seconds] = None) -> None:
        """Waits until there is a bound, and its interval is no wider than that many nanoseconds; 0: of any width.

        Another thread has to update or feed the wall meanwhile. TimeoutError: after ``timeout`` seconds; None: never;
        0 and below: one look. ValueError: another thread closed the wall. A signal handler that raises ends the wait.
        Releases the GIL.
        """
        if max_width_ns < 0:
            raise ValueError("a width must not be negative")
        end_ns = timeout_end_ns(self._clock.now_ns(), timeout)
        while True:
            ticket = self._news.ticket()
            width_ns = self.info().width_ns
            if width_ns is not None and (width_ns <= max_width_ns or not max_width_ns):
                return
            now_ns = self._clock.now_ns()
            if now_ns >= end_ns:
                raise TimeoutError(errno.ETIMEDOUT, "the wall is not ready")
            self._news.wait_until_ns(ticket, min(end_ns, now_ns + _LEAP_LOOK_NS))

    def to_tai_ns(self, unix_ns: int) -> int:
        """TAI in nanoseconds since 1970-01-01 00:00:00 TAI; OSError (ENODATA): no source states the offset."""
        return self._wall.to_tai_ns(unix_ns)

    def fileno(self) -> int:
        """A descriptor for event loops, readable as the bound is lost or gained. Then call fd_clear().

        It need not be read, and belongs to the wall. It may be readable early: then nothing has changed. OSError: no
        descriptor is left, or the clock is a manual one. After a fork the child's wall has another one.
        """
        return self._wall.fileno()

    def fd_clear(self) -> WallState:
        """Looks at the wall, and makes fileno() unreadable until the bound is lost or gained again."""
        return WallState(self._wall.fd_clear())

    def info(self) -> WallInfo:
        """Facts about the wall."""
        return WallInfo._decode(self._wall.info())

    def source_info(self, source: int) -> WallSourceInfo:
        """Facts about one of its sources. ValueError: unknown."""
        return WallSourceInfo._decode(self._wall.source_info(source))

    def close(self) -> None:
        """Ends the waits of other threads, and gives the wall back. May be called again."""
        self._wall.close()
        self._news.shut()
        for waiter in list(self._waiters):
            try:
                waiter.interrupt()
            except ValueError:
                pass  # its wait has just ended

    @property
    def closed(self) -> bool:
        """Whether close() was called."""
        return self._wall.closed


@dataclass(frozen=True)
class HlcInfo:
    """Facts about a hybrid logical clock."""

    sees_clones: bool
    """A clone of the virtual machine is noticed: VMClock's page counts them."""
    incarnation: int
    """A random number, another one after each set_floor() that ended ESTALE; 0: now() would raise that.

    Timestamps of parent and child, or of clones, may be equal; a timestamp is not together with the incarnation that
    was read after it.
    """

    @classmethod
    def _decode(cls, data: bytes) -> HlcInfo:
        return _decode(cls, "IQ", data, sees_clones=bool)


class Hlc(Closable):
    """Timestamps in nanoseconds of Unix time that are close to UTC and strictly increase, on all threads.

    ``max_ahead_ns`` nanoseconds is how far one that comes, or a floor, may be beyond the wall's latest. After fork a
    child's clock raises OSError (ESTALE) until set_floor(), and so does a clone's of the virtual machine, where
    VMClock's page counts clones. BlockingIOError: the wall has no bound, or a floor is that
    far ahead. A sample that narrows the interval stops no timestamps.
    """

    __slots__ = ("_hlc", "__weakref__")

    def __init__(self, wall: Wall, max_ahead_ns: int = 0) -> None:
        if not isinstance(wall, Wall):
            raise TypeError(f"wall is a Wall, not {type(wall).__name__}")
        self._hlc = impl.Hlc(wall._wall, max_ahead_ns)

    def now(self) -> int:
        """A timestamp: the larger of the wall's latest and the previous timestamp + 1, in nanoseconds."""
        return self._hlc.now()

    def receive(self, remote_ns: int) -> int:
        """A timestamp that is also larger than one in nanoseconds that came from another machine.

        OSError (EBADMSG): that one is more than max_ahead_ns beyond the wall's latest, and leaves no trace. Other
        errors are this machine's own, as those of now().
        """
        return self._hlc.receive(remote_ns)

    def set_floor(self, floor_ns: int) -> None:
        """Makes all further timestamps larger than this, in nanoseconds: after a restart, what a disk had."""
        self._hlc.set_floor(floor_ns)

    def info(self) -> HlcInfo:
        """Facts about the clock."""
        return HlcInfo._decode(self._hlc.info())

    def close(self) -> None:
        """Gives the clock back. May be called again."""
        self._hlc.close()

    @property
    def closed(self) -> bool:
        """Whether close() was called."""
        return self._hlc.closed
