# SPDX-License-Identifier: MIT
"""sleep.py HPT [DIVERGED]: hpt sleep: arguments, measurements, and interruption by signals."""
import json
import os
import re
import signal
import subprocess
import tempfile
import time
import unittest

import cli
from fake_chronyd import FakeChronyd

FOLDER = tempfile.TemporaryDirectory(prefix='hpt-')
DIVERGED = cli.preload(cli.ARGS[0], FOLDER.name) if cli.ARGS else None

KEYS = ('hpt_json', 'source', 'policy', 'max_spin_ns', 'kind', '', 'requested', 'sleeps', 'miss_min_ns',
        'miss_median_ns', 'miss_mean_ns', 'miss_p90_ns', 'miss_p99_ns', 'miss_max_ns', 'early', 'past', 'diverged',
        'margin_ns', 'margin_samples', 'long_margin_ns', 'long_margin_samples', 'waits', 'oversleeps', 'oversleep_ns',
        'cpu_ns', 'wall_ns', 'cpu_ppm', 'disturbance')
TEXTS = 'source', 'policy', 'kind'
LENGTHS = {'duration': 'duration_ns', 'interval': 'interval_ns', 'until': 'unix_ns'}
POLICIES = 'balanced', 'frugal', 'strict', 'nospin', 'spin'
SOURCES = None, 'os'
MS, S = 10**6, 10**9

# A busy machine may disturb a measurement that often.
TRIES = 20


def at(unix_ns):
    return f'@{unix_ns // S}.{unix_ns % S:09}'


class Case(cli.Case):
    def measured(self, *args, **kw):
        text = self.ok('sleep', '--json', *args, **kw)
        self.assertEqual((text.count('\n'), text[-1]), (1, '\n'))
        value = json.loads(text)
        self.assert_sound(value)
        return value

    def assert_sound(self, v):
        """Checks that hold for every run, also an interrupted one."""
        self.assertEqual(list(v), [k or LENGTHS[v['kind']] for k in KEYS])
        self.assertEqual(v['disturbance'] is not None, v['wall_ns'] >= S)
        for key, value in v.items():
            if key == 'disturbance':
                continue
            self.assertIs(type(value), str if key in TEXTS else int, key)
            if not key.startswith('miss_') and key != 'unix_ns':
                self.assertTrue(key in TEXTS or value >= 0, key)
        self.assertEqual(v['hpt_json'], 1)
        self.assertLessEqual(v['sleeps'], v['requested'])
        self.assertLessEqual(max(v['early'], v['past'], v['diverged']), v['sleeps'])
        self.assertLessEqual(v['oversleeps'], v['waits'])
        misses = [v[f'miss_{q}_ns'] for q in ('min', 'median', 'p90', 'p99', 'max')]
        self.assertEqual(misses, sorted(misses))
        self.assertTrue(misses[0] <= v['miss_mean_ns'] <= misses[-1], v)

    def assert_never_early(self, v):
        self.assertEqual((v['early'], v['diverged']), (0, 0))
        self.assertGreaterEqual(v['miss_min_ns'], 0)


