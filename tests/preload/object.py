# SPDX-License-Identifier: MIT
"""object.py OBJECT STEPS [NAME=PATH...]: the object's exports and needs, and what it does when it is loaded."""
import os
import re
import subprocess
import unittest

import lab

HOOKS = {'nanosleep', 'clock_nanosleep', 'usleep', 'sleep', 'thrd_sleep', 'select', 'pselect', 'poll', 'ppoll',
         '__nanosleep', '__select', '__poll', '__poll_chk', '__ppoll_chk', 'epoll_wait', 'epoll_pwait', 'epoll_pwait2',
         'sem_timedwait', 'sem_clockwait', 'pthread_cond_clockwait', 'cnd_timedwait', 'cnd_signal', 'cnd_broadcast',
         'prctl'}
# Those of 64-bit time, where the plain one has 32.
WIDE = {'__nanosleep64', '__clock_nanosleep_time64', '__thrd_sleep64', '__select64', '__pselect64', '__ppoll64',
        '__ppoll64_chk', '__epoll_pwait2_time64', '__sem_timedwait64', '__sem_clockwait64',
        '__pthread_cond_timedwait64', '__pthread_cond_clockwait64', '__cnd_timedwait64'}
# The C library of some architectures has older ones too.
CONDS = {'pthread_cond_timedwait', 'pthread_cond_signal', 'pthread_cond_broadcast'}
SLEEPS = ['nanosleep:20000000', 'nanosleep:80000', 'nanosleep:10000', 'usleep:2000000', 'monotonic:3000000',
          'monotonic-abs:3000000', 'real-abs:3000000', 'thrd_sleep:3000000', 'sleep:1000000000', 'real:300000']
WAITS = [f'{name}:3000000' for name in ('select', 'select-alias', 'pselect', 'poll', 'poll-alias', 'poll-chk', 'ppoll',
                                        'ppoll-chk')]


