# SPDX-License-Identifier: MIT
"""hpt convert --from: what LTTng and the kernel's ftrace record themselves, against what the program read beside."""
import json
import os
import shutil
import subprocess
import sys
import time

import cli
from cli import run
from trace_case import TraceCase

EVENTS = 200
REALTIME, MONOTONIC, RAW = time.CLOCK_REALTIME, time.CLOCK_MONOTONIC, time.CLOCK_MONOTONIC_RAW

# Notes for each event what the clocks showed before and after it.
LTTNG_PROGRAM = f"""
import ctypes, json, threading, time
library = ctypes.CDLL('liblttng-ust.so.1')
clocks, rows = ({REALTIME}, {MONOTONIC}), []
for i in range({EVENTS}):
    before = [time.clock_gettime_ns(clock) for clock in clocks]
    library.lttng_ust__tracef(b'%d', ctypes.c_int(i))
    rows.append([before, [time.clock_gettime_ns(clock) for clock in reversed(clocks)][::-1]])
print(json.dumps([threading.get_native_id(), rows]))
"""


def offset_ns():
    """Bounds of CLOCK_REALTIME less CLOCK_MONOTONIC, which changes when somebody sets the former, and else never."""
    reads = [[time.clock_gettime_ns(clock) for clock in (MONOTONIC, REALTIME, MONOTONIC)] for _ in range(100)]
    first, real, last = min(reads, key=lambda r: r[2] - r[0])
    return real - last, real - first


class Recorded(TraceCase):
    def without_step(self, record):
        """What a recording returns during which nobody set CLOCK_REALTIME: the program beside has read that."""
        for _ in range(5):
            least, most = offset_ns()
            done = record()
            least_after, most_after = offset_ns()
            if least_after <= most and least <= most_after:
                return done
            print('# CLOCK_REALTIME was set meanwhile')
        return self.skipTest('CLOCK_REALTIME is set time and again')

    def chrome(self, text, *options, status=0):
        events = json.loads(self.convert(text, '--to=chrome', *options, status=status), parse_float=str)['traceEvents']
        return [(int(e['ts'].replace('.', '')), e) for e in events if e['ph'] != 'M']

    def add_base(self, source=None):
        """False: this machine has no such clock."""
        return run('now', '--timebase', self.bases, source=source).returncode == 0


