# SPDX-License-Identifier: MIT
"""crowd.py OBJECT STEPS [NAME=PATH...]: how much a process spins: by places, budgets, quotas and scheduling class."""
import os
import re
import resource
import struct
import subprocess
import sys
import unittest

import lab
from tally import Case, REASONS

MS = lab.MS
# More than three sleeps in a millisecond are a crowd, whose polls do not spin.
THREADS, POLLS, MANY = 3, 400, 12

# hpt_crowd's word where several threads sleep.
MANY_SLEEP = 2**32 - 1

# Keeps windows under way: of the longest kind, in units of 2048 ns, their end above 12 bits of length.
HOLDER = """
import mmap, struct, sys, time
at, places = int(sys.argv[2]), int(sys.argv[3])
with open(sys.argv[1], 'r+b') as f:
    memory = mmap.mmap(f.fileno(), 0)
is_said = False
while True:
    end = (time.clock_gettime_ns(time.CLOCK_MONOTONIC) + 8_000_000) >> 11
    for i in range(places):
        struct.pack_into('=Q', memory, at + 8 * i, end << 12 | 4095)
    if not is_said:
        print('held', flush=True)
    is_said = True
    time.sleep(0.001)
"""

# Keeps the number of sleeps in a millisecond.
MANY_HOLDER = """
import mmap, struct, sys, time
per_ms, since_ns = map(int, sys.argv[2:4])
with open(sys.argv[1], 'r+b') as f:
    memory = mmap.mmap(f.fileno(), 0)
is_said = False
while True:
    struct.pack_into('=I', memory, per_ms, 1000000)
    struct.pack_into('=q', memory, since_ns, time.clock_gettime_ns(time.CLOCK_MONOTONIC) + 7_000_000)
    if not is_said:
        print('held', flush=True)
    is_said = True
    time.sleep(0.001)
"""


class Crowds(Case):
    def run_crowd(self, *args, cpus=None, settings=''):
        """The number that it prints. On these CPUs alone. poll() waits whole milliseconds."""
        self.make()
        allowed = os.sched_getaffinity(0)
        env = {**lab.clean_env(), 'LD_PRELOAD': self.object, 'HPT_RUN_STATS': self.file,
               'HPT_RUN': f'waits=0,{settings}', 'HPT_RUN_SLACK': '50000'}
        try:
            os.sched_setaffinity(0, sorted(allowed)[:cpus])
            done = subprocess.run([self.other('crowd'), *map(str, args)], env=env, capture_output=True, text=True,
                                  timeout=lab.LIMIT_S, check=False)
        finally:
            os.sched_setaffinity(0, allowed)
        self.assertEqual((done.returncode, done.stderr), (0, ''), args)
        return int(done.stdout)

    def spun(self):
        return sum(self.by_call('served').values()) - sum(self.unspun().values())


