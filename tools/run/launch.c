// SPDX-License-Identifier: MIT
/* Prepares this process for the program that it becomes: tools/run/launch.h. */
#include "run/launch.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "hpt/hpt.h"
#include "hpt/system.h"

#include "preload/words.h"

#include "cli/cmd.h"
#include "cli/err.h"
#include "cli/parse.h"
#include "cli/util.h"
#include "info/kernel_aids.h"
#include "run/asan_options.h"
#include "run/crowd_file.h"
#include "run/object.h"
#include "run/preload_list.h"
#include "run/surroundings.h"
#include "run/target.h"

/* The kernel's shortest. */
#define SLICE_NS 100000

/* Says why something cannot be had. False: the program must not run. */
__attribute__((format(printf, 2, 3)))
static bool lack(const struct launch *l, const char *fmt, ...)
{
	char *text;
	va_list ap;

	va_start(ap, fmt);
	text = xvasprintf(fmt, ap);
	va_end(ap);
	err_print("%s: %s%s", l->name, text, l->is_strict ? "; not run, because of --strict" : "");
	free(text);
	return !l->is_strict;
}

static void set(const char *name, char *value)
{
	if (setenv(name, value, 1))
		xneed(NULL);
	free(value);
}

/* ---- The object -------------------------------------------------------------------------------------------------- */

/* The end of a message that the object cannot be loaded: what happens without it. */
static const char *otherwise(const struct launch *l)
{
	if (l->is_strict)
		return "";
	if (l->has_slice)
		return l->slack_ns ? ": only its timer slack and time slice are set" : ": only its time slice is set";
	return l->slack_ns ? ": only its timer slack is set" : ": its sleeps stay as they are";
}

/*
 * The object itself lets AddressSanitizer's runtime start after it, unless the program has default options of its own:
 * those need the variable. It stays unset where nothing speaks of such programs, since scripts set it if it is unset.
 */
static void prepare_asan(bool is_needed)
{
	const char *existing = getenv("ASAN_OPTIONS");
	char *options = is_needed || (existing && *existing) ? asan_options_new(existing) : NULL;

	if (options)
		set("ASAN_OPTIONS", options);
}

static void load(const struct launch *l, struct launched *d)
{
	uint32_t quota = d->surroundings.quota_millicpus;
	char *known = quota ? xasprintf(",quota=%" PRIu32, quota) : NULL;

	set("LD_PRELOAD", preload_list_new(getenv("LD_PRELOAD"), d->object));
	set(HPT_RUN_SETTINGS, xasprintf("policy=%" PRIu32 ",max-spin=%" PRId64 ",least=%" PRId64 ",budget=%" PRId64
					   ",waits=%d%s", l->policy, l->max_spin_ns, l->least_ns, l->budget_percent,
					   (int)l->waits, known ? known : ""));
	if (l->exclude)
		set(HPT_RUN_EXCLUDE, xasprintf("%s", l->exclude));
	free(known);
}

/* Without it each process knows of its own threads alone. What an outer "hpt run" has set may be of other CPUs. */
static void load_crowd(struct launched *d)
{
	char *path = crowd_file_get(CROWD_FILE_FOLDER);

	d->crowd_error = path ? 0 : errno;
	if (path)
		set(HPT_RUN_CROWD, path);
	else
		unsetenv(HPT_RUN_CROWD);
}

static char *object_hindrance(const struct object *object, const char *program)
{
	switch (object->state) {
	case OBJECT_FOUND:
		return NULL;
	case OBJECT_MISSING:
		return xasprintf("%s cannot be loaded into '%s'", object->path, program);
	case OBJECT_OTHER:
		return xasprintf("'%s' is for another architecture, for which there is no %s", program,
				    object->path);
	default:
		return xasprintf("'%s' has a blank or a colon, which LD_PRELOAD cannot have", object->path);
	}
}

