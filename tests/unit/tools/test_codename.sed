# SPDX-License-Identifier: MIT

#: tools/info/codename.c
s/family <= tables/family < tables/
s/ \&\& ours >= tables\[i\].since//
s/has_vendor = true/has_vendor = false/
