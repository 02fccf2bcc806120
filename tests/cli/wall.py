# SPDX-License-Identifier: MIT
"""hpt wall: without a source, with a chronyd that says what the test wants, with ClockBound."""
import json
import os
import signal
import subprocess
import time
import xml.etree.ElementTree

import cli
from fake_chronyd import FakeChronyd, UNSYNCHRONISED
from wall_case import LINE, MS, NAMES, S, US, WallCase, clockbound_segment, nowhere, text_of_ns


class NoSource(WallCase):
    def test_each_source_says_why_and_what_helps(self):
        a = self.wall(3, *nowhere())
        self.assertEqual((a['has_bound'], a['state'], a['samples']), (False, 'none', 0))
        self.assertEqual([s['used'] for s in a['sources']], [True, True, False, True, True, False])
        for s in a['sources']:
            self.assertFalse(s['usable'] or s['live'])
            self.assertNotIn(s['reason'], (None, ''))
            self.assertNotIn(s['advice'], (None, ''))
            self.assertEqual((s['samples'], s['width_ns'], s['age_ns']), (0, None, None))

    def test_tables_say_the_same(self):
        text = self.tables(3, *nowhere())
        self.assertRegex(text, r'(?m)^State +none, generation 1$')
        self.assertRegex(text, r'(?m)^Bound +NONE: no source has stated one$')
        for name in NAMES:
            self.assertRegex(text, rf'(?m)^{name} +no +no +- +- \S')
        self.assertRegex(text, r'(?m)^clockbound .*/nonexistent/shm1: .* \(ENOENT\); start clockbound')

    def test_named_sources_alone_are_asked(self):
        for names in ['kernel'], ['fbclock'], ['phc', 'kernel']:
            a = self.wall(3, *nowhere(), '--sources=' + ','.join(names), '--phc=/nonexistent/ptp0')
            self.assertEqual([s['name'] for s in a['sources'] if s['used']],
                             [name for name in NAMES if name in names])

    def test_counter(self):
        self.assertEqual(self.wall(3, *nowhere(), '--source=os')['source'], 'os')
        self.assertEqual(self.wall(3, *nowhere(), source='os')['source'], 'os')

    def test_rates_as_given(self):
        a = self.wall(3, *nowhere())
        self.assertEqual((a['rate_ppb'], a['wander_ppb']), (50000, 15000))
        self.assertIn('assumed-rate', a['flags'])
        a = self.wall(3, *nowhere(), '--rate=1.5ppm', '--wander=70ppb')
        self.assertEqual((a['rate_ppb'], a['wander_ppb']), (1500, 70))
        self.assertNotIn('assumed-rate', a['flags'])

    def test_files_that_are_none(self):
        """Each is another reason than a file that is not there."""
        with open(self.path('file'), 'wb') as f:
            f.write(b'no segment' * 1000)
        a = self.wall(3, *nowhere(), *(f'--{name}={self.path("file")}' for name in ('clockbound', 'vmclock', 'phc')))
        absent = self.source(self.wall(3, *nowhere()), 'phc')['reason_code']
        for name in 'clockbound', 'vmclock', 'phc':
            self.assertNotEqual(self.source(a, name)['reason_code'], absent, name)
            self.assertEqual(self.source(a, name)['path'], self.path('file'))

    def test_watch_without_a_bound(self):
        p = cli.run('wall', '--watch', '--count=3', '--interval=10ms', *nowhere())
        self.assertEqual((p.returncode, p.stderr), (3, b''))
        lines = p.stdout.decode().splitlines()
        self.assertEqual(len(lines), 4)
        for line in lines[1:]:
            found = LINE.fullmatch(line)
            self.assertEqual(found.group('width', 'min', 'max', 'gen', 'state', 'sources'),
                             ('-', '-', '-', '1', 'none', '-'), line)
            self.assertEqual(len(line), len(lines[1]))


