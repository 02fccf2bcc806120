# SPDX-License-Identifier: MIT
"""quotations_test.py PAGE...: no page loses a word to mdoc, and each quotation ends where it should.

Within a line of macros "No", "An" or "In" is a macro that is not shown, without a warning: "\\&No" is the word. A
quotation goes on to the end of its line, over macros and over a comma of its own: "Ql a , b" is one quotation.
"""
import os
import re
import sys
import unittest

PAGES = sys.argv[1:]
QUOTES = {'Dq', 'Ql', 'Qq', 'Sq'}
# Those of mdoc that are English words and show nothing of their own.
WORDS = {'An', 'At', 'Do', 'In', 'No', 'So'}
MACRO = re.compile(r'[A-Z][a-z]$')
# After these such a word is meant as the macro.
BEFORE = {'Ns', 'Oo', 'Op', 'Pf', 'Po', 'Pq', 'Xo'}


def words_of(line):
    """What stands in quotes is a word, and no macro."""
    return [word if word[0] != '"' else f'\\&{word}' for word in re.findall(r'"(?:[^"]|"")*"|[^\s"]\S*', line)]


def fault(line):
    """What is wrong with a line of macros; None: nothing is."""
    words = words_of(line[1:])
    if words[0] == '\\"':
        return None
    for at, (one, following) in enumerate(zip(words, words[1:])):
        if one in QUOTES and (at == 0 or MACRO.match(words[0])):
            inside = words[at + 1:]
            swallowed = [word for word in inside if MACRO.match(word)]
            if swallowed:
                return f'{swallowed[0]} is a macro in a quotation'
            if ',' in inside[:-1]:
                return 'one quotation with a comma'
        # "In hpt/wall.h" is a header.
        is_header = following == 'In' and '/' in ''.join(words[at + 2:at + 3])
        if MACRO.match(one) and following in WORDS and one not in BEFORE and not is_header:
            return f'{following} is not shown'
    return None


class Quotations(unittest.TestCase):
    def test_faults_are_seen(self):
        for line, expected in (('.It Ql smoothtime No and servers', 'No is a macro in a quotation'),
                               ('.Dq An event ,', 'An is a macro in a quotation'),
                               ('.It Ql server , pool', 'one quotation with a comma'),
                               ('.It No driver', 'No is not shown'), ('.Em In time', 'In is not shown'),
                               ('.It \\&No driver', None), ('.It "No" driver', None), ('.It In hpt/wall.h', None),
                               ('.Pq Sq Crowded ,', None), ('.Ql a, b ;', None), ('.Dv ONE No and others', None),
                               ('.\\" No Dq An', None)):
            self.assertEqual(fault(line), expected, line)

    def test_pages(self):
        self.assertTrue(PAGES)
        for page in PAGES:
            with open(page, encoding='utf-8') as file:
                found = [f'{number}: {line.rstrip()}: {why}' for number, line in enumerate(file, 1)
                         if re.match(r"\.\S", line) and (why := fault(line))]
            with self.subTest(page=os.path.basename(page)):
                self.assertEqual(found, [])


unittest.main(argv=sys.argv[:1])
