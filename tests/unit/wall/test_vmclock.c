// SPDX-License-Identifier: MIT
/* The source VMCLOCK: pages of every kind by a fake machine, and their lines against exact integers of 320 bits. */
#include "vmclock_world.h"

#include "source/mmio.h"
#include "source/os.h"

#define DAY_S INT64_C(86400)

/* ---- Exact arithmetic ---------------------------------------------------------------------------------------- */

#define LIMBS 10 /* of 32 bits, the lowest first */

struct big {
	uint32_t limb[LIMBS];
};

static struct big big_times(struct big x, uint64_t by)
{
	struct big product = { { 0 } };

	for (int half = 0; half < 2; half++) {
		uint64_t factor = half ? by >> 32 : by & UINT32_MAX, carry = 0;

		for (int i = 0; i + half < LIMBS; i++) {
			carry += product.limb[i + half] + factor * x.limb[i];
			product.limb[i + half] = (uint32_t)carry;
			carry >>= 32;
		}
	}
	return product;
}

static struct big big_of(uint64_t x)
{
	return big_times((struct big){ { 1 } }, x);
}

static struct big big_add(struct big a, struct big b)
{
	uint64_t carry = 0;

	for (int i = 0; i < LIMBS; i++) {
		carry += (uint64_t)a.limb[i] + b.limb[i];
		a.limb[i] = (uint32_t)carry;
		carry >>= 32;
	}
	return a;
}

static struct big big_shifted(struct big x, uint32_t bits)
{
	for (; bits >= 32; bits -= 32)
		x = big_times(big_times(x, UINT64_C(1) << 31), 2);
	return big_times(x, UINT64_C(1) << bits);
}

/* x / 2^bits, rounded down or up, modulo 2^64. */
static int64_t big_divided(struct big x, uint32_t bits, bool rounds_up)
{
	uint64_t q = 0;
	bool rest = false;

	for (uint32_t i = 0; i < LIMBS * 32; i++) {
		bool bit = x.limb[i / 32] >> i % 32 & 1;

		if (i < bits)
			rest |= bit;
		else if (bit && i - bits < 64)
			q |= UINT64_C(1) << (i - bits);
	}
	return (int64_t)(q + (rounds_up && rest));
}

/* (sec + frac / 2^64 + ticks * period / 2^(64 + shift)) in nanoseconds. */
static int64_t exact_ns(uint64_t period, uint64_t ticks, bool rounds_up)
{
	uint32_t shift = p.counter_period_shift;
	struct big sum = big_shifted(big_add(big_shifted(big_of(p.time_sec), 64), big_of(p.time_frac_sec)), shift);

	sum = big_times(big_add(sum, big_times(big_of(ticks), period)), (uint64_t)NS_PER_S);
	return big_divided(sum, 64 + shift, rounds_up);
}

static struct hpt_scale exact_scale(uint64_t period, bool rounds_up)
{
	struct big ns = big_times(big_of(period), (uint64_t)NS_PER_S);

	return (struct hpt_scale){
		.whole = (uint64_t)big_divided(ns, 64 + p.counter_period_shift, false),
		.frac = (uint64_t)big_divided(ns, p.counter_period_shift, rounds_up),
	};
}

/* The tightest integers, or one nanosecond farther out: the slope is rounded too. */
static void check_against_exact(void)
{
	struct hpt_wall_reading r = good();
	uint64_t ticks = counter - p.counter_value, period = p.counter_period_frac_sec;
	uint64_t error = p.counter_period_maxerror_rate_frac_sec;
	int64_t tai_ns = p.time_type == 1 ? p.tai_offset_sec * NS_PER_S : 0;
	int64_t lo = exact_ns(period - error, ticks, false) - (int64_t)p.time_maxerror_nanosec - tai_ns;
	int64_t hi = exact_ns(period + error, ticks, true) + (int64_t)p.time_maxerror_nanosec - tai_ns;
	struct hpt_scale slope_lo = exact_scale(period - error, false), slope_hi = exact_scale(period + error, true);

	assert_int_equal(r.sample.before, counter);
	assert_int_equal(r.sample.after, counter);
	if (r.sample.earliest_ns > lo || r.sample.earliest_ns < lo - 1 || r.sample.latest_ns < hi ||
	    r.sample.latest_ns > hi + 1)
		fail_msg("[%lld, %lld], exactly [%lld, %lld]", (long long)r.sample.earliest_ns,
			 (long long)r.sample.latest_ns, (long long)lo, (long long)hi);
	assert_true(r.has_rate);
	assert_memory_equal(&r.rate.lo, &slope_lo, sizeof(slope_lo));
	assert_memory_equal(&r.rate.hi, &slope_hi, sizeof(slope_hi));
}

