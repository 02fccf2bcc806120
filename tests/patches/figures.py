# SPDX-License-Identifier: MIT
"""Figures before and after a patch, measured in turns: A B B A A B ..., their medians and spread."""
import collections
import socket
import statistics
import time


class Row:
    """One figure of all variants. A value of each round."""

    def __init__(self, what, unit, digits=1):
        self.what, self.unit, self.digits = what, unit, digits
        self.values = collections.defaultdict(list)

    def cell(self, variant):
        values = self.values[variant]
        if not values:
            return '-'
        number = f'.{self.digits}f'
        return f'{statistics.median(values):{number}} ({min(values):{number}} to {max(values):{number}})'

    def ratio(self):
        before, after = self.values['before'], self.values['after']
        if not before or not after or statistics.median(before) == 0:
            return '-'
        return f'{statistics.median(after) / statistics.median(before):.2f}'


class Table:
    """Rows in the order of their first value."""

    def __init__(self):
        self.rows = {}

    def add(self, variant, what, unit, value, digits=1):
        self.rows.setdefault(what, Row(what, unit, digits)).values[variant].append(value)

    def lines(self):
        """As Markdown, which README.md of examples/patches has."""
        yield '| Median (range) | Before | After | After / before |'
        yield '|---|---|---|---|'
        for row in self.rows.values():
            yield f"| {row.what}, {row.unit} | {row.cell('before')} | {row.cell('after')} | {row.ratio()} |"


def turns(rounds, variants=('before', 'after')):
    """(round, variant) in an order where each variant is the first equally often."""
    for number in range(rounds):
        first = number % len(variants)
        for variant in variants[first:] + variants[:first]:
            yield number, variant


def cpu_seconds(pid):
    """CPU time of a process, all its threads, in seconds: by the clock that clock_getcpuclockid(3) returns."""
    return time.clock_gettime(~pid << 3 | 2)


def quantile(values, part):
    values = sorted(values)
    return values[min(len(values) - 1, int(part * len(values)))]


def free_port():
    with socket.socket() as sock:
        sock.bind(('127.0.0.1', 0))
        return sock.getsockname()[1]


def connected(port, seconds=20):
    """A TCP connection to a server that is starting."""
    end = time.monotonic() + seconds
    while True:
        try:
            return socket.create_connection(('127.0.0.1', port))
        except ConnectionRefusedError:
            assert time.monotonic() < end, f'no server on port {port} after {seconds} s'
            time.sleep(0.02)
