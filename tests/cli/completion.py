# SPDX-License-Identifier: MIT
"""bash, zsh and fish complete each command, option and value that hpt's help lists, and nothing else."""
import os
import pty
import re
import select
import shlex
import shutil
import subprocess
import tempfile
import time
import unittest

import cli
from cli import run

FOLDER = os.path.abspath(cli.ARGS[0])
SOURCES = {'tsc', 'hpet', 'os', 'arch', 'mmio'}
POLICIES = {'balanced', 'frugal', 'strict', 'nospin', 'spin'}
BOUNDS = {'clockbound', 'chrony', 'kernel', 'vmclock', 'phc', 'fbclock'}
LIMIT = 60

# In PATH, and no other begins so.
PROGRAM = 'zz-hpt-program'


# ---- What the help lists --------------------------------------------------------------------------------------------

def help_of(*words):
    return run('help', *words).stdout.decode()


def names(text, heading):
    part = text.partition(f'\n{heading}:\n')[2].partition('\n\n')[0]
    return re.findall(r'^  ([a-z]+) ', part, flags=re.M)


def options(text):
    """Each long option with its value, or ''."""
    return re.findall(r'^  (?:-\w, |    )--([\w-]+)(?:=(\w+))?', text, flags=re.M)


def offered(text):
    return {f'--{name}=' if value else f'--{name}' for name, value in options(text)}


def commands():
    """Commands with the text of their help; of those with sub-commands also these."""
    for name in names(help_of(), 'Commands'):
        text = help_of(name)
        yield [name], text
        for sub in names(text, 'Commands'):
            yield [name, sub], help_of(name, sub)


def expected():
    """Returns command line -> the words that its last can become, in a folder with a folder and a file."""
    top = help_of()
    lines = {'hpt ': set(names(top, 'Commands')), 'hpt be': {'bench'}, 'hpt -j be': {'bench'}, 'hpt -': offered(top),
             'hpt foo ': set(), 'hpt info ': set(), 'hpt sleep ': set(), 'hpt help info ': set(),
             'hpt help ': set(names(top, 'Commands')), 'hpt help bench ': set(names(help_of('bench'), 'Commands')),
             'hpt bench ': set(names(help_of('bench'), 'Commands')), 'hpt bench --compare file fi': {'file'},
             'hpt sources t': {'tsc'}, 'hpt cpu --dump ': {'file', 'folder'}, 'hpt convert -s o': {'os'},
             'hpt trace ': {'merge'}, 'hpt trace merge fi': {'file'},
             'hpt sleep --policy=st': {'strict'},
             'hpt run zz': {PROGRAM}, 'hpt run --strict -p frugal --stats -- zz': {PROGRAM},
             'hpt run --policy frugal --stats zz': {PROGRAM}, 'hpt run --stats=fi': {'file'},
             'hpt wall --sources=chrony,': {f'chrony,{name}' for name in BOUNDS},
             'hpt wall --trust=phc,chrony,k': {'phc,chrony,kernel'}, 'hpt wall --sources phc,v': {'phc,vmclock'},
             f'hpt run {PROGRAM} fi': {'file'}, f'hpt run {PROGRAM} --st': set(),
             f'hpt run -- {PROGRAM} --st': set(), f'hpt run --least=1ms {PROGRAM} -p fi': {'file'}}
    values = {'FILE': {'file', 'folder'}, 'ADDRESS': {'file', 'folder'}, 'DIR': {'folder'},
              'FOLDER': {'folder'}}
    names_of = {'source': SOURCES, 'policy': POLICIES, 'sources': BOUNDS, 'trust': BOUNDS,
                'phc-timescale': {'utc', 'tai'}, 'waits': {'all', 'ms', 'none'}, 'coarse': {'fine', 'keep'},
                'to': {'perfetto', 'chrome', 'ctf', 'otlp'}, 'from': {'lines', 'perf', 'ftrace', 'lttng'},
                'clock': {'ticks', 'raw', 'monotonic', 'boottime', 'realtime', 'tai'}}
    for words, text in commands():
        line = ' '.join(['hpt'] + words)
        lines[f'{line} -'] = offered(text) if words != ['help'] else set()
        for name, value in options(text):
            found = names_of.get(name, values.get(value, set()))
            if value:
                lines[f'{line} --{name}='] = lines[f'{line} --{name} '] = found
    return lines


# ---- The shells: each returns line -> the words that it offers ------------------------------------------------------

def in_bash(lines, env):
    script = [f'source {shlex.quote(FOLDER)}/hpt.bash']
    for line in lines:
        # As readline splits it: '=' is a word of its own.
        words = [w for part in line.split(' ') for w in re.findall(r'=|[^=]+', part) or ['']]
        script += [f'COMP_WORDS=({" ".join(map(shlex.quote, words))}) COMP_CWORD={len(words) - 1}', '_hpt hpt',
                   f'echo {shlex.quote("> " + line)}', 'printf "%s\\n" "${COMPREPLY[@]}"']
    done = subprocess.run(['bash', '--norc', '-c', '\n'.join(script)], env=env, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, universal_newlines=True, timeout=LIMIT, check=False)
    return by_line(done.stdout)


