# SPDX-License-Identifier: MIT
"""Suspend to RAM and back: the HPET starts again at zero, the TSC runs on, the kernel's clock leaves the sleep out."""
import vm
from vm import REASON

SLEEP_S = 3
# The real-time clock by which the kernel measures its sleep counts whole seconds.
SLEPT_NS = (SLEEP_S - 1.5) * 1e9


class Suspend(vm.Case):
    cpu, wake_after_s = 'phenom', SLEEP_S
    script = '''
settle
section lived guest watch default guest watch os guest watch tsc sh -c 'echo mem >/sys/power/state'
section kernel cat $clocks/current_clocksource
section info hpt info --json
section sources hpt sources --json
section watched guest watch default sleep 1
'''

    def lived(self, source):
        return {seen['source']: seen for seen in self.objects('lived')}[source]

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
        self.assert_forward(self.lived('tsc'))

    def test_hpet_starts_again(self):
        """The counter's truth; the clock stays on its source."""
        seen = self.lived('hpet')
        self.assertLess(seen['after']['ticks'], seen['before']['ticks'])
        self.assertEqual(seen['now']['back'], 1)

    def test_what_starts_afterwards_chooses_rightly(self):
        self.assertEqual(self.text('kernel').strip(), 'hpet')
        self.assert_chosen('sources', 'hpet', REASON.LOWER_MEAN)
        self.assertEqual(self.object('info')['state'], 'ok')
        self.assert_forward(self.object('watched'))


if __name__ == '__main__':
    vm.main()
