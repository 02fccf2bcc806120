# SPDX-License-Identifier: MIT
"""bench.py HPT SCHEMA [INTERRUPTING]: what hpt bench measures and writes, and how a signal ends it."""
import copy
import csv
import io
import json
import os
import platform
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree

import browser
import cli
import schema

FOLDER = tempfile.TemporaryDirectory(prefix='hpt-')
PRELOAD = cli.preload(cli.ARGS[1], FOLDER.name) if len(cli.ARGS) > 1 else None
SCHEMA = schema.Schema(cli.ARGS[0])

QUICK = {
    'read': ['read', '--rounds=3'],
    'sleep': ['sleep', '--longest=1ms', '--step=10', '--rounds=1'],
    'wake': ['wake', '--rounds=2', '--ticker=20ms'],
    'load': ['sleep', '--load=1', '--rounds=1'],
    'frontier': ['sleep', '--frontier', '--rounds=1'],
}

# These do not end by themselves within any test.
ENDLESS = {
    'read': ['read', '--rounds=100000'],
    'sleep': ['sleep', '--longest=1ms', '--rounds=10000'],
    'wake': ['wake', '--rounds=100000', '--ticker=0'],
    'load': ['sleep', '--load=1', '--rounds=10000'],
    'frontier': ['sleep', '--frontier', '--rounds=10000'],
}

# hpt bench sleep --load draws no plot.
PLOTTED = 'read', 'sleep', 'wake', 'frontier'

ROW = {'read': 'hpt_now(os)', 'sleep': 'hpt_sleep_until_ticks', 'wake': 'hpt_waiter_interrupt',
       'load': "spin_sleep's rule", 'frontier': 'hpt, BALANCED'}

# The first members of each JSON object.
HEAD = ['hpt_json', 'bench', 'version', 'start_unix_ns', 'interrupted', 'conditions', 'machine']

# QUICK and --seed=7 in the JSON.
OPTIONS = {
    'read': ['--rounds=3', '--seed=7'],
    'sleep': ['--rounds=1', '--longest=1000000ns', '--step=10', '--seed=7'],
    'wake': ['--rounds=2', '--ticker=20000000ns', '--seed=7'],
    'load': ['--rounds=1', '--load=1', '--seed=7'],
    'frontier': ['--frontier', '--rounds=1', '--seed=7'],
}

# The progress bar is drawn twice a second, and has the time left once something is measured. Mostly that is a whole
# round; if not, the next try waits for more bars.
LEFT = rb' left\x1b'
LEFTS = 1, 2, 4, 8, 16, 32

# A bar, or its removal.
BAR = rb'\r[A-Z][^\r]*\x1b\[K|\r\x1b\[2K'

# After that many bars the 1.2 s are over in which the command waits for the rate of its clock.
BARS_MEASURING = 4

# arch/x86/entry/syscalls/syscall_64.tbl
PPOLL = 271

HAS_TWO_CPUS = len(os.sched_getaffinity(0)) > 1


def left_groups():
    """The control groups of runs that are over."""
    return [os.path.join(folder, name) for folder, names, _ in os.walk('/sys/fs/cgroup') for name in names
            if name.startswith('hpt-bench-') and not os.path.exists('/proc/' + name.split('-')[2])]


class Case(cli.FolderCase):
    def bench(self, *args, **kw):
        return self.ok('bench', *args, **kw)

    def measured(self, *args):
        text = self.bench(*args, '--json')
        self.assertEqual((text.count('\n'), text[-1]), (1, '\n'))
        return json.loads(text)

    def skip_without_quotas(self, status, err):
        if status:
            self.assertEqual(status, 1)
            self.assertRegex(err, b'^hpt: cannot have a CPU quota: ')
            self.skipTest(err.decode())

    def assert_in_schema(self, kind, document):
        if schema.jsonschema:
            self.assertEqual(SCHEMA.errors(kind, document), [])
            self.assertTrue(SCHEMA.is_valid(document))

    def assert_svg(self, name):
        root = xml.etree.ElementTree.parse(self.path(name)).getroot()
        self.assertEqual(root.tag, '{http://www.w3.org/2000/svg}svg')
        with open(self.path(name), encoding='utf-8') as f:
            self.assert_plain_colours(f.read())


