# SPDX-License-Identifier: MIT
"""Hardware that the emulator has no option for: an invariant TSC, a 32-bit HPET, an HPET that states a wrong rate."""
import vm
from vm import REASON


class Narrow(vm.Case):
    cpu, changes = 'phenom', ('hpet-32bit',)
    script = '''
settle
section info hpt info --json
section sources hpt sources --json
section beside guest hold default hpt sources --json
'''

    def test_hpet_of_32_bits_is_refused(self):
        for section in 'sources', 'beside':
            self.assert_refused(section, 'hpet', 'caps', 'ENOTSUP', REASON.HPET_32BIT)
            self.assert_chosen(section, 'os', REASON.ONLY_ONE)

    def test_kernel_uses_it_all_the_same(self):
        self.assertEqual(self.object('info')['kernel']['clocksource'], 'hpet')


class Invariant(vm.Case):
    cpu, append = 'EPYC,+invtsc', vm.NO_WATCHDOG
    changes = ('invariant-tsc',)
    script = '''
settle
section info hpt info --json
section sources hpt sources --json
section beside guest hold default hpt sources --json hpet
section watched guest watch default sleep 1
'''

    def test_tsc_is_chosen_and_trusted(self):
        info = self.object('info')
        self.assertEqual((info['source'], info['state'], info['kernel']['clocksource']), ('tsc', 'ok', 'tsc'))
        self.assertEqual((info['cpu']['invariant'], info['cpu']['class']), (True, 'invariant'))
        self.assert_chosen('sources', 'tsc', REASON.TSC_TRUSTED)

    def test_the_hpet_is_left_alone(self):
        self.assertTrue(self.source('beside', 'hpet')['usable'])

    def test_it_goes_forward(self):
        self.assert_forward(self.object('watched'))


class InvariantPhenom(Invariant):
    cpu = 'phenom,+invtsc'


class Distrusted(vm.Case):
    """The CPU promises an invariant TSC, but the kernel has found it unstable."""
    cpu, append, changes = 'phenom,+invtsc', 'tsc=unstable', ('invariant-tsc',)
    script = '''
settle
section info hpt info --json
section sources hpt sources --json
section asked env HPT_SOURCE=tsc hpt info --json
'''

    def test_tsc_is_not_chosen(self):
        self.assertEqual(self.object('info')['cpu']['class'], 'invariant')
        self.assertEqual(self.source('sources', 'tsc')['reason_code'], REASON.KERNEL_DISAGREES)
        self.assert_chosen('sources', 'hpet', REASON.LOWER_MEAN)

    def test_on_request_it_is_vetoed(self):
        asked = self.object('asked')
        self.assertEqual((asked['source'], asked['vetoed'], asked['reason_code']),
                         ('tsc', True, REASON.KERNEL_DISAGREES))


class Lying(vm.Case):
    """The HPET states 14.318180 MHz and runs at 100 MHz. The kernel trusts the register and runs seven times too fast.
    """
    cpu, changes = 'phenom', ('hpet-lying',)
    script = '''
settle
section info hpt info --json
section sources hpt sources --json
section rate guest rate hpet 1000
section tsc guest rate tsc 1000
section watched guest watch default sleep 1
'''

    def test_kernel_and_hpet_agree(self):
        seen = self.object('rate')
        self.assertEqual(self.object('info')['kernel']['clocksource'], 'hpet')
        for clock in 'monotonic', 'raw':
            ticks_per_s = seen[clock]['ticks'] * 1e9 / seen[clock]['ns']
            self.assertAlmostEqual(ticks_per_s / 14_318_180, 1, delta=0.001)

    def test_frequency_is_the_stated_one(self):
        self.assertEqual(self.source('sources', 'hpet')['frequency_hz'], 14_318_180)

    def test_the_chosen_source_goes_forward(self):
        self.assert_forward(self.object('watched'))


if __name__ == '__main__':
    vm.main()
