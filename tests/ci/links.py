# SPDX-License-Identifier: MIT
"""links.py NM ARCHIVE: how the units of lib/ depend on each other by what they call, from their objects.

An #include does not show it: a public function stands in a header of no room. ARCHIVE has the library's objects, which
are named ROOM_UNIT.c.o. A unit refers to rooms before its own and to its own, and no unit to itself by way of others.
Each finding is a line. Exit 1: there are some.
"""
import os
import re
import subprocess
import sys

from structure import ROOMS, way_back

MEMBER = re.compile(r'(?:.*[/(])?([a-z0-9]+)_(\w+)\.c\.o\)?:$')
DEFINED = 'TDBRVWCGSiu'


def read_symbols(text):
    """{unit: (names that it defines, names that it refers to)} from what nm prints about an archive."""
    units, now = {}, None
    for line in text.splitlines():
        words = line.split()
        if line.endswith(':'):
            member = MEMBER.match(line)
            if not member:
                raise ValueError(f'not named ROOM_UNIT.c.o: {line}')
            now = units.setdefault('/'.join(member.groups()), (set(), set()))
        elif len(words) >= 2 and words[-2] in 'Uw':
            now[1].add(words[-1])
        elif len(words) >= 2 and words[-2] in DEFINED:
            now[0].add(words[-1])
    return units


def arrows(units):
    """{unit: {unit that it refers to: a name that does so}}"""
    home = {name: unit for unit, (defined, _) in units.items() for name in defined}
    graph = {unit: {} for unit in units}
    for unit, (_, used) in units.items():
        for name in sorted(used):
            if name in home and home[name] != unit:
                graph[unit].setdefault(home[name], name)
    return graph


def floor_of(unit):
    return ROOMS.index(unit.split('/')[0])


def climbs(graph):
    for unit, targets in sorted(graph.items()):
        for target, name in sorted(targets.items()):
            if floor_of(target) > floor_of(unit):
                yield f'lib/{unit}.c: uses {name} of lib/{target}.c, a room above its own'


def circles(graph):
    """Each circle is named once."""
    seen = set()
    for unit in sorted(graph):
        way = way_back(graph, unit)
        if way and frozenset(way) not in seen:
            seen.add(frozenset(way))
            yield f'lib/{unit}.c: a circle of {len(way) - 1} units:'
            for a, b in zip(way, way[1:]):
                yield f'    lib/{a}.c: uses {graph[a][b]} of lib/{b}.c'


def strangers(units):
    for unit in sorted(units):
        if unit.split('/')[0] not in ROOMS:
            yield f'lib/{unit}.c: stands in no room of lib/ ({" ".join(ROOMS)})'


def findings(text):
    units = read_symbols(text)
    if not units:
        return ['no object of the library is named']
    found = list(strangers(units))
    if not found:
        graph = arrows(units)
        found = [*climbs(graph), *circles(graph)]
    return found


def symbols_of(nm, archive):
    return subprocess.run([nm, archive], stdout=subprocess.PIPE, check=True,
                          env={**os.environ, 'LC_ALL': 'C'}).stdout.decode()


def main():
    found = findings(symbols_of(*sys.argv[1:]))
    print(*found, sep='\n', end='\n' if found else '')
    return 1 if found else 0


if __name__ == '__main__':
    sys.exit(main())
