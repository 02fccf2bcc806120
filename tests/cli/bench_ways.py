# SPDX-License-Identifier: MIT
"""bench_ways.py HPT SCHEMA: chosen ways of hpt bench, their single samples, and runs that go on where one stopped."""
import csv
import os
import resource
import signal
import subprocess

import bench
import cli

SHORT = ['sleep', '--longest=20us', '--step=10', '--only=nanosleep,busy wait']


class Chosen(bench.Case):
    def test_chosen_ways_alone(self):
        d = self.measured('read', '--rounds=3', '--only=gettimeofday,hpt_now(os)')
        self.assert_in_schema('read', d)
        self.assertEqual(sorted(r['name'] for r in d['rows']), ['gettimeofday', 'hpt_now(os)'])
        self.assertEqual({r['ratio_ppm'] for r in d['rows']}, {None})
        self.assertIn('--only=gettimeofday,hpt_now(os)', d['conditions']['options'])
        d = self.measured(*bench.QUICK['sleep'], '--only=clock_nanosleep, slack 1,nanosleep')
        self.assert_in_schema('sleep', d)
        self.assertEqual([w['name'] for w in d['ways']], ['nanosleep', 'clock_nanosleep, slack 1'])
        text = self.bench(*bench.QUICK['sleep'], '--table', '--only=nanosleep')
        self.assertIn('nanosleep: miss, entry and exit by length', text)
        self.assertNotIn('\nbusy wait', text)

    def test_number_of_reads(self):
        d = self.measured('read', '--rounds=3', '--only=gettimeofday', '--reads=1000000')
        self.assert_in_schema('read', d)
        self.assertEqual(d['rows'][0]['single']['count'], 1000002)
        self.assertIn('--reads=1000000', d['conditions']['options'])

    def test_samples(self):
        d = self.measured('read', '--rounds=3', '--only=gettimeofday', '--samples', self.path('r'))
        rows = self.rows_of('r')
        self.assertEqual(len(rows), d['rows'][0]['single']['count'])
        self.assertEqual({row['round'] for row in rows}, {'0', '1', '2'})
        self.assertEqual(max(int(row['single_ps']) for row in rows), d['rows'][0]['single']['max_ps'])
        d = self.measured(*bench.QUICK['sleep'], '--rounds=2', '--samples', self.path('s'))
        rows = self.rows_of('s')
        self.assertEqual(len(rows), 2 * 4 * len(d['ways']))
        for way in d['ways']:
            own = [r for r in rows if r['way'] == way['name']]
            self.assertEqual([int(r['length_ns']) for r in own], 2 * d['lengths_ns'])
            self.assertEqual(own[0]['deadline_miss_ps'] == '', way['name'] in ('hpt_sleep_ns', 'nanosleep'))
            for row, miss_ns in zip(own[::4], way['lengths'][0]['miss_ns'], strict=True):
                self.assertLessEqual(abs(int(row['miss_ps']) - 1000 * miss_ns), 500)

    def rows_of(self, name):
        with open(self.path(name), newline='', encoding='ascii') as f:
            return list(csv.DictReader(f))

    def test_traces(self):
        for args, label in ((['read', '--rounds=3', '--trace=gettimeofday,hpt_now(os)'], 'number of the read'),
                            ([*bench.QUICK['sleep'], '--trace=nanosleep'], 'number of the sleep')):
            self.bench(*args, '--plot', self.path('x.svg'))
            self.assert_svg('x.svg')
            with open(self.path('x.svg'), encoding='utf-8') as f:
                self.assertIn(label, f.read())


