# SPDX-License-Identifier: MIT
"""Walls and hybrid logical clocks, on manual clocks whose program is the only source."""

import asyncio
import dataclasses
import errno
import os
import re
import signal
import threading
import time

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
    return hpt.Wall(clock, hpt.WallSource.FEED, rate_ppb=1000, wander_ppb=1000, **options)


@pytest.fixture
def clock():
    with ManualClock() as clock:
        yield clock


@pytest.fixture
def wall(clock):
    with unfed(clock) as wall:
        feed(wall, clock)
        yield wall


def constants(headers, prefix):
    return {name: int(value) for name, value in re.findall(rf"^\t{prefix}(\w+) += (\d+)", headers, re.M)}


@pytest.mark.parametrize(
    "enum, prefix",
    [
        (hpt.WallSource, "HPT_WALL_SOURCE_"),
        (hpt.WallState, "HPT_WALL_STATE_"),
        (hpt.WallFlag, "HPT_WALL_FLAG_"),
    ],
)
def test_members_are_those_of_the_header(enum, prefix, headers):
    assert {member.name: member.value for member in enum} == constants(headers, prefix)


def test_reasons_have_a_text(headers):
    reasons = constants(headers, "HPT_WALL_REASON_").values()
    texts = {hpt.WallReason(value).text for value in reasons}
    assert len(texts) == len(reasons) == 21 and hpt.WallReason(77).text == "unknown reason"
    assert repr(hpt.WallReason(77)) == "<WallReason 77: unknown reason>"


def test_stamps_of_the_kernel():
    with unfed(None) as wall:
        with pytest.raises(BlockingIOError):
            wall.at_os_ns(time.CLOCK_MONOTONIC, time.monotonic_ns())
        with hpt.Clock() as clock:
            feed(wall, clock)
        time.sleep(0.01)
        ns = time.clock_gettime_ns(time.CLOCK_REALTIME)
        stamp, now = wall.at_os_ns(time.CLOCK_REALTIME, ns), wall.now()
        assert stamp.earliest_ns < now.earliest_ns and stamp.latest_ns > stamp.earliest_ns
        with pytest.raises(OverflowError):
            wall.at_os_ns(time.CLOCK_MONOTONIC, time.monotonic_ns() + 10**9)
        with pytest.raises(ValueError):
            wall.at_os_ns(time.CLOCK_PROCESS_CPUTIME_ID, 1)


def test_a_loop_learns_that_the_bound_is_lost():
    """One sample, which is too old after 0.2 s."""
    states = []

    async def main():
        ended = asyncio.Event()

        def look():
            states.append(wall.fd_clear())
            if states[-1] == hpt.WallState.STALE:
                ended.set()

        asyncio.get_running_loop().add_reader(wall.fileno(), look)
        with hpt.Clock() as clock:
            feed(wall, clock)
        await asyncio.wait_for(ended.wait(), 60)
        asyncio.get_running_loop().remove_reader(wall.fileno())

    with unfed(None, max_age_ns=2 * 10**8) as wall:
        asyncio.run(main())
        info = wall.info()
        assert states[0] == hpt.WallState.SYNCED and (info.gained, info.lost) == (1, 1)


def test_manual_clock_has_no_descriptor(wall):
    with pytest.raises(OSError) as error:
        wall.fileno()
    assert error.value.errno == errno.ENOTSUP
    with pytest.raises(ValueError):
        wall.fd_clear()


def test_manual_clock_has_no_stamps_of_the_kernel(wall):
    with pytest.raises(OSError) as error:
        wall.at_os_ns(time.CLOCK_MONOTONIC, 1)
    assert error.value.errno == errno.ENOTSUP


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
    with hpt.Wall(clock, hpt.WallSource.CHRONY, chrony_address="/nowhere") as wall:
        wall.update()
        chrony = wall.source_info(hpt.WallSource.CHRONY)
        assert not chrony.usable and chrony.name == "chrony" and chrony.reason and chrony.reason.text
        for wrong in (0, 128, hpt.WallSource.CHRONY | hpt.WallSource.FEED):
            with pytest.raises(ValueError):
                wall.source_info(wrong)
    for wrong in (
        {"rate_ppb": 10**9},
        {"rate_ppb": -1},
        {"rate_ppb": 2**32},
        {"max_age_ns": 2**63},
        {"phc_timescale": "gps"},
        {"phc_path": "x" * 112},
        {"chrony_address": "a\0b"},
        {"sources": 128},
        {"sources": hpt.WallSource.FEED | 2**31},
        {"sources": -1},
        {"sources": 2**32},
        {"trusted": 128},
        {"trusted": hpt.WallSource.KERNEL},
        {"sources": hpt.WallSource.FEED, "trusted": hpt.WallSource.CHRONY},
    ):
        with pytest.raises(ValueError):
            hpt.Wall(clock, **wrong)
    with pytest.raises(ValueError):
        impl.Wall(clock, b"", 0)


