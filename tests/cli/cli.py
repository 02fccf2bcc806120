# SPDX-License-Identifier: MIT
"""Runs the built hpt, and a file of unittest cases as TAP."""
import os
import subprocess
import sys
import unittest

HPT = os.path.abspath(sys.argv[1])
ARGS = sys.argv[2:]


def run(*args, source=None, **kw):
    """hpt's exit status, stdout and stderr; HPT_SOURCE is unset unless given."""
    env = {k: v for k, v in os.environ.items() if k not in ('HPT_SOURCE', 'POSIXLY_CORRECT')}
    env['LC_ALL'] = 'C'
    if source is not None:
        env['HPT_SOURCE'] = source
    kw.setdefault('stdout', subprocess.PIPE)
    kw.setdefault('stdin', subprocess.DEVNULL)
    return subprocess.run([HPT, *args], env=env, stderr=subprocess.PIPE, **kw)


def preload(module, folder):
    """For LD_PRELOAD: a name for it without blanks and colons, which part names there."""
    link = os.path.join(folder, 'preload.so')
    os.symlink(os.path.abspath(module), link)
    return link


class Case(unittest.TestCase):
    def ok(self, *args, **kw):
        """What it prints when all is well: nothing on stderr."""
        p = run(*args, **kw)
        self.assertEqual((p.returncode, p.stderr), (0, b''), args)
        return p.stdout.decode()

    def fails(self, status, *args, **kw):
        """Its only line on stderr."""
        p = run(*args, **kw)
        self.assertEqual(p.returncode, status, (args, p.stderr))
        self.assert_one_line(p.stderr)
        if p.stdout is not None:
            self.assertEqual(p.stdout, b'', args)
        return p.stderr.decode(errors='replace')

    def assert_one_line(self, err):
        self.assertTrue(err.startswith(b'hpt: '), err)
        self.assertEqual((err.count(b'\n'), err[-1:]), (1, b'\n'), err)


class Tap(unittest.TestResult):
    n = 0

    def report(self, ok, test, remark='', details=''):
        self.n += 1
        print(f'{"ok" if ok else "not ok"} {self.n} - {test.id().split(".", 1)[-1]}{remark}')
        for line in details.splitlines():
            print('#', line)

    def addSuccess(self, test):
        self.report(True, test)

    def addSkip(self, test, reason):
        self.report(True, test, f' # SKIP {reason}')

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self.report(False, test, details=self.failures[-1][1])

    def addError(self, test, err):
        super().addError(test, err)
        self.report(False, test, details=self.errors[-1][1])


def main():
    suite = unittest.defaultTestLoader.loadTestsFromModule(sys.modules['__main__'])
    print(f'1..{suite.countTestCases()}')
    result = Tap()
    suite.run(result)
    sys.exit(not result.wasSuccessful())
