# SPDX-License-Identifier: MIT
"""await hpt.sleep_async()."""

import asyncio
import gc
import os
import random
import signal
import weakref

import pytest

import hpt
from hpt import _aio

MS = 1_000_000
SPINS = [50_000, 0]


async def timed(ns, max_spin_ns=50_000):
    before = hpt.now_ns()
    await hpt.sleep_async(ns / 1e9, max_spin_ns=max_spin_ns)
    return hpt.now_ns() - before


def alarm(loop, max_spin_ns=50_000):
    return _aio._alarms[loop][max_spin_ns]


@pytest.fixture
def new_loop():
    """Event loops that the test closes by its end."""
    loops = []

    def new():
        loops.append(asyncio.new_event_loop())
        return loops[-1]

    yield new
    for loop in loops:
        loop.close()


@pytest.mark.parametrize("max_spin_ns", SPINS)
@pytest.mark.parametrize("ns", [1, 1000, 49_999, 300_000, 2 * MS])
def test_never_early(ns, max_spin_ns):
    assert asyncio.run(timed(ns, max_spin_ns)) >= ns


@pytest.mark.parametrize("max_spin_ns", SPINS)
def test_many_sleepers_in_one_loop(max_spin_ns):
    async def main():
        shuffled = random.Random(1).sample(range(1000), 1000)
        lengths = [(number % 250) * 20_000 for number in shuffled]
        return lengths, await asyncio.gather(*(timed(ns, max_spin_ns) for ns in lengths))

    lengths, results = asyncio.run(main())
    assert all(elapsed >= ns for ns, elapsed in zip(lengths, results))


@pytest.mark.parametrize("max_spin_ns", SPINS)
def test_sleeps_end_in_the_order_of_their_deadlines(max_spin_ns):
    async def main():
        order, loop, start = [], asyncio.get_running_loop(), hpt.now_ns() + 5 * MS

        async def sleep(number):
            await _aio._alarm(loop, max_spin_ns).sleep_until_ns(start + number * 20_000, loop)
            order.append(number)

        numbers = random.Random(2).sample(range(50), 50)
        await asyncio.gather(*map(sleep, numbers))
        return order

    assert asyncio.run(main()) == list(range(50))


def test_equal_deadlines_end_in_the_order_of_the_calls(monkeypatch):
    async def main():
        order, loop = [], asyncio.get_running_loop()

        async def sleep(number):
            await _aio._alarm(loop, 0).sleep_until_ns(deadline, loop)
            order.append(number)

        deadline = hpt.now_ns() + 2 * MS
        await asyncio.gather(*map(sleep, range(20)))
        return order

    assert asyncio.run(main()) == list(range(20))


def test_a_cancelled_sleep_leaves_nothing():
    async def main():
        loop = asyncio.get_running_loop()
        tasks = [loop.create_task(hpt.sleep_async(3600 + number)) for number in range(100)]
        await hpt.sleep_async(0.001)
        heap = alarm(loop)._heap
        assert len(heap) == 100
        for task in tasks:
            task.cancel()
        results = await asyncio.gather(*tasks, return_exceptions=True)
        assert all(isinstance(result, asyncio.CancelledError) for result in results)
        assert alarm(loop)._heap == [] and alarm(loop)._cancelled == 0
        assert await timed(MS) >= MS, "the loop sleeps on as before"

    asyncio.run(main())


def test_some_of_the_sleeps_are_cancelled():
    async def main():
        loop = asyncio.get_running_loop()
        tasks = [loop.create_task(timed(number * 10_000)) for number in range(1, 400)]
        await asyncio.sleep(0)
        for task in tasks[::2] + tasks[1::4]:
            task.cancel()
        results = await asyncio.gather(*tasks, return_exceptions=True)
        assert all(isinstance(result, asyncio.CancelledError) for result in results[::2] + results[1::4])
        assert all(results[number - 1] >= number * 10_000 for number in range(4, 400, 4))
        assert alarm(loop)._heap == []

    asyncio.run(main())


def test_a_timeout_around_a_sleep():
    async def main():
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(hpt.sleep_async(3600), 0.002)
        assert await asyncio.wait_for(hpt.sleep_async(0.001), 60) is None

    asyncio.run(main())


def test_other_tasks_run_meanwhile():
    async def main(seconds):
        turns = 0

        async def turn():
            nonlocal turns
            while True:
                turns += 1
                await asyncio.sleep(0)

        task = asyncio.get_running_loop().create_task(turn())
        await hpt.sleep_async(seconds)
        task.cancel()
        return turns

    # A process that gets no CPU until the deadline has few turns before it: the next sleep is longer then.
    assert any(asyncio.run(main(0.01 * 2**number)) > 10 for number in range(8))


