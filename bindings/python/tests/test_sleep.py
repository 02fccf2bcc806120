# SPDX-License-Identifier: MIT
"""Sleeps of the default clock: never early, results, signals."""

import select
import signal
import subprocess
import sys
import threading
import time
from datetime import timedelta
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hpt

INT64_MAX = 2**63 - 1


@settings(max_examples=50)
@given(st.floats(0, 0.003))
def test_seconds_are_never_early(seconds):
    before = hpt.now_ns()
    assert hpt.sleep(seconds) is hpt.Wake.REACHED
    assert hpt.now_ns() - before >= seconds * 1e9


@settings(max_examples=50)
@given(st.integers(-(2**63), 3_000_000))
def test_nanoseconds_are_never_early(ns):
    for sleep in (hpt.sleep_ns, hpt.Clock("os").sleep_ns, hpt.Clock().sleep_ns):
        before = hpt.now_ns()
        assert sleep(ns) is hpt.Wake.REACHED
        assert hpt.now_ns() - before >= min(ns, 1_000_000) * (1 - 1e-3)


@settings(max_examples=50)
@given(st.integers(0, 3_000_000))
def test_deadlines_are_never_early(ns):
    for sleep, now in (
        (hpt.sleep_until_ns, hpt.now_ns),
        (hpt.sleep_until_unix_ns, hpt.unix_ns),
        (hpt.sleep_until_ticks, hpt.now),
    ):
        deadline = now() + ns
        assert sleep(deadline) is hpt.Wake.REACHED and now() >= deadline


@settings(max_examples=20)
@given(st.integers(0, 3_000_000))
def test_deadlines_of_a_clock_are_never_early(ns):
    clock = hpt.Clock("os")
    for sleep, now in (
        (clock.sleep_until_ns, clock.now_ns),
        (clock.sleep_until_unix_ns, clock.unix_ns),
        (clock.sleep_until_ticks, clock.now),
    ):
        deadline = now() + ns
        assert sleep(deadline) is hpt.Wake.REACHED and now() >= deadline


@pytest.mark.parametrize("seconds", [Fraction(1, 1000), Decimal("0.001"), timedelta(milliseconds=1), 0.001])
def test_durations_of_all_types(seconds):
    before = hpt.now_ns()
    assert hpt.sleep(seconds) is hpt.Clock().sleep(seconds) is hpt.Wake.REACHED
    assert hpt.now_ns() - before >= 2_000_000


@pytest.mark.parametrize("sleep", [hpt.sleep, hpt.Clock().sleep])
def test_errors(sleep):
    for wrong, error in ((-1, ValueError), (float("nan"), ValueError), (1e300, OverflowError), ("1", TypeError)):
        with pytest.raises(error):
            sleep(wrong)
    with pytest.raises(TypeError):
        sleep()


@pytest.mark.parametrize("sleep", [hpt.sleep_ns, hpt.sleep_until_ticks, hpt.sleep_until_ns, hpt.sleep_until_unix_ns])
def test_wrong_numbers(sleep):
    for wrong in (1.0, "1", None):
        with pytest.raises(TypeError):
            sleep(wrong)
    for beyond in (2**63, -(2**63) - 1):
        with pytest.raises(OverflowError):
            sleep(beyond)
    assert sleep(-(2**63)) is sleep(0) is hpt.Wake.REACHED


def test_sleeps_release_the_gil(spawn):
    stop = hpt.now_ns() + 20_000_000
    sleeper = spawn(hpt.sleep_until_ns, stop)
    turns = 0
    while hpt.now_ns() < stop:
        turns += 1
    assert sleeper.result() is hpt.Wake.REACHED and turns > 10


def test_policies(run_python):
    program = """
        import hpt
        for policy in hpt.Policy:
            if policy is hpt.Policy.INHERIT:
                continue
            hpt.set_policy(policy, 20_000)
            assert hpt.sleep_info().policy is policy and hpt.sleep_info().max_spin_ns == 20_000
            before = hpt.now_ns()
            hpt.sleep_ns(500_000)
            early = 20_000 if policy is hpt.Policy.NOSPIN else 0
            assert hpt.now_ns() - before >= 500_000 - early
        for wrong in ((hpt.Policy.INHERIT, 0), (99, 0), (0, -1)):
            try:
                hpt.set_policy(*wrong)
            except ValueError:
                continue
            raise SystemExit(f"{wrong} is no error")
    """
    run_python(program)


def test_slices_and_idle_states(spawn):
    def slices():
        try:
            hpt.set_slice_ns(1_000_000), hpt.set_slice_ns(0)
        except OSError as error:
            assert error.errno
        with pytest.raises(ValueError):
            hpt.set_slice_ns(-1)
        with pytest.raises(OverflowError):
            hpt.set_slice_ns(2**63)

    spawn(slices).result()
    try:
        with hpt.low_latency(100):
            assert hpt.sleep_ns(1000) is hpt.Wake.REACHED
    except OSError as error:
        assert error.errno
    with pytest.raises(ValueError):
        with hpt.low_latency(-1):
            pass