class Arguments(Case):
    def test_nothing_is_printed(self):
        for args in (['1ms'], ['0'], ['0.001'], ['.001'], ['1us'], ['1000ns'], ['0m'], ['0h'], ['0d'], ['--', '1ms'],
                     ['1µs'], ['1μs'], ['0min'],
                     ['-n', '3', '1ms'], ['-n3', '-i1ms'], ['--count=3', '--interval=1ms'], ['--until=@1'],
                     ['-u', '1970-01-01T00:00:00Z'], ['1ms', '--policy', 'frugal'], ['--max-spin=10us', '1ms'],
                     ['--max-spin=0', '1ms'], ['--count', str(2**63 - 1), '--until=@0', '--count=1']):
            self.assertEqual(self.ok('sleep', *args), '', args)

    def test_units(self):
        self.assertEqual([self.measured(bare)['duration_ns'] for bare in ('0', '0.001', '.001')], [0, MS, MS])
        for given, ns in (('0s', 0), ('0.001s', MS), ('.001s', MS), ('0.000005min', 300000), ('5µs', 5000),
                          ('1ms', MS), ('1.5ms', 1500000),
                          ('300us', 300000), ('40ns', 40), ('0.00001m', 600000), ('0.0000001h', 360000),
                          ('0.00000001d', 864000), ('-0s', 0)):
            v = self.measured('--', given)
            self.assertEqual((v['kind'], v['duration_ns'], v['requested'], v['sleeps']), ('duration', ns, 1, 1), given)
            self.assertEqual(self.measured('--interval', given)['interval_ns'] if ns else ns, ns, given)

    def test_no_such_duration(self):
        for given in ('', ' ', 'x', 's', 'ms', '-', '.', '1.', '1x', '1 ms', ' 1', '1e3', '0x10', '+1', '-1', '-5ms',
                      '-0.1', '1.5ns', '0.0000000001', '5000ticks', '1ms2', 'nan', 'inf', 'infinity', '1S', '1M', '1,5',
                      '9223372037', '106752d', '9' * 40, '1\nms', '@1', 'now'):
            for args in (['--', given], ['--interval=' + given], ['--max-spin=' + given, '1ms']):
                self.assertRegex(self.fails(2, 'sleep', *args),
                                 r"^hpt: sleep: '.*'(:| is less than [01] ns).*; see ", args)
        self.assertIn("'0' is less than 1 ns", self.fails(2, 'sleep', '--interval=0'))
        self.fails(2, 'sleep', b'\xff')

    def test_negative_duration_looks_like_an_option(self):
        self.assertEqual(self.fails(2, 'sleep', '-5ms'), "hpt: sleep: unknown option '-5'; see 'hpt help sleep'\n")

    def test_no_such_time(self):
        for given in ('', 'x', '@', '@x', '@1x', '@1.', '@1.0000000001', '1795171679', '10ms', 'now', 'tomorrow',
                      '2026-11-20', '2026-11-20T10:47:59', '2026-02-29T00:00:00Z', '@9223372037', '@-9223372037',
                      '1677-09-21T00:12:43.145224191Z', '2262-04-11T23:47:16.854775808Z', '0000-01-01T00:00:00Z',
                      '9999-12-31T23:59:59Z', '@1\n'):
            self.assertRegex(self.fails(2, 'sleep', '--until=' + given),
                             r"^hpt: sleep: '.*'(: .*| is outside of the years 1678 to 2261); see ", given)

    def test_no_such_count(self):
        for given in '', '0', '-1', 'x', '1.5', '1.', '+1', ' 1', '1e3', '10ms', '9' * 40:
            self.assertRegex(self.fails(2, 'sleep', '--count=' + given, '1ms'),
                             "is not a number of sleeps from 1 to \\d+; see 'hpt help sleep'$")

    def test_no_such_policy(self):
        for given in '', 'x', 'BALANCED', 'sleepless', '0':
            self.assertEqual(self.fails(2, 'sleep', '--policy=' + given, '1ms'),
                             f"hpt: sleep: unknown policy '{given}'; see 'hpt help sleep'\n")

    def test_more_than_can_be_measured(self):
        for count in 10**7 + 1, 2**63 - 1:
            for option in '--stats', '--json':
                message = self.fails(2, 'sleep', option, f'--count={count}', '1ms')
                self.assertIn('10000000 can be measured at once', message)

    def test_length_is_said_once(self):
        self.assertIn('a duration is missing', self.fails(2, 'sleep'))
        self.assertIn('a duration is missing', self.fails(2, 'sleep', '--stats', '-n3', '--policy=spin'))
        for args in (['1ms', '--until=@1'], ['1ms', '--interval=1ms'], ['--interval=1ms', '--until=@1'],
                     ['1ms', '--interval=1ms', '--until=@1']):
            self.assertIn('of DURATION, --interval and --until only one', self.fails(2, 'sleep', *args))
        self.assertIn("unexpected operand '2ms'", self.fails(2, 'sleep', '1ms', '2ms'))
        self.assertIn('--until and --count exclude each other', self.fails(2, 'sleep', '--until=@1', '--count=2'))

    def test_options_without_their_value(self):
        for option in 'count', 'interval', 'until', 'policy', 'max-spin':
            self.assertIn(f"option '--{option}' needs a value", self.fails(2, 'sleep', '--' + option))

    def test_help_names_units_and_policies(self):
        text = self.ok('help', 'sleep')
        for word in ('sleep(1)', 'ms', 'us', 'ns', *POLICIES):
            self.assertIn(word, text)


