# SPDX-License-Identifier: MIT
"""The emulator, and copies of it with a changed constant, for hardware that it has no option for."""
import os
import shutil
import struct

NAME = 'qemu-system-x86_64'

# General Capabilities and ID of hw/timer/hpet.c: vendor 8086h, 64 bits, legacy routes, revision 1; the number of
# comparators less one is filled in later. The upper half is the period in femtoseconds.
HPET_CAPS = 0x8086a001
HPET_64BIT = 1 << 13
HPET_PERIOD_FS = 10_000_000

# The feature word of CPUID 80000007h EDX in target/i386/cpu.c: leaf, no subleaf, register EDX (2), and then two 64-bit
# masks: the features that TCG offers (none), and those that block migration (the invariant TSC).
INVARIANT = 1 << 8
APM_WORD = struct.pack('<IIIIQQ', 0x80000007, 0, 0, 2, 0, INVARIANT)
APM_WORD_OFFERED = struct.pack('<IIIIQQ', 0x80000007, 0, 0, 2, INVARIANT, INVARIANT)


def caps(caps_low, period_fs):
    return struct.pack('<Q', period_fs << 32 | caps_low)


CAPS = caps(HPET_CAPS, HPET_PERIOD_FS)

# name -> (original bytes, changed bytes)
CHANGES = {
    'hpet-32bit': (CAPS, caps(HPET_CAPS & ~HPET_64BIT, HPET_PERIOD_FS)),
    # States 14.318180 MHz, as most real ones do, but still runs at 100 MHz.
    'hpet-lying': (CAPS, caps(HPET_CAPS, 69_841_279)),
    'invariant-tsc': (APM_WORD, APM_WORD_OFFERED),
}


class NotThere(Exception):
    """The bytes to change do not occur exactly once in this emulator."""


def with_change(binary, name):
    old, new = CHANGES[name]
    if binary.count(old) != 1:
        raise NotThere(f'{NAME}: the bytes to change for "{name}" were found {binary.count(old)} times, not once')
    return binary.replace(old, new)


def changed(names, folder):
    """Makes a changed copy in folder/bin. It finds its data and modules relative to itself, as any moved installation
    does."""
    original = shutil.which(NAME)
    if not original:
        return None
    original = os.path.realpath(original)
    with open(original, 'rb') as f:
        binary = f.read()
    for name in names:
        binary = with_change(binary, name)
    prefix = os.path.dirname(os.path.dirname(original))
    for part in 'lib', 'lib64', 'libexec', 'share':
        if os.path.isdir(f'{prefix}/{part}'):
            os.symlink(f'{prefix}/{part}', f'{folder}/{part}')
    os.mkdir(folder + '/bin')
    copy = f'{folder}/bin/{NAME}'
    with open(copy, 'wb') as f:
        f.write(binary)
    os.chmod(copy, 0o755)
    return copy