class Forms(Case):
    def test_json(self):
        for name, args in QUICK.items():
            d = self.measured(*args, '--seed=7')
            self.assert_in_schema(name, d)
            self.assertEqual((d['bench'], d['interrupted'], d['seed']), (name, False, 7))
            self.assertEqual(d['version'], self.ok('--version').split()[1])
            self.assertEqual(set(d['machine']), set(json.loads(self.ok('info', '--json'))))
            self.assertEqual(list(d)[:7], HEAD)
            c = d['conditions']
            self.assertEqual(c['kernel'], ' '.join((platform.system(), platform.release(), platform.machine())))
            self.assertEqual((c['host'], c['memory_bytes'] > 0, len(c['load_ppm'])), (None, True, 3))
            self.assertEqual(c['options'], OPTIONS[name])

    def test_rounds_are_all_there(self):
        d = self.measured(*QUICK['read'])
        self.assertEqual((d['rounds'], d['rounds_done']), (3, 3))
        for row in d['rows']:
            self.assertEqual((len(row['throughput_ps']), len(row['isolated_ps'])), (3, 3))
        d = self.measured(*QUICK['sleep'])
        self.assertEqual(d['lengths_ns'], [1000000, 100000, 10000, 1000])
        for way in d['ways']:
            self.assertEqual([len(v['miss_ns']) for v in way['lengths']], [1] * 4)

    def test_busy_neighbour_is_reported(self):
        """A process that never sleeps takes more than a tenth of a CPU while the command waits for its clock's rate."""
        if self.measured(*QUICK['read'])['disturbance']['others_ppm'] is None:
            self.skipTest('no /proc/stat')
        neighbour = subprocess.Popen([sys.executable, '-c', 'while True: pass'])
        try:
            found = self.measured(*QUICK['read'])['disturbance']
            text = self.bench(*QUICK['read'])
        finally:
            neighbour.kill()
            neighbour.wait()
        self.assertTrue(found['is_disturbed'], found)
        self.assertIn('Disturbed: other processes used ', text)

    def test_all_is_measured_beside_a_load(self):
        d = self.measured('sleep', '--load=2', '--rounds=2')
        self.assertEqual((d['bench'], d['load'], d['cpu'], d['rounds_done']), ('load', 2, None, 2))
        self.assertEqual(d['threads'], 1)
        self.assertEqual(d['cpus'], len(os.sched_getaffinity(0)))
        for rate, period, sleeps in zip(d['rates'], (1003000, 10030000), (1000, 100)):
            self.assertEqual(rate['period_ns'], period)
            self.assertEqual([w['name'] for w in rate['ways']],
                             ['hpt_sleep_until_ticks', 'clock_nanosleep', "spin_sleep's rule"])
            for way in rate['ways']:
                self.assertEqual((way['sleeps'], way['late']['count'], len(way['round_p99_ns'])), (sleeps, sleeps, 2))
                self.assertGreater(way['cpu_ns'], 0)
                self.assertEqual(sum(way['round_over']), way['over'])
            self.assertEqual(rate['ways'][0]['early'], 0)
            self.assertEqual(rate['ways'][1]['cpu_ratio_ppm'], 1000000)

    def test_threads_sleep_at_once(self):
        d = self.measured('sleep', '--threads=3', '--rounds=1')
        self.assertEqual((d['bench'], d['load'], d['threads'], d['rounds_done']), ('load', 0, 3, 1))
        for rate, sleeps in zip(d['rates'], (1500, 150)):
            for way in rate['ways']:
                self.assertEqual((way['sleeps'], way['late']['count']), (sleeps, sleeps))
            self.assertEqual(rate['ways'][0]['early'], 0)

    def test_quota(self):
        before = left_groups()
        p = cli.run('bench', 'sleep', '--quota=50', '--rounds=1', '--json')
        self.skip_without_quotas(p.returncode, p.stderr)
        d = json.loads(p.stdout)
        self.assert_in_schema('load', d)
        self.assertEqual((d['bench'], d['load'], d['threads'], d['quota_percent']), ('load', 0, 1, 50))
        self.assertEqual(d['conditions']['options'], ['--rounds=1', '--quota=50'])
        for rate in d['rates']:
            for way in rate['ways']:
                self.assertEqual(sum(way['round_stops']), way['stops'])
        self.assertEqual(set(left_groups()) - set(before), set())

    def test_policies_beside_other_ways(self):
        d = self.measured(*QUICK['frontier'])
        names = ['idle CPUs as they are', 'CPUs held awake'] if d['awake_error'] is None else ['idle CPUs as they are']
        self.assertEqual([r['name'] for r in d['regimes']], names)
        for regime in d['regimes']:
            ways = {w['name']: w for w in regime['ways']}
            self.assertEqual(list(ways), ['hpt, FRUGAL', 'hpt, BALANCED', 'hpt, STRICT', 'clock_nanosleep',
                                          "spin_sleep's rule", "papers' rule"])
            for name, way in ways.items():
                self.assertEqual((way['sleeps'], way['lateness']['count']), (500, 500))
                self.assertLessEqual(way['over'], way['late'])
                if name.startswith('hpt, '):
                    self.assertEqual(way['early'], 0, name)
            self.assertEqual(ways['clock_nanosleep']['cpu_ratio_ppm'], 1000000)
            # It spins all the time: the period is less than a jiffy, or nearly that.
            self.assertGreater(ways["papers' rule"]['cpu_ns'], ways['clock_nanosleep']['cpu_ns'])

    def test_no_sleep_of_ours_is_early(self):
        ways = {w['name']: w for w in self.measured('sleep', '--longest=5ms', '--rounds=3')['ways']}
        self.assertEqual((ways['hpt_sleep_until_ticks']['early'], ways['hpt_sleep_ns']['early']), (0, 0))

    def test_csv(self):
        for args in QUICK.values():
            rows = list(csv.reader(io.StringIO(self.bench(*args, '--csv'))))
            self.assertGreater(len(rows), 1)
            self.assertNotIn('', rows[0])
            self.assertEqual({len(row) for row in rows}, {len(rows[0])}, args)

    def test_options(self):
        cpu = sorted(os.sched_getaffinity(0))[-1]
        self.assertEqual(self.measured(*QUICK['read'], f'--cpu={cpu}')['cpu'], cpu)
        d = self.measured('read', '--rounds=3', '--source=os')
        self.assertEqual({r['source'] for r in d['rows'] if 'NULL' not in r['name']}, {None, 'os'})
        d = self.measured('sleep', '--table', '--longest=1ms', '--rounds=1')
        self.assertEqual(d['lengths_ns'], [1000000, 100000, 10000, 1000])
        d = self.measured('sleep', '--load=0', '--rounds=1', f'--cpu={cpu}')
        self.assertEqual((d['load'], d['cpu']), (0, cpu))
        d = self.measured('wake', '--rounds=1', '--ticker=20ms', '--period=2ms')
        self.assertEqual(d['ticker']['period_ns'], 2000000)
        self.assertIsNone(self.measured('wake', '--rounds=1', '--ticker=0')['ticker'])
        for name in 'sleep', 'wake':
            if name in PLOTTED:
                self.assertEqual(self.measured(*QUICK[name], '--source=os')['machine']['source'], 'os')

    def test_of_an_option_given_twice_the_last_wins(self):
        d = self.measured('read', '--rounds=1000', '--seed=1', '--rounds=2', '--seed=2')
        self.assertEqual((d['rounds'], d['seed']), (2, 2))

    def test_plot(self):
        for name in PLOTTED:
            self.bench(*QUICK[name], '--plot', self.path(name))
            self.assert_svg(name)
        self.assertEqual(sorted(os.listdir(self.folder)), sorted(PLOTTED))

    def test_hgrm(self):
        for name, args in QUICK.items():
            self.bench(*args, '--hgrm', self.path(name))
            files = os.listdir(self.path(name))
            row = ROW[name].split('(')[0].replace("'s ", '-s-').replace(', ', '-')
            self.assertTrue(any(row in f for f in files), files)
            for file in files:
                self.assertRegex(file, r'^[\w.-]+\.hgrm$')
                with open(os.path.join(self.path(name), file), encoding='ascii') as f:
                    text = f.read()
                self.assertRegex(text, r'(?m)^ *Value +Percentile +TotalCount +1/\(1-Percentile\)$')
                self.assertRegex(text, r'(?m)^#\[Max +=')


