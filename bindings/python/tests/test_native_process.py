# SPDX-License-Identifier: MIT
"""hpt._native: signals, fork, the end of the interpreter, and several interpreters in a process."""

import errno
import os
import select
import signal
import sys
import time

import pytest
from native_support import (
    CANCELED,
    HOUR_NS,
    KINDS,
    LONG_SLEEPS,
    SHUTDOWN,
    TIMEDOUT,
    Call,
    Sleeping,
    Thread,
    in_child,
    native,
    run_python,
)

# The sleeps of the default clock too, which has no object.
SLEEPS = {
    **LONG_SLEEPS,
    "sleep_ns": (lambda: None, lambda _: native.sleep_ns(HOUR_NS)),
    "sleep_until_ticks": (lambda: None, lambda _: native.sleep_until_ticks(2**63 - 1)),
    "sleep_until_ns": (lambda: None, lambda _: native.sleep_until_ns(native.now_ns() + HOUR_NS)),
    "sleep_until_unix_ns": (lambda: None, lambda _: native.sleep_until_unix_ns(native.unix_ns() + HOUR_NS)),
}
MEANWHILE_NS = 150 * 10**6
# Until a time, or for the length that is left until then.
SHORT_SLEEPS = {
    "sleep_ns": lambda ns, _: native.sleep_ns(ns - native.now_ns()),
    "sleep_until_ticks": lambda ns, _: native.sleep_until_ticks(native.Clock().from_ns(ns) + 1),
    "sleep_until_ns": lambda ns, _: native.sleep_until_ns(ns),
    "sleep_until_unix_ns": lambda ns, _: native.sleep_until_unix_ns(native.unix_ns() + ns - native.now_ns()),
    "clock": lambda _, length: native.Clock(1 if native.Clock().info()[4] == 1 else 3).sleep_ns(length),
    "waiter": lambda ns, _: native.Waiter().sleep_until_ns(ns),
    "poll": lambda ns, _: len(native.Waiter().poll_until_ns([], ns)),
    "epoll": lambda ns, _: len(native.Waiter().epoll_until_ns(select.epoll(), 1, ns)),
    "gate": lambda ns, _: (lambda g: g.wait_until_ns(g.ticket(), ns) - TIMEDOUT)(native.Gate()),
    "gate, ticks": lambda ns, _: (
        lambda g: g.wait_until_ticks(g.ticket(), native.Clock().from_ns(ns) + 1) - TIMEDOUT
    )(native.Gate()),
    "ticker": lambda _, length: native.Ticker(None, length).wait()[0],
}


class Alarm(Exception):
    pass


class alarms:
    """Runs a handler every 30 ms: a signal that comes before the sleep is in the kernel does not end it."""

    def __init__(self, handler):
        self.handler = handler

    def __enter__(self):
        self.before = signal.signal(signal.SIGALRM, self.on_signal)
        signal.setitimer(signal.ITIMER_REAL, 0.03, 0.03)

    def on_signal(self, *arguments):
        self.handler(*arguments)

    def __exit__(self, *_):
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, self.before)


class alarms_in_sleep(alarms):
    """Runs the handler only where it interrupts a sleep: one that came before might close what the sleep needs."""

    def __enter__(self):
        self.call = Call()
        sys.setprofile(self.call.watch)
        super().__enter__()

    def on_signal(self, number, frame):
        if self.call.runs(frame):
            self.handler(number, frame)

    def __exit__(self, *error):
        super().__exit__(*error)
        sys.setprofile(None)


# ---- Signals ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SLEEPS)
def test_handler_that_raises_ends_the_sleep(name):
    make, sleep = SLEEPS[name]
    made = make()
    raised = []

    def handler(*_):
        if not raised:
            raised.append(1)
            raise Alarm

    with pytest.raises(Alarm), alarms_in_sleep(handler):
        sleep(made)
    if made is not None:
        assert not made.closed
        made.close()


@pytest.mark.parametrize("name", SHORT_SLEEPS)
def test_sleep_goes_on_after_a_handler(name):
    seen = []

    def handlers_during(length):
        seen.clear()
        begin = native.now_ns()
        assert SHORT_SLEEPS[name](begin + length, length) == 0
        assert native.now_ns() >= begin + length
        return [at for at in seen if at < begin + length]

    with alarms(lambda *_: seen.append(native.now_ns())):
        # A process that gets no CPU until the deadline runs no handler before it: the next sleep is longer then.
        assert any(handlers_during(MEANWHILE_NS << turn) for turn in range(6)), "handlers run during the sleep"


@pytest.mark.parametrize("name", LONG_SLEEPS)
def test_handler_closes_the_object(name):
    make, sleep = LONG_SLEEPS[name]
    made = make()
    with alarms_in_sleep(lambda *_: made.close()):
        assert sleep(made) in (CANCELED, SHUTDOWN)
    assert made.closed


