# SPDX-License-Identifier: MIT
"""Ticker: periods, missed ticks, the ends of iterations, descriptors."""

import errno
import os
import select
import time
from datetime import timedelta
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import hpt
from hpt.testing import ManualClock

MS = 1_000_000
REACHED = hpt.Wake.REACHED


@pytest.mark.parametrize("first_ns", [-(2**63), -(2**62), -1, 0])
@pytest.mark.parametrize("period_ns", [0, 1000])
@pytest.mark.parametrize("clock", [None, ManualClock(10**10)], ids=["default", "manual"])
def test_a_first_tick_far_in_the_past_is_due(clock, period_ns, first_ns):
    with hpt.Ticker(period_ns=period_ns, first_ns=first_ns, clock=clock) as ticker:
        assert ticker.wait().wake is REACHED


@pytest.mark.parametrize("period", ["0.1", "1/3", b"1", [1]])
def test_periods_are_numbers(period):
    with pytest.raises(TypeError):
        hpt.Ticker(period)


def test_ticks_come_on_time():
    start = hpt.now_ns()
    with hpt.Ticker(period_ns=MS) as ticker:
        for tick in ticker:
            assert tick.wake is REACHED and hpt.now_ns() - start >= (tick.number + 1) * MS
            if tick.number >= 10:
                break
        assert ticker.next_ns - start >= (tick.number + 2) * MS


@pytest.mark.parametrize(
    "period", [0.25, Fraction(1, 4), Decimal("0.25"), timedelta(milliseconds=250)], ids=lambda p: type(p).__name__
)
def test_periods_in_seconds(period):
    clock = ManualClock()
    ticker = hpt.Ticker(period, clock=clock)
    assert ticker.next_ns == 250 * MS
    clock.advance_ns(250 * MS)
    assert ticker.wait() == (0, 0, REACHED) and ticker.next_ns == 500 * MS


