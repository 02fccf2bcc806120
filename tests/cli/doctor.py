# SPDX-License-Identifier: MIT
"""doctor.py HPT page=PAGE KIND=PROGRAM...: hpt doctor: what it names when waits end late, and what it leaves alone."""
import json
import os
import signal
import subprocess
import sys
import time

import cli
from doctor_case import CAUSES, Doctor, KEYS
from run_case import FILES, MS, SEEN, SLEEPS, environment


class Runs(Doctor):
    def test_all_functions_are_watched(self):
        v, _ = self.report(self.start(SEEN, 'all', late='100s'))
        self.assertEqual((v['programs'], v['late'], v['unread'], v['command']), (1, 0, 0, SEEN))
        self.assertEqual({name: f['punctual'] for name, f in v['functions'].items()},
                         {name: 1 for name in SLEEPS if name != 'sleep'})
        self.assertEqual(v['whole_ms'], 1)
        v, _ = self.report(self.start(SEEN, 'waits', late='100s'))
        self.assertEqual({name: (f['punctual'], f['by_event']) for name, f in v['functions'].items()},
                         dict.fromkeys(['epoll_wait', 'poll', 'ppoll'], (1, 1)))

    def test_program_is_as_without(self):
        v, out = self.report(self.start('sh', '-c', 'sleep 0.01; echo x; exit 7'), status=7)
        self.assertEqual((out, v['exit_status'], v['programs']), (b'x\n', 7, 2))
        v, _ = self.report(self.start('sh', '-c', 'kill -TERM $$'), status=-signal.SIGTERM)
        self.assertEqual((v['exit_status'], v['signal']), (None, signal.SIGTERM))
        bare = subprocess.run([SEEN, 'slack'], stdout=subprocess.PIPE, check=True).stdout
        self.assertEqual(self.report(self.start(SEEN, 'slack'))[1], bare)

    def test_nothing_is_late_where_nothing_may_be(self):
        v, _ = self.report(self.sleeper(2000, slack_ns=0, late='100s'))
        self.assertEqual((v['late'], v['unread']), (0, 0))
        self.assertGreaterEqual(v['by_time'], 2000)

    def test_text(self):
        p = subprocess.run([cli.HPT, 'doctor', '--late=1ns', SEEN, 'all'], env=environment({}), stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE, timeout=cli.LIMIT, check=True)
        text = p.stderr.decode()
        for wanted in r'Waits +8 ended by time, 8 of them more than 1 ns late', r'nanosleep +0 +1 +0', \
                      r'Cause +Late wakes', r'whole milliseconds: 1 waits':
            self.assertRegex(text, wanted)
        for line in text.splitlines():
            self.assertLess(len(line), 110, line)

    def test_usage(self):
        for args, words in ([], 'a command is missing'), (['--late=x', 'true'], "'x'"), \
                           (['--output=', 'true'], 'empty'), (['--late=-1ms', 'true'], '-1ms'), \
                           (['--nothing', 'true'], 'nothing'):
            p = cli.run('doctor', *args)
            self.assertEqual((p.returncode, p.stdout), (125, b''), args)
            self.assertRegex(p.stderr.decode(), words)
        self.assertEqual(cli.run('doctor', '/no/such/program').returncode, 127)
        p = cli.run('doctor', '--output=/no/folder/x', 'true')
        self.assertEqual(p.returncode, 125)

    def test_page_has_all_keys(self):
        with open(os.path.join(os.path.dirname(FILES['page']), 'hpt-doctor.1'), encoding='utf-8') as file:
            text = file.read()
        for key in KEYS + CAUSES + ['wakes', 'median_below_ns', 'max_below_ns', 'punctual', 'by_event', 'at_ns',
                                    'process', 'thread', 'function', 'cause']:
            if key != 'hpt_json':
                self.assertRegex(text, rf'\b{key}\b')


