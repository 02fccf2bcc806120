// SPDX-License-Identifier: MIT
/* Adds the rounds of a sweep to a file as lines of text, and reads them again: tools/bench/sweep_state.h. */
#include "bench/sweep_state.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "hpt/hpt.h"
#include "hpt/system.h"

#include "bench/sweep.h"
#include "cli/util.h"
#include "math/units.h"

#define FORMAT "hpt bench sleep, format 2"

/* Times are from the call on, and become readings of a counter that stood here: far from 0, which means unknown. */
#define BASE (INT64_C(1) << 40)

/* No number here needs more. */
#define MOST (INT64_C(1) << 55)

/* A sleep of an hour, the longest, that ends a day later has another cause, and more would not fit 64 bits of ps. */
#define MOST_NS (25 * 3600 * NS_PER_S)

/* The longest line has SWEEP_LENGTHS_MAX numbers of up to 17 digits. */
#define LINE_MAX_BYTES 1400

struct sweep_state {
	FILE *file;
	struct sweep_machine machine;
	off_t whole;                    /* the bytes up to the end of the last complete round */
	bool has_run;                   /* this run has added a round */
	_Atomic int error;              /* the first that writing met: nothing is added after it */
};

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

/* What is the same in all runs. */
static void write_head(const struct sweep *s, const struct sweep_machine *machine, FILE *to)
{
	fprintf(to, FORMAT "\nmachine %s\n", machine->s);
	for (unsigned way = 0; way < s->n_ways; way++)
		if (sweep_has(s, way))
			fprintf(to, "way %s\n", sleep_candidates[way].name);
	for (unsigned i = 0; i < s->n_lengths; i++)
		fprintf(to, "length %" PRId64 "\n", s->lengths_ns[i]);
}

/* A run measures the counter's rate itself, from which the ticks of its lengths follow. */
static void write_run(const struct sweep *s, FILE *to)
{
	fputs("run", to);
	for (unsigned i = 0; i < s->n_lengths; i++)
		fprintf(to, " %" PRId64, s->lengths_ticks[i]);
	fputc('\n', to);
}

static void write_round(const struct sweep *s, uint32_t round, FILE *to)
{
	for (unsigned i = 0; i < s->n_lengths; i++)
		for (unsigned way = 0; way < s->n_ways; way++)
			if (sweep_has(s, way))
				write_sleep(to, sweep_times(s, way, round, i));
	fprintf(to, "round %" PRId64 " %" PRIu32 "\n", s->elapsed_ns, s->disturbed);
}

/* A round of which a part was written, to a full disk, is taken back, and the rest of it dropped. */
static void fail(struct sweep_state *state, int error)
{
	state->error = error;
	__fpurge(state->file);
	if (ftruncate(fileno(state->file), state->whole) < 0)
		state->error = -errno;
}

void sweep_state_add(void *keeper, const struct sweep *s, uint32_t round)
{
	struct sweep_state *state = keeper;

	if (state->error)
		return;
	errno = 0;
	if (!state->whole)
		write_head(s, &state->machine, state->file);
	if (!state->has_run)
		write_run(s, state->file);
	write_round(s, round, state->file);
	if (fflush(state->file) != 0 || ferror(state->file)) {
		fail(state, -(errno ? errno : EIO));
		return;
	}
	state->has_run = true;
	state->whole = ftello(state->file);
}

/* ---- Reading ----------------------------------------------------------------------------------------------------- */

