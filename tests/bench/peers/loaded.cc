// SPDX-License-Identifier: MIT
/* A C++ program that does nothing. It is built once alone and once with the original, to show what loading costs. */
#include <cstdint>
#include <iostream>

#ifdef WITH_ORIGINAL
#include <sys/time.h>

#include "HighPerTimer.h"
#define TOUCH HPTimer::HighPerTimer::Now().HPTics()
#else
#define TOUCH 0
#endif

int main(int argc, char **)
{
	if (argc > 1)
		std::cout << TOUCH << '\n';
	return 0;
}
