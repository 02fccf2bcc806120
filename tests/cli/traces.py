# SPDX-License-Identifier: MIT
"""hpt convert --to: read back by the readers of the tools that the formats are for, and what bad traces get."""
import json
import os
import random
import re
import subprocess
import sys

import cli
import perfetto_rules
import trace_readers
from cli import run
from trace_case import FIRST_NS, UNIX_NS, TraceCase, base, measured

NAMES = ['recv', 'a "quoted" \\ name', 'na\u00efve \u65e5\u672c', 'tab\tinside']
MARKS = {'': 'instant', '+': 'begin', '-': 'end'}


def lines_of(ticks):
    """A trace with nested slices, moments and threads, and what each line says."""
    said, text, open_slices = [], [], {}
    for i, tick in enumerate(ticks):
        track, name = i % 3, NAMES[i % len(NAMES)]
        stack = open_slices.setdefault(track, [])
        mark = '-' if len(stack) > 3 else random.choice(['', '+'] + ['-'] * bool(stack))
        if mark == '-':
            name = stack.pop()
        elif mark == '+':
            stack.append(name)
        said.append({'ticks': tick, 'track': track, 'kind': MARKS[mark], 'name': name})
        text.append(f'{tick} @{track} {mark}{name}\n')
    return ''.join(text), said


