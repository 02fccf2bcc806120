# SPDX-License-Identifier: MIT
"""
bench.py --hpt HPT --preload OBJECT --built FOLDER [--rounds N] [--only PART...]

Unmodified programs as they are and under "hpt run", in turns: how late their sleeps are, and the harm. PARTs: late,
late-loaded (next to a busy loop on each CPU), paced, waits (with --waits=none too), harm, harm-loaded. Prints a
table for each part, in Markdown, and "met" or "MISSED" for each target. A missed target is no failure: results vary
with the machine and its load.
"""
import json
import os
import statistics
import sys
import tempfile

from figures import Table, quantile, turns
from verdict import judge, lines
from way import AFTER, BEFORE, COARSE, THREE, Ways, arguments
import programs
from programs import Busy, Failed, Missing

SLEEPS = 100
WAITS_OF_A_ROUND = 200
# The budget counts a second, and 10 ms of it are saved up at the start.
NAPS_MS = 1000
FIO_S = 1

# Of the CPU time as it is, of fio's IOPS and of the 99 % quantile next to busy threads.
CPU_MOST, IOPS_LEAST, LOADED_MOST = 1.3, 0.95, 1


class Bench:
    def __init__(self, options, folder):
        self.ways, self.folder, self.built = Ways(options.hpt, options.preload), folder, options.built
        self.rounds = options.rounds
        self.missing = set()

    def prepared(self, sleepers):
        found = []
        for sleeper in sleepers:
            try:
                sleeper.prepare(self.folder, self.built)
                found.append(sleeper)
            except Missing as why:
                self.missing.add(f'{sleeper.name}: {why}')
        return found

    def commands(self, table):
        """Those of the functions that find their program, by name."""
        found = {}
        for name, find in table.items():
            try:
                found[name] = find(self.folder)
            except Missing as why:
                self.missing.add(f'{name}: {why}')
        return found


# ---- Parts -----------------------------------------------------------------------------------------------

def add_lateness(bench, table, way, sleeper):
    us = [ns / 1000 for ns in sleeper.latenesses(bench.ways, way, SLEEPS)]
    table.add(way, f'{sleeper.name}: late by, median', 'us', statistics.median(us))
    table.add(way, f'{sleeper.name}: late by, 90 % within', 'us', quantile(us, 0.9))


def late(bench):
    table = Table()
    sleepers = bench.prepared(programs.sleepers())
    for _, way in turns(bench.rounds):
        for sleeper in sleepers:
            add_lateness(bench, table, way, sleeper)
    return table


def late_loaded(bench):
    with Busy():
        return late(bench)


def paced(bench):
    """Programs that keep pace by many sleeps."""
    table = Table()
    results = {'tcpreplay of 0.5 s': programs.tcpreplay_result, 'ffmpeg -re of 1 s': programs.ffmpeg_result}
    commands = bench.commands(dict(zip(results, (programs.tcpreplay, programs.ffmpeg))))
    for _, way in turns(bench.rounds):
        for name, command in commands.items():
            found = results[name](bench.ways.run(way, command))
            if not found:
                raise Failed(name)
            table.add(way, f'{name}: takes', 'ms', found[1] * 1000)
    return table


def waits(bench):
    """Time-outs that events might end: the median of a round, and the CPU time."""
    table = Table()
    waiters = bench.prepared(programs.waiters())
    for _, way in turns(bench.rounds, THREE):
        for waiter in waiters:
            add_wait(bench, table, way, waiter, way)
            if waiter.find == programs.libevent:
                add_wait(bench, table, way, waiter, COARSE if way == AFTER else way, ', --coarse=fine')
    for waiter in waiters:
        row = table.rows[f'{waiter.name}: late by, median']
        if waiter.most:
            print(judge(row, most=waiter.most))
    return table


def add_wait(bench, table, way, waiter, started, what=''):
    ns, cpu_ns = waiter.measured(bench.ways, started, WAITS_OF_A_ROUND)
    us = [one / 1000 for one in ns]
    table.add(way, f'{waiter.name}{what}: late by, median', 'us', statistics.median(us))
    table.add(way, f'{waiter.name}{what}: late by, 90 % within', 'us', quantile(us, 0.9))
    table.add(way, f'{waiter.name}{what}: CPU a wait', 'us', cpu_ns / 1000)


def add_naps(bench, table, way, us):
    done = bench.ways.run(way, [os.path.join(bench.built, 'naps'), us, NAPS_MS])
    calls, cpu_ns, wall_ns = map(int, done.stdout.split())
    if us < 100:
        table.add(way, f'a loop of usleep({us}): CPU', '%', 100 * cpu_ns / wall_ns)
    else:
        table.add(way, f'a loop of usleep({us}): CPU a call', 'us', cpu_ns / calls / 1000)


def add_fio(bench, table, way, command):
    done = bench.ways.run(way, command)
    if done.returncode:
        raise Failed(f'fio: exit {done.returncode}: {done.stderr}')
    table.add(way, 'fio --thinktime=100: IOPS', '1/s', json.loads(done.stdout)['jobs'][0]['read']['iops'], 0)


def harm(bench):
    table = Table()
    commands = bench.commands({'fio': lambda folder: programs.fio(folder, FIO_S)})
    for _, way in turns(bench.rounds):
        for us in (0, 1, 10, 100):
            add_naps(bench, table, way, us)
        for command in commands.values():
            add_fio(bench, table, way, command)
    for row in table.rows.values():
        if row.what.startswith('fio'):
            print(judge(row, least=IOPS_LEAST))
        else:
            print(judge(row, most=CPU_MOST))
    return table


def harm_loaded(bench):
    """Enough sleeps for a 99 % quantile, next to a busy loop on each CPU."""
    table = Table()
    with Busy():
        for _, way in turns(bench.rounds):
            for sleeper in bench.prepared(programs.sleepers(['cyclictest'])):
                us = [ns / 1000 for ns in sleeper.latenesses(bench.ways, way, 10 * SLEEPS)]
                table.add(way, 'cyclictest next to busy threads: late by, 99 %', 'us', quantile(us, 0.99))
    for row in table.rows.values():
        print(judge(row, most=LOADED_MOST, by_interval=True))
    return table


PARTS = {'late': late, 'late-loaded': late_loaded, 'paced': paced, 'waits': waits, 'harm': harm,
         'harm-loaded': harm_loaded}


def main():
    options = arguments(__doc__, rounds={'type': int, 'default': 10},
                        only={'nargs': '+', 'choices': list(PARTS), 'default': list(PARTS)})
    with tempfile.TemporaryDirectory(prefix='programs-') as folder:
        bench = Bench(options, folder)
        for name in options.only:
            print(f'{name}, {bench.rounds} rounds, load {os.getloadavg()[0]:.1f} at the start', flush=True)
            try:
                ways = THREE if name == 'waits' else (BEFORE, AFTER)
                print('\n'.join(lines(PARTS[name](bench), ways)) + '\n', flush=True)
            except Failed as why:
                print(f'{name} failed: {why}', flush=True)
        for why in sorted(bench.missing):
            print(f'missing: {why}')


main()
