# SPDX-License-Identifier: MIT
"""hpt check on this machine, on counters that are out of step, with one CPU, on a terminal."""
import json
import os
import platform
import re
import signal
import subprocess
import tempfile
import unittest

import cli

FOLDER = tempfile.TemporaryDirectory(prefix='hpt-')
SKEW = cli.preload(cli.ARGS[0], FOLDER.name) if cli.ARGS else None

# All that the command looks at. Where a cpuset forbids others, each verdict of an orderly clock is incomplete.
CPUS = cli.usable_cpus()
IS_KEPT_OFF = CPUS != cli.online_cpus()
KEPT_OFF = 'a cpuset keeps this process off some CPUs: no verdict is ok'

# The CPUs may be too busy to be compared that often.
TRIES = 20
INCOMPLETE = 1

# The OS clock: the one source that must pass everywhere.
# Each pair takes 2 ms, and those with the first CPU are needed.
QUICK = ['check', '--source=os', f'--seconds={200 + 5 * len(CPUS)}ms']


# The number on x86-64.
SCHED_SETAFFINITY = 203


def complete(run, *args, **kw):
    """Run again while the CPUs are too busy to be compared, which is no fault of the command."""
    for _ in range(TRIES):
        p = run(*args, **kw)
        if p.returncode != INCOMPLETE or IS_KEPT_OFF:
            break
    return p


def answer_of(run, *args, **kw):
    """The exit status and the answer."""
    p = complete(run, *args, '--json', **kw)
    return p.returncode, json.loads(p.stdout)


def check(*args, **kw):
    return answer_of(cli.run, *args, **kw)


