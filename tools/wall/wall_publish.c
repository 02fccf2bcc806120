// SPDX-License-Identifier: MIT
/* Publishes a wall: tools/wall/wall_publish.h. */
#include "wall/wall_publish.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "cli/err.h"
#include "cli/facts.h"
#include "cli/signals.h"
#include "machine/file_read.h"
#include "machine/vm_marker.h"
#include "math/scale.h"
#include "math/units.h"
#include "wall/wall_look.h"
#include "wall/wall_segment.h"

/* Version 2 is renewed as often: see LIFE_2_NS in wall_statement.c. */
#define RENEW_2_NS (10 * NS_PER_MS)

struct publisher {
	const struct wall_request *r;
	hpt_wall *w;
	struct wall_segment seg;
	bool has_marker;                /* the wall watches VMClock, and its marker can be read */
	uint32_t shown;                 /* the state that was printed latest; UINT32_MAX: none was */
	int clock_set;                  /* readable once CLOCK_REALTIME was set, or the machine has slept */
};

/* An eventfd, for the signals' handler. */
static int stopped;

static void stop(void)
{
	const uint64_t one = 1;
	ssize_t n = write(stopped, &one, sizeof(one));

	(void)n; /* it can only be full, and is readable then */
}

/* Clients look at the driver's own device. */
static bool read_marker(uint64_t *ret)
{
	static const struct hpt_env files = { .open = hpt_path_open };

	return hpt_vm_marker(&files, ret);
}

/* Each of the other reasons says that there is no page. */
static bool watches_vmclock(hpt_wall *w)
{
	struct hpt_wall_source_info info;

	if (hpt_wall_source_get_info(w, HPT_WALL_SOURCE_VMCLOCK, &info, sizeof(info)) ||
	    strcmp(info.path, HPT_VMCLOCK_DEVICE))
		return false;
	return info.reason == HPT_WALL_REASON_NONE || info.reason >= HPT_WALL_REASON_TORN;
}

/* ---- Statements and lines ---------------------------------------------------------------------------------------- */

static void show(struct publisher *p, uint32_t state)
{
	if (state == p->shown)
		return;
	p->shown = state;
	printf("%s: %s\n", p->seg.path, hpt_wall_state_name(state));
	fflush(stdout);
}

/* Returns the wall's state. */
static uint32_t make_statement(const struct publisher *p, bool is_last, struct wall_statement *ret)
{
	struct wall_facts f;

	wall_look(p->w, p->has_marker ? read_marker : NULL, &f);
	f.is_last = is_last;
	*ret = wall_statement_of(&f, (uint32_t)p->r->publish_version);
	return f.state;
}

static bool publish(struct publisher *p, bool is_last)
{
	struct wall_statement s;
	uint32_t state = make_statement(p, is_last, &s);

	if (!wall_segment_write(&p->seg, &s))
		return false;
	show(p, state);
	return true;
}

static void update(struct publisher *p)
{
	uint64_t marker;

	hpt_wall_update(p->w);
	/* Never again without: clients that have VMClock open take that for an error. */
	p->has_marker = p->has_marker || (watches_vmclock(p->w) && read_marker(&marker));
}

/* ---- Time -------------------------------------------------------------------------------------------------------- */

/* A timer of a time that never comes, which clock_settime(2) and a resume cancel. -1: not on this kernel. */
static int watch_clock(void)
{
	const struct itimerspec never = { .it_value.tv_sec = (time_t)1 << 33 };
	int fd = timerfd_create(CLOCK_REALTIME, TFD_NONBLOCK | TFD_CLOEXEC);

	if (fd >= 0 && !timerfd_settime(fd, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &never, NULL))
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

static void wait_until(const struct publisher *p, int64_t at_ns)
{
	struct pollfd fds[] = { { .fd = stopped, .events = POLLIN }, { .fd = p->clock_set, .events = POLLIN } };
	int64_t left_ns = at_ns - hpt_now_ns(NULL);
	struct timespec timeout = { .tv_sec = left_ns / NS_PER_S, .tv_nsec = left_ns % NS_PER_S };
	uint64_t expired;

	/* A read takes the event: it fails by ECANCELED. */
	if (left_ns > 0 && ppoll(fds, 2, &timeout, NULL) > 0 && fds[1].revents &&
	    read(p->clock_set, &expired, sizeof(expired)) < 0 && errno != ECANCELED)
		err_print("%s: the clock cannot be watched: %s", p->seg.path, strerror(errno));
}

/* The first update was the file's first statement's. */
static bool publish_often(struct publisher *p)
{
	int64_t interval_ns = p->r->interval_ns, step_ns = interval_ns;
	int64_t next_ns = hpt_sum(hpt_now_ns(NULL), interval_ns);

	if (p->r->publish_version == 2 && step_ns > RENEW_2_NS)
		step_ns = RENEW_2_NS;
	while (!signals_caught()) {
		int64_t now_ns = hpt_now_ns(NULL);

		if (now_ns >= next_ns) {
			update(p);
			next_ns = hpt_sum(now_ns, interval_ns);
		}
		if (!publish(p, false))
			return false;
		wait_until(p, hpt_sum(now_ns, step_ns));
	}
	return publish(p, true);
}

static bool open_and_publish(struct publisher *p)
{
	struct wall_statement first;
	bool is_well;

	update(p);
	(void)make_statement(p, false, &first);
	if (!wall_segment_open(&p->seg, p->r->publish, &first))
		return false;
	is_well = publish_often(p);
	wall_segment_close(&p->seg);
	return is_well;
}

/* Clients of version 3 read the counter that programs of this architecture may read. */
static bool has_counter(const struct cmd *cmd, uint32_t version)
{
	uint32_t counter = clock_facts(NULL).source;

	if (version == 2 || counter == HPT_SOURCE_TSC || counter == HPT_SOURCE_ARCH)
		return true;
	err_print("%s: clients of version 3 read another counter than '%s'; --publish-version=2 goes by CLOCK_REALTIME",
		  cmd->name, hpt_source_name(counter));
	return false;
}

bool wall_publish(const struct cmd *cmd, hpt_wall *w, const struct wall_request *r, int *ret_signal)
{
	struct publisher p = { .r = r, .w = w, .shown = UINT32_MAX, .clock_set = watch_clock() };
	struct signals signals;
	bool is_well = false;

	stopped = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	if (stopped < 0) {
		err_print("%s: %s", cmd->name, strerror(errno));
	} else if (has_counter(cmd, (uint32_t)r->publish_version)) {
		signals_catch(stop, &signals);
		is_well = open_and_publish(&p);
		signals_release(&signals);
		*ret_signal = signals_caught();
	}
	if (p.clock_set >= 0)
		close(p.clock_set);
	if (stopped >= 0)
		close(stopped);
	return is_well;
}
