# SPDX-License-Identifier: MIT
"""calls.py OBJECT STEPS [NAME=PATH...]: the system calls of waits, with the object and without it."""
import collections

import lab

ROUNDS = 40
# The system calls by which the C library makes a wait of that kind.
FAMILY = {'poll': {'poll', 'ppoll'}, 'ppoll': {'ppoll', 'ppoll_time64'},
          'select': {'select', '_newselect', 'pselect6', 'pselect6_time64'}, 'pselect': {'pselect6', 'pselect6_time64'},
          'epoll_wait': {'epoll_wait', 'epoll_pwait'}, 'epoll_pwait': {'epoll_pwait'}}
CLOCK = {'clock_gettime', 'clock_gettime64'}
WAITS = 'waits=1', 'waits=2'


class Calls(lab.Traced):
    PROGRAM = 'wait_calls'

    def counts(self, preload, *arguments, waits='waits=1'):
        """How often each call was made between the program's two of getppid(). Clocks may be calls as well."""
        calls = self.calls(self.traced(preload, *arguments, program=self.other(self.PROGRAM), HPT_RUN=waits))
        first, last = (i for i, call in enumerate(calls) if call == 'getppid')
        return collections.Counter(call for call in calls[first + 1:last] if call not in CLOCK)


class Events(Calls):
    def test_descriptors(self):
        """What is waited for comes long before the time-out: the program's own call, and no other."""
        for kind, family in FAMILY.items():
            bare = self.counts(None, kind, str(ROUNDS))
            self.assertEqual(sum(bare[call] for call in family), ROUNDS, (kind, bare))
            for waits in WAITS:
                self.assertEqual(self.counts(self.object, kind, str(ROUNDS), waits=waits), bare, (kind, waits))

    def test_sets_that_are_not_on_the_stack(self):
        """Whether they can be read is asked for each call, of one set on one page or two."""
        bare = self.counts(None, 'far-select', str(ROUNDS))
        for waits in WAITS:
            counts = self.counts(self.object, 'far-select', str(ROUNDS), waits=waits)
            self.assertLessEqual(counts.pop('rt_sigprocmask', 0), 2 * ROUNDS if waits == 'waits=1' else 0, counts)
            self.assertEqual(counts, bare, waits)

    def test_threads(self):
        """How often they meet in the kernel is another number each time."""
        for kind in 'cond', 'sem':
            for preload in None, self.object:
                self.assertLessEqual(set(self.counts(preload, kind, str(ROUNDS))), {'futex', 'futex_time64'},
                                     (kind, preload))


class TimeOuts(Calls):
    def test_whole_milliseconds_by_the_own_call(self):
        """Those that end by their time-outs make other calls only where they may: waits=2 forbids it."""
        for kind in 'poll', 'epoll_wait', 'epoll_pwait':
            own = set(self.counts(None, kind, '3', '5'))
            self.assertEqual(len(own), 1, own)
            self.assertEqual(set(self.counts(self.object, kind, '20', '5', waits='waits=2')), own, kind)

    def test_parts_of_them_by_the_variant(self):
        variants = {'poll': {'ppoll'}, 'epoll_wait': {'epoll_pwait2'}, 'epoll_pwait': {'epoll_pwait2'}}
        for kind, variant in variants.items():
            own = set(self.counts(None, kind, '3', '5'))
            self.assertLessEqual(set(self.counts(self.object, kind, '20', '5')), own | variant, kind)

    def test_others_by_the_own_call(self):
        for kind in 'ppoll', 'pselect', 'select':
            for waits in WAITS:
                counts = self.counts(self.object, kind, '20', '5', waits=waits)
                self.assertLessEqual(set(counts), FAMILY[kind], kind)


class Wide:
    """32-bit programs with 64-bit time make the calls of 32-bit time, where that holds the time."""
    PROGRAM = 'wait_calls32_wide'

    def setUp(self):
        super().setUp()
        self.object = lab.link(self.other('object32'), self.folder, 'object32.so')


class WideEvents(Wide, Events):
    pass


class WideTimeOuts(Wide, TimeOuts):
    pass


if __name__ == '__main__':
    lab.main()
