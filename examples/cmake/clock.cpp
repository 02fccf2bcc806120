// SPDX-License-Identifier: MIT
// Sleeps for a millisecond, and shows how late the sleep ended.
#include <iostream>

#include <hpt/hpt.h>

int main()
{
	const hpt_time_t deadline = hpt_now(nullptr) + hpt_ns_to_ticks(nullptr, 1000000);

	if (hpt_sleep_until(nullptr, deadline) < 0)
		return 1;
	const int64_t late_ns = hpt_ticks_to_ns(nullptr, hpt_now(nullptr) - deadline);

	std::cout << "libhpt " << hpt_version() << ": a sleep of 1 ms ended " << late_ns << " ns late\n";
	return late_ns < 0;
}
