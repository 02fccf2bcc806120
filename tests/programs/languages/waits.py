# SPDX-License-Identifier: MIT
"""
waits.py KIND late COUNT: how late each of COUNT waits of 1 ms ends that nothing ends sooner, in ns; then "cpu" and the
CPU time of a wait, in ns.
waits.py KIND results: the results of waits that expire and of those that events end, which are the same in each run.
KIND: event, queue, select, poll, asyncio, uvloop.
"""
import asyncio
import collections
import os
import queue
import select
import sys
import threading
import time

WARM_UP, ITEMS = 30, 200
MS = 1000000
LENGTH_S = 0.004


class ByQueue:
    def __init__(self):
        self.queue = queue.Queue()

    def put(self, item):
        self.queue.put(item)

    def get(self, length_s):
        try:
            return self.queue.get(timeout=length_s)
        except queue.Empty:
            return None


class ByEvent:
    def __init__(self):
        self.items, self.event = collections.deque(), threading.Event()

    def put(self, item):
        self.items.append(item)
        self.event.set()

    def get(self, length_s):
        self.event.wait(length_s)
        self.event.clear()
        try:
            return self.items.popleft()
        except IndexError:
            return None
        finally:
            if self.items:
                self.event.set()


class ByPipe:
    """An item is a byte of a pipe."""

    def __init__(self):
        self.ends = os.pipe()
        self.polled = select.poll()
        self.polled.register(self.ends[0], select.POLLIN)

    def put(self, item):
        os.write(self.ends[1], bytes([item]))

    def has_some(self, length_s):
        return select.select([self.ends[0]], [], [], length_s)[0]

    def get(self, length_s):
        return os.read(self.ends[0], 1)[0] if self.has_some(length_s) else None


class ByPoll(ByPipe):
    def has_some(self, length_s):
        return self.polled.poll(length_s * 1000)


def late(wait, count):
    found = []
    for i in range(-WARM_UP, count):
        if not i:
            before = time.process_time_ns()
        began = time.monotonic_ns()
        wait(0.001)
        found.append(time.monotonic_ns() - began - MS)
    report(found[WARM_UP:], before)


def report(found, before):
    cpu = (time.process_time_ns() - before) // len(found)
    print(*found, sep='\n')
    print('cpu', cpu)


def put_all(put):
    for item in range(ITEMS):
        time.sleep(item * 37 % 21 / 10000)
        put(item)


def results(room):
    for _ in range(5):
        began = time.monotonic_ns()
        got = room.get(LENGTH_S)
        print(got, 'early' if time.monotonic_ns() - began < LENGTH_S * 1e9 else 'in time')
    putter = threading.Thread(target=put_all, args=(room.put,))
    putter.start()
    expected, when = 0, 'in time'
    while expected < ITEMS:
        began = time.monotonic_ns()
        item = room.get(0.001 if expected else 60)
        if item is None:
            when = 'early' if time.monotonic_ns() - began < MS else when
        elif item != expected:
            print(item, 'instead of', expected)
        else:
            expected += 1
    putter.join()
    print(expected, 'items,', when)


# ---- Loops ---------------------------------------------------------------------------------------------------

async def loop_late(count):
    found = []
    for i in range(-WARM_UP, count):
        if not i:
            before = time.process_time_ns()
        began = time.monotonic_ns()
        await asyncio.sleep(0.001)
        found.append(time.monotonic_ns() - began - MS)
    report(found[WARM_UP:], before)


async def loop_results():
    """Timers by the loop's own clock: uvloop's counts whole ms, asyncio's ends one that is due within its step."""
    loop = asyncio.get_running_loop()
    step_s = time.get_clock_info('monotonic').resolution
    for _ in range(5):
        began = loop.time()
        print(await asyncio.sleep(LENGTH_S, 'slept'),
              'early' if loop.time() - began < LENGTH_S - step_s - 1e-7 else 'in time')
    try:
        await asyncio.wait_for(asyncio.Event().wait(), LENGTH_S)
    except asyncio.TimeoutError:
        print('timed out')
    items, naps = asyncio.Queue(), 0
    putter = threading.Thread(target=put_all, args=(lambda item: loop.call_soon_threadsafe(items.put_nowait, item),))
    putter.start()
    got = [await items.get()]
    while len(got) < ITEMS:
        try:
            got.append(await asyncio.wait_for(items.get(), 0.001))
        except asyncio.TimeoutError:
            naps += 1
    putter.join()
    print(len(got), 'items in order' if got == sorted(got) else got)


def in_loop(kind, coroutine):
    if kind == 'uvloop':
        import uvloop
        uvloop.install()
    asyncio.run(coroutine)


ROOMS = {'event': ByEvent, 'queue': ByQueue, 'select': ByPipe, 'poll': ByPoll}


def main(kind, what, count=0):
    if kind in ROOMS:
        if what == 'late':
            late(ROOMS[kind]().get, int(count))
        else:
            results(ROOMS[kind]())
    else:
        in_loop(kind, loop_late(int(count)) if what == 'late' else loop_results())


main(*sys.argv[1:])