class Formats(TraceCase):
    def setUp(self):
        super().setUp()
        self.seed = int(os.environ.get('HPT_TEST_SEED', random.randrange(2**32)))
        print('# HPT_TEST_SEED =', self.seed)
        random.seed(self.seed)
        self.write_drifting(6, 21 * 10**7) # 100 ms apart
        self.ticks = sorted(random.randrange(11 * 10**8) for _ in range(3000))
        self.text, self.said = lines_of(self.ticks)
        self.ns, self.unix_ns = self.library_times(self.ticks)

    def reader(self, form):
        python = trace_readers.find(form)
        if not python:
            self.skipTest(f'no Python has {trace_readers.MODULES[form]}')
        return python

    def written(self, form):
        path = self.path('trace.' + form)
        with open(path, 'wb') as f:
            f.write(self.convert(self.text, '--to', form, '--timebase', self.bases))
        self.assertEqual(self.messages, [])
        return path

    def assert_said(self, events):
        """Ends have a name in some formats only."""
        self.assertEqual([(e['ticks'], e['track'], e['kind'], e['name'] or s['name'])
                          for e, s in zip(events, self.said)],
                         [(s['ticks'], s['track'], s['kind'], s['name']) for s in self.said])

    def test_chrome(self):
        with open(self.written('chrome'), encoding='utf-8') as f:
            text = f.read()
        # As text, because a double does not have every nanosecond.
        trace = json.loads(text, parse_float=str)
        events = trace['traceEvents'][1:]
        kinds = {'i': 'instant', 'B': 'begin', 'E': 'end'}
        self.assert_said([{'ticks': int(e['args']['ticks']), 'track': e['tid'], 'kind': kinds[e['ph']],
                           'name': e['name']} for e in events])
        self.assertEqual([int(e['ts'].replace('.', '')) for e in events], self.ns)
        self.assertEqual(trace['otherData'], {'clock': 'MONOTONIC_RAW', 'first_ns': str(FIRST_NS),
                                              'first_unix_ns': str(UNIX_NS)})

    def test_perfetto(self):
        python = self.reader('perfetto')
        trace = trace_readers.read(python, 'perfetto', self.written('perfetto'))
        self.assert_said(trace['events'])
        self.assertLessEqual(max(abs(e['ns'] - ns) for e, ns in zip(trace['events'], self.ns)), 1)
        self.assertEqual({e['clock'] for e in trace['events']}, {5})
        self.assertEqual(trace['primary'], 5)
        pairs = dict(zip(self.ns, self.unix_ns))
        for snapshot in trace['snapshots']:
            self.assertLessEqual(abs(pairs[snapshot['5']] - snapshot['1']), 1)
        # One each 10 ms of the 524 ms, as far as events are there.
        self.assertGreater(len(trace['snapshots']), 40)
        self.assertLess(len(trace['snapshots']), 60)

    def test_perfetto_opens_two_traces_of_one_boot(self):
        """By the manifest of hpt_traces(7). Without it Perfetto leaves out the second one."""
        self.written('perfetto') # trace.perfetto
        os.rename(self.path('trace.perfetto'), self.path('trace.pftrace'))
        with open(self.path('perf.pftrace'), 'wb') as f:
            f.write(self.convert('app 7 1000000.125: x:\n', '--to=perfetto', '--from=perf', '--clock=raw'))
        with open(cli.ARGS[0], encoding='ascii') as f:
            manifest = re.search(r'<< EOF\n(.*?)\nEOF$', f.read(), re.DOTALL | re.MULTILINE)
        with open(self.path('perfetto_manifest.json'), 'w', encoding='ascii') as f:
            f.write(manifest[1])
        for first, times in (('perfetto_manifest.json', self.ns), ('', [None] * len(self.ns))):
            subprocess.run(f'tar cf all.tar {first} perf.pftrace trace.pftrace', shell=True, check=True,
                           cwd=os.path.dirname(self.path('all.tar')))
            archive = perfetto_rules.open_tar(self.path('all.tar'))
            events = archive.events
            self.assertEqual(archive.n_unrelated, 2) # as the page says
            self.assertEqual((events[0].name, events[0].ns), ('x', 10**15 + 125 * 10**6))
            self.assertEqual([e.ns for e in events[1:]], times)
            self.assertEqual([e.thread for e in events[1:]], [s['track'] for s in self.said])

    def test_errors_are_those_of_the_time_bases(self):
        python = self.reader('perfetto')
        trace = trace_readers.read(python, 'perfetto', self.written('perfetto'))
        text = ''.join(f'{t}\n' for t in self.ticks)
        stated = self.convert(text, '--timebase', self.bases, '--json').decode().splitlines()
        self.assertEqual([e['error_ns'] for e in trace['events']], [json.loads(s)['error_ns'] for s in stated])

    def test_ctf(self):
        python = self.reader('ctf')
        self.convert(self.text, '--to=ctf', '--output', self.path('ctf'), '--timebase', self.bases)
        trace = trace_readers.read(python, 'ctf', self.path('ctf'))
        self.assert_said(trace['events'])
        self.assertLessEqual(max(abs(e['ns'] - ns) for e, ns in zip(trace['events'], self.ns)), 1)
        self.assertEqual(trace['events'][0]['unix_ns'] - trace['events'][0]['ns'], UNIX_NS - FIRST_NS)

    def test_otlp(self):
        python = self.reader('otlp')
        trace = trace_readers.read(python, 'otlp', self.written('otlp'))
        unix_ns = dict(zip(self.ticks, self.unix_ns))
        stacks, spans, left = {}, [], []
        for s in self.said:
            stack = stacks.setdefault(s['track'], [])
            if s['kind'] == 'begin':
                stack.append(s)
            elif s['kind'] == 'end':
                b = stack.pop()
                spans.append([b['name'], unix_ns[b['ticks']], unix_ns[s['ticks']], b['ticks'], s['ticks']])
        left = [b['ticks'] for stack in stacks.values() for b in stack]
        self.assertEqual([[s['name'], s['begin'], s['end'], s['hpt.ticks'], s['hpt.end_ticks']]
                          for s in trace['spans']], spans)
        moments = [r for r in trace['logs'] if 'hpt.kind' not in r]
        self.assertEqual([[r['ns'], r['name']] for r in moments],
                         [[unix_ns[s['ticks']], s['name']] for s in self.said if s['kind'] == 'instant'])
        self.assertEqual(sorted(r['hpt.ticks'] for r in trace['logs'] if r.get('hpt.kind') == 'begin'), sorted(left))
        for record in moments + trace['spans']:
            self.assertGreaterEqual(record['hpt.error_ns'], 30)

    def test_a_span_is_in_the_one_around_it(self):
        text = '0 +outer\n10 +inner\n20 -\n30 -\n40 +next\n50 -\n60 -\n'
        lines = self.convert(text, '--to=otlp', '--timebase', self.bases).decode().splitlines()
        spans = {s['name']: s for s in json.loads(lines[0])['resourceSpans'][0]['scopeSpans'][0]['spans']}
        self.assertEqual(spans['inner']['parentSpanId'], spans['outer']['spanId'])
        self.assertNotIn('parentSpanId', spans['outer'])
        self.assertNotIn('parentSpanId', spans['next'])
        self.assertRegex(spans['outer']['traceId'], '^(?!0{32})[0-9a-f]{32}$')
        self.assertEqual({len(s['spanId']) for s in spans.values()}, {16})
        records = json.loads(lines[1])['resourceLogs'][0]['scopeLogs'][0]['logRecords']
        self.assertEqual(records[0]['attributes'][-1], {'key': 'hpt.kind', 'value': {'stringValue': 'end'}})

    def test_ctf_keeps_events_that_are_out_of_order(self):
        python = self.reader('ctf')
        ticks = self.ticks * 4 # of more than one packet
        random.shuffle(ticks)
        text = ''.join(f'{t} {i}\n' for i, t in enumerate(ticks))
        self.convert(text, '--to=ctf', '--output', self.path('ctf'), '--timebase', self.bases)
        self.assertRegex('\n'.join(self.messages), r'line \d+ is earlier than the one before it; \d+ in all$')
        self.assertEqual(len(os.listdir(self.path('ctf'))), 4) # metadata, and three packets that overlap
        events = trace_readers.read(python, 'ctf', self.path('ctf'))['events']
        self.assertEqual(sorted((e['ticks'], int(e['name'])) for e in events),
                         sorted((t, i) for i, t in enumerate(ticks)))
        self.assertEqual([e['ns'] for e in events], sorted(e['ns'] for e in events))


    def test_ctf_has_as_many_streams_as_it_takes(self):
        """Of 70 threads one after the other, twice: each of them is a packet, and overlaps all others of its round."""
        python = self.reader('ctf')
        name = 'n' * 8000 # 33 of these fill a packet
        ticks = [start + 1000 * i + thread for start in (0, 10**6) for thread in range(70) for i in range(33)]
        self.convert(''.join(f'{t} {name}\n' for t in ticks), '--to=ctf', '--output', self.path('ctf'), '--timebase',
                     self.bases)
        self.assertEqual(len(self.messages), 1)
        self.assertEqual(len(os.listdir(self.path('ctf'))), 71)
        events = trace_readers.read(python, 'ctf', self.path('ctf'))['events']
        self.assertEqual(sorted(e['ticks'] for e in events), sorted(ticks))
        self.assertEqual([e['ns'] for e in events], sorted(e['ns'] for e in events))


