# SPDX-License-Identifier: MIT
"""Shared by the tests of hpt doctor."""
import glob
import json
import os
import subprocess
import sys
import time

import cli
from run_case import CALLS, Case, environment

KEYS = ['hpt_json', 'command', 'programs', 'late_ns', 'by_time', 'late', 'whole_ms', 'unread', 'causes', 'functions',
        'late_wakes', 'wall_ns', 'user_ns', 'system_ns', 'exit_status', 'signal']
CAUSES = ['unknown', 'timer_slack', 'idle_exit', 'run_queue', 'quota', 'steal', 'stopped', 'suspend', 'tick']

# Sleeps until it is killed, or N times, and says when it is there.
SLEEPER = """
import ctypes, sys, time
n, ms, busy_ms, slack_ns = map(int, sys.argv[1:])
if slack_ns:
    ctypes.CDLL(None).prctl(29, ctypes.c_ulong(slack_ns), 0, 0, 0)
print('there', flush=True)
while n:
    n -= 1
    time.sleep(ms / 1000)
    end = time.thread_time() + busy_ms / 1000
    while time.thread_time() < end:
        pass
"""


class Doctor(Case):
    def setUp(self):
        super().setUp()
        self.object()
        self.output = self.path('report')

    def start(self, *command, late='1ms', preexec=None, **kw):
        """A child of the caller, which is hpt."""
        words = [cli.HPT, 'doctor', f'--late={late}', '--json', f'--output={self.output}', '--', *command]
        return subprocess.Popen(words, env=environment({}), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, preexec_fn=preexec, **kw)

    def sleeper(self, n, ms=1, busy_ms=0, slack_ns=1, **kw):
        return self.start(sys.executable, '-B', '-c', SLEEPER, *map(str, (n, ms, busy_ms, slack_ns)), **kw)

    def report(self, process, status=0):
        """The figures, after checks that hold for all of them."""
        out, err = process.communicate(timeout=cli.LIMIT)
        self.assertEqual((process.returncode, err), (status, b''))
        with open(self.output, encoding='utf-8') as file:
            v = json.load(file)
        self.assertEqual((list(v), list(v['causes'])), (KEYS, CAUSES))
        self.assertEqual(sum(c['wakes'] for c in v['causes'].values()), v['late'])
        self.assertEqual(sum(f['punctual'] + sum(f[c] for c in CAUSES) for f in v['functions'].values()), v['by_time'])
        self.assertLessEqual(set(v['functions']), set(CALLS))
        self.assertEqual(len(v['late_wakes']), min(v['late'], 4096))
        for wake in v['late_wakes']:
            self.assertGreater(wake['late_ns'], v['late_ns'])
            self.assertIn(wake['cause'], CAUSES)
        return v, out

    def child(self, process):
        """The program that hpt started, once it is there."""
        self.assertEqual(process.stdout.readline(), b'there\n')
        with open(f'/proc/{process.pid}/task/{process.pid}/children', encoding='ascii') as file:
            return int(file.read().split()[0])

    def group(self, pattern):
        """A new control group below one of these folders. Skips the test where none can be made."""
        for folder in glob.glob(pattern):
            path = os.path.join(folder, f'hpt-doctor-{os.getpid()}')
            try:
                os.mkdir(path)
            except OSError:
                continue
            self.addCleanup(self.remove, path)
            return path
        self.skipTest(f'no control group can be made at {pattern}')
        return None

    @staticmethod
    def remove(path):
        for _ in range(1000):
            try:
                os.rmdir(path)
                return
            except OSError:
                time.sleep(0.01)

    @staticmethod
    def write(path, text):
        with open(path, 'w', encoding='ascii') as file:
            file.write(text)

    def join(self, path):
        return lambda: self.write(os.path.join(path, 'cgroup.procs'), str(os.getpid()))