class Together(Crowds):
    """Polls of 1 ms are all spin. So many milliseconds of spins fit into the time that all threads took."""

    def test_no_more_spin_at_a_time_than_there_are_places(self):
        for cpus, places in (1, 1), (2, 1), (4, 2):
            if len(os.sched_getaffinity(0)) < cpus:
                continue
            for policy in 0, 1:
                took_ns = self.run_crowd('together', THREADS, POLLS, cpus=cpus, settings=f'policy={policy},budget=100')
                self.assertEqual(self.by_call('served'), {'poll': THREADS * POLLS})
                self.assertLessEqual(self.spun(), places * took_ns / MS + 1)
                self.assertGreaterEqual(self.spun(), 1)

    def test_strict_has_a_place_for_each_cpu(self):
        took_ns = self.run_crowd('together', THREADS, POLLS, cpus=1, settings='policy=2,budget=100')
        self.assertLessEqual(self.spun(), took_ns / MS + 1)

    def test_a_crowd_of_polls_waits(self):
        """Before its first hundred sleeps or so it is not known to be one; load makes it less of one."""
        took_ns = self.run_crowd('together', MANY, POLLS, cpus=2, settings='budget=100')
        if MANY * POLLS * MS / took_ns > 6:
            self.assertLessEqual(self.spun(), MANY * POLLS / 2)
            self.assertGreaterEqual(self.unspun()['crowd'], 1)

    def test_spin_needs_no_place(self):
        self.run_crowd('together', THREADS, 40, cpus=1, settings='policy=4,budget=100')
        self.assertEqual(self.unspun(), dict.fromkeys(REASONS, 0))
        self.assertEqual(self.spun(), THREADS * 40)

    def test_a_spinner_blocks_now_and_then(self):
        """At least once in 50 ms, for RLIMIT_RTTIME; under a lower limit more often."""
        self.run_crowd('together', 1, 200, settings='policy=4,budget=100')
        self.assertEqual(self.unspun(), {**dict.fromkeys(REASONS, 0), 'budget': 200 // 52})
        before = resource.getrlimit(resource.RLIMIT_RTTIME)
        try:
            resource.setrlimit(resource.RLIMIT_RTTIME, (40000, before[1]))
            self.run_crowd('together', 1, 200, settings='policy=4,budget=100')
        finally:
            resource.setrlimit(resource.RLIMIT_RTTIME, before)
        self.assertEqual(self.unspun(), {**dict.fromkeys(REASONS, 0), 'budget': 200 // 12})

    def test_all_threads_share_a_budget(self):
        """A quarter of the time of one place, what is saved up, and one spin for each thread."""
        took_ns = self.run_crowd('together', THREADS, POLLS, cpus=2)
        self.assertLessEqual(self.spun(), 0.25 * took_ns / MS + 10 + THREADS)
        self.assertGreaterEqual(self.unspun()['budget'], 1)


class Lost(Crowds):
    """Threads that never come back from a sleep keep no place: more of them than there can be places known."""

    def check(self, way, times=100):
        for cpus in 1, None:
            self.assertEqual(self.run_crowd(way, times, cpus=cpus, settings='budget=100'), 0)

    def test_cancelled(self):
        self.check('cancelled')

    def test_jumped(self):
        self.check('jumped')

    def test_forked(self):
        self.check('forked')

    def test_ended(self):
        self.check('ended')


class SharedCase(Case):
    def make_crowd(self, magic=None, size=None, cpus=None):
        magic = self.layout['CROWD_MAGIC'] if magic is None else magic
        with open(self.path('crowd'), 'wb') as f:
            f.write((struct.pack('=QI', magic, cpus or len(os.sched_getaffinity(0))) +
                     bytes(self.layout['CROWD_SIZE'] - 12))[:size])
        return self.path('crowd')

    def word(self, path, name):
        with open(path, 'rb') as f:
            return struct.unpack_from('=I', f.read(), self.layout['crowd_' + name])[0]

    def hold(self, program, *args):
        """A program that keeps words of the crowd until it is killed."""
        holder = subprocess.Popen([sys.executable, '-c', program, *map(str, args)], stdout=subprocess.PIPE)
        self.addCleanup(holder.communicate)
        self.addCleanup(holder.kill)
        self.assertEqual(holder.stdout.readline(), b'held\n')
        return holder


class Shared(SharedCase):
    """Programs that share a crowd know of each other."""

    def test_one_thread_is_alone_until_another_program_sleeps(self):
        crowd = self.make_crowd()
        for is_first in True, False:
            self.assert_slept(self.run_steps('nanosleep*20:2000000', HPT_RUN_CROWD=crowd))
            self.assertNotEqual(self.word(crowd, 'only'), 0)
            self.assertEqual(self.word(crowd, 'only') != MANY_SLEEP, is_first)
            self.assertEqual(self.word(crowd, 'process'), 1)

    def test_places_are_for_all_programs(self):
        """Another's windows are over all times, unless it has to wait for a CPU itself: then a program spins."""
        self.make()
        crowd = self.make_crowd()
        places = max(1, len(os.sched_getaffinity(0)) // 2)
        with open(crowd, 'r+b') as f:
            f.seek(self.layout['crowd_only'])
            f.write(struct.pack('=II', MANY_SLEEP, 1))
        self.hold(HOLDER, crowd, self.layout['crowd_windows'], places)
        for _ in range(20):
            self.assert_slept(self.run_counted('poll*400:1000000', HPT_RUN='waits=0,budget=100', HPT_RUN_CROWD=crowd))
            if self.unspun()['crowd']:
                break
        self.assertGreaterEqual(self.unspun()['crowd'], 1)

    def test_other_files_are_left_alone(self):
        for args in ((0, None), (1, None), (None, 8), (None, 0), (None, self.layout['CROWD_SIZE'] - 1),
                     (None, None, 1000)):
            path = self.make_crowd(*args)
            with open(path, 'rb') as f:
                before = f.read()
            self.assert_slept(self.run_steps('nanosleep*3:2000000', HPT_RUN_CROWD=path))
            with open(path, 'rb') as f:
                self.assertEqual(f.read(), before)
        os.unlink(path)
        os.mkfifo(path)
        for path in path, self.path('missing'), '/', '/dev/null', '/dev/zero', '', 'x' * 5000:
            self.assert_slept(self.run_steps('nanosleep*3:2000000', HPT_RUN_CROWD=path))


class Wakes(SharedCase, lab.Traced):
    """Sleeps and waits among many last until multiples of the slack that was taken away, so that they share wakes."""

    GRID_NS, TIMES = 50000, 40

    def ends_ns(self, step, crowd):
        self.make()
        with open('/proc/self/timerslack_ns', encoding='ascii') as f:
            before_ns = int(f.read()) + self.GRID_NS
        lines = self.traced(self.object, f'{step}*{self.TIMES}:1000000', program=self.other('wait_steps'),
                            HPT_RUN='waits=1,budget=100', HPT_RUN_SLACK=str(before_ns), HPT_RUN_CROWD=crowd,
                            HPT_RUN_STATS=self.file)
        return [int(ns) for line in lines for ns in re.findall(r'(?:ABSTIME|BITSET).*?tv_nsec=(\d+)', line)]

    def test_kernel_ends_them_together(self):
        crowd = self.make_crowd()
        with open(crowd, 'r+b') as f:
            f.seek(self.layout['crowd_only'])
            f.write(struct.pack('=II', MANY_SLEEP, 1))
        self.hold(MANY_HOLDER, crowd, self.layout['crowd_sleeps'] + 4, self.layout['crowd_since_ns'])
        for step in 'monotonic', 'sem_timedwait', 'sem_clockwait', 'cond_timedwait', 'cond_clockwait', 'cnd_timedwait':
            ends_ns = self.ends_ns(step, crowd)
            known = self.unspun()['crowd']
            if known < self.TIMES / 4:
                self.skipTest(f'{step}: of {self.TIMES} only {known} knew of the crowd')
            # The end of a wait is reckoned from what is left, some ns later.
            together = sum(ns % self.GRID_NS < 2000 for ns in ends_ns)
            self.assertGreaterEqual(together, known / 2, (step, known, ends_ns))


class Limits(Case):
    def counted(self, settings, *steps, **kw):
        self.make()
        self.assert_slept(self.run_counted(*steps, HPT_RUN=settings, **kw))
        return {name: n for name, n in self.unspun().items() if n}

    def test_small_quota_is_no_spin(self):
        for policy in 0, 1, 2, 4:
            settings = f'policy={policy},budget=100,quota=50'
            self.assertEqual(self.counted(settings, 'nanosleep*4:900000', 'poll*3:3000000'), {'limit': 7})
        self.assertEqual(self.counted('policy=3,quota=50', 'nanosleep*4:900000'), {})

    def test_part_of_a_quota_may_be_spun(self):
        """Of sleeps of 0.9 ms, all spin, at most 2 a period of 100 ms at half a CPU, and what is saved up."""
        few = self.counted('policy=4,budget=100,quota=500', 'nanosleep*40:900000')
        self.assertLess(few.pop('limit', 0), 1)
        self.assertGreaterEqual(few.pop('budget', 0), 20)
        self.assertEqual(few, {})

    def test_absurd_quotas_are_none(self):
        for quota in '0', '-5', '4294967296', '99999999999999999999', '1e3', '':
            self.assertEqual(self.counted(f'policy=4,budget=100,quota={quota}', 'nanosleep*20:900000'), {})

    def test_deadline_class_is_no_spin(self):
        chrt = [self.tool('chrt'), '-d', '-T', '5000000', '-D', '20000000', '-P', '20000000', '0']
        if subprocess.run([*chrt, 'true'], stderr=subprocess.DEVNULL, check=False).returncode:
            self.skipTest('SCHED_DEADLINE is not permitted')
        for policy in 0, 1, 2, 4:
            self.assertEqual(self.counted(f'policy={policy},budget=100', 'nanosleep*4:900000', prefix=chrt),
                             {'limit': 4})

    def test_real_time_class_spins(self):
        chrt = [self.tool('chrt'), '-f', '1']
        if subprocess.run([*chrt, 'true'], stderr=subprocess.DEVNULL, check=False).returncode:
            self.skipTest('SCHED_FIFO is not permitted')
        self.assertEqual(self.counted('policy=4,budget=100', 'nanosleep*4:900000', prefix=chrt), {})


if __name__ == '__main__':
    lab.main()
