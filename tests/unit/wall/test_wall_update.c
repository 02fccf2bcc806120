// SPDX-License-Identifier: MIT
/* hpt_wall_update() with sources that this test makes: which are asked, in which order, and what becomes of answers. */
#include "wall_fakes.h"

#include <pthread.h>

#include "machine/process.h"
#include "wall/wall_source.h"
#include "wall/wall_update.h"

#define ASKED (HPT_WALL_SOURCE_CLOCKBOUND | HPT_WALL_SOURCE_CHRONY | HPT_WALL_SOURCE_KERNEL | HPT_WALL_SOURCE_PHC | \
	       HPT_WALL_SOURCE_FBCLOCK)

/* What each source answers, and the questions so far. */
static struct {
	int error;
	uint32_t reason;
	int64_t off_ns, error_ns; /* the sample's middle less UTC, and half its width */
	int64_t ahead;            /* ticks by which its window is in the future */
	bool is_holdover;
} answers[HPT_WALL_SOURCES_ALL + 1]; /* by HPT_WALL_SOURCE_ */

static uint32_t asked[16], n_asked;
static struct hpt_wall_ask latest_question;
static int cancel_state;

static uint32_t answer(uint32_t id, struct hpt_wall_ask *question, struct hpt_wall_reading *ret)
{
	asked[n_asked++ % COUNT(asked)] = id;
	latest_question = *question;
	assert_ptr_equal(question->clk, &clk);
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel_state);
	errno = EBADMSG;
	question->error = answers[id].error;
	if (answers[id].reason)
		return answers[id].reason;
	ret->sample = sample_of(answers[id].error_ns);
	ret->sample.earliest_ns += answers[id].off_ns;
	ret->sample.latest_ns += answers[id].off_ns;
	ret->sample.after += answers[id].ahead;
	ret->is_holdover = answers[id].is_holdover;
	return HPT_WALL_REASON_NONE;
}

/* Of the archive's members with the real sources none is linked. */
#define FAKE(name, number)                                                                         \
	static uint32_t ask_##name(struct hpt_wall_ask *question, struct hpt_wall_reading *ret)    \
	{                                                                                          \
		return answer(number, question, ret);                                              \
	}                                                                                          \
	static const char *path_of_##name(const struct hpt_wall_ask *question)                     \
	{                                                                                          \
		return question->config->phc_path[0] ? question->config->phc_path : "/fake/" #name; \
	}                                                                                          \
	const struct hpt_wall_source_ops hpt_wall_##name = { .id = number, .ask = ask_##name, .path = path_of_##name };

FAKE(clockbound, HPT_WALL_SOURCE_CLOCKBOUND)
FAKE(chrony, HPT_WALL_SOURCE_CHRONY)
FAKE(kernel, HPT_WALL_SOURCE_KERNEL)
FAKE(phc, HPT_WALL_SOURCE_PHC)
FAKE(fbclock, HPT_WALL_SOURCE_FBCLOCK)

static void open_with(uint32_t sources, uint32_t trusted)
{
	struct hpt_wall_config c = { .sources = sources, .trusted = trusted };

	open_as(&c, 0);
}

static int update_begins(void **state)
{
	wall_begins(state);
	memset(answers, 0, sizeof(answers));
	for (size_t i = 0; i < COUNT(answers); i++)
		answers[i].error_ns = 1000;
	n_asked = 0;
	open_with(ASKED, 0);
	return 0;
}

#define update_test(f) cmocka_unit_test_setup_teardown(f, update_begins, wall_ends)

static void refuse(uint32_t sources, uint32_t reason, int error)
{
	for (uint32_t id = 1; id <= HPT_WALL_SOURCES_ALL; id <<= 1)
		if (sources & id) {
			answers[id].error = error;
			answers[id].reason = reason;
		}
}

/* ---- Which sources are asked --------------------------------------------------------------------------------- */

