# SPDX-License-Identifier: MIT
"""bench_program.py HPT FROM_BIN: hpt becomes hpt-bench from wherever it stands, and says so where it is missing.

FROM_BIN: the way from the folder of an installed hpt to that of hpt-bench.
"""
import functools
import os
import shutil
import signal
import subprocess

import cli

FROM_BIN = cli.ARGS[0]
BUILT = os.path.dirname(cli.HPT)
MARK = '(not installed: package hpt-bench)'


class Case(cli.FolderCase):
    def setUp(self):
        super().setUp()
        self.hpt = cli.HPT
        self.env = {**os.environ, 'LC_ALL': 'C', 'LD_LIBRARY_PATH': os.path.join(BUILT, '..', 'lib')}
        self.env.pop('HPT_EXEC_PATH', None)

    def ask(self, *args, **kw):
        return subprocess.run([self.hpt, *args], env=self.env, capture_output=True, timeout=cli.LIMIT, text=True,
                              check=False, **kw)

    def install(self, prefix, *names):
        """Copies of the programs, where an installation has them."""
        places = {'hpt': os.path.join(prefix, 'bin'), 'hpt-bench': os.path.join(prefix, 'bin', FROM_BIN)}
        os.makedirs(places['hpt'])
        for name in names:
            os.makedirs(os.path.normpath(places[name]), exist_ok=True)
            shutil.copy(os.path.join(BUILT, name), os.path.normpath(places[name]))
        self.hpt = os.path.join(prefix, 'bin', 'hpt')

    def choose(self, script=None, mode=0o755):
        """A folder with a hpt-bench that is not ours, or with none."""
        folder = self.env['HPT_EXEC_PATH'] = self.path('chosen')
        os.makedirs(folder, exist_ok=True)
        if script is not None:
            with open(os.path.join(folder, 'hpt-bench'), 'w', encoding='utf-8') as f:
                f.write(f'#!/bin/sh\n{script}\n')
            os.chmod(os.path.join(folder, 'hpt-bench'), mode)

    def assert_works(self):
        p = self.ask('bench', 'red')
        self.assertEqual((p.returncode, p.stderr),
                         (2, "hpt: bench: unknown command 'red', perhaps 'read'; see 'hpt help bench'\n"))
        self.assertIn('read', self.ask('__complete', 'bench', '').stdout)
        self.assertEqual(self.ask('bench', '--help').stdout, self.ask('help', 'bench').stdout)
        self.assertNotIn(MARK, self.ask('help').stdout)


class Found(Case):
    def test_in_the_folder_of_a_build(self):
        self.assert_works()

    def test_in_a_prefix_that_was_moved(self):
        self.install(self.path('made'), 'hpt', 'hpt-bench')
        os.rename(self.path('made'), self.path('moved'))
        self.hpt = self.path('moved/bin/hpt')
        self.assert_works()

    def test_by_a_link_to_hpt(self):
        self.install(self.path('prefix'), 'hpt', 'hpt-bench')
        os.symlink(self.hpt, self.path('link'))
        self.hpt = self.path('link')
        self.assert_works()

    def test_in_the_folder_that_the_user_chose(self):
        self.install(self.path('prefix'), 'hpt')
        self.env['HPT_EXEC_PATH'] = BUILT
        self.assert_works()

    def test_never_in_path(self):
        self.choose()
        self.env['PATH'] = f'{BUILT}:{self.env["PATH"]}'
        self.assertEqual(self.ask('bench').returncode, 127)


