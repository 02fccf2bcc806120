# SPDX-License-Identifier: MIT
"""hpt convert: every form into every form, and its exit status for what it refuses."""
import datetime
import json
import time

import cli
from cli import run

MIN, MAX = -2**63, 2**63 - 1
TIME = ['hpt_json', 'given', 'kind', 'source', 'ticks', 'unix_ns', 'utc', 'error_ns']
DURATION = ['hpt_json', 'given', 'kind', 'source', 'ticks', 'ns', 'text', 'error_ns']

# Unix times of two processes may differ by more than their rates leave open: each compares the clocks by itself.
COMPARED_NS = 10**7


def wall_ns():
    """How far CLOCK_REALTIME is ahead of CLOCK_MONOTONIC_RAW, at least and at most."""
    before = time.clock_gettime_ns(time.CLOCK_MONOTONIC_RAW)
    unix_ns = time.time_ns()
    return unix_ns - time.clock_gettime_ns(time.CLOCK_MONOTONIC_RAW), unix_ns - before


class Case(cli.Case):
    def objects(self, *args, source='os'):
        """By default from the OS clock, whose ticks are nanoseconds."""
        return [json.loads(line) for line in self.ok('convert', '--json', *args, source=source).splitlines()]

    def object(self, *args, **kw):
        value, = self.objects(*args, **kw)
        return value


