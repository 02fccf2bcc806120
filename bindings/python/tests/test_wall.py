# SPDX-License-Identifier: MIT
"""Walls and hybrid logical clocks, on manual clocks whose program is the only source."""

import dataclasses
import errno
import os
import re
import signal
import threading

import pytest

import hpt
from hpt import _native as impl
from hpt.testing import ManualClock

START = 1767225600 * 10**9  # 2026
HOUR = 3600


def utc(tick):
    return START + tick


def feed(wall, clock):
    wall.feed(clock.now(), clock.now(), utc(clock.now()) - 100, utc(clock.now()) + 100)


def unfed(clock, **options):
    return hpt.Wall(clock, [hpt.WallSource.FEED], rate_ppb=1000, wander_ppb=1000, **options)


@pytest.fixture
def clock():
    with ManualClock() as clock:
        yield clock


@pytest.fixture
def wall(clock):
    with unfed(clock) as wall:
        feed(wall, clock)
        yield wall


@pytest.mark.parametrize(
    "enum, prefix",
    [(hpt.WallSource, "HPT_WALL_FEED"), (hpt.WallState, "HPT_WALL_NONE"), (hpt.WallFlag, "HPT_WALL_ASSUMED_RATE")],
)
def test_members_are_those_of_the_header(enum, prefix, headers):
    """The constants from that one on, in one block of the header."""
    block = re.search(rf"^#define {prefix} .*?\n\n", headers, re.M | re.S)[0]
    wanted = {name: int(value) for name, value in re.findall(r"^#define HPT_WALL_(\w+) +(\d+)u", block, re.M)}
    assert {member.name: member.value for member in enum} == wanted


def test_reasons_have_a_text(headers):
    reasons = [int(value) for value in re.findall(r"^#define HPT_WALL_REASON_\w+ +(\d+)u", headers, re.M)]
    texts = {hpt.WallReason(value).text for value in reasons}
    assert len(texts) == len(reasons) == 21 and hpt.WallReason(77).text == "unknown reason"
    assert repr(hpt.WallReason(77)) == "<WallReason 77: unknown reason>"


def test_intervals_contain_the_truth_and_widen(clock, wall):
    first = wall.now()
    assert first.earliest_ns <= utc(0) <= first.latest_ns and 200 <= first.width_ns < 210
    assert (first.tick, first.generation, first.state) == (0, 1, hpt.WallState.SYNCED)
    assert first.flags in (0, hpt.WallFlag.NO_DISRUPTION_SIGNAL)
    clock.advance(10**9)
    later = wall.now()
    assert later.earliest_ns <= utc(later.tick) <= later.latest_ns and 2000 < later.width_ns < 3000
    assert wall.at(0).width_ns < 210
    with pytest.raises(OverflowError):
        wall.at(later.tick + 1)
    assert wall.after(later.earliest_ns - 1) and not wall.after(later.earliest_ns)
    assert wall.before(later.latest_ns + 1) and not wall.before(later.latest_ns)


def test_no_bound_is_an_error(clock):
    with unfed(clock) as wall:
        with pytest.raises(BlockingIOError):
            wall.now()
        with pytest.raises(BlockingIOError):
            wall.wait_after(0)
        assert wall.update() is hpt.WallState.NONE
        assert not wall.after(-(2**63)) and not wall.before(2**63 - 1)
        assert wall.info().width_ns is None and wall.info().age_ns is None
        with pytest.raises(OSError) as caught:
            wall.to_tai_ns(START)
        assert caught.value.errno == errno.ENODATA
        with pytest.raises(ValueError):
            wall.feed(1, 0, 0, 0)
        feed(wall, clock)
        with pytest.raises(BlockingIOError):
            wall.feed(0, 0, 0, 1)
        assert wall.info().state is hpt.WallState.CONTRADICTED and wall.info().contradictions == 1


def test_options_are_those_of_the_library(clock):
    with unfed(clock, max_width_ns=100, max_age_ns=10**9, leap_cover=True) as wall:
        feed(wall, clock)
        with pytest.raises(OverflowError):
            wall.now()
        clock.advance(2 * 10**9)
        with pytest.raises(BlockingIOError):
            wall.now()
        assert wall.info().state is hpt.WallState.STALE
    with hpt.Wall(clock, [hpt.WallSource.CHRONY], chrony_address="/nowhere") as wall:
        wall.update()
        chrony = wall.source_info(hpt.WallSource.CHRONY)
        assert not chrony.usable and chrony.name == "chrony" and chrony.reason and chrony.reason.text
        with pytest.raises(ValueError):
            wall.source_info(8)
    for wrong in (
        {"rate_ppb": 10**9},
        {"rate_ppb": -1},
        {"rate_ppb": 2**32},
        {"max_age_ns": 2**63},
        {"phc_timescale": "gps"},
        {"phc_path": "x" * 112},
        {"chrony_address": "a\0b"},
        {"sources": [0]},
        {"trusted": [32]},
    ):
        with pytest.raises(ValueError):
            hpt.Wall(clock, **wrong)
    with pytest.raises(FileNotFoundError):
        hpt.Wall(clock, [30])
    with pytest.raises(ValueError):
        impl.Wall(clock, b"", 0)


def test_facts_count(clock, wall):
    clock.advance(1000)
    info, source = wall.info(), wall.source_info(hpt.WallSource.FEED)
    assert (info.samples, info.live, info.sources, info.generation, info.age_ns) == (1, 2, 2, 1, 1000)
    assert info.rate_lo_ppb < 0 < info.rate_hi_ppb and (info.rate_ppb, info.wander_ppb) == (1000, 1000)
    assert source.usable and source.samples == 1 and (source.name, source.path, source.error) == ("feed", "", 0)


