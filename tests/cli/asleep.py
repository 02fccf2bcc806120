# SPDX-License-Identifier: MIT
"""asleep.py HPT PROGRAM: under libfaketime a sleep ends after real time, even if the fake time stands still."""
import os
import shutil
import subprocess
import unittest

import cli

FAKETIME = shutil.which('faketime')
PROGRAM = cli.ARGS[0]
LENGTH_NS = 40_000_000
# Counter and clock are read one after the other, and the counter's rate is known to some ppm.
ROUND_NS = 10_000
TIMEOUT_S = 60


def sleeps(*prefix):
    """(result, ns by CLOCK_MONOTONIC, ns by CLOCK_MONOTONIC_RAW) of each sleep."""
    env = {k: v for k, v in os.environ.items() if k != 'HPT_SOURCE'}
    p = subprocess.run([*prefix, PROGRAM], env={**env, 'TZ': 'UTC', 'LC_ALL': 'C'}, stdout=subprocess.PIPE, check=True,
                       universal_newlines=True, timeout=TIMEOUT_S)
    return [tuple(int(word) for word in line.split()) for line in p.stdout.splitlines()]


class Asleep(unittest.TestCase):
    def assert_slept(self, results, *prefix):
        found = sleeps(*prefix)
        self.assertEqual(len(found), 4)
        for result, *took_ns in found:
            self.assertIn(result, results, found)
            # A sleep goes by one of the two, as the source does, and NTP may slew CLOCK_MONOTONIC against the other.
            self.assertGreaterEqual(max(took_ns), LENGTH_NS - ROUND_NS, found)

    def test_without_a_fake(self):
        self.assert_slept([0])

    @unittest.skipUnless(FAKETIME, 'no faketime')
    def test_other_years(self):
        for spec in '+10y', '-10y', '@2083-01-01 00:00:00':
            self.assert_slept([0], FAKETIME, '-f', spec)

    @unittest.skipUnless(FAKETIME, 'no faketime')
    def test_time_that_stands_still(self):
        self.assert_slept([1, 2], FAKETIME, '-f', '2030-01-01 00:00:00')

    @unittest.skipUnless(FAKETIME, 'no faketime')
    def test_time_of_another_rate(self):
        for spec in '+0 x3', '+0 x0.3':
            self.assertEqual(len(sleeps(FAKETIME, '-f', spec)), 4)


if __name__ == '__main__':
    cli.main()