class Times(Case):
    def test_shape(self):
        value = self.object('2026-11-20T10:47:59.123456789Z')
        self.assertEqual(list(value), TIME)
        self.assertEqual({k: value[k] for k in TIME if k != 'ticks'}, {
            'hpt_json': 1, 'given': '2026-11-20T10:47:59.123456789Z', 'kind': 'time', 'source': 'os',
            'unix_ns': 1795171679123456789, 'utc': '2026-11-20T10:47:59.123456789Z', 'error_ns': 0})

    def test_unix_seconds(self):
        for given, unix_ns in (('@0', 0), ('@1795171679.123456789', 1795171679123456789), ('@0.5', 500000000),
                               ('@-0.5', -500000000), ('@-1.000000001', -1000000001), ('@2147483648', 2**31 * 10**9),
                               ('@-7000000000', -7 * 10**18), ('@007', 7 * 10**9)):
            value = self.object(given)
            self.assertEqual((value['kind'], value['unix_ns']), ('time', unix_ns), given)
            moment = datetime.datetime(1970, 1, 1) + datetime.timedelta(microseconds=unix_ns // 1000)
            self.assertEqual(value['utc'], f"{moment.isoformat('T', 'microseconds')}{unix_ns % 1000:03}Z", given)

    def test_text(self):
        utc = '2038-01-19T03:14:08.000000000Z'
        for given in (utc, '2038-01-19T03:14:08Z', '2038-01-19 03:14:08z', '2038-01-19t05:14:08,0+02:00',
                      '2038-01-18T22:14:08.000-05:00'):
            self.assertEqual((self.object(given)['unix_ns'], self.object(given)['utc']), (2**31 * 10**9, utc), given)

    def test_ticks_are_now(self):
        """Ticks of one process are those of the next: both see them between two readings of the kernel's clock."""
        for source in 'os', None:
            before = time.time_ns()
            now = json.loads(self.ok('now', '--json', source=source))
            after = time.time_ns()
            value = self.object(str(now['ticks']), source=source)
            self.assertEqual((value['kind'], value['source'], value['ticks']), ('time', now['source'], now['ticks']))
            for unix_ns in now['unix_ns'], value['unix_ns']:
                self.assertLess(before - value['error_ns'] - COMPARED_NS, unix_ns)
                self.assertLess(unix_ns, after + value['error_ns'] + COMPARED_NS)

    def test_there_and_back(self):
        """Each process says what its rate leaves open. The wall clock may be slewed between the two."""
        for source in 'os', None:
            for given in '2026-11-20T10:47:59.123456789Z', f'@{int(time.time()) + 5}', '@1000000000', '@4000000000':
                before_low, before_high = wall_ns()
                value = self.object(given, source=source)
                again = self.object('--', str(value['ticks']), source=source)
                after_low, after_high = wall_ns()
                open_ns = value['error_ns'] + again['error_ns'] + COMPARED_NS
                slewed_ns = again['unix_ns'] - value['unix_ns']
                self.assertLess(min(after_low - before_high, 0) - open_ns, slewed_ns)
                self.assertLess(slewed_ns, max(after_high - before_low, 0) + open_ns)

    def test_what_is_left_open_grows_with_the_distance(self):
        near, far = self.objects(f'@{int(time.time())}', '@1000000000', source=None)
        if near['source'] != 'os':
            self.assertLess(near['error_ns'], far['error_ns'])
            self.assertLess(0, far['error_ns'])
        short, long = self.objects('1s', '1000s', source=None)
        self.assertAlmostEqual(long['error_ns'], 1000 * short['error_ns'], delta=1000)

    def test_epoch_does_not_matter_to_differences(self):
        a, b = self.objects('@1000000000', '@1000000001')
        self.assertLess(abs(b['ticks'] - a['ticks'] - 10**9), 10**6)


class Durations(Case):
    def test_shape(self):
        value = self.object('1.5s')
        self.assertEqual(list(value), DURATION)
        self.assertEqual(value, {'hpt_json': 1, 'given': '1.5s', 'kind': 'duration', 'source': 'os',
                                 'ticks': 1500000000, 'ns': 1500000000, 'text': '1.500000000 s', 'error_ns': 0})

    def test_units(self):
        for given, ns in (('0s', 0), ('1s', 10**9), ('0.000000001s', 1), ('1ms', 10**6), ('0.000001ms', 1),
                          ('1us', 1000), ('0.001us', 1), ('40ns', 40), ('5000ticks', 5000), ('-1.5s', -1500000000),
                          ('-1ticks', -1), ('-0s', 0), ('.5s', 500000000), ('-.5ms', -500000), ('1m', 60 * 10**9),
                          ('1.5h', 5400 * 10**9), ('0.000000001d', 86400), ('-106751d', -106751 * 86400 * 10**9),
                          ('9223372036.854775806s', MAX - 1), ('-9223372036.854775807s', -MAX),
                          (f'{MAX - 1}ns', MAX - 1), (f'{-MAX}ticks', -MAX), (f'{MAX}ticks', MAX), (f'{MIN}ns', MIN)):
            value = self.object('--', given)
            sign, size = '-' if ns < 0 else '', abs(ns)
            self.assertEqual((value['kind'], value['ticks'], value['ns'], value['text']),
                             ('duration', ns, ns, f'{sign}{size // 10**9}.{size % 10**9:09} s'), given)

    def test_by_the_rate_of_the_clock(self):
        """Each process chooses for itself; on a busy machine one of them may find the TSC too expensive."""
        for _ in range(20):
            rate = json.loads(self.ok('info', '--json'))
            value = self.object('1000s', source=None)
            if value['source'] == rate['source']:
                break
        self.assertEqual(value['source'], rate['source'])
        self.assertLess(abs(value['ticks'] - rate['frequency_uhz'] / 1000), rate['frequency_uhz'] / 10**6)


class Both(Case):
    def test_source_option(self):
        for option in ['--source=os'], ['--source', 'os'], ['-s', 'os'], ['-sos']:
            self.assertEqual(self.object(*option, '7ticks', source=None)['ns'], 7)

    def test_source_that_cannot_be_used(self):
        self.assertRegex(self.fails(1, 'convert', '--source=mmio', '1s'), '^hpt: convert: mmio cannot be used: ')

    def test_table(self):
        text = self.ok('convert', '1.5s', '@1', source='os')
        first, second = text.split('\n\n')
        for block, labels in ((first, ('Duration', 'Source', 'Ticks', 'Nanoseconds', 'Seconds', 'Left open')),
                              (second, ('Time', 'Source', 'Ticks', 'Unix time, ns', 'UTC', 'Left open'))):
            self.assertEqual(len(block.strip().splitlines()), len(labels))
            for label in labels:
                self.assertRegex(block, rf'(?m)^{label}  +\S')
        self.assertRegex(text, r'(?m)^Seconds +1\.500000000 s$')
        self.assertRegex(text, r'(?m)^UTC +1970-01-01T00:00:01\.000000000Z$')

    def test_each_is_a_line_in_order(self):
        self.assertEqual([v['given'] for v in self.objects('2s', '@5', '1s', '2000-01-01T00:00:00Z')],
                         ['2s', '@5', '1s', '2000-01-01T00:00:00Z'])

    def test_no_such_value_is_wrong_usage(self):
        for given in ('', ' ', 'x', 's', 'ns', '@', '.', '-', '1.', '.s', '1.s', '1 s', ' 1s', '1s ', '1S', '1M', '1w',
                      '1ticks5', '.5ticks', '1.5ticks', '1.5ns', '1.0001us', '1.0000001ms', '1.0000000001s',
                      '1.0000000001h', '1,5s', '1e3s', '0x10', '++1s', '+1s', '--1s', '1.5', '1-', '@1s', '@1.', '@+1',
                      '@ 1', '@1.0000000001', '@@1', 'now', 'nan', 'infs', '@inf', '2026-11-20', '2026-11-20T10:47:59',
                      '2026-02-29T00:00:00Z', '2026-11-20T24:00:00Z', '2026-11-20T10:47:60Z', '9' * 30 + 'x', '\n',
                      '1s\n', '\u0661s'):
            message = self.fails(2, 'convert', '--', given)
            self.assertRegex(message,
                             r"^hpt: convert: '.*' is neither a time nor a duration; see 'hpt help convert'\n$")
        self.fails(2, 'convert', '1s', 'x', '2s')  # and nothing is shown
        self.fails(2, 'convert', b'\xff')

    def test_what_does_not_fit_fails(self):
        for given in ('9223372036.854775808s', '-9223372036.854775809s', '106752d', '2562047.788015216h',
                      f'{MAX + 1}ns', f'{MIN - 1}ns', f'{MAX + 1}ticks',
                      f'{MIN - 1}ticks', '9' * 40 + 's', '-' + '9' * 40 + 'ticks', '9' * 40 + '.5ms'):
            self.assertRegex(self.fails(1, 'convert', '--', given, source='os'), "' does not fit in 64 bits")
        for given in ('@9223372037', '@-9223372037', '@' + '9' * 40, str(MAX), str(MAX + 1), str(MIN - 1), '9' * 40,
                      '2262-04-12T00:00:00Z', '1677-09-21T00:00:00Z', '0000-01-01T00:00:00Z', '9999-12-31T23:59:59Z'):
            self.assertRegex(self.fails(1, 'convert', '--', given, source='os'),
                             r"' is outside of the times of this clock, "
                             r'which are \d{4}-\S+Z to 2262-04-11T23:47:16\.\d+Z$')

    def test_other_arguments_are_still_answered(self):
        p = run('convert', '--json', '1s', '9999-12-31T23:59:59Z', '2s', source='os')
        self.assertEqual(p.returncode, 1)
        self.assert_one_line(p.stderr)
        self.assertEqual([json.loads(line)['ns'] for line in p.stdout.splitlines()], [10**9, 2 * 10**9])

    def test_without_two_dashes_a_negative_number_is_an_option(self):
        self.assertEqual(self.fails(2, 'convert', '-5s'), "hpt: convert: unknown option '-5'; see 'hpt help convert'\n")
        self.assertEqual(self.object('--', '-5s')['ns'], -5 * 10**9)


if __name__ == '__main__':
    cli.main()
