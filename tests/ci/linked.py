# SPDX-License-Identifier: MIT
"""linked.py NM ARCHIVE PROGRAM: a program of the own counter and the OS clock has no unit of other devices in it.

A unit of ARCHIVE is in PROGRAM if a name that it defines is. Each finding is a line. Exit 1: there are some.
"""
import sys

from links import read_symbols, symbols_of

NEEDED = ('source/os', 'source/find', 'clock/now', 'clock/info', 'clock/get_timebase', 'rate/calibrate')
STRANGE = ('source/hpet', 'source/mmio', 'source/mmio_text', 'source/narrow', 'machine/bus', 'machine/datagram',
           'machine/device_map', 'machine/ptp', 'machine/uio', 'clock/open_mmio')
STRANGE_ROOMS = ('sleep', 'wall')
# In PROGRAM there are others of these names, which it defines itself.
GIVEN = ('clock/world', 'source/drivers')


def names_of(text):
    """The names that a program defines, by what nm prints."""
    words = (line.split() for line in text.splitlines())
    return {w[-1] for w in words if len(w) == 3}


def findings(archive, program):
    units, names = read_symbols(archive), names_of(program)
    for unit in (*NEEDED, *STRANGE, *GIVEN):
        if unit not in units:
            yield f'lib/{unit}.c: is not in the library: tests/ci/linked.py names it'
    linked = {unit for unit, (defined, _) in units.items() if defined & names and unit not in GIVEN}
    for unit in NEEDED:
        if unit not in linked:
            yield f'lib/{unit}.c: is not in the program'
    for unit in sorted(linked):
        if unit in STRANGE or unit.split('/')[0] in STRANGE_ROOMS:
            yield f'lib/{unit}.c: is in the program, which does not ask for it'


def main():
    nm, archive, program = sys.argv[1:]
    found = list(findings(symbols_of(nm, archive), symbols_of(nm, program)))
    print(*found, sep='\n', end='\n' if found else '')
    return 1 if found else 0


if __name__ == '__main__':
    sys.exit(main())
