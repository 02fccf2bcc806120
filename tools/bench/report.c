// SPDX-License-Identifier: MIT
/* Runs all three benches, and writes their results into one page and one JSON file: tools/bench/report.h. */
#include "bench/report.h"

#include <signal.h>
#include <stdlib.h>
#include <time.h>

#include "bench/conditions.h"
#include "bench/engine.h"
#include "bench/engine_read.h"
#include "bench/engine_sleep.h"
#include "bench/engine_wake.h"
#include "bench/page.h"
#include "bench/request.h"
#include "bench/run.h"
#include "cli/err.h"
#include "cli/file.h"
#include "cli/out.h"
#include "cli/stopwatch.h"
#include "cli/util.h"
#include "info/machine.h"

enum { READ, SLEEP, WAKE, PARTS };

static const struct engine *const engines[PARTS] = { &engine_read, &engine_sleep, &engine_wake };

struct report {
	struct machine info;
	struct conditions conditions;
	int64_t start_unix_ns;
	struct run parts[PARTS];
	struct file page, json;
	int ended_by, status;
};

/* Opens "DIR/name". */
static bool open_in(struct file *f, const char *folder, const char *name)
{
	char *path = xasprintf("%s/%s", folder, name);
	bool is_open = file_open(f, path);

	free(path);
	return is_open;
}

static bool open_both(struct report *p, const char *folder)
{
	if (!file_folder(folder) || !open_in(&p->page, folder, "index.html"))
		return false;
	if (open_in(&p->json, folder, "bench.json"))
		return true;
	file_abandon(&p->page);
	return false;
}

/* A bench that fails reports it and is left out; the others are still measured. */
static void measure(struct report *p, const struct request *r)
{
	for (int i = 0; i < PARTS && !p->ended_by; i++) {
		struct run *part = &p->parts[i];

		if (!run_prepare(part, engines[i], r) || !run_measure(part, r))
			p->status = EXIT_FAILURE;
		else if (part->has_results && engines[i]->verdict && !p->status)
			p->status = engines[i]->verdict(part->data, r->cmd);
		p->ended_by = part->ended_by;
	}
}

static const void *results_of(const struct report *p, int part)
{
	return p->parts[part].has_results ? p->parts[part].data : NULL;
}

static void write_json(const struct report *p, FILE *to)
{
	json_t *o = run_json_head("report", p->start_unix_ns, p->ended_by != 0, &p->conditions, &p->info);

	for (int i = 0; i < PARTS; i++)
		out_json_add(o, engines[i]->name, results_of(p, i) ?
			     run_results_json(&p->parts[i], &p->conditions, &p->info) : json_null());
	json_dumpf(o, to, JSON_COMPACT);
	putc('\n', to);
	json_decref(o);
}

static bool is_written(struct file *f)
{
	return !fflush(f->to) && !ferror(f->to);
}

static bool is_whole(const struct report *p)
{
	for (int i = 0; i < PARTS; i++)
		if (!results_of(p, i))
			return false;
	return !p->ended_by;
}

/* A report that is not whole replaces none: see file_divert(). */
static void keep_older(struct report *p)
{
	if (is_whole(p) || !(p->page.replaces || p->json.replaces))
		return;
	file_divert(&p->page);
	file_divert(&p->json);
}

/* Both files appear or neither: all but the second rename happens before the first file is in place. */
static bool write_both(struct report *p)
{
	struct page page = {
		.is_interrupted = p->ended_by != 0,
		.info = &p->info, .conditions = &p->conditions, .read = results_of(p, READ),
		.sweep = results_of(p, SLEEP), .wakes = results_of(p, WAKE),
	};

	for (int i = 0; i < PARTS; i++)
		page.disturbances[i] = &p->parts[i].disturbance;
	page_write(&page, p->page.to);
	write_json(p, p->json.to);
	if (!is_written(&p->page)) {
		file_abandon(&p->json);
		return file_commit(&p->page); /* which reports the error */
	}
	if (!file_commit(&p->json)) {
		file_abandon(&p->page);
		return false;
	}
	return file_commit(&p->page);
}

static int produce(struct report *p, const struct request *r, const sigset_t *before)
{
	bool has_results = results_of(p, READ) || results_of(p, SLEEP) || results_of(p, WAKE), is_well = true;
	char *page = NULL, *json = NULL;
	int came;

	if (has_results) {
		keep_older(p);
		page = xasprintf("%s", p->page.path);
		json = xasprintf("%s", p->json.path);
		is_well = write_both(p);
	} else {
		file_abandon(&p->page);
		file_abandon(&p->json);
	}
	came = run_release_signals(before);
	if (!has_results && p->ended_by)
		err_print("%s: interrupted before a complete round was measured", r->cmd->name);
	if (has_results && is_well)
		printf("%s\n%s\n", page, json);
	free(page);
	free(json);
	if (!is_well)
		return EXIT_FAILURE;
	if (p->ended_by || came)
		out_end_by(p->ended_by ? p->ended_by : came);
	return has_results ? p->status : EXIT_FAILURE;
}

int run_report(const struct request *r)
{
	struct report report = { .status = EXIT_SUCCESS };
	sigset_t before;

	if (!request_has_cpu(r) || !run_get_machine(r, &report.info))
		return EXIT_FAILURE;
	conditions_get(r, &report.conditions);
	report.start_unix_ns = stopwatch_os_ns(CLOCK_REALTIME);
	run_hold_signals(&before);
	if (!open_both(&report, r->report))
		return EXIT_FAILURE;
	measure(&report, r);
	return produce(&report, r, &before);
}