def test_handler_sleeps_on_the_same_waiter():
    waiter = native.Waiter()
    results = []
    with alarms(lambda *_: results.append(waiter.sleep_ns(1000))):
        assert waiter.sleep_ns(MEANWHILE_NS) == 0
    assert results and set(results) == {0}


@pytest.mark.parametrize("wait", ["sleep", "poll"])
def test_waiter_without_signals(wait):
    waiter = native.Waiter(None, eintr=False)
    seen = []
    with alarms(lambda *_: seen.append(native.now_ns())):
        begin = native.now_ns()
        if wait == "sleep":
            assert waiter.sleep_until_ns(begin + MEANWHILE_NS) == 0
        else:
            assert waiter.poll_until_ns([], begin + MEANWHILE_NS) == []
    assert all(at >= begin + MEANWHILE_NS for at in seen[:1])


def test_ctrl_c():
    script = """
    import _thread, os, signal, sys, threading, time
    from hpt import _native as native
    def interrupt():
        while True:
            time.sleep(0.1)
            os.kill(os.getpid(), signal.SIGINT)
    threading.Thread(target=interrupt, daemon=True).start()
    try:
        native.sleep_ns(3600 * 10**9)
    except KeyboardInterrupt:
        print("interrupted", flush=True)
        os._exit(0)
    """
    assert run_python(script) == "interrupted\n"


# ---- Fork ---------------------------------------------------------------------------------------------------


@pytest.fixture
def sleeping():
    """One object of each kind of sleep, with a thread that sleeps on it."""
    objects = {name: make() for name, (make, _) in LONG_SLEEPS.items()}
    threads = [Sleeping(LONG_SLEEPS[name][1], made) for name, made in objects.items()]
    yield objects
    for made in objects.values():
        made.close()
    assert {thread.outcome() for thread in threads} == {CANCELED, SHUTDOWN}


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_objects_after_fork(sleeping):
    def child():
        for name, made in sleeping.items():
            kind = name.split(".")[0]
            if kind == "gate":
                assert made.wait_until_ns(made.ticket(), 1) == TIMEDOUT
            elif kind == "ticker":
                made.start(native.now_ns(), 10**6)
                assert made.wait()[0] == 0
            else:
                assert made.sleep_ns(10**6) == 0
        closing = list(sleeping.values())
        for made in closing:
            made.close()
            assert made.closed
        sleeping.clear()
        return 7

    assert in_child(child) == 7


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_close_in_a_child_frees(sleeping):
    """The child has no other calls in flight, so the descriptor is closed at once."""

    def child():
        ticker = sleeping["ticker.wait"]
        descriptor = ticker.fileno()
        ticker.close()
        try:
            os.fstat(descriptor)
        except OSError as error:
            return 7 if error.errno == errno.EBADF else 8
        return 9

    assert in_child(child) == 7


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_close_in_a_child_with_threads(sleeping):
    def child():
        for name, made in sleeping.items():
            thread = Sleeping(LONG_SLEEPS[name][1], made)
            made.close()
            assert thread.outcome() in (CANCELED, SHUTDOWN)
        return 7

    assert in_child(child) == 7


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_fork_storm():
    """Threads that sleep for short on a clock, and forks at any moment of it."""
    clock = KINDS["clock"]()
    waiters = [native.Waiter(clock) for _ in range(2)]
    stop = []

    def sleeps(sleep):
        while not stop:
            assert sleep(20_000) == 0

    threads = [Thread(sleeps, made.sleep_ns) for made in (*waiters, clock, clock)]

    def child():
        assert clock.sleep_ns(1000) == 0
        assert [waiter.sleep_ns(1000) for waiter in waiters] == [0, 0]
        clock.close()
        return 7 if waiters[0].sleep_ns(1000) == 0 else 8

    try:
        for _ in range(30):
            assert in_child(child) == 7
    finally:
        stop.append(1)
    assert [thread.outcome() for thread in threads] == [None] * 4


@pytest.mark.parametrize("name", LONG_SLEEPS)
def test_handler_forks(name):
    """The child goes on with the sleep that its handler interrupted."""
    script = """
    import os, signal, sys
    sys.path.insert(0, {folder!r})
    from native_support import CANCELED, LONG_SLEEPS, SHUTDOWN, Call, Thread, native, wait_for
    make, sleep = LONG_SLEEPS[{name!r}]
    made = make()
    children = []
    call = Call()
    def next_alarm():
        signal.setitimer(signal.ITIMER_REAL, 0.03)
    # One alarm at a time, and only in the sleep: the first forks, the second closes.
    def handler(_, frame):
        if not call.runs(frame):
            next_alarm()
        elif not children:
            children.append(os.fork())
            next_alarm() # in the child too, which inherits none
        else:
            if children[0]:
                children.append(wait_for(children[0]))
            Thread(made.close).outcome()
    signal.signal(signal.SIGALRM, handler)
    sys.setprofile(call.watch)
    next_alarm()
    result = sleep(made)
    assert result in (CANCELED, SHUTDOWN), result
    if children[0] == 0:
        os._exit(7)
    print(children[1])
    """
    folder = os.path.dirname(os.path.abspath(__file__))
    assert run_python(script.format(folder=folder, name=name)) == "7\n"


