# SPDX-License-Identifier: MIT
"""style.py ROOT [CHECK...]: the checks of text.py and structure.py; tests/ci/style calls it.

Every finding is one line "FILE:LINE: what is wrong"; notes fail nothing. Exit 1: there are findings.
"""
import os
import subprocess
import sys
import tempfile

import names
import structure
import text
from tree import Tree


def check_mutants(tree):
    """Each pattern of tests/unit/ROOM/test_UNIT.sed still changes the line that it was made for."""
    done = subprocess.run([sys.executable, '-B', os.path.join(tree.root, 'tests/unit/mutants.py'), '--stale'],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
    if done.returncode:
        yield from done.stdout.decode(errors='replace').splitlines()


def check_one_file(tree):
    """packaging/amalgamate can make one file of the tree."""
    with tempfile.TemporaryDirectory(prefix='hpt-style-') as folder:
        for profile in ('clock', 'sleep', 'all'):
            done = subprocess.run([sys.executable, '-B', os.path.join(tree.root, 'packaging/amalgamate'),
                                   f'--profile={profile}', '--force', folder],
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
            if done.returncode:
                yield from done.stdout.decode(errors='replace').splitlines()


CHECKS = {
    'places': structure.check_places,
    'rooms': structure.check_rooms,
    'circles': structure.check_circles,
    'headers': structure.check_headers,
    'macros': structure.check_macros,
    'names': names.check_names,
    'stems': structure.check_stems,
    'rows': structure.check_rows,
    'tests': structure.check_unit_tests,
    'spdx': text.check_spdx,
    'purpose': text.check_purpose,
    'ends': text.check_ends,
    'columns': text.check_columns,
    'readme': text.check_readme,
    'man': text.check_man,
    'forge': text.check_forge,
    'mutants': check_mutants,
    'onefile': check_one_file,
}


def print_notes(tree):
    for path, n in text.long_files(tree):
        print(f'note: {path}: {n} lines')
    for path in structure.untested(tree):
        print(f'note: {path}: no file in tests/unit has its name')


def main():
    root, *names = sys.argv[1:]
    unknown = [name for name in names if name not in CHECKS]
    if unknown:
        sys.exit(f'no such check: {" ".join(unknown)}; there are: {" ".join(CHECKS)}')
    tree = Tree(root)
    findings = 0
    for name in names or CHECKS:
        for finding in CHECKS[name](tree):
            findings += 1
            print(finding)
    if not names:
        print_notes(tree)
    return 1 if findings else 0


if __name__ == '__main__':
    sys.exit(main())