class Sleeping(Case):
    def test_takes_its_time(self):
        for source in SOURCES:
            is_os = json.loads(self.ok('info', '--json', source=source))['source'] == 'os'
            clock = time.CLOCK_MONOTONIC if is_os else time.CLOCK_MONOTONIC_RAW
            for args in ['0.2'], ['100ms', '-n2'], ['--interval=100ms', '-n2'], ['200ms', '--policy=nospin']:
                start = time.clock_gettime_ns(clock)
                self.ok('sleep', *args, source=source)
                # The rate of a clock of this age is known to 40 ppm.
                self.assertGreaterEqual(time.clock_gettime_ns(clock) - start, 200 * MS * 999 // 1000, (source, args))

    def test_never_early_by_any_policy(self):
        for source in SOURCES:
            for policy in POLICIES:
                self.assert_never_early(self.measured('2ms', '--policy', policy, source=source))
                for args in ['300us'], ['2ms'], ['--interval=300us'], ['--interval=2ms']:
                    v = self.measured(*args, '-n50', '--policy', policy, source=source)
                    self.assertEqual((v['policy'], v['sleeps']), (policy, 50))
                    self.assert_never_early(v)

    def test_spins_as_requested(self):
        v = self.measured('-n20', '2ms', '--policy=spin')
        self.assertEqual(v['waits'], 0)
        v = self.measured('-n20', '2ms', '--policy=balanced', '--max-spin=7us')
        self.assertEqual((v['policy'], v['max_spin_ns']), ('balanced', 7000))
        self.assertLessEqual(v['margin_ns'], 7000)
        self.assertGreater(v['waits'], 0)
        self.assertEqual(self.measured('1ms', '--max-spin=0')['max_spin_ns'], self.measured('1ms')['max_spin_ns'])

    def test_nospin_with_a_time_may_be_early_and_says_so(self):
        for _ in range(TRIES):
            v = self.measured('-n20', '2ms', '--policy=nospin', '--max-spin=900us')
            if v['early']:
                break
        self.assertLess(v['miss_min_ns'], 0)
        self.assertGreaterEqual(v['miss_min_ns'], -900_000 - 2)
        self.assertTrue(1 <= v['early'] <= 20, v)

    def test_relative_sleeps_add_up(self):
        v = self.measured('-n30', '1ms')
        self.assertEqual((v['kind'], v['duration_ns'], v['requested'], v['sleeps']), ('duration', MS, 30, 30))
        self.assertGreaterEqual(v['wall_ns'], 30 * MS + 29 * v['miss_min_ns'])

    def test_interval_does_not_drift(self):
        """The run ends one miss after the last deadline, although each sleep here is late by the kernel's wakeup."""
        n, interval_ns, between_ns = 1000, 200_000, 200_000
        for _ in range(TRIES):
            v = self.measured('--interval=200us', f'-n{n}', '--policy=nospin')
            self.assertEqual((v['kind'], v['interval_ns'], v['sleeps']), ('interval', interval_ns, n))
            self.assertGreaterEqual(v['wall_ns'], n * interval_ns * 999 // 1000)
            if v['wall_ns'] <= n * interval_ns + v['miss_max_ns'] + between_ns:
                return
        self.fail(v)

    def test_interval_continues_after_the_second_in_which_its_count_restarts(self):
        v = self.measured('--interval=300ms', '-n5')
        self.assert_never_early(v)
        self.assertGreaterEqual(v['wall_ns'], 1500 * MS * 999 // 1000)

    def test_interval_that_is_too_short_is_past_each_time(self):
        v = self.measured('--interval=1ns', '-n1000')
        self.assert_never_early(v)
        self.assertGreater(v['past'], 0)
        self.assertIn('\nPast ', self.ok('sleep', '--stats', '--interval=1ns', '-n1000'))

    def test_until_the_past(self):
        for given, unix_ns in (('@1', S), ('@0', 0), ('1970-01-01T00:00:00Z', 0), ('@-7000000000', -7 * 10**18),
                               ('1969-12-31T23:59:59.5Z', -S // 2), ('1677-09-21T00:12:43.145224192Z', -2**63),
                               ('2000-01-01T02:00:00+02:00', 946684800 * S), ('@-9223372036.854775808', -2**63)):
            before_ns = time.time_ns()
            v = self.measured('--until', given)
            self.assertEqual((v['kind'], v['unix_ns'], v['past'], v['sleeps'], v['waits']), ('until', unix_ns, 1, 1, 0),
                             given)
            self.assertGreaterEqual(v['miss_min_ns'], min(before_ns - unix_ns, 2**63 - 1))
        self.assertIn('until a Unix time, which was past', self.ok('sleep', '--stats', '--until=@1'))

    def test_until_the_near_future(self):
        for source in SOURCES:
            for form in at, lambda ns: time.strftime('%Y-%m-%dT%H:%M:%S', time.gmtime(ns // S)) + f'.{ns % S:09}Z':
                unix_ns = time.time_ns() + 300 * MS
                v = self.measured('--until', form(unix_ns), source=source)
                self.assertGreaterEqual(time.time_ns(), unix_ns)
                self.assertEqual((v['unix_ns'], v['sleeps']), (unix_ns, 1))
                self.assert_never_early(v)

    def test_far_away_sleeps_on(self):
        for args in (['1000d'], ['--interval=106751d'], ['--until=2262-04-11T23:47:16.854775807Z'],
                     ['-n2', '9223372036s'], ['--stats', '-n2', '--interval=106751d'], ['1000d', '--policy=nospin']):
            with self.assertRaises(subprocess.TimeoutExpired):
                cli.run('sleep', *args, timeout=0.2)


class Wall(Case):
    @classmethod
    def setUpClass(cls):
        cls.chronyd = FakeChronyd()
        cls.addClassCleanup(cls.chronyd.stop)

    def test_ends_within_its_error_of_utc(self):
        self.chronyd.correction_s = -0.25 # CLOCK_REALTIME is ahead of UTC
        for delay_ns in 300 * MS, 2600 * MS:
            unix_ns = time.time_ns() + delay_ns
            v = json.loads(self.ok('sleep', '--json', '--wall', '--max-error=30ms', '--until', at(unix_ns),
                                   '--chrony', self.chronyd.address))
            off_ns = time.time_ns() - S // 4 - unix_ns
            self.assertEqual((v['kind'], v['unix_ns'], v['sleeps'], v['max_error_ns']), ('until', unix_ns, 1, 30 * MS))
            self.assertTrue(0 < v['error_ns'] <= 30 * MS, v)
            self.assertTrue(-v['error_ns'] <= off_ns <= v['error_ns'] + S // 4, (off_ns, v))
        self.assertRegex(self.ok('sleep', '--stats', '--wall', '--until=@1', '--chrony', self.chronyd.address),
                         r'until a Unix time, by UTC, which was past\n(?s:.*)\nError +UTC was within ')

    def test_wide_bound_and_none_are_refused(self):
        soon = ['sleep', '--wall', '--until', at(time.time_ns() + 600 * S), '--chrony']
        begun = time.monotonic()
        self.assertRegex(self.fails(3, *soon, self.chronyd.address, '--max-error=1us'), r"UTC is known to \S+ \ws here")
        self.assertIn("bounds UTC", self.fails(3, *soon, '/nowhere/chronyd'))
        self.assertLess(time.monotonic() - begun, 20)

    def test_time_that_is_past_has_a_larger_error(self):
        past = ['sleep', '--wall', '--max-error=30s', '--chrony', self.chronyd.address, '--until']
        self.assertRegex(self.fails(3, *past, at(time.time_ns() - 600 * S)), r'past by [56]\d\d\.\d+ s')
        self.ok(*past, at(time.time_ns() - S))

    def test_options_need_each_other(self):
        for args in (['--wall', '1ms'], ['--wall', '--interval=1ms'], ['--max-error=1ms', '--until=@1'],
                     ['--chrony=/x', '--until=@1'], ['--max-error=0s', '--wall', '--until=@1'],
                     ['--chrony=nowhere', '--wall', '--until=@1']):
            self.fails(2, 'sleep', *args)
        for args in ([], ['1'], ['--max-error=1ms']):
            self.assertIn('--wall needs --until', self.fails(2, 'sleep', '--wall', *args))


class Report(Case):
    def table(self, *args):
        return self.ok('sleep', '--stats', *args)

    def assert_labels(self, text, labels):
        self.assertEqual([x for x in re.findall(r'(?m)^(\S.*?)  +\S', text)], labels)
        self.assertTrue(text.isascii(), 'LC_ALL=C')

    def test_of_one(self):
        text = self.table('1ms')
        self.assert_labels(text, ['Source', 'Sleeps', 'Miss', 'Early', 'Policy', 'Margin', 'Long margin',
                                  'Kernel waits', 'Oversleeps', 'CPU time'])
        self.assertRegex(text, r'(?m)^Sleeps +1 of 1\.000 ms$')
        self.assertRegex(text, r'(?m)^Miss +[\d.]+ [mun]?s$')
        self.assertRegex(text, r'(?m)^Early +0$')
        self.assertRegex(text, r'(?m)^Margin +[\d.]+ [mu]s before the deadline, a guess after \d+ waits$')

    def test_of_several(self):
        text = self.table('-n20', '--interval=1.5ms')
        self.assertRegex(text, r'(?m)^Sleeps +20 every 1\.500 ms$')
        self.assertRegex(text, r'(?m)^Miss +median [\d.]+ [mun]?s, mean [\d.]+ [mun]?s\n'
                               r' +90 % up to [\d.]+ [mun]?s, 99 % up to [\d.]+ [mun]?s, all up to [\d.]+ [mun]?s$')

    def test_policies_without_a_margin_show_none(self):
        for policy in 'spin', 'nospin':
            self.assertNotIn('Margin', self.table('1ms', '--policy', policy))
        self.assertRegex(self.table('1ms', '--max-spin=2ms'), r'(?m)^Policy +balanced, spins at most 2\.000 ms$')

    def test_lengths_are_rounded_and_carried(self):
        for given, shown in (('999ns', '999 ns'), ('1us', '1.0 us'), ('1249ns', '1.2 us'), ('1250ns', '1.3 us'),
                             ('999.949us', '999.9 us'), ('1ms', '1.000 ms'), ('1.2345ms', '1.235 ms'), ('0', '0 ns')):
            self.assertRegex(self.table(given), rf'(?m)^Sleeps +1 of {re.escape(shown)}$')

    def test_json_includes_stats(self):
        self.assertEqual(self.ok('sleep', '--json', '--stats', '0').count('\n'), 1)

    def test_closed_stdout_matters_only_if_something_is_printed(self):
        self.assertEqual(cli.run('sleep', '1ms', preexec_fn=lambda: os.close(1)).returncode, 0)
        self.assertRegex(self.fails(1, 'sleep', '--stats', '1ms', preexec_fn=lambda: os.close(1)), 'write error')

    def test_other_load_is_noticed(self):
        busy = [subprocess.Popen(['sh', '-c', 'while :; do :; done']) for _ in range(2)]
        try:
            v = self.measured('-n2', '-i600ms')
            text = self.ok('sleep', '--stats', '-n2', '-i600ms')
        finally:
            for p in busy:
                p.kill()
                p.wait()
        self.assertTrue(v['disturbance']['is_disturbed'])
        self.assertGreater(v['disturbance']['others_ppm'], 500000)
        self.assertRegex(text, r"(?m)^Disturbed  +other processes used \d+\.\d+ CPUs.*: the tails are not the")

    @unittest.skipUnless(DIVERGED, 'a static library or a sanitizer: the library cannot be interposed')
    def test_state_is_said_and_3(self):
        for args, out in (['1s'], rb'^$'), (['--stats', '1s'], rb'(?m)^Diverged +1, the latest disrupted$'):
            env = {**os.environ, 'LD_PRELOAD': DIVERGED, 'LC_ALL': 'C'}
            p = subprocess.run([cli.HPT, 'sleep', *args], env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               check=False, timeout=cli.LIMIT)
            self.assertEqual(p.returncode, 3)
            self.assert_one_line(p.stderr)
            self.assertIn(b'diverged during 1 of 1 sleeps (disrupted)', p.stderr)
            self.assertRegex(p.stdout, out)


def start(*args, ignored=()):
    """Start with default signal actions, but for the ignored ones."""
    def prepare():
        for s in signal.SIGINT, signal.SIGTERM, signal.SIGHUP:
            signal.signal(s, signal.SIG_IGN if s in ignored else signal.SIG_DFL)
    return subprocess.Popen([cli.HPT, 'sleep', *args], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, preexec_fn=prepare)


def status(p, key):
    with open(f'/proc/{p.pid}/status', encoding='ascii', errors='replace') as f:
        return re.search(rf'(?m)^{key}:\s*(\w+)$', f.read()).group(1)


# However late a test looks, the command still runs.
ENDLESS = '--count=10000000'


class Signals(Case):
    def start(self, *args, **kw):
        p = start(*args, **kw)
        self.addCleanup(p.kill)
        return p

    def wait_until(self, true):
        end = time.monotonic() + cli.LIMIT
        while not true():
            self.assertLess(time.monotonic(), end, 'hangs')
            time.sleep(0.01)

    def is_alive(self, p):
        self.assertIsNone(p.poll(), 'has ended')
        return True

    def wait_for_handler(self, p, signum):
        self.wait_until(lambda: int(status(p, 'SigCgt'), 16) >> signum - 1 & 1)

    def wait_for_sleeps(self, p):
        """Wait for many more context switches than one sleep has, where each sleep waits in the kernel."""
        first = int(status(p, 'voluntary_ctxt_switches'))
        self.wait_until(lambda: self.is_alive(p) and int(status(p, 'voluntary_ctxt_switches')) >= first + 50)

    def end(self, p, expect):
        out, err = p.communicate(timeout=cli.LIMIT)
        self.assertEqual((p.returncode, err), (expect, b''))
        return out

    def test_interrupted_measurements_are_printed(self):
        for args in ['--interval=1ms'], ['1ms']:
            for signum in signal.SIGINT, signal.SIGTERM, signal.SIGHUP:
                p = self.start('--json', ENDLESS, '--policy=nospin', *args)
                self.wait_for_handler(p, signum)
                self.wait_for_sleeps(p)
                p.send_signal(signum)
                v = json.loads(self.end(p, -signum))
                self.assert_sound(v)
                self.assertEqual(v['requested'], 10**7)
                self.assertTrue(1 <= v['sleeps'] < 10**7, v)
                self.assert_never_early(v)

    def test_a_long_sleep_is_ended(self):
        for args in ['--interval=1h'], ['1h'], ['1h', '--policy=spin']:
            p = self.start('--json', '--count=2', *args)
            self.wait_for_handler(p, signal.SIGINT)
            p.send_signal(signal.SIGINT)
            v = json.loads(self.end(p, -signal.SIGINT))
            self.assert_sound(v)
            self.assertEqual((v['sleeps'], v['requested']), (0, 2))
            p = self.start('--stats', '--count=2', *args)
            self.wait_for_handler(p, signal.SIGINT)
            p.send_signal(signal.SIGINT)
            self.assertRegex(self.end(p, -signal.SIGINT), rb'(?m)^Sleeps +0 of 2 (of|every) 3600\.000 s$')

    def test_others_just_end(self):
        for args in ['1h'], ['--stats', '1h'], ['--interval=1h', '-n9'], ['--until', at(time.time_ns() + 3600 * S)]:
            p = self.start(*args)
            p.send_signal(signal.SIGINT)
            self.assertEqual(self.end(p, -signal.SIGINT), b'')

    def test_ignored_interrupts_stay_ignored(self):
        p = self.start('--json', ENDLESS, '--policy=nospin', '1ms', ignored=[signal.SIGINT])
        self.wait_for_handler(p, signal.SIGTERM)
        p.send_signal(signal.SIGINT)
        self.wait_for_sleeps(p)
        p.send_signal(signal.SIGTERM)
        v = json.loads(self.end(p, -signal.SIGTERM))
        self.assert_sound(v)
        self.assertGreater(v['sleeps'], 0)

    def test_stopped_and_continued(self):
        """Neither EINTR nor the time spent stopped ends a sleep early."""
        p = self.start('--json', ENDLESS, '--interval=2ms')
        self.wait_for_handler(p, signal.SIGINT)
        for _ in range(5):
            p.send_signal(signal.SIGSTOP)
            time.sleep(0.02)
            p.send_signal(signal.SIGCONT)
            time.sleep(0.01)
        self.wait_for_sleeps(p)
        p.send_signal(signal.SIGINT)
        v = json.loads(self.end(p, -signal.SIGINT))
        self.assert_sound(v)
        self.assertGreater(v['sleeps'], 0)
        self.assertEqual(v['early'], 0)
        self.assertGreaterEqual(v['miss_min_ns'], 0)


class Progress(Case):
    def on_terminal(self, term, *args):
        return cli.stderr_on_terminal(['sleep', '--stats', *args], term)

    def test_bar_is_drawn_on_a_terminal_and_taken_away(self):
        text = self.on_terminal('xterm', '-n20', '60ms')
        self.assertRegex(text, rb'Sleeping \[#* *\] +\d+ %')
        self.assertTrue(text.endswith(b'\r\x1b[2K'), text)

    def test_no_bar_where_it_is_in_the_way(self):
        self.assertEqual(self.on_terminal('dumb', '-n20', '60ms'), b'')
        for args in ['-n3', '60ms'], ['-n1200', '--interval=1ms'], ['1.2']:
            self.assertEqual(self.on_terminal('xterm', *args), b'')


if __name__ == '__main__':
    cli.main()