@settings(max_examples=50)
@given(st.integers(1, 10**8), st.integers(1, 2**32 - 1), st.integers(0, 10**9), st.integers(1, 50))
@example(1001, 60000, 0, 50)
@example(1, 44100, 5, 50)
def test_rational_periods_do_not_drift(num, den, first_ns, count):
    clock = ManualClock()
    ticker = hpt.Ticker(rational=(num, den), first_ns=first_ns, missed=hpt.Missed.CATCH_UP, clock=clock)
    clock.advance_ns(first_ns + -(-count * num * 10**9 // den))
    for number in range(count):
        assert ticker.next_ns == first_ns + -(-number * num * 10**9 // den)
        assert ticker.wait()[0] == number


def test_the_first_tick():
    clock = ManualClock(start=1000)
    assert hpt.Ticker(period_ns=10, clock=clock).next_ns == 1010
    assert hpt.Ticker(period_ns=10, first_ns=1003, clock=clock).next_ns == 1003
    assert hpt.Ticker(rational=(1, 3), clock=clock).next_ns == 1000 + 333333334
    slow = ManualClock(3)
    ticker = hpt.Ticker(1, first_ns=400 * MS, clock=slow)
    assert ticker.next_ns == 400 * MS, "also between two ticks of the clock"
    slow.advance(2)
    assert ticker.wait() == (0, 0, REACHED)


def test_skipped_ticks_are_counted():
    clock = ManualClock()
    ticker = hpt.Ticker(period_ns=10, clock=clock)
    for advance, number, missed in ((10, 0, 0), (25, 2, 1), (5, 3, 0), (1000, 103, 99), (10, 104, 0)):
        clock.advance(advance)
        assert ticker.wait() == (number, missed, REACHED)
    assert (ticker.info().ticks, ticker.info().missed) == (5, 100)


def test_ticks_are_caught_up():
    clock = ManualClock()
    ticker = hpt.Ticker(period_ns=10, missed=hpt.Missed.CATCH_UP, clock=clock)
    clock.advance(35)
    assert [ticker.wait() for _ in range(3)] == [(0, 2, REACHED), (1, 1, REACHED), (2, 0, REACHED)]
    assert ticker.next_ns == 40 and ticker.info().missed == 0


def test_at_most_so_many_ticks_are_caught_up():
    clock = ManualClock()
    ticker = hpt.Ticker(period_ns=10, missed=hpt.Missed.CATCH_UP, most=2, clock=clock)
    clock.advance(10)
    assert ticker.wait().number == 0
    clock.advance(100)
    numbers = [ticker.wait().number for _ in range(3)]
    assert numbers == sorted(numbers) and numbers[-1] == 10, "dropped ticks have numbers"
    assert ticker.info().ticks + ticker.info().missed == 11 and ticker.info().missed == 7
    clock.advance(10)
    assert ticker.wait().number == 11


@settings(max_examples=50)
@given(
    st.sampled_from([hpt.Missed.SKIP, hpt.Missed.CATCH_UP]),
    st.integers(0, 5),
    st.lists(st.integers(0, 300), max_size=20),
)
def test_numbers_are_those_of_the_ticks(missed, most, advances):
    """Tick n comes n + 1 periods after the start, also where ticks are skipped, dropped or caught up."""
    clock = ManualClock()
    ticker = hpt.Ticker(period_ns=7, missed=missed, most=most, clock=clock)
    for advance in advances:
        clock.advance(advance)
        while ticker.next_ns <= clock.now_ns():
            tick = ticker.wait()
            assert (tick.number + 1) * 7 <= clock.now_ns()
            assert ticker.next_ns > (tick.number + 1) * 7
        info = ticker.info()
        assert info.ticks + info.missed == clock.now_ns() // 7
        if info.ticks:
            assert tick.number == clock.now_ns() // 7 - 1


def test_missed_ticks_delay_later_ones():
    clock = ManualClock()
    ticker = hpt.Ticker(period_ns=10, missed=hpt.Missed.DELAY, clock=clock)
    clock.advance(10)
    assert ticker.wait() == (0, 0, REACHED) and ticker.next_ns == 20
    clock.advance(19)
    assert ticker.wait() == (1, 0, REACHED) and ticker.next_ns == 30, "it was late by less than a period"
    clock.advance(26)
    assert ticker.wait() == (2, 2, REACHED) and ticker.next_ns == 65, "a period from now"
    assert ticker.info().missed == 2
    clock.advance(10)
    assert ticker.wait() == (3, 0, REACHED)
    with pytest.raises(ValueError):
        ticker.set_missed(hpt.Missed.DELAY, 1)
    clock.advance(25)
    assert ticker.wait() == (4, 1, REACHED), "a refused call changes nothing"


def test_a_ticker_without_a_period_is_not_started(spawn):
    clock = ManualClock()
    for ticker in (hpt.Ticker(clock=clock), hpt.Ticker(period_ns=0, clock=clock)):
        assert ticker.next_ns is None and list(ticker) == []
        assert ticker.wait() == (-1, 0, hpt.Wake.ENDED)
        ticker.interrupt()
        assert ticker.wait() == (-1, 0, hpt.Wake.INTERRUPTED)
        for wrong, error in ((dict(), TypeError), (dict(first_ns=5), TypeError), (dict(period_ns=0), ValueError)):
            with pytest.raises(error):
                ticker.start(**wrong)
        ticker.start(period_ns=10)
        clock.advance(10)
        assert ticker.wait() == (0, 0, REACHED)


def test_an_interrupt_ends_an_iteration_and_a_later_one_goes_on(spawn):
    clock = ManualClock()
    ticker = hpt.Ticker(period_ns=10, clock=clock)
    thread = spawn(list, ticker)
    clock.wait_for_sleepers(1)
    clock.advance(10)
    clock.wait_for_sleepers(1)
    ticker.interrupt()
    assert thread.result() == [(0, 0, REACHED)]
    clock.advance(10)
    assert next(ticker) == (1, 0, REACHED), "the same tick is next"
    ticker.interrupt()
    assert ticker.wait() == (1, 0, hpt.Wake.INTERRUPTED)


def test_a_single_tick_ends_the_iteration():
    clock = ManualClock()
    ticker = hpt.Ticker(period_ns=0, first_ns=5, clock=clock)
    assert ticker.next_ns == 5
    clock.advance(5)
    assert list(ticker) == [(0, 0, REACHED)] and list(ticker) == []
    assert ticker.wait() == (0, 0, hpt.Wake.ENDED) and ticker.next_ns is None
    ticker.start(period_ns=0, first_ns=6)
    clock.advance(1)
    assert list(ticker) == [(0, 0, REACHED)], "it can be started again"


def test_a_break_leaves_the_ticker_usable():
    clock = ManualClock()
    ticker = hpt.Ticker(period_ns=10, missed=hpt.Missed.CATCH_UP, clock=clock)
    clock.advance(50)
    for tick in ticker:
        if tick.number == 1:
            break
    assert next(ticker).number == 2


def test_another_period():
    clock = ManualClock()
    ticker = hpt.Ticker(period_ns=10, clock=clock)
    clock.advance(30)
    ticker.wait()
    ticker.start(1)
    assert ticker.next_ns == 30 + 10**9
    ticker.start(rational=(1, 2), first_ns=40)
    clock.advance_ns(10 + 10**9)
    assert ticker.wait() == (2, 2, REACHED), "numbers count from the start"
    ticker.set_missed(hpt.Missed.CATCH_UP)
    clock.advance_ns(10**9)
    assert [ticker.wait().number for _ in range(2)] == [3, 4]
    ticker.set_missed(hpt.Missed.CATCH_UP, 1)
    clock.advance_ns(10**9)
    assert [ticker.wait().number for _ in range(2)] == [5, 6], "what was skipped before is not counted again"


@pytest.mark.parametrize(
    "arguments, error",
    [
        (dict(first_ns=1), TypeError),
        (dict(period=1, period_ns=1), TypeError),
        (dict(period_ns=1, rational=(1, 1)), TypeError),
        (dict(period=0), ValueError),
        (dict(period=-1), ValueError),
        (dict(period=1e-10), ValueError),
        (dict(period=float("nan")), ValueError),
        (dict(period=float("inf")), OverflowError),
        (dict(period=1e12), OverflowError),
        (dict(period="x"), TypeError),
        (dict(period=[1]), TypeError),
        (dict(period_ns=-1), ValueError),
        (dict(period_ns=2**63), OverflowError),
        (dict(period_ns=1.0), TypeError),
        (dict(rational=(0, 1)), ValueError),
        (dict(rational=(1, 0)), ValueError),
        (dict(rational=(-1, 1)), ValueError),
        (dict(rational=(2**32, 1)), OverflowError),
        (dict(rational=(1, 2**32)), OverflowError),
        (dict(rational=1), TypeError),
        (dict(period=1, missed="skip"), TypeError),
        (dict(period=1, missed=3), ValueError),
        (dict(period=1, missed=hpt.Missed.DELAY, most=1), ValueError),
        (dict(period=1, missed=hpt.Missed.CATCH_UP, most=-1), OverflowError),
        (dict(period=1, missed=hpt.Missed.CATCH_UP, most=2**64), OverflowError),
        (dict(period=1, first_ns=2**63), OverflowError),
        (dict(period=1, first_ns=1.5), TypeError),
        (dict(period=1, policy=99), ValueError),
        (dict(period=1, policy=hpt.Policy.SPIN, max_spin_ns=-1), ValueError),
        (dict(period=1, max_spin_ns=1), ValueError),
        (dict(period=1, clock="tsc"), TypeError),
    ],
)
def test_wrong_arguments(arguments, error):
    with pytest.raises(error):
        hpt.Ticker(**arguments)


def test_one_thread_at_a_time(spawn):
    clock = ManualClock()
    ticker = hpt.Ticker(period_ns=10, clock=clock)
    thread = spawn(ticker.wait)
    clock.wait_for_sleepers(1)
    for call in (ticker.wait, lambda: ticker.start(1), lambda: next(ticker)):
        with pytest.raises(OSError) as caught:
            call()
        assert caught.value.errno == errno.EBUSY
    ticker.interrupt()
    assert thread.result().wake is hpt.Wake.INTERRUPTED


def test_a_close_ends_the_wait_of_another_thread(spawn):
    for _ in range(20):
        ticker = hpt.Ticker(3600)
        thread = spawn(list, ticker)
        time.sleep(0.0005)
        ticker.close()
        try:
            assert thread.result() == []
        except ValueError as error:  # it had not begun
            assert "closed" in str(error)


def test_use_after_close():
    with hpt.Ticker(1) as ticker:
        assert not ticker.closed and "open" in repr(ticker)
    ticker.close()
    assert ticker.closed and "closed" in repr(ticker)
    calls = [(name, ()) for name in ("wait", "__next__", "interrupt", "fileno", "info")]
    calls += [("start", (1,)), ("set_missed", (hpt.Missed.SKIP,)), ("set_policy", (None,))]
    for name, arguments in calls:
        with pytest.raises(ValueError, match="closed"):
            getattr(ticker, name)(*arguments)
    with pytest.raises(ValueError, match="closed"):
        print(ticker.next_ns)


def test_the_descriptor_is_readable_before_each_tick():
    start, poll = hpt.now_ns(), select.poll()
    with hpt.Ticker(period_ns=5 * MS) as ticker:
        poll.register(ticker, select.POLLIN)
        number = -1
        while number < 5:
            assert poll.poll(60_000)
            number = ticker.wait().number
            assert hpt.now_ns() - start >= (number + 1) * 5 * MS
        assert ticker.fileno() == ticker.fileno()


def test_an_interrupt_makes_the_descriptor_readable():
    with hpt.Ticker(3600) as ticker:
        descriptor = ticker.fileno()
        assert select.select([ticker], [], [], 0)[0] == []
        ticker.interrupt()
        assert select.select([ticker], [], [], 60)[0] == [ticker]
        assert ticker.wait().wake is hpt.Wake.INTERRUPTED
        assert select.select([ticker], [], [], 0)[0] == []
    with pytest.raises(OSError):
        os.fstat(descriptor)


def test_no_descriptor_is_left(run_python):
    program = """
        import errno, resource, hpt
        ticker = hpt.Ticker(1)
        resource.setrlimit(resource.RLIMIT_NOFILE, (3, 3))
        try:
            ticker.fileno()
        except OSError as error:
            print(error.errno == errno.EMFILE)
    """
    assert run_python(program) == "True\n"


def test_lateness_is_counted():
    with hpt.Ticker(period_ns=MS, policy=hpt.Policy.STRICT) as ticker:
        for _ in range(10):
            ticker.wait()
        info = ticker.info()
        assert info.policy is hpt.Policy.STRICT and info.ticks == 10
        assert 0 <= info.late_median_ns <= info.late_p99_ns and info.late_max_ns >= 0
        ticker.set_policy(None)
        assert ticker.info().policy is hpt.Policy.INHERIT
