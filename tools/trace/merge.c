// SPDX-License-Identifier: MIT
/* Takes the earliest event of all files, again and again: tools/trace/merge.h. */
#include "trace/merge.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "cli/util.h"
#include "trace/earliest.h"
#include "trace/merge_output.h"
#include "trace/trace_bar.h"

#define OUT_EVENTS 256u

struct merging {
	const struct merge *job;
	struct merge_input *inputs;
	size_t n;                       /* of those that could be opened */
	struct merge_output out;
	struct event events[OUT_EVENTS]; /* of which the names lie in the batches */
	size_t n_events;
	struct watch bar;
};

static void flush(struct merging *m)
{
	merge_output_put(&m->out, m->events, m->n_events);
	m->n_events = 0;
}

static uint64_t sum_read(const struct merging *m)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < m->n; i++)
		sum += m->inputs[i].source->lines.bytes_read;
	return sum;
}

static uint64_t sum_sizes(const struct merging *m)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < m->n; i++)
		sum += m->inputs[i].source->size;
	return sum;
}

static void take(struct merging *m, struct merge_input *in)
{
	m->events[m->n_events++] = *merge_input_next(in);
	in->at++;
	if (m->n_events == OUT_EVENTS || !merge_input_next(in))
		flush(m);
	if (merge_input_next(in))
		return;
	merge_input_fill(in);
	watch_show(&m->bar, sum_read(m));
}

static void pump(struct merging *m)
{
	struct earliest e;

	watch_start(&m->bar, m->job->what, sum_sizes(m));
	for (size_t i = 0; i < m->n; i++)
		merge_input_fill(&m->inputs[i]);
	earliest_init(&e, m->inputs, m->n);
	while (!merge_output_is_lost(&m->out) && earliest_input(&e)) {
		take(m, earliest_input(&e));
		earliest_moved(&e);
	}
	earliest_free(&e);
	watch_end(&m->bar);
}

static bool report_all(const struct merging *m)
{
	bool is_good = true;

	for (size_t i = 0; i < m->n; i++) {
		is_good &= source_report(m->inputs[i].source, m->job->what, m->inputs[i].path,
					 m->inputs[i].bases_path);
		is_good &= !m->inputs[i].bases.is_cut;
	}
	return is_good;
}

static bool merge_all(struct merging *m)
{
	bool is_good;

	m->out = (struct merge_output){
		.to = m->job->to, .what = m->job->what, .folder = m->job->folder, .inputs = m->inputs, .n_inputs = m->n,
	};
	if (!merge_output_begin(&m->out))
		return false;
	pump(m);
	is_good = merge_output_end(&m->out);
	return report_all(m) && is_good;
}

/* Open are each file and, of Perfetto's, its trace; the rest is for what a process has open besides. */
static void raise_limit(size_t n_files)
{
	rlim_t needed = 2 * n_files + 64;
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur >= needed)
		return;
	limit.rlim_cur = needed < limit.rlim_max ? needed : limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit); /* if that fails, opening says so */
}

int merge_run(const struct merge *job)
{
	struct merging *m = xcalloc(1, sizeof(*m));
	bool is_good = true;

	raise_limit(job->n);
	m->job = job;
	m->inputs = xcalloc(job->n, sizeof(*m->inputs));
	for (size_t i = 0; i < job->n; i++)
		if (merge_input_open(&m->inputs[m->n], job->what, job->paths[i], (uint32_t)m->n, job->rate_ppb))
			m->n++;
		else
			is_good = false;
	is_good = m->n > 0 && merge_all(m) && is_good;
	for (size_t i = 0; i < m->n; i++)
		merge_input_close(&m->inputs[i]);
	free(m->inputs);
	free(m);
	return is_good ? EXIT_SUCCESS : EXIT_FAILURE;
}
