# SPDX-License-Identifier: MIT
"""foreign.py OBJECT STEPS [NAME=PATH...]: objects that have functions of their own get the calls that they would get.

Their sleeps end at once. So a sleep of an hour that ends shows whose it was, and the counts show which were served.
"""
import collections
import errno
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
# The same for waits that events end too.
WAIT = {'select': 'select-fd', 'pselect': 'pselect-fd', 'poll': 'poll-fd', 'ppoll': 'ppoll-fd',
        'epoll_wait': 'epoll_wait', 'epoll_pwait': 'epoll_pwait', 'epoll_pwait2': 'epoll_pwait2',
        'sem_timedwait': 'sem_timedwait', 'pthread_cond_timedwait': 'cond_timedwait', 'syscall': 'futex'}
CALL = {name: re.sub('^__|_chk$', '', name) for name in [*STEP, *WAIT]}
CALL['syscall'] = 'futex'
# What functions return that are no waits: the C library's, and the other object's.
RESULTS = {'pthread_cond_signal': (0, 77), 'prctl': (0, 77), 'syscall': (1, 0)}


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


class Waits(Case):
    """With HPT_RUN=waits=1. What a foreign wait returns may be an event."""

    def run_waits(self, *steps, **kw):
        return self.run_counted(*steps, program=self.other('wait_steps'), HPT_RUN='waits=1', **kw)

    def names(self):
        """The waits that this system has."""
        sleeps = self.run_steps(*(f'{step}:0' for step in WAIT.values()), program=self.other('wait_steps'), preload=[])
        return [name for name, s in zip(WAIT, sleeps) if s.result != errno.ENOSYS]

    def test_all_are_served(self):
        """Else the other tests would show nothing."""
        names = self.names()
        self.assertGreaterEqual(len(names), len(WAIT) - 1)
        self.assert_slept(self.run_waits(*(f'{WAIT[name]}:{3 * MS}' for name in names)))
        if not self.sees_syscalls():
            names.remove('syscall')
        self.assert_counted(names)

    def sees_syscalls(self):
        """Only on some machines the object has a syscall()."""
        before = self.file
        self.file = self.path('futex')
        self.make()
        self.run_waits(f'futex*1:{3 * MS}')
        served = self.by_call('served')
        self.file = before
        return bool(served)

    def test_a_function_is_left_alone_and_the_others_are_served(self):
        names, unseen = self.names(), set() if self.sees_syscalls() else {'syscall'}
        for own in names:
            others = [name for name in names if name != own]
            for preload, served in (([self.object, self.foreign(own)], others), ([self.foreign(own), self.object], [])):
                self.make()
                self.run_waits(*(f'{WAIT[name]}*1:{3 * MS}' for name in others if served), f'{WAIT[own]}:{HOUR}',
                               preload=preload)
                self.assert_counted([name for name in served if name not in unseen])

    def test_signals_of_another_object(self):
        """Its signals are not seen: waits for them are the C library's own."""
        names = [name for name in self.names() if name not in ('pthread_cond_timedwait', 'syscall')]
        for preload in ([self.object, self.foreign('pthread_cond_signal')],
                        [self.foreign('pthread_cond_signal'), self.object]):
            self.make()
            self.assert_slept(self.run_waits(f'cond_timedwait:{3 * MS}', f'cnd_timedwait:{3 * MS}', preload=preload))
            if preload[0] == self.object:
                self.assert_counted([])
        self.make()
        self.assert_slept(self.run_waits(*(f'{WAIT[name]}:{3 * MS}' for name in names),
                                         preload=[self.object, self.foreign('pthread_cond_signal')]))
        self.assert_counted(names)

    def test_functions_that_are_no_waits(self):
        for name, (plain, other) in RESULTS.items():
            calls = [f'call:{name}', f'call:{name}']
            self.assertEqual([s.result for s in self.run_waits(*calls)], [plain] * 2, name)
            for preload in [self.object, self.foreign(name)], [self.foreign(name), self.object]:
                self.assertEqual([s.result for s in self.run_waits(*calls, preload=preload)], [other] * 2, name)


class Fibres(Case):
    """They wait for each other in one thread: of those that the object took none would end."""

    def check(self, program, *preload):
        for choices in 'waits=1', 'waits=1,policy=4,budget=100,least=0':
            self.make()
            env = {**lab.clean_env(), 'LD_PRELOAD': ':'.join(preload), 'HPT_RUN': choices,
                   'HPT_RUN_STATS': self.file}
            done = subprocess.run([self.other(program)], env=env, capture_output=True, text=True,
                                  timeout=lab.LIMIT_S, check=False)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (0, '800 taken, 0 wrong\n', ''), preload)
            self.assertEqual((self.by_call('served'), self.by_call('passed')), ({}, {}))

    def test_of_another_preloaded_object(self):
        fibres = lab.link(self.other('fibres'), self.folder, 'fibres.so')
        for preload in [fibres, self.object], [self.object, fibres]:
            self.check('turns', *preload)

    def test_of_a_library(self):
        self.check('turns_linked', self.object)

    def test_of_the_program_itself(self):
        self.check('turns_itself', self.object)


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