class Files(Case):
    def test_unwritable_files_are_reported_before_measuring(self):
        with open(self.path('file'), 'wb'):
            pass
        start = time.monotonic()
        for args in (['--plot', self.path('none/x.svg')], ['--plot', self.folder], ['--plot', '/proc/x.svg'],
                     ['--hgrm', self.path('file')], ['--hgrm', self.path('none/dir')],
                     ['--plot', self.path('x.svg'), '--hgrm', self.path('file')]):
            self.fails(1, 'bench', 'sleep', *args) # of the default length
        self.assertLess(time.monotonic() - start, 60)
        for target in self.path('none/r'), self.path('file'):
            self.fails(1, 'bench', '--report', target)
        os.makedirs(self.path('r/bench.json'))
        self.fails(1, 'bench', '--report', self.path('r'))
        self.assertEqual(os.listdir(self.path('r')), ['bench.json'])
        self.assertEqual(sorted(os.listdir(self.folder)), ['file', 'r'])

    def test_full_disk(self):
        p = cli.run('bench', *QUICK['sleep'], '--plot=/dev/full')
        self.assertEqual(p.returncode, 1)
        self.assert_one_line(p.stderr)
        self.assertIn(b'No space left on device', p.stderr)
        for form in '--json', '--csv':
            with open('/dev/full', 'wb') as full:
                self.assertIn('hpt: write error: ', self.fails(1, 'bench', *QUICK['sleep'], form, stdout=full))

    def test_closed_stdout(self):
        self.assertIn('write error', self.fails(1, 'bench', *QUICK['sleep'], preexec_fn=lambda: os.close(1)))

    def test_link_and_permissions_are_kept(self):
        with open(self.path('real.svg'), 'w', encoding='ascii') as f:
            f.write('old')
        os.chmod(self.path('real.svg'), 0o640)
        os.symlink('real.svg', self.path('link.svg'))
        self.bench(*QUICK['sleep'], '--plot', self.path('link.svg'))
        self.assertTrue(os.path.islink(self.path('link.svg')))
        self.assert_svg('real.svg')
        self.assertEqual(os.stat(self.path('real.svg')).st_mode & 0o777, 0o640)

    def test_figure_on_stdout(self):
        text = self.bench(*QUICK['sleep'], '--json', '--plot=/dev/stdout')
        self.assertIn('</svg>', text)
        self.assertEqual(json.loads(text.splitlines()[-1])['bench'], 'sleep')

    def test_plot_alone_on_stdout(self):
        for name in PLOTTED:
            text = self.bench(*QUICK[name], '--plot=-', cwd=self.folder)
            self.assertTrue(text.startswith('<svg ') and text.endswith('</svg>\n'), text[:80] + text[-80:])
        self.assertEqual(os.listdir(self.folder), [])


