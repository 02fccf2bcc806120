# SPDX-License-Identifier: MIT
"""used_clock.py HPT USED [INTERPOSER]: each command reads and sleeps on the clock that was asked for, whatever it says;
and says what a counter is worth that the library refuses."""
import json
import os
import subprocess
import tempfile
import time
import unittest

import cli

FOLDER = tempfile.TemporaryDirectory(prefix='hpt-')
USED = cli.preload(cli.ARGS[0], FOLDER.name)

SLEEPS = {'hpt_sleep_until_ticks', 'hpt_sleep_ns'}
OBJECTS = {'hpt_waiter_new', 'hpt_ticker_new'}

# Command, and functions that it must have called.
RUNS = {
    'sleep': (['bench', 'sleep', '--longest=1ms', '--step=10', '--rounds=1', '--json'], SLEEPS),
    'load': (['bench', 'sleep', '--load=1', '--rounds=1', '--json'], {'hpt_sleep_until_ticks'}),
    'frontier': (['bench', 'sleep', '--frontier', '--rounds=1', '--json'], {'hpt_sleep_until_ticks'}),
    'wake': (['bench', 'wake', '--rounds=2', '--ticker=20ms', '--json'], {'hpt_ticker_new'}),
    'hpt sleep': (['sleep', '--json', '1ms'], {'hpt_sleep_ns', 'hpt_now_ns'}),
    'hpt sleep -i': (['sleep', '--json', '-n', '2', '-i', '1ms'], {'hpt_now', 'hpt_waiter_new'}),
    'hpt check': (['check', '--seconds=100ms', '--json'], {'hpt_now'}),
}


def usable(name):
    return next(s['usable'] for s in json.loads(cli.run('sources', name, '--json').stdout)['sources'])


class Case(cli.FolderCase):
    def run_on(self, *args, source=None, environment=None, further=''):
        """The answer, and function -> sources of the clocks on which it was called."""
        env = {k: v for k, v in os.environ.items() if k != 'HPT_SOURCE'}
        env.update(LD_PRELOAD=f'{USED} {further}'.strip(), USED_CLOCKS=self.path('used'), LC_ALL='C',
                   **({'HPT_SOURCE': environment} if environment else {}))
        option = [f'--source={source}'] if source else []
        p = subprocess.run([cli.HPT, *args, *option], env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE, check=False, timeout=cli.LIMIT)
        used = {}
        with open(self.path('used'), encoding='ascii') as f:
            for line in f:
                function, name = line.split()
                used.setdefault(function, set()).add(name)
        os.unlink(self.path('used'))
        return p, used

    def check_used(self, used, functions, expected, name):
        self.assertEqual(functions - set(used), set(), (name, used))
        for function, sources in used.items():
            # Messages between CPUs are timed by a TSC, if it is sound. All else is on the clock that was asked for: how
            # late a sleep ended is known by the clock that it followed.
            if name not in ('wake', 'report') or function in SLEEPS | OBJECTS:
                self.assertEqual(sources, {expected}, (name, function, used))

    def check_source(self, expected, names=tuple(RUNS), **asked):
        for name in names:
            args, functions = RUNS[name]
            p, used = self.run_on(*args, **asked)
            self.check_used(used, functions, expected, name)
            d = json.loads(p.stdout)
            self.assertEqual(d['machine']['source'] if 'machine' in d else d['source'], expected)
            if name in ('sleep', 'load', 'frontier'):
                self.assertEqual(d['stopwatch']['source'], expected, name)


