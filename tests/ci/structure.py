# SPDX-License-Identifier: MIT
"""Rooms, circles, headers and names: how the C files of lib/ and tools/ may depend on each other.

A unit is X.c with X.h. Every check takes a Tree and yields "FILE:LINE: what is wrong".
"""
import os
import re

import declarations
from tree import stem

# A room includes itself and the rooms before it.
ROOMS = ['arch', 'math', 'machine', 'source', 'rate', 'clock', 'sleep', 'wall', 'preload']
# The command's rooms, floor by floor: a room includes itself and rooms of the floors before its own.
FLOORS_OF_TOOLS = [['cli'], ['plot', 'info', 'trace'], ['check', 'convert', 'sleep', 'run', 'wall', 'bench']]
# What the command compiles a second time: instructions, arithmetic, and contact with the machine.
ROOMS_OF_TOOLS = ['arch', 'math', 'machine']
# What the command shares with the object of "hpt run", and with the library as the reader of what it publishes
# and of what chronyd says: layouts, constants, and what limits spinning.
HEADERS_OF_TOOLS = ['lib/preload/cause.h', 'lib/preload/diagnosis.h', 'lib/preload/shared_crowd.h',
                    'lib/preload/tally.h', 'lib/preload/words.h', 'lib/sleep/spin_terms.h',
                    'lib/wall/clockbound_layout.h', 'lib/wall/chrony_packets.h']
# Linked in place of another file, as a test's stand-in is.
STAND_INS = ('lib/preload/preload_', 'tools/run/elf_facts_none.c')
OUTSIDE_ROOMS = ['lib/meson.build', 'lib/libhpt.map', 'lib/README.md']
OUTSIDE_TOOLS = ['tools/meson.build', 'tools/hpt.c', 'tools/hpt-bench.c']

INCLUDE = re.compile(r'[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]')


def c_files(tree, *folders):
    return [f for f in tree.under(*folders) if f.endswith(('.c', '.h'))]


def room_of(path, of='lib'):
    """lib/rate/record.c -> rate; None outside the rooms of lib/, or of tools/."""
    parts = path.split('/')
    return parts[1] if len(parts) > 2 and parts[0] == of else None


def floor_of(path):
    """The number of the floor of a room of tools/; hpt.c and hpt-bench.c stand above all of them."""
    for number, rooms in enumerate(FLOORS_OF_TOOLS):
        if room_of(path, 'tools') in rooms:
            return number
    return len(FLOORS_OF_TOOLS)


def unit_of(path):
    return os.path.splitext(path)[0]


def find_header(tree, path, name, is_quoted):
    """The file of ours that an #include of name means in path, or None."""
    folders = ['lib', 'include']
    if is_quoted:
        folders = [os.path.dirname(path), *folders, 'tools']
    elif path.startswith('tools/'):
        folders.append('tools')
    for folder in folders:
        found = os.path.normpath(os.path.join(folder, name))
        if found in tree.known:
            return found
    return None


def includes(tree, path):
    """(line, name, file meant or None) of each #include of a file of ours; what stands in <> may be the system's."""
    for number, line in enumerate(tree.lines(path), 1):
        found = INCLUDE.match(line)
        if found:
            is_quoted, name = found.group(1) == '"', found.group(2)
            header = find_header(tree, path, name, is_quoted)
            if header or is_quoted:
                yield number, name, header


# ---- Rooms ---------------------------------------------------------------------------------------

def check_places(tree):
    """lib/ and tools/ have their rooms, and outside of them only what builds them and the command's main()."""
    for path in c_files(tree, 'tools'):
        if path not in OUTSIDE_TOOLS and floor_of(path) == len(FLOORS_OF_TOOLS):
            yield f'{path}:1: stands in no room of tools/ ({" ".join(sum(FLOORS_OF_TOOLS, []))})'
    for path in tree.under('lib'):
        if room_of(path) is None and path not in OUTSIDE_ROOMS:
            yield f'{path}:1: stands in no room of lib/ ({" ".join(ROOMS)})'
        elif room_of(path) not in ROOMS + [None]:
            yield f'{path}:1: lib/{room_of(path)}/ is no room ({" ".join(ROOMS)})'


def tool_may_include(path, header):
    if header.startswith('tools/'):
        return room_of(path, 'tools') == room_of(header, 'tools') or floor_of(header) < floor_of(path)
    return room_of(header) in ROOMS_OF_TOOLS or header in HEADERS_OF_TOOLS


def may_include(path, header):
    if header.startswith('include/hpt/'):
        return True
    if path.startswith('tools/'):
        return tool_may_include(path, header)
    room, other = room_of(path), room_of(header)
    return room in ROOMS and other in ROOMS and ROOMS.index(other) <= ROOMS.index(room)


