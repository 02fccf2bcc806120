# SPDX-License-Identifier: MIT
"""The machines that are emulated: for each its emulator, its console, and where the script's output goes."""
import dataclasses


@dataclasses.dataclass(frozen=True)
class Hardware:
    """The kernel prints on its console. The output of the script goes to a serial line of its own where there are two,
    else to the same one."""
    emulator: str
    package: str            # Debian's, with the emulator
    arguments: tuple        # the emulator's: machine, processors and memory
    console: str            # the kernel's name of the line for its messages
    output: str = ''        # the same for the script's output; empty: the console
    output_first: bool = False  # the emulator's first serial line is the one for the output
    device_tree: str = ''   # file in the kernel's folder dtb
    parameters: str = ''    # more words of the kernel's command line

    def serial_lines(self, log):
        """Returns the emulator's options: stdio for the output, the file for the kernel's messages."""
        lines = ['stdio'] if not self.output else [f'file:{log}', 'stdio']
        if self.output_first:
            lines.reverse()
        return [word for line in lines for word in ('-serial', line)]


# One thread emulates both processors: with two, one boot in some 300 hung, each waiting for the other.
# no_timer_check: the kernel waits some milliseconds for interrupts of its timer. An emulator that gets no CPU meanwhile
# delivers too few, and the kernel panics: "IO-APIC + timer doesn't work!"
PC = Hardware('qemu-system-x86_64', 'qemu-system-x86',
              ('-machine', 'q35,hpet=on', '-accel', 'tcg,thread=single', '-smp', '2', '-m', '256'), 'ttyS0', 'ttyS1',
              parameters='no_timer_check')

ARM64 = Hardware('qemu-system-aarch64', 'qemu-system-arm', ('-machine', 'virt', '-smp', '2', '-m', '256'), 'ttyAMA0')
ARMHF = Hardware('qemu-system-arm', 'qemu-system-arm', ('-machine', 'virt', '-smp', '2', '-m', '256'), 'ttyAMA0')
PPC64EL = Hardware('qemu-system-ppc64', 'qemu-system-ppc', ('-machine', 'pseries', '-smp', '2', '-m', '512'),
                   'hvc0', 'hvc1')
RISCV64 = Hardware('qemu-system-riscv64', 'qemu-system-misc', ('-machine', 'virt', '-smp', '2', '-m', '256'), 'ttyS0')
# The first line is the VT220 console, the second the one in line mode, which the kernel calls ttyS0.
# tb-size: a page that held code which this emulator has translated keeps that translation when the kernel clears it. As
# a stack it is then slow to write: in 5 of 100 processes clock_gettime() took 3 to 12 us, not 150 ns, as long as a
# system call. A small buffer is often emptied; with 24 MiB that happened in 0 of 300.
S390X = Hardware('qemu-system-s390x', 'qemu-system-misc',
                 ('-machine', 's390-ccw-virtio', '-accel', 'tcg,tb-size=24', '-smp', '2', '-m', '512'),
                 'ttyS0', 'ttysclp0', True)

# Boards whose processors have no counter that programs may read by an instruction.
# One line: the others transmit by DMA, which this emulation lacks.
SABRELITE = Hardware('qemu-system-arm', 'qemu-system-arm', ('-machine', 'sabrelite', '-smp', '2', '-m', '512'),
                     'ttymxc0', device_tree='imx6q-sabrelite.dtb')
CUBIEBOARD = Hardware('qemu-system-arm', 'qemu-system-arm', ('-machine', 'cubieboard', '-m', '512'), 'ttyS0',
                      device_tree='sun4i-a10-cubieboard.dtb')
VEXPRESS = Hardware('qemu-system-arm', 'qemu-system-arm', ('-machine', 'vexpress-a9', '-smp', '2', '-m', '512'),
                    'ttyAMA0', 'ttyAMA1', device_tree='vexpress-v2p-ca9.dtb')
