// SPDX-License-Identifier: MIT
/* hpt wall reads chronyd's reports on its sources, and refuses other answers. */
#include <errno.h>
#include <string.h>

#include "chrony_bytes.h"
#include "unit.h"

#include "machine/datagram.h"
#include "wall/chrony_packets.h"
#include "wall/chrony_seen.h"

#define N (CHRONY_SEEN_MOST + 1)

/* candm.h: CMD_Reply, RPY_Tracking, RPY_Source_Data. */
enum { COMMAND = 4, REPLY = 6, STATUS = 8, SEQUENCE = 16, ADDRESS = 28, REF_ID = 28, FAMILY = 44, POLL = 48,
       STRATUM = 50, STATE = 52, MODE = 54, ERROR = 72, ROOT_DELAY = 92 };
enum { NO_SUCH_SOURCE = 4 };

/* UTI_FloatHostToNetwork() of 2^-10 s and of 2^-30 s. */
#define ABOUT_1_MS 0xf0800000u
#define ABOUT_1_NS 0xc8800000u

static struct world {
	uint8_t replies[N][HPT_CHRONY_LENGTH];
	int lengths[N];
	int error;
	const char *asked;
} world;

static struct chrony_seen seen;

/* In place of the machine's: the replies come in another order, and each belongs to its request. */
int hpt_datagram_exchange(const char *address, struct hpt_datagrams *d, int64_t timeout_ns)
{
	world.asked = address;
	assert_int_equal(d->n, N);
	assert_true(timeout_ns > 0);
	for (int i = 0; i < N; i++) {
		const uint8_t *request = (const uint8_t *)d->requests + (size_t)i * d->length;
		uint8_t *reply = (uint8_t *)d->replies + (size_t)(N - 1 - i) * d->size;

		assert_int_equal(request[23], i ? i - 1 : 0); /* the source's number */
		memcpy(reply, world.replies[i], HPT_CHRONY_LENGTH);
		memcpy(reply + COMMAND, request + COMMAND, 2);
		memcpy(reply + SEQUENCE, request + 8, 4);
		d->lengths[N - 1 - i] = world.lengths[i];
	}
	return world.error;
}

static void put_source(int i, uint32_t state, uint32_t mode)
{
	uint8_t *reply = world.replies[i];

	put_16(reply + STATUS, 0);
	put_16(reply + REPLY, 3);
	memcpy(reply + ADDRESS, (uint8_t[]){ 192, 0, 2, (uint8_t)i }, 4);
	put_16(reply + FAMILY, 1);
	put_16(reply + POLL, 10);
	put_16(reply + STRATUM, 2);
	put_16(reply + STATE, state);
	put_16(reply + MODE, mode);
	put_32(reply + ERROR, ABOUT_1_MS);
	world.lengths[i] = 76;
}

/* A daemon with n servers. */
static void begin(int n)
{
	world = (struct world){ 0 };
	for (int i = 0; i < N; i++) {
		world.replies[i][0] = 6;
		world.replies[i][1] = 2;
		put_16(world.replies[i] + REPLY, i ? 1 : 5);
		put_16(world.replies[i] + STATUS, i ? NO_SUCH_SOURCE : 0);
		world.lengths[i] = i ? 28 : 104;
	}
	put_32(world.replies[0] + REF_ID, 0xc0000201);
	put_32(world.replies[0] + ROOT_DELAY, ABOUT_1_MS);
	for (int i = 1; i <= n; i++)
		put_source(i, i == 1 ? 0 : 4, 0);
}

static void ask(bool is_answer)
{
	chrony_seen_ask("127.0.0.1:9", &seen);
	assert_string_equal(world.asked, "127.0.0.1:9");
	assert_int_equal(seen.has_answered, is_answer);
}

static void sources(void **state)
{
	(void)state;
	for (int n = 0; n <= CHRONY_SEEN_MOST; n++) {
		begin(n);
		ask(true);
		assert_int_equal(seen.n, n);
		assert_false(seen.is_by_itself);
		assert_in_range(seen.root_delay_ns, 976500, 976570);
	}
	assert_string_equal(seen.sources[0].name, "192.0.2.1");
	assert_string_equal(seen.sources[7].name, "192.0.2.8");
	assert_int_equal(seen.sources[3].poll, 10);
	assert_int_equal(seen.sources[3].stratum, 2);
	assert_in_range(seen.sources[3].error_ns, 976560, 976600);
}

static void states(void **state)
{
	static const bool selectable[] = { true, false, false, false, true, true };

	(void)state;
	for (uint32_t i = 0; i < COUNT(selectable); i++) {
		begin(1);
		put_source(1, i, 0);
		ask(true);
		assert_int_equal(seen.sources[0].is_selected, i == 0);
		assert_int_equal(seen.sources[0].is_combined, i == 4);
		assert_int_equal(seen.sources[0].is_selectable, selectable[i]);
		assert_false(seen.sources[0].is_reference_clock);
	}
}

static void names(void **state)
{
	uint8_t *reply = world.replies[1];

	(void)state;
	begin(1);
	put_16(reply + FAMILY, 2);
	memcpy(reply + ADDRESS, "\xfd\0\x0e\xc2\0\0\0\0\0\0\0\0\0\0\1\x23", 16);
	ask(true);
	assert_string_equal(seen.sources[0].name, "fd00:ec2::123");
	begin(1);
	put_16(reply + MODE, 2);
	memcpy(reply + ADDRESS, "GPS\0", 4);
	ask(true);
	assert_string_equal(seen.sources[0].name, "GPS");
	assert_true(seen.sources[0].is_reference_clock);
	memcpy(reply + ADDRESS, "\n\xffP1", 4);
	ask(true);
	assert_string_equal(seen.sources[0].name, "P1");
	put_16(reply + POLL, 0xfffe);
	ask(true);
	assert_int_equal(seen.sources[0].poll, -2);
}

static void its_own_clock(void **state)
{
	(void)state;
	begin(1);
	put_32(world.replies[0] + REF_ID, 0x7f7f0101);
	put_32(world.replies[0] + ROOT_DELAY, ABOUT_1_NS);
	ask(true);
	assert_true(seen.is_by_itself);
	assert_in_range(seen.root_delay_ns, 0, 1);
}

static void answers_that_are_none(void **state)
{
	(void)state;
	begin(2);
	world.error = -ETIMEDOUT;
	ask(false);
	assert_int_equal(seen.n, 0);
	for (int i = 0; i <= 3; i++) {
		begin(2);
		world.replies[i][1] = 1; /* a request */
		ask(false);
	}
	for (int i = 0; i <= 2; i++) {
		begin(2);
		world.lengths[i]--;
		ask(false);
		begin(2);
		put_16(world.replies[i] + STATUS, 2);
		ask(false);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sources),
		cmocka_unit_test(states),
		cmocka_unit_test(names),
		cmocka_unit_test(its_own_clock),
		cmocka_unit_test(answers_that_are_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
