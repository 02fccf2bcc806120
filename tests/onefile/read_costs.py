#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""read_costs.py LIBRARY COMPILER: reads by the file of profile "clock" and by the shared library, in one run."""
import pathlib
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]

with tempfile.TemporaryDirectory(prefix='hpt-costs-') as folder:
    library, compiler = pathlib.Path(sys.argv[1]).resolve(), shlex.split(sys.argv[2])
    subprocess.run([ROOT / 'packaging/amalgamate', '--profile=clock', '--force', folder], check=True)
    program = pathlib.Path(folder) / 'read_costs'
    subprocess.run([*compiler, '-O2', f'-I{folder}', ROOT / 'tests/onefile/read_costs.c', f'{folder}/hpt.c', '-o',
                    program, '-ldl'], check=True)
    sys.exit(subprocess.run([program, library], check=False).returncode)
