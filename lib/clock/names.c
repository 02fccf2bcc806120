// SPDX-License-Identifier: MIT
/* Names of the public constants, and a sentence for each reason. */
#include <errno.h>
#include <string.h>

#include "hpt/hpt.h"

#include "arch/arch.h"
#include "source/source.h"

/* Arrays of characters, not pointers: each pointer is a relocation, which costs every process time at load. */
static const char source_names[HPT_SOURCE_IDS][7] = {
	[HPT_SOURCE_AUTO] = "auto", [HPT_SOURCE_TSC] = "tsc",   [HPT_SOURCE_HPET] = "hpet",
	[HPT_SOURCE_OS] = "os",     [HPT_SOURCE_ARCH] = "arch", [HPT_SOURCE_MMIO] = "mmio",
	[HPT_SOURCE_MANUAL] = "manual",
};

static const char state_names[][11] = {
	[HPT_STATE_OK] = "ok",               [HPT_STATE_REANCHORED] = "reanchored",
	[HPT_STATE_DISRUPTED] = "disrupted", [HPT_STATE_DEMOTED] = "demoted",
};

static const char stage_names[][9] = {
	[HPT_STAGE_UNTRIED] = "untried", [HPT_STAGE_CPU] = "cpu",   [HPT_STAGE_OPEN] = "open",
	[HPT_STAGE_MAP] = "map",         [HPT_STAGE_CAPS] = "caps", [HPT_STAGE_COUNTING] = "counting",
	[HPT_STAGE_USABLE] = "usable",
};

static const char origin_names[][9] = {
	[HPT_ORIGIN_NONE] = "none",         [HPT_ORIGIN_EXACT] = "exact",   [HPT_ORIGIN_REGISTER] = "register",
	[HPT_ORIGIN_MEASURED] = "measured", [HPT_ORIGIN_KERNEL] = "kernel",
};

#define NAME(names, value) ((value) < sizeof(names) / sizeof((names)[0]) ? (names)[value] : "unknown")

