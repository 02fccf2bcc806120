# SPDX-License-Identifier: MIT
"""Debian's source packages by a private apt state, and the library from this tree: nothing of the system changes."""
import glob
import os
import re
import shutil
import subprocess

TOP = os.path.realpath(os.path.join(os.path.dirname(os.path.realpath(__file__)), '..', '..'))


class Skip(Exception):
    """Something outside of this tree is missing; the text says what."""


def run(*command, log=None, **kw):
    """Runs a command silently; AssertionError with the end of its output if it fails."""
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          encoding='utf-8', errors='replace', check=False, **kw)
    if log:
        with open(log, 'w', encoding='utf-8') as file:
            file.write(done.stdout)
    assert done.returncode == 0, f"{' '.join(command)}: exit {done.returncode}\n{done.stdout[-3000:]}"
    return done.stdout


def need(*tools):
    """Skip unless all these commands are there."""
    missing = [tool for tool in tools if not shutil.which(tool)]
    if missing:
        raise Skip(f"not installed: {', '.join(missing)}; see \"sh tests/ci/packages patches\"")


def source_line(line):
    """A line of sources.list for sources; None if it is not of Debian."""
    match = re.match(r'deb(-src)?\s+(.*)', line)
    return f'deb-src {match[2]}\n' if match and re.search(r'\bdebian', match[2]) else None


def source_stanza(stanza):
    """The same for a stanza of a .sources file."""
    kept = '\n'.join(line for line in stanza.splitlines() if not line.startswith('#'))
    if not re.search(r'(?m)^URIs:.*\bdebian', kept) or re.search(r'(?mi)^Enabled:\s*no', kept):
        return None
    return re.sub(r'(?m)^Types:.*$', 'Types: deb-src', kept) + '\n\n'


def write_sources(folder, etc='/etc/apt'):
    """Writes this system's Debian sources into folder, as sources of source packages."""
    lines, stanzas = [], []
    for path in [f'{etc}/sources.list', *glob.glob(f'{etc}/sources.list.d/*')]:
        if not os.path.isfile(path):
            continue
        with open(path, encoding='utf-8') as file:
            text = file.read()
        if path.endswith('.list'):
            lines += filter(None, map(source_line, text.splitlines()))
        elif path.endswith('.sources'):
            stanzas += filter(None, map(source_stanza, re.split(r'\n\s*\n', text)))
    if not lines and not stanzas:
        raise Skip('this system has no package sources of Debian')
    for name, text in (('d.list', ''.join(lines)), ('d.sources', ''.join(stanzas))):
        with open(os.path.join(folder, name), 'w', encoding='utf-8') as file:
            file.write(text)


class Apt:
    """An apt state in a folder of its own."""

    def __init__(self, folder):
        need('apt-get', 'dpkg-source')
        self.folder = folder
        for sub in ('state/lists/partial', 'cache/archives/partial', 'etc'):
            os.makedirs(os.path.join(folder, sub), exist_ok=True)
        self.options = []
        for option in (f'Dir::State={folder}/state', f'Dir::Cache={folder}/cache', 'Dir::Etc::sourcelist=/dev/null',
                       f'Dir::Etc::sourceparts={folder}/etc', 'APT::Sandbox::User=root', 'Acquire::Retries=1',
                       'Acquire::http::Timeout=30'):
            self.options += ['-o', option]
        self.updated = False

    def get(self, *arguments):
        try:
            return run('apt-get', *self.options, *arguments, cwd=self.folder)
        except AssertionError as error:
            why = [line for line in str(error).splitlines() if line.startswith('E:')] or [str(error)]
            raise Skip(why[0]) from None

    def source(self, package, version):
        """The path of the package's .dsc, downloaded; Skip if the upstream version is another one."""
        if not self.updated:
            write_sources(os.path.join(self.folder, 'etc'))
            self.get('update')
            self.updated = True
        self.get('source', '--download-only', package)
        found = glob.glob(os.path.join(self.folder, f'{package}_*.dsc'))
        for path in found:
            if os.path.basename(path).startswith(f'{package}_{version}-'):
                return path
        raise Skip(f'the patch is for {package} {version}, and apt has {os.path.basename(found[0])}')


def unpack(apt, program, folder, given):
    """The program's source with Debian's patches, in a new folder; given: a folder that has it, or None."""
    shutil.rmtree(folder, ignore_errors=True)  # of a build that failed
    if given:
        shutil.copytree(given, folder, symlinks=True)
    else:
        run('dpkg-source', '--no-check', '-x', apt.source(program.package, program.version), folder)


def apply_patch(path, folder):
    need('patch')
    run('patch', '-p1', '-i', os.path.join(TOP, path), cwd=folder)


def amalgamate(profile, folder):
    """libhpt as one file, in place of one that is there."""
    run(os.path.join(TOP, 'packaging', 'amalgamate'), f'--profile={profile}', '--force', folder)


def install_library(folder):
    """Builds the library alone and installs it into folder/stage; the environment that finds it."""
    need('meson', 'pkg-config')
    stage, build = os.path.join(folder, 'stage'), os.path.join(folder, 'hpt')
    if not os.path.isdir(stage):
        run('meson', 'setup', build, TOP, f'--prefix={stage}', '--libdir=lib', '--buildtype=release',
            '-Ddefault_library=shared', '-Dtools=disabled', '-Dtests=disabled', '-Dman=disabled')
        run('meson', 'install', '-C', build)
    return {**os.environ, 'PKG_CONFIG_PATH': os.path.join(stage, 'lib', 'pkgconfig'),
            'LD_LIBRARY_PATH': os.path.join(stage, 'lib')}
