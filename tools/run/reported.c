// SPDX-License-Identifier: MIT
/* Runs a program, and reports what was counted of it: tools/run/reported.h. */
#include "run/reported.h"

#include <errno.h>
#include <sched.h>
#include <string.h>

#include "cli/err.h"
#include "run/launch.h"
#include "run/refusal.h"
#include "run/target.h"

int reported_fail(const struct cmd *cmd, const char *what, int error)
{
	err_print("%s: %s: %s", cmd->name, what, strerror(error));
	return EXIT_OWN;
}

/* "e": the program does not get the descriptor. */
bool reported_open(const struct cmd *cmd, const char *file, struct reported *ret)
{
	ret->to = file ? fopen(file, "we") : stderr;
	ret->to_name = file ? file : "standard error";
	if (!ret->to)
		reported_fail(cmd, file, errno);
	return ret->to;
}

bool reported_hold(const struct cmd *cmd, const void *counts, struct reported *ret)
{
	ret->counts = counts;
	if (!counts)
		reported_fail(cmd, "no memory can be shared with programs", errno);
	return counts;
}

static bool is_written(FILE *to)
{
	bool is_good = !fflush(to) && !ferror(to);

	return to == stderr ? is_good : !fclose(to) && is_good;
}

static bool report(const struct cmd *cmd, const struct reported *r, const struct watched *w, const char *program)
{
	if (!r->counts)
		return true;
	errno = 0;
	r->print(r->counts, w, program, r->to);
	if (is_written(r->to))
		return true;
	reported_fail(cmd, r->to_name, errno ? errno : EIO);
	return false;
}

int reported_exec_refused(const struct cmd *cmd, const char *program, int error)
{
	err_print("%s: %s: %s", cmd->name, program, refusal_of_exec(error, target_is_there(program)));
	return launch_status(error);
}

static int fork_refused(const struct cmd *cmd, int error)
{
	/* With SCHED_RESET_ON_FORK, which is the flag's other name, it is another number. */
	bool is_deadline = sched_getscheduler(0) == SCHED_DEADLINE;

	err_print("%s: no process can be made: %s", cmd->name, refusal_of_fork(error, is_deadline));
	return EXIT_OWN;
}

static int watch_refused(const struct cmd *cmd, const char *program, const struct watched *w)
{
	switch (w->stage) {
	case WATCH_PIPE:
		return reported_fail(cmd, "no pipe can be made", w->error);
	case WATCH_FORK:
		return fork_refused(cmd, w->error);
	default:
		return reported_exec_refused(cmd, program, w->error);
	}
}

int reported_run(const struct cmd *cmd, char *argv[], const struct reported *r)
{
	struct watched w = watch_run(argv);

	if (w.error)
		return watch_refused(cmd, argv[0], &w);
	return report(cmd, r, &w, argv[0]) ? watched_end(&w) : EXIT_OWN;
}
