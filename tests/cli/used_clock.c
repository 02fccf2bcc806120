// SPDX-License-Identifier: MIT
/*
 * For LD_PRELOAD: writes to the file USED_CLOCKS which function of the library was called on a clock of which source,
 * a line each: "hpt_sleep_until_ticks hpet". What a program says about its clock is one thing, on which it calls
 * another.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <hpt/hpt.h>

enum { NOW, NOW_NS, SLEEP_UNTIL, SLEEP_NS, SLEEP_UNTIL_UNIX_NS, WAITER_NEW, TICKER_NEW, FUNCTIONS };

static const char *const names[FUNCTIONS] = {
	"hpt_now", "hpt_now_ns", "hpt_sleep_until_ticks", "hpt_sleep_ns", "hpt_sleep_until_unix_ns", "hpt_waiter_new",
	"hpt_ticker_new",
};

/* Clocks that were written already, of each function; a process has few. */
#define CLOCKS 16

static void write_line(int function, hpt_clock *clk)
{
	const char *path = getenv("USED_CLOCKS");
	struct hpt_clock_info info;
	char line[64];
	int fd, n;

	if (!path || hpt_clock_get_info(clk, &info, sizeof(info)))
		return;
	fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	n = snprintf(line, sizeof(line), "%s %s\n", names[function], hpt_source_name(info.source));
	if (fd < 0 || write(fd, line, (size_t)n) != n)
		abort();
	close(fd);
}

/* Two threads may write a line twice. */
static void note(int function, hpt_clock *clk)
{
	static _Atomic(hpt_clock *) seen[FUNCTIONS][CLOCKS];
	static _Atomic bool has_null[FUNCTIONS];
	int i = 0;

	if (!clk) {
		if (!atomic_exchange(&has_null[function], true))
			write_line(function, NULL);
		return;
	}
	for (; i < CLOCKS && atomic_load(&seen[function][i]); i++)
		if (atomic_load(&seen[function][i]) == clk)
			return;
	if (i < CLOCKS)
		atomic_store(&seen[function][i], clk);
	write_line(function, clk);
}

#define REPLACED(type, function, number, params, ...)                                          \
	type function params                                                                   \
	{                                                                                      \
		static _Atomic(void *) real;                                                   \
                                                                                               \
		if (!real)                                                                     \
			real = dlsym(RTLD_NEXT, #function);                                    \
		note(number, clk);                                                             \
		return ((type (*) params)real)(__VA_ARGS__);                                   \
	}

REPLACED(hpt_time_t, hpt_now, NOW, (hpt_clock *clk), clk)
REPLACED(int64_t, hpt_now_ns, NOW_NS, (hpt_clock *clk), clk)
REPLACED(int, hpt_sleep_until_ticks, SLEEP_UNTIL, (hpt_clock *clk, hpt_time_t deadline), clk, deadline)
REPLACED(int, hpt_sleep_ns, SLEEP_NS, (hpt_clock *clk, int64_t ns), clk, ns)
REPLACED(int, hpt_sleep_until_unix_ns, SLEEP_UNTIL_UNIX_NS, (hpt_clock *clk, int64_t unix_ns), clk, unix_ns)
REPLACED(int, hpt_waiter_new, WAITER_NEW, (hpt_clock *clk, uint32_t flags, hpt_waiter **ret), clk, flags, ret)
REPLACED(int, hpt_ticker_new, TICKER_NEW, (hpt_clock *clk, int64_t period_ns, uint32_t flags, hpt_ticker **ret),
	 clk, period_ns, flags, ret)
