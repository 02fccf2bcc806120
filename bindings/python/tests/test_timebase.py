# SPDX-License-Identifier: MIT
"""Timebase: bytes, files, and conversions of single ticks and of buffers."""

import errno
import pickle
from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st

import hpt
from hpt import _native as impl

INT64_MIN, INT64_MAX = -(2**63), 2**63 - 1

clock = hpt.Clock("os")
base = hpt.Timebase.take(clock)
now = clock.now()
int64s = st.integers(INT64_MIN, INT64_MAX)


@pytest.fixture(scope="module")
def later():
    hpt.sleep(0.01)
    return hpt.Timebase.take(clock)


def test_overlapping_buffers():
    ticks = array("q", range(10))
    for source, out in ((slice(0, 9), slice(1, 10)), (slice(1, 10), slice(0, 9))):
        with pytest.raises(ValueError, match="overlap"):
            base.to_ns(memoryview(ticks)[source], out=memoryview(ticks)[out])
    base.to_ns(memoryview(ticks)[:5], out=memoryview(ticks)[5:])


def test_a_present_tick():
    for taken, of in ((base, clock), (hpt.Timebase.take(), hpt.Clock())):
        tick = of.now()
        assert abs(taken.to_ns(tick) - of.to_ns(tick)) <= 10**6
        assert abs(taken.to_unix_ns(tick) - of.to_unix_ns(tick)) <= 10**6


def test_bytes_there_and_back(tmp_path):
    data = bytes(base)
    assert len(data) == 128
    assert hpt.Timebase.from_bytes(data) == hpt.Timebase(bytearray(data)) == base
    assert hash(hpt.Timebase(data)) == hash(base) and data.hex() in repr(base)
    assert pickle.loads(pickle.dumps(base)) == base != hpt.Timebase.take()
    assert base != data
    base.save(tmp_path / "base")
    assert hpt.Timebase.load(tmp_path / "base") == hpt.Timebase.load(str(tmp_path / "base")) == base
    assert (tmp_path / "base").read_bytes() == data


@given(st.integers(0, 127), st.integers(1, 255))
def test_damaged_bytes(place, change):
    data = bytearray(bytes(base))
    data[place] ^= change
    with pytest.raises(ValueError):
        hpt.Timebase(data)


@pytest.mark.parametrize("size", [0, 1, 127, 129, 1000])
def test_other_lengths(size, tmp_path):
    (tmp_path / "base").write_bytes(bytes(size))
    for make in (lambda: hpt.Timebase(bytes(size)), lambda: hpt.Timebase.load(tmp_path / "base")):
        with pytest.raises(ValueError):
            make()


def test_what_is_no_time_base(tmp_path):
    for wrong in (128, 1.5, "x" * 128, None, object()):
        with pytest.raises(TypeError):
            hpt.Timebase(wrong)
    with pytest.raises(FileNotFoundError):
        hpt.Timebase.load(tmp_path / "missing")
    with pytest.raises(AttributeError):
        base.other = 1


# ---- One tick ----


@given(int64s, int64s)
def test_a_later_tick_is_no_earlier_time(one, other):
    low, high = sorted((one, other))
    assert base.to_ns(low) <= base.to_ns(high) and base.to_unix_ns(low) <= base.to_unix_ns(high)


@given(st.integers(-(10**15), 10**15))
def test_ticks_near_the_time_base(distance):
    # The rate of the OS clock is exact, and its timelines move against each other by 500 ppm at most.
    assert abs(base.to_ns(now + distance) - (base.to_ns(now) + distance)) <= 2 + abs(distance) // 1000
    assert abs(base.to_unix_ns(now + distance) - (base.to_unix_ns(now) + distance)) <= 2 + abs(distance) // 500


def test_numbers():
    assert isinstance(base.to_ns(5), int) and base.to_ns(True) == base.to_ns(1)
    for beyond in (2**63, INT64_MIN - 1):
        with pytest.raises(OverflowError):
            base.to_ns(beyond)
    for wrong in (1.0, "1", None, [1], object()):
        with pytest.raises(TypeError):
            base.to_ns(wrong)


# ---- Buffers ----


@given(st.lists(int64s, max_size=50))
def test_a_buffer_is_converted_as_its_ticks_are(ticks):
    for convert in (base.to_ns, base.to_unix_ns):
        wanted = [convert(tick) for tick in ticks]
        result = convert(array("q", ticks))
        assert isinstance(result, array) and result.typecode == "q" and list(result) == wanted
        for data in (
            array("l", ticks),
            memoryview(array("q", ticks)),
            memoryview(array("q", ticks).tobytes()).cast("q"),
        ):
            assert list(convert(data)) == wanted


@given(st.lists(int64s, max_size=50))
def test_results_into_a_buffer(ticks):
    wanted = base.to_ns(array("q", ticks))
    data, out = array("q", ticks), array("q", [0] * len(ticks))
    assert base.to_ns(data, out=out) is out and out == wanted and list(data) == ticks
    assert base.to_ns(data, None, data) is data and data == wanted
    flat = bytearray(array("q", ticks).tobytes())
    view = memoryview(flat).cast("q")
    base.to_ns(array("q", ticks), out=view)
    assert view.tolist() == list(wanted)
    view.release()
    flat.clear()  # nothing holds the buffer any more


