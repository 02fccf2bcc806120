# SPDX-License-Identifier: MIT
"""
suites.py --hpt HPT --preload OBJECT --built FOLDER [--part sleeps|waits] [--all]

Unmodified programs do under "hpt run" what they do as they are: TAP. With --all also the test suites of other projects,
and those that take longer. The part "waits": programs whose waits events end too, also with --waits=none.
"""
import difflib
import json
import re
import subprocess
import sys
import tempfile
import time

from tap import Tap
from way import AFTER, BEFORE, COARSE, SLEEPS, SPUN, TITLES, Tally, Ways, arguments
import programs
from programs import Failed, Missing

# Seconds, of programs that take one.
BRIEF_LIMIT_S = 120

# The command's own messages.
OURS = re.compile(r'^hpt: run: .*\n', re.M)


class Lab:
    def __init__(self, options, folder):
        self.ways, self.folder, self.built = Ways(options.hpt, options.preload), folder, options.built
        self.tap = Tap()

    def both(self, command):
        """The program as it is and under hpt run, which has to reach it."""
        tally = Tally(self.folder)
        before = self.ways.run(BEFORE, command, cwd=self.folder)
        after = self.ways.run(AFTER, command, tally.environ(), cwd=self.folder)
        return before, after, tally.counts()

    def check(self, name, test, *more):
        """One result. A test returns its complaints, as lines."""
        try:
            wrong = test(self, *more)
        except Missing as why:
            self.tap.skip(name, str(why))
        except (Failed, subprocess.TimeoutExpired) as why:
            self.tap.result(False, name, str(why).splitlines())
        else:
            self.tap.empty(name, wrong)


def tail(text, lines=15):
    return ['    ' + line for line in text.splitlines()[-lines:]]


def reached(counts):
    """A result says nothing if the object was not loaded, or served nothing."""
    loaded, served = counts
    return [] if loaded and served else [f'the object was loaded {loaded} times and served {served} sleeps']


def same(before, after):
    """Exit status, output and messages are the same."""
    wrong = []
    for what in ('returncode', 'stdout', 'stderr'):
        was, now = getattr(before, what), getattr(after, what)
        if what == 'stderr':
            now = OURS.sub('', now)
        if was != now:
            wrong += difflib.unified_diff(str(was).splitlines(), str(now).splitlines(), f'{what} as it is',
                                          'under hpt run', n=0, lineterm='')
    return wrong


# ---- Languages -------------------------------------------------------------------------------------------

def not_in_time(done):
    if not done.returncode and 'in time' in done.stdout and 'early' not in done.stdout:
        return []
    return [f'exit {done.returncode}:', *tail(done.stdout, 40), *tail(done.stderr)]


def slack_only(lab, find):
    """The object is loaded, but few sleeps, if any, come by a hook."""
    before, after, (loaded, _) = lab.both([*find(lab.folder, lab.built), 'results'])
    return same(before, after) + not_in_time(after) + ([] if loaded else ['the object was not loaded'])


def results(lab, find, is_loaded=True):
    """The results of sleeps, which a program prints."""
    before, after, counts = lab.both([*find(lab.folder, lab.built), 'results'])
    wrong = same(before, after) + not_in_time(after)
    messages = OURS.findall(after.stderr)
    if is_loaded:
        return wrong + messages + reached(counts)
    # A static program runs as it is, and a message says so.
    return wrong + ([] if len(messages) == 1 and counts == (0, 0) else [*messages, f'loaded {counts[0]} times'])


def waits(lab, waiter):
    """Waits that expire, and those that events end: all events come, in order, and no time-out is early."""
    waiter.prepare(lab.folder, lab.built)
    command = [*waiter.words, 'results']
    before = lab.ways.run(BEFORE, command, timeout=BRIEF_LIMIT_S)
    wrong = not_in_time(before)
    for way in (AFTER, SLEEPS, SPUN, *([COARSE] if waiter.find == programs.libevent else [])):
        tally = Tally(lab.folder)
        done = lab.ways.run(way, command, tally.environ(), timeout=BRIEF_LIMIT_S)
        found = same(before, done) + OURS.findall(done.stderr)
        found += [] if tally.counts()[0] else ['the object was not loaded']
        if way != SLEEPS and not waiter.is_sleep() and tally.waits() < 5:
            found.append(f'{tally.waits()} waits were served')
        wrong += [f'{TITLES[way]}: {line}' for line in found]
    return wrong


