// SPDX-License-Identifier: MIT
/*
 * What the tests run inside the emulated machine beside hpt: a process that has the library loaded, holds a
 * clock and reads it while something else happens. Built for 64 and for 32 bits.
 *
 * usage: guest hold|release|watch SOURCE COMMAND...
 *        guest rate SOURCE MILLISECONDS
 * SOURCE is "default" or opened anew: "tsc", "hpet", "os". The exit status is COMMAND's.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <hpt/hpt.h>

#define FAILED 99 /* our own failures, apart from the commands' */

/* A watching process reads in bursts, and leaves most of the CPU to the command. */
#define READS_PER_BURST 200
#define PAUSE_US        1000

/* The narrowest of so many pairs: a preempted one does not spoil the rate. */
#define PAIRS 200

static int64_t clock_ns(clockid_t id)
{
	struct timespec ts;

	clock_gettime(id, &ts);
	return (int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

static uint32_t source_by_name(const char *name)
{
	for (uint32_t id = HPT_SOURCE_TSC; id <= HPT_SOURCE_OS; id++)
		if (!strcmp(name, hpt_source_name(id)))
			return id;
	return HPT_SOURCE_AUTO;
}

/* NULL, the default clock, needs no opening. */
static hpt_clock *open_clock(const char *name)
{
	hpt_clock *clk = NULL;
	int r;

	if (!strcmp(name, "default"))
		return NULL;
	r = hpt_clock_open(source_by_name(name), &clk);
	if (r) {
		fprintf(stderr, "guest: %s: %s\n", name, strerror(-r));
		exit(FAILED);
	}
	return clk;
}

/* The command chooses for itself; with the program's exec our mapping is not its own any more. */
static pid_t start(char *const command[])
{
	pid_t pid = fork();

	if (pid)
		return pid;
	unsetenv("HPT_SOURCE");
	execvp(command[0], command);
	perror(command[0]);
	_exit(FAILED);
}

static int finish(int status)
{
	return WIFEXITED(status) ? WEXITSTATUS(status) : FAILED;
}

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

struct line {
	int64_t  last, worst; /* the latest value, and the largest step back */
	uint64_t back;        /* steps back */
};

static void follow(struct line *l, int64_t value)
{
	if (value < l->last) {
		l->back++;
		if (l->last - value > l->worst)
			l->worst = l->last - value;
	}
	l->last = value;
}

static void read_burst(hpt_clock *clk, struct line *ticks, struct line *ns)
{
	for (int i = 0; i < READS_PER_BURST; i++) {
		follow(ticks, hpt_now(clk));
		follow(ns, hpt_now_ns(clk));
	}
}

static void print_clock(hpt_clock *clk)
{
	struct hpt_clock_info info = { 0 };

	hpt_clock_get_info(clk, &info, sizeof(info));
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

static void print_line(const char *name, const struct line *l)
{
	printf(", \"%s\": {\"back\": %" PRIu64 ", \"worst\": %" PRId64 "}", name, l->back, l->worst);
}

static int watch(const char *source, char *const args[])
{
	hpt_clock *clk = open_clock(source);
	struct line ticks = { .last = hpt_now(clk) }, ns = { .last = hpt_now_ns(clk) };
	struct moment before = take_moment(clk), after;
	int status = 0;
	pid_t pid;

	read_burst(clk, &ticks, &ns);
	pid = start(args);
	while (!waitpid(pid, &status, WNOHANG)) {
		read_burst(clk, &ticks, &ns);
		usleep(PAUSE_US);
	}
	read_burst(clk, &ticks, &ns);
	after = take_moment(clk);
	print_clock(clk);
	print_moment("before", &before);
	print_moment("after", &after);
	print_line("now", &ticks);
	print_line("now_ns", &ns);
	puts("}");
	hpt_clock_close(clk);
	return finish(status);
}

/* ---- Rate ------------------------------------------------------------------------------------------------ */

struct pair {
	int64_t ticks, clock_ns;
};

static struct pair take_pair(hpt_clock *clk, clockid_t id)
{
	struct pair best = { 0 };
	int64_t narrowest = INT64_MAX;

	for (int i = 0; i < PAIRS; i++) {
		int64_t before = clock_ns(id), ticks = hpt_now(clk), after = clock_ns(id);

		if (after - before < narrowest) {
			narrowest = after - before;
			best = (struct pair){ .ticks = ticks, .clock_ns = before + narrowest / 2 };
		}
	}
	return best;
}

static void print_rate(const char *name, struct pair a, struct pair b)
{
	printf(", \"%s\": {\"ticks\": %" PRId64 ", \"ns\": %" PRId64 "}", name, b.ticks - a.ticks, b.clock_ns - a.clock_ns);
}

static int rate(const char *source, char *const args[])
{
	hpt_clock *clk = open_clock(source);
	struct pair monotonic = take_pair(clk, CLOCK_MONOTONIC), raw = take_pair(clk, CLOCK_MONOTONIC_RAW);

	usleep((useconds_t)atoi(args[0]) * 1000);
	print_clock(clk);
	print_rate("monotonic", monotonic, take_pair(clk, CLOCK_MONOTONIC));
	print_rate("raw", raw, take_pair(clk, CLOCK_MONOTONIC_RAW));
	puts("}");
	hpt_clock_close(clk);
	return 0;
}

static const struct {
	const char *name;
	int       (*run)(const char *source, char *const args[]);
} commands[] = { { "hold", hold }, { "release", release }, { "watch", watch }, { "rate", rate } };

int main(int argc, char **argv)
{
	for (size_t i = 0; argc > 3 && i < sizeof(commands) / sizeof(commands[0]); i++)
		if (!strcmp(argv[1], commands[i].name))
			return commands[i].run(argv[2], argv + 3);
	fprintf(stderr, "usage: guest hold|release|watch SOURCE COMMAND... | rate SOURCE MILLISECONDS\n");
	return FAILED;
}
