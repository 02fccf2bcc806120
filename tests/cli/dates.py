# SPDX-License-Identifier: MIT
"""dates.py HPT PROGRAM SHIFTED [SHIFTED32]: dates at which clocks of other makes end.

2028-06-15 and 2032-03-09 are the ends of ticks since 1970 in 64 bits at 5 GHz and at 4.7 GHz, 2038-01-19 that of seconds
in 32 bits; a machine whose battery is empty may say anything.
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
# A day's fake starts when the program does; a busy machine may take its time.
LATE_S = 60
FAKETIME = shutil.which('faketime')
NO_FAKETIME = 'no faketime here (Debian package: faketime)'
PROGRAM, SHIFTED, SHIFTED32 = (*cli.ARGS, None)[:3]


def unix_s(date):
    return int(datetime.datetime.fromisoformat(date + 'T00:00:00+00:00').timestamp())


def usable(source):
    """Whether that one runs here without a fake."""
    if source == 'auto':
        return True
    found = json.loads(cli.run('sources', '--json', source='auto').stdout)['sources']
    return any(s['name'] == source and s['usable'] for s in found)


def by_faketime(date, source, *command):
    """All clocks: to the library a sign that somebody stands in for the kernel."""
    env = {**os.environ, 'TZ': 'UTC', 'LC_ALL': 'C', 'HPT_SOURCE': source}
    return run([FAKETIME, '-f', f'@{date} 00:00:00', *command], env)


def by_shift(date, source, program, *args):
    """The wall clock alone, by the program itself."""
    shift_s = unix_s(date) - int(time.time())
    return run([program, *args], {**os.environ, 'HPT_SOURCE': source, 'FAKE_SHIFT_S': str(shift_s)})


def run(command, env):
    return subprocess.run(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


class Dates(unittest.TestCase):
    def each(self):
        """Every date on every source that there is."""
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
