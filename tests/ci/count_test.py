# SPDX-License-Identifier: MIT
"""count_test.py: what tests/ci/count says of runs of Meson, with tests that fail in each way."""
import os
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
MESON = sys.argv.pop(1) if len(sys.argv) > 1 else 'meson'

# name -> (shell script, more arguments of test(), what count prints of it)
FAILING = {
    'a case': ("printf '1..3\\nok 1 - a\\nnot ok 2 - b\\n# why\\n#  more\\nok 3 - c\\n# not of b\\n'",
               "protocol: 'tap'",
               ['a case: not ok 2 - b', '    # why', '    #  more']),
    'two cases': ("printf 'not ok 1\\n# one\\nnot ok 2 - # TODO later\\n# no\\nnot ok 3\\n# three\\n1..3\\n'; exit 1",
                  "protocol: 'tap'",
                  ['two cases: not ok 1', '    # one', 'two cases: not ok 3', '    # three']),
    'cut off': ("printf '1..3\\nok 1 - a\\n'; echo dying >&2; kill -SEGV $$", "protocol: 'tap'",
                ['cut off: ERROR, killed by signal 11 SIGSEGV', '    1..3', '    ok 1 - a', '    dying']),
    'case and crash': ("printf '1..2\\nnot ok 1 - a\\n# why\\n'; kill -SEGV $$", "protocol: 'tap'",
                       ['case and crash: not ok 1 - a', '    # why',
                        'case and crash: ERROR, killed by signal 11 SIGSEGV']),
    'exit': ('seq 40; echo said >&2; exit 1', '',
             ['exit: FAIL, exit status 1', *(f'    {n}' for n in range(27, 41)), '    said']),
    'skipped in vain': ("printf '1..1\\nnot ok 1 # SKIP no\\n'", "protocol: 'tap'",
                        ['skipped in vain: not ok 1 # SKIP no']),
    'silent': ('exit 5', '', ['silent: FAIL, exit status 5']),
    'crash': ('echo here; kill -SEGV $$', '', ['crash: FAIL, killed by signal 11 SIGSEGV', '    here']),
    'slow': ('echo begun; exec sleep 60', 'timeout: 5', ['slow: TIMEOUT, killed by signal 15 SIGTERM', '    begun']),
    'hard': ('echo broken; exit 99', '', ['hard: ERROR, exit status 99', '    broken']),
    'unexpected': ('exit 0', 'should_fail: true', ['unexpected: UNEXPECTEDPASS']),
    # The list at the log's end is Meson's own.
    'imitation': ("echo 'Summary of Failures:'; for n in $(seq 17); do echo $n/17 x FAIL 1.0s no; done; "
                  "echo 'Ok:  77'; echo 'Fail:  5'; exit 2", '',
                  ['imitation: FAIL, exit status 2', *(f'    {n}/17 x FAIL 1.0s no' for n in range(5, 18)),
                   '    Ok:  77', '    Fail:  5']),
    'long line': ("printf '%0400d\\n' 0; exit 1", '', ['long line: FAIL, exit status 1', '    ' + 300 * '0' + '...']),
}
PASSING = {
    'good': ('exit 0', ''),
    'good cases': ("printf '1..3\\nok 1\\nok 2 # SKIP no\\nnot ok 3 # TODO\\n# why\\n'", "protocol: 'tap'"),
    'expected': ('exit 1', 'should_fail: true'),
    'skipped': ('echo no; exit 77', ''),
}


def count(*logs):
    """(exit status, lines)"""
    done = subprocess.run(['sh', os.path.join(HERE, 'count'), *logs], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          stdin=subprocess.DEVNULL, timeout=60, check=False)
    return done.returncode, done.stdout.decode().splitlines()


def by_test(lines):
    """The lines of each test: name -> lines"""
    found = {}
    for line in lines:
        if not line.startswith(' '):
            line = line.split(' / ')[-1]
            name = line.split(':')[0]
        found.setdefault(name, []).append(line)
    return found


class Count(unittest.TestCase):
    maxDiff = None

    def log(self, tests):
        """Runs a project of these tests: the path of Meson's log."""
        temporary = tempfile.TemporaryDirectory(prefix='hpt-count-')
        self.addCleanup(temporary.cleanup)
        build = os.path.join(temporary.name, 'build')
        text = "project('p', meson_version: '>= 1.0.1')\nsh = find_program('sh')\n"
        for name, (script, more) in tests.items():
            path = os.path.join(temporary.name, name.replace(' ', '-'))
            with open(path, 'w', encoding='utf-8') as f:
                f.write(script + '\n')
            text += f"test('{name}', sh, args: ['{path}'], {more})\n"
        with open(os.path.join(temporary.name, 'meson.build'), 'w', encoding='utf-8') as f:
            f.write(text)
        for words in ['setup', build, temporary.name], ['test', '-C', build]:
            subprocess.run([*MESON.split(), *words], stdout=subprocess.DEVNULL, stderr=subprocess.STDOUT, timeout=120,
                           stdin=subprocess.DEVNULL, check=words[0] == 'setup')
        return os.path.join(build, 'meson-logs', 'testlog.txt')

    def test_passing(self):
        self.assertEqual(count(self.log(PASSING)), (0, ['3 passed, 0 failed, 1 skipped']))

    def test_failing(self):
        log = self.log({**PASSING, **{name: entry[:2] for name, entry in FAILING.items()}})
        status, lines = count(log)
        self.assertEqual((status, lines[0], lines[-1]), (1, 'Failed tests:', '3 passed, 13 failed, 1 skipped'))
        self.assertEqual(by_test(lines[1:-1]), {name: entry[2] for name, entry in FAILING.items()})

    def test_several_logs(self):
        failing = self.log({'exit': FAILING['exit'][:2]})
        status, lines = count(self.log(PASSING), failing, failing)
        self.assertEqual((status, lines[0], lines[-1]), (1, 'Failed tests:', '3 passed, 2 failed, 1 skipped'))
        self.assertEqual(lines[1:-1], 2 * FAILING['exit'][2])

    def test_no_log(self):
        self.assertEqual(count('/nonexistent/testlog.txt'), (1, ['0 passed, 1 failed, 0 skipped']))

    def test_log_without_a_test(self):
        with tempfile.NamedTemporaryFile('w', suffix='.txt') as f:
            f.write('Log of Meson test suite run on today\n')
            f.flush()
            self.assertEqual(count(f.name), (1, ['Failed tests:', f'{f.name} has no test',
                                                 '0 passed, 1 failed, 0 skipped']))


if __name__ == '__main__':
    unittest.main()
