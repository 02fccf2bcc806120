# SPDX-License-Identifier: MIT
"""Tests targets.py on hand-made measurements.

usage: targets_test.py HPT TARGETS (HPT is not called: a script replaces it)
"""
import contextlib
import importlib.util
import io
import json
import os
import stat
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'cli'))
import cli

spec = importlib.util.spec_from_file_location('targets', cli.ARGS[0])
targets = importlib.util.module_from_spec(spec)
spec.loader.exec_module(targets)

ROUNDS = 4


def dist(unit, median, **others):
    d = {'count': ROUNDS, 'dropped': 0}
    for name in ('mean', 'stddev', 'filtered_mean', 'filtered_stddev', 'min', 'p10', 'median', 'low', 'high', 'p90',
                 'p99', 'p9999', 'max'):
        d[f'{name}_{unit}'] = others.get(name, median)
    return d


def head(bench, **others):
    return {'hpt_json': 1, 'bench': bench, 'version': '0', 'interrupted': False, 'machine': {}, 'start_unix_ns': 0,
            'wall_ns': 1, 'cpu': 0, 'rounds': ROUNDS, 'rounds_done': ROUNDS, 'seed': 1, **others}


def read_row(name, ps):
    return {'name': name, 'kind': 'yardstick', 'source': None, 'calls': 1000, 'throughput': dist('ps', ps),
            'isolated': dist('ps', ps), 'single': dist('ps', ps), 'ratio_ppm': None, 'throughput_ps': [ps] * ROUNDS,
            'isolated_ps': [ps] * ROUNDS}


def reads(**costs):
    """Returns reads that meet all targets, except for the given costs; None: the row is left out."""
    ps = {'rdtsc': 10000, 'rdtscp': 16000, 'clock_gettime(MONOTONIC)': 24000, 'clock_gettime(REALTIME)': 24000,
          'hpt_now(tsc)': 16000, 'hpt_now(NULL)': 16000, 'hpt_now_unordered(tsc)': 10000, 'hpt_now_ns(tsc)': 17000,
          'hpt_now_ns(NULL)': 17000, 'lfence;rdtsc': 16500, 'hpt_now(os)': 25000, 'hpt_now_ns(os)': 25000,
          'hpt_now_unix_ns(tsc)': 17000, 'hpt_now_unix_ns(os)': 25000, 'hpt_now_monotonic_ns(tsc)': 17000,
          'hpt_now_boottime_ns(tsc)': 17000, 'hpt_now_tai_ns(tsc)': 17000, **costs}
    return head('read', rows=[read_row(name, cost) for name, cost in ps.items() if cost is not None], granularity=[],
                filter='', stopwatch_ps=0)


def results(entries, has_deadline):
    misses = [miss for entry in entries for miss in entry['miss_ns']]
    return {'sleeps': len(misses), 'early': 0, 'miss': dist('ns', misses[0]),
            'deadline_miss': dist('ns', misses[0]) if has_deadline else None, 'cpu_ppm': 0, 'user_ppm': 0,
            'system_ppm': 0}


def way(name, miss_ns, cpu_share, has_deadline=True, early=0):
    """miss_ns: the misses by band, (long, short)."""
    lengths = []
    for length_ns, miss in ((8000000, miss_ns[0]), (4000000, miss_ns[0]), (2000, miss_ns[1])):
        entry = {'length_ns': length_ns, 'miss_ns': [miss] * ROUNDS, 'slept_ns': [length_ns] * ROUNDS,
                 'deadline_miss_ns': [miss] * ROUNDS if has_deadline else None,
                 'cpu_ns': [int(length_ns * cpu_share)] * ROUNDS, 'entry': None, 'exit': None,
                 'entry_is_derived': False, 'exit_is_derived': False}
        lengths.append(entry | results([entry], has_deadline))
    bands = [{'band': band, **results(part, has_deadline)}
             for band, part in (('all', lengths), ('long', lengths[:2]), ('short', lengths[2:]))]
    return {'name': name, 'early': early, 'bands': bands, 'lengths': lengths}


