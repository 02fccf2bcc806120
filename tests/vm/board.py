# SPDX-License-Identifier: MIT
"""Boards whose 32-bit Arm processors have no generic timer: a counter of the board, described by HPT_MMIO.

Their kernels have no virtual clock_gettime(), so that 32-bit counters need "polled".
"""
import errno
import os
import shutil
import subprocess

import figures
import hardware
import machine
import vm
from figures import sections
from vm import REASON

SCRIPT = '''
section release uname -r
section clocksource cat $clocks/current_clocksource
section plain counter sources
section arch_asked env HPT_SOURCE=arch counter sources
section arch_open counter open arch
'''


def mmio(name, description, **more):
    return sections(name, f'env HPT_MMIO={description}', **more)


# Fewer than elsewhere: each sleep reads the kernel's clocks, which are slow system calls here.
FEW = {'messages': 500, 'sleeps': 500}


class Board(figures.Case):
    clocksource = ''
    counters = {}  # name -> Hz

    def test_the_kernels_clocksource(self):
        self.assertEqual(self.text('clocksource').strip(), self.clocksource)

    def test_os_is_chosen_alone(self):
        self.assert_chosen('plain', 'os', REASON.ONLY_ONE)
        self.assertEqual(self.source('plain', 'mmio')['reason_code'], REASON.MMIO_UNDESCRIBED)

    def test_arch_is_refused_without_a_signal(self):
        for section in 'plain', 'arch_asked':
            self.assert_refused(section, 'arch', 'cpu', 'ENODEV', REASON.ARCH_NO_EVTSTRM)
        self.assert_chosen('arch_asked', 'os', REASON.ONLY_ONE)
        self.assertEqual(self.object('arch_open'), {'errno': errno.ENODEV, 'clock': False})

    def test_mmio_is_chosen_by_its_cost(self):
        for name in self.counters:
            self.assert_cheaper(name + '.sources', 'mmio', 'os')

    def test_rate(self):
        for name, hz in self.counters.items():
            self.check_rate(name, hz)

    def test_order(self):
        for name in self.counters:
            self.check_order(name)

    def test_sleeps(self):
        for name in self.counters:
            self.check_sleeps(name)

    def test_cost(self):
        for name in self.counters:
            self.check_cost(name, 10)


class Sabrelite(Board):
    """Cortex-A9, i.MX6: the global timer of the processor (64 bits) and the GPT of the board (32 bits)."""
    hardware = hardware.SABRELITE
    clocksource, counters = 'mxc_timer1', {'global_timer': 100_000_000, 'gpt': 66_000_000}
    script = (SCRIPT + mmio('global_timer', 'devmem=0x00a00200,width=64,frequency=100000000', **FEW) +
              mmio('gpt', 'devmem=0x02098024,width=32,frequency=66000000,polled', **FEW) + '''
section still env HPT_MMIO=devmem=0x00a00208,width=32,frequency=100000000,polled counter sources
section down env HPT_MMIO=devmem=0x02098024,width=32,direction=down,frequency=66000000,polled counter sources
section unpolled env HPT_MMIO=devmem=0x02098024,width=32,frequency=66000000 counter sources
''')

    def test_wrong_descriptions_are_refused(self):
        for section, reason in (('still', REASON.MMIO_NOT_COUNTING), ('down', REASON.MMIO_OTHER_WAY),
                                ('unpolled', REASON.MMIO_NO_COARSE)):
            self.assertEqual(self.source(section, 'mmio')['reason_code'], reason)
            self.assert_chosen(section, 'os', REASON.ONLY_ONE)


class Uio(Board):
    """The same board with a UIO device for the global timer, which a program without privileges may read."""
    hardware = hardware.SABRELITE
    clocksource, counters = 'mxc_timer1', {'uio': 100_000_000}
    # The shell keeps the variables that it is given on its way to another user.
    script = SCRIPT + '''
echo nobody:x:65534:65534::/:/bin/sh >/etc/passwd
section insmod sh -c 'insmod /bin/uio.ko && insmod /bin/uio_counter.ko name=global-timer addr=0x00a00200'
section denied su nobody -c "HPT_MMIO=uio=global-timer,width=64,frequency=100000000 counter sources"
chmod a+r /dev/uio0
''' + mmio('uio', 'uio=global-timer,width=64,frequency=100000000', **FEW) + '''
section nobody su nobody -c "HPT_MMIO=uio=global-timer,width=64,frequency=100000000 counter sources"
section no_name env HPT_MMIO=uio=other,width=64,frequency=100000000 counter sources
section beyond env HPT_MMIO=uio=global-timer,offset=8192,width=64,frequency=100000000 counter sources
'''

    @classmethod
    def further_files(cls, folder):
        return [machine.needed(vm.KERNEL, 'modules/uio.ko'), build_module(folder)]

    def test_unprivileged(self):
        self.assert_cheaper('nobody', 'mmio', 'os')

    def test_refusals(self):
        for section, reason in (('denied', REASON.MMIO_ACCESS), ('no_name', REASON.MMIO_NO_UIO),
                                ('beyond', REASON.MMIO_BEYOND)):
            self.assertEqual(self.source(section, 'mmio')['reason_code'], reason)
            self.assert_chosen(section, 'os', REASON.ONLY_ONE)


def build_module(folder):
    """Compiles examples/uio-counter for the kernel, in the folder."""
    example = os.path.join(os.path.dirname(os.path.abspath(__file__)), '../../examples/uio-counter')
    release = os.path.basename(vm.KERNEL).split('-', 1)[1]
    headers = machine.needed(vm.KERNEL, 'headers/src/linux-headers-' + release)
    shutil.copytree(example, folder + '/uio-counter')
    if not shutil.which('make'):
        raise machine.Skip('no make here')
    subprocess.run(['make', '-C', folder + '/uio-counter', 'KDIR=' + headers, 'ARCH=arm',
                    'CROSS_COMPILE=arm-linux-gnueabihf-', 'CC=arm-linux-gnueabihf-gcc'], check=True,
                   stdout=subprocess.DEVNULL)
    return folder + '/uio-counter/uio_counter.ko'


class Vexpress(Board):
    """Cortex-A9: the global timer, and a 32-bit SP804 that counts down once a microsecond."""
    hardware = hardware.VEXPRESS
    clocksource, counters = 'arm,sp804', {'global_timer': 100_000_000, 'sp804': 1_000_000}
    script = (SCRIPT + mmio('global_timer', 'devmem=0x1e000200,width=64,frequency=100000000', **FEW) +
              mmio('sp804', 'devmem=0x10011024,width=32,direction=down,frequency=1000000,polled', **FEW) + '''
section claimed env HPT_MMIO=devmem=0x1000005c,width=32,frequency=24000000,polled counter sources
''')

    def test_a_region_that_a_driver_claims_is_refused(self):
        self.assert_refused('claimed', 'mmio', 'map', 'EPERM', REASON.MMIO_REFUSED)
        self.assert_chosen('claimed', 'os', REASON.ONLY_ONE)


class Cubieboard(Board):
    """Cortex-A8, one processor: a timer of the sun4i that counts down, in a region that a driver claims."""
    hardware, append = hardware.CUBIEBOARD, 'iomem=relaxed'
    clocksource, counters = 'timer', {'sun4i': 24_000_000}
    script = SCRIPT + mmio('sun4i', 'devmem=0x01c20c28,width=32,direction=down,frequency=24000000,polled', **FEW)


if __name__ == '__main__':
    vm.main()
