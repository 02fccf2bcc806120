# SPDX-License-Identifier: MIT
"""Shared by the tests of hpt run: their arguments are HPT page=PAGE KIND=PROGRAM..."""
import json
import os
import re
import shutil
import subprocess
import time

import cli

FILES = dict(arg.split('=', 1) for arg in cli.ARGS)
SEEN = FILES['plain']
OBJECT = FILES.get('object')
SLEEPS = ('nanosleep', 'clock_nanosleep', 'usleep', 'sleep', 'thrd_sleep', 'select', 'pselect', 'poll', 'ppoll')
CALLS = SLEEPS + ('epoll_wait', 'epoll_pwait', 'epoll_pwait2', 'sem_timedwait', 'sem_clockwait',
                  'pthread_cond_timedwait', 'pthread_cond_clockwait', 'cnd_timedwait', 'futex')
KEYS = ['hpt_json', 'command', 'programs', 'served', 'passed_on', 'by_event', 'interrupted', 'unspun', 'crowded',
        'backed_off', 'for_events', 'limited', 'spun_ns', 'kernel_late', 'sleep_late', 'late_by_function', 'wall_ns',
        'user_ns', 'system_ns', 'exit_status', 'signal']
NOBODY = cli.NOBODY
MS = 10**6

# Of the test's caller nothing goes on, nor what newer Mesons set for sanitizers.
BASE = {k: v for k, v in os.environ.items()
        if not k.startswith(('HPT_', 'LD_')) and not k.endswith('SAN_OPTIONS') and k != 'POSIXLY_CORRECT'}
BASE['LC_ALL'] = 'C'
if OBJECT:
    BASE['HPT_PRELOAD'] = OBJECT


def environment(changes):
    """BASE with these; None takes one away."""
    return {k: v for k, v in {**BASE, **changes}.items() if v is not None}


def hpt_run(*args, env=(), **kw):
    kw = {'stdin': subprocess.DEVNULL, 'stdout': subprocess.PIPE, 'stderr': subprocess.PIPE, 'timeout': cli.LIMIT, **kw}
    return subprocess.run([cli.HPT, 'run', *args], env=environment(dict(env)), check=False, **kw)


def variables(text):
    return dict(line.split('=', 1) for line in text.decode().splitlines() if '=' in line)


def mask(text, name):
    return int(re.search(rf'{name}:\s*(\w+)', text.decode())[1], 16)


def has_signal(bits, number):
    return bool(bits >> (number - 1) & 1)


def wait_until(is_true):
    end = time.monotonic() + cli.LIMIT
    while not is_true():
        if time.monotonic() > end:
            raise AssertionError('waited in vain')
        time.sleep(0.01)


class Case(cli.FolderCase):
    def runs(self, *args, **kw):
        """The stdout of a program that must run without a message."""
        p = hpt_run(*args, **kw)
        self.assertEqual((p.returncode, p.stderr), (0, b''), args)
        return p.stdout

    def refuses(self, status, *args, **kw):
        """The message of a command that must not run its program."""
        p = hpt_run(*args, **kw)
        self.assertEqual((p.returncode, p.stdout), (status, b''), (args, p.stderr))
        self.assert_one_line(p.stderr)
        return p.stderr.decode(errors='replace')

    def runs_without(self, pattern, *args, instead='', **kw):
        """A program that runs with a message that it lacks something, and does not run with --strict."""
        p = hpt_run(*args, **kw)
        self.assertEqual(p.returncode, 0, p.stderr)
        self.assert_one_line(p.stderr)
        self.assertRegex(p.stderr.decode(), pattern)
        self.assertTrue(p.stderr.decode().endswith(instead + '\n'), p.stderr)
        refused = self.refuses(126, '--strict', *args, **kw)
        self.assertRegex(refused, pattern)
        self.assertTrue(refused.endswith('; not run, because of --strict\n'), refused)
        self.assertNotRegex(refused, 'timer slack is set|stay as they are')
        return p

    def report(self, *args, status=0, **kw):
        """The figures of a run as JSON, after checks that hold for all of them."""
        p = hpt_run('--stats', '--json', *args, **kw)
        self.assertEqual(p.returncode, status, p.stderr)
        self.assertEqual((p.stderr.count(b'\n'), p.stderr[-1:]), (1, b'\n'), p.stderr)
        v = json.loads(p.stderr)
        self.assert_sound(v)
        return v

    def assert_sound(self, v):
        self.assertEqual(list(v), KEYS)
        self.assertEqual(v['hpt_json'], 1)
        self.assertEqual((list(v['served']), list(v['passed_on'])), (list(CALLS), list(CALLS)))
        self.assertEqual(list(v['by_event']), list(CALLS))
        ended = {call: n - v['by_event'][call] for call, n in v['served'].items()}
        by_time = v['late_by_function']
        self.assertEqual(v['sleep_late']['count'], sum(ended.values()) - v['interrupted'])
        self.assertEqual(v['sleep_late']['count'], sum(late['count'] for late in by_time.values()))
        for late in v['kernel_late'], v['sleep_late'], *by_time.values():
            self.assertEqual(sum(b['count'] for b in late['bins']), late['count'])
            ends = [b['below_ns'] for b in late['bins']]
            self.assertEqual(ends, sorted(set(ends)))
            quantiles = [late[f'{q}_below_ns'] for q in ('median', 'p90', 'p99', 'max')]
            self.assertEqual(quantiles, sorted(quantiles))
            self.assertEqual(quantiles[-1], ends[-1] if ends else 0)
            for end in ends:
                self.assertEqual(end & (end - 1), 0)
        self.assertEqual((v['exit_status'] is None) + (v['signal'] is None), 1)

    def file(self, name, content, mode=0o755):
        path = self.path(name)
        with open(path, 'wb') as f:
            f.write(content)
        os.chmod(path, mode)
        return path

    def copy(self, kind='plain', name='copy', mode=0o755):
        path = self.path(name)
        shutil.copyfile(FILES[kind], path)
        os.chmod(path, mode)
        return path

    def looks(self):
        if 'libelf' not in FILES:
            self.skipTest('this build is without libelf')

    def kind(self, name):
        if name in ('static', 'static_pie', 'musl', 'bits32', 'asan_own'):
            self.looks()
        if name not in FILES:
            self.skipTest(f'no {name} program can be linked here')
        return FILES[name]

    def deadline(self):
        """A command that gives SCHED_DEADLINE to the program of its further words."""
        command = ['chrt', '--deadline', '-T', '5000000', '-D', '10000000', '-P', '10000000', '0']
        try:
            subprocess.run([*command, 'true'], stderr=subprocess.DEVNULL, check=True)
        except (OSError, subprocess.CalledProcessError):
            self.skipTest('no process of SCHED_DEADLINE can be made here')
        return command

    def object(self):
        if not OBJECT:
            self.skipTest('this build has no libhpt-preload.so')
        return OBJECT

    def let_others_in(self):
        if os.geteuid():
            self.skipTest('only root has others')
        os.chmod(self.folder, 0o755)
        if not cli.others_may_run():
            self.skipTest('others cannot run this build')
