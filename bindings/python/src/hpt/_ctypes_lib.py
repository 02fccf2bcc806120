# SPDX-License-Identifier: MIT
"""The system's libhpt by ctypes: its functions, and how integers and results cross over.

A function called through ``leaf`` keeps the GIL: it is bounded and cheap. One called through ``blocking`` releases it.
Both come from the same shared library.
"""

from __future__ import annotations

import ctypes
import errno
import operator
import os
from typing import Any, Callable, NoReturn, Optional, TypeVar

LIBRARY = "libhpt.so.0"

INT64_MIN = -(2**63)
INT64_MAX = 2**63 - 1

WAIT_EINTR = 1

Self = TypeVar("Self", bound="Object")

I32 = ctypes.c_int32
I64 = ctypes.c_int64
U32 = ctypes.c_uint32
U64 = ctypes.c_uint64
INT = ctypes.c_int
SIZE = ctypes.c_size_t
PTR = ctypes.c_void_p
STR = ctypes.c_char_p


def _open() -> tuple[ctypes.CDLL, ctypes.PyDLL]:
    try:
        return ctypes.CDLL(LIBRARY), ctypes.PyDLL(LIBRARY)
    except OSError as error:
        raise ImportError(f"hpt needs its C extension, or the system's {LIBRARY}, which fails: {error}") from None


_blocking, _leaf = _open()

