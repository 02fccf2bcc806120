# SPDX-License-Identifier: MIT
"""Sleeper's waits for descriptors: poll_until_ns(), epoll_until_ns(), fileno(), and waits of the program's own."""

import errno
import gc
import os
import select
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hpt
from hpt.testing import ManualClock

IN, OUT = select.POLLIN, select.POLLOUT
MS = 1_000_000
HOUR_NS = 3600 * 10**9
FOREVER = 2**63 - 1
PAST = -FOREVER


@pytest.fixture
def sleeper():
    with hpt.Sleeper() as made:
        yield made


class Set:
    """An epoll set with poll_until_ns()'s arguments: both waits have the same tests."""

    def __init__(self, sleeper, max_events=10):
        self.sleeper, self.max_events = sleeper, max_events

    def __call__(self, fds, at_ns):
        with select.epoll() as epoll:
            for fd, events in fds:
                epoll.register(fd, events)
            return self.sleeper.epoll_until_ns(epoll, self.max_events, at_ns)


@pytest.fixture(params=["poll", "epoll"])
def wait(request, sleeper):
    return sleeper.poll_until_ns if request.param == "poll" else Set(sleeper)


def readable(fd):
    return bool(select.select([fd], [], [], 0)[0])


# ---- Events -------------------------------------------------------------------------------------------------


def test_what_is_ready(wait, pair):
    here, there = pair
    assert wait([(here, IN)], PAST) == []
    assert wait([(here, IN | OUT)], None) == [(here.fileno(), OUT)]
    there.send(b"x")
    assert wait([(here, IN | OUT)], PAST) == [(here.fileno(), IN | OUT)]
    assert wait([(here.fileno(), IN), (there, IN)], None) == [(here.fileno(), IN)]
    assert sorted(wait([(here, IN), (there, OUT)], FOREVER)) == sorted([(here.fileno(), IN), (there.fileno(), OUT)])
    there.close()
    assert wait([(here, 0)], None) == [(here.fileno(), select.POLLHUP)]


@given(st.lists(st.tuples(st.integers(0, 5), st.sampled_from([0, IN, OUT, IN | OUT])), max_size=10))
@settings(max_examples=50)
def test_poll_finds_what_select_poll_finds(rows):
    pipes = [os.pipe() for _ in range(3)]
    try:
        os.write(pipes[0][1], b"x")
        os.close(pipes[1][1])
        fds = [descriptor for each in pipes for descriptor in each]
        wanted = select.poll()
        for number, events in rows:
            wanted.register(fds[number], events)
        asked = {fds[number]: events for number, events in rows}
        assert sorted(hpt.Sleeper().poll_until_ns(asked.items(), PAST)) == sorted(wanted.poll(0))
    finally:
        for descriptor in {fd for each in pipes for fd in each} - {pipes[1][1]}:
            os.close(descriptor)


def test_poll_keeps_the_order_and_takes_any_pairs(sleeper, pair):
    here, there = pair
    fds = [there.fileno(), here.fileno()]
    assert sleeper.poll_until_ns(((fd, OUT) for fd in (there, here, there)), None) == [
        (fd, OUT) for fd in (*fds, fds[0])
    ], "one descriptor may be there twice"
    assert sleeper.poll_until_ns(([fd, OUT] for fd in fds), None) == [(fd, OUT) for fd in fds]
    assert sleeper.poll_until_ns({there: OUT, here: OUT}.items(), None) == [(fd, OUT) for fd in fds]
    assert sleeper.poll_until_ns((), PAST) == []


def test_poll_says_of_a_closed_descriptor_that_it_is_closed(sleeper, pair):
    closed = os.dup(pair[0].fileno())
    os.close(closed)
    assert sleeper.poll_until_ns([(closed, IN)], None) == [(closed, select.POLLNVAL)]


