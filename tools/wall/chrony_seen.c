// SPDX-License-Identifier: MIT
/* Asks chronyd how it stands and what its sources are: tools/wall/chrony_seen.h. */
#include "wall/chrony_seen.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "hpt/wall.h"

#include "machine/datagram.h"
#include "math/units.h"
#include "wall/chrony_packets.h"

/* The first question is how its clock stands, and those after it are its sources. */
enum { QUESTIONS = CHRONY_SEEN_MOST + 1 };

#define TIMEOUT_NS (100 * NS_PER_MS)

/* ntp.h: chronyd's own clock, of "local stratum". */
#define REF_LOCAL 0x7f7f0101u

/* candm.h. UNSELECTED: it is combined with the one that is selected. */
enum { SELECTED = 0, UNSELECTED = 4, SELECTABLE = 5 };
enum { IS_REFERENCE_CLOCK = 2 };
enum { FAMILY_IPV6 = 2 };

struct exchange {
	uint8_t requests[QUESTIONS][HPT_CHRONY_LENGTH], replies[QUESTIONS][HPT_CHRONY_LENGTH];
	struct hpt_datagrams sent;
};

static enum hpt_chrony_command command_of(uint32_t question)
{
	return question ? HPT_CHRONY_SOURCE : HPT_CHRONY_TRACKING;
}

static void make_questions(struct exchange *x)
{
	x->sent = (struct hpt_datagrams){ .n = QUESTIONS, .requests = x->requests, .length = HPT_CHRONY_LENGTH,
					  .replies = x->replies, .size = HPT_CHRONY_LENGTH };
	for (uint32_t i = 0; i < QUESTIONS; i++)
		hpt_chrony_request(x->requests[i], command_of(i), i ? i - 1 : 0, i);
}

/* The place of the reply to a question; -1: no reply came. */
static int find_reply(const struct exchange *x, uint32_t question)
{
	for (int k = 0; k < x->sent.n; k++)
		if (hpt_chrony_is_answer(x->replies[k], x->sent.lengths[k], command_of(question), question))
			return k;
	return -1;
}

/* "GPS": characters that cannot be printed are left out. */
static void name_by_id(const struct hpt_chrony_source *s, char *ret)
{
	for (int i = 0; i < 4; i++)
		if (isgraph(s->ip[i]))
			*ret++ = (char)s->ip[i];
	*ret = '\0';
}

static void name_source(const struct hpt_chrony_source *s, char *ret, size_t size)
{
	if (s->mode == IS_REFERENCE_CLOCK)
		name_by_id(s, ret);
	else if (!inet_ntop(s->family == FAMILY_IPV6 ? AF_INET6 : AF_INET, s->ip, ret, (socklen_t)size))
		*ret = '\0';
}

static void take_source(const struct hpt_chrony_source *s, struct chrony_seen_source *ret)
{
	*ret = (struct chrony_seen_source){
		.is_selected = s->state == SELECTED, .is_combined = s->state == UNSELECTED,
		.is_selectable = s->state == SELECTED || s->state == UNSELECTED || s->state == SELECTABLE,
		.is_reference_clock = s->mode == IS_REFERENCE_CLOCK,
		.stratum = s->stratum, .poll = s->poll, .error_ns = s->error.hi_ns,
	};
	name_source(s, ret->name, sizeof(ret->name));
}

static bool take_tracking(const struct exchange *x, struct chrony_seen *ret)
{
	struct hpt_chrony_tracking t;
	int k = find_reply(x, 0);

	if (k < 0 || hpt_chrony_parse_tracking(x->replies[k], x->sent.lengths[k], &t))
		return false;
	ret->is_by_itself = t.ref_id == REF_LOCAL;
	ret->root_delay_ns = t.root_delay.lo_ns;
	return true;
}

/* False: an answer is missing or of another form; the end of the list is a right answer. */
static bool take_sources(const struct exchange *x, struct chrony_seen *ret)
{
	for (uint32_t i = 1; i < QUESTIONS; i++) {
		struct hpt_chrony_source s;
		int k = find_reply(x, i);
		uint32_t reason = k < 0 ? HPT_WALL_REASON_NO_ANSWER :
				  hpt_chrony_parse_source(x->replies[k], x->sent.lengths[k], &s);

		if (reason)
			return reason == HPT_WALL_REASON_ABSENT;
		take_source(&s, &ret->sources[ret->n++]);
	}
	return true;
}

void chrony_seen_ask(const char *address, struct chrony_seen *ret)
{
	struct exchange x;

	*ret = (struct chrony_seen){ 0 };
	make_questions(&x);
	if (!hpt_datagram_exchange(address, &x.sent, TIMEOUT_NS))
		ret->has_answered = take_tracking(&x, ret) && take_sources(&x, ret);
}
