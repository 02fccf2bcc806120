// SPDX-License-Identifier: MIT
/* Advice for chrony.conf: tools/wall/chrony_advice.h. An ordinary file gets none: hpt_wall(7) explains each. */
#include "wall/chrony_advice.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cli/format.h"
#include "math/scale.h"
#include "math/units.h"

/* chronyd's minpoll, 64 s: servers of others may be asked as often as that. */
#define POLL_ALWAYS_FINE 6

/* 36 hours: chronyd's MAX_POLL is less. */
#define POLL_MOST 24

/* conf.c: that of "local" by default. Real chains are shorter. */
#define STRATUM_OF_LOCAL 10

/* Half of a reference clock's delay is in its error; by default it is 1 ns: lib/wall/chrony.c. */
#define DELAY_LEAST_NS NS_PER_US

/* What ClockBound's own manual asks for. */
#define MAXCLOCKERROR_PPM 50

/* Amazon's and Google's servers: both say in public that they smear. */
static const char *const smearing[] = {
	"169.254.169.123", "fd00:ec2::123", "216.239.35.0", "216.239.35.4", "216.239.35.8", "216.239.35.12",
};

static void __attribute__((format(printf, 2, 3))) add(struct chrony_advice *a, const char *fmt, ...)
{
	va_list ap;

	if (a->n == CHRONY_ADVICE_MOST)
		return;
	va_start(ap, fmt);
	vsnprintf(a->texts[a->n++], sizeof(a->texts[0]), fmt, ap);
	va_end(ap);
}

/* After the path of the file that the line is in, or of the one that includes that. */
static const char *or_included(const struct chrony_conf *c)
{
	return c->has_included ? " or a file that it includes" : "";
}

static void advise_on_name(const struct chrony_conf *c, struct chrony_advice *a)
{
	if (c->wrong)
		add(a, "%s, which --chrony-conf names, cannot be read (%s): give the file that chronyd reads", c->path,
		    c->wrong);
}

/* ---- Where it answers -------------------------------------------------------------------------------------------- */

static bool is_heard_on_loopback(const char *ip)
{
	return !*ip || !strcmp(ip, "127.0.0.1") || !strcmp(ip, "0.0.0.0");
}

static void advise_on_commands(const struct chrony_conf *c, struct chrony_advice *a)
{
	if (!c->cmdport)
		add(a, "chronyd takes no questions by UDP: remove 'cmdport 0' from %s%s", c->path,
		    or_included(c));
	else if (!is_heard_on_loopback(c->bindcmdaddress))
		add(a, "chronyd does not answer at 127.0.0.1: remove 'bindcmdaddress %s' from %s%s", c->bindcmdaddress,
		    c->path, or_included(c));
	else if (c->cmdport != 323)
		add(a, "chronyd answers at another port: give --chrony=127.0.0.1:%" PRId64 ", or remove 'cmdport %"
		    PRId64 "' from %s%s", c->cmdport, c->cmdport, c->path, or_included(c));
}

/* ---- Its sources ------------------------------------------------------------------------------------------------- */

static void advise_on_lack(const struct chrony_seen *seen, struct chrony_advice *a)
{
	if (!seen->n)
		add(a, "chronyd has no source: add 'server ADDRESS iburst' to chrony.conf");
	else if (seen->is_by_itself)
		add(a, "chronyd goes by its own clock, because of 'local' in chrony.conf: no source that it has can be "
		    "used, see 'chronyc sources', and add 'server ADDRESS iburst'");
}

/* The delay is reported of the source that is selected alone. */
static bool is_without_error(const struct chrony_facts *f, const struct chrony_seen_source *s)
{
	return s->is_reference_clock && s->is_selected && !f->refclock_error_ns &&
	       f->seen->root_delay_ns < DELAY_LEAST_NS;
}

static void advise_on_refclock(const struct chrony_facts *f, const struct chrony_seen_source *s,
			       struct chrony_advice *a)
{
	if (is_without_error(f, s))
		add(a, "nothing states how wrong the reference clock %s may be, so it does not count: add 'delay "
		    "SECONDS', twice its error, to its refclock line in chrony.conf, or give --refclock-error",
		    s->name);
}

static bool is_by_local(const struct chrony_seen_source *s)
{
	return s->is_selectable && !s->is_reference_clock && s->stratum >= STRATUM_OF_LOCAL;
}

static void advise_on_stratum(const struct chrony_seen_source *s, struct chrony_advice *a)
{
	if (is_by_local(s))
		add(a, "%s has stratum %" PRIu32 ", as servers have that go by their own clocks ('local' in their "
		    "chrony.conf) and not by UTC: put another one in its place, 'server ADDRESS iburst'", s->name,
		    s->stratum);
}

