# SPDX-License-Identifier: MIT
"""interposed.py HPT INTERPOSER: where clock_gettime() is replaced, the clock follows the replacement and says so."""
import json
import os
import shutil
import subprocess
import tempfile
import time
import unittest

import cli

FOLDER = tempfile.TemporaryDirectory(prefix='hpt-')
INTERPOSER = cli.preload(cli.ARGS[0], FOLDER.name)
RAW, REALTIME = str(time.CLOCK_MONOTONIC_RAW), str(time.CLOCK_REALTIME)
HOUR_S = 3600
INTERPOSED = 65
YEAR_2083_NS = 3565987200_000000000
TSC_TRUSTED = (1, 2, 3)
TSC_EXPENSIVE = 58


def hpt(*args, env=None, prefix=()):
    env = {**os.environ, 'HPT_SOURCE': 'auto', **(env or {})}
    return json.loads(subprocess.run([*prefix, cli.HPT, *args], env=env, stdout=subprocess.PIPE, check=True).stdout)


def fake(clock, shift_s, times):
    return {'LD_PRELOAD': INTERPOSER, 'FAKE_CLOCK': clock, 'FAKE_SHIFT_S': str(shift_s), 'FAKE_TIMES': str(times)}


def look(**kw):
    """The source that a process has chosen, and its reason for or against each."""
    sources = hpt('sources', '--json', **kw)['sources']
    return next(s['name'] for s in sources if s['chosen']), {s['name']: s['reason_code'] for s in sources}


class Interposed(unittest.TestCase):
    def setUp(self):
        self.own_source, reasons = look()
        self.own_tsc = reasons['tsc']
        # A TSC is vetoed for a replaced clock before it is for its cost, which each process measures for itself.
        self.would_trust = self.own_tsc in (*TSC_TRUSTED, TSC_EXPENSIVE)

    def check_noticed(self, **kw):
        info = hpt('info', '--json', **kw)
        self.assertEqual((info['source'], info['state']), ('os', 'ok'))
        # A TSC that is rejected for another reason keeps that reason.
        source, reasons = look(**kw)
        self.assertEqual((source, reasons['tsc']), ('os', INTERPOSED if self.would_trust else self.own_tsc))

    def check_unnoticed(self, **kw):
        source, reasons = look(**kw)
        self.assertNotIn(INTERPOSED, reasons.values())
        if TSC_EXPENSIVE not in (reasons['tsc'], self.own_tsc):
            # Whether the HPET or the OS clock is better is measured too.
            self.assertEqual((source == 'tsc', reasons['tsc']), (self.own_source == 'tsc', self.own_tsc))

    def test_shift_either_way_is_noticed(self):
        self.check_noticed(env=fake(RAW, HOUR_S, 1))
        self.check_noticed(env=fake(RAW, -1, 1))

    def test_info_says_why_the_os_clock_is_left(self):
        env = {**os.environ, 'HPT_SOURCE': 'auto', 'LC_ALL': 'C', **fake(RAW, HOUR_S, 1)}
        text = subprocess.run([cli.HPT, 'info'], env=env, stdout=subprocess.PIPE, check=True).stdout.decode()
        reason = next(s['reason'] for s in hpt('sources', '--json', env=env)['sources'] if s['name'] == 'tsc')
        self.assertIn(f'\nRejected       tsc: {reason}\n', text)
        env['HPT_SOURCE'] = 'os' # a choice that needs no reason
        text = subprocess.run([cli.HPT, 'info'], env=env, stdout=subprocess.PIPE, check=True).stdout.decode()
        self.assertNotIn('Rejected', text)

    def test_another_rate_is_noticed(self):
        self.check_noticed(env=fake(RAW, 0, 2))
        self.check_noticed(env=fake(RAW, 0, 0))

    def test_replacement_with_the_true_time_changes_nothing(self):
        self.check_unnoticed(env=fake(RAW, 0, 1))

    def test_wall_clock_alone_changes_unix_time_alone(self):
        env = fake(REALTIME, HOUR_S, 1)
        self.check_unnoticed(env=env)
        before = time.time_ns()
        unix_ns = hpt('now', '--json', env=env)['unix_ns']
        self.assertLess(before + (HOUR_S - 1) * 10**9, unix_ns)
        self.assertLess(unix_ns, time.time_ns() + (HOUR_S + 1) * 10**9)

    def test_tsc_on_request_is_vetoed(self):
        if not self.would_trust:
            self.skipTest('the TSC is not trusted here anyway')
        info = hpt('info', '--json', env={**fake(RAW, HOUR_S, 1), 'HPT_SOURCE': 'tsc'})
        self.assertEqual((info['source'], info['vetoed'], info['reason_code']), ('tsc', True, INTERPOSED))

    @unittest.skipUnless(shutil.which('faketime'), 'no faketime')
    def test_libfaketime(self):
        for spec in '+0 x2', '@2083-01-01 00:00:00', '-5d x0.5':
            self.check_noticed(prefix=['faketime', '-f', spec])
        now = hpt('now', '--json', prefix=['faketime', '-f', '@2083-01-01 00:00:00'], env={'TZ': 'UTC'})
        self.assertTrue(now['utc'].startswith('2083-01-01T00:0'), now)
        self.assertLessEqual(YEAR_2083_NS, now['unix_ns'])


if __name__ == '__main__':
    cli.main()