# Result and arguments by name. One that is not here gives an int and takes pointers.
_PROTOTYPES: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "hpt_clock_default": (PTR, ()),
    "hpt_clock_open": (INT, (U32, U32, PTR)),
    "hpt_clock_open_mmio": (INT, (STR, SIZE, PTR)),
    "hpt_clock_new_manual": (INT, (U64, I64, PTR)),
    "hpt_clock_ref": (PTR, (PTR,)),
    "hpt_clock_close": (None, (PTR,)),
    "hpt_clock_set_default": (INT, (U32,)),
    "hpt_clock_advance": (INT, (PTR, I64)),
    "hpt_clock_sleepers": (U32, (PTR,)),
    "hpt_clock_check": (INT, (PTR, PTR)),
    "hpt_clock_generation": (U64, (PTR,)),
    "hpt_clock_sample": (INT, (PTR, PTR, SIZE)),
    "hpt_clock_get_info": (INT, (PTR, PTR, SIZE)),
    "hpt_clock_get_timebase": (INT, (PTR, PTR, SIZE)),
    "hpt_now": (I64, (PTR,)),
    "hpt_now_unordered": (I64, (PTR,)),
    "hpt_now_cpu": (I64, (PTR, PTR)),
    "hpt_now_ns": (I64, (PTR,)),
    "hpt_now_ns_unordered": (I64, (PTR,)),
    "hpt_now_unix_ns": (I64, (PTR,)),
    "hpt_ticks_to_ns": (I64, (PTR, I64)),
    "hpt_ns_to_ticks": (I64, (PTR, I64)),
    "hpt_ticks_format": (INT, (PTR, I64, PTR, SIZE)),
    "hpt_time_add_ticks": (INT, (PTR, I64, I64, PTR)),
    "hpt_time_add_ns": (INT, (PTR, I64, I64, PTR)),
    "hpt_time_to_ns": (INT, (PTR, I64, PTR)),
    "hpt_time_from_ns": (INT, (PTR, I64, PTR)),
    "hpt_time_to_os": (INT, (PTR, I64, I32, PTR)),
    "hpt_time_from_os": (INT, (PTR, I64, I32, PTR)),
    "hpt_time_to_unix_ns": (INT, (PTR, I64, PTR)),
    "hpt_time_from_unix_ns": (INT, (PTR, I64, PTR)),
    "hpt_time_to_unix_ticks": (INT, (PTR, I64, PTR)),
    "hpt_time_min": (I64, (PTR,)),
    "hpt_time_max": (I64, (PTR,)),
    "hpt_time_format": (INT, (PTR, I64, PTR, SIZE)),
    "hpt_time_parse": (INT, (PTR, STR, PTR)),
    "hpt_sleep_set_policy": (INT, (U32, I64)),
    "hpt_sleep_get_info": (INT, (PTR, SIZE)),
    "hpt_thread_set_slice_ns": (INT, (I64,)),
    "hpt_low_latency_open": (INT, (I32,)),
    "hpt_waiter_new": (INT, (PTR, U32, PTR)),
    "hpt_waiter_free": (None, (PTR,)),
    "hpt_waiter_sleep_until": (INT, (PTR, I64)),
    "hpt_waiter_sleep_until_ns": (INT, (PTR, I64)),
    "hpt_waiter_sleep_until_unix_ns": (INT, (PTR, I64)),
    "hpt_waiter_interrupt": (INT, (PTR,)),
    "hpt_waiter_clear": (INT, (PTR,)),
    "hpt_waiter_remaining": (I64, (PTR,)),
    "hpt_waiter_set_policy": (INT, (PTR, U32, I64)),
    "hpt_waiter_clock": (PTR, (PTR,)),
    "hpt_gate_new": (INT, (PTR, U32, PTR)),
    "hpt_gate_free": (None, (PTR,)),
    "hpt_gate_ticket": (U32, (PTR,)),
    "hpt_gate_sleep_until": (INT, (PTR, U32, I64)),
    "hpt_gate_interrupt_all": (INT, (PTR,)),
    "hpt_gate_close": (INT, (PTR,)),
    "hpt_gate_open": (INT, (PTR,)),
    "hpt_gate_set_policy": (INT, (PTR, U32, I64)),
    "hpt_ticker_new": (INT, (PTR, I64, U32, PTR)),
    "hpt_ticker_free": (None, (PTR,)),
    "hpt_ticker_start": (INT, (PTR, I64, I64)),
    "hpt_ticker_start_rational": (INT, (PTR, I64, U32, U32)),
    "hpt_ticker_set_missed": (INT, (PTR, U32, U64)),
    "hpt_ticker_set_policy": (INT, (PTR, U32, I64)),
    "hpt_ticker_wait": (INT, (PTR, PTR)),
    "hpt_ticker_interrupt": (INT, (PTR,)),
    "hpt_ticker_fd": (INT, (PTR,)),
    "hpt_ticker_next": (INT, (PTR, PTR)),
    "hpt_ticker_get_info": (INT, (PTR, PTR, SIZE)),
    "hpt_timebase_to_ns": (INT, (STR, STR, PTR, PTR, SIZE)),
    "hpt_timebase_to_unix_ns": (INT, (STR, STR, PTR, PTR, SIZE)),
    "hpt_wall_open": (INT, (PTR, STR, SIZE, U32, PTR)),
    "hpt_wall_close": (None, (PTR,)),
    "hpt_wall_now": (INT, (PTR, PTR)),
    "hpt_wall_at": (INT, (PTR, I64, PTR)),
    "hpt_wall_after": (INT, (PTR, I64)),
    "hpt_wall_before": (INT, (PTR, I64)),
    "hpt_wall_feed": (INT, (PTR, PTR, SIZE)),
    "hpt_wall_update": (INT, (PTR,)),
    "hpt_wall_get_info": (INT, (PTR, PTR, SIZE)),
    "hpt_wall_source_get_info": (INT, (PTR, U32, PTR, SIZE)),
    "hpt_wall_to_tai_ns": (INT, (PTR, I64, PTR)),
    "hpt_waiter_wait_after": (INT, (PTR, PTR, I64, I64)),
    "hpt_hlc_new": (INT, (PTR, I64, U32, PTR)),
    "hpt_hlc_free": (None, (PTR,)),
    "hpt_hlc_now": (INT, (PTR, PTR)),
    "hpt_hlc_receive": (INT, (PTR, I64, PTR)),
    "hpt_hlc_set_floor": (INT, (PTR, I64)),
    "hpt_wall_reason_text": (STR, (U32,)),
    "hpt_source_get_info": (INT, (U32, PTR, SIZE)),
    "hpt_cpu_get_info": (INT, (PTR, SIZE)),
    "hpt_kernel_hz": (U32, ()),
    "hpt_source_name": (STR, (U32,)),
    "hpt_source_parse": (INT, (STR, PTR)),
    "hpt_state_name": (STR, (U32,)),
    "hpt_stage_name": (STR, (U32,)),
    "hpt_origin_name": (STR, (U32,)),
    "hpt_reason_text": (STR, (U32,)),
    "hpt_version": (STR, ()),
    "hpt_version_number": (U32, ()),
}


def _bind(library: ctypes.CDLL, name: str) -> Callable[..., Any]:
    try:
        function = getattr(library, name)
    except AttributeError:
        raise ImportError(f"the system's {LIBRARY} is too old for this package: it has no {name}()") from None
    function.restype, function.argtypes = _PROTOTYPES[name]
    return function  # type: ignore[no-any-return]


