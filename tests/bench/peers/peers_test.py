# SPDX-License-Identifier: MIT
"""Tests the harness and its script, with the only peer that needs no library but the C++ compiler's own, and with what
stands for the original.

usage: peers_test.py RUN WITHOUT WITH HARNESS OBJECT...
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

# The original's names, on the system's clock. A program that is linked with it lives 30 ms longer.
STAND_IN = """#pragma once
namespace HPTimer {
struct HighPerTimer {
	static HighPerTimer Now();
	void SetNow() { tics = Now().tics; }
	int64_t HPTics() const { return tics; }
	void NSecSleep(uint64_t ns) const;
	void USecSleep(uint64_t us) const { NSecSleep(us * 1000); }
	int64_t tics = 0;
};
}
"""
STAND_IN_CODE = """#include <ctime>
#include <cstdint>
#include "HighPerTimer.h"
using namespace HPTimer;
HighPerTimer HighPerTimer::Now()
{
	timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	HighPerTimer ret;
	ret.tics = t.tv_sec * 1000000000LL + t.tv_nsec;
	return ret;
}
void HighPerTimer::NSecSleep(uint64_t ns) const
{
	for (const int64_t to = Now().tics + static_cast<int64_t>(ns); Now().tics < to;)
		;
}
static const int load = (HighPerTimer().NSecSleep(30000000), 0);
"""


class Peers(unittest.TestCase):
    def setUp(self):
        self.out = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.out)

    def run_peers(self, *options, **env):
        without, with_hpt, *objects = cli.ARGS
        return subprocess.run(['sh', cli.HPT, '--quick', '--linked', without, with_hpt, *options, self.out, *objects],
                              env={**os.environ, 'HPT_ORIGINAL': '', **env}, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=cli.LIMIT, check=False)

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

    def stand_in(self, folder):
        os.makedirs(folder)
        for name, text in ('HighPerTimer.h', STAND_IN), ('HighPerTimer.cpp', STAND_IN_CODE), ('TimeHardware.cpp', ''):
            with open(os.path.join(folder, name), 'w', encoding='utf-8') as f:
                f.write(text)

    def check_original(self, p):
        self.assertEqual((p.returncode, p.stderr), (0, ''), p.stdout)
        for name in 'Now', 'SetNow':
            reads = re.findall(rf'^HighPerTimer::{name} +[1-9].* x hpt_now ', p.stdout, re.M)
            self.assertEqual(len(reads), 2, p.stdout)
        for name in 'USecSleep', 'NSecSleep':
            sleeps = re.findall(rf'^HighPerTimer::{name}(?: +[-\d.]+)+ %$', p.stdout, re.M)
            self.assertEqual(len(sleeps), LENGTHS, p.stdout)
        lives = dict(re.findall(r'^(libhpt|HighPerTimer, C\+\+) +[\d.]+ +([\d.]+) +[\d.]+ +-?[\d.]+$', p.stdout,
                                re.M))
        self.assertEqual(set(lives), {'libhpt', 'HighPerTimer, C++'}, p.stdout)
        self.assertGreater(float(lives['HighPerTimer, C++']), 30, p.stdout)

    def test_the_original_compared_with_ours(self):
        clone = os.path.join(self.out, 'a clone')
        self.stand_in(os.path.join(clone, 'lib', 'libHPTimer'))
        self.check_original(self.run_peers('--only', 'original', '--original', clone))

    def test_the_originals_sources_alone_by_the_environment(self):
        sources = os.path.join(self.out, 'sources')
        self.stand_in(sources)
        self.check_original(self.run_peers('--only', 'original', HPT_ORIGINAL=sources))

    def test_a_folder_without_the_original_is_an_error(self):
        p = self.run_peers('--only', 'original', '--original', self.out)
        self.assertEqual((p.returncode, p.stdout), (1, ''))
        self.assertIn(f'no HighPerTimer.cpp in {self.out} nor in its lib/libHPTimer', p.stderr)

    def test_no_original_is_skipped(self):
        p = self.run_peers('--only', 'original')
        self.assertEqual((p.returncode, p.stderr), (77, ''))
        self.assertRegex(p.stdout, '^skipped: original: neither --original nor HPT_ORIGINAL names a copy')

    def test_a_program_that_fails_is_an_error(self):
        clone = os.path.join(self.out, 'clone')
        self.stand_in(clone)
        p = self.run_peers('--only', 'original', '--original', clone, '--linked', '/bin/true', '/bin/false')
        self.assertEqual(p.returncode, 1, p.stdout)
        self.assertIn('bench_peers: /bin/false failed', p.stderr)

    def test_usage(self):
        self.assertEqual(self.run_peers('--only', 'chronos').returncode, 2)


if __name__ == '__main__':
    cli.main()
