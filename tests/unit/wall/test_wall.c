// SPDX-License-Identifier: MIT
/* hpt_wall_open(), hpt_wall_ref(), hpt_wall_close(): each member of the config, holders, and the first record. */
#include "wall_fakes.h"

#include "machine/process.h"

#define ALL_SOURCES 0x7fu

static hpt_wall *untouched = (hpt_wall *)&untouched;

static int try_open(const struct hpt_wall_config *c, size_t size, uint32_t flags)
{
	hpt_wall *w = untouched;
	int r = hpt_wall_open(&clk, c, size, flags, &w);

	if (r)
		assert_ptr_equal(w, untouched);
	else
		hpt_wall_close(w);
	return r;
}

static int try_config(const struct hpt_wall_config *c)
{
	return try_open(c, sizeof(*c), 0);
}

/* ---- Arguments ----------------------------------------------------------------------------------------------- */

static void arguments_are_checked(void **state)
{
	struct hpt_wall_config c = config_of_feed();

	(void)state;
	assert_int_equal(hpt_wall_open(&clk, &c, sizeof(c), 0, NULL), -EINVAL);
	assert_int_equal(hpt_wall_open(&clk, NULL, 0, 0, NULL), -EINVAL);
	assert_int_equal(try_open(&c, sizeof(c), HPT_WALL_OPEN_LEAP_COVER), 0);
	for (int bit = 1; bit < 32; bit++) {
		assert_int_equal(try_open(&c, sizeof(c), 1u << bit), -EINVAL);
		assert_int_equal(try_open(NULL, 0, HPT_WALL_OPEN_LEAP_COVER | 1u << bit), -EINVAL);
	}
	assert_int_equal(try_open(NULL, 0, 0), 0);
	assert_int_equal(try_open(NULL, 1, 0), 0);
}

struct longer {
	struct hpt_wall_config c;
	unsigned char more[64];
};

static void size_may_be_larger_with_zeros(void **state)
{
	struct longer l = { .c = config_of_feed() };

	(void)state;
	assert_int_equal(sizeof(l.c), HPT_WALL_CONFIG_SIZE_V0);
	for (size_t size = 0; size < HPT_WALL_CONFIG_SIZE_V0; size++)
		assert_int_equal(try_open(&l.c, size, 0), -EINVAL);
	for (size_t size = HPT_WALL_CONFIG_SIZE_V0; size <= sizeof(l); size++)
		assert_int_equal(try_open(&l.c, size, 0), 0);
	for (size_t i = 0; i < sizeof(l.more); i++) {
		l.more[i] = 1;
		assert_int_equal(try_open(&l.c, sizeof(l.c) + i, 0), 0);
		assert_int_equal(try_open(&l.c, sizeof(l.c) + i + 1, 0), -EINVAL);
		l.more[i] = 0;
	}
}

#define TRY(member, value, result)                            \
	do {                                                  \
		struct hpt_wall_config c = config_of_feed();  \
		c.member = (value);                           \
		assert_int_equal(try_config(&c), (result));   \
	} while (0)

static void numbers_are_checked(void **state)
{
	(void)state;
	TRY(rate_ppb, 999999999, 0);
	TRY(rate_ppb, 1000000000, -EINVAL);
	TRY(rate_ppb, UINT32_MAX, -EINVAL);
	TRY(wander_ppb, 999999999, 0);
	TRY(wander_ppb, 1000000000, -EINVAL);
	TRY(phc_timescale, HPT_WALL_TIMESCALE_UTC, 0);
	TRY(phc_timescale, HPT_WALL_TIMESCALE_TAI, 0);
	TRY(phc_timescale, HPT_WALL_TIMESCALE_TAI + 1, -EINVAL);
	TRY(reserved, 1, -EINVAL);
	TRY(phc_error_ns, INT64_MAX, 0);
	TRY(phc_error_ns, -1, -EINVAL);
	TRY(max_width_ns, INT64_MAX, 0);
	TRY(max_width_ns, -1, -EINVAL);
	TRY(max_age_ns, INT64_MAX, 0);
	TRY(max_age_ns, -1, -EINVAL);
	TRY(max_age_ns, INT64_MIN, -EINVAL);
}

