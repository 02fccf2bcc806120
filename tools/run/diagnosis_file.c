// SPDX-License-Identifier: MIT
/* Makes the memory of causes, with what is known of this machine: tools/run/diagnosis_file.h. */
#include "run/diagnosis_file.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "preload/words.h"

#include "cli/parse.h"
#include "cli/util.h"
#include "math/units.h"
#include "run/shared_file.h"

#define CPUIDLE "/sys/devices/system/cpu/cpu0/cpuidle/state"

/* The kernel has no more: CPUIDLE_STATE_MAX of its include/linux/cpuidle.h. */
#define STATES 10

/* The way from the timer's interrupt to the program, as "hpt info" takes a wake for a soon one. */
#define WAKE_NS 15000

/*
 * A virtual CPU that halts is woken by its host, for which the guest has no numbers: 25 to 130 us were seen, and "hpt
 * info" takes what is above this for late.
 */
#define HOST_WAKE_NS 200000

/* Negative: there is no such state, or it says nothing. */
static int64_t latency_ns(int state)
{
	char *path = xasprintf(CPUIDLE "%d/latency", state), text[24];
	int64_t us = -1;

	read_first_line(path, text, sizeof(text));
	free(path);
	return !*text || parse_number(text, 0, "", &us) || us < 0 || us > US_PER_S ? -1 : us * NS_PER_US;
}

static bool is_virtual_driver(void)
{
	char driver[24];

	read_first_line("/sys/devices/system/cpu/cpuidle/current_driver", driver, sizeof(driver));
	return !*driver || !strcmp(driver, "none") || !strcmp(driver, "haltpoll");
}

/* Of all states, also of those that are disabled now. */
static int64_t idle_exit_ns(void)
{
	int64_t most_ns = 0;

	if (is_virtual_driver())
		return HOST_WAKE_NS;
	for (int i = 0; i < STATES; i++) {
		int64_t ns = latency_ns(i);

		most_ns = ns > most_ns ? ns : most_ns;
	}
	return most_ns + WAKE_NS;
}

struct hpt_diagnosis *diagnosis_file_new(int64_t late_ns)
{
	struct hpt_diagnosis *d = shared_file_new("hpt-doctor", HPT_RUN_DOCTOR, sizeof(*d));

	if (!d)
		return NULL;
	d->late_ns = late_ns;
	d->idle_exit_ns = idle_exit_ns();
	d->magic = HPT_DIAGNOSIS_MAGIC;
	return d;
}
