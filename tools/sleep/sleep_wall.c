// SPDX-License-Identifier: MIT
/* Sleeps until a moment of UTC, and asks the sources meanwhile: tools/sleep/sleep_wall.h. */
#include "sleep/sleep_wall.h"

#include <errno.h>

#include "cli/ticks.h"
#include "math/units.h"

/* From an update on the bound serves for this long. The library's own sleep is the last part, of up to that. */
#define ASK_NS  NS_PER_S
#define LAST_NS (3 * NS_PER_S / 2)

static int64_t middle_ns(const struct hpt_wall_time *t)
{
	return t->earliest_ns + (t->latest_ns - t->earliest_ns) / 2;
}

static int64_t error_ns(const struct hpt_wall_time *t)
{
	return (t->latest_ns - t->earliest_ns) / 2;
}

/* Sleeps until the last part begins, and refuses what the library would refuse. */
static int sleep_first_parts(hpt_wall *w, int64_t unix_ns, int64_t max_error_ns, int64_t *ret_error_ns)
{
	for (;;) {
		struct hpt_wall_time t;
		int r;

		hpt_wall_update(w);
		r = hpt_wall_now(w, &t);
		if (r)
			return r;
		if (max_error_ns && error_ns(&t) > max_error_ns) {
			*ret_error_ns = error_ns(&t);
			return -ERANGE;
		}
		if (ticks_minus(unix_ns, middle_ns(&t)) <= LAST_NS)
			return 0;
		hpt_sleep_ns(NULL, ASK_NS);
	}
}

/* The library's -ERANGE may be of the interval or of the end. */
static int end_of_last_part(hpt_wall *w, int64_t unix_ns, int64_t max_error_ns, int64_t *ret_error_ns)
{
	int r = hpt_wall_sleep_until_ns(w, unix_ns, max_error_ns, ret_error_ns);
	struct hpt_wall_time t;

	if (r != -ERANGE || hpt_wall_now(w, &t))
		return r;
	if (error_ns(&t) > max_error_ns) {
		*ret_error_ns = error_ns(&t);
		return -ERANGE;
	}
	*ret_error_ns = ticks_minus(middle_ns(&t), unix_ns);
	return -ETIME;
}

int sleep_wall_until(const struct hpt_wall_config *config, int64_t unix_ns, int64_t max_error_ns, int64_t *ret_error_ns,
		     int64_t *ret_miss_ns)
{
	struct hpt_wall_time t;
	hpt_wall *w;
	int r = hpt_wall_open(NULL, config, sizeof(*config), 0, &w);

	if (r)
		return r;
	r = sleep_first_parts(w, unix_ns, max_error_ns, ret_error_ns);
	if (!r)
		r = end_of_last_part(w, unix_ns, max_error_ns, ret_error_ns);
	if (!r)
		r = hpt_wall_now(w, &t);
	if (!r)
		*ret_miss_ns = ticks_minus(middle_ns(&t), unix_ns);
	hpt_wall_close(w);
	return r;
}
