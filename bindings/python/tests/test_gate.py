# SPDX-License-Identifier: MIT
"""Gate: many threads wait for a condition, and no notification is lost."""

import collections
import time
from datetime import timedelta
from fractions import Fraction

import pytest

import hpt
from hpt.testing import ManualClock

FOREVER = 2**63 - 1


def test_results_without_a_predicate(spawn):
    clock = ManualClock()
    gate = hpt.Gate(clock)
    waits = [spawn(gate.wait), spawn(gate.wait, 1), spawn(gate.wait, 2)]
    clock.wait_for_sleepers(3)
    clock.advance_ns(10**9)
    assert waits[1].result() is hpt.Wake.TIMED_OUT
    clock.wait_for_sleepers(2)
    gate.notify_all()
    assert [waits[0].result(), waits[2].result()] == [hpt.Wake.NOTIFIED] * 2
    gate.notify_all()
    assert gate.wait(0) is hpt.Wake.TIMED_OUT, "nothing stays pending"
    gate.shut()
    assert gate.wait() is gate.wait(5) is hpt.Wake.SHUT
    ticket = gate.ticket()
    gate.reopen()
    assert gate.wait(0) is hpt.Wake.TIMED_OUT
    assert gate.wait_until_ns(ticket, FOREVER) is hpt.Wake.NOTIFIED, "it was shut and reopened since"


def test_a_predicate_that_is_true_ends_the_wait_at_once():
    gate = hpt.Gate(ManualClock())
    assert gate.wait(predicate=lambda: True) is True and gate.wait(None, lambda: [0]) is True
    assert gate.wait(0, lambda: False) is gate.wait(0, predicate=list) is False


def test_a_predicate_is_looked_at_after_each_notification(spawn):
    clock, looks, flag = ManualClock(), [], []
    gate = hpt.Gate(clock)

    def ready():
        looks.append(None)
        return flag

    thread = spawn(gate.wait, None, ready)
    for count in (1, 2, 3):
        clock.wait_for_sleepers(1)
        assert len(looks) == count
        if count == 3:
            flag.append(None)
        gate.notify_all()
    assert thread.result() is True and len(looks) == 4


def test_a_change_between_the_look_and_the_sleep_is_noticed(spawn):
    clock, flag = ManualClock(), []
    gate = hpt.Gate(clock)

    def ready():
        seen = bool(flag)
        flag.append(None)
        gate.notify_all()  # as another thread might do it now
        return seen

    assert spawn(gate.wait, None, ready).result() is True and len(flag) == 2


def test_a_time_limit_with_a_predicate(spawn):
    clock = ManualClock()
    gate = hpt.Gate(clock)
    thread = spawn(gate.wait, 10, lambda: False)
    for _ in range(9):
        clock.wait_for_sleepers(1)
        clock.advance_ns(10**9)
        gate.notify_all()
    clock.wait_for_sleepers(1)
    clock.advance_ns(10**9)
    assert thread.result() is False, "notifications do not make it longer"


def test_a_shut_gate_ends_the_wait(spawn):
    clock = ManualClock()
    gate = hpt.Gate(clock)
    thread = spawn(gate.wait, None, lambda: False)
    clock.wait_for_sleepers(1)
    gate.shut()
    assert thread.result() is False
    assert gate.wait(None, lambda: True) is True, "the condition is looked at first"


def test_a_predicate_that_raises():
    gate = hpt.Gate()

    def wrong():
        raise LookupError

    with pytest.raises(LookupError):
        gate.wait(None, wrong)


def test_no_notification_is_lost(spawn):
    """A queue without a lock: a wake-up that is lost makes a consumer wait for ever."""
    gate, queue, items, consumers = hpt.Gate(), collections.deque(), 3000, 3

    def consume():
        taken = 0
        while True:
            gate.wait(None, lambda: queue)
            try:
                item = queue.popleft()
            except IndexError:
                continue
            if item is None:
                return taken
            taken += 1

    threads = [spawn(consume) for _ in range(consumers)]
    for number in range(items):
        queue.append(number)
        gate.notify_all()
        if number % 100 == 0:
            time.sleep(0.0002)
    for _ in threads:
        queue.append(None)
        gate.notify_all()
    assert sum(thread.result() for thread in threads) == items


def test_two_threads_in_turn(spawn):
    """Each waits for the other's number, so one lost wake-up stops both."""
    gate, turn, rounds = hpt.Gate(), [0], 1000

    def play(mine):
        for number in range(mine, rounds, 2):
            assert gate.wait(None, lambda: turn[0] == number) is True  # noqa: B023
            turn[0] = number + 1
            gate.notify_all()

    threads = [spawn(play, mine) for mine in (0, 1)]
    assert [thread.result() for thread in threads] == [None, None] and turn == [rounds]


