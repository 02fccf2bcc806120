// SPDX-License-Identifier: MIT
/* The source CHRONY, with a chronyd that answers as the test wants. */
#include <math.h>
#include <string.h>

#include "realtime_world.h"
#include "wide.h"

#define LENGTH 104

/* A chronyd whose error is within what it states. */
static struct {
	uint8_t reply[LENGTH + 64];
	int result;               /* of the exchange; 0: the length below */
	int length;
	uint32_t sequence_off;    /* added to the sequence number */
	double delay_s, dispersion_s, interval_s;
	double off_s;             /* how wrong its correction is */
	double age_s;             /* of the latest update; negative: in the future */
	uint32_t ref_id;
	uint16_t stratum, leap, status;
	uint64_t there_ps, back_ps; /* how long the datagrams travel */
	void (*meanwhile)(void);  /* called before it answers */
	void (*spoil)(void);      /* called with the reply ready */
	uint32_t right_from;      /* this question is the first one with a right answer */

	uint32_t asked;
	char address[64];
	uint32_t sequences[8];
	int64_t timeouts_ns[8];
	int64_t error_lo_ns, error_hi_ns; /* what it states, as it can be told */
} chronyd;

static void put_16(uint8_t *p, uint32_t v)
{
	p[0] = (uint8_t)(v >> 8);
	p[1] = (uint8_t)v;
}

static void put_32(uint8_t *p, uint32_t v)
{
	put_16(p, v >> 16);
	put_16(p + 2, v & 0xffff);
}

