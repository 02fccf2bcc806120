/* SPDX-License-Identifier: MIT */
/*
 * trace.c - events are recorded as ticks, and become times later: by the program, or by hpt convert, which also writes
 * them in the formats of trace viewers.
 *
 *	cc -o trace trace.c $(pkg-config --cflags --libs libhpt)
 *	./trace && hpt convert --timebase=trace.timebase < trace.ticks
 *	hpt convert --to=perfetto --timebase=trace.timebase < trace.ticks > trace.pftrace
 */
#include <stdio.h>

#include <hpt/hpt.h>

#define EVENTS 1000

int main(void)
{
	static int64_t ticks[EVENTS], unix_ns[EVENTS];
	struct hpt_timebase base[2];
	FILE *bases = fopen("trace.timebase", "wb"), *events = fopen("trace.ticks", "w");

	if (!bases || !events || hpt_clock_get_timebase(NULL, &base[0], sizeof(base[0])) < 0)
		return 1;
	for (int i = 0; i < EVENTS; i++)
		ticks[i] = hpt_now(NULL); /* an event */
	if (hpt_clock_get_timebase(NULL, &base[1], sizeof(base[1])) < 0 ||
	    hpt_timebase_to_unix_ns(&base[0], &base[1], ticks, unix_ns, EVENTS) < 0)
		return 1;
	for (int i = 0; i < EVENTS; i++)
		fprintf(events, "%lld\n", (long long)ticks[i]);
	printf("first %lld ns, last %lld ns\n", (long long)unix_ns[0], (long long)unix_ns[EVENTS - 1]);
	fwrite(base, sizeof(base), 1, bases);
	return fclose(bases) || fclose(events);
}
