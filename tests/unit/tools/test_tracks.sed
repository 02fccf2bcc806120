# SPDX-License-Identifier: MIT

#: tools/trace/tracks.h
s/return ((uint64_t)e->process + 1) << 32 | e->track;/return ((uint64_t)e->process) << 32 | e->track;/
s/return ((uint64_t)e->process + 1) << 32 | e->track;/return ((uint64_t)e->process + 1) << 32 | (e->track \& 0xffff);/
#: tools/trace/tracks.c
s/value = (value ^ (unsigned char)text\[i\]) \* UINT64_C(0x100000001b3);/value += (unsigned char)text[i];/
s/place\[i\].id == id \&\& place/place/
s/ \&\& place\[i\].name == name//
s/	if (place\[0\].id != id)/	if (1)/
s/		place\[1\] = place\[0\];/		(void)place;/
s/(struct track){ .id = id, .name = name }/(struct track){ .id = id }/
