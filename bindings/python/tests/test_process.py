# SPDX-License-Identifier: MIT
"""Fork, the end of the interpreter, and the choice of the backend."""

import sys

import pytest

import hpt


def test_after_fork_everything_works(run_python):
    """Threads sleep on each object while the process forks; the child has the objects, and no sleeper on them."""
    program = """
        import os, threading, warnings, hpt
        from array import array
        from hpt.testing import ManualClock
        warnings.simplefilter("ignore")  # of a fork in a process with threads

        manual, closing = ManualClock(), ManualClock()
        sleeper, gate, ticker = hpt.Sleeper(manual), hpt.Gate(manual), hpt.Ticker(1, clock=manual)
        with_descriptor = hpt.Ticker(0.002)
        inherited = with_descriptor.fileno()
        base = hpt.Timebase.take()
        calls = [sleeper.wait, gate.wait, ticker.wait, lambda: manual.sleep(5), lambda: closing.sleep(5)]
        threads = [threading.Thread(target=call, daemon=True) for call in calls]
        for thread in threads:
            thread.start()
        manual.wait_for_sleepers(4)
        closing.wait_for_sleepers(1)

        def works():
            before = hpt.now_ns()
            assert hpt.sleep(0.001) is hpt.Wake.REACHED and hpt.now_ns() - before >= 1_000_000
            assert hpt.Sleeper().sleep(0.001) is hpt.Clock().sleep(0.001) is hpt.Wake.REACHED
            assert next(with_descriptor).wake is hpt.Wake.REACHED and with_descriptor.fileno() >= 0
            assert abs(base.to_ns(hpt.now()) - hpt.now_ns()) < 10**9 and hpt.Clock().check()[0] == 0

        child = os.fork()
        if child == 0:
            assert manual.sleepers() == 0
            works()
            assert with_descriptor.fileno() != inherited
            assert sleeper.sleep_ns(0) is gate.wait(0) is hpt.Wake.REACHED
            manual.advance_ns(10**9)
            assert ticker.wait().number == 0
            closing.close(), sleeper.close(), gate.close(), ticker.close(), with_descriptor.close()
            os._exit(0)
        works()
        print(os.waitpid(child, 0)[1])
        assert manual.now() == 0, "the child advanced its own copy"
        manual.wait_for_sleepers(4)
        sleeper.interrupt(), gate.notify_all(), ticker.interrupt(), manual.close(), closing.close()
        for thread in threads:
            thread.join()
    """
    assert run_python(program) == "0\n"


SLEEPS = ["hpt.sleep(3600)", "hpt.Sleeper().wait()", "hpt.Gate().wait()", "hpt.Gate().wait(None, lambda: False)"]
SLEEPS += ["list(hpt.Ticker(3600))", "hpt.Clock('os').sleep(3600)", "hpt.testing.ManualClock().sleep(1)"]
SLEEPS += ["asyncio.run(hpt.sleep_async(3600))", "list(hpt.Ticker(0.0003))", "churn()"]


@pytest.mark.parametrize("end", ["", "raise SystemExit(0)", "os._exit(0)"])
def test_the_interpreter_ends_while_daemon_threads_sleep(end, run_python):
    program = f"""
        import asyncio, os, threading, time, hpt, hpt.testing
        def churn():
            while True:
                hpt.Sleeper().sleep_ns(1000)
        for sleep in {SLEEPS!r}:
            threading.Thread(target=eval, args=(sleep, globals()), daemon=True).start()
        kept = [hpt.Sleeper(), hpt.Gate(), hpt.Ticker(1), hpt.Clock("os")]
        kept.append(kept)
        time.sleep(0.05)
        print("end", flush=True)
        {end}
    """
    for _ in range(3):
        assert run_python(program) == "end\n"


def test_objects_at_the_end_of_the_interpreter(run_python):
    """Finalizers, and functions that run at exit, use objects while modules are torn down."""
    program = """
        import atexit, hpt, sys
        class Last:
            def __init__(self):
                self.kept = [hpt.Sleeper(), hpt.Gate(), hpt.Ticker(1), hpt.Clock("os"), hpt.Timebase.take()]
            def __del__(self):
                self.kept[0].sleep_ns(1000), self.kept[3].now(), self.kept[2].close()
        last = sys.modules["last"] = Last()
        last.itself = last
        atexit.register(lambda: print(hpt.sleep(0.001) is hpt.Wake.REACHED))
    """
    assert run_python(program) == "True\n"


def test_a_sleeping_thread_is_waited_for(run_python):
    program = """
        import threading, hpt
        threading.Thread(target=lambda: print(hpt.sleep(0.02).name)).start()
    """
    assert run_python(program) == "REACHED\n"


# ---- The backend ----


def test_the_backend_is_the_one_that_was_chosen(run_python):
    assert hpt.backend in ("native", "ctypes")
    assert run_python("import hpt; print(hpt.backend)", HPT_PYTHON_BACKEND=hpt.backend) == hpt.backend + "\n"
    module = sys.modules[f"hpt._{hpt.backend}"]
    assert hpt.now is module.now and issubclass(hpt.Clock, module.Clock)


def test_another_backend_is_an_error(run_python):
    assert "HPT_PYTHON_BACKEND is 'cffi'; it can be" in run_python("import hpt", code=1, HPT_PYTHON_BACKEND="cffi")


def test_without_the_extension_ctypes_serves(run_python):
    program = """
        import importlib.abc, os, sys
        class Without(importlib.abc.MetaPathFinder):
            def find_spec(self, name, path, target=None):
                if name == "hpt._native":
                    raise ModuleNotFoundError(name)
        sys.meta_path.insert(0, Without())
        try:
            import hpt
        except ImportError as error:
            print("no" if "libhpt.so.0" in str(error) else error)  # it needs the system's library
        else:
            print(hpt.backend)
    """
    assert run_python(program, HPT_PYTHON_BACKEND="") in ("ctypes\n", "no\n")


def test_a_library_that_cannot_be_loaded(run_python):
    program = """
        import ctypes, sys
        def missing(*_, **__):
            raise OSError("not found")
        {}
        try:
            import hpt._ctypes_lib
        except ImportError as error:
            print(error)
    """
    text = run_python(program.format("ctypes.CDLL = ctypes.PyDLL = missing"), HPT_PYTHON_BACKEND="ctypes")
    assert text == "hpt needs its C extension, or the system's libhpt.so.0, which fails: not found\n"


def test_a_library_that_is_too_old(run_python):
    program = """
        import ctypes
        libc = ctypes.PyDLL(None)
        ctypes.CDLL = ctypes.PyDLL = lambda name: libc
        try:
            import hpt._ctypes
        except ImportError as error:
            print(error)
    """
    text = run_python(program, HPT_PYTHON_BACKEND="ctypes")
    assert text.startswith("the system's libhpt.so.0 is too old for this package: it has no hpt_")