/* A counter of 1 MHz to 10 GHz, with any shift that keeps its period in 64 bits. */
static void random_page(void)
{
	double hz = 1e6 * (double)(1 + random_below(10000)), period_ns = 1e9 / hz;
	uint32_t most = 0;

	while (most < 40 && period_ns * (double)(UINT64_C(2) << most) < 1e9)
		most++;
	p.counter_period_shift = (uint8_t)random_below(most + 1);
	p.counter_period_frac_sec =
		(uint64_t)(period_ns / 1e9 * 18446744073709551616.0 * (double)(UINT64_C(1) << p.counter_period_shift) *
			   0.999) | random_u64() >> 44;
	p.counter_period_maxerror_rate_frac_sec = random_below(p.counter_period_frac_sec) >> random_below(64);
	if (p.counter_period_frac_sec + p.counter_period_maxerror_rate_frac_sec < p.counter_period_frac_sec)
		p.counter_period_maxerror_rate_frac_sec = 0;
	counter = random_u64();
	p.counter_value = counter - (uint64_t)((double)random_below(400000000000) / period_ns);
	p.time_sec = 2000 + random_below(8030000000);
	p.time_frac_sec = random_u64();
	p.time_maxerror_nanosec = random_below(1000000000000) >> random_below(41);
	p.time_type = random_u64() & 1;
	p.tai_offset_sec = (uint16_t)(10 + random_below(60));
	p.flags = VMCLOCK_FLAG_PERIOD_MAX | VMCLOCK_FLAG_TIME_MAX | (p.time_type ? VMCLOCK_FLAG_TAI_OFFSET : 0) |
		  (random_u64() & VMCLOCK_FLAG_OTHERS);
}

static int pages = 50000; /* or the program's argument */

static void random_lines_are_exact(void **state)
{
	int n = rounds(pages);

	(void)state;
	while (n--) {
		random_page();
		check_against_exact();
	}
}

static void line_of_a_gigahertz(void **state)
{
	struct hpt_wall_reading r = good();

	(void)state;
	/* A second and 50 ns to either side, a microsecond of error; the period is rounded by less than 2^-93 s. */
	assert_in_range(r.sample.earliest_ns, (NOW_S + 1) * NS_PER_S - 1052, (NOW_S + 1) * NS_PER_S - 1050);
	assert_in_range(r.sample.latest_ns, (NOW_S + 1) * NS_PER_S + 1050, (NOW_S + 1) * NS_PER_S + 1052);
	assert_int_equal(r.sample.flags, 0);
	assert_int_equal(r.tai_offset_s, 0);
	assert_int_equal(r.leap, HPT_WALL_LEAP_ABSENT);
	assert_int_equal(r.leap_at_ns, 0);
	assert_false(r.is_holdover);
	p.counter_value = counter;
	check_against_exact();
}

/* ---- Flag by flag -------------------------------------------------------------------------------------------- */

/* As Firecracker and QEMU fill it in. */
static void marker_alone_is_no_bound(void **state)
{
	(void)state;
	p = (struct vmclock_page){ .magic = VMCLOCK_MAGIC, .size = 4096, .version = 1,
				   .counter_id = VMCLOCK_COUNTER_INVALID, .disruption_marker = 1 };
	assert_reason(HPT_WALL_REASON_NO_BOUND);
	p.counter_id = own_counter;
	assert_reason(HPT_WALL_REASON_NO_BOUND);
	p.clock_status = VMCLOCK_STATUS_SYNCHRONIZED;
	assert_reason(HPT_WALL_REASON_NO_BOUND);
}

