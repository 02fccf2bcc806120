# SPDX-License-Identifier: MIT
"""Sleeps: none ends early, and none is held up by a suspend, a step of the wall clock or a counter that is set."""
import errno

import vm
from vm import STATE

MS = 1_000_000
SECOND = 1_000_000_000
TICK_NS = 10 # of the emulated HPET
TICKS = SECOND // TICK_NS

SLEEPS = 300

# Generous for a busy host: the tests find sleeps that end by the wrong clock, not late ones.
LATE_NS = 7 * SECOND
# The allowed difference between the kernel's clocks and those of the library that follow them.
OFF_NS = vm.WRONG_NS
# If the counter lost time, sleeps end by CLOCK_MONOTONIC, early by at most this plus one part in DIVERGED_SHARE.
DIVERGED_NS, DIVERGED_SHARE = 1_000_000, 8

OWN = {'until': 'ticks', 'ns': 'ns', 'unix': 'unix_ns'}


class Asleep(vm.Case):
    sections = ()

    def sleepers(self, section):
        """Returns (source, way) -> the printed object."""
        seen = {(s['source'], s['way']): s for s in self.objects(section)}
        self.assertEqual(len(seen) % 4, 0, seen)
        return seen

    def test_errno_and_slack_are_kept(self):
        for section in self.sections:
            for s in self.sleepers(section).values():
                self.assertTrue(s['errno_kept'] and s['slack_kept'], s)

    def passed(self, s, clock):
        return s['after'][clock] - s['before'][clock]

    def assert_timeline(self, s, results, timeline_ns):
        """Not early by the clocks that exclude a suspend, and not late by the length of one."""
        self.assertIn(s['result'], results, s)
        for clock in 'mono_ns', 'raw_ns':
            self.assertGreaterEqual(self.passed(s, clock), timeline_ns - OFF_NS, s)
            self.assertLess(self.passed(s, clock), timeline_ns + LATE_NS, s)

    def assert_wall(self, s, results):
        """The sleep ends by the wall clock, which may have been stepped far past the deadline."""
        self.assertIn(s['result'], results, s)
        self.assert_reached(s)
        self.assertGreaterEqual(s['after']['real_ns'], s['deadline'] - OFF_NS, s)

    def assert_reached(self, s):
        """The sleep reached its deadline by its own clock. A positive result says that this clock was corrected
        meanwhile, unless it is the counter itself."""
        own = OWN[s['way']]
        off_ns = OFF_NS if s['result'] and own != 'ticks' else 0
        self.assertGreaterEqual(s['after'][own], s['deadline'] - off_ns, s)

    def assert_interrupted(self, s):
        self.assertEqual(s['result'], -errno.ECANCELED, s)


class Disturbed(Asleep):
    """A machine on which kernel and library use the same counter."""
    needs_guest32, wake_after_s = True, 10
    timeline_ns, wall_ns = 2 * SECOND, 3 * SECOND
    # A busy host may take seconds to start the shell and to suspend the machine: the sleeps have to go on until then,
    # and those by the counter end in the suspend.
    suspended_timeline_ns, suspended_wall_ns = 6 * SECOND, 14 * SECOND
    script = f'''
settle
suspend='sleep 1; echo mem >/sys/power/state; sleep 1'
step='sleep 0.5; date -s @$(($(date +%s) + $0)) >/dev/null'
both() {{ asleep kernel default $1 $2 asleep kernel os $1 $2 sh -c "$3" $4; }}
for program in asleep asleep32; do
	section early_$program $program early default {SLEEPS}
	section early_os_$program $program early os {SLEEPS}
done
section forward both {timeline_ns // MS} 3600000 "$step" 3600
section back both {timeline_ns // MS} {wall_ns // MS} "$step" -4
section suspended both {suspended_timeline_ns // MS} {suspended_wall_ns // MS} "$suspend"
'''
    sections = 'forward', 'back', 'suspended'
    source = ''

    def test_none_is_early(self):
        for source in self.source, 'os':
            for program, bits in ('asleep', 64), ('asleep32', 32):
                section = f'early_os_{program}' if source == 'os' else f'early_{program}'
                self.assertEqual(self.object(section), {
                    'source': source, 'pointer_bits': bits, 'slack_kept': True, 'sleeps': SLEEPS,
                    'early': 0, 'worst': 0, 'diverged': 0, 'refused': 0, 'errnos': 0})

    def test_steps_do_not_matter_to_other_sleeps(self):
        for section in 'forward', 'back':
            seen = self.sleepers(section)
            for source in self.source, 'os':
                for way in 'until', 'ns':
                    self.assert_timeline(seen[source, way], [STATE.OK], self.timeline_ns)
                    self.assert_reached(seen[source, way])
                self.assert_interrupted(seen[source, 'waiter'])

    def test_steps_end_sleeps_by_the_wall_clock(self):
        for section in 'forward', 'back':
            seen = self.sleepers(section)
            for source in self.source, 'os':
                self.assert_wall(seen[source, 'unix'], [STATE.OK])
                self.assertLess(self.passed(seen[source, 'unix'], 'mono_ns'), self.wall_ns + 5 * SECOND + LATE_NS)

    def was_suspended(self, s):
        """Was the machine suspended during that sleep? On a very slow host it may be only after its end."""
        return self.passed(s, 'real_ns') - self.passed(s, 'mono_ns') > SECOND

    def suspended(self, way):
        """The sleeps and their allowed results: the OS clock's counter is CLOCK_MONOTONIC, which excludes a suspend."""
        seen = self.sleepers('suspended')
        own = seen[self.source, way]
        results = [STATE.REANCHORED, STATE.DISRUPTED] if self.was_suspended(own) else [STATE.OK]
        return (own, results), (seen['os', way], [STATE.OK])

    def test_a_suspend_is_reported(self):
        seen = self.sleepers('suspended')
        self.assertTrue(any(self.was_suspended(seen[self.source, way]) for way in OWN), seen)

    def test_suspend_is_no_part_of_a_time(self):
        for s, results in self.suspended('ns'):
            self.assert_timeline(s, results, self.suspended_timeline_ns)
            self.assert_reached(s)

    def test_suspend_does_not_hold_up_ticks(self):
        for s, results in self.suspended('until'):
            self.assertIn(s['result'], results, s)
            self.assertLess(self.passed(s, 'mono_ns'), self.suspended_timeline_ns + LATE_NS, s)

    def test_suspend_is_part_of_the_wall_clocks_time(self):
        for s, results in self.suspended('unix'):
            self.assert_wall(s, results)
            self.assertLess(s['after']['real_ns'], s['deadline'] + LATE_NS, s)

    def test_interrupt_after_a_suspend(self):
        for s, _ in self.suspended('waiter'):
            self.assert_interrupted(s)
            slept_ns = self.passed(s, 'real_ns') - self.passed(s, 'mono_ns')
            self.assertGreater(slept_ns, (self.wake_after_s - 1.5) * SECOND, s)