def test_an_idle_loop_does_not_run():
    """After the last sleep, and after a cancelled one, the descriptor is not readable."""

    async def main():
        loop = asyncio.get_running_loop()
        await hpt.sleep_async(0.001)
        task = loop.create_task(hpt.sleep_async(0.003))
        await hpt.sleep_async(0.001)
        task.cancel()
        rings = []
        ring = alarm(loop)._ring
        descriptor = alarm(loop)._ticker.fileno()
        loop.add_reader(descriptor, lambda: (rings.append(None), ring()))
        await asyncio.sleep(0.02)
        loop.add_reader(descriptor, ring)
        return len(rings)

    assert asyncio.run(main()) <= 1, "the cancelled sleep's, at most"


def test_a_loop_after_another():
    for _ in range(20):
        assert asyncio.run(timed(100_000)) >= 100_000


def test_one_descriptor_for_each_loop_and_spin():
    def descriptors():
        return len(os.listdir("/proc/self/fd"))

    async def main():
        before = descriptors()
        await asyncio.gather(*(hpt.sleep_async(0.001, max_spin_ns=spin) for spin in SPINS * 50))
        return descriptors() - before

    before = descriptors()
    for _ in range(10):
        assert asyncio.run(main()) == len(SPINS)
    gc.collect()
    assert descriptors() == before and len(_aio._alarms) == 0


def test_a_loop_that_is_closed_with_a_sleep_pending(new_loop):
    async def main():
        task = asyncio.get_running_loop().create_task(hpt.sleep_async(3600))
        await asyncio.sleep(0)
        return task

    loop = asyncio.new_event_loop()
    task = loop.run_until_complete(main())
    loop.close()
    reference = weakref.ref(loop)
    task._log_destroy_pending = False
    del task, loop
    gc.collect()
    assert reference() is None and len(_aio._alarms) == 0
    assert new_loop().run_until_complete(timed(MS)) >= MS


def test_two_loops_in_two_threads(spawn):
    async def main():
        return [await timed(200_000) for _ in range(20)]

    threads = [spawn(asyncio.run, main()) for _ in range(4)]
    assert all(elapsed >= 200_000 for thread in threads for elapsed in thread.result())


def test_one_loop_in_two_threads_in_turn(new_loop, spawn):
    loop = new_loop()
    assert loop.run_until_complete(timed(MS)) >= MS
    assert spawn(loop.run_until_complete, timed(MS)).result() >= MS
    assert loop.run_until_complete(timed(MS)) >= MS


def test_no_loop_runs():
    sleep = hpt.sleep_async(1)
    with pytest.raises(RuntimeError):
        sleep.send(None)


@pytest.mark.parametrize(
    "seconds, error", [(-1, ValueError), (float("nan"), ValueError), (1e300, OverflowError), ("1", TypeError)]
)
def test_wrong_durations(seconds, error):
    with pytest.raises(error):
        asyncio.run(hpt.sleep_async(seconds))


@pytest.mark.parametrize("spin, error", [(-1, ValueError), (2**63, OverflowError), ("x", TypeError), (1.5, TypeError)])
def test_wrong_spins(spin, error):
    with pytest.raises(error):
        asyncio.run(hpt.sleep_async(0.001, max_spin_ns=spin))


def test_zero_lets_other_tasks_run_once():
    async def main():
        order = []
        asyncio.get_running_loop().call_soon(order.append, "other")
        assert await hpt.sleep_async(0) is None
        return order

    assert asyncio.run(main()) == ["other"]