class Check(cli.Case):
    @unittest.skipIf(IS_KEPT_OFF, KEPT_OFF)
    def test_os_clock_is_in_order(self):
        status, a = check(*QUICK)
        self.assertEqual((status, a['verdict'], a['source'], a['state']), (0, 'ok', 'os', 'ok'))
        self.assertEqual((a['cpus'], a['pairs_possible']), (CPUS, len(CPUS) * (len(CPUS) - 1) // 2))
        self.assertEqual((a['generation'], a['generation_changed']), (1, False))
        self.assertTrue(a['rate']['ok'])
        self.assertGreaterEqual(a['rate']['raw_ns'], 190_000_000)
        self.assertEqual((a['cpu_refused'], a['pairs_compared']), (None, sum(p['compared'] for p in a['pairs'])))
        for p in a['pairs']:
            self.assertGreater(p['messages'], 0)
            self.assertEqual((p['backwards'], p['worst_ns']), (0, 0))
            self.assertLessEqual(p['offset_min_ns'], p['offset_max_ns'])

    @unittest.skipIf(IS_KEPT_OFF, KEPT_OFF)
    def test_verdict_and_status_agree_on_the_default_clock(self):
        status, a = check('check', '--seconds', f'{0.1 + 0.005 * len(CPUS)}')
        self.assertEqual(status, {'ok': 0, 'degraded': 3, 'backwards': 4}[a['verdict']], a)
        self.assertIn(a['source'], ('tsc', 'hpet', 'os', 'arch', 'mmio'))
        self.assertFalse(a['vetoed'], a)

    @unittest.skipIf(IS_KEPT_OFF, KEPT_OFF)
    def test_table_has_a_verdict(self):
        p = complete(cli.run, *QUICK)
        self.assertEqual((p.returncode, p.stderr), (0, b''))
        for word in ('Source', 'State', 'Rate', 'Granularity', 'CPUs', 'Verdict'):
            self.assertRegex(p.stdout.decode(), rf'(?m)^{word} ')

    @unittest.skipUnless(platform.machine() == 'x86_64', 'the number of the system call is that of x86-64')
    def test_threads_that_cannot_be_held_on_a_cpu_are_a_failure(self):
        try:
            p = cli.run(*QUICK, '--json', preexec_fn=lambda: cli.deny(SCHED_SETAFFINITY))
        except subprocess.SubprocessError:
            self.skipTest('no seccomp here')
        a = json.loads(p.stdout)
        self.assertEqual((p.returncode, a['verdict'], a['cpu_refused'], a['pairs']), (1, 'incomplete', 'EPERM', []))
        self.assertEqual(([c['cpu'] for c in a['cpus_left_out']], a['cpus']), (cli.online_cpus(), []))
        self.assert_one_line(p.stderr)
        self.assertIn(b'cannot be used for the comparison: Operation not permitted', p.stderr)

    def interrupted(self, *args, number=signal.SIGINT):
        """The status and output of a check of a minute that ends by a signal."""
        terminal = cli.Terminal()
        p = subprocess.Popen([cli.HPT, 'check', '--source=os', '--seconds=1min', *args], stdout=subprocess.PIPE,
                             stderr=terminal.stderr, env={**terminal.env, 'LC_ALL': 'C'})
        terminal.started()
        terminal.wait_for(rb'Comparing CPUs', 4)
        p.send_signal(number)
        out, _ = p.communicate(timeout=cli.LIMIT)
        terminal.rest()
        return p.returncode, out.decode()

    def answer_until(self, number):
        """Of a check that a signal ended, run again while the CPUs were too busy to exchange messages."""
        for _ in range(TRIES):
            status, text = self.interrupted('--json', number=number)
            a = json.loads(text)
            self.assertEqual((status, a['interrupted']), (-number, True))
            if any(p['messages'] for p in a['pairs']):
                return a
        return self.fail(f'{TRIES} checks without messages')

    def test_a_signal_ends_it_with_the_results_until_then(self):
        for number in signal.SIGINT, signal.SIGTERM, signal.SIGHUP:
            a = self.answer_until(number)
            self.assertTrue(0 < a['duration_ns'] < 60 * 10**9 and a['rate']['raw_ns'] > 0, a)
        status, text = self.interrupted()
        self.assertEqual(status, -signal.SIGINT)
        self.assertRegex(text, r'^Interrupted  after \S+ \w+: what follows is of the time until then\n')
        self.assertRegex(text, r'(?m)^Rate +-?\d')

    def test_words_for_the_rate(self):
        """Within: nothing else is possible. The OS clock allows 1000 ppm, which any measurement proves."""
        _, a = check(*QUICK)
        rate = a['rate']
        self.assertLessEqual(abs(rate['error_ppb']) + rate['uncertainty_ppb'], rate['allowed_ppb'])
        self.assertEqual((rate['finding'], a['interrupted']), ('within', False))
        text = complete(cli.run, *QUICK).stdout.decode()
        self.assertRegex(text, r'(?m)^Rate .*, within the \+- \d+\.\d+ ppm by which')

    def test_vetoed_clock_is_degraded(self):
        sources = {s['name']: s for s in json.loads(self.ok('sources', '--json'))['sources']}
        if not sources['tsc']['usable']:
            self.skipTest('no TSC here that works')
        status, a = check('check', '--source=tsc', '--seconds=0.1')
        if not a['vetoed']:
            self.skipTest('the TSC is trusted here')
        self.assertIn(status, (3, 4), a)

    def test_wrong_usage(self):
        for seconds in '0', '-1', '9ms', '3601', '61min', '-1s':
            self.assertIn(f"'{seconds}' is not from 10.000 ms to 3600.000 s",
                          self.fails(2, 'check', '--seconds=' + seconds))
        for seconds, why in (('x', 'no duration'), ('', 'missing'), ('1e3', "'e3' is no unit"), ('inf', 'no duration'),
                             ('0x1', "'x1' is no unit"), (' 1', 'no duration'), ('1.2.3', "'1.2.3' is no number"),
                             ('.', 'is no number'), ('9' * 400, 'beyond the 292 years'), ('1ticks', 'is no unit')):
            self.assertIn(why, self.fails(2, 'check', '--seconds=' + seconds))
        self.assertEqual(self.fails(2, 'check', '--seconds'),
                         "hpt: check: option '--seconds' needs a value; see 'hpt help check'\n")
        self.assertIn('needs a value', self.fails(2, 'check', '-s'))
        self.assertIn('the source is an option: --source=NAME', self.fails(2, 'check', 'tsc'))
        self.fails(2, 'check', '--json=1')

    def test_source_that_cannot_be_used(self):
        self.assertIn('arch cannot be used: ', self.fails(1, 'check', '--source=arch'))


@unittest.skipUnless(SKEW and len(CPUS) > 1, 'one CPU, a static library or a sanitizer: no counter can be skewed')
class Skewed(cli.Case):
    def skewed(self, ns):
        env = {**os.environ, 'LD_PRELOAD': SKEW, 'SKEW_CPU': str(CPUS[1]), 'SKEW_TICKS': str(ns), 'LC_ALL': 'C'}
        return lambda *args: subprocess.run([cli.HPT, *args], env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                            check=False)

    # The two CPUs' own clocks may differ: once an offset was 3 ns beyond the skew, by messages that take 15 ns or more.
    OWN_NS = 1000

    def check_skew(self, ns):
        status, a = answer_of(self.skewed(ns), 'check', '--source=os', '--seconds=0.5')
        self.assertEqual((status, a['verdict']), (4, 'backwards'))
        pair = next(p for p in a['pairs'] if (p['cpu_a'], p['cpu_b']) == (CPUS[0], CPUS[1]))
        self.assertGreater(pair['backwards'], 0)
        self.assertLessEqual(pair['offset_min_ns'], ns + self.OWN_NS)
        self.assertGreaterEqual(pair['offset_max_ns'], ns - self.OWN_NS)
        self.assertLessEqual(pair['worst_ns'], abs(ns) + self.OWN_NS)

    def test_skew_gives_4_with_pair_and_offset(self):
        for ns in 1_000_000_000, -1_000_000_000, 1_000_000, -1_000_000:
            self.check_skew(ns)

    def test_table_names_the_pair(self):
        p = complete(self.skewed(-1_000_000_000), 'check', '--source=os', '--seconds=0.5')
        self.assertEqual(p.returncode, 4)
        found = re.search(r'(?m)^Backwards +CPU (\d+) and (\d+): \d+ of \d+ messages, by up to (\d+) ns; '
                          r'CPU (\d+) is ahead by (-\d+) to (-\d+) ns$', p.stdout.decode())
        a, b, worst, who, least, most = map(int, found.groups())
        self.assertEqual((a, b, who), (CPUS[0], CPUS[1], CPUS[1]))
        self.assertTrue(least - self.OWN_NS <= -1_000_000_000 <= most + self.OWN_NS, found)
        self.assertLessEqual(worst, 1_000_000_000 + self.OWN_NS)
        self.assertIn('TIME WENT BACKWARDS', p.stdout.decode())


class Progress(cli.Case):
    def stderr_on_terminal(self, term, columns=0):
        """As complete(), each run on a terminal of its own."""
        for _ in range(TRIES):
            text = cli.stderr_on_terminal(QUICK, term, columns)
            if b'the CPUs are too busy' not in text:
                break
        return text

    def test_bar_fits_the_terminal(self):
        for columns, form in ((200, r'Comparing CPUs \[#* *\] +\d+ %, \d+ s left'),
                              (40, r'Comparing CPUs \[#* *\] +\d+ %, \d+ s left'),
                              (31, r'Comparing CPUs +\d+ %, \d+ s left'), (22, r'Comparing CPUs +\d+ %'),
                              (8, r'Compari'), (1, '')):
            lines = re.split('\r', self.stderr_on_terminal('xterm', columns).decode())[1:-1]
            self.assertGreater(len(lines), 0)
            for line in lines:
                self.assertRegex(line, rf'^{form}\x1b\[K$')
                self.assertLess(len(line) - len('\x1b[K'), columns)

    def test_bar_is_drawn_on_a_terminal_and_taken_away(self):
        text = self.stderr_on_terminal('xterm')
        self.assertRegex(text, rb'Comparing CPUs \[#* *\] +\d+ %')
        self.assertTrue(text.endswith(b'\r\x1b[2K'), text)

    def test_dumb_terminal_is_left_alone(self):
        text = self.stderr_on_terminal('dumb')
        self.assertNotIn(b'Comparing CPUs', text)
        self.assertNotIn(b'\x1b', text)


if __name__ == '__main__':
    cli.main()
