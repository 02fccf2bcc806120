# SPDX-License-Identifier: MIT
"""The library's files as nodes, in an order in which a compiler may read them as one."""
import re

from nodes import OTHER, Branches, Include, Item, Remark, items_of, read

ROOMS = ('math', 'machine', 'source', 'rate', 'clock', 'sleep', 'wall')
HEADERS = ('hpt/hpt.h', 'hpt/mmio.h', 'hpt/system.h', 'hpt/wait.h', 'hpt/wall.h')
# Tests put another header in the architecture's place.
TESTS_ALONE = 'HPT_ARCH_HEADER'


class Part:
    """A file."""

    def __init__(self, name, nodes):
        self.name, self.nodes = name, nodes
        self.systems = set()  # its #include lines of other headers
        self.items = list(items_of(nodes))
        for item in self.items:
            item.file = name


class Library:
    """public, private and sources: parts, headers before those that include them."""

    def __init__(self, root):
        self.root = root
        self.public, self.private, self.sources = [], [], []
        self.seen = set()
        for name in HEADERS:
            self.add_header(name, self.public)
        for room in ROOMS:
            for path in sorted((root / 'lib' / room).glob('*.c')):
                self.add(f'{room}/{path.name}', self.sources)

    def parts(self):
        return self.public + self.private + self.sources

    def path(self, name):
        return self.root / ('include' if name.startswith('hpt/') else 'lib') / name

    def add_header(self, name, parts):
        if name not in self.seen:
            self.seen.add(name)
            self.add(name, parts)

    def add(self, name, parts):
        """A file, after the headers that it includes."""
        systems = set()
        nodes = self.without_includes(unguarded(read(self.path(name))), name, systems)
        part = Part(name, nodes)
        part.systems = systems
        parts.append(part)

    def without_includes(self, nodes, name, systems):
        """Headers of the library become parts of their own; those of others are noted, or stay in a public one."""
        ret = []
        for node in nodes:
            self.settle_conditional(node, name)
            if self.is_header_taken(node):
                continue
            if isinstance(node, Include) and not name.startswith('hpt/'):
                systems.add(node.text)
            else:
                ret.append(node)
        return ret

    def is_header_taken(self, node):
        """Of the library; those of a folder's own stay where they are."""
        if not isinstance(node, Include):
            return False
        if node.name.startswith('hpt/'):
            self.add_header(node.name, self.public)
        elif node.is_local and (self.root / 'lib' / node.name).exists():
            self.add_header(node.name, self.private)
        else:
            return False
        return True

    def settle_conditional(self, node, name):
        """Headers that only some machines have stay where they are."""
        if not isinstance(node, Branches):
            return
        node.branches = [(directive, self.expanded(nodes, name)) for directive, nodes in node.branches
                         if TESTS_ALONE not in directive]
        first, nodes = node.branches[0]
        node.branches[0] = (re.sub(r'^#el(?=if)', '#', first), nodes)

    def expanded(self, nodes, name):
        ret = []
        for node in nodes:
            self.settle_conditional(node, name)
            if self.is_header_taken(node):
                continue
            if isinstance(node, Include) and node.is_local:
                found = str((self.path(name).parent / node.name).relative_to(self.root / 'lib'))
                self.seen.add(found)
                ret += [one for one in self.expanded(unguarded(read(self.path(found))), found)
                        if not is_licence(one)]
            else:
                ret.append(node)
        return ret


def is_licence(node):
    return isinstance(node, Remark) and 'SPDX-License-Identifier' in node.text


def unguarded(nodes):
    """Without the guard against a second #include, and the brackets of C++."""
    ret = []
    for node in nodes:
        guard = re.fullmatch(r'#ifndef (\w+_H)', node.branches[0][0]) if isinstance(node, Branches) else None
        if guard and len(node.branches) == 1:
            ret.append(Remark(node.comment))
            ret += [one for one in node.branches[0][1] if not is_guard(one, guard[1]) and not is_linkage(one)]
        else:
            ret.append(node)
    return ret


def is_guard(node, name):
    return isinstance(node, Item) and node.text == f'#define {name}'


def is_linkage(node):
    return isinstance(node, Branches) and node.branches[0][0] == '#ifdef __cplusplus' and \
        all(item.kind == OTHER for item in items_of([node]))