def test_large_buffers():
    ticks = array("q", range(now, now + 300_000 * 7, 7))
    result = base.to_ns(ticks)
    assert len(result) == 300_000 and list(result) == sorted(result)
    assert [result[place] for place in (0, 4097, -1)] == [base.to_ns(ticks[place]) for place in (0, 4097, -1)]


@pytest.mark.parametrize("code", "bBhHiIfdQLxc")
def test_buffers_of_other_numbers(code):
    wrong = bytearray(16) if code in "xc" else array(code, [0] * 4)
    if code == "c":
        wrong = memoryview(wrong).cast("c")
    for call in (lambda: base.to_ns(wrong), lambda: base.to_ns(wrong, out=wrong)):
        with pytest.raises(TypeError):
            call()
    with pytest.raises((TypeError, ValueError)):
        base.to_ns(array("q", [0] * 4), out=wrong)


def test_buffers_that_do_not_fit():
    for length in (0, 2, 4):
        with pytest.raises(ValueError):
            base.to_ns(array("q", [1, 2, 3]), out=array("q", [0] * length))
    with pytest.raises(BufferError):
        base.to_ns(array("q", [1]), out=memoryview(array("q", [1])).toreadonly())
    with pytest.raises((BufferError, TypeError)):
        base.to_ns(array("q", [1]), out=bytes(8))
    with pytest.raises(BufferError):
        base.to_ns(memoryview(array("q", [1, 2, 3, 4]))[::2])
    with pytest.raises(BufferError):
        base.to_ns(array("q", [1, 2]), out=memoryview(array("q", [1, 2, 3, 4]))[::2])
    with pytest.raises(TypeError):
        base.to_ns(5, out=array("q", [0]))
    with pytest.raises(ValueError):
        view = memoryview(array("q", [1]))
        view.release()
        base.to_ns(view)


def test_a_failure_leaves_the_results_as_they_are(later):
    ticks, out = array("q", [now, now + 1]), array("q", [7, 7])
    with pytest.raises(ValueError):
        later.to_ns(ticks, base, out)
    assert list(out) == [7, 7]


def test_raw_arguments():
    empty = array("q")
    for convert in (impl.timebase_to_ns, impl.timebase_to_unix_ns):
        assert convert(memoryview(bytes(base)), bytearray(bytes(base)), empty, empty) is None
        for wrong in (b"", bytes(127), bytes(129)):
            with pytest.raises(ValueError):
                convert(wrong, None, empty, empty)
            with pytest.raises(ValueError):
                convert(bytes(base), wrong, empty, empty)
        for wrong in ((None, None, empty, empty), (bytes(base), 1, empty, empty), (bytes(base), None, [1], empty)):
            with pytest.raises(TypeError):
                convert(*wrong)


# ---- Two time bases ----


def test_between_two_time_bases(later):
    end = clock.now()
    for tick in (now, (now + end) // 2, end):
        assert abs(base.to_ns(tick, later) - later.to_ns(tick)) <= 10**5
    ticks = array("q", range(now, end, (end - now) // 1000))
    result = base.to_ns(ticks, last=later)
    assert list(result) == [base.to_ns(tick, later) for tick in ticks] == sorted(result)


def test_time_bases_that_do_not_belong_together(later):
    other = hpt.Timebase.take()
    with pytest.raises(ValueError):
        later.to_ns(0, base)  # earlier
    if other != base and hpt.info().source is not hpt.Source.OS:
        with pytest.raises(ValueError):
            base.to_ns(0, other)  # of another source


def test_clocks_without_a_time_base():
    with pytest.raises(OSError) as caught:
        hpt.Timebase.take(hpt.Clock.manual(10**9))
    assert caught.value.errno == errno.ENOTSUP


# ---- numpy ----


def test_numpy_arrays():
    numpy = pytest.importorskip("numpy", reason="numpy is not installed")
    ticks = numpy.arange(now, now + 10_000, dtype=numpy.int64)
    wanted = base.to_ns(array("q", ticks.tolist()))
    assert list(base.to_ns(ticks)) == list(wanted)
    out = numpy.empty_like(ticks)
    assert base.to_ns(ticks, out=out) is out and out.tolist() == list(wanted)
    assert base.to_ns(ticks.reshape(100, 100), out=out) is out and out.tolist() == list(wanted)
    assert base.to_ns(ticks, out=ticks) is ticks and ticks.tolist() == list(wanted)
    assert base.to_ns(numpy.int64(now)) == base.to_ns(now) and isinstance(base.to_ns(numpy.int64(now)), int)
    for kind in ("int32", "uint64", "float64", ">i8", "datetime64[ns]"):
        with pytest.raises((TypeError, ValueError)):
            base.to_ns(numpy.zeros(4, dtype=kind))
    with pytest.raises(BufferError):
        base.to_ns(ticks[::2])
    with pytest.raises((ValueError, BufferError)):
        frozen = numpy.zeros(len(ticks), dtype=numpy.int64)
        frozen.flags.writeable = False
        base.to_ns(ticks, out=frozen)


def test_numpy_is_never_imported(run_python):
    program = """
        import sys, hpt
        from array import array
        hpt.Timebase.take().to_ns(array("q", [1]))
        print("numpy" in sys.modules, "asyncio" in sys.modules)
    """
    assert run_python(program) == "False False\n"
