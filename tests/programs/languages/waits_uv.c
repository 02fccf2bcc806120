// SPDX-License-Identifier: MIT
/*
 * waits_uv late COUNT: how late each of COUNT timers of 1 ms comes, in ns; then "cpu" and the CPU time of a wait, in
 * ns.
 * waits_uv results: timers, and items of a pipe between them, which are the same in each run.
 */
#include "waits.h"
#include <uv.h>

static uv_loop_t *loop;
static uv_timer_t timer;
static uv_poll_t items;
static int64_t began;
static uint64_t due;
static int left = 5, is_early;

static void measured_one(uv_timer_t *t)
{
	if (!took(clock_ns(CLOCK_MONOTONIC) - began))
		return;
	uv_update_time(loop);
	began = clock_ns(CLOCK_MONOTONIC);
	uv_timer_start(t, measured_one, 1, 0);
}

static void late(void)
{
	uv_update_time(loop);
	began = clock_ns(CLOCK_MONOTONIC);
	uv_timer_start(&timer, measured_one, 1, 0);
	uv_run(loop, UV_RUN_DEFAULT);
	report();
}

/* By the loop's own clock, which counts whole ms. */
static void expired(uv_timer_t *t)
{
	is_early |= uv_now(loop) < due;
	if (left-- <= 0 && !uv_is_active((uv_handle_t *)&items))
		return;
	due = uv_now(loop) + 1;
	uv_timer_start(t, expired, 1, 0);
}

static void has_item(uv_poll_t *p, int status, int events)
{
	(void)events;
	if (status || !took_item())
		uv_poll_stop(p);
}

static void results(void)
{
	pthread_t putter;

	due = uv_now(loop) + 1;
	uv_timer_start(&timer, expired, 1, 0);
	uv_poll_init(loop, &items, pipe_ends[0]);
	uv_poll_start(&items, UV_READABLE, has_item);
	pthread_create(&putter, NULL, put_all, NULL);
	uv_run(loop, UV_RUN_DEFAULT);
	pthread_join(putter, NULL);
	printf("%d items, timers %s\n", ITEMS, is_early ? "early" : "in time");
}

int main(int argc, char **argv)
{
	prepare(argc, argv);
	loop = uv_default_loop();
	uv_timer_init(loop, &timer);
	if (wanted)
		late();
	else
		results();
	return 0;
}
