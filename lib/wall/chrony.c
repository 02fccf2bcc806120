// SPDX-License-Identifier: MIT
/*
 * The source CHRONY: asks chronyd what it measured of each of its servers, and how it has corrected its clock since.
 *
 * chronyd's own statement, root delay and dispersion, is an estimate. It grows by chronyd's assumption on the clock's
 * rate (maxclockerror, 1 ppm by default). Its regression remembers an old rate over several measurements. Of several
 * servers the offset is a mean, while the error is the best one's.
 *
 * Each server's latest measurement is a bound: half the root delay plus the root dispersion of one exchange (RFC 5905,
 * appendix A.5.5.2: the root distance). The wall ages it by what it knows itself of the counter's rate: measured.h.
 */
#include <errno.h>
#include <string.h>

#include "arch/arch.h"
#include "math/units.h"
#include "machine/datagram.h"
#include "wall/chrony_packets.h"
#include "wall/realtime.h"
#include "wall/wall_source.h"

#define DEFAULT_ADDRESS "127.0.0.1:323" /* cmdmon.c: by default it listens there, also to users without privileges */

/* ntp.h: what chronyd calls its own clock, of "local stratum": it then states an error of 0, whatever the truth is. */
#define REF_LOCAL 0x7f7f0101u

enum { LEAP_NORMAL, LEAP_INSERT, LEAP_DELETE, LEAP_UNSYNCHRONISED };

#define STRATUM_MAX 16 /* stands for not synchronised */

/* NTP's MAXDISP and MAXDIST: no clock that is synchronised is farther off. */
#define ERROR_MOST_NS (16 * NS_PER_S)

/* chronyd answers within 0.1 ms; twice more for datagrams that are lost. Together less than 0.1 s, with late wakes. */
static const int64_t timeouts_ns[] = { 20000000, 30000000, 45000000 };

/* After eight intervals between updates without one its servers are silent. Before the second update: after 60 s. */
#define INTERVALS_SILENT  8
#define FIRST_INTERVAL_NS (60 * NS_PER_S / INTERVALS_SILENT)
#define INTERVAL_MOST_NS  (86400 * NS_PER_S) /* by default at most 1024 s (maxpoll 10) */

/* reference.c: fuzz_ref_time() puts the latest update up to a second too early. */
#define FUZZ_NS NS_PER_S

/* candm.h: how chronyd ranks a source, and what it is. Those that it selects from have passed its comparison. */
enum { SELECTED = 0, NONSELECTABLE = 1, FALSETICKER = 2, UNSELECTED = 4, SELECTABLE = 5 };
enum { IS_PEER = 1, IS_REFERENCE_CLOCK = 2 };

/* A reference clock's delay that was stated: chronyd's default is 1 ns, and rounding adds less than that. */
#define DELAY_LEAST_NS NS_PER_US

/* A larger age is a negative one: the clock was set back since, and chronyd does not know. */
#define SINCE_MOST_S INT32_MAX

/* A larger offset, 146 years, is impossible. */
#define SHIFT_MOST_NS (INT64_C(1) << 62)

/* As many as Debian's "pool ... iburst" has. */
#define FIRST_EXPECTED 4u

/* Those of an exchange may all be without an address: a pool that is not found has twice as many as it is to have. */
#define LISTED_MOST (4 * HPT_MEASURED_MOST)

/* Of an exchange: how chronyd's clock stood before and after the sources were read. */
enum { QUESTIONS_MOST = HPT_MEASURED_MOST + 2 };

struct answers {
	struct hpt_datagrams sent;
	uint32_t sequence;                                 /* of the first request */
	uint8_t requests[QUESTIONS_MOST][HPT_CHRONY_LENGTH];
	uint8_t replies[QUESTIONS_MOST][HPT_CHRONY_LENGTH]; /* as they came */
	int at[QUESTIONS_MOST];                            /* where the reply to each request is */
};

/* ---- What it says ------------------------------------------------------------------------------------------- */