class Started(Case):
    def start(self, *args, **kw):
        kw.setdefault('stderr', subprocess.PIPE)
        p = subprocess.Popen([cli.HPT, 'bench', *args], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             start_new_session=True, **kw)
        self.addCleanup(lambda: p.poll() is None and p.kill())
        return p

    def end(self, p, *signals):
        if len(signals) > 1:
            cli.signal_both(p, *signals)
        else:
            os.killpg(p.pid, signals[0])
        out, err = p.communicate(timeout=cli.LIMIT)
        return p.returncode, out, err

    def end_at(self, args, pattern, times, *signals):
        """Start, wait until the progress bar has shown the pattern that often, and end(). stderr is without bars."""
        terminal = cli.Terminal()
        p = self.start(*args, stderr=terminal.stderr, env=terminal.env)
        terminal.started()
        terminal.wait_for(pattern, times)
        status, out, _ = self.end(p, *signals)
        return status, out, re.sub(BAR, b'', terminal.rest()).replace(b'\r\n', b'\n')

    def end_when_measured(self, args, pattern, *signals):
        """As end_at(), after the first whole round."""
        for times in LEFTS:
            status, out, err = self.end_at(args, pattern, times, *signals)
            if b'before a complete round' not in err:
                break
        return status, out, err


class Ended(Started):
    def interrupted(self, name, *signals, args=()):
        """Exit status and stdout of a benchmark that is interrupted after its first whole round."""
        status, out, err = self.end_when_measured([*ENDLESS[name], *args], LEFT, *signals)
        self.assertEqual(err, b'')
        return status, out.decode()

    def check_json(self, name, *signals):
        args = ['--plot', self.path('x.svg')] if name in PLOTTED else []
        status, out = self.interrupted(name, *signals, args=['--json', *args, '--hgrm', self.path('h')])
        self.assertIn(status, [-s for s in signals])
        d = json.loads(out)
        self.assert_in_schema(name, d)
        self.assertTrue(d['interrupted'])
        if name != 'wake':
            self.assertLess(d['rounds_done'], d['rounds'])
        if args:
            self.assert_svg('x.svg')
        self.assertEqual(sorted(os.listdir(self.folder)), ['h', 'x.svg'] if args else ['h'])
        self.assertEqual([f for f in os.listdir(self.path('h')) if not f.endswith('.hgrm')], [])

    def test_read_by_sigint(self):
        self.check_json('read', signal.SIGINT)

    def test_sleep_by_sigterm(self):
        self.check_json('sleep', signal.SIGTERM)

    def test_load_by_sigint(self):
        self.check_json('load', signal.SIGINT)

    def test_quota_by_sigterm(self):
        before = left_groups()
        p = cli.run('bench', 'sleep', '--quota=50', '--rounds=1', '--json')
        self.skip_without_quotas(p.returncode, p.stderr)
        status, out, err = self.end_when_measured(['sleep', '--quota=50', '--rounds=10000', '--json'], LEFT,
                                                  signal.SIGTERM)
        self.assertEqual((status, err), (-signal.SIGTERM, b''))
        self.assertTrue(json.loads(out)['interrupted'])
        self.assertEqual(set(left_groups()) - set(before), set())

    @unittest.skipUnless(HAS_TWO_CPUS, 'one CPU: there is no thread to wake on another')
    def test_wake_by_sigint_sent_twice(self):
        self.check_json('wake', signal.SIGINT, signal.SIGINT)

    def test_table_says_so(self):
        status, out = self.interrupted('read', signal.SIGINT)
        self.assertEqual(status, -signal.SIGINT)
        self.assertIn('Interrupted', out)
        self.assertIn(ROW['read'], out)

    def test_nothing_whole(self):
        start = time.monotonic()
        status, out, err = self.end_at(
            ['sleep', '--longest=100s', '--shortest=100s', '--rounds=1', '--json', '--plot', self.path('x.svg'),
             '--hgrm', self.path('h')], BAR, BARS_MEASURING, signal.SIGINT)
        self.assertEqual((status, out), (-signal.SIGINT, b''))
        self.assert_one_line(err)
        self.assertLess(time.monotonic() - start, 50)
        self.assertEqual((os.listdir(self.folder), os.listdir(self.path('h'))), (['h'], []))

    def test_older_plot_is_kept(self):
        with open(self.path('x.svg'), 'w', encoding='ascii') as f:
            f.write('old')
        _, _, err = self.end_when_measured([*ENDLESS['read'], '--json', '--plot', self.path('x.svg')], LEFT,
                                           signal.SIGINT)
        self.assert_one_line(err)
        self.assertIn(b'1 older file is kept', err)
        self.assert_svg('x.svg.partial')
        with open(self.path('x.svg'), encoding='ascii') as f:
            self.assertEqual(f.read(), 'old')

    def test_killed(self):
        with open(self.path('x.svg'), 'w', encoding='ascii') as f:
            f.write('old')
        self.assertEqual(self.end_at([*ENDLESS['read'], '--plot', self.path('x.svg')], LEFT, 1, signal.SIGKILL)[0],
                         -signal.SIGKILL)
        with open(self.path('x.svg'), encoding='ascii') as f:
            self.assertEqual(f.read(), 'old')

    @unittest.skipUnless(platform.machine() == 'x86_64', 'the number of the system call is that of x86-64')
    def test_waiting_is_forbidden(self):
        """A sandbox denies ppoll(): there is no bar, signals are not heard, and the run still ends."""
        text = self.bench(*QUICK['read'], '--json', preexec_fn=lambda: cli.deny(PPOLL), timeout=60)
        self.assertEqual(json.loads(text)['rounds_done'], 3)

    def test_ignored(self):
        """Signals that are ignored at the start, as by nohup(1) and the shell's &, stay ignored."""
        p = self.start(*QUICK['read'], '--json', preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN))
        status, out, err = self.end(p, signal.SIGINT)
        self.assertEqual((status, err, json.loads(out)['interrupted']), (0, b'', False))