class AsleepHpet(Disturbed):
    """The HPET starts again at zero after a suspend, far before the deadlines."""
    cpu, source = 'phenom', 'hpet'
    options = ('-global', 'hpet.timers=8')


class AsleepTsc(Disturbed):
    """The TSC runs on in a suspend: ticks pass in it."""
    cpu, append, changes = 'EPYC,+invtsc', vm.NO_WATCHDOG, ('invariant-tsc',)
    source = 'tsc'

    def test_ticks_passed_in_the_suspend(self):
        self.assert_reached(self.sleepers('suspended')['tsc', 'until'])


class AsleepJump(Asleep):
    """The counter is set to another value while the kernel keeps time with another counter."""
    cpu, append = 'Haswell', 'iomem=relaxed ' + vm.NO_WATCHDOG
    options = ('-global', 'hpet.timers=8')
    timeline_ns = 4 * SECOND
    # Ahead first: a counter cannot be set back further than it has counted.
    script = f'''
settle
cat >/tmp/move <<'EOF'
sleep 1
guest move hpet $1
sleep 0.5
EOF
for how in kernel spin; do
	section ${{how}}_ahead asleep $how hpet {timeline_ns // MS} {timeline_ns // MS} sh /tmp/move {200 * TICKS}
	section ${{how}}_back asleep $how hpet {timeline_ns // MS} {timeline_ns // MS} sh /tmp/move -{150 * TICKS}
done
section spin_quiet asleep spin hpet 2000 2000 sleep 3
'''
    ahead, back = ('kernel_ahead', 'spin_ahead'), ('kernel_back', 'spin_back')
    sections = ahead + back + ('spin_quiet',)

    def all(self, sections, *ways):
        for section in sections:
            seen = self.sleepers(section)
            for way in ways:
                yield seen['hpet', way]

    def test_it_was_set(self):
        for s in self.all(self.ahead, 'waiter'):
            self.assertGreater(self.passed(s, 'ticks'), 150 * TICKS, s)
        for s in self.all(self.back, 'waiter'):
            self.assertLess(self.passed(s, 'ticks'), 0, s)

    def result(self, s):
        """The result that it must have: on a very slow host the counter may be set after the sleep has ended."""
        apart = abs(self.passed(s, 'ticks') * TICK_NS - self.passed(s, 'mono_ns'))
        return STATE.DISRUPTED if apart > 50 * SECOND else STATE.OK

    def test_all_sleeps_report_it_and_none_hangs(self):
        for s in self.all(self.ahead + self.back, 'until', 'ns', 'unix'):
            self.assertEqual(s['result'], self.result(s), s)
            self.assertLess(self.passed(s, 'mono_ns'), self.timeline_ns + LATE_NS, s)

    def test_nothing_is_reported_where_nothing_happened(self):
        """Four threads spin on two processors and are preempted all the time."""
        for s in self.all(['spin_quiet'], 'until', 'ns', 'unix'):
            self.assertEqual(s['result'], STATE.OK, s)
            self.assert_reached(s)

    def test_ticks_follow_the_counter(self):
        for s in self.all(self.ahead, 'until'):
            self.assert_reached(s)

    def test_a_counter_set_back_ends_sleeps_by_the_clock(self):
        for s in self.all(self.back, 'until', 'ns', 'unix'):
            least = self.timeline_ns * (DIVERGED_SHARE - 1) // DIVERGED_SHARE - DIVERGED_NS
            self.assertGreaterEqual(self.passed(s, 'mono_ns'), least, s)

    def test_the_wall_clock_ends_its_own(self):
        for s in self.all(self.ahead, 'unix'):
            self.assert_wall(s, [self.result(s)])

    def test_waiters_can_still_be_interrupted(self):
        for s in self.all(self.ahead + self.back, 'waiter'):
            self.assert_interrupted(s)


if __name__ == '__main__':
    vm.main()