@pytest.mark.parametrize("until", ["wait_until_ns", "wait_until_ticks"])
def test_a_notification_between_ticket_and_wait(until):
    gate = hpt.Gate()
    wait = getattr(gate, until)
    ticket = gate.ticket()
    gate.notify_all()
    assert wait(ticket, FOREVER) is hpt.Wake.NOTIFIED
    assert wait(gate.ticket(), -FOREVER) is hpt.Wake.TIMED_OUT
    for wrong in (-1, 2**32):
        with pytest.raises(OverflowError):
            wait(wrong, 0)
    with pytest.raises(OverflowError):
        wait(0, 2**63)


@pytest.mark.parametrize("until, now", [("wait_until_ns", "now_ns"), ("wait_until_ticks", "now")])
def test_a_wait_until_a_time_goes_by_its_line(until, now, spawn):
    clock = ManualClock(1000, 17)
    gate = hpt.Gate(clock)
    deadline = getattr(clock, now)() + clock.ns_to_ticks(5 * 10**9) * (10**6 if now == "now_ns" else 1)
    thread = spawn(getattr(gate, until), gate.ticket(), deadline)
    clock.wait_for_sleepers(1)
    clock.advance(4999)
    clock.wait_for_sleepers(1)
    assert thread.is_alive()
    clock.advance(1)
    assert thread.result() is hpt.Wake.TIMED_OUT and getattr(clock, now)() >= deadline


@pytest.mark.parametrize("clock", [hpt.Clock(), hpt.Clock("os")])
def test_never_early(clock):
    gate = hpt.Gate(clock)
    for ns in (0, 1, 999, 250_000, 1_500_000):
        before = clock.now_ns()
        assert gate.wait(ns / 1e9) is hpt.Wake.TIMED_OUT
        assert clock.now_ns() - before >= ns


@pytest.mark.parametrize("frequency_hz", [1, 3, 1000, 32768, 7 * 10**8, 10**9, 3 * 10**9])
def test_the_end_of_a_wait_is_the_first_tick_that_is_late_enough(frequency_hz, spawn):
    clock = ManualClock(frequency_hz, 17)
    gate = hpt.Gate(clock)
    before = clock.now_ns()
    thread = spawn(gate.wait, 2.5)
    clock.wait_for_sleepers(1)
    clock.advance_ns(2_500_000_000)
    assert thread.result() is hpt.Wake.TIMED_OUT and clock.now_ns() - before >= 2_500_000_000


def test_errors_of_time_limits():
    gate = hpt.Gate()
    for wrong, error in ((float("nan"), ValueError), (1e300, OverflowError), ("1", TypeError)):
        with pytest.raises(error):
            gate.wait(wrong)
    for past in (0, -1, -1e300, Fraction(-1, 3), timedelta(-1)):
        assert gate.wait(past) is hpt.Wake.TIMED_OUT and gate.wait(past, lambda: True) is True
    gate.shut()
    assert gate.wait(2**33) is hpt.Wake.SHUT, "a deadline beyond the clock's range is its end"


def test_a_close_wakes_all(spawn):
    for _ in range(20):
        clock = ManualClock()
        gate = hpt.Gate(clock)
        threads = [spawn(gate.wait) for _ in range(4)]
        clock.wait_for_sleepers(4)
        gate.close()
        assert {thread.result() for thread in threads} == {hpt.Wake.SHUT}


def test_use_after_close():
    with hpt.Gate() as gate:
        assert not gate.closed
    gate.close()
    assert gate.closed and "closed" in repr(gate)
    calls = [("wait", ()), ("wait", (1,)), ("wait", (None, lambda: True))]
    calls += [("wait_until_ns", (0, 0)), ("wait_until_ticks", (0, 0))]
    calls += [(name, ()) for name in ("ticket", "notify_all", "shut", "reopen")] + [("set_policy", (None,))]
    for name, arguments in calls:
        with pytest.raises(ValueError, match="closed"):
            getattr(gate, name)(*arguments)


def test_policies():
    gate = hpt.Gate(policy=hpt.Policy.NOSPIN)
    assert gate.wait(0.0005) is hpt.Wake.TIMED_OUT
    gate.set_policy(hpt.Policy.NOSPIN, 10**9)
    end = hpt.now_ns() + 500_000
    assert gate.wait_until_ns(gate.ticket(), end) is hpt.Wake.TIMED_OUT and hpt.now_ns() >= end
    gate.set_policy(hpt.Policy.SPIN, 1000)
    gate.set_policy(None)
    for wrong, error in (((99, 0), ValueError), ((None, 1), ValueError), ((0, -1), ValueError)):
        with pytest.raises(error):
            gate.set_policy(*wrong)
        with pytest.raises(error):
            hpt.Gate(None, *wrong)
