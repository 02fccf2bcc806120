# SPDX-License-Identifier: MIT
"""
sleeps.py late COUNT: how late each of COUNT sleeps of 1 ms ends, in ns.
sleeps.py results: the results of sleeps, which are the same in each run.
"""
import select
import signal
import sys
import threading
import time

NS_PER_MS = 1000000
LENGTH_S = 0.004


def late(count):
    for _ in range(count):
        began = time.monotonic_ns()
        time.sleep(0.001)
        print(time.monotonic_ns() - began - NS_PER_MS)


def result_of(name, nap, length_s=LENGTH_S):
    began = time.monotonic_ns()
    returned = nap()
    is_early = time.monotonic_ns() - began < length_s * 1e9
    print(name, returned, 'early' if is_early else 'in time')


def refused(nap):
    try:
        nap()
    except (ValueError, OverflowError) as error:
        print(type(error).__name__, error)


def interrupted():
    """A sleep goes on after a handler, and ends by one that raises."""
    count = []
    signal.signal(signal.SIGALRM, lambda *_: count.append(1))
    for name, nap in (('sleep', lambda: time.sleep(0.02)), ('select', lambda: select.select([], [], [], 0.02)),
                      ('poll', lambda: select.poll().poll(20))):
        signal.setitimer(signal.ITIMER_REAL, 0.005)
        result_of(f'{name} with a handler', nap, 0.02)
    print('handlers', len(count))

    def stop(*_):
        if not raised:
            raised.append(1)
            raise InterruptedError

    raised = []
    signal.signal(signal.SIGALRM, stop)
    try:
        # Again and again: a signal whose handler has not run when the sleep begins does not end it.
        signal.setitimer(signal.ITIMER_REAL, 0.1, 0.1)
        time.sleep(60)
    except InterruptedError:
        print('ended by a handler')
    signal.setitimer(signal.ITIMER_REAL, 0)


def results():
    for name, nap in (('sleep', lambda: time.sleep(LENGTH_S)), ('select', lambda: select.select([], [], [], LENGTH_S)),
                      ('poll', lambda: select.poll().poll(4)), ('epoll', lambda: select.epoll().poll(LENGTH_S)),
                      ('event', lambda: threading.Event().wait(LENGTH_S)),
                      ('lock', lambda: held().acquire(timeout=LENGTH_S))):
        for _ in range(5):
            result_of(name, nap)
    result_of('sleep of 0', lambda: time.sleep(0), 0)
    for nap in (lambda: time.sleep(-1), lambda: time.sleep(1e300), lambda: select.select([], [], [], -1)):
        refused(nap)
    interrupted()


def held():
    lock = threading.Lock()
    lock.acquire()
    return lock


if sys.argv[1] == 'late':
    late(int(sys.argv[2]))
else:
    results()
