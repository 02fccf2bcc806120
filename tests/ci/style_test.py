# SPDX-License-Identifier: MIT
"""style_test.py: tests/ci/style passes this tree, and names each fault that is planted in a copy of it."""
import os
import shutil
import subprocess
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
SPDX_C = '/* SPDX-License-Identifier: MIT */\n'
SPDX = '# SPDX-License-Identifier: MIT\n'


def style(root, *checks):
    """(exit status, lines)"""
    done = subprocess.run(['sh', os.path.join(HERE, 'style'), root, *checks], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, timeout=300)
    return done.returncode, done.stdout.decode().splitlines()


class Planted(unittest.TestCase):
    """Each test plants new files in one copy of the tree, and takes them out again."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix='hpt-style-')
        cls.root = os.path.join(cls.folder.name, 'tree')
        shutil.copytree(ROOT, cls.root, symlinks=True, ignore=shutil.ignore_patterns('.git', 'build*', '__pycache__'))

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @staticmethod
    def write(path, text):
        with open(path, 'w', encoding='utf-8', newline='') as f:
            f.write(text)

    def plant(self, path, text):
        path = os.path.join(self.root, path)
        folder = os.path.dirname(path)
        if not os.path.isdir(folder):
            os.makedirs(folder)
            self.addCleanup(os.rmdir, folder)
        self.assertFalse(os.path.exists(path), path)
        self.write(path, text)
        self.addCleanup(os.remove, path)

    def findings(self, check, files):
        """What the check finds more when these files are there."""
        before = style(self.root, check)[1]
        for path, text in files.items():
            self.plant(path, text)
        status, after = style(self.root, check)
        new = [line for line in after if line not in before]
        self.assertEqual(status, 1 if after else 0, after)
        return new

    def assert_finds(self, check, files, *beginnings):
        """Each new line begins with one of these, in any order, and there are no others."""
        new = self.findings(check, files)
        for beginning in beginnings:
            self.assertTrue(any(line.startswith(beginning) for line in new), (beginning, new))
        for line in new:
            self.assertTrue(line.startswith(beginnings or ('nothing',)), line)

    def test_places(self):
        self.assert_finds('places', {
            'lib/planted.c': SPDX_C,
            'lib/attic/planted.h': SPDX_C,
            'lib/math/planted.c': SPDX_C,
            'tools/planted.c': SPDX_C,
            'tools/attic/planted.h': SPDX_C,
            'tools/cli/planted.h': SPDX_C,
        }, 'lib/planted.c:1: ', 'lib/attic/planted.h:1: ', 'tools/planted.c:1: ', 'tools/attic/planted.h:1: ')

    def test_rooms(self):
        self.assert_finds('rooms', {
            'lib/math/planted.h': SPDX_C + '#include "hpt/hpt.h"\n',
            'lib/sleep/planted_last.h': SPDX_C + '#include "math/planted.h"\n',
            'lib/math/planted_up.c': SPDX_C + '\n#include "planted.h"\n #  include "sleep/planted_last.h"\n',
            'lib/math/planted_tool.c': SPDX_C + '#include "cli/planted_command.h"\n',
            'lib/math/planted_test.c': SPDX_C + '#include "../../tests/unit/world/unit.h"\n',
            'lib/math/planted_none.c': SPDX_C + '#include "math/nowhere.h"\n',
            'lib/math/planted_angle.c': SPDX_C + '#include <stdint.h>\n#include <sleep/planted_last.h>\n',
            'tools/cli/planted_command.h': SPDX_C + '#include "math/planted.h"\n#include "sleep/planted_last.h"\n',
            'tools/cli/planted_climb.h': SPDX_C + '#include "plot/planted_plot.h"\n',
            'tools/plot/planted_plot.h': SPDX_C + '#include "cli/planted_command.h"\n',
            'tools/plot/planted_side.h': SPDX_C + '#include "info/planted_info.h"\n',
            'tools/info/planted_info.h': SPDX_C + '#include "planted_own.h"\n',
            'tools/info/planted_own.h': SPDX_C,
            'tools/run/planted_run.h': SPDX_C + '#include "info/planted_info.h"\n#include "wall/planted_wall.h"\n',
            'tools/wall/planted_wall.h': SPDX_C,
        }, 'lib/math/planted_up.c:4: ', 'lib/math/planted_tool.c:2: ', 'lib/math/planted_test.c:2: ',
           'lib/math/planted_none.c:2: ', 'lib/math/planted_angle.c:3: ', 'tools/cli/planted_command.h:3: ',
           'tools/cli/planted_climb.h:2: ', 'tools/plot/planted_side.h:2: ', 'tools/run/planted_run.h:3: ')

    def test_circles(self):
        self.assert_finds('circles', {
            'lib/math/planted.h': SPDX_C,
            'lib/math/planted.c': SPDX_C + '#include "math/planted.h"\n',
            'lib/math/planted_a.h': SPDX_C + '#include "math/planted.h"\n',
            'lib/math/planted_a.c': SPDX_C + '#include "math/planted_b.h"\n',
            'lib/math/planted_b.h': SPDX_C + '\n#include "planted_c.h"\n',
            'lib/math/planted_c.h': SPDX_C + '#include "math/planted_a.h"\n',
            'tools/bench/planted_d.h': SPDX_C + '#include "planted_e.h"\n',
            'tools/bench/planted_e.h': SPDX_C + '#include "bench/planted_d.h"\n',
        }, 'lib/math/planted_a.c:2: a circle of 3 units', '    lib/math/planted_a.c:2: includes lib/math/planted_b.h',
           '    lib/math/planted_b.h:3: includes lib/math/planted_c.h',
           '    lib/math/planted_c.h:2: includes lib/math/planted_a.h',
           'tools/bench/planted_d.h:2: a circle of 2 units', '    tools/bench/planted_d.h:2: ',
           '    tools/bench/planted_e.h:2: ')

    def test_headers(self):
        self.assert_finds('headers', {
            'lib/math/planted.h': SPDX_C + '''
struct planted { int a; };
typedef int planted_fn(int);
/* int planted_remark(void); */
#define PLANTED_MACRO(x) int planted_##x(void);
int planted_own(int a, int b);
__attribute__((cold))
const struct planted *planted_foreign(int a,
                                      int b);
int planted_nowhere(void);
extern int planted_object, planted_foreign_object[2];
extern const struct planted planted_driver;
static inline int planted_inline(void) { return 1; }
static int planted_static(void) { return 1; }
int planted_defined(void)
{
	return 2;
}
static int planted_variable;
static const int planted_constant = 3;
int planted_twice(void);
''',
            'lib/math/planted.c': SPDX_C + '''
#include "math/planted.h"
int planted_object;
int planted_own(int a, int b)
{
	return a + b;
}
int planted_twice(void) { return 0; }
''',
            'lib/math/planted_other.c': SPDX_C + '''
#include "math/planted.h"
int planted_own(int a, int b);
int planted_foreign_object[2] = { 1, 2 };
const struct planted *planted_foreign(int a, int b) { return 0; }
const struct planted planted_driver = { 1 };
int planted_twice(void) { return 0; }
''',
            'tests/unit/planted.h': SPDX_C + 'void planted_helper(void);\nvoid planted_in_a_test(void);\n',
            'tests/unit/planted.c': SPDX_C + 'void planted_helper(void) { }\n',
            'tests/unit/planted_too.c': SPDX_C + 'void planted_in_a_test(void) { }\n',
            'lib/math/planted_torn.c': SPDX_C + 'int planted_torn(void) {\n',
        }, 'lib/math/planted.h:9: planted_foreign ', 'lib/math/planted.h:11: planted_nowhere ',
           'lib/math/planted.h:12: planted_foreign_object ', 'lib/math/planted.h:15: planted_static ',
           'lib/math/planted.h:16: planted_defined ', 'lib/math/planted.h:20: planted_variable ',
           'lib/math/planted.h:22: planted_twice ', 'lib/math/planted_other.c:4: planted_own ',
           'tests/unit/planted.h:3: planted_in_a_test ', 'lib/math/planted_torn.c:1: cannot be read')

    def test_macros(self):
        self.assert_finds('macros', {
            'lib/math/planted.h': SPDX_C + '#define HPT_PLANTED_OWN 1\n',
            'lib/math/planted.c': SPDX_C + """
