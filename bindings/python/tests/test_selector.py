# SPDX-License-Identifier: MIT
"""Selector: as selectors.EpollSelector, but on time; and event loops on it."""

import asyncio
import os
import selectors
import signal
import socket
import sys
import threading
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hpt
from hpt.testing import ManualClock

READ, WRITE = selectors.EVENT_READ, selectors.EVENT_WRITE
LONG_S = 3600
MS = 1_000_000


@pytest.fixture
def selector():
    with hpt.Selector() as made:
        yield made


def found(ready):
    """The files and events of what select() returns."""
    return sorted((key.fd, events) for key, events in ready)


# ---- The standard selector's behaviour -----------------------------------------------------------------------


def test_it_is_a_selector(selector):
    assert isinstance(selector, selectors.BaseSelector) and isinstance(selector, selectors.EpollSelector)
    assert selector.fileno() >= 0 and not os.get_inheritable(selector.fileno())


def test_register(selector, pair):
    here, there = pair
    key = selector.register(here, READ, "data")
    assert key == (here, here.fileno(), READ, "data") and isinstance(key, selectors.SelectorKey)
    assert selector.get_key(here) == key and dict(selector.get_map()) == {here.fileno(): key}
    assert selector.get_map()[here.fileno()] == key and here in selector.get_map()
    assert selector.unregister(here) == key and len(selector.get_map()) == 0
    for wrong in (here, there.fileno()):
        with pytest.raises(KeyError):
            selector.unregister(wrong)
        with pytest.raises(KeyError):
            selector.get_key(wrong)
        with pytest.raises(KeyError):
            selector.modify(wrong, READ)


def test_register_twice(selector, pair):
    selector.register(pair[0], READ)
    for again in (pair[0], pair[0].fileno()):
        with pytest.raises(KeyError):
            selector.register(again, WRITE)


@pytest.mark.parametrize(
    "file, events, error",
    [
        (0, 0, ValueError),
        (0, READ | 4, ValueError),
        (0, None, ValueError),
        (-1, READ, ValueError),
        ("file", READ, ValueError),
        (object(), READ, ValueError),
        (2**70, READ, OverflowError),
    ],
)
def test_what_cannot_be_registered(file, events, error, selector):
    with pytest.raises(error):
        selector.register(file, events)
    assert len(selector.get_map()) == 0


def test_files_that_the_kernel_refuses(selector, tmp_path):
    with open(tmp_path / "file", "w") as regular:
        with pytest.raises(PermissionError):
            selector.register(regular, READ)
    closed = os.dup(0)
    os.close(closed)
    with pytest.raises(OSError):
        selector.register(closed, READ)
    assert selector.select(0.001) == [] and len(selector.get_map()) == 0


def test_modify(selector, pair):
    here, _ = pair
    selector.register(here, READ)
    assert selector.select(0.001) == []
    key = selector.modify(here, WRITE, "new")
    assert key == (here, here.fileno(), WRITE, "new") and selector.select(1) == [(key, WRITE)]
    assert selector.modify(here, WRITE, "newer").data == "newer" and selector.select(1)[0][0].data == "newer"


@pytest.mark.parametrize("timeout", [None, 0, -1, 0.0001, LONG_S])
def test_what_is_ready(timeout, selector, pair):
    here, there = pair
    selector.register(here, READ | WRITE, "here")
    selector.register(there, READ, "there")
    assert found(selector.select(timeout)) == [(here.fileno(), WRITE)]
    there.send(b"x"), here.send(b"x")
    assert found(selector.select(timeout)) == sorted([(here.fileno(), READ | WRITE), (there.fileno(), READ)])
    selector.unregister(there)
    assert found(selector.select(timeout)) == [(here.fileno(), READ | WRITE)]


@pytest.mark.parametrize("timeout", [None, 0, LONG_S])
def test_a_hang_up_is_what_was_asked_for(timeout, selector):
    (reader, writer), (other, written) = os.pipe(), os.pipe()
    os.close(writer), os.close(other)
    selector.register(reader, READ)
    selector.register(written, WRITE)
    ready = found(selector.select(timeout))
    os.close(reader), os.close(written)
    assert ready == sorted([(reader, READ), (written, WRITE)])