def output_of(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout


class File(lab.Case):
    def check_exports(self, path):
        lines = output_of(self.tool('nm'), '-D', '--defined-only', path).splitlines()
        names = {line.split()[-1] for line in lines}
        versions = {name.split('@@')[1] for name in names if '@@' in name}
        self.assertLessEqual(versions, {'GLIBC_2.3.2'})
        conds = {f'{name}@@GLIBC_2.3.2' for name in CONDS} if versions else CONDS
        header = output_of(self.tool('readelf'), '-hW', path)
        has_syscall = re.search(r'ELF64[^$]*(X86-64|AArch64)', header)
        has_wide = 'ELF32' in header and not re.search(r'X86-64|RISC-V', header)
        self.assertEqual(names - {'GLIBC_2.3.2'}, HOOKS | conds | {'__asan_default_options'} |
                         ({'syscall'} if has_syscall else set()) | (WIDE if has_wide else set()))

    def test_exports_are_the_hooks(self):
        self.check_exports(lab.OBJECT)

    def test_exports_of_32_bits(self):
        self.check_exports(self.other('object32'))

    def test_needs_the_c_library_alone(self):
        text = output_of(self.tool('readelf'), '-dW', lab.OBJECT)
        needed = set(re.findall(r'\(NEEDED\).*\[(.*)\]', text))
        # Before glibc 2.34 these were libraries of their own. Some architectures name the dynamic linker.
        extra = {n for n in needed if not re.match(r'lib(dl|pthread|rt)\.so|ld[-.].*', n)}
        self.assertEqual(len(extra), 1, needed)
        self.assertRegex(extra.pop(), r'^libc\.so\.')
        self.assertRegex(text, r'\bNODELETE\b')
        self.assertRegex(text, r'\bNOW\b')

    def test_needs_no_newer_c_library(self):
        """Programs may bring their own, from glibc 2.28 on."""
        for path in [lab.OBJECT] + [lab.OTHERS[name] for name in ('object32',) if name in lab.OTHERS]:
            text = output_of(self.tool('readelf'), '-VW', path)
            needed = re.findall(r'Name: GLIBC_(\S+)', text)
            self.assertTrue(needed)
            for version in needed:
                self.assertRegex(version, r'^\d+(\.\d+)+$')
                self.assertLessEqual(tuple(int(n) for n in version.split('.')), (2, 28), path)

    def test_asks_for_no_executable_stack(self):
        text = output_of(self.tool('readelf'), '-lW', lab.OBJECT)
        self.assertRegex(text, r'GNU_STACK.* RW +0x')


class Loaded(lab.Case):
    def test_binds_at_once_and_in_an_empty_environment(self):
        self.assert_slept(self.run_steps(*SLEEPS[:4], LD_BIND_NOW='1'))
        done = subprocess.run([lab.STEPS, *SLEEPS[:4]], env={'LD_PRELOAD': self.object}, capture_output=True, text=True,
                              timeout=lab.LIMIT_S, check=False)
        self.assertEqual((done.returncode, done.stderr, done.stdout.count('\n')), (0, '', 4))

    def test_leaves_room_for_static_tls(self):
        """Libraries that need static TLS, as many bytes as they get without the object."""
        other = self.other('static_tls')
        self.assert_slept(self.run_steps(f'open:{other}', *SLEEPS[:4]))

    def test_early_sleeps(self):
        """A constructor before the object's own, and malloc() in its first calls."""
        early = lab.link(self.other('early'), self.folder, 'early.so')
        for preload in [self.object, early], [early, self.object], [early]:
            for choices in '', 'waits=1':
                self.assert_slept(self.run_steps(*SLEEPS[:4], preload=preload, HPT_RUN=choices))


class Traced(lab.Traced):
    def between_sleeps(self, lines, name):
        """The calls from the first to the last of that name, without the reads of the clock by this test."""
        calls = self.calls(lines)
        first, last = calls.index(name), len(calls) - calls[::-1].index(name)
        return set(calls[first:last]) - {'clock_gettime', 'clock_gettime64'}

    def test_sleeps_are_clock_nanosleep_alone(self):
        # Brief sleeps may be all spin.
        lines = self.traced(self.object, 'nanosleep:20000000', *SLEEPS, 'nanosleep:20000000')
        self.assertEqual(self.between_sleeps(lines, 'clock_nanosleep'), {'clock_nanosleep'})

    def test_clock_is_asked_without_system_calls(self):
        """The test itself reads it twice a sleep that is reported."""
        def reads(preload):
            calls = self.calls(self.traced(preload, 'nanosleep*20:3000000', 'real-abs*20:2000000'))
            return sum(call.startswith('clock_gettime') for call in calls)
        if reads(None):
            self.skipTest('here the clock is a system call')
        self.assertEqual(reads(self.object), 0)

    def test_waits_are_of_the_function_that_was_called(self):
        for step in WAITS:
            calls = set(self.calls(self.traced(self.object, step)))
            name = step.split(':')[0].split('-')[0]
            family = {'select': {'select', 'pselect6'}, 'pselect': {'pselect6'}}.get(name, {name, 'ppoll'})
            self.assertTrue(calls & family, (step, calls))
            self.assertNotIn('clock_nanosleep', calls, step)

    def test_loading_opens_the_object_alone(self):
        def opened(preload):
            lines = self.traced(preload, 'nanosleep:1000000')
            return {m.group(1) for m in (re.search(r'^open(?:at)?\(.*?"([^"]*)".*= \d', line) for line in lines) if m}
        extra = opened(self.object) - opened(None)
        libraries = {path for path in extra if re.match(r'lib(dl|pthread|rt)\.so', os.path.basename(path))}
        self.assertEqual(extra - libraries, {self.object})

    def test_loading_changes_nothing(self):
        """Nothing is written, no signal is touched, no limit, no timer slack."""
        bare, lines = self.traced(None, 'nanosleep:1000000'), self.traced(self.object, 'nanosleep:1000000')
        extra = set(self.calls(lines)) - set(self.calls(bare))
        self.assertLessEqual(extra, {'madvise', 'munmap', 'prctl', 'sched_getscheduler', 'sched_getaffinity',
                                     'sched_getattr', 'prlimit64', 'getrlimit', 'ugetrlimit', 'mprotect',
                                     'getpid'}, extra)
        for line in lines:
            self.assertNotRegex(line, r'^prctl\(PR_SET')


if __name__ == '__main__':
    lab.main()
