# SPDX-License-Identifier: MIT
"""hpt cpu --dump: facts from good files, one line for each bad one, and the others still answered."""
import json
import os
import re
import shutil
import subprocess
import tempfile
import time

import cli
from cli import run

# CPUID of processors that the verdict's rules are about; each fact is one register.
I7_2600 = '''------[ Logical CPU #0 ]------
CPUID 00000000: 0000000D-756E6547-6C65746E-49656E69
CPUID 00000001: 000206A7-00100800-1FBAE3FF-BFEBFBFF
CPUID 00000004: 1C004121-01C0003F-0000003F-00000000 [SL 00]
CPUID 80000000: 80000008-00000000-00000000-00000000
CPUID 80000001: 00000000-00000000-00000001-28100000
CPUID 80000002: 20202020-49202020-6C65746E-20295228
CPUID 80000003: 65726F43-294D5428-2D376920-30303632
CPUID 80000004: 55504320-33204020-4730342E-00007A48
CPUID 80000007: 00000000-00000000-00000000-00000100
'''
YONAH = '''CPUID 00000000: 00000001-756E6547-6C65746E-49656E69
CPUID 00000001: 000006E8-00010800-0000C1A9-BFE9FBFF
CPUID 80000000: 80000001-00000000-00000000-00000000
CPUID 80000001: 00000000-00000000-00000000-00100000
'''
ATHLON_X2 = '''CPUID 00000000: 00000001-68747541-444D4163-69746E65
CPUID 00000001: 00060FB1-01020800-00002001-178BFBFF
CPUID 80000000: 80000018-68747541-444D4163-69746E65
CPUID 80000001: 00060FB1-00000C41-0000011F-EBD3FBFF
CPUID 80000007: 00000000-00000000-00000000-0000007F
'''
# It answers 80000000h with the contents of leaf 2: bit 27 of the next leaf is not RDTSCP.
COPPERMINE = '''CPUID 00000000: 00000002-756E6547-6C65746E-49656E69
CPUID 00000001: 00000686-00000002-00000000-0383F9FF
CPUID 80000000: 03020101-00000000-00000000-0C040882
CPUID 80000001: 03020101-00000000-00000000-0C040882
CPUID 80000007: 03020101-00000000-00000000-0C0409FF
'''
NO_TSC = '''CPUID 00000000: 00000001-69727943-64616574-736E4978
CPUID 00000001: 00000520-00000000-00000000-00000001
'''
# Not of the form 8000xxxxh: the processor has no extended leaves, so no leaf is missing.
NO_EXTENDED = NO_TSC + 'CPUID 80000000: FFFFFFFF-FFFFFFFF-FFFFFFFF-FFFFFFFF\n'
GUEST = I7_2600.replace('1FBAE3FF', '9FBAE3FF').replace('756E6547-6C65746E', '20202020-FF00207F')

GOOD = {
    I7_2600: dict(vendor_id='GenuineIntel', vendor='intel', brand='Intel(R) Core(TM) i7-2600 CPU @ 3.40GHz', family=6,
                  model=42, stepping=7, tsc=True, rdtscp=True, invariant=True, sse2=True, hypervisor=False,
                  **{'class': 'invariant'}),
    YONAH: dict(family=6, model=14, rdtscp=False, invariant=False, brand='', **{'class': 'constant-by-family'}),
    ATHLON_X2: dict(vendor='amd', family=15, model=107, rdtscp=True, **{'class': 'not-constant'}),
    COPPERMINE: dict(rdtscp=False, invariant=False, sse2=False, **{'class': 'not-constant'}),
    NO_TSC: dict(vendor='cyrix', tsc=False, **{'class': 'no-tsc'}),
    NO_EXTENDED: dict(rdtscp=False, invariant=False, brand='', **{'class': 'no-tsc'}),
    GUEST: dict(vendor='other', vendor_id='    ineI\x7f \0\xff', hypervisor=True),
}




def in_other_formats(dump):
    """The dump in the formats of libcpuid and of cpuid -r."""
    rows = re.findall(r'CPUID (\w{8}): (\w{8})-(\w{8})-(\w{8})-(\w{8})', dump.lower().replace('cpuid', 'CPUID'))
    libcpuid = ''.join(f'{"ext" if leaf[0] == "8" else "basic"}_cpuid[{int(leaf[1:], 16)}]={" ".join(r)}\n'
                       for leaf, *r in rows)
    cpuid_r = ''.join(f'   0x{leaf} 0x00: eax=0x{a} ebx=0x{b} ecx=0x{c} edx=0x{d}\n' for leaf, a, b, c, d in rows)
    return 'version=0.6.2\n' + libcpuid + 'intel_fn4[0]=1c004121 01c0003f 0000003f 00000000\n', 'CPU 0:\n' + cpuid_r