# ---- Signals ----

SLEEPS = {
    "sleep": "hpt.sleep(3600)",
    "sleep_ns": "hpt.sleep_ns(3600 * 10**9)",
    "sleep_until_ticks": "hpt.sleep_until_ticks(2**63 - 1)",
    "sleep_until_ns": "hpt.sleep_until_ns(2**63 - 1)",
    "sleep_until_unix_ns": "hpt.sleep_until_unix_ns(hpt.unix_ns() + 3600 * 10**9)",
    "clock": "hpt.Clock('os').sleep(3600)",
    "sleeper": "hpt.Sleeper().wait()",
    "sleeper with a policy": "hpt.Sleeper(policy=hpt.Policy.SPIN).sleep(3600)",
    "manual": "hpt.testing.ManualClock().sleep(1)",
    "gate": "hpt.Gate().wait()",
    "gate with a predicate": "hpt.Gate().wait(3600, lambda: False)",
    "ticker": "hpt.Ticker(3600).wait()",
    "ticker in a loop": "list(hpt.Ticker(3600))",
    "asyncio": "asyncio.run(hpt.sleep_async(3600))",
    "asyncio ticker": "asyncio.run(hpt.Ticker(3600).__anext__())",
}

PROGRAM = """
import asyncio, signal, sys, hpt, hpt.testing
{setup}
try:
    print("ready", flush=True)
    {sleep}
except {error}:
    print("ended", flush=True)
"""


def interrupted(sleep, setup="", error="KeyboardInterrupt", number=signal.SIGINT):
    """Runs a sleep in a new interpreter, and sends signals until it ends; one may come before the kernel's wait."""
    program = PROGRAM.format(sleep=sleep, setup=setup, error=error)
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, universal_newlines=True)
    with process:
        assert process.stdout.readline() == "ready\n"
        for _ in range(100):
            time.sleep(0.05)
            process.send_signal(number)
            if select.select([process.stdout], [], [], 2)[0]:
                break
        assert process.stdout.readline() == "ended\n" and process.wait(60) == 0


@pytest.mark.parametrize("name", SLEEPS)
def test_control_c_ends_a_sleep(name):
    interrupted(SLEEPS[name])


@pytest.mark.parametrize("name", ["sleep", "sleeper", "gate", "ticker"])
def test_a_handler_that_raises_ends_a_sleep(name):
    setup = "def handler(*_): raise LookupError\nsignal.signal(signal.SIGUSR1, handler)"
    interrupted(SLEEPS[name], setup, "LookupError", signal.SIGUSR1)


@pytest.mark.parametrize(
    "sleep",
    [
        lambda ns: hpt.sleep(ns / 1e9),
        lambda ns: hpt.sleep_ns(ns),
        lambda ns: hpt.sleep_until_ns(hpt.now_ns() + ns),
        lambda ns: hpt.sleep_until_unix_ns(hpt.unix_ns() + ns),
        lambda ns: hpt.Clock("os").sleep_ns(ns),
        lambda ns: hpt.Sleeper().sleep_ns(ns),
        lambda ns: hpt.Gate().wait(ns / 1e9),
        lambda ns: hpt.Ticker(period_ns=ns).wait().wake,
    ],
)
def test_after_a_handler_a_sleep_goes_on_to_its_deadline(sleep):
    """PEP 475. The handler runs during the sleep, and the sleep is neither early nor does it begin again."""
    calls = []

    def handler(*_):
        calls.append(hpt.now_ns())

    def once(ns):
        calls.clear()
        start = hpt.now_ns()
        assert sleep(ns) in (hpt.Wake.REACHED, hpt.Wake.TIMED_OUT)
        end = hpt.now_ns()
        assert end - start >= ns * (1 - 1e-3)
        return len([call for call in calls if call < start + ns * 0.99])

    before = signal.signal(signal.SIGALRM, handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.004, 0.004)
        # A process that gets no CPU until its deadline runs no handler before it: the next sleep is longer then.
        assert any(once(20_000_000 << turn) >= 2 for turn in range(8)), "handlers run during the sleep"
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    # The signals would make a sleep that begins again with each of them endless; these ended.


def test_signals_of_the_main_thread_leave_other_threads_asleep(spawn):
    before = signal.signal(signal.SIGALRM, lambda *_: None)
    try:
        start = hpt.now_ns()
        sleeper = spawn(hpt.sleep_ns, 30_000_000)
        for _ in range(5):
            signal.pthread_kill(sleeper.ident, signal.SIGALRM)
            time.sleep(0.002)
        assert sleeper.result() is hpt.Wake.REACHED and hpt.now_ns() - start >= 29_000_000
    finally:
        signal.signal(signal.SIGALRM, before)


def test_many_threads_sleep_at_once(spawn):
    def sleep(number):
        deadline = hpt.now_ns() + number * 100_000
        return hpt.sleep_until_ns(deadline) is hpt.Wake.REACHED and hpt.now_ns() >= deadline

    assert all(thread.result() for thread in [spawn(sleep, number) for number in range(32)])
    assert threading.active_count() < 32
