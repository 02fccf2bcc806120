// SPDX-License-Identifier: MIT
/* Reads how this kernel idles, and measures how late it wakes an idle thread that waits as the library does. */
#include "info/idle.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "machine/futex.h"
#include "machine/sys_clock.h"
#include "cli/format.h"
#include "cli/out.h"
#include "cli/parse.h"
#include "cli/stats.h"
#include "cli/util.h"

#define CPUIDLE   "/sys/devices/system/cpu/cpuidle/"
#define HALT_POLL "/sys/module/haltpoll/parameters/guest_halt_poll_ns"

#define WAITS   16
#define TRIES   (2 * WAITS) /* a stop signal, for example, ends a wait early */
#define WAIT_NS 1000000

/*
 * Limits for words: a shallow idle state takes a few microseconds, deep ones and hypervisors tens of them, a timer
 * without high resolution a jiffy. Between two limits, where one median proves neither, the words say so.
 */
#define SOON_NS   15000
#define DEEP_NS   30000
#define LATE_NS   200000

/* A descriptor for reading asks for no limit of its own. */
static int64_t read_latency_limit_us(void)
{
	int fd = open("/dev/cpu_dma_latency", O_RDONLY | O_CLOEXEC);
	int32_t us;
	bool is_read = fd >= 0 && read(fd, &us, sizeof(us)) == sizeof(us);

	if (fd >= 0)
		close(fd);
	return is_read ? us : -1;
}

static void read_idle(struct idle *w)
{
	char poll[24];

	w->latency_limit_us = read_latency_limit_us();
	read_first_line(CPUIDLE "current_driver", w->idle_driver, sizeof(w->idle_driver));
	read_first_line(CPUIDLE "current_governor", w->idle_governor, sizeof(w->idle_governor));
	w->halt_poll_ns = -1;
	if (strcmp(w->idle_governor, "haltpoll") != 0)
		return;
	read_first_line(HALT_POLL, poll, sizeof(poll));
	parse_number(poll, 0, "", &w->halt_poll_ns);
}

/* Returns 0 and how late one wait ended; -EAGAIN if something else ended it; or the error that forbids waiting. */
static int try_wait(int64_t *ret_late_ns)
{
	_Atomic uint32_t word = 0;
	int64_t now_ns, until_ns;
	int r;

	if (!hpt_sys_clock_ns(CLOCK_MONOTONIC, &now_ns))
		return -errno;
	until_ns = now_ns + WAIT_NS;
	r = hpt_futex_wait(&word, 0, CLOCK_MONOTONIC, until_ns);
	if (r != -ETIMEDOUT)
		return !r || r == -EINTR ? -EAGAIN : r;
	if (!hpt_sys_clock_ns(CLOCK_MONOTONIC, &now_ns))
		return -errno;
	*ret_late_ns = now_ns - until_ns;
	return 0;
}

static void try_waits(struct idle *w)
{
	int64_t late_ns[WAITS];
	unsigned n = 0;

	for (int tries = 0; n < WAITS && tries < TRIES; tries++) {
		int r = try_wait(&late_ns[n]);

		if (r && r != -EAGAIN)
			break;
		n += !r;
	}
	if (!n)
		return;
	stats_sort(late_ns, n);
	w->waits = n;
	w->late_ns = stats_median(late_ns, n);
	w->late_max_ns = late_ns[n - 1];
}

void idle_measure(struct idle *ret)
{
	*ret = (struct idle){ .slack_ns = hpt_timer_slack_ns() };
	read_idle(ret);
	if (ret->slack_ns > 1)
		hpt_timer_slack_set_ns(1);
	try_waits(ret);
	if (ret->slack_ns > 1)
		hpt_timer_slack_set_ns(ret->slack_ns);
}

/* ---- Output ----------------------------------------------------------------------------------------------------- */

static void json_known(json_t *o, const char *key, int64_t value, bool is_known)
{
	out_json_add(o, key, is_known ? json_integer(value) : json_null());
}

void idle_json(json_t *o, const struct idle *w)
{
	json_known(o, "timer_slack_ns", w->slack_ns, w->slack_ns >= 0);
	out_json_text(o, "idle_driver", *w->idle_driver ? w->idle_driver : NULL);
	out_json_text(o, "idle_governor", *w->idle_governor ? w->idle_governor : NULL);
	json_known(o, "guest_halt_poll_ns", w->halt_poll_ns, w->halt_poll_ns >= 0);
	json_known(o, "latency_limit_us", w->latency_limit_us, w->latency_limit_us >= 0);
	json_known(o, "wake_late_ns", w->late_ns, w->waits);
	json_known(o, "wake_late_max_ns", w->late_max_ns, w->waits);
}

const char *idle_words(int64_t late_ns)
{
	if (late_ns < SOON_NS)
		return "soon";
	if (late_ns < DEEP_NS)
		return "between a shallow idle state and a deep one or a virtual machine";
	return late_ns < LATE_NS ? "typical of deep idle states and virtual machines" :
				   "LATE: sleeps that end in time have to spin long";
}

void idle_table(struct libscols_table *tb, const struct idle *w)
{
	if (w->slack_ns >= 0)
		out_table_fact(tb, "Timer slack", "%s", format_span(w->slack_ns).s);
	else
		out_table_fact(tb, "Timer slack", "not readable");
	out_table_fact(tb, "Idle", "driver %s, governor %s", *w->idle_driver ? w->idle_driver : "not readable",
		       *w->idle_governor ? w->idle_governor : "not readable");
	if (w->halt_poll_ns > 0)
		out_table_fact(tb, "", "polls for %s before it halts", format_span(w->halt_poll_ns).s);
	else if (!w->halt_poll_ns)
		out_table_fact(tb, "", "halts without polling first");
	if (!w->latency_limit_us)
		out_table_fact(tb, "", "CPUs do not idle: a request limits their latency to 0");
	else if (w->latency_limit_us > 0 && w->latency_limit_us < IDLE_NO_LIMIT_US)
		out_table_fact(tb, "", "a request limits the latency to %" PRId64 " us", w->latency_limit_us);
	if (w->waits)
		out_table_fact(tb, "Wakes", "%s late, %s at most (%u waits of 1 ms): %s", format_span(w->late_ns).s,
			       format_span(w->late_max_ns).s, w->waits, idle_words(w->late_ns));
	else
		out_table_fact(tb, "Wakes", "not measured: waiting is forbidden here");
}
