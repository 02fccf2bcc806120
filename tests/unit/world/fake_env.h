/* SPDX-License-Identifier: MIT */
/* A fake machine made of variables, for every function that takes a struct hpt_env. */
#ifndef HPT_TEST_FAKE_ENV_H
#define HPT_TEST_FAKE_ENV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "machine/env.h"
#include "machine/ptp.h"

struct fake_leaf {
	uint32_t leaf, regs[4];
};

/* The machine's properties and the counts of its calls. The env's functions take no context, so there is only one. */
struct fake_machine {
	const struct fake_leaf *leaves; /* an absent leaf gives zeros */
	size_t      n_leaves;
	bool        forbidden;
	const char *hpt_source, *hpt_mmio; /* variables of the environment */
	uint64_t    hwcap, hwcap2;      /* AT_HWCAP and AT_HWCAP2 */
	uint64_t    counter_hz;         /* by the kernel */
	uint64_t    random;
	void      (*random_hook)(void); /* called once, after the bits were drawn */

	int         map_error;          /* -errno of map_hpet(); 0: it returns the page */
	uint32_t    map_stage;
	const volatile void *page;
	bool        exclusive;          /* a second mapping is -EBUSY */

	int         registers_error;    /* -errno of map_registers(); 0: it returns registers + start % 4096 */
	uint32_t    registers_stage;
	const volatile void *registers;
	char        registers_path[64]; /* of the latest call */
	uint64_t    registers_start;
	size_t      registers_length;
	int         words_error;        /* -errno of try_words() */
	const volatile uint32_t *words_tried; /* by the latest call */
	size_t      n_words_tried;
	int64_t     coarse_step_ns;
	int32_t     registers_mapped;

	int         ptp_error;          /* -errno of ptp_read(); 0: it returns ptp, after ptp_hook() if that is set */
	struct hpt_ptp_reading ptp;
	void      (*ptp_hook)(struct hpt_ptp_reading *ret);
	char        ptp_path[128];      /* of the latest call */

	/* Fake clocks: each call adds the step and runs the hook first. Step 0: the live clock. */
	int64_t     clock_now, clock_step;
	int64_t     syscall_now, syscall_step;
	void      (*clock_hook)(void);
	int64_t     kernel_ahead_ns;    /* kernel_ns() less clock_ns() */
	bool        kernel_silent;      /* kernel_ns() is denied */
	uint32_t    refused_clocks;     /* a bit for each id that try_clock() refuses, by EPERM */
	uint32_t    try_syscalls;       /* calls of try_clock() that asked for the system call */

	uint32_t    cpuid_calls, map_calls, unmap_calls, clock_calls, syscall_calls, highest_leaf, highest_extended;
	int32_t     mapped;
};

extern struct fake_machine fake;
extern struct hpt_env fake_env;

/* Sets an invariant TSC with RDTSCP, no hypervisor, live clocks, no HPET (ENOENT), and a sysfs without files. */
void fake_env_reset(void);

/* Sets the kernel's clocksource in the fake sysfs, which is removed at exit; NULL: the file does not exist. */
void fake_env_kernel(const char *text);

/* Returns the path of that file, for tests that put something else there. Its folder exists. */
const char *fake_env_kernel_path(void);

/*
 * Puts a file or folder of the test's in the place of one of the machine's, until the reset; NULL: it is missing. The
 * machine has no other files, but what is in /tmp is the test's own and there as it is. `path` stays valid, `to` too.
 */
void fake_env_place(const char *path, const char *to);

/* The folder in the place of /sys. */
const char *fake_env_sysfs(void);

/* A test's setup: fake_env_reset(). */
int fake_env_setup(void **state);

/* CPUID leaves for fake.leaves. */
extern const struct fake_leaf fake_cpu_invariant[5], fake_cpu_guest[5], fake_cpu_family[5],
	fake_cpu_guest_family[5], fake_cpu_not_constant[5],
	fake_cpu_no_tsc[5], fake_cpu_amd[5], fake_cpu_amd_no_rdtscp[5], fake_cpu_no_rdtscp[5], fake_cpu_no_order[5];
#define fake_cpu(which) (fake.leaves = fake_cpu_##which, fake.n_leaves = 5)

#endif