class Resumed(bench.Case):
    def state(self, name='state'):
        with open(self.path(name), encoding='ascii') as f:
            return f.read()

    def test_a_run_goes_on(self):
        first = self.measured(*SHORT, '--rounds=2', '--resume', self.path('state'))
        before = self.state()
        both = self.measured(*SHORT, '--rounds=5', '--resume', self.path('state'))
        self.assert_in_schema('sleep', both)
        self.assertEqual((both['rounds'], both['rounds_done'], both['rounds_resumed']), (5, 5, 2))
        self.assertEqual(first['rounds_resumed'], 0)
        self.assertTrue(self.state().startswith(before))
        self.assertEqual((before.count('\nround '), self.state().count('\nround ')), (2, 5))
        self.assertEqual((before.count('\nrun '), self.state().count('\nrun ')), (1, 2))
        for old, new in zip(first['ways'], both['ways'], strict=True):
            for was, now in zip(old['lengths'], new['lengths'], strict=True):
                self.assertEqual(now['sleeps'], 5)
                for a, b in zip(was['miss_ns'], now['miss_ns']):
                    self.assertLessEqual(abs(a - b), 1)
                self.assertEqual(was['cpu_ns'], now['cpu_ns'][:2])

    def assert_goes_on(self, by):
        name = f'state{by:d}'
        args = ['sleep', '--longest=2ms', '--step=10', '--only=busy wait', '--resume', self.path(name)]
        for bars in bench.LEFTS:
            case = bench.Started(methodName='start')
            status, _, _ = case.end_at([*args, '--rounds=100000'], bench.LEFT, bars, by)
            case.doCleanups()
            self.assertEqual(status, -by)
            done = self.state(name).count('\nround ')
            if done:
                break
        self.assertGreater(done, 0)
        d = self.measured(*args, f'--rounds={done + 1}')
        self.assertEqual((d['rounds_resumed'], d['rounds_done'], d['interrupted']), (done, done + 1, False))

    def test_an_interrupted_run_goes_on(self):
        self.assert_goes_on(signal.SIGINT)

    def test_a_killed_run_goes_on(self):
        self.assert_goes_on(signal.SIGKILL)

    def test_a_cut_round_is_measured_again(self):
        self.bench(*SHORT, '--rounds=2', '--resume', self.path('state'))
        os.truncate(self.path('state'), len(self.state()) - 40)
        d = self.measured(*SHORT, '--rounds=2', '--resume', self.path('state'))
        self.assertEqual((d['rounds_resumed'], d['rounds_done']), (1, 2))
        self.assertEqual(self.state().count('\nround '), 2)

    def test_a_complete_file_is_shown_again(self):
        first = self.measured(*SHORT, '--rounds=2', '--resume', self.path('state'))
        whole = self.state()
        again = self.measured(*SHORT, '--rounds=2', '--resume', self.path('state'))
        self.assertEqual((again['rounds_resumed'], again['rounds_done']), (2, 2))
        self.assertEqual([w['lengths'][0]['cpu_ns'] for w in again['ways']],
                         [w['lengths'][0]['cpu_ns'] for w in first['ways']])
        self.assertEqual(self.state(), whole)

    def test_a_full_disk_loses_no_result(self):
        self.bench(*SHORT, '--rounds=1', '--resume', self.path('state'))
        whole = self.state()

        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (len(whole) + 10, resource.RLIM_INFINITY))

        r = subprocess.run([cli.HPT, 'bench', *SHORT, '--rounds=2', '--resume', self.path('state')], check=False,
                           capture_output=True, text=True, preexec_fn=limit)
        self.assertEqual(r.returncode, 1)
        self.assertEqual(r.stderr, f'hpt: bench sleep: {self.path("state")} lacks the last rounds: File too large\n')
        self.assertIn('2 rounds', r.stdout)
        self.assertEqual(self.state(), whole)

    def test_another_output_cannot_be_the_file(self):
        for option in ('--samples', '--plot'):
            err = self.fails(1, 'bench', *SHORT, '--rounds=1', '--resume', self.path('state'),
                             option, self.path('state'))
            self.assertIn('two outputs cannot be one file', err)

    def test_another_file_is_refused_and_stays(self):
        self.bench(*SHORT, '--rounds=2', '--resume', self.path('state'))
        whole = self.state()
        for old, new, why in (('machine ', 'machine x', 'another machine, kernel or source'),
                              ('length 20000\n', 'length 30000\n', 'other lengths'),
                              ('way busy wait\n', '', 'other'),
                              ('format 2', 'format 1', 'no file of hpt bench sleep'),
                              ('\nround ', '\nround x', 'end of the round is damaged')):
            text = whole.replace(old, new, 1)
            self.assertNotEqual(text, whole)
            with open(self.path('state'), 'w', encoding='ascii') as f:
                f.write(text)
            err = self.fails(1, 'bench', *SHORT, '--rounds=9', '--resume', self.path('state'))
            self.assertRegex(err, f'^hpt: bench sleep: cannot go on from .*state: line [0-9]+: .*({why})')
            self.assertEqual(self.state(), text)

    def test_other_options_are_refused(self):
        self.bench(*SHORT, '--rounds=2', '--resume', self.path('state'))
        for args, why in ((['--rounds=1'], 'more than --rounds asks for'),
                          (['--rounds=9', '--step=2'], 'other lengths'),
                          (['--rounds=9', '--only=nanosleep'], 'other ways|lengths|--only'),
                          (['--rounds=9', '--source=os'], 'another machine, kernel or source')):
            self.assertRegex(self.fails(1, 'bench', *SHORT, *args, '--resume', self.path('state')), why)
        self.fails(1, 'bench', *SHORT, '--resume', self.folder)
        self.fails(2, 'bench', 'sleep', '--load=1', '--resume', self.path('state'))
        self.fails(2, 'bench', 'read', '--resume', self.path('state'))


if __name__ == '__main__':
    cli.main()