#if defined(__GLIBC__) && defined(HPT_HAVE_PLANTED)
#elif HPT_PLANTED_OWN && HPT_PLANTED_LEVEL > 1
#endif
#ifndef HPT_HAVE_PLANTED
#endif
""",
        }, 'lib/math/planted.c:3: HPT_HAVE_PLANTED', 'lib/math/planted.c:4: HPT_PLANTED_LEVEL',
            'lib/math/planted.c:6: HPT_HAVE_PLANTED')

    def test_stems(self):
        self.assert_finds('stems', {
            'lib/math/planted.c': SPDX_C,
            'lib/math/planted.h': SPDX_C,
            'tools/bench/planted.h': SPDX_C,
            'tests/unit/planted.h': SPDX_C,
        }, 'tools/bench/planted.h:1: the name planted is taken: lib/math/planted.c lib/math/planted.h')

    def test_rows(self):
        self.assert_finds('rows', {
            'lib/math/planted.c': SPDX_C,
            'lib/math/planted.h': SPDX_C,
            'tools/cli/planted_tool.h': SPDX_C,
            'lib/rate/README.md': '# Rows\n\n| File | |\n|---|---|\n| `event`, `planted` | no other `math` |\n',
        }, 'lib/math/planted.h:1: ', 'tools/cli/planted_tool.h:1: ',
           'lib/rate/README.md:5: lib/rate has no unit planted')

    def test_tests(self):
        self.assert_finds('tests', {
            'lib/math/planted.c': SPDX_C,
            'tools/cli/planted_tool.c': SPDX_C,
            'tests/unit/math/test_planted.c': SPDX_C,
            'tests/unit/math/test_planted_topic.c': SPDX_C,
            'tests/unit/clock/test_planted_clock.c': SPDX_C,
            'tests/unit/test_planted_flat.c': SPDX_C,
            'tests/unit/math/test_plant.c': SPDX_C,
            'tests/unit/tools/test_planted_tool.c': SPDX_C,
            'tests/unit/math/test_planted.sed': SPDX,
            'tests/unit/math/test_planted_none.sed': SPDX,
        }, 'tests/unit/math/test_plant.c:1: ', 'tests/unit/math/test_planted_none.sed:1: ',
           'tests/unit/clock/test_planted_clock.c:1: ', 'tests/unit/test_planted_flat.c:1: ')

    def test_spdx(self):
        self.assert_finds('spdx', {
            'lib/math/planted.c': 'int planted;\n',
            'tests/ci/planted': '#!/bin/sh\n',
            'tests/vm/planted.py': '\n\n\n' + SPDX,
            'man/planted.3': '.Dd now\n',
            'tools/cli/planted.h': SPDX_C,
            'build/planted.c': 'made by a build\n',
        }, 'lib/math/planted.c:1: ', 'tests/ci/planted:1: ', 'tests/vm/planted.py:1: ', 'man/planted.3:1: ')

    def test_purpose(self):
        self.assert_finds('purpose', {
            'lib/math/planted.c': SPDX_C + '#include "math/planted.h"\n\n/* Late. */\nint a;\n',
            'lib/math/planted.h': SPDX_C + '\n\n/*\n * Numbers.\n */\n',
            'lib/math/planted_far.h': SPDX_C + '\n\n\n/* Numbers. */\n',
            'lib/math/planted_empty.h': SPDX_C + '/**/ int a;\n',
            'lib/math/planted_heading.c': SPDX_C + '/* ---- Numbers ---- */\n',
            'tools/bench/planted.c': SPDX_C,
            'tools/bench/planted_tool.c': '// SPDX-License-Identifier: MIT\n/* Plans: tools/bench/planted.h. */\n',
            'tests/unit/planted.c': SPDX_C + 'int a;\n',
        }, 'lib/math/planted.c:2: ', 'lib/math/planted_far.h:2: ', 'lib/math/planted_empty.h:2: ',
           'lib/math/planted_heading.c:2: ', 'tools/bench/planted.c:2: ')

    def test_ends(self):
        self.assert_finds('ends', {
            'lib/math/planted.c': SPDX_C + 'int a; \n',
            'man/planted.3': 'one\ntwo\t\n',
            'planted.md': 'one\r\n',
            'tests/ci/planted': SPDX + 'true',
            'tests/planted/data/golden.py': 'as it came \n',
        }, 'lib/math/planted.c:2: ', 'man/planted.3:2: ', 'planted.md:1: ', 'tests/ci/planted:2: ')

    def test_columns(self):
        self.assert_finds('columns', {
            'lib/math/planted.c': SPDX_C + '\t' * 14 + 'a' * 8 + '\n' + '\t' * 14 + 'a' * 9 + '\n',
            'tests/ci/planted': 'a' * 121 + '\n',
            'man/planted.7': '\n\n' + 'a' * 121 + '\n',
            'include/hpt/planted.h': SPDX_C + 'a' * 121 + '\n',
            'man/planted.3': 'a' * 121 + '\n',
            'planted.md': '| ' + 'a' * 121 + '\n' + 'a' * 120 + '\n<https://' + 'a' * 121 + '>\n' + 'a' * 121 + '\n',
        }, 'lib/math/planted.c:3: 121 ', 'tests/ci/planted:1: 121 ', 'man/planted.7:3: 121 ', 'planted.md:4: 121 ',
           'include/hpt/planted.h:2: 121 ', 'man/planted.3:1: 121 ')

    def test_readme(self):
        path = os.path.join(self.root, 'README.md')
        with open(path, encoding='utf-8') as f:
            text = f.read()
        self.addCleanup(self.write, path, text)
        program = 'c\nint main(void)\n{\n}\n```\n'
        self.write(path, text + '```' + program + '```sh\nls\n```\n')
        self.assertEqual(style(self.root, 'readme'), (1, [
            f'README.md:{len(text.splitlines()) + 1}: this program is no file of tests/consumer/*.c']))
        self.write(path, '# Title\n')
        self.assertEqual(style(self.root, 'readme'), (1, ['README.md:1: no program in C']))

    def test_man(self):
        self.assert_finds('man', {
            'man/planted.3': '.\\" SPDX-License-Identifier: MIT\n.so man3/hpt_now.3\n',
            'man/planted_too.in': ".so man3/@PAGE@\n",
            'man/planted.7': '.Sh SO\n.Sx so\nAs so many.\n',
        }, 'man/planted.3:2: ', 'man/planted_too.in:1: ')

    def test_names(self):
        self.assert_finds('names', {
            'lib/math/planted.c': SPDX_C + 'static int planted(int a)\n{\n\treturn a;\n}\n#define PLANTED 1\n'
                                           'enum { PLANTED_ONE = 1, PLANTED_TWO };\nstruct planted_tag { int a; };\n',
            'lib/rate/planted_too.c': SPDX_C + '#define PLANTED 2\n#define PLANTED_LOCAL 1\n#undef PLANTED_LOCAL\n'
                                               'static int planted(void)\n{\n\treturn 1;\n}\n'
                                               'struct planted_tag { char b; };\nenum { PLANTED_TWO };\n',
            'lib/sleep/planted_local.c': SPDX_C + '#define PLANTED_LOCAL 2\nstatic int planted_apart;\n',
            'lib/preload/planted_apart.c': SPDX_C + 'static int planted_apart;\n',
        }, 'lib/rate/planted_too.c:5: planted ', 'lib/rate/planted_too.c:1: PLANTED ',
           'lib/rate/planted_too.c:1: struct or enum planted_tag ', 'lib/rate/planted_too.c:1: PLANTED_TWO ')

    def test_forge(self):
        self.assert_finds('forge', {
            '.github/workflows/planted.yml': SPDX + 'steps:\n          - style manual\n          - style planted\n'
                                                    '      - run: bash .ci/run planted_too gcc\n',
        }, '.github/workflows/planted.yml:4: .ci/run has no step planted',
           '.github/workflows/planted.yml:5: .ci/run has no step planted_too')

    def test_mutants(self):
        new = self.findings('mutants', {
            'lib/math/planted.c': SPDX_C + 'int a;\n',
            'tests/unit/math/test_planted.sed': SPDX + '\n#: lib/math/planted.c\ns/int a/int b/\ns/int c/int d/\n',
        })
        named = [line for line in new if line.startswith('tests/unit/math/')]
        self.assertEqual(len(named), 1, new)
        self.assertTrue(named[0].startswith('tests/unit/math/test_planted.sed:5: '), named)

    def test_one_file(self):
        new = self.findings('onefile', {'lib/math/planted.c': SPDX_C + '#if 0\n'})
        self.assertTrue(new and all('planted.c: a conditional has no end' in line for line in new), new)


class Clean(unittest.TestCase):
    def test_this_tree(self):
        status, lines = style(ROOT)
        self.assertEqual(status, 0, '\n'.join(['', *lines]))

    def test_an_unknown_check(self):
        self.assertEqual(style(ROOT, 'nonsense')[0], 1)


if __name__ == '__main__':
    unittest.main()
