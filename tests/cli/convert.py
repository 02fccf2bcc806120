# SPDX-License-Identifier: MIT
"""hpt convert: every form into every form, and its exit status for what it refuses."""
import datetime
import json
import os
import struct
import tempfile
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


NO_ZONE = 'end with Z or an offset such as +02:00'

# Texts that are nearly times or durations, and what is wrong with each.
WHY = {
    '': 'a value is missing',
    'x': 'neither a duration such as 20ms nor a time such as 2026-11-20T10:47:59Z',
    '5': 'a unit is missing: 5s is a duration, @5 a time in seconds, @5ticks in ticks',
    '5x': "'x' is no unit: ns, us, ms, s, min, h or d (or ticks)",
    '5M': "'M' is no unit: ns, us, ms, s, min, h or d (or ticks)",
    '0.5ns': 'finer than a nanosecond',
    '@1.0000000001': 'finer than a nanosecond',
    '5.5ticks': 'a tick has no parts',
    '1.2.3s': "'1.2.3' is no number",
    '2026-02-30T00:00:00Z': 'February 2026 has 28 days',
    '2024-02-30T00:00:00Z': 'February 2024 has 29 days',
    '2026-04-31T00:00:00Z': 'April 2026 has 30 days',
    '2026-12-00T00:00:00Z': 'December 2026 has 31 days',
    '2026-13-01T00:00:00Z': 'there is no month 13',
    '2026-1-1T00:00:00Z': 'a date has the form 2026-11-20',
    '2026-11-20': 'a time of day is missing: write 2026-11-20T10:47:59Z',
    '2026-11-20T10:47Z': 'a time of day is missing: write 2026-11-20T10:47:59Z',
    '2026-11-20T24:00:00Z': 'there is no hour 24',
    '2026-11-20T10:60:00Z': 'there is no minute 60',
    '2016-12-31T23:59:60Z': 'there is no second 60: Unix time has no leap seconds',
    '2026-11-20T10:47:59.Z': 'a second has 1 to 9 digits after its point',
    '2026-11-20T10:47:59.1234567891Z': 'a second has 1 to 9 digits after its point',
    '2026-11-20T10:47:59': f'a time zone is missing: {NO_ZONE}',
    '2026-11-20T10:47:59.5': f'a time zone is missing: {NO_ZONE}',
    '2026-11-20T10:47:59CET': f"'CET' is no time zone: {NO_ZONE}",
    '2026-11-20T10:47:59+0100': 'an offset has the form +02:00',
    '2026-11-20T10:47:59+24:00': 'an offset is at most 23:59',
    '2026-11-20T10:47:59ZZ': 'nothing may follow the Z',
}


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
                               ('@-7000000000', -7 * 10**18), ('@007', 7 * 10**9),
                               ('@1s', 10**9), ('@1795171679123456789ns', 1795171679123456789), ('@-1.5ms', -1500000)):
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
        """Ticks of one process are those of the next on the same source: both see them between two readings of the
        kernel's clock."""
        for source in 'os', None:
            before = time.time_ns()
            now = json.loads(self.ok('now', '--json', source=source))
            after = time.time_ns()
            value = self.object(f"@{now['ticks']}ticks", source=now['source'])
            self.assertEqual((value['kind'], value['source'], value['ticks']), ('time', now['source'], now['ticks']))
            for unix_ns in now['unix_ns'], value['unix_ns']:
                self.assertLess(before - value['error_ns'] - COMPARED_NS, unix_ns)
                self.assertLess(unix_ns, after + value['error_ns'] + COMPARED_NS)

    def test_there_and_back(self):
        """Each process says what its rate leaves open. The wall clock may be slewed between the two. By itself the
        second might choose another source, which counts other ticks."""
        for source in 'os', None:
            for given in '2026-11-20T10:47:59.123456789Z', f'@{int(time.time()) + 5}', '@1000000000', '@4000000000':
                before_low, before_high = wall_ns()
                value = self.object(given, source=source)
                again = self.object(f"@{value['ticks']}ticks", source=value['source'])
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
        before, long, after = (value['error_ns'] for value in self.objects('1s', '1000s', '1s', source=None))
        if before == after:
            self.assertAlmostEqual(long, 1000 * before, delta=1000)
            return
        # The rate was measured better meanwhile. The range of what it can be has become narrower, and an error is at
        # least half of its range and at most all of it.
        self.assertLessEqual(long, 2 * 1000 * before + 2000)
        self.assertLessEqual(1000 * after, 2 * long + 2000)

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


def fnv1a(data):
    value = 2166136261
    for byte in data:
        value = (value ^ byte) * 16777619 % 2**32
    return value