def test_poll_holds_what_it_is_given(sleeper):
    """A file that has no other reference is not closed before the wait is over."""

    class Owner:
        def __init__(self, descriptor):
            self.descriptor = descriptor

        def fileno(self):
            return self.descriptor

        def __del__(self):
            os.close(self.descriptor)

    reader, writer = os.pipe()
    os.close(writer)
    assert sleeper.poll_until_ns(((Owner(fd), IN) for fd in [reader]), None) == [(reader, select.POLLHUP)]


def test_epoll_returns_each_event_once(sleeper, pair):
    here, there = pair
    with select.epoll() as epoll:
        epoll.register(here, IN | select.EPOLLET)
        there.send(b"x")
        assert sleeper.epoll_until_ns(epoll, 1, None) == [(here.fileno(), IN)]
        assert sleeper.epoll_until_ns(epoll, 1, hpt.now_ns() + MS) == []
        epoll.modify(here, IN | select.EPOLLONESHOT)
        assert sleeper.epoll_until_ns(epoll.fileno(), 9, None) == [(here.fileno(), IN)]
        assert sleeper.epoll_until_ns(epoll, 9, hpt.now_ns() + MS) == []


def test_epoll_returns_as_many_events_as_are_asked_for(sleeper, pair):
    with select.epoll() as epoll:
        for each in pair:
            epoll.register(each, OUT)
        seen = [sleeper.epoll_until_ns(epoll, 1, None) for _ in range(2)]
        assert sorted(fd for found in seen for fd, _ in found) == sorted(each.fileno() for each in pair)
        assert len(sleeper.epoll_until_ns(epoll, 1000, None)) == 2


def test_an_event_ends_a_wait(wait, pair, spawn):
    here, there = pair
    for deadline in (None, hpt.now_ns() + HOUR_NS):
        thread = spawn(wait, [(here, IN)], deadline)
        time.sleep(0.002)
        there.send(b"x")
        assert thread.result() == [(here.fileno(), IN)]
        here.recv(1)


def test_what_remains_after_an_event(sleeper, pair):
    here, _ = pair
    assert sleeper.poll_until_ns([(here, OUT)], hpt.now_ns() + HOUR_NS) and 0 < sleeper.remaining_ns <= HOUR_NS
    assert sleeper.poll_until_ns([(here, OUT)], None) and sleeper.remaining_ns is None
    assert sleeper.poll_until_ns([], PAST) == [] and sleeper.remaining_ns == 0


# ---- Deadlines ----------------------------------------------------------------------------------------------


@settings(max_examples=30)
@given(st.integers(0, 3 * MS))
def test_never_early(ns):
    with hpt.Sleeper() as sleeper:
        for wait in (sleeper.poll_until_ns, Set(sleeper)):
            deadline = hpt.now_ns() + ns
            assert wait([(sleeper, IN)], deadline) == [] and hpt.now_ns() >= deadline


@pytest.mark.parametrize("policy", [policy for policy in hpt.Policy if policy is not hpt.Policy.INHERIT])
def test_never_early_with_any_policy(policy):
    sleeper = hpt.Sleeper(hpt.Clock("os"), policy, 20_000)
    clock = hpt.Clock("os")
    for wait in (sleeper.poll_until_ns, Set(sleeper)):
        for ns in (0, 1000, 300_000, 3 * MS):
            deadline = clock.now_ns() + ns
            assert wait([], deadline) == [] and clock.now_ns() >= deadline


def test_a_manual_clock(spawn, pair):
    clock = ManualClock()
    sleeper = hpt.Sleeper(clock)
    for wait in (sleeper.poll_until_ns, Set(sleeper)):
        thread = spawn(wait, [(pair[0], IN)], clock.now_ns() + 1000)
        clock.wait_for_sleepers(1)
        clock.advance_ns(999)
        clock.wait_for_sleepers(1)
        clock.advance_ns(1)
        assert thread.result() == []
        thread = spawn(wait, [(pair[0], IN)], None)
        clock.wait_for_sleepers(1)
        pair[1].send(b"x")
        assert thread.result() == [(pair[0].fileno(), IN)]
        pair[0].recv(1)


# ---- Interrupts ---------------------------------------------------------------------------------------------


