// SPDX-License-Identifier: MIT
/* The table of the running process's contacts, and nothing else: lib/machine/live.h. */
#include "machine/live.h"

#include "machine/bus.h"
#include "machine/cpu_time.h"
#include "machine/datagram.h"
#include "machine/device_map.h"
#include "machine/fds.h"
#include "machine/file_read.h"
#include "machine/futex.h"
#include "machine/live_calls.h"
#include "machine/ptp.h"
#include "machine/sys_clock.h"
#include "machine/timex.h"

const struct hpt_env hpt_env_live = {
	.cpuid = hpt_live_cpuid,
	.cached_cpu = hpt_live_cached_cpu,
	.tsc_forbidden = hpt_live_tsc_forbidden,
	.clock_ns = hpt_live_clock_ns,
	.clock_ns_syscall = hpt_live_clock_ns_syscall,
	.read_os = hpt_live_read_os,
	.kernel_ns = hpt_sys_clock_ns,
	.try_clock = hpt_live_try_clock,
	.auxval = hpt_live_auxval,
	.random = hpt_live_random,
	.counter_hz = hpt_live_counter_hz,
	.map_hpet = hpt_map_hpet,
	.unmap_hpet = hpt_unmap_hpet,
	.map_registers = hpt_map_registers,
	.unmap_registers = hpt_unmap_registers,
	.try_words = hpt_bus_try,
	.open = hpt_path_open,
	.coarse_step_ns = hpt_live_coarse_step_ns,
	.getenv = hpt_live_getenv,
	.wait = hpt_futex_wait,
	.wake = hpt_futex_wake,
	.poll = hpt_fds_wait,
	.slack_ns = hpt_timer_slack_ns,
	.set_slack_ns = hpt_timer_slack_set_ns,
	.is_filtered = hpt_cpu_time_is_filtered,
	.scheduler = hpt_cpu_time_class,
	.rttime_ns = hpt_cpu_time_rttime_ns,
	.cpus = hpt_cpu_time_cpus,
	.is_pinned = hpt_cpu_time_is_pinned,
	.slice_ns = hpt_cpu_time_slice_ns,
	.change_slice_ns = hpt_cpu_time_change_slice_ns,
	.adjtimex = hpt_adjtimex,
	.exchange = hpt_datagram_exchange,
	.ptp_read = hpt_ptp_read,
};
