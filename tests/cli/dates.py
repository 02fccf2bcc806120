# SPDX-License-Identifier: MIT
"""dates.py HPT PROGRAM SHIFTED [SHIFTED32]: dates at which other clocks overflow.

In 64 bits, ticks since 1970 overflow on 2028-06-15 at 5 GHz and on 2032-03-09 at 4.7 GHz; in 32 bits,
seconds overflow on 2038-01-19. A machine whose battery is empty may have any date.
"""
import datetime
import json
import os
import shutil
import subprocess
import time
import unittest

import cli

DATES = '2028-06-16', '2032-03-10', '2038-01-20', '2083-01-01', '1970-01-02'
SOURCES = 'auto', 'tsc', 'hpet', 'os'
# The fake date starts with the program, which may be slow on a busy machine.
LATE_S = 60
FAKETIME = shutil.which('faketime')
NO_FAKETIME = 'no faketime here (Debian package: faketime)'
PROGRAM, SHIFTED, SHIFTED32 = (*cli.ARGS, None)[:3]


def unix_s(date):
    return int(datetime.datetime.fromisoformat(date + 'T00:00:00+00:00').timestamp())


def usable(source):
    """Whether that source can be used without a fake date."""
    if source == 'auto':
        return True
    found = json.loads(cli.run('sources', '--json', source='auto').stdout)['sources']
    return any(s['name'] == source and s['usable'] for s in found)


def by_faketime(date, source, *command):
    """Shift all clocks, by which the library sees that they are not the kernel's."""
    env = {**os.environ, 'TZ': 'UTC', 'LC_ALL': 'C', 'HPT_SOURCE': source}
    return run([FAKETIME, '-f', f'@{date} 00:00:00', *command], env)


def by_shift(date, source, program, *args):
    """Shift the wall clock alone, within the program."""
    shift_s = unix_s(date) - int(time.time())
    return run([program, *args], {**os.environ, 'HPT_SOURCE': source, 'FAKE_SHIFT_S': str(shift_s)})


def run(command, env):
    return subprocess.run(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


class Dates(unittest.TestCase):
    def each(self):
        """Every date on every usable source."""
        for source in SOURCES:
            if not usable(source):
                print(f'# {source}: not here')
                continue
            for date in DATES:
                yield date, source

    def printed(self, set_date, date, source, *command):
        p = set_date(date, source, *command)
        self.assertEqual((p.returncode, p.stderr), (0, ''), (date, source, command))
        return p.stdout

    def assert_on(self, date, unix_ns):
        seconds = unix_ns / 1e9 - unix_s(date)
        self.assertTrue(0 <= seconds < LATE_S, f'{unix_ns} ns is {seconds} s after {date}')

    @unittest.skipUnless(FAKETIME, NO_FAKETIME)
    def test_hpt_now(self):
        for date, source in self.each():
            now = json.loads(self.printed(by_faketime, date, source, cli.HPT, 'now', '--json'))
            self.assert_on(date, now['unix_ns'])
            self.assertTrue(now['utc'].startswith(date + 'T00:0'), now)

    def check_program(self, set_date, program):
        for date, source in self.each():
            words = self.printed(set_date, date, source, program, source).split()
            self.assertEqual(len(words), 3, words)
            now, converted, text = words
            self.assert_on(date, int(now))
            self.assert_on(date, int(converted))
            self.assertTrue(text.startswith(date + 'T00:0'), text)

    @unittest.skipUnless(FAKETIME, NO_FAKETIME)
    def test_library(self):
        self.check_program(by_faketime, PROGRAM)

    def test_library_with_another_wall_clock(self):
        self.check_program(by_shift, SHIFTED)

    @unittest.skipUnless(SHIFTED32, 'no compiler for 32-bit programs here (Debian package: gcc-multilib)')
    def test_library_of_32_bits_with_another_wall_clock(self):
        self.check_program(by_shift, SHIFTED32)


if __name__ == '__main__':
    cli.main()
