// SPDX-License-Identifier: MIT
/* Rounds values and separates their thousands: tools/cli/amount.h. */
#include "cli/amount.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "math/units.h"

/* Inserts a comma after each thousand of the digits of a whole number. */
static struct amount separated(const char *digits)
{
	size_t n = strlen(digits), sign = *digits == '-', used = 0;
	struct amount a = { "" };

	for (size_t i = 0; i < n && used + 2 < sizeof(a.s); i++) {
		if (i > sign && (n - i) % 3 == 0)
			a.s[used++] = ',';
		a.s[used++] = digits[i];
	}
	a.s[used] = '\0';
	return a;
}

/* The places after the decimal point that make three significant digits; -1: even the units are rounded. */
static int places_of(double v)
{
	double size = fabs(v);

	return size < 0.9995 ? 3 : size < 9.995 ? 2 : size < 99.95 ? 1 : size < 999.5 ? 0 : -1;
}

static double rounded(double v)
{
	double unit = pow(10, floor(log10(fabs(v))) - 2);

	return round(v / unit) * unit;
}

struct amount amount_of(double v)
{
	int places = places_of(v);
	struct amount a;

	if (!isfinite(v) || fabs(v) < 0.0005) {
		snprintf(a.s, sizeof(a.s), "0");
	} else if (places < 0) {
		snprintf(a.s, sizeof(a.s), "%.0f", fabs(v) < 1e18 ? rounded(v) : copysign(1e18, v));
		a = separated(a.s);
	} else {
		snprintf(a.s, sizeof(a.s), "%.*f", places, v);
	}
	return a;
}

struct amount amount_count(size_t n)
{
	char digits[24];

	snprintf(digits, sizeof(digits), "%zu", n);
	return separated(digits);
}

static void drop_zeros(char *text)
{
	char *end = text + strlen(text);

	if (!strchr(text, '.'))
		return;
	while (end[-1] == '0')
		*--end = '\0';
	if (end[-1] == '.')
		end[-1] = '\0';
}

static struct amount time_of(double ps, bool is_exact)
{
	static const struct { const char *unit; double ps; } units[] = {
		{ "s", (double)PS_PER_NS * NS_PER_S }, { "ms", (double)PS_PER_NS * NS_PER_MS }, { "us", PS_PER_US },
		{ "ns", PS_PER_NS }, { "ps", 1 },
	};
	struct amount a;
	size_t u = 0;

	if (!isfinite(ps))
		ps = 0;
	/* A value that rounds to 1000 of a unit is 1 of the next. */
	while (u < 4 && fabs(ps) < units[u].ps * 0.9995)
		u++;
	if (ps == 0)
		u = 3;
	a = amount_of(ps / units[u].ps);
	if (is_exact)
		drop_zeros(a.s);
	snprintf(a.s + strlen(a.s), sizeof(a.s) - strlen(a.s), " %s", units[u].unit);
	return a;
}

struct amount amount_time(double ps)
{
	return time_of(ps, false);
}

struct amount amount_length(double ps)
{
	return time_of(ps, true);
}

struct amount amount_share(double ppm)
{
	double percent = isfinite(ppm) ? ppm / PPM_PER_PERCENT : 0;
	struct amount a;

	if (percent != 0 && fabs(percent) < 0.001) {
		snprintf(a.s, sizeof(a.s), "%.4f %%", percent);
		return a;
	}
	a = amount_of(percent);
	drop_zeros(a.s);
	snprintf(a.s + strlen(a.s), sizeof(a.s) - strlen(a.s), " %%");
	return a;
}