class Texts(TraceCase):
    """Of other tools."""

    def chrome(self, text, *options, status=0):
        events = json.loads(self.convert(text, '--to=chrome', *options, status=status), parse_float=str)['traceEvents']
        self.threads = [(e['tid'], e['args']['name']) for e in events if e['name'] == 'thread_name']
        return [(int(e['ts'].replace('.', '')), e['tid'], e['ph'], e['name']) for e in events if e['ph'] != 'M']

    def test_perf(self):
        text = ('# ========\n'
                '            sleep 4711/4712 [001]   123.456789:     250000 cpu-clock:pppH:  ff8 [unknown] ([k])\n'
                '  Web Content  99 [000]   124.000000001: sched:sched_switch: prev_comm=x ==> next_comm=y\n'
                '\tffffffff81000000 entry ([kernel.kallsyms])\n'
                '\n'
                'a 1: b 7 125.000001: probe:\n')
        self.assertEqual(self.chrome(text, '--from=perf', '--clock=raw'), [
            (123456789000, 4712, 'i', 'cpu-clock:pppH'), (124000000001, 99, 'i', 'sched:sched_switch'),
            (125000001000, 7, 'i', 'probe')])
        self.assertEqual(self.threads, [(4712, 'sleep'), (99, 'Web Content'), (7, 'a 1: b')])

    def test_names_of_threads(self):
        """COMM, which a new program changes, in each format that has a place for it, with bytes that are no UTF-8."""
        text = b'sh 7 1.5: x:\nsh 7 1.5: x:\n"\xff" 7 1.5: y:\n a 8 1.5: x:\n 9 1.5: x:\n'
        self.chrome(text, '--from=perf', '--clock=realtime')
        self.assertEqual(self.threads, [(7, 'sh'), (7, '"\xff"'), (8, 'a')])
        names = {'7 x': 'sh', '7 y': '"\xff"', '8 x': 'a', '9 x': None}
        for form in ('otlp', 'perfetto'):
            python = trace_readers.find(form)
            if not python:
                self.skipTest(f'no Python has {trace_readers.MODULES[form]}')
            with open(self.path(form), 'wb') as f:
                f.write(self.convert(text, '--to', form, '--from=perf', '--clock=realtime'))
            trace = trace_readers.read(python, form, self.path(form))
            found = trace['logs'] if form == 'otlp' else trace['events']
            self.assertEqual(len(found), 5)
            for e in found:
                track = e['thread.id'] if form == 'otlp' else e['track']
                self.assertEqual(e.get('thread.name'), names[f'{track} {e["name"]}'])

    def test_perf_without_times(self):
        """As perf script -F comm,tid,event prints it: no call chain, though it begins with blanks."""
        text = ('           sleep  4711 cycles: \n'
                '              dd  4711 cycles: \n'
                '           sleep  4711 -5.123456: cycles: \n'
                '           sleep  4711 5.123456: cycles: \n'
                '\t           209e7 access+0x7 (/lib/ld.so)\n'
                '  access.c:27\n')
        self.assertEqual(self.chrome(text, '--from=perf', '--clock=raw', status=1),
                         [(5123456000, 4711, 'i', 'cycles')])
        self.assertEqual(self.messages, ['hpt: convert: standard input: line 1 is no event of this form, and is left '
                                         'out; 3 in all'])

    def test_perf_that_lost_events(self):
        text = ('  app 7 [000] 5.000000: PERF_RECORD_LOST lost 23\n'
                '  app 7 [000] 5.000001: x:\n'
                '  app 7 [000] 5.000002: PERF_RECORD_LOST_SAMPLES lost 2\n')
        self.assertEqual(self.chrome(text, '--from=perf', '--clock=raw', status=1), [(5000001000, 7, 'i', 'x')])
        self.assertEqual(self.messages, ['hpt: convert: standard input: line 1 says that the tracer lost events; '
                                         '25 in all'])

    def test_perf_itself(self):
        """A real trace by perf's own program, where it may record one."""
        try:
            subprocess.run(['perf', 'record', '-q', '-g', '-k', 'raw', '-e', 'cpu-clock', '-o', self.path('data'),
                            sys.executable, '-c', 'sum(range(10**7))'],
                           check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=cli.LIMIT)
            text = subprocess.run(['perf', 'script', '--ns', '-i', self.path('data')], check=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=cli.LIMIT).stdout
        except (OSError, subprocess.SubprocessError) as e:
            self.skipTest(f'perf does not record here: {e}')
        if not text:
            self.skipTest('perf recorded nothing')
        events = self.chrome(text, '--from=perf', '--clock=raw')
        self.assertGreater(len(events), 0)
        self.assertEqual(self.messages, [])
        self.assertEqual(len(events), len(re.findall(rb': +\d* *cpu-clock', text)))
        for ns, _, _, name in events:
            self.assertIn(f' {ns // 10**9}.{ns % 10**9:09}: ', text.decode(errors='replace'))
            self.assertRegex(name, '^cpu-clock')

    def test_ftrace(self):
        text = ('# tracer: nop\n#\n# entries-in-buffer/entries-written: 5/5   #P:2\n#\n'
                '#           TASK-PID     CPU#  |||||  TIMESTAMP  FUNCTION\n'
                '            bash-1234    [001] d..1.  123.456789: sched_switch: prev_comm=bash prev_pid=1234\n'
                '   my-app [1]-77  (     77) [000] .....  123.456790: tracing_mark_write: B|77|draw frame\n'
                '   my-app [1]-77  (     77) [000] .....  123.456791: tracing_mark_write: E|77\n'
                '          <idle>-0       [000]  123.456792: kfree <-put_task\n'
                '          a [1] b-12     [001] .....  123.456793: x: y\n')
        self.assertEqual(self.chrome(text, '--from=ftrace', '--clock=raw'), [
            (123456789000, 1234, 'i', 'sched_switch'), (123456790000, 77, 'B', 'draw frame'),
            (123456791000, 77, 'E', 'tracing_mark_write'), (123456792000, 0, 'i', 'kfree <-put_task'),
            (123456793000, 12, 'i', 'x')])
        self.assertEqual(self.threads, [(1234, 'bash'), (77, 'my-app [1]'), (0, '<idle>'), (12, 'a [1] b')])

    def test_ftrace_by_ticks(self):
        self.write_drifting(3, 21 * 10**7)
        ticks = [5, 10**8, 3 * 10**8]
        text = ''.join(f'  app-7 [000] ..... {t}: event: x\n' for t in ticks)
        self.assertEqual([e[0] for e in self.chrome(text, '--from=ftrace', '--clock=ticks', '--timebase', self.bases)],
                         self.library_times(ticks)[0])
        self.chrome('  app-7 [000] ..... 1.000005: event: x\n', '--from=ftrace', '--clock=ticks', '--timebase',
                    self.bases, status=1)
        self.assertEqual(self.messages, ['hpt: convert: standard input: line 1 has seconds for a time, which are no '
                                         'ticks, and is left out; 1 in all'])

    def test_ftrace_that_lost_events(self):
        text = '# entries-in-buffer/entries-written: 1/11   #P:2\n  a-1 [000] .....  1.000000: b: c\n'
        self.assertEqual(len(self.chrome(text, '--from=ftrace', '--clock=raw', status=1)), 1)
        self.assertEqual(self.messages, ['hpt: convert: standard input: line 1 says that the tracer lost events; '
                                         '10 in all'])
        self.chrome('CPU:1 [LOST 12 EVENTS]\n', '--from=ftrace', '--clock=raw', status=1)
        self.assertIn('12 in all', self.messages[0])

    def test_lttng(self):
        text = ('[1795171679.123456789] (+?.?????????) host ust:begin: { cpu_id = 3 }, { x = 1 }\n'
                '[2026-11-20 10:47:59.123456790] (+0.000000001) kernel:tick: { cpu_id = 3 }, { vtid = 88 }\n')
        self.assertEqual(self.chrome(text, '--from=lttng'), [
            (1795171679123456789, 3, 'i', 'ust:begin'), (1795171679123456790, 88, 'i', 'kernel:tick')])
        self.assertEqual(self.chrome('[00000123456] (+1) a:b: { }\n', '--from=lttng', '--clock=monotonic'),
                         [(123456, 0, 'i', 'a:b')])
        self.assertEqual(self.chrome('[00000123456] (+1) a:b: { }\n[1.500000000] (+1) c:d: { }\n', '--from=lttng',
                                     status=1), [(1500000000, 0, 'i', 'c:d')])
        self.assertEqual(self.messages, ['hpt: convert: standard input: line 1 has a whole number for a time, which '
                                         'needs --clock, and is left out; 1 in all'])
        self.chrome('[10:47:59.123456790] (+0.000000001) a:b: { }\n', '--from=lttng', status=1)
        self.assertIn('line 1 is no event of this form', self.messages[0])

    def test_babeltrace_itself(self):
        """Our own CTF, as babeltrace2 shows it, read again."""
        self.write_drifting(3, 21 * 10**7)
        ticks = list(range(0, 4 * 10**8, 10**6))
        text = ''.join(f'{t}\n' for t in ticks)
        self.convert(text, '--to=ctf', '--output', self.path('ctf'), '--timebase', self.bases)
        try:
            text = subprocess.run(['babeltrace2', '--clock-cycles', self.path('ctf')], stdout=subprocess.PIPE,
                                  check=True).stdout
        except FileNotFoundError:
            self.skipTest('babeltrace2 is missing')
        self.assertEqual([e[0] for e in self.chrome(text, '--from=lttng', '--clock=raw')], self.library_times(ticks)[0])

    def test_unix_times_of_the_kernels_clocks(self):
        """By time bases: of CLOCK_MONOTONIC_RAW by their line, of CLOCK_MONOTONIC by their offset."""
        self.write_bases(base(0, 10**9, UNIX_NS, offset=UNIX_NS - 10**8),
                         base(2 * 10**9, 2 * 10**9, UNIX_NS + 10**9 + 10**5, offset=UNIX_NS - 10**8))
        for clock, ns, unix_ns in (('raw', '1.500000', UNIX_NS + 5 * 10**8 + 5 * 10**4),
                                   ('monotonic', '0.100000', UNIX_NS),
                                   ('monotonic', '1.100100', UNIX_NS + 10**9 + 10**5)):
            text = self.convert(f'app 7 {ns}: x:\n', '--from=perf', '--clock', clock, '--to=otlp',
                                '--timebase', self.bases)
            record = json.loads(text)['resourceLogs'][0]['scopeLogs'][0]['logRecords'][0]
            self.assertLessEqual(abs(int(record['timeUnixNano']) - unix_ns), 1, (clock, ns))
        self.convert('', '--from=perf', '--clock=boottime', '--to=chrome', '--timebase', self.bases, status=1)
        self.assertEqual(self.messages, [f'hpt: convert: {self.bases}: has no times of CLOCK_BOOTTIME'])


