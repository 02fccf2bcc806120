#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""list_constants.py HEADER OUTPUT: the numbered constants of hpt.h as a C table."""
import re
import sys

names = re.findall(r'^#define (HPT_(?:REASON|SOURCE|STAGE|STATE|ORIGIN|CPU)_\w+)\s+\d+u\b', open(sys.argv[1]).read(), re.M)
names = [n for n in names if not n.endswith('_SIZE_V0')]
with open(sys.argv[2], 'w') as out:
    out.write('static const struct { const char *name; uint32_t value; } constants[] = {\n')
    out.writelines('\t{ "%s", %s },\n' % (n, n) for n in names)
    out.write('};\n')
