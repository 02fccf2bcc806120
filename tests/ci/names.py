# SPDX-License-Identifier: MIT
"""Names of file scope: each is that of one unit of lib/, so that all of it may be one translation unit."""
import os
import re

import declarations
from structure import c_files, unit_of

MACRO = re.compile(r'(?m)^[ \t]*#[ \t]*define[ \t]+(\w+)')
UNDEF = re.compile(r'(?m)^[ \t]*#[ \t]*undef[ \t]+(\w+)')
ENUM = re.compile(r'\benum(?:\s+\w+)?\s*\{([^}]*)\}')
# Headers of lib/arch are alternatives, and the object of "hpt run" has its own parts in place of the library's.
APART = ('lib/arch/', 'lib/preload/')


def code(text):
    return re.sub(r'/\*.*?\*/|//[^\n]*', '', text, flags=re.S)


def file_scope(path, text):
    """What the file defines: functions, variables, types, constants and macros that it leaves defined."""
    for d in declarations.declarations(text):
        if d.is_definition or (path.endswith('.h') and d.is_static):
            yield d.name, d.line
    for name in declarations.types(text):
        yield 'struct or enum ' + name, 1
    text = code(text)
    for constants in ENUM.findall(text):
        for name in re.findall(r'(\w+)\s*(?:=[^,]*)?(?:,|$)', constants.strip()):
            yield name, 1
    local = set(UNDEF.findall(text))
    for name in MACRO.findall(text):
        if name not in local:
            yield name, 1


def check_names(tree):
    """A name of file scope is that of one unit of lib/."""
    found = {}
    for path in c_files(tree, 'lib'):
        if path.startswith(APART):
            continue
        try:
            for name, line in file_scope(path, tree.text(path)):
                found.setdefault(name, {}).setdefault(unit_of(path), (path, line))
        except ValueError:
            continue  # check_headers says so
    for name, units in sorted(found.items()):
        first, *others = sorted(units)
        for unit in others:
            path, line = units[unit]
            yield f'{path}:{line}: {name} is also a name of {os.path.relpath(first, "lib")}'