static COLD bool is_synchronised(const struct hpt_chrony_tracking *t)
{
	return t->leap < LEAP_UNSYNCHRONISED && t->ref_id && t->ref_id != REF_LOCAL && t->stratum > 0 &&
	       t->stratum < STRATUM_MAX;
}

static bool is_offset(const struct hpt_utc *s)
{
	return s->lo_ns >= -SHIFT_MOST_NS && s->hi_ns <= SHIFT_MOST_NS;
}

static bool is_possible_tracking(const struct hpt_chrony_tracking *t)
{
	return t->freq_ppb < PPB / 2 && t->freq_ppb > -PPB / 2;
}

static int64_t interval_ns(const struct hpt_chrony_tracking *t)
{
	if (!t->interval.hi_ns)
		return FIRST_INTERVAL_NS;
	return t->interval.hi_ns < INTERVAL_MOST_NS ? t->interval.hi_ns : INTERVAL_MOST_NS;
}

/* chronyd calls itself synchronised for hours after its servers fell silent. */
static bool is_silent(const struct hpt_chrony_tracking *t, int64_t age_ns)
{
	return (age_ns - FUZZ_NS) / INTERVALS_SILENT > interval_ns(t);
}

/* reference.c announces a leap second on its day only. */
static enum hpt_wall_leap leap_of(const struct hpt_chrony_tracking *t)
{
	return t->leap == LEAP_INSERT ? HPT_WALL_LEAP_INSERTED :
	       t->leap == LEAP_DELETE ? HPT_WALL_LEAP_LEFT_OUT : HPT_WALL_LEAP_ABSENT;
}

/* ---- Its sources -------------------------------------------------------------------------------------------- */

/*
 * chronyd selects from none of its servers any more when all are silent, while its clock goes on by the one that it
 * selected last. That one had passed the comparison, and what was measured of it is no less true.
 */
static bool is_silent_reference(const struct hpt_chrony_tracking *t, const struct hpt_chrony_source *s)
{
	return s->state == NONSELECTABLE && !s->reached && s->from == t->from;
}

static bool is_trusted_by_it(const struct hpt_chrony_tracking *t, const struct hpt_chrony_source *s)
{
	return s->state == SELECTED || s->state == UNSELECTED || s->state == SELECTABLE || is_silent_reference(t, s);
}

/*
 * A reference clock has no delay, and chronyd does not know its error. Its option "delay" states one, half of which is
 * in the error then; without it the delay is 1 ns (conf.c). It is reported of the source that is selected alone.
 */
static bool is_delay_stated(const struct hpt_chrony_tracking *t, const struct hpt_chrony_source *s)
{
	return s->from == t->from && (s->state == SELECTED || is_silent_reference(t, s)) &&
	       t->root_delay.lo_ns >= DELAY_LEAST_NS;
}

/* By how much more a measurement may be wrong. */
static int64_t more_error_ns(const struct hpt_wall_ask *ask, const struct hpt_chrony_source *s)
{
	return s->mode == IS_REFERENCE_CLOCK ? ask->config->chrony_refclock_error_ns : 0;
}

static uint32_t why_not_used(const struct hpt_wall_ask *ask, const struct hpt_chrony_tracking *t,
			     const struct hpt_chrony_source *s)
{
	if (s->state == FALSETICKER)
		return HPT_WALL_REASON_CONTRADICTED;
	if (!is_trusted_by_it(t, s))
		return HPT_WALL_REASON_UNSYNCED;
	/* Nobody knows an error of 0. chronyd states it before its first measurement. */
	if (s->since_s == UINT32_MAX || s->error.lo_ns <= 0 || s->error.hi_ns > ERROR_MOST_NS)
		return HPT_WALL_REASON_NO_BOUND;
	if (s->since_s > SINCE_MOST_S)
		return HPT_WALL_REASON_STEPPED;
	/* An exchange of peers takes up to a poll, in which the clocks part by more than its error. */
	if (s->mode == IS_PEER)
		return HPT_WALL_REASON_NO_BOUND;
	if (s->mode == IS_REFERENCE_CLOCK && !more_error_ns(ask, s) && !is_delay_stated(t, s))
		return HPT_WALL_REASON_NO_BOUND;
	return is_offset(&s->original) && is_offset(&s->latest) ? HPT_WALL_REASON_NONE : HPT_WALL_REASON_ABSURD;
}