class Lttng(Recorded):
    """By a daemon of its own, of another user than root, whom all the machine's sessions belong to."""

    def setUp(self):
        super().setUp()
        # Until the daemon has answered or is gone, so that no event comes before the session.
        self.as_user = {'env': dict(os.environ, LTTNG_HOME=self.folder, HOME=self.folder,
                                    LTTNG_UST_REGISTER_TIMEOUT='-1')}
        if os.geteuid() == 0:
            self.as_user.update(user=cli.NOBODY, group=cli.NOBODY, extra_groups=[])
        try:
            if os.geteuid() == 0:
                os.chown(self.folder, cli.NOBODY, cli.NOBODY)
            self.daemon = subprocess.Popen(['lttng-sessiond', '--no-kernel'], stdout=subprocess.DEVNULL,
                                           stderr=subprocess.DEVNULL, **self.as_user)
        except OSError as e:
            self.skipTest(f'LTTng does not record here: {e}')
        self.addCleanup(self.end_daemon)
        self.wait_for_daemon()

    def end_daemon(self):
        self.daemon.terminate()
        self.daemon.wait(cli.LIMIT)

    def lttng(self, *args):
        return subprocess.run(['lttng', '--no-sessiond', *args], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              timeout=cli.LIMIT, check=False, **self.as_user)

    def wait_for_daemon(self):
        end = time.monotonic() + cli.LIMIT
        while self.lttng('list').returncode:
            if self.daemon.poll() is not None or time.monotonic() > end:
                self.skipTest('the daemon of LTTng does not run here')
            time.sleep(0.02)

    def python(self):
        """One that this user may run."""
        for python in sys.executable, '/usr/bin/python3':
            try:
                if not subprocess.run([python, '-c', ''], check=False, **self.as_user).returncode:
                    return python
            except OSError:
                pass
        return self.skipTest('the daemon\'s user may run no Python here')

    def record(self):
        """The thread, and the program's own rows."""
        self.write_bases()
        shutil.rmtree(self.path('trace'), ignore_errors=True)
        for args in (('create', 'test', '--output', self.path('trace')),
                     ('enable-event', '--userspace', 'lttng_ust_tracef:*'),
                     ('add-context', '--userspace', '--type=vtid'), ('start',)):
            done = self.lttng(*args)
            if done.returncode:
                self.skipTest(f'lttng {args[0]}: {done.stdout.decode()}')
        self.add_base()
        done = subprocess.run([self.python(), '-c', LTTNG_PROGRAM], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              timeout=cli.LIMIT, check=False, **self.as_user)
        self.add_base()
        self.lttng('destroy')
        if b'OSError' in done.stderr: # by CDLL()
            self.skipTest(f'LTTng\'s library is missing: {done.stderr.decode()}')
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        return json.loads(done.stdout)

    def text(self, *form):
        try:
            return subprocess.run(['babeltrace2', *form, self.path('trace')], stdout=subprocess.PIPE, check=True).stdout
        except FileNotFoundError:
            self.skipTest('babeltrace2 is missing')

    def test_events_are_when_they_were(self):
        thread, rows = self.without_step(self.record)
        cycles = self.chrome(self.text('--clock-cycles'), '--from=lttng', '--clock=monotonic')
        self.assertEqual([(e['name'], e['tid']) for _, e in cycles], [('lttng_ust_tracef:event', thread)] * EVENTS)
        for (before, after), (ns, _) in zip(rows, cycles):
            self.assertLessEqual(before[1], ns)
            self.assertLessEqual(ns, after[1])

        # Unix times, to which LTTng adds an offset of its own, in each form that has a day.
        forms = [[ns for ns, _ in self.chrome(self.text(*form), '--from=lttng')]
                 for form in (['--clock-seconds'], ['--clock-gmt', '--clock-date'])]
        self.assertEqual(*forms)
        self.assertEqual({unix_ns - ns for unix_ns, (ns, _) in zip(forms[0], cycles)}, {forms[0][0] - cycles[0][0]})
        print('# LTTng\'s Unix times are', max(max(before[0] - ns, ns - after[0])
                                               for ns, (before, after) in zip(forms[0], rows)),
              'ns outside of CLOCK_REALTIME, if that is more than 0')

        # Those by time bases are right within their stated error.
        line = self.convert(self.text('--clock-cycles'), '--from=lttng', '--clock=monotonic', '--to=otlp', '--timebase',
                            self.bases).decode().splitlines()
        records = [r for one in line for r in json.loads(one)['resourceLogs'][0]['scopeLogs'][0]['logRecords']]
        self.assertEqual(len(records), EVENTS)
        for (before, after), record in zip(rows, records):
            ns = int(record['timeUnixNano'])
            error_ns = int({a['key']: a['value'] for a in record['attributes']}['hpt.error_ns']['intValue'])
            self.assertLessEqual(before[0] - error_ns, ns)
            self.assertLessEqual(ns, after[0] + error_ns)


