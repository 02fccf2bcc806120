# SPDX-License-Identifier: MIT
"""
doctor_injected.py HPT page=PAGE KIND=PROGRAM...: hpt doctor names what is injected into one program, again and again in
random order. HPT_TEST_SEED repeats an order.

Each injection holds the program up in a window that is known, so that other load cannot make the test fail: a wake
counts where its wait stood still in the window for the larger part of its lateness by far.
"""
import ctypes
import os
import random
import signal
import time

import cli
from doctor_case import Doctor
from run_case import MS

TIMES = int(os.environ.get('HPT_TEST_INJECTIONS', '8')) # of each kind
HELD_S, REST_S = 0.12, 0.06
KNOWN_SHARE = 0.75 # of a wake's lateness that the window explains
RIGHT_SHARE = 0.95

CLONE_NEWNS, MS_BIND, MS_REC, MS_PRIVATE = 0x20000, 1 << 12, 1 << 14, 1 << 18
LIBC = ctypes.CDLL(None, use_errno=True)


def put(path, text):
    """Not as shells do: without a truncation the kernel keeps no time of it, and a process sees no freezing."""
    fd = os.open(path, os.O_WRONLY)
    try:
        os.write(fd, text.encode())
    finally:
        os.close(fd)


class Host:
    """A file that stands for /proc/stat, in which the host takes CPU time from all CPUs."""

    def __init__(self, path):
        self.ticks, self.path = 0, path
        with open('/proc/stat', encoding='ascii') as file:
            self.cpus = [line.split()[0] for line in file if line.startswith('cpu')]
        self.write()

    def steal(self, seconds):
        self.ticks += round(seconds * 100)
        self.write()

    def write(self):
        """In place: the file is mounted, and its text as long as before."""
        text = ''.join(f'{cpu} 1 2 3 4 5 6 7 {self.ticks:012d} 0 0\n' for cpu in self.cpus)
        with open(self.path, 'r+' if os.path.exists(self.path) else 'w', encoding='ascii') as file:
            file.write(text)

    def mount(self):
        """For the calling process and its children alone."""
        if LIBC.unshare(CLONE_NEWNS) or LIBC.mount(None, b'/', None, MS_REC | MS_PRIVATE, None) or \
           LIBC.mount(self.path.encode(), b'/proc/stat', None, MS_BIND, None):
            raise OSError(ctypes.get_errno(), 'mount')


def can_mount():
    """Tried in a child."""
    pid = os.fork()
    if not pid:
        os._exit(LIBC.unshare(CLONE_NEWNS) != 0)
    return not os.waitpid(pid, 0)[1]


class Injected(Doctor):
    def setUp(self):
        super().setUp()
        if not can_mount():
            self.skipTest('no mount namespace can be made: this needs root')
        self.frozen = self.group('/sys/fs/cgroup/freezer') + '/freezer.state'
        self.frozen_2 = self.group_of_version_2()
        self.host = Host(self.path('stat'))

    def group_of_version_2(self):
        for folder in '/sys/fs/cgroup', '/sys/fs/cgroup/unified':
            if os.path.exists(f'{folder}/cgroup.controllers'):
                return self.group(folder) + '/cgroup.freeze'
        return None

    def enter(self):
        self.host.mount()
        for path in filter(None, (self.frozen, self.frozen_2)):
            self.join(os.path.dirname(path))()

    # ---- What is injected: each returns the causes that are right ------------------------------------------------

    def stop(self, child):
        os.kill(child, signal.SIGSTOP)
        time.sleep(HELD_S)
        os.kill(child, signal.SIGCONT)
        return {'stopped'}

    def freeze(self, _):
        self.write(self.frozen, 'FROZEN')
        time.sleep(HELD_S)
        self.write(self.frozen, 'THAWED')
        return {'stopped'}

    def freeze_2(self, _):
        put(self.frozen_2, '1')
        time.sleep(HELD_S)
        put(self.frozen_2, '0')
        return {'stopped'}

    def hide(self, child):
        """In a way that the program cannot see, if it was asleep: then it stays where it is."""
        put(self.frozen, 'FROZEN')
        time.sleep(HELD_S)
        with open(f'/proc/{child}/wchan', encoding='ascii') as file:
            is_hidden = 'nanosleep' in file.read()
        return is_hidden

    def steal(self, child):
        is_hidden = self.hide(child)
        self.host.steal(HELD_S)
        put(self.frozen, 'THAWED')
        return {'steal'} if is_hidden else {'steal', 'stopped'}

    def nothing(self, child):
        is_hidden = self.hide(child)
        put(self.frozen, 'THAWED')
        return {'unknown'} if is_hidden else {'unknown', 'stopped'}

    # ---- What is made of it --------------------------------------------------------------------------------------

    def kinds(self):
        kinds = [self.stop, self.freeze, self.steal, self.nothing] + [self.freeze_2] * bool(self.frozen_2)
        order = kinds * TIMES
        seed = os.environ.get('HPT_TEST_SEED') or str(random.SystemRandom().getrandbits(64))
        print(f'# HPT_TEST_SEED={seed}')
        random.Random(seed).shuffle(order)
        return order

    def inject(self, order, child):
        """(name, causes, begin, end) of each window."""
        windows = []
        for kind in order:
            time.sleep(REST_S)
            began_ns = time.monotonic_ns()
            causes = kind(child)
            windows.append((kind.__name__, causes, began_ns, time.monotonic_ns()))
        time.sleep(REST_S)
        return windows

    @staticmethod
    def wake_of(window, wakes):
        """The late wake that the window explains; None: the program was awake, or the machine made it later still."""
        _, _, began, ended = window
        for wake in wakes:
            deadline = wake['at_ns'] - wake['late_ns']
            held = min(ended, wake['at_ns']) - max(began, deadline)
            if held > 50 * MS and held > KNOWN_SHARE * wake['late_ns']:
                return wake
        return None

    def test_injected_causes_are_named(self):
        process = self.sleeper(-1, ms=10, late='5ms', preexec=self.enter)
        child = self.child(process)
        windows = self.inject(self.kinds(), child)
        os.kill(child, signal.SIGTERM)
        v, _ = self.report(process, status=-signal.SIGTERM)
        found = [(w[0], w[1], self.wake_of(w, v['late_wakes'])) for w in windows]
        found = [(kind, causes, wake['cause']) for kind, causes, wake in found if wake]
        wrong = [(kind, cause) for kind, causes, cause in found if cause not in causes]
        print(f'# {len(windows)} injections, {len(found)} wakes held up by them, {len(wrong)} named wrongly: {wrong}')
        self.assertGreater(len(found), len(windows) // 2)
        self.assertEqual({kind for kind, _, _ in found}, {w[0] for w in windows})
        self.assertGreaterEqual(len(found) - len(wrong), RIGHT_SHARE * len(found), wrong)


cli.main()
