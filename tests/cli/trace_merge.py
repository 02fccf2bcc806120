# SPDX-License-Identifier: MIT
"""hpt trace merge: an order that CLOCK_REALTIME does not have, and the bound of each time."""
import ctypes
import functools
import json
import os
import random
import resource
import shutil
import socket
import statistics
import subprocess
import threading
import time

import cli
import perfetto_rules
import trace_readers
from cli import run
from trace_case import TraceCase, base, measured

UTC_NS = 1795171679 * 10**9
DATAGRAMS = 10**5
WINDOW = 64 # datagrams on their way at most, so that none is lost


class Wall:
    """The library's own wall, on a manual clock that is moved to what the machine's counter shows."""

    class Sample(ctypes.Structure):
        _fields_ = [(name, ctypes.c_int64) for name in ('before', 'after', 'earliest_ns', 'latest_ns')] + [
            ('source', ctypes.c_uint32), ('flags', ctypes.c_uint32)]

    class Time(ctypes.Structure):
        _fields_ = [(name, ctypes.c_int64) for name in ('earliest_ns', 'latest_ns', 'tick', 'generation')] + [
            ('state', ctypes.c_uint32), ('flags', ctypes.c_uint32)]

    def __init__(self, library, tick):
        self.library, self.tick = ctypes.CDLL(library), tick
        self.clock, self.wall = ctypes.c_void_p(), ctypes.c_void_p()
        self.must('hpt_clock_new_manual', ctypes.c_uint64(10**9), ctypes.c_int64(tick), 0, ctypes.byref(self.clock))
        self.must('hpt_wall_open', self.clock, None, ctypes.c_size_t(0), 0, ctypes.byref(self.wall))

    def must(self, name, *args):
        status = getattr(self.library, name)(*args)
        if status:
            raise OSError(-status, name)

    def state(self, tick, utc_ns):
        """Feeds the truth as a source would, 3 us to each side, and returns what the wall then states."""
        self.must('hpt_clock_advance', self.clock, ctypes.c_int64(tick - self.tick))
        self.tick = tick
        sample, stated = self.Sample(tick, tick, utc_ns - 3000, utc_ns + 3000), self.Time()
        self.must('hpt_wall_feed', self.wall, ctypes.byref(sample), ctypes.c_size_t(ctypes.sizeof(sample)))
        self.must('hpt_wall_now', self.wall, ctypes.byref(stated))
        return stated


class Machine:
    """A process's own clock: a counter that drifts against CLOCK_MONOTONIC_RAW, and a wrong CLOCK_REALTIME."""

    def __init__(self, path, start_ns, drift_ppm, first_tick, wrong_ns, boot):
        self.path, self.start_ns, self.drift_ppm = path, start_ns, drift_ppm
        self.first_tick, self.wrong_ns, self.boot = first_tick, wrong_ns, boot
        self.lines = []
        self.wall = None

    def tick_at(self, raw_ns):
        since = raw_ns - self.start_ns
        return self.first_tick + since + since * self.drift_ppm // 10**6

    def utc_at(self, tick):
        """The truth, to a nanosecond."""
        return UTC_NS + (tick - self.first_tick) * 10**6 / (10**6 + self.drift_ppm)

    def now(self):
        return self.tick_at(time.clock_gettime_ns(time.CLOCK_MONOTONIC_RAW))

    def state(self):
        raw_ns = time.clock_gettime_ns(time.CLOCK_MONOTONIC_RAW)
        stated = self.wall.state(self.tick_at(raw_ns), raw_ns - self.start_ns + UTC_NS)
        self.lines.append(f'{stated.tick} ={stated.earliest_ns} {stated.latest_ns} {stated.generation}\n')

    def base(self, tick):
        """Its rate is what the machine believes: a nanosecond a tick."""
        return base(tick, tick, UTC_NS + tick - self.first_tick + self.wrong_ns, boot=self.boot, rate=1)

    def write(self):
        with open(self.path, 'w', encoding='ascii') as f:
            f.writelines(self.lines)
        with open(self.path + '.timebase', 'wb') as f:
            f.write(self.base(self.first_tick) + self.base(int(self.lines[-1].split()[0])))


