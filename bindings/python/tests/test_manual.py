# SPDX-License-Identifier: MIT
"""hpt.testing.ManualClock: sleeps of programs under test, without real time."""

import errno
import os
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import hpt
from hpt.testing import ManualClock

HOUR_NS = 3600 * 10**9


def test_it_stands_still():
    clock = ManualClock()
    assert (clock.now(), clock.now_ns(), clock.unix_ns(), clock.now()) == (0, 0, 0, 0)
    assert (clock.monotonic_ns(), clock.boottime_ns(), clock.tai_ns(), clock.info().os_error_ns) == (0, 0, 0, None)
    assert ManualClock(start=7).now() == 7 and isinstance(clock, hpt.Clock)
    assert clock.info().source is hpt.Source.MANUAL and clock.info().frequency_origin is hpt.Origin.EXACT


def test_an_advance_ends_the_sleeps_that_it_reaches(spawn):
    clock = ManualClock()
    sleepers = {hours: spawn(clock.sleep, hours * 3600) for hours in (1, 2, 3)}
    clock.wait_for_sleepers(3)
    clock.advance_ns(HOUR_NS - 1)
    clock.wait_for_sleepers(3)
    assert all(sleeper.is_alive() for sleeper in sleepers.values())
    clock.advance(1)
    assert sleepers[1].result() is hpt.Wake.REACHED
    clock.wait_for_sleepers(2)
    assert clock.sleepers() == 2
    clock.advance_ns(2 * HOUR_NS)
    assert [sleepers[hours].result() for hours in (2, 3)] == [hpt.Wake.REACHED] * 2
    assert clock.sleepers() == 0 and clock.now_ns() == 3 * HOUR_NS


def test_the_longest_duration_is_for_ever_also_from_below_0(spawn):
    most = 2**63 - 1
    clock = ManualClock(start=-most)
    sleeper, gate = hpt.Sleeper(clock), hpt.Gate(clock)
    threads = [
        spawn(sleeper.sleep_ns, most),
        spawn(gate.wait, Fraction(most, 10**9)),
    ]
    clock.wait_for_sleepers(2)
    clock.advance(most)
    clock.advance(most - 1)
    clock.wait_for_sleepers(2)
    sleeper.interrupt()
    gate.notify_all()
    assert [thread.result() for thread in threads] == [hpt.Wake.INTERRUPTED, hpt.Wake.NOTIFIED]


def test_sleepers_gates_and_tickers_go_by_it(spawn):
    clock = ManualClock()
    sleeper, gate, ticker = hpt.Sleeper(clock), hpt.Gate(clock), hpt.Ticker(1, clock=clock)
    threads = [spawn(sleeper.sleep, 5), spawn(gate.wait, 5), spawn(lambda: [next(ticker).number for _ in range(5)])]
    for _ in range(5):
        clock.wait_for_sleepers(3)
        clock.advance(10**9)
    assert [thread.result() for thread in threads] == [hpt.Wake.REACHED, hpt.Wake.TIMED_OUT, [0, 1, 2, 3, 4]]


@given(st.integers(1, 10**10), st.integers(0, 10**9), st.lists(st.integers(0, 10**9), max_size=5))
@example(1_000_000_001, 1, [0])
def test_an_advance_in_nanoseconds_is_never_short(frequency_hz, start, steps):
    clock = ManualClock(frequency_hz, start)
    for ns in steps:
        before, tick = clock.now_ns(), clock.now()
        clock.advance_ns(ns)
        assert clock.now_ns() >= before + ns
        assert clock.now() == tick or clock.to_ns(clock.now() - 1) < before + ns, "the first such tick"


@given(st.integers(1, 10**10), st.integers(1, 10**10))
def test_a_sleep_in_nanoseconds_is_over_where_now_ns_says(frequency_hz, ns):
    clock = ManualClock(frequency_hz)
    deadline = clock.now_ns() + ns
    clock.advance_ns(ns)
    assert clock.sleep_until_ns(deadline) is hpt.Wake.REACHED


@pytest.mark.parametrize(
    "frequency, error",
    [(0, ValueError), (-1, OverflowError), (10**10 + 1, ValueError), (2**64, OverflowError)]
    + [("5", TypeError), (None, TypeError), (1.0, TypeError)],
)
def test_wrong_frequencies(frequency, error):
    with pytest.raises(error):
        ManualClock(frequency)


def test_the_range():
    with pytest.raises(OverflowError):
        ManualClock(start=2**63)
    with pytest.raises(OverflowError):
        ManualClock(start=2**63 - 1)
    clock = ManualClock()
    for wrong in (-1, 2**63 - 1, 2**63):
        with pytest.raises(OverflowError):
            clock.advance(wrong)
    with pytest.raises(OverflowError):
        clock.advance_ns(-1)
    with pytest.raises(TypeError):
        clock.advance(1.0)
    assert clock.now() == 0


def test_what_it_cannot_do():
    for call in (lambda: hpt.Timebase.take(ManualClock()), hpt.Ticker(1, clock=ManualClock()).fileno):
        with pytest.raises(OSError) as caught:
            call()
        assert caught.value.errno == errno.ENOTSUP


def test_waiting_for_sleepers_that_do_not_come():
    with pytest.raises(TimeoutError):
        ManualClock().wait_for_sleepers(1, timeout_s=0.01)


def test_a_subclass_is_made_as_the_class():
    class Mine(ManualClock):
        def later(self):
            return self.now() + 1

    assert Mine(start=4).later() == 5 and Mine(1000).info().frequency_uhz == 10**9


def test_after_fork_each_process_advances_its_own(run_python):
    program = """
        import os, hpt.testing
        clock = hpt.testing.ManualClock()
        child = os.fork()
        clock.advance(1 if child else 5)
        if not child:
            os._exit(clock.now() + clock.sleepers())
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 5
        assert clock.now() == 1
    """
    run_python(program)
    assert hasattr(os, "fork")
