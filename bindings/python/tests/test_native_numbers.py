# SPDX-License-Identifier: MIT
"""hpt._native: which numbers and types functions take, the exceptions for others, and sleeps that are never early."""

import errno
import os
import select
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from native_support import GHZ, INT64_MAX, INT64_MIN, native

I64, U64, I32, U32 = (INT64_MIN, INT64_MAX), (0, 2**64 - 1), (-(2**31), 2**31 - 1), (0, 2**32 - 1)
U16 = (0, 2**16 - 1)
NO_SLEEP = (INT64_MIN, 1)  # of the range of 64 bits, what ends at once

MANUAL = native.Clock.manual(GHZ, 1)
OWN = native.Clock(3)
WAITER = native.Waiter()
GATE = native.Gate()
TICKER = native.Ticker(None, 10**6)
EPOLL, PIPE = select.epoll(), os.pipe()

# The parameters of everything that takes numbers: their types; and the values of the last one that are safe to try, if
# others would change the process, or sleep.
TAKES = {
    **{f"OWN.{name}": (getattr(OWN, name), [I64]) for name in (
        "ticks_to_ns", "ns_to_ticks", "to_ns", "from_ns", "to_unix_ns", "from_unix_ns", "to_unix_ticks", "format",
        "format_ticks")},
    "OWN.add_ns": (OWN.add_ns, [I64, I64]),
    **{f"OWN.{name}": (getattr(OWN, name), [I64, I32]) for name in ("to_os", "from_os")},
    **{f"{owner}.{name}": (getattr(made, name), [I64], NO_SLEEP)
       for owner, made in (("native", native), ("OWN", OWN), ("WAITER", WAITER))
       for name in ("sleep_ns", "sleep_until_ticks", "sleep_until_ns", "sleep_until_unix_ns")},
    **{f"GATE.{name}": (getattr(GATE, name), [U32, I64], NO_SLEEP) for name in ("wait_until_ns", "wait_until_ticks")},
    "WAITER.poll_until_ns": (lambda ns: WAITER.poll_until_ns([], ns), [I64], NO_SLEEP),
    "WAITER.poll_until_ns, events": (lambda events: WAITER.poll_until_ns([(PIPE[0], events)], 0), [U16]),
    "WAITER.epoll_until_ns": (lambda ns: WAITER.epoll_until_ns(EPOLL, 1, ns), [I64], NO_SLEEP),
    "WAITER.epoll_until_ns, max": (lambda most: WAITER.epoll_until_ns(EPOLL, most, 0), [U32], (0, 10**6)),
    "WAITER.margin_ns": (WAITER.margin_ns, [I64]),
    # A thread that learns of waits that were years late spins for as long as it may.
    "WAITER.learn_ns": (native.Waiter(MANUAL).learn_ns, [I64, I64]),
    "MANUAL.advance": (MANUAL.advance, [I64], (INT64_MIN, 0)),
    "Clock": (native.Clock, [U32], (6, 2**32 - 1)),
    "Clock.manual": (native.Clock.manual, [U64, I64]),
    "Ticker": (lambda period: native.Ticker(None, period), [I64]),
    "TICKER.start": (TICKER.start, [I64, I64]),
    "TICKER.start_rational": (TICKER.start_rational, [I64, U32, U32]),
    "TICKER.set_missed": (TICKER.set_missed, [U32, U64]),
    **{f"{owner}.set_policy": (made.set_policy, [U32, I64])
       for owner, made in (("WAITER", WAITER), ("GATE", GATE), ("TICKER", TICKER))},
    "native.set_policy": (native.set_policy, [U32, I64], (INT64_MIN, -1)),
    "native.set_default_source": (native.set_default_source, [U32], (7, 2**32 - 1)),
    "native.set_slice_ns": (native.set_slice_ns, [I64], (INT64_MIN, -1)),
    "native.low_latency_open": (native.low_latency_open, [I32], (-(2**31), -1)),
    "native.source_info": (native.source_info, [U32]),
    **{f"native.{name}": (getattr(native, name), [U32])
       for name in ("source_name", "state_name", "stage_name", "origin_name", "reason_text")},
}
EACH = [(name, position) for name, row in TAKES.items() for position in range(len(row[1]))]


def arguments_of(name):
    function, ranges, *last = TAKES[name]
    return function, ranges, [*ranges[:-1], last[0] if last else ranges[-1]]


def small(bounds):
    return min(max(bounds[0], 1), bounds[1])