static uint32_t expected(uint32_t size)
{
	if (size < 104 || !(p.flags & VMCLOCK_FLAG_PERIOD_MAX) || !(p.flags & VMCLOCK_FLAG_TIME_MAX) ||
	    p.counter_id == 255)
		return HPT_WALL_REASON_NO_BOUND;
	if (!has_counter || p.counter_id != own_counter)
		return HPT_WALL_REASON_OTHER_COUNTER;
	if (p.clock_status < 2 || p.clock_status > 3)
		return HPT_WALL_REASON_UNSYNCED;
	if (p.time_type == 2 || p.time_type > 3 || (p.time_type == 1 && !(p.flags & VMCLOCK_FLAG_TAI_OFFSET)))
		return HPT_WALL_REASON_NO_TIMESCALE;
	return p.leap_indicator == 3 ? HPT_WALL_REASON_LEAP : HPT_WALL_REASON_NONE;
}

static void check_good(void)
{
	struct hpt_wall_reading r = good();

	assert_int_equal(r.sample.flags, p.time_type == 3 ? HPT_WALL_FLAG_SMEARED : 0);
	assert_int_equal(r.is_holdover, p.clock_status == VMCLOCK_STATUS_FREERUNNING);
	assert_int_equal(r.tai_offset_s, p.flags & VMCLOCK_FLAG_TAI_OFFSET ? 37 : 0);
	assert_in_range(r.sample.earliest_ns + (p.time_type == 1 ? 37 * NS_PER_S : 0), (NOW_S + 1) * NS_PER_S - 1052,
			(NOW_S + 1) * NS_PER_S - 1050);
}

/* All combinations of the flags' bits, statuses, types, counters, leap indicators and sizes that differ in meaning. */
static void every_combination(void **state)
{
	static const uint8_t counters[] = { 0, 1, 2, 255 };
	static const uint32_t sizes[] = { 32, 103, 104, 112, 4096 };
	uint32_t good_ones = 0;

	(void)state;
	p.tai_offset_sec = 37;
	for (uint32_t i = 0; i < 512 * 6 * 6 * 4 * 6 * 5; i += (uint32_t)stride()) {
		uint32_t reason, at = i / 512;

		p.flags = i % 512;
		p.clock_status = (uint8_t)(at % 6);
		p.time_type = (uint8_t)(at / 6 % 6);
		p.counter_id = counters[at / 36 % 4];
		p.leap_indicator = (uint8_t)(at / 144 % 6);
		p.size = sizes[at / 864];
		p.leap_second_smearing_hint = (uint8_t)(i % 3);
		reason = expected(p.size);
		assert_reason(reason);
		if (!reason) {
			check_good();
			good_ones++;
		}
	}
	assert_true(has_counter ? good_ones > 1000 / (uint32_t)stride() : !good_ones);
}

static void other_clocks_have_another_counter(void **state)
{
	static const struct hpt_source_ops *const others[] = { &hpt_source_os, &hpt_source_mmio };

	(void)state;
	for (size_t i = 0; i < COUNT(others); i++) {
		clk.src.ops = others[i];
		assert_reason(HPT_WALL_REASON_OTHER_COUNTER);
	}
}

static void no_page_is_absent(void **state)
{
	struct hpt_wall_ask question = { .clk = &clk, .config = &config };
	struct hpt_wall_reading reading;

	(void)state;
	assert_int_equal(hpt_wall_vmclock.ask(&question, &reading), HPT_WALL_REASON_ABSENT);
	assert_string_equal(hpt_wall_vmclock.path(&question), "/dev/vmclock0");
	strcpy(config.vmclock_path, "/dev/vmclock7");
	assert_string_equal(hpt_wall_vmclock.path(&question), "/dev/vmclock7");
}

/* ---- Values -------------------------------------------------------------------------------------------------- */

static void absurd(void)
{
	assert_reason(HPT_WALL_REASON_ABSURD);
	(void)setup(&(void *){ NULL });
	(void)good();
}

