// SPDX-License-Identifier: MIT
/* Says which counter a benchmark was timed by: tools/bench/stopwatch_report.h. */
#include "bench/stopwatch_report.h"

#include "hpt/hpt.h"

json_t *stopwatch_json(const struct stopwatch *w)
{
	json_t *o = json_object();

	out_json_text(o, "source", hpt_source_name(w->source));
	out_json_bool(o, "vetoed", w->is_vetoed);
	out_json_text(o, "reason", hpt_reason_text(w->reason));
	return o;
}

void stopwatch_print(const struct stopwatch *w, struct doc *doc)
{
	doc_note(doc, "The stopwatch is %s by %s%s.", hpt_source_name(w->source),
		     w->is_tsc ? "RDTSCP" : "hpt_now()", w->is_vetoed ? ", which the library refuses" : "");
}

void stopwatch_warn(const struct stopwatch *w, struct doc *doc)
{
	if (w->is_vetoed)
		doc_note(doc, "Timed by a counter that the library refuses, %s: %s. The times are worth no more "
			     "than it is.", hpt_source_name(w->source), hpt_reason_text(w->reason));
}
