# SPDX-License-Identifier: MIT
"""What the tests of libhpt-preload.so share: lab.py's arguments are OBJECT STEPS [NAME=PATH...]."""
import collections
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'cli'))
import cli  # noqa: E402
from preloaded import link  # noqa: E402

OBJECT, STEPS = (os.path.abspath(path) for path in sys.argv[1:3])
OTHERS = dict(word.split('=', 1) for word in sys.argv[3:])
LIMIT_S = 60
MS = 1_000_000

Slept = collections.namedtuple('Slept', 'name ns result left_ns took_ns')


def clean_env():
    """The environment without what hpt run puts there, nor what newer Mesons set for sanitizers."""
    return {k: v for k, v in os.environ.items()
            if not k.startswith('HPT_') and not k.endswith('SAN_OPTIONS') and k != 'LD_PRELOAD'}


class Case(cli.FolderCase):
    def setUp(self):
        super().setUp()
        self.object = link(OBJECT, self.folder)

    def other(self, name):
        """Another file of the build, or the test is skipped."""
        if name not in OTHERS:
            self.skipTest(f'{name} is not built here')
        return os.path.abspath(OTHERS[name])

    def tool(self, name):
        path = shutil.which(name)
        if not path:
            self.skipTest(f'no {name}')
        return path

    def run_steps(self, *steps, program=STEPS, preload=None, prefix=(), **env):
        """The sleeps, of a program that must succeed without a message."""
        preload = [self.object] if preload is None else preload
        base = {**clean_env(), **({'LD_PRELOAD': ':'.join(preload)} if preload else {}), **env}
        done = subprocess.run([*prefix, program, *steps], env=base, capture_output=True, text=True, timeout=LIMIT_S,
                              check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ''), steps)
        return [Slept(name, *(int(n) for n in numbers))
                for name, *numbers in (line.split() for line in done.stdout.splitlines())]

    def assert_slept(self, sleeps, shorter_ns=0):
        """Each took its length."""
        for s in sleeps:
            self.assertEqual(s.result, 0, s)
            self.assertGreaterEqual(s.took_ns, s.ns - shorter_ns, s)


class Traced(Case):
    """Programs whose system calls strace writes down."""

    def traced(self, preload, *arguments, program=STEPS, **env):
        """The lines of the main thread."""
        path = self.path('trace')
        strace = self.tool('strace')
        probe = subprocess.run([strace, '-o', path, 'true'], capture_output=True, check=False)
        if probe.returncode:
            self.skipTest('strace may not trace here')
        extra = ['-E', 'LD_PRELOAD=' + preload] if preload else []
        self.run_steps(*arguments, preload=[], prefix=[strace, '-o', path, *extra], program=program, **env)
        with open(path, encoding='utf-8') as lines:
            return lines.read().splitlines()

    @staticmethod
    def calls(lines):
        return [line.split('(')[0] for line in lines if '(' in line]


main = cli.main