/* Each states the fact and, where a person can act on it, what to do. hpt_source(7) has the same sentences. */
#define REASONS(X) \
	X(NONE, \
	  "no reason recorded") \
	X(TSC_TRUSTED, \
	  "the CPU promises an invariant TSC and the kernel keeps time with it") \
	X(TSC_FAMILY, \
	  "this CPU family has a TSC of constant rate and the kernel keeps time with it") \
	X(TSC_UNCONTRADICTED, \
	  "the CPU promises an invariant TSC, there is no hypervisor, and the kernel's choice cannot be read") \
	X(LOWER_MEAN, \
	  "a read costs less: the means differ by 25 % or more") \
	X(LOWER_STDDEV, \
	  "a read costs about the same (means within 25 %) but varies less") \
	X(FINER, \
	  "the other source's shortest step from read to read is more than ten times longer") \
	X(ONLY_ONE, \
	  "no other source can be used or trusted here") \
	X(REQUESTED, \
	  "the program asked for it") \
	X(REQUESTED_ENV, \
	  "HPT_SOURCE asks for it") \
	X(ARCH_TRUSTED, \
	  "the kernel keeps time with this counter and lets programs read it without a system call") \
	X(NOT_NEEDED, \
	  "not tried at load: a better source was found first") \
	X(SKIPPED_ENV, \
	  "not tried at load: HPT_SOURCE asks for the OS clock") \
	X(HIGHER_MEAN, \
	  "a read costs more: the means differ by 25 % or more") \
	X(HIGHER_STDDEV, \
	  "a read costs about the same (means within 25 %) but does not vary less") \
	X(COARSER, \
	  "its shortest step from read to read is more than ten times the other source's") \
	X(BETTER_TSC, \
	  "the TSC is trusted and cheaper to read") \
	X(BETTER_ARCH, \
	  "the architecture's counter is trusted and cheaper to read") \
	X(OTHER_REQUESTED, \
	  "HPT_SOURCE asks for another source") \
	X(NOT_BUILT, \
	  "this build has no such source: it belongs to another architecture or a later version, or was left out") \
	X(MANUAL, \
	  "no counter of the machine: the program makes such a clock and advances it itself") \
	X(TSC_ABSENT, \
	  "this CPU has no time stamp counter") \
	X(TSC_NOT_ORDERED, \
	  "this CPU has neither RDTSCP nor LFENCE: its TSC cannot be read in order") \
	X(TSC_FORBIDDEN, \
	  "reading the TSC is forbidden to this process: prctl(PR_SET_TSC, PR_TSC_SIGSEGV) is in force") \
	X(TSC_NOT_CONSTANT, \
	  "the CPU does not promise a constant TSC rate: CPUID 80000007h EDX bit 8 is clear") \
	X(TSC_GUEST_FAMILY, \
	  "in a virtual machine only the invariant bit counts, and the hypervisor does not set it") \
	X(TSC_FAMILY_ALONE, \
	  "the TSC may stop in deep idle, and /sys does not show whether the kernel trusts it") \
	X(TSC_GUEST_ALONE, \
	  "in a virtual machine the kernel's word is needed too, and its clocksource cannot be read from /sys") \
	X(KERNEL_DISAGREES, \
	  "the kernel keeps time with another clocksource: " \
	  "see /sys/devices/system/clocksource/clocksource0/current_clocksource") \
	X(TSC_EXPENSIVE, \
	  "a read costs twice the OS clock's or more: it is probably trapped by a hypervisor") \
	X(TSC_NOT_COUNTING, \
	  "the TSC stands still") \
	X(INTERPOSED, \
	  "clock_gettime() is replaced here and differs from the kernel's time (libfaketime?): " \
	  "only the OS clock follows it") \
	X(HPET_ACCESS, \
	  "/dev/hpet: permission denied: usually only root may read it; " \
	  "'chmod a+r /dev/hpet' or a udev rule lets others") \
	X(HPET_FAULT, \
	  "/dev/hpet: bad address") \
	X(HPET_NOENT, \
	  "/dev/hpet does not exist: no HPET, or a kernel without CONFIG_HPET") \
	X(HPET_MFILE, \
	  "/dev/hpet: too many open files in this process or system") \
	X(HPET_AGAIN, \
	  "/dev/hpet: temporarily unavailable") \
	X(HPET_BUSY, \
	  "/dev/hpet: busy: another process holds its only channel, or the kernel has no HPET ('hpet=disable')") \
	X(HPET_BADF, \
	  "/dev/hpet: bad file descriptor") \
	X(HPET_NODEV, \
	  "/dev/hpet: no such device") \
	X(HPET_NOMEM, \
	  "/dev/hpet: out of memory") \
	X(HPET_32BIT, \
	  "the HPET's counter has 32 bits and would wrap within minutes") \
	X(HPET_UNKNOWN, \
	  "/dev/hpet: failed for a reason this library does not know") \
	X(HPET_NOT_DEVICE, \
	  "/dev/hpet is not the HPET device but something else of that name") \
	X(HPET_MMAP_DENIED, \
	  "/dev/hpet: the kernel does not let it be mapped; boot with 'hpet_mmap=1'") \
	X(HPET_PERIOD, \
	  "the HPET states an impossible period: zero, or outside 0.1 to 100 ns") \
	X(HPET_DISABLED, \
	  "the HPET is disabled: its enable bit is clear") \
	X(HPET_NOT_COUNTING, \
	  "the HPET stands still") \
	X(HPET_GONE, \
	  "the HPET answers all ones: no device behind its address") \
	X(HPET_NO_MMAP, \
	  "/dev/hpet: this kernel's driver cannot be mapped") \
	X(ARCH_FORBIDDEN, \
	  "reading the counter is forbidden to this process: prctl(PR_SET_TSC, PR_TSC_SIGSEGV) is in force") \
	X(ARCH_NO_EVTSTRM, \
	  "/proc/cpuinfo does not show evtstrm: this processor may have no generic timer, and none is tried") \
	X(ARCH_NOT_COUNTING, \
	  "the architecture's counter stands still") \
	X(ARCH_ALONE, \
	  "/sys does not show whether the kernel keeps time with this counter") \
	X(ARCH_NOT_VIRTUAL, \
	  "clock_gettime() is a system call here: the kernel does not trust programs' reads of this counter") \
	X(ARCH_EXPENSIVE, \
	  "a read costs twice the OS clock's or more: it is probably trapped by the kernel or a hypervisor") \
	X(MMIO_UNDESCRIBED, \
	  "HPT_MMIO is not set: it describes the counter, see hpt_source(7)") \
	X(MMIO_FIELD, \
	  "HPT_MMIO: a field is unknown, is there twice, or lacks its value; or hpt_mmio.flags has an unknown bit") \
	X(MMIO_PLACE, \
	  "HPT_MMIO: either uio= or devmem= has to say where the counter is") \
	X(MMIO_UIO, \
	  "HPT_MMIO: uio= needs a name of 1 to 63 characters") \
	X(MMIO_DEVMEM, \
	  "HPT_MMIO: devmem= is not an address, or not a multiple of 4") \
	X(MMIO_OFFSET, \
	  "HPT_MMIO: offset= is not a number, or not a multiple of 4") \
	X(MMIO_WIDTH, \
	  "HPT_MMIO: width= has to be 16, 32 or 64") \
	X(MMIO_DIRECTION, \
	  "HPT_MMIO: direction= has to be up or down") \
	X(MMIO_FREQUENCY, \
	  "HPT_MMIO: frequency= has to be from 1000 to 10000000000 Hz") \
	X(MMIO_NO_UIO, \
	  "HPT_MMIO: no UIO device has the name that uio= gives: see /sys/class/uio/*/name") \
	X(MMIO_BEYOND, \
	  "HPT_MMIO: offset= lies beyond the map of the UIO device: see /sys/class/uio/*/maps/map0/size") \
	X(MMIO_ACCESS, \
	  "HPT_MMIO: the device may not be opened: 'chmod a+r /dev/uioN' or a udev rule " \
	  "lets others; /dev/mem is for root") \
	X(MMIO_NO_NODE, \
	  "HPT_MMIO: the device cannot be opened: no node in /dev, or too many open files") \
	X(MMIO_NOT_DEVICE, \
	  "HPT_MMIO: the node in /dev is not a character device") \
	X(MMIO_REFUSED, \
	  "HPT_MMIO: the kernel refuses the mapping: a driver claims the region, or it is not whole pages") \
	X(MMIO_NO_COARSE, \
	  "HPT_MMIO: with width=16 or 32 CLOCK_MONOTONIC_COARSE has to be read without a " \
	  "system call, or polled be set") \
	X(MMIO_TOO_FAST, \
	  "HPT_MMIO: with this width= and frequency= the counter wraps within 16 steps of CLOCK_MONOTONIC_COARSE") \
	X(MMIO_NOT_COUNTING, \
	  "HPT_MMIO: the counter stands still: it is not enabled, or devmem= or offset= is wrong") \
	X(MMIO_OTHER_WAY, \
	  "HPT_MMIO: the counter does not count in the direction= given") \
	X(MMIO_BUS_ERROR, \
	  "HPT_MMIO: reading the counter is a bus error: " \
	  "devmem= or offset= is wrong, or the device has no clock or no power") \
	X(MMIO_UNPROVEN, \
	  "HPT_MMIO: no child process can be made and waited for, " \
	  "which has to try the read first: see clone(2) and wait(2)")

