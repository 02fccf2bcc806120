# SPDX-License-Identifier: MIT
"""Makes the files of a profile, and checks copies of them."""
import hashlib
import re
import subprocess

from library import Library
from profiles import PROFILES
from reach import Reach
from write import Writer

SOURCE, HEADER, LICENCE = 'hpt.c', 'hpt.h', 'LICENSE'
# The head of a file ends here; what follows is what its digest is of.
HEAD_END = ' */\n'
HEAD = '''/* SPDX-License-Identifier: MIT */
/*
 * {name} - libhpt as one file, profile "{profile}": {what}
 *
 * libhpt {version}, profile {profile}
 * sha256 {digest} of what follows this comment
 *
 * {use}
 * Made by libhpt's packaging/amalgamate of the files that the lines with ==== name, as they are there: change those and
 * make this one again. hpt_vendor(7) says more, and how a copy is checked.
 *
{licence}
'''
USE = {SOURCE: 'Compile it as C11 or GNU C99, without any flag, and include hpt.h.',
       HEADER: 'C99, C++ or later.'}
HEADER_FRAME = '''#ifndef LIBHPT_HPT_H
#define LIBHPT_HPT_H

#define HPT_PROFILE "{profile}"

#ifdef __cplusplus
extern "C" {{
#endif
{text}
#ifdef __cplusplus
}}
#endif

#endif
'''


class Problem(Exception):
    """A sentence for the user."""


def git(root, *words):
    done = subprocess.run(['git', '-c', f'safe.directory={root}', '-C', str(root), *words], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else None


def version_of(root):
    """As "1.0.0 (0123456789ab)", with -dirty where the library has changes; without the commit where git has none."""
    text = (root / 'include/hpt/version.h').read_text(encoding='utf-8')
    number = re.search(r'#define HPT_VERSION_STRING "(.*)"', text)[1]
    try:
        is_root = git(root, 'rev-parse', '--show-prefix') == ''
        commit = git(root, 'rev-parse', '--short=12', 'HEAD') if is_root else None
    except FileNotFoundError:
        commit = None
    if not commit:
        return number
    is_dirty = git(root, 'status', '--porcelain', '--', 'lib', 'include', 'packaging', 'LICENSE')
    return f'{number} ({commit}{"-dirty" if is_dirty else ""})'


def with_head(name, text, profile, root):
    licence = (root / 'LICENSE').read_text(encoding='utf-8').rstrip().split('\n')
    return HEAD.format(name=name, profile=profile, what=PROFILES[profile].what, version=version_of(root),
                       digest=digest_of(text), use=USE[name],
                       licence='\n'.join(f' * {line}'.rstrip() for line in licence)) + HEAD_END + text


def digest_of(text):
    return hashlib.sha256(text.encode()).hexdigest()


def files_of(root, profile):
    """The text of each file, by its name."""
    texts = texts_of(writer_of(root, PROFILES[profile]), profile)
    ret = {name: with_head(name, text, profile, root) for name, text in texts.items()}
    ret[LICENCE] = (root / 'LICENSE').read_text(encoding='utf-8')
    return ret


def texts_of(writer, profile):
    return {SOURCE: writer.source(), HEADER: HEADER_FRAME.format(profile=profile, text=writer.header())}


def check_names(reach):
    """One file can give a name once. Those under a condition may be another file's elsewhere."""
    files = {}
    for item in sorted(reach.reached, key=lambda item: item.file):
        names = reach.names[item]
        if names.is_prototype or names.is_extern or item.conditions:
            continue
        tags = names.tags if '{' in item.code else set()
        for name in {('struct', tag) for tag in tags} | {('', name) for name in names.defined - names.tags}:
            first = files.setdefault(name, item.file)
            if first != item.file:
                raise Problem(f'{" ".join(name).strip()} is a name in {first} and another one in {item.file}; one file '
                              'cannot have both')


def writer_of(root, profile, is_inner=False):
    """
    is_inner: with the library's inner functions in reach of tests: they are not static, and types have members that
    nothing uses.
    """
    library = Library(root)
    reach = Reach(library, profile, is_inner).run()
    check_names(reach)
    return Writer(library, reach)


# ---- Copies ----------------------------------------------------------------------------------------------

class Copy:
    """A file that was made by this, perhaps long ago."""

    def __init__(self, path):
        try:
            self.text = path.read_text(encoding='utf-8')
        except (OSError, UnicodeDecodeError) as why:
            raise Problem(f'{path}: {getattr(why, "strerror", None) or "no text"}') from why
        facts = re.search(r'^ \* (hpt\.[ch]) - .*?^ \* libhpt (.*), profile (\w+)\n \* sha256 ([0-9a-f]{64}) ',
                          self.text, re.M | re.S)
        if not facts:
            raise Problem(f'{path}: no file that amalgamate has made: its head is missing')
        self.path = path
        self.name, self.version, self.profile, self.digest = facts.groups()

    def is_as_made(self):
        end = self.text.index(HEAD_END, self.text.index('sha256')) + len(HEAD_END)
        return digest_of(self.text[end:]) == self.digest

    def is_of(self, root):
        return self.version == version_of(root) and self.profile in PROFILES


def verify(root, path):
    """A sentence on a copy that is as it was made. Problem: it was changed, or this tree makes another one."""
    copy = Copy(path)
    what = f'libhpt {copy.version}, profile {copy.profile}'
    if not copy.is_as_made():
        raise Problem(f'{path}: changed since it was made of {what}')
    if not copy.is_of(root):
        return f'{path}: as it was made of {what}; this is libhpt {version_of(root)}, which cannot say more of it'
    if files_of(root, copy.profile)[copy.name] != copy.text:
        raise Problem(f'{path}: says {what}, and is not what that gives')
    return f'{path}: {what}, as made here'
