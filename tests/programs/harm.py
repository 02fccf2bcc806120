# SPDX-License-Identifier: MIT
"""
harm.py --hpt HPT --preload OBJECT --built FOLDER [--rounds N] [--only PART...]

What programs lose as they are, under "hpt run" and under "hpt run --waits=none", in turns. PARTs: redis and redis-one
(GETs of 20 clients and of one), nginx (20 connections that are kept alive), idle-java and idle-redis (CPU time a
second), busy (waits of 1 ms next to a busy loop on each CPU), crowd (64 threads of such waits), events (how soon an
event ends such a wait, at any time and in the last 0.1 ms), guards (two threads that hand a turn to each other, with
time-outs that never come). A server is started for each round. Prints a table for each part, in Markdown, and "met" or
"MISSED" for each target. A missed target is no failure: results vary with the machine and its load. A quick look:
--rounds 2.
"""
import os
import tempfile
import time

from figures import Table, cpu_seconds, quantile, turns
from verdict import judge, lines
from way import AFTER, SLEEPS, THREE, Ways, arguments
import programs
from programs import Busy, Failed, Missing
from servers import Nginx, Redis, get_of_nginx, get_of_redis

# Of what it is as it is.
RATE_LEAST, IDLE_MOST, LATE_MOST = 0.98, 2.5, 1
EVENT_MOST, GUARD_MOST = 1.05, 1.02

REQUESTS, REQUESTS_OF_ONE = 60000, 15000
LOAD_S, SETTLE_S, IDLE_S = 2, 2, 4
WAITS_OF_A_THREAD, THREADS = 300, 64
EVENTS, EVENTS_LAST, GUARDS = 1000, 2400, 60000


class Harm:
    def __init__(self, options, folder):
        self.ways, self.folder, self.built = Ways(options.hpt, options.preload), folder, options.built
        self.rounds = options.rounds

    def turns(self):
        return turns(self.rounds, THREE)

    def server(self, kind, way):
        return kind(self.ways, way, self.folder)


def verdicts(table, *endings, **target):
    """Of the rows with these names' endings, both ways."""
    for row in table.rows.values():
        for way in (SLEEPS, AFTER) if row.what.endswith(endings) else ():
            print(judge(row, way=way, **target))


# ---- Servers ---------------------------------------------------------------------------------------------

def load(harm, kind, what, get):
    table = Table()
    for _, way in harm.turns():
        with harm.server(kind, way) as server:
            rate, within_ms, cpu_us = get(server)
        table.add(way, f'{what}: requests', '1/s', rate, 0)
        table.add(way, f'{what}: 99 % within', 'ms', within_ms, 3)
        table.add(way, f'{what}: CPU a request', 'us', cpu_us, 2)
    verdicts(table, 'requests', least=RATE_LEAST)
    return table


def redis(harm):
    return load(harm, Redis, 'redis-server, 20 clients', lambda server: get_of_redis(server, 20, REQUESTS))


def redis_one(harm):
    return load(harm, Redis, 'redis-server, 1 client', lambda server: get_of_redis(server, 1, REQUESTS_OF_ONE))


def nginx(harm):
    return load(harm, Nginx, 'nginx, 20 connections', lambda server: get_of_nginx(server, 20, LOAD_S))


# ---- Idle ------------------------------------------------------------------------------------------------

def idle_ms(cpu_s):
    """CPU time a second."""
    time.sleep(SETTLE_S)
    before, began = cpu_s(), time.monotonic()
    time.sleep(IDLE_S)
    return 1000 * (cpu_s() - before) / (time.monotonic() - began)


def idle_java(harm):
    table = Table()
    words = programs.java(harm.folder, harm.built, 'idle')
    for _, way in harm.turns():
        process = harm.ways.start(way, words)
        try:
            table.add(way, 'idle Java: CPU a second', 'ms', idle_ms(lambda: cpu_seconds(process.pid)), 3)
        finally:
            process.kill()
            process.wait()
    verdicts(table, 'second', most=IDLE_MOST)
    return table


def idle_redis(harm):
    table = Table()
    for _, way in harm.turns():
        with harm.server(Redis, way) as server:
            table.add(way, 'idle redis-server: CPU a second', 'ms', idle_ms(server.cpu_s), 3)
    verdicts(table, 'second', most=IDLE_MOST)
    return table