@pytest.mark.parametrize("name, position", EACH)
@pytest.mark.parametrize("bad", [1.0, "1", None, b"1", 1j, (), object()])
def test_other_types(name, position, bad):
    function, _, safe = arguments_of(name)
    if name == "Clock" and bad is None:
        assert not function(bad).closed  # the default clock
        return
    arguments = [small(bounds) for bounds in safe]
    arguments[position] = bad
    with pytest.raises(TypeError):
        function(*arguments)


@pytest.mark.parametrize("name, position", EACH)
@given(data=st.data())
@settings(max_examples=30, deadline=None)
def test_numbers_out_of_range(name, position, data):
    function, ranges, safe = arguments_of(name)
    low, high = ranges[position]
    arguments = [small(bounds) for bounds in safe]
    arguments[position] = data.draw(st.integers(max_value=low - 1) | st.integers(min_value=high + 1))
    with pytest.raises(OverflowError):
        function(*arguments)


def edges(bounds):
    low, high = bounds
    near = [edge + step for edge in (low, 0, high) for step in (-2, -1, 0, 1, 2) if low <= edge + step <= high]
    return st.integers(low, high) | st.sampled_from(near)


@pytest.mark.parametrize("name", TAKES)
@given(data=st.data())
@settings(max_examples=100, deadline=None)
def test_numbers_in_range(name, data):
    """A result, or the exception of a result that does not fit or a value that has no meaning."""
    function, _, safe = arguments_of(name)
    arguments = [data.draw(edges(bounds)) for bounds in safe]
    try:
        result = function(*arguments)
    except (OverflowError, ValueError):
        return
    except OSError as error:
        assert error.errno in (errno.ENOTSUP, errno.EPERM, errno.EACCES, errno.EBUSY)
        return
    assert not isinstance(result, int) or INT64_MIN <= result <= INT64_MAX


class Index:
    def __init__(self, value):
        self.value = value

    def __index__(self):
        if isinstance(self.value, Exception):
            raise self.value
        return self.value


def test_index_is_enough():
    assert OWN.add_ns(Index(5), True) == 6
    assert native.source_name(Index(1)) == "tsc"
    assert native.Clock.manual(Index(GHZ), start=Index(9)).now() == 9
    with pytest.raises(OverflowError):
        OWN.add_ns(Index(2**63), 1)
    with pytest.raises(KeyError):
        OWN.add_ns(1, Index(KeyError("own")))
    with pytest.raises(TypeError):
        native.source_name(Index("no number"))


def test_index_closes_the_clock():
    """Arguments are read before the object is used, so __index__ may do anything to it."""

    class Closes:
        def __init__(self, made):
            self.made = made

        def __index__(self):
            self.made.close()
            return 1

    for make, call in (
        (lambda: native.Clock(3), lambda made, arg: made.to_ns(arg)),
        (lambda: native.Clock(3), lambda made, arg: made.sleep_ns(arg)),
        (lambda: native.Clock(3), lambda made, arg: made.add_ns(1, arg)),
        (native.Waiter, lambda made, arg: made.set_policy(0, arg)),
        (native.Gate, lambda made, arg: made.wait_until_ns(arg, 1)),
        (lambda: native.Ticker(None, 1), lambda made, arg: made.start(arg, 1)),
    ):
        made = make()
        with pytest.raises(ValueError, match="closed"):
            call(made, Closes(made))


@pytest.mark.parametrize("name, position", EACH)
def test_numbers_of_arguments(name, position):
    function, _, safe = arguments_of(name)
    if name in ("Clock", "Ticker", "Clock.manual"):
        return
    arguments = [small(bounds) for bounds in safe]
    for wrong in (arguments[:position], arguments + [1]):
        with pytest.raises(TypeError):
            function(*wrong)
    with pytest.raises(TypeError):
        function(*arguments, keyword=1)


def test_constructor_arguments():
    assert not native.Clock(source=None).closed
    assert not native.Waiter(clock=None, eintr=0).closed
    assert not native.Gate(clock=OWN).closed
    assert not native.Ticker(clock=None, period_ns=1).closed
    assert native.Clock.manual(frequency_hz=GHZ).now() == 0
    for make in (native.Clock, native.Waiter, native.Gate, native.Ticker, native.Clock.manual):
        with pytest.raises(TypeError):
            make(1, 2, 3)
        with pytest.raises(TypeError):
            make(other=1)
    with pytest.raises(TypeError):
        native.Ticker()


