# SPDX-License-Identifier: MIT
"""Processors of other architectures, whose counter every program may read by an instruction."""
import errno
import hardware

import figures
from figures import sections
from vm import REASON, main

SCRIPT = '''
section release uname -r
section clocksource cat $clocks/current_clocksource
section os env HPT_SOURCE=os counter sources
''' + sections('arch')

IS_DEFAULT = 1  # HPT_CLOCK_IS_DEFAULT


class Arch(figures.Case):
    script = SCRIPT
    clocksource, hz = '', 0

    def test_the_kernels_clocksource(self):
        self.assertEqual(self.text('clocksource').strip(), self.clocksource)
        self.assertEqual(self.object('arch.info')['clocksource'], self.clocksource)

    def test_arch_is_chosen_because_the_kernel_trusts_it(self):
        self.assert_chosen('arch.sources', 'arch', REASON.ARCH_TRUSTED)
        self.assert_not_chosen('arch.sources', 'os', REASON.BETTER_ARCH)
        info = self.object('arch.info')
        self.assertEqual((info['source'], info['reason_code'], info['state'], info['flags']),
                         ('arch', REASON.ARCH_TRUSTED, 0, IS_DEFAULT), info)

    def test_x86_sources_are_not_built(self):
        for name in 'tsc', 'hpet':
            self.assertEqual(self.source('arch.sources', name)['reason_code'], REASON.NOT_BUILT)

    def test_os_when_asked_for(self):
        self.assert_chosen('os', 'os', REASON.REQUESTED_ENV)
        self.assertEqual(self.source('os', 'arch')['reason_code'], REASON.SKIPPED_ENV)

    def test_rate(self):
        self.check_rate('arch', self.hz)
        self.assertIn(self.object('arch.info')['origin'], ('kernel', 'register'))

    def test_order(self):
        self.check_order('arch')

    def test_sleeps(self):
        self.check_sleeps('arch')

    def test_cost(self):
        self.check_cost('arch', 1)


class Arm(Arch):
    """No device answers this physical address: a load from it is an external abort. The boards' machines in QEMU give
    0 there. A signal would end the command."""
    script = SCRIPT + '''
section no_device env HPT_SOURCE=mmio HPT_MMIO=devmem=0x0b000000,width=64,frequency=1000000 counter sources
'''

    def test_an_address_that_no_device_answers_is_refused(self):
        self.assert_refused('no_device', 'mmio', 'map', 'EIO', REASON.MMIO_BUS_ERROR)


class Arm64(Arm):
    """PR_SET_TSC forbids the counter, its frequency and the kernel's own virtual clocks. A signal would end the
    commands."""
    hardware, cpu = hardware.ARM64, 'cortex-a57'
    clocksource, hz = 'arch_sys_counter', 62_500_000
    script = Arm.script + '''
export FORBID_COUNTER=1
section forbidden counter sources
section forbidden_open counter open arch
section forbidden_asked env HPT_SOURCE=arch counter sources
section forbidden_info counter info default
'''

    def test_forbidden(self):
        for section in 'forbidden', 'forbidden_asked':
            self.assert_refused(section, 'arch', 'cpu', 'EPERM', REASON.ARCH_FORBIDDEN)
            self.assert_chosen(section, 'os', REASON.ONLY_ONE)
        self.assertEqual(self.object('forbidden_info')['source'], 'os')

    def test_opening_a_forbidden_one_fails(self):
        self.assertEqual(self.object('forbidden_open'), {'errno': errno.EPERM, 'clock': False})


class Armhf(Arm):
    hardware, cpu = hardware.ARMHF, 'cortex-a15'
    clocksource, hz = 'arch_sys_counter', 62_500_000


class Ppc64el(Arch):
    """The kernel's clock_gettime() reads the counter in no order. An ISYNC, which orders hpt_now(), takes 20 ns here:
    the emulator leaves its translated code. So like is compared with like."""
    hardware = hardware.PPC64EL
    clocksource, hz = 'timebase', 512_000_000

    def test_cost(self):
        self.check_cost('arch', 1, figures.UNORDERED)


class Riscv64(Arch):
    hardware = hardware.RISCV64
    clocksource, hz = 'riscv_clocksource', 10_000_000


class S390x(Arch):
    hardware = hardware.S390X
    clocksource, hz = 'tod', 4_096_000_000


if __name__ == '__main__':
    main()
