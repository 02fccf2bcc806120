# SPDX-License-Identifier: MIT
"""Suspend to RAM and back: the HPET starts again at zero, the TSC runs on, the kernel's clock excludes the suspend."""
import vm
from vm import REASON, STATE

SLEEP_S = 3
TICK_NS = 10 # of the emulated HPET
# The kernel measures its suspend by the real-time clock, which counts whole seconds.
SLEPT_NS = (SLEEP_S - 1.5) * 1e9

# Time until the next read of a process that reads every millisecond, on a machine that is busy then.
AT_ONCE_NS = 0.2e9


class Suspend(vm.Case):
    wake_after_s = SLEEP_S
    # The processes that live through the suspend use their clocks until the library must have taken a sample.
    script = '''
settle
section lived guest watch default guest check default guest watch os guest watch tsc \\
	sh -c 'echo mem >/sys/power/state; sleep 1.5'
section kernel cat $clocks/current_clocksource
section info hpt info --json
section sources hpt sources --json
section watched guest watch default sleep 1
'''
    kernel, reason = '', None

    def lived(self, source, check=False):
        return {(seen['source'], seen['check']): seen for seen in self.objects('lived')}[source, check]

    def test_it_slept(self):
        os = self.lived('os')
        boottime, raw = (os['after'][clock] - os['before'][clock] for clock in ('boottime_ns', 'raw_ns'))
        self.assertGreater(boottime - raw, SLEPT_NS)

    def test_os_clock_goes_on_without_the_sleep(self):
        seen = self.lived('os')
        self.assert_forward(seen)
        passed, raw = (seen['after'][clock] - seen['before'][clock] for clock in ('ns', 'raw_ns'))
        self.assertLess(abs(passed - raw), SLEPT_NS)

    def test_tsc_goes_on(self):
        seen = self.lived('tsc')
        self.assertEqual(seen['now'], {'back': 0, 'worst': 0})
        self.assertGreater(seen['after']['ticks'], seen['before']['ticks'], seen)

    def assert_reanchored(self, seen, within_ns):
        self.assert_generation(seen, STATE.REANCHORED, 2)
        self.assertEqual(seen['now_ns'], {'back': 0, 'worst': 0})
        for clock in 'timeline', 'unix':
            self.assert_right(seen, clock, within_ns)

    def test_counters_are_reanchored(self):
        for source in {self.kernel, 'tsc'}:
            self.assert_reanchored(self.lived(source), vm.NOTICED_NS)

    def test_check_reanchors_at_once(self):
        self.assert_reanchored(self.lived(self.kernel, check=True), AT_ONCE_NS)

    def test_a_process_started_afterwards_chooses_rightly(self):
        self.assertEqual(self.text('kernel').strip(), self.kernel)
        self.assert_chosen('sources', self.kernel, self.reason)
        self.assertEqual(self.object('info')['state'], 'ok')
        self.assert_forward(self.object('watched'))


class SuspendHpet(Suspend):
    cpu = 'phenom'
    options = ('-global', 'hpet.timers=8')  # enough for two processes
    kernel, reason = 'hpet', REASON.LOWER_MEAN
    # A count that has come back to where it was is no restart that a read could see. The processes must read sooner
    # than that: a busy emulator took 1.6 s to resume, and the HPET had counted for 1.7 s.
    script = 'sleep 6\n' + Suspend.script

    def test_hpet_starts_again(self):
        """The ticks show the restart; the clock keeps its source, and its nanoseconds go on."""
        seen = self.lived('hpet')
        # The ticks since the restart cannot exceed the watched time; those from before it are lost.
        passed_ns = seen['after']['raw_ns'] - seen['before']['raw_ns']
        self.assertLess(seen['after']['ticks'], passed_ns // TICK_NS + seen['before']['ticks'] // 2, seen)
        self.assertEqual(seen['now']['back'], 1)


class SuspendTsc(Suspend):
    """The invariant TSC, with which the kernel keeps time too."""
    cpu, append, changes = 'EPYC,+invtsc', vm.NO_WATCHDOG, ('invariant-tsc',)
    script = Suspend.script.replace(' guest watch tsc', '')
    kernel, reason = 'tsc', REASON.TSC_TRUSTED


if __name__ == '__main__':
    vm.main()
