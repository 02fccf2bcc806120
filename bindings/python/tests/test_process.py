# SPDX-License-Identifier: MIT
"""Fork, the end of the interpreter, and a package without its extension."""

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
            assert sleeper.sleep_ns(0) is hpt.Wake.REACHED and gate.wait(0) is hpt.Wake.TIMED_OUT
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


@pytest.mark.parametrize("hz", [10**6, 10**10])
def test_a_tick_is_not_a_nanosecond(hz, run_python):
    """On an OS clock of another rate: a tick that is taken for a nanosecond makes a sleep early, or endless."""
    program = """
        import asyncio, hpt
        clock = hpt.Clock()
        assert abs(clock.ns_to_ticks(10**9) / HZ - 1) < 1e-3
        sleeper, gate, ns = hpt.Sleeper(), hpt.Gate(), 2_000_000
        ticks = clock.ns_to_ticks(ns * 101 // 100)  # the rate is measured
        async def ticker():
            async for _ in hpt.Ticker(period_ns=ns):
                break
        wall = hpt.Wall(None, hpt.WallSource.FEED)
        def wait_ready():
            try:
                wall.wait_ready(timeout=ns / 1e9)
            except TimeoutError:
                pass
        for sleep in (
            lambda: hpt.sleep(ns / 1e9),
            lambda: hpt.sleep_ns(ns),
            lambda: hpt.sleep_until_ns(hpt.now_ns() + ns),
            lambda: hpt.sleep_until_ticks(hpt.now() + ticks),
            lambda: clock.sleep_ns(ns),
            lambda: sleeper.sleep_ns(ns),
            lambda: sleeper.sleep_until_ticks(hpt.now() + ticks),
            lambda: gate.wait(ns / 1e9),
            lambda: gate.wait_until_ns(gate.ticket(), hpt.now_ns() + ns),
            lambda: gate.wait_until_ticks(gate.ticket(), hpt.now() + ticks),
            lambda: hpt.Ticker(period_ns=ns).wait(),
            lambda: hpt.Ticker(rational=(1, 500)).wait(),
            lambda: hpt.Ticker(period_ns=0, first_ns=hpt.now_ns() + ns).wait(),
            lambda: asyncio.run(hpt.sleep_async(ns / 1e9)),
            lambda: asyncio.run(ticker()),
            wait_ready,
        ):
            before = hpt.now_ns()
            sleep()
            assert ns <= hpt.now_ns() - before < 1000 * ns
        sleeper.interrupt()
        sleeper.sleep_ns(10**15)
        assert abs(sleeper.remaining_ns - 10**15) < 10**12
        print(hpt.info().source.name)
    """
    assert run_python(program.replace("HZ", str(hz)), HPT_SOURCE="os", HPT_OS_HZ=str(hz)) == "OS\n"


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


# ---- The extension ----


def test_reads_are_the_extension_s_own():
    module = sys.modules["hpt._native"]
    assert hpt.now is module.now and issubclass(hpt.Clock, module.Clock)


def test_without_the_extension_the_import_names_it(run_python):
    program = """
        import importlib.abc, sys
        class Without(importlib.abc.MetaPathFinder):
            def find_spec(self, name, path, target=None):
                if name == "hpt._native":
                    raise ModuleNotFoundError(name)
        sys.meta_path.insert(0, Without())
        try:
            import hpt
        except ImportError as error:
            print(error)
    """
    assert "_native" in run_python(program)
