# SPDX-License-Identifier: MIT
"""What the tests of walls with real components share: namespaces of their own, programs, and results as TAP.

usage: FILE.py PROGRAM... class=NAME [KEY=VALUE...]     PROGRAM: those of this folder, by path; class: of the tests
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import types
import unittest

sys.argv.insert(1, 'no-command') # cli.py takes the first argument for hpt
import cli  # noqa: E402  tests/cli: results as TAP

PROGRAMS = {os.path.basename(a): os.path.abspath(a) for a in cli.ARGS if '=' not in a}
WORDS = dict(a.split('=', 1) for a in cli.ARGS if '=' in a)
INCLUDE = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'include', 'hpt')
LIMIT_S = 120
INSIDE = 'HPT_WALL_INSIDE'
S = 1_000_000_000


def constants(kind):
    """The constants of a kind, such as REASON for HPT_WALL_REASON_, by name."""
    with open(os.path.join(INCLUDE, 'wall.h'), encoding='ascii') as f:
        found = re.findall(rf'^\tHPT_WALL_{kind}_(\w+) += (\d+)', f.read(), re.M)
    return types.SimpleNamespace(**{name: int(value) for name, value in found})


REASON, SOURCE = constants('REASON'), constants('SOURCE')


def skip(why):
    print('1..0 # SKIP', why)
    sys.exit(0)


def needs(*commands):
    """The test is skipped if one of the commands is not here: not in a user's PATH, nor where daemons and commands of
    root are, nor in HPT_TEST_DAEMONS, where fetch-daemons puts them."""
    os.environ['PATH'] += ':/usr/sbin:/sbin'
    if 'HPT_TEST_DAEMONS' in os.environ:
        os.environ['PATH'] += ':' + os.environ['HPT_TEST_DAEMONS']
        os.environ['LD_LIBRARY_PATH'] = os.environ['HPT_TEST_DAEMONS']
    for command in commands:
        if not shutil.which(command):
            skip(f'no {command} here')


def enter_namespaces():
    """Runs this test again in a network of its own. Its processes end with it."""
    if INSIDE in os.environ:
        return
    needs('unshare')
    as_root = [] if os.geteuid() == 0 else ['-r']
    words = ['unshare', *as_root, '-n', '-p', '-f', '--kill-child', '--mount-proc']
    tried = subprocess.run([*words, 'true'], stderr=subprocess.PIPE, text=True, check=False)
    if tried.returncode:
        skip('no namespaces here: ' + tried.stderr.strip())
    sys.stdout.flush()
    argv = [sys.argv[0], *sys.argv[2:]]
    os.execvpe(words[0], [*words, sys.executable, '-B', *argv], {**os.environ, INSIDE: '1'})


def run(*command):
    subprocess.run(command, check=True, timeout=LIMIT_S)


class Rig:
    """Programs that run until the end of the test, and a folder for their files."""

    def __init__(self):
        self.temporary = tempfile.TemporaryDirectory(prefix='hpt-')
        self.folder = self.temporary.name
        self.running, self.files = [], []

    def path(self, name):
        return os.path.join(self.folder, name)

    def start(self, *command, ready=False, **kw):
        """ready: the program prints this word when it is."""
        kw.setdefault('stdout', subprocess.PIPE)
        p = subprocess.Popen([PROGRAMS.get(command[0], command[0]), *command[1:]], text=True, **kw)
        self.running.append(p)
        if ready:
            word = p.stdout.readline()
            assert word == 'ready\n', (command, word)
        return p

    def stop(self, process):
        process.terminate()
        output, _ = process.communicate(timeout=LIMIT_S)
        self.running.remove(process)
        return output

    def truth(self, how, *words):
        run(PROGRAMS['truthd'], how, self.path('truth'), *words)

    def close(self):
        for p in self.running:
            p.kill()
            p.wait()
        for f in self.files:
            f.close()
        self.temporary.cleanup()


class Umpire:
    """The program of this name, and the lines that it prints."""

    def __init__(self, rig, *words, truth='truth'):
        self.rig = rig
        # The program appends: it shares the position in the file, which lines() moves.
        self.log = open(rig.path(f'umpire{len(rig.running)}'), 'a+', encoding='ascii')
        rig.files.append(self.log)
        self.process = rig.start('umpire', rig.path(truth), *words, stdout=self.log)

    def lines(self):
        self.log.seek(0)
        text = self.log.read()
        return [json.loads(line) for line in text[:text.rfind('\n') + 1].splitlines()]

    def wait_for(self, condition, what, limit_s=LIMIT_S):
        """Waits until a line from now on fulfils the condition; returns it."""
        n, end = len(self.lines()), time.monotonic() + limit_s
        while time.monotonic() < end:
            for line in self.lines()[n:]:
                if condition(line):
                    return line
            time.sleep(0.1)
        raise AssertionError(f'{what}: not within {limit_s} s; the last line: {self.lines()[-1:]}')

    def end(self):
        """All lines, after the program's end."""
        self.process.terminate()
        self.process.wait(LIMIT_S)
        self.rig.running.remove(self.process)
        return self.lines()


class Case(unittest.TestCase):
    """A rig runs once for all tests of the class; they look at what it has recorded."""
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.rig = Rig()
        cls.addClassCleanup(cls.rig.close)
        cls.record()

    @classmethod
    def record(cls):
        """Runs the rig."""

    def total(self, lines, key):
        return sum(line[key] for line in lines)

    def assert_honest(self, lines):
        """Each check passed in these lines, and each kind was made."""
        for key in 'other_errors', 'outside', 'fell', 'past_outside', 'surely_wrong', 'waits_early', 'apart':
            self.assertEqual(self.total(lines, key), 0, [line for line in lines if line[key]][:3])

    def assert_all_checked(self, lines):
        for key in 'intervals', 'past', 'sure', 'waits':
            self.assertGreater(self.total(lines, key), 0, key)


def main():
    """Like unittest.main(), as TAP; a rig that cannot be set up is a failure."""
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(getattr(sys.modules['__main__'], WORDS['class']))
    print(f'1..{suite.countTestCases()}')
    result = cli.Tap()
    suite.run(result)
    failed = result.errors + result.failures
    if result.testsRun != suite.countTestCases():
        print('Bail out! a rig failed')
        for _, why in failed:
            print('\n'.join('# ' + line for line in why.splitlines()))
    sys.exit(bool(failed))
