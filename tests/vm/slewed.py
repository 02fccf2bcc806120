# SPDX-License-Identifier: MIT
"""The kernel's clocks are slewed by NTP's 500 ppm and by chrony's 83333, both ways: the four lines follow, are never
further from their clocks than is stated, and two of them never go back."""
import vm

# The slew lasts for 0.7 s while nobody looks; a host that is busy makes that longer.
UNSEEN_S = 0.6


class Slewed(vm.Case):
    append = vm.NO_WATCHDOG
    script = '''
settle
section kernel cat $clocks/current_clocksource
section slews slewed default
'''
    kernel = ''

    def test_the_kernels_clocksource(self):
        self.assertEqual(self.text('kernel').strip(), self.kernel)

    def test_each_slew_was_tried(self):
        self.assertEqual([seen['ppm'] for seen in self.objects('slews')], [500, -500, 83333, -83333])

    def test_nobody_saw_the_slew_until_it_was_over(self):
        for seen in self.objects('slews'):
            self.assertGreater(seen['unseen_ns'], abs(seen['ppm']) * 1000 * UNSEEN_S, seen)

    def test_no_read_is_further_off_than_stated(self):
        for seen in self.objects('slews'):
            self.assertEqual(seen['outside'], 0, seen)
            self.assertGreater(seen['reads'], 1000, seen)

    def test_monotonic_and_boottime_never_go_back(self):
        for seen in self.objects('slews'):
            self.assertEqual(seen['back'], 0, seen)

    def test_a_slew_is_no_event(self):
        for seen in self.objects('slews'):
            self.assertEqual(seen['generation'], 1, seen)


class SlewedTsc(Slewed):
    cpu, changes = 'EPYC,+invtsc', ('invariant-tsc',)
    kernel = 'tsc'


class SlewedHpet(Slewed):
    cpu = 'phenom'
    options = ('-global', 'hpet.timers=8')
    kernel = 'hpet'


if __name__ == '__main__':
    vm.main()
