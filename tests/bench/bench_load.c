// SPDX-License-Identifier: MIT
/*
 * The cost of loading libhpt compared with an empty library: by dlopen() in new processes, and as whole processes
 * linked with each. The two alternate; results are medians.
 *
 * usage: bench_load LOAD_CHILD EMPTY.so LIBHPT.so LINKED_EMPTY LINKED_HPT [ROUNDS]
 */
#include <limits.h>
#include <stdbool.h>
#include <string.h>

#include <hpt/version.h>

#include "bench.h"
#include "child.h"

#define ROUNDS_MAX 100000

/*
 * Puts both libraries, under the names that the loader asks for, into one folder, and that folder first into the search
 * path: the loader searches some 20 subfolders of a path, and its search must take as long for one as for the other.
 */
static bool make_folder_of_both(char *folder, const char *empty, const char *hpt)
{
	char path[2][PATH_MAX];

	if (!mkdtemp(folder))
		return false;
	snprintf(path[0], sizeof(path[0]), "%s/%s", folder, strrchr(empty, '/') ? strrchr(empty, '/') + 1 : empty);
	snprintf(path[1], sizeof(path[1]), "%s/libhpt.so.%d", folder, HPT_ABI_MAJOR);
	return !symlink(realpath(empty, NULL), path[0]) && !symlink(realpath(hpt, NULL), path[1]) &&
	       !setenv("LD_LIBRARY_PATH", folder, 1);
}

static void remove_folder(const char *folder)
{
	char command[PATH_MAX + 16];

	snprintf(command, sizeof(command), "rm -r '%s'", folder);
	if (system(command))
		fprintf(stderr, "bench_load: cannot remove %s\n", folder);
}

/* own: compares the times that the processes write, not those of their whole lives. */
static bool compare(const char *what, char *const empty[], char *const hpt[], bool own, unsigned rounds,
		    double target_us)
{
	double *cost[2] = { calloc(rounds, sizeof(double)), calloc(rounds, sizeof(double)) }, median[2];

	for (unsigned i = 0; i < rounds; i++) {
		for (unsigned k = 0; k < 2; k++) {
			unsigned which = (i + k) % 2;
			int64_t mine = -1, life = bench_child(which ? hpt : empty, &mine, sizeof(mine));

			if (life < 0 || (own && mine < 0)) {
				fprintf(stderr, "bench_load: %s failed\n", which ? hpt[0] : empty[0]);
				return false;
			}
			cost[which][i] = (double)(own ? mine : life) / 1000;
		}
	}
	for (unsigned k = 0; k < 2; k++)
		median[k] = bench_quantile(cost[k], rounds, 0.5);
	printf("%-14s empty %.1f us (p10 %.1f, p90 %.1f), libhpt %.1f us (p10 %.1f, p90 %.1f): ", what, median[0],
	       bench_quantile(cost[0], rounds, 0.1), bench_quantile(cost[0], rounds, 0.9), median[1],
	       bench_quantile(cost[1], rounds, 0.1), bench_quantile(cost[1], rounds, 0.9));
	printf("+%.1f us, target +%.0f %s\n", median[1] - median[0], target_us,
	       bench_verdict(median[1] - median[0], target_us));
	free(cost[0]);
	free(cost[1]);
	return true;
}

int main(int argc, char **argv)
{
	unsigned rounds = argc > 6 ? (unsigned)atoi(argv[6]) : 2000;
	char folder[] = "/tmp/hpt-bench-XXXXXX";
	bool ok;

	if (argc < 6 || !rounds || rounds > ROUNDS_MAX) {
		fprintf(stderr, "usage: bench_load LOAD_CHILD EMPTY.so LIBHPT.so LINKED_EMPTY LINKED_HPT [ROUNDS]\n");
		return 2;
	}
	if (!make_folder_of_both(folder, argv[2], argv[3])) {
		perror("bench_load: folder of both libraries");
		return 1;
	}
	printf("%u new processes each, alternating; medians\n", rounds);
	ok = compare("dlopen", (char *[]){ argv[1], argv[2], NULL }, (char *[]){ argv[1], argv[3], NULL }, true, rounds,
		     15) &&
	     compare("whole process", (char *[]){ argv[4], NULL }, (char *[]){ argv[5], NULL }, false, rounds, 25);
	remove_folder(folder);
	return !ok;
}
