// SPDX-License-Identifier: MIT
/*
 * Parses the command line of hpt wall: tools/wall/wall_request.h. Functions that return false have reported the error
 * on stderr.
 */
#include "wall/wall_request.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/args.h"
#include "cli/err.h"
#include "cli/nearest.h"
#include "cli/take.h"
#include "math/units.h"
#include "cli/util.h"
#include "wall/wall_statement.h"
#include "wall/wall_view.h"

/* The library's own defaults. */
#define BY_DEFAULT (HPT_WALL_SOURCE_CLOCKBOUND | HPT_WALL_SOURCE_CHRONY | HPT_WALL_SOURCE_VMCLOCK | HPT_WALL_SOURCE_PHC)

/* A wall that took its own statements would never notice that its sources are gone. */
#define PUBLISHED_BY_DEFAULT (BY_DEFAULT & ~HPT_WALL_SOURCE_CLOCKBOUND)

#define INTERVAL_NS     NS_PER_S
#define INTERVAL_MIN_NS NS_PER_MS

/* ---- One option -------------------------------------------------------------------------------------------------- */

static bool take_name(const struct cmd *cmd, const char *name, uint32_t *mask)
{
	struct nearest near = { .text = name };

	for (uint32_t id = WALL_VIEW_FIRST; id <= WALL_VIEW_LAST; id <<= 1) {
		if (!strcmp(name, hpt_wall_source_name(id))) {
			*mask |= id;
			return true;
		}
		nearest_offer(&near, hpt_wall_source_name(id));
	}
	if (*name)
		err_print("%s: unknown source of bounds '%s'%s; see 'hpt help %s'", cmd->name, name,
			nearest_hint(&near, "").s, cmd->name);
	else
		args_usage(cmd, "a name is missing in a list of sources");
	return false;
}

/* Names with commas between them. */
static bool take_names(const struct cmd *cmd, uint32_t *ret)
{
	char *list = xasprintf("%s", optarg), *at = list;
	bool is_good = true;

	*ret = 0;
	while (is_good && at) {
		char *comma = strchr(at, ',');

		if (comma)
			*comma++ = '\0';
		is_good = take_name(cmd, at, ret);
		at = comma;
	}
	free(list);
	return is_good;
}

static bool take_timescale(const struct cmd *cmd, uint32_t *ret)
{
	*ret = !strcmp(optarg, "utc") ? HPT_WALL_TIMESCALE_UTC : HPT_WALL_TIMESCALE_TAI;
	if (*ret == HPT_WALL_TIMESCALE_UTC || !strcmp(optarg, "tai"))
		return true;
	err_print("%s: '%s' is neither utc nor tai; see 'hpt help %s'", cmd->name, optarg, cmd->name);
	return false;
}

static bool take_plot(const struct cmd *cmd, struct wall_request *r)
{
	r->is_plot_only = !strcmp(optarg, "-");
	r->plot = optarg;
	if (*optarg)
		return true;
	args_usage(cmd, "the name of the plot's file is empty");
	return false;
}

static bool take_chrony_conf(const struct cmd *cmd, struct wall_request *r)
{
	r->chrony_conf = optarg;
	if (*optarg)
		return true;
	args_usage(cmd, "the name of chronyd's configuration is empty");
	return false;
}

static bool take_publish(const struct cmd *cmd, struct wall_request *r)
{
	r->publish = optarg;
	if (*optarg)
		return true;
	args_usage(cmd, "the name of the published file is empty");
	return false;
}

static bool take_version(const struct cmd *cmd, int64_t *ret)
{
	if (strcmp(optarg, "2") && strcmp(optarg, "3")) {
		err_print("%s: '%s' is neither version 2 nor 3 of ClockBound's layout; see 'hpt help %s'", cmd->name,
			optarg, cmd->name);
		return false;
	}
	*ret = *optarg - '0';
	return true;
}