@given(st.lists(st.tuples(st.integers(0, 3), st.sampled_from([READ, WRITE, READ | WRITE])), max_size=4))
@settings(max_examples=50)
def test_it_finds_what_the_standard_one_finds(rows):
    pairs = [socket.socketpair() for _ in range(2)]
    pairs[0][0].send(b"x")
    pairs[1][1].close()
    with selectors.EpollSelector() as standard, hpt.Selector() as own:
        files = [pairs[0][0], pairs[0][1], pairs[1][0]]
        for each in (standard, own):
            for number, events in dict(rows).items():
                if number < len(files):
                    each.register(files[number], events, number)
        wanted = found(standard.select(0))
        assert found(own.select(0)) == found(own.select(0.0001)) == wanted
        assert not wanted or found(own.select(LONG_S)) == wanted
    for here, there in pairs:
        here.close(), there.close()


def test_a_file_that_is_closed_and_forgotten(selector):
    """The kernel reports a file that has another descriptor; it is none of the selector's any more."""
    reader, writer = os.pipe()
    kept = os.dup(reader)
    selector.register(reader, READ)
    os.write(writer, b"x")
    os.close(reader)
    selector.unregister(reader)
    assert selector.select(0.0001) == []
    os.close(kept), os.close(writer)


def test_after_close(pair):
    with hpt.Selector() as selector:
        selector.register(pair[0], READ)
    selector.close()
    assert selector.get_map() is None
    for timeout in (None, 0, 1):
        with pytest.raises(ValueError):
            selector.select(timeout)
    for call in (selector.fileno, lambda: selector.register(pair[0], READ)):
        with pytest.raises(ValueError):
            call()
    with pytest.raises(RuntimeError):
        selector.get_key(pair[0])


@pytest.mark.parametrize(
    "timeout, error",
    [("1", TypeError), (float("nan"), ValueError), (float("inf"), OverflowError), (1e300, OverflowError)],
)
def test_wrong_timeouts(timeout, error, selector):
    with pytest.raises(error):
        selector.select(timeout)


def test_wrong_policies():
    for policy, max_spin_ns in ((99, 0), (None, 1), (0, -1)):
        with pytest.raises(ValueError):
            hpt.Selector(None, policy, max_spin_ns)
    with pytest.raises(OverflowError):
        hpt.Selector(policy=-1)
    with pytest.raises(TypeError):
        hpt.Selector(1)


# ---- On time, and never early --------------------------------------------------------------------------------


@settings(max_examples=30)
@given(st.integers(1, 3 * MS))
def test_never_early(ns):
    with hpt.Selector() as selector:
        before = hpt.now_ns()
        assert selector.select(ns / 1e9) == [] and hpt.now_ns() - before >= ns


@pytest.mark.parametrize("policy", [policy for policy in hpt.Policy if policy is not hpt.Policy.INHERIT])
def test_never_early_with_any_policy(policy):
    with hpt.Selector(policy=policy, max_spin_ns=20_000) as selector:
        for ns in (1, 1000, 300_000, 3 * MS):
            before = hpt.now_ns()
            assert selector.select(ns / 1e9) == [] and hpt.now_ns() - before >= ns


def test_a_manual_clock(spawn):
    clock = ManualClock()
    with hpt.Selector(clock) as selector:
        thread = spawn(selector.select, 10)
        clock.wait_for_sleepers(1)
        clock.advance_ns(10**10 - 1)
        clock.wait_for_sleepers(1)
        clock.advance_ns(1)
        assert thread.result() == []


def test_an_event_ends_a_wait(selector, pair, spawn):
    here, there = pair
    selector.register(here, READ)
    for timeout in (None, LONG_S):
        thread = spawn(selector.select, timeout)
        time.sleep(0.002)
        there.send(b"x")
        assert found(thread.result()) == [(here.fileno(), READ)]
        here.recv(1)


def test_a_hang_up_ends_a_wait(selector, spawn):
    reader, writer = os.pipe()
    selector.register(reader, READ)
    thread = spawn(selector.select, LONG_S)
    time.sleep(0.002)
    os.close(writer)
    assert found(thread.result()) == [(reader, READ)]
    os.close(reader)


def test_a_file_that_is_registered_during_the_wait(selector, pair, spawn):
    thread = spawn(selector.select, LONG_S)
    time.sleep(0.002)
    selector.register(pair[0], WRITE)
    assert found(thread.result()) == [(pair[0].fileno(), WRITE)]


# ---- Threads, signals, fork ----------------------------------------------------------------------------------


def test_threads_share_a_selector(selector, pair, spawn):
    """All of them wait at the same time, as with the standard one."""
    here, there = pair
    selector.register(here, READ)
    barrier = threading.Barrier(4)

    def wait():
        barrier.wait()
        before = hpt.now_ns()
        assert selector.select(0.01) == [] and hpt.now_ns() - before >= 10 * MS
        barrier.wait()
        return found(selector.select(LONG_S))

    threads = [spawn(wait) for _ in range(4)]
    time.sleep(0.02)
    there.send(b"x")
    assert [thread.result() for thread in threads] == [[(here.fileno(), READ)]] * 4