static void those_that_may_be_slow_come_last(void **state)
{
	static const uint32_t order[] = { HPT_WALL_SOURCE_CLOCKBOUND, HPT_WALL_SOURCE_FBCLOCK, HPT_WALL_SOURCE_KERNEL,
					  HPT_WALL_SOURCE_PHC,
					  HPT_WALL_SOURCE_CHRONY };

	(void)state;
	assert_int_equal(n_asked, 0);
	assert_int_equal(hpt_wall_update(wall), HPT_WALL_STATE_SYNCED);
	assert_int_equal(n_asked, COUNT(order));
	assert_memory_equal(asked, order, sizeof(order));
	assert_int_equal(hpt_wall_update(wall), HPT_WALL_STATE_SYNCED);
	assert_int_equal(n_asked, 2 * COUNT(order));
}

static void only_those_named_are_asked(void **state)
{
	(void)state;
	for (uint32_t id = 1; id <= HPT_WALL_SOURCES_ALL; id <<= 1) {
		if (!(ASKED & id))
			continue;
		n_asked = 0;
		open_with(id, 0);
		assert_int_equal(hpt_wall_update(wall), HPT_WALL_STATE_SYNCED);
		assert_int_equal(n_asked, 1);
		assert_int_equal(asked[0], id);
		assert_int_equal(wall_info().live, id);
		assert_int_equal(source_info(id).samples, 1);
	}
	n_asked = 0;
	open_with(FEED_BIT, 0);
	assert_int_equal(hpt_wall_update(wall), HPT_WALL_STATE_NONE);
	assert_int_equal(n_asked, 0);
	assert_int_equal(hpt_wall_update(NULL), -EINVAL);
}

static void questions_have_clock_and_config(void **state)
{
	struct hpt_wall_config c = { .sources = HPT_WALL_SOURCE_PHC, .phc_error_ns = 77 };

	(void)state;
	open_as(&c, 0);
	assert_int_equal(hpt_wall_update(wall), HPT_WALL_STATE_SYNCED);
	assert_ptr_equal(latest_question.config, &wall->config);
	assert_null(latest_question.vmclock);
	assert_string_equal(source_info(HPT_WALL_SOURCE_PHC).path, "/fake/phc");
	memset(c.phc_path, 'p', sizeof(c.phc_path) - 1);
	open_as(&c, 0);
	assert_string_equal(source_info(HPT_WALL_SOURCE_PHC).path, c.phc_path);
}

static void sources_are_found_by_their_number(void **state)
{
	(void)state;
	for (uint32_t id = 0; id < 200; id++) {
		const struct hpt_wall_source_ops *ops = hpt_wall_source_find(id);

		assert_int_equal(ops != NULL, id > HPT_WALL_SOURCE_FEED && hpt_wall_source_is_known(id));
		if (ops)
			assert_int_equal(ops->id, id);
	}
}

/* ---- States -------------------------------------------------------------------------------------------------- */

static void state_is_returned(void **state)
{
	(void)state;
	refuse(ASKED, HPT_WALL_REASON_ABSENT, ENOENT);
	assert_int_equal(hpt_wall_update(wall), HPT_WALL_STATE_NONE);
	refuse(HPT_WALL_SOURCE_CHRONY, HPT_WALL_REASON_UNSYNCED, 0);
	assert_int_equal(hpt_wall_update(wall), HPT_WALL_STATE_UNSYNCED);
	assert_wall_state(HPT_WALL_STATE_UNSYNCED);
	answers[HPT_WALL_SOURCE_CHRONY].reason = 0;
	assert_int_equal(hpt_wall_update(wall), HPT_WALL_STATE_SYNCED);
	answers[HPT_WALL_SOURCE_CHRONY].is_holdover = true;
	assert_int_equal(hpt_wall_update(wall), HPT_WALL_STATE_HOLDOVER);
	answers[HPT_WALL_SOURCE_CHRONY].off_ns = NS_PER_S;
	assert_int_equal(hpt_wall_update(wall), HPT_WALL_STATE_CONTRADICTED);
	assert_int_equal(source_info(HPT_WALL_SOURCE_CHRONY).reason, HPT_WALL_REASON_CONTRADICTED);
	assert_int_equal(hpt_wall_update(wall), HPT_WALL_STATE_HOLDOVER);
	refuse(ASKED, HPT_WALL_REASON_NO_ANSWER, ETIMEDOUT);
	world.boottime_offset_ns += NS_PER_S;
	pass(20 * PS_PER_MS);
	assert_int_equal(hpt_wall_update(wall), HPT_WALL_STATE_DISRUPTED);
}

