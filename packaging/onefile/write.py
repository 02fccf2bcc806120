# SPDX-License-Identifier: MIT
"""The reached items as the text of two files."""
import re

from nodes import CODE, Branches, Include, Item, Remark

LICENCE_LINE = re.compile(r'^(// SPDX[^\n]*|/\* SPDX[^\n]*\*/)\n?')
SECTION = re.compile(r'/\* -{3,} ')

# In place of the header's own: with default visibility a program that has the file would take the place of a libhpt.so
# that a plugin of it loads, for some functions and not for others.
API = '''/*
 * The builder may define HPT_API before, to export the functions: they are hidden, so that a libhpt.so in the same
 * process keeps its own. No function throws or is a cancellation point.
 */
#ifndef HPT_API
#if defined(__GNUC__) && __GNUC__ >= 4
#define HPT_API __attribute__((visibility("hidden"), nothrow))
#else
#define HPT_API
#endif
#endif'''

FEATURES = '''#ifndef __linux__
#error "libhpt is for Linux: elsewhere leave hpt.c out"
#endif
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#ifndef _TIME_BITS
#define _TIME_BITS 64
#endif
#ifndef _FILE_OFFSET_BITS
#define _FILE_OFFSET_BITS 64
#endif'''

# The C library's headers look at _GNU_SOURCE once. Without it functions are declared that return int.
TOO_LATE = '''#if defined(__GLIBC__) && !defined(__USE_GNU)
#error "hpt.c is to come before any header, or _GNU_SOURCE is to be defined before"
#endif'''

# Which functions and constants are used depends on the architecture. C99 has no atomics and shorter strings, and no C
# has 128 bits.
QUIET = '''#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wunused-const-variable"
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Woverlength-strings"
#endif'''
LOUD = '''#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif'''

OWN_HEADER = '#include "hpt.h"'

LEFT_OUT = {'HIDDEN'}


class Lines:
    """Blocks of text, with an empty line before each that has none in its file."""

    def __init__(self):
        self.text, self.wanted = '', []

    def want(self, heading):
        """To be written before the next block, unless a heading of the same rank comes first."""
        rank = bool(SECTION.match(heading))
        self.wanted = [one for one in self.wanted if bool(SECTION.match(one)) < rank or not rank] if rank else []
        self.wanted.append(heading)

    def put(self, block, is_joined=False):
        for heading in self.wanted:
            self.text += f'\n{heading}\n'
        if self.wanted or not is_joined:
            self.text += '\n'
        self.text += block + '\n'
        self.wanted = []


class Writer:
    def __init__(self, library, reach):
        self.library, self.reach = library, reach
        self.functions = {name for part in library.public for item in part.items if item in reach.reached
                          for name in reach.names[item].declared if reach.names[item].is_prototype}

    def header(self):
        lines = Lines()
        for part in self.library.public:
            self.put_part(lines, part, f'include/{part.name}')
        return lines.text

    def source(self):
        parts = self.library.private + self.library.sources
        systems = {line for part in parts if self.is_used(part) for line in part.systems}
        lines = Lines()
        lines.text = '\n'.join([*sorted(systems), '', OWN_HEADER, '', TOO_LATE, '', QUIET, ''])
        for part in parts:
            self.put_part(lines, part, f'lib/{part.name}')
        return FEATURES + '\n\n' + lines.text + '\n' + LOUD + '\n'

    def is_used(self, part):
        return any(item in self.reach.reached for item in part.items)

    # ---- Parts -------------------------------------------------------------------------------------------

    def put_part(self, lines, part, path):
        if not self.is_used(part):
            return
        lines.want(f'/* ==== {path} {"=" * (108 - len(path))} */')
        nodes = part.nodes
        if nodes and isinstance(nodes[0], Remark):
            about = LICENCE_LINE.sub('', nodes[0].text).strip()
            if about:
                lines.put(about)
            nodes = nodes[1:]
        for node in nodes:
            self.put_node(lines, node)
        lines.wanted = []

    def put_node(self, lines, node):
        if isinstance(node, Remark):
            if SECTION.match(node.text):
                lines.want(node.text)
            return
        text = self.text_of(node)
        if text:
            lines.put(text, node.is_joined)

    def text_of(self, node):
        """'': nothing of it is reached."""
        if isinstance(node, Include):
            return node.text
        if isinstance(node, Branches):
            return self.branches(node)
        if isinstance(node, Item) and node in self.reach.reached and not self.reach.names[node].defined & LEFT_OUT:
            return (node.comment + '\n' if node.comment else '') + self.item(node)
        return ''

    def branches(self, node):
        if node.branches[0][0] == '#ifndef HPT_API':
            return API
        ret, has_items = [node.comment] if node.comment else [], False
        for directive, nodes in node.branches:
            ret.append(directive)
            for below in nodes:
                text = self.text_of(below) if not isinstance(below, Remark) else ''
                if text:
                    ret.append(text if below.is_joined or ret[-1] == directive else '\n' + text)
                    has_items = has_items or not isinstance(below, Include)
        return '\n'.join(ret + [node.end]) if has_items else ''

    # ---- Items -------------------------------------------------------------------------------------------

    def item(self, item):
        entries = self.reach.tables.get(item)
        text = item.text
        if entries:
            glue = ' \\\n' if 'REASONS' in self.reach.names[item].defined else '\n'
            text = glue.join(text for key, text in entries if self.reach.has_entry(key))
        if item.kind != CODE or item.file.startswith('hpt/'):
            return text
        return self.static(re.sub(r'\s*\bHIDDEN\b', '', text), self.reach.names[item])

    def static(self, text, names):
        """Functions and variables that are not public are the file's own, unless tests are to reach them."""
        is_own = names.declared and not (names.is_static or names.is_typedef or names.declared & self.functions)
        if not is_own or self.reach.is_inner:
            return text
        return 'static ' + re.sub(r'^extern ', '', text)