static void absurd_values_are_refused(void **state)
{
	(void)state;
	(void)good();
	p.counter_period_frac_sec = 0;
	p.counter_period_maxerror_rate_frac_sec = 0;
	absurd();
	p.counter_period_maxerror_rate_frac_sec = p.counter_period_frac_sec;
	absurd();
	p.counter_period_frac_sec = UINT64_C(1) << 60; /* the difference wraps, and is below the sum */
	p.counter_period_maxerror_rate_frac_sec = (UINT64_C(1) << 63) + 5;
	absurd();
	p.counter_period_frac_sec = UINT64_MAX - 5; /* the sum wraps; no tick has passed */
	p.counter_period_maxerror_rate_frac_sec = 6;
	p.counter_value = counter;
	absurd();
	p.counter_period_shift = 64;
	absurd();
	p.counter_period_shift = 255;
	absurd();
	p.counter_period_shift = 0; /* two ticks a second */
	absurd();
	p.counter_period_shift = 63; /* less than 2^-64 ns */
	p.counter_period_frac_sec = 1;
	p.counter_period_maxerror_rate_frac_sec = 0;
	absurd();
	p.time_sec = UINT64_MAX;
	absurd();
	p.time_sec = NOW_S + (UINT64_C(1) << 55); /* in nanoseconds that is NOW_S, modulo 2^64 */
	absurd();
	p.time_sec = 8040000000;
	absurd();
	p.time_sec = 8039999999; /* within range, but a second later it is not */
	absurd();
	p.time_sec = 0;
	p.time_maxerror_nanosec = 2 * NS_PER_S; /* before 1970 */
	absurd();
	p.time_maxerror_nanosec = UINT64_MAX;
	absurd();
	p.time_maxerror_nanosec = INT64_MAX;
	absurd();
	p.leap_indicator = 6;
	absurd();
	p.counter_value = counter + 1;
	absurd();
	p.time_type = 1;
	p.time_sec = 20;
	p.flags |= VMCLOCK_FLAG_TAI_OFFSET;
	p.tai_offset_sec = 37; /* before 1970 */
	absurd();
}

/* An offset of the wrong sign is what Linux's own driver expected for a while. */
static void absurd_tai_offsets_are_refused(void **state)
{
	static const int values[] = { 0, 9, -37, 1001, 32767, -32768 };

	(void)state;
	for (size_t i = 0; i < COUNT(values); i++) {
		p.flags |= VMCLOCK_FLAG_TAI_OFFSET;
		p.tai_offset_sec = (uint16_t)values[i];
		absurd();
	}
	p.tai_offset_sec = (uint16_t)-37; /* without the flag it says nothing */
	assert_int_equal(good().tai_offset_s, 0);
}

/* The age is that of the line: by its longest period. */
static void old_line_is_refused(void **state)
{
	(void)state;
	p.counter_period_maxerror_rate_frac_sec = 0;
	counter = p.counter_value + 999999999999;
	(void)good();
	counter += 1000000000;
	assert_reason(HPT_WALL_REASON_OLD);
	config.max_age_ns = 2000 * NS_PER_S;
	(void)good();
	config.max_age_ns = 10 * NS_PER_S;
	assert_reason(HPT_WALL_REASON_OLD);
	counter = p.counter_value + 9999999999;
	(void)good();
	p.counter_period_maxerror_rate_frac_sec = GHZ_PERIOD / 1000;
	assert_reason(HPT_WALL_REASON_OLD);
	/* The product is beyond 64 bits. */
	config.max_age_ns = INT64_MAX;
	p.counter_period_shift = 10;
	p.counter_period_maxerror_rate_frac_sec = 0;
	counter = p.counter_value + INT64_MAX;
	assert_reason(HPT_WALL_REASON_OLD);
	/* It is not, but the sum is beyond the years that are allowed. */
	counter = p.counter_value + 15000000000000;
	assert_reason(HPT_WALL_REASON_ABSURD);
}

/* ---- Leap seconds -------------------------------------------------------------------------------------------- */

static void check_leap(uint64_t sec, uint8_t indicator, enum hpt_wall_leap leap, int64_t at_s)
{
	struct hpt_wall_reading r;

	p.time_sec = sec;
	p.leap_indicator = indicator;
	r = good();
	assert_int_equal(r.leap, leap);
	assert_int_equal(r.leap_at_ns, at_s * NS_PER_S);
}

