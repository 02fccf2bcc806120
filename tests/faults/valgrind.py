# SPDX-License-Identifier: MIT
"""valgrind.py CONTROL [--json] PROGRAM [ARGUMENT...]: the program runs under Valgrind without a complaint.
CONTROL must do so too, else Valgrind itself does not work here (exit 77). --json: the output is one JSON object."""
import json
import re
import shutil
import subprocess
import sys

SKIP = 77
# Valgrind 3.19 answers epoll_pwait2(), 441 everywhere, by ENOSYS and says so. The library then waits by other calls.
UNKNOWN_CALL = re.compile(r'--\d+-- WARNING: unhandled \S+ syscall: 441\n(?:--\d+-- .*\n){4}')
VALGRIND = ['valgrind', '--quiet', '--error-exitcode=99', '--leak-check=full',
            '--errors-for-leak-kinds=definite,possible']


def under_valgrind(command):
    return subprocess.run(VALGRIND + command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          universal_newlines=True, check=False)


def main():
    control, *command = sys.argv[1:]
    wants_json = command[0] == '--json'
    if not shutil.which('valgrind'):
        print('skipped: no valgrind')
        return SKIP
    done = under_valgrind([control])
    if done.returncode or done.stderr:
        print("skipped: valgrind does not work here, or cannot read this compiler's output:", done.stderr)
        return SKIP
    done = under_valgrind(command[wants_json:])
    done.stderr = UNKNOWN_CALL.sub('', done.stderr)
    print(done.stdout, done.stderr, sep='')
    if wants_json:
        json.loads(done.stdout)
    return done.returncode != 0 or done.stderr != ''


sys.exit(main())
