// SPDX-License-Identifier: MIT
// Sleeps for a millisecond, and shows how late the sleep ended.
#include <chrono>
#include <iostream>

#include <hpt/hpt.hpp>

int main()
{
	const hpt::timer deadline = hpt::timer::now() + std::chrono::milliseconds(1);

	if (hpt::sleep_until(deadline) != hpt::wake::reached)
		return 1;
	const std::chrono::nanoseconds late = hpt::timer::now() - deadline;

	std::cout << "libhpt " << hpt_version() << ": a sleep of 1 ms ended " << late.count() << " ns late\n";
	return late < std::chrono::nanoseconds::zero();
}
