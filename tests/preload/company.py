# SPDX-License-Identifier: MIT
"""company.py OBJECT STEPS [NAME=PATH...]: with other preloaded objects, sanitizers, sandboxes, and with 32 bits."""
import ctypes.util
import errno
import glob
import os
import re
import shutil
import subprocess
import unittest

import lab
import tally

MS = lab.MS
HERE = os.path.dirname(os.path.abspath(__file__))
SLEEPS = ['nanosleep:20000000', 'usleep:300000', 'monotonic:3000000', 'monotonic-abs:3000000', 'thrd_sleep:80000',
          'poll:3000000', 'select:3000000', 'pselect:3000000', 'ppoll:3000000', 'nanosleep*100:70000', 'real:10000']
FAKETIME = glob.glob('/usr/lib/*/faketime/libfaketime.so.1') + glob.glob('/usr/lib*/faketime/libfaketime.so.1')


@unittest.skipUnless(FAKETIME, 'no libfaketime')
class Faketime(lab.Case):
    def setUp(self):
        super().setUp()
        self.fake = lab.link(FAKETIME[0], self.folder, 'faketime.so')

    def times(self, preload, spec, steps):
        return self.run_steps(*steps, preload=preload, FAKETIME=spec, FAKETIME_DONT_FAKE_MONOTONIC='0')

    def compare(self, spec, *steps):
        """In both orders sleeps have the same results as without the object, and are as long, to half a second."""
        want = self.times([self.fake], spec, steps)
        for preload in [self.object, self.fake], [self.fake, self.object]:
            found = self.times(preload, spec, steps)
            self.assertEqual([s.result for s in found], [s.result for s in want], (spec, preload))
            for a, b in zip(found, want):
                self.assertLess(abs(a.took_ns - b.took_ns), 500 * MS, (spec, preload, a, b))

    def test_other_days(self):
        for spec in '+2d', '-2d', '@2031-02-03 04:05:06':
            self.compare(spec, *SLEEPS, 'real-abs:20000000')

    def test_frozen_time(self):
        self.compare('2031-02-03 04:05:06', *(s for s in SLEEPS if 'abs' not in s))

    def test_other_rates(self):
        for spec in '+0 x10', '+0 x0.5':
            self.compare(spec, 'nanosleep:1000000000', 'usleep:900000', 'poll:1000000000', 'select:1000000000',
                         'sleep:1000000000')


# What each function is called in the counts, and a sleep by it.
CALLS = {'nanosleep': 'nanosleep', 'clock_nanosleep': 'monotonic', 'usleep': 'usleep', 'thrd_sleep': 'thrd_sleep',
         'select': 'select', 'pselect': 'pselect', 'poll': 'poll', 'ppoll': 'ppoll'}


class Built(tally.Case):
    def built(self, compiler, *flags, sources=('steps.c', 'sleeper.c')):
        path = self.path('program')
        paths = [os.path.join(HERE, name) for name in sources]
        command = [self.tool(compiler), '-D_GNU_SOURCE', f'-I{HERE}/../process', '-g', '-O1', *flags, '-o', path,
                   *paths, '-lpthread', '-ldl']
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            self.skipTest(f'{compiler} {" ".join(flags)} cannot link here')
        return path

    def runtime(self, program, name):
        """The shared runtime that the program needs."""
        text = subprocess.run([self.tool('ldd'), program], stdout=subprocess.PIPE, text=True, check=True).stdout
        found = re.search(rf'{name}\S* => (\S+)', text)
        if not found:
            self.skipTest(f'no shared {name}')
        return lab.link(found.group(1), self.folder, name)


