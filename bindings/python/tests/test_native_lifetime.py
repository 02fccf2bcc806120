# SPDX-License-Identifier: MIT
"""hpt._native: objects are made, used, closed and freed; nothing leaks, also where a call fails."""

import ast
import copy
import errno
import gc
import inspect
import os
import pathlib
import pickle
import select
import sys
import time
import weakref

import pytest
from native_support import (
    CANCELED,
    GHZ,
    HANG_S,
    HOUR_NS,
    INT64_MAX,
    KINDS,
    TIMEDOUT,
    WALL_CONFIG,
    Thread,
    arguments_of,
    native,
    run_python,
    wall,
)

MANY = 20_000

# Every method with arguments that it takes. Sleeps return at once.
WALL, WAITER, EPOLL, PIPE = wall(), native.Waiter(), select.epoll(), os.pipe()

METHODS = {
    "clock": {
        "ref": (), "now": (), "now_unordered": (), "now_ns": (), "now_ns_unordered": (), "unix_ns": (), "now_cpu": (),
        "monotonic_ns": (), "boottime_ns": (), "tai_ns": (),
        "ticks_to_ns": (1,), "ns_to_ticks": (1,), "add_ns": (1, 2), "to_ns": (1,), "from_ns": (1,), "set_default": (),
        "to_unix_ns": (1,), "from_unix_ns": (10**18,), "to_unix_ticks": (1,), "to_os": (1, 1),
        "from_os": (1, 1), "format": (1,), "format_ticks": (1,), "parse": ("2026-11-20T10:47:59Z",), "min": (),
        "max": (), "check": (), "generation": (), "info": (), "sample": (), "timebase": (), "sleepers": (),
        "sleep_ns": (1,), "sleep_until_ticks": (1,), "sleep_until_ns": (1,), "sleep_until_unix_ns": (1,),
        "advance": (1,),
    },
    "waiter": {
        "sleep_ns": (1,), "sleep_until_ticks": (1,), "sleep_until_ns": (1,), "sleep_until_unix_ns": (1,),
        "poll_until_ns": ([(fd, 5) for fd in PIPE], 1), "epoll_until_ns": (EPOLL, 1, 1), "fileno": (),
        "margin_ns": (1,), "learn_ns": (1, 2),
        "interrupt": (), "clear": (), "remaining_ns": (), "set_policy": (0, 0),
    },
    "gate": {
        "ticket": (), "wait_until_ns": (2, 1), "wait_until_ticks": (2, 1), "notify_all": (), "shut": (), "reopen": (),
        "set_policy": (0, 0),
    },
    "ticker": {
        "start": (1, 10**6), "start_rational": (1, 1, 60), "set_missed": (0, 0), "set_policy": (0, 0), "wait": (),
        "interrupt": (), "fileno": (), "next_ns": (), "info": (),
    },
    "wall": {
        "now": (), "at": (1,), "at_os_ns": (1, 1), "after": (1,), "before": (1,), "to_tai_ns": (1,),
        "feed": (1, 1, 10**18, 10**18, 0), "update": (), "info": (), "source_info": (1,),
        "wait_after_on": (WAITER, 0, INT64_MAX), "sleep_until_ns_on": (WAITER, 0, 0), "fileno": (),
        "fd_clear": (),
    },
    "hlc": {"now": (), "receive": (1,), "set_floor": (1,), "info": ()},
}
EVERY_METHOD = [(kind, name, arguments) for kind, table in METHODS.items() for name, arguments in table.items()]

FUNCTIONS = {
    "now": (), "now_unordered": (), "now_ns": (), "now_ns_unordered": (), "unix_ns": (), "sleep_ns": (1,),
    "sleep_until_ticks": (1,), "sleep_until_ns": (1,), "sleep_until_unix_ns": (1,), "set_default_source": (0,),
    "set_policy": (0, 0), "set_slice_ns": (-1,), "low_latency_open": (-1,), "sleep_info": (), "source_info": (3,),
    "cpu_info": (), "kernel_hz": (), "source_name": (1,), "state_name": (1,), "stage_name": (1,), "origin_name": (1,),
    "reason_text": (1,), "wall_reason_text": (1,), "source_parse": ("tsc",), "version": (), "version_number": (),
    "timebase_to_ns": (b"", None, b"", b""), "timebase_to_unix_ns": (b"", None, b"", b""),
}

