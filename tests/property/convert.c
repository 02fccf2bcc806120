// SPDX-License-Identifier: MIT
/*
 * Converts streams of numbers for convert.py. It reads a request and then pairs, and writes triples, all of int64 in
 * this machine's byte order.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "math/unix_time.h"
#include "math/units.h"

/* In the order of OPS in convert.py. */
enum { TICKS_TO_NS, NS_TO_TICKS, ADD, TICKS_TO_TIMESPEC, TO_TIMESPEC, FROM_TIMESPEC, TO_UNIX_NS, UNIX_TICKS };

struct request {
	int64_t op, num, den;  /* nanoseconds per tick = num / den */
	int64_t tick, unix_ns; /* this tick is that Unix time */
	int64_t unit_ns;       /* the unit of ADD's amounts */
	int64_t n;
};

struct pair { int64_t x, y; };
struct triple { int64_t status, u, v; };

static struct triple seconds(struct hpt_wide ns)
{
	struct triple r = { 0 };
	uint32_t above_ns;

	hpt_wide_seconds(ns, &r.u, &above_ns);
	r.v = above_ns;
	return r;
}

static int64_t add(const struct hpt_unix_time *e, struct pair p, int64_t unit_ns, int64_t *ret)
{
	struct hpt_wide ns = hpt_wide_product(p.y, (uint64_t)unit_ns);
	struct hpt_wide ticks = hpt_scale_ticks(ns, e->tick_per_ns, e->ray.slope);

	return hpt_wide_narrow(hpt_wide_add(hpt_wide_of(p.x), ticks), ret);
}

static struct triple convert(const struct request *rq, const struct hpt_unix_time *e, struct pair p)
{
	struct triple r = { 0 };

	switch (rq->op) {
	case TICKS_TO_NS:
		r.u = hpt_scale_round(p.x, e->ray.slope);
		break;
	case NS_TO_TICKS:
		r.u = hpt_scale_round(p.x, e->tick_per_ns);
		break;
	case ADD:
		r.status = add(e, p, rq->unit_ns, &r.u);
		break;
	case TICKS_TO_TIMESPEC:
		return seconds(hpt_scale_wide(hpt_wide_of(p.x), e->ray.slope));
	case TO_TIMESPEC:
		return seconds(hpt_ray_ns(&e->ray, p.x));
	case FROM_TIMESPEC:
		r.status = hpt_ray_tick(&e->ray, hpt_wide_add(hpt_wide_product(p.x, NS_PER_S), hpt_wide_of(p.y)),
					      &r.u);
		break;
	case TO_UNIX_NS:
		r.status = hpt_wide_narrow(hpt_ray_ns(&e->ray, p.x), &r.u);
		break;
	case UNIX_TICKS:
		r.status = hpt_unix_time_ticks(e, p.x, &r.u);
		break;
	default:
		exit(2);
	}
	return r;
}

int main(void)
{
	struct request rq;
	struct hpt_unix_time e;
	struct pair p;

	if (fread(&rq, sizeof(rq), 1, stdin) != 1)
		return 2;
	e = (struct hpt_unix_time){ .ray = { rq.tick, rq.unix_ns, hpt_scale_of((uint64_t)rq.num, (uint64_t)rq.den) },
				    .tick_per_ns = hpt_scale_of((uint64_t)rq.den, (uint64_t)rq.num) };
	for (int64_t i = 0; i < rq.n; i++) {
		struct triple r;

		if (fread(&p, sizeof(p), 1, stdin) != 1)
			return 2;
		r = convert(&rq, &e, p);
		if (fwrite(&r, sizeof(r), 1, stdout) != 1)
			return 2;
	}
	return fflush(stdout) != 0;
}
