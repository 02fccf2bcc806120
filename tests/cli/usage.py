# SPDX-License-Identifier: MIT
"""Exit codes, one-line messages, help, and the pages, which must name every command and option of the help."""
import json
import os
import re
import subprocess
import tempfile

import cli
from cli import run

COMMANDS = ['info', 'sources', 'cpu', 'now', 'convert', 'trace', 'check', 'sleep', 'run', 'doctor', 'wall', 'bench',
            'help']

# Commands that have a page of their own.
PAGES = {'run': 1, 'wall': 2, 'doctor': 3}


def man_page(command=''):
    """hpt.1, or the page that a command has of its own."""
    with open(cli.ARGS[PAGES.get(command, 0)], encoding='utf-8') as f:
        return f.read()


class Usage(cli.Case):
    def test_nothing_is_info_and_the_way_to_help(self):
        p = run()
        self.assertEqual((p.returncode, p.stderr), (0, b"This is 'hpt info'; 'hpt help' lists the other commands.\n\n"))
        self.assertRegex(p.stdout, rb'(?m)^Reason  ')
        self.assertRegex(self.ok('--json'), '^{"hpt_json":1,"source":')

    def test_json_before_the_command(self):
        for option in '--json', '-j':
            self.assertEqual(list(json.loads(self.ok(option, 'now'))), list(json.loads(self.ok('now', '--json'))))
        self.assertIn('"compare"', self.fails(2, '-j', 'bench', 'read', '"compare"'))
        self.assertEqual(self.fails(2, '--json', 'help'), "hpt: help: unknown option '--json'; see 'hpt help help'\n")
        self.assertEqual(self.fails(2, '--source=os', 'info'),
                         "hpt: option '--source=os' comes after the command; see 'hpt help'\n")
        self.assertEqual(self.fails(2, '--compare', 'bench'), # an option of a program of its own
                         "hpt: option '--compare' comes after the command; see 'hpt help'\n")
        self.assertEqual(self.fails(2, '--json', '--foo'), "hpt: unknown option '--foo'; see 'hpt help'\n")

    def test_nearest_name(self):
        for args, name in ((['inof'], 'info'), (['convrt', '1s'], 'convert'), (['bench', 'red'], 'read'),
                           (['bench', 'sleeep'], 'sleep'), (['--versoin'], '--version'), (['info', '--jsn'], '--json'),
                           (['sleep', '--intervall=1s'], '--interval'), (['now', '-s', 'tcs'], 'tsc'),
                           (['sources', 'hept'], 'hpet'), (['sleep', '-p', 'frugl', '1s'], 'frugal')):
            self.assertIn(f", perhaps '{name}'; see 'hpt help", self.fails(2, *args))
        for args in ['foo'], ['x'], ['information'], ['now', '--x'], ['now', '-s', 'realtime'], ['a' * 1000]:
            self.assertNotIn('perhaps', self.fails(2, *args))

    def test_help_fits_80_columns(self):
        for words in ([], *([c] for c in COMMANDS), ['bench', 'read'], ['bench', 'sleep'], ['bench', 'wake']):
            for line in self.ok('help', *words).splitlines():
                self.assertLessEqual(len(line), 80, line)

    def test_a_letter_means_the_same_everywhere(self):
        known = {}
        for words in *([c] for c in COMMANDS), ['bench', 'read'], ['bench', 'sleep'], ['bench', 'wake']:
            for letter, name in re.findall(r'(?m)^  -(\w), --([a-z-]+)', self.ok('help', *words)):
                self.assertEqual(known.setdefault(letter, name), name, words)
        self.assertEqual(known['s'], 'source')

    def test_source_option_of_every_command_that_uses_a_clock(self):
        for args in (['info'], ['now'], ['convert', '5ticks'], ['sleep', '1ms', '--stats'], ['sources'],
                     ['check', '--seconds=50ms'], ['wall']):
            for option in ['--source=os'], ['--source', 'os'], ['-sos']:
                p = run(*args, *option, '--json')
                answer = json.loads(p.stdout)
                self.assertEqual(answer.get('source') or [s['name'] for s in answer['sources']],
                                 ['os'] if args[0] == 'sources' else 'os')
            if args[0] != 'sources':
                self.assertRegex(self.fails(1, *args, '--source=mmio'), f'^hpt: {args[0]}: mmio cannot be used: ')
            self.assertIn("unknown source 'auto'", self.fails(2, *args, '--source=auto'))
        for name in 'sleep', 'wake':
            self.assertRegex(self.fails(1, 'bench', name, '--short', '--source=mmio'),
                             f'^hpt: bench {name}: mmio cannot be used: ')

    def test_a_repeated_option_counts_the_last_time(self):
        self.assertIn('"source":"os"', self.ok('now', '-j', '-s', 'mmio', '-s', 'os', '-j'))

    def test_bare_numbers_where_units_are_plausible(self):
        for args in (['convert', '5'], ['sleep', '--interval=5'], ['sleep', '--max-spin=5', '1ms'],
                     *(['bench', 'sleep', f'--{o}=5'] for o in ('longest', 'shortest')),
                     *(['bench', 'wake', f'--{o}=5'] for o in ('period', 'ticker'))):
            self.assertIn("'5': a unit is missing: ", self.fails(2, *args))

    def test_wrong_usage_is_one_line_and_2(self):
        for args in (['foo'], [''], ['--foo'], ['-x'], ['-xV'], ['--version=1'], ['inf'],
                     ['info', 'x'], ['info', '--', '--json'], ['info', '--foo'], ['info', '-x'],
                     ['info', '-jx'], ['info', '--json=1'], ['info', '--json', '-y'],
                     ['sources', 'foo'], ['sources', 'auto'], ['sources', 'tsc', ''], ['sources', '--dump'],
                     ['cpu', 'file'], ['cpu', '--dump'], ['cpu', '--json', '--dump'],
                     ['now', 'x'], ['now', '--json', '--ns'], ['now', '--u'],
                     ['convert'], ['convert', '--json'], ['convert', '-t'], ['convert', '--ns', '1s'],
                     ['convert', '-t', 'x', '1'], ['convert', '-t', 'x', '--ns', '--utc'],
                     ['convert', '-t', 'x', '--json', '--ns'], ['convert', '-t', 'x', '-s', 'os'],
                     ['now', '-t'], ['now', '-t', 'x', '--ns'], ['now', '-t', 'x', '--json'],
                     ['convert', 'x'], ['convert', '-5s'], ['convert', '--source'],
                     ['convert', '--source=auto', '1s'], ['convert', '--source=foo', '1s'],
                     ['sleep'], ['sleep', 'x'], ['sleep', '-5ms'], ['sleep', '--', '-5ms'],
                     ['sleep', '1ms', '--until=@1'], ['check', 'tsc'], ['check', 'os', 'x'], ['wall', 'chrony'],
                     ['help', 'foo'], ['help', 'info', 'x'], ['help', '--json']):
            self.fails(2, *args)

    def test_messages_name_the_culprit(self):
        self.assertEqual(self.fails(2, 'foo'), "hpt: unknown command 'foo'; see 'hpt help'\n")
        self.assertEqual(self.fails(2, '--foo'), "hpt: unknown option '--foo'; see 'hpt help'\n")
        self.assertEqual(self.fails(2, 'info', '--foo'), "hpt: info: unknown option '--foo'; see 'hpt help info'\n")
        self.assertEqual(self.fails(2, 'info', '-\u00e9'),
                         "hpt: info: unknown option: its letter is not ASCII; see 'hpt help info'\n")
        self.assertEqual(self.fails(2, 'now', '-jx'), "hpt: now: unknown option '-x'; see 'hpt help now'\n")
        self.assertEqual(self.fails(2, 'info', '--json', '--foo'),
                         "hpt: info: unknown option '--foo'; see 'hpt help info'\n")
        self.assertEqual(self.fails(2, 'info', '--json=1'),
                         "hpt: info: option '--json=1' takes no argument; see 'hpt help info'\n")
        self.assertEqual(self.fails(2, 'info', 'x'), "hpt: info: unexpected operand 'x'; see 'hpt help info'\n")

    def test_message_is_one_line_whatever_the_argument(self):
        self.assertNotIn('\x1b', self.fails(2, 'a\nb\x1b[31m'))
        self.fails(2, b'\xff\xfe\n')
        self.fails(2, 'info', '--a\nb')
        self.fails(2, 'info', 'x' * 100000)

    def test_version(self):
        for option in '--version', '-V':
            self.assertRegex(self.ok(option), r'^hpt \d+\.\d+\.\d+\S*\n$')

    def test_help_lists_every_command(self):
        text = self.ok('help')
        self.assertEqual(re.findall(r'^  (\w+) ', text.split('Commands:')[1].split('Options:')[0], re.M), COMMANDS)
        self.assertEqual(self.ok('--help'), text)
        self.assertEqual(self.ok('-h'), text)

    def test_man_page_names_options_of_sub_commands(self):
        for command in 'read', 'sleep', 'wake':
            self.assertRegex(man_page(), rf'(?m)^\.It Cm bench {command}\b')
            for option in re.findall(r'(?<!\S)--([a-z-]+)', self.ok('help', 'bench', command).split('Options:')[1]):
                self.assertRegex(man_page(), rf'Fl -{option}(?![\w-])')

    def test_help_of_each_command(self):
        for command in COMMANDS:
            text = self.ok('help', command)
            self.assertTrue(text.startswith(f'Usage: hpt {command} '), text)
            self.assertEqual(self.ok(command, '--help'), text)
            self.assertEqual(self.ok(command, '-h'), text)

    def test_man_page_names_every_command_and_option(self):
        for command in COMMANDS:
            self.assertRegex(man_page(), rf'(?m)^\.It Cm {command}\b')
            for option in re.findall(r'(?<!\S)-(-[a-z-]+|[a-zA-Z])\b', self.ok('help', command).split('Options:')[1]):
                self.assertRegex(man_page(command), rf'Fl {re.escape(option)}(?![\w-])')

    def test_synopsis_has_each_option(self):
        """But those of commands whose synopsis has "option ...", and --help, which all have."""
        synopsis = man_page().split('.Sh SYNOPSIS\n')[1].split('.Sh ')[0].split('.Nm\n')
        for command in COMMANDS + ['bench read', 'bench sleep', 'bench wake']:
            forms = [form for form in synopsis if re.search(rf'Cm {command}\b', form)]
            if command in PAGES or command == 'bench':
                continue
            self.assertTrue(forms, command)
            for option in re.findall(r'(?m)^  (?:-\w, |    )--([a-z-]+)',
                                     self.ok('help', *command.split()).split('Options:')[1]):
                if option != 'help':
                    self.assertRegex(''.join(forms), rf'Fl -?{option}\b|Fl .*-{option}\b', command)

    def test_man_page_names_no_option_that_is_not(self):
        commands = COMMANDS + ['bench read', 'bench sleep', 'bench wake']
        texts = [self.ok('help'), *(self.ok('help', *c.split()) for c in commands)]
        known = set(re.findall(r'--([a-z-]+)', ''.join(texts)))
        self.assertLessEqual(set(re.findall(r'Fl -([a-z-]+)', man_page())), known)
        for command in PAGES:
            known = set(re.findall(r'--([a-z-]+)', self.ok('help', command)))
            self.assertLessEqual(set(re.findall(r'Fl -([a-z-]+)', man_page(command))), known)