def check_rooms(tree):
    """A room includes itself, rooms before it and public headers; tools/ only the lowest rooms of lib/."""
    for path in c_files(tree, 'lib', 'tools'):
        for number, name, header in includes(tree, path):
            where = f'{path}:{number}: #include "{name}"'
            if header is None:
                yield f'{where}: no such file in lib/, tools/ or include/'
            elif not may_include(path, header):
                place = f'{os.path.dirname(path)}/'
                yield f'{where}: {place} may not include {header}'


# ---- Circles -------------------------------------------------------------------------------------

def arrows(tree, folder):
    """{unit: {unit that it includes: (file, line)}}"""
    graph = {}
    for path in c_files(tree, folder):
        targets = graph.setdefault(unit_of(path), {})
        for number, _, header in includes(tree, path):
            if header and header.startswith(folder + '/') and unit_of(header) != unit_of(path):
                targets.setdefault(unit_of(header), (path, number))
    return graph


def way_back(graph, start):
    """The shortest way along the arrows from a unit to itself, or None."""
    came_from, queue = {}, [start]
    for unit in queue:
        for target in sorted(graph.get(unit, {})):
            if target == start:
                way = [unit]
                while way[0] != start:
                    way.insert(0, came_from[way[0]])
                return way + [start]
            if target not in came_from:
                came_from[target] = unit
                queue.append(target)
    return None


def check_circles(tree):
    """No unit includes itself by way of others. Each circle is named once, by its include lines."""
    for folder in ('lib', 'tools'):
        graph, seen = arrows(tree, folder), set()
        for unit in sorted(graph):
            way = way_back(graph, unit)
            if way is None or frozenset(way) in seen:
                continue
            seen.add(frozenset(way))
            path, number = graph[way[0]][way[1]]
            yield f'{path}:{number}: a circle of {len(way) - 1} units:'
            for a, b in zip(way, way[1:]):
                yield '    %s:%d: includes %s.h' % (*graph[a][b], b)


# ---- Headers -------------------------------------------------------------------------------------

class Declared:
    """The declarations of all C files, read once."""

    def __init__(self, tree, *folders):
        self.tree, self.of, self.errors = tree, {}, []
        self.definers = {}
        for path in c_files(tree, *folders):
            try:
                self.of[path] = list(declarations.declarations(tree.text(path)))
            except ValueError as e:
                self.of[path] = []
                self.errors.append(f'{path}:1: cannot be read: {e}')
            for d in self.of[path]:
                if path.endswith('.c') and d.is_definition and not d.is_static:
                    self.definers.setdefault(d.name, set()).add(path)

    def definers_near(self, name, header):
        """Where a name of this header is defined: tests stand in for lib/ and tools/, and for each other."""
        def near(path):
            if header.startswith('tests/'):
                return os.path.dirname(path) == os.path.dirname(header)
            return not path.startswith(('tests/', *STAND_INS))
        return sorted(filter(near, self.definers.get(name, ())))


def is_table_of_a_driver(d, header, definers, tree):
    """
    A header that defines the type of a driver's table lists the drivers too: const objects of that type, each
    defined by a driver in the same folder. The driver includes the header, and needs none of its own.
    """
    folders = {os.path.dirname(path) for path in definers}
    return (not d.is_function and d.is_const and d.tag in declarations.types(tree.text(header)) and
            folders == {os.path.dirname(header)})


def wrong_in_header(d, header, declared, tree):
    """What is wrong with a declaration in a header, or None."""
    source = unit_of(header) + '.c'
    if d.is_static:
        if d.is_function:
            return None if d.is_inline else 'is static but not inline, in a header'
        return None if d.is_const or header.startswith('tests/') else 'is a variable in a header'
    if d.is_definition:
        return 'is defined in a header'
    definers = declared.definers_near(d.name, header)
    if definers == [source] or is_table_of_a_driver(d, header, definers, tree):
        return None
    return f'is defined in {" and ".join(definers) or "no file"}, not in {source}'


def check_headers(tree):
    """A header declares what its own .c defines; one without a .c has types, constants and static inline alone."""
    declared = Declared(tree, 'lib', 'tools', 'tests')
    yield from declared.errors
    for path, found in sorted(declared.of.items()):
        for d in found:
            if path.endswith('.h'):
                why = wrong_in_header(d, path, declared, tree)
                if why:
                    yield f'{path}:{d.line}: {d.name} {why}'
            elif not path.startswith('tests/') and not d.is_definition and not d.is_static:
                if path not in declared.definers.get(d.name, ()):
                    yield f'{path}:{d.line}: {d.name} is declared here: include the header of the file that defines it'