static uint32_t get_32(const uint8_t *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

/* As chrony's util.c does it: UTI_FloatHostToNetwork(). */
static void put_float(uint8_t *p, double x)
{
	double size = fabs(x);
	int exponent, coefficient, negative = x < 0;

	if (size < 1e-100) {
		put_32(p, 0);
		return;
	}
	exponent = (int)(log(size) / log(2) + 1);
	coefficient = (int)(size * pow(2, -exponent + 25) + 0.5);
	while (coefficient > (1 << 24) - 1 + negative) {
		coefficient >>= 1;
		exponent++;
	}
	put_32(p, (uint32_t)exponent << 25 | ((uint32_t)(negative ? -coefficient : coefficient) & 0x1ffffff));
}

static void put_time(uint8_t *p, int64_t ns)
{
	put_32(p, 0x7fffffff); /* as 32-bit machines send it */
	put_32(p + 4, (uint32_t)(ns / HPT_NS_PER_S));
	put_32(p + 8, (uint32_t)(ns % HPT_NS_PER_S));
}

static void write_reply(const uint8_t *request)
{
	uint8_t *r = chronyd.reply;
	int64_t off_ns = utc_now() - fake_world_true_ns(CLOCK_REALTIME);

	memset(r, 0, sizeof(chronyd.reply));
	r[0] = 6;
	r[1] = 2;
	put_16(r + 4, 33);
	put_16(r + 6, 5);
	put_16(r + 8, chronyd.status);
	put_32(r + 16, get_32(request + 8) + chronyd.sequence_off);
	put_32(r + 28, chronyd.ref_id);
	put_16(r + 52, chronyd.stratum);
	put_16(r + 54, chronyd.leap);
	put_time(r + 56, utc_now() - (int64_t)(chronyd.age_s * 1e9));
	put_float(r + 68, (double)off_ns * 1e-9 + chronyd.off_s);
	put_float(r + 92, chronyd.delay_s);
	put_float(r + 96, chronyd.dispersion_s);
	put_float(r + 100, chronyd.interval_s);
}

static void check_request(const uint8_t *request, size_t length)
{
	static const uint8_t zeros[LENGTH];

	assert_int_equal(length, LENGTH);
	assert_memory_equal(request, ((uint8_t[]){ 6, 1, 0, 0, 0, 33, 0, 0 }), 8);
	assert_memory_equal(request + 12, zeros, LENGTH - 12);
}

static int exchange(const char *address, const void *request, size_t length, void *ret, size_t size, int64_t timeout_ns)
{
	size_t n = chronyd.length < 0 ? 0 : (size_t)chronyd.length;

	check_request(request, length);
	snprintf(chronyd.address, sizeof(chronyd.address), "%s", address);
	chronyd.sequences[chronyd.asked % COUNT(chronyd.sequences)] = get_32((const uint8_t *)request + 8);
	chronyd.timeouts_ns[chronyd.asked % COUNT(chronyd.timeouts_ns)] = timeout_ns;
	world.now_ps += chronyd.there_ps;
	if (chronyd.meanwhile)
		chronyd.meanwhile();
	if (++chronyd.asked == chronyd.right_from) {
		chronyd.result = 0;
		chronyd.sequence_off = 0;
	}
	if (chronyd.result)
		return chronyd.result;
	write_reply(request);
	if (chronyd.spoil)
		chronyd.spoil();
	world.now_ps += chronyd.back_ps;
	memcpy(ret, chronyd.reply, n < size ? n : size);
	return chronyd.length;
}

static int begin(void **state)
{
	fake_env_setup(state);
	utc_begin();
	fake_env.exchange = exchange;
	memset(&chronyd, 0, sizeof(chronyd));
	chronyd.length = LENGTH;
	chronyd.ref_id = 0x7f000001;
	chronyd.stratum = 2;
	chronyd.delay_s = 100e-6;
	chronyd.dispersion_s = 50e-6;
	chronyd.interval_s = 16;
	chronyd.age_s = 4;
	chronyd.there_ps = chronyd.back_ps = 40000000;
	set_realtime(-3000000);
	return 0;
}

static struct hpt_wall_reading reading;

static int ask(uint32_t *ret_reason)
{
	struct hpt_wall_ask a = utc_ask();
	int r;

	a.reason = HPT_WALL_REASON_NONE;
	memset(&reading, 0x55, sizeof(reading));
	r = hpt_wall_chrony.ask(&a, &reading);
	if (r)
		for (size_t i = 0; i < sizeof(reading); i++)
			assert_int_equal(((uint8_t *)&reading)[i], 0x55);
	*ret_reason = a.reason;
	return r;
}

static void check_answer(void)
{
	uint32_t reason;

	assert_int_equal(ask(&reason), 0);
	assert_int_equal(reason, HPT_WALL_REASON_NONE);
	assert_true(holds_utc(&reading.sample));
	assert_int_equal(reading.sample.flags, 0);
	assert_false(reading.has_rate);
	assert_int_equal(reading.leap_at_ns, 0);
	assert_int_equal(reading.tai_offset_s, 0);
}

static void check_refused(int r, uint32_t reason)
{
	uint32_t found;
	int result = ask(&found);

	if (result != r || found != reason)
		fail_msg("%d, reason %u, not %d, reason %u", result, found, r, reason);
}

/* The sign of the correction: positive is to be added to CLOCK_REALTIME. And the error is stated as it is. */
static void correction_leads_to_utc(void **state)
{
	static const int64_t off_ns[] = { 0, 1, -1, 4000000, -4000000, 300000000, -300000000, INT64_C(86400000000000),
					  -INT64_C(86400000000000) };

	for (size_t i = 0; i < COUNT(off_ns); i++) {
		begin(state);
		set_realtime(off_ns[i]);
		check_answer();
		/* 2 us; and a correction of a day is rounded to 5 ms. */
		assert_in_range((uint64_t)(reading.sample.latest_ns - reading.sample.earliest_ns), 200000,
				202000 + (i >= 7 ? 32000000 : 0) + (i >= 5 ? 200 : 0));
		assert_int_equal(reading.leap, HPT_WALL_LEAP_ABSENT);
		assert_false(reading.is_holdover);
	}
}

static void switch_slew(void)
{
	fake_world_slew(&world.wall, random_below(3) ? 0 : (int64_t)random_below(1000000) - 500000);
}

/* Whatever it states, wherever in that the truth is, however long it takes and CLOCK_REALTIME is slewed. */
static void sample_holds_utc(void **state)
{
	for (int i = 0; i < rounds(100000); i++) {
		uint32_t reason;
		double half_s;

		if (i % 1000 == 0)
			begin(state);
		chronyd.delay_s = pow(10, -9 + (double)random_below(1000) / 100);
		chronyd.dispersion_s = pow(10, -9 + (double)random_below(1000) / 100);
		half_s = chronyd.delay_s / 2 + chronyd.dispersion_s;
		chronyd.off_s = random_below(4) ? half_s * ((double)random_below(2001) / 1000 - 1) :
				random_below(2) ? half_s : -half_s;
		chronyd.there_ps = random_below(100000000);
		chronyd.back_ps = random_below(100000000);
		chronyd.meanwhile = random_below(2) ? switch_slew : NULL;
		utc_ppb = (int64_t)random_below(100001) - 50000;
		fake_world_slew(&world.wall, (int64_t)random_below(1000000) - 500000);
		set_realtime((int64_t)random_below(UINT64_C(1) << random_below(40)) * (random_below(2) ? 1 : -1));
		assert_int_equal(ask(&reason), 0);
		if (!holds_utc(&reading.sample))
			fail_msg("delay %g dispersion %g off %g", chronyd.delay_s, chronyd.dispersion_s, chronyd.off_s);
	}
}

static void fast_slew(void)
{
	fake_world_slew(&world.wall, 83333000);
}

/* chronyd's fastest slew, which begins meanwhile: what it moves counts. */
static void slews_widen_it(void **state)
{
	int64_t narrow_ns;

	(void)state;
	check_answer();
	narrow_ns = reading.sample.latest_ns - reading.sample.earliest_ns;
	fake_world_slew(&world.wall, -83333000);
	chronyd.off_s = 100e-6;
	check_answer();
	chronyd.off_s = -100e-6;
	check_answer();
	assert_in_range((uint64_t)(reading.sample.latest_ns - reading.sample.earliest_ns - narrow_ns), 13300, 16000);
	fake_world_slew(&world.wall, 0);
	chronyd.meanwhile = fast_slew;
	check_answer();
	chronyd.off_s = 100e-6;
	check_answer();
}

static void step(void)
{
	world.realtime_offset_ns += 1000000;
}

static void step_back(void)
{
	world.realtime_offset_ns -= INT64_C(3600000000000);
}

static void steps_meanwhile_refuse_it(void **state)
{
	(void)state;
	chronyd.meanwhile = step;
	check_refused(-EAGAIN, HPT_WALL_REASON_STEPPED);
	chronyd.meanwhile = step_back;
	check_refused(-EAGAIN, HPT_WALL_REASON_STEPPED);
	chronyd.meanwhile = NULL;
	check_answer();
}

/* CLOCK_REALTIME was set back, and chronyd has not noticed: the latest update is in the future. */
static void update_in_the_future(void **state)
{
	(void)state;
	chronyd.age_s = -0.01;
	check_refused(-EAGAIN, HPT_WALL_REASON_STEPPED);
	chronyd.age_s = -3600;
	check_refused(-EAGAIN, HPT_WALL_REASON_STEPPED);
	chronyd.age_s = 0;
	check_answer();
}

static void leap_status(void **state)
{
	(void)state;
	chronyd.leap = 1;
	check_answer();
	assert_int_equal(reading.leap, HPT_WALL_LEAP_INSERTED);
	chronyd.leap = 2;
	check_answer();
	assert_int_equal(reading.leap, HPT_WALL_LEAP_LEFT_OUT);
	for (uint32_t leap = 3; leap < 65536; leap += 1 + leap / 2) {
		chronyd.leap = (uint16_t)leap;
		check_refused(-EAGAIN, HPT_WALL_REASON_UNSYNCED);
	}
}

static void what_is_not_synchronised(void **state)
{
	static const uint16_t strata[] = { 0, 16, 17, 65535 };

	for (size_t i = 0; i < COUNT(strata); i++) {
		begin(state);
		chronyd.stratum = strata[i];
		check_refused(-EAGAIN, HPT_WALL_REASON_UNSYNCED);
	}
	begin(state);
	chronyd.stratum = 15;
	check_answer();
	chronyd.ref_id = 0;
	check_refused(-EAGAIN, HPT_WALL_REASON_UNSYNCED);
	/* "local stratum 10": its own clock, with an error of 0. */
	chronyd.ref_id = 0x7f7f0101;
	chronyd.stratum = 10;
	chronyd.delay_s = chronyd.dispersion_s = 0;
	check_refused(-EAGAIN, HPT_WALL_REASON_UNSYNCED);
	/* As chronyd answers while it is not synchronised: reference.c, REF_GetReferenceParams(). */
	chronyd.ref_id = chronyd.stratum = 0;
	chronyd.leap = 3;
	chronyd.delay_s = chronyd.dispersion_s = 1;
	check_refused(-EAGAIN, HPT_WALL_REASON_UNSYNCED);
}

static void silent_for_too_long(void **state)
{
	static const struct { double interval_s, age_s; bool is_holdover; } rows[] = {
		{ 16, 0, false }, { 16, 128, false }, { 16, 128.9, false }, { 16, 129.1, true }, { 16, 86400, true },
		{ 0, 60.9, false }, { 0, 61.1, true }, { 1, 8.9, false }, { 1, 9.1, true }, { 1024, 8192, false },
		{ 1e12, 86400, false }, { 1e18, 86400, false },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		begin(state);
		chronyd.interval_s = rows[i].interval_s;
		chronyd.age_s = rows[i].age_s;
		check_answer();
		if (reading.is_holdover != rows[i].is_holdover)
			fail_msg("%g s, of every %g", rows[i].age_s, rows[i].interval_s);
	}
}

static void spoil_zero_time(void)
{
	memset(chronyd.reply + 56, 0, 12);
}

static void spoil_far_time(void)
{
	put_32(chronyd.reply + 56, 5); /* whose nanoseconds are positive again, modulo 2^64 */
}

static void spoil_float(void)
{
	put_32(chronyd.reply + 68, 0x7effffff); /* the largest */
}

static void impossible_values(void **state)
{
	static const struct { double delay_s, dispersion_s; } rows[] = {
		{ -1e-9, 0 }, { 0, -1e-9 }, { -16, 16 }, { 16.1, 0 }, { 0, 16.1 }, { 1e18, 0 }, { 0, 1e18 },
		{ -1e18, 1e18 },
	};
	static void (*const spoils[])(void) = { spoil_zero_time, spoil_far_time, spoil_float };

	for (size_t i = 0; i < COUNT(rows); i++) {
		begin(state);
		chronyd.delay_s = rows[i].delay_s;
		chronyd.dispersion_s = rows[i].dispersion_s;
		check_refused(-ERANGE, HPT_WALL_REASON_ABSURD);
	}
	for (size_t i = 0; i < COUNT(spoils); i++) {
		begin(state);
		chronyd.spoil = spoils[i];
		check_refused(-ERANGE, HPT_WALL_REASON_ABSURD);
	}
	begin(state);
	chronyd.interval_s = -1;
	check_refused(-ERANGE, HPT_WALL_REASON_ABSURD);
	/* UTC before 1970. */
	begin(state);
	chronyd.off_s = -2e9;
	check_refused(-ERANGE, HPT_WALL_REASON_ABSURD);
	/* Exact, as by a clock beside it. */
	begin(state);
	chronyd.delay_s = chronyd.dispersion_s = 0;
	check_answer();
	assert_in_range((uint64_t)(reading.sample.latest_ns - reading.sample.earliest_ns), 0, 2000);
}

static uint32_t spoiled_at, spoiled_by;

static void spoil_byte(void)
{
	chronyd.reply[spoiled_at] ^= (uint8_t)spoiled_by;
}

/* Headers that no answer to this question has. Each is asked for three times. */
static void foreign_replies(void **state)
{
	static const uint8_t places[] = { 1, 2, 3, 4, 5, 16, 17, 18, 19 };

	for (size_t i = 0; i < COUNT(places); i++) {
		begin(state);
		spoiled_at = places[i];
		spoiled_by = 1u << random_below(8);
		chronyd.spoil = spoil_byte;
		check_refused(-EBADMSG, HPT_WALL_REASON_FORMAT);
		assert_int_equal(chronyd.asked, 3);
	}
}

static void other_versions_and_statuses(void **state)
{
	static const uint16_t denied[] = { 2, 10 }, failed[] = { 1, 3, 6, 18, 19, 999 };

	for (size_t i = 0; i < COUNT(denied); i++) {
		begin(state);
		chronyd.status = denied[i];
		check_refused(-EACCES, HPT_WALL_REASON_DENIED);
		chronyd.length = 28; /* a reply without data */
		check_refused(-EACCES, HPT_WALL_REASON_DENIED);
	}
	for (size_t i = 0; i < COUNT(failed); i++) {
		begin(state);
		chronyd.status = failed[i];
		check_refused(-EPROTO, HPT_WALL_REASON_FORMAT);
	}
	for (spoiled_at = 0; spoiled_at < 8; spoiled_at += spoiled_at ? 1 : 6) { /* version, and format of the reply */
		begin(state);
		spoiled_by = 3;
		chronyd.spoil = spoil_byte;
		check_refused(-EPROTO, HPT_WALL_REASON_FORMAT);
		assert_int_equal(chronyd.asked, 1);
	}
}

static void every_wrong_length(void **state)
{
	begin(state);
	for (chronyd.length = 0; chronyd.length < 200; chronyd.length++) {
		if (chronyd.length == LENGTH)
			check_answer();
		else if (chronyd.length < 28)
			check_refused(-EBADMSG, HPT_WALL_REASON_FORMAT);
		else
			check_refused(-EPROTO, HPT_WALL_REASON_FORMAT);
	}
	chronyd.length = 65000;
	check_refused(-EPROTO, HPT_WALL_REASON_FORMAT);
}

static void lost_and_stale_replies_are_asked_for_again(void **state)
{
	for (uint32_t right = 2; right <= 3; right++) {
		begin(state);
		chronyd.result = -ETIMEDOUT;
		chronyd.right_from = right;
		check_answer();
		assert_int_equal(chronyd.asked, right);
		begin(state);
		chronyd.sequence_off = 1;
		chronyd.right_from = right;
		check_answer();
		assert_int_equal(chronyd.asked, right);
		assert_int_not_equal(chronyd.sequences[0], chronyd.sequences[1]);
	}
}

static void silence_ends_within_a_tenth_of_a_second(void **state)
{
	int64_t sum_ns = 0;

	(void)state;
	chronyd.result = -ETIMEDOUT;
	check_refused(-ETIMEDOUT, HPT_WALL_REASON_NO_ANSWER);
	for (uint32_t i = 0; i < chronyd.asked; i++)
		sum_ns += chronyd.timeouts_ns[i];
	assert_true(chronyd.asked > 1 && sum_ns <= 100000000);
}

static void refusals(void **state)
{
	static const struct { int result; uint32_t reason; } rows[] = {
		{ -ECONNREFUSED, HPT_WALL_REASON_ABSENT }, { -ENOENT, HPT_WALL_REASON_ABSENT },
		{ -EACCES, HPT_WALL_REASON_DENIED }, { -EPERM, HPT_WALL_REASON_DENIED },
		{ -ENETUNREACH, HPT_WALL_REASON_FAILED }, { -EINVAL, HPT_WALL_REASON_FAILED },
		{ -EMFILE, HPT_WALL_REASON_FAILED },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		begin(state);
		chronyd.result = rows[i].result;
		check_refused(rows[i].result, rows[i].reason);
		assert_int_equal(chronyd.asked, 1);
	}
	begin(state);
	fake_env.exchange = NULL;
	check_refused(-ENOSYS, HPT_WALL_REASON_FAILED);
	begin(state);
	fake.refused_clocks = 1u << CLOCK_REALTIME;
	check_refused(-EPERM, HPT_WALL_REASON_DENIED);
	assert_int_equal(chronyd.asked, 0);
}

static void refuse_clocks(void)
{
	fake.refused_clocks = 1u << CLOCK_MONOTONIC;
}

static void clock_that_is_refused_later(void **state)
{
	(void)state;
	chronyd.meanwhile = refuse_clocks;
	check_refused(-EPERM, HPT_WALL_REASON_DENIED);
}

static void address(void **state)
{
	struct hpt_wall_ask a = utc_ask();

	(void)state;
	check_answer();
	assert_string_equal(chronyd.address, "127.0.0.1:323");
	assert_string_equal(hpt_wall_chrony.path(&a), "127.0.0.1:323");
	strcpy(utc_config.chrony_address, "[::1]:324");
	check_answer();
	assert_string_equal(chronyd.address, "[::1]:324");
	assert_string_equal(hpt_wall_chrony.path(&a), "[::1]:324");
	assert_int_equal(hpt_wall_chrony.id, HPT_WALL_CHRONY);
	assert_false(hpt_wall_chrony.is_on_request);
}

/* Time passes only as the program says. */
static void manual_clock_has_nothing_to_do_with_it(void **state)
{
	struct hpt_wall_ask a = utc_ask();

	(void)state;
	assert_int_equal(hpt_clock_new_manual(1000000000000000, 0, &a.clk), 0);
	assert_int_equal(hpt_wall_chrony.ask(&a, &reading), -ENOTSUP);
	assert_int_equal(a.reason, HPT_WALL_REASON_OTHER_COUNTER);
	assert_int_equal(chronyd.asked, 0);
	hpt_clock_close(a.clk);
}

static void spoil_some(void)
{
	for (uint32_t n = 1 + (uint32_t)random_below(6); n > 0; n--)
		chronyd.reply[random_below(LENGTH)] = (uint8_t)random_u64();
}

static void spoil_all(void)
{
	for (uint32_t i = random_below(2) ? 0 : 28; i < LENGTH; i++)
		chronyd.reply[i] = (uint8_t)random_u64();
}

/* What is accepted is an interval of the years that walls know, whatever comes. */
static void random_replies(void **state)
{
	uint32_t accepted = 0;

	begin(state);
	for (int i = 0; i < rounds(400000); i++) {
		uint32_t reason;
		int r;

		chronyd.spoil = random_below(2) ? spoil_some : spoil_all;
		chronyd.length = random_below(20) ? LENGTH : (int)random_below(160);
		r = ask(&reason);
		assert_true((r == 0) == (reason == HPT_WALL_REASON_NONE));
		if (r)
			continue;
		accepted++;
		assert_true(reading.sample.earliest_ns >= 0 && reading.sample.earliest_ns <= reading.sample.latest_ns);
		assert_true(reading.sample.latest_ns < HPT_WALL_MOST_NS);
		assert_true(reading.sample.before <= reading.sample.after);
		/* At most half of 16 s, 16 s, and the rounding of a correction of centuries. */
		assert_true(reading.sample.latest_ns - reading.sample.earliest_ns <= 2 * 24 * HPT_NS_PER_S +
			    INT64_C(1000) * HPT_NS_PER_S);
	}
	note("%u of %d accepted", accepted, rounds(400000));
	assert_true(accepted > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(correction_leads_to_utc, begin),
		cmocka_unit_test_setup(sample_holds_utc, begin),
		cmocka_unit_test_setup(slews_widen_it, begin),
		cmocka_unit_test_setup(steps_meanwhile_refuse_it, begin),
		cmocka_unit_test_setup(update_in_the_future, begin),
		cmocka_unit_test_setup(leap_status, begin),
		cmocka_unit_test_setup(what_is_not_synchronised, begin),
		cmocka_unit_test_setup(silent_for_too_long, begin),
		cmocka_unit_test_setup(impossible_values, begin),
		cmocka_unit_test_setup(foreign_replies, begin),
		cmocka_unit_test_setup(other_versions_and_statuses, begin),
		cmocka_unit_test_setup(every_wrong_length, begin),
		cmocka_unit_test_setup(lost_and_stale_replies_are_asked_for_again, begin),
		cmocka_unit_test_setup(silence_ends_within_a_tenth_of_a_second, begin),
		cmocka_unit_test_setup(refusals, begin),
		cmocka_unit_test_setup(clock_that_is_refused_later, begin),
		cmocka_unit_test_setup(address, begin),
		cmocka_unit_test_setup(manual_clock_has_nothing_to_do_with_it, begin),
		cmocka_unit_test_setup(random_replies, begin),
	};

	random_start();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
