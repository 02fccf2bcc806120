# SPDX-License-Identifier: MIT
"""Tests the harness and its script, with the only peer that needs no library but the C++ compiler's own.

usage: peers_test.py RUN HARNESS OBJECT...
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'cli'))
import cli

LENGTHS = 4


class Peers(unittest.TestCase):
    def setUp(self):
        self.out = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.out)

    def run_peers(self, *options, **env):
        return subprocess.run(['sh', cli.HPT, '--quick', *options, self.out, *cli.ARGS], env={**os.environ, **env},
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=cli.LIMIT, check=False)

    def test_chrono_compared_with_ours(self):
        p = self.run_peers('--only', 'chrono')
        self.assertEqual((p.returncode, p.stderr), (0, ''), p.stdout)
        nothing, *costs = ([float(ns) for ns in re.findall(rf'^{name} +([\d.]+) \(p10', p.stdout, re.M)]
                           for name in ('nothing', 'hpt_now', 'std::chrono::steady_clock'))
        self.assertEqual((len(nothing), [len(of) for of in costs]), (2, [2, 2]), p.stdout)
        # A read that costs no more than the empty loop was optimized away; one above 0.1 ms is in another unit.
        self.assertTrue(all(1.2 * loop < ns < 1e5 for of in costs for loop, ns in zip(nothing, of)), p.stdout)
        self.assertNotRegex(p.stdout, r'(?m)^hpt_now .* x hpt_now ')
        self.assertRegex(p.stdout, r'(?m)^std::chrono::steady_clock .* x clock_gettime\(MONOTONIC\) .* x hpt_now ')
        for name in ('hpt_sleep_ns', 'nanosleep', 'std::this_thread::sleep_for'):
            early = re.findall(rf'^{name} +[-\d.]+ +[-\d.]+ +[-\d.]+ +(\d+) +[\d.]+ %$', p.stdout, re.M)
            self.assertEqual(len(early), LENGTHS, p.stdout)
            # The other sleeps follow a clock that may be slewed relative to the stopwatch.
            self.assertTrue(name != 'hpt_sleep_ns' or set(early) == {'0'}, p.stdout)

    def test_nothing_to_compare_with_is_reported_and_skipped(self):
        p = self.run_peers('--only', 'chrono', CXX='/nonexistent/c++')
        self.assertEqual((p.returncode, p.stderr), (77, ''))
        self.assertEqual(p.stdout.splitlines(), ['skipped: chrono: no C++ compiler (Debian package: g++)',
                                                 'no peer to compare with'])

    def test_a_missing_library_is_reported_with_its_package(self):
        p = self.run_peers('--only', 'uv', PKG_CONFIG_LIBDIR=self.out, PKG_CONFIG_PATH='')
        self.assertEqual(p.returncode, 77, p.stderr)
        self.assertRegex(p.stdout, r'^skipped: uv: no .*\(Debian package: (libuv1-dev|pkg-config)\)\n')

    def test_a_peer_that_does_not_compile_is_an_error(self):
        p = self.run_peers('--only', 'chrono', CXX='false')
        self.assertEqual((p.returncode, p.stdout), (1, ''))
        self.assertIn('chrono.cc does not compile', p.stderr)

    def test_usage(self):
        self.assertEqual(self.run_peers('--only', 'chronos').returncode, 2)


if __name__ == '__main__':
    cli.main()
