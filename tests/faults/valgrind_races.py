# SPDX-License-Identifier: MIT
"""valgrind_races.py CONTROL SUPPRESSIONS PROGRAM: with the installed suppressions Helgrind and DRD find nothing in a
program that shares clocks and sleepers between threads, and still find the program's own race. CONTROL must run under
Valgrind too, else Valgrind itself does not work here (exit 77)."""
import re
import shutil
import subprocess
import sys

SKIP = 77


def errors(tool, command, *options):
    """How many errors the tool counts; None: it did not run to the end."""
    done = subprocess.run(['valgrind', '--tool=' + tool, *options, *command], stdin=subprocess.DEVNULL,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, universal_newlines=True, check=False)
    count = re.search(r'ERROR SUMMARY: (\d+) errors', done.stderr)
    if done.returncode or not count:
        print(tool, *options, *command, 'ended with', done.returncode, done.stderr[-4000:])
        return None
    return int(count[1])


def main():
    control, suppressions, program = sys.argv[1:]
    if not shutil.which('valgrind') or errors('helgrind', [control]) != 0:
        print('skipped: no valgrind, or it does not work here')
        return SKIP
    good = True
    for tool in 'helgrind', 'drd':
        option = '--suppressions=' + suppressions
        found = [errors(tool, [program]), errors(tool, [program], option), errors(tool, [program, 'race'], option)]
        print(f'{tool}: {found[0]} errors; with the suppressions {found[1]}, and {found[2]} of a race in the program')
        good = good and None not in found and found[0] > 0 and found[1] == 0 and found[2] > 0
    return not good


sys.exit(main())
