# SPDX-License-Identifier: MIT
"""Lines, README's programs and manual pages. Every check takes a Tree and yields "FILE:LINE: what is wrong"."""
import re

COLUMNS = 120
TAB = 8
LONG_FILE = 600

PROGRAMS = ['*.c', '*.h', '*.cc', '*.rs', '*.py', '*.pyi', '*.go', '*.java', '*.js', '*.lua', '*.toml', '*.sh', '*.map',
            'meson.build', 'meson_options.txt']
PAGES = ['*.[1-8]', 'man/*.in']
PROSE = ['*.md', 'NEWS', 'LICENSE']


def programs(tree):
    """Sources and scripts."""
    scripts = [f for f in tree.under('.ci', 'bindings', 'tests') if '.' not in f.rpartition('/')[2]]
    return sorted({*tree.matching(*PROGRAMS), *tree.under('tests/ci'), *scripts})


def written(tree):
    """All that people write; golden output and dumps keep the bytes that they came with."""
    names = {*programs(tree), *tree.matching(*PAGES, *PROSE, '*.sed', '*.ini', '*.in')}
    return sorted(f for f in names if '/data/' not in f)


def check_spdx(tree):
    for path in sorted({*programs(tree), *tree.matching(*PAGES, '*.sed')}):
        if tree.text(path) and not any('SPDX-License-Identifier: ' in line for line in tree.lines(path)[:3]):
            yield f'{path}:1: no SPDX line in the first three'


def check_purpose(tree):
    """After the SPDX line a C file says in words what it is for: the comment begins within three lines, before code."""
    for path in tree.under('lib', 'tools'):
        if path.endswith(('.c', '.h')):
            before, _, after = tree.text(path).partition('SPDX-License-Identifier: ')
            if not re.match(r'.*\n\n{0,2}/\*[\s*]*\w', after):
                yield f'{path}:{before.count(chr(10)) + 2}: no sentence here says what the file is for'


def check_ends(tree):
    """No blanks where a line ends; a newline where the file ends."""
    for path in written(tree):
        for number, line in enumerate(tree.lines(path), 1):
            if line != line.rstrip():
                yield f'{path}:{number}: blank at the end of the line'
        if tree.text(path) and not tree.text(path).endswith('\n'):
            yield f'{path}:{len(tree.lines(path))}: no newline at the end of the file'


def may_be_long(path, line):
    """An address cannot be broken, nor a row of a table in Markdown. A pattern of sed is one line."""
    return 'http://' in line or 'https://' in line or (path.endswith('.md') and line.startswith('|')) or \
        path.endswith('.sed')


def long_lines(tree):
    """(path, line, columns)"""
    for path in written(tree):
        for number, line in enumerate(tree.lines(path), 1):
            columns = len(line.expandtabs(TAB))
            if columns > COLUMNS and not may_be_long(path, line):
                yield path, number, columns


def check_columns(tree):
    for path, number, columns in long_lines(tree):
        yield f'{path}:{number}: {columns} columns, more than {COLUMNS}'


def blocks(lines, language):
    """(line number of the fence, text) of each fenced block of this language."""
    start, kept = None, []
    for number, line in enumerate(lines, 1):
        if start is None and line == '```' + language:
            start, kept = number, []
        elif start is not None and line.startswith('```'):
            yield start, ''.join(kept)
            start = None
        elif start is not None:
            kept.append(line + '\n')


def check_readme(tree):
    """Each C program of README is a file of tests/consumer/, which is built and run."""
    tested = {tree.text(f) for f in tree.under('tests/consumer') if f.endswith('.c')}
    found = list(blocks(tree.lines('README.md'), 'c'))
    if not found:
        yield 'README.md:1: no program in C'
    for number, text in found:
        if text not in tested:
            yield f'README.md:{number}: this program is no file of tests/consumer/*.c'


def check_man(tree):
    """Another name of a page is a symbolic link: .so needs the whole tree of pages, and not every reader follows it."""
    for path in tree.under('man'):
        for number, line in enumerate(tree.lines(path), 1):
            if re.match(r"[.'][ \t]*so\b", line):
                yield f'{path}:{number}: an alias by .so: make it a symbolic link'


def long_files(tree):
    """(path, lines) of the files that are to be cut in two some day."""
    for path in tree.matching('*.c', '*.h', '*.py'):
        n = tree.text(path).count('\n')
        if n > LONG_FILE:
            yield path, n


# A step of .ci/run: NAME|WHEN|COMMAND|WHAT. In a workflow they stand in a matrix, or after the script's name.
STEP = re.compile(r"(?m)^(?:steps=')?([\w-]+)\|(?:all|full|root|name)\|")
CALLED = re.compile(r' {10}- ([\w -]+)$|.*\.ci/run ([\w -]+)$')


def check_forge(tree):
    """A forge's jobs call steps that .ci/run has."""
    steps = STEP.findall(tree.text('.ci/run'))
    for path in tree.under('.github/workflows'):
        for number, line in enumerate(tree.lines(path), 1):
            found = CALLED.match(line)
            for name in (found.group(1) or found.group(2)).split() if found else []:
                if name not in steps:
                    yield f'{path}:{number}: .ci/run has no step {name}'