class Progress(cli.Case):
    SLOW = ['bench', 'sleep', '--longest=300ms', '--shortest=300ms', '--rounds=2']

    def test_bar_has_the_time_left(self):
        text = cli.stderr_on_terminal(self.SLOW, 'xterm')
        self.assertRegex(text, rb'\rSleeping \[#* *\] +\d+ %, \d+ s left\x1b')
        # Each bar erases the rest of a longer one, and the last is removed.
        self.assertEqual(text.count(b'\rSleeping'), text.count(b'\x1b[K'))
        self.assertTrue(text.endswith(b'\r\x1b[2K'), text)

    def test_bar_fits_the_terminal(self):
        for line in cli.stderr_on_terminal(self.SLOW, 'xterm', columns=40).split(b'\r')[1:-1]:
            self.assertRegex(line, rb'^Sleeping \[#* *\] +\d+ %(, \d+ s left)?\x1b\[K$')
            self.assertLess(len(line) - len(b'\x1b[K'), 40)

    def test_dumb_terminal_is_left_alone(self):
        self.assertEqual(cli.stderr_on_terminal(['bench', *QUICK['sleep']], 'dumb'), b'')


class Report(Started):
    def test_page_and_json(self):
        target = self.path('report')
        self.assertEqual(self.bench('--report', target, '--short'), f'{target}/index.html\n{target}/bench.json\n')
        self.assertEqual(sorted(os.listdir(target)), ['bench.json', 'index.html'])
        with open(os.path.join(target, 'bench.json'), encoding='utf-8') as f:
            d = json.load(f)
        self.assert_in_schema('report', d)
        self.assertFalse(d['interrupted'] or None in (d['read'], d['sleep'], d['wake']))
        self.assertEqual(list(d)[:7], HEAD)
        self.assertEqual(d['conditions']['options'], ['--short'])
        with open(os.path.join(target, 'index.html'), encoding='utf-8') as f:
            page = f.read()
        self.assertTrue(page.startswith('<!DOCTYPE html>'), page[:100])
        for row in ROW['read'], ROW['sleep'], '<svg':
            self.assertIn(row, page)
        self.assertEqual(cli.run('bench', '--compare', f'{target}/bench.json', f'{target}/bench.json').returncode, 0)
        browser.assert_fine_everywhere(self, os.path.join(target, 'index.html'))

    def test_interrupted(self):
        status, _, err = self.end_when_measured(['--report', self.path('r')], rb'Reading clocks [^\r]*' + LEFT,
                                                signal.SIGINT)
        self.assertEqual((status, err), (-signal.SIGINT, b''))
        self.assertEqual(sorted(os.listdir(self.path('r'))), ['bench.json', 'index.html'])
        with open(self.path('r/bench.json'), encoding='utf-8') as f:
            d = json.load(f)
        self.assert_in_schema('report', d)
        self.assertTrue(d['interrupted'] and d['read'])
        self.assertIsNone(d['wake'])

    def test_interrupted_over_an_older_report(self):
        """The older report stays, byte by byte; the part of a new one has names of its own."""
        target = self.path('r')
        os.mkdir(target)
        for name in 'index.html', 'bench.json':
            with open(os.path.join(target, name), 'w', encoding='ascii') as f:
                f.write('old')
        status, out, err = self.end_when_measured(['--report', target, '--host-name'],
                                                  rb'Reading clocks [^\r]*' + LEFT, signal.SIGINT)
        self.assertEqual((status, err), (-signal.SIGINT, b''))
        self.assertEqual(out.decode(), f'{target}/index.html.partial\n{target}/bench.json.partial\n')
        self.assertEqual(sorted(os.listdir(target)),
                         ['bench.json', 'bench.json.partial', 'index.html', 'index.html.partial'])
        for name in 'index.html', 'bench.json':
            with open(os.path.join(target, name), encoding='ascii') as f:
                self.assertEqual(f.read(), 'old')
        with open(os.path.join(target, 'bench.json.partial'), encoding='utf-8') as f:
            d = json.load(f)
        self.assertTrue(d['interrupted'])
        self.assertEqual((d['conditions']['host'], d['conditions']['options']), (platform.node(), ['--host-name']))

    def test_nothing_whole(self):
        # On a busy machine a round may be whole before the signal arrives.
        for _ in LEFTS:
            status, out, err = self.end_at(['--report', self.path('r')], BAR, 1, signal.SIGINT)
            if err:
                break
            shutil.rmtree(self.path('r'))
        self.assertEqual((status, out, os.listdir(self.path('r'))), (-signal.SIGINT, b'', []))
        self.assert_one_line(err)

    @unittest.skipUnless(PRELOAD, 'a static library or a sanitizer: libc cannot be interposed')
    def test_signal_while_files_are_opened_leaves_none(self):
        for args in (['--report', self.path('r')],
                     [*QUICK['sleep'], '--plot', self.path('r/x'), '--hgrm', self.path('r')]):
            p = self.start(*args, env={**os.environ, 'LD_PRELOAD': PRELOAD})
            out, err = p.communicate(timeout=cli.LIMIT)
            self.assertEqual((p.returncode, out, os.listdir(self.path('r'))), (-signal.SIGINT, b'', []))
            self.assert_one_line(err)


