// SPDX-License-Identifier: MIT
/* run_own: sleeps for a millisecond, by a function that any C library has, and prints the timer slack. */
#include <stdio.h>
#include <sys/prctl.h>
#include <time.h>

int main(void)
{
	struct timespec ms = { .tv_nsec = 1000000 };

	nanosleep(&ms, NULL);
	printf("%d\n", prctl(PR_GET_TIMERSLACK));
	return 0;
}