# ---- Macros --------------------------------------------------------------------------------------

# A test's build may choose by a macro, also by one that its .c defines before it includes a file of lib/.
CONDITION = re.compile(r'[ \t]*#[ \t]*(?:if|elif|ifdef|ifndef)\b(.*)')
DEFINED = re.compile(r'#[ \t]*define[ \t]+(HPT_\w+)|-D(HPT_\w+)')


def check_macros(tree):
    """The library is configured by no macro that a recipe would have to pass: there are three, and users' own."""
    sources = c_files(tree, 'lib', 'include') + tree.under('tests/unit', 'tests/model')
    known = {name for f in sources for pair in DEFINED.findall(tree.text(f)) for name in pair}
    for path in c_files(tree, 'lib'):
        for number, line in enumerate(tree.lines(path), 1):
            found = CONDITION.match(line)
            for name in re.findall(r'\bHPT_\w+', found.group(1) if found else ''):
                if name not in known:
                    yield f'{path}:{number}: {name} is defined in no file: each recipe would have to pass it'


# ---- Names ---------------------------------------------------------------------------------------

def stems(tree):
    """{stem: the units of that name in lib/ and tools/}"""
    found = {}
    for path in c_files(tree, 'lib', 'tools'):
        found.setdefault(stem(path), set()).add(unit_of(path))
    return found


def check_stems(tree):
    """One name is one place."""
    for name, units in sorted(stems(tree).items()):
        if len(units) > 1:
            paths = sorted(p for p in c_files(tree, 'lib', 'tools') if stem(p) == name)
            yield f'{paths[-1]}:1: the name {name} is taken: {" ".join(paths[:-1])}'


def rows(tree, top):
    """
    {(room, name): 'FILE:LINE'} of rows such as "| `NAME` | what it is for |", below the heading "## ROOM" of
    TOP/README.md and anywhere in TOP/ROOM/README.md.
    """
    found = {}
    for path in tree.under(top):
        if os.path.basename(path) == 'README.md':
            room = room_of(path, top)
            for number, line in enumerate(tree.lines(path), 1):
                if line.startswith('## ') and path == f'{top}/README.md':
                    room = line[3:]
                for name in re.findall(r'`(\w+)`', line.split('|')[1]) if line.startswith('| `') else ():
                    found[room, name] = f'{path}:{number}'
    return found


def check_rows(tree):
    """A README names each unit of lib/ and tools/ in its room, and no other."""
    for top in ('lib', 'tools'):
        named = rows(tree, top)
        units = {(room_of(f, top), stem(f)): f for f in c_files(tree, top) if room_of(f, top)}
        for key, path in sorted(units.items()):
            if key not in named:
                yield f'{path}:1: no README has a row for {key[1]}: {top}/README.md, or {top}/{key[0]}/README.md'
        for key, where in sorted(named.items(), key=str):
            if key not in units:
                yield f'{where}: {top}/{key[0]} has no unit {key[1]}'


def unit_tests(tree):
    return [f for f in tree.under('tests/unit') if re.fullmatch(r'tests/unit/(.*/)?test_\w+\.c', f)]


def unit_tested(name, units):
    """select for test_select.c, sleep for test_sleep_events.c: the longest name of a unit that it begins with."""
    words = name.split('_')
    for n in range(len(words), 0, -1):
        if '_'.join(words[:n]) in units:
            return '_'.join(words[:n])
    return None


def check_unit_tests(tree):
    """test_UNIT.c or test_UNIT_TOPIC.c is of a unit that exists, in its room's folder; test_X.sed stands beside it."""
    units = stems(tree)
    for path in unit_tests(tree):
        name = stem(path)[len('test_'):]
        unit = unit_tested(name, units)
        if not unit:
            yield f'{path}:1: lib/ and tools/ have no unit {name}'
            continue
        rooms = {room_of(u) or 'tools' for u in units[unit]}
        if os.path.basename(os.path.dirname(path)) not in rooms:
            yield f'{path}:1: {unit} is of {" ".join(sorted(rooms))}: its test stands in tests/unit/ROOM/'
    for path in tree.under('tests/unit'):
        if path.endswith('.sed') and unit_of(path) + '.c' not in tree.known:
            yield f'{path}:1: there is no {unit_of(path)}.c'


def untested(tree):
    """The .c files of lib/ that no file in tests/unit is named after: not wrong, but to be known."""
    units = stems(tree)
    tested = {unit_tested(stem(f)[len('test_'):], units) for f in unit_tests(tree)}
    return [f for f in tree.under('lib') if f.endswith('.c') and stem(f) not in tested]