def in_thread(function):
    """Starts a thread; the list gets its result or its exception."""
    ended = []

    def run():
        try:
            ended.append(function())
        except Exception as error:
            ended.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    return thread, ended


def test_a_commit_wait_ends_when_the_time_is_past(clock, wall):
    then = wall.now().latest_ns
    with pytest.raises(TimeoutError):
        wall.wait_after(then, 0)
    thread, ended = in_thread(lambda: wall.wait_after(then) or clock.now())
    clock.wait_for_sleepers(1)
    clock.advance(150)  # still within the interval
    clock.wait_for_sleepers(1)
    assert not ended and wall.info().waiting == 1
    clock.advance(10**9)
    thread.join()
    assert ended == [10**9 + 150] and wall.after(then)
    assert wall.wait_after(then) is None


def test_a_wall_is_ready_once_it_is_fed(clock):
    with unfed(clock) as wall:
        with pytest.raises(TimeoutError):
            wall.wait_ready(timeout=0)
        with pytest.raises(ValueError):
            wall.wait_ready(-1)
        thread, ended = in_thread(wall.wait_ready)
        clock.wait_for_sleepers(1)
        assert wall.update() is hpt.WallState.NONE and not ended
        feed(wall, clock)
        thread.join()
        assert ended == [None] and wall.wait_ready(timeout=0) is None
        with pytest.raises(TimeoutError):
            wall.wait_ready(100, 0)
        thread, ended = in_thread(lambda: wall.wait_ready(100, HOUR))
        clock.wait_for_sleepers(1)
        wall.feed(clock.now(), clock.now(), utc(clock.now()) - 40, utc(clock.now()) + 40)
        thread.join()
        assert ended == [None] and wall.now().width_ns <= 100


def test_a_wait_for_a_bound_ends_at_its_timeout(clock):
    with unfed(clock) as wall:
        thread, ended = in_thread(lambda: wall.wait_ready(0, 0.25))
        clock.wait_for_sleepers(1)
        clock.advance(249_999_999)
        clock.wait_for_sleepers(1)
        assert not ended
        clock.advance(1)
        thread.join()
        assert isinstance(ended[0], TimeoutError) and ended[0].errno == errno.ETIMEDOUT


def test_a_bound_that_comes_without_news_is_seen(clock, wall, monkeypatch):
    """As when a leap second has passed."""
    bound = wall.info()
    monkeypatch.setattr(hpt.Wall, "info", lambda _: bound if clock.now() else dataclasses.replace(bound, width_ns=None))
    thread, ended = in_thread(wall.wait_ready)
    clock.wait_for_sleepers(1)
    clock.advance(10**8)
    thread.join()
    assert ended == [None]


def test_an_interrupt_ends_a_commit_wait(clock, wall):
    then = wall.now().latest_ns + 10**9
    with hpt.Sleeper(clock) as sleeper, hpt.Sleeper() as elsewhere:
        assert sleeper.wait_after(wall, 0) is hpt.Wake.REACHED
        thread, ended = in_thread(lambda: sleeper.wait_after(wall, then, HOUR))
        clock.wait_for_sleepers(1)
        sleeper.interrupt()
        thread.join()
        assert ended == [hpt.Wake.INTERRUPTED]
        with pytest.raises(TimeoutError):
            sleeper.wait_after(wall, then, 0)
        with pytest.raises(ValueError):
            elsewhere.wait_after(wall, then)
        with pytest.raises(TypeError):
            sleeper.wait_after(clock, then)


WAITS = pytest.mark.parametrize("wait", [lambda w: w.wait_after(utc(10**9)), lambda w: w.wait_ready(1)])


@WAITS
def test_close_ends_the_waits(clock, wall, wait):
    thread, ended = in_thread(lambda: wait(wall))
    clock.wait_for_sleepers(1)
    wall.close()
    thread.join()
    assert isinstance(ended[0], ValueError) and wall.closed
    for call in (wall.now, wall.update, wall.info, lambda: wall.after(0), lambda: wait(wall)):
        with pytest.raises(ValueError):
            call()
    wall.close()


class Stop(Exception):
    pass


@WAITS
def test_a_signal_handler_that_raises_ends_a_wait(wall, wait):
    def on_alarm(*_):
        raise Stop

    old = signal.signal(signal.SIGALRM, on_alarm)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05, 0.05)
        with pytest.raises(Stop):
            wait(wall)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old)


def test_timestamps_strictly_increase(clock, wall):
    with hpt.Hlc(wall, 5000) as hlc:
        first = hlc.now()
        assert first >= wall.now().latest_ns and hlc.now() == first + 1
        assert hlc.receive(first + 1000) == first + 1001
        with pytest.raises(OverflowError):
            hlc.receive(first + 10**9)
        hlc.set_floor(first + 10**9)
        with pytest.raises(BlockingIOError):
            hlc.now()
        clock.advance(2 * 10**9)
        feed(wall, clock)
        assert hlc.now() > first + 10**9
        with pytest.raises(ValueError):
            hlc.set_floor(2**63 - 1)
        wall.close()
        assert hlc.now()  # which holds the wall
    with pytest.raises(ValueError):
        hlc.now()
    with pytest.raises(ValueError):
        hpt.Hlc(wall)
    with pytest.raises(TypeError):
        hpt.Hlc(clock)


def test_a_forked_child_needs_a_floor(wall):
    with hpt.Hlc(wall, 10**9) as hlc:
        last = hlc.now()
        child = os.fork()
        if not child:
            try:
                hlc.now()
            except OSError as error:
                hlc.set_floor(last)
                os._exit(0 if error.errno == errno.ESTALE and hlc.now() > last else 1)
            os._exit(2)
        assert os.waitpid(child, 0)[1] == 0
        assert hlc.now() == last + 1
