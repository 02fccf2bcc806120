// SPDX-License-Identifier: MIT
/* Writes and reads the sleeps of a sweep as lines of text: tools/bench/sweep_state.h. */
#include "bench/sweep_state.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "hpt/hpt.h"
#include "hpt/system.h"

#include "bench/sweep.h"

#define FORMAT "hpt bench sleep, format 1"

/* Times are from the call on, and become readings of a counter that stood here: far from 0, which means unknown. */
#define BASE (INT64_C(1) << 40)

/* Ten years at 100 GHz: a longer time is no time of a sleep. */
#define MOST (INT64_C(1) << 55)

#define LINE_MAX_BYTES 400

struct sweep_machine sweep_state_machine(const struct sweep *s)
{
	struct hpt_cpu_info cpu = { 0 };
	struct sweep_machine ret;
	struct utsname os = { 0 };

	uname(&os);
	if (hpt_cpu_get_info(&cpu, sizeof(cpu)) < 0)
		cpu = (struct hpt_cpu_info){ 0 };
	snprintf(ret.s, sizeof(ret.s), "%.48s %" PRIu32 ".%" PRIu32 ".%" PRIu32 ", %.20s %.64s %.20s, source %s",
		 cpu.brand, cpu.family, cpu.model, cpu.stepping, os.sysname, os.release, os.machine,
		 hpt_source_name(s->watch.source));
	return ret;
}

/* ---- Writing ----------------------------------------------------------------------------------------------------- */

static void write_since(FILE *to, int64_t from, int64_t at)
{
	if (at)
		fprintf(to, "%" PRId64 " ", at - from);
	else
		fputs("- ", to);
}

static void write_sleep(FILE *to, const struct sleep_times *t)
{
	write_since(to, t->before, t->after);
	write_since(to, t->before, t->target);
	write_since(to, t->before, t->entered);
	write_since(to, t->before, t->left);
	fprintf(to, "%" PRId64 " %" PRId64 " %" PRId64 "\n", t->cpu_ns, t->user_us, t->system_us);
}

/* The lines that say what was measured. All but the last are the same in all runs. */
static void write_ways(const struct sweep *s, FILE *to)
{
	for (unsigned way = 0; way < s->n_ways; way++)
		if (sweep_has(s, way))
			fprintf(to, "way %s\n", sleep_candidates[way].name);
}

void sweep_state_write(const struct sweep *s, const struct sweep_machine *machine, FILE *to)
{
	uint32_t rounds = atomic_load_explicit(&s->rounds_done, memory_order_acquire);

	fprintf(to, FORMAT "\nmachine %s\n", machine->s);
	write_ways(s, to);
	for (unsigned i = 0; i < s->n_lengths; i++)
		fprintf(to, "length %" PRId64 " %" PRId64 "\n", s->lengths_ns[i], s->lengths_ticks[i]);
	fprintf(to, "rounds %" PRIu32 " %" PRId64 " %" PRIu32 "\n", rounds, s->elapsed_ns, s->disturbed);
	for (uint32_t round = 0; round < rounds; round++)
		for (unsigned i = 0; i < s->n_lengths; i++)
			for (unsigned way = 0; way < s->n_ways; way++)
				if (sweep_has(s, way))
					write_sleep(to, sweep_times(s, way, round, i));
	fputs("end\n", to);
}

/* ---- Reading ----------------------------------------------------------------------------------------------------- */

struct reader {
	FILE *from;
	char line[LINE_MAX_BYTES];
	struct sweep_refusal *refusal;
};

static bool __attribute__((format(printf, 2, 3))) refuse(struct reader *r, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(r->refusal->why, sizeof(r->refusal->why), fmt, ap);
	va_end(ap);
	return false;
}

/* The next line, without its end. */
static bool next_line(struct reader *r)
{
	size_t n;

	r->refusal->line++;
	if (!fgets(r->line, sizeof(r->line), r->from))
		return refuse(r, "the file ends too early");
	n = strlen(r->line);
	if (!n || r->line[n - 1] != '\n')
		return refuse(r, "the line has no end");
	r->line[n - 1] = '\0';
	return true;
}

/* A whole number up to MOST at *at, which then is after it and a blank or the end. */
static bool take_number(const char **at, int64_t least, int64_t *ret)
{
	char *end;

	if (!(**at >= '0' && **at <= '9') && **at != '-')
		return false;
	errno = 0;
	*ret = strtoll(*at, &end, 10);
	if (errno || end == *at || *ret < least || *ret > MOST || (*end && *end != ' '))
		return false;
	*at = *end ? end + 1 : end;
	return true;
}

