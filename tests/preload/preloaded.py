# SPDX-License-Identifier: MIT
"""preloaded.py OBJECT PROGRAM [ARG...]: run a program with the object, and exit as it does.

Where HPT_RUN_SLACK holds a number the program has a timer slack of 1 ns, as "hpt run" gives it.

LD_PRELOAD splits its value at blanks and colons, which the path of a build folder may have.
"""
import ctypes
import os
import subprocess
import sys
import tempfile


def link(module, folder, name='preload.so'):
    """A path of the module that LD_PRELOAD can hold."""
    path = os.path.join(folder, name)
    os.symlink(os.path.abspath(module), path)
    return path


PR_SET_TIMERSLACK = 29


def main():
    if os.environ.get('HPT_RUN_SLACK'):
        ctypes.CDLL(None).prctl(PR_SET_TIMERSLACK, ctypes.c_ulong(1), 0, 0, 0)
    with tempfile.TemporaryDirectory(prefix='hpt-') as folder:
        env = {**os.environ, 'LD_PRELOAD': link(sys.argv[1], folder)}
        done = subprocess.run(sys.argv[2:], env=env, check=False)
    sys.exit(done.returncode if done.returncode >= 0 else 128 - done.returncode)


if __name__ == '__main__':
    main()
