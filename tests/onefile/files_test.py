#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
files_test.py [--full] [--library FILE] COMPILER...: the files of packaging/amalgamate, as somebody takes them along:
the same bytes each time, no warning, the functions of the profile and no others, hidden; C++; two copies in a process
and one beside the shared library; copies that are checked; what bad input gets. --full: more compilers' options.
"""
import argparse
import hashlib
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = pathlib.Path(__file__).resolve().parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / 'tests/packaging'))
from project import Check  # noqa: E402 pylint: disable=wrong-import-position

PROFILES = ('clock', 'sleep', 'all')
NAMES = ('LICENSE', 'hpt.c', 'hpt.h')
WARNINGS = ('-Wall', '-Wextra', '-Wshadow')
# As a user compiles it: no option at all; each standard of C that has what the file needs, each optimisation.
BRIEF = (('-O2', '-std=c11', '-pedantic'),)
FULL = (('-O0',), ('-O1', '-std=gnu99'), ('-O2', '-std=gnu11'), ('-O2', '-std=gnu2x'), ('-O3', '-std=c11', '-pedantic'),
        ('-O2', '-std=c99', '-pedantic'), ('-O2', '-m32', '-Wno-psabi'))
# Lines of code, and bytes of text and constants by gcc -O2 on x86-64, of profile "clock": more is to be a decision.
CLOCK_LINES, CLOCK_BYTES = 6100, 57500


class Files:
    """The files of each profile in folders of their own."""

    def __init__(self, check, folder, compilers, is_full):
        self.check, self.folder, self.compilers, self.is_full = check, folder, compilers, is_full

    def amalgamate(self, *words, root=ROOT, **environ):
        return self.check.run([root / 'packaging/amalgamate', *words], PYTHONDONTWRITEBYTECODE='1', **environ)

    def make(self):
        for profile in PROFILES:
            done = self.amalgamate(f'--profile={profile}', self.folder / profile)
            self.check.equal(f'{profile}: is made without a word', (done.returncode, done.stdout), (0, ''))
            self.check.equal(f'{profile}: has three files', sorted(os.listdir(self.folder / profile)), list(NAMES))

    def text(self, profile, name):
        return (self.folder / profile / name).read_text(encoding='utf-8')

    def run_compiler(self, compiler, profile, *words):
        return subprocess.run([*compiler, *words], cwd=self.folder / profile, check=False, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True)


# ---- The files -------------------------------------------------------------------------------------------

def check_bytes(files):
    for profile in PROFILES:
        again = files.folder / f'{profile}-again'
        files.amalgamate(f'--profile={profile}', again, PYTHONHASHSEED='7')
        same = all((again / name).read_bytes() == (files.folder / profile / name).read_bytes() for name in NAMES)
        files.check.result(same, f'{profile}: the same bytes each time')


def code_lines(text):
    without = re.sub(r'/\*.*?\*/', lambda found: '\n' * found[0].count('\n'), text, flags=re.S)
    return sum(1 for line in without.split('\n') if line.strip() and not line.strip().startswith('//'))


def check_text(files):
    for profile in PROFILES:
        text = files.text(profile, 'hpt.c')
        wide = [line for line in text.split('\n') if len(line.removeprefix('static ').expandtabs(8)) > 120]
        files.check.empty(f'{profile}: no line above 120 columns', wide[:5])
        places = re.findall(r'^/\* ==== (\S+) =+ \*/$', text, re.M)
        is_named = len(places) > 40 and len(places) == len(set(places)) and all((ROOT / one).exists() for one in places)
        files.check.result(is_named, f'{profile}: each part names its file', () if is_named else places)
    lines = code_lines(files.text('clock', 'hpt.c'))
    files.check.result(lines <= CLOCK_LINES, f'clock: {lines} lines of code')


def check_compilers(files):
    for profile in PROFILES:
        for compiler in files.compilers:
            for options in FULL if files.is_full else BRIEF:
                name = f"{profile}: {' '.join(compiler)} {' '.join(options)} says nothing"
                if '-m32' in options and files.run_compiler(compiler, profile, '-m32', '-E', 'hpt.c').returncode:
                    files.check.skip(name, 'no 32-bit headers')
                    continue
                done = files.run_compiler(compiler, profile, *options, *WARNINGS, '-c', 'hpt.c', '-o', 'tried.o')
                files.check.result(not done.returncode and not done.stdout, name, done.stdout.split('\n')[:20])


# ---- The functions ---------------------------------------------------------------------------------------

def functions_of(header):
    return sorted(set(re.findall(r'^HPT_API(?:_CHECKED)? [^;(]*?\b(hpt_\w+)\(', header, re.M)))


def symbols_of(path, what):
    done = subprocess.run(['nm', *what, str(path)], check=True, stdout=subprocess.PIPE, text=True)
    return [tuple(line.split()[-2:]) for line in done.stdout.splitlines()]


def check_functions(files):
    for profile in PROFILES:
        path = files.folder / profile / 'hpt.o'
        compiled = files.run_compiler(files.compilers[0], profile, '-O2', '-c', 'hpt.c')
        files.check.result(not compiled.returncode, f'{profile}: cc -O2 -c hpt.c', compiled.stdout.split('\n'))
        found = sorted(name for _, name in symbols_of(path, ['-g', '--defined-only']))
        declared = functions_of(files.text(profile, 'hpt.h'))
        files.check.equal(f'{profile}: the functions of hpt.h and no others', found, declared)
        table = subprocess.run(['readelf', '-sW', str(path)], check=True, stdout=subprocess.PIPE, text=True).stdout
        shown = [line.split()[-1] for line in table.splitlines() if re.search(r'GLOBAL +DEFAULT +\d+ hpt_', line)]
        files.check.empty(f'{profile}: all are hidden', shown)
        files.run_compiler(files.compilers[0], profile, '-O2', '-DHPT_API=', '-c', 'hpt.c', '-o', 'shown.o')
        table = subprocess.run(['readelf', '-sW', str(path.with_name('shown.o'))], check=True, stdout=subprocess.PIPE,
                               text=True).stdout
        shown = [line.split()[-1] for line in table.splitlines() if re.search(r'GLOBAL +DEFAULT +\d+ hpt_', line)]
        files.check.equal(f'{profile}: none is with -DHPT_API=', sorted(shown), found)


def check_size(files):
    compiler = files.compilers[0]
    machine = subprocess.run([*compiler, '-dumpmachine'], check=False, stdout=subprocess.PIPE, text=True).stdout
    version = subprocess.run([*compiler, '--version'], check=False, stdout=subprocess.PIPE, text=True).stdout
    if not machine.startswith('x86_64') or 'Free Software' not in version:
        files.check.skip('clock: its size', 'the figure is of gcc on x86-64')
        return
    done = subprocess.run(['size', '-A', files.folder / 'clock/hpt.o'], check=True, stdout=subprocess.PIPE, text=True)
    size = sum(int(found[1]) for found in re.finditer(r'^\.(?:text|rodata)\S* +(\d+)', done.stdout, re.M))
    files.check.result(size <= CLOCK_BYTES, f'clock: {size} bytes of text and constants')


def check_header(files):
    """In C++ and in strict C99, by both ways of including it."""
    use = '#include "hpt.h"\n#include "hpt.h"\nint main(void) { return hpt_now(NULL) <= 0 || !HPT_PROFILE[0]; }\n'
    for profile in PROFILES:
        for name, command in {'use.c': ['cc', '-std=c99'], 'use.cpp': ['c++', '-std=c++11']}.items():
            (files.folder / profile / name).write_text(use, encoding='utf-8')
            done = files.run_compiler(command, profile, '-pedantic', *WARNINGS, '-Werror', name, 'hpt.o', '-o', 'use')
            ran = files.check.run([files.folder / profile / 'use']) if not done.returncode else None
            files.check.result(ran and not ran.returncode, f'{profile}: {shlex.join(command)} {name}',
                               done.stdout.split('\n')[:20])


def check_example(files):
    shutil.copy(ROOT / 'examples/vendored/verdict.c', files.folder / 'clock')
    done = files.run_compiler(files.compilers[0], 'clock', '-O2', *WARNINGS, '-Werror', 'verdict.c', 'hpt.c', '-o',
                              'verdict')
    files.check.result(not done.returncode, 'the example is made by one command', done.stdout.split('\n')[:20])
    ran = files.check.run([files.folder / 'clock/verdict'])
    files.check.result(not ran.returncode and re.search(r'^source \w+: .*\nrate ', ran.stdout, re.M) and
                       ' 0 of them backwards' in ran.stdout, 'and says which counter serves', ran.stdout.split('\n'))


def check_misuse(files):
    """What the compiler says of a file in the wrong place, and that a unit may have the file to itself."""
    pair = files.folder / 'pair'
    pair.mkdir()
    shutil.copy(files.folder / 'clock/hpt.c', pair)
    shutil.copy(files.folder / 'sleep/hpt.h', pair)
    early = ['-include', 'stdlib.h']
    macros = files.run_compiler(files.compilers[0], 'clock', *early, '-dM', '-E', 'hpt.h').stdout
    # Other C libraries look at _GNU_SOURCE in each header.
    is_late = '__GLIBC__' in macros
    for name, words, sentence in (
            ('a header of another profile', [pair / 'hpt.c'], 'hpt.h is of another version or profile'),
            ('a header before it', [*early, files.folder / 'clock/hpt.c'],
             'hpt.c is to come before any header' if is_late else ''),
            ('and _GNU_SOURCE before that', [*early, '-D_GNU_SOURCE', files.folder / 'clock/hpt.c'], ''),
            ('another system', ['-U__linux__', files.folder / 'clock/hpt.c'], 'libhpt is for Linux')):
        done = files.run_compiler(files.compilers[0], 'clock', *words, '-c', '-o', 'misuse.o')
        files.check.result(bool(done.returncode) == bool(sentence) and sentence in done.stdout,
                           f'the compiler: {name}', done.stdout.split('\n')[:10])
    for name in ('one', 'two'):
        (pair / f'{name}.c').write_text(
            '#define HPT_API static\n#include "../clock/hpt.c"\n'
            f'int {name}(void);\nint {name}(void) {{ return hpt_now(NULL) > 0; }}\n'
            + ('' if name == 'one' else 'int one(void);\nint main(void) { return !(one() && two()); }\n'),
            encoding='utf-8')
    done = files.run_compiler(files.compilers[0], 'clock', *WARNINGS, '-Werror', pair / 'one.c', pair / 'two.c', '-o',
                              'twice')
    files.check.equal('two units of a program have it to themselves', (done.returncode, done.stdout), (0, ''))
    files.check.equal('and it runs', files.check.run([files.folder / 'clock/twice']).returncode, 0)


# ---- Several copies --------------------------------------------------------------------------------------

def check_copies(files, library):
    """A program with the file, a plugin with the file, a plugin on the shared library."""
    folder = files.folder / 'copies'
    folder.mkdir()
    for name, words in {
            'own.so': ['-shared', '-fPIC', '-I../clock', HERE / 'plugin.c', '../clock/hpt.c'],
            'shared.so': ['-shared', '-fPIC', f'-I{ROOT}/include', '-DSHARED', HERE / 'plugin.c', library],
            'program': ['-I../clock', HERE / 'copies.c', '../clock/hpt.c', '-ldl'],
            'exporting': ['-rdynamic', '-DHPT_API=', '-I../clock', HERE / 'copies.c', '../clock/hpt.c', '-ldl'],
    }.items():
        if name == 'shared.so' and not library:
            continue
        done = subprocess.run([*files.compilers[0], '-O2', *map(str, words), '-o', name], cwd=folder, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        files.check.result(not done.returncode, f'copies: {name} is made', done.stdout.split('\n')[:20])
    plugins = [folder / 'own.so', *([folder / 'shared.so'] if library else [])]
    path = {'LD_LIBRARY_PATH': str(pathlib.Path(library).parent)} if library else {}
    done = files.check.run([folder / 'program', *plugins], **path)
    files.check.equal('each copy has a clock of its own', done.stdout, 'own\n' * len(plugins))
    if library:
        done = files.check.run([folder / 'exporting', folder / 'shared.so'], **path)
        files.check.equal('exported ones take the place of those of the library', done.stdout, "the program's\n")


# ---- Copies that are checked -----------------------------------------------------------------------------

def digested(text):
    """With a digest that is right."""
    without = re.sub('sha256 [0-9a-f]{64}', f"sha256 {'0' * 64}", text, count=1)
    digest = hashlib.sha256(without.encode()).hexdigest()
    return without.replace('0' * 64, digest, 1)


def of_release(text, version):
    return digested(re.sub(r'(\n \* libhpt )[^,]+', rf'\g<1>{version}', text, count=1))


def check_verify(files):
    for profile in PROFILES:
        paths = [files.folder / profile / name for name in ('hpt.c', 'hpt.h')]
        done = files.amalgamate('--verify', *paths)
        files.check.result(done.returncode == 0 and done.stdout.count(f'profile {profile}, as made here') == 2,
                           f'{profile}: copies are as made', done.stdout.split('\n'))
    done = files.amalgamate('--verify', files.folder / 'clock/hpt.c', files.folder / 'sleep/hpt.h')
    files.check.result(done.returncode == 1 and ', but ' in done.stdout, 'verify: files of two profiles',
                       done.stdout.split('\n'))
    done = files.amalgamate('--verify', files.folder / 'clock/LICENSE')
    files.check.equal('verify: the licence', (done.returncode, done.stdout.endswith("LICENSE: libhpt's\n")), (0, True))
    text = files.text('clock', 'hpt.c')
    cases = {
        'a changed byte': (text.replace('return', 'retorn', 1), 'changed since it was made of libhpt'),
        'a changed digest': (re.sub('sha256 .', 'sha256 f', text) if 'sha256 f' not in text else
                             re.sub('sha256 .', 'sha256 e', text), 'changed since it was made of libhpt'),
        'another release': (of_release(text, '0.9.1'), 'as made here'),
        'another release, of other text': (of_release(text.replace('static', 'static ', 1), '0.9.1'), 'this is libhpt'),
        'this release, of other text': (digested(text.replace('static', 'static ', 1)), 'is not what that gives'),
        'a changed head': (text.replace('Permission', 'No permission', 1), 'changed since it was made of libhpt'),
        'another release, changed': (re.sub(r'(\n \* libhpt )\S+', r'\g<1>0.9.1', text, count=1), 'changed since'),
        'a line above': (f'#include "config.h"\n{text}', 'does not begin as'),
        'no head': (text[text.index('*/\n', 200):], 'does not begin as'),
        'nothing': ('', 'does not begin as'),
        'cut off': (text[:len(text) // 2], 'changed since it was made of libhpt'),
        'cut off in its head': (text[:1000], 'changed since it was made of libhpt'),
        'cut off in its first lines': (text[:100], 'does not begin as'),
    }
    for name, (changed, sentence) in cases.items():
        path = files.folder / 'copy.c'
        path.write_text(changed, encoding='utf-8')
        done = files.amalgamate('--verify', path)
        status = 0 if name in ('another release', 'another release, of other text') else 1
        files.check.result(done.returncode == status and sentence in done.stdout, f'verify: {name}',
                           [f'exit {done.returncode}', *done.stdout.split('\n')])
    path.write_bytes(b'\xff\xfe\0')
    for name, (path, status) in {
            'no text': (path, 1), 'no end': (pathlib.Path('/dev/zero'), 1), 'no file': (files.folder / 'none', 2),
            'a folder': (files.folder, 2)}.items():
        done = files.amalgamate('--verify', path)
        files.check.result(done.returncode == status and re.fullmatch('amalgamate: .*\n', done.stdout),
                           f'verify: {name}', done.stdout.split('\n'))


# ---- Bad input -------------------------------------------------------------------------------------------

def refused(files, name, *words, left=(), root=ROOT):
    """A sentence, exit 2, nothing written."""
    out = pathlib.Path(words[-1] or files.folder / 'none')
    done = files.amalgamate(*words, root=root)
    there = sorted(os.listdir(out)) if os.path.isdir(out) else []
    is_refused = done.returncode == 2 and re.fullmatch(r'amalgamate: .+\n', done.stdout) and there == sorted(left)
    files.check.result(is_refused, f'refused: {name}',
                       [f'exit {done.returncode}', *done.stdout.split('\n'), str(there)])


def check_refusals(files):
    out = files.folder / 'out'
    refused(files, 'an unknown profile', '--profile=mini', out)
    refused(files, 'no profile', out)
    refused(files, 'no folder', '--profile=clock')
    refused(files, 'an unknown option', '--profile=clock', '--fast', out)
    refused(files, 'two folders', '--profile=clock', files.folder / 'one', out)
    refused(files, 'a profile to verify', '--verify', '--profile=clock', out)
    out.mkdir()
    (out / 'hpt.h').write_text('mine', encoding='utf-8')
    refused(files, 'a file that is there', '--profile=clock', out, left=['hpt.h'])
    files.check.equal('and it stays', (out / 'hpt.h').read_text(encoding='utf-8'), 'mine')
    (out / 'hpt.c').symlink_to('nowhere')
    (out / 'hpt.h').unlink()
    refused(files, 'a link to nothing', '--profile=clock', out, left=['hpt.c'])
    done = files.amalgamate('--profile=clock', '--force', out)
    files.check.equal('--force replaces it', (done.returncode, sorted(os.listdir(out))), (0, list(NAMES)))
    (out / 'LICENSE').write_bytes(b'mine \xff')
    done = files.amalgamate('--profile=clock', '--force', out)
    files.check.equal("another's licence stays", ((out / 'LICENSE').read_bytes(), done.returncode,
                                                  'is another one and stays' in done.stdout), (b'mine \xff', 0, True))
    taken = files.folder / 'taken'
    (taken / 'hpt.h').mkdir(parents=True)
    refused(files, "a folder in a file's place", '--profile=clock', '--force', taken, left=['hpt.h'])
    refused(files, 'an empty path', '--profile=clock', '')
    refused(files, 'a long name', '--profile=clock', files.folder / ('a' * 300))
    refused(files, 'a file for a folder', '--profile=clock', out / 'hpt.h')
    refused(files, 'below a file', '--profile=clock', out / 'hpt.h/deep')
    files.check.equal('nothing was written', (out / 'hpt.h').read_bytes(), (files.folder / 'clock/hpt.h').read_bytes())


def copy_of_tree(files):
    copy = files.folder / 'tree'
    for name in ('lib', 'include', 'packaging'):
        shutil.copytree(ROOT / name, copy / name)
    shutil.copy(ROOT / 'LICENSE', copy)
    return copy


def check_names(files):
    copy = copy_of_tree(files)
    out = files.folder / 'clash'
    path = copy / 'lib/clock/sized.c'
    text = path.read_text(encoding='utf-8')
    # "phase" of lib/rate/staircase.c once more.
    used = text.replace('memcpy(', '(void)phase();\n\tmemcpy(', 1)
    path.write_text(used + '\nint phase(void);\nint phase(void)\n{\n\treturn 0;\n}\n', encoding='utf-8')
    refused(files, 'a name of two files', '--profile=clock', out, root=copy)
    path.write_text(text + '\n#if 0\n', encoding='utf-8')
    refused(files, 'a source that has no end', '--profile=clock', out, root=copy)
    path.write_text(text, encoding='utf-8')
    done = files.amalgamate('--profile=clock', out, root=copy)
    files.check.equal('a tree without git is made all the same', done.returncode, 0)


def check_page(files):
    """The commands of hpt_vendor(7), as they are shown."""
    copy = files.folder / 'tree'
    shutil.copytree(ROOT / 'examples/vendored', copy / 'examples/vendored')
    if not shutil.which('man'):
        files.check.skip('the commands of hpt_vendor(7)', 'no man to show them')
        return
    shown = files.check.run(['man', '-l', ROOT / 'man/hpt_vendor.7'], LC_ALL='C', MANWIDTH='200')
    commands = re.findall(r'^ +((?:packaging/amalgamate|cc) .*\bmine\b.*)$', shown.stdout, re.M)
    done = files.check.run(['sh', '-ec', '\n'.join([f'cd {shlex.quote(str(copy))}', *commands])])
    files.check.result(len(commands) == 2 and done.returncode == 0 and 'source ' in done.stdout,
                       'the commands of hpt_vendor(7)', [*commands, *done.stdout.split('\n')])


def check_version(files):
    copy = files.folder / 'tree'
    out = files.folder / 'version'

    def version(**environ):
        files.amalgamate('--profile=clock', '--force', out, root=copy, **environ)
        return re.search(r'^ \* libhpt (.*), profile clock$', (out / 'hpt.c').read_text(encoding='utf-8'), re.M)[1]

    def git(*words):
        return files.check.run(['git', '-C', copy, '-c', 'user.name=a', '-c', 'user.email=a@b', *words])

    files.check.result(re.fullmatch(r'\d+\.\d+\.\d+', version()), 'without git the version is that of version.h')
    for words in ('init -q', 'add .', 'commit -q -m all'):
        git(*words.split())
    files.check.result(re.fullmatch(r'\d+\.\d+\.\d+ \([0-9a-f]{12}\)', version()), 'with git it names the commit')
    with open(copy / 'lib/math/line.c', 'a', encoding='utf-8') as file:
        file.write('/* mine */\n')
    files.check.result(version().endswith('-dirty)'), 'changes make it dirty', [version()])
    git('checkout', '-q', '.')
    git('config', 'status.showUntrackedFiles', 'no')
    (copy / 'lib/math/more.c').write_text('', encoding='utf-8')
    files.check.result(version().endswith('-dirty)'), 'a file that git does not know too', [version()])
    (copy / 'lib/math/more.c').unlink()
    files.check.result(re.fullmatch(r'\d+\.\d+\.\d+ \([0-9a-f]{12}\)', version(GIT_DIR=files.folder / 'none/.git',
                                                                                 GIT_INDEX_FILE='none')),
                       'a hook of another project changes nothing')
    shutil.rmtree(copy / '.git')
    done = files.amalgamate('--verify', out / 'hpt.c', root=copy)
    files.check.equal('a tree without git makes the file of a commit', (done.returncode, 'as made here' in done.stdout),
                      (0, True))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--full', action='store_true')
    parser.add_argument('--library', type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument('compilers', nargs='+', type=shlex.split)
    options = parser.parse_args()
    check = Check()
    with tempfile.TemporaryDirectory(prefix='hpt-files-') as folder:
        files = Files(check, pathlib.Path(folder), options.compilers, options.full)
        files.make()
        for part in (check_bytes, check_text, check_functions, check_size, check_compilers, check_header,
                     check_example, check_misuse):
            part(files)
        check_copies(files, options.library)
        for part in (check_verify, check_refusals, check_names, check_page, check_version):
            part(files)
    check.finish()


if __name__ == '__main__':
    main()
