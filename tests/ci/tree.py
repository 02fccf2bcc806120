# SPDX-License-Identifier: MIT
"""The files of a source tree, and their lines, for the checks of tests/ci/style."""
import fnmatch
import os
import subprocess


def tracked(root):
    """The files that git tracks or would track; None where there is no git or the folder is no checkout."""
    if not os.path.exists(os.path.join(root, '.git')):
        return None
    command = ['git', '-c', f'safe.directory={root}', 'ls-files', '-z', '--cached', '--others', '--exclude-standard']
    try:
        done = subprocess.run(command, cwd=root, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    except OSError:
        return None
    return done.stdout.decode().split('\0') if done.returncode == 0 else None


def walked(root):
    """All files but those of build folders, of git and of Python's cache."""
    for folder, folders, names in os.walk(root):
        folders[:] = [f for f in folders if f not in ('.git', '__pycache__') and not
                      os.path.exists(os.path.join(folder, f, 'meson-private'))]
        if folder == root:
            folders[:] = [f for f in folders if not f.startswith('build')]
        yield from (os.path.relpath(os.path.join(folder, name), root) for name in names)


class Tree:
    def __init__(self, root):
        self.root = os.path.abspath(root)
        names = tracked(self.root)
        names = walked(self.root) if names is None else names
        # A tracked file may be deleted, and a symbolic link has no lines of its own.
        self.files = sorted(f for f in set(names) if f and os.path.isfile(self.path(f)) and
                            not os.path.islink(self.path(f)))
        self.known = set(self.files)
        self.texts = {}

    def path(self, name):
        return os.path.join(self.root, name)

    def matching(self, *patterns):
        """Files of which the path or the last part of the path matches one of the patterns."""
        return [f for f in self.files
                if any(fnmatch.fnmatch(f if '/' in p else os.path.basename(f), p) for p in patterns)]

    def under(self, *folders):
        return [f for f in self.files if f.startswith(tuple(d + '/' for d in folders))]

    def text(self, name):
        if name not in self.texts:
            with open(self.path(name), encoding='utf-8', newline='') as f:
                self.texts[name] = f.read()
        return self.texts[name]

    def lines(self, name):
        return self.text(name).split('\n')


def stem(name):
    """lib/rate/record.c and lib/rate/record.h -> record"""
    return os.path.splitext(os.path.basename(name))[0]
