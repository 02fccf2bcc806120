// SPDX-License-Identifier: MIT
/* Names and sentences of the public constants. */
#include "hpt/hpt.h"

#include "source.h"

/* Characters, not pointers to them: a pointer is a relocation, paid for by every process at load. */
static const char source_names[HPT_SOURCE_IDS][5] = {
	[HPT_SOURCE_AUTO] = "auto", [HPT_SOURCE_TSC] = "tsc", [HPT_SOURCE_HPET] = "hpet",
	[HPT_SOURCE_OS] = "os",     [HPT_SOURCE_ARM] = "arm", [HPT_SOURCE_MMIO] = "mmio",
};

/* Each says what is so and, where a person can do something about it, what. */
static const struct {
	uint32_t reason;
	char     text[140];
} reasons[] = {
	{ HPT_REASON_NONE,
	  "no reason recorded" },

	{ HPT_REASON_TSC_TRUSTED,
	  "the CPU promises an invariant TSC and the kernel keeps time with it" },
	{ HPT_REASON_TSC_FAMILY,
	  "this CPU family has a TSC of constant rate and the kernel keeps time with it" },
	{ HPT_REASON_TSC_UNCONTRADICTED,
	  "the CPU promises an invariant TSC, there is no hypervisor, and the kernel's choice cannot be read" },
	{ HPT_REASON_LOWER_MEAN,
	  "a read costs less: the means differ by 25 % or more" },
	{ HPT_REASON_LOWER_STDDEV,
	  "a read costs about the same (means within 25 %) but varies less" },
	{ HPT_REASON_FINER,
	  "the other source's shortest step from read to read is more than ten times longer" },
	{ HPT_REASON_ONLY_ONE,
	  "no other source can be used or trusted here" },
	{ HPT_REASON_REQUESTED,
	  "the program asked for it" },
	{ HPT_REASON_REQUESTED_ENV,
	  "HPT_SOURCE asks for it" },

	{ HPT_REASON_NOT_NEEDED,
	  "not tried at load: a better source was found first" },
	{ HPT_REASON_SKIPPED_ENV,
	  "not tried at load: HPT_SOURCE asks for the OS clock" },
	{ HPT_REASON_HIGHER_MEAN,
	  "a read costs more: the means differ by 25 % or more" },
	{ HPT_REASON_HIGHER_STDDEV,
	  "a read costs about the same (means within 25 %) but does not vary less" },
	{ HPT_REASON_COARSER,
	  "its shortest step from read to read is more than ten times the other source's" },
	{ HPT_REASON_BETTER_TSC,
	  "the TSC is trusted and cheaper to read" },
	{ HPT_REASON_OTHER_REQUESTED,
	  "HPT_SOURCE asks for another source" },

	{ HPT_REASON_NOT_BUILT,
	  "this build has no such source: it belongs to another architecture or a later version" },

	{ HPT_REASON_TSC_ABSENT,
	  "this CPU has no time stamp counter" },
	{ HPT_REASON_TSC_NOT_ORDERED,
	  "this CPU has neither RDTSCP nor LFENCE: its TSC cannot be read in order" },
	{ HPT_REASON_TSC_FORBIDDEN,
	  "reading the TSC is forbidden to this process: prctl(PR_SET_TSC, PR_TSC_SIGSEGV) is in force" },
	{ HPT_REASON_TSC_NOT_CONSTANT,
	  "the CPU does not promise a constant TSC rate: CPUID 80000007h EDX bit 8 is clear" },
	{ HPT_REASON_TSC_GUEST_FAMILY,
	  "in a virtual machine only the invariant bit counts, and the hypervisor does not set it" },
	{ HPT_REASON_TSC_FAMILY_ALONE,
	  "the TSC may stop in deep idle, and /sys does not tell whether the kernel trusts it" },
	{ HPT_REASON_TSC_GUEST_ALONE,
	  "in a virtual machine the kernel's word is needed too, and its clocksource cannot be read from /sys" },
	{ HPT_REASON_KERNEL_DISAGREES,
	  "the kernel keeps time with another clocksource: see /sys/devices/system/clocksource/clocksource0/current_clocksource" },
	{ HPT_REASON_TSC_EXPENSIVE,
	  "a read costs twice the OS clock's or more: it is probably trapped by a hypervisor" },
	{ HPT_REASON_TSC_NOT_COUNTING,
	  "the TSC stands still" },

	{ HPT_REASON_INTERPOSED,
	  "clock_gettime() is replaced here and tells another time than the kernel (libfaketime?): only the OS clock follows it" },

	{ HPT_REASON_HPET_ACCESS,
	  "/dev/hpet: permission denied: usually only root may read it; 'chmod a+r /dev/hpet' or a udev rule lets others" },
	{ HPT_REASON_HPET_FAULT,
	  "/dev/hpet: bad address" },
	{ HPT_REASON_HPET_NOENT,
	  "/dev/hpet does not exist: no HPET, or a kernel without CONFIG_HPET" },
	{ HPT_REASON_HPET_MFILE,
	  "/dev/hpet: too many open files in this process or system" },
	{ HPT_REASON_HPET_AGAIN,
	  "/dev/hpet: temporarily unavailable" },
	{ HPT_REASON_HPET_BUSY,
	  "/dev/hpet: busy: another process holds its only channel, or the kernel has no HPET ('hpet=disable')" },
	{ HPT_REASON_HPET_BADF,
	  "/dev/hpet: bad file descriptor" },
	{ HPT_REASON_HPET_NODEV,
	  "/dev/hpet: no such device" },
	{ HPT_REASON_HPET_NOMEM,
	  "/dev/hpet: out of memory" },
	{ HPT_REASON_HPET_32BIT,
	  "the HPET's counter has 32 bits and would wrap within minutes" },
	{ HPT_REASON_HPET_UNKNOWN,
	  "/dev/hpet: failed for a reason this library does not know" },
	{ HPT_REASON_HPET_NOT_DEVICE,
	  "/dev/hpet is not the HPET device but something else of that name" },
	{ HPT_REASON_HPET_MMAP_DENIED,
	  "/dev/hpet: the kernel does not let it be mapped; boot with 'hpet_mmap=1'" },
	{ HPT_REASON_HPET_PERIOD,
	  "the HPET states an impossible period: zero, or outside 0.1 to 100 ns" },
	{ HPT_REASON_HPET_DISABLED,
	  "the HPET is disabled: its enable bit is clear" },
	{ HPT_REASON_HPET_NOT_COUNTING,
	  "the HPET stands still" },
	{ HPT_REASON_HPET_GONE,
	  "the HPET answers all ones: no device behind its address" },
	{ HPT_REASON_HPET_NO_MMAP,
	  "/dev/hpet: this kernel's driver cannot be mapped" },
};

const char *hpt_source_name(uint32_t source)
{
	return source < HPT_SOURCE_IDS ? source_names[source] : "unknown";
}

const char *hpt_reason_text(uint32_t reason)
{
	for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++)
		if (reasons[i].reason == reason)
			return reasons[i].text;
	return "unknown reason";
}

const char *hpt_version(void)
{
	return HPT_VERSION_STRING;
}
