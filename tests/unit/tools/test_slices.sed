# SPDX-License-Identifier: MIT

#: tools/trace/slices.c
s/(\*at)->begin.track != e->track || //
s/ || (\*at)->begin.process != e->process//
s/around ? around->id : 0/0/
s/it->begin.name = it->name;/;/
s/	it->begin.thread = NULL;/	;/
s/it->next = \*bucket;/it->next = NULL;/