/* One that has lost its reference later says nothing against the bound, which widens. */
static void unsynced_source_does_not_end_the_bound(void **state)
{
	(void)state;
	assert_int_equal(hpt_wall_update(wall), HPT_WALL_STATE_SYNCED);
	refuse(ASKED, HPT_WALL_REASON_UNSYNCED, 0);
	pass(PS_PER_S);
	assert_int_equal(hpt_wall_update(wall), HPT_WALL_STATE_SYNCED);
	now_checked();
	pass(61 * PS_PER_S);
	assert_int_equal(hpt_wall_update(wall), HPT_WALL_STATE_HOLDOVER);
	pass(1000 * PS_PER_S);
	assert_int_equal(hpt_wall_update(wall), HPT_WALL_STATE_STALE);
}

static void sources_are_intersected(void **state)
{
	struct hpt_wall_time t;

	(void)state;
	answers[HPT_WALL_SOURCE_CLOCKBOUND].error_ns = 100000;
	answers[HPT_WALL_SOURCE_CLOCKBOUND].off_ns = 99000;
	answers[HPT_WALL_SOURCE_CHRONY].error_ns = 100000;
	answers[HPT_WALL_SOURCE_CHRONY].off_ns = -99000;
	refuse(ASKED & ~(HPT_WALL_SOURCE_CLOCKBOUND | HPT_WALL_SOURCE_CHRONY), HPT_WALL_REASON_ABSENT, ENOENT);
	assert_int_equal(hpt_wall_update(wall), HPT_WALL_STATE_SYNCED);
	t = now_checked();
	assert_in_range(t.latest_ns - t.earliest_ns, 1900, 2500);
	assert_int_equal(wall_info().live, HPT_WALL_SOURCE_CLOCKBOUND | HPT_WALL_SOURCE_CHRONY);
}

static void trusted_source_wins(void **state)
{
	const uint32_t two = HPT_WALL_SOURCE_CLOCKBOUND | HPT_WALL_SOURCE_CHRONY;

	(void)state;
	open_with(two, HPT_WALL_SOURCE_CHRONY);
	answers[HPT_WALL_SOURCE_CLOCKBOUND].off_ns = NS_PER_S;
	assert_int_equal(hpt_wall_update(wall), HPT_WALL_STATE_SYNCED);
	now_checked();
	assert_int_equal(wall_info().live, HPT_WALL_SOURCE_CHRONY);
	assert_int_equal(hpt_wall_update(wall), HPT_WALL_STATE_SYNCED);
	assert_int_equal(source_info(HPT_WALL_SOURCE_CLOCKBOUND).reason, HPT_WALL_REASON_CONTRADICTED);
	now_checked();
}

/* ---- Answers ------------------------------------------------------------------------------------------------- */

static void each_refusal_has_its_reason(void **state)
{
	(void)state;
	for (uint32_t reason = HPT_WALL_REASON_ABSENT; reason <= HPT_WALL_REASON_LEAP; reason++) {
		refuse(HPT_WALL_SOURCE_PHC, reason, (int)reason + 1);
		hpt_wall_update(wall);
		assert_int_equal(source_info(HPT_WALL_SOURCE_PHC).reason, reason);
		assert_int_equal(source_info(HPT_WALL_SOURCE_PHC).error, reason + 1);
		assert_int_equal(source_info(HPT_WALL_SOURCE_PHC).usable, 0);
		assert_int_equal(source_info(HPT_WALL_SOURCE_CHRONY).usable, 1);
	}
	answers[HPT_WALL_SOURCE_PHC].reason = 0;
	hpt_wall_update(wall);
	assert_int_equal(source_info(HPT_WALL_SOURCE_PHC).reason, HPT_WALL_REASON_NONE);
	assert_int_equal(source_info(HPT_WALL_SOURCE_PHC).error, 0);
	assert_int_equal(source_info(HPT_WALL_SOURCE_PHC).usable, 1);
}

