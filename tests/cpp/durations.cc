// SPDX-License-Identifier: MIT
/* Durations of every kind as nanoseconds. */
#include "check.hh"

namespace {

using hpt::detail::least;
using hpt::detail::most;
using hpt::detail::ns_nearest;
using hpt::detail::ns_up;

using thirds = std::chrono::duration<int, std::ratio<1, 3>>;
using real = std::chrono::duration<double>;

template <class D> bool overflows(D d)
{
	return throws<std::overflow_error>([&] { ns_nearest(d); });
}

void check_up()
{
	CHECK(ns_up(hpt::nanoseconds(7)) == 7);
	CHECK(ns_up(std::chrono::hours(-1)) == -3600 * INT64_C(1000000000));
	CHECK(ns_up(picoseconds(1)) == 1 && ns_up(picoseconds(1000)) == 1 && ns_up(picoseconds(1001)) == 2);
	CHECK(ns_up(picoseconds(-1)) == 0 && ns_up(picoseconds(-999)) == 0 && ns_up(picoseconds(-1000)) == -1);
	CHECK(ns_up(thirds(1)) == 333333334 && ns_up(thirds(-1)) == -333333333 && ns_up(thirds(3)) == 1000000000);
	CHECK(ns_up(real(0.5)) == 500000000 && ns_up(real(1e-12)) == 1 && ns_up(real(-1e-12)) == 0);
}

void check_nearest()
{
	CHECK(ns_nearest(picoseconds(499)) == 0 && ns_nearest(picoseconds(500)) == 1);
	CHECK(ns_nearest(picoseconds(1499)) == 1 && ns_nearest(picoseconds(-499)) == 0);
	CHECK(ns_nearest(picoseconds(-500)) == -1 && ns_nearest(picoseconds(-1501)) == -2);
	CHECK(ns_nearest(thirds(1)) == 333333333 && ns_nearest(thirds(2)) == 666666667);
	CHECK(ns_nearest(real(1e-9)) == 1 && ns_nearest(real(1.4e-9)) == 1);
}

void check_limits()
{
#if defined(__SIZEOF_INT128__) && !defined(__STRICT_ANSI__)
	__extension__ using wide = std::chrono::duration<__int128, std::nano>;

	CHECK(ns_up(wide(INT64_MAX) + wide(2)) == INT64_MAX && ns_up(wide(INT64_MIN) - wide(2)) == INT64_MIN);
	CHECK(ns_up((wide(INT64_MAX) + wide(1)) * 2) == INT64_MAX && ns_up(wide(-5)) == -5);
#endif
	const std::chrono::duration<std::uint64_t, std::nano> beyond(UINT64_C(1) << 63);

	CHECK(ns_up(std::chrono::hours::max()) == most && ns_up(std::chrono::hours::min()) == least);
	CHECK(ns_up(hpt::nanoseconds::max()) == most && ns_up(hpt::nanoseconds::min()) == least);
	CHECK(ns_up(seconds(9223372036)) == INT64_C(9223372036000000000));
	CHECK(ns_up(seconds(9223372037)) == most && ns_up(seconds(-9223372037)) == least);
	CHECK(ns_up(beyond) == most);
	CHECK(ns_up(real(1e300)) == most && ns_up(real(-1e300)) == least);
	CHECK(ns_up(real(std::numeric_limits<double>::quiet_NaN())) == 0);
	CHECK(overflows(std::chrono::hours::max()) && overflows(std::chrono::hours::min()) && overflows(beyond));
	CHECK(overflows(real(1e300)) && overflows(real(std::numeric_limits<double>::quiet_NaN())));
	CHECK(overflows(hpt::nanoseconds::min())); /* so that its negative always exists */
	CHECK(!overflows(seconds(9223372036)) && overflows(seconds(9223372037)));
}

} // namespace

void test_durations()
{
	check_up();
	check_nearest();
	check_limits();
}
