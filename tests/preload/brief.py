# SPDX-License-Identifier: MIT
"""brief.py OBJECT STEPS [NAME=PATH...]: sleeps that are passed on, which have the timer slack that there was before.

The slack is chosen large, so that its effect shows on any machine: 200 ms.
"""
import unittest

import lab

MS = lab.MS
SLACK = {'HPT_RUN_SLACK': str(200 * MS)}
BRIEF = {'HPT_RUN': f'least={150 * MS}'}
# For signals in a sleep that is passed on: a program may well be without a CPU as long as SLACK.
LONG_SLACK = {'HPT_RUN_SLACK': str(1000 * MS), 'HPT_RUN': f'least={60_000 * MS}'}
RELATIVE = ['nanosleep', 'nanosleep-alias', 'monotonic', 'real', 'usleep', 'thrd_sleep', 'select', 'select-alias',
            'pselect', 'ppoll', 'ppoll-chk']


class Brief(lab.Case):
    def test_brief_relative_sleeps_have_the_slack(self):
        for s in self.run_steps(*(f'{name}:{20 * MS}' for name in RELATIVE), **SLACK, **BRIEF):
            self.assertGreaterEqual(s.took_ns, 219 * MS, s)

    def test_slack_that_cannot_be(self):
        for slack in '', '-5', 'x', '200000000x', '99999999999999999999':
            self.assert_plain(self.run_steps(*3 * [f'nanosleep:{20 * MS}'], HPT_RUN_SLACK=slack, **BRIEF))

    def test_hours_of_slack_count_as_a_second(self):
        for s in self.run_steps(f'nanosleep:{20 * MS}', HPT_RUN_SLACK=str(3600_000 * MS), **BRIEF):
            self.assertGreaterEqual(s.took_ns, 1019 * MS, s)

    def assert_plain(self, sleeps):
        """Without the slack: at least one of several, since this machine may be busy."""
        self.assert_slept(sleeps)
        self.assertLess(min(s.took_ns for s in sleeps), 200 * MS, sleeps)

    def test_absolute_sleeps_and_poll_have_none(self):
        for name in 'monotonic-abs', 'real-abs', 'poll', 'poll-chk':
            self.assert_plain(self.run_steps(*3 * [f'{name}:{20 * MS}'], **SLACK, **BRIEF))

    def test_served_sleeps_have_none(self):
        for name in RELATIVE:
            self.assert_plain(self.run_steps(*3 * [f'{name}:{20 * MS}'], HPT_RUN=f'least={20 * MS}', **SLACK))

    def test_least_compares_what_is_left(self):
        """A time is a large number, however soon it comes."""
        for name, least_ns, served in ('monotonic-abs', 10 * MS, True), ('monotonic-abs', 60_000 * MS, False), \
                                      ('real-abs', 10 * MS, True), ('real-abs', 60_000 * MS, False):
            sleeps = self.run_steps(f'{name}:{20 * MS}', HPT_RUN=f'policy=4,budget=100,least={least_ns}')
            self.assert_slept(sleeps)
            stats = self.counted(name, 1000 * MS if served else 20 * MS, least_ns)
            self.assertEqual(stats, (1, 0) if served else (0, 1), name)

    def counted(self, name, ns, least_ns):
        """How many were served and passed on. Of a time that is to be served a lost CPU may take most."""
        import tally
        case = tally.Case()
        case.setUp()
        self.addCleanup(case.doCleanups)
        case.make()
        case.run_counted(f'{name}*1:{ns}', HPT_RUN=f'least={least_ns}')
        return sum(case.by_call('served').values()), sum(case.by_call('passed').values())

    def test_slack_is_taken_off_what_is_left(self):
        length_ns = 10_000 * MS
        for name in 'nanosleep', 'monotonic', 'real', 'thrd_sleep', 'select':
            s, = self.run_steps(f'alarm:{50 * MS}', f'{name}:{length_ns}', **LONG_SLACK)
            self.assertNotEqual(s.result, 0, s)
            self.assertLessEqual(s.left_ns, length_ns, s)
            self.assertGreaterEqual(s.left_ns, max(0, length_ns - s.took_ns - 1000), s)

    def test_signal_in_the_slack_leaves_nothing(self):
        """The sleep itself was over: of a microsecond, in which no signal comes, however late it begins."""
        for name in 'nanosleep', 'select':
            s, = self.run_steps(f'alarm:{100 * MS}', f'{name}:1000', **LONG_SLACK)
            self.assertNotEqual(s.result, 0, s)
            self.assertEqual(s.left_ns, 0, s)


if __name__ == '__main__':
    lab.main()