class Chrony(WallCase):
    def setUp(self):
        super().setUp()
        self.chronyd = FakeChronyd()
        self.addCleanup(self.chronyd.stop)
        self.args = nowhere(self.chronyd.address)

    def test_interval_contains_what_chronyd_says(self):
        """UTC is CLOCK_REALTIME and the correction, to within half the delay and the dispersion."""
        for correction_s in 0, 0.25, -3.5:
            self.chronyd.correction_s = correction_s
            a = self.wall(0, *self.args)
            error_ns = (self.chronyd.delay_s / 2 + self.chronyd.dispersion_s) * S
            self.assertLessEqual(a['realtime_ahead_min_ns'], (-correction_s + 1e-6) * S)
            self.assertGreaterEqual(a['realtime_ahead_max_ns'], (-correction_s - 1e-6) * S)
            self.assertGreaterEqual(a['width_ns'], 2 * error_ns - US)
            self.assertEqual((a['state'], a['generation'], a['samples']), ('synced', 1, 1))

    def test_source_that_gives_it(self):
        a = self.wall(0, *self.args)
        s = self.source(a, 'chrony')
        self.assertEqual((s['used'], s['usable'], s['live'], s['path'], s['samples']),
                         (True, True, True, self.chronyd.address, 1))
        self.assertGreaterEqual(s['width_ns'], a['width_ns'])
        self.assertEqual([s['live'] for s in a['sources']], [name == 'chrony' for name in NAMES])

    def test_tables(self):
        text = self.tables(0, *self.args)
        for word in 'Source', 'State', 'Earliest', 'Latest', 'Width', 'CLOCK_REALTIME', 'TAI', 'Leap second', 'Rate', \
                'Samples':
            self.assertRegex(text, rf'(?m)^{word} ')
        self.assertNotRegex(text, '(?m)^Bound ')
        self.assertRegex(text, rf'(?m)^chrony +yes +yes +\S+ \w+ +\S+ \w+ {self.chronyd.address}$')

    def test_max_width(self):
        a = self.wall(3, *self.args, '--max-width=1us')
        self.assertEqual((a['too_wide'], a['has_bound'], a['max_width_ns']), (True, True, US))
        a = self.wall(0, *self.args, '--max-width=1min')
        self.assertEqual((a['too_wide'], a['max_width_ns']), (False, 60 * S))
        self.assertRegex(self.tables(3, *self.args, '--max-width=1us'), r'(?m)^Width .*: WIDER than 1.0 us$')

    def test_unsynchronised(self):
        self.chronyd.leap = UNSYNCHRONISED
        a = self.wall(3, *self.args)
        self.assertEqual(a['state'], 'unsynced')
        self.assertFalse(self.source(a, 'chrony')['usable'])
        self.assertIn('chronyc', self.source(a, 'chrony')['advice'])
        self.assertRegex(self.tables(3, *self.args), r'(?m)^Bound +NONE: a source answers, and says that it has none$')

    def test_silent(self):
        self.chronyd.is_silent = True
        a = self.wall(3, *self.args)
        self.assertIn('chronyc', self.source(a, 'chrony')['advice'])

    def test_source_that_is_not_asked(self):
        a = self.wall(3, *self.args, '--sources=phc,vmclock')
        self.assertEqual((self.source(a, 'chrony')['used'], self.chronyd.answers), (False, 0))

    def test_rate_bounds_are_those_asked_for(self):
        """A worse counter: the interval is as wide at first, and its rate's bounds are wider."""
        good, bad = (self.wall(0, *self.args, f'--rate={rate}') for rate in ('10ppm', '1000ppm'))
        self.assertGreaterEqual(bad['rate_max_ppb'], 1000 * US - 1)
        self.assertLess(good['rate_max_ppb'], bad['rate_max_ppb'])

    def test_watch(self):
        looks = self.watch(0, *self.args, '--count=5', '--interval=20ms')
        self.assertEqual(len(looks), 5)
        self.assertEqual([a['samples'] for a in looks], [1, 2, 3, 4, 5])
        for before, after in zip(looks, looks[1:]):
            self.assertGreater(after['at_ns'], before['at_ns'])
            self.assertGreaterEqual(after['earliest_ns'], before['earliest_ns'])
            self.assertEqual(after['generation'], before['generation'])
        self.assertGreaterEqual(looks[4]['at_ns'], 4 * 20 * MS - MS)

    def test_watch_as_lines(self):
        self.chronyd.correction_s = -3.5
        before = text_of_ns(time.time_ns())[11:23]
        p = cli.run('wall', '--watch', '--count=2', '--interval=1ms', *self.args)
        after = text_of_ns(time.time_ns())[11:23]
        self.assertEqual((p.returncode, p.stderr), (0, b''))
        heading, *lines = p.stdout.decode().splitlines()
        self.assertEqual(heading.split(), ['TIME', 'WIDTH', 'AHEAD', 'FROM', 'TO', 'GEN', 'STATE', 'SOURCES'])
        self.assertEqual(len(lines), 2)
        for line in lines:
            found = LINE.fullmatch(line)
            self.assertTrue(found, line)
            self.assertEqual(found.group('state', 'gen', 'sources'), ('synced', '1', 'chrony'))
            self.assertTrue(before <= found['time'] <= after or after < before, found['time']) # midnight
            self.assertLessEqual(len(line), 80)
            self.assertEqual(line.index('chrony'), heading.index('SOURCES'))
            self.assertRegex(found['min'], r'^3\.(499|500) s$')
            self.assertRegex(found['max'], r'^3\.(500|501) s$')
        wide = cli.run('wall', '-w', '-n1', '--max-width=1ns', *self.args)
        self.assertEqual(wide.returncode, 3)
        self.assertIn(b'  TOO WIDE  ', wide.stdout)

    def test_one_look_without_a_bound_is_remembered(self):
        """The exit status is 3, though there is a bound at the end."""
        self.chronyd.first_leaps = [UNSYNCHRONISED]
        looks = self.watch(3, *self.args, '--count=4', '--interval=50ms')
        self.assertEqual((looks[0]['has_bound'], looks[-1]['has_bound']), (False, True))


