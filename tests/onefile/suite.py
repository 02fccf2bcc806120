#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
suite.py [--suite=NAMES] [--mark=NAMES] [--cc=COMMAND] [--options=TEXT] [--only=TEST,...] BUILD PROFILE: the library's
own tests with one file in its place.

Each test program of the folder BUILD is linked once more: hpt.c of the profile stands for the library. The tests that
Meson has for these programs then run as Meson runs them. A program that needs what the profile has not is skipped; so
is one that brings a function of the library itself, which one file cannot take from it. TAP: a line for each test.
"""
import argparse
import ast
import concurrent.futures
import functools
import json
import os
import pathlib
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import threading

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / 'packaging/onefile'))
import make  # noqa: E402 pylint: disable=wrong-import-position
from profiles import PROFILES, SLEEP_HEADERS, Profile  # noqa: E402 pylint: disable=wrong-import-position

MORE_HEADERS = ('hpt/clock.h', 'hpt/time.h', 'hpt/timebase.h', 'hpt/info.h', 'hpt/system.h')
WHOLE = re.compile(r'lib/libhpt\.(so[\d.]*|a)')
INNER = re.compile(r'lib/libhpt-internal\.a')
# An object that a test program has of one of the library's own sources.
PART = re.compile(r'(^|.*/)(\.\._)+lib_(?!preload_)\w+\.c\.o')
# Tests of what only the whole library has in a table.
OF_ALL = {'live': 'each call of the environment', 'time_calls': 'each call of the environment',
          'choose': 'counters that are mapped'}
OF_HPET = 'HPET node is '
# The library has these for the command and the object of "hpt run".
FOR_OTHERS = {'hpt_decimal_take', 'hpt_place_share', 'hpt_timebase_error_ns'}
MISSING = re.compile(r'undefined reference to `(\w+)')
TWICE = re.compile(r'multiple definition of `(\w+)')


def run(words, **kwargs):
    return subprocess.run(words, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors='replace', env=dict(os.environ, LC_ALL='C', **kwargs.pop('env', {})), **kwargs)


def must(words, **kwargs):
    done = run(words, **kwargs)
    if done.returncode:
        sys.exit(f"Bail out! {shlex.join(map(str, words))}: {done.stdout[-2000:]}")
    return done.stdout


def functions_in(path):
    """The names with external linkage that an object or an archive defines."""
    return {line.split()[-1] for line in must(['nm', '-g', '--defined-only', path]).splitlines()
            if re.fullmatch(r'[0-9a-f]+ [A-Z] \w+', line)}


def with_more(profile, name):
    """
    The profile and the public functions that test programs use beside its own: handles, samples, text; but no sleeps in
    one that has none. What is in both is the same text.
    """
    headers = MORE_HEADERS + (SLEEP_HEADERS if name != 'clock' else ())
    return Profile(profile.what, lambda function, header: profile.has(function, header) or header in headers,
                   profile.drivers)


def compiler_of(build):
    """The command that links programs; those that link with the library are compiled by the same one."""
    words = shlex.split(must(['ninja', '-C', build, '-t', 'commands', 'tests/unit/test_select']).splitlines()[-1])
    return words[:words.index('-o')]


def wrapper_of(build):
    """What runs a program of a cross build."""
    options = (build / 'meson-private/cmd_line.txt').read_text(encoding='utf-8')
    for path in re.findall(r"^cross_file = \['(.*?)'", options, re.M):
        found = re.search(r'^exe_wrapper = (.*)$', pathlib.Path(path).read_text(encoding='utf-8'), re.M)
        return ast.literal_eval(found[1]) if found else []
    return []


class File:
    """The compiled file: as it is, and with its inner functions in reach; with more public functions where needed."""

    def __init__(self, folder, name, command):
        self.folder, self.name, self.command = folder, name, command
        must([sys.executable, '-B', ROOT / 'packaging/amalgamate', f'--profile={name}', folder / 'whole'])
        self.whole = self.compiled('whole')

    @functools.cached_property
    def inner(self):
        return self.made('inner', PROFILES[self.name], True)

    @functools.cached_property
    def more(self):
        return self.made('more', with_more(PROFILES[self.name], self.name), False)

    @functools.cached_property
    def inner_and_more(self):
        return self.made('inner-and-more', with_more(PROFILES[self.name], self.name), True)

    def made(self, part, profile, is_inner):
        (self.folder / part).mkdir()
        for name, text in make.texts_of(make.writer_of(ROOT, profile, is_inner), part).items():
            (self.folder / part / name).write_text(text, encoding='utf-8')
        return self.compiled(part)

    def compiled(self, part):
        must([*self.command, '-Wall', '-Wextra', '-Werror', '-Wshadow', '-c', 'hpt.c'], cwd=self.folder / part)
        return self.folder / part / 'hpt.o'


class Skip(Exception):
    """Why a program cannot be linked with the file."""


class Programs:
    """Those of a build that are linked with the library, linked with the file."""

    def __init__(self, build, folder, profile, file):
        self.build, self.folder, self.profile, self.file = build, folder, profile, file
        self.wrapper = wrapper_of(build)
        targets = json.loads(must(['meson', 'introspect', '--targets', build]))
        self.names = {os.path.relpath(name, build) for row in targets if row['type'] == 'executable'
                      for name in row['filename']}
        self.linked, self.lock = {}, threading.Lock()

    def command_of(self, path):
        """Meson's, with the file for the library; None: it is not linked with the library."""
        commands = must(['ninja', '-C', self.build, '-t', 'commands', path.relative_to(self.build)]).splitlines()
        words = shlex.split(commands[-1])
        if words[words.index('-o') + 1] != str(path.relative_to(self.build)):
            return None
        ret = [self.file.whole if WHOLE.fullmatch(word) else self.file.inner if INNER.fullmatch(word) else word
               for word in words if not PART.fullmatch(word)]
        if len(ret) < len(words) and self.file.inner not in ret:
            ret.append(self.file.inner)
        return ret if ret != words else None

    def link(self, path):
        """The path of the program with the file."""
        words = self.command_of(path)
        if not words:
            raise Skip('is not linked with the library')
        new = self.folder / str(path.relative_to(self.build)).replace('/', '-')
        words[words.index('-o') + 1] = str(new)
        done = run(words, cwd=self.build)
        if MISSING.search(done.stdout):
            with_more_functions = {self.file.whole: self.file.more}
            if self.file.inner in words:
                with_more_functions[self.file.inner] = self.file.inner_and_more
            done = run([with_more_functions.get(word, word) for word in words], cwd=self.build)
        if done.returncode:
            self.explain(done.stdout)
        return new

    @functools.cached_property
    def library(self):
        return functions_in(self.build / 'lib/libhpt-internal.a')

    def explain(self, output):
        missing, twice = set(MISSING.findall(output)), set(TWICE.findall(output))
        if twice and twice <= self.library:
            raise Skip(f'brings {min(twice)} itself')
        if missing and missing <= self.library:
            if self.profile == 'all' and not missing <= FOR_OTHERS:
                raise RuntimeError(f'The whole library lacks {min(missing - FOR_OTHERS)}')
            raise Skip(f'needs {min(missing)}, which the profile has not')
        raise RuntimeError(output[-2000:])

    def get(self, path):
        with self.lock:
            if path not in self.linked:
                try:
                    self.linked[path] = self.link(path)
                except (Skip, RuntimeError) as why:
                    self.linked[path] = why
        if isinstance(self.linked[path], Exception):
            raise self.linked[path]
        return self.linked[path]


