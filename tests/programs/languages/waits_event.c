// SPDX-License-Identifier: MIT
/*
 * waits_event late COUNT: how late each of COUNT timers of 1 ms comes, in ns; then "cpu" and the CPU time of a wait, in
 * ns. By libevent, which reckons by CLOCK_MONOTONIC_COARSE.
 * waits_event results: timers, and items of a pipe between them, which are the same in each run.
 */
#include "waits.h"
#include <event2/event.h>

static const struct timeval ms = { 0, 1000 };
static struct event_base *base;
static struct event *timer, *items;
static int64_t began;
static int left = 5, is_early, is_done;

static void measured_one(evutil_socket_t fd, short what, void *unused)
{
	(void)fd, (void)what, (void)unused;
	if (!took(clock_ns(CLOCK_MONOTONIC) - began))
		return;
	event_base_update_cache_time(base);
	began = clock_ns(CLOCK_MONOTONIC);
	evtimer_add(timer, &ms);
}

static void late(void)
{
	timer = evtimer_new(base, measured_one, NULL);
	began = clock_ns(CLOCK_MONOTONIC);
	evtimer_add(timer, &ms);
	event_base_dispatch(base);
	report();
}

/* By libevent's own clock, in its unit. In a callback it has the time at which it began to call. */
static void expired(evutil_socket_t fd, short what, void *unused)
{
	(void)fd, (void)what, (void)unused;
	is_early |= clock_ns(CLOCK_MONOTONIC_COARSE) / 1000 < began / 1000 + 1000;
	if (left-- <= 0 && is_done)
		return;
	began = clock_ns(CLOCK_MONOTONIC_COARSE);
	event_base_update_cache_time(base);
	evtimer_add(timer, &ms);
}

static void has_item(evutil_socket_t fd, short what, void *unused)
{
	(void)fd, (void)what, (void)unused;
	if (took_item())
		return;
	is_done = 1;
	event_del(items);
}

static void results(void)
{
	pthread_t putter;

	timer = evtimer_new(base, expired, NULL);
	items = event_new(base, pipe_ends[0], EV_READ | EV_PERSIST, has_item, NULL);
	began = clock_ns(CLOCK_MONOTONIC_COARSE);
	evtimer_add(timer, &ms);
	event_add(items, NULL);
	pthread_create(&putter, NULL, put_all, NULL);
	event_base_dispatch(base);
	pthread_join(putter, NULL);
	printf("%d items, timers %s\n", ITEMS, is_early ? "early" : "in time");
}

int main(int argc, char **argv)
{
	prepare(argc, argv);
	base = event_base_new();
	if (!base)
		return 3;
	if (wanted)
		late();
	else
		results();
	return 0;
}