/* The exchange itself took twice the error at most, in which chronyd's clock may have gained or lost: 500 ppm of it. */
static int64_t stated_error_ns(const struct hpt_wall_ask *ask, const struct hpt_chrony_source *s)
{
	return s->error.hi_ns + s->error.hi_ns / 1000 + 1 + more_error_ns(ask, s);
}

static int64_t middle_of(const struct hpt_utc *s)
{
	return s->lo_ns / 2 + s->hi_ns / 2;
}

/*
 * Since chrony 3.0 sourcestats.c rounds the time of a server's measurement down to a second of chronyd's clock, and
 * then what has passed since. When a measurement is first seen says nothing of when it was made: measured.c.
 */
static int64_t most_age_ns(const struct hpt_chrony_source *s, const struct hpt_wall_sample *now)
{
	int64_t since_ns = s->since_s * NS_PER_S;

	if (s->mode == IS_REFERENCE_CLOCK)
		return since_ns + NS_PER_S;
	return hpt_sum(now->latest_ns - now->earliest_ns / NS_PER_S * NS_PER_S, since_ns);
}

static COLD struct hpt_measured measured_of(const struct hpt_wall_ask *ask, const struct hpt_chrony_tracking *t,
					    const struct hpt_chrony_source *s, const struct hpt_wall_sample *now)
{
	struct hpt_measured m = { .key = s->key, .reason = why_not_used(ask, t, s) };

	if (s->since_s == UINT32_MAX || !is_offset(&s->original) || !is_offset(&s->latest))
		return m;
	m.number = (uint64_t)s->original_bits + 1;
	m.moved_ns = middle_of(&s->latest) - middle_of(&s->original);
	m.age_ns = most_age_ns(s, now);
	m.off_lo_ns = -s->latest.hi_ns;
	m.off_hi_ns = -s->latest.lo_ns;
	if (!m.reason) {
		m.off_lo_ns -= stated_error_ns(ask, s);
		m.off_hi_ns += stated_error_ns(ask, s);
	}
	return m;
}

/* Of two with the same address only one counts, because they cannot be told apart. */
static bool is_listed(const struct hpt_wall_reading *reading, uint64_t key)
{
	for (uint32_t i = 0; i < reading->n_measured; i++)
		if (reading->measured[i].key == key)
			return true;
	return false;
}

/* ---- What it means ------------------------------------------------------------------------------------------ */

/*
 * UTC by chronyd is CLOCK_REALTIME and the correction, which chronyd adds to it in its own reads (local.c:
 * LCL_ReadCookedTime()). chronyd makes its clock run by the rate that it estimates, and slews only what is pending.
 */
static COLD uint32_t take_clock(const struct hpt_wall_ask *ask, const struct hpt_chrony_tracking *t,
				const struct hpt_realtime_mark *a, const struct hpt_realtime_mark *b,
				struct hpt_wall_reading *ret)
{
	if (!is_possible_tracking(t))
		return HPT_WALL_REASON_ABSURD;
	ret->pace_ppb = -t->freq_ppb;
	ret->is_unsynced = !is_synchronised(t);
	return hpt_realtime_sample(ask, a, b, t->correction.lo_ns, t->correction.hi_ns, &ret->sample);
}

