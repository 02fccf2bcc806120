# SPDX-License-Identifier: MIT
"""Test cases: each class is one emulated machine, which boots once; the tests check its output.

usage: FILE.py PROGRAM INCLUDE KERNEL CLASS PROGRAM...    (all programs are found in the machine; "NAME32" is NAME for
32 bits, left out where it cannot be built)
"""
import glob
import json
import os
import re
import subprocess
import sys
import tempfile
import types
import unittest

import cli  # tests/cli: results as TAP
import emulator
import hardware
import machine

INCLUDE, KERNEL, CLASS, *PROGRAMS = cli.ARGS


def constants(kind):
    """Returns the headers' HPT_REASON_ or HPT_STATE_ constants by name."""
    found = []
    for header in sorted(glob.glob(os.path.join(INCLUDE, '*.h'))):
        with open(header, encoding='ascii') as f:
            found += re.findall(rf'^\tHPT_{kind}_(\w+) += (\d+)', f.read(), re.M)
    return types.SimpleNamespace(**{name: int(value) for name, value in found})


REASON, STATE = constants('REASON'), constants('STATE')

# A clock in use takes a sample once a second; the rest is for a slow emulator.
NOTICED_NS = 1.2e9
# A time further than this from the kernel's is wrong, as in guest.c.
WRONG_NS = 1e6

# A real HPET takes a microsecond to read. The emulator's takes twice the OS clock's time, too little difference for a
# sure choice on a busy host. With a trace line for each read it takes five times as long and more: far from the 25 %
# below which costs count as equal. Each trace line costs the host a system call: where those are slow, the HPET takes
# more than ten times as long and counts as coarser.
EXPENSIVE_HPET = ('-d', 'trace:memory_region_subpage_read', '-D', os.devnull)

# The winner's reason and the loser's, where the HPET is that expensive.
CHEAPER = {REASON.LOWER_MEAN: REASON.HIGHER_MEAN, REASON.FINER: REASON.COARSER}

# On a busy host the kernel's watchdog may take a good TSC for an unstable one.
NO_WATCHDOG = 'tsc=nowatchdog'



def tsc_parameter():
    """Returns a word for a PC's kernel command line, the rate of its TSC, which is this machine's: a kernel that
    measured it as it booted, while its emulator got no CPU, found a third, and all its clocks were wrong by that."""
    done = subprocess.run([PROGRAMS[0], 'info', '--json'], env=dict(os.environ, HPT_SOURCE='tsc'),
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    info = json.loads(done.stdout) if done.returncode == 0 else {}
    return f' tsc_early_khz={info["frequency_hz"] // 1000}' if info.get('source') == 'tsc' else ''


class Case(unittest.TestCase):
    """The attributes are those of machine.Machine, and the script that runs in the machine."""
    hardware = hardware.PC
    cpu, append, options, changes, script = 'qemu64', '', (), (), ''
    needs_guest32, wake_after_s, restore_after_s = False, 0, None
    out = {}

    @classmethod
    def boot(cls):
        if not os.path.exists(KERNEL):
            raise machine.Skip(f'no kernel {KERNEL}: see tests/vm/fetch-kernel')
        if cls.needs_guest32 and not any(p.endswith('32') for p in PROGRAMS):
            raise machine.Skip('no compiler for static 32-bit programs here (Debian package: gcc-multilib)')
        with tempfile.TemporaryDirectory() as folder:
            append = cls.append + (tsc_parameter() if cls.hardware is hardware.PC else '')
            emulated = machine.Machine(KERNEL, [*PROGRAMS, *cls.further_files(folder)], cls.cpu, append,
                                       cls.options, cls.changes, cls.wake_after_s, cls.restore_after_s, cls.hardware)
            cls.out = emulated.boot(cls.script)

    @classmethod
    def further_files(cls, folder):
        """Returns files for the machine's /bin besides the programs; they can be made in the folder."""
        return ()

    def text(self, section):
        """Returns the output of a command, which must have succeeded."""
        self.assertIn(section, self.out)
        status, text = self.out[section]
        self.assertEqual(status, 0, f'{section}: {text}')
        return text

    def words(self, section):
        """Returns a table's text as if no line had been wrapped."""
        return ' '.join(self.text(section).split())

    def objects(self, section):
        return [json.loads(line) for line in self.text(section).splitlines()]

    def object(self, section):
        objects = self.objects(section)
        self.assertEqual(len(objects), 1, section)
        return objects[0]

    def source(self, section, name):
        return {s['name']: s for s in self.object(section)['sources']}[name]

    def assert_chosen(self, section, name, reason):
        """This source alone is chosen, for this reason."""
        chosen = [(s['name'], s['reason_code']) for s in self.object(section)['sources'] if s['chosen']]
        self.assertEqual(chosen, [(name, reason)], section)

    def assert_cheaper(self, section, winner, loser, reasons=CHEAPER):
        """The rule has compared the costs of the two, and the winner's is lower; reasons: winner's -> loser's."""
        reason = self.source(section, winner)['reason_code']
        self.assertIn(reason, reasons)
        self.assert_chosen(section, winner, reason)
        self.assert_not_chosen(section, loser, reasons[reason])
        self.assertLess(*[self.source(section, name)['cost_mean_ps'] for name in (winner, loser)])

    def assert_refused(self, section, name, stage, error, reason):
        """The source cannot be used, and it failed at this stage with this error and reason."""
        s = self.source(section, name)
        self.assertEqual((s['usable'], s['chosen'], s['stage'], s['errno_name'], s['reason_code']),
                         (False, False, stage, error, reason), s)

    def assert_not_chosen(self, section, name, reason):
        s = self.source(section, name)
        self.assertEqual((s['usable'], s['chosen'], s['errno'], s['reason_code']), (True, False, 0, reason), s)

    def assert_forward(self, seen):
        """The watching process read no time that was smaller than an earlier one, and time has passed."""
        self.assertEqual((seen['now'], seen['now_ns']), ({'back': 0, 'worst': 0},) * 2, seen)
        self.assertGreater(seen['after']['ticks'], seen['before']['ticks'], seen)
        self.assertGreater(seen['after']['ns'], seen['before']['ns'], seen)

    def assert_undisturbed(self, seen, clock):
        """The clock, "timeline" or "unix", followed the kernel's all the time."""
        self.assertLessEqual(abs(seen[clock]['worst_ns']), WRONG_NS, seen)

    def assert_right(self, seen, clock, within_ns=NOTICED_NS):
        """The clock follows the kernel's in the end, and was wrong for no longer than that."""
        self.assertLessEqual(abs(seen[clock]['last_ns']), WRONG_NS, seen)
        self.assertLessEqual(seen[clock]['wrong_for_ns'], within_ns, seen)

    def assert_generation(self, seen, state, generation):
        self.assertEqual((seen['state'], seen['generation']), (state, generation), seen)
        self.assertEqual(seen['in_generation'], {'back': 0, 'worst': 0}, seen)


def failed_boot(why):
    print(f'1..1\nnot ok 1 - {CLASS} boots and its script ends')
    for line in str(why).splitlines():
        print('#', line)
    sys.exit(1)


def main():
    case = getattr(sys.modules['__main__'], CLASS)
    try:
        case.boot()
    except (machine.Skip, emulator.NotThere) as why:
        print(f'1..0 # SKIP {why}')
        return
    except machine.DidNotEnd as why:
        failed_boot(why)
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(case)
    print(f'1..{suite.countTestCases()}')
    result = cli.Tap()
    suite.run(result)
    sys.exit(not result.wasSuccessful())