def sender(machine, sock):
    machine.state()
    for i in range(DATAGRAMS):
        if i % WINDOW == 0:
            machine.state()
            if i:
                sock.recv(8)
        machine.lines.append(f'{machine.now()} s{i}\n')
        sock.send(b'%d' % i)
    machine.state()
    machine.write()


def receiver(machine, sock):
    machine.state()
    for i in range(DATAGRAMS):
        number = int(sock.recv(16))
        machine.lines.append(f'{machine.now()} r{number}\n')
        if number % WINDOW == WINDOW - 1:
            machine.state()
            sock.send(b'go')
    machine.state()
    machine.write()


class Datagrams(TraceCase):
    def setUp(self):
        super().setUp()
        if not cli.ARGS:
            self.skipTest('no shared library is built')
        start = time.clock_gettime_ns(time.CLOCK_MONOTONIC_RAW)
        self.machines = [Machine(self.path('sender'), start, 40, 10**12, 3 * 10**6, b's' * 16),
                         Machine(self.path('receiver'), start, -40, 77 * 10**9, 0, b'r' * 16)]
        sockets = [socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(2)]
        for s in sockets:
            s.bind(('127.0.0.1', 0))
            s.settimeout(cli.LIMIT)
        sockets[0].connect(sockets[1].getsockname())
        sockets[1].connect(sockets[0].getsockname())
        children = []
        for work, machine, sock in zip((sender, receiver), self.machines, sockets):
            pid = os.fork()
            if not pid:
                status = 1
                try:
                    machine.wall = Wall(cli.ARGS[0], machine.first_tick)
                    work(machine, sock)
                    status = 0
                finally:
                    os._exit(status)
            children.append(pid)
        for s in sockets:
            s.close()
        for pid in children:
            self.assertEqual(os.waitpid(pid, 0)[1], 0)

    def realtimes(self, machine):
        with open(machine.path, encoding='ascii') as f:
            rows = [line.split() for line in f if '=' not in line]
        p = run('convert', '--unix-ns', '--timebase', machine.path + '.timebase', stdin=None,
                input=''.join(row[0] + '\n' for row in rows).encode())
        self.assertEqual(p.returncode, 0, p.stderr)
        return {row[1]: int(ns) for row, ns in zip(rows, p.stdout.split())}

    def test_no_receive_is_before_its_send(self):
        sends, receives = (self.realtimes(m) for m in self.machines)
        early = sum(receives[f'r{i}'] < sends[f's{i}'] for i in range(DATAGRAMS))
        print(f'# by CLOCK_REALTIME {early} of {DATAGRAMS} receives come before their sends')
        self.assertGreater(early, DATAGRAMS // 2) # or the test shows nothing

        with open(self.path('out'), 'wb') as out:
            p = run('trace', 'merge', '--to=chrome', *(m.path for m in self.machines), stdout=out)
        self.assertEqual((p.returncode, p.stderr), (0, b''))
        with open(self.path('out'), encoding='ascii') as f:
            events = json.load(f, parse_float=str)['traceEvents'][2:]
        self.assertEqual(len(events), 2 * DATAGRAMS)
        times = [int(e['ts'].replace('.', '')) for e in events]
        self.assertEqual(times, sorted(times))
        at = {e['name']: (ns, e['args']['error_ns'], e['pid'], int(e['args']['ticks']))
              for ns, e in zip(times, events)}
        outside = sum(at[f'r{i}'][0] + at[f'r{i}'][1] < at[f's{i}'][0] - at[f's{i}'][1] for i in range(DATAGRAMS))
        false = sum(abs(ns - self.machines[pid - 1].utc_at(tick)) > error + 1 for ns, error, pid, tick in at.values())
        errors = [error for _, error, _, _ in at.values()]
        print(f'# merged: {outside} outside of their bounds; bound: median {statistics.median(errors)} ns, '
              f'largest {max(errors)} ns')
        self.assertEqual((outside, false), (0, 0))


class Merge(TraceCase):
    """Traces by hand: a tick is a nanosecond, and UTC is UTC_NS later."""

    def write_trace(self, name, lines, *bases):
        with open(self.path(name), 'w', encoding='utf-8') as f:
            f.writelines(line + '\n' for line in lines)
        with open(self.path(name + '.timebase'), 'wb') as f:
            f.write(b''.join(bases or (base(0, 0, UTC_NS + 10**6, rate=1), )))

    def merged(self, *names, status=0, options=()):
        p = run('trace', 'merge', '--to=chrome', *options, *(self.path(name) for name in names))
        self.assertEqual(p.returncode, status, p.stderr)
        self.messages = p.stderr.decode().splitlines()
        events = json.loads(p.stdout, parse_float=str)['traceEvents']
        return [(e['name'], int(e['ts'].replace('.', '')) - UTC_NS, e['args'].get('error_ns'))
                for e in events if e['ph'] != 'M']

    def wall(self, tick, width, offset=0):
        return f'{tick} ={UTC_NS + tick + offset - width} {UTC_NS + tick + offset + width}'

    def test_bounds_grow_with_the_distance_to_the_nearest_statement(self):
        ms = 10**6
        self.write_trace('a', [self.wall(0, 3000), '0 at', f'{50 * ms} middle', self.wall(100 * ms, 3000),
                               f'{100 * ms} end', f'{200 * ms} after'])
        events = {name: (ns, error) for name, ns, error in self.merged('a')}
        self.assertEqual([events[n][0] for n in ('at', 'middle', 'end', 'after')], [0, 50 * ms, 100 * ms, 200 * ms])
        # 50 ppm of 50 ms and of 100 ms, and what the time base states of each moment, some
        # 20 ns and its rate's error of 1 ppm.
        for name, least in (('at', 3000), ('middle', 5500), ('end', 3000), ('after', 8000)):
            self.assertGreaterEqual(events[name][1], least, name)
            self.assertLess(events[name][1], least + 400, name)

    def test_bounds_grow_by_the_rate_that_is_given(self):
        self.write_trace('a', [self.wall(0, 100), '1000000000 a'])
        bounds = [self.merged('a', options=[f'--rate={rate}'])[0][2]
                  for rate in ('2ppm', '2000ppb', '50ppm', '1000ppm')]
        self.assertEqual(bounds[0], bounds[1])
        # A clock that is slow by the rate shows less than there was: 1000 ppm of 1 s are 1.001 ms.
        for bound, least, most in (bounds[2], 48000, 48010), (bounds[3], 998000, 999010):
            self.assertGreaterEqual(bound - bounds[0], least)
            self.assertLessEqual(bound - bounds[0], most)
        self.assertEqual(self.merged('a')[0][2], bounds[2])
        # More than the whole, with a tenth for the OS clock's slew, is no bound.
        self.write_trace('b', [self.wall(0, 100), '5 b'], base(0, 0, UTC_NS, rate=1, source=3))
        self.assertGreater(self.merged('b', options=['--rate=999999.999ppm'])[0][2], 10**9)
        self.assertIn("'5' is not a rate from 1ppb", self.fails(2, 'trace', 'merge', '--rate=5', '--to=chrome', 'a'))

    def test_a_narrow_statement_narrows_wide_ones(self):
        self.write_trace('a', [self.wall(0, 10**6), '0 x', self.wall(10**6, 1000), self.wall(2 * 10**6, 10**6),
                               '2000000 y'])
        for _, _, error in self.merged('a'):
            self.assertLess(error, 1400)

    def test_files_are_in_one_order(self):
        random.seed(1)
        for name in 'abc':
            ticks = sorted(random.sample(range(10**7), 3000))
            self.write_trace(name, [self.wall(0, 10), *(f'{t} @7 {name}{t}' for t in ticks)])
        events = self.merged('a', 'b', 'c')
        self.assertEqual(len(events), 9000)
        self.assertEqual([ns for _, ns, _ in events], sorted(ns for _, ns, _ in events))
        for name, ns, error in events:
            self.assertLessEqual(abs(ns - int(name[1:])), error)

    def test_a_suspend_leaves_a_gap(self):
        """A new generation, in which UTC is an hour later: nothing follows from what was stated before."""
        hour = 3600 * 10**9
        self.write_trace('a', [self.wall(0, 1000), '10 a', '1400 b', '1600 c', self.wall(2000, 1000, hour), '2100 d'],
                         base(0, 0, UTC_NS, rate=1), base(1000, 1000, UTC_NS + 1000, rate=1),
                         base(1900, 1900, UTC_NS + hour + 1900, 2, 1500, rate=1))
        self.assertEqual([(n, ns) for n, ns, _ in self.merged('a')],
                         [('a', 10), ('b', 1400), ('c', hour + 1600), ('d', hour + 2100)])

    def test_a_file_without_walls_has_no_bounds(self):
        self.write_trace('a', ['5 a'])
        self.assertEqual(self.merged('a', status=1), [('a', 10**6 + 5, None)])
        self.assertEqual(self.messages, [f'hpt: trace merge: {self.path("a")}: line 1 has a time without a bound, as '
                                         'no wall stated one near it; 1 in all'])

    def test_files_that_are_left_out(self):
        self.write_trace('a', [self.wall(0, 100), '5 a'])
        self.write_trace('c', ['5 c'], base(0, 0, 0, version=2))
        self.write_trace('d', ['5 d'], base(0, 0, 0), base(1, 1, 1, boot=b'x' * 16))
        self.write_trace('e', ['5 e'])
        os.unlink(self.path('e.timebase'))
        self.assertEqual([n for n, _, _ in self.merged('a', 'c', 'd', 'e', 'f', status=1)], ['a'])
        path = self.path
        self.assertEqual(self.messages, [
            f'hpt: trace merge: {path("c.timebase")}: time base 1 is damaged, or of another version',
            f'hpt: trace merge: {path("d.timebase")}: time base 2 is of another boot than the one before it',
            f'hpt: trace merge: {path("e.timebase")}: No such file or directory',
            f'hpt: trace merge: {path("f")}: No such file or directory'])
        self.assertIn('No such file', self.fails(1, 'trace', 'merge', '--to=chrome', path('f')))

    def test_statements_that_contradict_each_other(self):
        """As where a source was wrong: an event goes by what was stated before it. With generations it is no fault."""
        for generations, status in ((('', ''), 1), ((' 1', ' 2'), 0)):
            self.write_trace('a', [self.wall(0, 100) + generations[0], '5 a', self.wall(10, 100, 10**6)
                                   + generations[1], '15 b'])
            self.assertEqual([(n, ns) for n, ns, _ in self.merged('a', status=status)], [('a', 5), ('b', 10**6 + 15)])
            fault = (f'hpt: trace merge: {self.path("a")}: line 3 has nothing in common with what the wall stated '
                     'before; 1 in all')
            self.assertEqual(self.messages, [fault] if status else [])

    def test_statements_without_a_time(self):
        self.write_trace('a', ['-400 =1 2', self.wall(600, 100), '700 a'],
                         base(1000, 1000, UTC_NS + 1000, rate=1, start=500))
        self.assertEqual([n for n, _, _ in self.merged('a', status=1)], ['a'])
        self.assertIn('line 1 has a time in no generation', self.messages[0])

    def test_the_os_clock_may_be_slewed_by_a_tenth(self):
        self.write_trace('a', [self.wall(0, 100), '1000000 a'], base(0, 0, UTC_NS, rate=1, source=3))
        # One that is slow by 10.1 % shows this 112347 ns late.
        self.assertGreaterEqual(self.merged('a')[0][2], 112347)

    def test_a_pipe_is_refused(self):
        self.write_trace('a', [])
        os.unlink(self.path('a'))
        os.mkfifo(self.path('a'))
        writer = threading.Thread(target=lambda: open(self.path('a'), 'wb').close())
        writer.start()
        self.assertIn('is no regular file', self.fails(1, 'trace', 'merge', '--to=chrome', self.path('a')))
        writer.join()

    def test_a_cut_file_is_merged_as_far_as_it_is_whole(self):
        self.write_trace('a', [self.wall(0, 100), '5 a'])
        with open(self.path('a'), 'a', encoding='ascii') as f:
            f.write('99')
        self.assertEqual([n for n, _, _ in self.merged('a', status=1)], ['a'])
        self.assertIn('line 3 has no end', self.messages[0])

    def test_time_bases_that_are_cut(self):
        self.write_trace('a', [self.wall(0, 100), '5 a'], base(0, 0, UTC_NS, rate=1), base(9, 9, UTC_NS, rate=1)[:1])
        self.write_trace('b', [self.wall(0, 100), '6 b'])
        self.assertEqual([n for n, _, _ in self.merged('a', 'b', status=1)], ['a', 'b'])
        self.assertEqual(self.messages, [f'hpt: trace merge: {self.path("a.timebase")}: time base 2 has 1 of its 128 '
                                         'bytes, and is left out: the file may be cut there'])

    def test_otlp_has_the_slices_and_moments_of_each_process(self):
        """In lines of one process, though the events of all are between each other."""
        random.seed(2)
        said = {}
        for name, n in zip('abcd', (10, 2100, 2101, 700)):
            ticks = sorted(random.sample(range(10**6), n))
            said[name] = [f'{name}{t}' for t in ticks]
            self.write_trace(name, [self.wall(0, 10), *(f'{t} {"+-"[i % 3] if i % 3 < 2 else ""}{name}{t}'
                                                        for i, t in enumerate(ticks))])
        p = run('trace', 'merge', '--to=otlp', *(self.path(name) for name in said))
        self.assertEqual((p.returncode, p.stderr), (0, b''))
        found = {name: ([], []) for name in said}
        for line in map(json.loads, p.stdout.splitlines()):
            (kind, (one,)), = line.items()
            service = one['resource']['attributes'][0]['value']['stringValue']
            if kind == 'resourceSpans':
                found[service][0].extend(s['name'] for s in one['scopeSpans'][0]['spans'])
            else:
                found[service][1].extend(r['body']['stringValue'] for r in one['scopeLogs'][0]['logRecords'])
        for name, words in said.items():
            self.assertEqual(found[name], (words[::3][:len(words) // 3], words[2::3] + words[len(words) // 3 * 3:]))

    def test_perfettos_manifest(self):
        python = trace_readers.find('perfetto')
        self.write_trace('a', [self.wall(0, 100), '5 @3 +x', '9 @3 -'])
        self.write_trace('b', [self.wall(0, 100), '7 y'], base(0, 0, UTC_NS, rate=1, boot=b'\x01' * 16))
        self.assertEqual(self.ok('trace', 'merge', '--to=perfetto', '--output', self.path('out'), self.path('a'),
                                 self.path('b')), '')
        with open(self.path('out/perfetto_manifest.json'), encoding='ascii') as f:
            text = f.read()
        # As hpt_traces(7) says: the members have the manifest's paths.
        tar = subprocess.run('tar cf ../merged.tar * && tar tf ../merged.tar', shell=True, check=True,
                             stdout=subprocess.PIPE, cwd=self.path('out'), encoding='ascii')
        self.assertEqual(sorted(tar.stdout.split()), ['1-a.pftrace', '2-b.pftrace', 'perfetto_manifest.json'])
        self.assertTrue(text.startswith('{"perfetto_manifest"')) # by which Perfetto knows it
        self.assertEqual(json.loads(text)['perfetto_manifest'], {
            'version': 1, 'trace_time': {'clock': 'REALTIME'}, 'files': [
                {'path': '1-a.pftrace', 'machine': {'name': 'boot-' + '62' * 16}},
                {'path': '2-b.pftrace', 'machine': {'name': 'boot-' + '01' * 16}}]})
        self.assertEqual(sorted(os.listdir(self.path('out'))),
                         ['1-a.pftrace', '2-b.pftrace', 'perfetto_manifest.json'])
        self.assertIn('File exists', self.fails(1, 'trace', 'merge', '--to=perfetto', '--output', self.path('out'),
                                                self.path('a')))
        if not python:
            self.skipTest('no Python has the package perfetto')
        traces = [trace_readers.read(python, 'perfetto', self.path(f'out/{name}'))
                  for name in ('1-a.pftrace', '2-b.pftrace')]
        self.assertEqual([[(e['ns'] - UTC_NS, e['clock'], e['kind'], e['process'], e['ticks']) for e in t['events']]
                          for t in traces],
                         [[(5, 0, 'begin', 'a', 5), (9, 0, 'end', 'a', 9)], [(7, 0, 'instant', 'b', 7)]])
        self.assertGreaterEqual(traces[0]['events'][0]['error_ns'], 100)

    def test_perfetto_puts_all_files_on_one_line(self):
        """By its rules, the second file of a machine too, and files whose names are longer than tar's."""
        long = '\u00e9' * 100
        boots = {'a': b'\x01' * 16, 'b': b'\x01' * 16, long: b'\x02' * 16, long + '2': b'\x02' * 16}
        for i, name in enumerate(boots):
            self.write_trace(name, [self.wall(0, 100), f'{5 + i} @{i} {i}', f'{15 + i} @{i} {i}'],
                             base(0, 0, UTC_NS, rate=1, boot=boots[name]))
        self.ok('trace', 'merge', '--to=perfetto', '--output', self.path('out'), *(self.path(name) for name in boots))
        subprocess.run('tar cf ../merged.tar *', shell=True, check=True, cwd=self.path('out'))
        archive = perfetto_rules.open_tar(self.path('merged.tar'))
        events = archive.events
        self.assertEqual(archive.n_unrelated, 0)
        self.assertEqual([(e.process, e.thread, e.name, e.ns and e.ns - UTC_NS, e.machine) for e in events],
                         [(name, i, str(i), ns + i, 'boot-' + boots[name].hex())
                          for i, name in enumerate(boots) for ns in (5, 15)])
        for event in events:
            self.assertLess(len(event.file.encode()), 100)

    def test_more_files_than_may_be_open_at_first(self):
        """The usual limit is 1024; a process may raise it up to another one."""
        names = [f'f{i}' for i in range(50)]
        for name in names:
            self.write_trace(name, [self.wall(0, 100), f'5 {name}'])
        hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        p = run('trace', 'merge', '--to=perfetto', '--output', self.path('out'), *(self.path(name) for name in names),
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (40, hard)))
        self.assertEqual((p.returncode, p.stderr), (0, b''))
        self.assertEqual(len(os.listdir(self.path('out'))), 51)

    def test_a_folder_is_left_as_it_was_if_a_trace_cannot_be_made(self):
        """Of 10 files each takes two descriptors of 20; a manifest has more than 10 bytes; and a file is there."""
        names = [self.path(f'f{i}') for i in range(10)]
        for name in names:
            self.write_trace(name, [self.wall(0, 100), '5 a'])
        files, size = (resource.RLIMIT_NOFILE, 20), (resource.RLIMIT_FSIZE, 10)
        for there, limit, fault in ((None, files, 'Too many open files'), (None, size, 'File too large'),
                                    (['kept'], files, 'Too many open files'), (['kept'], size, 'File too large'),
                                    (['7-f6.pftrace'], None, 'File exists'),
                                    (['perfetto_manifest.json'], None, 'File exists')):
            if there:
                os.mkdir(self.path('out'))
                with open(self.path('out/' + there[0]), 'wb'):
                    pass
            p = run('trace', 'merge', '--to=perfetto', '--output', self.path('out'), *names, restore_signals=False,
                    preexec_fn=limit and functools.partial(resource.setrlimit, limit[0], (limit[1], limit[1])))
            self.assertEqual(p.returncode, 1)
            self.assertIn(fault, p.stderr.decode())
            self.assertEqual(os.path.exists(self.path('out')) and os.listdir(self.path('out')), there or False)
            if there:
                shutil.rmtree(self.path('out'))
        self.ok('trace', 'merge', '--to=perfetto', '--output', self.path('out'), *names)
        self.assertEqual(len(os.listdir(self.path('out'))), 11)

    def test_usage(self):
        for args, reason in ((['trace'], 'merge is missing'), (['trace', 'merge', 'x'], '--to is missing'),
                             (['trace', 'merge', '--to=x', 'x'], '--to is one of perfetto, chrome, ctf, otlp'),
                             (['trace', 'merge', '--to=ctf', 'x'], 'this format is a folder of files'),
                             (['trace', 'merge', '--to=otlp', '--output=y', 'x'], '--output is for perfetto and ctf'),
                             (['trace', 'merge', '--to=ctf', '--output=', 'x'], 'the name of the folder is empty'),
                             (['trace', 'merge', '--to=otlp'], 'a file is missing')):
            self.assertIn(reason, self.fails(2, *args), args)

    def test_a_bar_and_bounded_memory(self):
        for name in 'ab':
            self.write_trace(name, [self.wall(0, 10), *(f'{100 * t} x' for t in range(3 * 10**5))])
        status, kib, seconds, text = measured('trace', 'merge', '--to=chrome', self.path('a'), self.path('b'))
        self.assertEqual(status, 0, text)
        print(f'# {kib} KiB, {seconds * 10**9 / 600000:.0f} ns an event')
        self.assertRegex(text, rb'trace merge \[[# ]+\] +\d+ %')
        self.assertTrue(text.endswith(b'\r\x1b[2K'), text[-50:])
        self.assertLess(kib, 64 * 1024)


if __name__ == '__main__':
    cli.main()
