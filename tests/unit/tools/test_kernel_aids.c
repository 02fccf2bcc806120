// SPDX-License-Identifier: MIT
/* What kernels offer, by files under a root of the test's own, and how it is printed. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "unit.h"

#include "hpt/hpt.h"
#include "hpt/system.h"

#include "info/kernel_aids.h"

#define DMA      "/dev/cpu_dma_latency"
#define WAKEUP   "/dev/cpu_wakeup_latency"
#define ONE_CPU  "/sys/devices/system/cpu/cpu3/power/pm_qos_resume_latency_us"
#define FEATURES "/sys/kernel/debug/sched/features"

/* Folders before files. */
static const char *const folders[] = {
	"/dev", "/sys", "/sys/devices", "/sys/devices/system", "/sys/devices/system/cpu",
	"/sys/devices/system/cpu/cpu3", "/sys/devices/system/cpu/cpu3/power", "/sys/kernel", "/sys/kernel/debug",
	"/sys/kernel/debug/sched",
};
static const char *const files[] = { DMA, WAKEUP, ONE_CPU, FEATURES };

static char root[64];

static const char *path_of(const char *name)
{
	static char path[256];

	snprintf(path, sizeof(path), "%s%s", root, name);
	return path;
}

static void write_file(const char *name, const char *text, mode_t mode)
{
	int fd = open(path_of(name), O_WRONLY | O_CREAT | O_TRUNC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	assert_int_equal(fchmod(fd, mode), 0);
	close(fd);
}

static int make_root(void **state)
{
	(void)state;
	strcpy(root, "/tmp/hpt-aids-XXXXXX");
	if (!mkdtemp(root) || chmod(root, 0755))
		return -1;
	for (size_t i = 0; i < COUNT(folders); i++) {
		if (mkdir(path_of(folders[i]), 0755))
			return -1;
	}
	return 0;
}

static int remove_root(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(files); i++)
		unlink(path_of(files[i]));
	for (size_t i = COUNT(folders); i-- > 0;)
		rmdir(path_of(folders[i]));
	return rmdir(root);
}

static struct kernel_aids find(const char *release)
{
	struct kernel_aids a;

	kernel_aids_find(root, 3, release, &a);
	return a;
}

static void absent_is_not_denied(void **state)
{
	struct kernel_aids a = find("6.18.44");

	(void)state;
	assert_int_equal(a.all_cpus, OFFER_ABSENT);
	assert_int_equal(a.one_cpu, OFFER_ABSENT);
	assert_int_equal(a.from_suspend, OFFER_ABSENT);
}

/* Root may write any file: access(2) goes by the real user, which root can change for a while. */
static void permission_is_the_users(void **state)
{
	bool is_root = !geteuid();
	struct kernel_aids a;

	(void)state;
	write_file(DMA, "", 0600);
	write_file(ONE_CPU, "0\n", 0644);
	write_file(WAKEUP, "", 0666);
	a = find("6.19.0");
	assert_int_equal(a.all_cpus, OFFER_PERMITTED);
	assert_int_equal(a.one_cpu, OFFER_PERMITTED);
	assert_int_equal(a.from_suspend, OFFER_PERMITTED);
	write_file(DMA, "", 0444);
	write_file(ONE_CPU, "0\n", 0444);
	if (is_root && setresuid(65534, (uid_t)-1, (uid_t)-1))
		leave_out("no other user can be taken on");
	a = find("6.19.0");
	if (is_root)
		assert_int_equal(setresuid(0, (uid_t)-1, (uid_t)-1), 0);
	assert_int_equal(a.all_cpus, OFFER_DENIED);
	assert_int_equal(a.one_cpu, OFFER_DENIED);
	assert_int_equal(a.from_suspend, OFFER_PERMITTED);
}

/* To open cpu_dma_latency would be a request, and to open a FIFO without a reader would wait. */
static void nothing_is_opened_for_writing(void **state)
{
	(void)state;
	assert_int_equal(mkfifo(path_of(DMA), 0666), 0);
	assert_int_equal(find("6.18.44").all_cpus, OFFER_PERMITTED);
}

static void slice_timer_is_by_version(void **state)
{
	static const struct { const char *release; bool expect; } cases[] = {
		{ "7.1.0", true }, { "7.1-rc3", true }, { "7.10.2-generic", true }, { "8.0.1", true },
		{ "7.0.99", false }, { "6.18.44-fc", false }, { "6.1.0", false }, { "", false }, { "7", false },
		{ "seven.one", false },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++)
		assert_int_equal(find(cases[i].release).has_slice_timer, cases[i].expect);
}