class Causes(Doctor):
    """
    Each is there while the program sleeps. Other load makes wakes late too: what is due to the CPU's other threads is
    the run queue, and is no fault of the test.
    """

    def assert_named(self, wakes, cause):
        """Of the wakes in which it was at work, however late a busy machine made others."""
        found = [w['cause'] for w in wakes]
        self.assertIn(cause, found)
        self.assertLessEqual(set(found), {cause, 'run_queue', 'steal'})

    def test_slack(self):
        v, _ = self.report(self.sleeper(100, slack_ns=20 * MS, late='500us'))
        self.assert_named(v['late_wakes'], 'timer_slack')

    def windows(self, process, begin, end, times=6):
        """Something holds the program up several times. The wakes that fell into that."""
        child, windows = self.child(process), []
        for _ in range(times):
            time.sleep(0.02)
            began_ns = time.monotonic_ns()
            begin(child)
            time.sleep(0.15)
            end(child)
            windows.append((began_ns, time.monotonic_ns()))
        time.sleep(0.05)
        os.kill(child, signal.SIGTERM)
        v, _ = self.report(process, status=-signal.SIGTERM)
        return [w for w in v['late_wakes'] if w['late_ns'] > 100 * MS and
                any(began < w['at_ns'] and w['at_ns'] - w['late_ns'] < ended for began, ended in windows)]

    def test_stop(self):
        self.assert_named(self.windows(self.sleeper(-1, ms=20), lambda pid: os.kill(pid, signal.SIGSTOP),
                                       lambda pid: os.kill(pid, signal.SIGCONT)), 'stopped')

    def test_freezer(self):
        path = self.group('/sys/fs/cgroup/freezer')
        state = os.path.join(path, 'freezer.state')
        self.assert_named(self.windows(self.sleeper(-1, ms=20, preexec=self.join(path)),
                                       lambda pid: self.write(state, 'FROZEN'),
                                       lambda pid: self.write(state, 'THAWED')), 'stopped')

    def test_quota(self):
        path = self.group('/sys/fs/cgroup/cpu')
        self.write(os.path.join(path, 'cpu.cfs_period_us'), '100000')
        self.write(os.path.join(path, 'cpu.cfs_quota_us'), '10000')
        v = self.beside_a_group(path, lambda: self.sleeper(300, late='20ms', preexec=self.join(path)))
        self.assert_named(v['late_wakes'], 'quota')

    def test_quota_of_several_threads(self):
        """All of them stand still together, and the first that looks is not the only one to know."""
        path = self.group('/sys/fs/cgroup/cpu')
        self.write(os.path.join(path, 'cpu.cfs_period_us'), '100000')
        self.write(os.path.join(path, 'cpu.cfs_quota_us'), '20000')
        code = 'import threading, time\ndef nap():\n    for _ in range(100): time.sleep(0.003)\n' \
               'all = [threading.Thread(target=nap) for _ in range(6)]\n[one.start() for one in all]\n' \
               '[one.join() for one in all]'
        v = self.beside_a_group(path, lambda: self.start(sys.executable, '-B', '-c', code, late='40ms',
                                                         preexec=self.join(path)))
        self.assertGreater(v['causes']['quota']['wakes'], v['causes']['run_queue']['wakes'])

    def beside_a_group(self, path, start):
        """The figures of a program beside others that use the group's quota up, if the machine leaves them as much."""
        busy = self.busy(2, self.join(path))
        try:
            before_ns = self.throttled_ns(path)
            v, _ = self.report(start())
            if self.throttled_ns(path) - before_ns < 200_000_000:
                self.skipTest('the machine is busy, so that the group did not use its quota up')
        finally:
            self.end(busy)
        return v

    @staticmethod
    def throttled_ns(path):
        with open(os.path.join(path, 'cpu.stat'), encoding='ascii') as file:
            return int(dict(line.split() for line in file)['throttled_time'])

    @staticmethod
    def busy(n, preexec):
        return [subprocess.Popen([sys.executable, '-c', 'while True: pass'], preexec_fn=preexec) for _ in range(n)]

    @staticmethod
    def end(processes):
        for one in processes:
            one.kill()
            one.wait()

    def test_run_queue(self):
        cpu = min(os.sched_getaffinity(0))

        def pin():
            os.sched_setaffinity(0, [cpu])

        busy = self.busy(3, pin)
        try:
            v, _ = self.report(self.sleeper(150, busy_ms=2, late='2ms', preexec=pin))
        finally:
            self.end(busy)
        self.assert_named(v['late_wakes'], 'run_queue')


class Beside(Doctor):
    def test_closed_descriptors(self):
        """A program that closes all that it does not know loses what was read of it, and nothing else."""
        code = 'import os, time\ntime.sleep(0.001)\nos.closerange(3, 4096)\n' \
               'f = os.open("/dev/zero", os.O_RDONLY)\n[os.dup2(f, n) for n in range(790, 840)]\n' \
               'for i in range(50): time.sleep(0.001)\nprint(len(os.listdir("/proc/self/fd")) > 50)'
        v, out = self.report(self.start(sys.executable, '-B', '-c', code, late='1ns'))
        self.assertEqual(out, b'True\n')
        self.assertGreaterEqual(v['unread'], 1)
        self.assertLess(v['unread'], v['late'])

    def test_program_that_cannot_be_reached(self):
        if 'static' not in FILES or 'libelf' not in FILES:
            self.skipTest('no static program, or no libelf')
        words = [cli.HPT, 'doctor', '--json', '--output', self.output, FILES['static'], 'usleep', '3', '1000']
        p = subprocess.run(words, env=environment({}), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                           timeout=cli.LIMIT, check=True)
        self.assertRegex(p.stderr.decode(), 'static')
        with open(self.output, encoding='utf-8') as file:
            self.assertEqual(json.load(file)['programs'], 0)


cli.main()