# ---- Many threads ----------------------------------------------------------------------------------------

def add_waits(harm, table, way, waiter, threads=1):
    ns, cpu_ns = waiter.measured(harm.ways, way, WAITS_OF_A_THREAD if threads > 1 else 1000, threads)
    us = [one / 1000 for one in ns]
    name = f'{waiter.name}, {threads} threads' if threads > 1 else f'{waiter.name} next to busy threads'
    for part in (0.5, 0.9, 0.99):
        table.add(way, f'{name}: late by, {part:.0%}', 'us', quantile(us, part))
    table.add(way, f'{name}: CPU a wait', 'us', cpu_ns / 1000)


def waiters(harm, *kinds):
    found = [one for one in programs.waiters() if one.find == programs.cpp and one.kind in kinds]
    for waiter in found:
        waiter.prepare(harm.folder, harm.built)
    return found


def busy(harm):
    table = Table()
    found = waiters(harm, 'sleep', 'wait_for', 'future')
    with Busy():
        for _, way in harm.turns():
            for waiter in found:
                add_waits(harm, table, way, waiter)
    verdicts(table, '99%', most=LATE_MOST, by_interval=True)
    return table


def crowd(harm):
    table = Table()
    found = waiters(harm, 'sleep', 'wait_for', 'future')
    for _, way in harm.turns():
        for waiter in found:
            add_waits(harm, table, way, waiter, THREADS)
    verdicts(table, '99%', most=LATE_MOST, by_interval=True)
    return table


# ---- Events ----------------------------------------------------------------------------------------------

def numbers(harm, way, *words):
    done = harm.ways.run(way, [os.path.join(harm.built, words[0]), *words[1:]])
    if done.returncode:
        raise Failed(f'{words[0]}: {done.stderr}')
    return [int(word) for word in done.stdout.split()]


def events(harm):
    if len(os.sched_getaffinity(0)) < 2:
        raise Missing('a second CPU')
    table = Table()
    for _, way in harm.turns():
        for kind in ('cond', 'poll', 'epoll', 'sem'):
            for when, n, name in (('any', EVENTS, 'at any time'), ('last', EVENTS_LAST, 'in the last 0.1 ms')):
                us = [ns / 1000 for ns in numbers(harm, way, 'events', kind, n, when)]
                for part in (0.5, 0.99):
                    table.add(way, f'{kind}, event {name}: seen after, {part:.0%}', 'us', quantile(us, part))
    verdicts(table, 'any time: seen after, 50%', most=EVENT_MOST)
    verdicts(table, 'ms: seen after, 50%', most=1)
    verdicts(table, '99%', most=1, by_interval=True)
    return table


def guards(harm):
    table = Table()
    for _, way in harm.turns():
        took_ns, cpu_ns = numbers(harm, way, 'guards', GUARDS)
        table.add(way, 'condition variables, time-outs of 5 s: a turn', 'us', took_ns / 1000)
        table.add(way, 'condition variables, time-outs of 5 s: CPU a turn', 'us', cpu_ns / 1000)
    verdicts(table, 'a turn', most=GUARD_MOST)
    return table


PARTS = {'redis': redis, 'redis-one': redis_one, 'nginx': nginx, 'idle-java': idle_java, 'idle-redis': idle_redis,
         'busy': busy, 'crowd': crowd, 'events': events, 'guards': guards}


def main():
    options = arguments(__doc__, rounds={'type': int, 'default': 10},
                        only={'nargs': '+', 'choices': list(PARTS), 'default': list(PARTS)})
    with tempfile.TemporaryDirectory(prefix='programs-') as folder:
        harm = Harm(options, folder)
        for name in options.only:
            print(f'{name}, {harm.rounds} rounds, load {os.getloadavg()[0]:.1f} at the start', flush=True)
            try:
                print('\n'.join(lines(PARTS[name](harm), THREE)) + '\n', flush=True)
            except Missing as why:
                print(f'missing: {why}\n', flush=True)
            except (Failed, AssertionError) as why:
                print(f'{name} failed: {why}\n', flush=True)


main()
