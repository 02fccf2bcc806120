# SPDX-License-Identifier: MIT

#: tools/trace/tracks.h
s/return ((uint64_t)e->process + 1) << 32 | e->track;/return ((uint64_t)e->process) << 32 | e->track;/
s/return ((uint64_t)e->process + 1) << 32 | e->track;/return ((uint64_t)e->process + 1) << 32 | (e->track \& 0xffff);/
#: tools/trace/tracks.c
s/value = (value ^ (unsigned char)text\[i\]) \* UINT64_C(0x100000001b3);/value += (unsigned char)text[i];/
s/t->known\[at\].id == id \&\& t->/t->/
s/ \&\& t->known\[at\].name == name//
s/	t->known\[at\].id = id;/	;/
s/	t->known\[at\].name = name;/	;/
