# SPDX-License-Identifier: MIT
"""foreign.py OBJECT STEPS [NAME=PATH...]: objects that have functions of their own get the calls that they would get.

Their sleeps end at once. So a sleep of an hour that ends shows whose it was, and the counts show which were served.
"""
import collections
import os
import re
import subprocess
import unittest

import lab
import tally

MS = lab.MS
HOUR = 3600_000 * MS
# How steps.c names a function, and how the counts do.
STEP = {'nanosleep': 'nanosleep', '__nanosleep': 'nanosleep-alias', 'clock_nanosleep': 'monotonic', 'usleep': 'usleep',
        'sleep': 'sleep', 'thrd_sleep': 'thrd_sleep', 'select': 'select', '__select': 'select-alias',
        'pselect': 'pselect', 'poll': 'poll', '__poll': 'poll-alias', '__poll_chk': 'poll-chk', 'ppoll': 'ppoll',
        '__ppoll_chk': 'ppoll-chk'}
CALL = {name: re.sub('^__|_chk$', '', name) for name in STEP}


class Case(tally.Case):
    def setUp(self):
        super().setUp()
        self.make()

    def foreign(self, name):
        path = self.path(f'foreign_{name}.so')
        return path if os.path.exists(path) else lab.link(self.other('foreign_' + name), self.folder,
                                                          f'foreign_{name}.so')

    def assert_counted(self, names):
        self.assertEqual(self.by_call('served'), dict(collections.Counter(CALL[name] for name in names)))
        self.assertEqual(self.by_call('passed'), {})


class Each(Case):
    def test_a_function_is_left_alone_and_the_others_are_served(self):
        for own in STEP:
            self.make()
            others = [name for name in STEP if name not in (own, 'sleep')]
            self.run_counted(*(f'{STEP[name]}*1:{3 * MS}' for name in others), f'{STEP[own]}:{HOUR}',
                             preload=[self.object, self.foreign(own)])
            self.assert_counted(others)

    def test_an_object_before_this_one(self):
        for own in STEP:
            self.make()
            self.run_counted(f'{STEP[own]}:{HOUR}', preload=[self.foreign(own), self.object])
            self.assert_counted([])

    def test_absolute_times(self):
        for step in 'monotonic-abs', 'real', 'real-abs':
            self.run_counted(f'{step}:{HOUR}', preload=[self.object, self.foreign('clock_nanosleep')])

    def test_brief_sleeps(self):
        """They are passed on by the C library's functions, and not by those of others."""
        names = [name for name in STEP if name not in ('poll', '__poll', '__poll_chk', 'sleep')]
        self.assert_slept(self.run_counted(
            *(f'{STEP[name]}:{5 * MS}' for name in names if name != 'clock_nanosleep'),
            preload=[self.object, self.foreign('clock_nanosleep')], HPT_RUN=f'least={100 * MS}'))
        self.assertEqual(self.by_call('served'), {})

    def test_waits_of_served_sleeps(self):
        """Each wait would be skipped, and the sleep be all spin."""
        self.assert_slept(self.run_counted(f'nanosleep:{20 * MS}', f'thrd_sleep:{20 * MS}', HPT_RUN='policy=3',
                                           preload=[self.object, self.foreign('clock_nanosleep')]))
        self.assertEqual(sum(self.bins('kernel_late')), 2)


class Ways(Case):
    def test_a_library_that_the_program_is_linked_with(self):
        program = self.other('steps_foreign')
        self.run_counted(f'nanosleep:{HOUR}', f'monotonic*2:{3 * MS}', program=program)
        self.assert_counted(['clock_nanosleep'] * 2)

    def test_functions_of_the_program_itself(self):
        program = self.other('steps_itself')
        self.run_counted(f'nanosleep:{HOUR}', f'monotonic*2:{3 * MS}', program=program)
        self.assert_counted(['clock_nanosleep'] * 2)

    def test_functions_that_are_protected(self):
        self.run_counted(f'nanosleep:{HOUR}', preload=[self.object, self.foreign('protected')])
        self.assert_counted([])

    def test_versions_that_are_not_the_c_librarys(self):
        """No program that was linked without the library is bound to them."""
        for preload in [self.foreign('versioned')], [self.object, self.foreign('versioned')]:
            self.assert_slept(self.run_counted(f'nanosleep:{3 * MS}', preload=preload))
        self.assert_counted(['nanosleep'])

    def test_one_through_another(self):
        """clock_nanosleep() by nanosleep(), whose wait is clock_nanosleep()."""
        through = self.foreign('through_nanosleep')
        steps = [f'monotonic:{3 * MS}', f'monotonic-abs:{3 * MS}', f'nanosleep:{3 * MS}']
        for preload in [self.object, through], [through, self.object]:
            self.make()
            sleeps = self.run_counted(*steps, preload=preload)
            self.assertEqual([s.result for s in sleeps], [0, 0, 0])
            self.assert_counted(['nanosleep'] * 3)
        program = self.other('steps_through')
        self.make()
        self.run_counted(*steps, program=program)
        self.assert_counted(['nanosleep'] * 3)

    def test_calls_that_are_passed_on(self):
        """The first of several objects that ask for the next one."""
        forwarding = self.foreign('forwarding')
        for preload, served in ([forwarding, self.object], ['nanosleep']), ([self.object, forwarding], []):
            self.make()
            self.assert_slept(self.run_counted(f'nanosleep:{3 * MS}', preload=preload))
            self.assert_counted(served)

    def test_a_c_library_that_is_named_by_its_path(self):
        text = subprocess.run([self.tool('ldd'), lab.STEPS], stdout=subprocess.PIPE, text=True, check=True).stdout
        found = re.search(r'libc\.so\S* => (\S+)', text)
        if not found:
            self.skipTest('ldd shows no C library')
        libc = lab.link(found.group(1), self.folder, 'libc.so')
        for preload, served in ([self.object, libc], ['nanosleep']), ([libc, self.object], []):
            self.make()
            self.assert_slept(self.run_counted(f'nanosleep:{3 * MS}', preload=preload))
            self.assert_counted(served)


class Opened(Case):
    def output(self, preload, way):
        env = {**lab.clean_env(), **({'LD_PRELOAD': preload} if preload else {})}
        done = subprocess.run([self.other('opener'), way, self.foreign('nanosleep')], env=env, capture_output=True,
                              text=True, timeout=lab.LIMIT_S, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ''), way)
        return done.stdout

    def test_libraries_that_are_opened_later(self):
        seen = set()
        for way in 'local', 'global', 'deep', 'namespace':
            plain = self.output(None, way)
            self.assertEqual(self.output(self.object, way), plain, way)
            seen.add(plain)
        self.assertGreater(len(seen), 1)


if __name__ == '__main__':
    lab.main()