@unittest.skipUnless(schema.jsonschema, schema.MISSING)
class Strict(Case):
    """The schema refuses documents with a key removed, a key of another type, or a surplus key."""
    OPEN = ('machine',)

    def variants(self, value, path=()):
        """The path of every value; of a list only the first element's, since all are alike."""
        yield path
        if isinstance(value, dict):
            for key, member in value.items():
                if key not in self.OPEN:
                    yield from self.variants(member, path + (key,))
        elif isinstance(value, list) and value:
            yield from self.variants(value[0], path + (0,))

    def shortened(self, value):
        """Lists cut to one element: all are alike, and validation takes time."""
        if isinstance(value, dict):
            return {key: self.shortened(member) for key, member in value.items()}
        return [self.shortened(member) for member in value[:1]] if isinstance(value, list) else value

    def test_every_change_is_refused(self):
        for name, args in QUICK.items():
            d = self.shortened(self.measured(*args))
            self.assert_in_schema(name, d)
            for path in self.variants(d):
                self.check_changes(name, d, path)

    def check_changes(self, name, document, path):
        for change in 'drop', 'retype', 'add':
            d = copy.deepcopy(document)
            parent, value = None, d
            for key in path:
                parent, value = value, value[key]
            if change == 'add' and isinstance(value, dict):
                value['surplus'] = 1
            elif change == 'drop' and path and isinstance(parent, dict):
                del parent[path[-1]]
            elif change == 'retype' and path:
                parent[path[-1]] = [[]]
            else:
                continue
            self.assertTrue(SCHEMA.errors(name, d), (change, path))


if __name__ == '__main__':
    cli.main()
