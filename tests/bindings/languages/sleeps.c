/* SPDX-License-Identifier: MIT */
/* sleeps.c - the figures of the examples in other languages, in C, with clock_gettime() and nanosleep(). */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <hpt/hpt.h>

static const struct timespec ms = { 0, 1000000 };
static struct timespec own_time;
static volatile int64_t time_ns; /* so that no read is left out */

static void hpt_read(void) { time_ns = hpt_now_ns(NULL); }
static void own_read(void) { clock_gettime(CLOCK_MONOTONIC, &own_time); }
static void hpt_wait(void) { hpt_sleep_ns(NULL, 1000000); }
static void own_wait(void) { nanosleep(&ms, NULL); }

static double cost(int count, void (*call)(void))
{
	int64_t start = hpt_now_ns(NULL);

	for (int i = 0; i < count; i++)
		call();
	return (double)(hpt_now_ns(NULL) - start) / count;
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

int main(void)
{
	static double found[4][100];
	struct hpt_clock_info info;

	if (hpt_clock_get_info(NULL, &info, sizeof(info)) < 0)
		return 1;
	for (int i = 0; i < 100; i++) {
		found[0][i] = cost(1000, hpt_read);
		found[1][i] = cost(1000, own_read);
		found[2][i] = cost(1, hpt_wait) / 1e3 - 1000;
		found[3][i] = cost(1, own_wait) / 1e3 - 1000;
	}
	for (int i = 0; i < 4; i++)
		qsort(found[i], 100, sizeof(double), ascending);
	printf("source: %s\nread: hpt %.1f ns, clock_gettime %.1f ns\n", hpt_source_name(info.source), found[0][50],
	       found[1][50]);
	printf("late: hpt %.3f us in the median, 90 %% within %.3f us\n", found[2][50], found[2][90]);
	printf("late: nanosleep %.3f us in the median, 90 %% within %.3f us\n", found[3][50], found[3][90]);
	return 0;
}
