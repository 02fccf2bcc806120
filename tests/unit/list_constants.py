#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""list_constants.py GROUPS HEADER... OUTPUT: the numbered constants of the public headers as a C table."""
import re
import sys

text = ''.join(open(header).read() for header in sys.argv[2:-1])
names = re.findall(r'^\t(HPT_(?:%s)_\w+) += \d+' % sys.argv[1], text, re.M)
with open(sys.argv[-1], 'w') as out:
    out.write('static const struct { const char *name; uint32_t value; } constants[] = {\n')
    out.writelines('\t{ "%s", %s },\n' % (n, n) for n in names)
    out.write('};\n')
