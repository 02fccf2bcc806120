# SPDX-License-Identifier: MIT
"""Tests verdict.py, without measuring: TAP."""
import sys

from figures import Row, Table, turns
from tap import Tap
from verdict import interval, judge, lines
from way import AFTER, BEFORE, SLEEPS, THREE


def row(before, after):
    made = Row('CPU', '%')
    made.values = {BEFORE: before, AFTER: after}
    return made


# Before, after, what judge() is given, how its line begins.
VERDICTS = (
    ([10] * 3, [12, 13, 20], {'most': 1.3}, 'met     CPU: 1.300 x as it is, target <= 1.3 (median of 3 pairs'),
    ([10] * 3, [12, 13.1, 20], {'most': 1.3}, 'MISSED  CPU: 1.310 x'),
    ([100] * 3, [90, 95, 99], {'least': 0.95}, 'met     CPU: 0.950 x as it is, target >= 0.95'),
    ([100] * 3, [90, 94, 99], {'least': 0.95}, 'MISSED  CPU: 0.940 x'),
    # The ratio of each pair counts, not that of the medians.
    ([1, 10, 100], [2, 20, 90], {'most': 1.5}, 'MISSED  CPU: 2.000 x'),
    # The second of ten is below 1, or is not.
    ([10] * 10, [12] * 8 + [9, 9], {'most': 1, 'by_interval': True}, 'met     CPU: 1.200 x'),
    ([10] * 10, [9] + [12] * 9, {'most': 1, 'by_interval': True}, 'MISSED  CPU: 1.200 x'),
    ([10] * 10, [9] * 8 + [12] * 2, {'least': 1, 'by_interval': True}, 'met     CPU: 0.900 x'),
    ([10] * 10, [9] * 9 + [12], {'least': 1, 'by_interval': True}, 'MISSED  CPU: 0.900 x'),
    ([], [], {'most': 1}, '-       CPU: not measured'),
    ([0], [1], {'most': 1}, '-       CPU: not measured'),
)

# Rounds and ways.
TURNS = [(0, BEFORE), (0, SLEEPS), (0, AFTER), (1, SLEEPS), (1, AFTER), (1, BEFORE),
         (2, AFTER), (2, BEFORE), (2, SLEEPS)]

# The number of values, and those of the interval, counted from 1: tables of the sign test.
INTERVALS = ((1, 1, 1), (5, 1, 5), (6, 1, 6), (8, 1, 8), (9, 2, 8), (10, 2, 9), (12, 3, 10), (20, 6, 15))


def three_ways(tap):
    table = Table()
    for way, value in ((BEFORE, 100), (SLEEPS, 0.5), (AFTER, 0.25)):
        table.add(way, 'a sleep', 'us', value)
    got = list(lines(table))[-1]
    tap.result(got == '| a sleep, us | 100.0 (100.0 to 100.0) | 0.2 (0.2 to 0.2) | 0.0025 |', 'a row', [got])
    got = list(lines(table, THREE))[-1]
    tap.result(got == '| a sleep, us | 100.0 (100.0 to 100.0) | 0.5 (0.5 to 0.5) | 0.2 (0.2 to 0.2) | 0.005 | 0.0025 |',
               'a row of three ways', [got])
    made = row([10] * 3, [10] * 3)
    made.values[SLEEPS] = [20] * 3
    got = judge(made, most=1.9, way=SLEEPS)
    tap.result(got.startswith('MISSED  CPU, --waits=none: 2.000 x'), 'the third way has its own verdict', [got])
    got = list(turns(3, THREE))
    tap.result(got == TURNS, 'each way is the first equally often', map(str, got))
    got = [way for _, way in turns(2)]
    tap.result(got == [BEFORE, AFTER, AFTER, BEFORE], 'turns of two ways', got)


def main():
    tap = Tap()
    print('TAP version 13')
    for before, after, given, begins in VERDICTS:
        got = judge(row(before, after), **given)
        tap.result(got.startswith(begins), begins, () if got.startswith(begins) else [got])
    for count, low, high in INTERVALS:
        got = interval(list(range(1, count + 1)))
        tap.result(got == (low, high), f'of {count} values from number {low} to {high}', [str(got)])
    three_ways(tap)
    tap.end()
    return int(tap.failed > 0)


sys.exit(main())