class Bad(TraceCase):
    def setUp(self):
        super().setUp()
        self.write_drifting(3, 1000)

    def chrome(self, text, status=1):
        out = self.convert(text, '--to=chrome', '--timebase', self.bases, status=status)
        return [e['name'] for e in json.loads(out)['traceEvents'][1:]]

    def test_a_cut_line(self):
        self.assertEqual(self.chrome('1 a\n20 b\n30'), ['a', 'b'])
        self.assertEqual(self.messages, ['hpt: convert: standard input: line 3 has no end, and is left out: '
                                         'the trace may be cut there'])

    def test_lines_that_are_no_events(self):
        text = '1 a\nx\n2y\n3 @z b\n4 @4294967296 c\n99999999999999999999 d\n5 e\n# a comment\n\n6 =10 20\n'
        self.assertEqual(self.chrome(text), ['a', 'e'])
        self.assertEqual(self.messages, ['hpt: convert: standard input: line 2 is no event of this form, and is left '
                                         'out; 5 in all'])

    def test_a_line_that_does_not_end(self):
        self.assertEqual(self.chrome(b'1 a\n' + b'0' * 70000 + b'\n2 b\n'), ['a', 'b'])
        self.assertEqual(self.messages, ['hpt: convert: standard input: line 2 is longer than any line may be, and is '
                                         'left out; 1 in all'])
        self.assertEqual(self.chrome(b'1 a\n' + b'0' * (17 << 20) + b'\n2 b\n'), ['a'])
        self.assertEqual(self.messages, ['hpt: convert: standard input: line 2 does not end within 16 MiB: it and what '
                                         'follows are left out'])
        self.assertEqual(len(self.chrome(b'1 ' + b'n' * 16382 + b'\n', 0)[0]), 16382)

    def test_ticks_of_no_generation(self):
        self.write_bases(base(1000, 10**6, UNIX_NS, start=500),
                         base(3000, 10**6 + 1000, UNIX_NS + 1000, start=500))
        self.assertEqual(self.chrome('400 a\n600 b\n'), ['b'])
        self.assertEqual(self.messages, [f'hpt: convert: standard input: line 1 has a time in no generation of '
                                         f'{self.bases}, or in two; 1 of 2 are left out'])

    def test_times_that_no_format_has(self):
        for to in ('chrome', 'perfetto', 'otlp'):
            self.convert('-5 x\n1 y\n9223372036854775807 z\n', f'--to={to}', '--clock=realtime', status=1)
            self.assertEqual(self.messages, ['hpt: convert: standard input: line 1 has a time before 1970 or after '
                                             '2262, and is left out; 2 in all'])

    def test_a_suspend_leaves_a_gap(self):
        """Nanoseconds go on as the counter's did, Unix times jump."""
        self.write_bases(base(0, 0, UNIX_NS), base(1000, 476, UNIX_NS + 476),
                         base(2000, 952, UNIX_NS + 10**12, 2, 1500), base(3000, 1428, UNIX_NS + 10**12 + 476, 2, 1500))
        text = ''.join(f'{t} {t}\n' for t in range(0, 3000, 100))
        line = self.convert(text, '--to=otlp', '--timebase', self.bases)
        records = json.loads(line)['resourceLogs'][0]['scopeLogs'][0]['logRecords']
        times = [int(r['timeUnixNano']) for r in records]
        self.assertEqual(times, sorted(times))
        self.assertGreater(times[15] - times[14], 9 * 10**11)

    def test_time_bases(self):
        for bases, reason in (((base(0, 0, 0), base(9, 9, 9, boot=b'c' * 16)),
                               'time base 2 is of another boot than the one before it'),
                              ((base(0, 0, 0, version=2),), 'time base 1 is damaged, or of another version'),
                              ((b'x',), 'is no file of time bases'), ((), 'is empty')):
            self.write_bases(*bases)
            self.assertEqual(self.convert('1\n', '--to=chrome', '--timebase', self.bases, status=1), b'')
            self.assertEqual(self.messages, [f'hpt: convert: {self.bases}: {reason}'])

    def test_time_bases_that_are_cut(self):
        self.write_bases(base(0, 0, UNIX_NS), base(10**6, 10**6, UNIX_NS + 10**6)[:-1])
        self.assertEqual(self.chrome('1 a\n2 b\n'), ['a', 'b'])
        self.assertEqual(self.messages, [f'hpt: convert: {self.bases}: time base 2 has 127 of its 128 bytes, and is '
                                         'left out: the file may be cut there'])

    def test_names_of_any_bytes(self):
        text = b''.join(b'%d @%d %s\n' % (i, i % 2, bytes([c, 0xff, c]))
                        for i, c in enumerate(range(256)) if c != 10 and bytes([c]) not in b' \t+-@=')
        names = self.chrome(text, 0)
        self.assertEqual(len(names), text.count(b'\n'))
        self.assertIn('\u2400\u00ff\u2400', names)
        self.assertIn('\u00ff' * 3, names)

    def test_usage(self):
        usage = (([], '--from, --clock and --output need --to', ['--from=perf']),
                 (['--to=x'], '--to is one of perfetto, chrome, ctf, otlp', []),
                 (['--to=chrome'], 'ticks need --timebase', []),
                 (['--to=chrome'], '--from is one of lines, perf, ftrace, lttng', ['--from=x']),
                 (['--to=chrome'], 'this text does not say which clock its times are of: --clock says it',
                  ['--from=perf']),
                 (['--to=chrome'], 'this text has seconds, which are no ticks: --clock is another one',
                  ['--from=perf', '--clock=ticks', '--timebase', self.bases]),
                 (['--to=chrome'], '--clock is one of ticks, raw, monotonic, boottime, realtime, tai',
                  ['--from=perf', '--clock=x']),
                 (['--to=otlp'], 'this format has Unix times, which need --timebase', ['--from=perf', '--clock=raw']),
                 (['--to=otlp'], 'this format has Unix times, which times of CLOCK_TAI and CLOCK_BOOTTIME do not '
                                 'become', ['--from=perf', '--clock=tai']),
                 (['--to=perfetto'], 'this format has no CLOCK_TAI', ['--from=perf', '--clock=tai']),
                 (['--to=ctf'], 'this format is a folder of files: --output says which', ['--from=lttng']),
                 (['--to=ctf'], 'the name of the folder is empty', ['--from=lttng', '--output=']),
                 (['--to=chrome'], '--output is for ctf alone: other formats go to standard output',
                  ['--from=lttng', '--output=x']),
                 (['--to=chrome'], '--to takes no --json, --ns, --unix-ns, --utc or --source',
                  ['--from=lttng', '--ns']))
        for options, reason, more in usage:
            self.assertIn(reason, self.fails(2, 'convert', *options, *more), (options, more))
        self.assertIn("'5s'", self.fails(2, 'convert', '--to=chrome', '--from=lttng', '5s'))

    def test_outputs_that_cannot_be_written(self):
        text = ''.join(f'{t}\n' for t in range(2000)).encode()
        with open('/dev/full', 'wb') as full:
            p = run('convert', '--to=chrome', '--timebase', self.bases, stdin=None, input=text, stdout=full)
        self.assertEqual((p.returncode, p.stderr), (1, b'hpt: write error: No space left on device\n'))
        os.mkdir(self.path('ctf'))
        with open(self.path('ctf/metadata'), 'w', encoding='ascii') as f:
            f.write('kept')
        self.convert(text, '--to=ctf', '--timebase', self.bases, '--output', self.path('ctf'), status=1)
        self.assertEqual(self.messages, [f'hpt: convert: {self.path("ctf")}: File exists'])
        with open(self.path('ctf/metadata'), encoding='ascii') as f:
            self.assertEqual(f.read(), 'kept')
        self.convert(text, '--to=ctf', '--timebase', self.bases, '--output=/nonexistent/a', status=1)
        self.assertRegex(self.messages[0], 'No such file or directory$')


class Large(TraceCase):
    def test_memory_is_bounded_and_a_bar_is_drawn(self):
        """10^6 events in far less memory than they take as text: what is kept does not grow with the trace."""
        self.write_drifting(11, 3 * 10**7)
        with open(self.path('trace'), 'w', encoding='ascii') as f:
            f.writelines(f'{300 * i} @{i % 7} {"+-"[i // 7 % 2]}x\n' for i in range(10**6))
        for form, more in (('chrome', []), ('perfetto', []), ('otlp', []), ('ctf', ['--output', self.path('ctf')])):
            with open(self.path('trace'), 'rb') as trace:
                status, kib, seconds, text = measured('convert', '--to', form, '--timebase', self.bases, *more,
                                                      stdin=trace)
            self.assertEqual(status, 0, (form, text))
            print(f'# {form}: {kib} KiB, {1000 * seconds:.0f} ns an event')
            self.assertLess(kib, 64 * 1024)
            self.assertRegex(text, rb'convert \[[# ]+\] +\d+ %')
            self.assertTrue(text.endswith(b'\r\x1b[2K'), text[-50:])


if __name__ == '__main__':
    cli.main()
