# SPDX-License-Identifier: MIT
"""wide.py OBJECT STEPS [NAME=PATH...]: 32-bit programs with 64-bit time. Their functions have names of their own."""
import errno
import os
import subprocess

import lab
import tally

MS = lab.MS
HOUR = 3600_000 * MS
# A wait by each function, and how the counts name it.
STEP = {'nanosleep': 'nanosleep', 'clock_nanosleep': 'monotonic', 'thrd_sleep': 'thrd_sleep', 'select': 'select-fd',
        'pselect': 'pselect-fd', 'ppoll': 'ppoll-fd', 'epoll_pwait2': 'epoll_pwait2', 'sem_timedwait': 'sem_timedwait',
        'sem_clockwait': 'sem_clockwait', 'pthread_cond_timedwait': 'cond_timedwait',
        'pthread_cond_clockwait': 'cond_clockwait', 'cnd_timedwait': 'cnd_timedwait'}
SLEEPS = {'nanosleep': ['nanosleep'], 'clock_nanosleep': ['monotonic', 'monotonic-abs', 'real', 'real-abs'],
          'thrd_sleep': ['thrd_sleep'], 'select': ['select'], 'pselect': ['pselect'], 'ppoll': ['ppoll']}


class Case(tally.Case):
    def setUp(self):
        super().setUp()
        self.program = self.other('wait_steps32_wide')
        self.object = lab.link(self.other('object32'), self.folder, 'object32.so')
        self.make()

    def foreign(self, width, name):
        path = self.path(f'foreign{width}_{name}.so')
        return path if os.path.exists(path) else lab.link(self.other(f'foreign32{width}_{name}'), self.folder,
                                                          f'foreign{width}_{name}.so')

    def run_waits(self, *steps, **kw):
        return self.run_counted(*steps, program=self.program, **{'HPT_RUN': 'waits=1', **kw})

    def names(self):
        """The functions that this system has."""
        sleeps = self.run_steps(*(f'{step}:0' for step in STEP.values()), program=self.program, preload=[])
        return [name for name, s in zip(STEP, sleeps) if s.result != errno.ENOSYS]


class Each(Case):
    def test_waits_are_served(self):
        names = self.names()
        self.assertGreaterEqual(len(names), len(STEP) - 1)
        self.assert_slept(self.run_waits(*(f'{STEP[name]}:{3 * MS}' for name in names)))
        self.assertEqual(self.by_call('served'), dict.fromkeys(names, 1))

    def test_sleeps_are_served(self):
        """By functions that without descriptors are sleeps too."""
        steps = [step for steps in SLEEPS.values() for step in steps]
        self.assert_slept(self.run_waits(*(f'{step}:{3 * MS}' for step in steps), HPT_RUN='waits=0'))
        self.assertEqual(self.by_call('served'), {name: len(steps) for name, steps in SLEEPS.items()})

    def test_without_waits_the_others_are_passed_on(self):
        names = [name for name in self.names() if name not in SLEEPS]
        self.assert_slept(self.run_waits(*(f'{STEP[name]}:{3 * MS}' for name in names), HPT_RUN='waits=0'))
        self.assertEqual((self.by_call('served'), self.by_call('passed')), ({}, {}))

    def test_brief_sleeps_are_passed_on(self):
        names = self.names()
        self.assert_slept(self.run_waits(*(f'{STEP[name]}:{3 * MS}' for name in names),
                                         HPT_RUN=f'waits=1,least={100 * MS}'))
        self.assertEqual((self.by_call('served'), self.by_call('passed')), ({}, dict.fromkeys(names, 1)))

    def test_what_is_left_of_32_bits_is_counted(self):
        """Times that 32 bits do not hold are passed on, and nothing counts them."""
        steps = [f'{step}:{2**32 * 1000 * MS}' for steps in SLEEPS.values() for step in steps]
        for step in steps:
            slept, = self.run_waits(f'alarm:{20 * MS}', step)
            self.assertEqual(slept.result, errno.EINTR, slept)
        self.assertEqual((self.by_call('served'), self.number('interrupted')), ({}, 0))


class Foreign(Case):
    def test_the_same_name_of_another_object(self):
        """Its sleeps end at once."""
        names = self.names()
        for own in names:
            self.make()
            others = [name for name in names if name != own]
            self.run_waits(*(f'{STEP[name]}*1:{3 * MS}' for name in others), f'{STEP[own]}:{HOUR}',
                           preload=[self.object, self.foreign('_wide', own)])
            self.assertEqual(self.by_call('served'), dict.fromkeys(others, 1), own)

    def test_the_plain_name_of_another_object(self):
        """It is not called, nor has it a part in the waits of others."""
        names = self.names()
        for own in names:
            self.make()
            self.assert_slept(self.run_waits(*(f'{STEP[name]}:{3 * MS}' for name in names),
                                             preload=[self.object, self.foreign('', own)]))
            self.assertEqual(self.by_call('served'), dict.fromkeys((name for name in names if name != own), 1), own)

    def test_another_time(self):
        """By either name: then nothing is served."""
        for width in '', '_wide':
            self.make()
            self.assert_slept(self.run_waits(*(f'{step}:{3 * MS}' for step in ('nanosleep', 'select', 'usleep')),
                                             preload=[self.object, self.foreign(width, 'clock_gettime')]))
            self.assertEqual(self.by_call('served'), {}, width)


class Coarse(Case):
    def test_coarse_clocks(self):
        seen, fine = self.other('seen32_wide'), lab.link(self.other('coarse32'), self.folder, 'coarse32.so')
        for preload, kind in (self.object, 'coarse'), (fine, 'fine'):
            env = {**lab.clean_env(), 'LD_PRELOAD': preload}
            done = subprocess.run([seen, 'coarse'], env=env, capture_output=True, text=True, timeout=lab.LIMIT_S,
                                  check=False)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (0, f'{kind} {kind}\n', ''))


if __name__ == '__main__':
    lab.main()