static COLD uint32_t judge_tracking(const struct hpt_chrony_tracking *t, const struct hpt_realtime_mark *a,
				    const struct hpt_realtime_mark *b, struct hpt_wall_reading *ret)
{
	int64_t age_ns;

	if (ret->is_unsynced)
		return HPT_WALL_REASON_UNSYNCED;
	if (t->ref_ns <= 0 || t->interval.hi_ns < 0)
		return HPT_WALL_REASON_ABSURD;
	age_ns = ret->sample.earliest_ns - t->ref_ns;
	/* The latest update is in the future: since then the clock was set back, and chronyd does not know yet. */
	if (hpt_sum(ret->sample.latest_ns, b->unix_ns - a->unix_ns) < t->ref_ns)
		return HPT_WALL_REASON_STEPPED;
	ret->leap = leap_of(t);
	ret->is_holdover = is_silent(t, age_ns);
	return ret->n_measured ? HPT_WALL_REASON_NONE : HPT_WALL_REASON_NO_BOUND;
}

/* ---- Asking ------------------------------------------------------------------------------------------------- */

static const char *address(const struct hpt_wall_ask *ask)
{
	return ask->config->chrony_address[0] ? ask->config->chrony_address : DEFAULT_ADDRESS;
}

/* No two questions have the same number, and none can be guessed without reading the counter. */
static COLD uint32_t new_sequence(const struct hpt_realtime_mark *mark)
{
	return (uint32_t)((mark->after ^ (uint64_t)mark->unix_ns) * UINT64_C(0x9e3779b97f4a7c15) >> 32);
}

/* The first and the last question are how chronyd's clock stands, and those between them are its sources. */
static enum hpt_chrony_command command_of(const struct answers *a, int question)
{
	return question && question < a->sent.n - 1 ? HPT_CHRONY_SOURCE : HPT_CHRONY_TRACKING;
}

static COLD void make_questions(struct answers *a, uint32_t first, uint32_t sources, uint32_t sequence)
{
	a->sequence = sequence;
	a->sent = (struct hpt_datagrams){
		.n = (int)sources + 2, .requests = a->requests, .length = HPT_CHRONY_LENGTH,
		.replies = a->replies, .size = HPT_CHRONY_LENGTH,
	};
	for (int i = 0; i < a->sent.n; i++) {
		enum hpt_chrony_command command = command_of(a, i);

		hpt_chrony_request(a->requests[i], command, command == HPT_CHRONY_SOURCE ? first + (uint32_t)i - 1 : 0,
				   sequence + (uint32_t)i);
	}
}

/* Finds the reply to each question: datagrams may come in another order. */
static COLD bool sort_answers(struct answers *a)
{
	for (int i = 0; i < a->sent.n; i++) {
		a->at[i] = -1;
		for (int k = 0; k < a->sent.n; k++)
			if (hpt_chrony_is_answer(a->replies[k], a->sent.lengths[k], command_of(a, i),
						 a->sequence + (uint32_t)i))
				a->at[i] = k;
		if (a->at[i] < 0)
			return false;
	}
	return true;
}

static COLD uint32_t take_sources(const struct hpt_wall_ask *ask, const struct answers *a,
				  const struct hpt_chrony_tracking *t, struct hpt_wall_reading *ret)
{
	struct hpt_chrony_source s;

	ret->has_more = false;
	for (int i = 1; i < a->sent.n - 1; i++) {
		uint32_t reason = hpt_chrony_parse_source(a->replies[a->at[i]], a->sent.lengths[a->at[i]], &s);

		if (reason == HPT_WALL_REASON_ABSENT)
			break;
		if (reason)
			return reason;
		if (!is_listed(ret, s.key))
			ret->measured[ret->n_measured++] = measured_of(ask, t, &s, &ret->sample);
		ret->has_more = i == a->sent.n - 2;
	}
	return HPT_WALL_REASON_NONE;
}

/* NO_ANSWER: chronyd corrected its clock meanwhile, so that the answers do not belong together. */
static COLD uint32_t parse_clock(const struct answers *a, struct hpt_chrony_tracking *t)
{
	int first = a->at[0], last = a->at[a->sent.n - 1];
	struct hpt_chrony_tracking later;
	uint32_t reason = hpt_chrony_parse_tracking(a->replies[first], a->sent.lengths[first], t);

	if (!reason)
		reason = hpt_chrony_parse_tracking(a->replies[last], a->sent.lengths[last], &later);
	if (!reason && !hpt_chrony_is_same_clock(a->replies[first], a->replies[last]))
		reason = HPT_WALL_REASON_NO_ANSWER;
	return reason;
}