class Case(cli.Case):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix='hpt-dump-')
        self.addCleanup(shutil.rmtree, self.folder)

    def file(self, content, name='file'):
        path = os.path.join(self.folder, name)
        with open(path, 'wb') as f:
            f.write(content if isinstance(content, bytes) else content.encode())
        return path

    def answer(self, content, **kw):
        """The answer for one good file."""
        text = self.ok('cpu', '--dump', self.file(content), '--json', **kw)
        self.assertEqual(text.count('\n'), 1)
        return json.loads(text)

    def refused(self, content, line, what):
        """A bad file between two good ones."""
        good, bad = self.file(YONAH, 'good'), self.file(content, 'bad')
        p = run('cpu', '--json', '--dump', good, bad, good)
        self.assertEqual(p.returncode, 1)
        self.assert_one_line(p.stderr)
        self.assertRegex(p.stderr.decode(), f'^hpt: {re.escape(bad)}:{line}: .*{what}')
        self.assertEqual([json.loads(l)['file'] for l in p.stdout.decode().splitlines()], [good, good])


class Good(Case):
    def test_facts(self):
        for content, facts in GOOD.items():
            got = self.answer(content)
            self.assertEqual({k: got[k] for k in facts}, facts)
            self.assertEqual((list(got)[:2], len(got['vendor_id'])), (['hpt_json', 'file'], 12))

    def test_one_line_a_file_in_order(self):
        paths = [self.file(content, f'{i}') for i, content in enumerate(GOOD)]
        text = self.ok('cpu', '--dump', *paths, '--json')
        self.assertEqual([json.loads(l)['file'] for l in text.splitlines()], paths)
        self.assertEqual(self.ok('cpu', '-jd', *paths), text)
        self.assertEqual(len(self.ok('cpu', '--dump', *paths).splitlines()), 1 + len(paths))

    def test_ways_of_writing_it(self):
        expect = self.answer(I7_2600)
        for content in (I7_2600.replace('\n', '\r\n'), I7_2600.lower().replace('cpuid', 'CPUID'),
                        re.sub(r'^(CPUID \w+):', r'\1', I7_2600, flags=re.M), I7_2600.rstrip('\n'),
                        'CPUID Registers (CPU #1):\n' + I7_2600, '\ufeff' + I7_2600,
                        '\ufeff' + I7_2600[I7_2600.index('CPUID 0'):], '\f\n' + I7_2600,
                        'CPU#000 AffMask: 0x1\n\n' + I7_2600,
                        I7_2600.replace('49656E69', '49656E69 [GenuineIntel]'),
                        'CPUID Manufacturer  GenuineIntel\nCPUID CPU Name  i7\n' + I7_2600 + '\xe4 text\n'):
            self.assertEqual(self.answer(content), expect, content)

    def test_other_formats(self):
        for content, _ in GOOD.items():
            expect = self.answer(content)
            for text in in_other_formats(content):
                self.assertEqual(self.answer(text), expect, text)
        libcpuid, cpuid_r = in_other_formats(I7_2600)
        more = in_other_formats(YONAH)[1].replace('CPU 0', 'CPU 1')
        self.assertEqual(self.answer(cpuid_r + more), self.answer(I7_2600))
        sub_leaf = '   0x00000001 0x01: eax=0x00000000 ebx=0x00000000 ecx=0x00000000 edx=0x00000000\n'
        self.assertEqual(self.answer(sub_leaf + cpuid_r), self.answer(I7_2600))
        self.assertEqual(self.answer(libcpuid.replace('\n', '\r\n')), self.answer(I7_2600))

    def test_remark_cut_short_and_name_with_del(self):
        """Found in reports of a Xeon and of an Athlon XP."""
        expect = self.answer(I7_2600)
        self.assertEqual(self.answer(I7_2600.replace('00007A48', '00007A48 [0GHz')), expect)
        self.assertEqual(self.answer('CPUID CPU Name : Athlon XP (Palomin^\x7f00+\n' + I7_2600), expect)

    def test_damage_after_the_first_cpu_does_not_matter(self):
        self.assertEqual(self.answer(I7_2600 + '------[ Logical CPU #1 ]------\nCPUID 00000000: 0000'),
                         self.answer(I7_2600))

    def test_first_cpu_and_first_value_count(self):
        expect = self.answer(I7_2600)
        for header in '------[ Logical CPU #1 ]------', 'CPUID Registers (CPU #2):', '  CPU#001 AffMask: 0x2':
            self.assertEqual(self.answer(I7_2600 + header + '\n' + COPPERMINE), expect)
            self.assertEqual(self.answer(YONAH + header + '\n' + I7_2600)['class'], 'constant-by-family')
        self.assertEqual(self.answer(I7_2600 + 'CPUID 00000000: 00000000-00000000-00000000-00000000 [SL 00]\n'), expect)
        self.assertEqual(self.answer(I7_2600 + COPPERMINE), expect)

    def test_sub_leaf_is_hexadecimal(self):
        """A dump's sub-leaves 08 and 09 are not sub-leaf 0."""
        one = 'CPUID 00000001: 00000000-00000000-00000000-00000000 [SL 08]\n'
        self.assertEqual(self.answer(one + YONAH)['family'], 6)

    def test_stdin_and_pipes(self):
        expect = self.answer(I7_2600)
        p = run('cpu', '--dump', '-', '--json', stdin=None, input=I7_2600.encode())
        self.assertEqual(json.loads(p.stdout), {**expect, 'file': '-'})
        r, w = os.pipe()
        os.write(w, I7_2600.encode())
        os.close(w)
        text = self.ok('cpu', '--dump', f'/dev/fd/{r}', '--json', pass_fds=[r])
        os.close(r)
        self.assertEqual(json.loads(text), {**expect, 'file': f'/dev/fd/{r}'})

    def test_slow_writer_is_waited_for(self):
        r, w = os.pipe()
        p = subprocess.Popen([cli.HPT, 'cpu', '--json', '--dump', f'/dev/fd/{r}'], pass_fds=[r], stdout=subprocess.PIPE)
        time.sleep(0.2)  # time in which a reader that does not wait would end
        os.write(w, YONAH.encode())
        os.close(w)
        os.close(r)
        self.assertEqual(json.loads(p.communicate()[0])['model'], 14)
        self.assertEqual(p.returncode, 0)

    def test_file_names_of_any_bytes(self):
        for name, shown in ((b'\xc3\xa4', '\xe4'), (b'\xe4', '\xe4'), (b'a\nb', 'a\nb'), (b'--json', '--json')):
            with open(os.path.join(self.folder.encode(), name), 'wb') as f:
                f.write(YONAH.encode())
            text = self.ok('cpu', '--json', '--dump', '--', name, cwd=self.folder)
            self.assertEqual((text.count('\n'), json.loads(text)['file']), (1, shown))
            self.assertEqual(self.ok('cpu', '--dump', '--', name, cwd=self.folder).count('\n'), 2)