def test_a_second_thread_has_the_policy_too(spawn):
    clock = ManualClock()
    with hpt.Selector(clock, hpt.Policy.SPIN, 1000) as selector:
        threads = [spawn(selector.select, 1) for _ in range(3)]
        clock.wait_for_sleepers(3)
        clock.advance_ns(10**9)
        assert [thread.result() for thread in threads] == [[]] * 3


def test_a_close_during_a_wait(pair, spawn):
    """A close does not end the wait; what ends it has no key any more."""
    selector = hpt.Selector()
    selector.register(pair[0], READ)
    thread = spawn(selector.select, 0.02)
    time.sleep(0.002)
    selector.close()
    pair[1].send(b"x")
    try:
        assert thread.result() == []
    except (ValueError, OSError) as error:
        assert "closed" in str(error) or "Bad file" in str(error), "before the wait began"


class Raised(Exception):
    pass


@pytest.fixture
def alarm():
    """A handler of a signal that comes every 5 ms."""

    def begin(handler):
        signal.signal(signal.SIGALRM, handler)
        signal.setitimer(signal.ITIMER_REAL, 0.005, 0.005)

    before = signal.getsignal(signal.SIGALRM)
    yield begin
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


def test_a_handler_that_raises(selector, alarm):
    def handler(*_):
        signal.setitimer(signal.ITIMER_REAL, 0)
        raise Raised

    with pytest.raises(Raised):
        alarm(handler)
        selector.select(LONG_S)
    assert selector.select(0.0001) == []


def test_it_goes_on_after_a_handler(selector, alarm):
    seen = []
    alarm(lambda *_: seen.append(selector.select(0.0001)))
    # A process that gets no CPU until the deadline runs no handler before it: the next wait is longer then.
    for turn in range(6):
        before, seconds = hpt.now_ns(), 0.05 * 2**turn
        assert selector.select(seconds) == [] and hpt.now_ns() - before >= seconds * 1e9
        if seen:
            break
    assert seen and seen[0] == []


def test_fork(run_python):
    """Parent and child share the set, as that of the standard selector; the child's waits are its own."""
    program = """
        import os, selectors, socket, threading, warnings, hpt
        warnings.simplefilter("ignore")  # of a fork in a process with threads
        selector, (here, there) = hpt.Selector(), socket.socketpair()
        selector.register(here, selectors.EVENT_READ)
        waiting = threading.Thread(target=selector.select, args=(3600,))
        waiting.start()
        hpt.sleep(0.01)
        child = os.fork()
        if child == 0:
            before = hpt.now_ns()
            assert selector.select(0.001) == [] and hpt.now_ns() - before >= 10**6
            there.send(b"x")
            assert [key.fileobj for key, _ in selector.select(3600)] == [here]
            selector.close()
            os._exit(0)
        print(os.waitpid(child, 0)[1])
        waiting.join()
        assert [key.fileobj for key, _ in selector.select(3600)] == [here]
        selector.close(), here.close(), there.close()
    """
    assert run_python(program) == "0\n"


# ---- asyncio -------------------------------------------------------------------------------------------------


def run(main):
    """Runs a coroutine in a loop with an hpt.Selector, in the way that every version has."""
    loop = asyncio.SelectorEventLoop(hpt.Selector())
    try:
        return loop.run_until_complete(main)
    finally:
        loop.close()


def test_sleeps_are_not_early():
    async def timed(ns):
        before, monotonic = hpt.now_ns(), time.monotonic()
        await asyncio.sleep(ns / 1e9)
        # asyncio ends a timer up to a nanosecond early, which is its clock's resolution, and computes with doubles.
        assert time.monotonic() - monotonic >= ns / 1e9 - 1e-8
        return hpt.now_ns() - before

    async def main():
        lengths = [1, 999, 150_000, MS, 3 * MS, 30 * MS]
        for ns in lengths:
            assert await timed(ns) >= ns * 0.999, "the clocks' rates may differ by some ppm"
        return await asyncio.gather(*(timed(ns * 7 % (5 * MS)) for ns in range(0, 5 * MS, 50_000)))

    assert len(run(main())) == 100


