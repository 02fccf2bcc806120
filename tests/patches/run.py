# SPDX-License-Identifier: MIT
"""
run.py NAME... [--rounds=N] [--tests] [--work=DIR] [--source=NAME=DIR]: builds programs of Debian 12 before and after
the patches in examples/patches and examples/vendored, and compares the two.

NAME is redis, redis-vendored, iperf3, libuv, valkey or tracy, the last two with --source. Prints a table of figures,
measured in turns. It needs the compiler and tools that "sh tests/ci/packages patches" installs, and a network for
Debian's source packages.
  --rounds=N         measures each variant N times (5)
  --tests            the programs' own tests, and what must be so after the patch, as TAP; with figures of one round
  --work=DIR         keeps sources and builds there, and uses them again; otherwise they are in a temporary folder
  --source=NAME=DIR  the source of NAME lies in DIR, with Debian's patches, and is not downloaded
"""
import argparse
import importlib
import os
import sys
import tempfile
import traceback

import figures
import sources

sys.path.append(os.path.join(sources.TOP, 'tests', 'abi'))  # tap.py's folder
from tap import Tap  # noqa: E402

NAMES = ('redis', 'redis-vendored', 'iperf3', 'libuv', 'valkey', 'tracy')
# Debian has no source of these: --source gives one.
NOT_IN_DEBIAN = ('valkey', 'tracy')


def prepare(name, work, given):
    """Both variants of a program, built: (module, trees, environment)."""
    program = importlib.import_module(name.replace('-', '_'))
    env = sources.install_library(work)
    apt = sources.Apt(os.path.join(work, 'apt'))
    trees = {variant: os.path.join(work, f'{name}-{variant}') for variant in ('before', 'after')}
    for variant, tree in trees.items():
        if os.path.exists(f'{tree}.built'):
            continue
        sources.unpack(apt, program, tree, given)
        if variant == 'after':
            sources.apply_patch(program.patch, tree)
        program.build(tree, variant, env)
        with open(f'{tree}.built', 'w', encoding='utf-8'):
            pass
    return program, trees, env


def test(name, work, given, tap):
    program, trees, env = prepare(name, work, given)
    tap.result(True, f'{name} builds before and after the patch')
    for variant, tree in trees.items():
        try:
            tap.result(True, f'{name}, {variant} the patch: {program.own_tests(tree, env)}')
        except AssertionError as error:
            tap.result(False, f"{name}'s own tests, {variant} the patch", str(error).splitlines())
    for good, title, details in program.checks(trees, env, work):
        tap.result(good, f'{name}: {title}', details)


def measure(name, work, given, rounds):
    program, trees, env = prepare(name, work, given)
    table = figures.Table()
    notes = program.measure(trees, env, work, rounds, table)
    return [f'{name} {program.version}, {rounds} rounds', '', *table.lines(), *notes, '']


def tests(names, work, given):
    """All as TAP; the exit status."""
    tap = Tap()
    print('TAP version 13')
    for name in names:
        try:
            test(name, work, given.get(name), tap)
            for line in measure(name, work, given.get(name), 1):
                print(f'# {line}')
        except sources.Skip as why:
            tap.skip(name, why)
        except (AssertionError, OSError):
            tap.result(False, name, traceback.format_exc().splitlines())
    tap.end()
    return int(tap.failed > 0)


def comparison(names, work, given, rounds):
    status = 0
    for name in names:
        try:
            print('\n'.join(measure(name, work, given.get(name), rounds)), flush=True)
        except (sources.Skip, AssertionError, OSError) as why:
            print(f'run.py: {name}: {why}', file=sys.stderr)
            status = 1
    return status


def rounds(text):
    if int(text) < 1:
        raise ValueError
    return int(text)


def source(text):
    """NAME=DIR as a pair."""
    name, _, folder = text.partition('=')
    if name not in NAMES or not os.path.isdir(folder):
        raise argparse.ArgumentTypeError(f'not NAME=DIR, with the folder of a source: {text}')
    return name, os.path.abspath(folder)


def main():
    parser = argparse.ArgumentParser(usage=__doc__.strip(), add_help=False, allow_abbrev=False)
    parser.add_argument('--help', action='store_true')
    parser.add_argument('names', nargs='*')
    parser.add_argument('--rounds', type=rounds, default=5)
    parser.add_argument('--tests', action='store_true')
    parser.add_argument('--work')
    parser.add_argument('--source', action='append', type=source, default=[])
    options = parser.parse_args()
    if options.help:
        print(__doc__.strip())
        return 0
    if not options.names or set(options.names) - set(NAMES):
        print(f'run.py: name at least one of {", ".join(NAMES)}; --help explains', file=sys.stderr)
        return 2
    given = dict(options.source)
    missing = [name for name in NOT_IN_DEBIAN if name in options.names and name not in given]
    if missing:
        print(f'run.py: {missing[0]} needs --source={missing[0]}=DIR', file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory(prefix='patches-') as temporary:
        os.chmod(temporary, 0o755)  # libuv's tests run as nobody
        work = os.path.abspath(options.work or temporary)
        os.makedirs(work, exist_ok=True)
        if options.tests:
            return tests(options.names, work, given)
        return comparison(options.names, work, given, options.rounds)


sys.exit(main())
