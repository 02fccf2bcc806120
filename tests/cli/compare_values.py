# SPDX-License-Identifier: MIT
"""compare_values.py HPT SCHEMA: hpt bench --compare on runs in which one value was replaced."""
import copy
import json

import cli
import compare


def places(value, path=()):
    """The path of every value; of a list only the first two elements'."""
    yield path
    members = value.items() if isinstance(value, dict) else enumerate(value[:2]) if isinstance(value, list) else ()
    for key, member in members:
        yield from places(member, path + (key,))


def changed(document, path, value):
    if not path:
        return value
    d = copy.deepcopy(document)
    at = d
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = value
    return d


class Values(compare.Case):
    def test_every_value_replaced(self):
        """A value of another type or out of bounds never causes a crash, a hang or an undocumented status."""
        for kind, make in compare.KINDS.items():
            good = make()
            self.write('a', good)
            for path in places(good):
                if kind == 'report' and len(path) > 1: # its parts were replaced as documents of their own
                    continue
                for value in None, 'x', -1, 0, {}, [], 1e300, 2**63 - 1, -2**63, True:
                    self.check_replaced(good, path, value)

    def check_replaced(self, good, path, value):
        p = cli.run('bench', '--compare', self.path('a'), self.write('b', changed(good, path, value)), '--json',
                    timeout=20)
        self.assertIn(p.returncode, (0, 1, 3), (path, value))
        if p.returncode == 1:
            self.assert_one_line(p.stderr)
            self.assertEqual(p.stdout, b'')
        else:
            json.loads(p.stdout)


if __name__ == '__main__':
    cli.main()
