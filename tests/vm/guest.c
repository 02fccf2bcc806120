// SPDX-License-Identifier: MIT
/*
 * Runs inside the emulated machine: a process that has the library loaded, holds a clock and reads it while something
 * else happens. Built for 64 and for 32 bits.
 *
 * usage: guest hold|release|watch|check SOURCE COMMAND...
 *        guest rate SOURCE MILLISECONDS
 *        guest move hpet TICKS
 * SOURCE is "default", or a source to open: "tsc", "hpet", "os". The exit status is COMMAND's.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "guest.h"

/* A watching process reads in bursts, and leaves most of the CPU to the command. */
#define READS_PER_BURST 200
#define PAUSE_US        1000

/* A reading further than this from the kernel's own clock is wrong. The emulator makes reads slow and coarse. */
#define WRONG_NS 1000000

/* By then the library has taken at least two samples and follows a clock that runs at a constant rate. */
#define SETTLED_NS 2500000000

/* The narrowest of this many samples is taken, so that a preempted one does not spoil the rate. */
#define SAMPLES 200

static int run(char *const command[])
{
	int status = -1;

	waitpid(start(command), &status, 0);
	return finish(status);
}

static int hold(const char *source, char *const args[])
{
	hpt_clock *clk = open_clock(source);
	int status;

	hpt_now_ns(clk);
	status = run(args);
	hpt_now_ns(clk);
	hpt_clock_close(clk);
	return status;
}

static int release(const char *source, char *const args[])
{
	hpt_clock *clk = open_clock(source), *other = open_clock(source);

	hpt_now_ns(clk);
	hpt_clock_close(clk);
	hpt_now_ns(other);
	hpt_clock_close(other);
	return run(args);
}

/* ---- Reads while a command runs ---------------------------------------------------------------------- */

struct order {
	int64_t  last, worst; /* the latest value, and the largest step back */
	uint64_t back;        /* steps back */
};

static void follow(struct order *o, int64_t value)
{
	if (value < o->last) {
		o->back++;
		if (o->last - value > o->worst)
			o->worst = o->last - value;
	}
	o->last = value;
}

/* A clock compared with the kernel's clock that it should follow. */
struct course {
	clockid_t id;                /* the kernel's */
	int64_t   (*read)(hpt_clock *clk);
	int64_t   since_raw_ns;      /* when the watch began */
	int64_t   worst_ns, settled_ns, last_ns; /* error: the largest, the largest after SETTLED_NS, the last */
	int64_t   first_raw_ns, last_raw_ns; /* when it was first and last wrong, by CLOCK_MONOTONIC_RAW; or 0 */
};

/* 0 for a reading between two of the kernel's, however long the emulator took for them; else its distance from them. */
static int64_t off_ns(hpt_clock *clk, const struct course *c)
{
	int64_t before = clock_ns(c->id), ns = c->read(clk), after = clock_ns(c->id);

	return ns < before ? ns - before : ns > after ? ns - after : 0;
}

static void compare(hpt_clock *clk, struct course *c)
{
	int64_t raw_ns = clock_ns(CLOCK_MONOTONIC_RAW);

	c->last_ns = off_ns(clk, c);
	if (llabs(c->last_ns) > llabs(c->worst_ns))
		c->worst_ns = c->last_ns;
	if (raw_ns - c->since_raw_ns > SETTLED_NS && llabs(c->last_ns) > llabs(c->settled_ns))
		c->settled_ns = c->last_ns;
	if (llabs(c->last_ns) <= WRONG_NS)
		return;
	c->last_raw_ns = clock_ns(CLOCK_MONOTONIC_RAW);
	if (!c->first_raw_ns)
		c->first_raw_ns = raw_ns;
}

/* Everything watched about one clock. */
struct watch {
	hpt_clock    *clk;
	bool          check; /* with hpt_clock_check() in each burst */
	struct order   ticks, ns;
	struct order   in_generation;
	uint64_t      generation;
	struct course timeline, unix_time;
};

