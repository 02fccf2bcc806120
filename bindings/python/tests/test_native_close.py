# SPDX-License-Identifier: MIT
"""hpt._native: close(), interrupt() and second threads while threads sleep."""

import errno
import os
import random
import threading
import time

import pytest
from native_support import (
    CANCELED,
    GHZ,
    HANG_S,
    HOUR_NS,
    INT64_MAX,
    KINDS,
    LONG_SLEEPS,
    SHUTDOWN,
    TIMEDOUT,
    Sleeping,
    Thread,
    native,
)

ROUNDS = 40
ENDED = {"clock": CANCELED, "waiter": CANCELED, "gate": SHUTDOWN, "ticker": CANCELED}
ALONE = ("waiter", "ticker")  # a second thread gets EBUSY


def start(name, threads):
    """The object, and threads that sleep on it or are about to."""
    make, sleep = LONG_SLEEPS[name]
    made = make()
    return made, [Thread(sleep, made) for _ in range(threads)]


@pytest.mark.parametrize("name", LONG_SLEEPS)
def test_close_ends_a_sleep(name):
    kind = name.split(".")[0]
    make, sleep = LONG_SLEEPS[name]
    made = make()
    thread = Sleeping(sleep, made)
    made.close()
    assert made.closed
    assert thread.outcome() == ENDED[kind]


@pytest.mark.parametrize("name", LONG_SLEEPS)
def test_close_races_with_sleeps(name):
    kind = name.split(".")[0]
    allowed = {ENDED[kind], ValueError} | ({OSError} if kind in ALONE else set())
    for _ in range(ROUNDS):
        made, threads = start(name, 4)
        time.sleep(random.choice((0, 0, 1e-5, 1e-4, 1e-3)))
        closers = [Thread(made.close) for _ in range(2)]
        assert {thread.outcome() for thread in threads} <= allowed
        assert {thread.outcome() for thread in closers} == {None}
        assert made.closed


