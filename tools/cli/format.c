// SPDX-License-Identifier: MIT
/* Formats numbers with units, and names constants: tools/cli/format.h. */
#include "cli/format.h"

#include <errno.h>
#include <inttypes.h>
#include <langinfo.h>
#include <stdio.h>
#include <string.h>

#include "hpt/hpt.h"
#include "hpt/system.h"

#include "arch/arch.h"

struct formatted format_frequency(uint64_t uhz)
{
	static const struct { const char *unit; uint64_t uhz; } units[] = {
		{ "GHz", UINT64_C(1000000000000000) }, { "MHz", UINT64_C(1000000000000) },
		{ "kHz", UINT64_C(1000000000) },       { "Hz", UINT64_C(1000000) },
	};
	size_t u = 0;
	uint64_t millionths;
	struct formatted t;

	while (u < sizeof(units) / sizeof(units[0]) - 1 && uhz < units[u].uhz)
		u++;
	millionths = (uhz + units[u].uhz / 2000000) / (units[u].uhz / 1000000);
	snprintf(t.s, sizeof(t.s), "%" PRIu64 ".%03u %03u %s", millionths / 1000000,
		 (unsigned)(millionths / 1000 % 1000), (unsigned)(millionths % 1000), units[u].unit);
	return t;
}

struct formatted format_ns(uint64_t ps)
{
	uint64_t tenths = (ps + 50) / 100;
	struct formatted t;

	snprintf(t.s, sizeof(t.s), "%" PRIu64 ".%u", tenths / 10, (unsigned)(tenths % 10));
	return t;
}

struct formatted format_ppm(int64_t ppb)
{
	uint64_t size = ppb < 0 ? -(uint64_t)ppb : (uint64_t)ppb;
	struct formatted t;

	snprintf(t.s, sizeof(t.s), "%s%" PRIu64 ".%03u", ppb < 0 ? "-" : "", size / 1000, (unsigned)(size % 1000));
	return t;
}

struct formatted format_span(int64_t ns)
{
	static const struct { const char *unit; uint64_t ns, part_ns; int places; } units[] = {
		{ "s", 1000000000, 1000000, 3 }, { "ms", 1000000, 1000, 3 }, { "us", 1000, 100, 1 }, { "ns", 1, 1, 0 },
	};
	uint64_t size = ns < 0 ? -(uint64_t)ns : (uint64_t)ns, parts, per_unit;
	struct formatted t;
	size_t u = 0;
	int n;

	while (units[u].places && size < units[u].ns)
		u++;
	parts = (size + units[u].part_ns / 2) / units[u].part_ns;
	per_unit = units[u].ns / units[u].part_ns;
	n = snprintf(t.s, sizeof(t.s), "%s%" PRIu64, ns < 0 ? "-" : "", parts / per_unit);
	if (units[u].places)
		n += snprintf(t.s + n, sizeof(t.s) - (size_t)n, ".%0*" PRIu64, units[u].places, parts % per_unit);
	snprintf(t.s + n, sizeof(t.s) - (size_t)n, " %s", units[u].unit);
	return t;
}

const char *format_plus_minus(void)
{
	return !strcmp(nl_langinfo(CODESET), "UTF-8") ? "\302\261" : "+-";
}

const char *format_yes(bool value)
{
	return value ? "yes" : "no";
}

static const char *pick(const char *const *names, uint32_t n, uint32_t value)
{
	return value < n ? names[value] : "unknown";
}

#define PICK(names, value) pick(names, sizeof(names) / sizeof((names)[0]), value)

static const char *const policies[] = {
	[HPT_SLEEP_BALANCED] = "balanced", [HPT_SLEEP_FRUGAL] = "frugal", [HPT_SLEEP_STRICT] = "strict",
	[HPT_SLEEP_NOSPIN] = "nospin",     [HPT_SLEEP_SPIN] = "spin",
};

const char *format_policy(uint32_t policy)
{
	return PICK(policies, policy);
}

const char *format_class(uint32_t tsc_class)
{
	static const char *const names[] = {
		[HPT_CPU_NO_TSC] = "no-tsc",
		[HPT_CPU_NOT_CONSTANT] = "not-constant",
		[HPT_CPU_CONSTANT_BY_FAMILY] = "constant-by-family",
		[HPT_CPU_INVARIANT] = "invariant",
	};

	return PICK(names, tsc_class);
}

const char *format_counter(uint32_t source)
{
#ifdef HPT_ARCH_COUNTER
	if (source == HPT_SOURCE_ARCH)
		return ARCH_COUNTER_NAME;
#endif
	(void)source;
	return NULL;
}

const char *format_errno(uint32_t error)
{
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 32)
	if (error == ENOTSUP) /* the name that the public headers use; the C library has one name for each number */
		return "ENOTSUP";
	return error ? strerrorname_np((int)error) : NULL;
#else
	(void)error;
	return NULL;
#endif
}