/* The kernel's clock whose nanoseconds hpt_now_ns() returns: the OS clock's is another one. */
static clockid_t timeline_of(hpt_clock *clk)
{
	struct hpt_clock_info info = { 0 };

	if (hpt_clock_get_info(clk, &info, sizeof(info)))
		exit(1);
	return info.source == HPT_SOURCE_OS ? CLOCK_MONOTONIC : CLOCK_MONOTONIC_RAW;
}

static struct watch start_watch(hpt_clock *clk, bool check)
{
	int64_t raw_ns = clock_ns(CLOCK_MONOTONIC_RAW);

	return (struct watch){
		.clk = clk, .check = check,
		.ticks.last = hpt_now(clk), .ns.last = hpt_now_ns(clk),
		.timeline = { timeline_of(clk), hpt_now_ns, .since_raw_ns = raw_ns },
		.unix_time = { CLOCK_REALTIME, hpt_now_unix_ns, .since_raw_ns = raw_ns },
	};
}

/* Times never go back within a generation; a new one may begin earlier. */
static void follow_generation(struct watch *w)
{
	uint64_t generation = hpt_clock_generation(w->clk);
	int64_t ns = hpt_now_ns(w->clk);

	if (hpt_clock_generation(w->clk) != generation)
		return;
	if (generation != w->generation)
		w->in_generation.last = ns;
	w->generation = generation;
	follow(&w->in_generation, ns);
}

static void read_burst(struct watch *w)
{
	for (int i = 0; i < READS_PER_BURST; i++) {
		follow(&w->ticks, hpt_now(w->clk));
		follow(&w->ns, hpt_now_ns(w->clk));
	}
	if (w->check)
		hpt_clock_check(w->clk, NULL);
	follow_generation(w);
	compare(w->clk, &w->timeline);
	compare(w->clk, &w->unix_time);
}

static void print_clock(hpt_clock *clk)
{
	struct hpt_clock_info info = { 0 };

	if (hpt_clock_get_info(clk, &info, sizeof(info)))
		exit(1);
	printf("{\"source\": \"%s\", \"reason_code\": %" PRIu32 ", \"state\": %" PRIu32 ", \"generation\": %" PRIu64
	       ", \"frequency_uhz\": %" PRIu64 ", \"pointer_bits\": %zu", hpt_source_name(info.source), info.reason,
	       info.state, info.generation, info.frequency_uhz, 8 * sizeof(void *));
}

struct moment {
	int64_t ticks, ns, raw_ns, boottime_ns;
};

static struct moment take_moment(hpt_clock *clk)
{
	return (struct moment){
		.ticks = hpt_now(clk), .ns = hpt_now_ns(clk),
		.raw_ns = clock_ns(CLOCK_MONOTONIC_RAW), .boottime_ns = clock_ns(CLOCK_BOOTTIME),
	};
}

static void print_moment(const char *name, const struct moment *m)
{
	printf(", \"%s\": {\"ticks\": %" PRId64 ", \"ns\": %" PRId64 ", \"raw_ns\": %" PRId64
	       ", \"boottime_ns\": %" PRId64 "}", name, m->ticks, m->ns, m->raw_ns, m->boottime_ns);
}

static void print_order(const char *name, const struct order *o)
{
	printf(", \"%s\": {\"back\": %" PRIu64 ", \"worst\": %" PRId64 "}", name, o->back, o->worst);
}

static void print_course(const char *name, const struct course *c)
{
	printf(", \"%s\": {\"worst_ns\": %" PRId64 ", \"settled_ns\": %" PRId64 ", \"last_ns\": %" PRId64
	       ", \"wrong_for_ns\": %" PRId64 "}", name, c->worst_ns, c->settled_ns, c->last_ns,
	       c->last_raw_ns - c->first_raw_ns);
}

static void print_watch(const struct watch *w, const struct moment *before, const struct moment *after)
{
	print_clock(w->clk);
	printf(", \"check\": %s", w->check ? "true" : "false");
	print_moment("before", before);
	print_moment("after", after);
	print_order("now", &w->ticks);
	print_order("now_ns", &w->ns);
	print_order("in_generation", &w->in_generation);
	print_course("timeline", &w->timeline);
	print_course("unix", &w->unix_time);
	puts("}");
}

