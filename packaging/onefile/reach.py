# SPDX-License-Identifier: MIT
"""What the functions of a profile reach, item by item, through the names that each uses."""
import collections
import re

from ctext import blanked, words
from names import Names
from nodes import CALL, CODE, MACRO, OTHER
from problem import Problem

REASON = re.compile(r'HPT_REASON_\w+')


def names_of(item):
    try:
        return Names(item)
    except Problem as why:
        raise Problem(f'{item.file}: {why}') from why


def scope(file, name):
    """'' for names of the library; others in a source file are its own."""
    return file if file.endswith('.c') and not name.lower().startswith('hpt_') else ''


class Tables:
    """Items of which each entry is taken or left by itself: (key, text) each; key None: always there."""

    def __init__(self, drivers, is_inner):
        self.drivers, self.is_inner = drivers, is_inner

    def entries(self, item, names):
        """The library's own tests know types and sentences whole."""
        if names.defined & {'hpt_env', 'hpt_env_live'} and '{' in item.code:
            return None if self.is_inner and 'hpt_env' in names.tags else self.by_member(item)
        if 'hpt_drivers' in names.defined and '{' in item.code:
            return self.by_driver(item)
        if 'REASONS' in names.defined and not self.is_inner:
            return self.by_reason(item)
        return None

    @staticmethod
    def by_member(item):
        """Lines up to one that ends a member's declaration or value."""
        lines, code = item.text.split('\n'), item.code.split('\n')
        ret, began = [(None, lines[0])], 1
        for i in range(1, len(lines) - 1):
            if code[i].rstrip().endswith((';', ',')) and code[i].count('(') == code[i].count(')'):
                ret.append((member_of(' '.join(code[began:i + 1])), '\n'.join(lines[began:i + 1])))
                began = i + 1
        return ret + [(None, '\n'.join(lines[began:]))]

    def by_driver(self, item):
        ret = []
        for line in item.text.split('\n'):
            found = re.search(r'&hpt_source_(\w+)', line)
            if not found or found[1] in self.drivers:
                ret.append((None, line))
        return ret

    @staticmethod
    def by_reason(item):
        head, *entries = re.split(r'\s*\\\n(?=\tX\()', item.text)
        return [(None, head)] + [('HPT_REASON_' + re.match(r'\tX\((\w+)', entry)[1], entry) for entry in entries]


def member_of(code):
    found = re.search(r'^\s*\.(\w+)\s*=', code) or re.search(r'\(\s*\*\s*(\w+)\s*\)\s*\(', code) or \
        re.search(r'(\w+)\s*;\s*$', code)
    return found[1]


class Reach:
    def __init__(self, library, profile, is_inner=False):
        self.library, self.profile, self.is_inner = library, profile, is_inner
        self.names, self.by_name = {}, collections.defaultdict(list)
        self.tables, tables = {}, Tables(profile.drivers, is_inner)
        for part in library.parts():
            for item in part.items:
                names = self.names[item] = names_of(item)
                entries = tables.entries(item, names)
                if entries:
                    self.tables[item] = entries
                for name in names.defined:
                    self.by_name[name, scope(item.file, name)].append(item)
        self.reached, self.used_members, self.reasons, self.functions = set(), set(), {'HPT_REASON_NONE'}, set()
        self.queue = []

    def run(self):
        self.take_roots()
        before = -1
        while len(self.reached) + len(self.used_members) != before:
            before = len(self.reached) + len(self.used_members)
            self.follow()
            self.take_table_entries()
            self.take_company()
        return self

    # ---- Roots -------------------------------------------------------------------------------------------

    def take_roots(self):
        """The functions of the profile, and what their headers have for their callers."""
        headers = set()
        for part in self.library.public:
            for item in part.items:
                for name in self.names[item].defined:
                    if self.names[item].is_prototype and self.profile.has(name, part.name):
                        self.need(name, part.name)
                        headers.add(part)
        for part in headers:
            for item in part.items:
                if item.kind in (MACRO, OTHER) or item.code.startswith('enum'):
                    self.reach(item)

    # ---- Items -------------------------------------------------------------------------------------------

    def found(self, name, file):
        """What a file means by a name: its own before others'."""
        return self.by_name.get((name, scope(file, name))) or self.by_name.get((name, ''), ())

    def need(self, name, file):
        for item in self.found(name, file):
            self.reach(item)

    def reach(self, item):
        if item not in self.reached:
            self.reached.add(item)
            self.queue.append(item)

    def follow(self):
        while self.queue:
            item = self.queue.pop()
            names = self.names[item]
            for directive in item.conditions:
                for name in words(blanked(directive)):
                    self.need(name, item.file)
            if item in self.tables:
                continue
            if not item.file.startswith('hpt/'):
                self.reasons |= set(REASON.findall(item.code))
            self.used_members |= names.members
            for name in names.used:
                self.need(name, item.file)
            for pattern in names.pasted:
                self.need_pasted(pattern, item.file)

    def need_pasted(self, pattern, file):
        """A pattern of parameters alone says nothing; what it makes is used under its name."""
        if len(pattern.replace(r'\w+', '').strip('_')) >= 3 and not pattern.startswith('HPT_REASON_'):
            for name, where in list(self.by_name):
                if where in ('', file) and re.fullmatch(pattern, name):
                    self.need(name, file)

    def has_entry(self, key):
        return key is None or key in self.used_members or key in self.reasons

    def take_table_entries(self):
        for item, entries in self.tables.items():
            if item in self.reached and 'REASONS' not in self.names[item].defined:
                for key, text in entries:
                    if self.has_entry(key):
                        code = blanked(text)
                        for name in words(code) - self.names[item].defined:
                            self.need(name, item.file)

    def take_company(self):
        """What belongs to reached code of its file: calls of macros, constructors; and assertions on what is there."""
        files = {item.file for item in self.reached if item.kind == CODE and not item.file.startswith('hpt/')}
        for item in self.names:
            if item.file not in files or item in self.reached:
                continue
            is_assertion = item.code.startswith('_Static_assert')
            if item.kind in (CALL, OTHER) or 'constructor' in item.code.split('\n')[0] or \
                    (is_assertion and self.is_known(item)):
                self.reach(item)

    def is_known(self, item):
        return all(one in self.reached for name in self.names[item].used for one in self.found(name, item.file))
