# SPDX-License-Identifier: MIT
"""The programs of this folder's tests: how each is found or built, and how it measures its own sleeps and waits."""
import functools
import os
import re
import shutil
import struct
import subprocess
import sys

from way import HERE, LIMIT_S

LANGUAGES = HERE / 'languages'
PYTHON = '/usr/bin/python3'


class Missing(Exception):
    """Why a program cannot be used here."""


class Failed(Exception):
    """The program did not do its work."""


def command_of(name):
    # A user may not have servers in PATH.
    path = shutil.which(name) or shutil.which(name, path='/usr/sbin:/sbin')
    if not path:
        raise Missing(f'no {name} in PATH')
    return path


def build(words, **environ):
    done = subprocess.run([str(word) for word in words], env={**os.environ, **environ}, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False, timeout=LIMIT_S)
    if done.returncode:
        last = (done.stdout.strip() or 'no words').splitlines()[-1]
        raise Missing(f'{words[0]} cannot build here: {last}')


# ---- Languages: each function returns the command of sleeps or waits to which "late COUNT" or "results" is added ----

def python(_folder, _built, stem='sleeps'):
    if not os.access(PYTHON, os.X_OK):
        raise Missing(f'no {PYTHON}')
    return [PYTHON, '-B', LANGUAGES / f'{stem}.py']


def uvloop(folder, built, stem):
    words = python(folder, built, stem)
    build([PYTHON, '-c', 'import uvloop'])
    return words


def perl(_folder, _built, stem='sleeps'):
    build([command_of('perl'), '-MTime::HiRes=clock_nanosleep', '-e', '0'])
    return ['perl', LANGUAGES / f'{stem}.pl']


def ruby(_folder, _built, stem):
    return [command_of('ruby'), LANGUAGES / f'{stem}.rb']


def of_build(built, name, lacks):
    path = os.path.join(built, name)
    if not os.access(path, os.X_OK):
        raise Missing(f'this build has no {lacks}')
    return [path]


def cpp(_folder, built, stem='sleeps'):
    return of_build(built, stem, 'C++ compiler')


def libuv(_folder, built, stem):
    return of_build(built, stem + '_uv', 'libuv')


def libevent(_folder, built, stem):
    return of_build(built, stem + '_event', 'libevent')


@functools.lru_cache(None)
def rust(folder, _built, stem='sleeps'):
    build([command_of('rustc'), '-O', '-o', os.path.join(folder, f'{stem}-rust'), LANGUAGES / f'{stem}.rs'])
    return [os.path.join(folder, f'{stem}-rust')]


def golang(folder, _built):
    """A static program: no object can be loaded into it."""
    build([command_of('go'), 'build', '-o', os.path.join(folder, 'sleeps-go'), LANGUAGES / 'sleeps.go'],
          CGO_ENABLED='0', GO111MODULE='off', GOTOOLCHAIN='local', GOFLAGS='')
    return [os.path.join(folder, 'sleeps-go')]


@functools.lru_cache(None)
def java(folder, _built, stem='sleeps'):
    name = stem.capitalize()
    build([command_of('javac'), '-d', folder, LANGUAGES / f'{name}.java'])
    return [command_of('java'), '-cp', folder, name]


def node(_folder, _built, stem='sleeps'):
    return [command_of('node'), LANGUAGES / f'{stem}.js']


# Names as in the tables. The object reaches the sleeps of the first four, the timer slack those of the others.
LOADED = {'CPython': python, 'Perl': perl, 'C++': cpp, 'Rust': rust}
SLACK_ONLY = {'Go, static': golang, 'Java': java, 'Node': node}


class Sleeper:
    """A program that prints how late its sleeps of 1 ms are, in ns, by its own clock."""

    def __init__(self, name, find):
        self.name, self.find, self.words = name, find, None

    def prepare(self, folder, built):
        self.words = self.find(folder, built)

    def latenesses(self, ways, way, count):
        done = ways.run(way, [*self.words, 'late', count])
        found = [int(line) for line in done.stdout.splitlines()]
        if done.returncode or len(found) != count:
            raise Failed(f'{self.name}: exit {done.returncode}, {len(found)} sleeps of {count}: {done.stderr}')
        return found


class Waiter(Sleeper):
    """A program that prints how late its waits of 1 ms are that nothing ends sooner, and the CPU time of one, in ns."""

    def __init__(self, name, find, kind, most=None):
        super().__init__(name, find)
        self.kind, self.most = kind, most

    def prepare(self, folder, built):
        self.words = [*self.find(folder, built, 'waits'), *self.kind.split()]

    def is_sleep(self):
        """By functions that no event ends, so no waits are served."""
        return (self.find, self.kind) == (cpp, 'sleep')

    def measured(self, ways, way, count, threads=1):
        done = ways.run(way, [*self.words, 'late', count, *([threads] if threads > 1 else [])])
        *found, cpu = done.stdout.splitlines() or ['']
        if done.returncode or len(found) != count * threads or not cpu.startswith('cpu '):
            raise Failed(f'{self.name}: exit {done.returncode}, {len(found)} waits of {count * threads}: {done.stderr}')
        return [int(line) for line in found], int(cpu.split()[1])