# ---- Programs of Debian ----------------------------------------------------------------------------------

def sets_no_clock(lab):
    """Under neither way."""
    program = 'import time\ntry: time.clock_settime(time.CLOCK_REALTIME, time.time())\nexcept PermissionError: exit(7)'
    return [f'{done.args}: exit {done.returncode}' for done in lab.both([sys.executable, '-c', program])[:2]
            if done.returncode != 7]


def cyclictest(lab):
    tally = Tally(lab.folder)
    lab.ways.environ.update(tally.environ())
    try:
        one = programs.Cyclictest()
        one.prepare(lab.folder, lab.built)
        early = [ns for ns in one.latenesses(lab.ways, AFTER, 300) if ns < 0]
    finally:
        del lab.ways.environ['HPT_RUN_STATS']
    return [f'early by {-ns} ns' for ns in early] + reached(tally.counts())


# Words, exit status, least time in ms, whether the sleep is one that is served.
COREUTILS = (
    (['sleep', '0.1'], 0, 100, True), (['sleep', '0.02', '0.03'], 0, 50, True), (['sleep', '0'], 0, 0, False),
    (['sleep', 'long'], 1, 0, False), (['timeout', '0.1', 'sleep', '60'], 124, 100, False),
    (['timeout', '-s', 'KILL', '0.1', 'sleep', '60'], 137, 100, False),
    (['timeout', '60', 'sleep', '0.05'], 0, 50, True),
    (['timeout', '-s', 'INT', '--preserve-status', '0.1', 'sleep', '60'], 130, 100, False),
)


def coreutils(lab):
    wrong = []
    for words, status, least_ms, is_served in COREUTILS:
        programs.command_of(words[0])
        tally = Tally(lab.folder)
        before = lab.ways.run(BEFORE, words)
        began_ns = time.monotonic_ns()
        after = lab.ways.run(AFTER, words, tally.environ())
        is_early = time.monotonic_ns() - began_ns < least_ms * 1000000
        found = same(before, after) + (reached(tally.counts()) if is_served else [])
        # A shell's number for a signal; as a child's status it is negative.
        if after.returncode not in (status, 128 - status) or is_early:
            found.append(f'exit {after.returncode}, not {status}' + (', early' if is_early else ''))
        wrong += [f"{' '.join(words)}: {line}" for line in found]
    return wrong


def failures(done):
    return set(re.findall(r'^(?:FAIL|ERROR): (\S+ \(.*\))', done.stdout + done.stderr, re.M))


def cpython(lab, module):
    """A module of CPython's own tests. A test that fails as it is too is not ours. Failed ones are tried again (-w)."""
    try:
        programs.build([programs.PYTHON, '-c', f'import test.{module}, test.regrtest'])
    except Missing as why:
        raise Missing(f'no package libpython3.N-testsuite: {why}') from why
    tally = Tally(lab.folder)
    words = [programs.PYTHON, '-m', 'test', '-w', module]
    after = lab.ways.run(AFTER, words, tally.environ(), cwd=lab.folder)
    if not after.returncode:
        return reached(tally.counts())
    before = lab.ways.run(BEFORE, words, cwd=lab.folder)
    ours = failures(after) - failures(before)
    if before.returncode and not ours:
        raise Missing('it fails as it is, too: ' + ', '.join(sorted(failures(before))))
    return [*sorted(ours), f'exit {after.returncode}, as it is {before.returncode}', *tail(after.stdout + after.stderr)]


