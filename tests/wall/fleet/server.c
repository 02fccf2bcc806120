// SPDX-License-Identifier: MIT
/* The error of a simulated server: server.h. */
#include "server.h"

#include "math/units.h"
#include "stream.h"

/* Its error is another one after a quarter of an hour to two hours. */
static int64_t stretch_ns(const struct server *s)
{
	return (900 + (int64_t)(s->key % 6300)) * NS_PER_S;
}

static int64_t own_error_ns(const struct server *s, int64_t at_ns)
{
	struct stream random = { stream_mix(s->key + (uint64_t)(at_ns / stretch_ns(s))) };

	switch (stream_below(&random, 4)) {
	case 0:
		return -s->bound_ns;
	case 1:
		return s->bound_ns;
	default:
		return stream_between(&random, -s->bound_ns, s->bound_ns);
	}
}

int64_t server_ahead_ns(const struct server *s, int64_t at_ns)
{
	bool lies = at_ns >= s->lie_from_ns && at_ns < s->lie_to_ns;

	return own_error_ns(s, at_ns) + (lies ? s->lie_ns : 0);
}

bool server_is_false(const struct server *s, int64_t at_ns)
{
	int64_t ahead_ns = server_ahead_ns(s, at_ns);

	return ahead_ns < -s->bound_ns || ahead_ns > s->bound_ns;
}