/* Of a script the program is its interpreter. */
static bool load_into(const struct launch *l, const struct target *target, struct launched *d)
{
	const char *hindrance = target_hindrance(target->state);
	bool is_known = target->state == TARGET_GOOD;
	struct object object = { 0 };

	if (!hindrance)
		object = object_find(is_known ? target->elf.kind : elf_kind_own(), l->has_fine_coarse);
	d->hindrance = hindrance ? xasprintf("'%s' %s", target->path, hindrance) :
				   object_hindrance(&object, target->path);
	d->object = d->hindrance ? NULL : object.path;
	if (d->hindrance) {
		free(object.path);
		return lack(l, "%s%s", d->hindrance, otherwise(l));
	}
	load(l, d);
	load_crowd(d);
	prepare_asan(is_known && *target->elf.asan);
	return true;
}

static bool prepare_object(const struct launch *l, const char *program, struct launched *d)
{
	struct target target;
	bool may_run;

	if (!l->is_loaded)
		return true;
	target_find(program, &target);
	d->path = target.path ? xasprintf("%s", target.path) : NULL;
	may_run = !target.path || load_into(l, &target, d);
	target_clear(&target);
	return may_run;
}

/* ---- The thread -------------------------------------------------------------------------------------------------- */

/* An outer "hpt run" has noted what there was before. */
static void note_slack(int64_t before_ns)
{
	const char *noted = getenv(HPT_RUN_SLACK);
	int64_t ns;

	if (!noted || parse_number(noted, 0, "", &ns) || ns < 0)
		set(HPT_RUN_SLACK, xasprintf("%" PRId64, before_ns));
}

static int64_t slack_ns(void)
{
	/* Not prctl(), whose int does not hold more than 2 s. */
	long ns = syscall(SYS_prctl, PR_GET_TIMERSLACK, 0, 0, 0, 0);

	return ns > 0 ? ns : 0;
}

static bool prepare_slack(const struct launch *l, const struct launched *d)
{
	if (!l->slack_ns)
		return true;
	if (prctl(PR_SET_TIMERSLACK, (unsigned long)l->slack_ns, 0, 0, 0))
		return lack(l, "the timer slack cannot be set: %s", strerror(errno));
	if (d->slack_before_ns)
		note_slack(d->slack_before_ns);
	return true;
}

static bool prepare_slice(const struct launch *l)
{
	int r = l->has_slice ? hpt_thread_set_slice_ns(SLICE_NS) : 0;

	if (r == -ENOTSUP)
		return lack(l, "the time slice cannot be set: this kernel, or the scheduling class, has none");
	return !r || lack(l, "the time slice cannot be set: %s", strerror(-r));
}

/* The look at the slice opens files, for what else the kernel offers. */
static int64_t slice_ns(const struct launch *l, struct launched *d)
{
	struct kernel_aids aids = { .policy = -1 };

	if (l->is_explained)
		kernel_aids_get(&aids);
	d->policy = aids.policy;
	return aids.slice_ns;
}

bool launch_prepare(const struct launch *l, const char *program, struct launched *ret)
{
	bool may_run;

	*ret = (struct launched){ .slack_before_ns = slack_ns() };
	ret->slice_before_ns = slice_ns(l, ret);
	if (l->is_loaded || l->is_explained)
		surroundings_get(&ret->surroundings);
	may_run = prepare_object(l, program, ret) && prepare_slice(l) && prepare_slack(l, ret);
	ret->slack_ns = slack_ns();
	ret->slice_ns = slice_ns(l, ret);
	return may_run;
}

void launched_clear(struct launched *d)
{
	free(d->path);
	free(d->hindrance);
	free(d->object);
}

/* ---- The program ------------------------------------------------------------------------------------------------- */

int launch_exec(char *argv[])
{
	execvp(argv[0], argv);
	return errno;
}

int launch_status(int error)
{
	return error == ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_RUN;
}