class Sanitizers(Built):
    def address_sanitized(self):
        """Programs that need the shared runtime, and where it is."""
        yield self.built('gcc', '-fsanitize=address'), 'libasan.so'
        clang = self.tool('clang')
        folder = subprocess.run([clang, '-print-runtime-dir'], stdout=subprocess.PIPE, text=True, check=True).stdout
        yield self.built('clang', '-fsanitize=address', '-shared-libasan', f'-Wl,-rpath,{folder.strip()}'), \
            'libclang_rt.asan'

    def test_address(self):
        """The runtime comes after the object or before it, whatever ASAN_OPTIONS is set to."""
        for program, name in self.address_sanitized():
            asan = self.runtime(program, name)
            for preload in [self.object], [self.object, asan], [asan, self.object]:
                self.assert_slept(self.run_steps(*SLEEPS, program=program, preload=preload))
                self.assert_slept(self.run_steps(*SLEEPS, program=program, preload=preload,
                                                 ASAN_OPTIONS='detect_leaks=0'))

    def test_address_after_another_object(self):
        """The runtime refuses to run, as without the object."""
        early = lab.link(self.other('early'), self.folder, 'early.so')
        for program, _ in self.address_sanitized():
            for preload in [early], [early, self.object], [self.object, early]:
                p = subprocess.run([program], env={'LD_PRELOAD': ':'.join(preload)}, capture_output=True, text=True,
                                   timeout=lab.LIMIT_S, check=False)
                self.assertIn('ASan runtime does not come first', p.stderr, preload)

    def test_address_in_a_library(self):
        """A plain program that loads one is told which runtime is missing, as without the object."""
        library = self.path('library.so')
        with open(self.path('library.c'), 'w', encoding='ascii') as f:
            f.write('int f(void);\nint f(void) { return 3; }\n')
        done = subprocess.run([self.tool('gcc'), '-shared', '-fPIC', '-fsanitize=address', '-o', library,
                               self.path('library.c')], capture_output=True, check=False)
        if done.returncode:
            self.skipTest('gcc -fsanitize=address cannot link here')
        asan = self.runtime(library, 'libasan.so')
        for preload in [], [self.object]:
            p = subprocess.run([lab.STEPS, f'open:{library}'], env={'LD_PRELOAD': ':'.join(preload)},
                               timeout=lab.LIMIT_S, capture_output=True, text=True, check=False)
            self.assertIn('ASan runtime does not come first', p.stderr, preload)
        for preload in [asan, self.object], [self.object, asan]:
            self.assert_slept(self.run_steps(f'open:{library}', *SLEEPS, preload=preload))

    def served(self, program, preload, **env):
        """The functions that were served, of one sleep by each."""
        self.make()
        self.assert_slept(self.run_counted(*(f'{step}:{3 * MS}' for step in CALLS.values()), program=program,
                                           preload=preload, **env))
        self.assertEqual((self.by_call('passed'), set(self.by_call('served').values())), ({}, {1}))
        return set(self.by_call('served'))

    def intercepted(self, runtime):
        """The functions that the runtime has itself."""
        text = subprocess.run([self.tool('nm'), '-D', '--defined-only', runtime], stdout=subprocess.PIPE, text=True,
                              check=True).stdout
        return {line.split()[-1].split('@')[0] for line in text.splitlines()} & set(CALLS)

    def check_runtime(self, program, runtime, **env):
        """Before the object the runtime's functions call it; after it they are called, and call the C library."""
        self.assertEqual(self.served(program, [runtime, self.object], **env), set(CALLS))
        own = self.intercepted(os.path.realpath(runtime))
        self.assertTrue(own)
        self.assertEqual(self.served(program, [self.object], **env), set(CALLS) - own)

    def test_gcc_address_functions(self):
        program = self.built('gcc', '-fsanitize=address')
        self.check_runtime(program, self.runtime(program, 'libasan.so'))

    def test_gcc_thread(self):
        program = self.built('gcc', '-fsanitize=thread')
        tsan = self.runtime(program, 'libtsan.so')
        for preload in [tsan, self.object], [self.object]:
            self.assert_slept(self.run_steps(*SLEEPS, program=program, preload=preload))
        self.check_runtime(program, tsan)

    def test_gcc_undefined(self):
        program = self.built('gcc', '-fsanitize=undefined')
        self.assert_slept(self.run_steps(*SLEEPS, program=program))

    def test_clang(self):
        """Its runtimes are part of the program."""
        for kind in 'address', 'thread', 'memory', 'leak', 'undefined':
            program = self.built('clang', f'-fsanitize={kind}')
            self.assert_slept(self.run_steps(*SLEEPS, program=program))
            self.assertEqual(self.served(program, [self.object]), set(CALLS))


class Allocators(lab.Case):
    def test_jemalloc(self):
        name = ctypes.util.find_library('jemalloc')
        if not name:
            self.skipTest('no libjemalloc')
        for preload in [self.object, name], [name, self.object]:
            self.assert_slept(self.run_steps(*SLEEPS, preload=preload))


