# SPDX-License-Identifier: MIT
"""Parts that the tests share."""

import faulthandler
import os
import pathlib
import socket
import subprocess
import sys
import sysconfig
import textwrap
import threading

import hypothesis
import pytest

import hpt

HANG_S = 60  # a test that waits longer than this has failed; no test measures time
GIVE_UP_S = 300  # a test that hangs ends the run, with the stacks of all threads

hypothesis.settings.register_profile("hpt", deadline=None, max_examples=100, database=None)
hypothesis.settings.load_profile("hpt")


def pytest_report_header():
    return f"hpt {hpt.__version__}, clock {hpt.info().source.name}"


@pytest.fixture(autouse=True)
def give_up():
    faulthandler.dump_traceback_later(GIVE_UP_S, exit=True, file=sys.__stderr__)
    yield
    faulthandler.cancel_dump_traceback_later()


class Thread(threading.Thread):
    """A thread whose result() is the function's, or raises what it raised."""

    def __init__(self, function, *arguments):
        super().__init__(daemon=True)
        self._call = function, arguments
        self._outcome = None, None
        self.start()

    def run(self):
        function, arguments = self._call
        try:
            self._outcome = function(*arguments), None
        except BaseException as error:
            self._outcome = None, error

    def result(self):
        self.join(HANG_S)
        assert not self.is_alive(), "the thread hangs"
        value, error = self._outcome
        if error is not None:
            raise error
        return value


@pytest.fixture
def pair():
    """Two sockets; what is written to one can be read from the other."""
    here, there = socket.socketpair()
    with here, there:
        yield here, there


@pytest.fixture
def spawn():
    """Starts a function in a thread."""
    return Thread


@pytest.fixture
def run_python():
    """
    Runs a program in a new interpreter; it must end with 0 and write nothing to stderr. Returns what it prints.

    With the checks of -X dev but for asyncio's, which names each callback that lost the CPU for 0.1 s.
    """

    def run(program, *arguments, code=0, **environment):
        checks = ["-W", "default", "-X", "faulthandler"]
        result = subprocess.run(
            [sys.executable, *checks, "-c", textwrap.dedent(program), *map(str, arguments)],
            env={**os.environ, "PYTHONMALLOC": "debug", **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            universal_newlines=True,
            timeout=HANG_S,
        )
        assert (result.returncode, result.stderr if code == 0 else "") == (code, ""), result.stderr
        return result.stdout if code == 0 else result.stderr

    return run


def header_folder():
    """The C headers: of the checkout, of the source package, or installed; None if there are none."""
    package = pathlib.Path(__file__).resolve().parent.parent
    places = [package.parent.parent / "include", package / "libhpt/include"]
    places += [pathlib.Path(path) for path in os.environ.get("CPATH", "").split(":") if path]
    places += [pathlib.Path(sysconfig.get_config_var("prefix") or "/") / "include", pathlib.Path("/usr/include")]
    return next((place / "hpt" for place in places if (place / "hpt/clock.h").exists()), None)


@pytest.fixture(scope="session")
def headers():
    """The text of all C headers."""
    folder = header_folder()
    if folder is None:
        pytest.skip("the C headers are not here: neither a checkout, nor a source package, nor an installed libhpt")
    return "\n".join(path.read_text() for path in sorted(folder.glob("*.h")))
