// SPDX-License-Identifier: MIT
/* Adds up what cpu.stat says of the process's control groups: lib/preload/throttled.h. */
#include "preload/throttled.h"

#include <string.h>

#include "arch/arch.h"
#include "math/decimal.h"
#include "math/scale.h"
#include "math/units.h"

/* The kernel writes some twenty lines of less than 40 characters. */
#define TEXT_SIZE 1024

/* The number after a line's first word; 0: there is no such line. */
static COLD int64_t number_after(const char *text, const char *word)
{
	size_t n = strlen(word);
	int64_t number;

	while (text && (strncmp(text, word, n) != 0 || text[n] != ' ')) {
		text = strchr(text, '\n');
		text += text != NULL;
	}
	if (!text)
		return 0;
	text += n + 1;
	number = hpt_decimal_take(&text);
	return number > 0 ? number : 0;
}

static COLD int64_t ns_of(int64_t us)
{
	return us < INT64_MAX / NS_PER_US ? us * NS_PER_US : INT64_MAX;
}

/* Version 1 counts nanoseconds. */
static COLD void look(struct hpt_cgroups *g, int version)
{
	struct hpt_throttled *t = g->ctx;
	char text[TEXT_SIZE];

	if (hpt_cgroup_read(g, "/cpu.stat", text, sizeof(text)))
		t->ns = hpt_sum(t->ns, version == 1 ? number_after(text, "throttled_time") :
						      ns_of(number_after(text, "throttled_usec")));
}

/* FNV-1a, of 64 bits. */
static COLD uint64_t mark_of(const char *text, uint64_t mark)
{
	for (; *text; text++)
		mark = (mark ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
	return mark;
}

COLD struct hpt_throttled hpt_throttled_read(struct hpt_cgroups *g, const struct hpt_env *env)
{
	struct hpt_throttled t = { 0 };

	g->env = env;
	g->controller = "cpu";
	g->look = look;
	g->ctx = &t;
	hpt_cgroup_each(g);
	t.groups = mark_of(g->path[1], mark_of(g->path[0], UINT64_C(0xcbf29ce484222325)));
	return t;
}