def test_facts_count(clock, wall):
    clock.advance(1000)
    info, source = wall.info(), wall.source_info(hpt.WallSource.FEED)
    assert (info.samples, info.generation, info.age_ns) == (1, 1, 1000)
    assert info.live == info.sources == hpt.WallSource.FEED and isinstance(info.live, hpt.WallSource)
    with hpt.Wall(clock, hpt.WallSource.FEED | hpt.WallSource.PHC, hpt.WallSource.PHC) as two:
        assert hpt.WallSource.PHC in two.info().sources and hpt.WallSource.CHRONY not in two.info().sources
        assert not two.info().live
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
    for one_look in (0, -1):
        with pytest.raises(TimeoutError):
            wall.wait_after(then, one_look)
    thread, ended = in_thread(lambda: wall.wait_after(then) or clock.now())
    clock.wait_for_sleepers(1)
    clock.advance(150)  # still within the interval
    clock.wait_for_sleepers(1)
    assert not ended and wall.info().waiting == 1
    clock.advance(10**9)
    thread.join()
    assert ended == [10**9 + 150] and wall.after(then)
    assert wall.wait_after(then) is None


def test_a_sleep_ends_as_the_middle_reaches_the_time(clock, wall):
    then = utc(10**6)
    thread, ended = in_thread(lambda: (wall.sleep_until_ns(then), clock.now()))
    clock.wait_for_sleepers(1)
    clock.advance(10**6 - 200)
    clock.wait_for_sleepers(1)
    assert not ended
    clock.advance(400)
    thread.join()
    ((error_ns, end),) = ended
    assert abs(utc(end) - then) <= error_ns < 500
    assert wall.sleep_until_ns(then, 500) == error_ns
    for refused in (1, 50):
        with pytest.raises(OverflowError):
            wall.sleep_until_ns(then, refused)
    with pytest.raises(ValueError):
        wall.sleep_until_ns(then, -1)
    with hpt.Sleeper(clock) as sleeper:
        assert wall.sleep_until_ns_on(sleeper, then) == (hpt.Wake.REACHED, error_ns)
        sleeper.interrupt()
        assert wall.sleep_until_ns_on(sleeper, then) == (hpt.Wake.INTERRUPTED, 0)
    with pytest.raises(TypeError):
        wall.sleep_until_ns_on(clock, then)


def test_a_wall_is_ready_once_it_is_fed(clock):
    with unfed(clock) as wall:
        for one_look in (0, -1):
            with pytest.raises(TimeoutError):
                wall.wait_ready(timeout=one_look)
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
        assert wall.wait_after_on(sleeper, 0) is hpt.Wake.REACHED
        thread, ended = in_thread(lambda: wall.wait_after_on(sleeper, then, HOUR))
        clock.wait_for_sleepers(1)
        sleeper.interrupt()
        thread.join()
        assert ended == [hpt.Wake.INTERRUPTED]
        for one_look in (0, -1):
            with pytest.raises(TimeoutError):
                wall.wait_after_on(sleeper, then, one_look)
        with pytest.raises(ValueError):
            wall.wait_after_on(elsewhere, then)
        for wrong in (clock, None):
            with pytest.raises(TypeError):
                wall.wait_after_on(wrong, then)


WAITS = pytest.mark.parametrize(
    "wait", [lambda w: w.wait_after(utc(10**9)), lambda w: w.wait_ready(1), lambda w: w.sleep_until_ns(utc(10**9))]
)


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
        signal.setitimer(signal.ITIMER_REAL, 0)
        raise Stop

    old = signal.signal(signal.SIGALRM, on_alarm)
    try:
        with pytest.raises(Stop):
            signal.setitimer(signal.ITIMER_REAL, 0.05, 0.05)
            wait(wall)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old)


def test_timestamps_strictly_increase(clock, wall):
    with hpt.Hlc(wall, 5000) as hlc:
        first = hlc.now()
        assert first >= wall.now().latest_ns and hlc.now() == first + 1
        assert hlc.receive(first + 1000) == first + 1001
        with pytest.raises(OSError) as caught:
            hlc.receive(first + 10**9)
        assert caught.value.errno == errno.EBADMSG
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
        last, parents = hlc.now(), hlc.info().incarnation
        child = os.fork()
        if not child:
            try:
                hlc.now()
            except OSError as error:
                stale = hlc.info().incarnation
                hlc.set_floor(last)
                good = error.errno == errno.ESTALE and hlc.now() > last and stale == 0
                os._exit(0 if good and hlc.info().incarnation not in (0, parents) else 1)
            os._exit(2)
        assert os.waitpid(child, 0)[1] == 0
        assert hlc.now() == last + 1
