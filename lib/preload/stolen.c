// SPDX-License-Identifier: MIT
/* Reads the CPUs' lines of /proc/stat: lib/preload/stolen.h. */
#include "preload/stolen.h"

#include <stdbool.h>
#include <string.h>

#include "arch/arch.h"
#include "machine/lines.h"
#include "math/decimal.h"
#include "math/units.h"

/* USER_HZ, which is 100 on all architectures here: Linux's include/uapi/asm-generic/param.h. */
#define TICK_NS (10 * NS_PER_MS)

/* "cpuN user nice system idle iowait irq softirq steal ...": Linux's Documentation/filesystems/proc.rst, 1.7. */
#define STEAL 8

/* With the blanks after it. Negative: no number, or too large a one. */
static COLD int64_t take_word(const char **text)
{
	int64_t n = hpt_decimal_take(text);

	while (**text == ' ')
		++*text;
	return n;
}

/* The CPU's number, and how long it was stolen. */
static COLD bool parse(const char *line, int64_t *ret_cpu, int64_t *ret_ns)
{
	const char *text = line + 3;
	int64_t ticks = -1;

	*ret_cpu = take_word(&text);
	for (int i = 1; *ret_cpu >= 0 && i <= STEAL; i++) {
		ticks = take_word(&text);
		if (ticks < 0)
			return false;
	}
	*ret_ns = ticks < INT64_MAX / TICK_NS ? ticks * TICK_NS : -1;
	return *ret_cpu >= 0;
}

COLD void hpt_stolen_read(const struct hpt_env *env, int64_t *ret, size_t n, char *line, size_t size)
{
	struct hpt_lines lines;
	int64_t cpu, ns;
	char *text;

	for (size_t i = 0; i < n; i++)
		ret[i] = -1;
	hpt_lines_open(&lines, env, "/proc/stat", line, size);
	while ((text = hpt_lines_next(&lines)) && !strncmp(text, "cpu", 3))
		if (parse(text, &cpu, &ns) && (uint64_t)cpu < n)
			ret[cpu] = ns;
	hpt_lines_close(&lines);
}
