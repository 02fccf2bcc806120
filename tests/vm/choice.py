# SPDX-License-Identifier: MIT
"""The source that the library chooses on processors of different makers, and its reason."""
import vm
from vm import REASON

SCRIPT = '''
settle
section info hpt info --json
section sources hpt sources --json
section plain_info hpt info
section plain_sources hpt sources
section asked env HPT_SOURCE=os hpt info --json
section plain_asked env HPT_SOURCE=os hpt info
section clocksource cat $clocks/current_clocksource
section check hpt check --seconds=0.5 --json
'''


class Choosing(vm.Case):
    script = SCRIPT
    kernel, invariant, tsc_class = 'hpet', False, 'not-constant'

    def test_the_kernels_clocksource(self):
        self.assertEqual(self.text('clocksource').strip(), self.kernel)
        self.assertEqual(self.object('info')['kernel']['clocksource'], self.kernel)

    def test_the_processor(self):
        cpu = self.object('info')['cpu']
        self.assertEqual((cpu['invariant'], cpu['class'], cpu['hypervisor']), (self.invariant, self.tsc_class, True))

    def test_tables_say_the_same(self):
        """Without a request each run measures anew, and may find another reason for the same choice."""
        self.assertIn(f"Source {self.object('info')['source']} Reason ", self.words('plain_info'))
        self.assertIn(f"Source os Reason {self.object('asked')['reason']} ", self.words('plain_asked'))
        for s in self.object('sources')['sources']:
            self.assertIn(s['name'], self.words('plain_sources'))

    def test_both_processors_agree_on_the_time(self):
        check = self.object('check')
        self.assertEqual((check['source'], check['verdict']), (self.object('info')['source'], 'ok'))
        self.assertEqual([(p['cpu_a'], p['cpu_b'], p['backwards']) for p in check['pairs']], [(0, 1, 0)])

    def choice(self, winner, loser, reasons):
        """hpt info and hpt sources each measure the costs: near ten times they may find different reasons."""
        info = self.object('info')
        self.assertEqual((info['source'], info['state']), (winner, 'ok'))
        self.assertIn(info['reason_code'], reasons)
        self.assert_cheaper('sources', winner, loser, reasons)


class Hpet(Choosing):
    """The kernel does not trust this TSC, so its own clock is a system call, and the HPET costs less."""

    def test_hpet_is_chosen_by_its_mean(self):
        self.choice('hpet', 'os', {REASON.LOWER_MEAN: REASON.HIGHER_MEAN})
        self.assertFalse(self.object('info')['kernel']['vdso'])
        self.assertEqual(self.object('info')['frequency_hz'], 100_000_000)

    def test_tsc_is_not_trusted(self):
        self.assertEqual(self.source('sources', 'tsc')['reason_code'], REASON.KERNEL_DISAGREES)
        self.assertFalse(self.source('sources', 'tsc')['chosen'])


class Os(Choosing):
    """The kernel trusts this TSC, so its clock needs no system call and costs less than the HPET."""
    kernel, append, options = 'tsc', vm.NO_WATCHDOG, vm.EXPENSIVE_HPET

    tsc_reason = REASON.TSC_NOT_CONSTANT

    def test_tsc_is_not_trusted(self):
        self.assertEqual(self.source('sources', 'tsc')['reason_code'], self.tsc_reason)
        self.assertFalse(self.source('sources', 'tsc')['chosen'])

    def test_os_is_chosen_by_its_cost(self):
        self.choice('os', 'hpet', vm.CHEAPER)
        self.assertTrue(self.object('info')['kernel']['vdso'])
        self.assertEqual(self.object('info')['frequency_hz'], 1_000_000_000)


class Jiffies(vm.Case):
    """The kernel keeps time with no counter at all, so that its clock moves once in a jiffy."""
    append = 'clocksource=jiffies highres=off nohz=off'
    script = '''
settle
section clocksource cat $clocks/current_clocksource
section info env HPT_SOURCE=os hpt info --json
section check env HPT_SOURCE=os hpt check --seconds=0.5 --json
section plain_check env HPT_SOURCE=os hpt check --seconds=0.5
'''

    TOO_BUSY = 'hpt: check: the CPUs are too busy, or too many for this time: see --seconds'

    def text(self, section):
        """A busy host may leave the two processors too few messages, and then the status is 1."""
        status, text = self.out[section]
        if status == 1 and self.TOO_BUSY in text.splitlines():
            return '\n'.join(line for line in text.splitlines() if line != self.TOO_BUSY)
        return super().text(section)

    def jiffy_ns(self):
        return 1_000_000_000 // self.object('info')['kernel']['hz']

    def test_the_kernel_has_no_counter(self):
        self.assertEqual(self.text('clocksource').strip(), 'jiffies')

    def test_granularity_is_a_jiffy(self):
        self.assertEqual(self.object('info')['granularity_ns'], self.jiffy_ns())
        self.assertEqual(self.object('check')['granularity_ns'], self.jiffy_ns())

    def test_processors_agree_within_a_jiffy(self):
        pair, = self.object('check')['pairs']
        self.assertEqual(pair['backwards'], 0)
        if not pair['compared']:
            self.skipTest('a busy host left the processors too few messages')
        self.assertLessEqual(pair['offset_min_ns'], -self.jiffy_ns())
        self.assertGreaterEqual(pair['offset_max_ns'], self.jiffy_ns())

    def test_a_jiffy_is_said_where_processors_were_compared(self):
        """Another run, which may have too few messages as well."""
        text = self.words('plain_check')
        self.assertRegex(text, r'CPUs 2: [01] of 1 pairs compared')
        if '1 of 1 pairs' in text:
            self.assertRegex(text, r'differ by more than [1-9][0-9]{6,} ns')
        else:
            self.assertNotIn('differ by more than', text)


class Opteron(Hpet):
    cpu = 'Opteron_G2'


class Phenom(Hpet):
    cpu = 'phenom'


class Epyc(Hpet):
    cpu = 'EPYC'


class Conroe(Os):
    cpu = 'Conroe'
    tsc_class, tsc_reason = 'constant-by-family', REASON.TSC_GUEST_FAMILY


class Haswell(Os):
    cpu = 'Haswell'


if __name__ == '__main__':
    vm.main()