/* One string after the other: the longest is three times as long as most, which rules out an array of equal lengths. */
#define TEXT(name, text) text "\0"
static const char texts[] = REASONS(TEXT);

#define CODE(name, text) HPT_REASON_##name,
static const uint8_t codes[] = { REASONS(CODE) };

COLD const char *hpt_source_name(uint32_t source)
{
	return NAME(source_names, source);
}

COLD int hpt_source_parse(const char *name, uint32_t *ret)
{
	if (!name || !ret)
		return -EINVAL;
	for (uint32_t id = 0; id < HPT_SOURCE_IDS; id++) {
		if (strcmp(source_names[id], name) != 0)
			continue;
		*ret = id;
		return 0;
	}
	return -EINVAL;
}

COLD const char *hpt_state_name(uint32_t state)
{
	return NAME(state_names, state);
}

COLD const char *hpt_stage_name(uint32_t stage)
{
	return NAME(stage_names, stage);
}

COLD const char *hpt_origin_name(uint32_t origin)
{
	return NAME(origin_names, origin);
}

COLD const char *hpt_reason_text(uint32_t reason)
{
	const char *text = texts;

	for (size_t i = 0; i < sizeof(codes); i++, text += strlen(text) + 1)
		if (codes[i] == reason)
			return text;
	return "unknown reason";
}

COLD const char *hpt_version(void)
{
	return HPT_VERSION_STRING;
}

COLD uint32_t hpt_version_number(void)
{
	return HPT_VERSION_NUMBER;
}