static void sample_of_the_future_is_a_failure(void **state)
{
	(void)state;
	open_with(HPT_WALL_SOURCE_KERNEL, 0);
	answers[HPT_WALL_SOURCE_KERNEL].ahead = 1000000;
	assert_int_equal(hpt_wall_update(wall), HPT_WALL_STATE_NONE);
	assert_int_equal(source_info(HPT_WALL_SOURCE_KERNEL).reason, HPT_WALL_REASON_FAILED);
	assert_int_equal(source_info(HPT_WALL_SOURCE_KERNEL).error, EINVAL);
}

static void nothing_is_added_without_a_slot(void **state)
{
	(void)state;
	open_with(HPT_WALL_SOURCE_KERNEL, 0);
	for (uint32_t i = 0; i < HPT_SEQLATCH_SLOTS; i++)
		atomic_store(&wall->latch.claims[i], hpt_process_known());
	assert_int_equal(hpt_wall_update(wall), HPT_WALL_STATE_NONE);
	assert_int_equal(source_info(HPT_WALL_SOURCE_KERNEL).reason, HPT_WALL_REASON_FAILED);
	assert_int_equal(source_info(HPT_WALL_SOURCE_KERNEL).error, EBUSY);
	refuse(ASKED, HPT_WALL_REASON_UNSYNCED, 0);
	assert_int_equal(hpt_wall_update(wall), HPT_WALL_STATE_NONE); /* it ends */
}

/* ---- The caller ---------------------------------------------------------------------------------------------- */

static void threads_that_wait_are_woken(void **state)
{
	struct hpt_eventcount *bell = hpt_bell(wall->bell);

	(void)state;
	hpt_wall_update(wall);
	assert_int_equal(sleeping.wakes, 0);
	hpt_eventcount_enter(bell);
	hpt_wall_update(wall);
	assert_int_equal(sleeping.wakes, 1);
	refuse(ASKED, HPT_WALL_REASON_ABSENT, ENOENT);
	hpt_wall_update(wall);
	assert_int_equal(sleeping.wakes, 2);
	hpt_eventcount_leave(bell);
}

static void caller_is_not_changed(void **state)
{
	int was;

	(void)state;
	errno = EDOM;
	pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
	hpt_wall_update(wall);
	assert_int_equal(cancel_state, PTHREAD_CANCEL_DISABLE);
	pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &was);
	assert_int_equal(was, PTHREAD_CANCEL_ENABLE);
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
	hpt_wall_update(wall);
	pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &was);
	assert_int_equal(was, PTHREAD_CANCEL_DISABLE);
	assert_int_equal(errno, EDOM);
	errno = EXDEV;
}

static void waits_ask_no_source(void **state)
{
	(void)state;
	hpt_wall_update(wall);
	n_asked = 0;
	assert_int_equal(hpt_wall_wait_after(wall, utc_ns() + 30 * NS_PER_MS, INT64_MAX), 0);
	assert_int_equal(hpt_wall_wait_ready(wall, 1, NS_PER_MS), -ETIMEDOUT);
	now_checked();
	wall_info();
	assert_int_equal(n_asked, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		update_test(those_that_may_be_slow_come_last),
		update_test(only_those_named_are_asked),
		update_test(questions_have_clock_and_config),
		update_test(sources_are_found_by_their_number),
		update_test(state_is_returned),
		update_test(unsynced_source_does_not_end_the_bound),
		update_test(sources_are_intersected),
		update_test(trusted_source_wins),
		update_test(each_refusal_has_its_reason),
		update_test(sample_of_the_future_is_a_failure),
		update_test(nothing_is_added_without_a_slot),
		update_test(threads_that_wait_are_woken),
		update_test(caller_is_not_changed),
		update_test(waits_ask_no_source),
	};

	fake_env_reset();
	return cmocka_run_group_tests_name("wall_update", tests, NULL, NULL);
}
