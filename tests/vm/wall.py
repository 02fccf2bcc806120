# SPDX-License-Identifier: MIT
"""The wall clock is set, or made to run faster or slower: Unix time follows, and nothing else is disturbed."""
import vm
from vm import STATE

YEAR_2083_S = 3565987200
# Time until the next burst of a process that reads every millisecond, on a busy host.
AT_ONCE_NS = 0.2e9
# Measured in an emulator under load: single microseconds.
STEADY_NS = 50e3


class Wall(vm.Case):
    append = vm.NO_WATCHDOG
    # Each command lasts until the change is noticed, and somewhat longer; all times must be right then.
    script = '''
settle
step='sleep 0.3; date -s @$(($(date +%s) + $0)) >/dev/null; sleep 1.7'
watch() { guest watch default guest watch os sh -c "$@"; }
slew() { watch "sleep 0.2; adjtimex $1 >/dev/null; sleep 3.5; adjtimex -f 0 >/dev/null"; }
section kernel cat $clocks/current_clocksource
section quiet watch 'sleep 2.5'
section forward watch "$step" 3600
section back watch "$step" -3600
section checked guest check default sh -c "$step" 3600
section fast slew '-f 32768000'
section slow slew '-f -32768000'
section single slew '-o 400000'
adjtimex -f 32768000 >/dev/null
section steady watch 'sleep 5'
adjtimex -f 0 >/dev/null
section year_2083 watch 'sleep 0.3; date -s @3565987200 >/dev/null; sleep 1.7'
section now hpt now --json
section bits32 guest32 watch default sleep 1.5
'''
    needs_guest32 = True
    keeps = ''
    kernel = ''
    steps = 'forward', 'back', 'year_2083'
    slews = 'fast', 'slow', 'single'

    def of(self, section, source):
        return {seen['source']: seen for seen in self.objects(section)}[source]

    def kept(self, section):
        return self.of(section, self.keeps)

    def test_the_kernels_clocksource(self):
        self.assertEqual(self.text('kernel').strip(), self.kernel)

    def test_a_quiet_time(self):
        for seen in self.objects('quiet'):
            self.assert_generation(seen, STATE.OK, 1)
            self.assert_forward(seen)
            for clock in 'timeline', 'unix':
                self.assert_undisturbed(seen, clock)

    def test_steps_begin_a_generation(self):
        for section in self.steps:
            self.assert_generation(self.kept(section), STATE.REANCHORED, 2)

    def test_unix_time_follows_steps(self):
        for section in self.steps:
            self.assert_right(self.kept(section), 'unix')

    def test_unix_time_of_the_os_is_the_kernels_own(self):
        for section in self.steps + self.slews:
            self.assert_undisturbed(self.of(section, 'os'), 'unix')

    def test_check_follows_at_once(self):
        seen = self.object('checked')
        self.assert_generation(seen, STATE.REANCHORED, 2)
        self.assert_right(seen, 'unix', AT_ONCE_NS)

    def test_steps_and_slews_disturb_nothing_else(self):
        for section in self.steps + self.slews:
            seen = self.kept(section)
            self.assert_forward(seen)
            self.assert_undisturbed(seen, 'timeline')

    def test_unix_time_follows_slews(self):
        for section in self.slews:
            seen = self.kept(section)
            self.assert_generation(seen, STATE.OK, 1)
            self.assert_undisturbed(seen, 'unix')

    def test_steady_slew_is_followed_closely(self):
        """A clock that did not follow would be wrong by half a millisecond each second."""
        seen = self.kept('steady')
        self.assert_generation(seen, STATE.OK, 1)
        for clock in 'timeline', 'unix':
            self.assertLess(abs(seen[clock]['settled_ns']), STEADY_NS, seen)

    def test_it_is_2083(self):
        now = self.object('now')
        self.assertLess(now['unix_ns'] / 1e9 - YEAR_2083_S, 60)
        self.assertGreater(now['unix_ns'] / 1e9, YEAR_2083_S)
        self.assertTrue(now['utc'].startswith('2083-01-01T00:0'), now)

    def test_it_is_2083_with_32_bits(self):
        seen = self.object('bits32')
        self.assertEqual(seen['pointer_bits'], 32)
        self.assert_undisturbed(seen, 'unix')


class WallTsc(Wall):
    cpu, changes = 'EPYC,+invtsc', ('invariant-tsc',)
    kernel = keeps = 'tsc'


class WallHpet(Wall):
    cpu = 'phenom'
    options = ('-global', 'hpet.timers=8')
    kernel = keeps = 'hpet'


if __name__ == '__main__':
    vm.main()
