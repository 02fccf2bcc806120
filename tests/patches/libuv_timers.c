/* SPDX-License-Identifier: MIT */
/*
 * libuv_timers MS COUNT [busy]: COUNT timers of MS milliseconds, one after another, each started at a random moment
 * within a millisecond; with "busy" in a loop that never waits, as that of a server under load.
 *
 * Prints how late they fired by CLOCK_MONOTONIC, in us: the earliest, the median, 99 of 100, and how many were early;
 * then the process's CPU time for one in us, and what one uv_timer_start() with its stop takes in ns.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <uv.h>

enum { MOST = 100000, STARTS = 200000 };

static double late[MOST], started;
static int done, count, duration;

static double now_us(clockid_t id)
{
	struct timespec ts;

	clock_gettime(id, &ts);
	return ts.tv_sec * 1e6 + ts.tv_nsec / 1e3;
}

static void fired(uv_timer_t *timer);

/* After a pause in the callback, so that timers start at any phase of libuv's milliseconds. */
static void start(uv_timer_t *timer)
{
	struct timespec pause = { .tv_nsec = 1000 * (rand() % 1000) };

	nanosleep(&pause, NULL);
	started = now_us(CLOCK_MONOTONIC);
	uv_timer_start(timer, fired, duration, 0);
}

static void fired(uv_timer_t *timer)
{
	late[done++] = now_us(CLOCK_MONOTONIC) - started - duration * 1000.0;
	if (done < count)
		start(timer);
}

static void turn(uv_idle_t *idle)
{
	(void)idle;
}

static void never(uv_timer_t *timer)
{
	(void)timer;
}

static double start_cost_ns(uv_timer_t *timer)
{
	double begin = now_us(CLOCK_MONOTONIC);

	for (int i = 0; i < STARTS; i++) {
		uv_timer_start(timer, never, 1000000, 0);
		uv_timer_stop(timer);
	}
	return (now_us(CLOCK_MONOTONIC) - begin) * 1000 / STARTS;
}

static int compare(const void *one, const void *two)
{
	double a = *(const double *)one, b = *(const double *)two;

	return (a > b) - (a < b);
}

int main(int argc, char **argv)
{
	uv_timer_t timer;
	uv_idle_t idle;
	double cpu;
	int early = 0;

	if (argc < 3 || (duration = atoi(argv[1])) <= 0 || (count = atoi(argv[2])) <= 0 || count > MOST)
		return 2;
	uv_timer_init(uv_default_loop(), &timer);
	uv_idle_init(uv_default_loop(), &idle);
	if (argc > 3) {
		uv_idle_start(&idle, turn);
		uv_unref((uv_handle_t *)&idle);
	}
	cpu = now_us(CLOCK_PROCESS_CPUTIME_ID);
	start(&timer);
	if (uv_run(uv_default_loop(), UV_RUN_DEFAULT) || done != count)
		return 1;
	cpu = now_us(CLOCK_PROCESS_CPUTIME_ID) - cpu;
	for (int i = 0; i < count; i++)
		early += late[i] < 0;
	qsort(late, count, sizeof(*late), compare);
	printf("%.2f %.2f %.2f %d %.2f %.1f\n", late[0], late[count / 2], late[(int)(count * 0.99)], early, cpu / count,
	       start_cost_ns(&timer));
	return 0;
}
