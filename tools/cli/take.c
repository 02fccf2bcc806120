// SPDX-License-Identifier: MIT
/* Takes values from the command line, one way for all commands: tools/cli/take.h. */
#include "cli/take.h"

#include <arpa/inet.h>
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stddef.h>
#include <string.h>

#include "hpt/hpt.h"

#include "cli/args.h"
#include "cli/err.h"
#include "cli/facts.h"
#include "cli/format.h"
#include "cli/nearest.h"
#include "cli/parse.h"
#include "cli/why.h"
#include "math/units.h"

bool take_source(const struct cmd *cmd, const char *text, uint32_t *ret)
{
	struct nearest near = { .text = text };

	*ret = parse_source(text);
	if (*ret)
		return true;
	for (uint32_t id = HPT_SOURCE_TSC; id < HPT_SOURCE_MANUAL; id++)
		nearest_offer(&near, hpt_source_name(id));
	err_print("%s: unknown source '%s'%s; see 'hpt help %s'", cmd->name, text, nearest_hint(&near, "").s,
		cmd->name);
	return false;
}

int take_next(const struct cmd *cmd, int argc, char *argv[], uint32_t *source)
{
	int c;

	while ((c = args_next(cmd, argc, argv)) == 's')
		if (!take_source(cmd, optarg, source))
			return ARGS_WRONG;
	return c;
}

static bool refuse(const struct cmd *cmd, const char *text, unsigned forms)
{
	err_print("%s: '%s': %s; see 'hpt help %s'", cmd->name, text, why_refused(text, forms).s, cmd->name);
	return false;
}

static bool is_within(const struct cmd *cmd, const char *text, int64_t min_ns, int64_t max_ns, int64_t ns)
{
	if (ns >= min_ns && ns <= max_ns)
		return true;
	if (max_ns == TAKE_ANY)
		err_print("%s: '%s' is less than %s; see 'hpt help %s'", cmd->name, text, format_span(min_ns).s,
			cmd->name);
	else
		err_print("%s: '%s' is not from %s to %s; see 'hpt help %s'", cmd->name, text, format_span(min_ns).s,
			format_span(max_ns).s, cmd->name);
	return false;
}

bool take_duration(const struct cmd *cmd, const char *text, int64_t min_ns, int64_t max_ns, int64_t *ret_ns)
{
	*ret_ns = 0; /* which is the same in all units */
	if (strcmp(text, "0") != 0 && parse_duration_ns(text, ret_ns))
		return refuse(cmd, text, WHY_DURATION);
	return is_within(cmd, text, min_ns, max_ns, *ret_ns);
}

bool take_seconds(const struct cmd *cmd, const char *text, int64_t min_ns, int64_t max_ns, int64_t *ret_ns)
{
	if (parse_seconds_ns(text, ret_ns))
		return refuse(cmd, text, WHY_DURATION | WHY_BARE);
	return is_within(cmd, text, min_ns, max_ns, *ret_ns);
}

bool take_time(const struct cmd *cmd, const char *text, int64_t *ret_unix_ns)
{
	int r = parse_unix_ns(text, ret_unix_ns);

	if (r == -ERANGE)
		err_print("%s: '%s' is outside of the years 1678 to 2261; see 'hpt help %s'", cmd->name, text,
			cmd->name);
	return !r || (r == -EINVAL && refuse(cmd, text, WHY_TIME));
}

bool take_integer(const struct cmd *cmd, const char *text, const char *what, int64_t min, int64_t max,
		     int64_t *ret)
{
	if (!parse_number(text, 0, "", ret) && *ret >= min && *ret <= max)
		return true;
	err_print("%s: '%s' is not a %s from %" PRId64 " to %" PRId64 "; see 'hpt help %s'", cmd->name, text, what, min,
		max, cmd->name);
	return false;
}

bool take_rate(const struct cmd *cmd, const char *text, uint32_t *ret_ppb)
{
	int64_t ppb;

	if ((!parse_number(text, 3, "ppm", &ppb) || !parse_number(text, 0, "ppb", &ppb)) && ppb > 0 && ppb < PPB) {
		*ret_ppb = (uint32_t)ppb;
		return true;
	}
	err_print("%s: '%s' is not a rate from 1ppb to 999999.999ppm; see 'hpt help %s'", cmd->name, text, cmd->name);
	return false;
}

bool take_policy(const struct cmd *cmd, const char *text, uint32_t *ret)
{
	struct nearest near = { .text = text };

	if (parse_policy(text, ret))
		return true;
	for (uint32_t i = 0; strcmp(format_policy(i), "unknown") != 0; i++)
		nearest_offer(&near, format_policy(i));
	err_print("%s: unknown policy '%s'%s; see 'hpt help %s'", cmd->name, text, nearest_hint(&near, "").s,
		cmd->name);
	return false;
}

bool take_text(const struct cmd *cmd, const char *what, const char *given, char *ret, size_t size)
{
	size_t n = strlen(given);

	if (n && n < size) {
		memcpy(ret, given, n + 1);
		return true;
	}
	err_print("%s: the %s is %s; see 'hpt help %s'", cmd->name, what, n ? "too long" : "empty", cmd->name);
	return false;
}

/* 127.0.0.1:323, [::1]:323: what the library takes for an address. */
static bool is_numeric_address(const char *text)
{
	const char *colon = strrchr(text, ':');
	size_t n = colon ? (size_t)(colon - text) : 0;
	struct in6_addr address;
	int64_t port;
	char host[64];

	if (!n || n >= sizeof(host) || parse_number(colon + 1, 0, "", &port) || port < 1 || port > UINT16_MAX)
		return false;
	memcpy(host, text, n);
	host[n] = '\0';
	if (*host != '[' || host[n - 1] != ']')
		return inet_pton(AF_INET, host, &address) == 1;
	host[n - 1] = '\0';
	return inet_pton(AF_INET6, host + 1, &address) == 1;
}

bool take_address(const struct cmd *cmd, const char *given, char *ret, size_t size)
{
	if (!take_text(cmd, "address", given, ret, size))
		return false;
	if (*ret == '/' || is_numeric_address(ret))
		return true;
	err_print("%s: '%s' is no numeric address with a port, such as 127.0.0.1:323, and no path; see 'hpt help %s'",
		cmd->name, given, cmd->name);
	return false;
}

bool take_default(const struct cmd *cmd, uint32_t source)
{
	if (source == HPT_SOURCE_AUTO || !hpt_clock_set_default_source(source, 0))
		return true;
	err_print("%s: %s cannot be used: %s", cmd->name, hpt_source_name(source),
		hpt_reason_text(source_facts(source).reason));
	return false;
}