def sleeps(**ways):
    ways = {'hpt_sleep_until_ticks': {'miss_ns': (50, 30), 'cpu_share': 0.003},
            'hpt_sleep_ns': {'miss_ns': (80, 40), 'cpu_share': 0.003, 'has_deadline': False},
            "papers' rule": {'miss_ns': (400, 100), 'cpu_share': 0.06}} | ways
    return head('sleep', kernel_tick_ns=4000000, diverged=0, lengths_ns=[8000000, 4000000, 2000],
                ways=[way(name, **of) for name, of in ways.items()])


def loads(load, p99_ns=1000, cpu_ns=25000, over=3, early=0, slice_ns=2800000):
    """The sleeps of hpt are as given; clock_nanosleep's take 10 us, and 10 of them are over."""
    machine = {'kernel': {'slice_ns': slice_ns}}
    def ways():
        return [{'name': name, 'sleeps': ROUNDS, 'early': early if name == 'hpt_sleep_until_ticks' else 9, 'missed': 0,
                 'over': over if name == 'hpt_sleep_until_ticks' else 10,
                 'late': dist('ns', 50), 'p999_ns': 60, 'p99_ratio_ppm': 1, 'cpu_ns': cpu, 'cpu_ratio_ppm': 1,
                 'round_p99_ns': [p99] * ROUNDS, 'round_cpu_ns': [cpu] * ROUNDS}
                for name, p99, cpu in (('hpt_sleep_until_ticks', p99_ns, cpu_ns), ('clock_nanosleep', 100000, 10000),
                                       ("spin_sleep's rule", 900000, 90000))]
    return head('load', load=load, cpus=targets.CPUS, diverged=0, machine=machine, rates=[
        {'name': '1.003 ms', 'period_ns': 1003000, 'ways': ways()},
        {'name': '10.03 ms', 'period_ns': 10030000, 'ways': ways()}])


def wakes(spin_ns=100, kernel_ns=20000, cold_ns=45000, ticker=None, lost=0):
    def phase(name, **medians):
        return {'name': name, 'asleep_ns': 4000, 'cold_waker': 'cold' in name, 'rounds': ROUNDS, 'rounds_done': ROUNDS,
                'ways': [{'name': which, 'latency': dist('ns', ns, low=ns - 10, high=ns + 10), 'cost': dist('ns', 50)}
                         for which, ns in medians.items()]}
    found = head('wake', sleeper_cpu=1, lost=lost, ticker=ticker, phases=[
        phase('spin', **{'hpt_waiter_interrupt': spin_ns, 'bare flag': 90}),
        phase('kernel 0.3 ms', **{'hpt_waiter_interrupt': kernel_ns, 'eventfd and ppoll': 1, 'bare futex': 20000}),
        phase('kernel 10 ms cold', **{'hpt_waiter_interrupt': cold_ns, 'eventfd and ppoll': 1, 'bare futex': 40000})])
    del found['rounds_done']
    return found


def ticker(period_ns=1000000, late_ns=50, cpu_ppm=50000, drift_ns=-10):
    return {'period_ns': period_ns, 'keepers': [
        {'name': name, 'ticks': 1000, 'missed': 0, 'late': dist('ns', late_ns), 'cpu_ppm': cpu_ppm,
         'drift_ns': drift_ns} for name in ('hpt_ticker_wait', 'clock_nanosleep', 'clock_nanosleep, slack 1')]}