static bool is_smearing(const struct chrony_seen_source *s)
{
	for (size_t i = 0; i < sizeof(smearing) / sizeof(smearing[0]); i++)
		if (!s->is_reference_clock && !strcmp(s->name, smearing[i]))
			return true;
	return false;
}

static void advise_on_smear(const struct chrony_conf *c, const struct chrony_seen_source *s, struct chrony_advice *a)
{
	if (c->has_leap_table && is_smearing(s))
		add(a, "%s smears leap seconds, and chronyd would insert them too: remove 'leapsectz' and "
		    "'leapseclist' from %s%s", s->name, c->path, or_included(c));
}

/* ---- How often they are asked ------------------------------------------------------------------------------------ */

/* What the wander comes to, on either side, until the next poll. */
static int64_t ageing_ns(const struct chrony_facts *f, const struct chrony_seen_source *s)
{
	int32_t poll = s->poll < 0 ? 0 : s->poll > POLL_MOST ? POLL_MOST : s->poll;

	return (INT64_C(1) << poll) * f->wander_ppb;
}

static int64_t until_next_poll_ns(const struct chrony_facts *f, const struct chrony_seen_source *s)
{
	return hpt_sum(s->error_ns, ageing_ns(f, s));
}

static bool is_bound(const struct chrony_seen_source *s)
{
	return s->is_selectable && !s->is_reference_clock && s->error_ns > 0;
}

/* The one that the interval owes most to. NULL: no source bounds it. */
static const struct chrony_seen_source *narrowest(const struct chrony_facts *f)
{
	const struct chrony_seen_source *best = NULL;

	for (uint32_t i = 0; i < f->seen->n; i++) {
		const struct chrony_seen_source *s = &f->seen->sources[i];

		if (is_bound(s) && (!best || until_next_poll_ns(f, s) < until_next_poll_ns(f, best)))
			best = s;
	}
	return best;
}

static void advise_on_poll(const struct chrony_facts *f, struct chrony_advice *a)
{
	const struct chrony_seen_source *s = narrowest(f);

	if (s && s->poll > POLL_ALWAYS_FINE && ageing_ns(f, s) > s->error_ns)
		add(a, "%s is polled each %" PRId64
		    " s, and between two polls the interval widens by up to %s, more than its "
		    "own error: add 'maxpoll 6' to its line in chrony.conf, or 'minpoll 4 maxpoll 4' if it is a server "
		    "of yours", s->name, INT64_C(1) << (s->poll > POLL_MOST ? POLL_MOST : s->poll),
		    format_span(2 * ageing_ns(f, s)).s);
}

/* ---- What others make of it -------------------------------------------------------------------------------------- */

static void advise_on_clockbound(const struct chrony_facts *f, struct chrony_advice *a)
{
	uint32_t combined = 0;

	for (uint32_t i = 0; i < f->seen->n; i++)
		combined += f->seen->sources[i].is_combined;
	if (combined)
		add(a, "ClockBound 2 goes by chronyd's own statement, which is the mean of %" PRIu32 " servers with "
		    "the error of one: add 'combinelimit 0' to chrony.conf", combined + 1);
	if (f->conf && f->conf->is_whole && f->conf->maxclockerror_ppb < f->wander_ppb)
		add(a, "ClockBound 2 goes by chronyd's own statement, which grows by %s ppm, less than the rate may "
		    "wander: add 'maxclockerror %" PRId64 "' to %s", format_ppm(f->conf->maxclockerror_ppb).s,
		    f->wander_ppb > MAXCLOCKERROR_PPM * 1000 ? (f->wander_ppb + 999) / 1000 : MAXCLOCKERROR_PPM,
		    f->conf->path);
}

static void advise_on_clients(const struct chrony_conf *c, struct chrony_advice *a)
{
	if (c->has_allow && c->has_smoothtime)
		add(a, "this machine serves smoothed time, of which its clients' walls learn nothing: remove "
		    "'smoothtime' from %s%s", c->path, or_included(c));
}

void chrony_advice(const struct chrony_facts *f, struct chrony_advice *ret)
{
	ret->n = 0;
	if (f->conf && f->is_conf_named)
		advise_on_name(f->conf, ret);
	if (f->conf && f->is_refused)
		advise_on_commands(f->conf, ret);
	if (f->seen->has_answered)
		advise_on_lack(f->seen, ret);
	for (uint32_t i = 0; i < f->seen->n; i++) {
		const struct chrony_seen_source *s = &f->seen->sources[i];

		advise_on_refclock(f, s, ret);
		advise_on_stratum(s, ret);
		if (f->conf)
			advise_on_smear(f->conf, s, ret);
	}
	advise_on_poll(f, ret);
	if (f->has_clockbound)
		advise_on_clockbound(f, ret);
	if (f->conf)
		advise_on_clients(f->conf, ret);
}
