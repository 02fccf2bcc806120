// SPDX-License-Identifier: MIT
// The public header in a C++ program: types, a call of every kind, and plausible values.
#include <cerrno>
#include <cstring>
#include <iostream>
#include <string>

#include <hpt/hpt.h>

namespace {

bool check(bool good, const char *what)
{
	if (!good)
		std::cerr << "wrong: " << what << '\n';
	return good;
}

}

int main()
{
	hpt_clock *clk = hpt_clock_default();
	hpt_clock_info info;
	char text[HPT_TIME_FORMAT_SIZE];
	const hpt_time_t a = hpt_now(clk), b = hpt_now(nullptr);
	const int64_t before = hpt_now_ns(clk);
	const int slept = hpt_sleep_ns(clk, 1000000);
	const int64_t slept_ns = hpt_now_ns(clk) - before;
	hpt_waiter *waiter = nullptr;
	const int length = hpt_time_format(nullptr, b, text, sizeof(text));

	if (!check(clk != nullptr, "a default clock") ||
	    !check(b >= a, "two reads in order") ||
	    !check(hpt_ticks_to_ns(clk, b - a) >= 0, "a duration that is not negative") ||
	    !check(hpt_clock_get_info(clk, &info, sizeof(info)) == 0, "facts about the clock") ||
	    !check(info.size == sizeof(info), "a structure filled to its end") ||
	    !check(slept > 0 || (slept == 0 && slept_ns >= 1000000), "a sleep that does not end early") ||
	    !check(hpt_waiter_new(clk, 0, &waiter) == 0 && hpt_waiter_interrupt(waiter) == 0,
		   "a waiter, interrupted") ||
	    !check(hpt_waiter_sleep_ns(waiter, 1000000000) == -ECANCELED, "a sleep that the interrupt ends") ||
	    !check(length == static_cast<int>(std::strlen(text)), "the length of a time as text") ||
	    !check(hpt_clock_ref(clk) == clk, "one more holder") ||
	    !check(hpt_version_number() == HPT_VERSION_NUMBER, "one version number") ||
	    !check(std::string(hpt_version()) == HPT_VERSION_STRING, "header and library of one version"))
		return 1;
	hpt_waiter_free(waiter);

	hpt_timebase base;
	int64_t tick = b, ns = 0, same = 0;

	if (!check(hpt_clock_get_timebase(clk, &base, sizeof(base)) == 0, "a time base") ||
	    !check(hpt_timebase_to_ns(&base, nullptr, &tick, &ns, 1) == 0 && hpt_time_to_ns(clk, b, &same) == 0 &&
		   ns - same < 1000000 && same - ns < 1000000, "a tick by it and by the clock"))
		return 1;
	std::cout << hpt_source_name(info.source) << ' ' << text << '\n';
	return 0;
}