@pytest.mark.skipif(sys.version_info < (3, 11), reason="asyncio.Runner is of 3.11")
def test_runners():
    def loop():
        return asyncio.SelectorEventLoop(hpt.Selector())

    async def main():
        await asyncio.sleep(0.001)
        return type(asyncio.get_running_loop()._selector)

    with asyncio.Runner(loop_factory=loop) as runner:
        assert runner.run(main()) is runner.run(main()) is hpt.Selector
    if sys.version_info >= (3, 12):
        assert asyncio.run(main(), loop_factory=loop) is hpt.Selector


def test_sockets():
    async def serve(reader, writer):
        while data := await reader.read(100_000):
            writer.write(data)
            await writer.drain()
        writer.close()

    async def talk(port, size):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        data = os.urandom(size)
        writer.write(data)
        assert await reader.readexactly(size) == data
        writer.close()
        await writer.wait_closed()

    async def main():
        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        await asyncio.wait_for(asyncio.gather(*(talk(port, size) for size in (1, 1000, 10**6) * 3)), 60)
        server.close()
        await server.wait_closed()

    run(main())


def test_another_thread_wakes_the_loop(spawn):
    async def main():
        loop = asyncio.get_running_loop()
        for _ in range(20):
            event = asyncio.Event()
            thread = spawn(lambda event=event: (time.sleep(0.0005), loop.call_soon_threadsafe(event.set)))
            await asyncio.wait_for(event.wait(), 60)
            assert await loop.run_in_executor(None, hpt.sleep, 0.0001) is hpt.Wake.REACHED
            thread.result()

    run(main())


def test_subprocesses(run_python):
    """In a new process: before 3.12 the watcher of child processes is the process's."""
    program = """
        import asyncio, sys, hpt
        async def main():
            pipes = {"stdin": asyncio.subprocess.PIPE, "stdout": asyncio.subprocess.PIPE}
            child = await asyncio.create_subprocess_exec(sys.executable, "-c", "print(input() * 2)", **pipes)
            out, _ = await asyncio.wait_for(child.communicate(b"ab"), 60)
            print(out.decode(), child.returncode)
        loop = asyncio.SelectorEventLoop(hpt.Selector())
        asyncio.set_event_loop(loop)
        loop.run_until_complete(main())
        loop.close()
    """
    assert run_python(program) == "abab\n 0\n"


def test_signals_of_the_loop():
    async def main():
        loop, seen = asyncio.get_running_loop(), asyncio.Event()
        loop.add_signal_handler(signal.SIGUSR1, seen.set)
        loop.call_later(0.002, os.kill, os.getpid(), signal.SIGUSR1)
        await asyncio.wait_for(seen.wait(), 60)
        loop.remove_signal_handler(signal.SIGUSR1)

    run(main())


def test_ctrl_c_in_a_loop(run_python):
    program = """
        import asyncio, os, signal, threading, time, hpt
        def interrupt():
            while True:
                time.sleep(0.05)
                os.kill(os.getpid(), signal.SIGINT)
        threading.Thread(target=interrupt, daemon=True).start()
        loop = asyncio.SelectorEventLoop(hpt.Selector())
        try:
            loop.run_until_complete(asyncio.sleep(3600))
        except KeyboardInterrupt:
            print("interrupted", flush=True)
            os._exit(0)
    """
    assert run_python(program) == "interrupted\n"


def test_the_package_s_own_sleeps_and_ticks_in_a_loop():
    async def main():
        before = hpt.now_ns()
        await asyncio.gather(*(hpt.sleep_async(0.002, max_spin_ns=spin) for spin in (0, 50_000)))
        assert hpt.now_ns() - before >= 2 * MS
        async for tick in hpt.Ticker(0.001):
            if tick.number >= 3:
                return tick.wake

    assert run(main()) is hpt.Wake.REACHED


def test_a_sleeper_in_a_loop():
    """Its descriptor is for loops too."""

    async def main():
        loop, done, sleeper = asyncio.get_running_loop(), asyncio.Event(), hpt.Sleeper()
        loop.add_reader(sleeper, done.set)
        loop.call_later(0.001, sleeper.interrupt)
        await asyncio.wait_for(done.wait(), 60)
        loop.remove_reader(sleeper)
        return sleeper.wait()

    assert run(main()) is hpt.Wake.INTERRUPTED


def test_debug_mode(run_python):
    program = """
        import asyncio, hpt
        async def main():
            await asyncio.sleep(0.001)
        loop = asyncio.SelectorEventLoop(hpt.Selector())
        loop.set_debug(True)
        loop.slow_callback_duration = 60
        loop.run_until_complete(main())
        loop.close()
    """
    run_python(program, PYTHONASYNCIODEBUG="1")
