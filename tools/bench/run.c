// SPDX-License-Identifier: MIT
/* Prepares, measures and prints one bench, then ends by the signal that interrupted it, if any: tools/bench/run.h. */
#include "bench/run.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "bench/conditions.h"
#include "bench/engine.h"
#include "bench/outputs.h"
#include "bench/request.h"
#include "bench/stopwatch_report.h"
#include "bench/worker.h"
#include "cli/disturbance.h"
#include "cli/doc.h"
#include "cli/err.h"
#include "cli/out.h"
#include "info/machine.h"

/* A larger request is probably a typing error, and would make the machine swap. */
#define BYTES_MAX (INT64_C(3) << 30)

static sigset_t held_signals(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	return set;
}

void run_hold_signals(sigset_t *ret_before)
{
	sigset_t set = held_signals();

	pthread_sigmask(SIG_BLOCK, &set, ret_before);
}

int run_release_signals(const sigset_t *before)
{
	const struct timespec none = { 0 };
	sigset_t set = held_signals();
	struct sigaction action;
	int came = 0, signal;

	while ((signal = sigtimedwait(&set, NULL, &none)) > 0)
		if (!sigaction(signal, NULL, &action) && action.sa_handler != SIG_IGN)
			came = signal;
	pthread_sigmask(SIG_SETMASK, before, NULL);
	return came;
}

bool run_get_machine(const struct request *r, struct machine *ret)
{
	*ret = (struct machine){ 0 };
	if (machine_get(ret))
		return true;
	err_print("%s: the library found at run time is older than this command", r->cmd->name);
	return false;
}

bool run_prepare(struct run *run, const struct engine *e, const struct request *r)
{
	bool is_reported = false;
	int err;

	*run = (struct run){ .engine = e };
	if (e->bytes && e->bytes(r) > BYTES_MAX) {
		err_print("%s: the samples would take more than 3 GiB of memory", r->cmd->name);
		return false;
	}
	run->data = engine_new(e->size);
	err = e->prepare(r, run->data, &is_reported);
	if (err && !is_reported)
		err_print("%s: %s cannot be measured: %s", r->cmd->name, e->name, strerror(-err));
	return !err;
}

/* A measurement, and the machine before and after it. */
struct watch {
	const struct engine *engine;
	void *data;
	struct disturbance_reading before, after;
	_Atomic bool is_whole;
};

static void measure(void *data, struct worker *w)
{
	struct watch *watch = data;

	disturbance_read(&watch->before);
	watch->engine->measure(watch->data, w);
	disturbance_read(&watch->after);
	atomic_store_explicit(&watch->is_whole, true, memory_order_release);
}

bool run_measure(struct run *run, const struct request *r)
{
	const struct engine *e = run->engine;
	struct watch *watch = engine_new(sizeof(*watch));
	int result;

	watch->engine = e;
	watch->data = run->data;
	result = worker_run(e->what, r->cpu, measure, watch);
	if (result < 0) {
		err_print("%s: cannot measure %s on a thread of its own%s: %s", r->cmd->name, e->name,
			r->cpu < 0 ? "" : " on that CPU", strerror(-result));
		return false;
	}
	if (atomic_load_explicit(&watch->is_whole, memory_order_acquire))
		disturbance_between(&watch->before, &watch->after, r->load > 0 || r->threads > 1, &run->disturbance);
	run->ended_by = result;
	run->has_results = e->summarise(run->data);
	return true;
}

json_t *run_json_head(const char *bench, int64_t start_unix_ns, bool is_interrupted,
			  const struct conditions *conditions, const struct machine *info)
{
	json_t *o = out_json_new();

	out_json_text(o, "bench", bench);
	out_json_text(o, "version", HPT_VERSION_STRING);
	out_json_sint(o, "start_unix_ns", start_unix_ns);
	out_json_bool(o, "interrupted", is_interrupted);
	out_json_add(o, "conditions", conditions_json(conditions));
	out_json_add(o, "machine", machine_json(info));
	return o;
}

json_t *run_results_json(const struct run *run, const struct conditions *conditions, const struct machine *info)
{
	json_t *own = run->engine->json(run->data);
	json_t *o = run_json_head(run->engine->name, json_integer_value(json_object_get(own, "start_unix_ns")),
				      run->ended_by != 0, conditions, info);

	out_json_add(o, "disturbance", disturbance_json(&run->disturbance));
	out_json_add(o, "stopwatch", stopwatch_json(run->engine->watch(run->data)));
	json_object_update_missing(o, own);
	json_decref(own);
	return o;
}

static void print(const struct run *run, const struct request *r, const struct conditions *conditions,
		  const struct machine *info)
{
	struct doc doc = { .to = stdout };

	if (r->is_plot_only) {
		run->engine->plot(run->data, PLOT_FILE, stdout);
	} else if (r->json) {
		out_json_print(run_results_json(run, conditions, info));
	} else if (r->csv) {
		run->engine->csv(run->data, stdout);
	} else {
		if (run->ended_by)
			doc_note(&doc, "Interrupted: results of the complete rounds until then.");
		disturbance_print(&run->disturbance, &doc);
		stopwatch_warn(run->engine->watch(run->data), &doc);
		run->engine->print(run->data, &doc);
	}
}

/* Writes all results that were measured. Returns the exit status. */
static int produce(const struct run *run, struct outputs *files, const struct request *r,
		   const struct conditions *conditions, const struct machine *info, const sigset_t *before)
{
	bool is_well = true;
	int came;

	if (run->has_results)
		is_well = outputs_write(files, run->engine, run->data, !run->ended_by);
	else
		outputs_abandon(files);
	if (run->engine->is_kept)
		is_well &= run->engine->is_kept(run->data, r);
	came = run_release_signals(before);
	if (run->has_results)
		print(run, r, conditions, info);
	else
		err_print("%s: %s before a complete round was measured", r->cmd->name,
			run->ended_by ? "interrupted" : "ended");
	if (!is_well)
		return EXIT_FAILURE;
	if (run->ended_by || came)
		out_end_by(run->ended_by ? run->ended_by : came);
	if (!run->has_results)
		return EXIT_FAILURE;
	return run->engine->verdict ? run->engine->verdict(run->data, r->cmd) : EXIT_SUCCESS;
}

int run_bench(const struct engine *e, const struct request *r)
{
	struct outputs files = { 0 };
	struct conditions conditions;
	struct machine info;
	struct run run;
	sigset_t before;

	if (!request_has_cpu(r) || !run_get_machine(r, &info))
		return EXIT_FAILURE;
	conditions_get(r, &conditions);
	run_hold_signals(&before);
	if (!run_prepare(&run, e, r) || !outputs_open(&files, e, run.data, r))
		return EXIT_FAILURE;
	if (!run_measure(&run, r)) {
		outputs_abandon(&files);
		return EXIT_FAILURE;
	}
	return produce(&run, &files, r, &conditions, &info, &before);
}
