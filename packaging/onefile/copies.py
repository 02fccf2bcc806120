# SPDX-License-Identifier: MIT
"""Checks copies of the files that packaging/amalgamate makes."""
import re

from make import LICENCE, NO_DIGEST, digest_of, files_of, version_of
from problem import Problem
from profiles import PROFILES

# Far more than any file of this: an endless one is refused.
LONGEST = 1 << 24
HEAD = re.compile(r'/\* SPDX-License-Identifier: MIT \*/\n/\*\n \* (hpt\.[ch]) - .*\n \*\n'
                  r' \* libhpt (.*), profile (\w+)\n \* sha256 ([0-9a-f]{64}) ')


def text_of(path):
    with open(path, encoding='utf-8') as file:
        text = file.read(LONGEST + 1)
    if len(text) > LONGEST:
        raise Problem(f'{path}: longer than any file that amalgamate makes')
    return text


class Copy:
    """A file that was made by this, perhaps long ago."""

    def __init__(self, path):
        try:
            self.text = text_of(path)
        except UnicodeDecodeError as why:
            raise Problem(f'{path}: no text') from why
        facts = HEAD.match(self.text)
        if not facts:
            raise Problem(f'{path}: does not begin as a file that amalgamate has made')
        self.path = path
        self.name, self.version, self.profile, self.digest = facts.groups()

    def what(self):
        return f'libhpt {self.version}, profile {self.profile}'

    def is_as_made(self):
        return digest_of(self.text.replace(self.digest, NO_DIGEST, 1)) == self.digest


def verify_copy(root, copy):
    """A sentence on a copy that is as it was made. Problem: it was changed, or this tree makes another one."""
    if not copy.is_as_made():
        raise Problem(f'{copy.path}: changed since it was made of {copy.what()}')
    is_made_here = copy.profile in PROFILES and \
        files_of(root, copy.profile, copy.version)[copy.name] == copy.text
    if is_made_here:
        return f'{copy.path}: {copy.what()}, as made here'
    if copy.version == version_of(root):
        raise Problem(f'{copy.path}: says {copy.what()}, and is not what that gives')
    return f'{copy.path}: as it was made of {copy.what()}; this is libhpt {version_of(root)} and cannot say more of it'


def is_licence(root, path):
    return path.name == LICENCE and path.read_bytes() == (root / LICENCE).read_bytes()


def verify(root, path):
    """A sentence, and the version and profile if it has them."""
    if is_licence(root, path):
        return f"{path}: libhpt's", None
    copy = Copy(path)
    return verify_copy(root, copy), copy.what()