/* FORMAT: also if what came are no answers to these questions. */
static COLD uint32_t ask_once(struct hpt_wall_ask *ask, uint32_t first, uint32_t sources, int64_t timeout_ns,
			      struct hpt_wall_reading *ret)
{
	struct hpt_realtime_mark a, b;
	struct hpt_chrony_tracking t;
	struct answers answers;
	uint32_t reason = hpt_realtime_mark(ask, &a);
	int r;

	if (reason)
		return reason;
	make_questions(&answers, first, sources, new_sequence(&a));
	r = ask->clk->src.env->exchange(address(ask), &answers.sent, timeout_ns);
	if (r < 0)
		return hpt_wall_ask_failed(ask, r);
	if (!sort_answers(&answers))
		return HPT_WALL_REASON_FORMAT;
	reason = hpt_realtime_mark(ask, &b);
	ret->n_measured = 0;
	if (!reason)
		reason = parse_clock(&answers, &t);
	if (!reason)
		reason = take_clock(ask, &t, &a, &b, ret);
	if (!reason)
		reason = take_sources(ask, &answers, &t, ret);
	return reason ? reason : judge_tracking(&t, &a, &b, ret);
}

/* Asks for one source more than there were, which shows if there are more. */
static COLD uint32_t ask_first(struct hpt_wall_ask *ask, int64_t timeout_ns, struct hpt_wall_reading *ret)
{
	uint32_t expected = ask->expected ? ask->expected : FIRST_EXPECTED;
	uint32_t sources = expected < HPT_MEASURED_MOST ? expected + 1 : HPT_MEASURED_MOST;
	uint32_t reason = ask_once(ask, 0, sources, timeout_ns, ret);

	if (sources < HPT_MEASURED_MOST && ret->has_more)
		reason = ask_once(ask, 0, HPT_MEASURED_MOST, timeout_ns, ret);
	if (ret->n_measured)
		ask->expected = ret->n_measured;
	return reason;
}

static bool may_have_more(const struct hpt_wall_reading *reading)
{
	for (uint32_t i = 0; i < reading->n_measured; i++)
		if (!reading->measured[i].reason)
			return false;
	return reading->has_more;
}

/* Where none of the first ones counts the one that chronyd goes by comes after them. */
static COLD uint32_t ask_all(struct hpt_wall_ask *ask, int64_t timeout_ns, struct hpt_wall_reading *ret)
{
	uint32_t reason = ask_first(ask, timeout_ns, ret), first = HPT_MEASURED_MOST;

	for (; !reason && may_have_more(ret) && first < LISTED_MOST; first += HPT_MEASURED_MOST) {
		struct hpt_wall_reading more = { .leap = HPT_WALL_LEAP_UNKNOWN };
		uint32_t why = ask_once(ask, first, HPT_MEASURED_MOST, timeout_ns, &more);

		if (why == HPT_WALL_REASON_NO_BOUND) /* there are no more */
			break;
		*ret = more;
		reason = why;
	}
	return reason;
}

static COLD uint32_t ask_chrony(struct hpt_wall_ask *ask, struct hpt_wall_reading *ret)
{
	uint32_t reason = HPT_WALL_REASON_FAILED;

	if (!ask->clk->src.env->exchange)
		return hpt_wall_ask_failed(ask, -ENOSYS);
	for (size_t i = 0; i < sizeof(timeouts_ns) / sizeof(timeouts_ns[0]); i++) {
		ask->error = 0;
		reason = ask_all(ask, timeouts_ns[i], ret);
		if (reason != HPT_WALL_REASON_NO_ANSWER && reason != HPT_WALL_REASON_FORMAT)
			break;
	}
	return reason;
}

const struct hpt_wall_source_ops hpt_wall_chrony = {
	.id = HPT_WALL_SOURCE_CHRONY,
	.ask = ask_chrony,
	.path = address,
};