static bool take_since(const char **at, int64_t *ret)
{
	if (!strncmp(*at, "- ", 2)) {
		*ret = 0;
		*at += 2;
		return true;
	}
	if (!take_number(at, -MOST, ret))
		return false;
	*ret += BASE;
	return true;
}

static bool take_sleep(const char *at, struct sleep_times *ret)
{
	struct sleep_times t = { .before = BASE };

	if (!take_since(&at, &t.after) || t.after < BASE || !take_since(&at, &t.target) ||
	    !take_since(&at, &t.entered) || !take_since(&at, &t.left) || !take_number(&at, 0, &t.cpu_ns) ||
	    !take_number(&at, 0, &t.user_us) || !take_number(&at, 0, &t.system_us) || *at)
		return false;
	*ret = t;
	return true;
}

static bool read_fixed(struct reader *r, const char *wanted, const char *why)
{
	return next_line(r) && (!strcmp(r->line, wanted) || refuse(r, "%s", why));
}

static bool read_head(struct reader *r, const struct sweep *s, const struct sweep_machine *machine)
{
	char wanted[300];

	if (!read_fixed(r, FORMAT, "it is no file of hpt bench sleep --resume, or one of another version"))
		return false;
	snprintf(wanted, sizeof(wanted), "machine %s", machine->s);
	if (!next_line(r))
		return false;
	if (strcmp(r->line, wanted) != 0)
		return refuse(r, "it was measured on another machine, kernel or source: %.120s", r->line);
	for (unsigned way = 0; way < s->n_ways; way++) {
		snprintf(wanted, sizeof(wanted), "way %s", sleep_candidates[way].name);
		if (sweep_has(s, way) && !read_fixed(r, wanted, "it is of other ways to sleep: see --only"))
			return false;
	}
	return true;
}

static bool read_lengths(struct reader *r, const struct sweep *s, int64_t ticks[SWEEP_LENGTHS_MAX])
{
	for (unsigned i = 0; i < s->n_lengths; i++) {
		const char *at = r->line + strlen("length ");
		int64_t ns;

		if (!next_line(r))
			return false;
		if (strncmp(r->line, "length ", strlen("length ")) != 0 || !take_number(&at, 1, &ns) ||
		    ns != s->lengths_ns[i] || !take_number(&at, 1, &ticks[i]) || *at)
			return refuse(r, "it is of other lengths: see --longest, --shortest, --step and --table");
	}
	return true;
}

struct past { int64_t rounds, elapsed_ns, disturbed; };

static bool read_rounds(struct reader *r, const struct sweep *s, struct past *ret)
{
	const char *at = r->line + strlen("rounds ");

	if (!next_line(r))
		return false;
	if (!strncmp(r->line, "length ", strlen("length ")))
		return refuse(r, "it is of other lengths: see --longest, --shortest, --step and --table");
	if (strncmp(r->line, "rounds ", strlen("rounds ")) != 0 || !take_number(&at, 0, &ret->rounds) ||
	    !take_number(&at, 0, &ret->elapsed_ns) || !take_number(&at, 0, &ret->disturbed) || *at ||
	    ret->disturbed > UINT32_MAX)
		return refuse(r, "the number of its rounds is damaged, or its ways are more: see --only");
	if (ret->rounds >= s->plan.rounds)
		return refuse(r, "it has %" PRId64 " rounds, and --rounds asks for no more", ret->rounds);
	return true;
}

static bool read_sleeps(struct reader *r, const struct sweep *s, int64_t rounds)
{
	for (uint32_t round = 0; round < rounds; round++)
		for (unsigned i = 0; i < s->n_lengths; i++)
			for (unsigned way = 0; way < s->n_ways; way++) {
				if (!sweep_has(s, way))
					continue;
				if (!next_line(r))
					return false;
				if (!take_sleep(r->line, sweep_times(s, way, round, i)))
					return refuse(r, "the sleep is damaged");
			}
	return read_fixed(r, "end", "it has more than its rounds");
}

bool sweep_state_read(struct sweep *s, const struct sweep_machine *machine, FILE *from, struct sweep_refusal *ret)
{
	struct reader r = { .from = from, .refusal = ret };
	int64_t ticks[SWEEP_LENGTHS_MAX];
	struct past past;

	*ret = (struct sweep_refusal){ .line = 0 };
	if (!read_head(&r, s, machine) || !read_lengths(&r, s, ticks) || !read_rounds(&r, s, &past) ||
	    !read_sleeps(&r, s, past.rounds))
		return false;
	memcpy(s->resumed_ticks, ticks, sizeof(ticks[0]) * s->n_lengths);
	s->resumed_rounds = (uint32_t)past.rounds;
	s->resumed_ns = past.elapsed_ns;
	s->resumed_disturbed = (uint32_t)past.disturbed;
	return true;
}