class Test:
    def __init__(self, row, programs):
        self.row, self.programs = row, programs
        self.name = f"{row['suite'][0].partition(':')[2]}: {row['name']}"

    def is_chosen(self, suites, marks):
        of = [name.partition(':')[2] for name in self.row['suite']]
        return of[0] in suites and set(of[1:]) <= set(marks) and self.own_programs()

    def own_programs(self):
        """The words of its command that are programs of the build."""
        return [word for word in self.row['cmd'] if word.startswith(f'{self.programs.build}/') and
                os.path.relpath(word, self.programs.build) in self.programs.names]

    def run(self):
        """'ok' or 'not ok', and the rest of a TAP line."""
        left_out = 'the HPET' if self.row['name'].startswith(OF_HPET) else OF_ALL.get(self.row['name'])
        if left_out and self.programs.profile != 'all':
            return 'ok', f'{self.name} # SKIP tests {left_out}, which the profile has not'
        try:
            new = {word: str(self.programs.get(pathlib.Path(word))) for word in self.own_programs()}
        except Skip as why:
            return 'ok', f'{self.name} # SKIP {why}'
        except RuntimeError as why:
            return 'not ok', self.with_output('link', str(why))
        env = {name: value for name, value in self.row['env'].items() if name != 'LD_LIBRARY_PATH'}
        if self.programs.profile != 'all':
            env['TEST_WITHOUT_HPET'] = '1'
        try:
            done = run([*self.programs.wrapper, *(new.get(word, word) for word in self.row['cmd'])], env=env,
                       cwd=self.row['workdir'], timeout=10 * self.row['timeout'])
        except subprocess.TimeoutExpired:
            return 'not ok', self.with_output('does not end', '')
        if done.returncode == 77:
            return 'ok', f'{self.name} # SKIP as without the file'
        if done.returncode or re.search(r'^not ok', done.stdout, re.M):
            return 'not ok', self.with_output(f'exit {done.returncode}', done.stdout)
        return 'ok', self.name

    def with_output(self, what, output):
        return f'{self.name} ({what})\n' + '\n'.join(f'# {line}' for line in output.splitlines()[-30:])


