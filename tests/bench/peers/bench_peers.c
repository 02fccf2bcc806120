// SPDX-License-Identifier: MIT
/*
 * Compares reads and sleeps of peers with ours, in one process. Each object has a table: peer.h.
 *
 * usage: bench_peers ROUNDS CALLS SLEEPS PEER.so... [-- LIBRARY WITHOUT WITH]...
 * Reads: ROUNDS of CALLS each. Sleeps: see sleeps.h. WITHOUT and WITH are programs whose lives are compared: loads.h.
 */
#include <dlfcn.h>
#include <string.h>

#include <hpt/hpt.h>

#include "../rows.h"
#include "loads.h"
#include "sleeps.h"
#include "peer.h"

#define PEERS_MAX  64
#define ROUNDS_MAX 100000

/* All others are compared with these. */
#define BASE  "clock_gettime(MONOTONIC)"
#define BASE2 "hpt_now"

static const struct hpt_peer *reads[PEERS_MAX], *sleeps[PEERS_MAX];
static unsigned n_reads, n_sleeps;

static void add(const struct hpt_peer *p)
{
	if (p->kind == HPT_PEER_READ && n_reads < PEERS_MAX)
		reads[n_reads++] = p;
	if (p->kind == HPT_PEER_SLEEP && n_sleeps < PEERS_MAX)
		sleeps[n_sleeps++] = p;
}

/* Reports and leaves out an object that cannot be loaded, such as one of another word size. */
static void load(const char *path)
{
	void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	const struct hpt_peer *table = object ? dlsym(object, "hpt_peers") : NULL;

	if (!table) {
		printf("left out: %s\n", dlerror());
		return;
	}
	for (const struct hpt_peer *p = table; p->kind != HPT_PEER_END; p++)
		add(p);
}

/* ---- Reads ---------------------------------------------------------------------------------------------- */

/* Uses each in turn until even the slowest has settled. This also makes every peer's setup at its first call. */
static void settle(void)
{
	int64_t until_ns = 0;

	for (unsigned i = 0; i < n_reads; i++)
		until_ns = reads[i]->settle_ms > until_ns ? reads[i]->settle_ms : until_ns;
	until_ns = bench_ns() + until_ns * 1000000;
	do
		for (unsigned i = 0; i < n_reads; i++)
			reads[i]->loop(100);
	while (bench_ns() < until_ns);
}

static int row_of(const char *name)
{
	for (unsigned i = 0; i < n_reads; i++)
		if (!strcmp(reads[i]->name, name))
			return (int)i;
	return BENCH_NO_BASE;
}

static void compare_reads(const char *title, bool is_isolated, struct bench_effort effort)
{
	struct bench_row rows[PEERS_MAX];
	int base = row_of(BASE), base2 = row_of(BASE2);

	for (unsigned i = 0; i < n_reads; i++)
		rows[i] = (struct bench_row){
			.name = reads[i]->name, .loop = is_isolated ? reads[i]->isolated : reads[i]->loop,
			.base = base, .base2 = base2,
		};
	printf("\n%s\n", title);
	bench_rows(rows, n_reads, effort);
	fflush(stdout);
}

/* ---- Loads ---------------------------------------------------------------------------------------------- */

/* Of the arguments after "--", three for a library. Returns false if a program failed. */
static bool compare_loads(char **words, unsigned n, unsigned most)
{
	struct bench_loaded libraries[PEERS_MAX];

	n = n / 3 < PEERS_MAX ? n / 3 : PEERS_MAX;
	for (unsigned i = 0; i < n; i++)
		libraries[i] = (struct bench_loaded){ words[3 * i], words[3 * i + 1], words[3 * i + 2] };
	return n == 0 || bench_compare_loads(libraries, n, most);
}

/* ---- Program -------------------------------------------------------------------------------------------- */

static void print_clock(void)
{
	struct hpt_clock_info info;
	double load[1];

	if (!hpt_clock_get_info(NULL, &info, sizeof(info)))
		printf("default clock of hpt: %s", hpt_source_name(info.source));
	if (getloadavg(load, 1) == 1)
		printf("; load average %.2f before", load[0]);
	printf("\n");
	fflush(stdout);
}

int main(int argc, char **argv)
{
	struct bench_effort effort = { 0 };
	unsigned most = 0;
	int end = 4;

	if (argc > 4) {
		effort.rounds = (unsigned)atoi(argv[1]);
		effort.calls = (unsigned)atoi(argv[2]);
		most = (unsigned)atoi(argv[3]);
	}
	if (!effort.rounds || effort.rounds > ROUNDS_MAX || effort.calls < 16 || !most || most > ROUNDS_MAX) {
		fprintf(stderr, "usage: bench_peers ROUNDS CALLS SLEEPS PEER.so... [-- LIBRARY WITHOUT WITH]...\n");
		return 2;
	}
	for (; end < argc && strcmp(argv[end], "--"); end++)
		load(argv[end]);
	if (!n_reads && !n_sleeps) {
		fprintf(stderr, "bench_peers: nothing to measure\n");
		return 1;
	}
	bench_pin();
	print_clock();
	settle();
	compare_reads("reads, back to back", false, effort);
	compare_reads("reads, each ended before the next begins", true, effort);
	bench_compare_sleeps(sleeps, n_sleeps, most);
	return end < argc && !compare_loads(argv + end + 1, (unsigned)(argc - end - 1), most);
}