#define JAN_1_2017 INT64_C(1483228800) /* the leap second of 2016 ended before it */
#define JUL_1_2015 INT64_C(1435708800)

static void leap_second_is_at_the_end_of_the_month(void **state)
{
	(void)state;
	check_leap(JAN_1_2017 - 31 * DAY_S, 1, HPT_WALL_LEAP_INSERTED, JAN_1_2017);
	check_leap(JAN_1_2017 - 31 * DAY_S, 2, HPT_WALL_LEAP_LEFT_OUT, JAN_1_2017);
	check_leap(JAN_1_2017 - 5, 1, HPT_WALL_LEAP_INSERTED, JAN_1_2017);
	check_leap(JUL_1_2015 - 30 * DAY_S, 1, HPT_WALL_LEAP_INSERTED, JUL_1_2015);
	check_leap(JUL_1_2015 - DAY_S, 2, HPT_WALL_LEAP_LEFT_OUT, JUL_1_2015);
	check_leap(JAN_1_2017 + 4, 4, HPT_WALL_LEAP_ABSENT, 0);
	check_leap(JAN_1_2017 + 4, 5, HPT_WALL_LEAP_ABSENT, 0);
	check_leap(JAN_1_2017 - 3, 0, HPT_WALL_LEAP_ABSENT, 0);
	p.time_type = 1; /* its month is UTC's */
	p.flags |= VMCLOCK_FLAG_TAI_OFFSET;
	p.tai_offset_sec = 36;
	check_leap(JAN_1_2017 + 30, 1, HPT_WALL_LEAP_INSERTED, JAN_1_2017);
	check_leap(JAN_1_2017 + 37, 1, HPT_WALL_LEAP_INSERTED, JAN_1_2017 + 31 * DAY_S);
}

/* The line knows nothing of the leap second that follows it. */
static void line_ends_before_the_leap_second(void **state)
{
	(void)state;
	p.leap_indicator = 1;
	p.time_sec = JAN_1_2017 - 3; /* a second before the tick */
	p.counter_period_maxerror_rate_frac_sec = 0;
	(void)good();
	counter += 999998000; /* 2 us less: its error is 1 us */
	(void)good();
	counter += 1100;
	assert_reason(HPT_WALL_REASON_LEAP);
	counter += 500000000000;
	assert_reason(HPT_WALL_REASON_LEAP);
	p.leap_indicator = 2;
	assert_reason(HPT_WALL_REASON_LEAP);
	p.leap_indicator = 4;
	(void)good();
	p.leap_indicator = 3;
	assert_reason(HPT_WALL_REASON_LEAP);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(line_of_a_gigahertz, setup),
		cmocka_unit_test_setup(random_lines_are_exact, setup),
		cmocka_unit_test_setup(marker_alone_is_no_bound, setup),
		cmocka_unit_test_setup(every_combination, setup),
		cmocka_unit_test_setup(other_clocks_have_another_counter, setup),
		cmocka_unit_test_setup(no_page_is_absent, setup),
		cmocka_unit_test_setup(absurd_values_are_refused, setup),
		cmocka_unit_test_setup(absurd_tai_offsets_are_refused, setup),
		cmocka_unit_test_setup(old_line_is_refused, setup),
		cmocka_unit_test_setup(leap_second_is_at_the_end_of_the_month, setup),
		cmocka_unit_test_setup(line_ends_before_the_leap_second, setup),
	};
	/* Other processors; test_vmclock_arch has all of the above for them. */
	static const struct CMUnitTest without_counter[] = {
		cmocka_unit_test_setup(marker_alone_is_no_bound, setup),
		cmocka_unit_test_setup(every_combination, setup),
		cmocka_unit_test_setup(other_clocks_have_another_counter, setup),
		cmocka_unit_test_setup(no_page_is_absent, setup),
	};

	if (argc > 1)
		pages = atoi(argv[1]);
	random_start();
	if (!has_counter)
		return cmocka_run_group_tests(without_counter, NULL, NULL);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