def leaf(name: str) -> Callable[..., int]:
    """The function, called with the GIL held."""
    return _bind(_leaf, name)


def blocking(name: str) -> Callable[..., int]:
    """The function, called without the GIL."""
    return _bind(_blocking, name)


def static_text(name: str) -> Callable[..., str]:
    """The function, whose result is a static string."""
    function = _bind(_leaf, name)

    def call(*arguments: int) -> str:
        text: bytes = function(*arguments)
        return text.decode()

    return call


def default_read(name: str, function: str, doc: str) -> Callable[[], int]:
    """A read of the default clock that takes no arguments; ctypes itself passes the NULL."""
    prototype = ctypes.PYFUNCTYPE(I64, PTR)
    always_default = 5  # in the words of ctypes: an input that the caller cannot pass
    read: Any = prototype((function, _leaf), ((always_default, "clk", None),))
    read.__name__ = read.__qualname__ = name
    read.__module__ = "hpt"
    read.__doc__ = doc
    return read  # type: ignore[no-any-return]


def fail(result: int) -> NoReturn:
    """Raises the exception of a negative result."""
    text = os.strerror(-result)
    if result == -errno.ERANGE:
        raise OverflowError(text)
    if result == -errno.EINVAL:
        raise ValueError(text)
    if result == -errno.ENOMEM:
        raise MemoryError(text)
    raise OSError(-result, text)


def check(result: int, *expected: int) -> int:
    """The result of a function that fails with a negative errno value; the expected ones are no failures."""
    if result < 0 and -result not in expected:
        fail(result)
    return result


def _integer(low: int, high: int, name: str) -> Callable[[Any], int]:
    def convert(value: Any) -> int:
        number = operator.index(value)
        if not low <= number <= high:
            raise OverflowError(f"{number} does not fit in {name}")
        return number

    return convert


# ctypes cuts integers to the width of the argument; these refuse what does not fit, and what is no integer.
int32 = _integer(-(2**31), 2**31 - 1, "a signed integer of 32 bits")
int64 = _integer(INT64_MIN, INT64_MAX, "a signed integer of 64 bits")
uint32 = _integer(0, 2**32 - 1, "an unsigned integer of 32 bits")
uint64 = _integer(0, 2**64 - 1, "an unsigned integer of 64 bits")


def saturate(number: int) -> int:
    """The nearest signed integer of 64 bits."""
    return max(INT64_MIN, min(number, INT64_MAX))


def struct_bytes(function: Callable[..., int], size: int, *arguments: object) -> bytes:
    """The struct of that size, which a function fills in."""
    buffer = ctypes.create_string_buffer(size)
    check(function(*arguments, buffer, size))
    return buffer.raw


def text(value: Any) -> bytes:
    """A str for a C function; a NUL inside is an error, not an end."""
    if not isinstance(value, str):
        raise TypeError(f"a str is needed, not {type(value).__name__}")
    data = value.encode()
    if b"\0" in data:
        raise ValueError("embedded null character")
    return data


class Handle:
    """The owner of one C object. Each call on the object keeps the handle, so the end of the last call frees it."""

    __slots__ = ("_as_parameter_", "_free")

    def __init__(self, pointer: Any, free: Optional[Callable[..., Any]]) -> None:
        self._as_parameter_ = pointer
        self._free = free

    def __del__(self) -> None:
        if self._free is not None:
            self._free(self._as_parameter_)


def new_handle(new: Callable[..., int], free: Callable[..., Any], *arguments: object) -> Handle:
    """A handle of what a C function makes."""
    pointer = PTR()
    check(new(*arguments, ctypes.byref(pointer)))
    return Handle(pointer, free)


class Object:
    """The base of clocks, waiters, gates and tickers: each has a handle until it is closed."""

    __slots__ = ("_handle", "__weakref__")

    _handle: Optional[Handle]

    def __new__(cls: type[Self], *_args: object, **_keywords: object) -> Self:
        self = object.__new__(cls)
        self._handle = None
        return self

    def _adopt(self, handle: Handle) -> None:
        if self._handle is not None:
            raise ValueError(f"{type(self).__name__} is open already")
        self._handle = handle

    def _held(self) -> Handle:
        handle = self._handle
        if handle is None:
            raise ValueError(f"{type(self).__name__} is closed")
        return handle

    def _release(self) -> Optional[Handle]:
        handle, self._handle = self._handle, None
        return handle

    @property
    def closed(self) -> bool:
        """Whether close() was called."""
        return self._handle is None