static void readable_features_override_the_version(void **state)
{
	(void)state;
	write_file(FEATURES, "PLACE_LAG NO_RUN_TO_PARITY NO_HRTICK HRTICK_DL WAKEUP_PREEMPTION\n", 0644);
	assert_false(find("7.1.0").has_slice_timer);
	write_file(FEATURES, "NO_HRTICK_DL PLACE_LAG HRTICK\n", 0644);
	assert_true(find("6.18.0").has_slice_timer);
	write_file(FEATURES, "PLACE_LAG HRTICK_DL\n", 0644);
	assert_true(find("7.1.0").has_slice_timer);
	assert_false(find("6.18.0").has_slice_timer);
}

static void slice_is_the_threads(void **state)
{
	struct kernel_aids before = find("6.18.0"), after;

	(void)state;
	assert_int_equal(before.policy, sched_getscheduler(0));
	if (!before.slice_ns || hpt_thread_set_slice_ns(3000000))
		leave_out("no slice can be set");
	after = find("6.18.0");
	assert_int_equal(hpt_thread_set_slice_ns(0), 0);
	assert_int_equal(after.slice_ns, 3000000);
	assert_int_equal(find("6.18.0").slice_ns, before.slice_ns);
}

/* ---- Output ----------------------------------------------------------------------------------------------------- */

/* The caller frees it. */
static char *text_of(const struct kernel_aids *a)
{
	struct libscols_table *tb = out_table_new_facts();
	char *text = NULL;

	kernel_aids_table(tb, a);
	assert_int_equal(scols_print_table_to_string(tb, &text), 0);
	scols_unref_table(tb);
	return text;
}

static void assert_text(const struct kernel_aids *a, const char *expect)
{
	char *text = text_of(a);

	assert_string_equal(text, expect);
	free(text);
}

static void text_says_what_is_so(void **state)
{
	struct kernel_aids a = { .policy = SCHED_OTHER, .slice_ns = 2800000, .all_cpus = OFFER_DENIED };

	(void)state;
	assert_text(&a, "Time slice   2.800 ms, can be set; ends at the next jiffy\n"
		    "Low latency  requests for all CPUs denied");
	a.has_slice_timer = true;
	a.all_cpus = a.from_suspend = OFFER_PERMITTED;
	a.one_cpu = OFFER_DENIED;
	assert_text(&a, "Time slice   2.800 ms, can be set; ends on time\n"
		    "Low latency  requests for all CPUs permitted, for one CPU denied, in suspend-to-idle permitted");
}

static void text_says_why_a_slice_cannot_be_set(void **state)
{
	struct kernel_aids a = { .policy = SCHED_BATCH };

	(void)state;
	assert_text(&a, "Time slice  cannot be set: this kernel has one for all threads");
	a.policy = SCHED_FIFO;
	assert_text(&a, "Time slice  cannot be set: the policy is fifo");
	a.policy = 7;
	assert_text(&a, "Time slice  cannot be set: the policy is ext");
	for (int policy = 8; policy >= -1; policy -= 9) {
		a.policy = policy;
		assert_text(&a, "Time slice  not readable");
	}
}

static void assert_json(const struct kernel_aids *a, const char *expect)
{
	json_t *o = json_object();
	char *text;

	kernel_aids_json(o, a);
	text = json_dumps(o, JSON_COMPACT);
	assert_string_equal(text, expect);
	free(text);
	json_decref(o);
}

static void json_has_null_for_what_is_absent(void **state)
{
	struct kernel_aids a = { .policy = -1 };

	(void)state;
	assert_json(&a, "{\"policy\":null,\"slice_ns\":null,\"slice_timer\":null,\"latency_request\":null,"
		    "\"cpu_latency_request\":null,\"wakeup_latency_request\":null}");
	a = (struct kernel_aids){ .policy = SCHED_IDLE, .slice_ns = 100000, .has_slice_timer = true,
				      .all_cpus = OFFER_PERMITTED, .one_cpu = OFFER_DENIED };
	assert_json(&a, "{\"policy\":\"idle\",\"slice_ns\":100000,\"slice_timer\":true,\"latency_request\":true,"
		    "\"cpu_latency_request\":false,\"wakeup_latency_request\":null}");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(absent_is_not_denied, make_root, remove_root),
		cmocka_unit_test_setup_teardown(permission_is_the_users, make_root, remove_root),
		cmocka_unit_test_setup_teardown(nothing_is_opened_for_writing, make_root, remove_root),
		cmocka_unit_test_setup_teardown(slice_timer_is_by_version, make_root, remove_root),
		cmocka_unit_test_setup_teardown(readable_features_override_the_version, make_root, remove_root),
		cmocka_unit_test_setup_teardown(slice_is_the_threads, make_root, remove_root),
		cmocka_unit_test(text_says_what_is_so),
		cmocka_unit_test(text_says_why_a_slice_cannot_be_set),
		cmocka_unit_test(json_has_null_for_what_is_absent),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
