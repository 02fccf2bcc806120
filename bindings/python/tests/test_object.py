# SPDX-License-Identifier: MIT
"""What all objects have in common: arguments that are no clocks, and copies."""

import copy
import pickle

import pytest

import hpt
from hpt.testing import ManualClock

MAKERS = {
    "Clock": lambda: hpt.Clock("os"),
    "ManualClock": ManualClock,
    "Sleeper": hpt.Sleeper,
    "Gate": hpt.Gate,
    "Ticker": lambda: hpt.Ticker(1),
    "Wall": hpt.Wall,
    "Hlc": lambda: hpt.Hlc(hpt.Wall()),
}


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, pickle.dumps])
def test_no_copies(make, duplicate):
    with make() as made:
        with pytest.raises(TypeError, match="copied or pickled"):
            duplicate(made)
        assert not made.closed


@pytest.mark.parametrize("wrong", ["tsc", 5, object(), hpt.Source.TSC])
@pytest.mark.parametrize(
    "make", [hpt.Sleeper, hpt.Gate, hpt.Wall, hpt.Timebase.take, lambda clock: hpt.Ticker(1, clock=clock)]
)
def test_a_clock_is_a_clock(make, wrong):
    with pytest.raises(TypeError, match="clock is a Clock or None"):
        make(wrong)
