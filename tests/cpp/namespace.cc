// SPDX-License-Identifier: MIT
/*
 * steady_clock where the kernel's clocks step back: a child in a time namespace that is set back by half of the
 * machine's uptime. hpt_now_monotonic_ns() goes back with them, steady_clock goes on from where the parent left it.
 */
#include <hpt/hpt.hpp>

#include <cstdio>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

extern "C" {
#include "namespaces.h"
}

#ifndef CLONE_NEWTIME
#define CLONE_NEWTIME 0x80
#endif

namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

int failures;

void check(bool good, const char *what)
{
	if (!good)
		std::printf("wrong: %s\n", what);
	failures += !good;
}

int skip(const char *why)
{
	std::printf("skipped: %s\n", why);
	return 77;
}

int go_on(hpt::steady_clock::time_point before, std::int64_t before_ns, const hpt::clock &clock)
{
	check(clock.check().state == hpt::state::reanchored, "a new generation");
	check(hpt_now_monotonic_ns(nullptr) < before_ns, "hpt_now_monotonic_ns has stepped back");

	const auto now = hpt::steady_clock::now();

	check(now >= before && now < before + seconds(10), "steady_clock goes on");
	check(hpt::sleep_until(now + milliseconds(20)) == hpt::wake::reached, "a sleep to its deadline");

	const auto later = hpt::steady_clock::now();

	check(later >= now + milliseconds(20) && later < now + seconds(10), "steady_clock has gone on");
	check(hpt::steady_clock::to_ns(later) <= hpt_now_monotonic_ns(nullptr), "its times convert to that line");
	check(hpt::steady_clock::now() - hpt::timer::now().to_steady() < seconds(10), "a timer converts to its times");
	check(hpt::timer(later) <= hpt::timer::now() + milliseconds(1) && hpt::timer(later) + seconds(10) >
	      hpt::timer::now(), "and back");
	return failures != 0;
}

} // namespace

int main()
{
	const hpt::clock clock;
	const auto before = hpt::steady_clock::now();
	const std::int64_t before_ns = hpt_now_monotonic_ns(nullptr);
	const std::string set_back = "monotonic -" + std::to_string(before_ns / 2000000000) + " 0\n";
	int status = 0;

	if (before_ns < INT64_C(120000000000))
		return skip("the machine has not been up for long enough to set its clock back");
	if (enter_namespaces(CLONE_NEWTIME) || write_text("/proc/self/timens_offsets", set_back.c_str()))
		return skip("no time namespace whose clocks can be set here");

	const pid_t pid = fork();

	if (!pid)
		std::exit(go_on(before, before_ns, clock)); /* prints what was wrong */
	check(pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) && !WEXITSTATUS(status), "the child");
	return failures != 0;
}