# Constructors that fail: before, in and after the library's call.
FAILURES = {
    "source": lambda: native.Clock(99),
    "source type": lambda: native.Clock("tsc"),
    "manual source": lambda: native.Clock(6),
    "frequency": lambda: native.Clock.manual(0),
    "start": lambda: native.Clock.manual(GHZ, INT64_MAX),
    "mmio": lambda: native.Clock.mmio(bytes(96)),
    "mmio size": lambda: native.Clock.mmio(bytes(95)),
    "clock type": lambda: native.Waiter(1),
    "clock closed": lambda: native.Gate(closed("clock")),
    "period": lambda: native.Ticker(None, -1),
    "period type": lambda: native.Ticker(None, 1.5),
    "arguments": lambda: native.Waiter(None, True, 1),
    "config": lambda: native.Wall(None, bytes(len(WALL_CONFIG) - 1), 0),
    "wall flags": lambda: native.Wall(None, bytes(len(WALL_CONFIG)), 2),
    "wall clock": lambda: native.Wall(closed("clock"), bytes(len(WALL_CONFIG)), 0),
    "wall type": lambda: native.Hlc(native.Waiter(), 0),
    "wall closed": lambda: native.Hlc(closed("wall"), 0),
    "ahead": lambda: native.Hlc(WALL, -1),
}
ERRORS = (ValueError, TypeError, OverflowError, OSError)


def closed(kind):
    made = KINDS[kind]()
    made.close()
    return made


def blocks_of(repeat):
    """Memory blocks that Python has more after a function than before, apart from what its first runs keep."""
    repeat()
    gc.collect()
    before = sys.getallocatedblocks()
    repeat()
    gc.collect()
    return sys.getallocatedblocks() - before


def resident_kib():
    with open("/proc/self/status", encoding="ascii") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS:"))


def parameters_of(node):
    every = [*node.args.posonlyargs, *node.args.args]
    return [argument.arg for argument in every if argument.arg not in ("self", "cls")]


def test_stub_is_the_module():
    """The names of _native.pyi, and the parameters of each, are those of the module."""
    path = pathlib.Path(native.__file__).with_name("_native.pyi")
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            assert parameters_of(node) == list(inspect.signature(getattr(native, node.name)).parameters)
    assert {node.name for node in tree.body if isinstance(node, ast.FunctionDef)} == set(FUNCTIONS)
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    assert set(classes) == {name for name in dir(native) if isinstance(getattr(native, name), type)}
    for name, node in classes.items():
        methods = {each.name: each for each in node.body if isinstance(each, ast.FunctionDef)}
        assert set(methods) - {"__init__"} == {each for each in dir(getattr(native, name)) if each[0] != "_"}
        no_signature = {"closed"} if sys.version_info >= (3, 10) else {"closed", "__init__"}
        for method in set(methods) - no_signature:
            function = getattr(native, name) if method == "__init__" else getattr(getattr(native, name), method)
            assert parameters_of(methods[method]) == [
                each for each in inspect.signature(function).parameters if each != "self"
            ]


def test_tables_are_complete():
    for kind, table in METHODS.items():
        names = {name for name in dir(type(KINDS[kind]())) if not name.startswith("_")}
        assert names - {"close", "closed", "manual", "mmio"} == set(table)
    functions = {name for name in dir(native) if callable(getattr(native, name)) and name[0].islower()}
    assert functions == set(FUNCTIONS)


def interrupted_wait():
    ticker = native.Ticker(None, HOUR_NS)
    ticker.interrupt()
    assert ticker.wait() == (CANCELED, 0)


MAKERS = {
    **KINDS,
    "manual": lambda: native.Clock.manual(GHZ),
    "default": native.Clock,
    "ref": lambda: native.Clock.manual(GHZ).ref(),
    "interrupted wait": interrupted_wait,
}


@pytest.mark.parametrize("maker", MAKERS)
def test_objects_are_freed(maker):
    def make():
        for _ in range(MANY):
            MAKERS[maker]()

    assert blocks_of(make) < 50
    before = resident_kib()
    make()
    make()
    assert resident_kib() - before < 1024  # of objects that each have 100 bytes or more


@pytest.mark.parametrize("kind", KINDS)
def test_closed_objects_are_freed(kind):
    def make():
        for _ in range(MANY):
            closed(kind)

    make()
    before = resident_kib()
    make()
    make()
    assert resident_kib() - before < 1024


@pytest.mark.parametrize("make", [native.Waiter, native.Gate, lambda clock: native.Ticker(clock, 1)])
def test_constructors_leave_their_clock(make):
    """A clock that an object was made on is freed by close(): its memory serves the next, also while it is kept."""
    kept = []

    def clocks():
        for _ in range(MANY):
            kept.append(native.Clock.manual(GHZ))
            make(kept[-1])
            kept[-1].close()

    clocks()
    before = resident_kib()
    clocks()
    assert resident_kib() - before < MANY // 1024 * 256  # a Python object is smaller, with a clock it is larger


