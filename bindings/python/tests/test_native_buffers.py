# SPDX-License-Identifier: MIT
"""hpt._native: batches of ticks by the buffer protocol."""

import ctypes
import errno
import sys
from array import array

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from native_support import GHZ, INT64_MAX, INT64_MIN, Thread, native

CLOCK = native.Clock(3)
FIRST = CLOCK.timebase()
LAST = CLOCK.timebase()
CONVERSIONS = [native.timebase_to_ns, native.timebase_to_unix_ns]
both = pytest.mark.parametrize("convert", CONVERSIONS)


def one_by_one(convert, ticks, last=None):
    results = []
    for tick in ticks:
        out = array("q", [0])
        convert(FIRST, last, array("q", [tick]), out)
        results.append(out[0])
    return results


@both
@given(st.lists(st.integers(INT64_MIN, INT64_MAX), max_size=20))
@settings(deadline=None)
def test_batches_are_single_conversions(convert, ticks):
    for last in (None, LAST):
        out = array("q", bytes(8 * len(ticks)))
        assert convert(FIRST, last, array("q", ticks), out) is None
        assert list(out) == one_by_one(convert, ticks, last)


def test_the_result_is_the_time():
    tick = CLOCK.now()
    out = array("q", [0])
    native.timebase_to_ns(FIRST, None, array("q", [tick]), out)
    assert abs(out[0] - CLOCK.to_ns(tick)) < 10**4
    native.timebase_to_unix_ns(FIRST, None, array("q", [tick]), out)
    assert abs(out[0] - CLOCK.to_unix_ns(tick)) < 10**6


@both
@pytest.mark.parametrize("length", [1, 511, 512, 513, 4096, 4097, 20_000])
def test_all_lengths_and_places(convert, length):
    ticks = array("q", range(CLOCK.now(), CLOCK.now() + 1000 * length, 1000))[:length]
    expected = array("q", bytes(8 * length))
    convert(FIRST, LAST, ticks, expected)
    assert sorted(expected) == list(expected) and expected[0] > 0
    same = array("q", ticks)
    convert(FIRST, LAST, same, same)
    assert same == expected
    for shift in range(1, 8):  # not on a multiple of 8
        space = bytearray(shift) + bytearray(8 * length)
        out = memoryview(space)[shift:].cast("q")
        convert(FIRST, LAST, ticks, out)
        assert out.tolist() == expected.tolist() and space[:shift] == bytes(shift)
        out[:] = memoryview(ticks)
        convert(FIRST, LAST, out, out)
        assert out.tolist() == expected.tolist()
        out.release()


@both
def test_no_ticks(convert):
    for nothing in (array("q"), memoryview(b"").cast("q")):
        convert(FIRST, LAST, nothing, array("q"))
        with pytest.raises(ValueError):
            convert(bytes(128), None, nothing, array("q"))


def writable(code):
    return memoryview(bytearray(8)).cast(code)


@both
@pytest.mark.parametrize("view", [
    writable("q"), writable("l" if array("l").itemsize == 8 else "q"), writable("@q"), array("q", [0]),
    (ctypes.c_int64 * 1)(), (ctypes.c_longlong * 1)(), writable("n") if ctypes.sizeof(ctypes.c_ssize_t) == 8 else
    writable("q"), (ctypes.c_int64 * 1 * 1)(),
], ids=lambda view: memoryview(view).format)
def test_formats(convert, view):
    convert(FIRST, None, view, view)
    assert bytes(view) == bytes(array("q", one_by_one(convert, [0])))


FOREIGN = ctypes.c_int64.__ctype_be__ if sys.byteorder == "little" else ctypes.c_int64.__ctype_le__


@both
@pytest.mark.parametrize("view", [
    bytearray(8), array("Q", [0]), array("d", [0]), array("i", [0, 0]), array("b", bytes(8)), (FOREIGN * 1)(),
    writable("N"), writable("P"), writable("d"), (ctypes.c_void_p * 1)(), (ctypes.c_char * 8)(),
    memoryview(bytearray(8)),
], ids=lambda view: memoryview(view).format)
def test_other_formats(convert, view):
    good = array("q", [0])
    for ticks, out in ((view, good), (good, view), (view, view)):
        with pytest.raises(TypeError):
            convert(FIRST, None, ticks, out)
    assert good[0] == 0


@both
@pytest.mark.parametrize("view", [None, 1, "text", [1], (1,), object()])
def test_no_buffers(convert, view):
    good = array("q", [0])
    for arguments in ((view, None, good, good), (FIRST, view or 0, good, good), (FIRST, None, view, good),
                      (FIRST, None, good, view)):
        with pytest.raises(TypeError):
            convert(*arguments)


@both
def test_read_only(convert):
    ticks = memoryview(bytes(16)).cast("q")
    with pytest.raises(BufferError):
        convert(FIRST, None, ticks, ticks)
    with pytest.raises(BufferError):
        convert(FIRST, None, array("q", [0, 0]), memoryview(array("q", [0, 0])).toreadonly())
    out = array("q", [0, 0])
    convert(FIRST, None, ticks, out)
    assert out[0] == out[1]


