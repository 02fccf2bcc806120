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
	struct track *place = t->known[(id ^ id >> 32) % TRACKS_PLACES];

	for (int i = 0; i < 2; i++)
		if (place[i].id == id && place[i].name == name)
			return false;
	if (place[0].id != id)
		place[1] = place[0];
	place[0] = (struct track){ .id = id, .name = name };
	return true;
}