# Name, what finds it, its kind of waits, and how late it is with waits served, as a share of as it is.
WAITS = (
    ('C++, this_thread::sleep_for', cpp, 'sleep', 0.05), ('C++, condition_variable::wait_for', cpp, 'wait_for', 0.05),
    ('C++, wait_until(system_clock)', cpp, 'system', 0.05), ('C++, future::wait_for', cpp, 'future', 0.05),
    ('Rust, park_timeout', rust, 'park', 0.05), ('Rust, Condvar::wait_timeout', rust, 'condvar', 0.05),
    ('Rust, recv_timeout', rust, 'recv', 0.05),
    ('Java, Thread.sleep', java, 'sleep', 0.05), ('Java, parkNanos', java, 'park', 0.05),
    ('Java, Object.wait', java, 'monitor', None), ('Java, BlockingQueue.poll', java, 'poll', None),
    ('Java, ScheduledExecutor', java, 'schedule', None),
    ('libuv, uv_timer_start', libuv, '', 0.05), ('libevent, evtimer_add', libevent, '', None),
    ('CPython, Event.wait', python, 'event', 0.15), ('CPython, queue.get', python, 'queue', 0.15),
    ('CPython, select', python, 'select', 0.15), ('CPython, poll', python, 'poll', None),
    ('CPython, asyncio.sleep', python, 'asyncio', 0.3), ('CPython, uvloop', uvloop, 'uvloop', None),
    ('Node, setTimeout', node, 'timeout', 0.3), ('Node, Atomics.wait', node, 'wait', None),
    ('Ruby, sleep', ruby, 'sleep', None), ('Ruby, IO.select', ruby, 'select', None),
    ('Ruby, ConditionVariable#wait', ruby, 'condition', None), ('Perl, select', perl, '', None),
)


def waiters():
    return [Waiter(*row) for row in WAITS]


class Cyclictest(Sleeper):
    """Its sleeps are absolute: a late one makes the next one no later."""

    def __init__(self):
        super().__init__('cyclictest', lambda folder, built: [command_of('cyclictest'), '-m', '-i1000', '-q', '-N',
                                                              '-v'])

    def latenesses(self, ways, way, count):
        done = ways.run(way, [*self.words, '-l', count])
        found = [int(ns) for ns in re.findall(r'^ *0: *\d+: *(-?\d+)$', done.stdout, re.M)]
        # Its own arithmetic is unsigned: a sleep that ends early is its maximum.
        if re.search(r'(?:Min|Act|Avg|Max): *-', done.stdout):
            raise Failed(f'cyclictest: a sleep was early: {done.stdout.splitlines()[-1]}')
        # The last ones may not be printed any more.
        if done.returncode or len(found) < count * 0.9:
            raise Failed(f'cyclictest: exit {done.returncode}, {len(found)} sleeps of {count}: {done.stderr}')
        return found


def sleepers(names=None):
    every = [Cyclictest()] + [Sleeper(name, find) for name, find in {**LOADED, **SLACK_ONLY}.items()]
    return [one for one in every if names is None or one.name in names]


# ---- Replays and loads -----------------------------------------------------------------------------------

def write_pcap(path, packets, apart_us):
    """Ethernet frames of an experimental type, from no address to no address."""
    frame = bytes(12) + b'\x88\xb5' + bytes(46)
    with open(path, 'wb') as file:
        file.write(struct.pack('=IHHiIII', 0xa1b2c3d4, 2, 4, 0, 0, 65535, 1))
        for number in range(packets):
            seconds, us = divmod(number * apart_us, 1000000)
            file.write(struct.pack('=IIII', seconds, us, len(frame), len(frame)) + frame)


def tcpreplay(folder):
    """A replay of 0.5 s on the loopback device."""
    command_of('tcpreplay')
    if os.geteuid():
        raise Missing('tcpreplay sends packets as root alone')
    path = os.path.join(folder, 'paced.pcap')
    write_pcap(path, 501, 1000)
    return ['tcpreplay', '--quiet', '--timer=nano', '--intf1=lo', path]


def tcpreplay_result(done):
    """Packets and seconds; None: it did not work."""
    found = re.search(r'^Actual: (\d+) packets .* sent in (\d+\.\d+) seconds', done.stdout, re.M)
    return (int(found[1]), float(found[2])) if found and not done.returncode else None


FFMPEG_S = 1


def ffmpeg(_folder):
    """Frames at the rate of their time stamps."""
    return [command_of('ffmpeg'), '-nostdin', '-hide_banner', '-benchmark', '-re', '-f', 'lavfi', '-i',
            f'testsrc=size=64x64:rate=200:duration={FFMPEG_S}', '-f', 'null', '-']


def ffmpeg_result(done):
    frames = re.findall(r'frame= *(\d+)', done.stderr)
    seconds = re.search(r'rtime=(\d+\.\d+)s', done.stderr)
    return (int(frames[-1]), float(seconds[1])) if frames and seconds and not done.returncode else None


def fio(folder, runtime_s=2):
    """Reads with 100 us of thinking between them."""
    path = os.path.join(folder, 'fio.data')
    with open(path, 'wb') as file:
        file.write(os.urandom(1 << 20))
    return [command_of('fio'), '--name=think', '--ioengine=psync', '--rw=randread', '--bs=4k', f'--filename={path}',
            '--size=1m', '--thinktime=100', '--time_based', f'--runtime={runtime_s}', '--output-format=json']


# ---- Load ------------------------------------------------------------------------------------------------

class Busy:
    """A busy loop on each CPU."""

    def __enter__(self):
        self.loops = []
        for cpu in os.sched_getaffinity(0):
            self.loops.append(subprocess.Popen([sys.executable, '-c', f'import os; os.sched_setaffinity(0, [{cpu}])\n'
                                                'while True: pass']))
        return self

    def __exit__(self, *_):
        for loop in self.loops:
            loop.kill()
            loop.wait()
