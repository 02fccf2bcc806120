# SPDX-License-Identifier: MIT
"""company_waits.py OBJECT STEPS [NAME=PATH...]: as company.py, for waits that events end, with HPT_RUN=waits=1.

Waits with a time-out by several functions, and hand-overs among threads, end as they do without the object.
"""
import subprocess
import unittest

import company
import lab
import tally

MS = lab.MS
# What each function is called in the counts, and a wait by it.
WAITS = {'poll': 'poll-fd', 'ppoll': 'ppoll-fd', 'select': 'select-fd', 'pselect': 'pselect-fd',
         'epoll_wait': 'epoll_wait', 'epoll_pwait': 'epoll_pwait', 'sem_timedwait': 'sem_timedwait',
         'pthread_cond_timedwait': 'cond_timedwait'}
SERVED = {'HPT_RUN': 'waits=1'}
SPUN = {'HPT_RUN': 'waits=1,policy=4,budget=100,least=0'}


@unittest.skipUnless(company.FAKETIME, 'no libfaketime')
class Faketime(lab.Case):
    def setUp(self):
        super().setUp()
        self.fake = lab.link(company.FAKETIME[0], self.folder, 'faketime.so')

    def compare(self, spec, ns, least_ns, names=WAITS):
        """In both orders they end as without the object, after their length of real time."""
        steps = [f'{WAITS[name]}:{ns}' for name in names]
        want = None
        for preload in [self.fake], [self.object, self.fake], [self.fake, self.object]:
            found = self.run_steps(*steps, preload=preload, program=self.other('wait_steps'), FAKETIME=spec,
                                   FAKETIME_DONT_FAKE_MONOTONIC='0', **SERVED)
            want = want or [s.result for s in found]
            self.assertEqual([s.result for s in found], want, (spec, preload))
            for s in found:
                self.assertGreaterEqual(s.took_ns, least_ns, (spec, preload, s))

    def test_other_days(self):
        for spec in '+0', '+2d', '-2d', '@2031-02-03 04:05:06':
            self.compare(spec, 3 * MS, 3 * MS - 1000)

    def test_other_rates(self):
        """A wait whose length is not changed takes an hour, or half as long. libfaketime leaves out two."""
        names = [name for name in WAITS if name not in ('ppoll', 'sem_timedwait')]
        self.compare('+0 x10000', 3600_000 * MS, 350 * MS, names)
        self.compare('+0 x0.5', 20 * MS, 39 * MS, names)


class Sanitizers(company.Built):
    KINDS = [('gcc', 'address'), ('gcc', 'thread'), ('gcc', 'undefined'), ('clang', 'address'), ('clang', 'thread'),
             ('clang', 'memory'), ('clang', 'leak'), ('clang', 'undefined')]
    HANDOVERS = ['cond', 'cond-after', 'broadcast', 'cnd', 'sem', 'futex', 'poll', 'epoll', 'select']

    def each(self, *flags, sources):
        """Programs by each, built one after the other; skipped where none can be."""
        done = 0
        for compiler, kind in self.KINDS:
            try:
                yield self.built(compiler, f'-fsanitize={kind}', *flags, sources=sources), f'{compiler} {kind}'
                done += 1
            except unittest.SkipTest:
                pass
        if not done:
            self.skipTest('no sanitizer can be linked here')

    def test_time_outs(self):
        """Those that the runtime in the program passes on are served."""
        steps = [f'{step}:{3 * MS}' for step in WAITS.values()]
        for program, kind in self.each('-DHAS_WAITERS', sources=('steps.c', 'sleeper.c', 'waiters.c')):
            self.assert_slept(self.run_steps(*steps, program=program, preload=[]))
            self.make()
            self.assert_slept(self.run_counted(*steps, program=program, **SERVED))
            if kind.startswith('clang'):
                self.assertEqual(self.by_call('served'), dict.fromkeys(WAITS, 1), kind)

    def test_time_outs_after_a_runtime(self):
        """A shared one has the first functions, and calls the object's."""
        steps = [f'{step}:{3 * MS}' for step in WAITS.values()]
        for kind, name in ('address', 'libasan.so'), ('thread', 'libtsan.so'):
            program = self.built('gcc', f'-fsanitize={kind}', '-DHAS_WAITERS',
                                 sources=('steps.c', 'sleeper.c', 'waiters.c'))
            runtime = self.runtime(program, name)
            self.make()
            self.assert_slept(self.run_counted(*steps, program=program, preload=[runtime, self.object], **SERVED))
            self.assertEqual(self.by_call('served'), dict.fromkeys(WAITS, 1), kind)

    def handed_over(self, program, kind, preload, **env):
        env = {**lab.clean_env(), **({'LD_PRELOAD': preload} if preload else {}), **env}
        done = subprocess.run([program, kind, '200'], env=env, capture_output=True, text=True, timeout=3 * lab.LIMIT_S,
                              check=False)
        return done.returncode, done.stderr

    def test_hand_overs(self):
        """Among threads, with no report that there is not without the object."""
        compared = set()
        for program, name in self.each(sources=('handovers.c', 'handover_fds.c', 'handover_words.c')):
            for kind in self.HANDOVERS:
                if self.handed_over(program, kind, None) != (0, ''):
                    continue
                compared.add(kind)
                for choices in SERVED, SPUN:
                    self.assertEqual(self.handed_over(program, kind, self.object, **choices), (0, ''), (name, kind))
        self.assertEqual(compared, set(self.HANDOVERS))


class Elsewhere(tally.Case):
    STEPS = [f'{step}:{3 * MS}' for step in WAITS.values()]

    def test_bubblewrap(self):
        bwrap = [self.tool('bwrap'), '--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--unshare-all']
        if subprocess.run([*bwrap, 'true'], capture_output=True, check=False).returncode:
            self.skipTest('bwrap may not make namespaces here')
        self.assert_slept(self.run_steps(*self.STEPS, program=self.other('wait_steps'), prefix=bwrap, **SERVED))

    def test_32_bits(self):
        """Their counts are in the same file."""
        steps, small = self.other('wait_steps32'), lab.link(self.other('object32'), self.folder, 'object32.so')
        self.make()
        self.assert_slept(self.run_counted(*self.STEPS, program=steps, preload=[small], **SERVED))
        self.assertEqual(self.by_call('served'), dict.fromkeys(WAITS, 1))


if __name__ == '__main__':
    lab.main()
