// SPDX-License-Identifier: MIT
/*
 * Simulates a fleet of machines, each with a wall of the library's, and prints what was seen as a JSON object.
 *
 * usage: fleet [machines=N] [minutes=N] [seed=N] [lies=1] [claim_percent=N] [rates_percent=N]
 *
 * lies: some servers lie for a part of the time. claim_percent: how wide statements and rates are that machines
 * believe, of what is proven. rates_percent: how far the counters' rates are off at most, of what is claimed. All
 * claims are true where both are 100.
 */
#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "../arguments.h"
#include "fleet.h"
#include "math/units.h"

static void print_spread(const struct spread *s, const char *after)
{
	printf("[%" PRId64 ", %" PRId64 ", %" PRIu64 "]%s", spread_at(s, 0.5), spread_at(s, 0.99), s->n, after);
}

/* Medians, 99th percentiles and counts. */
static void print_table(const char *key, const struct spread *s, uint32_t rows, uint32_t columns)
{
	printf(", \"%s\": [", key);
	for (uint32_t row = 0; row < rows; row++) {
		printf("%s[", row ? ", " : "");
		for (uint32_t i = 0; i < columns; i++)
			print_spread(&s[row * columns + i], i + 1 < columns ? ", " : "]");
	}
	printf("]");
}

#define NUMBER(of, name) printf(", \"" #name "\": %" PRIu64, (of)->name)

static void print_tally(const struct tally *t)
{
	NUMBER(t, asked);
	NUMBER(t, unanswered);
	NUMBER(t, fed);
	NUMBER(t, refused);
	NUMBER(t, read);
	NUMBER(t, no_bound);
	NUMBER(t, false_of_true);
	NUMBER(t, false_of_false);
	NUMBER(t, of_false);
	NUMBER(t, fell);
	NUMBER(t, starts);
	NUMBER(t, reboots);
	NUMBER(t, silences);
	printf(", \"worst_ns\": %" PRId64, t->worst_ns);
}

static void print_transactions(const struct transactions *t)
{
	NUMBER(t, begun);
	NUMBER(t, committed);
	NUMBER(t, messages);
	NUMBER(t, violations);
	NUMBER(t, false_violations);
	NUMBER(t, repeated);
	NUMBER(t, early);
	NUMBER(t, unavailable);
	NUMBER(t, again);
	NUMBER(t, waits_lost);
	NUMBER(t, bad_messages);
	printf(", \"closest_ns\": %" PRId64, t->closest_ns);
}

int main(int argc, char **argv)
{
	static struct fleet f;
	char **words = argv + 1;
	const struct terms terms = {
		.claim_percent = number_of(words, "claim_percent", 100),
		.rates_percent = number_of(words, "rates_percent", 100),
	};
	uint32_t machines = (uint32_t)number_of(words, "machines", 1000);

	(void)argc;
	fleet_make(&f, &terms, machines, (uint64_t)number_of(words, "seed", 1),
		   number_of(words, "minutes", 120) * 60 * NS_PER_S, number_of(words, "lies", 0));
	fleet_run(&f);
	printf("{\"machines\": %u, \"events\": %" PRIu64 ", \"cpu_s\": %.3f", machines, f.events,
	       (double)clock() / CLOCKS_PER_SEC);
	print_tally(&f.tally);
	print_transactions(&f.sum);
	print_table("width", f.width[0], POLLS, DELAYS);
	print_table("wait", f.wait[0], POLLS, DELAYS);
	print_table("chain", f.chain[0], NETWORKS, HOPS_MAX);
	puts("}");
	fleet_free(&f);
	return 0;
}