def test_an_interrupt_that_is_pending(wait, sleeper, pair):
    sleeper.interrupt(), sleeper.interrupt()
    assert wait([(pair[0], OUT)], None) is hpt.Wake.INTERRUPTED, "it comes before a look"
    assert wait([(pair[0], OUT)], None) == [(pair[0].fileno(), OUT)]
    sleeper.interrupt()
    assert wait([], PAST) is hpt.Wake.INTERRUPTED
    assert wait([], PAST) == []


def test_the_descriptor_is_readable_while_an_interrupt_is_pending(sleeper):
    sleeper.interrupt()
    descriptor = sleeper.fileno()
    assert readable(descriptor), "of one before the first call too"
    assert sleeper.sleep_ns(0) is hpt.Wake.INTERRUPTED and not readable(sleeper)
    sleeper.interrupt()
    assert readable(sleeper)
    sleeper.clear()
    assert not readable(sleeper) and sleeper.fileno() == descriptor
    assert not os.get_inheritable(descriptor) and not os.get_blocking(descriptor)
    sleeper.interrupt()
    assert sleeper.poll_until_ns([], PAST) is hpt.Wake.INTERRUPTED and not readable(sleeper)


def test_an_interrupt_during_a_wait(wait, sleeper, spawn):
    """Its event is returned, and the interrupt stays pending until the next wait."""
    for _ in range(20):
        thread = spawn(wait, [(sleeper, IN)], None)
        time.sleep(0.0005)
        sleeper.interrupt()
        result = thread.result()
        if result is not hpt.Wake.INTERRUPTED:  # the thread was in its wait
            assert result == [(sleeper.fileno(), IN)] and readable(sleeper)
            assert wait([(sleeper, IN)], None) is hpt.Wake.INTERRUPTED
        assert not readable(sleeper)


def test_a_close_during_a_wait(spawn):
    for _ in range(20):
        sleeper = hpt.Sleeper()
        descriptor = sleeper.fileno()
        for_it = spawn(sleeper.poll_until_ns, [(descriptor, IN)], None)
        time.sleep(0.0005)
        sleeper.close()
        try:
            assert for_it.result() in ([(descriptor, IN)], hpt.Wake.INTERRUPTED)
        except ValueError as error:
            assert "closed" in str(error), "before the wait began"
        with pytest.raises(OSError):
            os.fstat(descriptor)


def test_one_thread_at_a_time(spawn):
    clock = ManualClock()
    sleeper = hpt.Sleeper(clock)
    thread = spawn(sleeper.wait)
    clock.wait_for_sleepers(1)
    for wait in (sleeper.poll_until_ns, Set(sleeper)):
        with pytest.raises(OSError) as caught:
            wait([], PAST)
        assert caught.value.errno == errno.EBUSY
    assert sleeper.fileno() >= 0 and sleeper.margin_ns(1) == 0, "any thread may call these"
    sleeper.interrupt()
    assert thread.result() is hpt.Wake.INTERRUPTED


def test_ctrl_c(run_python):
    program = """
        import os, select, signal, sys, threading, time, hpt
        sleeper, epoll = hpt.Sleeper(), select.epoll()
        wait = {
            "poll": lambda: sleeper.poll_until_ns([(sleeper, select.POLLIN)], None),
            "epoll": lambda: sleeper.epoll_until_ns(epoll, 1, hpt.now_ns() + 3600 * 10**9),
            "select": lambda: hpt.Selector().select(3600),
            "for ever": lambda: hpt.Selector().select(),
        }[sys.argv[1]]
        def interrupt():
            while True:  # a signal that comes before the wait is in the kernel does not end it
                time.sleep(0.05)
                os.kill(os.getpid(), signal.SIGINT)
        threading.Thread(target=interrupt, daemon=True).start()
        try:
            wait()
        except KeyboardInterrupt:
            print("interrupted", flush=True)
            os._exit(0)
    """
    for name in ("poll", "epoll", "select", "for ever"):
        assert run_python(program, name) == "interrupted\n"


