# SPDX-License-Identifier: MIT
"""Sleeper: sleeps of one thread that others interrupt."""

import errno
import gc
import time
import weakref

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hpt
from hpt.testing import ManualClock

FOREVER = 2**63 - 1


@settings(max_examples=30)
@given(st.integers(0, 2_000_000))
def test_never_early(ns):
    with hpt.Sleeper() as sleeper:
        before = hpt.now_ns()
        assert sleeper.sleep_ns(ns) is hpt.Wake.REACHED
        assert hpt.now_ns() - before >= ns and sleeper.remaining_ns == 0
        before = hpt.now_ns()
        assert sleeper.sleep(ns / 1e9) is hpt.Wake.REACHED and hpt.now_ns() - before >= ns


def test_all_timelines():
    clock = hpt.Clock("os")
    with hpt.Sleeper(clock) as sleeper:
        for sleep, now in (
            (sleeper.sleep_until_ticks, clock.now),
            (sleeper.sleep_until_ns, clock.now_ns),
            (sleeper.sleep_until_unix_ns, clock.unix_ns),
        ):
            deadline = now() + 500_000
            assert sleep(deadline) is hpt.Wake.REACHED and now() >= deadline


SLEEPS = ["sleep", "sleep_ns", "sleep_until_ticks", "sleep_until_ns", "sleep_until_unix_ns"]


@pytest.mark.parametrize("wait", ["wait", *SLEEPS])
def test_an_interrupt_ends_a_sleep(wait, spawn):
    clock = ManualClock()
    sleeper = hpt.Sleeper(clock)
    thread = spawn(getattr(sleeper, wait), *([] if wait == "wait" else [10]))
    clock.wait_for_sleepers(1)
    sleeper.interrupt()
    assert thread.result() is hpt.Wake.INTERRUPTED


def test_an_interrupt_stays_pending_until_a_sleep_takes_it():
    sleeper = hpt.Sleeper()
    sleeper.interrupt(), sleeper.interrupt()
    assert sleeper.sleep_ns(0) is hpt.Wake.INTERRUPTED
    assert sleeper.sleep_ns(0) is hpt.Wake.REACHED
    sleeper.interrupt()
    sleeper.clear()
    assert sleeper.sleep_ns(1) is hpt.Wake.REACHED


def test_the_longest_sleeps():
    sleeper = hpt.Sleeper()
    for sleep, longest in ((sleeper.sleep, FOREVER // 10**9), (sleeper.sleep_ns, FOREVER)):
        sleeper.interrupt()
        assert sleep(longest) is hpt.Wake.INTERRUPTED, "a deadline beyond the clock's range is its end"


def test_what_remains_after_an_interrupt(spawn):
    clock = ManualClock(1000)
    sleeper = hpt.Sleeper(clock)
    thread = spawn(sleeper.sleep, 10)
    clock.wait_for_sleepers(1)
    clock.advance(4000)
    clock.wait_for_sleepers(1)
    sleeper.interrupt()
    assert thread.result() is hpt.Wake.INTERRUPTED and sleeper.remaining_ns == 6 * 10**9
    clock.close()
    assert sleeper.remaining_ns == 6 * 10**9, "the sleeper keeps its clock"
    sleeper.interrupt()
    assert sleeper.wait() is hpt.Wake.INTERRUPTED and sleeper.remaining_ns is None, "it had no deadline"


def test_one_thread_at_a_time(spawn):
    clock = ManualClock()
    sleeper = hpt.Sleeper(clock)
    thread = spawn(sleeper.wait)
    clock.wait_for_sleepers(1)
    for sleep in (sleeper.wait, lambda: sleeper.sleep(1), lambda: sleeper.sleep_ns(1)):
        with pytest.raises(OSError) as caught:
            sleep()
        assert caught.value.errno == errno.EBUSY
    sleeper.interrupt()
    assert thread.result() is hpt.Wake.INTERRUPTED


def test_leaving_the_context_ends_the_sleep_of_another_thread(spawn):
    clock = ManualClock()
    with hpt.Sleeper(clock) as sleeper:
        thread = spawn(sleeper.wait)
        clock.wait_for_sleepers(1)
    assert thread.result() is hpt.Wake.INTERRUPTED and sleeper.closed


def test_a_close_ends_sleeps_of_many_threads_at_any_moment(spawn):
    def sleep(sleeper):
        try:
            while True:
                try:
                    sleeper.sleep_ns(FOREVER)
                except OSError as error:
                    assert error.errno == errno.EBUSY
        except ValueError as error:
            return str(error)

    for _ in range(30):
        sleeper = hpt.Sleeper()
        threads = [spawn(sleep, sleeper) for _ in range(3)]
        time.sleep(0.0005)
        sleeper.close()
        assert all("closed" in thread.result() for thread in threads)


def test_use_after_close():
    sleeper = hpt.Sleeper()
    assert not sleeper.closed and "open" in repr(sleeper)
    sleeper.close()
    sleeper.close()
    assert sleeper.closed and "closed" in repr(sleeper)
    calls = [(name, (1,)) for name in SLEEPS]
    calls += [("wait", ()), ("interrupt", ()), ("clear", ()), ("set_policy", (hpt.Policy.SPIN,))]
    for name, arguments in calls:
        with pytest.raises(ValueError, match="closed"):
            getattr(sleeper, name)(*arguments)
    with pytest.raises(ValueError, match="closed"):
        print(sleeper.remaining_ns)


def test_policies():
    for policy in hpt.Policy:
        if policy is not hpt.Policy.INHERIT:
            with hpt.Sleeper(policy=policy, max_spin_ns=10_000) as sleeper:
                before = hpt.now_ns()
                assert sleeper.sleep_ns(300_000) is hpt.Wake.REACHED
                assert hpt.now_ns() - before >= 300_000 - 10_000 * (policy is hpt.Policy.NOSPIN)
    sleeper = hpt.Sleeper()
    sleeper.set_policy(None)
    for wrong, error in (
        ((hpt.Policy.BALANCED, -1), ValueError),
        ((None, 1), ValueError),
        ((99, 0), ValueError),
        ((-1, 0), OverflowError),
        ((hpt.Policy.SPIN, 2**63), OverflowError),
        ((1.5, 0), TypeError),
    ):
        with pytest.raises(error):
            sleeper.set_policy(*wrong)
        with pytest.raises(error):
            hpt.Sleeper(None, *wrong)


@pytest.mark.parametrize("new", [hpt.Sleeper, hpt.Gate, lambda clock: hpt.Ticker(1, clock=clock)])
@pytest.mark.parametrize("wrong", [1, "tsc", object(), hpt.Sleeper()])
def test_what_is_no_clock(new, wrong):
    with pytest.raises(TypeError):
        new(wrong)


@pytest.mark.parametrize(
    "new", [hpt.Sleeper, hpt.Gate, lambda: hpt.Ticker(1), lambda: hpt.Clock("os"), lambda: ManualClock()]
)
def test_an_object_goes_with_its_last_reference(new):
    gc.disable()
    try:
        kept = new()
        reference = weakref.ref(kept)
        del kept
        assert reference() is None, "without the help of the collector of cycles"
    finally:
        gc.enable()