class Sandboxes(lab.Case):
    def test_bubblewrap(self):
        bwrap = [self.tool('bwrap'), '--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--unshare-all']
        if subprocess.run([*bwrap, 'true'], capture_output=True, check=False).returncode:
            self.skipTest('bwrap may not make namespaces here')
        self.assert_slept(self.run_steps(*SLEEPS, prefix=bwrap))

    def test_without_files(self):
        """An empty root, in which the object and the libraries are all there is."""
        bwrap = self.tool('bwrap')
        folders = [f for f in ('/usr', '/lib', '/lib64') if os.path.isdir(f)]
        binds = [word for f in folders for word in ('--ro-bind', f, f)]
        program = [bwrap, *binds, '--ro-bind', lab.OBJECT, '/object.so', '--ro-bind', lab.STEPS, '/steps',
                   '--unshare-all', '--setenv', 'LD_PRELOAD', '/object.so']
        if subprocess.run([bwrap, *binds, '--unshare-all', shutil.which('true')], capture_output=True,
                          check=False).returncode:
            self.skipTest('bwrap may not make namespaces here')
        self.assert_slept(self.run_steps(*SLEEPS, program='/steps', preload=[], prefix=program))


class Unreachable(lab.Case):
    """Programs that cannot have the object: their dynamic linker says so, in one line, and they sleep as they do."""
    def check(self, program, *steps, **kw):
        env = {**lab.clean_env(), 'LD_PRELOAD': self.object}
        done = subprocess.run([program, *steps], env=env, capture_output=True, text=True, timeout=lab.LIMIT_S,
                              check=False, **kw)
        self.assertEqual(done.returncode, 0)
        self.assertRegex(done.stderr, r"^ERROR: ld\.so: object '.*' from LD_PRELOAD cannot be preloaded .*\.\n$")
        self.assertEqual(done.stdout.count('nanosleep '), len(steps))

    def root(self):
        """A folder with the program and its libraries, as another root."""
        os.chmod(self.folder, 0o755)
        text = subprocess.run([self.tool('ldd'), lab.STEPS], stdout=subprocess.PIPE, text=True, check=True).stdout
        for library in re.findall(r'(/\S+) \(', text):
            os.makedirs(os.path.dirname(self.path('root' + library)), exist_ok=True)
            shutil.copy(library, self.path('root' + library))
        shutil.copy(lab.STEPS, self.path('root/steps'))
        return self.path('root')

    def test_a_child_of_32_bits(self):
        self.run_steps(f'nanosleep:{MS}')
        self.check(lab.STEPS, f'run:{self.other("steps32")} nanosleep:{MS}', f'nanosleep:{MS}')

    @unittest.skipIf(os.geteuid(), 'only root has other roots')
    def test_another_root(self):
        root = self.root()
        self.check('/steps', f'nanosleep:{MS}', preexec_fn=lambda: os.chroot(root))

    @unittest.skipIf(os.geteuid(), 'only root has other users')
    def test_another_user(self):
        """Who cannot read the object's folder."""
        steps = os.path.join(self.root(), 'steps')
        os.mkdir(self.path('private'), 0o700)
        self.object = shutil.copy(lab.OBJECT, self.path('private/object.so'))
        self.check(steps, f'nanosleep:{MS}', user=65534, group=65534, extra_groups=[])


class Words32(lab.Case):
    def test_32_bits(self):
        steps, small = self.other('steps32'), lab.link(self.other('object32'), self.folder, 'object32.so')
        steps_taken = [*SLEEPS, 'real-abs:3000000', 'sleep:1000000000']
        self.assert_slept(self.run_steps(*steps_taken, program=steps, preload=[small]))

    def test_sleeps_that_end_beyond_a_time_of_32_bits(self):
        steps, small = self.other('steps32'), lab.link(self.other('object32'), self.folder, 'object32.so')
        longest = ['sleep:4294967295000000000', 'nanosleep:2147483647000000000', 'select:2147483647000000000',
                   'usleep:4294967295000']
        for way in [], [small]:
            for step in longest:
                slept, = self.run_steps('alarm:20000000', step, program=steps, preload=way)
                self.assertEqual(slept.result, errno.EINTR, slept)
                self.assertGreater(slept.took_ns, 19000000, slept)

    def test_32_bits_are_counted_in_the_same_file(self):
        case = tally.Case()
        case.setUp()
        self.addCleanup(case.doCleanups)
        steps, small = self.other('steps32'), lab.link(self.other('object32'), self.folder, 'object32.so')
        case.make()
        case.run_counted('nanosleep*3:1000000', program=steps, preload=[small])
        case.run_counted('nanosleep*4:1000000')
        self.assertEqual((case.by_call('served'), case.number('programs')), ({'nanosleep': 7}, 2))
        self.assertEqual(sum(case.bins('late')), 7)


if __name__ == '__main__':
    lab.main()