class Become(Case):
    """hpt-bench of any version gets the command line as it is."""

    def test_whole_command_line(self):
        self.choose('for word; do echo "<$word>"; done')
        for words in (['bench'], ['--json', 'bench', 'read', '--new=a b', ''], ['-j', 'bench', '--help'],
                      ['help', 'bench', 'new'], ['__complete', 'bench', 'r'], ['--report=x']):
            p = self.ask(*words)
            self.assertEqual((p.returncode, p.stderr, p.stdout), (0, '', ''.join(f'<{w}>\n' for w in words)))

    def test_other_commands_stay_here(self):
        self.choose('echo foreign')
        for words in ['help'], ['help', 'info'], ['__complete', 'b'], ['now'], ['--json', 'now'], ['bnech']:
            self.assertNotIn('foreign', self.ask(*words).stdout, words)

    def test_same_process(self):
        """So that a signal reaches it once, and its end is hpt's."""
        self.choose('echo $$')
        with subprocess.Popen([self.hpt, 'bench'], env=self.env, stdout=subprocess.PIPE) as p:
            self.assertEqual(int(p.stdout.read()), p.pid)

    def test_its_end(self):
        for end, status in (('exit 3', 3), ('kill -INT $$', -signal.SIGINT), ('kill -TERM $$', -signal.SIGTERM)):
            self.choose(end)
            self.assertEqual(self.ask('bench').returncode, status, end)

    def test_signals_that_the_caller_ignores_stay_ignored(self):
        self.choose('kill -INT $$; exit 5')
        p = self.ask('bench', preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN))
        self.assertEqual(p.returncode, 5)

    def test_descriptors(self):
        self.choose('cat; echo err >&2')
        p = self.ask('bench', input='in')
        self.assertEqual((p.stdout, p.stderr), ('in', 'err\n'))

    def test_closed_descriptors_are_closed(self):
        for closed in 0, 1, 2:
            self.choose(f'[ -e /proc/self/fd/{closed} ] || exit 7')
            self.assertEqual(self.ask('bench', preexec_fn=functools.partial(os.close, closed)).returncode, 7, closed)

    def test_no_other_descriptor_is_open(self):
        self.choose('ls /proc/$$/fd')
        p = self.ask('bench', stdin=subprocess.DEVNULL)
        self.assertEqual(set(map(int, p.stdout.split())) - {10, 255}, {0, 1, 2}) # those of the shell's script


class Missing(Case):
    def test_message(self):
        self.choose()
        for words in (['bench'], ['bench', 'read', '--json'], ['--json', 'bench'], ['help', 'bench'],
                      ['bench', '--help']):
            p = self.ask(*words)
            self.assertEqual((p.returncode, p.stdout, p.stderr),
                             (127, '', f'hpt: bench: the program hpt-bench is not in {self.path("chosen")}: '
                                       'install the package hpt-bench\n'), words)

    def test_not_beside_a_copy_of_hpt(self):
        self.install(self.path('prefix'), 'hpt')
        p = self.ask('bench')
        if not p.returncode or p.returncode == 2:
            self.skipTest('hpt-bench is installed')
        self.assertEqual(p.returncode, 127)
        self.assertRegex(p.stderr, '^hpt: bench: the program hpt-bench is not in /.*/hpt: install the package ')

    def test_help_lists_it_with_a_mark(self):
        whole = self.ask('help').stdout
        self.choose()
        lines = self.ask('help').stdout.splitlines(keepends=True)
        at = next(i for i, line in enumerate(lines) if line.startswith('  bench '))
        self.assertEqual(lines[at + 1].strip(), MARK)
        self.assertLess(len(lines[at + 1]), 80)
        self.assertEqual(''.join(lines[:at + 1] + lines[at + 2:]), whole)

    def test_completion(self):
        self.choose()
        self.assertEqual(self.ask('__complete', 'be').stdout.partition('\t')[0], 'bench')
        self.assertEqual(self.ask('__complete', 'bench', '').stdout, '')

    def test_wrong_options_are_wrong(self):
        self.choose()
        p = self.ask('--report=x')
        self.assertEqual((p.returncode, p.stderr), (2, "hpt: unknown option '--report=x'; see 'hpt help'\n"))

    def test_not_executable(self):
        self.choose('', mode=0o644)
        p = self.ask('bench')
        self.assertEqual((p.returncode, p.stderr),
                         (126, f'hpt: bench: {self.path("chosen")}/hpt-bench cannot be run: Permission denied\n'))


cli.main()