class Output(cli.Case):
    COMMANDS = (['info'], ['info', '--json'], ['sources'], ['now'], ['now', '--ns'], ['convert', '1s'],
                ['sleep', '--stats', '1ms'], ['sleep', '--json', '1ms'], ['help'], ['help', 'now'], ['--version'],
                ['bench', '--help'], ['help', 'bench', 'read'])

    def test_full_device_fails(self):
        for args in self.COMMANDS:
            with open('/dev/full', 'wb') as full:
                self.assertEqual(self.fails(1, *args, stdout=full), 'hpt: write error: No space left on device\n')

    def test_closed_stdout_fails(self):
        for args in self.COMMANDS:
            self.assertRegex(self.fails(1, *args, preexec_fn=lambda: os.close(1)), 'write error')

    def test_closed_stdin_changes_no_status(self):
        for args in self.COMMANDS:
            self.assertNotEqual(self.ok(*args, preexec_fn=lambda: os.close(0)), '')

    def test_all_closed_fails(self):
        for args in self.COMMANDS:
            p = run(*args, preexec_fn=lambda: os.closerange(0, 3))
            self.assertEqual((p.returncode, p.stdout, p.stderr), (1, b'', b''))

    def test_closed_stdin_is_not_the_next_file(self):
        """If the file were opened as descriptor 0, '-' would read it."""
        with tempfile.NamedTemporaryFile() as f:
            f.write(b'CPUID 00000000: 00000000-00000000-00000000-00000000\n')
            f.flush()
            p = run('cpu', '--dump', f.name, '-', preexec_fn=lambda: os.close(0))
        self.assertEqual((p.returncode, p.stderr), (1, b'hpt: -: Bad file descriptor\n'))

    def test_closed_stderr_changes_no_status(self):
        for status, args in ((0, ['info']), (2, ['foo'])):
            p = run(*args, preexec_fn=lambda: os.close(2))
            self.assertEqual((p.returncode, p.stderr), (status, b''))

    def test_nothing_but_data_on_stdout(self):
        for args in (['foo'], ['info', 'x'], ['cpu', '--dump', '/nonexistent']):
            self.assertEqual(run(*args).stdout, b'')

    def test_no_colours(self):
        """Also not on a terminal, and with NO_COLOR."""
        for env in {}, {'NO_COLOR': '1'}:
            for args in ['info'], ['sources'], ['help'], ['foo']:
                terminal = cli.Terminal()
                with subprocess.Popen([cli.HPT, *args], stdout=terminal.stderr, stderr=terminal.stderr,
                                      env={**terminal.env, **env}):
                    terminal.started()
                    self.assertNotIn(b'\x1b', terminal.rest())

    def test_a_reader_that_leaves(self):
        p = subprocess.Popen([cli.HPT, 'info', '--json'], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        p.stdout.close()
        self.assertEqual(p.stderr.read(), b'')
        p.stderr.close()
        p.wait()


if __name__ == '__main__':
    cli.main()
