# SPDX-License-Identifier: MIT
"""A source file as nodes: what stands at its top level, in order, with conditionals as branches."""
import re

from ctext import blanked
from problem import Problem

MACRO, CODE, CALL, OTHER = 'macro', 'code', 'call', 'other'


class Node:
    # Whether it stands right below the node before it, without an empty line.
    is_joined = False


class Item(Node):
    """
    What is taken or left as a whole: a macro, code (a type, variables, a function, a declaration), a call of a macro
    that makes code, or another line; with the comment above it.
    """

    def __init__(self, kind, text, comment):
        self.kind, self.text, self.comment = kind, text, comment
        self.code = blanked(text)
        self.file, self.conditions = '', ()


class Remark(Node):
    """A comment that stands for itself."""

    def __init__(self, text):
        self.text = text


class Include(Node):
    def __init__(self, text, comment):
        self.text, self.comment = text, comment
        found = re.search(r'([<"])([^>"]+)', text)
        self.is_local, self.name = bool(found) and found[1] == '"', found[2] if found else ''


class Branches(Node):
    """#if to #endif: directives, each with the nodes below it."""

    def __init__(self, comment):
        self.comment, self.branches, self.end = comment, [], ''


class Reader:
    """Reads one file."""

    def __init__(self, text):
        self.lines, self.code = text.split('\n'), blanked(text).split('\n')
        self.at, self.began = 0, 0
        self.top = []
        self.lists, self.open = [self.top], []
        self.comment = []

    def nodes(self):
        while self.at < len(self.lines):
            if not self.comment:
                self.began = self.at
            code = self.code[self.at].strip()
            if code.startswith('#'):
                self.directive()
            elif code:
                self.item()
            else:
                self.empty_line()
        self.end_remark()
        if self.open:
            raise ValueError('a conditional has no end')
        return self.top

    def put(self, node):
        before = self.lines[self.began - 1].strip() if self.began else ''
        node.is_joined = before != '' and not before.startswith('#include')
        self.lists[-1].append(node)
        self.comment = []

    def taken_comment(self):
        text = '\n'.join(self.comment)
        self.comment = []
        return text

    def end_remark(self):
        if self.comment:
            self.put(Remark('\n'.join(self.comment)))

    def empty_line(self):
        if self.lines[self.at].strip():
            self.comment.append(self.lines[self.at])
        else:
            self.end_remark()
        self.at += 1

    # ---- Directives --------------------------------------------------------------------------------------

    def taken_lines(self, last):
        text = '\n'.join(self.lines[self.at:last + 1])
        self.at = last + 1
        return text

    def directive(self):
        last = self.at
        while self.lines[last].endswith('\\'):
            last += 1
        word = re.match(r'\s*#\s*(\w+)', self.code[self.at])[1]
        text = self.taken_lines(last)
        if word in ('if', 'ifdef', 'ifndef'):
            self.begin(text)
        elif word in ('elif', 'else'):
            self.lists.pop()
            self.branch(text)
        elif word == 'endif':
            self.lists.pop()
            self.open.pop().end = text
        elif word == 'include':
            self.put(Include(text, self.taken_comment()))
        else:
            self.put(Item(MACRO if word == 'define' else OTHER, text, self.taken_comment()))

    def begin(self, text):
        node = Branches(self.taken_comment())
        self.put(node)
        self.open.append(node)
        self.branch(text)

    def branch(self, text):
        self.open[-1].branches.append((text, []))
        self.lists.append(self.open[-1].branches[-1][1])

    # ---- Code --------------------------------------------------------------------------------------------

    def item(self):
        """Lines until all brackets are closed and the last one ends a declaration, a body or a macro's call."""
        last, depth = self.at, 0
        while True:
            code = self.code[last].rstrip()
            depth += sum(map(code.count, '{(')) - sum(map(code.count, '})'))
            if self.is_linkage(code):
                return self.put(Item(OTHER, self.taken_lines(last), self.taken_comment()))
            if depth == 0 and code.endswith((';', '}')):
                return self.put(Item(CODE, self.taken_lines(last), self.taken_comment()))
            if depth == 0 and last == self.at and self.is_call(code):
                return self.put(Item(CALL, self.taken_lines(last), self.taken_comment()))
            last += 1

    def is_call(self, code):
        below = self.lines[self.at + 1] if self.at + 1 < len(self.lines) else ''
        return re.fullmatch(r'[A-Z_][A-Z0-9_]*\(.*\)', code) and not below.startswith('{')

    def is_linkage(self, code):
        """The brackets of extern "C"."""
        return re.fullmatch(r'extern " "\s*{', code) or (code == '}' and self.code[self.at] == code)


def read(path):
    try:
        return Reader(path.read_text(encoding='utf-8')).nodes()
    except ValueError as why:
        raise Problem(f'{path}: {why}') from why
    except (IndexError, TypeError) as why:
        raise Problem(f'{path}: no C as it is written here') from why


def items_of(nodes, conditions=()):
    """All items, each with the directives that it depends on."""
    for node in nodes:
        if isinstance(node, Item):
            node.conditions = conditions
            yield node
        elif isinstance(node, Branches):
            directives = tuple(text for text, _ in node.branches)
            for _, below in node.branches:
                yield from items_of(below, conditions + directives)