def base(tick, ns, generation=1, start=0, boot=b'b' * 16, source=1, offset=0, version=1, rate_ns=1):
    """A time base of a clock of 1 GHz, as hpt_timebase(7) has it. Unix time is 10^9 s later."""
    head = struct.pack('<8sII16sQqqqqQQIIqIIIII', b'HPTTIMEB', version, source, boot, generation, start, tick, ns,
                       ns + 10**18, 0, 0, rate_ns, rate_ns, offset, 10, 0, 1000, 20, 30)
    return head + struct.pack('<I', fnv1a(head))


class Traces(Case):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, 'trace')

    def write(self, *bases):
        with open(self.path, 'wb') as f:
            f.write(b''.join(bases))

    def convert(self, ticks, *options):
        p = run('convert', '--timebase', self.path, *options, stdin=None,
                input=''.join(f'{t}\n' for t in ticks).encode())
        return p.returncode, p.stdout.decode().splitlines(), p.stderr.decode()

    def refused(self, data, reason):
        with open(self.path, 'wb') as f:
            f.write(data)
        self.assertEqual(self.convert([1]), (1, [], f'hpt: convert: {self.path}: {reason}\n'))

    def test_forms(self):
        self.write(base(1000, 5000), base(2000, 7000))
        ticks = [1000, 1500, 2000, 2500, 0]
        ns = [5000, 6000, 7000, 7500, 4000]
        self.assertEqual(self.convert(ticks, '--ns'), (0, [str(n) for n in ns], ''))
        self.assertEqual(self.convert(ticks, '--unix-ns'), (0, [str(10**18 + n) for n in ns], ''))
        for utc in [], ['--utc']:
            self.assertEqual(self.convert(ticks, *utc),
                             (0, [f'2001-09-09T01:46:40.{n:09}Z' for n in ns], ''))
        status, lines, err = self.convert([1500], '--json')
        self.assertEqual((status, [json.loads(line) for line in lines], err), (0, [{
            'hpt_json': 1, 'ticks': 1500, 'ns': 6000, 'error_ns': 22, 'unix_ns': 10**18 + 6000, 'unix_error_ns': 32,
            'utc': '2001-09-09T01:46:40.000006000Z', 'generation': 1}], ''))

    def test_one_time_base_is_enough(self):
        self.write(base(1000, 5000, boot=bytes(16)))
        self.assertEqual(self.convert([0, 3000], '--ns'), (0, ['4000', '7000'], ''))

    def test_each_tick_goes_by_the_pair_around_it(self):
        self.write(*[base(1000 * i, 1000 * i + 3 * i * i) for i in range(40, 60)])
        ticks = [37 * i for i in range(1050, 1650)]
        expected = []
        for t in ticks:
            i = min(max(t // 1000, 40), 59)
            slope = 1000 + 3 * (2 * i + 1) if 40000 <= t < 59000 else 1000
            expected.append(1000 * i + 3 * i * i + ((t - 1000 * i) * slope + 500) // 1000)
        status, lines, err = self.convert(ticks, '--ns')
        self.assertEqual((status, len(lines), err), (0, len(ticks), ''))
        # A half may be rounded either way.
        self.assertLessEqual(max(abs(int(line) - ns) for line, ns in zip(lines, expected)), 1)

    def test_generations(self):
        """The second begins at 3000; the third, after one that is not in the file, at 9000."""
        self.write(base(1000, 0), base(2000, 1000), base(4000, 100000, 2, 3000, offset=100),
                   base(10000, 200000, 4, 9000, offset=200))
        ticks = [0, 2999, 3000, 4000, 4001, 8999, 9000, 99999]
        self.assertEqual(self.convert(ticks, '--ns'), (1, [
            '-1000', '1999', '99000', '100000', '-', '-', '199000', '289999'],
            f'hpt: convert: 2 of 8 ticks, the first on line 5, are in no generation of {self.path}, or in two\n'))
        status, lines, _ = self.convert([5000], '--json')
        self.assertEqual((status, json.loads(lines[0])), (1, {
            'hpt_json': 1, 'ticks': 5000, 'ns': None, 'error_ns': None, 'unix_ns': None, 'unix_error_ns': None,
            'utc': None, 'generation': None}))

    def test_a_counter_that_started_again(self):
        """What only one generation can have had converts."""
        self.write(base(1000, 0, start=500), base(2000, 1000, start=500), base(100, 50000, 2, 0, offset=5000),
                   base(3000, 52900, 2, 0, offset=5000))
        self.assertEqual(self.convert([400, 700, 1500, 2001], '--ns')[:2], (1, ['50300', '-', '-', '51901']))

    def test_processes(self):
        """Each counts its generations from 1."""
        self.write(base(1000, 0), base(2000, 1000, start=1990))
        self.assertEqual(self.convert([1500, 1995], '--ns'), (0, ['500', '995'], ''))
        self.write(base(1000, 0), base(2000, 1000, start=1990, offset=10**9))
        self.assertEqual(self.convert([1000, 1500, 1995], '--ns')[:2], (1, ['0', '-', '995']))

    def test_wrong_files(self):
        good = base(1000, 5000)
        self.refused(b'', 'is empty')
        self.refused(good[:127], 'is no file of time bases')
        self.refused(good + bytes(128), 'time base 2 is damaged, or of another version')
        for wrong in (bytes(128), b'x' * 128, good[:60] + b'x' + good[61:], base(1, 1, version=2), good[::-1],
                      base(1, 1, rate_ns=0), base(1, 1, rate_ns=10**9 + 1)):
            self.refused(wrong, 'time base 1 is damaged, or of another version')
        self.refused(good + base(2000, 6000, boot=b'c' * 16), 'time base 2 is of another boot than the one before it')
        self.refused(good + base(2000, 6000, boot=bytes(16)), 'time base 2 does not say which boot it is of')
        self.refused(good + base(2000, 6000, source=2), 'time base 2 is of another source than the one before it')
        self.refused(good + base(999, 4999), 'time base 2 is earlier than the one before it')
        os.unlink(self.path)
        self.assertRegex(self.fails(1, 'convert', '-t', self.path), ': No such file or directory$')
        self.assertRegex(self.fails(1, 'convert', '-t', '/'), ': Is a directory$')

    def test_a_file_that_is_cut(self):
        """What is before the cut converts, as if there were no more."""
        for bases, cut in (1, 1), (1, 127), (3, 64):
            good = b''.join(base(1000 * i, 5000 + 2000 * i) for i in range(1, bases + 1))
            self.write(good)
            status, lines, _ = self.convert([500, 1500, 9000], '--ns')
            self.assertEqual(status, 0)
            self.write(good + base(10**6, 10**9)[:cut])
            self.assertEqual(self.convert([500, 1500, 9000], '--ns'), (1, lines, (
                f'hpt: convert: {self.path}: time base {bases + 1} has {cut} of its 128 bytes, and is left out: the '
                'file may be cut there\n')))

    def test_wrong_ticks(self):
        self.write(base(1000, 5000))
        for wrong in 'x', '', '1.5', '1 ', '0x10', str(MAX + 1), '5ticks':
            self.assertEqual(self.convert([1000, wrong, 1000], '--ns'),
                             (1, ['5000'], f"hpt: convert: line 2: '{wrong}' is no number of ticks\n"))
        # A byte 0 in a line; a long line, of which the message has the beginning.
        self.assertEqual(self.convert(['5\0'])[0], 1)
        self.assertEqual(self.convert(['5\0005'])[2], "hpt: convert: line 1: '5' is no number of ticks\n")
        self.assertEqual(self.convert(['7' * 41])[2], f"hpt: convert: line 1: '{'7' * 40}'... is no number of ticks\n")
        self.assertEqual(self.convert(['7' * 40])[2], f"hpt: convert: line 1: '{'7' * 40}' is no number of ticks\n")
        self.assertEqual(self.convert([], '--ns'), (0, [], ''))
        self.assertEqual(self.convert([MIN, MAX], '--ns'), (1, ['-', str(MAX)], self.convert([MIN], '--ns')[2].replace(
            '1 of 1', '1 of 2')))

    def test_append_keeps_a_file_readable(self):
        """A time base is not appended to another file, and not where 'hpt convert' would then refuse the file."""
        def kept(data, reason):
            with open(self.path, 'wb') as f:
                f.write(data)
            self.assertEqual(self.fails(1, 'now', '--timebase', self.path), f'hpt: now: {self.path}: {reason}\n')
            with open(self.path, 'rb') as f:
                self.assertEqual(f.read(), data)

        good = base(1000, 5000)
        for data in b'ticks', b'x' * 128, good[:127], good + good[:1], b'x' + good, good + bytes(128):
            kept(data, 'does not end with a time base, so none is appended')
        kept(good + base(2000, 6000, boot=b'c' * 16, source=7),
             'nothing is appended, because a time base of now is of another source than the one before it')
        self.ok('now', '-t', self.path + '2', source='os')
        with open(self.path + '2', 'rb') as f:
            now = f.read()
        source, = struct.unpack('<I', now[12:16])
        later = now[:48] + struct.pack('<q', MAX) + now[56:124]
        for wrong, reason in (base(1000, 5000, boot=b'c' * 16, source=source), 'is of another boot'), (
                later + struct.pack('<I', fnv1a(later)), 'is earlier'):
            with open(self.path, 'wb') as f:
                f.write(wrong)
            self.assertEqual(self.fails(1, 'now', '-t', self.path, source='os'), f'hpt: now: {self.path}: nothing is '
                             f'appended, because a time base of now {reason} than the one before it\n')

    def test_from_this_machine(self):
        """From the shell: a time base, ticks, a time base."""
        self.assertEqual(self.ok('now', '--timebase', self.path, source='os'), '')
        before = time.time_ns()
        tick = int(self.ok('now', '--ticks', source='os'))
        after = time.time_ns()
        self.assertEqual(self.ok('now', '-t', self.path, source='os'), '')
        self.assertEqual(os.path.getsize(self.path), 256)
        self.assertEqual(self.convert([tick], '--ns'), (0, [str(tick)], ''))
        status, lines, err = self.convert([tick], '--json')
        value = json.loads(lines[0])
        self.assertEqual((status, err, value['ns']), (0, '', tick))
        self.assertLess(before - value['unix_error_ns'], value['unix_ns'])
        self.assertLess(value['unix_ns'], after + value['unix_error_ns'])

    def test_no_wait_for_a_fifo(self):
        fifo = self.path + '.fifo'
        os.mkfifo(fifo)
        self.assertEqual(self.fails(1, 'convert', '--timebase', fifo), f'hpt: convert: {fifo}: is empty\n')
        self.assertIn('No such device or address', self.fails(1, 'now', '--timebase', fifo))

    def test_endless_input(self):
        self.write(base(1000, 5000))
        with open('/dev/zero', 'rb') as zeros:
            self.assertRegex(self.fails(1, 'convert', '--timebase', self.path, stdin=zeros),
                             r"^hpt: convert: line 1: ''\.\.\. is no number of ticks$")
        self.assertIn('is damaged', self.fails(1, 'convert', '--timebase=/dev/zero'))
        long = b'0' * 4093 + b'5\n' # as long as a line may be
        p = run('convert', '--timebase', self.path, '--ns', input=long + b'0' + long, stdin=None)
        self.assertEqual((p.returncode, p.stdout.count(b'\n')), (1, 1))
        self.assertRegex(p.stderr, rb"^hpt: convert: line 2: '0{40}'\.\.\. is no number of ticks$")

    def test_unwritable_file(self):
        self.assertRegex(self.fails(1, 'now', '--timebase', '/nonexistent/trace'), ': No such file or directory$')
        for command in 'now', 'convert':
            self.assertRegex(self.fails(1, command, '--timebase='), 'the name of the file of time bases is empty$')
        self.assertRegex(self.fails(1, 'now', '--timebase', '/dev/full'), ': No space left on device$')


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
                      '1.0000000001h', '1,5s', '1e3s', '0x10', '++1s', '+1s', '--1s', '1.5', '1', '-1', '1-',
                      '@1.', '@+1', '@1x', '@1.5ticks',
                      '@ 1', '@1.0000000001', '@@1', 'now', 'nan', 'infs', '@inf', '2026-11-20', '2026-11-20T10:47:59',
                      '2026-02-29T00:00:00Z', '2026-11-20T24:00:00Z', '2026-11-20T10:47:60Z', '9' * 30 + 'x', '\n',
                      '1s\n', '\u0661s'):
            self.assertRegex(self.fails(2, 'convert', '--', given),
                             r"^hpt: convert: '.*': .*[\w)]; see 'hpt help convert'\n$")
        for given, why in WHY.items():
            self.assertEqual(self.fails(2, 'convert', '--', given),
                             f"hpt: convert: '{given}': {why}; see 'hpt help convert'\n")
        self.fails(2, 'convert', '1s', 'x', '2s')  # and nothing is shown
        self.fails(2, 'convert', b'\xff')

    def test_what_does_not_fit_fails(self):
        for given in ('9223372036.854775808s', '-9223372036.854775809s', '106752d', '2562047.788015216h',
                      f'{MAX + 1}ns', f'{MIN - 1}ns', f'{MAX + 1}ticks',
                      f'{MIN - 1}ticks', '9' * 40 + 's', '-' + '9' * 40 + 'ticks', '9' * 40 + '.5ms'):
            self.assertRegex(self.fails(1, 'convert', '--', given, source='os'), "' does not fit in 64 bits")
        for given in ('@9223372037', '@-9223372037', '@' + '9' * 40, f'@{MAX}ticks', f'@{MAX + 1}ticks',
                      f'@{MIN - 1}ticks', '@' + '9' * 40 + 'ticks',
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
