# SPDX-License-Identifier: MIT
"""C as text: what is code in it, and its words."""
import re

COMMENT_OR_LITERAL = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)
WORD = re.compile(r'[A-Za-z_]\w*')
TOKEN = re.compile(r'[A-Za-z_]\w*|\.?\d[\w.]*|->|\.\.\.|\S')
# A name after these is a member's, which the compiler finds by the type.
MEMBER = re.compile(r'(?:->|(?<!\.)\.)\s*([A-Za-z_]\w*)')


def blanked(text):
    """The text with comments and the insides of literals as spaces, each character and line where it was."""
    def blank(match):
        found = match[0]
        if found[0] == '/':
            return re.sub(r'[^\n]', ' ', found)
        return found[0] + ' ' * (len(found) - 2) + found[-1]
    return COMMENT_OR_LITERAL.sub(blank, text)


def words(code):
    """The names in blanked text that are no members."""
    return set(WORD.findall(MEMBER.sub(' ', code)))


def members(code):
    """Those that are, also of offsetof()."""
    paths = re.findall(r'offsetof\([^,]*,([^)]*)\)', code)
    return set(MEMBER.findall(code)) | {name for path in paths for name in WORD.findall(path)}


def tokens(code):
    return TOKEN.findall(code)