class TwoSources(WallCase):
    """chronyd's word and ClockBound's: that CLOCK_REALTIME is right to the millisecond."""

    def setUp(self):
        super().setUp()
        self.chronyd = FakeChronyd()
        self.addCleanup(self.chronyd.stop)
        with open(self.path('shm0'), 'wb') as f:
            f.write(clockbound_segment(MS))
        self.args = [*nowhere(self.chronyd.address), '--clockbound', self.path('shm0')]

    def live(self, a):
        return [s['name'] for s in a['sources'] if s['live']]

    def test_both_are_in_the_bound(self):
        began_ns = time.monotonic_ns()
        a = self.wall(0, *self.args)
        # By 50 ppm to each side, for a shorter time than the command took.
        grown_ns = (time.monotonic_ns() - began_ns) // 10000
        self.assertEqual(self.live(a), ['clockbound', 'chrony'])
        widths = [self.source(a, name)['width_ns'] for name in ('clockbound', 'chrony')]
        self.assertGreaterEqual(widths[0], 2 * MS)
        self.assertLessEqual(a['width_ns'], min(widths) + grown_ns)
        self.assertRegex(self.tables(0, *self.args), r'(?m)^clockbound +yes +yes +\S+ ms .*/shm0$')

    def test_half_of_each(self):
        """chronyd says that UTC is a millisecond later: what both allow is at the end of ClockBound's interval."""
        self.chronyd.correction_s = 0.001
        a = self.wall(0, *self.args)
        width_ns = self.source(a, 'chrony')['width_ns']
        self.assertLess(a['width_ns'], 0.75 * width_ns)
        # By chronyd's own width, which grows with the time since the measurement: the rate is hardly known yet.
        self.assertLess(a['realtime_ahead_max_ns'], -MS + 0.75 * width_ns)
        self.assertGreater(a['realtime_ahead_min_ns'], -1.5 * MS)

    def test_contradiction(self):
        self.chronyd.correction_s = 5
        a = self.wall(3, *self.args)
        self.assertEqual((a['state'], a['contradictions']), ('contradicted', 1))
        self.assertIn('--trust', self.source(a, 'chrony')['advice'])
        self.assertRegex(self.tables(3, *self.args), r'(?m)^Bound +NONE: what the sources state has nothing in common')

    def test_trust(self):
        self.chronyd.correction_s = 5
        for name, ahead_ns in ('chrony', -5 * S), ('clockbound', 0):
            a = self.wall(0, *self.args, f'--trust={name}')
            self.assertTrue(a['realtime_ahead_min_ns'] <= ahead_ns <= a['realtime_ahead_max_ns'], a)
            self.assertEqual((self.live(a), a['contradictions']), ([name], 1))
        self.assertEqual(self.wall(3, *self.args, '--trust=chrony,clockbound')['state'], 'contradicted')