struct reader {
	FILE *from;
	char line[LINE_MAX_BYTES];
	bool has_ended;                 /* the last line is missing, or has no end */
	int64_t most_ticks;             /* the longest time that a sleep may have */
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

/* The rest of a line that has bytes of 0, or more than fit. False: the file ends before it does. */
static bool skip_line(FILE *from)
{
	int c;

	while ((c = getc(from)) != EOF)
		if (c == '\n')
			return true;
	return false;
}

/* The next line, without its end. */
static bool next_line(struct reader *r)
{
	size_t n;

	r->refusal->line++;
	r->has_ended = !fgets(r->line, sizeof(r->line), r->from);
	if (r->has_ended)
		return refuse(r, "the file ends too early");
	n = strlen(r->line);
	if (!n || r->line[n - 1] != '\n') {
		r->has_ended = !skip_line(r->from);
		return refuse(r, "the line is too long, or has no end");
	}
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

static bool take_since(const char **at, int64_t most_ticks, int64_t *ret)
{
	if (!strncmp(*at, "- ", 2)) {
		*ret = 0;
		*at += 2;
		return true;
	}
	if (!take_number(at, -most_ticks, ret) || *ret > most_ticks)
		return false;
	*ret += BASE;
	return true;
}

static bool take_sleep(const char *at, int64_t most_ticks, struct sleep_times *ret)
{
	struct sleep_times t = { .before = BASE };

	if (!take_since(&at, most_ticks, &t.after) || t.after < BASE || !take_since(&at, most_ticks, &t.target) ||
	    !take_since(&at, most_ticks, &t.entered) || !take_since(&at, most_ticks, &t.left) ||
	    !take_number(&at, 0, &t.cpu_ns) || !take_number(&at, 0, &t.user_us) ||
	    !take_number(&at, 0, &t.system_us) || *at || t.cpu_ns > MOST_NS || t.user_us > MOST_NS / NS_PER_US ||
	    t.system_us > MOST_NS / NS_PER_US)
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

static bool read_lengths(struct reader *r, const struct sweep *s)
{
	for (unsigned i = 0; i < s->n_lengths; i++) {
		const char *at = r->line + strlen("length ");
		int64_t ns;

		if (!next_line(r))
			return false;
		if (strncmp(r->line, "length ", strlen("length ")) != 0 || !take_number(&at, 1, &ns) || *at ||
		    ns != s->lengths_ns[i])
			return refuse(r, "it is of other lengths: see --longest, --shortest, --step and --table");
	}
	return true;
}

/* What was read of the runs until now. */
struct past {
	uint32_t rounds;
	int64_t elapsed_ns, disturbed;
	bool has_first;
	int64_t first_ticks[SWEEP_LENGTHS_MAX];         /* of the first run's lengths */
	int64_t more_ticks[SWEEP_LENGTHS_MAX];          /* what the first run's have more than this run's */
	off_t whole;                                    /* bytes up to here */
};

/* A counter's rate is the same in all runs, but for how well it was known. */
static bool is_near(int64_t ticks, int64_t now_ticks)
{
	return ticks >= now_ticks / 2 - 1 && ticks <= 2 * now_ticks + 1;
}

/* The line that begins a run is in @r. */
static bool take_run(struct reader *r, const struct sweep *s, struct past *past)
{
	const char *at = r->line + strlen("run ");

	for (unsigned i = 0; i < s->n_lengths; i++) {
		int64_t ticks;

		if (!take_number(&at, 0, &ticks) || !is_near(ticks, s->lengths_ticks[i]))
			return refuse(r, "the run's lengths are damaged");
		if (!past->has_first)
			past->first_ticks[i] = ticks;
		past->more_ticks[i] = past->first_ticks[i] - ticks;
	}
	past->has_first = true;
	return !*at || refuse(r, "the run's lengths are damaged, or more: see --longest, --shortest, --step");
}

/* The line of the first sleep is in @r. A round that the plan does not have is read all the same, to be counted. */
static bool take_sleeps(struct reader *r, const struct sweep *s, const struct past *past)
{
	bool has_line = true;

	for (unsigned i = 0; i < s->n_lengths; i++)
		for (unsigned way = 0; way < s->n_ways; way++) {
			struct sleep_times extra, *t = &extra;

			if (!sweep_has(s, way))
				continue;
			if (!has_line && !next_line(r))
				return false;
			has_line = false;
			if (past->rounds < s->plan.rounds)
				t = sweep_times(s, way, past->rounds, i);
			if (!take_sleep(r->line, r->most_ticks, t))
				return refuse(r, "the sleep is damaged");
			sweep_shift(t, past->more_ticks[i]);
		}
	return true;
}

static bool read_round_end(struct reader *r, struct past *past)
{
	const char *at = r->line + strlen("round ");
	int64_t elapsed_ns, disturbed;

	if (!next_line(r))
		return false;
	if (strncmp(r->line, "round ", strlen("round ")) != 0 || !take_number(&at, 0, &elapsed_ns) ||
	    !take_number(&at, 0, &disturbed) || *at || disturbed > UINT32_MAX)
		return refuse(r, "the end of the round is damaged");
	past->elapsed_ns = elapsed_ns;
	past->disturbed = disturbed;
	past->rounds++;
	past->whole = ftello(r->from);
	return true;
}

/* One round, with the line of its run where that begins. */
static bool read_round(struct reader *r, const struct sweep *s, struct past *past)
{
	if (!next_line(r))
		return false;
	if (!strncmp(r->line, "length ", strlen("length ")))
		return refuse(r, "it is of other lengths: see --longest, --shortest, --step and --table");
	if (!strncmp(r->line, "way ", strlen("way ")))
		return refuse(r, "it is of other ways to sleep: see --only");
	if (!strncmp(r->line, "run ", strlen("run ")) && (!take_run(r, s, past) || !next_line(r)))
		return false;
	if (!past->has_first)
		return refuse(r, "the line of the first run is missing");
	return take_sleeps(r, s, past) && read_round_end(r, past);
}

/* Complete rounds count. One that the end of the file cuts off was being written when its run was killed. */
static bool read_all(struct reader *r, const struct sweep *s, const struct sweep_machine *machine, struct past *ret)
{
	if (!read_head(r, s, machine) || !read_lengths(r, s))
		return false;
	while (read_round(r, s, ret))
		;
	if (!r->has_ended)
		return false;
	if (ret->rounds <= s->plan.rounds)
		return true;
	return refuse(r, "it has %" PRIu32 " rounds, which is more than --rounds asks for", ret->rounds);
}

static void adopt(struct sweep *s, const struct past *past)
{
	memcpy(s->resumed_ticks, past->first_ticks, sizeof(s->resumed_ticks));
	s->resumed_rounds = past->rounds;
	s->resumed_ns = past->elapsed_ns;
	s->resumed_disturbed = (uint32_t)past->disturbed;
}

/* ---- The file ---------------------------------------------------------------------------------------------------- */

/* A file that another run adds to would get the rounds of both in turn. */
static int open_own(const char *path, off_t *ret_bytes)
{
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0666);
	struct stat st = { 0 };
	int err = 0;

	if (fd < 0)
		return -errno;
	if (fstat(fd, &st) < 0)
		err = -errno;
	else if (!S_ISREG(st.st_mode))
		err = -EINVAL;
	else if (flock(fd, LOCK_EX | LOCK_NB) < 0 || fstat(fd, &st) < 0) /* another run may just have ended */
		err = -errno;
	*ret_bytes = st.st_size;
	if (err)
		close(fd);
	return err ? err : fd;
}

static const char *why_not(int err)
{
	if (err == -EINVAL)
		return "it is no regular file";
	return err == -EWOULDBLOCK ? "another run adds to it" : strerror(-err);
}

/* The rounds go into @s, and what is after them goes. */
static bool take_up(struct sweep_state *state, struct sweep *s, struct sweep_refusal *refusal)
{
	struct reader r = { .from = state->file, .refusal = refusal };
	struct past past = { 0 };

	/* Both below 2^63: a length has at most an hour, and a counter ticks at less than 100 GHz. */
	r.most_ticks = MOST_NS / s->lengths_ns[0] * s->lengths_ticks[0] + s->lengths_ticks[0];

	if (!read_all(&r, s, &state->machine, &past))
		return false;
	refusal->line = 0;
	if (fseeko(state->file, past.whole, SEEK_SET) < 0 || ftruncate(fileno(state->file), past.whole) < 0)
		return refuse(&r, "%s", strerror(errno));
	state->whole = past.whole;
	adopt(s, &past);
	return true;
}

struct sweep_state *sweep_state_open(const char *path, struct sweep *s, const struct sweep_machine *machine,
				     struct sweep_refusal *ret)
{
	struct sweep_state *state;
	off_t bytes = 0;
	int fd = open_own(path, &bytes);

	*ret = (struct sweep_refusal){ .line = 0 };
	if (fd < 0) {
		snprintf(ret->why, sizeof(ret->why), "%s", why_not(fd));
		return NULL;
	}
	state = xcalloc(1, sizeof(*state));
	*state = (struct sweep_state){ .file = fdopen(fd, "r+"), .machine = *machine };
	if (!state->file) {
		snprintf(ret->why, sizeof(ret->why), "%s", strerror(errno));
		close(fd);
	} else if (!bytes || take_up(state, s, ret)) {
		return state;
	} else {
		fclose(state->file);
	}
	free(state);
	return NULL;
}

void sweep_state_close(struct sweep_state *state)
{
	if (state)
		fclose(state->file);
	free(state);
}

int sweep_state_error(const struct sweep_state *state)
{
	return state->error;
}