def programs_of(tests):
    return sorted({os.path.relpath(word, test.programs.build) for test in tests for word in test.own_programs()})


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--suite', default='unit,property,process,faults')
    parser.add_argument('--mark', default='threads,brief', help='tests with other marks are left out')
    parser.add_argument('--cc', type=shlex.split, help='as the build if it is missing')
    parser.add_argument('--options', default='-O2', type=shlex.split)
    parser.add_argument('--only', type=lambda text: text.split(','))
    parser.add_argument('build', type=lambda text: pathlib.Path(text).resolve())
    parser.add_argument('profile')
    return parser.parse_args()


def main():
    signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in the background of a shell, also by tests
    options = arguments()
    rows = json.loads(must(['meson', 'introspect', '--tests', options.build]))
    with tempfile.TemporaryDirectory(prefix='hpt-onefile-') as folder:
        compiler = options.cc or compiler_of(options.build)
        file = File(pathlib.Path(folder), options.profile, [*compiler, *options.options])
        programs = Programs(options.build, pathlib.Path(folder), options.profile, file)
        tests = [Test(row, programs) for row in rows]
        tests = [test for test in tests if test.is_chosen(options.suite.split(','), options.mark.split(',')) and
                 (not options.only or test.row['name'] in options.only)]
        must(['ninja', '-C', options.build, 'lib/libhpt-internal.a', *programs_of(tests)])
        print(f'1..{len(tests)}')
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count() + 1) as pool:
            done = [(test, pool.submit(test.run)) for test in tests if test.row['is_parallel']]
            lines = [result.result() for _, result in done]
        lines += [test.run() for test in tests if not test.row['is_parallel']]
        for i, (result, text) in enumerate(lines):
            print(f'{result} {i + 1} - {text}')
    if all('# SKIP' in text for _, text in lines):
        sys.exit('Bail out! No program was linked with the file.')
    sys.exit(any(result != 'ok' for result, _ in lines))


if __name__ == '__main__':
    main()