/* Of the options about one source. */
static bool take_of_source(const struct cmd *cmd, int letter, struct hpt_wall_config *config)
{
	switch (letter) {
	case WALL_OPT_CLOCKBOUND:
		return take_text(cmd, "path", optarg, config->clockbound_path, sizeof(config->clockbound_path));
	case WALL_OPT_VMCLOCK:
		return take_text(cmd, "path", optarg, config->vmclock_path, sizeof(config->vmclock_path));
	case WALL_OPT_PHC:
		return take_text(cmd, "path", optarg, config->phc_path, sizeof(config->phc_path));
	case WALL_OPT_PHC_ERROR:
		return take_duration(cmd, optarg, 1, TAKE_ANY, &config->phc_error_ns);
	case WALL_OPT_REFCLOCK_ERROR:
		return take_duration(cmd, optarg, 1, TAKE_ANY, &config->chrony_refclock_error_ns);
	case WALL_OPT_PHC_TIMESCALE:
		return take_timescale(cmd, &config->phc_timescale);
	default:
		return take_address(cmd, optarg, config->chrony_address, sizeof(config->chrony_address));
	}
}

static bool take_option(const struct cmd *cmd, int letter, struct wall_request *r)
{
	switch (letter) {
	case WALL_OPT_JSON:
		return r->json = true;
	case WALL_OPT_WATCH:
		return r->is_watch = true;
	case WALL_OPT_COUNT:
		return take_integer(cmd, optarg, "number of looks", 1, INT64_MAX, &r->count);
	case WALL_OPT_INTERVAL:
		return take_duration(cmd, optarg, INTERVAL_MIN_NS, TAKE_ANY, &r->interval_ns);
	case WALL_OPT_MAX_WIDTH:
		return take_duration(cmd, optarg, 1, TAKE_ANY, &r->max_width_ns);
	case WALL_OPT_PLOT:
		return take_plot(cmd, r);
	case WALL_OPT_CHRONY_CONF:
		return take_chrony_conf(cmd, r);
	case WALL_OPT_PUBLISH:
		return take_publish(cmd, r);
	case WALL_OPT_PUBLISH_VERSION:
		return take_version(cmd, &r->publish_version);
	case WALL_OPT_SOURCES:
		return take_names(cmd, &r->config.sources);
	case WALL_OPT_TRUST:
		return take_names(cmd, &r->config.trusted);
	case WALL_OPT_RATE:
		return take_rate(cmd, optarg, &r->config.rate_ppb);
	case WALL_OPT_WANDER:
		return take_rate(cmd, optarg, &r->config.wander_ppb);
	default:
		return take_of_source(cmd, letter, &r->config);
	}
}

/* ---- Combinations of options ------------------------------------------------------------------------------------- */

static const char *why_not_published(const struct wall_request *r)
{
	if (!r->publish)
		return r->publish_version ? "--publish-version needs --publish" : NULL;
	if (r->is_watch || r->count || r->plot || r->json || r->max_width_ns || r->chrony_conf)
		return "--publish goes without --watch, --count, --plot, --json, --max-width and --chrony-conf";
	if (r->config.sources & HPT_WALL_SOURCE_CLOCKBOUND || *r->config.clockbound_path)
		return "--publish cannot ask the source clockbound, which may be what it publishes";
	return NULL;
}

/* NULL: there is nothing wrong with them. */
static const char *why_not(const struct wall_request *r)
{
	const char *wrong = why_not_published(r);
	uint32_t sources = r->config.sources;

	if (wrong)
		return wrong;
	if (!sources)
		sources = r->publish ? PUBLISHED_BY_DEFAULT : BY_DEFAULT;
	if (!r->is_watch && (r->count || r->plot))
		return "--count and --plot need --watch";
	if (!r->is_watch && !r->publish && r->interval_ns)
		return "--interval needs --watch or --publish";
	if (r->json && r->is_plot_only)
		return "of --json and --plot=- only one can be given";
	if (r->config.trusted & ~sources)
		return "--trust names a source that is not asked";
	return NULL;
}

int wall_request_take(const struct cmd *cmd, int argc, char *argv[], struct wall_request *ret)
{
	const char *wrong;
	int c;

	*ret = (struct wall_request){ 0 };
	while ((c = take_next(cmd, argc, argv, &ret->source)) > 0)
		if (!take_option(cmd, c, ret))
			return ARGS_WRONG;
	wrong = c == ARGS_END ? why_not(ret) : NULL;
	if (wrong) {
		args_usage(cmd, wrong);
		return ARGS_WRONG;
	}
	if (!ret->interval_ns)
		ret->interval_ns = INTERVAL_NS;
	if (!ret->publish_version)
		ret->publish_version = 3;
	if (ret->publish)
		ret->config.max_age_ns = WALL_FACTS_MAX_AGE_NS;
	if (ret->publish && !ret->config.sources)
		ret->config.sources = PUBLISHED_BY_DEFAULT;
	return c;
}
