// SPDX-License-Identifier: MIT
/* Remembers threads by a hash of their numbers: tools/trace/tracks.h. */
#include "trace/tracks.h"

/* FNV-1a, http://www.isthe.com/chongo/tech/comp/fnv/ */
static uint64_t hash(const char *text, size_t n)
{
	uint64_t value = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < n; i++)
		value = (value ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
	return value;
}

bool tracks_is_new(struct tracks *t, const struct event *e)
{
	uint64_t id = tracks_id(e), name = hash(e->thread, e->thread_length);
	size_t at = (id ^ id >> 32) % TRACKS_KNOWN;

	if (t->known[at].id == id && t->known[at].name == name)
		return false;
	t->known[at].id = id;
	t->known[at].name = name;
	return true;
}
