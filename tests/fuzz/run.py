# SPDX-License-Identifier: MIT
"""run.py NAME PROGRAM: fuzz for HPT_FUZZ_SECONDS (60), starting with the target's seeds and what earlier runs kept.

Inputs are kept in the folder of the program: NAME.corpus has those that reached new code, NAME.crash-... is one that
failed.
"""
import hashlib
import os
import subprocess
import sys

from seeds import SEEDS, TOKENS


def write_seeds(folder, seeds):
    os.makedirs(folder, exist_ok=True)
    for seed in seeds:
        with open(os.path.join(folder, hashlib.sha1(seed).hexdigest()), 'wb') as f:
            f.write(seed)


def write_dictionary(path, tokens):
    with open(path, 'w', encoding='ascii') as f:
        for token in tokens:
            f.write('"' + ''.join(f'\\x{byte:02x}' for byte in token) + '"\n')


def main():
    name, program = sys.argv[1], os.path.abspath(sys.argv[2])
    base = os.path.join(os.path.dirname(program), name)
    write_seeds(base + '.corpus', SEEDS[name])
    write_dictionary(base + '.dict', TOKENS[name])
    # libFuzzer's own status for a failure, 77, means "skipped" to Meson.
    return subprocess.call([program, '-max_total_time=' + os.environ.get('HPT_FUZZ_SECONDS', '60'), '-timeout=20',
                            '-error_exitcode=1', '-print_final_stats=1', f'-artifact_prefix={base}.',
                            f'-dict={base}.dict', base + '.corpus'])


if __name__ == '__main__':
    sys.exit(main())