def test_generations_of_children():
    """More than the counter of forks has numbers."""
    script = """
    import os, sys
    from hpt import _native as native
    waiter, clock = native.Waiter(), native.Clock(3)
    for generation in range(140):
        assert waiter.sleep_ns(1) == clock.sleep_ns(1) == 0
        child = os.fork()
        if child:
            status = os.waitpid(child, 0)[1]
            os._exit(os.WEXITSTATUS(status) if os.WIFEXITED(status) else 99)
    waiter.close()
    clock.close()
    """
    run_python(script)


# ---- The end of the interpreter -----------------------------------------------------------------------------

ENDING = """
import atexit, sys, threading, time
from hpt import _native as native
HOUR_NS = 3600 * 10**9
clock, waiter, gate, ticker = native.Clock(3), native.Waiter(), native.Gate(), native.Ticker(None, HOUR_NS)
short, tick, polls, polled = native.Waiter(), native.Ticker(None, 50_000), native.Waiter(), native.Waiter()
def forever(function):
    while True:
        function()
def until_closed(function):
    try:
        function()
    except ValueError: # this thread came to its next call before the interpreter ended
        pass
for target in (lambda: native.sleep_ns(HOUR_NS), lambda: clock.sleep_ns(HOUR_NS), lambda: waiter.sleep_ns(HOUR_NS),
               lambda: gate.wait_until_ticks(gate.ticket(), 2**63 - 1), ticker.wait, lambda: forever(tick.wait),
               lambda: forever(lambda: short.sleep_ns(50_000)), lambda: forever(lambda: clock.sleep_ns(50_000)),
               lambda: forever(lambda: native.sleep_ns(50_000)), lambda: polled.poll_until_ns([(polled, 1)], 2**63 - 1),
               lambda: forever(lambda: polls.poll_until_ns([(polls, 1)], native.now_ns() + 50_000))):
    threading.Thread(target=until_closed, args=(target,), daemon=True).start()
time.sleep(0.05)
def close():
    for made in (clock, waiter, gate, ticker, polled):
        made.close()
class Closes:
    def __del__(self, close=close):
        close()
"""


@pytest.mark.parametrize("end", ["", "atexit.register(close)", "close()", "sys.closes = Closes()", "closes = Closes()"])
def test_daemon_threads_sleep_at_exit(end):
    for _ in range(4):
        run_python(ENDING + end)


def test_exit_from_a_thread_that_sleeps():
    script = """
    import threading
    from hpt import _native as native
    threading.Thread(target=native.sleep_ns, args=(10**8,)).start()
    """
    run_python(script)


# ---- Several interpreters -----------------------------------------------------------------------------------

INNER = """
import threading
from hpt import _native as native
manual = native.Clock.manual(10**9, 1)
thread = threading.Thread(target=manual.sleep_ns, args=(1000,))
thread.start()
while not manual.sleepers():
    native.sleep_ns(1000)
manual.advance(1000)
thread.join()
for make in (native.Waiter, native.Gate, lambda: native.Ticker(None, 1000), lambda: native.Clock(3)):
    kept = make()
    for _ in range(100):
        make()
assert native.Waiter(manual).sleep_until_ticks(1) == 0
class Derived(native.Waiter):
    pass
kept = Derived()
kept.itself = kept
"""

OUTER = """
import sys, threading
from hpt import _native as native
try:
    import _interpreters as interpreters
    create, run = interpreters.create, interpreters.exec
except ImportError:
    import _xxsubinterpreters as interpreters
    # Before 3.12 an isolated one starts no threads. From then on it has a GIL of its own.
    create, run = lambda: interpreters.create(isolated=sys.version_info >= (3, 12)), interpreters.run_string
inner = "import sys; sys.path[:] = " + repr(sys.path) + "\\n" + sys.argv[1]
def life():
    for _ in range(3):
        which = create()
        error = run(which, inner)
        assert error is None, error
        interpreters.destroy(which)
threads = [threading.Thread(target=life) for _ in range(int(sys.argv[2]))]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert native.sleep_ns(1000) == 0
print("done")
"""


def test_subinterpreters():
    """From 3.12 on each has a GIL of its own, and imports only modules that declare support for that."""
    assert run_python(OUTER, INNER, "1") == "done\n"


@pytest.mark.skipif(sys.version_info < (3, 13), reason="interpreters before 3.13 start and end in one thread only")
def test_subinterpreters_at_the_same_time():
    assert run_python(OUTER, INNER, "3") == "done\n"
