/* SPDX-License-Identifier: MIT */
/*
 * system.hpp - facts about the processor: hpt.hpp(3).
 *
 * Young, as <hpt/system.h>: an incompatible change in a minor release gives it another inline namespace.
 */
#ifndef LIBHPT_SYSTEM_HPP
#define LIBHPT_SYSTEM_HPP

#include <hpt/hpt.hpp>
#include <hpt/system.h>

namespace hpt {
inline namespace young1 {

/* The papers' AccessTimeHardware. */
LIBHPT_NODISCARD inline hpt_cpu_info cpu_info()
{
	hpt_cpu_info info;

	detail::check(hpt_cpu_get_info(&info, sizeof(info)), "hpt_cpu_get_info");
	return info;
}

} // namespace young1
} // namespace hpt

#endif
