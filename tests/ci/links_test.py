# SPDX-License-Identifier: MIT
"""links_test.py: links.py names each planted circle and climb, in what nm prints about planted objects."""
import unittest

import linked
import links


def listing(**units):
    """What nm prints about an archive of units: rate_step='T hpt_a; U hpt_b'."""
    text = ''
    for unit, symbols in units.items():
        text += f'\nlib/libhpt.so.1.0.p/{unit}.c.o:\n'
        for symbol in symbols.split('; '):
            text += f'{"" if symbol[0] in "Uw" else "0000000000000010":16} {symbol}\n'
    return text


class Planted(unittest.TestCase):
    def assert_finds(self, text, *lines):
        self.assertEqual(links.findings(text), list(lines))

    def test_way_down(self):
        self.assert_finds(listing(
            math_scale='T hpt_scale; t step_of', machine_env='T hpt_env; U memcpy',
            rate_kernel_rate='U hpt_scale; D hpt_table', clock_read='T hpt_read; U hpt_scale',
            clock_now='T hpt_now; U hpt_read; U hpt_env; w __gmon_start__'))

    def test_circle_of_two(self):
        self.assert_finds(
            listing(clock_default='T hpt_once; U hpt_open', clock_open='T hpt_open; U hpt_once; U hpt_scale',
                    math_scale='T hpt_scale'),
            'lib/clock/default.c: a circle of 2 units:',
            '    lib/clock/default.c: uses hpt_open of lib/clock/open.c',
            '    lib/clock/open.c: uses hpt_once of lib/clock/default.c')

    def test_circle_of_three_by_data(self):
        self.assert_finds(
            listing(wall_a='B hpt_a; U hpt_b', wall_b='R hpt_b; w hpt_c', wall_c='W hpt_c; U hpt_a'),
            'lib/wall/a.c: a circle of 3 units:',
            '    lib/wall/a.c: uses hpt_b of lib/wall/b.c',
            '    lib/wall/b.c: uses hpt_c of lib/wall/c.c',
            '    lib/wall/c.c: uses hpt_a of lib/wall/a.c')

    def test_climb(self):
        self.assert_finds(
            listing(rate_step='T hpt_step; U hpt_clock_open', clock_open='T hpt_clock_open'),
            'lib/rate/step.c: uses hpt_clock_open of lib/clock/open.c, a room above its own')

    def test_climb_that_closes_a_circle(self):
        found = links.findings(listing(rate_step='T hpt_step; U hpt_open', clock_open='T hpt_open; U hpt_step'))
        self.assertEqual(found[:2], ['lib/rate/step.c: uses hpt_open of lib/clock/open.c, a room above its own',
                                     'lib/clock/open.c: a circle of 2 units:'])

    def test_local_names_are_no_arrows(self):
        self.assert_finds(listing(clock_a='t width; T hpt_a; U hpt_b', clock_b='t width; T hpt_b'))

    def test_stranger(self):
        self.assert_finds(listing(attic_old='T hpt_old'),
                          f'lib/attic/old.c: stands in no room of lib/ ({" ".join(links.ROOMS)})')

    def test_no_object(self):
        self.assert_finds('', 'no object of the library is named')
        with self.assertRaises(ValueError):
            links.findings('\nlibhpt.p/unity0.o:\n0000000000000010 T hpt_now\n')


class Linked(unittest.TestCase):
    def assert_finds(self, program, *lines):
        units = {unit: 'T hpt_' + unit.replace('/', '_')
                 for unit in (*linked.NEEDED, *linked.STRANGE, *linked.GIVEN, 'wall/bound')}
        archive = listing(**{unit.replace('/', '_'): symbols for unit, symbols in units.items()})
        self.assertEqual(list(linked.findings(archive, program)), list(lines))

    def test_units_of_a_program(self):
        needed = ''.join(f'0000000000000010 t hpt_{unit.replace("/", "_")}\n' for unit in linked.NEEDED)
        self.assert_finds(needed + '0000000000000020 R hpt_source_drivers\n                 U hpt_source_hpet\n')
        self.assert_finds(needed + '0000000000000020 t hpt_source_hpet\n0000000000000030 t hpt_wall_bound\n',
                          'lib/source/hpet.c: is in the program, which does not ask for it',
                          'lib/wall/bound.c: is in the program, which does not ask for it')
        self.assert_finds(needed.replace('hpt_source_os\n', 'hpt_other\n'), 'lib/source/os.c: is not in the program')

    def test_unit_that_is_gone(self):
        self.assertIn('lib/machine/ptp.c: is not in the library: tests/ci/linked.py names it',
                      list(linked.findings(listing(source_os='T hpt_source_os'), '')))


if __name__ == '__main__':
    unittest.main()