# Those that sleep, whose sleeps the object has to serve, and others that wait or set timers.
SLEEPING = ('nanosleep', 'sleep', 'cyclic')
STRESSORS = SLEEPING + ('clock', 'timer', 'timerfd', 'itimer', 'alarm', 'hrtimers', 'poll', 'sigq', 'sigfd', 'futex',
                        'switch', 'schedpolicy')


def stress(lab, stressor):
    words = [programs.command_of('stress-ng'), '--' + stressor, '1', '-t', '2', '--verify']
    before, after, counts = lab.both(words)
    if before.returncode:
        raise Missing('it fails as it is, too: ' + before.stderr.strip().splitlines()[-1])
    wrong = reached(counts) if stressor in SLEEPING or not counts[0] else []
    # It calls a run successful of which a process was killed.
    if after.returncode or re.search(r'\bfail:|unsuccessful|unexpected signal', after.stdout + after.stderr):
        wrong += [f'exit {after.returncode}', *tail(after.stdout + after.stderr)]
    return wrong


def fio(lab):
    before, after, counts = lab.both(programs.fio(lab.folder))
    if before.returncode:
        raise Missing(f'it fails as it is, too: exit {before.returncode}')
    if after.returncode:
        return [f'exit {after.returncode}', *tail(after.stdout + after.stderr)]
    job = json.loads(after.stdout)['jobs'][0]
    wrong = [] if job['error'] == 0 and job['read']['total_ios'] > 100 else [f"error {job['error']}: {job['read']}"]
    return wrong + reached(counts)


def paced(lab, find, result, least_s):
    """A program that keeps pace has as many packets or frames, and is not ahead of them."""
    before, after, counts = lab.both(find(lab.folder))
    was, now = result(before), result(after)
    if not was:
        raise Missing('it fails as it is, too: ' + (before.stderr.strip() or 'no words').splitlines()[-1])
    if not now:
        return [f'exit {after.returncode}', *tail(after.stdout + after.stderr)]
    wrong = [] if now[0] == was[0] and now[1] >= least_s else [f'as it is {was}, under hpt run {now}']
    return wrong + reached(counts)


# ---- All -------------------------------------------------------------------------------------------------

CPYTHON_SUITES = ('test_signal', 'test_select', 'test_threading', 'test_asyncio')


def quick(lab):
    lab.check('no program here may set the clock', sets_no_clock)
    for name, find in programs.LOADED.items():
        lab.check(f'{name}: results of sleeps', results, find)
    lab.check('Go, static: results of sleeps', results, programs.golang, False)
    lab.check('cyclictest: no sleep is early', cyclictest)
    lab.check('coreutils: sleep and timeout', coreutils)
    lab.check("CPython's test_time", cpython, 'test_time')


def longer(lab):
    for name in ('Java', 'Node'):
        lab.check(f'{name}: results of sleeps', slack_only, programs.SLACK_ONLY[name])
    lab.check('tcpreplay', paced, programs.tcpreplay, programs.tcpreplay_result, 0.499)
    lab.check('ffmpeg -re', paced, programs.ffmpeg, programs.ffmpeg_result, programs.FFMPEG_S - 0.05)
    lab.check('fio with thinktime', fio)
    for stressor in STRESSORS:
        lab.check(f'stress-ng --verify --{stressor}', stress, stressor)
    for module in CPYTHON_SUITES:
        lab.check(f"CPython's {module}", cpython, module)


def all_waits(lab):
    for waiter in programs.waiters():
        lab.check(f'{waiter.name}: results of waits', waits, waiter)


def main():
    options = arguments(__doc__, part={'choices': ['sleeps', 'waits'], 'default': 'sleeps'})
    print('TAP version 13')
    with tempfile.TemporaryDirectory(prefix='programs-') as folder:
        lab = Lab(options, folder)
        if options.part == 'waits':
            all_waits(lab)
        else:
            quick(lab)
        if options.part == 'sleeps' and options.all:
            longer(lab)
    lab.tap.end()
    return int(lab.tap.failed > 0)


sys.exit(main())
