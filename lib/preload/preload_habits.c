// SPDX-License-Identifier: MIT
/*
 * The habits of each thread, in thread-local storage. lib/sleep/habits.c keeps them in slots that it names by the
 * thread's ID, for which it asks the kernel. An object that is there from the program's start may have as much of
 * that storage as it needs.
 */
#include "sleep/habits.h"

static _Thread_local __attribute__((tls_model("initial-exec"))) struct hpt_habits mine;

struct hpt_habits *hpt_habits_claim(void)
{
	return &mine;
}

const struct hpt_habits *hpt_habits_known(void)
{
	return &mine;
}

uint16_t *hpt_habits_spun(void)
{
	static _Thread_local __attribute__((tls_model("initial-exec"))) uint16_t spun;

	return &spun;
}
