// SPDX-License-Identifier: MIT
/* Takes looks by a ticker, and ends at a signal: tools/wall/wall_watch.h. */
#include "wall/wall_watch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/err.h"
#include "cli/facts.h"
#include "cli/file.h"
#include "cli/out.h"
#include "cli/signals.h"
#include "cli/util.h"
#include "wall/plot_wall.h"
#include "wall/wall_report.h"
#include "wall/wall_view.h"

/* A watch under way. */
struct watch {
	const struct wall_request *r;
	hpt_wall *w;
	uint32_t counter;               /* HPT_SOURCE_ */
	int64_t begun_ns;
	struct wall_watched *result;
	struct plot_wall_point *points; /* for the plot */
	size_t n, room;
};

static hpt_ticker *interrupted;

static void stop(void)
{
	hpt_ticker_interrupt(interrupted);
}

/* ---- Advice ------------------------------------------------------------------------------------------------------ */

static const char default_address[] = "127.0.0.1:323";

static const char *chrony_address(const struct watch *watch)
{
	const char *given = watch->r->config.chrony_address;

	return *given ? given : default_address;
}

/* Version 3 of its layout is of its own clock, which does not go by chronyd. */
static bool has_clockbound_2(const struct wall_view *v)
{
	const struct hpt_wall_source_info *s = wall_view_source(v, HPT_WALL_SOURCE_CLOCKBOUND);

	return s->usable && !strstr(s->path, "shm1");
}

/* A daemon that does not answer is not asked again. */
static void advise(const struct watch *watch, struct wall_view *v)
{
	const struct hpt_wall_source_info *chrony = wall_view_source(v, HPT_WALL_SOURCE_CHRONY);
	const char *path = watch->r->chrony_conf ? watch->r->chrony_conf : chrony_conf_path(chrony_address(watch));
	uint32_t reason = chrony->reason;
	struct chrony_seen seen = { 0 };
	struct chrony_conf conf;
	const struct chrony_facts facts = {
		.seen = &seen, .conf = path ? &conf : NULL, .is_conf_named = watch->r->chrony_conf,
		.is_refused = reason == HPT_WALL_REASON_ABSENT && !strcmp(chrony_address(watch), default_address),
		.has_clockbound = has_clockbound_2(v),
		.refclock_error_ns = watch->r->config.chrony_refclock_error_ns, .wander_ppb = v->wall.wander_ppb,
	};

	if (reason == HPT_WALL_REASON_NOT_USED)
		return;
	if (reason != HPT_WALL_REASON_ABSENT && reason != HPT_WALL_REASON_NO_ANSWER && reason != HPT_WALL_REASON_DENIED)
		chrony_seen_ask(chrony_address(watch), &seen);
	chrony_conf_begin(&conf, path);
	if (path)
		chrony_conf_read(&conf);
	chrony_advice(&facts, &v->advice);
}

/* ---- Looks ------------------------------------------------------------------------------------------------------- */

static void keep_point(struct watch *watch, const struct wall_view *v)
{
	if (watch->n == watch->room) {
		watch->room = watch->room ? 2 * watch->room : 1024;
		watch->points = xneed(realloc(watch->points, watch->room * sizeof(watch->points[0])));
	}
	watch->points[watch->n++] = (struct plot_wall_point){
		.at_ns = v->at_ns, .has_bound = v->has_bound, .width_ns = wall_view_width_ns(v),
		.ahead_min_ns = v->ahead_min_ns, .ahead_max_ns = v->ahead_max_ns,
	};
}

static void show(struct watch *watch, const struct wall_view *v)
{
	const struct wall_request *r = watch->r;

	if (r->json)
		out_json_print(wall_report_json(v, watch->counter, r->max_width_ns));
	else if (!r->is_watch)
		wall_report_tables(v, watch->counter, r->max_width_ns, stdout);
	else if (!r->is_plot_only)
		wall_report_line(v, r->max_width_ns, stdout);
	fflush(stdout); /* a reader gets each line at once */
}

static bool look(const struct cmd *cmd, struct watch *watch)
{
	int64_t at_ns = hpt_now_ns(NULL) - watch->begun_ns;
	struct wall_view v;

	if (!wall_view_take(watch->w, &v)) {
		err_print("%s: the library found at run time is older than this command", cmd->name);
		return false;
	}
	v.at_ns = at_ns;
	if (watch->r->json || !watch->r->is_watch)
		advise(watch, &v);
	watch->result->is_degraded |= !v.has_bound || wall_view_is_wide(&v, watch->r->max_width_ns);
	show(watch, &v);
	if (watch->r->plot)
		keep_point(watch, &v);
	return true;
}

/* Also ends once output is lost, which out_close() reports. */
static bool look_often(const struct cmd *cmd, struct watch *watch, hpt_ticker *t)
{
	uint64_t missed;

	if (!watch->r->json && !watch->r->is_plot_only)
		wall_report_heading(stdout);
	for (int64_t done = 1;; done++) {
		if (!look(cmd, watch))
			return false;
		if (signals_caught() || ferror(stdout) || done == watch->r->count || hpt_ticker_wait(t, &missed) < 0)
			return true;
	}
}

static bool watch_with_signals(const struct cmd *cmd, struct watch *watch)
{
	struct signals signals;
	hpt_ticker *t;
	bool is_well;

	if (hpt_ticker_new(NULL, watch->r->interval_ns, 0, &t)) {
		err_print("%s: out of memory", cmd->name);
		return false;
	}
	hpt_ticker_set_policy(t, HPT_SLEEP_NOSPIN, 0); /* a line need not be on time to the microsecond */
	interrupted = t;
	signals_catch(stop, &signals);
	is_well = look_often(cmd, watch, t);
	signals_release(&signals);
	watch->result->signal = signals_caught();
	hpt_ticker_free(t);
	return is_well;
}

/* ---- The plot ---------------------------------------------------------------------------------------------------- */

static void draw(const struct watch *watch, FILE *to)
{
	char *subtitle = xasprintf("%zu look%s, counter %s", watch->n, watch->n == 1 ? "" : "s",
				      hpt_source_name(watch->counter));

	plot_wall(&(struct plot_wall){ .points = watch->points, .n = watch->n, .subtitle = subtitle },
		      PLOT_FILE, to);
	free(subtitle);
}

/* The file is opened first, so that an error is reported at once. */
static bool watch_and_draw(const struct cmd *cmd, struct watch *watch)
{
	struct file file;

	if (!file_open(&file, watch->r->plot))
		return false;
	if (!watch_with_signals(cmd, watch)) {
		file_abandon(&file);
		return false;
	}
	draw(watch, file.to);
	return file_commit(&file);
}

bool wall_watch(const struct cmd *cmd, hpt_wall *w, const struct wall_request *r,
		    struct wall_watched *ret)
{
	struct watch watch = { .r = r, .w = w, .counter = clock_facts(NULL).source, .begun_ns = hpt_now_ns(NULL),
			       .result = ret };
	bool is_well;

	*ret = (struct wall_watched){ 0 };
	if (!r->is_watch)
		return look(cmd, &watch);
	if (r->plot && !r->is_plot_only)
		is_well = watch_and_draw(cmd, &watch);
	else
		is_well = watch_with_signals(cmd, &watch);
	if (is_well && r->is_plot_only)
		draw(&watch, stdout);
	free(watch.points);
	return is_well;
}
