// SPDX-License-Identifier: MIT
/* Structs that may grow: sizes, tails, and the layout that programs were compiled with. */
#include <errno.h>
#include <string.h>

#include "unit.h"

#include "hpt/hpt.h"
#include "hpt/system.h"

#include "clock/clock.h"
#include "source/own_read.h"

/* The ABI of the first release: on every architecture the same. */
#define AT(type, member, at) _Static_assert(offsetof(struct type, member) == (at), #type "." #member)
_Static_assert(sizeof(struct hpt_clock_info) >= 200 && HPT_CLOCK_INFO_SIZE_V0 == 200, "hpt_clock_info");
_Static_assert(sizeof(struct hpt_source_info) >= 80 && HPT_SOURCE_INFO_SIZE_V0 == 80, "hpt_source_info");
_Static_assert(sizeof(struct hpt_cpu_info) >= 168 && HPT_CPU_INFO_SIZE_V0 == 168, "hpt_cpu_info");
_Static_assert(sizeof(struct hpt_sleep_info) >= 56 && HPT_SLEEP_INFO_SIZE_V0 == 56, "hpt_sleep_info");
AT(hpt_clock_info, size, 0);
AT(hpt_clock_info, source, 4);
AT(hpt_clock_info, reason, 8);
AT(hpt_clock_info, state, 12);
AT(hpt_clock_info, flags, 16);
AT(hpt_clock_info, counter_bits, 20);
AT(hpt_clock_info, generation, 24);
AT(hpt_clock_info, frequency_uhz, 32);
AT(hpt_clock_info, frequency_error_ppb, 40);
AT(hpt_clock_info, frequency_origin, 44);
AT(hpt_clock_info, granularity_ns, 48);
AT(hpt_clock_info, env_requested, 52);
AT(hpt_clock_info, read_cost_mean_ps, 56);
AT(hpt_clock_info, read_cost_stddev_ps, 64);
AT(hpt_clock_info, read_cost_samples, 72);
AT(hpt_clock_info, read_cost_dropped, 76);
AT(hpt_clock_info, hpet_period_fs, 80);
AT(hpt_clock_info, hpet_vendor_id, 88);
AT(hpt_clock_info, ordered_read, 92);
AT(hpt_clock_info, epoch_ticks, 96);
AT(hpt_clock_info, epoch_ns, 104);
AT(hpt_clock_info, epoch_unix_ns, 112);
AT(hpt_clock_info, env_source, 120);
AT(hpt_clock_info, kernel_clocksource, 144);
AT(hpt_clock_info, rdtscp_mean_ps, 176);
AT(hpt_clock_info, lfence_rdtsc_mean_ps, 184);
AT(hpt_clock_info, os_error_ns, 192);
AT(hpt_source_info, size, 0);
AT(hpt_source_info, source, 4);
AT(hpt_source_info, usable, 8);
AT(hpt_source_info, chosen, 12);
AT(hpt_source_info, stage, 16);
AT(hpt_source_info, reason, 20);
AT(hpt_source_info, error, 24);
AT(hpt_source_info, granularity_ns, 28);
AT(hpt_source_info, cost_mean_ps, 32);
AT(hpt_source_info, cost_stddev_ps, 40);
AT(hpt_source_info, cost_samples, 48);
AT(hpt_source_info, cost_dropped, 52);
AT(hpt_source_info, frequency_uhz, 56);
AT(hpt_source_info, name, 64);
AT(hpt_cpu_info, size, 0);
AT(hpt_cpu_info, tsc_class, 4);
AT(hpt_cpu_info, family, 8);
AT(hpt_cpu_info, model, 12);
AT(hpt_cpu_info, stepping, 16);
AT(hpt_cpu_info, tsc, 20);
AT(hpt_cpu_info, rdtscp, 24);
AT(hpt_cpu_info, invariant, 28);
AT(hpt_cpu_info, sse2, 32);
AT(hpt_cpu_info, hypervisor, 36);
AT(hpt_cpu_info, cores_online, 40);
AT(hpt_cpu_info, crystal_hz, 44);
AT(hpt_cpu_info, tsc_hz, 48);
AT(hpt_cpu_info, vendor_id, 56);
AT(hpt_cpu_info, vendor, 72);
AT(hpt_cpu_info, brand, 88);
AT(hpt_cpu_info, hypervisor_id, 152);
AT(hpt_sleep_info, size, 0);
AT(hpt_sleep_info, policy, 4);
AT(hpt_sleep_info, max_spin_ns, 8);
AT(hpt_sleep_info, margin_ns, 16);
AT(hpt_sleep_info, long_margin_ns, 20);
AT(hpt_sleep_info, samples, 24);
AT(hpt_sleep_info, long_samples, 28);
AT(hpt_sleep_info, waits, 32);
AT(hpt_sleep_info, oversleeps, 40);
AT(hpt_sleep_info, oversleep_ns, 48);