class Ftrace(Recorded):
    """In an instance of its own, which disturbs no other trace."""

    def setUp(self):
        super().setUp()
        tracefs = self.mounted()
        if not self.is_first('time'):
            self.skipTest('this time namespace has other clocks than ftrace')
        self.instance = f'{tracefs}/instances/hpt-test-{os.getpid()}'
        try:
            os.mkdir(self.instance)
        except OSError as e:
            self.skipTest(f'ftrace does not record here: {e}')
        self.addCleanup(os.rmdir, self.instance)
        with open(self.instance + '/trace_clock', encoding='ascii') as f:
            self.clocks = f.read().replace('[', '').replace(']', '').split()

    def mounted(self):
        if os.path.isdir('/sys/kernel/tracing/instances'):
            return '/sys/kernel/tracing'
        os.mkdir(self.path('tracefs'))
        try:
            subprocess.run(['mount', '-t', 'tracefs', 'none', self.path('tracefs')], check=True,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        except (OSError, subprocess.SubprocessError) as e:
            self.skipTest(f'tracefs cannot be mounted here: {e}')
        self.addCleanup(subprocess.run, ['umount', self.path('tracefs')], check=True)
        return self.path('tracefs')

    @staticmethod
    def is_first(namespace):
        """The machine's own one, by the numbers of include/linux/proc_ns.h; true where the kernel has none."""
        own = f'/proc/self/ns/{namespace}'
        return not os.path.exists(own) or os.stat(own).st_ino == {'pid': 0xeffffffc, 'time': 0xeffffffa}[namespace]

    def write(self, name, text):
        with open(f'{self.instance}/{name}', 'w', encoding='ascii') as f:
            f.write(text)

    def record(self, clock, mine, n=EVENTS):
        """What this program's clock showed before and after each marker, and ftrace's text."""
        self.write('trace_clock', clock)
        self.write('trace', '') # empties it
        marker, rows = os.open(self.instance + '/trace_marker', os.O_WRONLY), []
        for i in range(n):
            text = b'E|1' if i % 2 else b'B|1|slice %d' % i
            before = time.clock_gettime_ns(mine)
            os.write(marker, text)
            rows.append((before, time.clock_gettime_ns(mine)))
        os.close(marker)
        with open(self.instance + '/trace', 'rb') as f:
            return rows, f.read()

    def assert_within(self, rows, events, error_ns):
        self.assertEqual([(e['ph'], e['name']) for _, e in events],
                         [('E', 'tracing_mark_write') if i % 2 else ('B', f'slice {i}') for i in range(EVENTS)])
        # The kernel prints the thread's number of its own namespace.
        self.assertEqual({e['tid'] for _, e in events}, {os.getpid() if self.is_first('pid') else events[0][1]['tid']})
        for (before, after), (ns, e) in zip(rows, events):
            self.assertLessEqual(before - error_ns(e), ns)
            self.assertLessEqual(ns, after + error_ns(e))

    def test_events_are_when_they_were(self):
        """The kernel rounds to microseconds."""
        for clock, mine, name in (('mono_raw', RAW, 'raw'), ('mono', MONOTONIC, 'monotonic'),
                                  ('boot', time.CLOCK_BOOTTIME, 'boottime'), ('tai', time.CLOCK_TAI, 'tai')):
            if clock not in self.clocks:
                print(f'# no clock {clock} here')
                continue
            rows, text = self.without_step(lambda c=clock, m=mine: self.record(c, m))
            self.assert_within(rows, self.chrome(text, '--from=ftrace', '--clock', name), lambda e: 1000)

    def test_ticks(self):
        if 'x86-tsc' not in self.clocks or not self.add_base('tsc'):
            self.skipTest('the TSC is not to be had here')
        rows, text = self.record('x86-tsc', RAW)
        self.add_base('tsc')
        self.assert_within(rows, self.chrome(text, '--from=ftrace', '--clock=ticks', '--timebase', self.bases),
                           lambda e: int(e['args']['error_ns']))

    def test_events_that_are_lost_are_counted(self):
        """On one CPU, whose buffer has two pages."""
        cpus, n = os.sched_getaffinity(0), 20000
        self.write('buffer_size_kb', '4')
        os.sched_setaffinity(0, {min(cpus)})
        self.addCleanup(os.sched_setaffinity, 0, cpus)
        _, text = self.record('mono', MONOTONIC, n)
        events = self.chrome(text, '--from=ftrace', '--clock=monotonic', status=1)
        self.assertGreater(len(events), 0)
        self.assertEqual(self.messages, [f'hpt: convert: standard input: line 3 says that the tracer lost events; '
                                         f'{n - len(events)} in all'])


if __name__ == '__main__':
    cli.main()
