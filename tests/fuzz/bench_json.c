// SPDX-License-Identifier: MIT
/* Files for hpt bench --compare: any bytes are a run with results in bounds, or one line on standard error. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <jansson.h>

#include "bench/compare.h"
#include "bench/results.h"
#include "captured_err.h"
#include "cli/cmd.h"
#include "fuzz.h"

#define RESULTS_MAX 4096

static bool is_one_of(const char *text, const char *const *texts)
{
	while (*texts && strcmp(*texts, text) != 0)
		texts++;
	return *texts;
}

static void check_result(const struct result *f)
{
	static const char *const units[] = { "ps", "ns", "ppm", NULL };

	MUST(memchr(f->name, '\0', sizeof(f->name)));
	MUST(is_one_of(f->unit, units));
	MUST(!f->has_band || (f->value > 0 && f->doubt >= 0 && isfinite(f->doubt)));
}

/* True if the file was accepted. */
static bool check_results(const char *path)
{
	static const char *const benches[] = { "read", "sleep", "wake", "load", "frontier", "report", NULL };
	static const struct results none;
	struct results r;
	int error = results_load(path, &r);

	if (error) {
		MUST(error == -EINVAL && times_captured == 1 && *captured);
		MUST(!memcmp(&r, &none, sizeof(r)));
		return false;
	}
	MUST(!times_captured && r.n <= RESULTS_MAX && is_one_of(r.bench, benches));
	for (size_t i = 0; i < r.n; i++)
		check_result(&r.v[i]);
	results_free(&r);
	return true;
}

/* True if a run is compared with itself and a result is slower: one of several of the same name. */
static bool has_slower(const char *text, size_t n)
{
	json_t *o = json_loadb(text, n, 0, NULL);
	json_int_t slower;

	MUST(o && json_integer_value(json_object_get(o, "hpt_json")) == 1);
	slower = json_integer_value(json_object_get(o, "slower"));
	MUST(json_is_array(json_object_get(o, "results")) && json_is_array(json_object_get(o, "notes")));
	json_decref(o);
	return slower > 0;
}

/* The standard output of a comparison of the file with itself. */
static void check_comparison(const char *path, bool json)
{
	FILE *was = stdout;
	char *text = NULL;
	size_t n = 0;
	int status;

	stdout = open_memstream(&text, &n);
	status = compare_files(path, path, 0.05, json);
	MUST(!fclose(stdout));
	stdout = was;
	if (status == EXIT_FAILURE) /* nothing to compare */
		MUST(!n && times_captured == 1);
	else
		MUST((status == EXIT_SUCCESS || status == EXIT_DEGRADED) && n && !times_captured &&
		     (!json || has_slower(text, n) == (status == EXIT_DEGRADED)));
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char path[32];
	int fd = memfd_create("bench", MFD_CLOEXEC);

	MUST(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	times_captured = 0;
	if (check_results(path)) {
		check_comparison(path, true);
		times_captured = 0;
		check_comparison(path, false);
	}
	close(fd);
	return 0;
}