static int watch_command(const char *source, char *const args[], bool check)
{
	struct watch w = start_watch(open_clock(source), check);
	struct moment before = take_moment(w.clk), after;
	int status = 0;
	pid_t pid;

	read_burst(&w);
	pid = start(args);
	while (!waitpid(pid, &status, WNOHANG)) {
		read_burst(&w);
		usleep(PAUSE_US);
	}
	read_burst(&w);
	after = take_moment(w.clk);
	print_watch(&w, &before, &after);
	hpt_clock_close(w.clk);
	return finish(status);
}

static int watch(const char *source, char *const args[])
{
	return watch_command(source, args, false);
}

static int check(const char *source, char *const args[])
{
	return watch_command(source, args, true);
}

/* ---- Rate ------------------------------------------------------------------------------------------------ */

struct sample {
	int64_t ticks, clock_ns;
};

static struct sample take_sample(hpt_clock *clk, clockid_t id)
{
	struct sample best = { 0 };
	int64_t narrowest = INT64_MAX;

	for (int i = 0; i < SAMPLES; i++) {
		int64_t before = clock_ns(id), ticks = hpt_now(clk), after = clock_ns(id);

		if (after - before < narrowest) {
			narrowest = after - before;
			best = (struct sample){ .ticks = ticks, .clock_ns = before + narrowest / 2 };
		}
	}
	return best;
}

static void print_rate(const char *name, struct sample a, struct sample b)
{
	printf(", \"%s\": {\"ticks\": %" PRId64 ", \"ns\": %" PRId64 "}", name, b.ticks - a.ticks,
	       b.clock_ns - a.clock_ns);
}

static int rate(const char *source, char *const args[])
{
	hpt_clock *clk = open_clock(source);
	struct sample monotonic = take_sample(clk, CLOCK_MONOTONIC), raw = take_sample(clk, CLOCK_MONOTONIC_RAW);

	usleep((useconds_t)atoi(args[0]) * 1000);
	print_clock(clk);
	print_rate("monotonic", monotonic, take_sample(clk, CLOCK_MONOTONIC));
	print_rate("raw", raw, take_sample(clk, CLOCK_MONOTONIC_RAW));
	puts("}");
	hpt_clock_close(clk);
	return 0;
}

/* ---- An HPET that another process uses ------------------------------------------------------------------- */

/* The address is the same on every PC. The enum numbers the 32-bit registers. */
#define HPET_ADDRESS 0xfed00000
#define HPET_SIZE    4096
enum { HPET_CONFIG = 0x10 / 4, HPET_LOW = 0xf0 / 4, HPET_HIGH = 0xf4 / 4 };

static volatile uint32_t *map_hpet(void)
{
	int fd = open("/dev/mem", O_RDWR | O_SYNC);
	void *page = mmap(NULL, HPET_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, HPET_ADDRESS);

	if (page != MAP_FAILED)
		return page;
	perror("/dev/mem");
	exit(FAILED);
}

/* The counter is halted meanwhile: a running one cannot be set. */
static int move(const char *source, char *const args[])
{
	volatile uint32_t *hpet = map_hpet();
	uint64_t ticks;

	(void)source;
	hpet[HPET_CONFIG] = 0;
	ticks = ((uint64_t)hpet[HPET_HIGH] << 32 | hpet[HPET_LOW]) + (uint64_t)atoll(args[0]);
	if ((int64_t)ticks < 0)
		ticks = 0;
	hpet[HPET_LOW] = (uint32_t)ticks;
	hpet[HPET_HIGH] = (uint32_t)(ticks >> 32);
	hpet[HPET_CONFIG] = 1;
	return 0;
}

static const struct {
	const char *name;
	int       (*run)(const char *source, char *const args[]);
} commands[] = {
	{ "hold", hold }, { "release", release }, { "watch", watch }, { "check", check },
	{ "rate", rate }, { "move", move },
};

int main(int argc, char **argv)
{
	for (size_t i = 0; argc > 3 && i < sizeof(commands) / sizeof(commands[0]); i++)
		if (!strcmp(argv[1], commands[i].name))
			return commands[i].run(argv[2], argv + 3);
	fprintf(stderr, "usage: guest hold|release|watch|check SOURCE COMMAND... | rate SOURCE MILLISECONDS\n"
			"       guest move hpet TICKS\n");
	return FAILED;
}