class UsedClock(Case):
    def test_source_on_the_command_line(self):
        self.check_source('os', source='os')
        if usable('tsc'):
            self.check_source('tsc', ['sleep', 'hpt sleep', 'hpt check'], source='tsc')

    def test_source_by_the_environment(self):
        self.check_source('os', ['sleep', 'load', 'hpt sleep'], environment='os')

    def test_source_that_was_chosen(self):
        self.check_source(json.loads(self.ok('info', '--json'))['source'], ['sleep', 'hpt sleep'])

    def test_option_outweighs_the_environment(self):
        if not usable('tsc'):
            self.skipTest('one source only')
        self.check_source('tsc', ['sleep'], source='tsc', environment='os')

    def test_report(self):
        p, used = self.run_on('bench', '--report', self.path('r'), '--short', source='os')
        self.assertEqual(p.returncode, 0, p.stderr)
        self.check_used(used, SLEEPS | OBJECTS, 'os', 'report')
        with open(self.path('r/bench.json'), encoding='utf-8') as f:
            d = json.load(f)
        self.assertEqual((d['machine']['source'], d['sleep']['stopwatch']['source']), ('os', 'os'))
        self.assertFalse(any(d[part]['stopwatch']['vetoed'] for part in ('sleep', 'wake')))

    def test_text_names_the_clock(self):
        p, _ = self.run_on('bench', 'sleep', '--longest=1ms', '--step=10', '--rounds=1', source='os')
        self.assertIn("\nThe sleeps of hpt, the papers' rule and the busy wait are on the source os.\n"
                      "The stopwatch is os by hpt_now().\n", p.stdout.decode())
        self.assertNotIn('refuses', p.stdout.decode())


@unittest.skipUnless(len(cli.ARGS) > 1 and usable('tsc'), 'no TSC here, or no way to make the library refuse it')
class Refused(Case):
    """clock_gettime() is replaced, so that the library refuses the TSC."""
    WORTH = b'Timed by a counter that the library refuses, tsc: '

    def setUp(self):
        super().setUp()
        os.environ.update(FAKE_CLOCK=str(time.CLOCK_MONOTONIC_RAW), FAKE_SHIFT_S='3600', FAKE_TIMES='1')
        self.addCleanup(lambda: [os.environ.pop(k) for k in ('FAKE_CLOCK', 'FAKE_SHIFT_S', 'FAKE_TIMES')])

    def run_on(self, *args, **kw):
        os.makedirs(self.path('i'), exist_ok=True)
        if not os.path.lexists(self.path('i/preload.so')):
            cli.preload(cli.ARGS[1], self.path('i'))
        return super().run_on(*args, further=self.path('i/preload.so'), **kw)

    def stopwatch(self, *args, **kw):
        watch = json.loads(self.run_on('bench', *args, '--json', **kw)[0].stdout)['stopwatch']
        return watch['source'], watch['vetoed'], 'replaced' in watch['reason']

    def says_its_worth(self, *args, **kw):
        return self.WORTH in self.run_on('bench', *args, **kw)[0].stdout

    def test_source_that_was_chosen_or_asked_for(self):
        self.check_source('os', ['sleep'])
        self.check_source('tsc', ['sleep', 'load'], source='tsc')

    def test_worth_of_the_stopwatch_is_said(self):
        sleep, wake = ['sleep', '--longest=1ms', '--step=10', '--rounds=1'], ['wake', '--rounds=2', '--ticker=20ms']
        for args in sleep, wake:
            self.assertEqual(self.stopwatch(*args), ('os', False, False), args)
            self.assertEqual(self.stopwatch(*args, source='tsc'), ('tsc', True, True), args)
        self.assertFalse(self.says_its_worth(*sleep))
        self.assertTrue(self.says_its_worth(*sleep, source='tsc'))
        # Single reads take tens of nanoseconds: no other counter can time them.
        self.assertEqual(self.stopwatch('read', '--rounds=2'), ('tsc', True, True))
        self.assertTrue(self.says_its_worth('read', '--rounds=2'))

    def test_page_says_it(self):
        self.run_on('bench', '--report', self.path('r'), '--short', source='tsc')
        with open(self.path('r/index.html'), 'rb') as f:
            self.assertEqual(f.read().count(self.WORTH), 3)


if __name__ == '__main__':
    cli.main()