@pytest.fixture
def one_cpu():
    """A thread that releases the GIL is often preempted at once by the thread that takes it."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(before)})
    yield
    os.sched_setaffinity(0, before)


@pytest.mark.parametrize("name", ["clock.sleep_ns", "waiter.sleep_ns", "gate.wait_until_ticks", "ticker.wait"])
def test_close_as_a_sleep_begins(name, one_cpu):
    make, sleep = LONG_SLEEPS[name]
    for _ in range(150):
        made, began = make(), []

        def run(made=made, began=began):
            began.append(1)
            return sleep(made)

        def close(made=made, began=began):
            while not began:
                pass
            made.close()

        threads = Thread(close), Thread(run)
        assert threads[1].outcome() in (ENDED[name.split(".")[0]], ValueError)
        assert threads[0].outcome() is None


@pytest.mark.parametrize("name", ["clock.sleep_ns", "waiter.sleep_ns", "gate.wait_until_ticks", "ticker.wait"])
def test_close_on_a_manual_clock(name):
    kind = name.split(".")[0]
    manual = native.Clock.manual(GHZ)
    made = {"clock": lambda: manual, "waiter": lambda: native.Waiter(manual), "gate": lambda: native.Gate(manual),
            "ticker": lambda: native.Ticker(manual, 1000)}[kind]()
    thread = Thread(LONG_SLEEPS[name][1], made)
    while manual.sleepers() == 0:
        time.sleep(0)
    made.close()
    assert thread.outcome() == ENDED[kind]


def test_one_of_two_clocks_is_closed():
    first, second = native.Clock(3), native.Clock(3)
    threads = [Sleeping(clock.sleep_ns, HOUR_NS) for clock in (first, second)]
    first.close()
    assert threads[0].outcome() == CANCELED
    threads[1].join(0.05)
    assert threads[1].is_alive()
    second.close()
    assert threads[1].outcome() == CANCELED


def test_many_sleep_on_one_clock():
    clock = native.Clock(3)
    threads = [Thread(clock.sleep_ns, 10**7 * (i % 5 + 1)) for i in range(40)]
    assert {thread.outcome() for thread in threads} == {0}
    threads = [Sleeping(LONG_SLEEPS["clock.sleep_ns"][1], clock) for _ in range(40)]
    clock.close()
    assert {thread.outcome() for thread in threads} == {CANCELED}


@pytest.mark.parametrize("kind", ALONE)
def test_second_thread_is_refused(kind):
    manual = native.Clock.manual(GHZ)
    made = native.Waiter(manual) if kind == "waiter" else native.Ticker(manual, 1000)
    sleep = made.wait if kind == "ticker" else lambda: made.sleep_until_ticks(1000)
    thread = Thread(sleep)
    while manual.sleepers() == 0:
        time.sleep(0)
    with pytest.raises(OSError) as caught:
        sleep()
    assert caught.value.errno == errno.EBUSY and type(caught.value) is OSError
    manual.advance(1000)
    assert thread.outcome() in (0, (0, 0))


def test_ticker_is_not_started_during_a_wait():
    manual = native.Clock.manual(GHZ)
    ticker = native.Ticker(manual, 1000)
    thread = Thread(ticker.wait)
    while manual.sleepers() == 0:
        time.sleep(0)
    for change in (lambda: ticker.start(1, 1), lambda: ticker.start_rational(1, 1, 1)):
        with pytest.raises(OSError) as caught:
            change()
        assert caught.value.errno == errno.EBUSY
    ticker.interrupt()
    assert thread.outcome() == (CANCELED, 0)


def test_interrupt_is_pending_and_cleared():
    waiter = native.Waiter()
    waiter.interrupt()
    waiter.interrupt()
    assert waiter.sleep_ns(INT64_MAX) == CANCELED
    assert waiter.remaining_ns() == INT64_MAX
    waiter.interrupt()
    assert waiter.sleep_ns(10**15) == CANCELED
    # By the clock's rate, which may have become better known meanwhile: it was within 100 ppm from the start.
    assert 0 < waiter.remaining_ns() <= 10**15 + 10**11
    waiter.interrupt()
    assert waiter.sleep_ns(-1) == CANCELED
    waiter.interrupt()
    waiter.clear()
    assert waiter.sleep_ns(1) == 0
    assert waiter.remaining_ns() == 0


def test_gate_tickets():
    gate = native.Gate()
    old = gate.ticket()
    gate.notify_all()
    for wait in (gate.wait_until_ns, gate.wait_until_ticks):
        assert wait(old, INT64_MAX) == 0
        gate.shut()
        shut = gate.ticket()
        assert wait(shut, INT64_MAX) == SHUTDOWN
        gate.reopen()
        assert wait(shut, INT64_MAX) == 0
        assert wait(gate.ticket(), 0) == TIMEDOUT


def test_longest_sleeps():
    """A deadline that does not fit in 64 bits is the last one that does."""
    for owner in (native.Clock, native.Waiter):
        manual = native.Clock.manual(GHZ, 1000)
        made = manual if owner is native.Clock else owner(manual)
        thread = Thread(made.sleep_ns, INT64_MAX)
        while manual.sleepers() == 0 and thread.is_alive():
            time.sleep(0)
        made.close()
        assert thread.outcome() == CANCELED


@pytest.mark.parametrize("kind", KINDS)
def test_storm(kind):
    """Threads call anything on an object that another thread closes at some time; none hangs, none crashes."""
    calls = {
        "clock": [lambda c: c.sleep_ns(10**15), lambda c: c.now_ns(), lambda c: c.check(), lambda c: c.timebase(),
                  lambda c: native.Waiter(c).close(), lambda c: c.format(c.now())],
        "waiter": [lambda w: w.sleep_ns(10**15), lambda w: w.clear(), lambda w: w.interrupt(),
                   lambda w: w.remaining_ns(), lambda w: w.set_policy(3, 0), lambda w: w.margin_ns(1),
                   lambda w: w.poll_until_ns([(w.fileno(), 1)], INT64_MAX)],
        "gate": [lambda g: g.wait_until_ticks(g.ticket(), INT64_MAX), lambda g: g.notify_all(), lambda g: g.shut(),
                 lambda g: g.wait_until_ns(g.ticket(), INT64_MAX), lambda g: g.reopen(), lambda g: g.set_policy(3, 0)],
        "ticker": [lambda t: t.wait(), lambda t: t.fileno(), lambda t: t.next_ns(), lambda t: t.info(),
                   lambda t: t.interrupt(), lambda t: t.start(1, 10**15), lambda t: t.set_missed(1, 1)],
        "wall": [lambda w: w.now(), lambda w: w.update(), lambda w: w.info(), lambda w: w.after(1),
                 lambda w: native.Hlc(w, 0).close(), lambda w: w.wait_after_on(native.Waiter(), 1, INT64_MAX)],
        "hlc": [lambda h: h.now(), lambda h: h.receive(1), lambda h: h.set_floor(1), lambda h: h.info()],
    }[kind]

    def work(made, number):
        generator = random.Random(number)
        while not made.closed:
            try:
                generator.choice(calls)(made)
            except OSError as error:
                assert error.errno == errno.EBUSY
            except ValueError as error:
                assert "closed" in str(error)

    for number in range(ROUNDS):
        made = KINDS[kind]()
        threads = [Thread(work, made, 10 * number + i) for i in range(4)]
        time.sleep(random.choice((0, 1e-4, 1e-3, 5e-3)))
        made.close()
        assert [thread.outcome() for thread in threads] == [None] * 4


def test_last_reference_goes_during_a_sleep():
    """The sleeping call itself holds the object."""
    for make, sleep in LONG_SLEEPS.values():
        box = [make()]
        began = threading.Event()

        def run(box=box, sleep=sleep, began=began):
            made = box[0]
            began.set()
            return sleep(made)

        thread = Thread(run)
        assert began.wait(HANG_S)
        time.sleep(0.01)
        box.pop().close()
        assert thread.outcome() in (CANCELED, SHUTDOWN, ValueError)
