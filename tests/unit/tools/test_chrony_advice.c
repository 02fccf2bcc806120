// SPDX-License-Identifier: MIT
/* What hpt wall advises for chrony.conf: nothing for what is ordinary, and of each fault its line. */
#include <stdio.h>
#include <string.h>

#include "unit.h"

#include "math/units.h"
#include "wall/chrony_advice.h"

static struct chrony_seen seen;
static struct chrony_conf conf;
static struct chrony_facts facts;
static struct chrony_advice advice;

/* Four servers of a pool far away, polled each 64 s, and Debian's file. */
static void begin(void)
{
	seen = (struct chrony_seen){ .has_answered = true, .root_delay_ns = 10 * NS_PER_MS, .n = 4 };
	for (uint32_t i = 0; i < seen.n; i++) {
		struct chrony_seen_source *s = &seen.sources[i];

		*s = (struct chrony_seen_source){ .is_selectable = true, .stratum = 2, .poll = 6,
						  .error_ns = 20 * NS_PER_MS };
		snprintf(s->name, sizeof(s->name), "192.0.2.%u", i + 1);
	}
	seen.sources[0].is_selected = true;
	seen.sources[1].is_combined = seen.sources[2].is_combined = true;
	chrony_conf_begin(&conf, "/etc/chrony/chrony.conf");
	conf.is_whole = conf.has_leap_table = true;
	facts = (struct chrony_facts){ .seen = &seen, .conf = &conf, .wander_ppb = 15000 };
}

/* Exactly one piece of advice, with these words; NULL: no advice at all. */
static void check(const char *words)
{
	chrony_advice(&facts, &advice);
	if (advice.n != (words ? 1u : 0u))
		fail_msg("%u pieces, the first '%s', for '%s'", advice.n, advice.texts[0], words ? words : "");
	if (words && !strstr(advice.texts[0], words))
		fail_msg("'%s' in '%s'", words, advice.texts[0]);
}

static void an_ordinary_file_gets_none(void **state)
{
	(void)state;
	begin();
	check(NULL);
	conf.has_allow = true;
	check(NULL);
	conf.bindcmdaddress[0] = 'x'; /* somebody answered all the same */
	conf.cmdport = 0;
	check(NULL);
	facts.conf = NULL;
	check(NULL);
	seen.n = 0;
	seen.has_answered = false;
	check(NULL);
}

