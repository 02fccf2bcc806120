# SPDX-License-Identifier: MIT
"""What the tests of hpt wall share: the shape of its answers, and options by which it asks nobody here."""
import datetime
import json
import re
import socket
import struct
import time

import cli

KEYS = {
    'hpt_json': int, 'source': str, 'at_ns': int, 'state': str, 'generation': int, 'has_bound': bool,
    'earliest_ns': int, 'latest_ns': int, 'earliest': str, 'latest': str, 'width_ns': int, 'max_width_ns': int,
    'too_wide': bool, 'tick': int, 'realtime_ahead_min_ns': int, 'realtime_ahead_max_ns': int, 'flags': list,
    'age_ns': int, 'tai_offset_s': int, 'leap': int, 'leap_at_ns': int, 'leap_at': str, 'rate_min_ppb': int,
    'rate_max_ppb': int, 'rate_ppb': int, 'wander_ppb': int, 'samples': int, 'refused': int, 'contradictions': int,
    'disruptions': int, 'gained': int, 'lost': int, 'sources': list,
    'advice': list,
}
SOURCE_KEYS = {
    'name': str, 'path': str, 'used': bool, 'usable': bool, 'live': bool, 'reason': str, 'reason_code': int,
    'errno': int, 'errno_name': str, 'advice': str, 'width_ns': int, 'age_ns': int, 'flags': list, 'samples': int,
    'refused': int,
}
OF_BOUND = ['earliest_ns', 'latest_ns', 'earliest', 'latest', 'width_ns', 'tick', 'realtime_ahead_min_ns',
            'realtime_ahead_max_ns']
NAMES = ['clockbound', 'chrony', 'kernel', 'vmclock', 'phc', 'fbclock']
STATES = {True: {'synced', 'holdover'}, False: {'none', 'unsynced', 'stale', 'disrupted', 'contradicted', 'leap'}}
US, MS, S = 10**3, 10**6, 10**9

# The columns of a line of --watch.
LINE = re.compile(r'(?P<time>\d\d:\d\d:\d\d\.\d{3}) +(?P<width>\S+(?: \w+)?)  +(?P<min>\S+(?: \w+)?)'
                  r'  +(?P<max>\S+(?: \w+)?) +(?P<gen>\d+)  (?P<state>TOO WIDE|\w+) +(?P<sources>\S+)')


def closed_port():
    """A port at which nobody answers."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
        s.bind(('127.0.0.1', 0))
        return s.getsockname()[1]


def nowhere(chrony=None):
    """Options by which no daemon and no device of this machine is asked."""
    return [f'--chrony={chrony or "127.0.0.1:%d" % closed_port()}', '--clockbound=/nonexistent/shm1',
            '--vmclock=/nonexistent/vmclock0', '--phc=/nonexistent/ptp0', '--chrony-conf=/nonexistent/chrony.conf']


# ClockBound 2: struct ClockErrorBound after its header, clock-bound-shm/src/shm_header.rs and lib.rs. As wide as its
# words are on 64-bit machines, in the machine's own order of bytes.
CLOCKBOUND = struct.Struct('=IIIHHqqqqqQIIB7x')
SYNCHRONIZED = 1
CLOCK_MONOTONIC_COARSE = 6 # linux/time.h


def clockbound_segment(bound_ns):
    """CLOCK_REALTIME is right, to within this, for an hour from now."""
    now_s, now_ns = divmod(time.clock_gettime_ns(CLOCK_MONOTONIC_COARSE), S)
    return CLOCKBOUND.pack(0x414d5a4e, 0x43420200, CLOCKBOUND.size, 2, 2, now_s, now_ns, now_s + 3600, now_ns,
                           bound_ns, 0, 1000, SYNCHRONIZED, 0)


def text_of_ns(ns):
    s = datetime.datetime.fromtimestamp(ns // S, datetime.timezone.utc)
    return s.strftime('%Y-%m-%dT%H:%M:%S') + f'.{ns % S:09}Z'


class WallCase(cli.FolderCase):
    def assert_sound(self, a):
        """Holds for every object."""
        self.assertEqual(list(a), list(KEYS))
        for key, value in a.items():
            if value is not None:
                self.assertIs(type(value), KEYS[key], key)
        self.assertEqual(a['hpt_json'], 1)
        self.assertIn(a['state'], STATES[a['has_bound']])
        self.assertLessEqual(a['rate_min_ppb'], a['rate_max_ppb'])
        self.assertEqual([s['name'] for s in a['sources']], NAMES)
        for s in a['sources']:
            self.assert_sound_source(s)
        if not a['has_bound']:
            self.assertEqual([a[key] for key in OF_BOUND], [None] * len(OF_BOUND))
            self.assertFalse(a['too_wide'])
            return
        self.assertEqual(a['latest_ns'] - a['earliest_ns'], a['width_ns'])
        self.assertGreaterEqual(a['width_ns'], 0)
        self.assertEqual((a['earliest'], a['latest']), (text_of_ns(a['earliest_ns']), text_of_ns(a['latest_ns'])))
        self.assertGreaterEqual(a['realtime_ahead_max_ns'] - a['realtime_ahead_min_ns'], 0)
        self.assertEqual(a['too_wide'], a['max_width_ns'] is not None and a['width_ns'] > a['max_width_ns'])

    def assert_sound_source(self, s):
        self.assertEqual(list(s), list(SOURCE_KEYS))
        for key, value in s.items():
            if value is not None:
                self.assertIs(type(value), SOURCE_KEYS[key], key)
        self.assertEqual(s['usable'], s['reason'] is None, s)
        self.assertEqual(s['usable'], not s['reason_code'], s)
        self.assertEqual(s['errno'] == 0, s['errno_name'] is None, s)
        if not s['used']:
            self.assertFalse(s['usable'])
        if s['usable'] or not s['used']:
            self.assertEqual(s['errno'], 0)

    def wall(self, status, *args, **kw):
        """The object of one look."""
        p = cli.run('wall', '--json', *args, **kw)
        self.assertEqual((p.returncode, p.stderr), (status, b''), (args, p.stdout))
        self.assertEqual(p.stdout.count(b'\n'), 1)
        a = json.loads(p.stdout)
        self.assert_sound(a)
        return a

    def watch(self, status, *args):
        """The objects of a watch."""
        p = cli.run('wall', '--watch', '--json', *args)
        self.assertEqual((p.returncode, p.stderr), (status, b''), args)
        looks = [json.loads(line) for line in p.stdout.splitlines()]
        for a in looks:
            self.assert_sound(a)
        return looks

    def tables(self, status, *args):
        p = cli.run('wall', *args)
        self.assertEqual((p.returncode, p.stderr), (status, b''), args)
        return p.stdout.decode()

    def source(self, a, name):
        return next(s for s in a['sources'] if s['name'] == name)
