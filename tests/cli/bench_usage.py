# SPDX-License-Identifier: MIT
"""bench_usage.py HPT SCHEMA: a short run of each benchmark of hpt bench, its help, and what it refuses."""
import json
import os
import re

import bench
import cli


class Tables(bench.Case):
    def test_tables(self):
        for name, args in bench.QUICK.items():
            if name != 'wake' or bench.HAS_TWO_CPUS:
                self.assertIn(bench.ROW[name], self.bench(*args))


class Refused(bench.Case):
    def test_wrong_usage(self):
        for args in ([], ['foo'], ['--'], ['--foo'], ['-x'], ['read', 'x'], ['read', '--foo'],
                     ['read', '--json', '--csv'], ['read', '--csv', '-j'], ['read', '--plot=-', '--json'],
                     ['read', '--plot=-', '--csv'], ['read', '--rounds=3', '--short'],
                     ['sleep', '--rounds=3', '--long'], ['sleep', '--load=1', '--plot=-'],
                     ['sleep', '1ms'], ['wake', 'x', 'y'], ['--json'],
                     ['--threshold=5'], ['--long'], ['--report', self.path('r'), 'x'],
                     ['--report', self.path('r'), '--json'], ['--report', self.path('r'), '--threshold=1'],
                     ['--report', self.path('r'), '--compare', 'a', 'b'], ['--report='], ['--compare', 'a'],
                     ['--compare', 'a', 'b', 'c'], ['--compare', 'a', 'b', '--long'],
                     ['--compare', 'a', 'b', '--seed=1'], ['--compare', 'a', 'b', '-stsc'],
                     ['--compare='], ['--report'], ['read', '--plot'],
                     ['read', '--plot='], ['read', '--hgrm='], ['read', '--longest=1ms'],
                     ['wake', '--table'], ['wake', '--load=1'], ['wake', '--threads=2'], ['sleep', '--threads'],
                     ['sleep', '--threads=2', '--rounds=5001'], ['sleep', '--threads=2', '--step=2'],
                     ['sleep', '--threads=2', '--table'], ['sleep', '--load'], ['sleep', '--quota'],
                     ['sleep', '--quota=10', '--load=1'], ['sleep', '--quota=10', '--frontier'],
                     ['sleep', '--quota=10', '--table'], ['wake', '--quota=10'], ['read', 'read'], ['help'],
                     ['sleep', '--load=1', '--rounds=10001'], ['sleep', '--frontier', '--rounds=10001'],
                     ['read', '--only='], ['read', '--only=rdtscx'], ['read', '--only=rdtsc,'],
                     ['read', '--trace=gettimeofday'], ['read', '--trace=foo', '--plot=' + self.path('x')],
                     ['sleep', '--only=nanosleep,foo'], ['sleep', '--trace=nanosleep'], ['wake', '--only=x'],
                     ['sleep', '--frontier', '--only=nanosleep'], ['read', '--samples='],
                     ['sleep', '--load=1', '--samples=' + self.path('x')],
                     *(['sleep', '--load=1', other] for other in ('--table', '--longest=1ms', '--shortest=1ms',
                                                                  '--step=2', '--plot=' + self.path('x')))):
            self.fails(2, 'bench', *args)
        self.assertEqual(os.listdir(self.folder), [])

    def test_values(self):
        for option, values in {
                'read --rounds': ('0', '-1', '100001', '1e3', '', 'x', '1.5', ' 1', '9' * 30),
                'sleep --rounds': ('0', '100001'), 'wake --rounds': ('0', '100001'),
                'read --reads': ('0', '-1', '100000001', 'x', '', '1e3'),
                'read --source': ('', 'auto', 'foo', 'TSC', 'tsc,os'),
                'read --cpu': ('-1', 'x', '', '99999999999'), 'read --seed': ('-1', '4294967296', 'x', ''),
                'sleep --load': ('-1', 'x', '', '1025', '1.5', '2x'),
                'sleep --threads': ('0', '-1', 'x', '', '251', '1.5'),
                'sleep --quota': ('0', '-1', 'x', '', '100001', '1.5', '10%'),
                'sleep --step': ('1', '0', '-2', '1001', 'x'),
                'sleep --longest': ('0', '-1ms', '999ns', '61m', '2h', 'x', '', '1ms2', 'inf', '292y'),
                'sleep --shortest': ('0', '999ns', '3601'),
                'wake --period': ('0', '9us', '1.1s', 'x'), 'wake --ticker': ('-1s', '61m', 'x'),
                '--threshold': ('-1', 'x', '', '1001', '5 %', 'nan', '1e1')}.items():
            for value in values:
                *command, name = option.split()
                extra = ['--compare', 'a', 'b'] if name == '--threshold' else []
                self.assertIn(f"'{value}'", self.fails(2, 'bench', *command, *extra, f'{name}={value}'))

    def test_impossible_ranges(self):
        for args in (['--longest=1ms', '--shortest=2ms'], ['--shortest=300ms'], ['--table', '--shortest=11s']):
            self.assertIn('is shorter than the shortest', self.fails(2, 'bench', 'sleep', *args))

    def test_unknown_ways_are_named(self):
        text = self.fails(2, 'bench', 'sleep', '--only=nanosleep,nanoslep')
        self.assertRegex(text, "^hpt: bench sleep: 'nanoslep' is not one of the ways, perhaps 'nanosleep'; they are ")
        self.assertIn("; clock_nanosleep, slack 1; busy wait\n", text)

    def test_a_trace_of_what_is_not_measured(self):
        for args in (['read', '--only=gettimeofday', '--trace=hpt_now(os)'],
                     ['sleep', '--only=nanosleep', '--trace=busy wait']):
            self.assertIn('is not measured', self.fails(1, 'bench', *args, '--plot', self.path('x')))
        self.assertEqual(os.listdir(self.folder), [])

    def test_standard_output_is_no_file_of_samples(self):
        for args in (['read', '--samples=-'], ['sleep', '--resume=-'], ['read', '--hgrm=-']):
            self.assertIn('standard output has the results', self.fails(2, 'bench', *args))
        self.assertEqual(os.listdir(self.folder), [])

    def test_a_read_of_an_unusable_source_has_the_reason(self):
        self.assertRegex(self.fails(1, 'bench', 'read', '--rounds=1', '--only=hpt_now(hpet)', '--source=os'),
                         '^hpt: bench read: hpt_now\\(hpet\\) is not measured: ')

    def test_more_samples_than_memory(self):
        self.assertIn('3 GiB', self.fails(1, 'bench', 'read', '--reads=100000000'))
        self.assertIn('3 GiB', self.fails(1, 'bench', 'wake', '--ticker=1h', '--period=10us'))

    def test_cpu_that_is_not_ours(self):
        self.assertIn('CPU 1023 is not there', self.fails(1, 'bench', 'read', '--cpu=1023'))
        self.assertIn('CPU 1023 is not there', self.fails(1, 'bench', '--report', self.path('r'), '--cpu=1023'))
        self.assertEqual(os.listdir(self.folder), [])

    def test_source_that_cannot_be_opened(self):
        reason = next(s['reason'] for s in json.loads(self.ok('sources', 'arch', '--json'))['sources'])
        self.assertEqual(self.fails(1, 'bench', 'read', '--source=arch'),
                         f'hpt: bench read: arch cannot be used: {reason}\n')

    def test_report_on_a_source_that_cannot_be_used(self):
        self.assertRegex(self.fails(1, 'bench', '--report', self.path('r'), '--source=mmio'),
                         '^hpt: bench: mmio cannot be used: ')
        self.assertEqual(os.listdir(self.folder), [])

    def test_help(self):
        text = self.ok('help', 'bench')
        self.assertEqual(self.ok('bench', '--help'), text)
        listed = re.findall(r'(?m)^  (\w+) ', text.split('Commands:')[1].split('Options:')[0])
        self.assertEqual(listed, ['read', 'sleep', 'wake'])
        for name in listed:
            text = self.ok('help', 'bench', name)
            self.assertTrue(text.startswith(f'Usage: hpt bench {name} '), text)
            self.assertEqual(self.ok('bench', name, '--help'), text)
            self.assertEqual(self.ok('bench', name, '-h'), text)
        self.assertEqual(self.fails(2, 'help', 'bench', 'foo'),
                         "hpt: bench: unknown command 'foo'; see 'hpt help bench'\n")
        self.fails(2, 'help', 'bench', 'read', 'x')
        self.fails(2, 'help', 'info', 'read')


if __name__ == '__main__':
    cli.main()