class Targets(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def judge(self, kind, answer, status=0):
        """Returns targets.py's exit status, stdout and stderr when hpt prints that answer."""
        path = os.path.join(self.folder, 'hpt')
        text = answer if isinstance(answer, str) else json.dumps(answer)
        with open(os.path.join(self.folder, 'answer'), 'w', encoding='utf-8') as f:
            f.write(text)
        with open(path, 'w', encoding='utf-8') as f:
            f.write(f'#!/bin/sh\necho "$*" >>"${{0%hpt}}asked"\ncat "${{0%hpt}}answer"\nexit {status}\n')
        os.chmod(path, stat.S_IRWXU)
        targets.verdicts.update(dict.fromkeys(targets.verdicts, 0))
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = targets.main(path, kind, [])
        return code, out.getvalue(), err.getvalue()

    def asked(self):
        with open(os.path.join(self.folder, 'asked'), encoding='utf-8') as f:
            return f.read().splitlines()

    def verdicts(self, kind, answer, met, missed, status=0):
        """Checks the numbers of met and missed targets; returns the output."""
        code, out, err = self.judge(kind, answer)
        self.assertEqual((code, err), (status, ''), out)
        words = [line.split(' ', 1)[0] for line in out.splitlines()]
        self.assertEqual((words.count('met'), words.count('MISSED')), (met, missed), out)
        if not status:
            self.assertRegex(out, rf'\n{met} targets met, {missed} MISSED, \d+ rows without a target\n$')
        return out

    def unfit(self, kind, answer, says, status=0):
        code, _, err = self.judge(kind, answer, status)
        self.assertEqual(code, 1, err)
        self.assertEqual((err.count('\n'), err[:12]), (1, 'targets.py: '), err)
        self.assertIn(says, err)

    def test_reads(self):
        self.verdicts('read', reads(), 16, 0)
        self.assertEqual(self.asked(), ['bench read --rounds=1500 --seed=1 --json'])

    def test_each_read_can_miss(self):
        for name, bases in (('hpt_now(tsc)', 2), ('hpt_now(NULL)', 2), ('hpt_now_unordered(tsc)', 1),
                            ('hpt_now_ns(tsc)', 2), ('hpt_now_ns(NULL)', 2), ('hpt_now(os)', 1),
                            ('hpt_now_unix_ns(tsc)', 3), ('hpt_now_monotonic_ns(tsc)', 1),
                            ('hpt_now_boottime_ns(tsc)', 1), ('hpt_now_tai_ns(tsc)', 1)):
            out = self.verdicts('read', reads(**{name: 90000}), 16 - bases, bases)
            self.assertEqual(out.count(f'\nMISSED  {name}: '), bases, out)

    def test_ratios_are_taken_within_rounds(self):
        found = reads()
        rows = {row['name']: row for row in found['rows']}
        # The processor's frequency changed between rounds; the ratio of the medians is 1.75.
        rows['rdtscp']['throughput_ps'] = [10000, 10000, 30000, 50000]
        rows['hpt_now(tsc)']['throughput_ps'] = [10000, 10000, 60000, 50000]
        out = self.judge('read', found)[1]
        self.assertIn('\nmet     hpt_now(tsc): 1.000 x rdtscp, target <= 1.050 (half of the rounds: 1.000 to 1.000)\n',
                      out)

    def test_the_cheaper_ordered_read_is_the_floor(self):
        for lfence, base, missed in ((14000, 'lfence;rdtsc', 5), (17000, 'rdtscp', 0)):
            out = self.verdicts('read', reads(**{'lfence;rdtsc': lfence}), 16 - missed, missed)
            self.assertRegex(out, rf'hpt_now\(tsc\): [0-9.]+ x {base}, ')

    def test_without_a_counter_its_rows_are_not_judged(self):
        gone = {name: None for name in ('rdtsc', 'rdtscp', 'lfence;rdtsc', 'hpt_now(tsc)', 'hpt_now_ns(tsc)',
                                        'hpt_now_unordered(tsc)', 'hpt_now_unix_ns(tsc)', 'hpt_now_monotonic_ns(tsc)',
                                        'hpt_now_boottime_ns(tsc)', 'hpt_now_tai_ns(tsc)')}
        self.verdicts('read', reads(**gone, **{'hpt_now(NULL)': 25000, 'hpt_now_ns(NULL)': 25000}), 1, 2)
        code, _, err = self.judge('read', head('read', rows=[]))
        self.assertEqual((code, err), (77, ''))

    def test_sleeps(self):
        out = self.verdicts('sleep', sleeps(), 7, 0)
        self.assertEqual(self.asked(), ['bench sleep --rounds=20 --seed=1 --json'])
        self.assertIn("\nmet     hpt_sleep_until_ticks, sleeps of all lengths: CPU: 0.050 x the papers' rule, target "
                      '<= 0.056 (0.300 %; half of the rounds: 0.050 to 0.050)\n', out)
        self.assertIn('\nmet     hpt_sleep_until_ticks, sleeps of 1/HZ and more: median lateness after the deadline: '
                      '50.0 ns, target <= 60.0\n', out)
        self.assertIn('\nmet     hpt_sleep_until_ticks, sleeps below 1/HZ: median lateness after the deadline: '
                      '30.0 ns, target <= 35.0\n', out)

    def test_each_sleep_can_miss(self):
        rule = {'miss_ns': (400, 100), 'cpu_share': 0.06}
        for slow, missed in (
                ({'hpt_sleep_until_ticks': {'miss_ns': (50, 30), 'cpu_share': 0.1}}, 1),
                ({'hpt_sleep_ns': {'miss_ns': (80, 40), 'cpu_share': 0.1, 'has_deadline': False}}, 1),
                ({'hpt_sleep_until_ticks': {'miss_ns': (61, 30), 'cpu_share': 0.003}}, 1),
                ({'hpt_sleep_until_ticks': {'miss_ns': (50, 36), 'cpu_share': 0.003}}, 1),
                ({'hpt_sleep_ns': {'miss_ns': (1301, 40), 'cpu_share': 0.003, 'has_deadline': False}}, 1),
                ({'hpt_sleep_ns': {'miss_ns': (80, 111), 'cpu_share': 0.003, 'has_deadline': False}}, 1),
                ({"papers' rule": rule | {'cpu_share': 0.01}}, 2)):
            self.verdicts('sleep', sleeps(**slow), 7 - missed, missed)

    def test_an_early_sleep_of_ours_is_an_error(self):
        for name in ('hpt_sleep_until_ticks', 'hpt_sleep_ns'):
            out = self.verdicts('sleep', sleeps(**{name: {'miss_ns': (50, 30), 'cpu_share': 0.003, 'early': 1}}), 6, 1,
                                status=1)
            self.assertIn('\nMISSED  sleeps of libhpt that ended early: 1, target <= 0\n', out)
        self.verdicts('sleep', sleeps(nanosleep={'miss_ns': (50000, 50000), 'cpu_share': 0, 'early': 1}), 7, 0)

    def test_a_ratio_to_zero_is_reported(self):
        out = self.verdicts('sleep', sleeps(**{"papers' rule": {'miss_ns': (400, 100), 'cpu_share': 0}}), 5, 0)
        self.assertEqual(out.count("no ratio, since that of the papers' rule is 0"), 2)

    def test_sleeps_beside_a_load(self):
        """Each answer has two rates; hpt gives it for each of the loads that are asked for."""
        self.verdicts('load', loads(0), 4 * 3, 0)
        crowd = 4 * targets.CPUS
        self.assertEqual(self.asked(), [f'bench sleep --load={n} --rounds=10 --seed=1 --json'
                                        for n in sorted({0, 1, targets.CPUS, crowd})])
        runs = len(self.asked())
        for load, own, met, missed in ((0, {'p99_ns': 1001}, 2, 1), (0, {'cpu_ns': 25001}, 2, 1),
                                       (1, {}, 5, 0), (1, {'over': 11}, 3, 2), (1, {'cpu_ns': 30001}, 3, 2),
                                       (crowd - 1, {'over': 10}, 5, 0), (crowd, {'over': 6}, 3, 2),
                                       (crowd, {'over': 5}, 5, 0),
                                       (crowd, {'over': 10, 'slice_ns': None}, 5, 0),
                                       (crowd, {'over': 11, 'slice_ns': None}, 3, 2)):
            self.verdicts('load', loads(load, **own), met * runs, missed * runs)

    def test_paired_turns_are_compared(self):
        found = loads(1)
        own, base, _ = found['rates'][0]['ways']
        own['round_cpu_ns'], base['round_cpu_ns'] = [100, 900, 3000, 8000], [200, 1000, 3000, 2000]
        self.assertIn('1.003 ms, 1 busy thread: CPU time: 0.950 x clock_nanosleep, ', self.judge('load', found)[1])
        base['round_cpu_ns'] = [0] * ROUNDS
        self.assertIn('CPU time: no ratio, since that of clock_nanosleep is 0', self.judge('load', found)[1])
        own['over'], base['over'] = 2, 0
        self.assertIn('more than 0.2 ms late: 2, and none of clock_nanosleep', self.judge('load', found)[1])

    def test_an_early_sleep_beside_a_load_is_an_error(self):
        out = self.verdicts('load', loads(1, early=3), 4, 1, status=1)
        self.assertIn('\nMISSED  sleeps of libhpt that ended early: 6, target <= 0\n', out)

    def test_wakes(self):
        self.verdicts('wake', wakes(), 3, 0)
        self.assertEqual(self.asked(), ['bench wake --rounds=300 --ticker=0 --seed=1 --json'])
        self.assertIn("hpt_waiter_interrupt, spin: median: 1.411 x the bare flag, target <= 1.400",
                      self.verdicts('wake', wakes(spin_ns=127), 2, 1))
        self.assertIn("kernel 0.3 ms: median: 1.100 x the bare futex, target <= 1.050",
                      self.verdicts('wake', wakes(kernel_ns=22000), 2, 1))
        self.assertIn("kernel 10 ms cold: median: 1.175 x the bare futex, target <= 1.150",
                      self.verdicts('wake', wakes(cold_ns=47000), 2, 1))

    def test_a_lost_wake_is_an_error(self):
        out = self.verdicts('wake', wakes(lost=2), 3, 0, status=1)
        self.assertIn('2 sleeps were not ended by their wake', out)

    def test_one_cpu_only(self):
        code, out, err = self.judge('wake', {**wakes(), 'phases': [], 'sleeper_cpu': None})
        self.assertEqual((code, err), (77, ''))
        self.assertIn('one CPU only', out)

    def test_tickers(self):
        # hpt prints the same three times; only a ticker of 1 kHz is judged.
        self.verdicts('ticker', wakes(ticker=ticker()), 9, 0)
        self.assertEqual(self.asked(), [f'bench wake --rounds=1 --period={period} --ticker=10s --seed=1 --json'
                                        for period in ('1ms', '10ms', '200us')])
        self.verdicts('ticker', wakes(ticker=ticker(period_ns=200000)), 0, 0)
        for slow in ({'late_ns': 61}, {'cpu_ppm': 70001}, {'drift_ns': 1001}, {'drift_ns': -1001}):
            self.verdicts('ticker', wakes(ticker=ticker(**slow)), 6, 3)
        self.unfit('ticker', wakes(), 'no ticker')

    def test_a_disturbed_run_says_so(self):
        quiet = {'is_disturbed': False, 'steal_ppm': None, 'others_ppm': 0, 'preemptions': 3}
        self.assertNotIn('DISTURBED', self.judge('read', reads() | {'disturbance': quiet})[1])
        loud = quiet | {'is_disturbed': True, 'others_ppm': 250000}
        self.assertIn('\nDISTURBED, measure again: 3 preemptions of the measuring thread, 0.25 CPUs used by other '
                      'processes\n', self.judge('read', reads() | {'disturbance': loud})[1])

        found = loads(8) | {'disturbance': loud | {'steal_ppm': 20000}}
        self.assertIn('\nDISTURBED, measure again: 0.25 CPUs used by other processes, 2.0 % of the CPUs taken by the '
                      'host\n', self.judge('load', found)[1])

    def test_output_that_is_no_measurement(self):
        self.unfit('read', sleeps(), 'no JSON of "hpt bench read"')
        self.unfit('wake', reads(), 'no JSON of "hpt bench wake"')
        self.unfit('read', [], 'no JSON of')
        self.unfit('read', '{"hpt_json": 1,', 'no JSON: ')
        self.unfit('read', '', 'no JSON: ')
        self.unfit('read', reads() | {'hpt_json': 2}, 'no JSON of')
        self.unfit('sleep', sleeps() | {'ways': []}, 'lacks something')
        self.unfit('read', reads() | {'interrupted': True}, 'interrupted')
        self.unfit('read', reads() | {'rounds_done': 0}, 'no round')
        self.unfit('read', reads(), 'exit status 1', status=1)

    def test_usage(self):
        p = subprocess.run([sys.executable, '-B', cli.ARGS[0], cli.HPT, 'reads'], capture_output=True,
                           timeout=cli.LIMIT, check=False)
        self.assertEqual((p.returncode, p.stdout, p.stderr.count(b'\n')), (2, b'', 1))


if __name__ == '__main__':
    cli.main()