static void where_it_answers(void **state)
{
	static const struct { int64_t port; const char *bound, *words; } rows[] = {
		{ 323, "", NULL }, { 323, "127.0.0.1", NULL }, { 323, "0.0.0.0", NULL },
		{ 323, "192.0.2.9", "remove 'bindcmdaddress 192.0.2.9' from /etc/chrony/chrony.conf" },
		{ 257, "192.0.2.9", "remove 'bindcmdaddress 192.0.2.9' from" },
		{ 0, "192.0.2.9", "remove 'cmdport 0' from /etc/chrony/chrony.conf" },
		{ 0, "", "remove 'cmdport 0' from" },
		{ 257, "", "give --chrony=127.0.0.1:257, or remove 'cmdport 257' from /etc/chrony/chrony.conf" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		begin();
		seen = (struct chrony_seen){ 0 };
		facts.is_refused = true;
		conf.cmdport = rows[i].port;
		strcpy(conf.bindcmdaddress, rows[i].bound);
		check(rows[i].words);
		facts.conf = NULL;
		check(NULL);
	}
}

static void a_lack_of_sources(void **state)
{
	(void)state;
	begin();
	seen.is_by_itself = true;
	check("because of 'local' in chrony.conf: no source that it has can be used");
	seen.n = 0;
	check("chronyd has no source: add 'server ADDRESS iburst' to chrony.conf");
	seen.is_by_itself = false;
	check("chronyd has no source: add 'server ADDRESS iburst' to chrony.conf");
}

static void a_reference_clock_without_an_error(void **state)
{
	struct chrony_seen_source *s = &seen.sources[0];

	(void)state;
	begin();
	s->is_reference_clock = true;
	strcpy(s->name, "GPS");
	seen.root_delay_ns = 999;
	check("the reference clock GPS may be, so it does not count: add 'delay SECONDS'");
	seen.root_delay_ns = 1000;
	check(NULL);
	seen.root_delay_ns = 1;
	facts.refclock_error_ns = 1;
	check(NULL);
	facts.refclock_error_ns = 0;
	s->is_selected = false;
	check(NULL);
	s->is_selected = true;
	s->is_reference_clock = false;
	check(NULL);
}

static void servers_by_their_own_clocks(void **state)
{
	struct chrony_seen_source *s = &seen.sources[2];

	(void)state;
	begin();
	s->stratum = 9;
	check(NULL);
	s->stratum = 10;
	check("192.0.2.3 has stratum 10, as servers have that go by their own clocks");
	s->is_selectable = false;
	check(NULL);
	s->is_selectable = s->is_reference_clock = true;
	check(NULL);
}

static void leap_seconds_that_are_smeared_and_inserted(void **state)
{
	static const char *const names[] = { "169.254.169.123", "fd00:ec2::123", "216.239.35.0", "216.239.35.12" };

	(void)state;
	for (size_t i = 0; i < COUNT(names); i++) {
		begin();
		strcpy(seen.sources[1].name, names[i]);
		check("smears leap seconds, and chronyd would insert them too: remove 'leapsectz'");
		conf.has_leap_table = false;
		check(NULL);
		conf.has_leap_table = true;
		seen.sources[1].is_reference_clock = true;
		check(NULL);
	}
}

/* By somebody who names the file. */
static void name_that_is_mistyped(void **state)
{
	(void)state;
	begin();
	conf.wrong = "No such file or directory";
	check(NULL);
	facts.is_conf_named = true;
	check("/etc/chrony/chrony.conf, which --chrony-conf names, cannot be read (No such file or directory)");
	conf.wrong = NULL;
	check(NULL);
}

static void polls_that_are_far_apart(void **state)
{
	struct chrony_seen_source *s = &seen.sources[1];

	(void)state;
	begin();
	for (uint32_t i = 0; i < seen.n; i++)
		seen.sources[i].poll = 10;
	check(NULL); /* 15.36 ms are less than what the servers are wrong by */
	s->error_ns = 15360000;
	check(NULL);
	s->error_ns = INT64_MAX;
	seen.sources[2].error_ns = 15360000 - 1;
	check("192.0.2.3 is polled each 1024 s");
	seen.sources[2].error_ns = s->error_ns;
	s->error_ns = 15360000 - 1;
	check("192.0.2.2 is polled each 1024 s, and between two polls the interval widens by up to 30.720 ms");
	assert_non_null(strstr(advice.texts[0], "add 'maxpoll 6' to its line in chrony.conf, or 'minpoll 4 max"));
	/* Another one, which is worse and is asked more often, gives a narrower interval. */
	seen.sources[3].poll = 4;
	seen.sources[3].error_ns = 20 * NS_PER_MS;
	check(NULL);
	seen.sources[3].is_selectable = false;
	check("192.0.2.2");
	seen.sources[3].is_selectable = seen.sources[3].is_reference_clock = true;
	check("192.0.2.2");
	s->error_ns = 0; /* not measured */
	check(NULL);
}

static void polls_that_are_ordinary(void **state)
{
	struct chrony_seen_source *s = &seen.sources[1];

	(void)state;
	begin();
	s->error_ns = 1;
	check(NULL);
	s->poll = 7;
	check("polled each 128 s");
	s->poll = 4;
	check(NULL);
	s->poll = -7;
	seen.sources[0] = *s;
	seen.sources[0].poll = 10;
	check(NULL);
	s->poll = INT16_MAX;
	seen.n = 2;
	seen.sources[0].is_selectable = false;
	check("polled each 16777216 s");
}

static void clockbound_goes_by_chronyds_statement(void **state)
{
	(void)state;
	begin();
	facts.has_clockbound = true;
	conf.maxclockerror_ppb = 15000;
	check("the mean of 3 servers with the error of one: add 'combinelimit 0' to chrony.conf");
	seen.sources[1].is_combined = seen.sources[2].is_combined = false;
	check(NULL);
	conf.maxclockerror_ppb = 14999;
	check("add 'maxclockerror 50' to /etc/chrony/chrony.conf");
	facts.wander_ppb = 50000;
	check("add 'maxclockerror 50' to");
	facts.wander_ppb = 50001;
	check("add 'maxclockerror 51' to");
	conf.is_whole = false; /* it may be in the part that cannot be read */
	check(NULL);
	conf.is_whole = true;
	facts.conf = NULL;
	check(NULL);
	begin();
	conf.maxclockerror_ppb = 1000; /* chronyd's default matters to ClockBound alone */
	check(NULL);
}

static void clients_of_smoothed_time(void **state)
{
	(void)state;
	begin();
	conf.has_smoothtime = true;
	check(NULL);
	conf.has_allow = true;
	check("remove 'smoothtime' from /etc/chrony/chrony.conf");
	assert_null(strstr(advice.texts[0], "includes"));
	conf.has_included = true;
	check("remove 'smoothtime' from /etc/chrony/chrony.conf or a file that it includes");
	facts.conf = NULL;
	check(NULL);
}

/* All texts are whole, with the longest names. */
static void there_is_room_for_all(void **state)
{
	char path[200];

	(void)state;
	begin();
	memset(path, 'p', sizeof(path));
	path[sizeof(path) - 1] = '\0';
	conf.path = path;
	conf.has_included = true;
	facts.has_clockbound = conf.has_allow = conf.has_smoothtime = true;
	seen.is_by_itself = true;
	seen.n = CHRONY_SEEN_MOST;
	for (uint32_t i = 0; i < seen.n; i++) {
		seen.sources[i] = seen.sources[0];
		seen.sources[i].stratum = 15;
		seen.sources[i].is_combined = true;
		strcpy(seen.sources[i].name, "fd00:ec2::123");
	}
	chrony_advice(&facts, &advice);
	assert_int_equal(advice.n, CHRONY_ADVICE_MOST);
	seen.n = 5;
	chrony_advice(&facts, &advice);
	assert_int_equal(advice.n, 1 + 5 * 2 + 2 + 1);
	for (uint32_t i = 0; i < advice.n; i++)
		assert_true(strlen(advice.texts[i]) < sizeof(advice.texts[0]) - 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_ordinary_file_gets_none),
		cmocka_unit_test(where_it_answers),
		cmocka_unit_test(a_lack_of_sources),
		cmocka_unit_test(a_reference_clock_without_an_error),
		cmocka_unit_test(servers_by_their_own_clocks),
		cmocka_unit_test(leap_seconds_that_are_smeared_and_inserted),
		cmocka_unit_test(name_that_is_mistyped),
		cmocka_unit_test(polls_that_are_far_apart),
		cmocka_unit_test(polls_that_are_ordinary),
		cmocka_unit_test(clockbound_goes_by_chronyds_statement),
		cmocka_unit_test(clients_of_smoothed_time),
		cmocka_unit_test(there_is_room_for_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
