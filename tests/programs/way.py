# SPDX-License-Identifier: MIT
"""The ways in which programs are started here: as they are, and by "hpt run"."""
import argparse
import ctypes
import os
import pathlib
import struct
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
# As it is, under "hpt run", without its waits, with coarse clocks that are fine, and with waits that all spin.
BEFORE, AFTER, SLEEPS, COARSE, SPUN = 'before', 'after', 'sleeps', 'coarse', 'spun'
THREE = (BEFORE, SLEEPS, AFTER)
TITLES = {BEFORE: 'As it is', AFTER: 'hpt run', SLEEPS: '--waits=none', COARSE: '--coarse=fine', SPUN: 'all spun'}

# Seconds; a program that takes longer hangs.
LIMIT_S = 900


def arguments(usage, **more):
    """The options that Meson gives to all scripts of this folder, and a script's own."""
    parser = argparse.ArgumentParser(usage=usage.strip(), allow_abbrev=False)
    # --test-args reaches all tests of a suite.
    parser.add_argument('--all', action='store_true')
    for name in ('hpt', 'preload', 'built'):
        parser.add_argument(f'--{name}', required=True, type=os.path.abspath)
    for name, settings in more.items():
        parser.add_argument('--' + name.replace('_', '-'), **settings)
    return parser.parse_args()


def give_up_the_clock():
    """
    CPython's test_time and stress-ng set the system's clock where they may. That is an event for all clocks of other
    tests that run meanwhile.
    """
    capbset_drop, cap_sys_time = 24, 25  # linux/prctl.h, linux/capability.h
    ctypes.CDLL(None).prctl(capbset_drop, cap_sys_time, 0, 0, 0)


class Ways:
    """Starts programs, with an environment that names nothing of ours before."""

    def __init__(self, hpt, preload):
        self.environ = {name: value for name, value in os.environ.items()
                        if not name.startswith('HPT_') and name not in ('LD_PRELOAD', 'LD_LIBRARY_PATH')}
        self.environ.update(LC_ALL='C.UTF-8', PYTHONDONTWRITEBYTECODE='1', PERL_HASH_SEED='0')
        self.words = {BEFORE: [], AFTER: [hpt, 'run', '--'], SLEEPS: [hpt, 'run', '--waits=none', '--'],
                      COARSE: [hpt, 'run', '--coarse=fine', '--'],
                      SPUN: [hpt, 'run', '--policy=spin', '--budget=100%', '--least=0', '--']}
        # The object of the build, not the installed one.
        self.more = {way: {} if way == BEFORE else {'HPT_PRELOAD': preload} for way in self.words}

    def settings(self, way, command, more):
        """How subprocess starts a program."""
        return {'args': [str(word) for word in self.words[way] + list(command)], 'stdin': subprocess.DEVNULL,
                'env': {**self.environ, **self.more[way], **(more or {})}, 'preexec_fn': give_up_the_clock}

    def run(self, way, command, more=None, **options):
        """The finished program, with its output as text."""
        options = {'stderr': subprocess.PIPE, 'timeout': LIMIT_S, **options}
        return subprocess.run(**self.settings(way, command, more), check=False, stdout=subprocess.PIPE, text=True,
                              errors='replace', **options)

    def start(self, way, command, more=None, **options):
        return subprocess.Popen(**self.settings(way, command, more), **options)


class Tally:
    """Counts what the object served: struct hpt_tally of lib/preload/tally.h."""

    MAGIC = 0x33744e5274507048
    CALLS, REASONS, BINS = 18, 6, 64
    NUMBERS = 2 + 3 * CALLS + 1 + REASONS + 1 + BINS + CALLS * BINS
    LAYOUT = struct.Struct(f'={NUMBERS}Q')

    def __init__(self, folder):
        self.path = os.path.join(folder, 'tally')
        with open(self.path, 'wb') as file:
            file.write(self.LAYOUT.pack(self.MAGIC, *[0] * (self.NUMBERS - 1)))

    def environ(self):
        return {'HPT_RUN_STATS': self.path}

    def counts(self):
        """Programs that loaded the object, and sleeps that it served."""
        with open(self.path, 'rb') as file:
            numbers = self.LAYOUT.unpack(file.read())
        return numbers[1], sum(numbers[2:2 + self.CALLS])

    def waits(self):
        """Waits by functions of select and others, which events end too, that it served."""
        with open(self.path, 'rb') as file:
            return sum(self.LAYOUT.unpack(file.read())[2 + 5:2 + self.CALLS])

    def backed_off(self):
        """Sleeps without a spin, since others had the thread's CPU: HPT_UNSPUN_BACKOFF."""
        with open(self.path, 'rb') as file:
            return self.LAYOUT.unpack(file.read())[2 + 3 * self.CALLS + 1 + 3]
