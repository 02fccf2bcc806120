// SPDX-License-Identifier: MIT
/* The constructor of libhpt-preload.so: lib/preload/load.h. */
#include "preload/load.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

#include "clock/default.h"
#include "clock/timekeeper.h"
#include "machine/cpu_time.h"
#include "machine/futex.h"
#include "machine/process.h"
#include "preload/cond_flags.h"
#include "preload/exclude.h"
#include "preload/grid.h"
#include "preload/next.h"
#include "preload/shared_crowd.h"
#include "preload/variants.h"
#include "preload/observe.h"
#include "sleep/place.h"
#include "sleep/spin_limits.h"

struct hpt_loaded hpt_loaded;

/* The most that brief sleeps get: a slack may be hours long, to save power. */
#define SLACK_ADDED_MAX_NS 1000000000

/* A file that begins with this number. NULL: there is no such file of ours, of this layout. */
static void *map_file(const char *path, size_t size, uint64_t magic)
{
	int fd = path ? open(path, O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK) : -1;
	uint64_t *file = MAP_FAILED;

	if (fd < 0)
		return NULL;
	/* Not by fstat(), which has a version of glibc 2.33. */
	if (lseek(fd, 0, SEEK_END) >= (off_t)size)
		file = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	if (file == MAP_FAILED)
		return NULL;
	if (*file == magic)
		return file;
	munmap(file, size);
	return NULL;
}

/* A program that may use fewer CPUs than "hpt run", as by taskset(1), counts its own threads alone. */
static void share_crowd(const char *path)
{
	struct hpt_shared_crowd *c = map_file(path, sizeof(*c), HPT_SHARED_CROWD_MAGIC);

	if (!c)
		return;
	if (c->cpus == hpt_loaded.terms.cpus)
		hpt_place_share(&c->crowd);
	else
		munmap(c, sizeof(*c));
}

/* The kernel has no slack for real-time threads. */
static bool is_real_time(void)
{
	int class = hpt_cpu_time_class();

	return class == SCHED_FIFO || class == SCHED_RR || class == SCHED_DEADLINE;
}

static void read_slack(void)
{
	int64_t before_ns = hpt_settings_number(secure_getenv(HPT_RUN_SLACK)), now_ns = hpt_timer_slack_ns();

	hpt_loaded.slack_ns = now_ns > 0 ? now_ns : 1;
	hpt_loaded.slice_ns = hpt_cpu_time_slice_ns();
	hpt_loaded.slack_added_ns = before_ns > now_ns && !is_real_time() ? before_ns - now_ns : 0;
	if (hpt_loaded.slack_added_ns > SLACK_ADDED_MAX_NS)
		hpt_loaded.slack_added_ns = SLACK_ADDED_MAX_NS;
	hpt_loaded.grid_ns = hpt_grid_of(hpt_loaded.slack_added_ns);
}

/* Known once and for all: a later change of affinity, class or quota is not seen. */
static void read_surroundings(void)
{
	struct hpt_surroundings s = {
		.cpus = hpt_cpu_time_cpus(), .quota_millicpus = hpt_loaded.settings.quota_millicpus,
		.rttime_ns = hpt_cpu_time_rttime_ns(), .is_deadline = hpt_cpu_time_class() == SCHED_DEADLINE,
	};

	hpt_spin_terms(&s, &hpt_loaded.terms);
	hpt_spin_limits_take(&hpt_loaded.terms);
}

/* The first record and the process's number, which take memory and system calls that a sandbox may deny later. */
static void warm_up(void)
{
	struct hpt_record rec;

	(void)hpt_process();
	hpt_timekeeper_current(hpt_clock_default(), &rec);
}

/* The functions of the C library by which sleeps wait. */
static bool has_waits(void)
{
	return hpt_own.clock_nanosleep && hpt_own.select && hpt_own.pselect && hpt_own.poll && hpt_own.ppoll;
}

/* By the name by which it was started, or a script by its own. */
static bool is_excluded(void)
{
	const char *list = secure_getenv(HPT_RUN_EXCLUDE);

	return list && (hpt_exclude_has(list, program_invocation_name) ||
			hpt_exclude_has(list, (const char *)getauxval(AT_EXECFN)));
}

/* Such a program gets the slack too that there was. */
static void leave_alone(void)
{
	int64_t before_ns = hpt_settings_number(secure_getenv(HPT_RUN_SLACK));

	if (before_ns > 0 && !is_real_time())
		hpt_timer_slack_set_ns(before_ns);
}

__attribute__((constructor)) static void load(void)
{
	int saved = errno;

	(void)hpt_next();
	if (is_excluded()) {
		leave_alone();
		errno = saved;
		return;
	}
	if (!hpt_next_find_clock() || !has_waits()) {
		errno = saved;
		return;
	}
	hpt_settings_parse(secure_getenv(HPT_RUN_SETTINGS), &hpt_loaded.settings);
	read_slack();
	read_surroundings();
	if (hpt_loaded.settings.waits != HPT_RUN_WAITS_NONE)
		hpt_cond_flags_ask();
	if (hpt_loaded.settings.waits == HPT_RUN_WAITS_ALL)
		hpt_variants_ask();
	warm_up();
	share_crowd(secure_getenv(HPT_RUN_CROWD));
	hpt_loaded.tally = map_file(secure_getenv(HPT_RUN_STATS), sizeof(*hpt_loaded.tally), HPT_TALLY_MAGIC);
	if (hpt_loaded.tally)
		hpt_tally_add(&hpt_loaded.tally->programs, 1);
	hpt_observe_load(map_file(secure_getenv(HPT_RUN_DOCTOR), sizeof(struct hpt_diagnosis), HPT_DIAGNOSIS_MAGIC));
	errno = saved;
	atomic_store_explicit(&hpt_loaded.is_ready, true, memory_order_release);
}