#define LONGER 1024

static int get_clock(void *ret, size_t size)
{
	return hpt_clock_get_info(NULL, ret, size);
}

static int get_source(void *ret, size_t size)
{
	return hpt_source_get_info(HPT_SOURCE_OS, ret, size);
}

static int get_cpu(void *ret, size_t size)
{
	return hpt_cpu_get_info(ret, size);
}

static int get_sleep(void *ret, size_t size)
{
	return hpt_sleep_get_info(ret, size);
}

static const struct {
	int (*get)(void *ret, size_t size);
	size_t v0, now;
} infos[] = {
	{ get_clock, HPT_CLOCK_INFO_SIZE_V0, sizeof(struct hpt_clock_info) },
	{ get_source, HPT_SOURCE_INFO_SIZE_V0, sizeof(struct hpt_source_info) },
	{ get_sleep, HPT_SLEEP_INFO_SIZE_V0, sizeof(struct hpt_sleep_info) },
#if defined(__x86_64__) || defined(__i386__)
	{ get_cpu, HPT_CPU_INFO_SIZE_V0, sizeof(struct hpt_cpu_info) },
#endif
};

static bool all_are(const unsigned char *p, size_t n, unsigned char value)
{
	for (size_t i = 0; i < n; i++)
		if (p[i] != value)
			return false;
	return true;
}

static void sizes_too_small_touch_nothing(void **state)
{
	_Alignas(8) unsigned char buf[LONGER];

	(void)state;
	(void)get_cpu;
	for (size_t i = 0; i < COUNT(infos); i++) {
		memset(buf, 0xa5, sizeof(buf));
		for (size_t size = 0; size < infos[i].v0; size++)
			assert_int_equal(infos[i].get(buf, size), -EINVAL);
		assert_int_equal(infos[i].get(NULL, infos[i].now), -EINVAL);
		assert_true(all_are(buf, sizeof(buf), 0xa5));
	}
}

static void size_member_says_how_much_is_filled(void **state)
{
	_Alignas(8) unsigned char buf[LONGER];

	(void)state;
	for (size_t i = 0; i < COUNT(infos); i++)
		for (size_t size = infos[i].v0; size < LONGER; size += size < infos[i].now + 9 ? 1 : 50) {
			uint32_t filled;

			memset(buf, 0xa5, sizeof(buf));
			assert_int_equal(infos[i].get(buf, size), 0);
			memcpy(&filled, buf, sizeof(filled));
			assert_int_equal(filled, size < infos[i].now ? size : infos[i].now);
			assert_true(all_are(buf + filled, size - filled, 0));        /* a longer tail is zero */
			assert_true(all_are(buf + size, sizeof(buf) - size, 0xa5)); /* nothing beyond the size given */
		}
}

static void unknown_sources_are_invalid(void **state)
{
	struct hpt_source_info info, before;

	(void)state;
	memset(&info, 0xa5, sizeof(info));
	before = info;
	assert_int_equal(hpt_source_get_info(7, &info, sizeof(info)), -EINVAL);
	assert_int_equal(hpt_source_get_info(UINT32_MAX, &info, sizeof(info)), -EINVAL);
	assert_memory_equal(&info, &before, sizeof(info));
}

static void exactly_one_source_is_chosen(void **state)
{
	struct hpt_source_info dflt;
	uint32_t chosen = 0;

	(void)state;
	assert_int_equal(hpt_source_get_info(HPT_SOURCE_AUTO, &dflt, sizeof(dflt)), 0);
	for (uint32_t id = HPT_SOURCE_TSC; id <= HPT_SOURCE_MANUAL; id++) {
		struct hpt_source_info info;

		assert_int_equal(hpt_source_get_info(id, &info, sizeof(info)), 0);
		assert_int_equal(info.source, id);
		assert_string_equal(info.name, hpt_source_name(id));
		/* OS counts as usable without having been tried */
		assert_true(!info.usable || info.stage == HPT_STAGE_USABLE || info.stage == HPT_STAGE_UNTRIED);
		assert_true(!info.usable || !info.error);
		assert_int_not_equal(info.reason, HPT_REASON_NONE);
		chosen += info.chosen;
		assert_int_equal(info.chosen, id == dflt.source);
	}
	assert_int_equal(chosen, 1);
}