def test_the_longest_sleep():
    async def main():
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(hpt.sleep_async((2**63 - 1) // 10**9), 0.005)

    asyncio.run(main())


def test_debug_mode(run_python):
    program = """
        import asyncio, hpt
        async def main():
            asyncio.get_running_loop().slow_callback_duration = 60
            await asyncio.gather(*(hpt.sleep_async(0.001, max_spin_ns=spin) for spin in (0, 50_000)))
            async for tick in hpt.Ticker(0.001):
                break
        asyncio.run(main(), debug=True)
    """
    run_python(program, PYTHONASYNCIODEBUG="1")


def test_an_exception_in_the_loop_leaves_the_others_asleep():
    async def main():
        loop, seen = asyncio.get_running_loop(), []
        loop.set_exception_handler(lambda _, context: seen.append(context["exception"]))

        async def fail():
            await hpt.sleep_async(0.001)
            raise LookupError

        sleeps = [loop.create_task(timed(3 * MS)) for _ in range(5)]
        failing = loop.create_task(fail())
        done = await asyncio.gather(*sleeps, failing, return_exceptions=True)
        assert isinstance(done[-1], LookupError) and all(elapsed >= 3 * MS for elapsed in done[:-1])
        return seen

    assert asyncio.run(main()) == []


class Stub:
    """Another object, some of whose methods are replaced."""

    def __init__(self, wrapped, **methods):
        self._wrapped = wrapped
        vars(self).update(methods)

    def __getattr__(self, name):
        return getattr(self._wrapped, name)


def test_a_handler_that_raises_during_the_spin(new_loop):
    """An exception out of the alarm's callback does not lose a sleep: the loop runs again and ends it."""

    def interrupted(*_):
        raise KeyboardInterrupt

    loop = new_loop()
    loop.run_until_complete(timed(1, MS))
    its = alarm(loop, MS)
    own = its._ticker
    for _ in range(1000):  # a loop that is woken late ends the sleep without a wait, if another callback is first
        its._ticker = Stub(own, wait=interrupted)
        task = loop.create_task(timed(MS, MS))
        try:
            loop.run_until_complete(task)
        except KeyboardInterrupt:
            break
    its._ticker = own
    assert not task.done() and loop.run_until_complete(task) >= MS


@pytest.mark.parametrize("max_spin_ns", SPINS)
def test_the_loop_is_blocked_for_the_stated_spin_at_most(max_spin_ns):
    """Each spin begins at most max_spin_ns before its deadline. A preemption may add to it, which no test can bound."""

    async def main():
        await hpt.sleep_async(0, max_spin_ns=max_spin_ns)
        await hpt.sleep_async(1e-6, max_spin_ns=max_spin_ns)
        its, spins = alarm(asyncio.get_running_loop(), max_spin_ns), []
        own = its._ticker

        def spin():
            spins.append(its._armed_ns - hpt.now_ns())
            return own.wait()

        its._ticker = Stub(own, wait=spin)
        for _ in range(50):
            await hpt.sleep_async(0.001, max_spin_ns=max_spin_ns)
        return spins

    spins = asyncio.run(main())
    assert spins and all(spin <= max_spin_ns for spin in spins)


def test_a_ring_for_a_deadline_that_is_far_again():
    """Callbacks of the same pass of the loop may end or cancel the sleep that the descriptor is readable for."""

    async def main():
        loop, waits = asyncio.get_running_loop(), []
        task = loop.create_task(hpt.sleep_async(3600))
        await asyncio.sleep(0)
        its = alarm(loop)
        own = its._ticker
        its._ticker = Stub(own, wait=lambda: waits.append(None))
        its._ring()
        later = loop.create_task(hpt.sleep_async(7200))
        task.cancel()
        await asyncio.sleep(0)
        its._ring()
        its._ticker = own
        assert its._armed_ns == its._heap[0].ns and not later.done()
        return waits

    assert asyncio.run(main()) == []


def test_no_descriptor_is_left(run_python):
    program = """
        import asyncio, errno, os, resource, hpt
        async def main():
            soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
            resource.setrlimit(resource.RLIMIT_NOFILE, (3, hard))
            try:
                await hpt.sleep_async(0.001)
            except OSError as error:
                print(error.errno == errno.EMFILE)
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
            print(await hpt.sleep_async(0.001))
        asyncio.run(main())
    """
    assert run_python(program) == "True\nNone\n"


def test_a_new_loop_after_fork(run_python):
    program = """
        import asyncio, os, sys, warnings, hpt
        warnings.simplefilter("ignore")  # of a fork in a process with threads
        async def sleep():
            before = hpt.now_ns()
            await asyncio.gather(*(hpt.sleep_async(0.001, max_spin_ns=spin) for spin in (0, 50_000)))
            return hpt.now_ns() - before >= 1_000_000
        async def parent():
            later = asyncio.get_running_loop().create_task(hpt.sleep_async(0.05))
            await sleep()
            child = os.fork()
            if child == 0:
                return "child"
            await later
            assert await sleep()
            return os.waitpid(child, 0)[1]
        loop = asyncio.new_event_loop()
        result = loop.run_until_complete(parent())
        if result == "child":
            asyncio._set_running_loop(None)
            os._exit(0 if asyncio.run(sleep()) else 1)
        loop.close()
        print(result)
    """
    assert run_python(program) == "0\n"


def test_a_signal_handler_of_the_loop():
    async def main():
        loop, seen = asyncio.get_running_loop(), []
        loop.add_signal_handler(signal.SIGUSR1, seen.append, hpt.now_ns())
        loop.call_later(0.002, os.kill, os.getpid(), signal.SIGUSR1)
        result = await timed(10 * MS)
        while not seen:
            await hpt.sleep_async(0.001)
        loop.remove_signal_handler(signal.SIGUSR1)
        return len(seen), result

    count, elapsed = asyncio.run(main())
    assert count == 1 and elapsed >= 10 * MS


def test_uvloop():
    uvloop = pytest.importorskip("uvloop", reason="uvloop is not installed")

    async def main():
        sleeps = await asyncio.gather(*(timed(ns, spin) for ns in (1, 300_000, 2 * MS) for spin in SPINS))
        async for tick in hpt.Ticker(0.001):
            if tick.number >= 3:
                break
        return all(elapsed >= 1 for elapsed in sleeps)

    loop = uvloop.new_event_loop()
    try:
        assert loop.run_until_complete(main())
    finally:
        loop.close()
    assert loop.is_closed()