class Ends(WallCase):
    """Watches without end."""

    def setUp(self):
        super().setUp()
        self.chronyd = FakeChronyd()
        self.addCleanup(self.chronyd.stop)

    def start(self, *args, **kw):
        """A watch, which is killed if the test fails."""
        p = subprocess.Popen([cli.HPT, 'wall', '--watch', *nowhere(self.chronyd.address), *args],
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, **kw)
        for end in p.stdout.close, p.stderr.close, p.wait, p.kill:
            self.addCleanup(end)
        return p

    def end_by(self, number, *args):
        """The status, stdout and stderr of a watch that gets the signal after some lines."""
        p = self.start('--interval=5ms', *args)
        first = b''.join(p.stdout.readline() for _ in range(5))
        p.send_signal(number)
        out, err = p.stdout.read(), p.stderr.read() # communicate() would lose what readline() has read ahead
        return p.wait(cli.LIMIT), first + out, err

    def test_signals_end_a_watch_with_whole_lines(self):
        for number in signal.SIGINT, signal.SIGTERM, signal.SIGHUP:
            status, out, err = self.end_by(number, '--json')
            self.assertEqual((status, err), (-number, b''))
            self.assertEqual(out[-1:], b'\n')
            for line in out.splitlines():
                self.assert_sound(json.loads(line))

    def test_an_ignored_signal_stays_ignored(self):
        p = self.start('--count=8', '--interval=50ms', '--json',
                       preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        p.stdout.readline()
        p.send_signal(signal.SIGHUP)
        self.assertEqual(len(p.stdout.readlines()), 7)
        self.assertEqual(p.wait(cli.LIMIT), 0)

    def test_plot_of_an_interrupted_watch(self):
        for number in signal.SIGINT, signal.SIGTERM, signal.SIGHUP:
            path = self.path(f'{number:d}.svg')
            status, _, err = self.end_by(number, '--plot', path)
            self.assertEqual((status, err), (-number, b''))
            xml.etree.ElementTree.parse(path)

    def test_a_signal_ends_a_long_interval(self):
        p = self.start('--interval=1h', '--json')
        p.stdout.readline()
        p.send_signal(signal.SIGINT)
        self.assertEqual((p.wait(cli.LIMIT), p.stdout.read(), p.stderr.read()), (-signal.SIGINT, b'', b''))

    def test_a_reader_that_leaves(self):
        p = self.start('--interval=1ms', preexec_fn=lambda: signal.signal(signal.SIGPIPE, signal.SIG_DFL))
        p.stdout.readline()
        p.stdout.close()
        self.assertEqual((p.wait(cli.LIMIT), p.stderr.read()), (-signal.SIGPIPE, b''))

    def test_lost_output_ends_a_watch(self):
        with open('/dev/full', 'wb') as full:
            self.assertIn('write error', self.fails(1, 'wall', '--watch', '--interval=1ms', *nowhere(), stdout=full))


class Plot(WallCase):
    def setUp(self):
        super().setUp()
        self.chronyd = FakeChronyd()
        self.addCleanup(self.chronyd.stop)
        self.args = ['--watch', '--count=20', '--interval=2ms', *nowhere(self.chronyd.address)]

    def assert_is_plot(self, text):
        self.assertTrue(xml.etree.ElementTree.fromstring(text).tag.endswith('svg'))
        for words in ('Bounded wall time', 'Width of the interval', 'CLOCK_REALTIME is ahead of UTC',
                      '20 looks, counter'):
            self.assertIn(words, text)
        self.assert_plain_colours(text)

    def read(self, name):
        with open(self.path(name), encoding='utf-8') as f:
            return f.read()

    def test_file(self):
        for extra in [], ['--json']:
            p = cli.run('wall', *self.args, *extra, '--plot', self.path('x.svg'))
            self.assertEqual((p.returncode, p.stderr), (0, b''))
            self.assertEqual(p.stdout.count(b'\n'), 20 + (not extra))
            self.assert_is_plot(self.read('x.svg'))
        self.assertEqual(os.listdir(self.folder), ['x.svg'])

    def test_alone_on_stdout(self):
        self.assert_is_plot(self.ok('wall', *self.args, '--plot=-', cwd=self.folder))
        self.assertEqual(os.listdir(self.folder), [])

    def test_looks_without_a_bound_are_counted(self):
        self.chronyd.leap = UNSYNCHRONISED
        p = cli.run('wall', *self.args, '--plot', self.path('x.svg'))
        self.assertEqual((p.returncode, p.stderr), (3, b''))
        self.assertIn('20 of 20 looks had no bound.', self.read('x.svg'))

    def test_file_that_cannot_be_written(self):
        for path in self.path('none/x.svg'), self.folder, '/proc/x.svg':
            self.fails(1, 'wall', *self.args, '--plot', path)
        p = cli.run('wall', *self.args, '--plot=/dev/full')
        self.assertEqual(p.returncode, 1)
        self.assert_one_line(p.stderr)


class Wrong(WallCase):
    def test_wrong_usage_is_one_line_and_2(self):
        for args in (['chrony'], ['--sources='], ['--sources=chrony,'], ['--sources=,chrony'], ['--sources=feed'],
                     ['--sources=chrony phc'], ['--sources=CHRONY'], ['--sources'], ['--trust=x'],
                     ['--trust=kernel'], ['--sources=phc', '--trust=chrony'],
                     ['--count=3'], ['--interval=1s'], ['--plot=x.svg'], ['--plot=-'],
                     ['--watch', '--count=0'], ['--watch', '--count=-1'], ['--watch', '--count=x'],
                     *(['--watch', '--count=1', f'--interval={t}'] for t in ('0', '999us', '1')),
                     ['--watch', '--plot='], ['--watch', '--count=1', '--json', '--plot=-'],
                     ['--max-width=0'], ['--max-width=5'], ['--max-width=-1s'], ['--max-width=x'], ['--max-width'],
                     *([f'--chrony={a}'] for a in ('', 'localhost:323', '127.0.0.1', '[::1]', '::1:323', '127.0.0.1:0',
                                                    '127.0.0.1:65536')),
                     ['--clockbound='], ['--vmclock='], ['--phc='], ['--chrony-conf='], ['--chrony=' + 64 * '1'],
                     ['--clockbound=' + 112 * 'x'], ['--vmclock=' + 112 * 'x'], ['--phc=' + 112 * 'x'],
                     ['--phc-error=0'], ['--phc-error=1'], ['--refclock-error=0'], ['--refclock-error=x'],
                     ['--phc-timescale=gps'], ['--phc-timescale=UTC'],
                     ['--rate=0ppm'], ['--rate=5'], ['--rate=-5ppm'], ['--rate=1000000ppm'], ['--rate=1000000000ppb'],
                     ['--rate=0.0001ppm'], ['--wander=0ppb'], ['--wander=1.5ppb'], ['--wander='], ['--source=auto']):
            self.fails(2, 'wall', *args)

    def test_messages_help(self):
        self.assertIn(", perhaps 'chrony'; see 'hpt help wall'", self.fails(2, 'wall', '--sources=phc,chorny'))
        self.assertIn("unknown source of bounds 'feed'", self.fails(2, 'wall', '--sources=feed'))
        for names in 'chrony,', ',chrony', '':
            self.assertIn('a name is missing in a list', self.fails(2, 'wall', f'--sources={names}'))
        self.assertIn('need --watch', self.fails(2, 'wall', '--count=3'))
        self.assertIn('--trust names a source that is not asked', self.fails(2, 'wall', '--trust=kernel'))
        self.assertIn("'5': a unit is missing", self.fails(2, 'wall', '--max-width=5'))
        self.assertIn("'5' is not a rate from 1ppb", self.fails(2, 'wall', '--rate=5'))
        self.assertIn('such as 127.0.0.1:323', self.fails(2, 'wall', '--chrony=localhost:323'))

    def test_the_longest_values_are_taken(self):
        paths = [f'--{name}=/{110 * "x"}' for name in ('clockbound', 'vmclock', 'phc')]
        a = self.wall(3, '--chrony=/' + 62 * '1', *paths, '--rate=999999.999ppm', '--phc-error=1ns',
                      '--refclock-error=5ms', '--phc-timescale=tai', '--trust=phc,chrony')
        self.assertEqual(a['rate_ppb'], 10**9 - 1)

    def test_source_of_ticks_that_cannot_be_used(self):
        self.assertIn('mmio cannot be used: ', self.fails(1, 'wall', '--source=mmio'))


cli.main()
