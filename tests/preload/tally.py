# SPDX-License-Identifier: MIT
"""tally.py OBJECT STEPS [NAME=PATH...]: the counts that programs add to the file of HPT_RUN_STATS."""
import errno
import os
import struct
import subprocess
import unittest

import lab

CALLS = ['nanosleep', 'clock_nanosleep', 'usleep', 'sleep', 'thrd_sleep', 'select', 'pselect', 'poll', 'ppoll',
         'epoll_wait', 'epoll_pwait', 'epoll_pwait2', 'sem_timedwait', 'sem_clockwait', 'pthread_cond_timedwait',
         'pthread_cond_clockwait', 'cnd_timedwait', 'futex']


# Why sleeps are not spun, as enum hpt_unspun has it.
REASONS = ['not', 'budget', 'crowd', 'backoff', 'events', 'limit']


def layout_of(program):
    text = subprocess.run([program], stdout=subprocess.PIPE, text=True, check=True).stdout
    return {name: int(value) for name, value in (line.split() for line in text.splitlines())}


class Case(lab.Case):
    def setUp(self):
        super().setUp()
        self.layout = layout_of(self.other('layout'))
        self.file = self.path('tally')

    def make(self, magic=None, size=None):
        magic = self.layout['MAGIC'] if magic is None else magic
        size = self.layout['SIZE'] if size is None else size
        with open(self.file, 'wb') as f:
            f.write((struct.pack('=Q', magic) + bytes(self.layout['SIZE']))[:size])

    def content(self):
        with open(self.file, 'rb') as f:
            return f.read()

    def numbers(self, name, n=1):
        return list(struct.unpack_from(f'={n}Q', self.content(), self.layout[name]))

    def number(self, name):
        return self.numbers(name)[0]

    def by_call(self, name):
        return {call: n for call, n in zip(CALLS, self.numbers(name, self.layout['CALLS'])) if n}

    def unspun(self):
        return dict(zip(REASONS, self.numbers('unspun', self.layout['REASONS'])))

    def bins(self, name):
        """Of all functions, where each has its own."""
        n, functions = self.layout['BINS'], self.layout['CALLS'] if name == 'late' else 1
        numbers = self.numbers(name, n * functions)
        return [sum(numbers[i::n]) for i in range(n)]

    def run_counted(self, *steps, **kw):
        return self.run_steps(*steps, HPT_RUN_STATS=self.file, **kw)


