# SPDX-License-Identifier: MIT

#: tools/codename.c
s/family <= tables/family < tables/
s/ \&\& ours >= tables\[i\].since//
s/1000 \* major + minor/minor/
s/has_vendor = true/has_vendor = false/