def is_open(descriptor):
    try:
        os.fstat(descriptor)
    except OSError as error:
        assert error.errno == errno.EBADF
        return False
    return True


@pytest.mark.parametrize("kind", ["waiter", "ticker"])
def test_close_frees_at_once(kind):
    made = KINDS[kind]()
    descriptor = made.fileno()
    assert is_open(descriptor)
    made.close()
    assert not is_open(descriptor)


def test_the_last_call_frees():
    """A closed ticker keeps its descriptor until the thread that waits has left."""
    for _ in range(20):
        ticker = native.Ticker(None, HOUR_NS)
        descriptor = ticker.fileno()
        thread = Thread(ticker.wait)
        time.sleep(0.001)
        ticker.close()
        assert thread.outcome() in ((CANCELED, 0), ValueError)
        assert not is_open(descriptor)


@pytest.mark.parametrize("kind", ["waiter", "ticker"])
def test_dealloc_closes_a_descriptor(kind):
    made = KINDS[kind]()
    descriptor = made.fileno()
    del made
    assert not is_open(descriptor)


@pytest.mark.parametrize("name", FAILURES)
def test_failed_constructors_leak_nothing(name):
    def fail():
        for _ in range(1000):
            with pytest.raises(ERRORS):
                FAILURES[name]()

    types = [native.Clock, native.Waiter, native.Gate, native.Ticker]
    before = [sys.getrefcount(kind) for kind in types]
    assert blocks_of(fail) < 50
    assert same([sys.getrefcount(kind) for kind in types], before)


def same(counts, before):
    """Equal but for what others do with shared objects meanwhile: a leak or a loss in each call is 300 or more."""
    return all(abs(count - earlier) < 100 for count, earlier in zip(counts, before))


def call(function, arguments):
    try:
        function(*arguments)
    except ERRORS:
        pass


@pytest.mark.parametrize("kind, name, arguments", EVERY_METHOD)
def test_methods_leak_nothing(kind, name, arguments):
    made = native.Clock.manual(GHZ, 1) if name == "advance" else KINDS[kind]()
    if name == "wait":
        made.start(1, 1)
    bad = tuple(object() for _ in arguments) or (1,)
    large = tuple(10**30 for _ in arguments)
    counts = [sys.getrefcount(value) for value in (made, type(made), *arguments, *bad)]

    def calls():
        for _ in range(300):
            for each in (arguments, bad, large, (*arguments, 1)):
                call(getattr(made, name), each)

    assert blocks_of(calls) < 50
    assert same([sys.getrefcount(value) for value in (made, type(made), *arguments, *bad)], counts)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_leak_nothing(name):
    arguments = FUNCTIONS[name]
    bad = tuple(object() for _ in arguments) or (1,)
    large = tuple(10**30 for _ in arguments)

    def calls():
        for _ in range(300):
            for each in (arguments, bad, large, (*arguments, 1)):
                call(getattr(native, name), each)

    assert blocks_of(calls) < 50


@pytest.mark.parametrize("kind, name, arguments", EVERY_METHOD)
def test_use_after_close(kind, name, arguments):
    made = closed(kind)
    assert made.closed
    with pytest.raises(ValueError, match=f"the {kind} is closed"):
        getattr(made, name)(*arguments)
    made.close()
    assert kind in repr(made).lower()


@pytest.mark.parametrize("kind, name, arguments", EVERY_METHOD)
def test_use_before_init(kind, name, arguments):
    made = type(KINDS[kind]()).__new__(type(KINDS[kind]()))
    assert made.closed
    with pytest.raises(ValueError):
        getattr(made, name)(*arguments)
    made.close()
    made.__init__(*arguments_of(kind))
    assert not made.closed


@pytest.mark.parametrize("kind", KINDS)
def test_second_init(kind):
    made = KINDS[kind]()
    arguments = arguments_of(kind)
    with pytest.raises(ValueError, match="initialized"):
        made.__init__(*arguments)
    assert not made.closed
    made.close()
    with pytest.raises(ValueError, match="initialized"):
        made.__init__(*arguments)
    assert made.closed


