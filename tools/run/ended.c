// SPDX-License-Identifier: MIT
/* How a program ended, in reports: tools/run/ended.h. */
#include "run/ended.h"

#include <stdbool.h>
#include <sys/wait.h>

#include "cli/format.h"

void ended_fact(struct libscols_table *tb, const struct watched *w)
{
	if (WIFSIGNALED(w->status))
		out_table_fact(tb, "Ended", "by signal %d after %s", WTERMSIG(w->status),
			       format_span(w->wall_ns).s);
	else
		out_table_fact(tb, "Ended", "with status %d after %s", WEXITSTATUS(w->status),
			       format_span(w->wall_ns).s);
}

static json_t *json_or_null(bool has_value, int value)
{
	return has_value ? json_integer(value) : json_null();
}

void ended_json(json_t *o, const struct watched *w)
{
	out_json_sint(o, "wall_ns", w->wall_ns);
	out_json_sint(o, "user_ns", w->user_ns);
	out_json_sint(o, "system_ns", w->system_ns);
	out_json_add(o, "exit_status", json_or_null(WIFEXITED(w->status), WEXITSTATUS(w->status)));
	out_json_add(o, "signal", json_or_null(WIFSIGNALED(w->status), WTERMSIG(w->status)));
}