static void clock_info_agrees_with_source_info(void **state)
{
	struct hpt_clock_info clock;
	struct hpt_source_info source;

	(void)state;
	assert_int_equal(hpt_clock_get_info(NULL, &clock, sizeof(clock)), 0);
	assert_int_equal(hpt_source_get_info(clock.source, &source, sizeof(source)), 0);
	assert_int_equal(source.frequency_uhz, clock.frequency_uhz);
	assert_int_equal(source.cost_mean_ps, clock.read_cost_mean_ps);
	assert_int_equal(source.cost_samples, clock.read_cost_samples);
	assert_int_equal(source.granularity_ns, clock.granularity_ns);
	assert_int_equal(source.reason, clock.reason);
	assert_int_equal(clock.flags & HPT_CLOCK_IS_DEFAULT, HPT_CLOCK_IS_DEFAULT);
	assert_true(clock.granularity_ns >= 1);
	assert_int_equal(clock.counter_bits, 64);
	assert_int_equal(clock.generation, 1);
	assert_true(clock.read_cost_samples + clock.read_cost_dropped >= 16);
}

static void ordered_read_is_named_with_both_costs(void **state)
{
	struct hpt_clock_info info;
	hpt_clock *clk;

	(void)state;
	assert_int_equal(hpt_clock_open(HPT_SOURCE_OS, 0, &clk), 0);
	assert_int_equal(hpt_clock_get_info(clk, &info, sizeof(info)), 0);
	assert_int_equal(info.ordered_read, HPT_ORDERED_OTHER);
	assert_int_equal(info.rdtscp_mean_ps, 0);
	assert_int_equal(info.lfence_rdtsc_mean_ps, 0);
	hpt_clock_close(clk);
	if (hpt_clock_open(HPT_SOURCE_TSC, 0, &clk)) {
		note("no TSC here");
		return;
	}
#ifdef HPT_ARCH_X86
	/* Costs by hand: 100 ticks by the chosen read, 200 by the other, or no other. */
	for (int other = 0; other < 2; other++)
		for (int is_lfence = 0; is_lfence < 2; is_lfence++) {
			uint64_t own_ps, other_ps;

			hpt_own_set_order(&clk->src, is_lfence ? HPT_OWN_SECOND : HPT_OWN_FIRST);
			clk->cost = (struct hpt_read_cost){ .mean_mticks = 100000, .samples = 1 };
			clk->other_mticks = other ? 200000 : 0;
			assert_int_equal(hpt_clock_get_info(clk, &info, sizeof(info)), 0);
			own_ps = is_lfence ? info.lfence_rdtsc_mean_ps : info.rdtscp_mean_ps;
			other_ps = is_lfence ? info.rdtscp_mean_ps : info.lfence_rdtsc_mean_ps;
			assert_int_equal(info.ordered_read, is_lfence ? HPT_ORDERED_LFENCE_RDTSC : HPT_ORDERED_RDTSCP);
			assert_true(own_ps > 0 && own_ps == info.read_cost_mean_ps);
			assert_true(other ? other_ps >= 2 * own_ps - 1 && other_ps <= 2 * own_ps + 1 : !other_ps);
		}
#endif
	hpt_clock_close(clk);
}

static void epoch_ties_the_three_scales_together(void **state)
{
	struct hpt_clock_info clock;
	int64_t unix_ns;

	(void)state;
	assert_int_equal(hpt_clock_get_info(NULL, &clock, sizeof(clock)), 0);
	assert_int_equal(hpt_time_to_unix_ns(NULL, clock.epoch_ticks, &unix_ns), 0);
	assert_int_equal(unix_ns, clock.epoch_unix_ns);
	assert_true(clock.epoch_ns <= hpt_now_ns(NULL));
	assert_true(clock.epoch_ticks <= hpt_now(NULL));
}

static void kernel_hz_is_plausible(void **state)
{
	uint32_t hz = hpt_kernel_hz();

	(void)state;
	note("kernel %u Hz", hz);
	assert_true(hz == 0 || (hz >= 24 && hz <= 10000));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sizes_too_small_touch_nothing),
		cmocka_unit_test(size_member_says_how_much_is_filled),
		cmocka_unit_test(unknown_sources_are_invalid),
		cmocka_unit_test(exactly_one_source_is_chosen),
		cmocka_unit_test(clock_info_agrees_with_source_info),
		cmocka_unit_test(ordered_read_is_named_with_both_costs),
		cmocka_unit_test(epoch_ties_the_three_scales_together),
		cmocka_unit_test(kernel_hz_is_plausible),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