@pytest.mark.parametrize("kind", KINDS)
def test_init_in_two_threads(kind):
    arguments = arguments_of(kind)
    for _ in range(50):
        made = type(KINDS[kind]()).__new__(type(KINDS[kind]()))
        outcomes = [thread.outcome() for thread in [Thread(made.__init__, *arguments) for _ in range(4)]]
        assert sorted(map(str, outcomes)) == sorted(map(str, [None, ValueError, ValueError, ValueError]))
        assert not made.closed


def test_default_clock_stays_open():
    default = native.Clock()
    default.close()
    assert not default.closed
    assert default.now() > 0


def test_another_holder():
    class Derived(native.Clock):
        pass

    first = Derived.manual(GHZ, 5)
    second = first.ref()
    assert type(second) is native.Clock
    first.advance(1)
    first.close()
    assert second.now() == 6 and not second.closed
    third = second.ref()
    del second
    assert third.now() == 6
    third.close()
    assert third.closed
    lasting = native.Clock().ref()
    lasting.close()
    assert not lasting.closed and lasting.now() > 0


def test_closing_one_holder_ends_its_own_sleeps():
    first = native.Clock.manual(GHZ)
    second = first.ref()
    threads = [Thread(clock.sleep_ns, 1000) for clock in (first, second)]
    while first.sleepers() < 2:
        time.sleep(0)
    first.close()
    assert threads[0].outcome() == CANCELED
    second.advance(1000)
    assert threads[1].outcome() == 0


def test_objects_hold_their_clock():
    manual = native.Clock.manual(GHZ, 5)
    objects = native.Waiter(manual), native.Gate(manual), native.Ticker(manual, 1)
    manual.close()
    del manual
    gc.collect()
    assert objects[0].sleep_until_ticks(5) == 0
    assert objects[1].wait_until_ticks(objects[1].ticket(), 5) == TIMEDOUT
    assert objects[2].next_ns() == 6


@pytest.mark.parametrize("kind", KINDS)
def test_weak_references(kind):
    made = KINDS[kind]()
    seen = []
    reference = weakref.ref(made, seen.append)
    assert reference() is made
    del made
    assert reference() is None and seen == [reference]


@pytest.mark.parametrize("kind", KINDS)
def test_derived_types(kind):
    base = type(KINDS[kind]())
    arguments = arguments_of(kind)

    class Derived(base):
        def __init__(self, *more):
            super().__init__(*more)
            self.itself = self  # a cycle

    class Slotted(base):
        __slots__ = ("one", "__dict__")

    reference = weakref.ref(Derived(*arguments))
    gc.collect()
    assert reference() is None
    assert not Slotted(*arguments).closed


def test_types_are_freed():
    class Derived(native.Waiter):
        pass

    Derived.kept = Derived()  # a cycle by way of the type
    reference = weakref.ref(Derived)
    del Derived
    gc.collect()
    assert reference() is None


def test_clock_of_derived_type_is_a_clock():
    class Mixed:
        pass

    class Derived(Mixed, native.Clock):
        pass

    class Waiter(Mixed, native.Waiter):
        pass

    manual = Derived.manual(GHZ, 7)
    assert type(manual) is Derived and manual.now() == 7
    assert Waiter(manual).sleep_until_ticks(7) == 0
    with pytest.raises(TypeError):
        Waiter(Mixed())


def test_a_waiter_is_a_waiter():
    class Derived(native.Waiter):
        pass

    assert WALL.wait_after_on(Derived(), 0, INT64_MAX) == 0
    for wrong in (None, object(), native.Gate(), native.Clock(), WALL):
        with pytest.raises(TypeError, match="not a Waiter"):
            WALL.wait_after_on(wrong, 0, INT64_MAX)


@pytest.mark.parametrize("kind", KINDS)
def test_no_copies(kind):
    made = KINDS[kind]()
    for attempt in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(TypeError):
            attempt(made)


def test_dropped_in_another_thread():
    for kind in KINDS:
        made = [KINDS[kind]() for _ in range(100)]
        thread = Thread(made.clear)
        thread.join(HANG_S)
        assert thread.outcome() is None and not made


def test_module_is_imported_again():
    script = """
    import gc, sys
    import hpt._native as first
    kept = first.Clock.manual(10**9, 3)
    for _ in range(20):
        del sys.modules["hpt._native"]
        import importlib
        again = importlib.import_module("hpt._native")
        assert again is not first and again.Clock is not first.Clock
        again.Waiter(again.Clock())
        try:
            again.Waiter(kept)
        except TypeError:
            pass
        else:
            raise AssertionError("a clock of another module")
        gc.collect()
    assert kept.now() == 3
    """
    run_python(script)