def in_fish(lines, env):
    script = [f'source {shlex.quote(FOLDER)}/hpt.fish']
    for line in lines:
        script += [f'echo {shlex.quote("> " + line)}', f'complete -C {shlex.quote(line)}']
    done = subprocess.run(['fish', '--no-config', '-c', '\n'.join(script)], env=env, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, universal_newlines=True, timeout=LIMIT, check=False)
    return by_line(done.stdout)


def by_line(text):
    """The part before a value, as "--source=", is left out: bash does not offer it, the others do."""
    found = {}
    for line in text.splitlines():
        if line.startswith('> '):
            found[line[2:]] = words = set()
        elif line:
            word = line.partition('\t')[0].rstrip('/')
            words.add(re.sub(r'^-[^=]*=(?=.)', '', word))
    return found


# zsh completes in its line editor only. All that is offered goes through compadd, which helpers also call with -O, -A
# or -D for lists of their own.
ZSH = r'''
PS1= RPS1=; unsetopt prompt_sp prompt_cr auto_list beep; stty -echo
fpath=(%(folder)s $fpath); autoload -Uz compinit; compinit -D -u
compadd() {
	if [[ ${@[1,(i)(-|--)]} != *-(O|A|D)\ * ]]; then
		typeset -a hits; builtin compadd -A hits "$@"; print -l -- $hits >&7
	fi
	builtin compadd "$@"
}
complete_line() { print -r -- "> $BUFFER" >&7; zle complete-word; print . >&7; BUFFER=; }
zle -N complete_line; bindkey '^I' complete_line
exec 7>%(out)s; print -l '> ready' . >&7
'''


def read_until(terminal, path, answers):
    """The file, once it has that number of answers. Also reads the terminal, so that zsh does not wait for a reader."""
    end = time.monotonic() + LIMIT
    found = ''
    while time.monotonic() < end:
        if select.select([terminal], [], [], 0.02)[0]:
            os.read(terminal, 65536)
        if os.path.exists(path):
            with open(path, encoding='utf-8') as f:
                found = f.read()
            if found.count('\n.\n') == answers:
                return found
    raise AssertionError(f'zsh does not answer: {found!r}')


def in_zsh(lines, env):
    with tempfile.TemporaryDirectory() as folder:
        out, start = os.path.join(folder, 'out'), os.path.join(folder, 'start')
        with open(start, 'w', encoding='utf-8') as f:
            f.write(ZSH % {'folder': shlex.quote(FOLDER), 'out': shlex.quote(out)})
        ours, theirs = pty.openpty()
        with subprocess.Popen(['zsh', '-f', '-i'], env={**env, 'TERM': 'dumb'}, stdin=theirs, stdout=theirs,
                              stderr=theirs, start_new_session=True) as p:
            os.close(theirs)
            os.write(ours, f'source {shlex.quote(start)}\n'.encode())
            read_until(ours, out, 1)
            for number, line in enumerate(lines, 2):
                os.write(ours, f'{line}\t'.encode())
                text = read_until(ours, out, number)
            p.kill()
            os.close(ours)
    return by_line(text.replace('\n.\n', '\n'))


class Completion(cli.Case):
    def check_shell(self, shell, ask):
        if not shutil.which(shell):
            self.skipTest(f'no {shell}')
        lines = expected()
        with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as programs:
            os.mkdir(os.path.join(folder, 'folder'))
            with open(os.path.join(folder, 'file'), 'w', encoding='utf-8'):
                pass
            os.symlink('/bin/true', os.path.join(programs, PROGRAM))
            env = {**os.environ, 'PATH': f'{os.path.dirname(cli.HPT)}:{programs}:{os.environ["PATH"]}',
                   'HOME': folder, 'LC_ALL': 'C.UTF-8'}
            before = os.getcwd()
            os.chdir(folder)
            try:
                found = ask(lines, env)
            finally:
                os.chdir(before)
        for line, words in lines.items():
            self.assertEqual(found.get(line), words, line)

    def test_bash(self):
        self.check_shell('bash', in_bash)

    def test_zsh(self):
        self.check_shell('zsh', in_zsh)

    def test_fish(self):
        self.check_shell('fish', in_fish)

    def test_the_help_is_understood(self):
        """An empty list would be completed by nothing."""
        self.assertIn('info', names(help_of(), 'Commands'))
        self.assertGreater(len(list(commands())), 10)
        for words, text in commands():
            self.assertIn('--help', offered(text), words)

    def test_values_are_taken(self):
        for name in POLICIES:
            self.assertEqual(run('sleep', f'--policy={name}', '0').returncode, 0)
        for name in SOURCES:
            self.assertEqual(run('sources', name).returncode, 0)
        for name in BOUNDS:
            self.assertIn(run('wall', f'--sources={name}', f'--trust={name}').returncode, (0, 3))
        for name in 'utc', 'tai':
            self.assertIn(run('wall', f'--phc-timescale={name}').returncode, (0, 3))


cli.main()