class Counts(Case):
    def test_each_function(self):
        self.make()
        self.run_counted('nanosleep*2:3000000', 'monotonic*3:3000000', 'real*1:3000000', 'real-abs*1:300000000',
                         'usleep*4:3000000', 'sleep*1:1000000000', 'thrd_sleep*6:3000000', 'select*7:3000000',
                         'pselect*8:3000000', 'poll*9:3000000', 'ppoll*10:3000000', 'nanosleep*11:49999',
                         'monotonic*12:1000', 'usleep*13:1000', 'thrd_sleep*14:1', 'select*15:1000', 'pselect*16:1',
                         'ppoll*17:1', 'real-abs*18:1')
        self.assertEqual(self.by_call('served'), {
            'nanosleep': 2, 'clock_nanosleep': 5, 'usleep': 4, 'sleep': 1, 'thrd_sleep': 6, 'select': 7, 'pselect': 8,
            'poll': 9, 'ppoll': 10})
        self.assertEqual(self.by_call('passed'), {
            'nanosleep': 11, 'clock_nanosleep': 30, 'usleep': 13, 'thrd_sleep': 14, 'select': 15, 'pselect': 16,
            'ppoll': 17})
        self.assertEqual((self.number('programs'), self.number('interrupted')), (1, 0))
        self.assertEqual(sum(self.bins('late')), 52)
        self.assertGreaterEqual(sum(self.bins('kernel_late')), 1)
        self.assertGreater(self.number('spun_ns'), 0)

    def test_other_names_of_a_function(self):
        self.make()
        self.run_counted('nanosleep-alias*1:3000000', 'select-alias*2:3000000', 'poll-alias*3:3000000',
                         'poll-chk*4:3000000', 'ppoll-chk*5:3000000', 'ppoll-chk*6:1')
        self.assertEqual(self.by_call('served'), {'nanosleep': 1, 'select': 2, 'poll': 7, 'ppoll': 5})
        self.assertEqual(self.by_call('passed'), {'ppoll': 6})

    def test_interrupted_sleeps(self):
        self.make()
        sleeps = self.run_counted('nanosleep*3:2000000', 'alarm:20000000', 'nanosleep:30000000000')
        self.assertEqual([s.result for s in sleeps], [errno.EINTR], sleeps)
        self.assertEqual(self.by_call('served'), {'nanosleep': 4})
        self.assertEqual(self.number('interrupted'), 1)
        self.assertEqual(sum(self.bins('late')), 3)

    def test_bins_are_of_the_lateness(self):
        """Sleeps that the kernel ends are late, and not by minutes."""
        self.make()
        self.run_counted('nanosleep*20:1000000', HPT_RUN='policy=3')
        late = self.bins('late')
        self.assertEqual((sum(late), sum(late[36:])), (20, 0))
        self.assertGreater(sum(late[1:]), 0)

    def test_children_and_programs_add_up(self):
        self.make()
        for _ in range(3):
            self.run_counted('nanosleep*5:1000000', 'fork', 'nanosleep*7:1000000')
        self.assertEqual(self.by_call('served'), {'nanosleep': 36})
        self.assertEqual(self.number('programs'), 3)

    def test_budget_is_spent_and_a_child_begins_anew(self):
        """Sleeps that are all spin spend the 10 ms that are saved up; the first of a child spins again."""
        before = self.path('before')
        self.make()
        self.run_counted('nanosleep*24:900000', 'fork', f'run:cp {self.file} {before}', 'nanosleep*1:900000',
                         HPT_RUN='policy=4,budget=1')
        unspun, served = self.unspun()['budget'], sum(self.by_call('served').values())
        self.assertGreaterEqual(unspun, 8)
        self.file = before
        self.assertEqual((self.unspun()['budget'], sum(self.by_call('served').values())), (unspun, served - 1))

    def test_no_budget_is_no_spin(self):
        self.make()
        self.run_counted('nanosleep*4:900000', HPT_RUN='policy=4,budget=0')
        self.assertEqual(self.unspun(), {**dict.fromkeys(REASONS, 0), 'budget': 4})
        self.assertEqual(sum(self.bins('kernel_late')), 4)

    def test_spinning_is_counted(self):
        """A budget of 100 % gains at least what is spent, also by a spin that loses its CPU."""
        self.make()
        self.run_counted('nanosleep*2:900000', HPT_RUN='policy=4,budget=100')
        self.assertGreaterEqual(self.number('spun_ns'), 1_790_000)
        self.assertEqual((sum(self.bins('kernel_late')), sum(self.unspun().values())), (0, 0))


class Files(Case):
    def test_another_layout_is_left_alone(self):
        for magic, size in (0, None), (1, None), (None, 8), (None, 0), (None, self.layout['SIZE'] - 1):
            self.make(magic, size)
            before = self.content()
            self.assert_slept(self.run_counted('nanosleep:2000000'))
            self.assertEqual(self.content(), before)

    def test_other_than_regular_files(self):
        def fifo():
            os.mkfifo(self.file)
        def folder():
            os.mkdir(self.file)
        def dangling():
            os.symlink(self.path('missing'), self.file)
        for prepare, remove in (lambda: None, None), (fifo, os.unlink), (folder, os.rmdir), (dangling, os.unlink):
            prepare()
            self.assert_slept(self.run_counted('nanosleep:2000000'))
            if remove:
                remove(self.file)
        for self.file in '/dev/null', '/dev/zero', '', '/proc/self/mem', 'x' * 5000:
            self.assert_slept(self.run_counted('nanosleep:2000000'))

    @unittest.skipIf(os.geteuid() == 0, 'root may write to any file')
    def test_unwritable_file(self):
        self.make()
        os.chmod(self.file, 0o400)
        before = self.content()
        self.assert_slept(self.run_counted('nanosleep:2000000'))
        self.assertEqual(self.content(), before)

    def test_file_that_may_be_written_but_not_read(self):
        self.make()
        os.chmod(self.file, 0o200)
        self.assert_slept(self.run_counted('nanosleep:2000000'))

    def test_layout_is_that_of_32_bits(self):
        self.assertEqual(layout_of(self.other('layout32')), self.layout)


if __name__ == '__main__':
    lab.main()