# ---- Exceptions ---------------------------------------------------------------------------------------------


def test_errors_of_values():
    for call in (
        lambda: native.Clock(77),
        lambda: native.Clock.manual(0),
        lambda: native.Ticker(None, -1),
        lambda: native.source_parse("none such"),
        lambda: native.source_info(99),
        lambda: native.set_default_source(99),
        lambda: native.set_policy(5, 0),
        lambda: native.low_latency_open(-1),
        lambda: OWN.to_os(1, 99),
        lambda: OWN.parse("yesterday"),
        lambda: TICKER.start(1, -1),
        lambda: WAITER.set_policy(9, 0),
    ):
        with pytest.raises(ValueError):
            call()


def test_errors_of_ranges():
    for call in (
        lambda: OWN.add_ns(INT64_MAX, 1),
        lambda: OWN.to_unix_ns(INT64_MAX),
        lambda: OWN.format(INT64_MAX),
        lambda: MANUAL.advance(-1),
        lambda: native.Clock.manual(GHZ, INT64_MAX),
    ):
        with pytest.raises(OverflowError):
            call()


def test_errors_of_the_system():
    for code, call in (
        (errno.ENOTSUP, lambda: native.Clock(6)),
        (errno.ENOTSUP, lambda: OWN.advance(1)),
        (errno.ENOTSUP, MANUAL.timebase),
        (errno.ENOTSUP, lambda: MANUAL.to_os(1, 1)),
        (errno.ENOTSUP, native.Ticker(MANUAL, 1).fileno),
    ):
        with pytest.raises(OSError) as caught:
            call()
        assert caught.value.errno == code and caught.value.strerror == os.strerror(code)


@pytest.mark.parametrize("text", ["2026-11-20T10:47:59Z\0", "\0", "tsc\0", "\ud800", "é", ""])
def test_text_that_is_no_time(text):
    for parse in (OWN.parse, native.source_parse):
        with pytest.raises(ValueError):
            parse(text)


@pytest.mark.parametrize("text", [b"tsc", None, 1])
def test_text_of_other_types(text):
    for parse in (OWN.parse, native.source_parse):
        with pytest.raises(TypeError):
            parse(text)


@given(st.text())
@settings(deadline=None)
def test_any_text(text):
    try:
        OWN.parse(text)
    except (ValueError, OverflowError):
        pass


# ---- Results ------------------------------------------------------------------------------------------------


def test_sizes_of_structs():
    sizes = [len(each()) for each in (OWN.info, OWN.sample, OWN.timebase, TICKER.info, native.sleep_info)]
    assert sizes == [200, 72, 128, 48, 56]
    assert len(native.source_info(0)) == 80


def test_reads_agree():
    for clock in (native.Clock(), OWN):
        before = clock.now()
        assert before <= clock.now_cpu()[0] <= clock.now()
        assert clock.min() < before < clock.max()
        assert clock.parse(clock.format(before)) == pytest.approx(before, abs=10**4)
        assert clock.check()[1] >= 1 and clock.generation() >= 1
    before = native.now_ns()
    assert before <= native.Clock().now_ns() <= native.now_ns()
    assert abs(native.unix_ns() - time.time_ns()) < 10**9
    assert native.now() <= native.now()
    assert MANUAL.now_cpu() == (MANUAL.now(), None)


@given(st.integers(0, 300_000))
@settings(max_examples=40, deadline=None)
def test_never_early(ns):
    for owner in (native, native.Clock(), OWN, WAITER):
        clock = OWN if owner is OWN else native.Clock()
        begin = clock.now_ns()
        assert owner.sleep_ns(ns) == 0
        assert clock.now_ns() >= begin + ns
        deadline = clock.now_ns() + ns
        assert owner.sleep_until_ns(deadline) == 0
        assert clock.now_ns() >= deadline
        deadline = clock.now() + ns
        assert owner.sleep_until_ticks(deadline) == 0
        assert clock.now() >= deadline


def test_sleeps_at_the_ends_of_the_range():
    for owner in (native, OWN, WAITER, MANUAL):
        for sleep in (owner.sleep_ns, owner.sleep_until_ticks, owner.sleep_until_ns, owner.sleep_until_unix_ns):
            assert sleep(INT64_MIN) == 0
    below_zero = native.Clock.manual(GHZ, INT64_MIN)
    assert native.Waiter(below_zero).sleep_ns(INT64_MIN) == 0
