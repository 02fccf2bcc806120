# SPDX-License-Identifier: MIT
"""Parts that the tests of hpt._native share: objects of each kind, sleeps on them, threads and child processes."""

import os
import re
import select
import struct
import subprocess
import sys
import textwrap
import threading
import time

import pytest

native = pytest.importorskip("hpt._native", reason="the package is installed without its C extension")

INT64_MAX = 2**63 - 1
INT64_MIN = -(2**63)
GHZ = 10**9  # a tick is a nanosecond
HOUR_NS = 3600 * 10**9
HANG_S = 60  # only a thread that hangs takes longer

CANCELED = -125
SHUTDOWN = -108
TIMEDOUT = -110
NODATA = -61


def clock():
    """A clock that may be closed, on the system's monotonic time."""
    return native.Clock(3)


# Of a wall that the program alone feeds.
WALL_CONFIG = struct.pack("=6I4q112s112s112s64s", 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, b"", b"", b"", b"")


def wall():
    """A wall on the default clock that has a bound, by a sample of 2001."""
    made = native.Wall(None, WALL_CONFIG, 0)
    made.feed(native.now(), native.now(), 10**18, 10**18 + 1000, 0)
    return made


KINDS = {
    "clock": clock,
    "waiter": native.Waiter,
    "gate": native.Gate,
    "ticker": lambda: native.Ticker(None, HOUR_NS),
    "wall": wall,
    "hlc": lambda: native.Hlc(wall(), HOUR_NS),
}


def arguments_of(kind):
    """Those of __init__()."""
    makers = {
        "clock": lambda: (3,),
        "ticker": lambda: (None, HOUR_NS),
        "wall": lambda: (None, WALL_CONFIG, 0),
        "hlc": lambda: (wall(), HOUR_NS),
    }
    return makers.get(kind, tuple)()


def in_an_hour(c):
    return c.now() + c.ns_to_ticks(HOUR_NS)


def poll_itself(waiter):
    """A wait for the waiter's own descriptor, by which an interrupt and close() end it."""
    own = waiter.fileno()
    found = waiter.poll_until_ns([(own, select.POLLIN)], INT64_MAX)
    return CANCELED if found == [(own, select.POLLIN)] else found


def epoll_itself(waiter):
    with select.epoll() as epoll:
        own = waiter.fileno()
        epoll.register(own, select.EPOLLIN)
        found = waiter.epoll_until_ns(epoll, 1, INT64_MAX)
    return CANCELED if found == [(own, select.EPOLLIN)] else found


# By name: how to make the object, and a sleep of an hour on it.
LONG_SLEEPS = {
    "clock.sleep_ns": (clock, lambda c: c.sleep_ns(HOUR_NS)),
    "clock.sleep_until_ticks": (clock, lambda c: c.sleep_until_ticks(in_an_hour(c))),
    "clock.sleep_until_ns": (clock, lambda c: c.sleep_until_ns(c.now_ns() + HOUR_NS)),
    "clock.sleep_until_unix_ns": (clock, lambda c: c.sleep_until_unix_ns(c.unix_ns() + HOUR_NS)),
    "waiter.sleep_ns": (native.Waiter, lambda w: w.sleep_ns(HOUR_NS)),
    "waiter.sleep_until_ticks": (native.Waiter, lambda w: w.sleep_until_ticks(INT64_MAX)),
    "waiter.sleep_until_ns": (native.Waiter, lambda w: w.sleep_until_ns(native.now_ns() + HOUR_NS)),
    "waiter.sleep_until_unix_ns": (native.Waiter, lambda w: w.sleep_until_unix_ns(native.unix_ns() + HOUR_NS)),
    "waiter.poll_until_ns": (native.Waiter, poll_itself),
    "waiter.epoll_until_ns": (native.Waiter, epoll_itself),
    "waiter.wait_after_on": (native.Waiter, lambda w: wall().wait_after_on(w, INT64_MAX - 1, INT64_MAX)),
    "waiter.sleep_until_ns_on": (native.Waiter, lambda w: wall().sleep_until_ns_on(w, INT64_MAX - 1, 0)[0]),
    "gate.wait_until_ns": (native.Gate, lambda g: g.wait_until_ns(g.ticket(), native.now_ns() + HOUR_NS)),
    "gate.wait_until_ticks": (native.Gate, lambda g: g.wait_until_ticks(g.ticket(), INT64_MAX)),
    "ticker.wait": (KINDS["ticker"], lambda t: t.wait()[0]),
}


class Call:
    """Knows whether a thread is in a sleep of the extension; watch() is for sys.setprofile() in that thread.

    From its report of the call to that of the return the thread runs no Python code but signal handlers: if the frame
    that it runs is the one that called, it is in the sleep.
    """

    SLEEPS = {name.split(".")[1] for name in LONG_SLEEPS} | set(filter(re.compile("sleep_").match, dir(native)))

    def __init__(self):
        self.frame = None

    def watch(self, frame, event, function):
        if getattr(function, "__name__", None) in self.SLEEPS and event.startswith("c_"):
            self.frame = frame if event == "c_call" else None

    def runs(self, frame):
        return frame is not None and frame is self.frame


class Thread(threading.Thread):
    """A thread that keeps what its function returned or raised, and must end."""

    def __init__(self, function, *arguments):
        super().__init__(daemon=True)
        self.function, self.arguments = function, arguments
        self.result = self.error = None
        self.start()

    def run(self):
        try:
            self.result = self.function(*self.arguments)
        except Exception as error:  # for the thread that joins
            self.error = error

    def outcome(self):
        """The result, or the type of the exception."""
        self.join(HANG_S)
        assert not self.is_alive(), "the thread hangs"
        return self.result if self.error is None else type(self.error)


class Sleeping(Thread):
    """A thread that is in a sleep of the extension when the constructor returns."""

    def __init__(self, function, *arguments):
        self.call = Call()
        super().__init__(function, *arguments)
        while self.is_alive() and not self.call.runs(sys._current_frames().get(self.ident)):
            time.sleep(0.001)

    def run(self):
        sys.setprofile(self.call.watch)
        super().run()


def run_python(script, *arguments, **variables):
    """Runs a script in another interpreter of this kind, and returns its standard output."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path), **variables}
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script), *arguments],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        universal_newlines=True,
        timeout=2 * HANG_S,
    )
    assert (done.returncode, done.stderr) == (0, ""), done
    return done.stdout


def in_child(function):
    """Forks, and returns what the function returns in the child: 0 to 255; a function that raises gives 255."""
    pid = os.fork()
    if pid == 0:
        status = 255
        try:
            status = function()
        except BaseException as error:  # the parent reads it
            print(repr(error), file=sys.stderr, flush=True)
        finally:
            os._exit(status)
    return wait_for(pid)


def wait_for(pid):
    """The exit status of a child, which is killed if it hangs."""
    waiter = Thread(os.waitpid, pid, 0)
    waiter.join(HANG_S)
    if waiter.is_alive():
        os.kill(pid, 9)
    status = waiter.outcome()[1]
    return os.WEXITSTATUS(status) if os.WIFEXITED(status) else -os.WTERMSIG(status)
