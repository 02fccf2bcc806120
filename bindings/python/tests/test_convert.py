# SPDX-License-Identifier: MIT
"""Seconds as nanoseconds: never shorter than asked for."""

import math
import time
from datetime import timedelta
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hpt._convert import INT64_MAX, duration_ns

LONGEST_S = INT64_MAX // 10**9


@given(st.integers(0, LONGEST_S))
def test_an_int_is_exact(seconds):
    assert duration_ns(seconds) == seconds * 10**9


@given(st.floats(0, LONGEST_S / 2))
@example(0.1)
@example(5e-324)
@example(1e-9)
@example(0.0010000000000000002)
def test_a_float_is_the_product_rounded_up(seconds):
    ns = duration_ns(seconds)
    product = Fraction(seconds * 1e9)
    assert 0 <= ns - product < 1
    # The product itself is rounded by half a unit in its last place at most.
    assert Fraction(seconds) * 10**9 - ns <= Fraction(math.ulp(seconds * 1e9)) / 2


@given(st.fractions(0, LONGEST_S))
def test_a_fraction_is_rounded_up(seconds):
    assert 0 <= duration_ns(seconds) - seconds * 10**9 < 1


@given(st.decimals(0, LONGEST_S, allow_nan=False))
def test_a_decimal_is_rounded_up(seconds):
    assert 0 <= duration_ns(seconds) - Fraction(seconds) * 10**9 < 1


@given(st.timedeltas(timedelta(0), timedelta(days=106751)))
def test_a_timedelta_is_exact(duration):
    assert duration_ns(duration) == duration // timedelta(microseconds=1) * 1000


@given(st.floats(0, 1e6), st.floats(0, 1e6))
def test_longer_is_not_shorter(one, other):
    low, high = sorted((one, other))
    assert duration_ns(low) <= duration_ns(high)


@pytest.mark.parametrize(
    "seconds",
    [-1, -0.5, -1e-12, -5e-324, Fraction(-1, 10**12), Decimal("-1e-12"), timedelta(microseconds=-1), -math.inf],
)
def test_negative_is_a_value_error(seconds):
    with pytest.raises(ValueError):
        duration_ns(seconds)


@pytest.mark.parametrize("seconds", [math.nan, Decimal("nan")])
def test_nan_is_a_value_error(seconds):
    with pytest.raises(ValueError):
        duration_ns(seconds)


@pytest.mark.parametrize(
    "seconds", [LONGEST_S + 1, 1e10, 1e300, 1.7e308, math.inf, Fraction(10**30), Decimal("inf"), timedelta.max]
)
def test_too_long_is_an_overflow_error(seconds):
    with pytest.raises(OverflowError):
        duration_ns(seconds)


@pytest.mark.parametrize("seconds", ["1", None, b"1", [1], 1j, object()])
def test_no_number_is_a_type_error(seconds):
    with pytest.raises(TypeError):
        duration_ns(seconds)


@pytest.mark.parametrize("seconds", [0, 0.0, -0.0, Fraction(0), Decimal(0), timedelta(0), False])
def test_zero(seconds):
    assert duration_ns(seconds) == 0


def test_an_index_is_an_int():
    class Number:
        def __index__(self):
            return 3

    assert duration_ns(Number()) == 3 * 10**9


@pytest.mark.parametrize("bad", [-1, math.nan, 1e300, "1"])
def test_errors_are_those_of_time_sleep(bad):
    with pytest.raises((ValueError, OverflowError, TypeError)) as theirs:
        time.sleep(bad)
    with pytest.raises(theirs.type):
        duration_ns(bad)