class Bad(Case):
    def test_not_a_dump(self):
        self.refused('', 1, 'empty')
        self.refused('\n\n\n', 3, 'not a CPUID dump')
        self.refused('root:x:0:0\nbin:x:1:1\n', 2, 'not a CPUID dump')

    def test_binary(self):
        self.refused(b'\x7fELF\x02\x01\x01\0', 1, 'binary')
        self.refused(I7_2600.encode() + b'\n\x01\n', 12, '01h: binary')
        self.refused(I7_2600.encode('utf-16'), 1, '00h: binary')

    def test_broken_line(self):
        for line in ('CPUID 00000002', 'CPUID 8', 'CPUID 0000000', 'CPUID 00000002:', 'CPUID 00000002: 0-0-0-0',
                     'CPUID 00000002: 00000000-00000000-00000000',
                     'CPUID 00000002: 00000000-00000000-00000000-0000000',
                     'CPUID 00000002: 00000000-00000000-00000000-000000000',
                     'CPUID 00000002: 00000000-00000000-00000000-0000000G',
                     'CPUID 00000002: 00000000 00000000 00000000 00000000',
                     'CPUID 0000000G: 00000000-00000000-00000000-00000000',
                     'CPUID 00000002: 00000000-00000000-00000000-00000000-',
                     'CPUID 00000002: 00000000-00000000-00000000-00000000 [SL 0',
                     'CPUID 000000002: 00000000-00000000-00000000-00000000',
                     'CPUID 00000002: 00000000-00000000-00000000-00000000 [SL 0G]',
                     'CPUID 00000002: 00000000-00000000-00000000-00000000 [SL ]',
                     'CPUID 00000002: 00000000-00000000-00000000-00000000 [SL 100000000]'):
            self.refused(I7_2600 + line + '\n', 11, 'broken CPUID line')
            self.refused(I7_2600 + line, 11, 'broken CPUID line')
        libcpuid, cpuid_r = in_other_formats(I7_2600)
        for line in ('basic_cpuid[2]=', 'basic_cpuid[]=0', 'basic_cpuid[2', 'basic_cpuid[0x2]=0', 'ext_cpuid[1000]=0',
                     'basic_cpuid[2]=00000000 00000000 00000000 0000000',
                     'basic_cpuid[2]=00000000 00000000 00000000 000000000',
                     'basic_cpuid[2]=00000000-00000000-00000000-00000000'):
            self.refused(libcpuid + line, 12, 'broken CPUID line')
        for line in ('   0x00000002 0x00:', '   0x00000002 0x00: eax=0x0 ebx=0x0 ecx=0x0 edx=0x0',
                     '   0x00000002 0x00: eax=0x00000000 ebx=0x00000000 ecx=0x00000000',
                     '   0x00000002 0x00: eax=0x00000000 ebx=0x00000000 ecx=0x00000000 edx=0x00000000 x'):
            self.refused(cpuid_r + line, 11, 'broken CPUID line')

    def test_cut_anywhere_is_refused_or_right(self):
        """A truncated file never gets a verdict that differs from the whole file's."""
        expect = self.answer(I7_2600)
        for dump in (I7_2600, *in_other_formats(I7_2600)):
            paths = [self.file(dump[:n], f'{n}') for n in range(len(dump))]
            p = run('cpu', '--json', '--dump', *paths)
            answered = {a['file']: a for a in map(json.loads, p.stdout.decode().splitlines())}
            refused = re.findall(r'^hpt: (/[^:]*):\d+: [^\n]+\n', p.stderr.decode(), re.M)
            self.assertEqual(p.returncode, 1)
            self.assertEqual(sorted([*answered, *refused]), sorted(paths))
            for path, answer in answered.items():
                self.assertEqual({**answer, 'file': 0}, {**expect, 'file': 0})
                self.assertGreaterEqual(int(os.path.basename(path)), len(dump) - 60)

    def test_leaf_missing(self):
        for leaf, line in ('00000000', 9), ('00000001', 9), ('80000000', 9), ('80000001', 9), ('80000007', 9):
            content = re.sub(rf'CPUID {leaf}.*\n', '', I7_2600)
            self.refused(content, line, f'truncated: leaf {leaf}h is ')

    def test_too_large(self):
        self.refused('x' * 4096 + '\n' + 'x' * 4097 + '\n', 2, 'longer than 4096 bytes')
        self.refused('hello world\n' * 1500000, r'\d+', 'larger than 16 MiB')
        self.refused(I7_2600 * 40000, r'\d+', 'larger than 16 MiB')
        other = ''.join(f'CPUID 0000{n:04X}: 00000000-00000000-00000000-00000000\n' for n in range(0x1000, 0x1400))
        self.refused(I7_2600 + other, r'\d+', 'more than 1024 leaves')
        same = 'CPUID 00000004: 00000000-00000000-00000000-00000000\n'
        self.assertEqual(self.answer(I7_2600 + same * 5000), self.answer(I7_2600))

    def test_largest(self):
        line = 'x' * 4095 + '\n'
        content = I7_2600 + line * 4095 + 'x' * (4096 - len(I7_2600))
        self.assertEqual(len(content), 16 << 20)
        self.assertEqual(self.answer(content), self.answer(I7_2600))
        for more in 'x', '\n':
            self.refused(content + more, r'\d+', 'larger than 16 MiB')

    def test_not_a_file(self):
        good = self.file(YONAH, 'good')
        os.mkfifo(os.path.join(self.folder, 'fifo'))
        for bad, what in ((self.folder, 'Is a directory'), ('/nonexistent', 'No such file'), ('', 'No such file'),
                          (good + '/x', 'Not a directory'), ('/dev/zero', 'larger than|binary'),
                          ('/dev/full', 'larger than|binary'), (os.path.join(self.folder, 'fifo'), '1: empty'),
                          ('/dev/null', '1: empty'), ('/proc/self/mem', 'error')):
            p = run('cpu', '--json', '--dump', bad, good)
            self.assertEqual((p.returncode, json.loads(p.stdout)['file']), (1, good))
            self.assert_one_line(p.stderr)
            self.assertRegex(p.stderr.decode(), f'^hpt: {re.escape(bad)}:.*({what})')

    @cli.unittest.skipIf(os.geteuid() == 0, 'root may read everything')
    def test_unreadable(self):
        path = self.file(YONAH)
        os.chmod(path, 0)
        self.assertRegex(self.fails(1, 'cpu', '--dump', path), 'Permission denied')

    def test_closed_stdin(self):
        p = subprocess.run([cli.HPT, 'cpu', '--dump', '-'], capture_output=True, check=False,
                           preexec_fn=lambda: os.close(0))
        self.assertEqual(p.returncode, 1)
        self.assert_one_line(p.stderr)

    def test_only_bad_files_print_no_heading(self):
        self.assertRegex(self.fails(1, 'cpu', '--dump', '/nonexistent'), 'No such file')

    def test_message_is_one_line_whatever_the_name(self):
        self.fails(1, 'cpu', '--dump', 'a\nb\x1b[1m')

    def test_full_device_while_writing_much(self):
        path = self.file(I7_2600)
        with open('/dev/full', 'wb') as full:
            self.assertRegex(self.fails(1, 'cpu', '--json', '--dump', *[path] * 500, stdout=full), 'No space left')


if __name__ == '__main__':
    cli.main()