# ---- Wrong input --------------------------------------------------------------------------------------------


class Fileno:
    def __init__(self, value):
        self.value = value

    def fileno(self):
        if isinstance(self.value, Exception):
            raise self.value
        return self.value


WRONG_DESCRIPTORS = [
    ("1", TypeError),
    (1.0, TypeError),
    (None, TypeError),
    (object(), TypeError),
    (Fileno("1"), TypeError),
    (Fileno(LookupError()), LookupError),
    (-1, ValueError),
    (Fileno(-1), ValueError),
    (2**31, OverflowError),
    (-(2**70), OverflowError),
]


@pytest.mark.parametrize("wrong, error", WRONG_DESCRIPTORS)
def test_what_is_no_descriptor(wrong, error, sleeper):
    with pytest.raises(error):
        sleeper.poll_until_ns([(0, IN), (wrong, IN)], PAST)
    with pytest.raises(error):
        sleeper.epoll_until_ns(wrong, 1, PAST)


@pytest.mark.parametrize(
    "fds, error",
    [
        (None, TypeError),
        (5, TypeError),
        ([5], TypeError),
        ({5: IN}, TypeError),
        ([()], ValueError),
        ([(0,)], ValueError),
        ([(0, IN, IN)], ValueError),
        ([(0, "r")], TypeError),
        ([(0, 1.0)], TypeError),
        ([(0, -1)], OverflowError),
        ([(0, 2**16)], OverflowError),
        ([(0, IN), (0, 2**70)], OverflowError),
    ],
)
def test_what_are_no_pairs(fds, error, sleeper):
    with pytest.raises(error):
        sleeper.poll_until_ns(fds, PAST)
    with pytest.raises(LookupError):
        sleeper.poll_until_ns(map({}.__getitem__, "x"), PAST)


@pytest.mark.parametrize("at_ns, error", [("1", TypeError), (1.0, TypeError), (2**63, OverflowError)])
def test_what_is_no_time(at_ns, error, sleeper, wait):
    with pytest.raises(error):
        wait([], at_ns)
    for call in (sleeper.margin_ns, lambda ns: sleeper.learn_ns(ns, 0), lambda ns: sleeper.learn_ns(0, ns)):
        with pytest.raises(error):
            call(at_ns)


def test_what_is_no_epoll_set(sleeper, pair):
    with pytest.raises(ValueError):
        sleeper.epoll_until_ns(pair[0], 1, PAST)
    with select.epoll() as epoll:
        for wrong, error in ((0, ValueError), (2**32 - 1, ValueError), (-1, OverflowError), (None, TypeError)):
            with pytest.raises(error):
                sleeper.epoll_until_ns(epoll, wrong, PAST)
        descriptor = epoll.fileno()
    with pytest.raises(ValueError):
        sleeper.epoll_until_ns(epoll, 1, PAST)
    with pytest.raises(OSError) as caught:
        sleeper.epoll_until_ns(descriptor, 1, PAST)
    assert caught.value.errno == errno.EBADF


def test_more_descriptors_than_a_process_may_open(run_python):
    program = """
        import resource, hpt
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (20, hard))
        try:
            hpt.Sleeper().poll_until_ns([(0, 0)] * 21, 0)
        except ValueError as error:
            print(error)
    """
    assert "may open" in run_python(program)


def test_no_descriptor_is_left(run_python):
    program = """
        import errno, resource, hpt
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        sleeper = hpt.Sleeper()
        resource.setrlimit(resource.RLIMIT_NOFILE, (3, hard))
        for make in (sleeper.fileno, hpt.Selector):
            try:
                make()
            except OSError as error:
                print(error.errno == errno.EMFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        print(sleeper.fileno() > 2)
    """
    assert run_python(program) == "True\n" * 3


def test_a_failed_wait_leaks_nothing(sleeper):
    class Tracked:
        living = 0

        def __init__(self):
            Tracked.living += 1

        def __del__(self):
            Tracked.living -= 1

        def fileno(self):
            raise LookupError

    for _ in range(100):
        with pytest.raises(LookupError):
            sleeper.poll_until_ns([(0, IN), (Tracked(), IN)], PAST)
    gc.collect()
    assert Tracked.living == 0