@both
def test_strides(convert):
    wide = memoryview(array("q", range(8)))
    with pytest.raises(BufferError):
        convert(FIRST, None, wide[::2], array("q", [0] * 4))
    with pytest.raises(BufferError):
        convert(FIRST, None, array("q", [0] * 4), wide[::-2])
    assert wide.tolist() == list(range(8))


@both
def test_lengths(convert):
    for ticks, out in (([1], []), ([], [1]), ([1, 2], [1]), ([1], [1, 2])):
        with pytest.raises(ValueError):
            convert(FIRST, None, array("q", ticks), array("q", out))


@both
def test_overlap(convert):
    space = memoryview(array("q", range(10)))
    for ticks, out in ((space[:5], space[1:6]), (space[1:6], space[:5]), (space[:5], space[4:9])):
        with pytest.raises(ValueError):
            convert(FIRST, None, ticks, out)
    assert space.tolist() == list(range(10))
    convert(FIRST, None, space[:5], space[5:])
    assert space[:5].tolist() == list(range(5)) and space[5] < space[9]


@both
def test_damaged_time_bases(convert):
    ticks = array("q", [1])
    other = native.Clock(3).timebase()
    damaged = bytearray(FIRST)
    damaged[40] ^= 1
    for first, last in ((damaged, None), (FIRST, damaged), (bytes(128), None)):
        with pytest.raises(ValueError):
            convert(first, last, ticks, ticks)
    for wrong in (FIRST[:-1], FIRST + b"\0", b""):
        with pytest.raises(ValueError, match="128 bytes"):
            convert(wrong, None, ticks, ticks)
        with pytest.raises(ValueError, match="128 bytes"):
            convert(FIRST, wrong, ticks, ticks)
    with pytest.raises((ValueError, OSError)):
        convert(other, FIRST, ticks, ticks)  # the later one first
    assert ticks[0] == 1
    convert(bytearray(FIRST), memoryview(LAST), ticks, ticks)


def of_another_boot(base):
    """A time base with another boot id, and the check sum of that: FNV-1a of the first 124 bytes."""
    base = base[:16] + bytes(15) + b"\1" + base[32:124]
    total = 0x811C9DC5
    for byte in base:
        total = (total ^ byte) * 0x01000193 % 2**32
    return base + total.to_bytes(4, "little")


@both
def test_time_bases_of_two_boots(convert):
    ticks = array("q", [1])
    convert(of_another_boot(FIRST), None, ticks, array("q", [0]))
    with pytest.raises(OSError) as caught:
        convert(FIRST, of_another_boot(LAST), ticks, ticks)
    assert caught.value.errno == errno.ESTALE and ticks[0] == 1


@both
def test_views_cannot_change_meanwhile(convert):
    """The buffers stay exported without the GIL: a resize or a release in another thread fails, and crashes nothing."""
    ticks = array("q", bytes(8 * 200_000))
    view = memoryview(array("q", bytes(8 * 200_000)))
    refused = []

    def disturb():
        for _ in range(2000):
            try:
                ticks.append(0)
                ticks.pop()
            except BufferError:
                refused.append(1)

    thread = Thread(disturb)
    while thread.is_alive():
        try:
            convert(FIRST, LAST, ticks, view)
        except ValueError as error:
            assert "lengths" in str(error)
    assert thread.outcome() is None
    view.release()
    with pytest.raises(ValueError):
        convert(FIRST, LAST, ticks, view)


@both
def test_buffers_are_given_back(convert):
    """After a call, failed or not, nothing holds its buffers."""
    first, ticks, out = bytearray(FIRST), bytearray(16), bytearray(16)
    views = {"good": memoryview(ticks).cast("q"), "short": memoryview(bytearray(8)).cast("q"),
             "float": memoryview(ticks).cast("d"), "strided": memoryview(ticks).cast("q")[::-1], "none": None}
    target = memoryview(out).cast("q")
    for view in views.values():
        for base in (first, first[1:], bytearray(128)):
            for arguments in ((base, None, view, target), (base, base, target, view)):
                try:
                    convert(*arguments)
                except (ValueError, TypeError, BufferError):
                    pass
    for view in (target, *views.values()):
        if view is not None:
            view.release()
    for each in (first, ticks, out):
        each.append(0)


def test_mmio_description():
    for wrong in (b"", bytes(95), bytes(97)):
        with pytest.raises(ValueError, match="96 bytes"):
            native.Clock.mmio(wrong)
    with pytest.raises(ValueError):
        native.Clock.mmio(bytearray(96))
    for wrong in (None, "text", 96):
        with pytest.raises(TypeError):
            native.Clock.mmio(wrong)


def test_manual_clock_has_no_time_base():
    with pytest.raises(OSError):
        native.Clock.manual(GHZ).timebase()
