// SPDX-License-Identifier: MIT
/* Runs all groups, as TAP. */
#include "check.hh"

#include <cstdio>

int &failures()
{
	static int n;

	return n;
}

void check(bool good, const char *what, const char *file, int line)
{
	if (good)
		return;
	failures()++;
	std::printf("# %s:%d: wrong: %s\n", file, line, what);
}

namespace {

struct group {
	const char *name;
	void (*run)();
};

const group groups[] = {
	{ "durations", test_durations },
	{ "the clamp on scripted lines", test_clamp },
	{ "the clamp with threads", test_clamp_threads },
	{ "clocks", test_clocks },
	{ "errors", test_errors },
	{ "timers", test_timers },
	{ "the limits of timers", test_timer_limits },
	{ "sleeper", test_sleeper },
	{ "sleeper, each kind of deadline", test_sleeper_kinds },
	{ "gate", test_gate },
	{ "ticker", test_ticker },
	{ "ticker, missed ticks", test_ticker_missed },
	{ "moves", test_moves },
	{ "wall", test_wall },
	{ "wall, waits", test_wall_waits },
	{ "hybrid logical clock", test_hlc },
	{ "waits, poll", test_poll },
	{ "waits, epoll", test_epoll },
	{ "waits of the program's own", test_margin },
	{ "the papers' examples", test_papers_examples },
	{ "the papers' class, values", test_papers_values },
	{ "the papers' class, clock and sleeps", test_papers_clock },
#if defined(__cpp_lib_jthread)
	{ "stop tokens", test_stop },
#endif
};

} // namespace

int main()
{
	int n = 0, all = 0;

	for (const group &g : groups) {
		failures() = 0;
		g.run();
		std::printf("%s %d - %s\n", failures() ? "not ok" : "ok", ++n, g.name);
		std::fflush(stdout);
		all += failures();
	}
#if !defined(__cpp_lib_jthread)
	std::printf("ok %d - stop tokens # SKIP before C++20, or no <stop_token>\n", ++n);
#endif
	std::printf("1..%d\n", n);
	return all != 0;
}