static void strings_must_end(void **state)
{
	static const struct {
		size_t at, size;
	} strings[] = {
		{ offsetof(struct hpt_wall_config, clockbound_path), 112 },
		{ offsetof(struct hpt_wall_config, vmclock_path), 112 },
		{ offsetof(struct hpt_wall_config, phc_path), 112 },
		{ offsetof(struct hpt_wall_config, chrony_address), 64 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(strings); i++) {
		struct hpt_wall_config c = config_of_feed();

		memset((char *)&c + strings[i].at, 'x', strings[i].size);
		assert_int_equal(try_config(&c), -EINVAL);
		((char *)&c)[strings[i].at + strings[i].size - 1] = 0;
		assert_int_equal(try_config(&c), 0);
	}
}

/* ---- Sources ------------------------------------------------------------------------------------------------- */

/* Trust in a source that is not asked would have no effect. */
static void trusted_sources_are_used(void **state)
{
	static const struct {
		uint32_t sources, trusted;
		int result;
	} rows[] = {
		{ 0, HPT_WALL_SOURCE_CHRONY | HPT_WALL_SOURCE_FEED, 0 },
		{ 0, HPT_WALL_SOURCE_KERNEL, -EINVAL },
		{ 0, HPT_WALL_SOURCE_CHRONY | HPT_WALL_SOURCE_FBCLOCK, -EINVAL },
		{ 0, ALL_SOURCES & ~(HPT_WALL_SOURCE_KERNEL | HPT_WALL_SOURCE_FBCLOCK), 0 },
		{ HPT_WALL_SOURCE_KERNEL, HPT_WALL_SOURCE_KERNEL, 0 },
		{ HPT_WALL_SOURCE_KERNEL, HPT_WALL_SOURCE_CHRONY, -EINVAL },
		{ HPT_WALL_SOURCE_KERNEL | HPT_WALL_SOURCE_CHRONY, HPT_WALL_SOURCE_CHRONY, 0 },
		{ ALL_SOURCES, ALL_SOURCES, 0 },
		{ HPT_WALL_SOURCE_FEED, ALL_SOURCES, -EINVAL },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct hpt_wall_config c = { .sources = rows[i].sources, .trusted = rows[i].trusted };

		if (try_config(&c) != rows[i].result)
			fail_msg("row %zu", i);
	}
}

static void masks_name_sources_that_there_are(void **state)
{
	static const uint32_t wrong[] = { 1u << 7, 1u << 31, UINT32_MAX, HPT_WALL_SOURCE_PHC | 1u << 8 };

	(void)state;
	for (size_t i = 0; i < COUNT(wrong); i++) {
		assert_int_equal(try_config(&(struct hpt_wall_config){ .sources = wrong[i] }), -EINVAL);
		assert_int_equal(try_config(&(struct hpt_wall_config){ .trusted = wrong[i] }), -EINVAL);
		assert_int_equal(try_config(&(struct hpt_wall_config){ .sources = ALL_SOURCES, .trusted = wrong[i] }),
				 -EINVAL);
	}
	for (uint32_t id = HPT_WALL_SOURCE_FEED; id <= HPT_WALL_SOURCE_FBCLOCK; id <<= 1) {
		struct hpt_wall_config c = { .sources = id };

		open_as(&c, 0);
		assert_int_equal(wall_info().sources, id);
		for (uint32_t other = HPT_WALL_SOURCE_FEED; other <= HPT_WALL_SOURCE_FBCLOCK; other <<= 1)
			assert_int_equal(source_info(other).reason, other == id ? HPT_WALL_REASON_NOT_ASKED :
									 HPT_WALL_REASON_NOT_USED);
	}
}

static void claims_of_unknown_worth_are_on_request_only(void **state)
{
	const uint32_t on_request = HPT_WALL_SOURCE_KERNEL | HPT_WALL_SOURCE_FBCLOCK;
	struct hpt_wall_config c = { 0 };

	(void)state;
	open_as(&c, 0);
	assert_int_equal(wall_info().sources, ALL_SOURCES & ~on_request);
	hpt_wall_close(wall);
	assert_int_equal(hpt_wall_open(&clk, NULL, 0, 0, &wall), 0);
	assert_int_equal(wall_info().sources, ALL_SOURCES & ~on_request);
	c.sources = ALL_SOURCES;
	open_as(&c, 0);
	assert_int_equal(wall_info().sources, ALL_SOURCES);
}

static int contacts;

static int count_contact(const char *path, uint64_t start, size_t length, const volatile void **ret,
			 uint32_t *ret_stage)
{
	(void)path, (void)start, (void)length, (void)ret, (void)ret_stage;
	contacts++;
	return -ENOENT;
}

static int count_exchange(const char *address, struct hpt_datagrams *d, int64_t timeout_ns)
{
	(void)address, (void)d, (void)timeout_ns;
	contacts++;
	return -ECONNREFUSED;
}

static void open_asks_no_source(void **state)
{
	struct hpt_wall_config c = { .sources = ALL_SOURCES };

	(void)state;
	fake_env.map_registers = count_contact;
	fake_env.exchange = count_exchange;
	contacts = 0;
	open_as(&c, 0);
	assert_int_equal(contacts, 0);
}

/* ---- The wall ------------------------------------------------------------------------------------------------ */

static void new_wall_has_no_bound(void **state)
{
	struct hpt_wall_info i = wall_info();
	struct hpt_wall_time t;

	(void)state;
	assert_int_equal(i.state, HPT_WALL_STATE_NONE);
	assert_int_equal(i.generation, 1);
	assert_int_equal(i.samples, 0);
	assert_int_equal(i.live, 0);
	assert_int_equal(i.width_ns, -1);
	assert_int_equal(i.age_ns, -1);
	assert_int_equal(hpt_wall_now(wall, &t), -EAGAIN);
}

static void defaults_are_what_the_header_says(void **state)
{
	struct hpt_wall_config c = config_of_feed();
	struct hpt_wall_info i = wall_info();

	(void)state;
	assert_int_equal(i.rate_ppb, 50000);
	assert_int_equal(i.wander_ppb, 15000);
	assert_int_equal(i.flags, HPT_WALL_FLAG_ASSUMED_RATE);
	c.rate_ppb = 1000;
	open_as(&c, 0);
	assert_int_equal(wall_info().flags, HPT_WALL_FLAG_ASSUMED_RATE);
	c.wander_ppb = 100;
	open_as(&c, 0);
	i = wall_info();
	assert_int_equal(i.rate_ppb, 1000);
	assert_int_equal(i.wander_ppb, 100);
	assert_int_equal(i.flags, 0);
	c.rate_ppb = 0;
	open_as(&c, 0);
	assert_int_equal(wall_info().flags, HPT_WALL_FLAG_ASSUMED_RATE);
}

static void guests_may_miss_a_disruption(void **state)
{
	struct hpt_wall_config c = { .sources = FEED_BIT, .rate_ppb = 1, .wander_ppb = 1 };

	(void)state;
	open_as(&c, 0);
	assert_int_equal(wall_info().flags, 0);
	fake_cpu(guest);
	open_as(&c, 0);
	assert_int_equal(wall_info().flags, HPT_WALL_FLAG_NO_DISRUPTION_SIGNAL);
	feed(NS_PER_US);
	assert_int_equal(now_checked().flags, HPT_WALL_FLAG_NO_DISRUPTION_SIGNAL);
}

static void wall_holds_its_clock(void **state)
{
	hpt_clock *os = NULL;
	hpt_wall *w = NULL;

	(void)state;
	assert_int_equal(hpt_clock_open(HPT_SOURCE_OS, 0, &os), 0);
	assert_int_equal(hpt_wall_open(os, NULL, 0, 0, &w), 0);
	assert_int_equal(os->holders, 2);
	assert_ptr_equal(hpt_wall_ref(w), w);
	hpt_wall_close(w);
	assert_int_equal(os->holders, 2);
	hpt_wall_close(w);
	assert_int_equal(os->holders, 1);
	hpt_clock_close(os);
	assert_null(hpt_wall_ref(NULL));
	hpt_wall_close(NULL);
}

static void default_clock_will_do(void **state)
{
	hpt_wall *w = NULL;

	(void)state;
	assert_int_equal(hpt_wall_open(NULL, NULL, 0, 0, &w), 0);
	assert_ptr_equal(w->clk, hpt_clock_default());
	hpt_wall_close(w);
}

static void config_is_copied(void **state)
{
	struct hpt_wall_config c = config_of_feed();

	(void)state;
	c.max_width_ns = 1000000;
	open_as(&c, 0);
	memset(&c, 0xff, sizeof(c));
	feed(NS_PER_US);
	now_checked();
}

/* Walls take bells in turn, so that eight of them do not wake each other's threads. */
static void each_wall_has_a_bell(void **state)
{
	hpt_wall *walls[2 * HPT_BELLS];
	uint32_t used[HPT_BELLS] = { 0 };

	(void)state;
	for (size_t i = 0; i < COUNT(walls); i++) {
		assert_int_equal(hpt_wall_open(&clk, NULL, 0, 0, &walls[i]), 0);
		assert_in_range(walls[i]->bell, 1, HPT_BELLS);
		used[walls[i]->bell - 1]++;
	}
	for (size_t i = 0; i < HPT_BELLS; i++)
		assert_int_equal(used[i], 2);
	for (size_t i = 0; i < COUNT(walls); i++)
		hpt_wall_close(walls[i]);
}

/* Reads load these in a few cache lines, and pages of other members stay cold. */
static void what_reads_load_is_together(void **state)
{
	(void)state;
	assert_int_equal(offsetof(struct hpt_wall, clk), 0);
	assert_true(offsetof(struct hpt_wall, latch) < 64);
	assert_int_equal(offsetof(struct hpt_wall_record, read.bound), 0);
	assert_true(offsetof(struct hpt_wall_record, has_bound) <= 128);
	assert_int_equal(sizeof(struct hpt_wall_record) % 64, 0);
	assert_int_equal((uintptr_t)wall->records % 64, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		wall_test(arguments_are_checked),
		wall_test(size_may_be_larger_with_zeros),
		wall_test(numbers_are_checked),
		wall_test(strings_must_end),
		wall_test(masks_name_sources_that_there_are),
		wall_test(trusted_sources_are_used),
		wall_test(claims_of_unknown_worth_are_on_request_only),
		wall_test(open_asks_no_source),
		wall_test(new_wall_has_no_bound),
		wall_test(defaults_are_what_the_header_says),
		wall_test(guests_may_miss_a_disruption),
		wall_test(wall_holds_its_clock),
		wall_test(default_clock_will_do),
		wall_test(config_is_copied),
		wall_test(each_wall_has_a_bell),
		wall_test(what_reads_load_is_together),
	};

	fake_env_reset();
	return cmocka_run_group_tests_name("wall", tests, NULL, NULL);
}
