# SPDX-License-Identifier: MIT
"""older.py OBJECT STEPS [NAME=PATH...]: programs that bring an older C library, that of tests/preload/fetch-libc."""
import glob
import os
import subprocess
import unittest

import lab
import tally

HERE = os.path.dirname(os.path.abspath(__file__))
MS = lab.MS
LIBC = os.environ.get('HPT_TEST_LIBC')
STEPS = {'nanosleep': 'nanosleep', 'clock_nanosleep': 'monotonic', 'usleep': 'usleep', 'thrd_sleep': 'thrd_sleep',
         'select': 'select', 'pselect': 'pselect', 'poll': 'poll-chk', 'ppoll': 'ppoll-chk'}


def only(*pattern):
    found = glob.glob(os.path.join(LIBC, *pattern))
    if len(found) != 1:
        raise AssertionError(f'{len(found)} files are {os.path.join(*pattern)} in {LIBC}')
    return found[0]


@unittest.skipUnless(LIBC, 'no HPT_TEST_LIBC')
class Older(tally.Case):
    def built(self, name, *libraries, helpers=('sleeper.c',)):
        """A program of this folder, linked with the older C library and started by its dynamic linker."""
        libc = only('lib', '*', 'libc.so.6')
        folder, start = os.path.dirname(libc), os.path.dirname(only('usr', 'lib', '*', 'crt1.o'))
        path = self.path(name)
        sources = [os.path.join(HERE, f) for f in (name + '.c', *helpers)]
        headers = [os.path.join(HERE, '..', f) for f in ('process', 'faults', '../include')]
        done = subprocess.run(
            [self.tool('gcc'), '-D_GNU_SOURCE', '-O1', '-no-pie', '-fno-stack-protector', '-nostdlib', '-o', path,
             *(f'-I{f}' for f in headers), *(f'{start}/{f}' for f in ('crt1.o', 'crti.o')), *sources,
             *(f'{folder}/{f}' for f in libraries), libc, f'{start}/libc_nonshared.a', '-lgcc', f'{start}/crtn.o',
             # An RPATH, which also serves libgcc_s.so.1, that cancellation opens.
             f'-Wl,--allow-shlib-undefined,--disable-new-dtags,-rpath,{folder}',
             f'-Wl,--dynamic-linker,{only("lib", "*", "ld-linux*.so.?")}'],
            capture_output=True, text=True, check=False)
        if done.returncode:
            self.skipTest('gcc cannot link with HPT_TEST_LIBC: ' + done.stderr.splitlines()[0])
        return path

    def test_it_is_older(self):
        """Else these tests would show nothing."""
        program = self.built('steps', 'libdl.so.2')
        done = subprocess.run([program, f'open:{only("lib", "*", "libpthread.so.0")}'], check=False)
        self.assertEqual(done.returncode, 0)
        with open(only('lib', '*', 'libc.so.6'), 'rb') as f:
            self.assertNotIn(b'\0GLIBC_2.33\0', f.read())

    def test_without_threads(self):
        """Before glibc 2.34 threads were a library of their own."""
        self.make()
        self.assert_slept(self.run_counted(*(f'{step}:{3 * MS}' for step in STEPS.values()),
                                           program=self.built('steps', 'libdl.so.2')))
        self.assertEqual(self.by_call('served'), {name: 1 for name in STEPS})

    def test_with_threads(self):
        program = self.built('steps', 'libdl.so.2', 'libpthread.so.0')
        self.make()
        self.assert_slept(self.run_counted(*(f'{step}:{3 * MS}' for step in STEPS.values()), program=program))
        self.assertEqual(self.by_call('served'), {name: 1 for name in STEPS})

    def test_a_child(self):
        self.make()
        self.run_counted(f'nanosleep*1:{3 * MS}', f'run:{self.built("steps", "libdl.so.2")} usleep*1:{3 * MS}')
        self.assertEqual(self.by_call('served'), {'nanosleep': 1, 'usleep': 1})

    def test_semantics(self):
        """What holds with the newer one."""
        for name in 'arguments', 'cancel', 'lengths', 'signals':
            program = self.built(name, 'libpthread.so.0')
            for preload in {}, {'LD_PRELOAD': self.object}:
                done = subprocess.run([program], env={**lab.clean_env(), **preload}, capture_output=True, text=True,
                                      timeout=2 * lab.LIMIT_S, check=False)
                self.assertEqual((done.returncode, done.stderr), (0, ''), (name, preload))

    def test_semantics_of_waits(self):
        for name in 'wait_arguments', 'set_arguments', 'word_arguments', 'wait_signals', 'syscalls':
            program = self.built(name, 'libpthread.so.0', 'libdl.so.2', helpers=('sleeper.c', 'waiters.c'))
            for env in {}, {'LD_PRELOAD': self.object, 'HPT_RUN': 'waits=1'}:
                done = subprocess.run([program], env={**lab.clean_env(), **env}, capture_output=True, text=True,
                                      timeout=2 * lab.LIMIT_S, check=False)
                self.assertEqual((done.returncode, done.stderr), (0, ''), (name, env))

    def test_the_command(self):
        hpt, program = self.other('hpt'), self.built('steps', 'libdl.so.2')
        done = subprocess.run([hpt, 'run', '--strict', program, f'nanosleep:{3 * MS}'], capture_output=True, text=True,
                              env={**lab.clean_env(), 'HPT_PRELOAD': self.object}, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ''))


if __name__ == '__main__':
    lab.main()
