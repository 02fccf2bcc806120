# SPDX-License-Identifier: MIT
"""The names that an item defines, and those that it uses."""
import re

from ctext import WORD, members, tokens, words
from nodes import CODE, MACRO
from problem import Problem

AGGREGATES = ('struct', 'union', 'enum')
TYPE = 'int'
STORAGE = {TYPE, 'static', 'extern', 'const', 'volatile', 'inline', 'typedef', '_Thread_local', 'HIDDEN'}
# With their brackets these say something of what is declared, and name nothing.
NOTES = ('__attribute__', '_Alignas', '_Atomic', '__asm__', 'sizeof', '__extension__')


class Names:
    def __init__(self, item):
        self.defined, self.tags = set(), set()
        self.declared = set()  # functions and variables
        self.is_static = self.is_function = self.is_prototype = self.is_extern = self.is_typedef = False
        if item.kind == MACRO:
            self.defined = {re.match(r'\s*#\s*define\s+(\w+)', item.code)[1]}
        elif item.kind == CODE:
            self.take(tokens(item.code))
        self.used = words(item.code) - self.defined
        self.members = members(item.code)
        self.pasted = list(patterns(item.code)) if item.kind == MACRO else []

    def take(self, found):
        if found[0] == '_Static_assert':
            return
        found = without_notes(found)
        self.is_static, self.is_extern = 'static' in heading(found), 'extern' in heading(found)
        self.is_typedef = found[0] == 'typedef'
        found = self.without_aggregates(found)
        for declarator in declarators(found):
            self.declare(declarator)
        self.is_prototype = self.is_function and '{' not in found
        self.defined |= self.tags

    def without_aggregates(self, found):
        """With a type's name for each. The tags and enumerators of what is described in it are defined."""
        ret, i = [], 0
        while i < len(found) and found[i] not in ('=', '{'):
            if found[i] in AGGREGATES:
                i += self.aggregate(found, i)
                ret.append(TYPE)
            else:
                ret.append(found[i])
                i += 1
        return ret + found[i:]

    def aggregate(self, found, i):
        """How many tokens it takes."""
        tag = found[i + 1] if WORD.fullmatch(found[i + 1]) else None
        body = i + 1 + (tag is not None)
        if found[body] != '{':
            if found[body] == ';' and i == 0:
                self.tags.add(tag)
            return body - i
        end = closing(found, body)
        if tag:
            self.tags.add(tag)
        if found[i] == 'enum':
            self.defined |= {name for before, name in zip(found[body:end], found[body + 1:end])
                             if before in ('{', ',') and WORD.fullmatch(name)}
        return end + 1 - i

    def declare(self, declarator):
        """A function has its name before its first bracket, a pointer to one within."""
        if '(' in declarator:
            at = declarator.index('(')
            name = declarator[at - 1] if at else ''
            if WORD.fullmatch(name) and name not in STORAGE and declarator[at + 1:at + 2] != ['*']:
                self.is_function = not self.is_typedef
                self.add(name)
                return
            declarator = declarator[at + 1:declarator.index(')')]
        plain = outside_brackets(declarator)
        found = [token for token in plain if WORD.fullmatch(token) and token not in STORAGE]
        if found:
            self.add(found[-1])

    def add(self, name):
        self.defined.add(name)
        if not self.is_typedef:
            self.declared.add(name)


def closing(found, at):
    """Of the bracket at which position the other one is."""
    pairs = {'{': '}', '(': ')', '[': ']'}
    depth = 0
    for i in range(at, len(found)):
        depth += (found[i] == found[at]) - (found[i] == pairs[found[at]])
        if not depth:
            return i
    raise Problem('a bracket has no end')


def without_notes(found):
    ret, i = [], 0
    while i < len(found):
        if found[i] in NOTES and found[i + 1:i + 2] == ['(']:
            i = closing(found, i + 1)
        elif found[i] not in NOTES:
            ret.append(found[i])
        i += 1
    return ret


def heading(found):
    """What stands before the first bracket or value."""
    for i, token in enumerate(found):
        if token in ('(', '{', '='):
            return found[:i]
    return found


def outside_brackets(found):
    ret, i = [], 0
    while i < len(found):
        if found[i] == '[':
            i = closing(found, i)
        else:
            ret.append(found[i])
        i += 1
    return ret


def declarators(found):
    """Those of a declaration, without their values; of a function what stands before its body."""
    ret, now, i = [], [], 0
    while i < len(found) and found[i] not in ('{', ';'):
        if found[i] == '=':
            i = value_end(found, i)
            continue
        if found[i] == '(':
            end = closing(found, i)
            now += found[i:end + 1]
            i = end + 1
            continue
        if found[i] == ',':
            ret.append(now)
            now = []
        else:
            now.append(found[i])
        i += 1
    return [one for one in ret + [now] if one]


def value_end(found, i):
    while found[i] not in (',', ';'):
        i = closing(found, i) + 1 if found[i] in ('{', '(', '[') else i + 1
    return i


def patterns(code):
    """Regular expressions of the names that a macro pastes together."""
    parameters = set(WORD.findall((re.match(r'\s*#\s*define\s+\w+\(([^)]*)\)', code) or ['', ''])[1]))
    for found in re.finditer(r'\w+(?:\s*##\s*\w+)+', code):
        parts = re.split(r'\s*##\s*', found[0])
        yield ''.join(r'\w+' if part in parameters else part for part in parts)