def test_fileno_closes_the_sleeper():
    """Arguments are read before the sleeper is used, so their methods may do anything to it."""

    class Closes(Fileno):
        def fileno(self):
            sleeper.close()
            return super().fileno()

    for wait in (lambda fd: sleeper.poll_until_ns([(fd, IN)], None), lambda fd: sleeper.epoll_until_ns(fd, 1, None)):
        sleeper = hpt.Sleeper()
        with pytest.raises(ValueError, match="closed"):
            wait(Closes(0))


def test_use_after_close():
    sleeper = hpt.Sleeper()
    sleeper.close()
    for call in (
        sleeper.fileno,
        lambda: sleeper.poll_until_ns([], 0),
        lambda: sleeper.epoll_until_ns(0, 1, 0),
        lambda: sleeper.margin_ns(1),
        lambda: sleeper.learn_ns(1, 1),
    ):
        with pytest.raises(ValueError, match="closed"):
            call()


# ---- Fork ---------------------------------------------------------------------------------------------------


def test_after_fork(run_python):
    """Parent and child each have a descriptor, and interrupts of one are none of the other's."""
    program = """
        import os, select, threading, warnings, hpt
        warnings.simplefilter("ignore")  # of a fork in a process with threads
        sleeper, own = hpt.Sleeper(), select.epoll()
        descriptor = sleeper.fileno()
        waiting = threading.Thread(target=sleeper.poll_until_ns, args=([(sleeper, select.POLLIN)], None))
        waiting.start()
        hpt.sleep(0.01)
        child = os.fork()
        if child == 0:
            assert sleeper.poll_until_ns([(sleeper, select.POLLIN)], hpt.now_ns() + 10**6) == []
            assert sleeper.fileno() != descriptor
            sleeper.interrupt()
            assert sleeper.poll_until_ns([], None) is hpt.Wake.INTERRUPTED
            own.register(sleeper, select.EPOLLIN)
            assert sleeper.epoll_until_ns(own, 1, hpt.now_ns() + 10**6) == []
            sleeper.close()
            os._exit(0)
        print(os.waitpid(child, 0)[1])
        assert waiting.is_alive() and sleeper.fileno() == descriptor
        sleeper.interrupt()
        waiting.join()
        assert sleeper.wait() is hpt.Wake.INTERRUPTED
    """
    assert run_python(program) == "0\n"


# ---- Waits of the program's own -----------------------------------------------------------------------------


def test_a_wait_of_the_program_s_own(sleeper):
    """As margin_ns() says it is to be written; another thread could be served meanwhile."""
    for ns in (1000, 200_000, 3 * MS, 30 * MS):
        deadline = hpt.now_ns() + ns
        while True:
            left_ns = deadline - hpt.now_ns()
            margin_ns = sleeper.margin_ns(left_ns)
            assert margin_ns >= 0
            if margin_ns >= left_ns:
                break
            time.sleep((left_ns - margin_ns) / 1e9)
            assert sleeper.learn_ns(deadline - margin_ns, hpt.now_ns()) is None
        assert sleeper.sleep_until_ns(deadline) is hpt.Wake.REACHED and hpt.now_ns() >= deadline


def test_each_thread_learns_for_itself(spawn):
    def learn(late_ns):
        for _ in range(200):
            sleeper.margin_ns(MS)
            assert sleeper.learn_ns(0, late_ns) is None
        return sleeper.margin_ns(MS)

    sleeper = hpt.Sleeper(policy=hpt.Policy.STRICT)
    assert spawn(learn, 100_000).result() > spawn(learn, 0).result()
    assert spawn(sleeper.learn_ns, -FOREVER - 1, FOREVER).result() is None
    assert spawn(sleeper.learn_ns, 5, 4).result() is None
    assert hpt.Sleeper(ManualClock()).margin_ns(HOUR_NS) == 0
