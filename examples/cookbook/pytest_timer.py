# SPDX-License-Identifier: MIT
"""
pytest_timer.py: benchmarks of pytest-benchmark by libhpt's clock.

    python3 -m pytest pytest_timer.py
"""
import zlib

import pytest

import hpt


def seconds():
    """What pytest-benchmark takes for a timer."""
    return hpt.now_ns() / 1e9


@pytest.mark.benchmark(timer=seconds)
def test_crc(benchmark):
    data = bytes(range(256)) * 16
    assert benchmark(zlib.crc32, data) == zlib.crc32(data)


@pytest.mark.benchmark(timer=seconds)
def test_sort(benchmark):
    data = list(range(1000, 0, -1))
    assert benchmark(sorted, data)[0] == 1


@pytest.mark.benchmark(timer=seconds)
def test_read(benchmark):
    assert benchmark(hpt.now_ns) > 0
