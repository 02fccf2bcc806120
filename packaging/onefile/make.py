# SPDX-License-Identifier: MIT
"""Makes the files of a profile."""
import hashlib
import os
import re
import subprocess

from library import Library
from problem import Problem
from profiles import PROFILES
from reach import Reach
from write import OWN_HEADER, Writer

SOURCE, HEADER, LICENCE = 'hpt.c', 'hpt.h', 'LICENSE'
# A digest is taken with these in its place.
NO_DIGEST = '0' * 64
HEAD = '''/* SPDX-License-Identifier: MIT */
/*
 * {name} - libhpt as one file, profile "{profile}": {what}
 *
 * libhpt {version}, profile {profile}
 * sha256 {digest} of this file with 64 zeros here
 *
 * {use}
 * Made by libhpt's packaging/amalgamate of the files that the lines with ==== name, as they are there: change those and
 * make this one again. Their comments may name functions that this profile leaves out. hpt_vendor(7) says more, and how
 * a copy is checked.
 *
{licence}
 */
'''
USE = {SOURCE: 'For Linux. Compile it as C11 or GNU C99, without any flag, and include hpt.h.',
       HEADER: 'C99 or C++11, or a later one.'}
HEADER_FRAME = '''#ifndef LIBHPT_HPT_H
#define LIBHPT_HPT_H

#define HPT_PROFILE "{profile}"
/* hpt.c was made with this header. */
#define LIBHPT_FILES {number}

#ifdef __cplusplus
extern "C" {{
#endif
{text}
#ifdef __cplusplus
}}
#endif

#endif
'''
PAIR = '''{include}
#if !defined(LIBHPT_FILES) || LIBHPT_FILES != {number}
#error "hpt.h is of another version or profile than hpt.c"
#endif'''


def git(root, *words):
    """What it prints, or None. A hook of git has variables that name another project."""
    env = {name: value for name, value in os.environ.items() if not name.startswith('GIT_')}
    try:
        done = subprocess.run(['git', '-c', f'safe.directory={root}', '-C', str(root), *words], env=env, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, universal_newlines=True)
    except OSError:
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def number_of(root):
    text = (root / 'include/hpt/version.h').read_text(encoding='utf-8')
    found = re.search(r'#define HPT_VERSION_STRING "(.*)"', text)
    if not found:
        raise Problem('include/hpt/version.h names no version')
    return found[1]


def version_of(root):
    """As "1.0.0 (0123456789ab)", with -dirty where the library has changes; without the commit where git has none."""
    commit = git(root, 'rev-parse', '--short=12', 'HEAD') if git(root, 'rev-parse', '--show-prefix') == '' else None
    if not commit:
        return number_of(root)
    changes = git(root, 'status', '--porcelain', '--untracked-files=all', '--', 'lib', 'include', 'packaging', LICENCE)
    return f'{number_of(root)} ({commit}{"" if changes == "" else "-dirty"})'


def digest_of(text):
    return hashlib.sha256(text.encode()).hexdigest()


def with_head(name, text, profile, root, version):
    licence = (root / 'LICENSE').read_text(encoding='utf-8').rstrip().split('\n')
    head = HEAD.format(name=name, profile=profile, what=PROFILES[profile].what, version=version, digest=NO_DIGEST,
                       use=USE[name], licence='\n'.join(f' * {line}'.rstrip() for line in licence))
    return head.replace(NO_DIGEST, digest_of(head + text), 1) + text


def files_of(root, profile, version):
    """The text of each file, by its name."""
    texts = texts_of(writer_of(root, PROFILES[profile]), profile)
    ret = {name: with_head(name, text, profile, root, version) for name, text in texts.items()}
    ret[LICENCE] = (root / 'LICENSE').read_text(encoding='utf-8')
    return ret


def texts_of(writer, profile):
    """The header's number is that of both texts, so that the compiler refuses one file of each of two pairs."""
    source, header = writer.source(), writer.header()
    number = f'0x{digest_of(source + header)[:8]}'
    return {SOURCE: source.replace(OWN_HEADER, PAIR.format(include=OWN_HEADER, number=number), 1),
            HEADER: HEADER_FRAME.format(profile=profile, number=number, text=header)}


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
